//! Verdict on the claims of an engine about a puzzle.

use std::fmt;
use std::time::Duration;

use super::puzzle::SuitePuzzle;
use crate::engine::FirstClaims;
use goren_notation::words::plural;

/// Delay beyond the budget within which a claim still counts: pipes and process
/// switches cost time.
const TOLERANCE: Duration = Duration::from_millis(30);

/// Budget of an engine for a puzzle.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum PuzzleLimit {
    Time(Duration),
    Nodes(u64),
}

impl fmt::Display for PuzzleLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PuzzleLimit::Time(time) => write!(f, "{} ms", time.as_millis()),
            PuzzleLimit::Nodes(nodes) => f.write_str(&plural(*nodes, "node", "nodes")),
        }
    }
}

/// Result of one engine's search of one puzzle.
#[derive(Clone, Default, Debug)]
pub(super) struct Attempt {
    pub(super) claims: FirstClaims,
    /// Time of the whole search.
    pub(super) elapsed: Duration,
    /// Nodes of the whole search, 0 if unknown.
    pub(super) nodes: u64,
    /// Why there was no answer.
    pub(super) failure: Option<String>,
    /// A complaint of the engine.
    pub(super) complaint: Option<String>,
}

impl Attempt {
    /// Whether there was no answer.
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Removes the claims that came too late.
    pub(super) fn within(mut self, budget: PuzzleLimit) -> Attempt {
        if let PuzzleLimit::Time(time) = budget {
            let FirstClaims { win, loss } = &mut self.claims;
            for claim in [win, loss] {
                *claim = claim.filter(|claim| claim.after <= time + TOLERANCE);
            }
        }
        self
    }

    pub(super) fn verdict(&self, puzzle: &SuitePuzzle) -> AttemptVerdict {
        let FirstClaims { win, loss } = self.claims;
        let (right, wrong) = if puzzle.is_win() {
            (win.is_some(), loss.is_some())
        } else {
            // A trap is solved by any answer but the claim of a win.
            (self.failure.is_none(), win.is_some())
        };
        match (right, wrong) {
            (_, true) => AttemptVerdict::Wrong,
            (true, false) => AttemptVerdict::Solved,
            (false, false) => AttemptVerdict::Unsolved,
        }
    }
}

/// Verdict on an attempt.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum AttemptVerdict {
    /// A win was claimed where there is one, or none where there is none.
    Solved,
    /// The opposite of the truth was claimed.
    Wrong,
    /// Neither.
    Unsolved,
}

impl AttemptVerdict {
    pub(super) const fn name(self) -> &'static str {
        match self {
            AttemptVerdict::Solved => "solved",
            AttemptVerdict::Wrong => "wrong",
            AttemptVerdict::Unsolved => "unsolved",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::puzzle::Tier;
    use super::*;
    use crate::engine::ResultClaim;
    use crate::variant::terms_of;
    use goren_core::opening::GameState;

    fn puzzle(tier: Tier) -> SuitePuzzle {
        let terms = terms_of("freestyle", None).unwrap();
        let game_state = GameState::new(terms.contest());
        SuitePuzzle { line: 1, terms, rule: None, pos: String::new(), game_state, tier }
    }

    fn claim(ms: u64) -> Option<ResultClaim> {
        Some(ResultClaim { after: Duration::from_millis(ms), plies: 5, nodes: 0 })
    }

    #[test]
    fn claims_are_judged_by_the_truth() {
        let attempt =
            |win, loss| Attempt { claims: FirstClaims { win, loss }, ..Attempt::default() };
        let (win, trap) = (puzzle(Tier::Hard), puzzle(Tier::Trap));
        for (claims, of_win, of_trap) in [
            ((None, None), AttemptVerdict::Unsolved, AttemptVerdict::Solved),
            ((claim(1), None), AttemptVerdict::Solved, AttemptVerdict::Wrong),
            ((None, claim(1)), AttemptVerdict::Wrong, AttemptVerdict::Solved),
            ((claim(2), claim(1)), AttemptVerdict::Wrong, AttemptVerdict::Wrong),
        ] {
            let attempt = attempt(claims.0, claims.1);
            assert_eq!(attempt.verdict(&win), of_win, "{claims:?}");
            assert_eq!(attempt.verdict(&trap), of_trap, "{claims:?}");
        }
        let failed = Attempt { failure: Some("ended".into()), ..Attempt::default() };
        assert_eq!(failed.verdict(&win), AttemptVerdict::Unsolved);
        assert_eq!(failed.verdict(&trap), AttemptVerdict::Unsolved);
    }

    #[test]
    fn late_claims_do_not_count() {
        let attempt = |ms| Attempt {
            claims: FirstClaims { win: claim(ms), loss: claim(ms) },
            ..Attempt::default()
        };
        let budget = PuzzleLimit::Time(Duration::from_millis(100));
        assert!(attempt(130).within(budget).claims.win.is_some());
        assert_eq!(attempt(131).within(budget).claims, FirstClaims::default());
        assert!(attempt(131).within(PuzzleLimit::Nodes(1)).claims.loss.is_some());
    }
}
