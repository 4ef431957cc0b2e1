//! The keys of `INFO`. A value that cannot be read is [`Setting::Malformed`] and not an error,
//! because only `MESSAGE` lines may answer an `INFO`.

use std::fmt;

use crate::point::Point;
use crate::scan::Scan;
use crate::text::{MAX_TEXT, cut, one_line};

/// One `INFO key value` line. Numbers beyond 64 bits become the nearest 64-bit number.
///
/// Only `MESSAGE` lines may answer a setting, even an unknown or malformed one: Piskvork takes any
/// other answer to an `INFO` for the next move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// Milliseconds for each move; 0 = answer as fast as possible. 0 *during* a search is
    /// Piskvork's "move now".
    TimeoutTurn(i64),
    /// Milliseconds for the whole game; 0 or less = no limit.
    TimeoutMatch(i64),
    /// Milliseconds left of the whole game; may be 0 or negative; 2147483647 = no limit.
    TimeLeft(i64),
    /// Bytes for the whole process; 0 = no limit.
    MaxMemory(i64),
    /// Who the opponent is: 0 a human, 1 an engine, 2 a tournament, 3 a network tournament.
    GameType(i64),
    /// The rule as a sum of bits; 2 has two meanings (continuous game, or renju from a Yixin GUI).
    Rule(i64),
    /// The cell under the mouse, for debug builds.
    Evaluate(Point),
    /// The folder for permanent files; may contain blanks.
    Folder(String),
    /// Search depth limit in plies.
    MaxDepth(i64),
    /// Search limit in nodes; -1 = no limit.
    MaxNode(i64),
    /// Milliseconds added after each move.
    TimeIncrement(i64),
    /// Number of search threads.
    ThreadNum(i64),
    /// Depth at which threads used to split; obsolete.
    ThreadSplitDepth(i64),
    /// Size of the transposition table in **kilobytes**.
    HashSize(i64),
    /// Width of the choice of candidate moves, 0 to 5.
    CautionFactor(i64),
    /// Older name of [`Setting::VcThread`].
    Checkmate(i64),
    /// Which threat search has its own thread: 0 none, 1 VCT, 2 VC2.
    VcThread(i64),
    /// Whether to search on the opponent's time.
    Pondering(bool),
    /// Output for a GUI: 0 none, 1 realtime lines, 2 the `INFO` block, 3 both.
    ShowDetail(i64),
    /// Whether to use the position database.
    UseDatabase(bool),
    /// Whether the position database must not be written.
    DatabaseReadonly(bool),
    /// Whether an n-best search skips symmetric moves.
    NBestSym(bool),
    /// Depth in plies at which the search begins.
    StartDepth(i64),
    /// Playing strength, 0 to 100.
    Strength(i64),
    /// Seed of the random choices below full strength. A Goren extension.
    Seed(i64),
    /// Whether the engine may swap after the first move.
    Swapable(bool),
    /// Number of moves after which the game is drawn; 0 or less = never.
    MaxMoves(i64),
    /// Who wins a drawn game: 0 nobody, 1 and 2 one of the sides.
    DrawResult(i64),
    /// Path of a file of evaluation weights; may contain blanks. A Goren extension.
    Weights(String),
    /// Path of a file with a winning tree to play from; may contain blanks. A Goren extension.
    Proof(String),
    /// Parameters of the search, as `NAME VALUE NAME VALUE ...`. A Goren extension.
    Params(String),
    /// The game to be played from the next `START` on, with its options, as in `pente+keryo`; see
    /// the crate's README. A Goren extension.
    Variant(String),
    /// The opening of that game. A Goren extension.
    Opening(String),
    /// Whether the side that passes first wins a game that would be drawn. A Goren extension.
    TieBreak(bool),
    /// Whether `yxshowforbid` is answered with the forbidden points, or with none, so that a GUI
    /// does not mark them. A Goren extension.
    ShowForbid(bool),
    /// An unknown key, to be ignored.
    Unknown {
        /// The key in lower case.
        key: String,
        /// The rest of the line.
        value: String,
    },
    /// A known key whose value cannot be read, or no key at all. If the key selects the game
    /// (`rule`, `variant`, `opening`, `tie_break`), no game is selected.
    Malformed {
        /// The key in lower case; empty when there is none.
        key: String,
        /// The rest of the line.
        value: String,
    },
}

impl Setting {
    /// Reads what follows the word `INFO`.
    pub(crate) fn read(scan: &mut Scan<'_>) -> Self {
        let key = scan.word().to_ascii_lowercase();
        let value = scan.remainder();
        if key.is_empty() {
            return Self::malformed("", "");
        }
        match Self::known(&key, value) {
            Ok(info) => info,
            Err(known) => {
                let (key, value) = (tidy(&key), tidy(value));
                if known { Self::Malformed { key, value } } else { Self::Unknown { key, value } }
            }
        }
    }

    /// An `INFO` that cannot be read.
    pub(crate) fn malformed(key: &str, value: &str) -> Self {
        Self::Malformed { key: tidy(key), value: tidy(value) }
    }

    /// Reads a known key; `Err` says whether the key was known at all.
    fn known(key: &str, value: &str) -> Result<Self, bool> {
        let mut scan = Scan::new(value);
        if let Some(number) = number_key(key) {
            return scan.saturating().map(number).map_err(|_| true);
        }
        if let Some(flag) = flag_key(key) {
            return scan.saturating().map(|n| flag(n != 0)).map_err(|_| true);
        }
        match key {
            "evaluate" => scan.point().map(Self::Evaluate).map_err(|_| true),
            "folder" | "weights" | "proof" | "params" | "variant" | "opening"
                if value.is_empty() =>
            {
                Err(true)
            }
            "proof" => Ok(Self::Proof(value.to_owned())),
            "weights" => Ok(Self::Weights(value.to_owned())),
            "params" => Ok(Self::Params(value.to_owned())),
            "variant" => Ok(Self::Variant(value.to_owned())),
            "opening" => Ok(Self::Opening(value.to_owned())),
            "folder" => Ok(Self::Folder(value.to_owned())),
            _ => Err(false),
        }
    }
}

fn tidy(text: &str) -> String {
    cut(one_line(text).trim(), MAX_TEXT).trim_end().to_owned()
}

fn number_key(key: &str) -> Option<fn(i64) -> Setting> {
    Some(match key {
        "timeout_turn" => Setting::TimeoutTurn,
        "timeout_match" => Setting::TimeoutMatch,
        "time_left" => Setting::TimeLeft,
        "max_memory" => Setting::MaxMemory,
        "game_type" => Setting::GameType,
        "rule" => Setting::Rule,
        "max_depth" => Setting::MaxDepth,
        "max_node" => Setting::MaxNode,
        "time_increment" => Setting::TimeIncrement,
        "thread_num" => Setting::ThreadNum,
        "thread_split_depth" => Setting::ThreadSplitDepth,
        "hash_size" => Setting::HashSize,
        "caution_factor" => Setting::CautionFactor,
        "checkmate" => Setting::Checkmate,
        "vcthread" => Setting::VcThread,
        "show_detail" => Setting::ShowDetail,
        "start_depth" => Setting::StartDepth,
        "strength" => Setting::Strength,
        "seed" => Setting::Seed,
        "max_moves" => Setting::MaxMoves,
        "draw_result" => Setting::DrawResult,
        _ => return None,
    })
}

fn flag_key(key: &str) -> Option<fn(bool) -> Setting> {
    Some(match key {
        "pondering" => Setting::Pondering,
        "usedatabase" => Setting::UseDatabase,
        "database_readonly" => Setting::DatabaseReadonly,
        // Yixin-Board writes the key in one word, AlphaGomoku reads it in two.
        "nbestsym" | "nbest_sym" => Setting::NBestSym,
        "swapable" => Setting::Swapable,
        "tie_break" => Setting::TieBreak,
        "show_forbid" => Setting::ShowForbid,
        _ => return None,
    })
}

impl fmt::Display for Setting {
    /// Prints the whole line without its end: `INFO key value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, number) = match self {
            Self::TimeoutTurn(n) => ("timeout_turn", *n),
            Self::TimeoutMatch(n) => ("timeout_match", *n),
            Self::TimeLeft(n) => ("time_left", *n),
            Self::MaxMemory(n) => ("max_memory", *n),
            Self::GameType(n) => ("game_type", *n),
            Self::Rule(n) => ("rule", *n),
            Self::MaxDepth(n) => ("max_depth", *n),
            Self::MaxNode(n) => ("max_node", *n),
            Self::TimeIncrement(n) => ("time_increment", *n),
            Self::ThreadNum(n) => ("thread_num", *n),
            Self::ThreadSplitDepth(n) => ("thread_split_depth", *n),
            Self::HashSize(n) => ("hash_size", *n),
            Self::CautionFactor(n) => ("caution_factor", *n),
            Self::Checkmate(n) => ("checkmate", *n),
            Self::VcThread(n) => ("vcthread", *n),
            Self::ShowDetail(n) => ("show_detail", *n),
            Self::StartDepth(n) => ("start_depth", *n),
            Self::Strength(n) => ("strength", *n),
            Self::Seed(n) => ("seed", *n),
            Self::MaxMoves(n) => ("max_moves", *n),
            Self::DrawResult(n) => ("draw_result", *n),
            Self::Pondering(on) => ("pondering", i64::from(*on)),
            Self::UseDatabase(on) => ("usedatabase", i64::from(*on)),
            Self::DatabaseReadonly(on) => ("database_readonly", i64::from(*on)),
            Self::NBestSym(on) => ("nbestsym", i64::from(*on)),
            Self::Swapable(on) => ("swapable", i64::from(*on)),
            Self::TieBreak(on) => ("tie_break", i64::from(*on)),
            Self::ShowForbid(on) => ("show_forbid", i64::from(*on)),
            Self::Evaluate(at) => return write!(f, "INFO evaluate {at}"),
            Self::Folder(path) => return write!(f, "INFO folder {}", one_line(path)),
            Self::Proof(path) => return write!(f, "INFO proof {}", one_line(path)),
            Self::Weights(path) => return write!(f, "INFO weights {}", one_line(path)),
            Self::Variant(name) => return write!(f, "INFO variant {}", one_line(name)),
            Self::Opening(name) => return write!(f, "INFO opening {}", one_line(name)),
            Self::Params(list) => return write!(f, "INFO params {}", one_line(list)),
            Self::Unknown { key, value } | Self::Malformed { key, value } => {
                let line = format!("INFO {} {}", one_line(key), one_line(value));
                return f.write_str(line.trim_end());
            }
        };
        write!(f, "INFO {key} {number}")
    }
}
