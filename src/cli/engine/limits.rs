//! Limits of a game, as sent to an engine.

use goren_protocol::{Command, Setting};

use goren_core::rules::RuleId;

/// Milliseconds per move sent when time has no limit: Yixin reads this value as unlimited,
/// and for all other engines it is long.
const UNLIMITED_TURN_MS: i64 = 2_000_000;

/// Limits of an engine: time and memory.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct EngineLimits {
    /// Milliseconds per move.
    pub turn_ms: Option<u64>,
    /// Milliseconds per game.
    pub match_ms: Option<u64>,
    /// Milliseconds added to the time of the game before each move.
    pub increment_ms: u64,
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Search threads; not sent if `None`.
    pub threads: Option<u32>,
    /// Bytes for the whole process; not sent if `None`.
    pub memory: Option<u64>,
    /// Further `INFO` keys and their values.
    pub options: Vec<(String, String)>,
}

impl EngineLimits {
    /// Formats the `INFO` lines in the order of c-gomoku-cli, with which most engines have
    /// been tried. The rule comes first, if it is sent by its number.
    pub(super) fn lines(&self, rule: Option<RuleId>) -> String {
        let ms = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        // Without a limit per move, send the limit per game; 0 would mean "at once".
        let turn = self.turn_ms.or(self.match_ms).map_or(UNLIMITED_TURN_MS, ms);
        let mut infos: Vec<Setting> =
            rule.map(|rule| Setting::Rule(rule.gomocup())).into_iter().collect();
        infos.push(Setting::TimeoutTurn(turn));
        infos.push(Setting::TimeoutMatch(self.match_ms.map_or(0, ms)));
        if self.increment_ms > 0 {
            infos.push(Setting::TimeIncrement(ms(self.increment_ms)));
        }
        infos.extend(self.depth.map(|n| Setting::MaxDepth(n.into())));
        infos.extend(self.nodes.map(|n| Setting::MaxNode(ms(n))));
        infos.extend(self.memory.map(|n| Setting::MaxMemory(ms(n))));
        infos.extend(self.threads.map(|n| Setting::ThreadNum(n.into())));
        for (key, value) in &self.options {
            infos.push(Setting::Unknown { key: key.clone(), value: value.clone() });
        }
        infos.into_iter().map(|info| Command::Info(info).to_wire()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_sent_in_the_order_of_c_gomoku_cli() {
        let limits = EngineLimits {
            turn_ms: Some(500),
            match_ms: Some(60_000),
            increment_ms: 10,
            depth: Some(9),
            nodes: Some(20_000),
            threads: Some(2),
            memory: Some(350 << 20),
            options: vec![("caution_factor".into(), "3".into())],
        };
        let expected = "INFO rule 4\nINFO timeout_turn 500\nINFO timeout_match 60000\n\
            INFO time_increment 10\nINFO max_depth 9\nINFO max_node 20000\n\
            INFO max_memory 367001600\nINFO thread_num 2\nINFO caution_factor 3\n";
        assert_eq!(limits.lines(Some(RuleId::Renju)), expected);
    }

    #[test]
    fn a_missing_limit_is_never_sent_as_0() {
        let lines = EngineLimits::default().lines(Some(RuleId::Freestyle));
        assert_eq!(lines, "INFO rule 0\nINFO timeout_turn 2000000\nINFO timeout_match 0\n");
        let lines = EngineLimits { match_ms: Some(7), ..EngineLimits::default() }.lines(None);
        assert_eq!(lines, "INFO timeout_turn 7\nINFO timeout_match 7\n");
    }
}
