//! Scores as seen some plies earlier or later.

use goren_core::types::{Score, loss_in, plies_to_end, win_in};

/// Returns a score as seen `plies` plies earlier, by the `same` side or by the other.
pub fn earlier(score: Score, plies: usize, same: bool) -> Score {
    let own = if same { score } else { -score };
    match plies_to_end(own) {
        Some(more) if own > 0 => win_in(more + plies),
        Some(more) => loss_in(more + plies),
        None => own,
    }
}

/// Returns a proven score as seen `plies` plies later, by the `same` side or by the other.
pub(crate) fn later(score: Score, plies: usize, same: bool) -> Score {
    let own = if same { score } else { -score };
    let left = plies_to_end(own).unwrap_or(0).saturating_sub(plies);
    if own > 0 { win_in(left) } else { loss_in(left) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_shifted_back_and_forth() {
        assert_eq!(earlier(win_in(5), 1, false), loss_in(6));
        assert_eq!(earlier(loss_in(4), 2, false), win_in(6));
        assert_eq!(earlier(win_in(5), 1, true), win_in(6));
        assert_eq!((earlier(40, 1, false), earlier(40, 2, true)), (-40, 40));
        assert_eq!(later(win_in(5), 1, false), loss_in(4));
        assert_eq!(later(loss_in(4), 2, false), win_in(2));
        // The first stone of two has won.
        assert_eq!(later(win_in(1), 2, false), loss_in(0));
    }
}
