//! `goren db learn`: records from games.
//!
//! A searched position gets a value with the winning chances of its score, and so does the
//! position after the best move; proven scores become labels. The results of games become
//! the value of positions that were never searched: their log-odds, with depth 0, so that any
//! search is better.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::file::{open, save};
use crate::forms::{NoteWriter, Opened, PlayOptions, Played, ReadingArgs, Refusal, of_games, play};
use crate::number::whole;
use goren_core::opening::Event;
use goren_core::record::import::{self, ImportedGame, UnreadableGame};
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Contest, Outcome, Setup, Variant};
use goren_core::types::{Cell, Color, PROVEN, Score, loss_in, win_in};
use goren_database::{Bound, Key, POINTS, Place, Record, Store, branch};
use goren_files::output_path;
use goren_notation::words::plural;
use goren_protocol::Eval;
use goren_training_data::{MAGIC, PackedGame, PackedReader};

/// Arguments of `goren db learn`.
#[derive(clap::Args)]
#[command(mut_arg("form", of_games))]
#[command(after_help = "\
Examples:
  goren db learn goren.db games.sgf
  goren db learn --max-stones 30 --min-games 5 goren.db caro.games result/games.jsonl

--game and --size apply to games whose file does not give them.")]
pub(super) struct Args {
    /// Database file; created if it does not exist.
    into: PathBuf,
    /// Files of games: of `goren selfplay` and `goren match`, SGF, psq, PGN and
    /// whatever else `goren analyze` reads. A game that cannot be used is
    /// reported and skipped.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Maximum number of stones of a position to remember.
    #[arg(long, alias = "plies", default_value_t = 20, value_parser = whole::<usize>(0..))]
    max_stones: usize,
    /// Minimum number of finished games before their results count for a
    /// position.
    #[arg(long, alias = "games", default_value_t = 2, value_parser = whole::<u32>(0..))]
    min_games: u32,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Data that a game contributes.
pub(super) struct Lesson {
    /// The variant and the board.
    pub(super) setup: Setup,
    /// All stones in order, Black's first; `None` for a pass.
    pub(super) stones: Vec<Option<Cell>>,
    /// The search result before each stone, if there is one.
    pub(super) found: Vec<Option<SearchedMove>>,
    /// Result of the game.
    pub(super) result: Option<Outcome>,
}

/// Result of a search.
#[derive(Copy, Clone, Debug)]
pub(super) struct SearchedMove {
    /// Best move.
    pub(super) best: Cell,
    /// Score for the side to move.
    pub(super) score: Score,
    /// Depth of the search, in plies.
    pub(super) depth: u32,
}

/// Learns from the files, and saves the database. Returns false if a game could not be used,
/// or the database is damaged.
///
/// # Errors
/// A file cannot be read, or no game can be used; nothing is saved in these cases.
pub(super) fn run(args: &Args) -> Result<bool> {
    output_path::check_replaced(&args.into, &args.files)?;
    let (mut database, report) = open(&args.into, false)?;
    let mut learner = GameLearner::new(args.max_stones);
    let mut count = Count::default();
    for file in &args.files {
        learn(file, args, &mut learner, &mut count)
            .with_context(|| format!("cannot learn from {}", file.display()))?;
    }
    ensure!(count.games > 0, "there is no game to learn from");
    let learnt = learner.learnt(args.min_games);
    let records_before = database.store().len();
    let written = branch::merge(&learnt, database.change_many()?);
    save(&mut database)?;
    let records = database.store().len();
    let games = plural(count.games, "game", "games");
    println!("{games}, {}", plural(learnt.len(), "position", "positions"));
    if count.refused > 0 {
        println!("{} could not be used", plural(count.refused, "game", "games"));
    }
    let written = plural(written, "record", "records");
    println!("{written} written, {} of them new; {records} in all", records - records_before);
    Ok(report.faults == 0 && count.refused == 0)
}

/// Number of learnt games, and of games that could not be used.
#[derive(Default)]
struct Count {
    games: usize,
    refused: usize,
}

/// Learns from a file of either kind. A pipe is read only once, as a whole.
fn learn(path: &Path, args: &Args, learner: &mut GameLearner, count: &mut Count) -> Result<()> {
    let file = File::open(path)?;
    let is_plain = file.metadata()?.is_file();
    let mut input = BufReader::new(file);
    let mut start = Vec::new();
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
    if start == MAGIC {
        let games = PackedReader::new(path, Cursor::new(start).chain(input));
        return learn_data(games, learner, count);
    }
    let opened = if is_plain || path.is_dir() {
        Opened::of_path(path)?
    } else {
        Opened::of_input(&path.display().to_string(), &mut start.as_slice().chain(input))?
    };
    learn_games(&opened, args, learner, count)
}

fn learn_data(games: PackedReader, learner: &mut GameLearner, count: &mut Count) -> Result<()> {
    for game in games {
        count.games += 1;
        learner.learn(&of_data(&game?)).with_context(|| format!("game {}", count.games))?;
    }
    Ok(())
}

fn learn_games(
    opened: &Opened,
    args: &Args,
    learner: &mut GameLearner,
    count: &mut Count,
) -> Result<()> {
    let hints = args.reading.hints()?;
    let options = PlayOptions { hints, lenient: args.reading.lenient, file_first: true };
    opened.games(args.reading.form, &hints, |games| {
        let mut note_writer = NoteWriter::new(opened.name.as_deref());
        games.notes.iter().for_each(|note| note_writer.note(note, None));
        let mut number = 0;
        while let Some(game) = games.next() {
            number += 1;
            let game = game.map_err(|UnreadableGame { place, reason }| refused(place, reason));
            let lesson = game.and_then(|game| of_game(game, &options));
            match lesson
                .and_then(|(lesson, played)| learn_lesson(learner, &lesson).map(|()| played))
            {
                Ok(played) => {
                    count.games += 1;
                    let notes = played.notes.iter().map(|note| games.placed(note));
                    notes.for_each(|note| note_writer.note(&note, Some(number)));
                }
                Err(Refusal { place, why, .. }) => {
                    count.refused += 1;
                    let text = format!("not learnt: {}: {why}", games.place(place));
                    note_writer.say(&text, Some(number));
                }
            }
        }
        ensure!(number > 0, "there is no game in it");
        Ok(())
    })
}

fn learn_lesson(learner: &mut GameLearner, lesson: &Lesson) -> Result<(), Refusal> {
    learner.learn(lesson).map_err(|error| refused(import::Place::File, format!("{error:#}")))
}

fn refused(place: import::Place, why: String) -> Refusal {
    Refusal { place, why, has_option: false }
}

fn of_data(game: &PackedGame) -> Lesson {
    let mut stones: Vec<Option<Cell>> = game.opening.iter().copied().map(Some).collect();
    let mut found = vec![None; stones.len()];
    for ply in &game.plies {
        // These files do not contain the depth.
        found.push(Some(SearchedMove { best: ply.best, score: ply.score, depth: 1 }));
        stones.push(Some(ply.played));
    }
    Lesson { setup: game.setup, stones, found, result: Some(game.result) }
}

/// Converts a game of a file.
fn of_game(game: ImportedGame, options: &PlayOptions) -> Result<(Lesson, Played), Refusal> {
    let refused = |why: String| refused(import::Place::File, why);
    if game.board.is_some() {
        return Err(refused("a board has no moves".into()));
    }
    let played = play(game, options)?;
    let Contest { variant, width, height, .. } = *played.typed.game_state.contest();
    let Variant::Five(rule) = variant else {
        return Err(refused(format!("a game of {variant}: databases hold five in a row only")));
    };
    let setup = Setup { rule, width, height };
    let stones: Vec<Option<Cell>> = played
        .typed
        .game_state
        .events()
        .iter()
        .map(|event| match *event {
            Event::Stone(cell, _) => Some(cell),
            Event::Pass => None,
        })
        .collect();
    let found = played.move_stats.iter().zip(&stones).map(|(stats, &best)| {
        let score = read_score(&stats.eval)?;
        Some(SearchedMove { best: best?, score, depth: stats.depth })
    });
    let found = found.collect();
    Ok((Lesson { setup, stones, found, result: played.result }, played))
}

/// Parses a score of an engine: points, `+M7` or `-M6`; `None` if no search can return it.
fn read_score(text: &str) -> Option<Score> {
    let in_range = |plies: u32| (plies < 500).then_some(plies as usize);
    match Eval::parse(text)? {
        Eval::Win(plies) => in_range(plies).map(win_in),
        Eval::Loss(plies) => in_range(plies).map(loss_in),
        Eval::Score(score) => Some(score).filter(|score| (1 - PROVEN..PROVEN).contains(score)),
    }
}

/// Records learnt so far.
pub(super) struct GameLearner {
    max_stones: usize,
    searched: Store,
    /// Wins, draws and losses of the side to move, by the bytes of the key only, to save
    /// memory: a collection of 100,000 games has more than a million positions.
    ended: BTreeMap<Box<[u8]>, [u32; 3]>,
}

impl GameLearner {
    /// Creates a learner without records; it skips positions of more than `max_stones` stones.
    pub(super) fn new(max_stones: usize) -> GameLearner {
        GameLearner { max_stones, searched: Store::default(), ended: BTreeMap::new() }
    }

    /// Learns from a game.
    ///
    /// # Errors
    /// An illegal stone; the positions before it are learnt.
    pub(super) fn learn(&mut self, lesson: &Lesson) -> Result<()> {
        let mut referee = FiveReferee::new(lesson.setup);
        let mut place = Place::empty(lesson.setup);
        for (i, &stone) in lesson.stones.iter().enumerate() {
            let mover = place.to_move();
            let mut ended = None;
            let mut found = lesson.found.get(i).copied().flatten();
            if let Some(cell) = stone {
                ended = referee.place(mover, cell).with_context(|| {
                    format!("stone {}, {}", i + 1, cell.label(lesson.setup.height))
                })?;
                if ended == Some(Outcome::Win(mover)) {
                    found = Some(SearchedMove { best: cell, score: win_in(1), depth: 1 });
                }
            }
            if let Some(found) = found.filter(|_| i < self.max_stones) {
                self.note_search(&mut place, found);
            }
            match stone {
                Some(cell) => place.play(cell),
                None => place.pass(),
            }
            if let Some(result) = lesson.result.filter(|_| i < self.max_stones && ended.is_none()) {
                self.note_end(&place, result);
            }
        }
        Ok(())
    }

    /// Notes a search for the position, and for the position after the best move.
    fn note_search(&mut self, place: &mut Place, found: SearchedMove) {
        let SearchedMove { best, score, depth } = found;
        self.note(place.key(), Record::searched(score, depth));
        if place.is_empty_at(best) {
            self.note(place.child_key(best), Record::after_best(score, depth));
        }
    }

    fn note(&mut self, key: Option<Key>, record: Record) {
        let Some(key) = key else { return };
        let known = self.searched.get(&key);
        if known.is_none_or(|known| known.yields_to(&record)) {
            self.searched.set(&key, &record);
        }
    }

    fn note_end(&mut self, place: &Place, result: Outcome) {
        let Some(key) = place.key() else { return };
        let counts = self.ended.entry(key.bytes().into()).or_default();
        counts[match result {
            Outcome::Win(color) if color == place.to_move() => 0,
            Outcome::Draw => 1,
            Outcome::Win(Color::Black | Color::White) => 2,
        }] += 1;
    }

    /// Returns the records; results count if at least `games` games of a position have ended.
    pub(super) fn learnt(self, games: u32) -> Store {
        let mut store = self.searched;
        for (bytes, [won, drawn, lost]) in self.ended {
            if won + drawn + lost < games {
                continue;
            }
            let Ok((key, _)) = Key::read(&bytes) else { continue };
            if store.contains(&key) {
                continue;
            }
            let half = f64::from(drawn) / 2.0 + 0.5;
            let odds = (f64::from(won) + half) / (f64::from(lost) + half);
            let mut record =
                Record { value: (POINTS * odds.ln()).round() as i16, ..Record::default() };
            record.set_depth(0, Bound::Exact);
            store.set(&key, &record);
        }
        store
    }
}
