//! The commands of the Yixin-Board extension. Those that are not known are
//! consumed without a word: Yixin-Board 2.1 would take any unknown line for a
//! move.

pub(super) mod bans;
pub(super) mod dialogue;
mod features;
pub mod hash;
pub(super) mod offers;
pub(super) mod twins;

use std::path::Path;

use goren_protocol::{Limit, Placed, Reply, YixinCommand};

use self::bans::Change;
use self::dialogue::Step;
use super::balance::{Balance, Balanced};
use super::settings::{MAX_HASH_LOG2_KIB, max_threads};
use super::thinker::Task;
use super::trouble::Trouble;
use super::{Out, Session, State, position, report, wire};
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, Move, SCORE_LIMIT};
use goren_engine::search::{Basis, Info, Request};

/// Most lines of a search: more than the labels of a GUI can show.
const MOST_LINES: u32 = 64;

impl Session {
    pub(super) fn yixin(&mut self, command: YixinCommand, out: Out) -> Result<(), Trouble> {
        use YixinCommand as Yx;
        let keyword = command.keyword();
        match command {
            Yx::ShowInfo => {
                self.meet_yixin_board();
                // Without these the GUI allows one thread only.
                let threads = u32::try_from(max_threads()).unwrap_or(u32::MAX);
                out(Reply::Limit(Limit::MaxThreadNum(threads)));
                out(Reply::Limit(Limit::MaxHashSize(MAX_HASH_LOG2_KIB)));
                Ok(())
            }
            Yx::Board(list) => {
                self.settings.meet_yixin();
                self.show_position(&list)
            }
            Yx::ShowForbid => {
                out(self.forbidden()?);
                Ok(())
            }
            Yx::HashClear => {
                self.forget();
                Ok(())
            }
            Yx::HashDump(path) => self.dump_hash(&path, out),
            Yx::HashLoad(path) => self.load_hash(&path, out),
            Yx::ShowHashUsage => {
                out(Reply::Message(self.hash.usage()));
                Ok(())
            }
            Yx::NBest(lines) => self.analyse("YXNBEST", |session, request| {
                request.multi_pv = lines.clamp(1, MOST_LINES) as usize;
                if session.settings.skips_twins()
                    && let State::Idle(game) = &session.state
                {
                    let here = &request.bans.here;
                    let twins = twins::twins(game.as_ref(), here);
                    request.bans.here.extend(twins);
                }
            }),
            Yx::SearchDefend => self.analyse("YXSEARCHDEFEND", |_, request| request.defend = true),
            Yx::BalanceOne(bias) => self.balance("YXBALANCEONE", false, bias),
            Yx::BalanceTwo(bias) => self.balance("YXBALANCETWO", true, bias),
            Yx::Block(list) => self.ban(keyword, Change::Block(list)),
            Yx::BlockUndo(list) => self.ban(keyword, Change::Unblock(list)),
            Yx::BlockReset => self.lift(keyword, Change::UnblockAll),
            Yx::BlockPath(list) => self.ban(keyword, Change::BlockPath(list)),
            Yx::BlockPathUndo(list) => self.ban(keyword, Change::UnblockPath(list)),
            Yx::BlockPathReset => self.lift(keyword, Change::UnblockAllPaths),
            Yx::Forbid { add, at, side } => self.ban(keyword, Change::Forbid(add, at, side)),
            Yx::Swap2Step1 => self.step(keyword, Step::LaySwap2),
            Yx::Swap2Step2 => self.step(keyword, Step::AnswerSwap2),
            Yx::Swap2Step3 => self.step(keyword, Step::FinishSwap2),
            Yx::SoosorvStep1 => self.step(keyword, Step::Lay),
            Yx::SoosorvStep2(stones) => self.step(keyword, Step::Swap3(stones)),
            Yx::SoosorvStep3(stones) => self.step(keyword, Step::Fourth(stones)),
            Yx::SoosorvStep4 { offers, stones } => self.step(keyword, Step::Swap4(offers, stones)),
            Yx::SoosorvStep5 { offers, stones } => self.step(keyword, Step::Offer(offers, stones)),
            Yx::SoosorvStep6(stones) => self.step(keyword, Step::Choose(stones)),
            Yx::Draw => {
                self.answer_draw(out);
                Ok(())
            }
            Yx::Resign => {
                self.answer_resign(out);
                Ok(())
            }
            Yx::PrintFeature => self.print_features(out),
            Yx::Database(command) => {
                self.database(&command, out);
                Ok(())
            }
            // There is no file of settings.
            Yx::ReloadConfig(_) => Ok(()),
        }
    }

    /// Takes bans back, if there are any: Yixin-Board sends these after each
    /// of its moves, and the table need not suffer.
    fn lift(&mut self, command: &'static str, change: Change) -> Result<(), Trouble> {
        if self.banned.any() { self.ban(command, change) } else { Ok(()) }
    }

    /// Forgets all that was learnt from searches.
    pub(super) fn forget(&mut self) {
        self.hash.clear();
        match &mut self.state {
            State::Idle(_) => self.engine.forget(),
            State::Table(table) => table.decider.forget(),
            _ => {}
        }
    }

    /// Sets a position without thinking about it; it may be over.
    fn show_position(&mut self, list: &[Placed]) -> Result<(), Trouble> {
        let setup = self.board_of_ours("YXBOARD")?;
        // Until there is another, nothing is said of the position of before.
        self.refused = true;
        self.replace(position::from_board(list, self.axes(), &setup)?)
    }

    /// The board of the game at hand, unless it is one named by `INFO variant`,
    /// which has no such `command`.
    pub(super) fn board_of_ours(&mut self, command: &'static str) -> Result<Setup, Trouble> {
        match &self.state {
            State::Table(_) => Err(Trouble::NotHere(command)),
            _ => Ok(self.idle()?.setup()),
        }
    }

    /// Searches the position in a way of its own.
    fn analyse(
        &mut self,
        command: &'static str,
        how: impl FnOnce(&mut Session, &mut Request),
    ) -> Result<(), Trouble> {
        self.think_otherwise(command, Task::Analyse, how)
    }

    fn balance(&mut self, command: &'static str, two: bool, bias: i32) -> Result<(), Trouble> {
        let bias = bias.clamp(-SCORE_LIMIT, SCORE_LIMIT);
        self.think_otherwise(command, Task::Balance(Balance { two, bias }), |_, _| {})
    }

    fn think_otherwise(
        &mut self,
        command: &'static str,
        task: Task,
        how: impl FnOnce(&mut Session, &mut Request),
    ) -> Result<(), Trouble> {
        self.board_of_ours(command)?;
        self.not_refused()?;
        // The rule may have come after the stones.
        let (game, _) = self.game()?;
        if game.outcome().is_some() {
            return Err(Trouble::Over);
        }
        let mut request = self.request();
        how(self, &mut request);
        self.think_within(task, request)
    }

    /// Places the stones that balance the position, and tells what they reach.
    pub(super) fn answer_balance(&mut self, wanted: Balance, found: Option<Balanced>, out: Out) {
        let axes = self.axes();
        let State::Idle(game) = &mut self.state else { return };
        let height = game.setup().height;
        let placed = found.filter(|found| {
            let played = found.stones.iter().take_while(|&&cell| game.play(cell).is_ok()).count();
            played == found.stones.len()
        });
        let Some(found) = placed else {
            out(Reply::Error(Trouble::Over.to_string()));
            return;
        };
        report::balance(wanted, &found, height).map(Reply::Message).for_each(&mut *out);
        let Balanced { stones, score, .. } = found;
        if self.settings.block() {
            // gomocalc takes the stones from here.
            let pv = stones.iter().map(|&cell| Move::at(cell)).collect();
            let info = Info { score, basis: Basis::Search, pv, ..Info::NOTHING };
            report::block(&info, axes).into_iter().for_each(|detail| out(Reply::Detail(detail)));
        }
        out(match stones.iter().map(|&cell| axes.point(cell)).collect::<Vec<_>>()[..] {
            [first, second] => Reply::TwoMoves([first, second]),
            [first, ..] => Reply::Move(first),
            [] => Reply::Error(Trouble::Over.to_string()),
        });
    }

    /// Tells which moves do not lose as far as the search knows.
    pub(super) fn tell_holding(&self, holding: &[Cell], lost: usize, height: usize, out: Out) {
        let labels: Vec<String> = holding.iter().map(|&cell| wire::name(cell, height)).collect();
        let all = holding.len() + lost;
        out(Reply::Message(match holding.len() {
            0 => format!("defend: all {all} moves lose"),
            count if lost == 0 => format!("defend: none of {count} moves is known to lose"),
            count => format!("defend: {count} of {all} moves hold: {}", labels.join(" ")),
        }));
    }

    fn print_features(&mut self, out: Out) -> Result<(), Trouble> {
        self.board_of_ours("YXPRINTFEATURE")?;
        self.not_refused()?;
        let (game, _) = self.game()?;
        let features = game.features();
        for line in features::lines(&features, game.to_move()) {
            out(Reply::Message(line));
        }
        Ok(())
    }

    /// The game whose table is written or read.
    fn setup_of_table(&mut self, command: &'static str) -> Result<Setup, Trouble> {
        self.board_of_ours(command)?;
        Ok(self.game()?.0.setup())
    }

    fn dump_hash(&mut self, path: &str, out: Out) -> Result<(), Trouble> {
        let setup = self.setup_of_table("YXHASHDUMP")?;
        if self.banned.any() {
            out(Reply::Message("hash not written: it knows what is blocked".to_owned()));
            return Ok(());
        }
        let table = self.hash.made();
        out(Reply::Message(match hash::dump(table.as_deref(), setup, Path::new(path)) {
            Ok(count) => format!("hash written to {path}: {count} entries"),
            Err(error) => format!("hash not written to {path}: {error}"),
        }));
        Ok(())
    }

    fn load_hash(&mut self, path: &str, out: Out) -> Result<(), Trouble> {
        let setup = self.setup_of_table("YXHASHLOAD")?;
        if self.banned.any() {
            out(Reply::Message("hash not read: it knows nothing of what is blocked".to_owned()));
            return Ok(());
        }
        let most = self.table_bytes();
        let table = &self.hash;
        let loaded = hash::load(Path::new(path), setup, || {
            table.clear();
            table.set_limit(most);
            // As large as allowed, or the next search would make another.
            Ok(table.table(most)?)
        });
        out(Reply::Message(match loaded {
            Ok(count) => format!("hash read from {path}: {count} entries"),
            Err(error) => format!("hash not read from {path}: {error}"),
        }));
        Ok(())
    }

    /// The points forbidden to Black, if it is to move.
    ///
    /// # Errors
    /// There is no position to speak of.
    pub(super) fn forbidden(&mut self) -> Result<Reply, Trouble> {
        self.not_refused()?;
        let axes = self.axes();
        let cells = if matches!(self.state, State::Table(_)) {
            self.forbidden_at_table()
        } else {
            match self.game()? {
                (game, _) if game.to_move() == Color::Black => game.forbidden(),
                _ => Vec::new(),
            }
        };
        Ok(Reply::Forbid(cells.into_iter().map(|cell| axes.point(cell)).collect()))
    }
}
