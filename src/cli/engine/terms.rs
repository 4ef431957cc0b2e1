//! Terms of a game, and the commands that announce them.

use goren_protocol::{Command, Setting};

use goren_core::rules::{Contest, RuleId, Setup};

/// A game and the commands it is played with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Terms {
    /// Five in a row from the first stone on, in plain Gomocup commands, which every engine
    /// understands.
    Gomocup(Setup),
    /// Any game and opening of the family, in Goren's extension of the protocol.
    Family(Contest),
}

impl From<Setup> for Terms {
    fn from(setup: Setup) -> Terms {
        Terms::Gomocup(setup)
    }
}

impl Terms {
    /// Returns the game with its board and opening.
    pub fn contest(self) -> Contest {
        match self {
            Terms::Gomocup(setup) => Contest::five(setup),
            Terms::Family(contest) => contest,
        }
    }

    /// Returns the `INFO` lines that name the game before `START`; empty in plain Gomocup.
    pub(crate) fn info_lines(self) -> String {
        let Terms::Family(Contest { variant, opening, tie_break, .. }) = self else {
            return String::new();
        };
        let mut infos =
            vec![Setting::Variant(variant.to_string()), Setting::Opening(opening.to_string())];
        infos.extend(tie_break.then_some(Setting::TieBreak(true)));
        infos.into_iter().map(|info| Command::Info(info).to_wire()).collect()
    }

    /// Returns the command that begins a game on its board.
    pub(crate) fn start(self) -> Command {
        let Contest { width, height, .. } = self.contest();
        let (width, height) = (width as u32, height as u32);
        if width == height {
            Command::Start { width, height }
        } else {
            Command::RectStart { width, height }
        }
    }

    /// Returns the rule if it is sent by its number, as in plain Gomocup.
    pub(crate) fn rule(self) -> Option<RuleId> {
        match self {
            Terms::Gomocup(setup) => Some(setup.rule),
            Terms::Family(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{OpeningId, Variant};

    #[test]
    fn games_beyond_gomocup_are_named_before_the_start() {
        let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
        assert_eq!(Terms::from(setup).info_lines(), "");
        let contest = Contest::new(Variant::from_name("connect6+torus").unwrap());
        let contest = Contest { tie_break: true, ..contest.opened(OpeningId::Free).unwrap() };
        let terms = Terms::Family(contest);
        let expected = "INFO variant connect6+torus\nINFO opening free\nINFO tie_break 1\n";
        assert_eq!(terms.info_lines(), expected);
        assert_eq!(terms.start().to_wire(), "START 15\n");
        let four = Contest::new(Variant::from_name("four-in-a-row").unwrap()).on(7, 6).unwrap();
        assert_eq!(Terms::Family(four).start().to_wire(), "RECTSTART 7,6\n");
        assert_eq!((Terms::from(setup).rule(), terms.rule()), (Some(RuleId::Renju), None));
    }
}
