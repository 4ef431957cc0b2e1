//! Games that the Gomocup protocol has no words for: any game of the family by
//! `INFO variant`, with its opening by `INFO opening` and who wins a draw by
//! `INFO tie_break`. Plies come and go as coordinates parted by blanks, a number
//! behind them where one is declared, or the words SWAP and PASS; `PLIES` tells
//! a whole game in its own notation.

use goren_protocol::{Ply, Point, Reply};

use super::decide::{Decider, Decision, Means};
use super::thinker::{Lent, Task};
use super::trouble::Trouble;
use super::wire::{act_of, cell_of, ply_of};
use super::{Out, Session, State};
use crate::eval::WeightSet;
use crate::opening::{self, Act, Course};
use crate::rules::{BadGame, Contest, OpeningId, Variant};
use crate::spare;
use crate::types::{Cell, Color};

/// The name that leads back to the games of the Gomocup protocol.
const GOMOCUP: &str = "gomocup";

/// A game in progress, and who decides in it.
pub struct TableGame {
    /// The game.
    pub course: Course,
    /// Who decides.
    pub decider: Decider,
}

/// What `INFO variant`, `INFO opening` and `INFO tie_break` said.
#[derive(Clone, Default, Debug)]
pub(super) struct Wanted {
    variant: Option<Variant>,
    opening: Option<OpeningId>,
    tie_break: bool,
}

impl Wanted {
    /// Notes a game with its usual opening, or that Gomocup's own are wanted.
    ///
    /// # Errors
    /// There is no such game; the one before stays.
    pub(super) fn variant(&mut self, name: &str) -> Result<(), BadGame> {
        self.variant = match name.trim() {
            name if name.eq_ignore_ascii_case(GOMOCUP) => None,
            name => Some(Variant::from_name(name)?),
        };
        (self.opening, self.tie_break) = (None, false);
        Ok(())
    }

    /// Notes an opening.
    ///
    /// # Errors
    /// There is no such opening; the one before stays.
    pub(super) fn opening(&mut self, name: &str) -> Result<(), String> {
        let known = OpeningId::from_name(name.trim());
        self.opening = Some(known.ok_or_else(|| format!("there is no opening {name:?}"))?);
        Ok(())
    }

    /// Notes whether the first to pass wins what would be a draw.
    pub(super) fn tie_break(&mut self, on: bool) {
        self.tie_break = on;
    }

    /// The game to begin on a board, if one was named.
    ///
    /// # Errors
    /// The game does not suit the board or the opening.
    pub(super) fn contest(&self, width: usize, height: usize) -> Option<Result<Contest, BadGame>> {
        let variant = self.variant?;
        // Without passes there is nothing to be broken.
        let tie_break = self.tie_break && variant.sheet().passes;
        let contest = Contest { tie_break, ..Contest::new(variant) };
        let opened = self.opening.map_or(Ok(contest), |opening| contest.opened(opening));
        Some(opened.and_then(|contest| contest.on(width, height)))
    }
}

impl TableGame {
    pub(super) fn new(contest: &Contest, weights: &WeightSet) -> TableGame {
        let decider = Decider::with_weights(contest, weights);
        TableGame { course: Course::new(*contest), decider }
    }

    /// The board of the game, whatever its rules.
    fn setup(&self) -> (usize, usize) {
        let contest = self.course.contest();
        (contest.width, contest.height)
    }

    /// Plays a ply. What it took off the board, in words; `None` if nothing.
    fn play(&mut self, act: &Act) -> Result<Option<String>, Trouble> {
        let before = self.course.stones();
        let events = self.course.events().len();
        self.course.act(act)?;
        let placed = self.course.events().len() - events;
        let now = self.course.stones();
        if matches!(act, Act::Pass | Act::Swap) || now.len() >= before.len() + placed {
            return Ok(None);
        }
        let contest = self.course.contest();
        if matches!(contest.variant, Variant::FourInARow(_)) {
            return Ok(Some("full lines were cleared".to_owned()));
        }
        let gone = before.iter().filter(|stone| !now.contains(stone));
        let names: Vec<String> = gone.map(|(cell, _)| cell.label(contest.height)).collect();
        Ok(Some(format!("off the board: {}", names.join(" "))))
    }
}

impl Session {
    fn table(&mut self) -> Result<&mut TableGame, Trouble> {
        match &mut self.state {
            State::Table(table) => Ok(table),
            _ => Err(Trouble::NoTable),
        }
    }

    /// Begins a game that was named by `INFO variant`.
    pub(super) fn start_table(&mut self, contest: &Contest, out: Out) -> Result<(), Trouble> {
        let same = |table: &TableGame| table.decider.contest() == contest;
        // While there may be no room for it, the game before is kept.
        let mut new = match &self.state {
            State::Table(table) if same(table) && self.weights.in_use() => None,
            _ => Some(Box::new(TableGame::new(contest, self.weights.set()))),
        };
        if let Some(table) = &mut new {
            self.warm_up(|until| table.decider.rehearse(until));
        }
        if spare::is_given_up() {
            return Err(Trouble::NoRoom);
        }
        // Emptying a large table takes a moment.
        out(Reply::Ok);
        self.axes = self.settings.axes();
        self.settings.new_game();
        let mut table = match (new, std::mem::replace(&mut self.state, State::Unstarted)) {
            (None, State::Table(table)) => table,
            (new, _) => {
                new.unwrap_or_else(|| Box::new(TableGame::new(contest, self.weights.set())))
            }
        };
        self.weights.settle();
        table.course = Course::new(*contest);
        table.decider.forget();
        self.memory.clear();
        self.state = State::Table(table);
        Ok(())
    }

    /// The opponent's ply, and then ours.
    pub(super) fn turn_ply(&mut self, ply: &Ply, out: Out) -> Result<(), Trouble> {
        let axes = self.axes;
        let (width, height) = self.table()?.setup();
        let stones = self.table()?.course.events().len();
        self.secure_table(stones, width * height)?;
        let table = self.table()?;
        let act = act_of(&table.course, ply, axes).map_err(Trouble::Outside)?;
        let gone = table.play(&act)?;
        if table.course.result().is_some() {
            table.course.take_back(1);
            return Err(Trouble::Over);
        }
        if let Some(text) = gone {
            out(Reply::Message(text));
        }
        self.think(Task::Move)
    }

    /// The points forbidden to Black in a table game, if he is to move.
    pub(super) fn forbidden_at_table(&self) -> Vec<Cell> {
        let State::Table(table) = &self.state else { return Vec::new() };
        let course = &table.course;
        if course.to_move() == Color::White {
            return Vec::new();
        }
        course.empty().into_iter().filter(|&cell| course.truth().fouls(cell).any()).collect()
    }

    /// Replaces the game by the plies of a line, and answers them.
    pub(super) fn plies(&mut self, texts: &str) -> Result<(), Trouble> {
        let table = self.table()?;
        let mut course = Course::new(*table.course.contest());
        for text in texts.split_whitespace() {
            let played = opening::read(&course, text).and_then(|act| Ok(course.act(&act)?));
            played.map_err(|error| Trouble::Ply { text: text.to_owned(), error })?;
        }
        if course.result().is_some() {
            return Err(Trouble::Over);
        }
        let (width, height) = table.setup();
        self.secure_table(course.events().len(), width * height)?;
        self.table()?.course = course;
        self.think(Task::Move)
    }

    /// Takes the newest ply back, which placed a stone on a point.
    pub(super) fn take_back_ply(&mut self, at: Point, out: Out) -> Result<(), Trouble> {
        let axes = self.axes;
        let table = self.table()?;
        let newest = match table.course.acts().last() {
            Some(Act::Stones { cells, .. }) => cells.clone(),
            Some(Act::Choose { fifth, sixth }) => vec![*fifth, *sixth],
            _ => Vec::new(),
        };
        let cell = cell_of(table.course.contest(), at, axes).map_err(Trouble::Outside)?;
        if !newest.contains(&cell) {
            return Err(Trouble::NotNewest(at));
        }
        table.course.take_back(1);
        out(Reply::Ok);
        Ok(())
    }

    /// The first ply.
    pub(super) fn begin_table(&mut self) -> Result<(), Trouble> {
        if !self.table()?.course.acts().is_empty() {
            return Err(Trouble::NotEmpty);
        }
        self.think(Task::Move)
    }

    /// Plays what was decided, and says why and what it did.
    pub(super) fn answer_ply(&mut self, decision: Option<Decision>, out: Out) {
        let axes = self.axes;
        let over = || Reply::Error(Trouble::Over.to_string());
        let (Some(decision), State::Table(table)) = (decision, &mut self.state) else {
            out(over());
            return;
        };
        let Ok(gone) = table.play(&decision.act) else {
            out(over());
            return;
        };
        for text in decision.why.into_iter().chain(gone) {
            out(Reply::Message(text));
        }
        if let Some(result) = table.course.result() {
            let winner = match result.colors[..] {
                [Color::Black] => "Black wins",
                [Color::White] => "White wins",
                _ => "a draw",
            };
            out(Reply::Message(format!("{winner}: {}", result.reason.name())));
        }
        out(ply_of(&decision.act, axes).into());
    }
}

/// Decides in a table game.
pub(super) fn decide(
    table: &mut TableGame,
    means: &Means<'_>,
    report: &mut dyn FnMut(&crate::search::Report),
) -> Option<Decision> {
    table.decider.decide(&table.course, means, report)
}

impl Lent {
    /// Stones placed so far, the area and the height of the board.
    pub(super) fn measures(&self) -> (usize, usize, usize) {
        match self {
            Lent::Game(game) => {
                let setup = game.setup();
                (game.stones().len(), setup.area(), setup.height)
            }
            Lent::Table(table) | Lent::Opening(table, _) => {
                let (width, height) = table.setup();
                (table.course.events().len(), width * height, height)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_ply_takes_off_the_board_is_told() {
        let told = |game: &str, texts: &str| {
            let contest = Contest::new(Variant::from_name(game).unwrap());
            let contest = contest.opened(OpeningId::Free).unwrap();
            let mut table = TableGame::new(&contest, &WeightSet::default());
            let mut last = None;
            for text in texts.split_whitespace() {
                let act = opening::read(&table.course, text).unwrap();
                last = table.play(&act).unwrap();
            }
            last
        };
        assert_eq!(told("pente", "e5 d5 f5").as_deref(), None);
        assert_eq!(told("pente", "e5 d5 f5 g5").as_deref(), Some("off the board: E5 F5"));
        let row = "a1 b1 c1 d1 e1 f1 g1";
        assert_eq!(told("four-in-a-row+clear", row).as_deref(), None);
        let cleared = told("four-in-a-row+clear", &format!("{row} h1"));
        assert_eq!(cleared.as_deref(), Some("full lines were cleared"));
        assert_eq!(told("four-in-a-row", &format!("{row} h1")), None);
    }

    #[test]
    fn openings_belong_to_the_game_named_before_them() {
        let mut wanted = Wanted::default();
        assert!(wanted.contest(15, 15).is_none());
        wanted.variant("renju").unwrap();
        wanted.opening("rif").unwrap();
        let contest = wanted.contest(15, 15).unwrap().unwrap();
        assert_eq!(contest.opening, OpeningId::Rif);
        wanted.variant("pente").unwrap();
        assert_eq!(wanted.contest(15, 15).unwrap().unwrap().opening, OpeningId::Pro);
        assert!(wanted.variant("chess").is_err() && wanted.opening("castling").is_err());
        assert_eq!(wanted.contest(15, 15).unwrap().unwrap().opening, OpeningId::Pro);
        wanted.opening("rif").unwrap();
        assert!(wanted.contest(15, 15).unwrap().is_err());
        wanted.variant("renju").unwrap();
        wanted.tie_break(true);
        assert!(wanted.contest(15, 15).unwrap().unwrap().tie_break);
        wanted.variant("pente").unwrap();
        assert!(!wanted.contest(15, 15).unwrap().unwrap().tie_break);
        wanted.tie_break(true);
        assert!(!wanted.contest(15, 15).unwrap().unwrap().tie_break);
        wanted.variant("Gomocup").unwrap();
        assert!(wanted.contest(15, 15).is_none());
    }
}
