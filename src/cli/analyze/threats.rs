//! Threats of both sides, each as if it were to move.

use crate::position::GivenPosition;
use goren_core::rules::{Contest, Outcome, Rule, RuleId, Setup, Variant, Visitor, with_rule};
use goren_core::types::{Cell, Color};
use goren_engine::board::Board;
use goren_engine::game::{GameVisitor, Tupled, with_game};
use goren_engine::pattern::Class;

/// Effect of a turn.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum TurnThreat {
    /// Wins at once.
    Win,
    /// Wins at once together with a second stone of the turn.
    Pair,
    /// Makes more winning points than one stone can stop.
    Open,
    /// Makes a four and an open three at once.
    FourThree,
}

impl TurnThreat {
    /// Name in tables and JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            TurnThreat::Win => "wins",
            TurnThreat::Pair => "wins with a second stone",
            TurnThreat::Open => "open four",
            TurnThreat::FourThree => "four and three",
        }
    }

    /// Name in a game: there is an open four only if five in a row wins.
    pub(crate) fn name_in(self, variant: Variant) -> &'static str {
        let has_fours = matches!(variant, Variant::Five(_) | Variant::Pente(_));
        if self == TurnThreat::Open && !has_fours { "wins in two ways next" } else { self.name() }
    }
}

/// Returns the threats of both sides, those of the side to move first, the most serious first;
/// only the most serious of a side for each cell. Empty when the game is over.
pub(crate) fn threats(position: &GivenPosition) -> Vec<(Color, TurnThreat, Cell)> {
    if position.ending.is_some() {
        return Vec::new();
    }
    let me = position.to_move();
    let mut found: Vec<(Color, TurnThreat, Cell)> =
        with_game(&position.contest, None, Finder(position));
    found.sort_by_key(|&(color, threat, cell)| (color != me, cell, threat));
    found.dedup_by_key(|&mut (color, _, cell)| (color, cell));
    found.sort_by_key(|&(color, threat, cell)| (color != me, threat, cell));
    found
}

struct Finder<'a>(&'a GivenPosition);

impl GameVisitor for Finder<'_> {
    type Out = Vec<(Color, TurnThreat, Cell)>;

    fn five(self, rule: RuleId) -> Self::Out {
        let Contest { width, height, .. } = self.0.contest;
        with_rule(rule, OnBoard(self.0, Setup { rule, width, height }))
    }

    fn tupled<P: Tupled + 'static>(self, empty: P) -> Self::Out {
        let mut position = empty;
        self.0.root.replay(&mut position);
        let mut found = Vec::new();
        for color in Color::ALL {
            // The side to move has the rest of its turn, the other side a whole turn.
            let left =
                if color == self.0.to_move() { self.0.root.stones_to_place } else { P::TURN };
            let mut wins = wins(&mut position, color, left);
            wins.retain(|&cell| self.0.fits_turn(color, &[cell]));
            found.extend(wins.iter().map(|&cell| (color, TurnThreat::Win, cell)));
            if left > 1 {
                let board = position.board();
                for line in board.lines_missing(color, 2) {
                    let gaps: Vec<Cell> = board.gaps(line).collect();
                    if self.0.fits_turn(color, &gaps) {
                        found.extend(gaps.into_iter().map(|cell| (color, TurnThreat::Pair, cell)));
                    }
                }
            } else if P::TURN == 1 {
                let cells: Vec<Cell> = candidates(&mut position, color, left);
                for cell in cells.into_iter().filter(|cell| !wins.contains(cell)) {
                    position.place(cell, color);
                    let ways = match position.outcome() {
                        None => self::wins(&mut position, color, 1).len(),
                        Some(_) => 0,
                    };
                    // Restores the turn after the stone, from which `unmake` takes it back.
                    position.hand_to(!color, 1);
                    position.unmake();
                    if ways > 1 {
                        found.push((color, TurnThreat::Open, cell));
                    }
                }
            }
        }
        found
    }
}

/// Returns the cells where a colour may place a stone near others.
fn candidates<P: Tupled>(position: &mut P, color: Color, left: usize) -> Vec<Cell> {
    position.hand_to(color, left);
    let near = position.board().near();
    position.placements().iter().filter(|cell| near.contains(*cell)).collect()
}

/// Returns the cells where a stone of a colour wins at once.
fn wins<P: Tupled>(position: &mut P, color: Color, left: usize) -> Vec<Cell> {
    let mut cells = candidates(position, color, left);
    cells.retain(|&cell| {
        position.place(cell, color);
        let won = position.outcome() == Some(Outcome::Win(color));
        position.unmake();
        won
    });
    cells
}

/// Finds the threats of five in a row.
struct OnBoard<'a>(&'a GivenPosition, Setup);

impl Visitor for OnBoard<'_> {
    type Out = Vec<(Color, TurnThreat, Cell)>;

    fn visit<R: Rule>(self) -> Self::Out {
        let mut board = Board::<R>::new(self.1);
        for stone in &self.0.stones {
            board.make(stone.cell, stone.color);
        }
        let kinds = [
            (Class::Five, TurnThreat::Win),
            (Class::OpenFour, TurnThreat::Open),
            (Class::FourThree, TurnThreat::FourThree),
        ];
        let of = |color: Color| {
            let board = &board;
            kinds.into_iter().flat_map(move |(class, threat)| {
                board.cells_of(color, class).iter().map(move |cell| (color, threat, cell))
            })
        };
        Color::ALL.into_iter().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves;
    use goren_core::rules::OpeningId;

    fn found(game: &str, text: &str) -> Vec<String> {
        let contest = Contest::new(Variant::from_name(game).unwrap()).opened(OpeningId::Free);
        let position = GivenPosition::typed(&moves::typed(&contest.unwrap(), text, false).unwrap());
        let text = |(color, threat, cell)| {
            let color = if color == Color::Black { "B" } else { "W" };
            format!("{color} {threat:?} {}", position.label(cell))
        };
        threats(&position).into_iter().map(text).collect()
    }

    #[test]
    fn fives_and_open_fours_of_both_sides_are_found() {
        let open = found("freestyle", "h8a1h9a2h10a3");
        assert_eq!(open[..2], ["B Open h11", "B Open h7"]);
        assert!(!open.iter().any(|threat| threat.contains("Win")), "{open:?}");
        let four = found("renju", "h8a1h9a2h10a3h11o15");
        assert_eq!(four[..2], ["B Win h12", "B Win h7"]);
        assert_eq!(found("renju", "h8"), Vec::<String>::new());
        assert_eq!(found("renju", "a1a2b1b2c1c2d1d2e1"), Vec::<String>::new());
    }

    #[test]
    fn threats_of_other_games_are_found() {
        assert_eq!(found("four-in-a-row", "d a d a d h"), ["B Win d4"]);
        let three = found("four-in-a-row", "d a e a");
        assert_eq!(three, ["B Open c1", "B Open f1"]);
        // An open three in Pente; White has no threats.
        let pente = found("pente", "k10a1k11a9k12j1");
        assert_eq!(pente, ["B Open k13", "B Open k9"]);
        let pairs = found("connect6", "k10 a1,a2 k11,k12 a3,c9 k13,r1");
        assert!(pairs.iter().any(|threat| threat == "B Pair k14"), "{pairs:?}");
        let one = found("connect6", "k10 a1,a2 k11,k12 a3,c9 k13,k14 s1");
        assert!(one.contains(&"B Win k15".to_string()), "{one:?}");
    }

    #[test]
    fn pairs_that_no_turn_may_contain_do_not_win() {
        let kinds = |found: &[String], kind: &str| -> Vec<String> {
            found.iter().filter(|threat| threat.contains(kind)).cloned().collect()
        };
        // The two gaps of a line are collinear, so no turn may fill both.
        let apart = found("connect6+noncollinear", "k10 a1,c2 k11,d13 a3,d5 k12,r1 s4,q5");
        assert_eq!(kinds(&apart, "Pair"), Vec::<String>::new());
        // The second stone of a turn wins if it is not collinear with the first one.
        let moves = "k10 a1,c2 k11,d13 a3,d5 k12,r1 s4,q5 k13,r3 s7,q8";
        let four = found("connect6+noncollinear", moves);
        assert_eq!(kinds(&four, "B Win"), ["B Win k14", "B Win k9"]);
        let half = found("connect6+noncollinear", &format!("{moves} a9"));
        assert_eq!(kinds(&half, "B Win"), ["B Win k14"]);
        // No gap is collinear with a stone of the previous turn.
        let plain = "k10 l10,m10 k11,k12 a3,b3 k13,s13 s2,o2";
        assert!(!kinds(&found("connect6", plain), "B Pair").is_empty());
        assert_eq!(kinds(&found("connect6+collinear", plain), "B Pair"), Vec::<String>::new());
        // Black moves first, so the stones that White must join are not known yet.
        let moves = "k10 m10,m11 a10,a12 m12,m13 a13,b13 a1,a4";
        let pairs = kinds(&found("connect6+collinear", moves), "W Pair");
        assert_eq!(pairs, ["W Pair m15", "W Pair m14", "W Pair m9", "W Pair m8"]);
    }

    #[test]
    fn open_fours_are_named_only_where_five_in_a_row_wins() {
        let name = |game| TurnThreat::Open.name_in(Variant::from_name(game).unwrap());
        assert_eq!((name("renju"), name("pente")), ("open four", "open four"));
        for game in ["four-in-a-row", "irensei", "torus-four"] {
            assert_eq!(name(game), "wins in two ways next", "{game}");
        }
    }
}
