//! What a search and the database tell each other: the results that are known
//! below the position, and the one that was proven of it.
//!
//! What the file says is the user's word: it is taken for true, below the
//! position as at its first moves. What is written back may rest on it, and
//! stays where the user takes his word back.

use std::time::{Duration, Instant};

use super::super::job::Task;
use super::probe::place_of;
use super::{Session, State};
use goren_core::types::{PROVEN, Score, loss_in, plies_to_end, win_in};
use goren_database::below::{Proof, Reach, below};
use goren_database::record::{MATE, MATES};
use goren_database::{Bound, Key, Label, Record};
use goren_engine::search::{Info, Known, Request};

/// Most positions that are looked at before a search, some 0.14 ms each on a
/// busy machine: nothing is heard meanwhile, and a stop must not have to wait.
const MOST_POSITIONS: usize = 200;
/// Farthest results that a search is told of, in plies.
const MOST_PLIES: usize = 16;
/// Share of the time for a move that the look may take: one in so many.
const SHARE: u32 = 10;
/// The most it may take.
const MOST_TIME: Duration = Duration::from_millis(30);
/// Plies that stand for a number nobody knows: more than a record can say.
const UNKNOWN: usize = (MATE - MATES) as usize;

/// Which results of a search are results of the position.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Proves {
    win: bool,
    loss: bool,
}

impl Proves {
    /// Where moves are banned, a loss says nothing but that the others lose.
    /// What the database knows to lose may be left out all the same.
    pub(crate) fn of(task: Task, request: &Request) -> Proves {
        let bans = &request.bans;
        let free = bans.lines.is_empty() && bans.cells.iter().all(|cells| cells.is_empty());
        let win = matches!(task, Task::Move | Task::Analyse) && free;
        let loses =
            |cell| request.known.iter().any(|known| known.path == [cell] && known.score >= PROVEN);
        let all = request.root_moves.is_empty() && bans.here.iter().all(|&cell| loses(cell));
        Proves { win, loss: win && all }
    }
}

impl Session {
    /// What the database knows below the position that a task is about. What
    /// was learnt while it said something else is forgotten.
    pub(crate) fn known(&mut self, task: Task) -> Vec<Known> {
        let clock = self.clock();
        self.look_up_meanwhile(match &self.state {
            State::Idle(game) => Some(game.setup()),
            _ => None,
        });
        if std::mem::take(&mut self.shelf.changed) {
            self.forget();
        }
        let (State::Idle(game), Some(database)) = (&self.state, &self.shelf.open) else {
            return Vec::new();
        };
        let whole = matches!(task, Task::Move | Task::Analyse | Task::Ponder);
        let Some(place) = place_of(game.as_ref()).filter(|_| whole) else { return Vec::new() };
        let hard = clock.budget(place.count(), place.setup().area()).hard;
        // Without a clock a search depends on nothing but its position.
        let until = (hard != Duration::MAX).then(|| Instant::now() + (hard / SHARE).min(MOST_TIME));
        let reach = Reach { positions: MOST_POSITIONS, plies: MOST_PLIES, until };
        let found = below(database.store(), &place, &reach);
        found.proofs.into_iter().map(known).collect()
    }

    /// The record that a search has proven of its position, unless there is
    /// one with a label.
    pub(crate) fn proven(&self, proves: Proves, told: &Info) -> Option<(Key, Record)> {
        let counts = if told.score > 0 { proves.win } else { proves.loss };
        // It may rest on what the user has taken back meanwhile.
        let kept = counts && !self.shelf.read_only && !self.shelf.changed;
        let plies = plies_to_end(told.score).filter(|_| kept)?;
        let (State::Idle(game), Some(database)) = (&self.state, &self.shelf.open) else {
            return None;
        };
        let place = place_of(game.as_ref()).filter(|place| place.count() > 0)?;
        let key = place.key()?;
        let mut record = database.store().get(&key).unwrap_or_default();
        if record.label != Label::NONE && record.label != Label::NULL {
            return None;
        }
        // A label is told from the side that has just moved.
        record.label = if told.score > 0 { Label::LOSE } else { Label::WIN };
        let value = i32::from(MATE) - plies.min(UNKNOWN) as i32;
        record.value = (value * told.score.signum()) as i16;
        record.set_depth(told.depth.into(), Bound::Exact);
        Some((key, record))
    }

    /// Files what a search has proven. Nobody asked for it, so that nobody is
    /// told where it cannot be done.
    pub(crate) fn write_back(&mut self, key: &Key, record: &Record) {
        if let Some(database) = &mut self.shelf.open {
            drop(database.set(key, record));
        }
    }
}

fn known(proof: Proof) -> Known {
    let plies = proof.plies.unwrap_or(UNKNOWN);
    let score: Score = if proof.wins { win_in(plies) } else { loss_in(plies) };
    Known { path: proof.path, score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{Cell, CellSet};
    use goren_engine::search::Bans;

    #[test]
    fn only_what_no_ban_brought_about_is_proven() {
        let [a, b] = [Cell::new(3, 3), Cell::new(4, 4)];
        let of = |request: &Request| Proves::of(Task::Move, request);
        let [both, win, none] =
            [(true, true), (true, false), (false, false)].map(|(win, loss)| Proves { win, loss });
        let free = Request::default();
        assert_eq!(of(&free), both);
        assert_eq!(Proves::of(Task::Ponder, &free), none);
        assert_eq!(of(&Request { root_moves: vec![a], ..free.clone() }), win);
        let here = |here| Request { bans: Bans { here, ..Bans::default() }, ..Request::default() };
        assert_eq!(of(&here(vec![a])), win);
        let known = |path: &[Cell], score| vec![Known { path: path.to_vec(), score }];
        let lost = |cells, known| of(&Request { known, ..here(cells) });
        assert_eq!(lost(vec![a], known(&[a], win_in(4))), both);
        assert_eq!(lost(vec![a, b], known(&[a], win_in(4))), win);
        assert_eq!(lost(vec![a], known(&[a], loss_in(4))), win);
        assert_eq!(lost(vec![a], known(&[a, b], win_in(4))), win);
        let mut cells = [CellSet::EMPTY; 2];
        cells[1].insert(a);
        let bans = Bans { cells, ..Bans::default() };
        assert_eq!(of(&Request { bans, ..free.clone() }), none);
        let bans = Bans { lines: vec![vec![a, b]], ..Bans::default() };
        assert_eq!(of(&Request { bans, ..free }), none);
    }
}
