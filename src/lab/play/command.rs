//! What a person may type in a game.

use anyhow::Result;

use crate::lab::point;
use crate::rules::Setup;
use crate::types::Cell;

/// The list of what can be typed.
pub(super) const HELP: &str = "  h8      place a stone there: column letter, row from the bottom
  undo    take your last move back, and the engine's answer
  hint    ask the engine for a move
  swap    change sides with the engine
  new     begin a new game
  board   show the board again
  help    show this list
  quit    leave
";

/// Something a person typed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Place(Cell),
    Undo,
    Hint,
    Swap,
    New,
    Board,
    Help,
    Quit,
    /// An empty line.
    Nothing,
}

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// It is no command and no point of the board.
    pub(super) fn read(line: &str, setup: Setup) -> Result<Command> {
        let word = line.trim().to_ascii_lowercase();
        Ok(match word.as_str() {
            "" => Command::Nothing,
            "undo" | "u" => Command::Undo,
            "hint" => Command::Hint,
            "swap" => Command::Swap,
            "new" => Command::New,
            "board" => Command::Board,
            "help" | "?" => Command::Help,
            "quit" | "exit" | "q" => Command::Quit,
            point => Command::Place(point::cell(point, setup)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleId;

    #[test]
    fn words_points_and_nonsense() {
        let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
        assert_eq!(Command::read(" H8\n", setup).unwrap(), Command::Place(Cell::new(7, 7)));
        assert_eq!(Command::read("UNDO", setup).unwrap(), Command::Undo);
        assert_eq!(Command::read("\r\n", setup).unwrap(), Command::Nothing);
        for bad in ["p1", "h16", "hh", "8h", "h 8", "undo it", "ñ3"] {
            assert!(Command::read(bad, setup).is_err(), "{bad}");
        }
    }
}
