//! Pending decisions in words, with a legal example, and plies as users type them.

use std::fmt::Write;

use goren_core::opening::{Action, Choice, GameState, PendingDecision, Seat, Zone, write};
use goren_core::rules::referee::Reason;
use goren_core::rules::{Contest, OpeningId};
use goren_core::types::{Cell, Color};

use crate::lettering::Lettering;
use crate::words::name;

/// Number of cells around the centre tried for an example.
const MAX_TRIED: usize = 60;

/// Returns a legal ply as an example; `None` if the game is over or only fouls and a pass are
/// left.
pub fn example(game_state: &GameState) -> Option<Action> {
    let pending = game_state.pending_decision()?;
    pending.choices.iter().find_map(|choice| example_of(game_state, choice))
}

/// Returns a ply of a choice that continues the game, as an example shall not give away a win;
/// if there is none, one that ends it without a foul.
fn example_of(game_state: &GameState, choice: &Choice) -> Option<Action> {
    let continues = |after: &GameState| after.result().is_none();
    let is_no_foul = |after: &GameState| {
        let reason = after.result().map(|result| result.reason);
        !matches!(reason, Some(Reason::Foul | Reason::Overline))
    };
    first_of(game_state, choice, continues).or_else(|| first_of(game_state, choice, is_no_foul))
}

/// Returns the first ply of a choice, those around the centre first, that leads to a game that
/// `fits`.
fn first_of(
    game_state: &GameState,
    choice: &Choice,
    fits: impl Fn(&GameState) -> bool,
) -> Option<Action> {
    let cells = central_cells(game_state);
    let fits = |action: Action| {
        let mut after = game_state.clone();
        (after.apply(&action).is_ok() && fits(&after)).then_some(action)
    };
    match choice {
        Choice::Stones { colors, declare, .. } => {
            let count = declare.map(|(least, _)| least);
            let action = |cells: Vec<Cell>| fits(Action::Stones { cells, count });
            match colors.len() {
                1 => {
                    let placements = game_state.placements();
                    let free = cells.iter().filter(|cell| placements.contains(cell));
                    free.copied().find_map(|cell| action(vec![cell]))
                }
                2 => pairs(&cells).find_map(|pair| action(pair.to_vec())),
                _ => pairs(&cells).find_map(|[a, c]| {
                    let mut middle = cells.iter().filter(|&&b| b != a && b != c);
                    middle.find_map(|&b| action(vec![a, b, c]))
                }),
            }
        }
        Choice::Figure { declare, .. } => {
            let cells = game_state.figures().first()?.to_vec();
            fits(Action::Stones { cells, count: declare.map(|(least, _)| least) })
        }
        Choice::Offer { count } => {
            let mut offers: Vec<Cell> = Vec::new();
            for &cell in &cells {
                offers.push(cell);
                if game_state.has_twins(&offers) {
                    offers.pop();
                }
                if offers.len() == *count {
                    break;
                }
            }
            fits(Action::Offer(offers))
        }
        Choice::Choose => {
            let &fifth = game_state.offers().first()?;
            let others = cells.into_iter().filter(|&cell| cell != fifth);
            others.into_iter().find_map(|sixth| fits(Action::Choose { fifth, sixth }))
        }
    }
}

/// Empty cells, those around the centre first.
fn central_cells(game_state: &GameState) -> Vec<Cell> {
    let centre = game_state.centre();
    let mut cells = game_state.empty();
    cells.sort_by_key(|cell| {
        let (dx, dy) = (cell.x().abs_diff(centre.x()), cell.y().abs_diff(centre.y()));
        (dx.max(dy), dx + dy, *cell)
    });
    if !game_state.contest().variant.falls() {
        cells.truncate(MAX_TRIED);
    }
    cells
}

fn pairs(cells: &[Cell]) -> impl Iterator<Item = [Cell; 2]> + '_ {
    let pairs_from = move |i: usize| cells[i + 1..].iter().map(move |&b| [cells[i], b]);
    (0..cells.len()).flat_map(pairs_from)
}

/// A ply as a user would type it.
pub fn text(game_state: &GameState, action: &Action, lettering: Lettering) -> String {
    match action {
        Action::Swap => "swap".into(),
        Action::Pass => "pass".into(),
        Action::Choose { fifth, sixth } => lettering.labels(&[*fifth, *sixth]),
        Action::Offer(cells) => lettering.labels(cells),
        Action::Stones { cells, count } => {
            let falls = game_state.contest().variant.falls() && cells.len() == 1;
            let in_column = |&cell: &Cell| {
                game_state.placements().iter().filter(|other| other.x() == cell.x()).count() == 1
            };
            if falls && cells.iter().all(in_column) {
                return lettering.letter(cells[0].x()).into();
            }
            let count = count.map_or(String::new(), |count| format!(",{count}"));
            lettering.labels(cells) + &count
        }
    }
}

/// An example of a legal input, such as `h8`.
pub fn such_as(game_state: &GameState, lettering: Lettering) -> String {
    match example(game_state) {
        Some(action) => format!("such as {}", text(game_state, &action, lettering)),
        None => "pass".into(),
    }
}

/// Whether the seat to act makes an ordinary move of the game, on any point.
pub fn is_plain(pending: &PendingDecision) -> bool {
    let plain = matches!(&pending.choices[..],
        [Choice::Stones { colors, zone: Zone::Anywhere, declare: None }]
            if colors.iter().all(|&color| color == pending.color));
    plain && !pending.swap
}

/// The task that the opening sets the seat to act; `None` in plain moves.
pub fn stage(game_state: &GameState, lettering: Lettering) -> Option<String> {
    let pending = game_state.pending_decision().filter(|pending| !is_plain(pending))?;
    let opening = game_state.contest().opening;
    let before = if opening == OpeningId::Free { String::new() } else { format!("{opening}: ") };
    let mut options: Vec<String> = Vec::new();
    if pending.swap {
        options.push("swap".into());
    }
    for choice in &pending.choices {
        let mut option = way(game_state, choice, lettering);
        let is_centre = matches!(choice, Choice::Stones { zone: Zone::Within(0), .. });
        if let Some(action) = example_of(game_state, choice).filter(|_| !is_centre) {
            let _ = write!(option, ", such as {}", text(game_state, &action, lettering));
        }
        options.push(option);
    }
    Some(format!("{before}{}.", options.join(", or ")))
}

/// A choice to continue with stones, in words.
pub fn way(game_state: &GameState, choice: &Choice, lettering: Lettering) -> String {
    let number = |declare: &Option<(usize, usize)>| {
        declare.map_or(String::new(), |(least, most)| {
            format!(", and say how many fifths there will be, {least} to {most}")
        })
    };
    match choice {
        Choice::Stones { colors, zone, declare } => {
            let names: Vec<&str> = colors.iter().map(|&color| name(color)).collect();
            let stones = match &colors[..] {
                [color] => format!("place {}'s stone", name(*color)),
                [a, b] if a == b => format!("place two stones of {}", name(*a)),
                _ => format!("place {} stones in this order: {}", names.len(), names.join(", ")),
            };
            format!("{stones}{}{}", where_to(game_state, *zone, lettering), number(declare))
        }
        Choice::Figure { declare, .. } => {
            let what = "place the first three stones of a renju opening: Black, White, Black";
            format!("{what}{}", number(declare))
        }
        Choice::Offer { count } => {
            format!("offer {count} fifths for Black, no two the same by symmetry")
        }
        Choice::Choose => "keep one of the fifths on offer, and place White's sixth stone".into(),
    }
}

/// The points that a zone allows, in words; of its square, the part on the board.
fn where_to(game_state: &GameState, zone: Zone, lettering: Lettering) -> String {
    let centre = game_state.centre();
    let &Contest { width, height, .. } = game_state.contest();
    let square = |reach: usize| {
        let (x, y) = (centre.x(), centre.y());
        let corner = |x, y| lettering.label(Cell::new(x, y));
        let low = corner(x.saturating_sub(reach), (y + reach).min(height - 1));
        let high = corner((x + reach).min(width - 1), y.saturating_sub(reach));
        format!("{low} to {high}")
    };
    match zone {
        Zone::Anywhere => String::new(),
        Zone::Within(0) => format!(" in the centre, {}", lettering.label(centre)),
        Zone::Within(reach) => format!(" within {reach} of the centre, {}", square(reach)),
        Zone::Beyond(reach) => format!(" outside the square {}", square(reach)),
        Zone::Second(figures) | Zone::Third(figures) if figures.strict => {
            let cells = game_state.placements();
            format!(" on one of {}", lettering.labels(&cells))
        }
        Zone::Second(figures) if figures.second == 1 => {
            format!(" next to {}", lettering.label(centre))
        }
        Zone::Second(figures) => {
            let reach = figures.second;
            format!(" within {reach} of the centre, {}", square(reach))
        }
        Zone::Third(figures) => {
            let reach = figures.third;
            format!(" within {reach} of the centre, {}", square(reach))
        }
    }
}

/// The colour that a seat has at the moment.
pub fn owner(game_state: &GameState, seat: Seat) -> Color {
    if game_state.owner(Color::Black) == seat { Color::Black } else { Color::White }
}

/// A ply in the notation of files, except that a swap is `swap`.
pub fn canonical_text(game_state: &GameState, action: &Action) -> String {
    if *action == Action::Swap { "swap".into() } else { write(game_state, action) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::Variant;

    /// Where every stone ends the game, a pass was suggested, which the game does not have.
    #[test]
    fn an_example_may_end_the_game_if_every_stone_does() {
        let contest = Contest::new(Variant::from_name("pente+boat").unwrap());
        let contest = contest.on(9, 9).unwrap().opened(OpeningId::Free).unwrap();
        // White cannot capture out of Black's five.
        let plies = ["e5", "a1", "f5", "a3", "g5", "a7", "h5", "a9", "i5"];
        let game_state = crate::plies::game(&contest, plies).unwrap();
        assert!(game_state.result().is_none());
        let example = such_as(&game_state, Lettering::of((9, 9)));
        assert!(example.starts_with("such as "), "{example}");
    }

    /// The corners were off the board.
    #[test]
    fn the_square_of_a_zone_is_cut_to_the_board() {
        let stage_after = |opening, (width, height), plies: &[&str]| {
            let contest = Contest::new(Variant::from_name("renju").unwrap());
            let contest = contest.on(width, height).unwrap().opened(opening).unwrap();
            let game_state = crate::plies::game(&contest, plies.iter().copied()).unwrap();
            stage(&game_state, Lettering::of((width, height))).unwrap()
        };
        let ten = stage_after(OpeningId::Taraguchi10, (7, 7), &["d4", "d5", "d6", "e5"]);
        assert!(ten.contains("within 4 of the centre, a1 to g7"), "{ten}");
        let flat = stage_after(OpeningId::Tarannikov, (15, 5), &["h3", "h4", "h5"]);
        assert!(flat.contains("within 3 of the centre, e1 to k5"), "{flat}");
    }
}
