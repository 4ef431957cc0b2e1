//! Source of a position.

use anyhow::{Context, Result, bail, ensure};

use super::state::Position;
use super::words::color;
use crate::forms::{
    Choice, Games, NoteWriter, Opened, Reading, Refusal, SetUpError, Typed, play, set_up,
};
use crate::number::whole;
use goren_core::record::diagram::Diagram;
use goren_core::record::import::{Hints, ImportedGame, Place, UnreadableGame};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::Color;
use goren_notation::words::name;

/// Arguments that hand over a position or a game.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Source {
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Side to move where the input does not say: black or white.
    #[arg(long, value_parser = color)]
    pub(super) to_move: Option<Color>,
    /// Number of the game in a file with several, from 1; default: the first.
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
pub(crate) struct Game {
    /// The game, and stones of a turn that is not over.
    pub(crate) typed: Typed,
    /// The names of Black and White at the end; empty if unknown.
    pub(crate) players: [String; 2],
    /// How it ended and why, as the file says.
    pub(crate) said: Option<(Outcome, String)>,
    /// Stones and passes that were made before the players took over.
    pub(crate) prelude: usize,
}

/// What was read.
enum Content {
    Game(Box<Game>),
    SetUp(Box<Position>),
}

impl Content {
    fn position(self) -> Position {
        match self {
            Content::Game(game) => Position::typed(&game.typed),
            Content::SetUp(position) => *position,
        }
    }

    fn game(self) -> Result<Game> {
        match self {
            Content::Game(game) => Ok(*game),
            Content::SetUp(_) => bail!("a board tells no moves: a game is needed"),
        }
    }
}

/// The game that was asked for, and its number where there are several.
type Picked = (ImportedGame, Option<usize>);

impl Source {
    /// What was given as a position, maybe the name of a file.
    pub(crate) fn words(&self) -> &[String] {
        &self.position
    }

    /// The position.
    ///
    /// # Errors
    /// It cannot be read, or is no position of the game; names the place.
    pub(crate) fn position(&self) -> Result<Position> {
        self.read(&Opened::of_words(&self.position)?).map(Content::position)
    }

    /// The game.
    ///
    /// # Errors
    /// It cannot be read, or has no moves; names the place.
    pub(crate) fn game(&self) -> Result<Game> {
        self.read(&Opened::of_words(&self.position)?)?.game()
    }

    /// The position of a text, such as a line of a list.
    ///
    /// # Errors
    /// As [`Source::position`].
    pub(crate) fn of_text(&self, text: &str) -> Result<Position> {
        self.read(&Opened::of_text(text)).map(Content::position)
    }

    /// The game of a text.
    #[cfg(test)]
    pub(crate) fn of_game(&self, text: &str) -> Result<Game> {
        self.read(&Opened::of_text(text))?.game()
    }

    fn read(&self, opened: &Opened) -> Result<Content> {
        let hints = self.reading.hints()?;
        opened.games(self.reading.form, &hints, |games| {
            let mut note_writer = NoteWriter::new(opened.name.as_deref());
            games.notes.iter().for_each(|note| note_writer.note(note, None));
            let (game, number) = self.pick(games, &mut note_writer)?;
            let content = self.take(game, hints, games, &mut note_writer, number);
            match number {
                Some(number) => content.with_context(|| format!("game {number}")),
                None => content,
            }
        })
    }

    /// The game that was asked for.
    fn pick(&self, games: &mut Games<'_>, note_writer: &mut NoteWriter) -> Result<Picked> {
        let wanted = self.number.unwrap_or(1);
        ensure!(wanted > 0, "games are numbered from 1");
        let (mut count, mut picked, mut bad) = (0, None, Vec::new());
        while let Some(game) = games.next() {
            count += 1;
            match game {
                game if count == wanted => picked = Some(game),
                Err(error) => bad.push((count, error)),
                Ok(_) => {}
            }
            // To go through a large file takes long.
            if games.endless && count > wanted {
                break;
            }
        }
        let many = if count == 1 { "is 1 game".into() } else { format!("are {count} games") };
        let none = || {
            if count == 0 { "there is no game in it".into() } else { format!("there {many} in it") }
        };
        let game = picked.with_context(none)?;
        for (number, error) in bad {
            let UnreadableGame { place, reason } = error;
            let text = format!("cannot be used: {}: {reason}", games.place(place));
            note_writer.say(&text, Some(number));
        }
        if count > 1 && self.number.is_none() {
            let many = if games.endless { "are more games".into() } else { many };
            note_writer
                .say(&format!("there {many} in it, the first is taken; --number chooses"), None);
        }
        let number = (count > 1).then_some(wanted);
        let game = game.map_err(|UnreadableGame { place, reason }| {
            let before = number.map_or(String::new(), |number| format!("game {number}: "));
            anyhow::anyhow!("{before}{}: {reason}", games.place(place))
        })?;
        Ok((game, number))
    }

    /// Plays a game, or sets a board up.
    fn take(
        &self,
        game: ImportedGame,
        hints: Hints,
        games: &Games<'_>,
        note_writer: &mut NoteWriter,
        number: Option<usize>,
    ) -> Result<Content> {
        let choice = Choice { hints, lenient: self.reading.lenient, file_first: false };
        // Without a place better than the file's the words are enough.
        let refused = |Refusal { place, why, .. }| match games.place(place) {
            Place::File => anyhow::anyhow!(why),
            place => anyhow::anyhow!("{place}: {why}"),
        };
        if let Some(board) = &game.board {
            choice.check(&game.notes).map_err(refused)?;
            game.notes.iter().for_each(|note| note_writer.note(&games.placed(note), number));
            return self.set_up(&choice.contest(&game).map_err(refused)?, board);
        }
        let played = play(game, &choice).map_err(refused)?;
        played.notes.iter().for_each(|note| note_writer.note(&games.placed(note), number));
        let said = played.result.map(|outcome| (outcome, played.reason));
        let (typed, players, prelude) = (played.typed, played.players, played.prelude);
        let mut game = Game { typed, players, said, prelude };
        self.cut(&mut game)?;
        Ok(Content::Game(Box::new(game)))
    }

    /// Cuts a game where the user wants it.
    fn cut(&self, game: &mut Game) -> Result<()> {
        if let Some(plies) = self.plies {
            let typed = &mut game.typed;
            let played = typed.game_state.actions().len();
            let plural = if played == 1 { "y" } else { "ies" };
            ensure!(plies <= played, "the game has only {played} pl{plural}");
            typed.placed.clear();
            typed.game_state.take_back(played - plies);
            if plies < played {
                game.said = None;
            }
        }
        if let Some(color) = self.to_move {
            let to_move = Position::typed(&game.typed).to_move();
            ensure!(
                color == to_move,
                "--to-move is for boards; by its moves it is {}'s turn",
                name(to_move)
            );
        }
        Ok(())
    }

    /// A position without its moves.
    fn set_up(&self, contest: &Contest, board: &Diagram) -> Result<Content> {
        ensure!(self.plies.is_none(), "a board tells no moves: --plies has no meaning");
        let game_state = set_up(contest, board, self.to_move).map_err(|error| match error {
            SetUpError::ToMove { .. } => anyhow::anyhow!("{error}: say it by --to-move"),
            error => error.into(),
        })?;
        let position = Position {
            last: board.last.into_iter().collect(),
            history: None,
            ..Position::of(&game_state, &[], game_state.stones_due())
        };
        Ok(Content::SetUp(Box::new(position)))
    }
}
