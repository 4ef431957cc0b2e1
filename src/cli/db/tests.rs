use super::learn::{GameLearner, Lesson, SearchedMove};
use super::*;
use goren_core::rules::{Outcome, RuleId};
use goren_core::types::{Color, loss_in, win_in};
use goren_database::{Bound, Label};

fn setup() -> Setup {
    Setup::new(RuleId::Freestyle, 15, 15).unwrap()
}

fn cells(text: &str) -> Vec<Cell> {
    text.split(' ')
        .map(|point| point::cell(point, (setup().width, setup().height)).unwrap())
        .collect()
}

fn record(store: &Store, text: &str) -> Option<Record> {
    let moves: Vec<_> = cells(text).into_iter().map(Some).collect();
    store.get(&Place::after(setup(), &moves).unwrap().key().unwrap())
}

#[test]
fn searched_positions_and_results_are_learnt() {
    let stones = cells("h8 a1 i8 a2 j8 a3 k8 a5 l8");
    let mut found = vec![None; stones.len()];
    found[1] = Some(SearchedMove { best: stones[1], score: -40, depth: 12 });
    found[4] = Some(SearchedMove { best: cells("g8")[0], score: win_in(5), depth: 9 });
    found[5] = Some(SearchedMove { best: stones[5], score: loss_in(4), depth: 9 });
    let stones = stones.into_iter().map(Some).collect();
    let lesson = Lesson { setup: setup(), stones, found, result: Some(Outcome::Win(Color::Black)) };
    let mut learner = GameLearner::new(20);
    learner.learn(&lesson).unwrap();
    learner.learn(&Lesson { found: vec![None; 9], result: Some(Outcome::Draw), ..lesson }).unwrap();
    let store = learner.learnt(2);
    let about = |text: &str| {
        let record = record(&store, text).unwrap();
        (record.label, record.value, record.depth())
    };
    // A search by White: the score on the scale of the file, negated after the best move.
    assert_eq!(about("h8"), (Label::NONE, -50, 12));
    assert_eq!(about("h8 a1"), (Label::NONE, 50, 11));
    // Only results, from White's side: a loss and a draw.
    assert_eq!(about("h8 a1 i8"), (Label::NONE, (250.0 * (1.0_f64 / 2.0).ln()).round() as i16, 0));
    // A win in five for the side to move is a loss for the side that moved last.
    assert_eq!(about("h8 a1 i8 a2"), (Label::LOSE, 29_995, 9));
    assert_eq!(about("h8 a1 i8 a2 g8"), (Label::WIN, -29_996, 8));
    assert_eq!(record(&store, "h8 a1 i8 a2 g8").unwrap().shown(), "w5");
    assert_eq!(about("h8 a1 i8 a2 j8"), (Label::WIN, -29_996, 9));
    assert_eq!(about("h8 a1 i8 a2 j8 a3"), (Label::LOSE, 29_997, 8));
    // The five itself.
    assert_eq!(about("h8 a1 i8 a2 j8 a3 k8 a5"), (Label::LOSE, 29_999, 1));
    assert_eq!(about("h8 a1 i8 a2 j8 a3 k8 a5 l8"), (Label::WIN, -30_000, 0));
    assert_eq!(record(&store, "h8 a1 i8 a2 j8 a3 k8 a5 l8").unwrap().shown(), "w1");
}

#[test]
fn the_error_names_an_illegal_stone_and_limits_hold() {
    let lesson = |text: &str| Lesson {
        setup: setup(),
        stones: cells(text).into_iter().map(Some).collect(),
        found: Vec::new(),
        result: Some(Outcome::Draw),
    };
    let mut learner = GameLearner::new(2);
    let error = learner.learn(&lesson("h8 h8")).unwrap_err();
    assert_eq!(format!("{error}"), "stone 2, h8");
    learner.learn(&lesson("h8 i9 j7")).unwrap();
    let store = learner.learnt(1);
    assert!(record(&store, "h8 i9").is_some() && record(&store, "h8 i9 j7").is_none());
    assert_eq!(record(&store, "h8").unwrap().value, 0);
}

#[test]
fn a_position_is_shown_with_its_moves_and_texts() {
    let mut store = Store::default();
    let at = |text: &str| {
        let moves: Vec<_> = cells(text).into_iter().map(Some).collect();
        Place::after(setup(), &moves).unwrap()
    };
    let mut win = Record { value: -29_993, ..Record::labelled(Label::WIN) };
    win.set_depth(12, Bound::Exact);
    win.text = b"one\ntwo".to_vec();
    store.set(&at("h8 i10").key().unwrap(), &win);
    let mut first = Record::default();
    let cell = at("h8").in_key(cells("a2")[0])[0];
    first.text = text::with_cells(b"", &[(cell, b"far".to_vec())].into());
    store.set(&at("h8").key().unwrap(), &first);
    let shown = |moves: &str| {
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        describe(&store, setup(), &moves).unwrap()
    };
    let lines = shown("h8");
    let head = "freestyle 15x15, Black: h8, White: none, White to move\n\
                filed as f-15-15-h8--w (one of the symmetric images; rows counted from the \
                top)\n\
                -     value 0 depth 0 none\n";
    assert!(lines.starts_with(head), "{lines}");
    assert_eq!(lines.lines().filter(|line| line.contains("[far]")).count(), 8);
    assert!(lines.contains("j9  w8    value -29993 depth 12 exact\n"), "{lines}");
    let lines = shown("h8 j9");
    assert!(lines.ends_with("w8    value -29993 depth 12 exact\n  | one\n  | two\n"), "{lines}");
    assert!(shown("a1 b2").ends_with("no record\n"));
    // Symmetric images are printed as requested, though they share a record.
    for (moves, white) in [("h8 j9", "j9"), ("h8 i10", "i10"), ("h8 f7", "f7")] {
        let lines = shown(moves);
        let head = format!("Black: h8, White: {white}, Black to move\nfiled as f-15-15-h8-f7-b (");
        assert!(lines.contains(&head), "{lines}");
    }
    // Points need no separator.
    assert_eq!(shown("h8j9"), shown("h8 j9"));
    assert_eq!(describe(&store, setup(), &["h8, j9".into()]).unwrap(), shown("h8 j9"));
    let refused = |text: &str| describe(&store, setup(), &[text.to_owned()]).is_err();
    assert!(refused("h8é9") && refused("h8j99") && refused(""));
    // The default game is that of all records.
    let board = |words: &[&str]| {
        #[derive(clap::Parser)]
        struct Words {
            #[command(flatten)]
            board: BoardOfRecords,
        }
        use clap::Parser;
        Words::parse_from(std::iter::once(&"db").chain(words)).board
    };
    let renju = Setup::new(RuleId::Renju, 15, 15).unwrap();
    let mut only = Store::default();
    only.set(&Place::after(renju, &[Some(cells("h8")[0])]).unwrap().key().unwrap(), &win);
    assert_eq!(board(&[]).setup(&only).unwrap(), renju);
    assert_eq!(board(&["--size", "15"]).setup(&only).unwrap(), renju);
    let freestyle = board(&["--game", "freestyle"]).setup(&only).unwrap();
    assert_eq!(freestyle.rule, RuleId::Freestyle);
    only.set(&at("h8").key().unwrap(), &win);
    assert_eq!(board(&[]).setup(&only).unwrap().rule, RuleId::Freestyle);
}

#[test]
fn merging_the_same_records_again_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (mut into, _) = open(&at("into.db"), false).unwrap();
    let mut records = Store::default();
    let record = |depth| {
        let mut record = Record::default();
        record.set_depth(depth, Bound::Exact);
        record
    };
    let place = |text: &str| {
        let moves: Vec<_> = cells(text).into_iter().map(Some).collect();
        Place::after(setup(), &moves).unwrap().key().unwrap()
    };
    records.set(&place("h8"), &record(3));
    records.set(&place("h8 i9"), &record(4));
    assert_eq!(absorb(&records, &mut into).unwrap(), "2 records; added or changed by them: 2");
    assert_eq!(absorb(&records, &mut into).unwrap(), "2 records; added or changed by them: 0");
    records.set(&place("h8"), &record(5));
    assert_eq!(absorb(&records, &mut into).unwrap(), "2 records; added or changed by them: 1");
}

#[test]
fn the_help_of_each_command_has_its_own_defaults() {
    let help = |command: &str| {
        let mut db = <Args as clap::Args>::augment_args(clap::Command::new("db"));
        let help = db.find_subcommand_mut(command).unwrap().render_help().to_string();
        help.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let of_records = "default: that of the records, if the file has one game on one board, else";
    let text = help("get");
    for default in ["freestyle", "15"] {
        assert!(text.contains(&format!("{of_records} {default}")), "{text}");
        let text = help("sample");
        assert!(text.contains(&format!("[default: {default}]")), "{text}");
        assert!(!text.contains("that of the records"), "{text}");
    }
    let text = help("from-lib");
    assert!(text.contains("[default: renju]") && text.contains("default: detected"), "{text}");
    assert!(!text.contains("the records") && !text.contains("utf-8 for"), "{text}");
    let text = help("to-lib");
    assert!(text.contains("default: the rule of the records"), "{text}");
    assert!(text.contains("[default: utf-8]") && !text.contains("detected"), "{text}");
}
