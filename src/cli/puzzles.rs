//! `goren puzzles`: makes puzzles from games; solvers and search check each of them.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::ArgGroup;

use super::forms::{NoteWriter, Opened, PlayOptions, ReadingArgs, of_games, play};
use super::run::ordered_jobs::ordered_jobs;
use super::{cores, variant};
use crate::number::whole;
use goren_core::opening::GameState;
use goren_core::record::import::{Place, UnreadableGame};
use goren_core::rules::Contest;
use goren_core::types::keys;
use goren_decide::{Decider, Level, LevelError};
use goren_engine::{
    AnyPosition, Engine, Report, Request, RootEvent, TableHandle, WeightSet, new_position,
};
use goren_notation::words::plural;
use goren_review::maker::puzzles_of_game;
use goren_review::puzzle::Puzzle;
use goren_review::work::{Found, Needed, Search};

/// Plies after which a self-play game is broken off.
const MAX_PLIES: usize = 120;
/// Nodes per move of a self-play game, at full strength.
const MOVE_NODES: u64 = 4_000;
/// Maximum number of stones of the attacker in a search for a win by fours.
const FOURS_NODES: u64 = 200_000;
/// Bytes of the transposition table of a thread.
const TABLE_BYTES: usize = 16 << 20;

/// Arguments of `goren puzzles`.
#[derive(clap::Args)]
#[command(mut_arg("form", of_games))]
#[command(after_help = "\
Examples:
  goren puzzles games.sgf > puzzles.jsonl
  goren puzzles --game renju --play 200 --level club > renju.jsonl

A puzzle is a line of JSON: the first position of a game in which a side can win by fours, by
threats or otherwise, or one in which few moves do not lose (a defence). Each is checked by search.
`goren suite` tries engines on the wins.")]
#[command(group = ArgGroup::new("games").required(true).multiple(true).args(["files", "play"]))]
pub struct Args {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Files of games in any format that `goren analyze` reads.
    files: Vec<PathBuf>,
    /// Make puzzles of this many games that the engine plays against itself, besides those
    /// of the files.
    #[arg(long, value_name = "GAMES", value_parser = whole::<u64>(0..))]
    play: Option<u64>,
    /// Strength of the players of these games: a name or a number from 0 to 100, as for
    /// `goren play`.
    #[arg(long, default_value = "club", requires = "play", value_parser = |text: &str| -> Result<Level, LevelError> { Level::read(text) })]
    level: Level,
    /// Random seed of these games.
    #[arg(long, default_value_t = 1, requires = "play", value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Minimum number of plies of a win that makes a puzzle.
    #[arg(long, alias = "least", default_value_t = 5, value_parser = whole::<usize>(0..))]
    min_plies: usize,
    /// Maximum number of plies of a win that makes a puzzle.
    #[arg(long, alias = "most", default_value_t = 21, value_parser = whole::<usize>(0..))]
    max_plies: usize,
    /// Number of positions at the end of a game that are searched.
    #[arg(long, alias = "last", default_value_t = 20, value_parser = whole::<usize>(0..))]
    last_positions: usize,
    /// Nodes per search. Where they prove nothing, a search with four times as many follows.
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(1..))]
    nodes: u64,
    /// Games worked on at the same time; default: one per core. The puzzles are the same with
    /// any number.
    #[arg(short, long, alias = "threads", value_parser = whole::<usize>(1..))]
    concurrency: Option<usize>,
}

/// Prints the puzzles, and their number on standard error. Returns whether all games could
/// be used.
///
/// # Errors
/// A file cannot be read, no game of any file can be used, or no thread or memory.
pub fn run(args: &Args) -> Result<bool> {
    let (min, max) = (args.min_plies, args.max_plies);
    ensure!(min <= max, "--min-plies {min} is above --max-plies {max}");
    let mut all_usable = true;
    let (mut puzzle_count, mut game_count) = (0, 0);
    let mut print = |puzzles: Vec<Puzzle>| {
        puzzle_count += puzzles.len() as u64;
        puzzles.iter().for_each(|puzzle| println!("{}", puzzle.write()));
    };
    for file in &args.files {
        let (games, all) = games(file, &args.reading)?;
        all_usable &= all;
        let count = games.len() as u64;
        make(args, count, |_, item| games.get(item as usize).cloned(), &mut print)?;
        game_count += count;
    }
    ensure!(args.play.is_some() || game_count > 0, "there is no game to make puzzles from");
    if let Some(count) = args.play {
        let name = args.reading.game.as_deref().unwrap_or("freestyle");
        let contest = variant::contest_of(name, args.reading.size)?;
        let game = |hash: &TableHandle, item| {
            let seed = keys::derive(args.seed, item);
            Some(self_play(&contest, args.level, seed, hash))
        };
        make(args, count, game, &mut print)?;
        game_count += count;
    }
    let puzzles = plural(puzzle_count, "puzzle", "puzzles");
    eprintln!("{puzzles} of {}", plural(game_count, "game", "games"));
    Ok(all_usable)
}

/// A transposition table of `bytes` bytes.
///
/// # Errors
/// Not even the smallest one can be allocated.
fn table(bytes: usize) -> Result<TableHandle> {
    let hash = TableHandle::exactly(bytes);
    hash.for_search(&Request::default())?;
    Ok(hash)
}

/// Makes the puzzles of `count` games and passes those of each game to `sink`, in the order
/// of the games.
///
/// # Errors
/// No thread or memory.
fn make(
    args: &Args,
    count: u64,
    game: impl Fn(&TableHandle, u64) -> Option<GameState> + Sync,
    mut sink: impl FnMut(Vec<Puzzle>),
) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    let puzzles = |hash: &mut TableHandle, item: u64| {
        // Puzzles must not depend on earlier games, nor on the thread that searched them.
        hash.clear();
        let Some(game) = game(hash, item).filter(|_| item < count) else { return Vec::new() };
        let mut checker = Checker::new(game.contest(), hash, args.nodes);
        let work = puzzles_of_game(&game, args.min_plies..=args.max_plies, args.last_positions);
        work.finish(&mut |needed| checker.run(needed)).unwrap_or_default()
    };
    let threads = args.concurrency.unwrap_or_else(cores);
    ordered_jobs(
        0,
        threads,
        || table(TABLE_BYTES),
        puzzles,
        |item, puzzles: Vec<Puzzle>| {
            sink(puzzles);
            Ok(item + 1 < count)
        },
    )
}

/// Reads the games of a file; returns those that can be used, and whether these are all.
fn games(file: &Path, reading: &ReadingArgs) -> Result<(Vec<GameState>, bool)> {
    let hints = reading.hints()?;
    let options = PlayOptions { hints, lenient: reading.lenient, file_first: false };
    let opened = Opened::of_path(file)?;
    opened.games(reading.form, &hints, |games| {
        let mut note_writer = NoteWriter::new(opened.name.as_deref());
        games.notes.iter().for_each(|note| note_writer.note(note, None));
        let (mut usable, mut number, mut all) = (Vec::new(), 0, true);
        while let Some(game) = games.next() {
            number += 1;
            let played = match game {
                Ok(game) if game.board.is_some() => {
                    Err((Place::File, "it is a position without moves".into()))
                }
                Ok(game) => play(game, &options).map_err(|refusal| (refusal.place, refusal.why)),
                Err(UnreadableGame { place, reason }) => Err((place, reason)),
            };
            match played {
                Ok(played) => {
                    let notes = played.notes.iter().map(|note| games.placed(note));
                    notes.for_each(|note| note_writer.note(&note, Some(number)));
                    usable.push(played.typed.game_state);
                }
                Err((place, why)) => {
                    all = false;
                    let text = format!("not used: {}: {why}", games.place(place));
                    note_writer.say(&text, Some(number));
                }
            }
        }
        ensure!(number > 0, "there is no game in it");
        Ok((usable, all))
    })
}

/// Plays a game between two players of a level.
fn self_play(contest: &Contest, level: Level, seed: u64, hash: &TableHandle) -> GameState {
    let mut decider = Decider::new(contest, &WeightSet::default(), hash);
    decider.limit_strength(level.strength(), seed);
    let mut game_state = GameState::new(*contest);
    while game_state.pending_decision().is_some() && game_state.actions().len() < MAX_PLIES {
        let request = Request { move_only: true, ..Request::nodes(MOVE_NODES) };
        let decision = decider.decide(&game_state, &request, &mut |_| {});
        if decision.is_none_or(|decision| game_state.apply(&decision.action).is_err()) {
            break;
        }
    }
    game_state
}

/// Runs the searches that the puzzle maker needs.
struct Checker {
    engine: Engine,
    position: Box<dyn AnyPosition>,
    nodes: u64,
}

impl Checker {
    fn new(contest: &Contest, hash: &TableHandle, nodes: u64) -> Checker {
        let position = new_position(contest, &WeightSet::default());
        Checker { engine: Engine::with_hash(hash.clone()), position, nodes }
    }

    fn run(&mut self, needed: &Needed) -> Found {
        match needed {
            Needed::Search(search) => self.search(search),
            Needed::Fours { setup, stones, color } => {
                // The table is allocated already.
                let solver = self.engine.solver(*setup).ok();
                Found::Fours(solver.and_then(|mut solver| {
                    solver.set_up(stones, *color);
                    solver.shortest_vcf(FOURS_NODES, &Request::default().control)
                }))
            }
            Needed::Threats { root, .. } => {
                self.position.set(root);
                let request = Request::nodes(self.nodes);
                let found = self.engine.vct(&*self.position, &request).ok().flatten();
                Found::Threats(found.map(|(_, plies)| plies))
            }
        }
    }

    fn search(&mut self, search: &Search) -> Found {
        self.position.set(&search.root);
        let begin = |root_moves, times: u32| Request {
            root_moves,
            ..Request::nodes(self.nodes.saturating_mul(times.into()))
        };
        let request = search.request(&begin);
        let mut lost = Vec::new();
        let answer = self.engine.go(&*self.position, &request, &mut |report| {
            if let Report::Root(RootEvent::Lost(cell)) = report {
                lost.push(*cell);
            }
        });
        let info = answer.map_or(goren_engine::Info::NOTHING, |answer| answer.info);
        Found::Line { info: Box::new(info), lost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_search_stack;
    use goren_notation::moves::played as after;
    use goren_review::maker::{Missed, puzzles};
    use goren_review::puzzle::Kind;
    use goren_review::shipped::shipped;
    use std::sync::{Arc, Mutex};

    fn puzzles_of_moves(game: &str, moves: &str, last: usize) -> Vec<Puzzle> {
        let contest = variant::contest_of(game, None).unwrap();
        let game_state = after(&contest, moves).unwrap();
        let hash = table(1 << 20).unwrap();
        let mut checker = Checker::new(&contest, &hash, 3_000);
        let work = puzzles_of_game(&game_state, 1..=99, last);
        with_search_stack(|| Ok(work.finish(&mut |needed| checker.run(needed)))).unwrap().unwrap()
    }

    #[test]
    fn a_missed_defence_and_the_win_after_it_are_puzzles() {
        // White does not answer a four at the edge, and Black wins.
        let puzzles = puzzles_of_moves("freestyle", "a1 h8 a2 j8 a3 g10 a4 o15 a5", 2);
        let kinds: Vec<Kind> = puzzles.iter().map(|puzzle| puzzle.kind).collect();
        assert_eq!(kinds, [Kind::Defence, Kind::Fours]);
        assert_eq!(puzzles[1].plies, Some(1));
        assert_eq!(puzzles[0].game_state.to_move(), goren_core::types::Color::White);
        for puzzle in &puzzles {
            let read_back = Puzzle::read(&puzzle.write()).unwrap();
            assert_eq!(read_back.write(), puzzle.write());
        }
    }

    /// Makes a shipped puzzle anew, with the nodes it was made with; returns its kind.
    fn remade_kind(puzzle: &Puzzle, hash: &TableHandle) -> Option<Kind> {
        hash.clear();
        let mut checker = Checker::new(puzzle.game_state.contest(), hash, 30_000);
        let missed = if puzzle.kind == Kind::Defence { Missed::Defence } else { Missed::Win };
        let remade: Arc<Mutex<Option<Puzzle>>> = Arc::default();
        let result = remade.clone();
        let work = puzzles(vec![(puzzle.game_state.clone(), missed)], move |puzzle| {
            *result.lock().unwrap() = puzzle;
        });
        work.finish(&mut |needed| checker.run(needed)).unwrap();
        remade.lock().unwrap().take().map(|puzzle| puzzle.kind)
    }

    #[test]
    fn shipped_puzzles_have_the_kind_they_state() {
        let shipped = shipped();
        let fault = |hash: &mut TableHandle, item: u64| {
            let puzzle = shipped.get(item as usize)?;
            (remade_kind(puzzle, hash) != Some(puzzle.kind)).then(|| puzzle.write())
        };
        let mut faults = Vec::new();
        ordered_jobs(
            0,
            cores(),
            || table(1 << 22),
            fault,
            |item, fault: Option<String>| {
                faults.extend(fault);
                Ok(item + 1 < shipped.len() as u64)
            },
        )
        .unwrap();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    /// Regression: the table kept the entries of the game before.
    #[test]
    fn puzzles_depend_neither_on_earlier_games_nor_on_the_threads() {
        let contest = variant::contest_of("freestyle", None).unwrap();
        let hash = table(1 << 20).unwrap();
        let level = Level::read("club").unwrap();
        let play = |seed| self_play(&contest, level, seed, &hash);
        let games = with_search_stack(|| Ok([play(1), play(2), play(1)])).unwrap();
        let lines = |concurrency: usize| {
            let line = format!("--play 0 --nodes 2000 --concurrency {concurrency}");
            let args: Args = crate::test_args::parse(&line).unwrap();
            let mut lines = Vec::new();
            let game = |_: &TableHandle, item: u64| games.get(item as usize).cloned();
            make(&args, 3, game, |puzzles| lines.push(puzzles.iter().map(Puzzle::write).collect()))
                .unwrap();
            lines
        };
        let one: Vec<Vec<String>> = lines(1);
        assert!(!one[0].is_empty());
        assert_eq!(one[0], one[2]);
        assert_eq!(lines(3), one);
    }

    #[test]
    fn an_empty_range_of_plies_is_refused() {
        let args: Args = crate::test_args::parse("--play 0 --min-plies 9 --max-plies 3").unwrap();
        let error = run(&args).unwrap_err().to_string();
        assert_eq!(error, "--min-plies 9 is above --max-plies 3");
        let args: Args = crate::test_args::parse("--play 0 --min-plies 9 --max-plies 9").unwrap();
        assert!(run(&args).unwrap());
    }

    #[test]
    fn options_of_self_play_are_refused_without_it() {
        for option in ["--level club", "--seed 2"] {
            let parse = |line: String| crate::test_args::parse::<Args>(&line);
            assert!(parse(format!("{option} games.sgf")).is_err(), "{option}");
            assert!(parse(format!("{option} --play 3 games.sgf")).is_ok(), "{option}");
        }
    }

    #[test]
    fn games_without_a_missed_move_make_no_puzzle() {
        assert!(puzzles_of_moves("freestyle", "h8 a1 o15", 9).is_empty());
    }

    #[test]
    fn equal_seeds_give_equal_games() {
        let contest = variant::contest_of("four-in-a-row", Some((7, 6))).unwrap();
        let hash = table(1 << 20).unwrap();
        let level = Level::read("novice").unwrap();
        let play = |seed| self_play(&contest, level, seed, &hash).stones();
        let twice = with_search_stack(|| Ok((play(7), play(7)))).unwrap();
        assert!(twice.0.len() > 6);
        assert_eq!(twice.0, twice.1);
    }
}
