//! What a person may type in a game.

/// The list of what can be typed.
pub(super) const HELP: &str = "  h8      place a stone there: column letter, row from the bottom
  h8,j9   several stones, where several are asked for; numbers and fifths too
  swap    take the other colour where that is on offer; else change sides
          with the engine
  pass    pass, where that is allowed
  undo    take your last move back, and the engine's answer
  hint    ask the engine for a move
  new     begin a new game
  board   show the board again
  help    show this list
  quit    leave
";

/// Something a person typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// A ply in the game's notation.
    Ply(String),
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
    pub(super) fn read(line: &str) -> Command {
        // A byte order mark of what is piped in.
        let word = line.trim_start_matches('\u{feff}').trim().to_ascii_lowercase();
        match word.as_str() {
            "" => Command::Nothing,
            "undo" | "u" => Command::Undo,
            "hint" => Command::Hint,
            "swap" => Command::Swap,
            "new" => Command::New,
            "board" => Command::Board,
            "help" | "?" => Command::Help,
            "quit" | "exit" | "q" => Command::Quit,
            _ => Command::Ply(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_plies() {
        assert_eq!(Command::read(" H8, j9\n"), Command::Ply("h8, j9".into()));
        assert_eq!(Command::read("UNDO"), Command::Undo);
        assert_eq!(Command::read("\r\n"), Command::Nothing);
        assert_eq!(Command::read("\u{feff}hint\n"), Command::Hint);
        assert_eq!(Command::read("undo it"), Command::Ply("undo it".into()));
    }
}
