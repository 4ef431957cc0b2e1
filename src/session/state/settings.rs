//! Settings sent by `INFO`.
//!
//! Values are stored as sent and interpreted only when a position or a search begins,
//! because clients send them in any order: gomocalc sends the rule before it shows that
//! it is a Yixin client, Piskvork after START. The engine answers an INFO with MESSAGE lines
//! at most, as clients take any other reply for a move.

use std::sync::OnceLock;

use goren_protocol::{Reply, Setting};

use super::requested_game::RequestedGame;
use super::times::Times;
use crate::wire::Axes;
use goren_core::rules::RuleId;
use goren_decide::Strength;
use goren_engine::{Clock, Params};

/// Bit of `INFO rule` for continuous games.
const CONTINUOUS: i64 = 2;
/// The `INFO rule` of gomocalc for freestyle with a swap after the first stone.
const SWAP_AFTER_FIRST: i64 = 5;
/// Depth limits of at least this count as none.
const UNLIMITED_DEPTH: u32 = 120;
/// Default memory of the whole process, as in Gomocup and c-gomoku-cli.
const DEFAULT_MEMORY: i64 = 350 << 20;
/// Memory of the process if the client allows any amount.
const AMPLE_MEMORY: i64 = 1 << 30;
/// Memory of the process besides the table: code, stacks, pattern tables, position.
const RESERVE: i64 = 32 << 20;
/// Additional memory of each search thread.
const THREAD_RESERVE: i64 = 4 << 20;
/// Minimum size of the transposition table.
const MIN_TABLE: i64 = 1 << 20;
/// Maximum size of the table announced to Yixin GUIs, as a power of two in KiB.
pub const MAX_HASH_LOG2_KIB: u32 = 24;

/// The rule behind a number of `INFO rule`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RuleVariant {
    /// The rule.
    pub rule: RuleId,
    /// Whether the game goes on after a five.
    pub continuous: bool,
}

/// Why the rule of `INFO rule` cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnsupportedRule {
    /// A number without a rule.
    #[error("rule {0} is not supported")]
    Number(i64),
    /// Not a number.
    #[error("INFO rule {0:?} cannot be read")]
    Unreadable(String),
}

/// All settings. They survive START and RESTART.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// The game that the next START begins, if named.
    pub requested_game: RequestedGame,
    /// Search parameters.
    pub params: Params,
    /// Times sent by the client, and the match time left.
    pub times: Times,
    rule: i64,
    /// The last value of the rule, if it was not a number. The engine plays no other rule
    /// instead.
    unreadable_rule: Option<String>,
    max_depth: i64,
    max_nodes: i64,
    threads: i64,
    max_memory: Option<i64>,
    hash_kib: Option<i64>,
    yixin: bool,
    yixin_board: bool,
    detail: i64,
    pondering: bool,
    skips_symmetric: bool,
    /// Strength; below 100 it is limited.
    strength: Option<i64>,
    seed: Option<i64>,
    swapable: bool,
    hides_forbidden: bool,
    max_moves: i64,
}

impl Settings {
    /// Stores a setting.
    pub fn apply(&mut self, info: &Setting) {
        match *info {
            Setting::TimeoutTurn(ms) => self.times.set_timeout_turn(ms),
            Setting::TimeoutMatch(ms) => self.times.set_timeout_match(ms),
            Setting::TimeLeft(ms) => self.times.set_time_left(ms),
            Setting::TimeIncrement(ms) => self.times.set_time_increment(ms),
            Setting::MaxMemory(bytes) => self.max_memory = Some(bytes),
            Setting::HashSize(kib) => self.hash_kib = Some(kib),
            Setting::ThreadNum(threads) => self.threads = threads,
            Setting::MaxDepth(depth) => self.max_depth = depth,
            Setting::MaxNode(nodes) => self.max_nodes = nodes,
            Setting::Rule(rule) => (self.rule, self.unreadable_rule) = (rule, None),
            Setting::Malformed { ref key, ref value } if key == "rule" => {
                self.unreadable_rule = Some(value.clone());
            }
            Setting::ShowDetail(detail) => {
                self.yixin = true;
                self.detail = detail;
            }
            Setting::Pondering(on) => self.pondering = on,
            Setting::NBestSym(on) => self.skips_symmetric = on,
            Setting::Strength(strength) => self.strength = Some(strength),
            Setting::Seed(seed) => self.seed = Some(seed),
            Setting::Swapable(on) => self.swapable = on,
            Setting::ShowForbid(on) => self.hides_forbidden = !on,
            Setting::MaxMoves(moves) => self.max_moves = moves,
            _ => {}
        }
    }

    /// Records that the client uses the Yixin dialect.
    pub fn set_yixin(&mut self) {
        self.yixin = true;
    }

    /// Records that the client is a Yixin-Board, not just a client that uses its dialect.
    pub fn meet_yixin_board(&mut self) {
        self.yixin = true;
        self.yixin_board = true;
    }

    /// Order of coordinates. gomocalc uses the Yixin dialect, but the order of the Gomocup
    /// protocol.
    pub fn axes(&self) -> Axes {
        if self.yixin_board { Axes::RowFirst } else { Axes::ColumnFirst }
    }

    /// Whether the client uses the Yixin dialect.
    pub fn yixin(&self) -> bool {
        self.yixin
    }

    /// Whether the GUI reads `MESSAGE REALTIME` lines.
    pub fn marks(&self) -> bool {
        matches!(self.detail, 1 | 3)
    }

    /// Whether the client is the original Yixin-Board (up to 2.1) and not its fork.
    pub fn is_first_yixin_board(&self) -> bool {
        self.yixin_board && self.detail == 1
    }

    /// Whether the GUI reads the `INFO` block of a report. Yixin-Board 2.1 would take its
    /// lines for moves.
    pub fn block(&self) -> bool {
        matches!(self.detail, 2 | 3)
    }

    /// Whether to ponder.
    pub fn pondering(&self) -> bool {
        self.pondering
    }

    /// Whether a multi-PV search skips root moves that are images of others.
    pub fn skips_symmetric(&self) -> bool {
        self.skips_symmetric
    }

    /// The strength to play at.
    pub fn strength(&self) -> Strength {
        self.strength.map_or(Strength::FULL, Strength::new)
    }

    /// Returns the answer to a query of the forbidden points: an empty list if the client
    /// hides them.
    pub fn marking(&self, forbidden: Reply) -> Reply {
        if self.hides_forbidden { Reply::Forbid(Vec::new()) } else { forbidden }
    }

    /// The seed of random choices below full strength, if the client has set one.
    pub fn seed(&self) -> Option<u64> {
        self.seed.map(i64::cast_unsigned)
    }

    /// Whether the game is freestyle with a swap after the first stone.
    pub fn swaps_after_first(&self) -> bool {
        self.yixin && self.rule == SWAP_AFTER_FIRST
    }

    /// Whether the client understands `SWAP` instead of the second player's first move.
    pub fn may_swap(&self) -> bool {
        self.swapable && self.swaps_after_first()
    }

    /// Number of stones after which a game on `area` cells is drawn.
    pub fn longest_game(&self, area: usize) -> usize {
        let moves = usize::try_from(self.max_moves).unwrap_or(0);
        if moves == 0 { area } else { moves.min(area) }
    }

    /// The rule to play. In the Yixin dialect, rule 2 is renju and rule 5 freestyle with
    /// a swap after the first stone; elsewhere bit 1 means a continuous game. Rules with
    /// options have numbers of our own.
    ///
    /// # Errors
    /// The value is not a number, or no rule has the number.
    pub fn variant(&self) -> Result<RuleVariant, UnsupportedRule> {
        if let Some(value) = &self.unreadable_rule {
            return Err(UnsupportedRule::Unreadable(value.clone()));
        }
        if self.yixin && self.rule == CONTINUOUS {
            return Ok(RuleVariant { rule: RuleId::Renju, continuous: false });
        }
        if self.swaps_after_first() {
            return Ok(RuleVariant { rule: RuleId::Freestyle, continuous: false });
        }
        let rule = RuleId::from_number(self.rule & !CONTINUOUS);
        let rule = rule.ok_or(UnsupportedRule::Number(self.rule))?;
        Ok(RuleVariant { rule, continuous: self.rule & CONTINUOUS != 0 })
    }

    /// Why the rule cannot be played, as far as that is known when it is set: gomocalc sends
    /// its rule 5 before it shows that it uses the Yixin dialect.
    pub fn bad_rule(&self) -> Option<UnsupportedRule> {
        self.variant().err().filter(|error| *error != UnsupportedRule::Number(SWAP_AFTER_FIRST))
    }

    /// Maximum depth, if limited. Yixin GUIs send the number of cells for "unlimited".
    pub fn max_depth(&self) -> Option<u32> {
        let depth = u32::try_from(self.max_depth).ok();
        depth.filter(|depth| (1..UNLIMITED_DEPTH).contains(depth))
    }

    /// Maximum number of nodes of a search, if limited.
    pub fn max_nodes(&self) -> Option<u64> {
        u64::try_from(self.max_nodes).ok().filter(|&nodes| nodes > 0)
    }

    /// Number of search threads: as requested, at most as many as the machine can run.
    pub fn threads(&self) -> usize {
        usize::try_from(self.threads).unwrap_or(1).clamp(1, max_threads())
    }

    /// Size of the transposition table in bytes with which the process, which needs `others`
    /// bytes besides, stays within `max_memory`.
    pub fn table_bytes(&self, others: usize) -> usize {
        let hash = self.hash_kib.map(|kib| kib.clamp(0, 1 << MAX_HASH_LOG2_KIB) << 10);
        let limit = match (self.max_memory, hash) {
            // Yixin GUIs limit only the table, and send its exact size.
            (None | Some(..=0), Some(_)) => i64::MAX,
            (None, None) => DEFAULT_MEMORY,
            (Some(..=0), None) => AMPLE_MEMORY,
            (Some(bytes), _) => bytes,
        };
        let others = i64::try_from(others).unwrap_or(i64::MAX);
        let reserve = (RESERVE + THREAD_RESERVE * self.threads() as i64).saturating_add(others);
        // One eighth is left for anything unforeseen: a process over its limit loses the game.
        // If nothing else is left, the table gets part of it: a search without one is weak.
        let room = (limit.saturating_sub(reserve) / 8 * 7).max(limit / 32);
        let bytes = hash.map_or(room, |hash| hash.min(room)).max(MIN_TABLE);
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// The clock of the next move.
    pub fn clock(&self) -> Clock {
        let bounded = self.max_depth().is_some() || self.max_nodes().is_some();
        self.times.clock(bounded)
    }
}

/// Number of threads that the machine can run at once. Cached, because the standard
/// library reads several system files to find it.
pub fn max_threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: usize = 225;

    fn with(infos: &[Setting]) -> Settings {
        let mut settings = Settings::default();
        infos.iter().for_each(|info| settings.apply(info));
        settings
    }

    fn variant(number: i64) -> Option<(RuleId, bool)> {
        with(&[Setting::Rule(number)]).variant().ok().map(|v| (v.rule, v.continuous))
    }

    #[test]
    fn rules_and_their_continuous_bit() {
        assert_eq!(variant(0), Some((RuleId::Freestyle, false)));
        assert_eq!(variant(1), Some((RuleId::Standard, false)));
        assert_eq!(variant(2), Some((RuleId::Freestyle, true)));
        assert_eq!(variant(3), Some((RuleId::Standard, true)));
        assert_eq!(variant(4), Some((RuleId::Renju, false)));
        assert_eq!(variant(6), Some((RuleId::Renju, true)));
        assert_eq!(variant(8), Some((RuleId::Caro, false)));
        assert_eq!(variant(9), Some((RuleId::CaroExact, false)));
        assert_eq!(variant(10), Some((RuleId::Caro, true)));
        assert_eq!(variant(11), Some((RuleId::CaroExact, true)));
        for bad in [-1, 5, 7, 12, 16, 1 << 40, i64::MIN, i64::MAX] {
            assert_eq!(variant(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_unreadable_rule_is_an_error_until_a_number_follows() {
        let malformed = |key: &str, value: &str| {
            let (key, value) = (key.to_owned(), value.to_owned());
            Setting::Malformed { key, value }
        };
        for value in ["renju", ""] {
            let error = with(&[Setting::Rule(4), malformed("rule", value)]).variant();
            assert_eq!(error, Err(UnsupportedRule::Unreadable(value.to_owned())));
        }
        let renju = Ok(RuleVariant { rule: RuleId::Renju, continuous: false });
        assert_eq!(with(&[malformed("rule", "x"), Setting::Rule(4)]).variant(), renju);
        assert_eq!(with(&[Setting::Rule(4), malformed("max_depth", "x")]).variant(), renju);
    }

    #[test]
    fn rule_two_is_renju_for_yixin_in_any_order() {
        let renju = Ok(RuleVariant { rule: RuleId::Renju, continuous: false });
        assert_eq!(with(&[Setting::Rule(2), Setting::ShowDetail(2)]).variant(), renju);
        assert_eq!(with(&[Setting::ShowDetail(1), Setting::Rule(2)]).variant(), renju);
    }

    #[test]
    fn rule_five_and_detail_belong_to_the_yixin_dialect() {
        let plain = with(&[Setting::Rule(5), Setting::Swapable(true)]);
        assert!(plain.variant().is_err() && !plain.may_swap());
        let calc = with(&[Setting::Rule(5), Setting::Swapable(true), Setting::ShowDetail(2)]);
        let freestyle = Ok(RuleVariant { rule: RuleId::Freestyle, continuous: false });
        assert!(calc.variant() == freestyle && calc.may_swap());
        assert!(!with(&[Setting::Rule(5), Setting::ShowDetail(2)]).may_swap());
        let shown = |detail| {
            let settings = with(&[Setting::ShowDetail(detail)]);
            (settings.marks(), settings.block())
        };
        assert_eq!(
            [0, 1, 2, 3, 7].map(shown),
            [(false, false), (true, false), (false, true), (true, true), (false, false)]
        );
        let longest = |moves| with(&[Setting::MaxMoves(moves)]).longest_game(AREA);
        assert_eq!([-1, 0, 60, 9_000].map(longest), [AREA, AREA, 60, AREA]);
    }

    #[test]
    fn the_table_leaves_memory_for_the_rest_of_the_process() {
        let default = Settings::default().table_bytes(0) as i64;
        assert!(default < DEFAULT_MEMORY - RESERVE && default > DEFAULT_MEMORY / 2);
        let memory = |bytes| with(&[Setting::MaxMemory(bytes)]).table_bytes(0) as i64;
        assert_eq!(memory(DEFAULT_MEMORY), default);
        assert!(memory(0) > default && memory(0) < AMPLE_MEMORY);
        assert_eq!(memory(10 << 20), MIN_TABLE);
        assert_eq!(memory(1), MIN_TABLE);
        assert!(memory(64 << 20) < 32 << 20);
        assert!(memory(8 << 30) > 4 << 30);
        // Other memory is subtracted, down to a small table.
        let beside = |others| Settings::default().table_bytes(others) as i64;
        assert_eq!(beside(80 << 20), default - (70 << 20));
        assert_eq!([400 << 20, usize::MAX].map(beside), [DEFAULT_MEMORY / 32; 2]);
    }

    #[test]
    fn yixin_sends_the_table_size_in_kib() {
        let hash = |kib| with(&[Setting::HashSize(kib)]).table_bytes(0);
        assert_eq!(hash(262_144), 256 << 20);
        assert_eq!(hash(524_288), 512 << 20);
        assert_eq!(hash(0), MIN_TABLE as usize);
        assert_eq!(hash(-1), MIN_TABLE as usize);
        assert_eq!(hash(i64::MAX), 16 << 30);
        let both = with(&[Setting::HashSize(1 << 20), Setting::MaxMemory(DEFAULT_MEMORY)]);
        assert_eq!(both.table_bytes(0), Settings::default().table_bytes(0));
        let unlimited = with(&[Setting::HashSize(4 << 20), Setting::MaxMemory(0)]);
        assert_eq!(unlimited.table_bytes(0), 4 << 30);
    }

    #[test]
    fn limits_of_zero_or_less_are_none() {
        let none = with(&[Setting::MaxDepth(0), Setting::MaxNode(-1), Setting::ThreadNum(-3)]);
        assert_eq!((none.max_depth(), none.max_nodes(), none.threads()), (None, None, 1));
        let large =
            with(&[Setting::MaxDepth(i64::MAX), Setting::MaxNode(5), Setting::ThreadNum(1 << 40)]);
        assert_eq!((large.max_depth(), large.max_nodes()), (None, Some(5)));
        assert_eq!(with(&[Setting::MaxDepth(225)]).max_depth(), None);
        assert_eq!(with(&[Setting::MaxDepth(25)]).max_depth(), Some(25));
        assert_eq!(large.threads(), max_threads());
    }
}
