//! The progress of an opening, and what it allows next.

use super::action::Action;
use super::figures::Figures;
use super::pending_decision::{Choice, Zone};
use crate::rules::{Contest, OpeningId};
use crate::types::{Cell, Color};

/// Smallest and largest number of fifths in Yamaguchi.
const YAMAGUCHI: (usize, usize) = (1, 12);
/// Smallest and largest number of fifths in Soosorv-8.
const SOOSORV: (usize, usize) = (1, 8);
/// Number of fifths on offer in the classic rule.
const RIF: usize = 2;
/// Number of fifths on offer in Taraguchi-10.
const TARAGUCHI: usize = 10;

/// The state of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OpeningProgress {
    contest: Contest,
    /// Number of stones in the first turn.
    first_turn: usize,
    /// Number of stones that the game began with. They count towards the plies that must precede a
    /// pass, because each of them was a move.
    laid: usize,
    /// The opening, without the larger zones of a "super" rule.
    opening: OpeningId,
    /// Number of plies so far, including swaps and passes.
    pub(super) plies: usize,
    /// Number of plies so far that placed or offered stones.
    steps: usize,
    /// Whether a swap has answered the last stones.
    swapped: bool,
    /// Whether the second seat of swap-2 answered with two stones.
    two_stones: bool,
    /// Whether the fourth stone of Taraguchi-10 was swapped.
    fourth_swapped: bool,
    /// Number of fifths that must be offered, once it is declared.
    pub(super) declared: Option<usize>,
    /// The fifths on offer.
    pub(super) offers: Vec<Cell>,
    /// The first ply after the opening, once it is known.
    pub(super) over: Option<usize>,
}

impl OpeningProgress {
    pub(super) fn new(contest: Contest, first_turn: usize, laid: usize) -> OpeningProgress {
        let opening = contest.opening.plain();
        OpeningProgress {
            contest,
            first_turn,
            laid,
            opening,
            plies: 0,
            steps: 0,
            swapped: false,
            two_stones: false,
            fourth_swapped: false,
            declared: matches!(opening, OpeningId::Rif | OpeningId::Swap1989).then_some(RIF),
            offers: Vec::new(),
            over: match opening {
                OpeningId::Free => Some(0),
                OpeningId::Centre | OpeningId::Swap => Some(1),
                OpeningId::Pro | OpeningId::LongPro => Some(3),
                OpeningId::Swap1st => Some(2),
                _ => None,
            },
        }
    }

    /// Whether the seat to act may swap.
    pub(super) fn swap_on_offer(&self) -> bool {
        let on_offer = match self.opening {
            OpeningId::Swap1st | OpeningId::Swap => self.steps == 1,
            OpeningId::Swap2 => self.steps == 1 || self.steps == 2 && self.two_stones,
            OpeningId::Swap5 | OpeningId::Tarannikov => (1..=5).contains(&self.steps),
            OpeningId::Swap3rd | OpeningId::Swap1989 => self.steps == 3,
            OpeningId::Rif | OpeningId::Yamaguchi => self.steps == 1,
            OpeningId::Soosorv8 => matches!(self.steps, 1 | 2),
            OpeningId::Taraguchi10 => (1..=5).contains(&self.steps) && self.offers.is_empty(),
            _ => false,
        };
        on_offer && !self.swapped
    }

    /// Whether the seat to act may pass, in a game that has passes.
    pub(super) fn pass_allowed(&self) -> bool {
        let wait = self.contest.variant.sheet().plies_before_passes;
        self.over.is_some_and(|over| self.laid + self.plies >= over + wait)
    }

    /// The choices of stones, with a stone of `color` due.
    pub(super) fn choices(&self, color: Color) -> Vec<Choice> {
        use Color::{Black, White};
        let (strict, wide) = (self.contest.strict, self.contest.opening.is_super());
        let figures = if wide { Figures::SUPER } else { Figures::USUAL };
        let figures = Figures { strict, ..figures };
        let single = |zone| vec![Choice::Stones { colors: vec![color], zone, declare: None }];
        let usual = || self.turn(color, Zone::Anywhere);
        match (self.opening, self.steps) {
            (
                OpeningId::Centre
                | OpeningId::Pro
                | OpeningId::LongPro
                | OpeningId::Swap3rd
                | OpeningId::Swap1989
                | OpeningId::Tarannikov
                | OpeningId::Taraguchi10,
                0,
            ) => single(Zone::Within(0)),
            (OpeningId::Pro, 2) => single(Zone::Beyond(2)),
            (OpeningId::LongPro, 2) => single(Zone::Beyond(3)),
            (OpeningId::Swap3rd, 1) => self.turn(color, Zone::Within(2)),
            (OpeningId::Swap | OpeningId::Swap2, 0) => vec![Choice::Stones {
                colors: vec![Black, White, Black],
                zone: Zone::Anywhere,
                declare: None,
            }],
            (OpeningId::Swap2, 1) if !self.swapped => {
                let two = vec![White, Black];
                let two = Choice::Stones { colors: two, zone: Zone::Anywhere, declare: None };
                single(Zone::Anywhere).into_iter().chain([two]).collect()
            }
            (OpeningId::Rif | OpeningId::Soosorv8, 0) => {
                vec![Choice::Figure { figures, declare: None }]
            }
            (OpeningId::Yamaguchi, 0) => vec![Choice::Figure { figures, declare: Some(YAMAGUCHI) }],
            (OpeningId::Soosorv8, 1) => vec![Choice::Stones {
                colors: vec![color],
                zone: Zone::Anywhere,
                declare: Some(SOOSORV),
            }],
            (OpeningId::Rif | OpeningId::Yamaguchi | OpeningId::Soosorv8, 2) => {
                vec![Choice::Offer { count: self.declared.unwrap_or(RIF) }]
            }
            (OpeningId::Rif | OpeningId::Yamaguchi | OpeningId::Soosorv8, 3) => {
                vec![Choice::Choose]
            }
            (OpeningId::Swap1989, 4) => vec![Choice::Offer { count: RIF }],
            (OpeningId::Swap1989, 5) => vec![Choice::Choose],
            (OpeningId::Swap1989 | OpeningId::Tarannikov | OpeningId::Taraguchi10, 1) => {
                single(Zone::Second(figures))
            }
            (OpeningId::Swap1989 | OpeningId::Tarannikov | OpeningId::Taraguchi10, 2) => {
                single(Zone::Third(figures))
            }
            (OpeningId::Tarannikov | OpeningId::Taraguchi10, 3) => single(Zone::Within(3)),
            (OpeningId::Tarannikov, 4) => single(Zone::Within(4)),
            (OpeningId::Taraguchi10, 4) => {
                let ten = Choice::Offer { count: TARAGUCHI };
                let mut choices = single(Zone::Within(4));
                choices.extend((!self.fourth_swapped).then_some(ten));
                choices
            }
            (OpeningId::Taraguchi10, 5) if !self.offers.is_empty() => vec![Choice::Choose],
            _ => usual(),
        }
    }

    /// A usual turn of the game.
    fn turn(&self, color: Color, zone: Zone) -> Vec<Choice> {
        let stones = if self.steps > 0 { self.contest.variant.turn() } else { self.first_turn };
        let colors = vec![color; stones];
        vec![Choice::Stones { colors, zone, declare: None }]
    }

    /// Advances the opening by a legal action.
    pub(super) fn go(&mut self, action: &Action) {
        let (ply, opening) = (self.plies, self.opening);
        self.plies += 1;
        // A pass leaves the stones unchanged: a swap that answered them is not on offer again.
        self.swapped = *action == Action::Swap || self.swapped && *action == Action::Pass;
        let mut stones = 0;
        match action {
            Action::Pass => return,
            Action::Swap => {
                self.fourth_swapped |= opening == OpeningId::Taraguchi10 && self.steps == 4;
                // The swap that answers the last stone of an opening is part of the opening.
                // Swap-1st ends at the same ply with or without it.
                let last = opening == OpeningId::Swap2 || self.over.is_some();
                if last && opening != OpeningId::Swap1st {
                    self.over = Some(ply + 1);
                }
                return;
            }
            Action::Stones { cells, count } => {
                stones = cells.len();
                self.declared = count.or(self.declared);
            }
            Action::Offer(cells) => {
                self.offers.clone_from(cells);
                self.declared = Some(cells.len());
            }
            Action::Choose { .. } => {
                self.offers.clear();
                self.over = Some(ply + 1);
            }
        }
        self.steps += 1;
        let unknown = self.over.is_none();
        self.over = match (opening, self.steps) {
            (OpeningId::Swap5 | OpeningId::Tarannikov, 5) | (OpeningId::Swap3rd, 3) => {
                Some(ply + 1)
            }
            (OpeningId::Taraguchi10, 5) if self.offers.is_empty() => Some(ply + 1),
            // An answer with one stone is the first ply after the opening, and so is the stone
            // of a seat that does not swap.
            (OpeningId::Swap2, 2) if unknown && stones == 1 => Some(ply),
            (OpeningId::Swap2, 3) if unknown => Some(ply),
            _ => self.over,
        };
        self.two_stones |= opening == OpeningId::Swap2 && self.steps == 2 && stones == 2;
    }
}
