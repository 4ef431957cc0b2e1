//! `goren walk`: walks through a winning tree by hand. The attacker plays by the
//! tree, the user plays the defender.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::while_watched;
use super::play::draw;
use super::position::name;
use super::trees::TreesArg;
use super::{point, with_search_stack};
use crate::number::whole;
use goren_engine::Control;
use goren_notation::words::plural;
use goren_proof::Claim;
use goren_trees::walk::{Answer, Walk};

/// Interval between progress lines without a terminal.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// Arguments of `goren walk`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren walk corner.tree
  goren walk corner.tree i9 j10
  goren walk renju                                   (a shipped tree, by name)

A sorted table opens at once and knows every answer. A packed tree opens at once too; the answers
to a reply are read in the background while you play, in the order of the file. Until the answer
to your move is read, the engine looks for a win itself, and says so if it was faster. Enter
ends the wait. `goren merge TABLE FILE` makes a sorted table of a packed tree once and for all
(free Renju: minutes, and some gigabytes). `goren board --trees FOLDER` walks in the browser.")]
pub struct Args {
    /// Tree file: a sorted table, a packed tree, or a log left by `goren prove`; or the name of a
    /// shipped tree (`goren check --list --no-count`).
    file: PathBuf,
    #[command(flatten)]
    trees: TreesArg,
    /// First moves of the defender. More are read from standard input, one per
    /// line: a point, `back`, `help` or `quit`.
    moves: Vec<String>,
    /// Memory in MiB for reading a packed tree.
    #[arg(long, default_value_t = 192, value_parser = whole::<usize>(0..))]
    memory: usize,
}

/// Help on the input.
const HELP: &str = "\
  a point       a move of the defender, such as h8
  back, undo    take back the last move of the defender and the answer to it
  help, quit";

/// Finds the attacker's move; a user at a terminal can end the wait.
fn attack(walk: &mut Walk, interactive: bool) -> Result<Answer> {
    let (control, mut progress) = (Control::default(), Progress::new());
    let can_interrupt = interactive && walk.is_reading();
    let mut work = || walk.attack(&control, &mut |share| progress.show(share));
    if can_interrupt { while_watched(&control, work) } else { work() }
}

/// Plays a move of the defender; returns the answer.
fn reply(walk: &mut Walk, text: &str, interactive: bool) -> Result<Answer> {
    let Claim { setup, attacker, .. } = *walk.claim();
    ensure!(!walk.is_won(), "{} has won: back or quit", name(attacker));
    ensure!(!walk.attacker_moves(), "{} is to move: back or quit", name(attacker));
    walk.reply(point::cell(text, (setup.width, setup.height))?)?;
    attack(walk, interactive)
}

fn drawing(walk: &Walk) -> String {
    let setup = walk.claim().setup;
    draw((setup.width, setup.height), walk.board().stones(), &[])
}

/// Prints the claim of the file, and how many replies are open.
///
/// # Errors
/// The position of the claim is invalid, or the file is damaged.
fn greet(walk: &mut Walk) -> Result<()> {
    let Claim { setup, attacker, .. } = *walk.claim();
    let (rule, width, height, attacker) = (setup.rule, setup.width, setup.height, name(attacker));
    println!(
        "{rule} on {width}x{height}: the tree claims that {attacker} wins; `goren check` verifies \
         the claim."
    );
    match walk.unanswered()? {
        [0, _] => {}
        [_, _] if walk.attacks_first() => {
            println!("The tree is not finished: it has no first move for {attacker}.");
        }
        [open, all] => {
            let are = if open == 1 { "is" } else { "are" };
            let all = plural(all, "reply", "replies");
            println!("The tree is not finished: {open} of {all} {are} open.");
        }
    }
    if let Some(parts) = walk.parts().filter(|_| !walk.attacks_first()) {
        let replies = plural(parts, "reply", "replies");
        println!("A packed tree of {replies}: each is read when you play it.");
    }
    Ok(())
}

/// An answer in words.
fn answer_text(walk: &Walk, answer: &Answer) -> String {
    let attacker = name(walk.claim().attacker);
    match *answer {
        Answer::Move(m, read) => {
            let label = m.label(walk.claim().setup.height).to_lowercase();
            let by =
                if read { "" } else { " (found by the search, before the tree was read that far)" };
            format!("{attacker}: {label}{by}")
        }
        Answer::None => format!("{attacker}: the tree has no answer"),
        Answer::Full => format!(
            "{attacker}: no answer yet, and reading further would take more memory: raise \
             --memory, or make a table with every answer by `goren merge TABLE FILE`"
        ),
        Answer::Ended => format!("{attacker}: no answer yet"),
    }
}

/// Walks through the tree. Returns whether it had an answer each time.
///
/// # Errors
/// The file cannot be read.
pub fn run(args: &Args) -> Result<bool> {
    with_search_stack(|| walk(args))
}

fn walk(args: &Args) -> Result<bool> {
    let file = args.trees.any(&args.file)?;
    let place = || file.display().to_string();
    let interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut walk = Walk::open(&file, args.memory.saturating_mul(1 << 20))?;
    greet(&mut walk).with_context(place)?;
    let attacker = name(walk.claim().attacker);
    let mut complete = true;
    if walk.attacks_first() {
        let answer = attack(&mut walk, interactive).with_context(place)?;
        complete &= matches!(answer, Answer::Move(..));
        println!("{}", answer_text(&walk, &answer));
    }
    println!("{}", drawing(&walk));
    let typed = io::stdin().lines();
    let mut lines = args.moves.iter().cloned().map(Ok).chain(typed);
    let mut ended = false;
    for number in 0.. {
        if io::stdin().is_terminal() && !walk.is_won() {
            match (walk.attacker_moves(), ended) {
                (false, _) => println!("Your move, back, help or quit:"),
                (true, true) => println!("Enter waits longer; back or quit:"),
                (true, false) => println!("back or quit:"),
            }
        }
        let Some(line) = lines.next() else { break };
        let line = line.context("standard input")?;
        // Piped input may begin with a byte order mark.
        let text = line.trim_start_matches('\u{feff}').trim();
        let answer = match text {
            "" if ended && walk.attacker_moves() => attack(&mut walk, interactive),
            "" => continue,
            "quit" => break,
            "help" | "?" => {
                println!("{HELP}");
                continue;
            }
            "back" | "undo" => {
                if walk.back() {
                    println!("{}", drawing(&walk));
                } else {
                    println!("There is no move to take back: this is the position of the tree.");
                }
                continue;
            }
            text => reply(&mut walk, text, interactive),
        };
        match answer {
            Ok(answer) => {
                ended = matches!(answer, Answer::Ended | Answer::Full);
                complete &= matches!(answer, Answer::Move(..) | Answer::Ended);
                println!("{}", answer_text(&walk, &answer));
            }
            Err(error) => {
                walk.sound().with_context(place)?;
                // The arguments after it were meant for another position.
                if number < args.moves.len() {
                    return Err(error.context(format!("move {text}")));
                }
                println!("{error:#}");
                continue;
            }
        }
        println!("{}", drawing(&walk));
        if walk.is_won() {
            println!("{attacker} has won");
        }
    }
    Ok(complete)
}

/// Progress display while the tree is read.
struct Progress {
    bar: ProgressBar,
    last_report: Option<Instant>,
}

impl Progress {
    fn new() -> Progress {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        Progress { bar, last_report: None }
    }

    fn show(&mut self, share: f64) {
        let text = format!("reading the tree: {:.0} %, and searching", 100.0 * share);
        if self.bar.is_hidden() && self.last_report.is_none_or(|at| at.elapsed() >= REPORT_INTERVAL)
        {
            self.last_report = Some(Instant::now());
            eprintln!("{text}");
        }
        // On other systems the wait does not watch the keyboard.
        let end = if cfg!(unix) { "; Enter ends the wait" } else { "" };
        self.bar.set_message(text + end);
        self.bar.tick();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
