//! Overview of a game, for a list of games.

use goren_core::record::import::{ImportedEvent, ImportedGame};
use goren_core::rules::Outcome;

/// Overview of a game of a file. Texts have no control characters: names may contain control
/// sequences of a terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overview {
    /// Black and White at the end; empty if unknown.
    pub players: [String; 2],
    /// Title that distinguishes the game from others of its file; may be empty.
    pub title: String,
    /// The result in the file.
    pub result: Option<Outcome>,
    /// Number of stones of the game, or of the position that is set up.
    pub stones: usize,
}

impl Overview {
    /// The overview of a game.
    pub fn of(game: &ImportedGame) -> Overview {
        let is_stone = |event: &&ImportedEvent| {
            matches!(event, ImportedEvent::Stone(..) | ImportedEvent::Drop(_))
        };
        let stones = match &game.board {
            Some(board) => board.stones.len(),
            None => game.events.iter().filter(is_stone).count(),
        };
        let shown = |text: &String| text.replace(char::is_control, " ");
        Overview {
            players: game.players.each_ref().map(shown),
            title: shown(&game.title),
            result: game.result,
            stones,
        }
    }
}
