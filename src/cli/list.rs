//! `goren list`: lists the games of a file of any format.

use std::path::Path;

use anyhow::Result;

use super::forms::{
    NoteWriter, Opened, Overview, PlayOptions, ReadingArgs, Refusal, SetUpError, play, set_up,
};
use super::variant;
use goren_core::record::import::{ImportedGame, Place, UnreadableGame};
use goren_core::rules::Outcome;
use goren_core::types::Color;
use goren_notation::words::plural;

/// Arguments of `goren list`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren list games.sgf
  goren list --player Meijin renjunet.rif
  goren list --game pente --text final games.txt

Other commands take the number in front of a game as --number. --player and --text choose among
the games; --game sets the rules by which they are played, whatever the file says.
Every listed game is replayed by the rules; if that fails, the reason is shown beside it. Games that
cannot be read are always shown. The exit status is 1 if a game shown cannot be used.
Results: B+ Black won, W+ White won, 0 a draw, ? not known.")]
pub struct Args {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Show only games with a player whose name contains NAME, ignoring case.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Show only games whose title or players contain TEXT, ignoring case.
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// File of games in any format that `goren analyze` reads, or - for
    /// standard input.
    #[arg(value_name = "FILE")]
    file: String,
}

/// Column headings of the list. The count is of stones, not of turns.
const HEAD: &str = "number  result  stones  Black - White  game  title";

/// Lists the games. Returns whether all that are shown can be used.
///
/// # Errors
/// The file cannot be read.
pub fn run(args: &Args) -> Result<bool> {
    // A file name that does not exist must not be read as moves.
    let opened = match args.file.as_str() {
        "-" => Opened::of_words(std::slice::from_ref(&args.file))?,
        path => Opened::of_path(Path::new(path))?,
    };
    let hints = args.reading.hints()?;
    opened.games(args.reading.form, &hints, |games| {
        let mut note_writer = NoteWriter::new(opened.name.as_deref());
        games.notes.iter().for_each(|note| note_writer.note(note, None));
        let options = PlayOptions { hints, lenient: args.reading.lenient, file_first: false };
        let (mut count, mut listed, mut bad) = (0, 0, 0);
        while let Some(game) = games.next() {
            count += 1;
            if listed + bad == 0 && game.as_ref().map_or(true, |game| args.wants(game)) {
                println!("{HEAD}");
            }
            match game {
                Ok(game) if args.wants(&game) => {
                    listed += 1;
                    let mut line = line(count, &game);
                    if let Err(Refusal { place, why, .. }) = check(game, &options) {
                        bad += 1;
                        line += &format!("  {}", unusable(games.place(place), &why));
                    }
                    println!("{line}");
                }
                Ok(_) => {}
                Err(UnreadableGame { place, reason }) => {
                    bad += 1;
                    println!("{count:>6}  {}", unusable(games.place(place), &reason));
                }
            }
        }
        let games = plural(count, "game", "games");
        let broken = if bad == 0 { String::new() } else { format!(", {bad} cannot be used") };
        eprintln!("{listed} of {games} listed{broken}; other commands choose one by --number");
        Ok(bad == 0)
    })
}

/// Checks that commands that take a game can use this one.
///
/// # Errors
/// The first doubt or illegal ply.
fn check(game: ImportedGame, options: &PlayOptions) -> Result<(), Refusal> {
    let Some(board) = &game.board else { return play(game, options).map(drop) };
    options.check(&game.notes)?;
    match set_up(&options.contest(&game)?, board, None) {
        // The user can say whose turn it is.
        Ok(_) | Err(SetUpError::ToMove { .. }) => Ok(()),
        Err(error) => {
            Err(Refusal { place: Place::File, why: error.to_string(), has_option: false })
        }
    }
}

fn unusable(place: Place, why: &str) -> String {
    format!("cannot be used: {place}: {why}")
}

impl Args {
    fn wants(&self, game: &ImportedGame) -> bool {
        let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let has_player = |part: &String| game.players.iter().any(|player| contains(player, part));
        let has_text = |part: &String| contains(&game.title, part) || has_player(part);
        self.player.as_ref().is_none_or(has_player) && self.text.as_ref().is_none_or(has_text)
    }
}

/// A game as a line: its number, result, stones, players, rule and title.
fn line(number: usize, game: &ImportedGame) -> String {
    let overview = Overview::of(game);
    let result = match overview.result {
        Some(Outcome::Win(Color::Black)) => "B+",
        Some(Outcome::Win(Color::White)) => "W+",
        Some(Outcome::Draw) => "0",
        None => "?",
    };
    let Overview { players, title, stones, .. } = overview;
    let [black, white] = players.map(|name| if name.is_empty() { "?".into() } else { name });
    let rule =
        game.variant.map_or(String::new(), |variant| format!("  {}", variant::shown(variant)));
    let title = if title.is_empty() { title } else { format!("  {title}") };
    format!("{number:>6}  {result:<6}  {stones:>6}  {black} - {white}{rule}{title}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::record::import::Hints;
    use goren_core::record::sgf;
    use goren_core::record::text::Input;

    fn games(text: &str) -> Vec<ImportedGame> {
        let input = Input::new(text.as_bytes(), None).unwrap();
        sgf::read(&input, &Hints::default()).map(|game| game.unwrap()).collect()
    }

    fn wanted(player: Option<&str>, text: Option<&str>) -> Vec<usize> {
        let collection = "(;GM[4]RU[RIF]SZ[15]PB[Ando]PW[Sushkov]RE[B+];B[hh];W[hg])\
                          (;GM[4]RU[0]SZ[15]PB[Sushkov]PW[Peskov]RE[0])";
        let args = Args {
            reading: ReadingArgs::default(),
            player: player.map(String::from),
            text: text.map(String::from),
            file: String::new(),
        };
        let games = games(collection);
        (0..games.len()).filter(|&at| args.wants(&games[at])).collect()
    }

    #[test]
    fn games_are_chosen_by_their_players() {
        assert_eq!(wanted(None, None), [0, 1]);
        assert_eq!(wanted(Some("ando"), None), [0]);
        assert_eq!(wanted(Some("sushkov"), None), [0, 1]);
        assert_eq!(wanted(Some("sushkov"), Some("PESKOV")), [1]);
        assert!(wanted(None, Some("nobody")).is_empty());
    }

    #[test]
    fn a_line_summarizes_a_game() {
        let game = &games("(;GM[4]RU[RIF]SZ[15]PB[A\x1bndo]PW[]RE[W+];B[hh];W[hg])")[0];
        let line = line(7, game);
        assert!(line.starts_with("     7  W+           2  A ndo - ?  renju"), "{line}");
        // The headings stand above their columns.
        let place = |head: &str| HEAD.find(head).unwrap();
        assert!(line[place("result")..].starts_with("W+"));
        assert!(line[..place("  Black")].ends_with(" 2"));
        assert!(line[place("Black")..].starts_with("A ndo"));
    }
}
