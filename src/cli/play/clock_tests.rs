//! Tests of the clock in a game.

use std::io::Write;
use std::thread::sleep;

use super::input::InputLine;
use super::tests::{contest, new_match};
use super::*;
use goren_core::opening::Seat;

/// Lines of a person who thinks for some time before each.
struct Slow(Duration, Vec<&'static str>);

impl LineSource for Slow {
    fn line(&mut self, prompt: &str, out: &mut dyn Write) -> Result<InputLine> {
        writeln!(out, "{prompt}")?;
        sleep(self.0);
        let is_end = self.1.is_empty();
        Ok(if is_end { InputLine::End } else { InputLine::Text(self.1.remove(0).into()) })
    }

    fn is_person(&self) -> bool {
        false
    }
}

/// Plays with a clock; returns the output and the match.
fn timed(clock: &str, ms: u64, players: [Player; 2], lines: &[&'static str]) -> (String, Match) {
    let mut table = new_match(contest("freestyle", 9, OpeningId::Free), Seat::First);
    table.players = players;
    table.clock = Some(GameClock::new(time_control(clock).unwrap()).unwrap());
    let mut lines = Slow(Duration::from_millis(ms), lines.to_vec());
    let played = with_search_stack(move || {
        let mut out = Vec::new();
        table.play(&mut lines, &mut out)?;
        Ok((String::from_utf8(out)?, table))
    });
    played.unwrap()
}

const ENGINE: [Player; 2] = [Player::Person, Player::Engine];
const PEOPLE: [Player; 2] = [Player::Person; 2];

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    // 30 ms.
    let (seen, _) = timed("0.0005", 40, ENGINE, &["e5"]);
    assert!(seen.contains("White (the engine) wins on time."), "{seen}");
    // Commands are still obeyed, and undo resets the clocks.
    let (seen, _) = timed("0.0005", 40, ENGINE, &["level club", "e5", "undo"]);
    assert!(seen.contains("plays at level club now."), "{seen}");
    assert!(seen.contains("e5: the game is over; undo"), "{seen}");
    assert!(seen.contains("Both clocks are reset."), "{seen}");
    // With a clock the time per move has no effect.
    let (seen, _) = timed("10", 0, ENGINE, &["time 2"]);
    assert!(seen.contains("The engine moves by its clock; for a hint it has 2.0 s."), "{seen}");
}

#[test]
fn each_player_spends_its_own_time_and_gains_the_increment() {
    let (seen, table) = timed("1+5", 20, PEOPLE, &["e5", "e6"]);
    assert!(seen.contains("Black to move [1:05 - 1:05]> "), "{seen}");
    assert!(seen.contains("White to move [1:05 - 1:09]> "), "{seen}");
    let [first, second] = Seat::ALL.map(|seat| table.time_left(seat).unwrap().as_millis());
    // Black has waited for the end of the input, too.
    assert!((60_000..=69_960).contains(&first), "{first}");
    assert!((60_000..=69_980).contains(&second), "{second}");
}

/// Regression: plies taken back left their increments, so that undo added time.
#[test]
fn undo_takes_the_increments_back() {
    let lines = ["e5", "e6", "undo", "undo", "e5", "e6", "undo", "undo"];
    let (_, table) = timed("1+5", 0, PEOPLE, &lines);
    let left = Seat::ALL.map(|seat| table.time_left(seat).unwrap());
    assert!(left.iter().all(|left| *left <= Duration::from_secs(65)), "{left:?}");
    // A redo leads to the time of the position.
    let lines = ["e5", "e6", "undo", "undo", "redo", "redo"];
    let (_, table) = timed("1+5", 0, PEOPLE, &lines);
    let left = Seat::ALL.map(|seat| table.time_left(seat).unwrap());
    assert!(left.iter().all(|left| left.as_secs_f64().round() == 70.0), "{left:?}");
}
