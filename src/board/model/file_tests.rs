use super::tests::{of_game, play, refusal, shown};
use crate::schema::{Command, Event, Mark, Position};
use goren_core::types::Cell;

#[test]
fn the_tree_is_kept_with_its_comments_and_marks() {
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

/// Bytes as the page sends them.
fn sent(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

#[test]
fn files_go_out_and_come_in_again() {
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
            let [Event::File { name, text, .. }] = &events[..] else { panic!("{events:?}") };
            let mut other = super::tests::model().0;
            let bytes = sent(text.as_bytes());
            let open = Command::Open { name: name.clone(), bytes, number: 1 };
            let events = other.handle(open);
            assert_eq!(refusal(&events), None, "{variant} {form:?}");
            assert_eq!(shown(&other).stones, shown(&model).stones, "{variant} {form:?}");
        }
    }
}

#[test]
fn broken_files_are_refused_in_a_sentence_and_change_nothing() {
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
        let events = model.handle(Command::Open { name, bytes: sent(bytes), number: 1 });
        let text = refusal(&events).unwrap_or_else(|| panic!("{bytes:.20?}: {events:?}"));
        assert!(text.ends_with('.') && text.len() < 400, "{text}");
        assert_eq!(shown(&model), before);
    }
    let wide = Command::Open { name: "x".into(), bytes: "\u{2603}".into(), number: 1 };
    assert!(refusal(&model.handle(wide)).unwrap().contains("not sent as bytes"));
    for text in ["", "{", "[1]", "{\"do\":\"go\",\"node\":-1}", "\u{0}", "{\"do\":\"stop\"} x"] {
        assert!(refusal(&model.hear(text)).is_some(), "{text}");
        assert_eq!(shown(&model), before);
    }
}
