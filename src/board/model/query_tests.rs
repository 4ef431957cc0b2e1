//! Tests of the threats shown, and of searches on demand.

use super::lesson_tests::with_jobs;
use super::tests::{Jobs, of_game, play, refusal, run_searches, shown};
use super::*;
use crate::schema::Query::{self, Balance, BalanceTwo, Defences, Hint, OtherWin, Threat, Vcf, Vct};
use crate::search::Task;
use goren_core::types::{Cell, Color};

/// Starts a search on demand and returns the events of its results.
fn search((model, jobs): &mut (Model, Jobs), query: Query) -> Vec<Event> {
    assert_eq!(refusal(&model.handle(Command::Search { query })), None);
    run_searches(model, jobs, 2)
}

/// Returns the messages and the scores of lines, one a line.
fn texts(events: &[Event]) -> String {
    let text = |event: &Event| match event {
        Event::Message { text } | Event::Hint { text, .. } => Some(text.clone()),
        Event::Lines(lines) => Some(format!("{:?} {}", lines.query.unwrap(), lines.lines[0].score)),
        _ => None,
    };
    events.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

/// Returns the points marked as defences, if any.
fn marked(events: &[Event]) -> Option<Vec<String>> {
    events.iter().find_map(|event| match event {
        Event::Defences { cells, .. } => Some(cells.iter().map(|cell| cell.label(15)).collect()),
        _ => None,
    })
}

/// Returns the threats shown after some moves, in order of their names.
fn threats(game: &str, moves: &str) -> Vec<String> {
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
fn threats_of_both_sides_are_shown() {
    let both = threats("freestyle", "h8 a1 h9 a2 h10 a3");
    let expected = [
        "Black Four h12",
        "Black Four h6",
        "Black OpenFour h11",
        "Black OpenFour h7",
        "White Four a4",
        "White Four a5",
    ];
    assert_eq!(both, expected);
    let five = threats("freestyle", "h8 a1 h9 a3 h10 a5 h11 a7");
    for at in ["h12", "h7"] {
        assert!(five.contains(&format!("Black Five {at}")), "{five:?}");
    }
    let crossing = threats("freestyle", "h8 g8 i8 a1 j8 a3 k6 a5 k7 a7");
    assert!(crossing.contains(&"Black FourThree k8".to_owned()), "{crossing:?}");
    // A game that is over, a game that has just begun, and a game that is not five in a row.
    for (game, moves) in [
        ("freestyle", "h8 a1 h9 a3 h10 a5 h11 a7 h12"),
        ("freestyle", "h8 i9"),
        ("pente", "h8 a1 h9 a3 h10 a5"),
    ] {
        assert_eq!(threats(game, moves), Vec::<String>::new(), "{game} {moves}");
    }
}

/// A foul is no threat, nor is a three that only a foul could turn into a four.
#[test]
fn fouls_and_false_threes_are_no_threats() {
    let crossing = "f8 a1 g8 a3 h6 a5 h7 a7";
    assert!(threats("freestyle", crossing).contains(&"Black DoubleThree h8".to_owned()));
    assert!(!threats("renju", crossing).iter().any(|threat| threat.ends_with(" h8")));
    // Overlines on both sides keep the three from becoming a four.
    let false_three = "f8 a1 g8 c2 e5 e1 e6 g2 e7 k1 e9 m2 e10 o1 i5 a15 i6 c14 i7 e15 i9 g14 \
                       i10 k15";
    assert!(threats("freestyle", false_three).contains(&"Black OpenThree h8".to_owned()));
    assert!(!threats("renju", false_three).iter().any(|threat| threat.ends_with(" h8")));
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
    assert!(texts(&search(game, Vcf)).contains("Black wins by fours"));
    assert!(texts(&search(game, Vct)).contains("Black wins by threats"));
    assert!(texts(&search(game, Hint)).contains("Try "));
    play(&mut game.0, "o15");
    assert!(texts(&search(game, Threat)).contains("Threat +M"));
    let other = texts(&search(game, OtherWin));
    assert!(other.contains("If White passed, Black would win by fours, within "), "{other}");
    assert!(other.contains("OtherWin +M"), "{other}");
    let mut pente = of_game("pente", "free");
    play(&mut pente, "j10");
    // Not five in a row: the searches would find nothing.
    for (query, text) in [
        (Vcf, "Wins by fours are not searched for in pente."),
        (OtherWin, "Wins by fours are not searched for in pente."),
        (Vct, "Wins by threats are not searched for in pente."),
        (Defences, "Defences are not searched for in pente."),
        (Balance, "Balancing stones are not searched for in pente."),
        (BalanceTwo, "Balancing stones are not searched for in pente."),
    ] {
        assert_eq!(refusal(&pente.handle(Command::Search { query })), Some(text));
    }
}

#[test]
fn a_win_of_the_other_side_is_searched_by_fours_then_by_threats() {
    let (mut model, jobs) = with_jobs("freestyle", "h8 a1 h9");
    model.handle(Command::Search { query: OtherWin });
    let fours = jobs.last().unwrap();
    assert!(matches!(fours.task, Task::Vcf { color: Color::Black, .. }), "{fours:?}");
    let events = model.found(fours.number, Found::Fours(None, true), Instant::now());
    assert_eq!(texts(&events), "");
    let threats = jobs.last().unwrap();
    let Task::Vct { root, .. } = &threats.task else { panic!("{threats:?}") };
    assert_eq!((root.to_move, root.events.len()), (Color::Black, 3));
    let win = Some((vec![Cell::new(7, 5)], 9));
    let events = model.found(threats.number, Found::Threats(win, true), Instant::now());
    let expected = "If White passed, Black would win by threats, within 9 plies: h10.\n\
                    OtherWin +M9";
    assert_eq!(texts(&events), expected);
    // There may be no win, and the user may stop the search before threats are tried.
    model.handle(Command::Search { query: OtherWin });
    for found in [Found::Fours(None, true), Found::Threats(None, true)] {
        let events = model.found(jobs.last().unwrap().number, found.clone(), Instant::now());
        let is_last = found == Found::Threats(None, true);
        let text = if is_last { "No win for Black by fours or threats was found." } else { "" };
        assert_eq!(texts(&events), text);
    }
    model.handle(Command::Search { query: OtherWin });
    model.handle(Command::Stop {});
    // The search by fours was complete; threats were not tried.
    let number = jobs.last().unwrap().number;
    let events = model.found(number, Found::Fours(None, true), Instant::now());
    assert_eq!(texts(&events), "The search was stopped before a win was found.");
    assert!(!model.is_searching());
}

#[test]
fn defences_are_the_moves_that_are_not_proven_to_lose() {
    // An open three: the points next to it, and those one further.
    let game = &mut with_jobs("renju", "h8 i9 h9 g9 h10");
    let events = search(game, Defences);
    let cells = marked(&events).unwrap();
    let stops = ["h6", "h7", "h11", "h12"];
    assert!(!cells.is_empty() && cells.iter().all(|cell| stops.contains(&&**cell)), "{cells:?}");
    let text = texts(&events);
    assert!(text.starts_with("White may hold with "), "{text}");
    assert!(text.contains(" of 220 moves. The others are proven to lose.\nDefences "), "{text}");
    // An open four cannot be stopped, and at the beginning there is no threat.
    let events = search(&mut with_jobs("renju", "h8 i9 h9 g9 h10 a1 h11"), Defences);
    assert!(texts(&events).starts_with("All 218 moves of White are proven to lose."));
    assert_eq!(marked(&events), Some(Vec::new()));
    let events = search(&mut with_jobs("renju", "h8 i9"), Defences);
    assert!(texts(&events).starts_with("No move of Black is proven to lose."));
    assert_eq!(marked(&events), None);
    // Another decision than a plain move has no defences.
    let mut model = of_game("renju", "rif");
    play(&mut model, "h8,h9,f8");
    let refused = refusal(&model.handle(Command::Search { query: Defences })).map(str::to_owned);
    assert!(refused.unwrap().contains("the opening asks for a decision"));
    // A forbidden point is no defence.
    let game = &mut with_jobs("renju", "f8 a1 g8 a3 h6 a5 h7 a7");
    let cells = marked(&search(game, Defences)).unwrap_or_default();
    assert!(!cells.contains(&"h8".to_owned()), "{cells:?}");
}

/// Returns the stones of the reported line, with their colours.
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
        let events = search(game, query);
        let found = stones(&events);
        assert_eq!(found.iter().map(|(color, _)| *color).collect::<Vec<_>>(), colors);
        let text = texts(&events);
        let names: Vec<&str> = found.iter().map(|(_, name)| &**name).collect();
        let sides = if query == Balance { "Black" } else { "Black and White" };
        let begins = format!("{sides} on {}: the position is level (", names.join(" "));
        assert!(text.starts_with(&begins), "{text}");
        // They can be played.
        play(&mut game.0, &names.join(" "));
        assert_eq!(shown(&game.0).stones.len(), 2 + names.len());
    }
    // Black makes five wherever White plays, so no stone levels the position.
    let events = search(&mut with_jobs("freestyle", "h8 a1 h9 a3 h10 a5 h11"), Balance);
    let text = texts(&events);
    assert!(text.starts_with("No stone levels the position. The nearest is White on "), "{text}");
    assert!(text.contains(": -M2 for White, 0.0 %."), "{text}");
}

#[test]
fn balancing_stones_need_a_plain_move() {
    let mut model = of_game("renju", "rif");
    play(&mut model, "h8,h9,f8");
    let refused = refusal(&model.handle(Command::Search { query: Balance })).map(str::to_owned);
    assert!(refused.unwrap().contains("the opening asks for a decision"));
    // A search that is stopped at once reports that it found nothing.
    let (mut model, jobs) = with_jobs("freestyle", "h8 i9");
    model.handle(Command::Search { query: BalanceTwo });
    model.handle(Command::Stop {});
    let number = jobs.last().unwrap().number;
    let events = model.found(number, Found::Balanced(None), Instant::now());
    assert_eq!(texts(&events), "The search was stopped before a position was searched.");
    assert!(!model.is_searching());
}
