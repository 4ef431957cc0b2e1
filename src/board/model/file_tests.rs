use super::tests::{of_game, play, refusal, shown};
use crate::model::Model;
use crate::model::tree::Tree;
use crate::schema::{Command, Event, FileGame, Form, Mark, Position};
use goren_core::opening::GameState;
use goren_core::types::{Cell, Color, Stone};

#[test]
fn the_tree_is_stored_with_its_comments_and_marks() {
    let mut model = of_game("pente+keryo", "free");
    play(&mut model, "j10 k10 a1");
    model.handle(Command::Undo {});
    play(&mut model, "b2 c3");
    let comment = Command::Comment { node: 2, text: "\u{201c}why\u{201d}\n".into() };
    model.handle(comment);
    let mark = Some(Mark::Cross);
    model.handle(Command::Mark { node: 4, cell: Cell::new(3, 3), mark });
    let events = model.handle(Command::Keep {});
    let [Event::Kept { text }] = &events[..] else { panic!("{events:?}") };
    let mut other = super::tests::model().0;
    assert_eq!(refusal(&other.handle(Command::Restore { text: text.clone() })), None);
    assert_eq!(shown(&other), Position { node: shown(&other).node, ..shown(&model) });
    let again = other.handle(Command::Keep {});
    assert_eq!(again, events);
    let before = shown(&other);
    for (old, new) in
        [("keryo", "kyro"), ("\"c3\"", "\"j10\""), ("\"parent\":0", "\"parent\":9"), ("}", "")]
    {
        assert!(text.contains(old));
        let events = other.handle(Command::Restore { text: text.replace(old, new) });
        assert!(refusal(&events).is_some(), "{old}");
        assert_eq!(shown(&other), before);
    }
}

/// Returns the tree as the page stores it.
pub(super) fn kept(model: &mut Model) -> String {
    let events = model.handle(Command::Keep {});
    let [Event::Kept { text }] = &events[..] else { panic!("{events:?}") };
    text.clone()
}

#[test]
fn a_set_up_position_is_stored_with_its_tree() {
    let black = [(7, 7), (8, 8), (9, 6)].map(|(x, y)| (Cell::new(x, y), Stone::Of(Color::Black)));
    let walls = [(Cell::new(4, 4), Stone::Wall), (Cell::new(0, 0), Stone::Of(Color::White))];
    let stones = [&black[..], &walls].concat();
    for variant in ["freestyle", "renju"] {
        let mut model = of_game(variant, "free");
        let contest = *model.tree.beginning().contest();
        let beginning = GameState::from_list(contest, &stones, Color::White).unwrap();
        model.tree = Tree::new(beginning);
        play(&mut model, "c3");
        let text = kept(&mut model);
        let mut other = super::tests::model().0;
        assert_eq!(refusal(&other.handle(Command::Restore { text: text.clone() })), None);
        assert_eq!(shown(&other).stones, shown(&model).stones);
        assert_eq!(shown(&other).to_move, shown(&model).to_move);
        assert_eq!(kept(&mut other), text);
        // An initial position that is invalid or has plies is refused.
        let mut broken: serde_json::Value = serde_json::from_str(&text).unwrap();
        broken["beginning"]["actions"] = serde_json::json!([{ "stones": { "cells": [[0, 14]] } }]);
        let events = other.handle(Command::Restore { text: broken.to_string() });
        assert!(refusal(&events).is_some());
        broken["beginning"] = serde_json::json!({});
        let events = other.handle(Command::Restore { text: broken.to_string() });
        assert!(refusal(&events).is_some());
        assert_eq!(kept(&mut other), text);
    }
}

#[test]
fn a_move_is_stored_before_it_is_shown() {
    let mut model = of_game("freestyle", "free");
    let places = |events: &[Event]| {
        let place = |fits: fn(&Event) -> bool| events.iter().position(fits);
        (
            place(|event| matches!(event, Event::Kept { text } if text.contains("\"h8\""))),
            place(|event| matches!(event, Event::Position(_))),
            place(|event| matches!(event, Event::Tree(tree) if tree.kept)),
        )
    };
    let (kept, position, tree) = places(&model.handle(Command::Play { text: "h8".into() }));
    assert!(kept.unwrap() < position.unwrap() && tree.is_some());
    // A large tree is stored only when the page requests it.
    for next in ["i9", "i10"] {
        for row in 1..=15 {
            for column in 'a'..='o' {
                let events = model.handle(Command::Play { text: format!("{column}{row}") });
                if refusal(&events).is_none() {
                    model.handle(Command::Undo {});
                }
            }
        }
        play(&mut model, next);
    }
    let (kept, position, tree) = places(&model.handle(Command::Undo {}));
    assert!(kept.is_none() && position.is_some() && tree.is_none());
}

/// Returns the replaced trees, with their games and numbers of positions.
pub(super) fn replaced(events: &[Event]) -> Vec<(&str, &str, usize)> {
    let mut found = Vec::new();
    for event in events {
        if let Event::Replaced { text, game, positions, .. } = event {
            found.push((text.as_str(), game.as_str(), *positions));
        }
    }
    found
}

/// Regression: a stray paste, drop or link destroyed the only copy of a game.
#[test]
fn a_replaced_game_is_sent_to_the_page() {
    let other = || Command::Open { name: "pasted".into(), bytes: "h8 i9".into(), number: None };
    let mut model = of_game("renju", "free");
    assert_eq!(replaced(&model.handle(other())), [], "nothing was played");
    let mut model = of_game("renju", "free");
    play(&mut model, "h8 i9 j10");
    let text = kept(&mut model);
    let events = model.handle(other());
    assert_eq!(refusal(&events), None);
    assert_eq!(replaced(&events), [(&*text, "renju", 3)]);
    // Text that is no game changes nothing.
    let bytes = "no game at all?".to_owned();
    let events = model.handle(Command::Open { name: "pasted".into(), bytes, number: None });
    assert!(refusal(&events).is_some() && replaced(&events).is_empty(), "{events:?}");
    // It can be restored, and the game shown in between is sent to the page too.
    let events = model.handle(Command::Restore { text: text.clone() });
    assert_eq!(replaced(&events)[0].2, 2);
    assert_eq!(kept(&mut model), text);
    // In an exercise it is the game that was set aside.
    let puzzle = super::puzzles::all().remove(0).text;
    assert_eq!(replaced(&model.handle(Command::Train { puzzle })), []);
    assert_eq!(replaced(&model.handle(other())), [(&*text, "renju", 3)]);
}

#[test]
fn a_removed_branch_is_sent_to_the_page() {
    let mut model = of_game("freestyle", "free");
    play(&mut model, "h8 i9 j10");
    let text = kept(&mut model);
    let node = model.tree.current();
    assert_eq!(replaced(&model.handle(Command::Remove { node })), [], "one position");
    play(&mut model, "j10");
    let last = model.tree.current();
    let node = model.tree.parent_of(last).unwrap();
    assert_eq!(replaced(&model.handle(Command::Remove { node })), [(&*text, "freestyle", 3)]);
}

#[test]
fn a_format_that_ends_with_the_position_shown_reports_it() {
    let mut model = of_game("freestyle", "free");
    play(&mut model, "h8 i9 j10");
    let has_note = |model: &mut Model, form| {
        let events = model.handle(Command::Save { form });
        assert_eq!(refusal(&events), None);
        events
            .iter()
            .any(|event| matches!(event, Event::Message { text } if text.contains("ply 1 of 3")))
    };
    for form in [Form::Psq, Form::Moves, Form::Json] {
        assert!(!has_note(&mut model, form));
    }
    model.handle(Command::Go { node: 1 });
    for form in [Form::Psq, Form::Moves, Form::Json] {
        assert!(has_note(&mut model, form));
    }
    for form in [Form::Sgf, Form::Lib, Form::Tree] {
        assert!(!has_note(&mut model, form));
    }
}

#[test]
fn labels_are_edited() {
    let mut model = of_game("freestyle", "free");
    play(&mut model, "h8");
    let (node, cell) = (1, Cell::new(3, 4));
    let label = |text: &str| Command::Label { node, cell, text: text.into() };
    for (text, kept) in [("A", Some("A")), (" far away\n", Some("far away")), ("", None)] {
        assert_eq!(refusal(&model.handle(label(text))), None);
        let labels = model.tree.notes(node).labels;
        assert_eq!(labels.first().map(|(_, text)| text.as_str()), kept);
    }
    for command in [
        label(&"x".repeat(300)),
        Command::Label { node: 9, cell, text: "A".into() },
        Command::Label { node, cell: Cell::new(20, 3), text: "A".into() },
    ] {
        assert!(refusal(&model.handle(command)).is_some());
    }
}

/// Encodes bytes as the page sends them.
pub(super) fn sent(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

#[test]
fn saved_files_are_read_again() {
    use crate::schema::Form::{Json, Moves, Psq, Sgf, Tree};
    for (variant, opening, moves) in [
        ("gomoku", "swap-2", "h8,i9,j8 swap a1"),
        ("freestyle", "free", "h8 i9 j8"),
        ("connect6", "free", "j10 i9,k11 a1,b2"),
        ("irensei", "free", "j10 i9"),
    ] {
        let mut model = of_game(variant, opening);
        play(&mut model, moves);
        for form in [Sgf, Psq, Json, Moves, Tree] {
            if matches!(form, Psq | Moves) && variant != "freestyle" {
                continue;
            }
            let events = model.handle(Command::Save { form });
            let [Event::File { name, text, .. }, messages @ ..] = &events[..] else {
                panic!("{events:?}")
            };
            // A file of moves does not name its game.
            assert_eq!(messages.len(), usize::from(form == Moves), "{events:?}");
            let mut other = super::tests::model().0;
            let bytes = sent(text.as_bytes());
            let open = Command::Open { name: name.clone(), bytes, number: Some(1) };
            let events = other.handle(open);
            assert_eq!(refusal(&events), None, "{variant} {form:?}");
            assert_eq!(shown(&other).stones, shown(&model).stones, "{variant} {form:?}");
        }
    }
}

#[test]
fn broken_files_are_refused_and_change_nothing() {
    let mut model = of_game("renju", "free");
    play(&mut model, "h8 i9");
    let before = shown(&model);
    let long = "h8".repeat(100_000);
    let files: [&[u8]; 9] = [
        b"",
        b"\0\0\0\0",
        b"(;GM[1])",
        b"(;GM[4]SZ[999];B[hh])",
        b"what is this",
        b"{\"goren_tree\":1}",
        b"{\"version\":9,\"variant\":\"go\"}",
        b"\xff\xfe\xff\xfe\x80\x81",
        long.as_bytes(),
    ];
    for bytes in files {
        let name = "x.sgf".to_owned();
        let events = model.handle(Command::Open { name, bytes: sent(bytes), number: Some(1) });
        let text = refusal(&events).unwrap_or_else(|| panic!("{bytes:.20?}: {events:?}"));
        assert!(text.ends_with('.') && text.len() < 400, "{text}");
        assert_eq!(shown(&model), before);
    }
    let wide = Command::Open { name: "x".into(), bytes: "\u{2603}".into(), number: Some(1) };
    assert!(refusal(&model.handle(wide)).unwrap().contains("not sent as bytes"));
    for text in ["", "{", "[1]", "{\"do\":\"go\",\"node\":-1}", "\u{0}", "{\"do\":\"stop\"} x"] {
        assert!(refusal(&model.handle_command(text)).is_some(), "{text}");
        assert_eq!(shown(&model), before);
    }
}

/// Returns the game and the nodes of the stored tree.
pub(super) fn positions(model: &mut Model) -> serde_json::Value {
    let events = model.handle(Command::Keep {});
    let [Event::Kept { text }] = &events[..] else { panic!("{events:?}") };
    let kept: serde_json::Value = serde_json::from_str(text).unwrap();
    serde_json::json!([kept["game"], kept["nodes"]])
}

/// Returns the file of a format.
pub(super) fn saved(model: &mut Model, form: Form) -> String {
    match &model.handle(Command::Save { form })[..] {
        [Event::File { text, .. }, ..] => text.clone(),
        events => panic!("{events:?}"),
    }
}

/// Opens a file; returns the messages.
pub(super) fn opened(model: &mut Model, bytes: &str) -> Vec<String> {
    let open = Command::Open { name: "f".into(), bytes: bytes.into(), number: Some(1) };
    let events = model.handle(open);
    assert_eq!(refusal(&events), None, "{bytes:.200}");
    let messages = events.iter().filter_map(|event| match event {
        Event::Message { text } => Some(text.clone()),
        _ => None,
    });
    messages.collect()
}

/// Opens a file without the number of a game; returns the list of its games, if any.
fn list(model: &mut Model, bytes: &str) -> Option<(Vec<FileGame>, bool)> {
    let events =
        model.handle(Command::Open { name: "f".into(), bytes: bytes.into(), number: None });
    assert_eq!(refusal(&events), None, "{bytes:.200}");
    events.into_iter().find_map(|event| match event {
        Event::Games { games, more, .. } => Some((games, more)),
        _ => None,
    })
}

#[test]
fn a_game_is_chosen_from_a_file_with_several() {
    let mut model = of_game("freestyle", "free");
    play(&mut model, "a1");
    let before = shown(&model);
    let file = "(;GM[4]SZ[15]PB[Anna]PW[Ben]RE[B+5]GN[final];B[hh];W[ii])\
                (;GM[4]SZ[15]RE[0];B[gg];W[hg];B[gh])\
                (;GM[4]SZ[99];B[hh])";
    let (games, more) = list(&mut model, file).unwrap();
    assert_eq!(shown(&model), before);
    assert!(!more);
    let results = games.iter().map(|game| (game.winner, game.drawn, game.stones));
    let expected = [(Some(Color::Black), false, 2), (None, true, 3), (None, false, 0)];
    assert_eq!(results.collect::<Vec<_>>(), expected);
    assert_eq!(games[0].players, ["Anna", "Ben"]);
    assert!(games[0].title.contains("final"), "{:?}", games[0]);
    let faults: Vec<bool> = games.iter().map(|game| game.fault.is_some()).collect();
    assert_eq!(faults, [false, false, true]);
    for (number, stones) in [(2, 3), (1, 2)] {
        let open = Command::Open { name: "f".into(), bytes: file.into(), number: Some(number) };
        assert_eq!(refusal(&model.handle(open)), None);
        assert_eq!(shown(&model).stones.len(), stones);
    }
    let third = Command::Open { name: "f".into(), bytes: file.into(), number: Some(3) };
    assert!(refusal(&model.handle(third)).is_some());
    // The only game of a file is opened at once; a list has a maximum length.
    assert_eq!(list(&mut model, "(;GM[4]SZ[15];B[hh];W[ii];B[jj])"), None);
    assert_eq!(shown(&model).stones.len(), 3);
    let (games, more) = list(&mut model, &"(;GM[4]SZ[15];B[hh])".repeat(1200)).unwrap();
    assert_eq!((games.len(), more), (1000, true));
}

/// Creates a tree with branches, comments, marks and labels.
fn branched(variant: &str, opening: &str, lines: &[&str]) -> Model {
    let mut model = of_game(variant, opening);
    for (number, line) in lines.iter().enumerate() {
        model.handle(Command::Go { node: 0 });
        play(&mut model, line);
        let node = shown(&model).node;
        let text = format!("line {number}:\n[a] \\ \u{201c}b\u{201d} \u{4e94}");
        model.handle(Command::Comment { node, text });
        model.tree.label(node, Cell::new(1, 2), "A").unwrap();
    }
    model.handle(Command::Comment { node: 0, text: "the beginning".into() });
    let node = shown(&model).node;
    let cell = shown(&model).last[0];
    model.handle(Command::Mark { node, cell, mark: Some(Mark::Circle) });
    model
}

#[test]
fn saved_variations_are_read_again() {
    for (variant, opening, lines) in [
        ("freestyle", "free", &["h8 i9 j8", "h8 i9 j10 k11", "h8 i8", "a1"][..]),
        ("renju", "free", &["h8 h9 j10", "h8 h9 pass", "h8 i9"]),
        ("gomoku", "swap-2", &["h8,i9,j8 swap a1", "h8,i9,j8 a1,b1 swap c3", "h8,i9,j8 c4"]),
        ("renju", "taraguchi-10", &["h8 swap h9 h10", "h8 h9 swap i10", "h8 i9"]),
        ("connect6", "free", &["j10 i9,k11 a1,b2", "j10 i9,k12"]),
        ("pente", "free", &["j10 k10 a1 l10 m10 k10", "j10 k10 a1 b1"]),
        ("irensei", "free", &["j10 i9", "k10"]),
    ] {
        let mut model = branched(variant, opening, lines);
        let text = saved(&mut model, Form::Sgf);
        let mut other = super::tests::model().0;
        let messages = opened(&mut other, &sent(text.as_bytes()));
        assert!(messages.is_empty(), "{variant} {opening}: {messages:?}\n{text}");
        assert_eq!(positions(&mut other), positions(&mut model), "{variant} {opening}\n{text}");
        assert_eq!(saved(&mut other, Form::Sgf), text);
    }
}

#[test]
fn saved_libraries_are_read_again() {
    for (variant, lines) in [
        ("freestyle", &["h8 i9 j8", "h8 i9 j10 k11", "h8 i8", "a1"][..]),
        ("renju", &["h8 h9 j10 a1 b2", "h8 h9 pass", "h8 i9"]),
    ] {
        let mut model = branched(variant, "free", lines);
        let bytes = saved(&mut model, Form::Lib);
        // A library does not name its game: the rule of the current game is assumed.
        let mut other = of_game(variant, "free");
        let messages = opened(&mut other, &bytes);
        assert!(messages.len() == 1 && messages[0].contains("no rule is named"), "{messages:?}");
        assert_eq!(positions(&mut other), positions(&mut model), "{variant}");
        let mut third = of_game("pente", "free");
        assert_eq!(opened(&mut third, &bytes).len(), 1 + usize::from(variant == "renju"));
    }
    for (variant, opening, moves, why) in [
        ("pente", "free", "j10", "only five in a row on 15x15"),
        ("gomoku", "swap-2", "h8,i9,j8 swap", "no swaps"),
    ] {
        let mut model = of_game(variant, opening);
        play(&mut model, moves);
        let events = model.handle(Command::Save { form: Form::Lib });
        assert!(refusal(&events).unwrap().contains(why), "{events:?}");
    }
}

#[test]
fn variations_of_other_programs_are_read_and_omissions_are_reported() {
    let mut model = of_game("pente", "free");
    let text = "(;FF[4]GM[4]SZ[15]C[all](;B[hh]TR[aa][bb];W[ii]C[main\nline])(;B[hh]LB[cc:x\\:y]\
                (;W[hg];B[hh])(;W[gg]CR[dd]SQ[zz]))(;B[??];W[aa]))";
    let messages = opened(&mut model, text);
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert!(messages[0].contains("no rule is named: shown as freestyle"), "{messages:?}");
    assert!(messages[1].contains("move 3 (h8): the point is occupied"), "{messages:?}");
    assert!(messages[2].contains("1 variation cannot be read or played"), "{messages:?}");
    let [_, nodes] = serde_json::from_value(positions(&mut model)).unwrap();
    let nodes: Vec<serde_json::Value> = serde_json::from_value(nodes).unwrap();
    let plies: Vec<&str> = nodes.iter().filter_map(|node| node["ply"].as_str()).collect();
    assert_eq!(plies, ["h8", "i7", "h9", "g9"]);
    assert_eq!((&nodes[0]["comment"], &nodes[2]["comment"]), (&"all".into(), &"main\nline".into()));
    assert_eq!(nodes[1]["labels"], serde_json::json!([[[2, 2], "x:y"]]));
    assert_eq!(nodes[1]["marks"].as_array().unwrap().len(), 2);
    assert_eq!(nodes[4]["marks"], serde_json::json!([[[3, 3], "circle"]]));
}

/// Returns the stones shown, a wall without a colour, and the side to move.
pub(super) fn stones(model: &Model) -> (Vec<(Cell, Option<Color>)>, Color) {
    let Position { stones, to_move, .. } = shown(model);
    let mut stones: Vec<_> = stones.iter().map(|stone| (stone.cell, stone.color)).collect();
    stones.sort_by_key(|&(cell, _)| cell);
    (stones, to_move)
}

#[test]
fn a_drawn_or_set_up_board_begins_a_game() {
    let drawn = |rows: &str| rows.to_owned() + &"\n...............".repeat(14) + "\n";
    let all = [(0, Some(Color::Black)), (1, Some(Color::White)), (2, Some(Color::White))];
    let all = all.map(|(x, color)| (Cell::new(x, 0), color)).to_vec();
    for (text, to_move) in [
        (drawn("xoo............") + "black to move\n", Color::Black),
        ("(;GM[4]SZ[15]AB[aa]AW[ba][ca]PL[W])".into(), Color::White),
        // The moves of the main line are played.
        ("(;GM[4]SZ[15]AB[aa]AW[ba];W[ca])".into(), Color::Black),
    ] {
        let mut model = of_game("freestyle", "free");
        let messages = opened(&mut model, &text);
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages[0].contains("begins with a position"), "{messages:?}");
        assert!(messages[1].contains("no rule is named"), "{messages:?}");
        assert_eq!(stones(&model), (all.clone(), to_move), "{text}");
        play(&mut model, "h8");
        model.handle(Command::Undo {});
        assert_eq!(stones(&model), (all.clone(), to_move));
    }
    // Nothing is guessed.
    let before = of_game("freestyle", "free");
    for (text, why) in [
        (drawn("xxx............"), "not clear who is to move: add a line such as"),
        ("(;GM[4]SZ[15]AB[aa:ea]AW[ac:ec])".into(), "no moves lead to this position"),
    ] {
        let mut model = of_game("freestyle", "free");
        let open = Command::Open { name: "f".into(), bytes: text, number: Some(1) };
        let events = model.handle(open);
        let message = refusal(&events).unwrap();
        assert!(message.contains(why), "{message}");
        assert_eq!(stones(&model), stones(&before));
    }
}

#[test]
fn malicious_trees_do_no_harm() {
    let deep = format!("(;GM[4]{}{}", "(;B[aa]".repeat(30_000), ")".repeat(30_001));
    let wide = format!("(;GM[4]SZ[15]{})", "(;B[hh];W[ii]C[x])".repeat(30_000));
    let long = format!("(;GM[4]SZ[15]C[x]{})", ";B[hh];W[ii]".repeat(20_000));
    let open = "(;GM[4]".to_owned() + &"(".repeat(100_000);
    for text in [deep, wide, long, open, "(;C[x".into(), "(;LB[aa]CR[])(;".into()] {
        let mut model = of_game("renju", "free");
        play(&mut model, "h8 i9");
        let before = shown(&model);
        let open = Command::Open { name: "f".into(), bytes: text.clone(), number: Some(1) };
        let events = model.handle(open);
        if let Some(message) = refusal(&events) {
            assert!(message.len() < 400, "{message}");
            assert_eq!(shown(&model), before);
        }
        assert!(model.tree.in_order().len() <= crate::model::tree::MAX_NODES);
    }
    let library = saved(&mut branched("freestyle", "free", &["h8 i9", "h8 j9"]), Form::Lib);
    let bytes: Vec<char> = library.chars().collect();
    for at in 0..bytes.len() {
        let mut broken = bytes.clone();
        broken[at] = '\u{d0}';
        for text in [broken.iter().collect::<String>(), bytes[..at].iter().collect()] {
            let mut model = of_game("freestyle", "free");
            model.handle(Command::Open { name: "f".into(), bytes: text, number: Some(1) });
        }
    }
}
