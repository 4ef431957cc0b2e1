//! Summary of a match as text.

use super::game::GameFault;
use super::totals::{EngineTotals, MatchTotals, Meeting, Test, Wdl};
use crate::stats::{Estimate, SprtVerdict, ratings};
use goren_notation::words::plural;

/// Formats the summary of a match. `seats` says whether results are by seat instead of by
/// colour, as colours may be swapped.
pub(super) fn summary(totals: &MatchTotals, names: &[String], seats: bool) -> String {
    let mut text = String::new();
    for meeting in &totals.meetings {
        text += &meeting_lines(meeting, names, seats);
    }
    if let Some(test) = &totals.test {
        text += &format!("  SPRT       {}\n", test_line(test));
    }
    if names.len() > 2 && totals.games > 0 {
        text += &rating_lines(totals, names);
    }
    text += &engine_lines(totals, names);
    let Wdl { wins, losses, draws } = totals.colors;
    if seats {
        let Wdl { wins: first, losses: second, .. } = totals.seats;
        text += &format!("who began won {first}, the other {second} ");
        text += &format!("(Black {wins}, White {losses}), {draws} drawn; ");
    } else {
        text += &format!("Black won {wins}, White {losses}, {draws} drawn; ");
    }
    let overhead = totals.overhead_us as f64 / totals.moves.max(1) as f64;
    let moves = plural(totals.moves, "move", "moves");
    text += &format!("{moves}, runner overhead {overhead:.0} us a move\n");
    text
}

/// Formats the sequential test over all parts of a match, for the summary of one part.
pub(super) fn of_all_parts(all: &MatchTotals) -> String {
    let test = all.test.as_ref().map(test_line).unwrap_or_default();
    let games = plural(all.games, "game", "games");
    format!("all parts: {games}\n  SPRT       {test}\n")
}

/// Formats the state of a match as one short line.
pub(super) fn brief(totals: &MatchTotals, names: &[String]) -> String {
    let [meeting] = totals.meetings.as_slice() else {
        return format!("{} engines", names.len());
    };
    let Wdl { wins, losses, draws } = meeting.total();
    let mut text = format!("{} {wins}-{losses}-{draws}", names[meeting.engines[0]]);
    if meeting.pentanomial.pairs() > 0 {
        let elo = meeting.pentanomial.elo();
        text += &format!(" Elo {elo:.0}");
    }
    if let Some(test) = &totals.test {
        let (low, high) = test.sprt.bounds();
        text += &format!(" LLR {:.2} [{low:.2}, {high:.2}]", test.llr());
    }
    text
}

fn percent(part: Option<f64>) -> String {
    part.map_or_else(|| "-".into(), |part| format!("{:.1}%", 100.0 * part))
}

fn meeting_lines(meeting: &Meeting, names: &[String], seats: bool) -> String {
    let [a, b] = meeting.engines.map(|engine| &names[engine]);
    let total = meeting.total();
    let games = total.games();
    let played = plural(games, "game", "games");
    let mut text = format!("{a} vs {b}: {played} (wins-losses-draws of {a})\n");
    let count = |count: &Wdl| {
        let Wdl { wins, losses, draws } = count;
        format!("{wins}-{losses}-{draws} ({})", percent(count.score()))
    };
    let draws = (games > 0).then(|| total.draws as f64 / games as f64);
    text += &format!("  score      {}, draws {}\n", count(&total), percent(draws));
    let [first, second] = meeting.by_seat.each_ref().map(count);
    text += &if seats {
        format!("  by seat    {first} when it began, {second} when not\n")
    } else {
        format!("  by colour  {first} as Black, {second} as White\n")
    };
    let pairs = meeting.pentanomial;
    let [zero, half, one, more, two] = pairs.0;
    text += &format!("  pairs      {zero}-{half}-{one}-{more}-{two} with 0-0.5-1-1.5-2 points\n");
    if pairs.pairs() > 0 {
        let elo = pairs.elo();
        let superior = percent(Some(pairs.superiority()));
        text += &format!("  Elo        {elo} (95%), LOS {superior}\n");
    }
    text
}

fn test_line(test: &Test) -> String {
    let sprt = &test.sprt;
    let (low, high) = sprt.bounds();
    let verdict = match test.verdict {
        Some((verdict, pairs)) => {
            let name = if verdict == SprtVerdict::H1 { "H1" } else { "H0" };
            format!("{name} accepted after {}", plural(pairs, "pair", "pairs"))
        }
        None => "no verdict yet".into(),
    };
    format!(
        "LLR {:.2} [{low:.2}, {high:.2}], Elo {} against {}, alpha {}, beta {}: {verdict}",
        test.llr(),
        sprt.elo0,
        sprt.elo1,
        sprt.alpha,
        sprt.beta
    )
}

fn rating_lines(totals: &MatchTotals, names: &[String]) -> String {
    let ratings = ratings(names.len(), &totals.encounters());
    let mut table: Vec<(&String, Estimate, Wdl)> = Vec::new();
    for (i, (name, &rating)) in names.iter().zip(&ratings).enumerate() {
        table.push((name, rating, total_of(i, totals)));
    }
    table.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let width = width(names);
    let mut text = format!("{:<width$}  {:>24}  {:>7} {:>6}\n", "", "Elo (95%)", "games", "score");
    for (name, rating, count) in table {
        let (rating, score) = (format!("{rating:.0}"), percent(count.score()));
        text += &format!("{name:<width$}  {rating:>24}  {:>7} {score:>6}\n", count.games());
    }
    text
}

/// Sums up all games of an engine from its point of view.
fn total_of(engine: usize, totals: &MatchTotals) -> Wdl {
    let mut sum = Wdl::default();
    for meeting in &totals.meetings {
        let Wdl { wins, losses, draws } = meeting.total();
        let (wins, losses) = match meeting.engines {
            [a, _] if a == engine => (wins, losses),
            [_, b] if b == engine => (losses, wins),
            _ => continue,
        };
        sum.wins += wins;
        sum.losses += losses;
        sum.draws += draws;
    }
    sum
}

fn width(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0)
}

fn engine_lines(totals: &MatchTotals, names: &[String]) -> String {
    let width = width(names);
    let mut text = format!(
        "{:<width$}  {:>7} {:>9} {:>10} {:>6} {:>10} {:>9}  {}\n",
        "", "moves", "ms/move", "longest ms", "depth", "nodes/move", "peak MiB", "lost by"
    );
    for (name, engine) in names.iter().zip(&totals.engines) {
        let per = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        let or_dash = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".into(), |value| format!("{value:.digits$}"))
        };
        text += &format!(
            "{name:<width$}  {:>7} {:>9} {:>10.1} {:>6} {:>10} {:>9}  {}\n",
            engine.moves,
            or_dash(per(engine.time_us, engine.moves).map(|us| us / 1e3), 2),
            engine.longest_us as f64 / 1e3,
            or_dash(per(engine.depths.1, engine.depths.0), 1),
            or_dash(per(engine.nodes.1, engine.nodes.0), 0),
            or_dash(engine.memory.map(|bytes| bytes as f64 / f64::from(1 << 20)), 1),
            faults(engine)
        );
    }
    for (name, engine) in names.iter().zip(&totals.engines) {
        if let Some(fault) = &engine.last_fault {
            text += &format!("last fault of {name}: {fault}\n");
        }
        if let Some(complaint) = &engine.complaint {
            text += &format!("{name} complained: {complaint}\n");
        }
        if engine.over_memory > 0 {
            let games = plural(engine.over_memory, "game", "games");
            text += &format!("{name} held more memory than allowed in {games}\n");
        }
    }
    text
}

fn faults(engine: &EngineTotals) -> String {
    let kinds = GameFault::ALL.iter().zip(engine.faults).filter(|(_, count)| *count > 0);
    let words: Vec<String> =
        kinds.map(|(fault, count)| format!("{} {count}", fault.name())).collect();
    if words.is_empty() { "-".into() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::super::line::tests::line;
    use super::super::schedule::{OpeningOrder, Schedule, Tournament};
    use super::*;
    use crate::stats::Sprt;
    use goren_core::opening::Seat;
    use goren_core::record::Ending;

    fn names(count: usize) -> Vec<String> {
        ["new", "old", "other"][..count].iter().map(|name| (*name).into()).collect()
    }

    /// A match in which the first to act always wins.
    fn totals(engines: usize, sprt: Option<Sprt>) -> MatchTotals {
        let schedule =
            Schedule::new(engines, Tournament::RoundRobin, 1, OpeningOrder::File, 1, None);
        let mut totals = MatchTotals::new(engines, &schedule, sprt);
        for game in 0..12 {
            let players = schedule.endless(game).players;
            totals.add(&line(game, players, Ending::Win(Seat::First)), &schedule);
        }
        totals
    }

    #[test]
    fn the_summary_of_two_engines_has_their_test() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.1).unwrap();
        let text = summary(&totals(2, Some(sprt)), &names(2), false);
        for part in [
            "new vs old: 12 games (wins-losses-draws of new)\n",
            "  score      6-6-0 (50.0%), draws 0.0%\n",
            "  by colour  6-0-0 (100.0%) as Black, 0-6-0 (0.0%) as White\n",
            "  pairs      0-0-6-0-0 with",
            ", LOS 50.0%\n",
            "Elo 0 against 5, alpha 0.05, beta 0.1: no verdict yet\n",
            "overtime 6\n",
            "old complained: ERROR",
            "new held more memory than allowed in 6 games\n",
            "Black won 12, White 0, 0 drawn; 12 moves, runner overhead 77 us a move\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let text = summary(&totals(2, None), &names(2), true);
        for part in [
            "  by seat    6-0-0 (100.0%) when it began, 0-6-0 (0.0%) when not\n",
            "who began won 12, the other 0 (Black 12, White 0), 0 drawn; 12 moves",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let brief = brief(&totals(2, Some(sprt)), &names(2));
        assert!(brief.starts_with("new 6-6-0 Elo +0 [") && brief.contains("LLR"), "{brief}");
    }

    #[test]
    fn more_than_two_engines_get_ratings() {
        let text = summary(&totals(3, None), &names(3), false);
        assert!(text.contains("old vs other: 4 games"), "{text}");
        let row = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(row("other  ").contains("8  50.0%"), "{text}");
        assert_eq!(brief(&totals(3, None), &names(3)), "3 engines");
    }
}
