//! The openings swap2 and Soosorv-8 as the Yixin-Boards talk them: every step
//! is a command of its own, told apart from the game, and answered by MESSAGE
//! lines without any coordinate line. What is decided is decided by the
//! [`Decider`](crate::decide::Decider) of all openings.

use goren_protocol::{Placed, Point, Reply};

use super::super::decide::Decision;
use super::super::job::{Lent, Task};
use super::super::out::Out;
use super::super::position::{Axes, BadList};
use super::super::table_game::TableGame;
use super::super::trouble::Trouble;
use super::super::{Session, State};
use goren_core::opening::{Act, Course};
use goren_core::rules::{Contest, OpeningId, RuleId, Setup, Variant};
use goren_core::types::{Cell, Color, Stone};

/// A step of an opening, with what it says of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Lay three stones of swap2.
    LaySwap2,
    /// Swap, stay, or place two more; the three stones are on the board.
    AnswerSwap2,
    /// Swap or stay after five stones on the board.
    FinishSwap2,
    /// Lay three stones of Soosorv-8.
    Lay,
    /// Swap after these three or stay.
    Swap3(Vec<Point>),
    /// Place the fourth stone and say how many fifths will be offered.
    Fourth(Vec<Point>),
    /// Swap after these four, so many fifths to be offered, or stay.
    Swap4(u32, Vec<Point>),
    /// Offer so many fifths after these four.
    Offer(u32, Vec<Point>),
    /// Keep one of the fifths, which follow the four stones.
    Choose(Vec<Point>),
}

impl Step {
    fn opening(&self) -> OpeningId {
        match self {
            Step::LaySwap2 | Step::AnswerSwap2 | Step::FinishSwap2 => OpeningId::Swap2,
            _ => OpeningId::Soosorv8,
        }
    }

    /// The plies that lead to the step: where nothing but a stone is asked for,
    /// the swap before has been decided.
    fn acts(&self, cells: &[Cell]) -> Result<Vec<Act>, BadList> {
        let stones =
            |cells: &[Cell], count: Option<usize>| Act::Stones { cells: cells.to_vec(), count };
        let figure = |n: usize| -> Result<Act, BadList> {
            match cells.len() == n {
                true => Ok(Act::stones(&cells[..3])),
                false => Err(BadList::Step(cells.len())),
            }
        };
        let fourth = |offers: u32| stones(&cells[3..4], usize::try_from(offers).ok());
        Ok(match self {
            Step::LaySwap2 | Step::Lay => Vec::new(),
            Step::AnswerSwap2 | Step::Swap3(_) => vec![figure(3)?],
            Step::FinishSwap2 => vec![figure(5)?, Act::stones(&cells[3..])],
            Step::Fourth(_) => vec![figure(3)?, Act::Swap],
            Step::Swap4(offers, _) => vec![figure(4)?, fourth(*offers)],
            Step::Offer(offers, _) => vec![figure(4)?, fourth(*offers), Act::Swap],
            Step::Choose(_) => {
                let offers = cells.get(4..).unwrap_or_default();
                if offers.is_empty() {
                    return Err(BadList::Step(cells.len()));
                }
                vec![
                    Act::stones(&cells[..3]),
                    fourth(u32::try_from(offers.len()).unwrap_or(u32::MAX)),
                    Act::Swap,
                    Act::Offer(offers.to_vec()),
                ]
            }
        })
    }

    fn list(&self) -> Option<&[Point]> {
        match self {
            Step::Swap3(list)
            | Step::Fourth(list)
            | Step::Swap4(_, list)
            | Step::Offer(_, list)
            | Step::Choose(list) => Some(list),
            _ => None,
        }
    }

    /// The lines that tell what was decided, after the word MESSAGE.
    fn lines(&self, act: &Act, axes: Axes) -> Vec<String> {
        let at = |cell: Cell| {
            let Point { x, y } = axes.point(cell);
            format!("{x} {y}")
        };
        let swaps = if *act == Act::Swap { "YES" } else { "NO" };
        let placed = |name: &str, first: usize, cells: &[Cell]| -> Vec<String> {
            let line =
                |(i, &cell): (usize, &Cell)| format!("{name} MOVE{} {}", first + i, at(cell));
            cells.iter().enumerate().map(line).collect()
        };
        match (self, act) {
            (Step::LaySwap2, Act::Stones { cells, .. }) => placed("SWAP2", 1, cells),
            (Step::AnswerSwap2, Act::Stones { cells, .. }) if cells.len() == 2 => {
                placed("SWAP2", 4, cells)
            }
            (Step::AnswerSwap2, _) => vec![format!("SWAP2 SWAP1 {swaps}")],
            (Step::FinishSwap2, _) => vec![format!("SWAP2 SWAP2 {swaps}")],
            (Step::Lay, Act::Stones { cells, .. }) => placed("SOOSORV", 1, cells),
            (Step::Swap3(_), _) => vec![format!("SOOSORV SWAP1 {}", &swaps[..1])],
            (Step::Swap4(..), _) => vec![format!("SOOSORV SWAP2 {}", &swaps[..1])],
            (Step::Fourth(_), Act::Stones { cells, count: Some(count) }) if cells.len() == 1 => {
                vec![format!("SOOSORV MOVE4 {} {count}", at(cells[0]))]
            }
            (Step::Offer(..), Act::Offer(cells)) => {
                let fifths = cells.iter().map(|&cell| format!("SOOSORV MOVE5 {}", at(cell)));
                let refresh = std::iter::once("SOOSORV MOVE5 REFRESH".to_owned());
                refresh.chain(fifths).chain(["SOOSORV MOVE5 DONE".to_owned()]).collect()
            }
            (Step::Choose(_), Act::Choose { fifth, .. }) => {
                vec![format!("SOOSORV MOVE5C {}", at(*fifth))]
            }
            _ => Vec::new(),
        }
    }
}

impl Session {
    /// Thinks about the step of an opening that a command asks for. The game stays
    /// as it is.
    pub(crate) fn step(&mut self, command: &'static str, step: Step) -> Result<(), Trouble> {
        if matches!(step, Step::AnswerSwap2 | Step::FinishSwap2) {
            self.not_refused()?;
        }
        let (axes, rule) = (self.axes(), self.settings.variant()?.rule);
        let setup = Setup { rule, ..self.board_of_ours(command)? };
        let game = self.idle()?;
        let cells = match step.list() {
            Some(list) => {
                let read = |&at| axes.cell(at, &setup).ok_or(BadList::Outside(at));
                list.iter().map(read).collect::<Result<Vec<Cell>, BadList>>()?
            }
            None => by_turns(&game.stones()),
        };
        let opening = step.opening();
        let rule = if opening == OpeningId::Soosorv8 { RuleId::Renju } else { rule };
        let contest = Contest::new(Variant::Five(rule));
        let contest = contest.opened(opening)?.on(setup.width, setup.height)?;
        let mut course = Course::new(contest);
        for act in step.acts(&cells)? {
            course.act(&act)?;
        }
        let known = self
            .dialogue
            .take()
            .filter(|table| *table.decider.contest() == contest && self.weights.in_use());
        let mut table = match known {
            Some(table) => table,
            None => Box::new(TableGame::new(&contest, self.weights.set(), &self.hash)),
        };
        table.course = course;
        self.look_up_meanwhile(Some(setup));
        self.step_stones = cells.iter().map(|&cell| axes.point(cell)).collect();
        match std::mem::replace(&mut self.state, State::Unstarted) {
            State::Idle(game) => {
                self.step = Some(step);
                let request = self.request();
                self.think_about(Lent::Opening(table, game), Task::Dialogue, request)
            }
            other => {
                self.state = other;
                Err(Trouble::NotStarted)
            }
        }
    }

    /// Whether a position is the one that the step at hand is about. Fifths that
    /// are offered may be shown or not.
    pub(crate) fn is_of_the_step(&self, shown: &[Placed]) -> bool {
        let stones = match self.step {
            Some(Step::Choose(_)) => self.step_stones.get(..4),
            _ => Some(&self.step_stones[..]),
        };
        let is_shown = |at: &Point| shown.iter().any(|placed| placed.at == *at);
        stones.is_some_and(|stones| stones.iter().all(is_shown))
            && shown.iter().all(|placed| self.step_stones.contains(&placed.at))
    }

    /// Tells what was decided in a step.
    pub(crate) fn answer_step(&mut self, step: &Step, decision: Option<Decision>, out: Out) {
        let Some(decision) = decision else {
            out(Reply::Error(Trouble::Over.to_string()));
            return;
        };
        for why in decision.why {
            out(Reply::Message(format!("opening: {why}")));
        }
        for line in step.lines(&decision.act, self.axes()) {
            out(Reply::Message(line));
        }
    }
}

/// The stones of a position, Black's and White's by turns as they came.
fn by_turns(stones: &[(Cell, Stone)]) -> Vec<Cell> {
    let of = |color| {
        let own = stones.iter().filter(move |(_, stone)| *stone == Stone::Of(color));
        own.map(|&(cell, _)| cell)
    };
    let (mut black, mut white) = (of(Color::Black), of(Color::White));
    let mut cells = Vec::new();
    loop {
        let pair = [black.next(), white.next()];
        if pair == [None; 2] {
            return cells;
        }
        cells.extend(pair.into_iter().flatten());
    }
}
