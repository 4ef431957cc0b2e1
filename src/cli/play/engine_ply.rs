//! Plies and hints of the engine, with a live line during the search.

use std::hash::BuildHasher;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::pending_decision_text;
use super::table::Match;
use super::words::{ScoreSide, chances, verdict};
use crate::interrupt::{INTERRUPT_KEY, while_watched};
use crate::lettering::Lettering;
use crate::position::name;
use goren_board::schema::Player;
use goren_core::opening::Action;
use goren_core::rules::Contest;
use goren_core::types::{Cell, plies_to_end};
use goren_decide::{Decision, OptionValue, Strength};
use goren_engine::{Basis, Info, Report, Request};

/// Time between updates of the live line.
const LIVE_INTERVAL: Duration = Duration::from_millis(200);

impl Match {
    pub(super) fn engine_moves(&mut self, live: bool, out: &mut dyn Write) -> Result<()> {
        let plain = self.pending().is_some_and(|pending| pending_decision_text::is_plain(&pending));
        self.start_clock();
        let decision = self.think(self.setting.level.strength(), 1, live, out)?;
        let decision = decision.context("the engine found no legal ply")?;
        if self.stop_clock() {
            return self.show(out);
        }
        let text =
            pending_decision_text::text(&self.game_state, &decision.action, self.lettering());
        // A level below full may move without a search.
        let searched = decision.info.basis != Basis::Static || decision.info.is_proven();
        let has_score = plain && searched && decision.why.is_empty() && decision.is_of_search();
        let what = match &decision.action {
            Action::Pass => "The engine passes".to_owned(),
            Action::Offer(_) => format!("The engine offers {text}"),
            _ => format!("The engine played {text}"),
        };
        self.play_action(&decision.action, out)
            .with_context(|| format!("the engine's move {text}"))?;
        // A move that ends the game needs no score, and if a swap may follow, the score is
        // meaningless.
        if decision.action == Action::Swap {
            // `play_action` has printed who has which colour.
        } else if has_score && self.pending().is_some() {
            writeln!(out, "{what} ({}).", verdict(&decision.info, ScoreSide::You, false))?;
        } else {
            writeln!(out, "{what}.")?;
        }
        Ok(())
    }

    /// Decides on the next ply in a part of the time; a hint for the user starts with the
    /// stones typed so far. At a terminal it shows the search meanwhile, and ends when the
    /// user types something.
    pub(super) fn think(
        &mut self,
        strength: Strength,
        share: u32,
        live: bool,
        out: &mut dyn Write,
    ) -> Result<Option<Decision>> {
        let Some(pending) = self.pending() else { return Ok(None) };
        let engine = self.players[pending.seat.index()] == Player::Engine;
        let stones = self.game_state.stones().len();
        let Contest { width, height, .. } = *self.game_state.contest();
        let mut request = Request {
            max_depth: self.setting.max_depth,
            max_nodes: self.setting.max_nodes,
            threads: self.setting.threads,
            move_only: engine,
            ..Request::per_move(self.setting.time / share)
        };
        if let Some(clock) = self.clock.as_ref().filter(|_| engine) {
            let (path, size) = (self.path(), (stones, width * height));
            request.budget = clock.budget((&path, pending.seat), Instant::now(), size);
        }
        if self.setting.max_nodes.is_some() {
            request.budget = Request::default().budget;
        }
        let seed = self.setting.seed.unwrap_or_else(|| self.random_state.hash_one(self.games));
        self.decider.limit_strength(strength, seed);
        // A hint continues the stones that the user has typed so far.
        let placed: &[Cell] = if engine { &[] } else { &self.placed };
        let game_state = &self.game_state;
        if !live {
            return Ok(self.decider.complete(game_state, placed, &request, &mut |_| {}));
        }
        write!(out, "Thinking; {INTERRUPT_KEY} interrupts the search ... ")?;
        out.flush()?;
        let (plain, lettering) = (pending_decision_text::is_plain(&pending), self.lettering());
        let mut last_update = Instant::now();
        let mut observer = |report: &Report| {
            let is_due = plain && last_update.elapsed() >= LIVE_INTERVAL;
            if let Some(info) = report.best_pv().filter(|_| is_due) {
                last_update = Instant::now();
                eprint!("\r\x1b[K{}", live_line(info, engine, lettering));
            }
        };
        let decision = while_watched(&request.control, || {
            self.decider.complete(game_state, placed, &request, &mut observer)
        });
        write!(out, "\r\x1b[K")?;
        out.flush()?;
        Ok(decision)
    }

    pub(super) fn hint(&mut self, live: bool, out: &mut dyn Write) -> Result<()> {
        let Some(pending) = self.pending() else { bail!("The game is over.") };
        let Some(decision) = self.think(Strength::FULL, 1, live, out)? else { return Ok(()) };
        let text = self.still_to_type(&decision.action);
        if !decision.why.is_empty() || !pending_decision_text::is_plain(&pending) {
            // Where a swap is offered, there is a value for each option.
            writeln!(out, "Try {text}.")?;
            if decision.why.len() > 1 {
                let worth = decision.why.iter().map(|option| self.worth(option));
                let worth = worth.collect::<Vec<_>>().join(", ");
                writeln!(out, "What each is worth to you, in points: {worth}.")?;
            }
            return Ok(());
        }
        let mut after = self.game_state.clone();
        let wins = after.apply(&decision.action).is_ok()
            && after.result().is_some_and(|end| end.seats == [pending.seat]);
        if wins {
            writeln!(out, "Try {text}: it wins.")?;
        } else {
            writeln!(out, "Try {text} ({}).", verdict(&decision.info, self.side(), true))?;
        }
        Ok(())
    }

    /// Formats a ply for typing, without the stones typed so far.
    fn still_to_type(&self, action: &Action) -> String {
        let whole = pending_decision_text::text(&self.game_state, action, self.lettering());
        let (cells, count) = match action {
            _ if self.placed.is_empty() => return whole,
            Action::Stones { cells, count } => (cells.clone(), *count),
            Action::Choose { fifth, sixth } => (vec![*fifth, *sixth], None),
            Action::Offer(cells) => (cells.clone(), None),
            Action::Swap | Action::Pass => (Vec::new(), None),
        };
        let Some(rest) = cells.strip_prefix(&self.placed[..]) else {
            return format!("undo, then {whole}");
        };
        let count = count.map_or(String::new(), |count| format!(",{count}"));
        self.lettering().labels(rest) + &count
    }

    /// Formats the value of an option, with the letters of the board.
    fn worth(&self, OptionValue { action, value, .. }: &OptionValue) -> String {
        format!(
            "{} {value:+}",
            pending_decision_text::text(&self.game_state, action, self.lettering())
        )
    }

    /// Returns the side from which scores are shown.
    pub(super) fn side(&self) -> ScoreSide<'static> {
        if self.two_people() {
            ScoreSide::Named(name(self.game_state.to_move()))
        } else {
            ScoreSide::You
        }
    }
}

/// Formats the live line: the result of the running search so far.
fn live_line(info: &Info, engine: bool, lettering: Lettering) -> String {
    let score = if engine { -info.score } else { info.score };
    let line = info.pv.iter().filter(|at| at.is_some()).take(6);
    let line: Vec<String> = line.map(|at| lettering.label(at.cell())).collect();
    let depth = if plies_to_end(info.score).is_some() {
        String::new()
    } else {
        format!("depth {}, ", info.depth)
    };
    format!("{depth}{}: {}  ({INTERRUPT_KEY}: now)", chances(ScoreSide::You, score), line.join(" "))
}
