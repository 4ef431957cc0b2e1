//! The search that a command orders, and its request before any advice is added.

use super::allowance::Allowance;
use super::limits::Limits;
use super::task::Task;
use super::verbosity::Verbosity;
use crate::state::settings::Settings;
use goren_decide::Strength;
use goren_engine::{Budget, Request};

/// The search that a command orders.
#[derive(Debug)]
pub struct SearchOrder {
    /// The task.
    pub task: Task,
    /// The time for it.
    pub allowance: Allowance,
    /// Number of PVs to report.
    pub multi_pv: usize,
    /// Whether to determine for every root move whether it loses.
    pub defend: bool,
    /// Whether to skip root moves that are images of others.
    pub skips_symmetric: bool,
}

impl SearchOrder {
    /// Orders a search for one PV.
    pub fn new(task: Task, allowance: Allowance) -> SearchOrder {
        SearchOrder { task, allowance, multi_pv: 1, defend: false, skips_symmetric: false }
    }

    /// Returns the request for the engine. Pondering has no limits.
    pub fn request(&self, limits: &Limits) -> Request {
        let pondering = self.task == Task::Ponder;
        Request {
            budget: if pondering { Budget::UNLIMITED } else { self.allowance.budget() },
            started: self.allowance.started(),
            max_depth: limits.max_depth.filter(|_| !pondering),
            max_nodes: limits.max_nodes.filter(|_| !pondering),
            threads: limits.threads,
            multi_pv: self.multi_pv,
            defend: self.defend,
            // Some GUIs play the move of an analysis with one PV, so a forced reply must
            // come at once there too.
            move_only: matches!(self.task, Task::Move | Task::Analyse),
            pondering,
            ..Request::default()
        }
    }

    /// The strength to search at.
    pub fn strength(&self, settings: &Settings) -> Strength {
        match self.task {
            Task::Move | Task::Opening | Task::OpeningStep => settings.strength(),
            // gomocalc, which lets the user set the strength, plays with YXNBEST 1.
            Task::Analyse if self.multi_pv == 1 && !self.defend => settings.strength(),
            _ => Strength::FULL,
        }
    }

    /// How much to report.
    pub fn verbosity(&self, settings: &Settings) -> Verbosity {
        match self.task {
            Task::Ponder => Verbosity::Silent,
            _ if settings.marks() => Verbosity::Marks,
            _ => Verbosity::Lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::state::State;
    use goren_protocol::Setting;

    #[test]
    fn a_request_has_the_limits_of_the_settings_except_for_pondering() {
        let mut state = State::default();
        for info in [Setting::MaxNode(900), Setting::MaxDepth(7), Setting::TimeoutTurn(400)] {
            state.settings.apply(&info);
        }
        state.settings.apply(&Setting::Strength(30));
        let limits = state.limits();
        let order = |task| SearchOrder::new(task, limits.allow((10, 225)));
        let request = order(Task::Move).request(&limits);
        assert_eq!(request.budget, limits.clock.budget(10, 225));
        assert_eq!((request.max_nodes, request.max_depth), (Some(900), Some(7)));
        assert!(request.move_only && !request.pondering);
        assert!(!order(Task::Opening).request(&limits).move_only);
        let request = order(Task::Ponder).request(&limits);
        assert_eq!(request.budget, Budget::UNLIMITED);
        assert_eq!((request.max_nodes, request.max_depth), (None, None));
        assert!(request.pondering && !request.move_only);
        let is_full = |order: &SearchOrder| order.strength(&state.settings).is_full();
        let several = SearchOrder { multi_pv: 2, ..order(Task::Analyse) };
        let weak = [Task::Move, Task::Analyse, Task::Opening, Task::OpeningStep].map(order);
        let full = [several, order(Task::Ponder)];
        assert!(!weak.iter().any(is_full) && full.iter().all(is_full));
        assert_eq!(order(Task::Ponder).verbosity(&state.settings), Verbosity::Silent);
    }
}
