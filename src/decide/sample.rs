//! Random plies, and facts about the decisions that follow, found by a random ply.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use goren_core::opening::{Action, Choice, GameState, Zone};
use goren_core::types::{Cell, Color};

/// Attempts to find a legal random ply.
const TRIES: usize = 300;
/// Three out of four random stones are drawn from within this distance of the centre,
/// in columns and rows: central openings are sharper.
const REACH: usize = 3;
/// Fixed, so that the same limits give the same choices.
pub(super) const SEED: u64 = 0x4445_4349_4445;

/// Returns the game after an action, if that is legal.
pub(super) fn after(game_state: &GameState, action: &Action) -> Option<GameState> {
    let mut next = game_state.clone();
    next.apply(action).ok().map(|()| next)
}

/// Returns a random legal placement of the stones of the first choice.
pub fn sample(game_state: &GameState, rng: &mut SmallRng) -> Option<Action> {
    let pending = game_state.pending_decision()?;
    sample_of(game_state, pending.choices.first()?, rng)
}

/// Returns a random legal placement of the stones of a choice.
pub(super) fn sample_of(
    game_state: &GameState,
    choice: &Choice,
    rng: &mut SmallRng,
) -> Option<Action> {
    (0..TRIES).find_map(|_| {
        let action = match choice {
            Choice::Stones { colors, declare, .. } => {
                let cells = match colors.len() {
                    1 => vec![any(game_state, &game_state.placements(), rng)?],
                    _ => stones(game_state, colors, rng)?,
                };
                Action::Stones { cells, count: declared(*declare, rng) }
            }
            Choice::Figure { declare, .. } => {
                let figures = game_state.figures();
                let cells = figures.get(rng.random_range(0..figures.len().max(1)))?.to_vec();
                Action::Stones { cells, count: declared(*declare, rng) }
            }
            Choice::Offer { .. } | Choice::Choose => return None,
        };
        after(game_state, &action).is_some().then_some(action)
    })
}

/// Returns a random number within the bounds, if a number is to be declared.
fn declared(bounds: Option<(usize, usize)>, rng: &mut SmallRng) -> Option<usize> {
    bounds.map(|(least, most)| rng.random_range(least..=most))
}

/// Returns random stones of these colours, each legal when it is placed.
fn stones(game_state: &GameState, colors: &[Color], rng: &mut SmallRng) -> Option<Vec<Cell>> {
    let mut referee = game_state.referee().copy();
    let empty = game_state.empty();
    let pair = colors.iter().all(|&color| Some(&color) == colors.first());
    let mut cells = Vec::new();
    for &color in colors {
        let fits = |&cell: &Cell| {
            referee.check(color, cell).is_ok() && (!pair || game_state.in_pair_zone(cell))
        };
        let free: Vec<Cell> = empty.iter().copied().filter(fits).collect();
        let cell = any(game_state, &free, rng)?;
        referee.place(color, cell).ok()?;
        cells.push(cell);
    }
    Some(cells)
}

/// Returns a random one of some cells, with preference for the centre.
fn any(game_state: &GameState, cells: &[Cell], rng: &mut SmallRng) -> Option<Cell> {
    let centre = game_state.centre();
    let near = |cell: &Cell| {
        let (dx, dy) = (cell.x().abs_diff(centre.x()), cell.y().abs_diff(centre.y()));
        dx <= REACH && dy <= REACH
    };
    let central: Vec<Cell> = cells.iter().copied().filter(near).collect();
    let from = if central.is_empty() || rng.random_range(0..4) == 0 { cells } else { &central };
    (!from.is_empty()).then(|| from[rng.random_range(0..from.len())])
}

/// Whether the other seat may swap after the stones due now.
pub fn swap_follows(game_state: &GameState) -> bool {
    let next = after_any(game_state);
    next.and_then(|next| next.pending_decision()).is_some_and(|pending| pending.swap)
}

/// Whether fifths are offered after the stone due now.
pub(super) fn offer_follows(game_state: &GameState) -> bool {
    let pending = after_any(game_state).and_then(|next| next.pending_decision());
    pending.is_some_and(|pending| matches!(pending.choices[..], [Choice::Offer { .. }]))
}

/// Whether the other seat may swap again after the stones that follow those due now.
pub(super) fn another_swap_follows(game_state: &GameState) -> bool {
    after_any(game_state).is_some_and(|next| swap_follows(&next))
}

/// Whether the stone due now is a fifth within a zone, the last one that the other seat may
/// swap (Taraguchi-10, Tarannikov).
pub(super) fn fifth_may_be_swapped(game_state: &GameState) -> bool {
    let choices = game_state.pending_decision().map_or(Vec::new(), |pending| pending.choices);
    let is_within = |choice: &Choice| match choice {
        Choice::Stones { colors, zone: Zone::Within(_), .. } => colors.len() == 1,
        _ => false,
    };
    choices.first().is_some_and(is_within)
        && swap_follows(game_state)
        && !another_swap_follows(game_state)
}

/// Returns the game after a random legal ply.
fn after_any(game_state: &GameState) -> Option<GameState> {
    let action = sample(game_state, &mut SmallRng::seed_from_u64(SEED))?;
    after(game_state, &action)
}

/// Returns any legal ply, in case the search finds none.
pub(super) fn any_legal(game_state: &GameState) -> Option<Action> {
    let single = game_state.placements().into_iter().map(Action::stone);
    let random = sample(game_state, &mut SmallRng::seed_from_u64(SEED));
    let others = [Action::Pass, Action::Swap].into_iter();
    let empty = game_state.empty();
    let offers = game_state.offers();
    let kept = offers.iter().flat_map(|&fifth| {
        let sixths = empty.iter().filter(move |&&sixth| sixth != fifth);
        sixths.map(move |&sixth| Action::Choose { fifth, sixth })
    });
    let mut plies = single.chain(random).chain(others).chain(any_offer(game_state)).chain(kept);
    plies.find(|action| after(game_state, action).is_some())
}

/// Returns some fifths to offer, no two of them the same by a symmetry of the stones, if fifths are
/// to be offered.
fn any_offer(game_state: &GameState) -> Option<Action> {
    let pending = game_state.pending_decision()?;
    let count = pending.choices.iter().find_map(|choice| match choice {
        Choice::Offer { count } => Some(*count),
        _ => None,
    })?;
    let mut cells = Vec::new();
    for cell in game_state.empty() {
        cells.push(cell);
        if game_state.has_twins(&cells) {
            cells.pop();
        }
        if cells.len() == count {
            return Some(Action::Offer(cells));
        }
    }
    None
}
