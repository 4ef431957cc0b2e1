//! `goren puzzles`: puzzles out of games, each checked by the solvers and the search.

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
use goren_decide::{Decider, Level, NoLevel};
use goren_engine::{
    AnyPosition, Engine, Hash, Report, Request, RootEvent, WeightSet, new_position,
};
use goren_notation::words::plural;
use goren_review::maker::puzzles_of_game;
use goren_review::puzzle::Puzzle;
use goren_review::work::{Found, Needed, Search};

/// Plies after which a game that is played here is broken off.
const LONGEST: usize = 120;
/// Nodes of a move of a game that is played here, at full strength.
const MOVE_NODES: u64 = 4_000;
/// Most stones of the attacker in a search for a win by fours.
const FOURS_NODES: u64 = 200_000;
/// Bytes of the transposition table of a thread.
const TABLE: usize = 16 << 20;

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
    #[arg(long, default_value = "club", requires = "play", value_parser = |text: &str| -> Result<Level, NoLevel> { Level::read(text) })]
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

/// Prints the puzzles, and how many there are on standard error. False if a game could not
/// be used.
///
/// # Errors
/// A file cannot be read, no game of any file can be used, or no thread or memory.
pub fn run(args: &Args) -> Result<bool> {
    let (least, most) = (args.min_plies, args.max_plies);
    ensure!(least <= most, "--min-plies {least} is above --max-plies {most}");
    let mut good = true;
    let (mut made, mut of) = (0, 0);
    let mut print = |puzzles: Vec<Puzzle>| {
        made += puzzles.len() as u64;
        puzzles.iter().for_each(|puzzle| println!("{}", puzzle.write()));
    };
    for file in &args.files {
        let (games, all) = games(file, &args.reading)?;
        good &= all;
        let count = games.len() as u64;
        make(args, count, |_, item| games.get(item as usize).cloned(), &mut print)?;
        of += count;
    }
    ensure!(args.play.is_some() || of > 0, "there is no game that puzzles could be made of");
    if let Some(count) = args.play {
        let name = args.reading.game.as_deref().unwrap_or("freestyle");
        let contest = variant::contest_of(name, args.reading.size)?;
        let game = |hash: &Hash, item| {
            let seed = keys::derive(args.seed, item);
            Some(played(&contest, args.level, seed, hash))
        };
        make(args, count, game, &mut print)?;
        of += count;
    }
    eprintln!("{} of {}", plural(made, "puzzle", "puzzles"), plural(of, "game", "games"));
    Ok(good)
}

/// A transposition table of some bytes.
///
/// # Errors
/// Not even the smallest one can be allocated.
fn table(bytes: usize) -> Result<Hash> {
    let hash = Hash::exactly(bytes);
    hash.for_search(&Request::default())?;
    Ok(hash)
}

/// Makes the puzzles of `count` games and hands those of each game to `sink`, in the order of
/// the games.
///
/// # Errors
/// No thread or memory.
fn make(
    args: &Args,
    count: u64,
    game: impl Fn(&Hash, u64) -> Option<GameState> + Sync,
    mut sink: impl FnMut(Vec<Puzzle>),
) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    let puzzles = |hash: &mut Hash, item: u64| {
        // What is found must not depend on the games before, nor on which thread had them.
        hash.clear();
        let Some(game) = game(hash, item).filter(|_| item < count) else { return Vec::new() };
        let mut checker = Checker::new(game.contest(), hash, args.nodes);
        let work = puzzles_of_game(&game, args.min_plies..=args.max_plies, args.last_positions);
        work.finish(&mut |wanted| checker.run(wanted)).unwrap_or_default()
    };
    let threads = args.concurrency.unwrap_or_else(cores);
    ordered_jobs(
        0,
        threads,
        || table(TABLE),
        puzzles,
        |item, puzzles: Vec<Puzzle>| {
            sink(puzzles);
            Ok(item + 1 < count)
        },
    )
}

/// The games of a file that can be used, and whether these are all.
fn games(file: &Path, reading: &ReadingArgs) -> Result<(Vec<GameState>, bool)> {
    let hints = reading.hints()?;
    let options = PlayOptions { hints, lenient: reading.lenient, file_first: false };
    let opened = Opened::of_path(file)?;
    opened.games(reading.form, &hints, |games| {
        let mut note_writer = NoteWriter::new(opened.name.as_deref());
        games.notes.iter().for_each(|note| note_writer.note(note, None));
        let (mut good, mut number, mut all) = (Vec::new(), 0, true);
        while let Some(game) = games.next() {
            number += 1;
            let played = match game {
                Ok(game) if game.board.is_some() => {
                    Err((Place::File, "a board tells no moves".into()))
                }
                Ok(game) => play(game, &options).map_err(|refusal| (refusal.place, refusal.why)),
                Err(UnreadableGame { place, reason }) => Err((place, reason)),
            };
            match played {
                Ok(played) => {
                    let notes = played.notes.iter().map(|note| games.placed(note));
                    notes.for_each(|note| note_writer.note(&note, Some(number)));
                    good.push(played.typed.game_state);
                }
                Err((place, why)) => {
                    all = false;
                    let text = format!("not used: {}: {why}", games.place(place));
                    note_writer.say(&text, Some(number));
                }
            }
        }
        ensure!(number > 0, "there is no game in it");
        Ok((good, all))
    })
}

/// A game between two players of a level.
fn played(contest: &Contest, level: Level, seed: u64, hash: &Hash) -> GameState {
    let mut decider = Decider::new(contest, &WeightSet::default(), hash);
    decider.limit_strength(level.strength(), seed);
    let mut game_state = GameState::new(*contest);
    while game_state.pending_decision().is_some() && game_state.actions().len() < LONGEST {
        let request = Request { move_only: true, ..Request::nodes(MOVE_NODES) };
        let decision = decider.decide(&game_state, &request, &mut |_| {});
        if decision.is_none_or(|decision| game_state.apply(&decision.action).is_err()) {
            break;
        }
    }
    game_state
}

/// Runs the searches that the maker of puzzles wants.
struct Checker {
    engine: Engine,
    position: Box<dyn AnyPosition>,
    nodes: u64,
}

impl Checker {
    fn new(contest: &Contest, hash: &Hash, nodes: u64) -> Checker {
        let position = new_position(contest, &WeightSet::default());
        Checker { engine: Engine::with_hash(hash.clone()), position, nodes }
    }

    fn run(&mut self, wanted: &Needed) -> Found {
        match wanted {
            Needed::Search(search) => self.search(search),
            Needed::Fours { setup, stones, color } => {
                // There was a table before the first search.
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

    fn made(game: &str, moves: &str, last: usize) -> Vec<Puzzle> {
        let contest = variant::contest_of(game, None).unwrap();
        let whole = after(&contest, moves).unwrap();
        let hash = table(1 << 20).unwrap();
        let mut checker = Checker::new(&contest, &hash, 3_000);
        let work = puzzles_of_game(&whole, 1..=99, last);
        with_search_stack(|| Ok(work.finish(&mut |wanted| checker.run(wanted)))).unwrap().unwrap()
    }

    #[test]
    fn a_defence_that_was_missed_and_the_win_it_gave_are_puzzles() {
        // White leaves four at the edge alone, and Black wins.
        let puzzles = made("freestyle", "a1 h8 a2 j8 a3 g10 a4 o15 a5", 2);
        let kinds: Vec<Kind> = puzzles.iter().map(|puzzle| puzzle.kind).collect();
        assert_eq!(kinds, [Kind::Defence, Kind::Fours]);
        assert_eq!(puzzles[1].plies, Some(1));
        assert_eq!(puzzles[0].game_state.to_move(), goren_core::types::Color::White);
        for puzzle in &puzzles {
            let again = Puzzle::read(&puzzle.write()).unwrap();
            assert_eq!(again.write(), puzzle.write());
        }
    }

    /// The kind of a puzzle of the program, made again with its nodes.
    fn made_again(puzzle: &Puzzle, hash: &Hash) -> Option<Kind> {
        hash.clear();
        let mut checker = Checker::new(puzzle.game_state.contest(), hash, 30_000);
        let missed = if puzzle.kind == Kind::Defence { Missed::Defence } else { Missed::Win };
        let made: Arc<Mutex<Option<Puzzle>>> = Arc::default();
        let reported = made.clone();
        let work = puzzles(vec![(puzzle.game_state.clone(), missed)], move |puzzle| {
            *reported.lock().unwrap() = puzzle;
        });
        work.finish(&mut |wanted| checker.run(wanted)).unwrap();
        made.lock().unwrap().take().map(|puzzle| puzzle.kind)
    }

    #[test]
    fn the_puzzles_of_the_program_are_what_they_say() {
        let shipped = shipped();
        let wrong = |hash: &mut Hash, item: u64| {
            let puzzle = shipped.get(item as usize)?;
            (made_again(puzzle, hash) != Some(puzzle.kind)).then(|| puzzle.write())
        };
        let mut faults = Vec::new();
        ordered_jobs(
            0,
            cores(),
            || table(1 << 22),
            wrong,
            |item, fault: Option<String>| {
                faults.extend(fault);
                Ok(item + 1 < shipped.len() as u64)
            },
        )
        .unwrap();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    /// The table still held what the game before it had left.
    #[test]
    fn puzzles_depend_neither_on_the_games_before_nor_on_the_threads() {
        let contest = variant::contest_of("freestyle", None).unwrap();
        let hash = table(1 << 20).unwrap();
        let level = Level::read("club").unwrap();
        let play = |seed| played(&contest, level, seed, &hash);
        let games = with_search_stack(|| Ok([play(1), play(2), play(1)])).unwrap();
        let made = |concurrency: usize| {
            let line = format!("--play 0 --nodes 2000 --concurrency {concurrency}");
            let args: Args = crate::test_args::parse(&line).unwrap();
            let mut made = Vec::new();
            let game = |_: &Hash, item: u64| games.get(item as usize).cloned();
            make(&args, 3, game, |puzzles| made.push(puzzles.iter().map(Puzzle::write).collect()))
                .unwrap();
            made
        };
        let one: Vec<Vec<String>> = made(1);
        assert!(!one[0].is_empty());
        assert_eq!(one[0], one[2]);
        assert_eq!(made(3), one);
    }

    #[test]
    fn a_range_of_plies_without_any_is_refused() {
        let args: Args = crate::test_args::parse("--play 0 --min-plies 9 --max-plies 3").unwrap();
        let reported = run(&args).unwrap_err().to_string();
        assert_eq!(reported, "--min-plies 9 is above --max-plies 3");
        let args: Args = crate::test_args::parse("--play 0 --min-plies 9 --max-plies 9").unwrap();
        assert!(run(&args).unwrap());
    }

    #[test]
    fn options_of_played_games_are_refused_without_them() {
        for option in ["--level club", "--seed 2"] {
            let parse = |line: String| crate::test_args::parse::<Args>(&line);
            assert!(parse(format!("{option} games.sgf")).is_err(), "{option}");
            assert!(parse(format!("{option} --play 3 games.sgf")).is_ok(), "{option}");
        }
    }

    #[test]
    fn games_without_a_turn_make_no_puzzle() {
        assert!(made("freestyle", "h8 a1 o15", 9).is_empty());
    }

    #[test]
    fn games_of_a_level_are_the_same_by_their_seed() {
        let contest = variant::contest_of("four-in-a-row", Some((7, 6))).unwrap();
        let hash = table(1 << 20).unwrap();
        let level = Level::read("novice").unwrap();
        let play = |seed| played(&contest, level, seed, &hash).stones();
        let twice = with_search_stack(|| Ok((play(7), play(7)))).unwrap();
        assert!(twice.0.len() > 6);
        assert_eq!(twice.0, twice.1);
    }
}
