//! A game in progress by the rules: seats, colours, openings, passes, the end.

use super::action::{Action, IllegalAction};
use super::figures::{Figures, has_twins};
use super::pending_decision::{Choice, PendingDecision, Zone};
use super::progress::OpeningProgress;
use super::seat::Seat;
use crate::rules::Contest;
use crate::rules::referee::{End, IllegalMove, PlyEnd, Reason, Referee, referee};
use crate::types::{Cell, CellSet, Color, Stone};

/// The result of a game, by seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Result {
    /// The seats that won; both in a draw.
    pub seats: Vec<Seat>,
    /// Their colours.
    pub colors: Vec<Color>,
    /// The reason of the end.
    pub reason: Reason,
    /// The winning lines.
    pub lines: Vec<Vec<Cell>>,
}

impl Result {
    /// Whether the game is drawn.
    pub fn is_draw(&self) -> bool {
        self.seats.len() == 2
    }
}

/// An event on the board: a stone or a pass.
///
/// In serde formats it is `{"stone": [[x, y], "black"]}` or `"pass"`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Event {
    /// A stone was placed.
    Stone(Cell, Color),
    /// A side passed.
    Pass,
}

/// The start of a game.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Beginning {
    /// Stones and walls, in an order in which they may have been placed.
    pub(super) laid: Vec<(Cell, Stone)>,
    /// The side to move.
    pub(super) to_move: Color,
    /// Number of stones that it places in its turn.
    pub(super) left: usize,
}

/// A game from its first ply on. It begins with the empty board, or with a position of unknown
/// move order.
///
/// In serde formats it is `{"contest": ..., "beginning": ..., "actions": [...]}`.
/// Deserialising fails if a stone or a ply is illegal. It does not check whether the game
/// was already over before its first ply.
#[derive(Clone, Debug)]
pub struct GameState {
    pub(super) contest: Contest,
    pub(super) beginning: Beginning,
    referee: Box<dyn Referee>,
    progress: OpeningProgress,
    /// The seat that plays Black.
    black: Seat,
    to_move: Color,
    pub(super) actions: Vec<Action>,
    events: Vec<Event>,
    /// The seat that made the first real pass.
    first_passer: Option<Seat>,
    pub(super) result: Option<Result>,
}

impl GameState {
    /// A game that begins with the empty board.
    pub fn new(contest: Contest) -> GameState {
        let beginning = Beginning { laid: Vec::new(), to_move: Color::Black, left: 1 };
        GameState::on(referee(&contest), contest, beginning)
    }

    /// A game before its first ply; the board already has the stones of the beginning.
    pub(super) fn on(
        referee: Box<dyn Referee>,
        contest: Contest,
        beginning: Beginning,
    ) -> GameState {
        let Beginning { to_move, left, .. } = beginning;
        let is_stone = |(_, stone): &&(Cell, Stone)| matches!(stone, Stone::Of(_));
        let stones = beginning.laid.iter().filter(is_stone).count();
        GameState {
            contest,
            beginning,
            referee,
            progress: OpeningProgress::new(contest, left, stones),
            black: if to_move == Color::Black { Seat::First } else { Seat::Second },
            to_move,
            actions: Vec::new(),
            events: Vec::new(),
            first_passer: None,
            result: None,
        }
    }

    /// The game, with its board and opening.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// The plies so far.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The stones in the order they were placed, and passes.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The stones and walls that the game began with, in an order in which they may have been
    /// placed.
    pub fn setup_stones(&self) -> &[(Cell, Stone)] {
        &self.beginning.laid
    }

    /// The side to move when the game began.
    pub fn first_to_move(&self) -> Color {
        self.beginning.to_move
    }

    /// All stones and walls that the game began with or that were placed since, in order, including
    /// those captured since.
    pub fn placed(&self) -> Vec<(Cell, Stone)> {
        let stone = |event: &Event| match *event {
            Event::Stone(cell, color) => Some((cell, Stone::Of(color))),
            Event::Pass => None,
        };
        self.beginning.laid.iter().copied().chain(self.events.iter().filter_map(stone)).collect()
    }

    /// Whether the game began with the empty board and no ply was played.
    pub fn is_fresh(&self) -> bool {
        self.beginning.laid.is_empty() && self.actions.is_empty()
    }

    /// The result, if the game is over.
    pub fn result(&self) -> Option<&Result> {
        self.result.as_ref()
    }

    /// The stone or wall on a point; `None` if it is empty or not on the board.
    pub fn stone(&self, cell: Cell) -> Option<Stone> {
        self.referee.stone(cell)
    }

    /// The stones on the board, in order of cells.
    pub fn stones(&self) -> Vec<(Cell, Color)> {
        let color = |cell| match self.stone(cell) {
            Some(Stone::Of(color)) => Some((cell, color)),
            _ => None,
        };
        self.cells().iter().filter_map(color).collect()
    }

    fn cells(&self) -> CellSet {
        CellSet::board(self.contest.width, self.contest.height)
    }

    /// The board and its rules.
    pub fn referee(&self) -> &dyn Referee {
        &*self.referee
    }

    /// The seat that has a colour.
    pub fn owner(&self, color: Color) -> Seat {
        match color {
            Color::Black => self.black,
            Color::White => !self.black,
        }
    }

    /// Converts a pair for Black and White to a pair by seats.
    pub fn by_seat<T>(&self, [black, white]: [T; 2]) -> [T; 2] {
        match self.black {
            Seat::First => [black, white],
            Seat::Second => [white, black],
        }
    }

    /// The seat to act. The seats always alternate.
    pub fn seat(&self) -> Seat {
        Seat::ALL[self.actions.len() % 2]
    }

    /// The colour whose stone or answer is due.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Number of stones in a turn of the side to move, regardless of the opening.
    pub fn stones_due(&self) -> usize {
        if self.events.is_empty() { self.beginning.left } else { self.contest.variant.turn() }
    }

    /// The fifths on offer.
    pub fn offers(&self) -> &[Cell] {
        &self.progress.offers
    }

    /// The number of fifths that was declared.
    pub fn declared(&self) -> Option<usize> {
        self.progress.declared
    }

    /// The seat that wins a game that would be drawn: the first to pass, if the contest has the
    /// tie break. `None` if nobody has passed.
    pub fn tie_breaker(&self) -> Option<Seat> {
        self.first_passer.filter(|_| self.contest.tie_break)
    }

    /// The centre of the board; with even sides, the point to the lower right of the middle.
    pub fn centre(&self) -> Cell {
        Cell::new(self.contest.width / 2, self.contest.height / 2)
    }

    /// What the seat to act may do; `None` when the game is over.
    pub fn pending_decision(&self) -> Option<PendingDecision> {
        if self.result.is_some() {
            return None;
        }
        let swap = self.progress.swap_on_offer();
        let passes = self.contest.variant.sheet().passes;
        Some(PendingDecision {
            seat: self.seat(),
            color: self.to_move,
            swap,
            pass: !swap && passes && self.progress.pass_allowed(),
            choices: self.progress.choices(self.to_move),
        })
    }

    /// Plays a ply of the seat to act.
    ///
    /// # Errors
    /// The ply is illegal; nothing changes.
    pub fn apply(&mut self, action: &Action) -> std::result::Result<(), IllegalAction> {
        let pending = self.pending_decision().ok_or(IllegalMove::GameOver)?;
        let mut referee = self.referee.clone();
        let mut to_move = self.to_move;
        let mut black = self.black;
        let mut events = Vec::new();
        match action {
            Action::Swap if !pending.swap => return Err(IllegalAction::NoSwap),
            Action::Swap => black = !black,
            Action::Pass if !pending.pass => return Err(IllegalAction::NoPass),
            Action::Pass => {
                to_move = !to_move;
                events.push(Event::Pass);
            }
            Action::Stones { cells, count } => {
                let colors = self.check_stones(&pending, cells, *count)?;
                referee.check_turn(cells)?;
                for (&cell, &color) in cells.iter().zip(&colors) {
                    referee.place(color, cell)?;
                    events.push(Event::Stone(cell, color));
                    to_move = !color;
                }
                // Swap-2: the seat that answers with two stones has Black for the time being, and
                // the other seat chooses.
                if pending.choices.len() > 1 && colors == [Color::White, Color::Black] {
                    black = !black;
                }
            }
            Action::Offer(cells) => {
                self.check_offer(&pending, cells)?;
                to_move = Color::White;
            }
            Action::Choose { fifth, sixth } => {
                if !pending.choices.contains(&Choice::Choose) {
                    return Err(IllegalAction::TooMany);
                }
                if !self.offers().contains(fifth) {
                    return Err(IllegalAction::NotOffered);
                }
                referee.place(Color::Black, *fifth)?;
                referee.place(Color::White, *sixth)?;
                events.push(Event::Stone(*fifth, Color::Black));
                events.push(Event::Stone(*sixth, Color::White));
                to_move = Color::Black;
            }
        }
        let two_passes = *action == Action::Pass && self.actions.last() == Some(&Action::Pass);
        if *action == Action::Pass {
            self.first_passer.get_or_insert(pending.seat);
        }
        self.progress.go(action);
        self.actions.push(action.clone());
        self.events.extend(events);
        (self.referee, self.black, self.to_move) = (referee, black, to_move);
        let mover =
            if self.owner(Color::Black) == pending.seat { Color::Black } else { Color::White };
        let end = if two_passes {
            Some(End::draw(Reason::TwoPasses))
        } else {
            self.referee.end_ply(PlyEnd { mover, to_move, seat: self.seat().index() })
        };
        self.result = end.map(|end| self.by_seats(end));
        Ok(())
    }

    pub(super) fn by_seats(&self, end: End) -> Result {
        let seats: Vec<Seat> = match &end.winners[..] {
            [] if self.contest.tie_break => {
                vec![self.first_passer.unwrap_or_else(|| self.owner(Color::White))]
            }
            [] => Seat::ALL.to_vec(),
            winners => {
                let is_winner = |seat: &Seat| winners.iter().any(|&c| self.owner(c) == *seat);
                Seat::ALL.into_iter().filter(is_winner).collect()
            }
        };
        let has_won = |color: &Color| seats.contains(&self.owner(*color));
        let colors = Color::ALL.into_iter().filter(has_won).collect();
        Result { seats, colors, reason: end.reason, lines: end.lines }
    }

    /// The colours of the stones of an action, if it fits one of the choices.
    fn check_stones(
        &self,
        pending: &PendingDecision,
        cells: &[Cell],
        count: Option<usize>,
    ) -> std::result::Result<Vec<Color>, IllegalAction> {
        if (1..cells.len()).any(|i| cells[..i].contains(&cells[i])) {
            return Err(IllegalAction::Twice);
        }
        for &cell in cells {
            if !self.cells().contains(cell) {
                return Err(IllegalMove::Outside.into());
            }
        }
        let mut largest = 0;
        for choice in &pending.choices {
            let colors = choice.colors();
            largest = largest.max(colors.len());
            if colors.len() != cells.len() {
                continue;
            }
            match choice {
                Choice::Stones { zone, .. } => {
                    if !cells.iter().all(|&cell| self.in_zone(*zone, cell)) {
                        return Err(IllegalAction::OutsideZone);
                    }
                }
                Choice::Figure { figures, .. } => self.check_figure(*figures, cells)?,
                Choice::Offer { .. } | Choice::Choose => continue,
            }
            match (choice.declares(), count) {
                (None, Some(_)) => return Err(IllegalAction::NeedlessCount),
                (Some(_), None) => return Err(IllegalAction::NoCount),
                (Some((least, most)), Some(n)) if !(least..=most).contains(&n) => {
                    return Err(IllegalAction::BadCount { least, most });
                }
                _ => return Ok(colors),
            }
        }
        Err(if cells.len() < largest { IllegalAction::TooFew } else { IllegalAction::TooMany })
    }

    fn check_figure(
        &self,
        figures: Figures,
        cells: &[Cell],
    ) -> std::result::Result<(), IllegalAction> {
        let &[first, second, third] = cells else { return Err(IllegalAction::NoFigure) };
        let known = figures.contain(self.centre(), [first, second, third]);
        if known { Ok(()) } else { Err(IllegalAction::NoFigure) }
    }

    fn check_offer(
        &self,
        pending: &PendingDecision,
        cells: &[Cell],
    ) -> std::result::Result<(), IllegalAction> {
        let required = pending.choices.iter().find_map(|choice| match choice {
            Choice::Offer { count } => Some(*count),
            _ => None,
        });
        let Some(required) = required else { return Err(IllegalAction::TooMany) };
        if (1..cells.len()).any(|i| cells[..i].contains(&cells[i])) {
            return Err(IllegalAction::Twice);
        }
        for &cell in cells {
            self.referee.check(Color::Black, cell)?;
        }
        match cells.len() {
            n if n < required => Err(IllegalAction::TooFew),
            n if n > required => Err(IllegalAction::TooMany),
            _ if self.has_twins(cells) => Err(IllegalAction::Symmetric),
            _ => Ok(()),
        }
    }

    /// Whether a zone of the opening allows a stone on a cell.
    fn in_zone(&self, zone: Zone, cell: Cell) -> bool {
        let centre = self.centre();
        let away = cell.steps_to(centre);
        match zone {
            Zone::Anywhere => true,
            Zone::Within(reach) => away <= reach,
            Zone::Beyond(reach) => away > reach,
            Zone::Second(figures) => figures.has_second(centre, cell),
            Zone::Third(figures) => {
                let seconds = self.stones().into_iter().filter(|stone| stone.1 == Color::White);
                seconds.into_iter().any(|(second, _)| figures.has_third(centre, second, cell))
            }
        }
    }

    /// The cells where a single stone may be placed now, in order.
    pub fn placements(&self) -> Vec<Cell> {
        let Some(pending) = self.pending_decision() else { return Vec::new() };
        let single = pending.choices.iter().find_map(|choice| match choice {
            Choice::Stones { colors, zone, .. } if colors.len() == 1 => Some((colors[0], *zone)),
            _ => None,
        });
        let Some((color, zone)) = single else { return Vec::new() };
        let legal =
            |&cell: &Cell| self.in_zone(zone, cell) && self.referee.check(color, cell).is_ok();
        self.cells().iter().filter(legal).collect()
    }

    /// Whether two of these points are equivalent by a symmetry of the stones.
    pub fn has_twins(&self, points: &[Cell]) -> bool {
        has_twins(&self.stones(), points)
    }

    /// Whether the opening allows a stone of a pair on a cell.
    pub fn in_pair_zone(&self, cell: Cell) -> bool {
        let Some(pending) = self.pending_decision() else { return false };
        pending.choices.iter().any(|choice| match choice {
            Choice::Stones { colors, zone, .. } => colors.len() == 2 && self.in_zone(*zone, cell),
            _ => false,
        })
    }

    /// The number of legal plies, including swap and pass. `None` if they are too many to list:
    /// several stones at once, or offers. Offers are not counted if a single stone may be placed
    /// as well.
    pub fn count(&self) -> Option<usize> {
        let Some(pending) = self.pending_decision() else { return Some(0) };
        let range = |declare: Option<(usize, usize)>| declare.map_or(1, |(a, b)| b - a + 1);
        let mut count = (pending.swap || pending.pass) as usize;
        let several = pending.choices.len() > 1;
        for choice in &pending.choices {
            count += match choice {
                Choice::Stones { colors, .. } if colors.len() > 1 => return None,
                Choice::Stones { declare, .. } => self.placements().len() * range(*declare),
                Choice::Figure { declare, .. } => self.figures().len() * range(*declare),
                Choice::Offer { .. } if several => 0,
                Choice::Offer { .. } => return None,
                Choice::Choose => self.offers().len() * (self.empty().len() - 1),
            };
        }
        Some(count)
    }

    /// The three-stone openings that may be placed as the first ply (renju).
    pub fn figures(&self) -> Vec<[Cell; 3]> {
        let choices = self.pending_decision().map_or(Vec::new(), |pending| pending.choices);
        let allowed = choices.iter().find_map(|choice| match choice {
            Choice::Figure { figures, .. } => Some(figures.all(self.centre(), &self.cells())),
            _ => None,
        });
        allowed.unwrap_or_default()
    }

    /// The empty cells.
    pub fn empty(&self) -> Vec<Cell> {
        self.cells().iter().filter(|&cell| self.stone(cell).is_none()).collect()
    }
}
