//! `goren review`: judges all moves of a game, finds the moves that lost it, and draws the
//! curve of the chances.

#[cfg(test)]
mod checker;
mod json;
mod report;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::analyze::table::TextStyle;
use super::analyze::{SearchBounds, picture};
use super::forms::{NoteWriter, Typed, of_games};
use super::picture::{Files, WeighedMove, save_by_name};
use super::position::{GivenPosition, NamedGame, PositionArgs, foul_names};
use super::weights::WeightsArg;
use super::{plot, with_search_stack};
use goren_core::opening::{Action, GameState};
use goren_core::rules::referee::Reason;
use goren_core::types::Cell;
use goren_engine::{Engine, Info, Request, RootPosition, TableHandle, WeightSet, new_position};
use goren_notation::words::score_text;
use goren_review::judge::Judged;
use goren_review::review::judge;
use report::ReviewedGame;

/// Default time of each search.
const DEFAULT_TIME: Duration = Duration::from_millis(500);

/// Help of the position argument: boards and the empty board are no games.
const GAME: &str = "Moves such as h8i9j8, a file with a game, or - for standard input";

/// Help of `--svg`.
const CURVE: &str = "Write the curve of Black's win rate as SVG. An SVG is replaced; a file that \
                     holds something else stays as it is";

/// Arguments of `goren review`.
#[derive(clap::Args)]
#[command(mut_arg("form", of_games))]
#[command(mut_arg("position", |arg| arg.help(GAME).long_help(GAME)))]
#[command(mut_arg("to_move", |arg| arg.hide(true)))]
#[command(mut_arg("svg", |arg| arg.help(CURVE)))]
#[command(after_help = "\
Examples:
  goren review game.sgf
  goren review --nodes 100000 --png curve.png --board lost.png game.sgf
  goren review --game pente --time 1 --number 3 games.txt
  goren review --json game.psq

The limits --time, --depth and --nodes apply to each search. Each move takes one or two
searches, more where a proof is followed; without a limit a search takes 0.5 seconds.")]
pub struct Args {
    #[command(flatten)]
    source: PositionArgs,
    /// Limits of one search; a move takes one or two, more where a proof is
    /// followed. Default: 0.5 seconds.
    #[command(flatten)]
    effort: SearchBounds,
    #[command(flatten)]
    weights: WeightsArg,
    /// Print one line of JSON instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    files: Files,
    /// Draw the board after the losing move, with the better moves, or else the last position,
    /// to FILE.svg or FILE.png. A picture of this format is replaced; a file that holds
    /// something else stays as it is.
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
}

/// Reviews a game and prints the report.
///
/// # Errors
/// A game that cannot be read or is empty, a file that cannot be read or
/// written, or no memory.
pub fn run(args: &Args) -> Result<bool> {
    let game = args.source.game()?;
    args.files.ready(args.source.words())?;
    if let Some(path) = &args.board {
        args.files.ready_beside(path, args.source.words())?;
    }
    let contest = *game.typed.game_state.contest();
    let plies = game.typed.game_state.actions().len();
    ensure!(plies > 0, "no move was played in this game");
    let weights = args.weights.load(contest.variant)?;
    let hash = TableHandle::exactly(args.effort.bytes());
    hash.for_search(&Request::default())?;
    let mut search = engine_search(&contest, &weights, hash);
    let style = "{bar:40} {pos} of {len} plies, {eta} left";
    let bar = ProgressBar::new(plies as u64).with_style(ProgressStyle::with_template(style)?);
    let new_request = request_factory(&args.effort);
    let whole = &game.typed.game_state;
    let judged =
        with_search_stack(|| Ok(judge(whole, &mut search, &new_request, &mut || bar.inc(1))))?;
    bar.finish_and_clear();
    let end = GivenPosition::typed(&game.typed);
    if !game.typed.placed.is_empty() {
        let placed = end.lettering().labels(&game.typed.placed);
        let what = format!("the last turn is not finished: {placed} is not reviewed");
        NoteWriter::new(None).say(&what, None);
    }
    let review = ReviewedGame {
        contest,
        players: &game.players,
        plies: &judged,
        end: &end,
        recorded_result: game.recorded_result.clone(),
        opening_plies: game.opening_plies.min(game.typed.game_state.actions().len()),
        foul: foul(&game),
    };
    if args.json {
        println!("{}", json::text(&review)?);
    } else {
        review.lines(text_style()).iter().for_each(|line| println!("{line}"));
    }
    args.files.save(|| curve(&review))?;
    if let Some(path) = &args.board {
        let losing = review.losing_move();
        let position = losing.map_or(end.clone(), |ply| position_after(whole, ply.number));
        let mut board = picture::board(&position, &[], &args.files.marked(|| position.forbidden()));
        board.candidates = losing.map_or(Vec::new(), better_moves);
        board.captions.extend(review.decision());
        save_by_name(&board.svg(), path)?;
    }
    Ok(true)
}

/// Returns a function that creates the request of a search.
fn request_factory(effort: &SearchBounds) -> impl Fn(Vec<Cell>, u32) -> Request + Send + use<> {
    let effort = effort.clone();
    move |root_moves, factor| effort.begin(DEFAULT_TIME, root_moves, factor)
}

/// Returns the position of a game after a number of plies.
fn position_after(whole: &GameState, plies: usize) -> GivenPosition {
    let mut game_state = whole.clone();
    game_state.take_back(game_state.actions().len() - plies);
    GivenPosition::typed(&Typed { game_state, placed: Vec::new() })
}

/// Names the foul that ended a game.
fn foul(game: &NamedGame) -> Option<String> {
    let game_state = &game.typed.game_state;
    let ended = game_state.result().filter(|result| result.reason == Reason::Foul)?;
    let cell = *game_state.actions().last().map(Action::placed)?.last()?;
    let mut before = game_state.clone();
    before.take_back(1);
    let names = foul_names(before.referee().fouls(before.to_move(), cell));
    (!ended.is_draw() && !names.is_empty()).then(|| names.join(" and "))
}

/// Returns a function that searches positions with the engine.
fn engine_search(
    contest: &goren_core::rules::Contest,
    weights: &WeightSet,
    hash: TableHandle,
) -> impl FnMut(&RootPosition, &Request) -> Info + Send + use<> {
    let mut board = new_position(contest, weights);
    let mut engine = Engine::with_hash(hash);
    move |root, request| {
        board.set(root);
        // Cannot fail: the table is already allocated.
        engine.go(&*board, request, &mut |_| {}).map_or(Info::NOTHING, |answer| answer.info)
    }
}

/// Returns the better alternative to a ply, for the board.
fn better_moves(ply: &Judged) -> Vec<WeighedMove> {
    let Some(judgement) = &ply.judgement else { return Vec::new() };
    let candidate = |&cell: &Cell| WeighedMove {
        cell,
        label: picture::rate(judgement.best),
        detail: score_text(judgement.best),
        loss: 0.0,
        best: true,
    };
    let turn = judgement.line.iter().take(ply.cells.len());
    turn.filter(|cell| !ply.cells.contains(cell)).map(candidate).collect()
}

/// Returns the style of texts on standard output.
fn text_style() -> TextStyle {
    let term = console::Term::stdout();
    if term.is_term() {
        TextStyle { colors: console::colors_enabled(), width: Some(term.size().1.into()) }
    } else {
        TextStyle { colors: false, width: None }
    }
}

/// Draws the curve of Black's win rate with the mistakes.
fn curve(review: &ReviewedGame) -> Result<String> {
    let points = review.plies.iter().filter_map(|ply| Some((ply.number, ply.black_rate()?)));
    let points: Vec<(usize, f64)> = points.collect();
    let slips = review.plies.iter().filter_map(|ply| {
        let grade = review.grade(ply)?;
        let text = format!("{}{}", ply.text, grade.sign());
        Some(plot::Slip { ply: ply.number, rate: ply.black_rate()?, text, grade })
    });
    plot::win_rates(&review.title(), &review.result(), &points, &slips.collect::<Vec<_>>())
}
