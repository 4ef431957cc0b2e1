//! Games that the Gomocup protocol has no words for: any game of the family by
//! `INFO variant`, with its opening by `INFO opening` and who wins a draw by
//! `INFO tie_break`. Plies come and go as coordinates parted by blanks, a number
//! behind them where one is declared, or the words SWAP and PASS; `PLIES` tells
//! a whole game in its own notation.

use goren_protocol::{Ply, Point, Reply};

use super::decide::{Decider, Decision};
use super::thinker::{Lent, Task};
use super::trouble::Trouble;
use super::wire::{act_of, cell_of, name, ply_of};
use super::{Out, REHEARSAL, Session, State};
use goren_core::opening::{self, Act, Course};
use goren_core::rules::referee::Reason;
use goren_core::rules::{BadGame, Contest, OpeningId, Variant};
use goren_core::types::{Cell, Color};
use goren_engine::{Hash, Report, Request, WeightSet, spare};

/// The name that leads back to the games of the Gomocup protocol.
const GOMOCUP: &str = "gomocup";

/// A game in progress, and who decides in it.
pub struct TableGame {
    /// The game.
    pub course: Course,
    /// Who decides.
    pub decider: Decider,
}

/// Why no game can begin that `INFO` lines asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadWish {
    /// There is no such game, or it does not suit the board or the opening.
    #[error(transparent)]
    Game(#[from] BadGame),
    /// There is no opening of this name.
    #[error("there is no opening {0:?}")]
    Opening(String),
    /// The games of the Gomocup protocol have no openings of their own.
    #[error("INFO opening {0} needs a game named by INFO variant")]
    NoGame(OpeningId),
    /// A value that is none.
    #[error("INFO {key} {value:?} cannot be read")]
    Unreadable {
        /// The key.
        key: String,
        /// What was said.
        value: String,
    },
}

/// What `INFO variant`, `INFO opening` and `INFO tie_break` said last. What is
/// not known is kept as well: no other game may begin in its place.
#[derive(Clone, Default, Debug)]
pub(super) struct Wanted {
    variant: Option<Result<Variant, BadWish>>,
    opening: Option<Result<OpeningId, BadWish>>,
    tie_break: Option<Result<bool, BadWish>>,
}

impl Wanted {
    /// Notes a game with its usual opening, or that Gomocup's own are wanted. An
    /// opening belongs to the game named before it, if there is one.
    ///
    /// # Errors
    /// There is no such game; none can begin until another is named.
    pub(super) fn variant(&mut self, name: &str) -> Result<(), BadWish> {
        let gomocup = name.trim().eq_ignore_ascii_case(GOMOCUP);
        if gomocup || matches!(self.variant, Some(Ok(_))) {
            (self.opening, self.tie_break) = (None, None);
        }
        let known = || Variant::from_name(name.trim()).map_err(BadWish::from);
        self.variant = (!gomocup).then(known);
        self.variant.clone().transpose().map(drop)
    }

    /// Notes an opening.
    ///
    /// # Errors
    /// There is no such opening; no game can begin until another is named.
    pub(super) fn opening(&mut self, name: &str) -> Result<(), BadWish> {
        let known = OpeningId::from_name(name.trim());
        self.opening = Some(known.ok_or_else(|| BadWish::Opening(name.trim().to_owned())));
        self.opening.clone().transpose().map(drop)
    }

    /// Notes whether the first to pass wins what would be a draw.
    pub(super) fn tie_break(&mut self, on: bool) {
        self.tie_break = Some(Ok(on));
    }

    /// Notes that the value of a key could not be read.
    pub(super) fn unreadable(&mut self, key: &str, value: &str) {
        let wish = BadWish::Unreadable { key: key.to_owned(), value: value.to_owned() };
        match key {
            "variant" => self.variant = Some(Err(wish)),
            "opening" => self.opening = Some(Err(wish)),
            "tie_break" => self.tie_break = Some(Err(wish)),
            _ => {}
        }
    }

    /// The game to begin on a board, if one was named.
    ///
    /// # Errors
    /// Something that was asked for is not known, or does not suit the rest.
    pub(super) fn contest(&self, width: usize, height: usize) -> Result<Option<Contest>, BadWish> {
        let variant = self.variant.clone().transpose()?;
        let opening = self.opening.clone().transpose()?;
        let tie_break = self.tie_break.clone().transpose()?.unwrap_or(false);
        let Some(variant) = variant else {
            return match opening {
                None | Some(OpeningId::Free) => Ok(None),
                Some(opening) => Err(BadWish::NoGame(opening)),
            };
        };
        // Without passes there is nothing to be broken.
        let tie_break = tie_break && variant.sheet().passes;
        let contest = Contest { tie_break, ..Contest::new(variant) };
        let opened = opening.map_or(Ok(contest), |opening| contest.opened(opening))?;
        Ok(Some(opened.on(width, height)?))
    }
}

/// How a game ended, in words.
pub(super) fn end_words(winner: Option<Color>, reason: Reason) -> String {
    let winner = match winner {
        Some(Color::Black) => "Black wins",
        Some(Color::White) => "White wins",
        None => "a draw",
    };
    format!("{winner}: {}", reason.name())
}

impl TableGame {
    pub(super) fn new(contest: &Contest, weights: &WeightSet, hash: &Hash) -> TableGame {
        let decider = Decider::new(contest, weights, hash);
        TableGame { course: Course::new(*contest), decider }
    }

    /// The board of the game, whatever its rules.
    fn setup(&self) -> (usize, usize) {
        let contest = self.course.contest();
        (contest.width, contest.height)
    }

    /// Stones placed so far, and the area of the board.
    pub(super) fn measures(&self) -> (usize, usize) {
        let (width, height) = self.setup();
        (self.course.events().len(), width * height)
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
        let names: Vec<String> = gone.map(|&(cell, _)| name(cell, contest.height)).collect();
        Ok(Some(format!("off the board: {}", names.join(" "))))
    }

    /// Tells how the game ended, if it has.
    fn tell_end(&self, out: Out) {
        let Some(result) = self.course.result() else { return };
        let winner = match result.colors[..] {
            [color] => Some(color),
            _ => None,
        };
        out(Reply::Message(end_words(winner, result.reason)));
    }

    /// Makes sure that there is a ply to think about after the client's; where
    /// the game ended with it, who won is told, and the ply stays.
    fn go_on_or_tell(&self, out: Out) -> Result<(), Trouble> {
        self.tell_end(out);
        self.course.result().map_or(Ok(()), |_| Err(Trouble::Ended))
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
            _ => Some(Box::new(TableGame::new(contest, self.weights.set(), &self.hash))),
        };
        if let Some(table) = &mut new {
            table.decider.rehearse(self.arrived + REHEARSAL);
            self.warm_up();
        }
        if spare::is_given_up() {
            return Err(Trouble::NoRoom);
        }
        // Emptying a large table takes a moment.
        out(Reply::Ok);
        self.refused = false;
        self.settings.new_game();
        let mut table = match (new, std::mem::replace(&mut self.state, State::Unstarted)) {
            (None, State::Table(table)) => table,
            (new, _) => new.unwrap_or_else(|| {
                Box::new(TableGame::new(contest, self.weights.set(), &self.hash))
            }),
        };
        self.weights.settle();
        table.course = Course::new(*contest);
        table.decider.forget();
        self.hash.clear();
        self.state = State::Table(table);
        Ok(())
    }

    /// The opponent's ply, and then ours.
    pub(super) fn turn_ply(&mut self, ply: &Ply, out: Out) -> Result<(), Trouble> {
        self.not_refused()?;
        let axes = self.axes();
        let (width, height) = self.table()?.setup();
        let stones = self.table()?.course.events().len();
        self.secure_table(stones, width * height)?;
        let table = self.table()?;
        let act = act_of(&table.course, ply, axes).map_err(Trouble::Outside)?;
        if let Some(text) = table.play(&act)? {
            out(Reply::Message(text));
        }
        table.go_on_or_tell(out)?;
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
    pub(super) fn plies(&mut self, texts: &str, out: Out) -> Result<(), Trouble> {
        self.table()?;
        // Until there is another, nothing is said of the game of before. Where
        // memory is all that is missing, that game stays.
        let before = std::mem::replace(&mut self.refused, true);
        let table = self.table()?;
        let mut course = Course::new(*table.course.contest());
        for text in texts.split_whitespace() {
            let played = opening::read(&course, text).and_then(|act| Ok(course.act(&act)?));
            played.map_err(|error| Trouble::Ply { text: text.to_owned(), error })?;
        }
        let (width, height) = table.setup();
        let stones = course.events().len();
        self.secure_table(stones, width * height).inspect_err(|_| self.refused = before)?;
        self.table()?.course = course;
        self.refused = false;
        self.table()?.go_on_or_tell(out)?;
        self.think(Task::Move)
    }

    /// Takes the newest ply back: one that placed or offered a stone on a point,
    /// or placed none where the point is that of a pass.
    pub(super) fn take_back_ply(&mut self, at: Point, out: Out) -> Result<(), Trouble> {
        self.not_refused()?;
        let axes = self.axes();
        let table = self.table()?;
        let newest = match table.course.acts().last() {
            Some(Act::Stones { cells, .. } | Act::Offer(cells)) => cells.clone(),
            Some(Act::Choose { fifth, sixth }) => vec![*fifth, *sixth],
            Some(Act::Pass | Act::Swap) | None => Vec::new(),
        };
        let placed_none = newest.is_empty() && !table.course.acts().is_empty();
        if !(placed_none && at.is_pass()) {
            let cell = cell_of(table.course.contest(), at, axes).map_err(Trouble::Outside)?;
            if !newest.contains(&cell) {
                return Err(Trouble::NotNewest(at));
            }
        }
        table.course.take_back(1);
        out(Reply::Ok);
        Ok(())
    }

    /// The first ply.
    pub(super) fn begin_table(&mut self) -> Result<(), Trouble> {
        self.not_refused()?;
        if !self.table()?.course.acts().is_empty() {
            return Err(Trouble::NotEmpty);
        }
        self.think(Task::Move)
    }

    /// Plays what was decided, and says why and what it did.
    pub(super) fn answer_ply(&mut self, decision: Option<Decision>, out: Out) {
        let axes = self.axes();
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
        table.tell_end(out);
        out(ply_of(&decision.act, axes).into());
    }
}

/// Decides in a table game.
pub(super) fn decide(
    table: &mut TableGame,
    request: &Request,
    report: &mut (dyn FnMut(&Report) + Send),
) -> Option<Decision> {
    table.decider.decide(&table.course, request, report)
}

impl Lent {
    /// Stones placed so far, the area and the height of the board.
    pub(super) fn measures(&self) -> (usize, usize, usize) {
        match self {
            Lent::Game(game, _) => {
                let setup = game.setup();
                (game.stones().len(), setup.area(), setup.height)
            }
            Lent::Table(table) | Lent::Opening(table, _) => {
                let (stones, area) = table.measures();
                (stones, area, table.setup().1)
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
            let mut table = TableGame::new(&contest, &WeightSet::default(), &Hash::default());
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
        assert_eq!(wanted.contest(15, 15), Ok(None));
        let begun = |wanted: &Wanted| wanted.contest(15, 15).unwrap().unwrap();
        wanted.variant("renju").unwrap();
        wanted.opening("rif").unwrap();
        assert_eq!(begun(&wanted).opening, OpeningId::Rif);
        wanted.variant("pente").unwrap();
        assert_eq!(begun(&wanted).opening, OpeningId::Pro);
        wanted.opening("rif").unwrap();
        assert!(wanted.contest(15, 15).is_err());
        wanted.variant("renju").unwrap();
        wanted.tie_break(true);
        assert!(begun(&wanted).tie_break);
        wanted.variant("pente").unwrap();
        assert!(!begun(&wanted).tie_break);
        wanted.tie_break(true);
        assert!(!begun(&wanted).tie_break);
        wanted.variant("Gomocup").unwrap();
        assert_eq!(wanted.contest(15, 15), Ok(None));
        // One that was named before any game is for the first.
        wanted.opening("Soos\u{f5}rv-8").unwrap();
        assert_eq!(wanted.contest(15, 15), Err(BadWish::NoGame(OpeningId::Soosorv8)));
        wanted.variant("renju").unwrap();
        assert_eq!(begun(&wanted).opening, OpeningId::Soosorv8);
    }

    #[test]
    fn what_is_not_known_begins_no_other_game() {
        let mut wanted = Wanted::default();
        let why = |wanted: &Wanted| wanted.contest(15, 15).unwrap_err().to_string();
        assert!(wanted.variant("chess").is_err() && why(&wanted).contains("\"chess\""));
        wanted.opening("rif").unwrap();
        assert!(why(&wanted).contains("\"chess\""));
        // The opening was for the game that was meant.
        wanted.variant("renju").unwrap();
        assert_eq!(wanted.contest(15, 15).unwrap().unwrap().opening, OpeningId::Rif);
        assert!(wanted.opening("castling").is_err());
        assert_eq!(why(&wanted), "there is no opening \"castling\"");
        wanted.opening("free").unwrap();
        assert!(wanted.contest(15, 15).is_ok());
        for key in ["variant", "opening", "tie_break"] {
            wanted.unreadable(key, "?");
            assert_eq!(why(&wanted), format!("INFO {key} \"?\" cannot be read"));
            wanted.variant("gomocup").unwrap();
            assert_eq!(wanted.contest(15, 15), Ok(None));
        }
        wanted.unreadable("max_depth", "?");
        assert_eq!(wanted.contest(15, 15), Ok(None));
    }
}
