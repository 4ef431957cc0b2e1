//! Games of files, played by the rules, and games as files have them.

use anyhow::{Result, anyhow, ensure};

use crate::schema::Player;
use goren_core::opening::GameState;
use goren_core::record::diagram::Diagram;
use goren_core::record::import::{Hints, ImportedGame, MoveStats, Weight};
use goren_core::record::{Ending, GameRecord, PlayedPly};
use goren_core::types::Color;
use goren_notation::forms::{Choice, SetUpError, opened_by, play, set_up};

/// Most remarks about a file that are told.
const MOST_NOTES: usize = 8;
/// What there is to say of a file, each thing once.
#[derive(Clone, Default, Debug)]
pub(super) struct Remarks {
    texts: Vec<String>,
    /// Those beyond the ones that are told.
    more: usize,
}

impl Remarks {
    pub(super) fn add(&mut self, text: String) {
        if self.texts.contains(&text) {
        } else if self.texts.len() < MOST_NOTES {
            self.texts.push(text);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn add_all(&mut self, other: Remarks) {
        other.texts.into_iter().for_each(|text| self.add(text));
        self.more += other.more;
    }

    /// All of it in sentences.
    pub(super) fn told(self) -> Vec<String> {
        let more = (self.more > 0).then(|| format!("and {} more notes", self.more));
        self.texts.into_iter().chain(more).collect()
    }
}

/// A game as a file tells it, played, and what there is to say of it.
///
/// # Errors
/// What is there cannot be played.
pub(super) fn imported(game: ImportedGame) -> Result<(GameState, Remarks)> {
    // Doubtful readings are accepted with a note: the person sees the board they gave.
    let told = Choice { hints: Hints::default(), lenient: true, file_first: true };
    if let Some(board) = &game.board {
        return laid(&game, board, &told);
    }
    let (opening, events) = (game.opening, game.events.len());
    let played = play(game, &told)?;
    let mut notes = Remarks::default();
    let doubts = played.notes.iter().filter(|note| note.weight == Weight::Doubt);
    doubts.for_each(|note| notes.add(format!("{}: {}", note.place, note.text)));
    let game_state = played.typed.game_state;
    let nothing = game_state.is_fresh() && played.typed.placed.is_empty();
    ensure!(
        events > 0 && !nothing,
        "no move of it can be played{}",
        notes.texts.first().map_or(String::new(), |note| format!(": {note}"))
    );
    if !played.typed.placed.is_empty() {
        notes.add("the last turn is not over: its stones are left out".into());
    }
    Ok((opened_by(game_state, opening), notes))
}

/// The position of a board that a file draws or sets up, as the beginning of a game.
///
/// # Errors
/// It does not say who is to move, or no game leads to it.
fn laid(game: &ImportedGame, board: &Diagram, told: &Choice) -> Result<(GameState, Remarks)> {
    let mut notes = Remarks::default();
    let doubts = game.notes.iter().filter(|note| note.weight == Weight::Doubt);
    doubts.for_each(|note| notes.add(format!("{}: {}", note.place, note.text)));
    let game_state = set_up(&told.contest(game)?, board, None).map_err(|error| match error {
        SetUpError::ToMove { .. } => {
            anyhow!("{error}: say it in a line such as \"black to move\", or PL[B] in SGF")
        }
        error => error.into(),
    })?;
    notes.add("it begins with a position: the order of its stones is not known".into());
    Ok((game_state, notes))
}

/// The game up to a position as records have it.
pub(super) fn record(game_state: &GameState, players: [String; 2]) -> GameRecord {
    let ply = |action: &_| PlayedPly { action: Clone::clone(action), stats: MoveStats::default() };
    let ending = game_state.result().map(|result| match result.seats[..] {
        [seat] => Ending::Win(seat),
        _ => Ending::Draw,
    });
    GameRecord {
        contest: *game_state.contest(),
        players,
        opening: Vec::new(),
        plies: game_state.actions().iter().map(ply).collect(),
        black: game_state.owner(Color::Black),
        ending,
        reason: game_state.result().map_or(String::new(), |end| end.reason.name().into()),
    }
}

/// The names of players, as files have them.
pub(super) fn names(players: [Player; 2]) -> [String; 2] {
    players.map(|player| match player {
        Player::Person => "Person".to_owned(),
        Player::Engine => format!("Goren {}", env!("CARGO_PKG_VERSION")),
    })
}
