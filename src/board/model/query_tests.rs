//! Tests of threats that are seen, and of what is searched for once.

use super::lesson_tests::with_jobs;
use super::tests::{Jobs, of_game, play, refusal, searched, shown};
use super::*;
use crate::schema::Query::{self, Balance, BalanceTwo, Defences, Hint, OtherWin, Threat, Vcf, Vct};
use crate::search::Task;
use goren_core::types::{Cell, Color};

/// Asks for a search, and gives what comes of it.
fn asked((model, jobs): &mut (Model, Jobs), query: Query) -> Vec<Event> {
    assert_eq!(refusal(&model.handle(Command::Search { query })), None);
    searched(model, jobs, 2)
}

/// What is told, in lines.
fn reported(events: &[Event]) -> String {
    let text = |event: &Event| match event {
        Event::Message { text } | Event::Hint { text, .. } => Some(text.clone()),
        Event::Lines(lines) => Some(format!("{:?} {}", lines.query.unwrap(), lines.lines[0].score)),
        _ => None,
    };
    events.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

/// The points of the defences, if they are marked.
fn marked(events: &[Event]) -> Option<Vec<String>> {
    events.iter().find_map(|event| match event {
        Event::Defences { cells, .. } => Some(cells.iter().map(|cell| cell.label(15)).collect()),
        _ => None,
    })
}

/// The threats of a position that is played, in order of their names.
fn seen(game: &str, moves: &str) -> Vec<String> {
    let (model, _) = with_jobs(game, moves);
    let threats = shown(&model).threats;
    let text = |threat: &crate::schema::Threat| {
        format!("{:?} {:?} {}", threat.color, threat.kind, threat.cell.label(15))
    };
    let mut texts: Vec<String> = threats.iter().map(text).collect();
    texts.sort();
    texts
}

#[test]
fn threats_of_both_sides_are_seen() {
    let both = seen("freestyle", "h8 a1 h9 a2 h10 a3");
    let expected = [
        "Black Four h12",
        "Black Four h6",
        "Black OpenFour h11",
        "Black OpenFour h7",
        "White Four a4",
        "White Four a5",
    ];
    assert_eq!(both, expected);
    let five = seen("freestyle", "h8 a1 h9 a3 h10 a5 h11 a7");
    for at in ["h12", "h7"] {
        assert!(five.contains(&format!("Black Five {at}")), "{five:?}");
    }
    let crossing = seen("freestyle", "h8 g8 i8 a1 j8 a3 k6 a5 k7 a7");
    assert!(crossing.contains(&"Black FourThree k8".to_owned()), "{crossing:?}");
    // A game that is over, one that has hardly begun, and one of another kind.
    for (game, moves) in [
        ("freestyle", "h8 a1 h9 a3 h10 a5 h11 a7 h12"),
        ("freestyle", "h8 i9"),
        ("pente", "h8 a1 h9 a3 h10 a5"),
    ] {
        assert_eq!(seen(game, moves), Vec::<String>::new(), "{game} {moves}");
    }
}

/// What fouls forbid is no threat: neither the stone, nor what it would have to become.
#[test]
fn fouls_and_false_threes_are_no_threats() {
    let crossing = "f8 a1 g8 a3 h6 a5 h7 a7";
    assert!(seen("freestyle", crossing).contains(&"Black DoubleThree h8".to_owned()));
    assert!(!seen("renju", crossing).iter().any(|threat| threat.ends_with(" h8")));
    // On both sides of the three an overline keeps it from becoming a four.
    let false_three = "f8 a1 g8 c2 e5 e1 e6 g2 e7 k1 e9 m2 e10 o1 i5 a15 i6 c14 i7 e15 i9 g14 \
                       i10 k15";
    assert!(seen("freestyle", false_three).contains(&"Black OpenThree h8".to_owned()));
    assert!(!seen("renju", false_three).iter().any(|threat| threat.ends_with(" h8")));
    assert!(
        !shown(&with_jobs("renju", false_three).0)
            .forbidden
            .iter()
            .any(|foul| foul.cell == Cell::new(7, 7))
    );
}

#[test]
fn wins_and_threats_are_found_on_demand() {
    let game = &mut with_jobs("freestyle", "f8 a1 g8 a3 h8 a5 h7 a8 h6 a10");
    assert!(reported(&asked(game, Vcf)).contains("Black wins by fours"));
    assert!(reported(&asked(game, Vct)).contains("Black wins by threats"));
    assert!(reported(&asked(game, Hint)).contains("Try "));
    play(&mut game.0, "o15");
    assert!(reported(&asked(game, Threat)).contains("Threat +M"));
    let other = reported(&asked(game, OtherWin));
    assert!(other.contains("If White passed, Black would win by fours, within "), "{other}");
    assert!(other.contains("OtherWin +M"), "{other}");
    let mut pente = of_game("pente", "free");
    play(&mut pente, "j10");
    // There a search for threats finds nothing, whatever there is.
    for (query, text) in [
        (Vcf, "Wins by fours are not searched in pente."),
        (OtherWin, "Wins by fours are not searched in pente."),
        (Vct, "Wins by threats are not searched in pente."),
        (Defences, "Defences are not searched in pente."),
        (Balance, "Balancing stones are not searched in pente."),
        (BalanceTwo, "Balancing stones are not searched in pente."),
    ] {
        assert_eq!(refusal(&pente.handle(Command::Search { query })), Some(text));
    }
}

#[test]
fn a_win_of_the_other_side_is_searched_for_by_fours_and_then_by_threats() {
    let (mut model, jobs) = with_jobs("freestyle", "h8 a1 h9");
    model.handle(Command::Search { query: OtherWin });
    let fours = jobs.last().unwrap();
    assert!(matches!(fours.task, Task::Vcf { color: Color::Black, .. }), "{fours:?}");
    let events = model.found(fours.number, Found::Fours(None, true), Instant::now());
    assert_eq!(reported(&events), "");
    let threats = jobs.last().unwrap();
    let Task::Vct { root, .. } = &threats.task else { panic!("{threats:?}") };
    assert_eq!((root.to_move, root.events.len()), (Color::Black, 3));
    let win = Some((vec![Cell::new(7, 5)], 9));
    let events = model.found(threats.number, Found::Threats(win, true), Instant::now());
    let expected = "If White passed, Black would win by threats, within 9 plies: h10.\n\
                    OtherWin +M9";
    assert_eq!(reported(&events), expected);
    // There may be none, and a person may end the search before threats are looked at.
    model.handle(Command::Search { query: OtherWin });
    for found in [Found::Fours(None, true), Found::Threats(None, true)] {
        let events = model.found(jobs.last().unwrap().number, found.clone(), Instant::now());
        let is_last = found == Found::Threats(None, true);
        let text = if is_last { "No win of Black by fours or threats was found." } else { "" };
        assert_eq!(reported(&events), text);
    }
    model.handle(Command::Search { query: OtherWin });
    model.handle(Command::Stop {});
    // Fours were searched to the end, threats were not.
    let number = jobs.last().unwrap().number;
    let events = model.found(number, Found::Fours(None, true), Instant::now());
    assert_eq!(reported(&events), "The search was stopped before a win was found.");
    assert!(!model.is_searching());
}

#[test]
fn defences_are_the_moves_that_are_not_proven_to_lose() {
    // An open three: the points beside it, and those beyond them.
    let game = &mut with_jobs("renju", "h8 i9 h9 g9 h10");
    let events = asked(game, Defences);
    let cells = marked(&events).unwrap();
    let stops = ["h6", "h7", "h11", "h12"];
    assert!(!cells.is_empty() && cells.iter().all(|cell| stops.contains(&&**cell)), "{cells:?}");
    let text = reported(&events);
    assert!(text.starts_with("White may hold by "), "{text}");
    assert!(text.contains(" of 220 moves. The others are proven to lose.\nDefences "), "{text}");
    // An open four is not stopped, and nothing is threatened at the beginning.
    let events = asked(&mut with_jobs("renju", "h8 i9 h9 g9 h10 a1 h11"), Defences);
    assert!(reported(&events).starts_with("All 218 moves of White are proven to lose."));
    assert_eq!(marked(&events), Some(Vec::new()));
    let events = asked(&mut with_jobs("renju", "h8 i9"), Defences);
    assert!(reported(&events).starts_with("No move of Black is proven to lose."));
    assert_eq!(marked(&events), None);
    // Where something else is decided there are none.
    let mut model = of_game("renju", "rif");
    play(&mut model, "h8,h9,f8");
    let refused = refusal(&model.handle(Command::Search { query: Defences })).map(str::to_owned);
    assert!(refused.unwrap().contains("the opening asks for a decision"));
    // A forbidden point is no defence.
    let game = &mut with_jobs("renju", "f8 a1 g8 a3 h6 a5 h7 a7");
    let cells = marked(&asked(game, Defences)).unwrap_or_default();
    assert!(!cells.contains(&"h8".to_owned()), "{cells:?}");
}

/// The stones of the line that was found, with their colours.
fn stones(events: &[Event]) -> Vec<(Color, String)> {
    let lines = events.iter().find_map(|event| match event {
        Event::Lines(lines) => Some(lines),
        _ => None,
    });
    let stone = |stone: &crate::schema::LineStone| (stone.color, stone.cell.label(15));
    lines.unwrap().lines[0].stones.iter().map(stone).collect()
}

#[test]
fn stones_that_balance_a_position_are_found() {
    for (query, colors) in
        [(Balance, &[Color::Black][..]), (BalanceTwo, &[Color::Black, Color::White])]
    {
        let game = &mut with_jobs("freestyle", "h8 i9");
        let events = asked(game, query);
        let found = stones(&events);
        assert_eq!(found.iter().map(|(color, _)| *color).collect::<Vec<_>>(), colors);
        let text = reported(&events);
        let names: Vec<&str> = found.iter().map(|(_, name)| &**name).collect();
        let sides = if query == Balance { "Black" } else { "Black and White" };
        let begins = format!("{sides} on {}: the position is level (", names.join(" "));
        assert!(text.starts_with(&begins), "{text}");
        // They can be played.
        play(&mut game.0, &names.join(" "));
        assert_eq!(shown(&game.0).stones.len(), 2 + names.len());
    }
    // Black has a five wherever White plays, and nothing levels that.
    let events = asked(&mut with_jobs("freestyle", "h8 a1 h9 a3 h10 a5 h11"), Balance);
    let text = reported(&events);
    assert!(text.starts_with("No stone levels the position. The nearest, White on "), "{text}");
    assert!(text.contains(": -M2 for White, 0.0 %."), "{text}");
}

#[test]
fn balancing_stones_are_those_of_a_plain_move() {
    let mut model = of_game("renju", "rif");
    play(&mut model, "h8,h9,f8");
    let refused = refusal(&model.handle(Command::Search { query: Balance })).map(str::to_owned);
    assert!(refused.unwrap().contains("the opening asks for a decision"));
    // A search that is stopped at once has found nothing, and says so.
    let (mut model, jobs) = with_jobs("freestyle", "h8 i9");
    model.handle(Command::Search { query: BalanceTwo });
    model.handle(Command::Stop {});
    let number = jobs.last().unwrap().number;
    let events = model.found(number, Found::Balanced(None), Instant::now());
    assert_eq!(reported(&events), "The search was stopped before a position was searched.");
    assert!(!model.is_searching());
}
