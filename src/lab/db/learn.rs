//! `goren db learn`: records from games.
//!
//! A searched position gets the score as its value, and so does the position
//! after the best move; proven scores become labels. How games ended becomes
//! the value of positions nobody has searched: the log-odds of the results, of
//! depth 0, so that any search is better.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{Board, open, save};
use crate::database::{Bound, Label, Place, Record, Store, branch};
use crate::lab::{data, json_game};
use crate::record::{GameRecord, psq, sgf};
use crate::rules::referee::Referee;
use crate::rules::{Outcome, Setup};
use crate::types::{Cell, Color, PROVEN, Score, WIN, win_in};

/// Points that make the odds of winning e times better.
const POINTS: f64 = 200.0;

/// Arguments of `goren db learn`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The database; made if there is none.
    into: PathBuf,
    /// Games: of `goren selfplay`, or in files that end in .jsonl (those of
    /// matches), .psq or .sgf.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Stones of the largest positions to remember.
    #[arg(long, default_value_t = 20)]
    plies: usize,
    /// Games that must have ended before their results count for a position.
    #[arg(long, default_value_t = 2)]
    games: u32,
    /// Rule and size of games whose file says neither.
    #[command(flatten)]
    board: Board,
}

/// What a game teaches.
pub(super) struct Lesson {
    /// The variant and the board.
    pub(super) setup: Setup,
    /// All stones in turn, Black's first.
    pub(super) stones: Vec<Cell>,
    /// What was found before some of the stones.
    pub(super) found: Vec<Option<Found>>,
    /// How it ended.
    pub(super) result: Option<Outcome>,
}

/// What a search found.
#[derive(Copy, Clone, Debug)]
pub(super) struct Found {
    /// The best move.
    pub(super) best: Cell,
    /// The score for the side to move.
    pub(super) score: Score,
    /// Depth of the search, in plies.
    pub(super) depth: u32,
}

/// Learns, and saves the database.
///
/// # Errors
/// A file cannot be read or holds no game; nothing is saved then.
pub(super) fn run(args: &Args) -> Result<bool> {
    let (mut database, report) = open(&args.into, false)?;
    let default = args.board.setup()?;
    let mut class = Class::new(args.plies);
    let mut games = 0;
    for file in &args.files {
        let lessons = lessons(file, default);
        for lesson in lessons.with_context(|| format!("cannot learn from {}", file.display()))? {
            games += 1;
            class.teach(&lesson).with_context(|| format!("{}: game {games}", file.display()))?;
        }
    }
    let learnt = class.learnt(args.games);
    let before = database.store().len();
    let written = branch::merge(&learnt, database.change_many()?);
    save(&mut database)?;
    let records = database.store().len();
    println!("{games} games, {} positions", learnt.len());
    println!("{written} records written, {} of them new; {records} in all", records - before);
    Ok(report.faults == 0)
}

fn lessons(path: &Path, default: Setup) -> Result<Vec<Lesson>> {
    let mut magic = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut magic)?;
    if magic == b"GRN1" {
        return data::Reader::open(path)?.map(|game| Ok(of_data(&game?))).collect();
    }
    let text = || fs::read_to_string(path);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("jsonl") => json_game::read(BufReader::new(File::open(path)?))
            .map(|game| Ok(of_record(&game?.record)))
            .collect(),
        Some("psq") => Ok(vec![of_record(&psq::read(&text()?, default)?)]),
        Some("sgf") => Ok(sgf::read(&text()?, default.rule)?.iter().map(of_record).collect()),
        _ => bail!("neither games of selfplay nor a file that ends in .jsonl, .psq or .sgf"),
    }
}

fn of_data(game: &data::Game) -> Lesson {
    let mut stones = game.opening.clone();
    let mut found = vec![None; stones.len()];
    for ply in &game.plies {
        // These files do not tell the depth.
        found.push(Some(Found { best: ply.best, score: ply.score, depth: 1 }));
        stones.push(ply.played);
    }
    Lesson { setup: game.setup, stones, found, result: Some(game.result) }
}

fn of_record(game: &GameRecord) -> Lesson {
    let mut found = vec![None; game.opening.len()];
    found.extend(game.moves.iter().map(|played| {
        let score = read_score(&played.eval)?;
        Some(Found { best: played.cell, score, depth: played.depth })
    }));
    Lesson { setup: game.setup, stones: game.stones().collect(), found, result: game.result }
}

/// A score in an engine's words: points, or `+M7` and `-M6`.
fn read_score(text: &str) -> Option<Score> {
    let mate = |plies: &str| plies.parse().ok().filter(|&plies| plies < 500).map(win_in);
    if let Some(plies) = text.strip_prefix("+M") {
        return mate(plies);
    }
    if let Some(plies) = text.strip_prefix("-M") {
        return mate(plies).map(|score| -score);
    }
    text.parse().ok().filter(|score: &Score| score.abs() < PROVEN)
}

/// What has been learnt so far.
pub(super) struct Class {
    plies: usize,
    searched: Store,
    /// Wins, draws and losses of the side to move, by the bytes of the key.
    ended: BTreeMap<Vec<u8>, (Place, [u32; 3])>,
}

impl Class {
    /// Nothing yet; positions of more than `plies` stones are left out.
    pub(super) fn new(plies: usize) -> Class {
        Class { plies, searched: Store::default(), ended: BTreeMap::new() }
    }

    /// Learns from a game.
    ///
    /// # Errors
    /// A stone that is illegal; what came before it is learnt.
    pub(super) fn teach(&mut self, lesson: &Lesson) -> Result<()> {
        let mut referee = Referee::new(lesson.setup);
        let mut place = Place::empty(lesson.setup);
        for (i, &cell) in lesson.stones.iter().enumerate() {
            let mover = place.to_move();
            let ended = referee
                .place(mover, cell)
                .with_context(|| format!("stone {}, {}", i + 1, cell.top_label()))?;
            let mut found = lesson.found.get(i).copied().flatten();
            if ended == Some(Outcome::Win(mover)) {
                found = Some(Found { best: cell, score: win_in(1), depth: 1 });
            }
            if let Some(found) = found.filter(|_| i < self.plies) {
                self.note_search(&mut place, found);
            }
            place.play(cell);
            if let Some(result) = lesson.result.filter(|_| i < self.plies && ended.is_none()) {
                self.note_end(&place, result);
            }
        }
        Ok(())
    }

    /// A score is for the side to move; after the best move it is the other's.
    fn note_search(&mut self, place: &mut Place, found: Found) {
        let Found { best, score, depth } = found;
        self.note(place, score, depth);
        if !place.is_empty_at(best) {
            return;
        }
        let after = match score {
            PROVEN.. => -score - 1,
            _ if score <= -PROVEN => -score + 1,
            _ => -score,
        };
        place.play(best);
        self.note(place, after.clamp(-WIN, WIN), depth.saturating_sub(1));
        place.take_back(best);
    }

    fn note(&mut self, place: &Place, score: Score, depth: u32) {
        let Some(key) = place.key() else { return };
        // Seen from the side that has just moved.
        let label = match score {
            PROVEN.. => Label::LOSE,
            _ if score <= -PROVEN => Label::WIN,
            _ => Label::NONE,
        };
        let mut record = Record { value: score as i16, ..Record::labelled(label) };
        record.set_depth(depth.into(), Bound::Exact);
        let known = self.searched.get(&key);
        if known.is_none_or(|known| known.yields_to(&record)) {
            self.searched.set(&key, &record);
        }
    }

    fn note_end(&mut self, place: &Place, result: Outcome) {
        let Some(key) = place.key() else { return };
        let (_, counts) = self
            .ended
            .entry(key.bytes().to_vec())
            .or_insert_with(|| (place.clone(), Default::default()));
        counts[match result {
            Outcome::Win(color) if color == place.to_move() => 0,
            Outcome::Draw => 1,
            Outcome::Win(Color::Black | Color::White) => 2,
        }] += 1;
    }

    /// The records; results count where at least so many games have ended.
    pub(super) fn learnt(self, games: u32) -> Store {
        let mut store = self.searched;
        for (place, [won, drawn, lost]) in self.ended.into_values() {
            let Some(key) = place.key() else { continue };
            if won + drawn + lost < games || store.contains(&key) {
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
