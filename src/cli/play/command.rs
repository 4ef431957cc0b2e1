//! Commands that the user may type in a game.

/// The list of commands.
pub(super) const HELP: &str =
    "  a move          as shown above; several stones in any order, h8,j9 or h8 j9
  swap            take the other colour, where that is on offer
  pass            pass, where that is allowed
  undo [N]        take your last move back, and the engine's answer; redo
  hint            ask the engine for a move; Enter interrupts the search
  points          list the points that are allowed now
  moves           list the moves so far
  resign, draw    give up; offer a draw
  sides, two      change sides with the engine; let two people play (engine: end that)
  level [NAME]    strength: beginner novice learner casual regular club strong
                  expert master champion full, or 0 to 100
  time SECONDS    the engine's time for a move
  columns go      letters without I, as on Go boards, also without-i (columns all,
                  also with-i: with I)
  forbidden off   do not mark forbidden points (forbidden on: mark them)
  save FILE       save the game as SGF (.psq: Piskvork)
  load FILE [N]   continue the game of a file, or its Nth game; --lenient and
                  other options of goren play may follow
  new [GAME [OPENING]]   begin a new game
  board, help, quit
";

/// A command typed by the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PlayCommand {
    /// A ply in the game's notation.
    Ply(String),
    /// Number of moves.
    Undo(usize),
    Redo,
    Hint,
    Swap,
    Sides,
    Two,
    Engine,
    Points,
    Moves,
    Resign,
    Draw,
    /// Name of the level; empty to query it.
    Level(String),
    Time(String),
    Columns(String),
    /// Whether forbidden points are marked.
    Forbidden(String),
    /// The file, and whether an existing one is overwritten.
    Save(String, bool),
    /// The file, and the rest of the line.
    Load(String),
    /// A game and an opening; empty to keep them.
    New(String),
    Board,
    Help,
    Quit,
    /// A command with a wrong argument: its usage.
    Misused(String),
    /// An empty line.
    Nothing,
}

/// Commands without an argument.
const NO_ARGUMENT: [&str; 12] = [
    "redo", "hint", "swap", "sides", "two", "engine", "points", "moves", "resign", "draw", "board",
    "quit",
];

impl PlayCommand {
    /// Reads a line.
    pub(super) fn read(line: &str) -> PlayCommand {
        // Piped input may begin with a byte order mark.
        let text = line.trim_start_matches('\u{feff}').trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim().to_owned();
        let alone = rest.is_empty();
        match word.to_ascii_lowercase().as_str() {
            "" => PlayCommand::Nothing,
            "undo" | "u" | "back" | "takeback" if alone => PlayCommand::Undo(1),
            "undo" | "u" => match rest.parse() {
                Ok(times) => PlayCommand::Undo(times),
                Err(_) => PlayCommand::Misused(format!("{word} takes a number of moves: {word} 3")),
            },
            "redo" if alone => PlayCommand::Redo,
            "hint" if alone => PlayCommand::Hint,
            "swap" if alone => PlayCommand::Swap,
            "sides" | "side" if alone => PlayCommand::Sides,
            "two" if alone => PlayCommand::Two,
            "engine" if alone => PlayCommand::Engine,
            "points" | "legal" if alone => PlayCommand::Points,
            "moves" | "list" if alone => PlayCommand::Moves,
            "resign" if alone => PlayCommand::Resign,
            "draw" if alone => PlayCommand::Draw,
            "level" | "strength" => PlayCommand::Level(rest),
            "time" => PlayCommand::Time(rest),
            "columns" => PlayCommand::Columns(rest),
            "forbidden" | "marks" => PlayCommand::Forbidden(rest),
            "save" => PlayCommand::Save(rest, false),
            "save!" => PlayCommand::Save(rest, true),
            "load" | "open" => PlayCommand::Load(rest),
            "new" => PlayCommand::New(rest),
            "board" | "show" if alone => PlayCommand::Board,
            "help" | "?" => PlayCommand::Help,
            "quit" | "exit" | "q" | "end" if alone => PlayCommand::Quit,
            word if !alone && NO_ARGUMENT.contains(&word) => {
                PlayCommand::Misused(format!("{word} takes no argument"))
            }
            _ => PlayCommand::Ply(text.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_plies_are_read() {
        assert_eq!(PlayCommand::read(" H8, j9\n"), PlayCommand::Ply("H8, j9".into()));
        assert_eq!(PlayCommand::read("UNDO"), PlayCommand::Undo(1));
        assert_eq!(PlayCommand::read("undo 3"), PlayCommand::Undo(3));
        assert_eq!(PlayCommand::read("\r\n"), PlayCommand::Nothing);
        assert_eq!(PlayCommand::read("\u{feff}hint\n"), PlayCommand::Hint);
        for (line, usage) in
            [("undo it", "undo takes a number"), ("Hint 3", "hint takes no argument")]
        {
            let PlayCommand::Misused(message) = PlayCommand::read(line) else { panic!("{line}") };
            assert!(message.starts_with(usage), "{message}");
        }
        assert_eq!(PlayCommand::read("hinted"), PlayCommand::Ply("hinted".into()));
        assert_eq!(
            PlayCommand::read("save My Game.sgf"),
            PlayCommand::Save("My Game.sgf".into(), false)
        );
        assert_eq!(PlayCommand::read("Level club"), PlayCommand::Level("club".into()));
        assert_eq!(PlayCommand::read("new"), PlayCommand::New(String::new()));
    }

    #[test]
    fn every_command_of_the_list_is_read() {
        for word in ["redo", "points", "moves", "resign", "draw", "sides", "two", "engine"] {
            assert!(!matches!(PlayCommand::read(word), PlayCommand::Ply(_)), "{word}");
            assert!(HELP.contains(word), "{word}");
        }
    }
}
