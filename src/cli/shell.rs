//! Completions for shells, and manual pages, generated from the arguments of all commands.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;

/// Arguments of `goren completions`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren completions bash > ~/.local/share/bash-completion/completions/goren
  goren completions zsh > ~/.zfunc/_goren
  goren completions fish > ~/.config/fish/completions/goren.fish
  goren completions powershell | Out-String | Invoke-Expression

Before the first time:
  bash        mkdir -p ~/.local/share/bash-completion/completions
  zsh         mkdir -p ~/.zfunc, and fpath+=~/.zfunc before compinit in ~/.zshrc
  fish        mkdir -p ~/.config/fish/completions
  powershell  to keep it, add the line to the file that $PROFILE names")]
pub struct CompletionsArgs {
    /// Shell that completes the commands.
    shell: Shell,
}

/// Arguments of `goren man`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren man | man -l -
  goren man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write a page for each command to this folder, instead of printing the page
    /// of `goren`.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints the completions of `tool`.
///
/// # Errors
/// They cannot be printed.
pub fn completions(args: &CompletionsArgs, mut tool: Command) -> Result<bool> {
    let mut script = Vec::new();
    let name = tool.get_name().to_owned();
    clap_complete::generate(args.shell, &mut tool, name, &mut script);
    io::stdout().write_all(&script)?;
    Ok(true)
}

/// Prints or writes the manual pages of `tool`.
///
/// # Errors
/// They cannot be printed, or the folder cannot be made or written to.
pub fn man(args: &ManArgs, tool: Command) -> Result<bool> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(tool).render(&mut page)?;
        io::stdout().write_all(&page)?;
        return Ok(true);
    };
    let place = || format!("folder {}", folder.display());
    fs::create_dir_all(folder).with_context(place)?;
    clap_mangen::generate_to(tool, folder).with_context(place)?;
    println!("Wrote the manual pages to {}.", folder.display());
    Ok(true)
}
