//! Rule vectors from the models: games with every situation, in the form that
//! `goren verify` reads. They are in `tests/data/own-rules`; with
//! `GOREN_WRITE_VECTORS=1` the tests here rewrite them.

use std::path::Path;

use serde_json::{Value, json};

use super::board::{Letters, Point};
use super::driver::{End, Model};
use super::five::{fives, sets_of_options};
use super::four::Drops;
use super::pente::{Options, Pente, keryo, usual};
use crate::types::keys::mix;

/// Maximum number of plies of a game.
const MAX_PLIES: usize = 60;
/// Number of games for each rule.
const GAMES: usize = 5;

/// The name of a point on a board with `rows` rows.
pub fn label((x, y): Point, rows: usize) -> String {
    format!("{}{}", (b'a' + x as u8) as char, rows as i32 - y)
}

/// The order in which points are written: by column, then by row from the bottom.
pub fn sort_key(&(x, y): &Point) -> (i32, i32) {
    (x, -y)
}

/// The rows of a board from the top, runs of empty points as numbers.
pub fn picture(side: usize, letter: impl Fn(Point) -> char) -> String {
    let row = |y: i32| {
        let (mut text, mut empty) = (String::new(), 0);
        for x in 0..side as i32 {
            let name = match letter((x, y)) {
                'X' => "B",
                'O' => "W",
                _ => {
                    empty += 1;
                    continue;
                }
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text += name;
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    (0..side as i32).map(row).collect::<Vec<_>>().join("/")
}

/// 32-bit FNV-1a.
pub fn hash(text: &str) -> String {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    format!("{:08x}", text.bytes().fold(0x811c_9dc5, step))
}

pub fn color_name(letter: char) -> &'static str {
    if letter == 'X' { "B" } else { "W" }
}

/// Compares records with those of a file; writes the file first if asked to.
pub fn check_or_write(file: &str, records: &[Value]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/own-rules").join(file);
    if std::env::var_os("GOREN_WRITE_VECTORS").is_some() {
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        std::fs::write(&path, lines).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let stored = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert!(stored.eq(records.iter().cloned()), "{file} is not what the models say");
}

/// A rule, as the records name it.
struct Rule {
    game: &'static str,
    options: &'static [&'static str],
    side: usize,
    /// Number of plies after which players may pass, if they ever may.
    passes: Option<usize>,
}

/// A game in progress.
struct Game<'a, M> {
    rule: &'a Rule,
    model: M,
    random: u64,
    moves: Vec<String>,
    states: Vec<Value>,
    passed: bool,
    /// Whether the last stone was a foul.
    fouled: bool,
}

impl<M: Model> Game<'_, M> {
    fn below(&mut self, n: usize) -> usize {
        self.random = mix(self.random);
        self.random as usize % n
    }

    fn color(&self) -> char {
        if self.moves.len().is_multiple_of(2) { 'X' } else { 'O' }
    }

    fn points(&self) -> Vec<Point> {
        let side = self.rule.side as i32;
        (0..side * side).map(|i| (i % side, i / side)).collect()
    }

    fn empty(&self) -> Vec<Point> {
        let points = self.points().into_iter();
        points.filter(|&at| self.model.letter(at) == '.').collect()
    }

    fn legal(&self) -> Vec<Point> {
        let empty = self.empty().into_iter();
        empty.filter(|&at| self.model.may_place(self.color(), at)).collect()
    }

    fn may_pass(&self) -> bool {
        self.rule.passes.is_some_and(|first| self.moves.len() >= first)
    }

    /// Records the situation before the next ply.
    fn record_state(&mut self, over: bool) {
        let (side, ply, color) = (self.rule.side, self.moves.len(), self.color());
        let board = picture(side, |at| self.model.letter(at));
        let mut state =
            json!({"p": ply, "seat": ply % 2 + 1, "col": color_name(color), "h": hash(&board)});
        if over || ply.is_multiple_of(16) {
            state["b"] = board.into();
        }
        if self.rule.game == "pente" {
            state["cap"] = json!(self.model.captured());
        }
        if !over {
            let legal = self.legal();
            let illegal = self.empty().into_iter().filter(|at| !legal.contains(at));
            let illegal: Vec<String> = illegal.map(|at| label(at, side)).collect();
            state["pass"] = json!(if self.may_pass() { "pass" } else { "no" });
            state["n"] = json!(legal.len() + usize::from(self.may_pass()));
            if (1..=60).contains(&illegal.len()) {
                state["no"] = illegal.into();
            }
            if self.model.has_fouls(color) && ply % 4 > 1 {
                let mut kinds = [const { Vec::<String>::new() }; 3];
                for at in self.empty() {
                    let fouls = self.model.fouls(color, at);
                    for (points, _) in kinds.iter_mut().zip(fouls).filter(|(_, foul)| *foul) {
                        points.push(label(at, side));
                    }
                }
                let [ol, f44, t33] = kinds;
                state["forbid"] = json!({"ol": ol, "f44": f44, "t33": t33});
            }
        }
        self.states.push(state);
    }

    /// A random legal point, usually near a stone and not a foul.
    fn pick(&mut self) -> Point {
        let legal = self.legal();
        let stones: Vec<Point> =
            self.points().into_iter().filter(|&at| self.model.letter(at) != '.').collect();
        let mut at = legal[self.below(legal.len())];
        let careless = self.below(12) == 0;
        for _ in 0..12 {
            let near = |stone: &Point| (stone.0 - at.0).abs() <= 1 && (stone.1 - at.1).abs() <= 1;
            let foul = self.model.fouls(self.color(), at).contains(&true);
            if (stones.is_empty() || stones.iter().any(near)) && foul == careless {
                break;
            }
            at = legal[self.below(legal.len())];
        }
        at
    }

    /// Plays a ply. Returns the reason and the winners, if the game is over.
    fn play(&mut self) -> Option<(&'static str, Vec<char>)> {
        let color = self.color();
        if self.may_pass() && self.below(10) == 0 {
            self.moves.push("pass".into());
            return std::mem::replace(&mut self.passed, true)
                .then(|| ("two_passes", vec!['X', 'O']));
        }
        let at = self.pick();
        self.fouled = self.model.fouls(color, at).contains(&true);
        self.passed = false;
        self.model.place(color, at);
        self.moves.push(label(at, self.rule.side));
        let other = super::board::other(color);
        if self.fouled {
            return Some(("foul", vec![other]));
        }
        let winners = match self.model.end(other)? {
            End::Won(color) => vec![color],
            End::Drawn => vec!['X', 'O'],
        };
        let enough = ['X', 'O'].into_iter().any(|color| self.model.has_captured_enough(color));
        let reason = match (self.model.lines().is_empty(), enough) {
            (false, true) => "line+captures",
            (false, false) => "line",
            (true, true) => "captures",
            (true, false) if self.empty().is_empty() => "full",
            (true, false) => "no_moves",
        };
        Some((reason, winners))
    }
}

/// Plays a game by a model and returns its record.
fn record<M: Model>(rule: &Rule, number: usize, empty: &M) -> Value {
    let name = [&[rule.game], rule.options].concat().join("+");
    let random = mix(number as u64 ^ name.bytes().fold(0, |sum, byte| mix(sum ^ u64::from(byte))));
    let mut game = Game {
        rule,
        model: empty.clone(),
        random,
        moves: Vec::new(),
        states: Vec::new(),
        passed: false,
        fouled: false,
    };
    let mut end = None;
    while end.is_none() && game.moves.len() < MAX_PLIES {
        game.record_state(false);
        end = game.play();
    }
    game.record_state(end.is_some());
    let (reason, winners) = end.clone().unwrap_or(("unfinished", Vec::new()));
    let rows = if reason.starts_with("line") { game.model.lines() } else { Vec::new() };
    let row = |row: Vec<Point>| row.into_iter().map(|at| label(at, rule.side)).collect::<Vec<_>>();
    let mut variants = vec!["free".to_owned(), format!("standard-{}", rule.side)];
    variants.extend(rule.options.iter().map(|&option| option.to_owned()));
    json!({
        "id": format!("{name}/{number}"),
        "game": rule.game,
        "variants": variants,
        "board": {"w": rule.side, "h": rule.side},
        "moves": game.moves,
        "states": game.states,
        "result": {
            "gameover": end.is_some(),
            "winner": winners.iter().map(|&c| if c == 'X' { 1 } else { 2 }).collect::<Vec<_>>(),
            "colours": winners.iter().map(|&c| color_name(c)).collect::<Vec<_>>(),
            "reason": reason,
            "lines": rows.into_iter().map(row).collect::<Vec<_>>(),
        },
    })
}

#[test]
fn game_vectors_match_the_models() {
    let mut records = Vec::new();
    let mut add = |game, options, side, passes, empty: &dyn Fn(usize) -> Pente| {
        let rule = Rule { game, options, side, passes };
        // Small boards are soon full, and seldom without a five.
        let games = if side == 5 { 4 * GAMES } else { GAMES };
        records.extend((0..games).map(|number| record(&rule, number, &empty(side))));
    };
    let exact = Options { exact: [true; 2], ..fives() };
    let none = [false; 3];
    let threes = [false, false, true];
    // Game, its options, side of the board, plies before the first pass, the model's options.
    type Case = (&'static str, &'static [&'static str], usize, Option<usize>, Options);
    let five: [Case; 5] = [
        ("gomoku", &["free-pass"], 7, Some(0), exact.clone()),
        ("gomoku", &["white-full"], 5, Some(2), Options { white_full: true, ..exact.clone() }),
        (
            "gomoku",
            &["double-three-both"],
            9,
            Some(2),
            Options { fouls: [threes; 2], ..exact.clone() },
        ),
        ("renju", &["fouls-both"], 9, Some(2), Options { fouls: [[true; 3]; 2], ..exact.clone() }),
        (
            "renju",
            &["early"],
            9,
            Some(2),
            Options { exact: [true, false], fouls: [[true, false, true], none], ..fives() },
        ),
    ];
    for (game, names, side, passes, options) in five {
        add(game, names, side, passes, &|side| Pente::new(side, options.clone()));
    }
    for (game, names, options) in sets_of_options() {
        let side = if options.white_full { 7 } else { 9 };
        let passes = if names.contains(&"free-pass") { 0 } else { 2 };
        add(game, names, side, Some(passes), &|side| Pente::new(side, options.clone()));
    }
    let pente: [(&[&str], Options); 9] = [
        (&["overline-ignored"], Options { exact: [true; 2], ..usual() }),
        (&["keryo", "overline-ignored"], Options { exact: [true; 2], ..keryo() }),
        (&["overline-forbidden"], Options { no_overline: [true; 2], ..usual() }),
        (&["overline-forbidden-black"], Options { no_overline: [true, false], ..usual() }),
        (&["self-capture-forbidden"], Options { no_self_capture: true, ..usual() }),
        (&["keryo", "self-capture-forbidden"], Options { no_self_capture: true, ..keryo() }),
        (&["double-three"], Options { fouls: [threes, none], ..usual() }),
        (
            &["overline-ignored", "double-three"],
            Options { exact: [true; 2], fouls: [threes, none], ..usual() },
        ),
        (&["renju"], Options { exact: [true, false], fouls: [[true; 3], none], ..usual() }),
    ];
    for (names, options) in pente {
        add("pente", names, 9, None, &|side| Pente::new(side, options.clone()));
    }
    for (options, clears) in [(&["edge-drop-4"][..], false), (&["edge-drop-4", "clear"], true)] {
        let rule = Rule { game: "fourinarow", options, side: 6, passes: None };
        let empty = Drops { board: Letters::new(6, 6), clears };
        records.extend((0..GAMES).map(|number| record(&rule, number, &empty)));
    }
    let reasons: Vec<&str> =
        records.iter().map(|record| record["result"]["reason"].as_str().unwrap()).collect();
    for reason in ["line", "foul", "captures", "full", "two_passes"] {
        assert!(reasons.contains(&reason), "{reason}");
    }
    check_or_write("games.jsonl", &records);
}
