//! Steps of an opening, each a command of the Yixin-Boards.

use goren_protocol::Point;

use crate::wire::Axes;
use crate::wire::position::BadList;
use goren_core::opening::Action;
use goren_core::rules::OpeningId;
use goren_core::types::Cell;

/// A step of an opening, with the stones that its command names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Place the three stones of swap2.
    LaySwap2,
    /// Swap, stay, or place two more stones, after three on the board.
    AnswerSwap2,
    /// Swap or stay, after five stones on the board.
    FinishSwap2,
    /// Place the three stones of Soosorv-8.
    Lay,
    /// Swap or stay after these three stones.
    Swap3(Vec<Point>),
    /// Place the fourth stone and declare a number of fifths, after these three stones.
    Fourth(Vec<Point>),
    /// Swap or stay after these four stones and the declared number of fifths.
    Swap4(u32, Vec<Point>),
    /// Offer this number of fifths after these four stones.
    Offer(u32, Vec<Point>),
    /// Keep one of the fifths, which follow the four stones in the list.
    Choose(Vec<Point>),
}

impl Step {
    /// The opening that the step belongs to.
    pub(super) fn opening(&self) -> OpeningId {
        match self {
            Step::LaySwap2 | Step::AnswerSwap2 | Step::FinishSwap2 => OpeningId::Swap2,
            _ => OpeningId::Soosorv8,
        }
    }

    /// The actions that lead to the step. A step that asks only for stones comes after the
    /// decision to swap.
    pub(super) fn actions(&self, cells: &[Cell]) -> Result<Vec<Action>, BadList> {
        let stones =
            |cells: &[Cell], count: Option<usize>| Action::Stones { cells: cells.to_vec(), count };
        let first_three = |n: usize| -> Result<Action, BadList> {
            if cells.len() == n {
                Ok(Action::stones(&cells[..3]))
            } else {
                Err(BadList::Step(cells.len()))
            }
        };
        let fourth = |offers: u32| stones(&cells[3..4], usize::try_from(offers).ok());
        Ok(match self {
            Step::LaySwap2 | Step::Lay => Vec::new(),
            Step::AnswerSwap2 | Step::Swap3(_) => vec![first_three(3)?],
            Step::FinishSwap2 => vec![first_three(5)?, Action::stones(&cells[3..])],
            Step::Fourth(_) => vec![first_three(3)?, Action::Swap],
            Step::Swap4(offers, _) => vec![first_three(4)?, fourth(*offers)],
            Step::Offer(offers, _) => vec![first_three(4)?, fourth(*offers), Action::Swap],
            Step::Choose(_) => {
                let offers = cells.get(4..).unwrap_or_default();
                if offers.is_empty() {
                    return Err(BadList::Step(cells.len()));
                }
                vec![
                    Action::stones(&cells[..3]),
                    fourth(u32::try_from(offers.len()).unwrap_or(u32::MAX)),
                    Action::Swap,
                    Action::Offer(offers.to_vec()),
                ]
            }
        })
    }

    /// The points that the command names; `None` if the stones are on the board.
    pub(super) fn list(&self) -> Option<&[Point]> {
        match self {
            Step::Swap3(list)
            | Step::Fourth(list)
            | Step::Swap4(_, list)
            | Step::Offer(_, list)
            | Step::Choose(list) => Some(list),
            _ => None,
        }
    }

    /// The lines of the answer, without the word MESSAGE.
    pub(super) fn lines(&self, action: &Action, axes: Axes) -> Vec<String> {
        let at = |cell: Cell| {
            let Point { x, y } = axes.point(cell);
            format!("{x} {y}")
        };
        let swaps = if *action == Action::Swap { "YES" } else { "NO" };
        let placed = |name: &str, first: usize, cells: &[Cell]| -> Vec<String> {
            let line =
                |(i, &cell): (usize, &Cell)| format!("{name} MOVE{} {}", first + i, at(cell));
            cells.iter().enumerate().map(line).collect()
        };
        match (self, action) {
            (Step::LaySwap2, Action::Stones { cells, .. }) => placed("SWAP2", 1, cells),
            (Step::AnswerSwap2, Action::Stones { cells, .. }) if cells.len() == 2 => {
                placed("SWAP2", 4, cells)
            }
            (Step::AnswerSwap2, _) => vec![format!("SWAP2 SWAP1 {swaps}")],
            (Step::FinishSwap2, _) => vec![format!("SWAP2 SWAP2 {swaps}")],
            (Step::Lay, Action::Stones { cells, .. }) => placed("SOOSORV", 1, cells),
            (Step::Swap3(_), _) => vec![format!("SOOSORV SWAP1 {}", &swaps[..1])],
            (Step::Swap4(..), _) => vec![format!("SOOSORV SWAP2 {}", &swaps[..1])],
            (Step::Fourth(_), Action::Stones { cells, count: Some(count) }) if cells.len() == 1 => {
                vec![format!("SOOSORV MOVE4 {} {count}", at(cells[0]))]
            }
            (Step::Offer(..), Action::Offer(cells)) => {
                let fifths = cells.iter().map(|&cell| format!("SOOSORV MOVE5 {}", at(cell)));
                let refresh = std::iter::once("SOOSORV MOVE5 REFRESH".to_owned());
                refresh.chain(fifths).chain(["SOOSORV MOVE5 DONE".to_owned()]).collect()
            }
            (Step::Choose(_), Action::Choose { fifth, .. }) => {
                vec![format!("SOOSORV MOVE5C {}", at(*fifth))]
            }
            _ => Vec::new(),
        }
    }
}
