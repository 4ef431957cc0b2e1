//! Commands that a person may type in a game.

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
  sides, two      change sides with the engine; play by two people (engine: back)
  level [NAME]    strength: beginner novice learner casual regular club strong
                  expert master champion full, or 0 to 100
  time SECONDS    the engine's time for a move
  columns go      letters without I, as on Go boards, also without-i (columns all,
                  also with-i: with I)
  forbidden off   do not mark forbidden points (forbidden on: mark them)
  save FILE       keep the game as SGF (.psq: Piskvork)
  load FILE [N]   go on with a game, the Nth of its file; --lenient and other
                  options of goren play may follow
  new [GAME [OPENING]]   begin a new game
  board, help, quit
";

/// Something a person typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// A ply in the game's notation.
    Ply(String),
    /// This many times.
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
    /// Its name; empty to ask for it.
    Level(String),
    Time(String),
    Columns(String),
    /// Whether forbidden points are marked.
    Forbidden(String),
    /// The file, and whether one that is there is written over.
    Save(String, bool),
    /// The file, and what stands behind it.
    Load(String),
    /// A game and an opening, if they are to be others.
    New(String),
    Board,
    Help,
    Quit,
    /// A command with a wrong argument: how it is used.
    Misused(String),
    /// An empty line.
    Nothing,
}

/// Commands without an argument.
const NO_ARGUMENT: [&str; 12] = [
    "redo", "hint", "swap", "sides", "two", "engine", "points", "moves", "resign", "draw", "board",
    "quit",
];

impl Command {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Command {
        // A byte order mark of what is piped in.
        let text = line.trim_start_matches('\u{feff}').trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim().to_owned();
        let alone = rest.is_empty();
        match word.to_ascii_lowercase().as_str() {
            "" => Command::Nothing,
            "undo" | "u" | "back" | "takeback" if alone => Command::Undo(1),
            "undo" | "u" => match rest.parse() {
                Ok(times) => Command::Undo(times),
                Err(_) => Command::Misused(format!("{word} takes a number of moves: {word} 3")),
            },
            "redo" if alone => Command::Redo,
            "hint" if alone => Command::Hint,
            "swap" if alone => Command::Swap,
            "sides" | "side" if alone => Command::Sides,
            "two" if alone => Command::Two,
            "engine" if alone => Command::Engine,
            "points" | "legal" if alone => Command::Points,
            "moves" | "list" if alone => Command::Moves,
            "resign" if alone => Command::Resign,
            "draw" if alone => Command::Draw,
            "level" | "strength" => Command::Level(rest),
            "time" => Command::Time(rest),
            "columns" => Command::Columns(rest),
            "forbidden" | "marks" => Command::Forbidden(rest),
            "save" => Command::Save(rest, false),
            "save!" => Command::Save(rest, true),
            "load" | "open" => Command::Load(rest),
            "new" => Command::New(rest),
            "board" | "show" if alone => Command::Board,
            "help" | "?" => Command::Help,
            "quit" | "exit" | "q" | "end" if alone => Command::Quit,
            word if !alone && NO_ARGUMENT.contains(&word) => {
                Command::Misused(format!("{word} takes no argument"))
            }
            _ => Command::Ply(text.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_plies() {
        assert_eq!(Command::read(" H8, j9\n"), Command::Ply("H8, j9".into()));
        assert_eq!(Command::read("UNDO"), Command::Undo(1));
        assert_eq!(Command::read("undo 3"), Command::Undo(3));
        assert_eq!(Command::read("\r\n"), Command::Nothing);
        assert_eq!(Command::read("\u{feff}hint\n"), Command::Hint);
        for (line, usage) in
            [("undo it", "undo takes a number"), ("Hint 3", "hint takes no argument")]
        {
            let Command::Misused(told) = Command::read(line) else { panic!("{line}") };
            assert!(told.starts_with(usage), "{told}");
        }
        assert_eq!(Command::read("hinted"), Command::Ply("hinted".into()));
        assert_eq!(Command::read("save My Game.sgf"), Command::Save("My Game.sgf".into(), false));
        assert_eq!(Command::read("Level club"), Command::Level("club".into()));
        assert_eq!(Command::read("new"), Command::New(String::new()));
    }

    #[test]
    fn every_command_of_the_list_is_read() {
        for word in ["redo", "points", "moves", "resign", "draw", "sides", "two", "engine"] {
            assert!(!matches!(Command::read(word), Command::Ply(_)), "{word}");
            assert!(HELP.contains(word), "{word}");
        }
    }
}
