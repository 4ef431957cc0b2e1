//! Where a position comes from, and in which form it is written.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde_json::Value;

use super::{Position, name, set_up};
use crate::lab::engine::Terms;
use crate::lab::json_course::CourseRecord;
use crate::lab::json_game::{JsonGame, is_head};
use crate::lab::moves::{self, Typed};
use crate::lab::{plies, variant};
use crate::opening::{Act, Course};
use crate::record::diagram::{self, Diagram};
use crate::record::sgf::{self, SgfError};
use crate::record::{GameRecord, psq};
use crate::rules::{Contest, OpeningId, RuleId, Setup, Variant};
use crate::types::Color;

/// Most bytes that are read.
const MOST_BYTES: u64 = 64 << 20;

/// How a position is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(in crate::lab) enum Form {
    /// Points in a row, such as h8i9j8: also what the getpos of a GUI gives.
    Moves,
    /// A board, row by row: `X` or `O` for stones, `.` for empty points.
    Board,
    /// Smart Game Format.
    Sgf,
    /// Piskvork's files.
    Psq,
    /// The games of `goren match`, JSON Lines.
    Json,
}

/// Arguments that hand over a position or a game.
#[derive(clap::Args, Clone, Debug)]
pub(in crate::lab) struct Source {
    /// The game and its options, such as renju or pente+keryo; see `goren
    /// games`. Without it what a file says, or freestyle.
    #[arg(long, alias = "rule")]
    pub(super) game: Option<String>,
    /// Side of the board, or columns and rows such as 20x15, instead of what
    /// the position says, or of the usual one.
    #[arg(long, value_parser = variant::size)]
    pub(super) size: Option<(usize, usize)>,
    /// How the position is written, instead of what it looks like.
    #[arg(long, value_enum)]
    pub(super) form: Option<Form>,
    /// The rows of moves count from the top, as in opening files.
    #[arg(long)]
    pub(super) from_top: bool,
    /// Who is to move on a board that does not say it: black or white.
    #[arg(long, value_parser = color)]
    pub(super) to_move: Option<Color>,
    /// Which game of a file with several, from 1.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(super) number: usize,
    /// Only so many plies of the game.
    #[arg(long, value_name = "N")]
    pub(super) plies: Option<usize>,
    /// Moves such as h8i9j8, a file, or - for standard input: moves, a board,
    /// SGF, psq or a game of `goren match`. Without it the empty board.
    #[arg(value_name = "POSITION")]
    pub(super) position: Vec<String>,
}

/// The colour of a name.
///
/// # Errors
/// The names there are.
pub(in crate::lab) fn color(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "black" | "b" | "x" => Ok(Color::Black),
        "white" | "w" | "o" => Ok(Color::White),
        _ => Err("black or white".into()),
    }
}

/// A game with the names of its players.
pub(in crate::lab) struct Game {
    /// The game, and stones of a turn that is not over.
    pub(in crate::lab) typed: Typed,
    /// The names of Black and White at the end; empty if unknown.
    pub(in crate::lab) players: [String; 2],
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

impl Source {
    /// What was given as a position, maybe the name of a file.
    pub(in crate::lab) fn words(&self) -> &[String] {
        &self.position
    }

    /// The position.
    ///
    /// # Errors
    /// It cannot be read, or is no position of the game; names the place.
    pub(in crate::lab) fn position(&self) -> Result<Position> {
        self.content().map(Content::position)
    }

    /// The game.
    ///
    /// # Errors
    /// It cannot be read, or has no moves; names the place.
    pub(in crate::lab) fn game(&self) -> Result<Game> {
        self.content()?.game()
    }

    /// The position of a text.
    #[cfg(test)]
    pub(in crate::lab) fn of_text(&self, text: &str) -> Result<Position> {
        self.read(text).map(Content::position)
    }

    /// The game of a text.
    #[cfg(test)]
    pub(in crate::lab) fn of_game(&self, text: &str) -> Result<Game> {
        self.read(text)?.game()
    }

    fn content(&self) -> Result<Content> {
        let (name, text) = self.text()?;
        let content = self.read(&text);
        match name {
            Some(name) => content.with_context(|| name),
            None => content,
        }
    }

    /// The text and the name of its file.
    fn text(&self) -> Result<(Option<String>, String)> {
        let bounded = |input: &mut dyn Read| -> Result<String> {
            let mut bytes = Vec::new();
            input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
            ensure!(bytes.len() as u64 <= MOST_BYTES, "more than 64 MiB");
            // Names of players may be in any encoding.
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        match &self.position[..] {
            [only] if only == "-" => {
                if io::stdin().is_terminal() {
                    eprintln!("Reading the position; end it by Ctrl-D.");
                }
                Ok((Some("standard input".into()), bounded(&mut io::stdin().lock())?))
            }
            [only] if Path::new(only).is_file() => {
                let mut file = File::open(only).with_context(|| only.clone())?;
                Ok((Some(only.clone()), bounded(&mut file).with_context(|| only.clone())?))
            }
            [only] if is_path(only) && Path::new(only).is_dir() => bail!("{only} is a folder"),
            [only] if is_path(only) => bail!("there is no file {only}"),
            words => Ok((None, words.join(" "))),
        }
    }

    fn read(&self, text: &str) -> Result<Content> {
        let variant = match &self.game {
            Some(name) => Some(Variant::from_name(name)?),
            None => None,
        };
        let plain = variant.unwrap_or(Variant::Five(RuleId::Freestyle));
        let mut game = match self.form.unwrap_or_else(|| form(text, plain)) {
            Form::Moves => {
                ensure!(self.number == 1, "moves are of one game: --number has no meaning");
                let contest = self.sized(Contest::new(plain).opened(OpeningId::Free)?)?;
                let typed = moves::typed(&contest, text, self.from_top)?;
                Game { typed, players: Default::default() }
            }
            Form::Board => return self.set_up(&diagram::read(text)?.board, plain),
            Form::Sgf => match sgf::read(text, rule_of(plain)) {
                Err(SgfError::SetUp { .. }) => {
                    let boards = sgf::boards(text, rule_of(plain))?;
                    let (rule, board) = self.nth(boards)?;
                    return self.set_up(&board, variant.unwrap_or(Variant::Five(rule)));
                }
                games => self.recorded(self.nth(games?)?, variant)?,
            },
            Form::Psq => {
                let Contest { width, height, .. } = self.sized(Contest::new(plain))?;
                let default = Setup { rule: rule_of(plain), width, height };
                self.recorded(psq::read(text, default)?, variant)?
            }
            Form::Json => self.json(text, variant)?,
        };
        if let Some(plies) = self.plies {
            let typed = &mut game.typed;
            let played = typed.course.acts().len();
            let plural = if played == 1 { "y" } else { "ies" };
            ensure!(plies <= played, "the game has only {played} pl{plural}");
            typed.placed.clear();
            typed.course.take_back(played - plies);
        }
        if let Some(color) = self.to_move {
            let to_move = Position::typed(&game.typed).to_move();
            ensure!(
                color == to_move,
                "--to-move is for boards; by its moves it is {}'s turn",
                name(to_move)
            );
        }
        Ok(Content::Game(Box::new(game)))
    }

    /// The game that was asked for.
    fn nth<T>(&self, games: Vec<T>) -> Result<T> {
        let count = games.len();
        let at = self.number.checked_sub(1).context("games are numbered from 1")?;
        let many = if count == 1 { "is 1 game".into() } else { format!("are {count} games") };
        games.into_iter().nth(at).with_context(|| format!("there {many} in it"))
    }

    /// A position without its moves.
    fn set_up(&self, board: &Diagram, variant: Variant) -> Result<Content> {
        ensure!(self.plies.is_none(), "a board tells no moves: --plies has no meaning");
        let contest = Contest::new(variant).opened(OpeningId::Free)?;
        let contest = self.checked(contest.on(board.width, board.height)?)?;
        let position = set_up::position(&contest, board, self.to_move)?;
        Ok(Content::SetUp(Box::new(position)))
    }

    /// A game on the board that was asked for.
    fn sized(&self, contest: Contest) -> Result<Contest> {
        Ok(match self.size {
            Some((width, height)) => contest.on(width, height)?,
            None => contest,
        })
    }

    /// A game on a board that must be the one asked for.
    fn checked(&self, contest: Contest) -> Result<Contest> {
        let (width, height) = (contest.width, contest.height);
        let same = self.size.is_none_or(|size| size == (width, height));
        ensure!(same, "the board is {width}x{height}");
        Ok(contest)
    }

    /// A game of a file of five in a row, played as another where one was
    /// asked for.
    fn recorded(&self, record: GameRecord, variant: Option<Variant>) -> Result<Game> {
        let Setup { rule, width, height } = record.setup;
        let variant = variant.unwrap_or(Variant::Five(rule));
        let contest = Contest::new(variant).opened(OpeningId::Free)?.on(width, height)?;
        let contest = self.checked(contest)?;
        let mut typed = Typed { course: Course::new(contest), placed: Vec::new() };
        for (number, cell) in (1..).zip(record.stones()) {
            let place = || format!("move {number} ({})", cell.label(height).to_lowercase());
            typed.course.act(&Act::stone(cell)).with_context(place)?;
        }
        Ok(Game { typed, players: record.players })
    }

    /// A game of JSON Lines.
    fn json(&self, text: &str, variant: Option<Variant>) -> Result<Game> {
        let is_game = |(number, line): &(usize, &str)| {
            !(line.trim().is_empty() || *number == 1 && is_head(line))
        };
        let lines = (1..).zip(text.lines()).filter(is_game);
        let (number, line) = self.nth(lines.collect())?;
        let place = || format!("line {number}");
        let fields: Value = serde_json::from_str(line).with_context(place)?;
        let Some(name) = fields["variant"].as_str() else {
            let JsonGame { record, .. } = JsonGame::from_line(line, number)?;
            return self.recorded(record, variant).with_context(place);
        };
        let read = || {
            let own = Variant::from_name(name)?;
            ensure!(variant.is_none_or(|wanted| wanted == own), "a game of {own}");
            let side = |key: &str| fields[key].as_u64().unwrap_or(0) as usize;
            let opened = fields["opened"].as_str().and_then(OpeningId::from_name);
            let contest = Contest::new(own)
                .opened(opened.context("no opening that is known")?)?
                .on(side("width"), side("height"))?;
            let tie_break = fields["tie_break"].as_bool().unwrap_or(false);
            let contest = self.checked(Contest { tie_break, ..contest })?;
            let (record, _) = CourseRecord::from_line(line, number, Terms::Family(contest))?;
            let acts: Vec<Act> = record
                .opening
                .iter()
                .cloned()
                .chain(record.plies.iter().map(|ply| ply.act.clone()))
                .collect();
            let texts = plies::texts(&contest, &acts);
            let course = plies::game(&contest, texts.iter().map(String::as_str))?;
            let players = [record.black, !record.black];
            let players = players.map(|seat| record.players[seat.index()].clone());
            Ok(Game { typed: Typed { course, placed: Vec::new() }, players })
        };
        read().with_context(place)
    }
}

/// Whether an argument was meant as the name of a file.
fn is_path(text: &str) -> bool {
    let ends = [".sgf", ".psq", ".json", ".jsonl", ".txt"];
    !text.contains(['\n', ';', '{'])
        && (text.contains(['/', '\\']) || ends.iter().any(|end| text.ends_with(end)))
}

/// The rule of a game of five in a row, for files that know no others.
fn rule_of(variant: Variant) -> RuleId {
    match variant {
        Variant::Five(rule) => rule,
        _ => RuleId::Freestyle,
    }
}

/// What a text looks like.
pub(super) fn form(text: &str, variant: Variant) -> Form {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let sgf = text.match_indices('(').any(|(at, _)| text[at + 1..].trim_start().starts_with(';'));
    let numbers = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | ' ');
    let psq = first.starts_with(|c: char| c.is_ascii_digit())
        && first.trim_end().contains(',')
        && first.trim_end().chars().all(numbers);
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    match () {
        () if first.starts_with('{') => Form::Json,
        () if sgf => Form::Sgf,
        () if first.starts_with("Piskvorky") || psq => Form::Psq,
        () if lines > 1 && !moves::are_words(text, variant) => Form::Board,
        () => Form::Moves,
    }
}
