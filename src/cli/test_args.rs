//! Arguments of a command in a test, read as the tool reads them.

use clap::Parser;

#[derive(Parser)]
struct CommandLine<A: clap::Args> {
    #[command(flatten)]
    args: A,
}

/// The arguments of a line, quoted as in a shell.
///
/// # Errors
/// Arguments that the tool would refuse.
pub(crate) fn parse<A: clap::Args>(line: &str) -> Result<A, clap::Error> {
    let words = shlex::split(line).expect("a quote is left open");
    let line = CommandLine::try_parse_from(std::iter::once("goren".to_owned()).chain(words))?;
    Ok(line.args)
}
