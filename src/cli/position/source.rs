//! Source of a position.

use anyhow::{Context, Result, bail, ensure};

use super::state::GivenPosition;
use super::words::color;
use crate::forms::{
    Games, NoteWriter, Opened, PlayOptions, ReadingArgs, Refusal, SetUpError, Typed, pick, play,
    set_up,
};
use crate::number::whole;
use goren_core::opening::Choice::Choose;
use goren_core::opening::PendingDecision;
use goren_core::record::diagram::Diagram;
use goren_core::record::import::{Hints, ImportedGame, Place, UnreadableGame};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::Color;
use goren_notation::pending_decision_text;
use goren_notation::words::{count, name};

/// Arguments for a position or a game.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PositionArgs {
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
    /// Side to move where the input does not say: black or white.
    #[arg(long, value_parser = color)]
    pub(super) to_move: Option<Color>,
    /// Number of the game in a file with several, from 1; default: the first that can be read.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..))]
    pub(super) number: Option<usize>,
    /// Play only the first N plies of the game.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..))]
    pub(super) plies: Option<usize>,
    /// Moves such as h8i9j8, the name of a file, or - for standard input.
    /// Default: the empty board.
    ///
    /// Files hold moves, a drawn board, SGF, psq, PGN and more (see --form), or
    /// games of `goren match`.
    #[arg(value_name = "POSITION")]
    pub(super) position: Vec<String>,
}

/// A game with the names of its players.
pub(crate) struct NamedGame {
    /// The game, and stones of an unfinished turn.
    pub(crate) typed: Typed,
    /// Names of the final Black and White; empty if unknown.
    pub(crate) players: [String; 2],
    /// Result and reason given in the file.
    pub(crate) recorded_result: Option<(Outcome, String)>,
    /// Number of plies before the players took over.
    pub(crate) opening_plies: usize,
    /// If the game is cut within its opening: number of plies after which a plain move is due.
    pub(crate) plain_after: Option<usize>,
}

/// Content of an input: a game or a board.
enum Content {
    Game(Box<NamedGame>),
    SetUp(Box<GivenPosition>),
}

impl Content {
    /// Returns the position. Prints a note if the opening asks for another decision than a
    /// plain move.
    ///
    /// # Errors
    /// Fifths are on offer: a stone of the position is not chosen yet.
    fn position(self) -> Result<GivenPosition> {
        let game = match self {
            Content::Game(game) => game,
            Content::SetUp(position) => return Ok(*position),
        };
        let position = GivenPosition::typed(&game.typed);
        let Some(due) = &position.due else { return Ok(position) };
        let plies = game.typed.game_state.actions().len();
        let chooses = |pending: PendingDecision| pending.choices.contains(&Choose);
        if game.typed.game_state.pending_decision().is_some_and(chooses) {
            let other = match game.plain_after {
                Some(later) => format!("--plies {later} gives the position after the choice"),
                None => format!("--plies {} gives the position before the offer", plies - 1),
            };
            bail!("after {plies} plies a stone is still to be chosen: {due} {other}");
        }
        let other = game.plain_after.map_or(String::new(), |later| {
            format!("; --plies {later} gives the first position with plain moves")
        });
        let what = format!("the opening is not over: {due} Only plain moves are considered{other}");
        NoteWriter::new(None).say(&what, None);
        Ok(position)
    }

    fn game(self) -> Result<NamedGame> {
        match self {
            Content::Game(game) => Ok(*game),
            Content::SetUp(_) => bail!("a board has no moves: a game is needed"),
        }
    }
}

impl PositionArgs {
    /// Returns the words given as a position, which may name a file.
    pub(crate) fn words(&self) -> &[String] {
        &self.position
    }

    /// Reads the position.
    ///
    /// # Errors
    /// It cannot be read, or is no position of the game; the message names the place.
    pub(crate) fn position(&self) -> Result<GivenPosition> {
        self.read(&Opened::of_words(&self.position)?)?.position()
    }

    /// Reads the game.
    ///
    /// # Errors
    /// It cannot be read, or has no moves; the message names the place.
    pub(crate) fn game(&self) -> Result<NamedGame> {
        self.read(&Opened::of_words(&self.position)?)?.game()
    }

    /// Reads the position of a text, such as a line of a list.
    ///
    /// # Errors
    /// As [`PositionArgs::position`].
    pub(crate) fn of_text(&self, text: &str) -> Result<GivenPosition> {
        self.read(&Opened::of_text(text))?.position()
    }

    /// Reads the game of a text.
    #[cfg(test)]
    pub(crate) fn of_game(&self, text: &str) -> Result<NamedGame> {
        self.read(&Opened::of_text(text))?.game()
    }

    fn read(&self, opened: &Opened) -> Result<Content> {
        let hints = self.reading.hints()?;
        opened.games(self.reading.form, &hints, |games| {
            let mut note_writer = NoteWriter::new(opened.name.as_deref());
            games.notes.iter().for_each(|note| note_writer.note(note, None));
            let (game, number) = pick(games, self.number, &mut note_writer)?;
            let game = game.map_err(|UnreadableGame { place, reason }| {
                let prefix = number.map_or(String::new(), |number| format!("game {number}: "));
                anyhow::anyhow!("{prefix}{}: {reason}", games.place(place))
            })?;
            let content = self.content(game, hints, games, &mut note_writer, number);
            match number {
                Some(number) => content.with_context(|| format!("game {number}")),
                None => content,
            }
        })
    }

    /// Plays a game, or sets up a board.
    fn content(
        &self,
        game: ImportedGame,
        hints: Hints,
        games: &Games<'_>,
        note_writer: &mut NoteWriter,
        number: Option<usize>,
    ) -> Result<Content> {
        let options = PlayOptions { hints, lenient: self.reading.lenient, file_first: false };
        // If the place is only the file, the reason is enough.
        let refused = |Refusal { place, why, .. }| match games.place(place) {
            Place::File => anyhow::anyhow!(why),
            place => anyhow::anyhow!("{place}: {why}"),
        };
        if let Some(board) = &game.board {
            options.check(&game.notes).map_err(refused)?;
            game.notes.iter().for_each(|note| note_writer.note(&games.placed(note), number));
            return self.set_up(&options.contest(&game).map_err(refused)?, board);
        }
        let played = play(game, &options).map_err(refused)?;
        played.notes.iter().for_each(|note| note_writer.note(&games.placed(note), number));
        let opening_plies = played.opening_plies();
        let recorded_result = played.result.map(|outcome| (outcome, played.reason));
        let (typed, players) = (played.typed, played.players);
        let mut game =
            NamedGame { typed, players, recorded_result, opening_plies, plain_after: None };
        self.cut(&mut game)?;
        Ok(Content::Game(Box::new(game)))
    }

    /// Cuts a game after the plies that the user has given, and checks `--to-move`.
    fn cut(&self, game: &mut NamedGame) -> Result<()> {
        if let Some(plies) = self.plies {
            let typed = &mut game.typed;
            let played = typed.game_state.actions().len();
            ensure!(plies <= played, "the game has only {}", count(played, "ply"));
            typed.placed.clear();
            let whole = &typed.game_state;
            let is_plain_after = |plies: &usize| {
                let mut earlier = whole.clone();
                earlier.take_back(played - plies);
                earlier
                    .pending_decision()
                    .is_some_and(|pending| pending_decision_text::is_plain(&pending))
            };
            game.plain_after = (plies..=played).find(is_plain_after);
            typed.game_state.take_back(played - plies);
            if plies < played {
                game.recorded_result = None;
            }
        }
        if let Some(color) = self.to_move {
            let to_move = GivenPosition::typed(&game.typed).to_move();
            ensure!(
                color == to_move,
                "--to-move is for boards; after these moves it is {}'s turn",
                name(to_move)
            );
        }
        Ok(())
    }

    /// Sets up a board, whose moves are unknown.
    fn set_up(&self, contest: &Contest, board: &Diagram) -> Result<Content> {
        ensure!(self.plies.is_none(), "a board has no moves: --plies does not apply");
        let game_state = set_up(contest, board, self.to_move).map_err(|error| match error {
            SetUpError::ToMove { .. } => anyhow::anyhow!("{error}: give --to-move"),
            error => error.into(),
        })?;
        let position = GivenPosition {
            last: board.last.into_iter().collect(),
            history: None,
            ..GivenPosition::of(&game_state, &[], game_state.stones_due())
        };
        Ok(Content::SetUp(Box::new(position)))
    }
}
