//! Arguments of `goren match`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use clap::ArgGroup;
use serde_json::{Value, json};

use super::contestant::{Contestant, mebibytes};
use super::files::{self, OPENINGS};
use super::game::JudgeSettings;
use super::journal::FORMAT;
use super::journal::JOURNAL;
use super::log;
use super::opening_source::{self, OpeningSource};
use super::schedule::{OpeningOrder, Schedule, Tournament};
use crate::engine::{EngineLimits, Terms};
use crate::number::whole;
use crate::opening_file;
use crate::run::journal::check_new;
use crate::run::shard::{Shard, ShardArgs};
use crate::run::stop::{Stop, StopArgs};
use crate::stats::Sprt;
use crate::variant::GameArgs;
use goren_core::opening::Action;
use goren_core::rules::{Contest, Variant};
use goren_files::output_path;
use goren_notation::words::plural;

/// Milliseconds after the time limit at which a silent engine counts as hanging, and
/// milliseconds after the question if there is no time limit.
const HANG_AFTER: [u64; 2] = [5_000, 300_000];

/// Stones placed per point of the board after which a game that may go on for ever
/// is drawn, unless the user gives a number.
const STONES_A_POINT: usize = 4;

/// Arguments of `goren match`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren match -e ./pbrain-new -e ./pbrain-old --time-per-move 500 --games 100 --out result
  goren match -e ./pbrain-new -e ./pbrain-old --game renju --nodes 20000 --sprt 0,10 -c 2
  goren match -e ./pbrain-new -e ./pbrain-old --openings openings.txt --games 200 --depth 8
  goren match -e ./pbrain-new -e ./pbrain-old --game connect6 --time-per-move 200 --games 100

An engine is a command, or words KEY=VALUE quoted as in a shell:
  --engine './pbrain-goren' --engine \"name=old cmd='./old/engine -x' nodes=20000\"
Keys: name, cmd, dir (working folder; default: that of the program), time-per-move,
time-per-game, increment, nodes, depth, threads, memory (as the options of these names, for
this engine alone), info.KEY (sent as INFO KEY).

Games: freestyle, standard, renju, caro and caro-exact use plain Gomocup commands, which every
engine understands. All other games, and these with --opening or --tie-break, use Goren's
extension of the protocol (INFO variant, INFO opening, plies; see src/session/README.md). Opening
files hold plies in the notation of the game, one opening per line, such as `j10 i9,k11`.

Every opening is played twice with the seats exchanged. An engine loses by an illegal move, a
foul, overtime (an answer later than its time and --tolerance), a hang, a crash, too much memory,
a flood of output, or an answer that is no move; it is restarted where needed, and the match
continues. The first of these ends the game: no game is drawn because both clocks have run out,
as some rules of renju provide. A sequential test counts complete pairs only, in the order of the
schedule; its verdict is final, and games in progress are abandoned.

With --out DIR every finished game is appended to DIR/games.jsonl. --resume continues from that
file; all other files in DIR are derived from it.

On many machines: --shard 3/8 plays every eighth pair of games, from the third on, of the match
that the other options describe; `goren merge all part-*` joins the folders of the parts into
`all`, the folder of the whole match. A sequential test reads the journals of all parts beside its
own --out, and its verdict ends every part. As pairs count in the order of the schedule, split the
match into no more parts than run at the same time.")]
#[command(group = ArgGroup::new("length").required(true).multiple(true).args(["games", "sprt"]))]
pub struct Args {
    /// An engine, as a command or as KEY=VALUE words; give it twice or more.
    #[arg(short, long = "engine", required = true)]
    engines: Vec<String>,
    #[command(flatten)]
    game: GameArgs,
    /// File of openings, one per line: points, offsets from the centre, or
    /// plies. Each pair of games takes the next one, and after the last the first again.
    /// Without --opening they need not keep to the usual opening of the game.
    #[arg(long, group = "source")]
    openings: Option<PathBuf>,
    /// Make this many balanced openings by search, as `goren openings` does;
    /// the default for Gomocup rules [default: one per pair, at most 1000].
    #[arg(long, alias = "level-openings", group = "source",
        value_parser = whole::<u64>(1..=100_000))]
    balanced_openings: Option<u64>,
    /// Make this many random openings of three to six stones near the centre,
    /// or up to the first swap that balances them; the default in games beyond
    /// Gomocup, one per pair.
    #[arg(long, group = "source", value_parser = whole::<u64>(1..=100_000))]
    random_openings: Option<u64>,
    /// Start every game from the empty board.
    #[arg(long, group = "source")]
    no_openings: bool,
    /// Order in which the openings of a file are played.
    #[arg(long, value_enum, default_value_t)]
    order: OpeningOrder,
    /// Random seed of generated openings and of a random order.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Games per pair of engines, rounded up to an even number. Optional with
    /// --sprt, which runs until it is decided or all openings are played.
    #[arg(long, value_parser = whole::<u64>(1..))]
    games: Option<u64>,
    /// Pairings.
    #[arg(long, value_enum, default_value_t)]
    tournament: Tournament,
    /// Stop the match of two engines by a sequential test of H0: Elo <= ELO0
    /// against H1: Elo >= ELO1, written ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA
    /// (error rates, 0.05 each by default).
    #[arg(long, value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Time per move in milliseconds.
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(0..))]
    time_per_move: Option<u64>,
    /// Time per game in milliseconds.
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(0..))]
    time_per_game: Option<u64>,
    /// Milliseconds added to the game time before each move.
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = whole::<u64>(0..))]
    increment: u64,
    /// Nodes per move.
    #[arg(long, value_parser = whole::<u64>(0..))]
    nodes: Option<u64>,
    /// Search depth per move, in plies.
    #[arg(long, value_parser = whole::<u32>(0..))]
    depth: Option<u32>,
    /// Search threads per engine.
    #[arg(long, default_value_t = 1, value_parser = whole::<u32>(1..))]
    threads: u32,
    /// Memory limit per engine in MiB, which is sent to it and, on Linux, compared with its peak
    /// resident size; 0: no limit.
    #[arg(long, default_value_t = 350, value_parser = whole::<u64>(0..))]
    memory: u64,
    /// Count violations of the memory limit without losing the game.
    #[arg(long)]
    forgive_memory: bool,
    /// Milliseconds by which a move may exceed its time.
    #[arg(long, default_value_t = 1000, value_parser = whole::<u64>(0..))]
    tolerance: u64,
    /// Milliseconds after the time limit and --tolerance at which a silent
    /// engine is killed [default: 5000, or 300000 after the question where
    /// there is no time limit].
    #[arg(long, value_parser = whole::<u64>(0..))]
    hang_after: Option<u64>,
    /// Milliseconds allowed for the answer to START.
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(0..))]
    start_timeout: u64,
    /// Milliseconds allowed for the answer to ABOUT.
    #[arg(long, default_value_t = 5_000, value_parser = whole::<u64>(0..))]
    about_timeout: u64,
    /// Declare a draw after this many stones, passes included [default: none;
    /// in games beyond Gomocup four times the points of the board].
    #[arg(long, value_parser = whole::<usize>(0..))]
    draw_after: Option<usize>,
    /// Restart every engine before each game. With fixed nodes or depth a game
    /// then depends only on its opening.
    #[arg(long)]
    restart: bool,
    /// Games played at the same time. The default is fixed, as engines that share cores
    /// find less in the same time.
    #[arg(long, short, default_value_t = 1, value_parser = whole::<u16>(1..))]
    concurrency: u16,
    /// Folder for games and results. It may hold other files, but none with the name of a
    /// file that a match writes.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write what is sent to the engines (<) and what they print (>) to this folder, a file
    /// per game, such as 000012.log: the milliseconds since the game began, the engine, the
    /// line. The folder may hold other files, but no logs of another match.
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// Continue the match in the folder of --out.
    #[arg(long, requires = "out")]
    resume: bool,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    stop: StopArgs,
    /// Hide the progress.
    #[arg(long, short)]
    quiet: bool,
}

/// Parses ELO0,ELO1[,ALPHA,BETA].
fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
        Ok(&[elo0, elo1]) => (elo0, elo1, 0.05, 0.05),
        Ok(&[elo0, elo1, alpha, beta]) => (elo0, elo1, alpha, beta),
        _ => return Err("two or four numbers are needed: ELO0,ELO1[,ALPHA,BETA]".into()),
    };
    Sprt::new(elo0, elo1, alpha, beta).map_err(|error| error.to_string())
}

/// Reads the engines and their limits.
///
/// # Errors
/// Too few engines, or an engine without usable limits.
fn contestants(args: &Args, variant: Variant) -> Result<Vec<Contestant>> {
    let limits = EngineLimits {
        turn_ms: args.time_per_move,
        match_ms: args.time_per_game,
        increment_ms: args.increment,
        depth: args.depth,
        nodes: args.nodes,
        threads: Some(args.threads),
        memory: mebibytes(args.memory),
        options: Vec::new(),
    };
    ensure!(args.engines.len() >= 2, "a match needs two engines: give --engine twice");
    let read = |text: &String| Contestant::read(text, &limits, variant);
    let contestants: Vec<Contestant> = args.engines.iter().map(read).collect::<Result<_>>()?;
    ensure!(args.sprt.is_none() || contestants.len() == 2, "--sprt needs exactly two engines");
    for (i, contestant) in contestants.iter().enumerate() {
        let EngineLimits { turn_ms, match_ms, depth, nodes, increment_ms, .. } = contestant.limits;
        let limited = turn_ms.or(match_ms).or(nodes).is_some() || depth.is_some();
        if !limited {
            bail!(
                "engine {} has no limit: give --time-per-move, --time-per-game, --nodes or \
                 --depth",
                i + 1
            );
        }
        let zero = [turn_ms, match_ms, nodes, depth.map(u64::from)].contains(&Some(0));
        ensure!(!zero, "engine {} has a limit of 0", i + 1);
        ensure!(
            increment_ms == 0 || match_ms.is_some(),
            "engine {} has an increment, which needs --time-per-game",
            i + 1
        );
    }
    Ok(contestants)
}

/// Chooses where the openings come from.
fn source(args: &Args, terms: Terms) -> OpeningSource {
    let family = matches!(terms, Terms::Family(_));
    match (&args.openings, args.random_openings) {
        _ if args.no_openings => OpeningSource::Empty,
        (Some(path), _) => OpeningSource::File(path.clone()),
        (None, Some(count)) => OpeningSource::Random(Some(count)),
        (None, None) if family && args.balanced_openings.is_none() => OpeningSource::Random(None),
        (None, None) => OpeningSource::Balanced(args.balanced_openings),
    }
}

/// Returns the openings of a match of `pairs` pairs, and the terms on which they are played. If
/// the user did not choose an opening rule, a file need not follow the usual one.
///
/// # Errors
/// As [`OpeningSource::openings`], or an opening that the terms cannot express.
fn openings(
    args: &Args,
    source: &OpeningSource,
    terms: Terms,
    pairs: Option<u64>,
    stop: Stop,
) -> Result<(Vec<Vec<Action>>, Terms)> {
    if let (OpeningSource::File(path), Terms::Family(usual)) = (source, terms)
        && !args.game.has_opening()
    {
        let (openings, contest) = opening_file::read_usual_or_free(path, &usual)?;
        return Ok((openings, Terms::Family(contest)));
    }
    let saved = args.out.as_ref().filter(|_| args.resume).map(|out| out.join(OPENINGS));
    let openings = source.openings(&terms.contest(), pairs, args.seed, saved.as_deref(), stop)?;
    let is_stone = |action: &Action| matches!(action, Action::Stones { .. });
    ensure!(
        matches!(terms, Terms::Family(_)) || openings.iter().flatten().all(is_stone),
        "plain Gomocup commands cannot express an opening with a pass: give --opening free"
    );
    Ok((openings, terms))
}

/// Settings of a match, checked.
pub(super) struct MatchSettings {
    pub(super) terms: Terms,
    pub(super) contestants: Vec<Contestant>,
    pub(super) openings: Vec<Vec<Action>>,
    pub(super) schedule: Schedule,
    pub(super) judging: JudgeSettings,
    pub(super) sprt: Option<Sprt>,
    pub(super) restart: bool,
    pub(super) start_wait: Duration,
    pub(super) about_wait: Duration,
    pub(super) concurrency: u16,
    pub(super) out: Option<PathBuf>,
    pub(super) log: Option<PathBuf>,
    pub(super) resume: bool,
    pub(super) shard: Shard,
    pub(super) stop: Stop,
    pub(super) quiet: bool,
    tournament: Tournament,
    order: OpeningOrder,
    source: OpeningSource,
    seed: u64,
}

impl MatchSettings {
    /// Checks the arguments against each other and reads the openings.
    ///
    /// # Errors
    /// A setting that cannot be played, named.
    pub(super) fn new(args: &Args) -> Result<MatchSettings> {
        let (shard, stop) = (args.shard.shard()?, args.stop.watch());
        ensure!(
            shard.is_whole() || args.out.is_some(),
            "{shard} of a match needs a folder of its own, to be merged: give --out"
        );
        if let Some(folder) = &args.out {
            // Check now: generating openings may take long.
            output_path::check_folder(folder)?;
            check_new(&folder.join(JOURNAL), "match", args.resume)?;
            files::check_unused(folder)?;
        }
        if let Some(folder) = &args.log {
            log::check(folder, shard, args.resume)?;
        }
        let terms = args.game.terms()?;
        let contestants = contestants(args, terms.contest().variant)?;
        let pairs = args.games.map(|games| games.div_ceil(2));
        let source = source(args, terms);
        let (openings, terms) = openings(args, &source, terms, pairs, stop)?;
        // A test from the empty board goes on: the clock makes the games differ.
        let pairs = pairs.or((source != OpeningSource::Empty).then_some(openings.len() as u64));
        // A repeated opening adds little to a test, and nothing at fixed nodes.
        let distinct = opening_source::count_distinct(&openings, &terms.contest());
        if pairs.is_some_and(|pairs| pairs > distinct) && !args.quiet {
            eprintln!(
                "note: {} for more pairs of games: with repeated openings the error bars are too \
                 narrow",
                plural(distinct, "opening", "different openings")
            );
        }
        // Generated openings need no shuffling.
        let order = match source {
            OpeningSource::File(_) => args.order,
            OpeningSource::Balanced(_) | OpeningSource::Random(_) | OpeningSource::Empty => {
                OpeningOrder::File
            }
        };
        let schedule = Schedule::new(
            contestants.len(),
            args.tournament,
            openings.len(),
            order,
            args.seed,
            pairs,
        );
        let untimed = |c: &Contestant| c.limits.turn_ms.or(c.limits.match_ms).is_none();
        let hang_after = HANG_AFTER[usize::from(contestants.iter().any(untimed))];
        Ok(MatchSettings {
            terms,
            openings,
            schedule,
            judging: JudgeSettings {
                tolerance_ms: args.tolerance,
                hang_after_ms: args.hang_after.unwrap_or(hang_after),
                draw_after: args.draw_after.or(move_limit(terms)),
                forgive_memory: args.forgive_memory,
            },
            contestants,
            sprt: args.sprt,
            restart: args.restart,
            start_wait: Duration::from_millis(args.start_timeout),
            about_wait: Duration::from_millis(args.about_timeout),
            concurrency: args.concurrency,
            out: args.out.clone(),
            log: args.log.clone(),
            resume: args.resume,
            shard,
            stop,
            quiet: args.quiet,
            tournament: args.tournament,
            order,
            source,
            seed: args.seed,
        })
    }

    /// Settings that a resumed run must share: all but the number of games, the display
    /// and the concurrency.
    pub(super) fn header(&self) -> Value {
        let test = self.sprt.map(|s| json!([s.elo0, s.elo1, s.alpha, s.beta]));
        let Contest { variant, width, height, opening, tie_break, .. } = self.terms.contest();
        json!({
            "format": FORMAT,
            "engines": self.contestants,
            "variant": variant.to_string(),
            "width": width,
            "height": height,
            "opened": opening.name(),
            "tie_break": tie_break,
            "gomocup": matches!(self.terms, Terms::Gomocup(_)),
            "tournament": self.tournament,
            "openings": self.source.header(&opening_source::lines(&self.terms.contest(), &self.openings)),
            "order": self.order,
            "seed": self.seed,
            "sprt": test,
            "judging": self.judging,
            "restart": self.restart,
            "shard": (!self.shard.is_whole()).then(|| self.shard.header()),
        })
    }
}

/// Move limit of games that might never end, as stones may vanish.
fn move_limit(terms: Terms) -> Option<usize> {
    match terms {
        Terms::Gomocup(_) => None,
        Terms::Family(Contest { width, height, .. }) => Some(STONES_A_POINT * width * height),
    }
}
