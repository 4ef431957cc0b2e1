//! Games in progress.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::{bad, illegal};
use crate::number::{optional, whole};
use crate::position::{Size, cell, color, color_name, contest, labels};
use goren_core::opening::{self, Choice, GameState};
use goren_core::record::{GameRecord, psq, sgf};
use goren_core::rules::referee::{FiveReferee, Next};
use goren_core::rules::{Contest, Variant};
use goren_core::types::{Cell, Color, Stone};
use goren_notation::lettering::Lettering;
use goren_notation::{ending, explanation, json_game, moves, pending_decision_text, plies, words};

/// Moves as Python passes them.
#[derive(FromPyObject)]
pub(crate) enum Moves {
    /// Points in a row, with or without blanks.
    Text(String),
    /// Plies.
    List(Vec<String>),
}

/// How a game ended.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct Outcome {
    /// The colour that won; None for a draw.
    winner: Option<&'static str>,
    /// Reason in words.
    reason: String,
    /// The winning lines, each from one end to the other.
    lines: Vec<Vec<String>>,
}

#[pymethods]
impl Outcome {
    fn __repr__(&self) -> String {
        match self.winner {
            Some(winner) => format!("Outcome({winner} wins: {})", self.reason),
            None => format!("Outcome(draw: {})", self.reason),
        }
    }
}

/// A point where a colour would commit a foul.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct Foul {
    point: String,
    color: &'static str,
    /// Kinds of foul, such as ``["double three"]``.
    kinds: Vec<&'static str>,
    /// The lines and points behind it, one per line, indented by depth.
    why: Vec<String>,
}

#[pymethods]
impl Foul {
    fn __repr__(&self) -> String {
        format!("Foul({} {}: {})", self.color, self.point, self.kinds.join(" and "))
    }
}

/// A game in progress by the rules of any game of the family.
///
/// ``size`` is one side or ``(columns, rows)``; by default the usual board of the game.
/// ``moves`` is a text such as ``"h8i9j8"`` (with an opening such as ``"swap-2"``: plies
/// with blanks between) or a list of plies. Invalid arguments raise GorenError; moves
/// that cannot be read or played raise IllegalMove.
#[pyclass(module = "goren")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) state: GameState,
}

impl Game {
    /// Copies the state of a game, so that Python can change the game during a search.
    pub(crate) fn state_of(game: PyRef<'_, Game>) -> GameState {
        game.state.clone()
    }

    fn contest(&self) -> &Contest {
        self.state.contest()
    }

    fn lettering(&self) -> Lettering {
        Lettering::of((self.contest().width, self.contest().height))
    }

    /// Returns the referee that explains fouls; `None` beyond five in a row.
    fn five_referee(&self) -> Option<FiveReferee> {
        let mut referee = FiveReferee::new(self.contest().setup()?);
        for (cell, stone) in self.state.placed() {
            referee.set_up(cell, stone).ok()?;
        }
        Some(referee)
    }

    fn record(&self, players: (String, String)) -> PyResult<GameRecord> {
        if !self.state.setup_stones().is_empty() {
            return Err(bad("the game began with stones whose order is not known"));
        }
        Ok(GameRecord::of_game(&self.state, players.into(), [], 0))
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (game = "freestyle", *, size = None, opening = "free", moves = None))]
    fn new(game: &str, size: Option<Size>, opening: &str, moves: Option<Moves>) -> PyResult<Game> {
        let contest = contest(game, size, opening)?;
        let state = match moves {
            None => GameState::new(contest),
            Some(Moves::Text(text)) if opening == "free" => {
                moves::played(&contest, &text).map_err(illegal)?
            }
            Some(Moves::Text(text)) => {
                plies::game(&contest, text.split_whitespace()).map_err(illegal)?
            }
            Some(Moves::List(list)) => {
                plies::game(&contest, list.iter().map(String::as_str)).map_err(illegal)?
            }
        };
        Ok(Game { state })
    }

    /// Creates a position whose moves are unknown.
    ///
    /// ``to_move`` is by default Black, or White if Black has more stones; ``left`` is the
    /// number of stones it places in this turn, by default a whole turn.
    #[staticmethod]
    #[pyo3(signature = (game = "freestyle", *, size = None, black = None, white = None, to_move = None, left = None))]
    fn from_stones(
        game: &str,
        size: Option<Size>,
        black: Option<Vec<String>>,
        white: Option<Vec<String>>,
        to_move: Option<&str>,
        #[pyo3(from_py_with = optional)] left: Option<usize>,
    ) -> PyResult<Game> {
        let (black, white) = (black.unwrap_or_default(), white.unwrap_or_default());
        let contest = contest(game, size, "free")?;
        let due = if black.len() > white.len() { Color::White } else { Color::Black };
        let to_move = to_move.map_or(Ok(due), color)?;
        let left = left.unwrap_or_else(|| contest.variant.turn());
        if left == 0 || left > contest.variant.turn() {
            return Err(bad(format!("a turn of {} cannot have {left} stones", contest.variant)));
        }
        let of = |points: Vec<String>, color: Color| -> PyResult<Vec<(Cell, Stone)>> {
            let stone = |text: &String| Ok((cell(&contest, text)?, Stone::Of(color)));
            points.iter().map(stone).collect()
        };
        let stones = [of(black, Color::Black)?, of(white, Color::White)?].concat();
        let next = Next { to_move, left, last: None };
        let state = GameState::from_position(contest, &stones, next).map_err(bad)?;
        Ok(Game { state })
    }

    /// Reads a game from a line written by `to_json` or ``goren match``.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Game> {
        let (record, _) = json_game::read(text).map_err(|error| bad(format!("{error:#}")))?;
        let mut state = GameState::new(record.contest);
        for action in record.actions() {
            state.apply(action).map_err(illegal)?;
        }
        Ok(Game { state })
    }

    /// Name of the variant with its options.
    #[getter]
    fn game(&self) -> String {
        self.contest().variant.to_string()
    }

    #[getter]
    fn width(&self) -> usize {
        self.contest().width
    }

    #[getter]
    fn height(&self) -> usize {
        self.contest().height
    }

    #[getter]
    fn opening(&self) -> String {
        self.contest().opening.to_string()
    }

    /// Colour to place a stone or to decide.
    #[getter]
    fn to_move(&self) -> &'static str {
        color_name(self.state.to_move())
    }

    /// Plies so far; the stones of a ply are separated by commas.
    #[getter]
    fn plies(&self) -> Vec<String> {
        let contest = self.contest();
        if self.state.setup_stones().is_empty() {
            return plies::texts(contest, self.state.actions());
        }
        self.state.actions().iter().map(|action| opening::write(&self.state, action)).collect()
    }

    /// What the opening asks of the seat to act, in words; None for a plain turn.
    #[getter]
    fn asks(&self) -> Option<String> {
        pending_decision_text::stage(&self.state, self.lettering())
    }

    /// How the game ended; None while it is in progress.
    #[getter]
    fn result(&self) -> Option<Outcome> {
        let result = self.state.result()?;
        let winner = result.colors.first().filter(|_| !result.is_draw());
        let reason = ending::reason(&self.state, self.lettering());
        Some(Outcome {
            winner: winner.map(|&color| color_name(color)),
            reason: reason.unwrap_or_else(|| result.reason.name().to_owned()),
            lines: result.lines.iter().map(|line| labels(self.contest(), line)).collect(),
        })
    }

    /// Plays a ply: ``"h8"``, ``"k10,k9"``, ``"pass"``, ``"swap"``; nothing changes
    /// if it is illegal.
    fn play(&mut self, ply: &str) -> PyResult<()> {
        let label = |error| illegal(format!("{ply}: {error}"));
        plies::play(&mut self.state, ply).map_err(label)
    }

    /// Takes back plies.
    #[pyo3(signature = (plies = 1))]
    fn undo(&mut self, #[pyo3(from_py_with = whole)] plies: usize) -> PyResult<()> {
        let played = self.state.actions().len();
        if plies > played {
            return Err(illegal(format!("only {played} plies were played")));
        }
        self.state.take_back(plies);
        Ok(())
    }

    /// Lists the stones on the board with their colours.
    fn stones(&self) -> Vec<(String, &'static str)> {
        let height = self.contest().height;
        let stone = |(cell, color): (Cell, Color)| (cell.label(height), color_name(color));
        self.state.stones().into_iter().map(stone).collect()
    }

    /// Returns the board, (height, width): 0 empty, 1 Black, 2 White; row 0 is the top one.
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let Contest { width, height, .. } = *self.contest();
        let mut cells = vec![0; width * height];
        for (cell, color) in self.state.stones() {
            cells[width * cell.y() + cell.x()] = 1 + color.index() as u8;
        }
        PyArray1::from_vec(py, cells).reshape([height, width])
    }

    /// Points where a stone may be placed now, and ``"swap"`` and ``"pass"`` if they
    /// are allowed. If a turn has two stones, the points for either. Empty if an opening
    /// asks for three or more stones at once; see `asks`.
    fn legal_moves(&self) -> Vec<String> {
        let Some(pending) = self.state.pending_decision() else { return Vec::new() };
        let mut cells = self.state.placements();
        let paired = pending.choices.iter().find_map(|choice| match choice {
            Choice::Stones { colors, .. } if colors.len() == 2 => Some(colors[0]),
            _ => None,
        });
        if let Some(color) = paired {
            let fits = |&cell: &Cell| {
                self.state.in_pair_zone(cell) && self.state.referee().check(color, cell).is_ok()
            };
            let more: Vec<Cell> = self.state.empty().into_iter().filter(fits).collect();
            let new = more.into_iter().filter(|cell| !cells.contains(cell)).collect::<Vec<_>>();
            cells.extend(new);
        }
        let mut moves = labels(self.contest(), &cells);
        moves.extend(pending.swap.then(|| "swap".to_owned()));
        moves.extend(pending.pass.then(|| "pass".to_owned()));
        moves
    }

    /// Lists the forbidden points of one colour or of both.
    #[pyo3(signature = (color = None))]
    fn forbidden(&self, color: Option<&str>) -> PyResult<Vec<Foul>> {
        let only = color.map(crate::position::color).transpose()?;
        if self.state.result().is_some() {
            return Ok(Vec::new());
        }
        let explaining = self.five_referee();
        let contest = self.contest();
        let mut found = Vec::new();
        for color in Color::ALL.into_iter().filter(|&color| only.is_none_or(|one| one == color)) {
            if !contest.variant.fouls(color).any() {
                continue;
            }
            for cell in self.state.empty() {
                let kinds = self.state.referee().fouls(color, cell);
                if kinds.any() {
                    let why = explaining.as_ref().and_then(|five| five.explain(color, cell));
                    found.push(Foul {
                        point: cell.label(contest.height),
                        color: color_name(color),
                        kinds: words::foul_names(kinds),
                        why: why
                            .map_or(Vec::new(), |why| explanation::tree(&why, self.lettering())),
                    });
                }
            }
        }
        Ok(found)
    }

    /// Why a stone on a point is a foul or not: the verdict and, in five in a row only, the
    /// reasons.
    #[pyo3(signature = (point, color = "black"))]
    fn explain(&self, point: &str, color: &str) -> PyResult<Vec<String>> {
        let color = crate::position::color(color)?;
        let at = cell(self.contest(), point)?;
        let none = || bad(format!("{} has no fouls in {}", color_name(color), self.game()));
        if !self.contest().variant.fouls(color).any() {
            return Err(none());
        }
        let occupied = || illegal(format!("{point} is occupied"));
        let Some(referee) = self.five_referee() else {
            if self.state.stone(at).is_some() {
                return Err(occupied());
            }
            return Ok(vec![explanation::fouls_or_none(self.state.referee().fouls(color, at))]);
        };
        let found = referee.explain(color, at).ok_or_else(occupied)?;
        let mut lines = vec![explanation::verdict(&found)];
        lines.extend(explanation::tree(&found, self.lettering()));
        Ok(lines)
    }

    /// Writes the game in SGF, with the names of the players.
    #[pyo3(signature = (black = "", white = ""))]
    fn to_sgf(&self, black: &str, white: &str) -> PyResult<String> {
        Ok(sgf::write(&self.record(seated(&self.state, black, white))?.imported()))
    }

    /// Writes the game in the format of Piskvork; five in a row only.
    fn to_psq(&self) -> PyResult<String> {
        psq::write(&self.record(Default::default())?.imported()).map_err(bad)
    }

    /// Writes the game as a line of JSON, without the newline.
    #[pyo3(signature = (black = "", white = ""))]
    fn to_json(&self, black: &str, white: &str) -> PyResult<String> {
        let record = self.record(seated(&self.state, black, white))?;
        Ok(json_game::write(&record, serde_json::Map::new()))
    }

    fn copy(&self) -> Game {
        self.clone()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let make = py.get_type::<Game>().getattr("from_json")?;
        Ok((make, (self.to_json("", "")?,)))
    }

    /// Number of plies.
    fn __len__(&self) -> usize {
        self.state.actions().len()
    }

    fn __repr__(&self) -> String {
        let Contest { variant, width, height, .. } = self.contest();
        format!("Game({variant} {width}x{height}: {})", self.plies().join(" "))
    }

    fn __str__(&self) -> String {
        let Contest { width, height, .. } = *self.contest();
        let mut text = String::new();
        for y in 0..height {
            text += &format!("{:>2}", height - y);
            for x in 0..width {
                text += match self.state.stone(Cell::new(x, y)) {
                    Some(Stone::Of(Color::Black)) => " X",
                    Some(Stone::Of(Color::White)) => " O",
                    Some(Stone::Wall) => " #",
                    None => " .",
                };
            }
            text.push('\n');
        }
        text += "  ";
        for x in 0..width {
            text.push(' ');
            text.push(self.lettering().letter(x));
        }
        text
    }
}

/// Orders the names of the players by their seats.
fn seated(state: &GameState, black: &str, white: &str) -> (String, String) {
    let black_first = state.owner(Color::Black).index() == 0;
    let (first, second) = if black_first { (black, white) } else { (white, black) };
    (first.to_owned(), second.to_owned())
}

/// Lists the names of all games. Options are added with ``+``, as in ``pente+keryo``.
#[pyfunction]
pub(crate) fn games() -> Vec<String> {
    Variant::games().map(|variant| variant.to_string()).collect()
}
