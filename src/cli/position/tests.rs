use super::state::PositionEnding;
use super::*;
use crate::forms::Typed;
use crate::play;
use crate::test_args::parse;
use goren_core::opening::{Action, GameState};
use goren_core::record::import::{ImportedEvent, ImportedGame};
use goren_core::record::{psq, sgf};
use goren_core::rules::referee::Reason;
use goren_core::rules::{Contest, OpeningId, RuleId, Variant};
use goren_core::types::{Cell, Color, Stone};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// Parses the arguments of a command line, without a position.
fn source(arguments: &str) -> PositionArgs {
    parse(arguments).unwrap()
}

fn position(arguments: &str, text: &str) -> anyhow::Result<GivenPosition> {
    source(arguments).of_text(text)
}

fn error(arguments: &str, text: &str) -> String {
    format!("{:#}", position(arguments, text).unwrap_err())
}

/// Formats stones as `B h8`, in order of cells.
fn stones(position: &GivenPosition) -> Vec<String> {
    let stone =
        |stone: &PlacedStone| format!("{} {}", &name(stone.color)[..1], position.label(stone.cell));
    position.stones.iter().map(stone).collect()
}

/// Formats a board with these rows in its upper left corner.
fn board(side: usize, rows: &[&str]) -> String {
    let row = |y: usize| {
        let row = rows.get(y).copied().unwrap_or("");
        let side = side + 2 * row.matches('(').count();
        format!("{row:.<side$}\n")
    };
    (0..side).map(row).collect()
}

/// Regression: with moves the board was the default of the game, whatever the name implies.
#[test]
fn a_name_that_implies_a_board_sets_its_size() {
    let sides = |arguments: &str, text: &str| {
        let contest = position(arguments, text).unwrap().contest;
        (contest.width, contest.height)
    };
    assert_eq!(sides("--game connect4", "d d e"), (7, 6));
    assert_eq!(sides("--game four-in-a-row", "d d e"), (8, 8));
    // The option overrides it, and so does the file.
    assert_eq!(sides("--game connect4 --size 9x8", "d d e"), (9, 8));
    let link = "https://board.example/play?size=8&moves=ddc1";
    assert_eq!(sides("--game connect4", link), (8, 8));
    // Rows are counted on that board, too: it has 15 of them, Pente has 19.
    let top = position("--game ninuki-renju --from-top", "a1").unwrap();
    assert_eq!((stones(&top), top.contest.width), (vec!["B a15".into()], 15));
}

#[test]
fn moves_become_a_position() {
    let seen = position("--game renju", "h8i9j10").unwrap();
    assert_eq!(stones(&seen), ["B j10", "W i9", "B h8"]);
    assert_eq!(seen.stones[0].number, Some(3));
    assert_eq!((seen.to_move(), seen.root.stones_to_place), (Color::White, 1));
    assert_eq!(seen.last, [Cell::new(9, 5)]);
    let top = position("--from-top --size 20x10", "a1").unwrap();
    assert_eq!((stones(&top), top.contest.width), (vec!["B a10".into()], 20));
    let less = position("--plies 1", "h8i9j10").unwrap();
    assert_eq!(stones(&less), ["B h8"]);
    // Half a turn.
    let half = position("--game connect6", "k10 l10").unwrap();
    assert_eq!((half.to_move(), half.root.stones_to_place, half.root.placed), (Color::White, 1, 1));
    assert_eq!(half.turns(&[half.last[0]; 4]), ["l10", "l10,l10", "l10"]);
}

#[test]
fn decisions_of_an_opening_are_reported_or_refused() {
    let sample = include_str!("../../../tests/samples/renju.sgf");
    let due = |plies: usize| position(&format!("--plies {plies}"), sample).unwrap().due;
    assert!(due(1).unwrap().starts_with("taraguchi-10: swap, or place White's stone next to h8"));
    assert!(due(2).unwrap().starts_with("taraguchi-10: place White's stone next to h8"));
    assert!(due(6).unwrap().contains(", or offer 10 fifths for Black"));
    assert_eq!((due(8), position("", "h8i9").unwrap().due), (None, None));
    // Black's fifth stone is not on the board yet.
    let message = error("--plies 7", sample);
    assert!(
        message.contains("keep one of the fifths on offer, and place White's sixth"),
        "{message}"
    );
    assert!(message.ends_with("--plies 8 gives the position after the choice"), "{message}");
    // As a game, for a review, it is accepted.
    assert!(source("--plies 7").of_game(sample).is_ok());
    let offered = sample.replace("[h7,i9][i10][g9][h10][j9][g10][f9];", ";");
    let offered = &offered[..offered.find(";B[hi]").unwrap()];
    let message = error("", &format!("{offered})"));
    assert!(message.ends_with("--plies 6 gives the position before the offer"), "{message}");
}

#[test]
fn captured_stones_are_removed_and_counted() {
    let seen = position("--game pente", "k10 l10 a1 m10 n10 a2").unwrap();
    assert_eq!(seen.captured(), [2, 0]);
    assert_eq!(stones(&seen), ["B k10", "B n10", "W a2", "B a1"]);
    assert_eq!(seen.stones[1].number, Some(5));
}

#[test]
fn finished_games_are_positions_with_an_end() {
    let won = position("", "a1a2b1b2c1c2d1d2e1").unwrap();
    let line = PositionEnding { winner: Some(Color::Black), reason: Reason::Line };
    assert_eq!(won.ending, Some(line));
    assert!(won.forbidden().is_empty());
    let drawn = board(15, &["xxxxx", "ooooo."]);
    assert_eq!(
        error("", &drawn),
        "no moves lead to this position of freestyle: both sides have a row that ends the game"
    );
    let five = position("", &board(15, &["xxxxx", "oooo"])).unwrap();
    assert_eq!(five.ending, Some(line));
    // The newest stone must belong to a row that ends the game.
    let marked = board(15, &["xxxxx", "oooo", "(x)"]);
    assert!(error("--to-move white", &marked).ends_with("before the last stone was placed"));
    // A six is no five, whatever the order of its stones.
    let six = position("--game standard", &board(15, &["xxxxxx", "ooo.oo"])).unwrap();
    assert_eq!(six.ending, None);
}

#[test]
fn a_line_within_a_turn_ends_the_game() {
    let ending = |last: &str| {
        let moves = format!("k10 a1,a2 k11,k12 a3,c9 k13,k14 s1,s2 {last}");
        position("--game connect6", &moves).unwrap().ending
    };
    let line = PositionEnding { winner: Some(Color::Black), reason: Reason::Line };
    assert_eq!((ending("k15"), ending("k16")), (Some(line), None));
}

#[test]
fn forbidden_points_have_their_kinds() {
    let text = board(15, &["", ".......x", ".......x", "", "....xx.", "..o.o.o.o"]);
    let seen = position("--game renju --to-move black", &text).unwrap();
    let forbidden = seen.forbidden();
    let names: Vec<String> = forbidden
        .iter()
        .map(|point| format!("{} {}", seen.label(point.cell), foul_names(point.kinds).join(" ")))
        .collect();
    assert!(names.contains(&"h11 double three".to_string()), "{names:?}");
    assert!(position("", &text).unwrap().forbidden().is_empty());
}

#[test]
fn boards_give_the_side_to_move_or_need_the_option() {
    let to_move = |arguments: &str, rows: &[&str]| {
        let seen = position(arguments, &board(15, rows));
        seen.map(|seen| (seen.to_move(), seen.root.stones_to_place))
            .map_err(|error| error.to_string())
    };
    assert_eq!(to_move("", &["x"]), Ok((Color::White, 1)));
    assert_eq!(to_move("", &["xo"]), Ok((Color::Black, 1)));
    assert_eq!(to_move("--to-move white", &["xo"]), Ok((Color::White, 1)));
    assert!(to_move("", &["xxx"]).unwrap_err().contains("3 black and 0 white"));
    assert_eq!(to_move("--game connect6", &[""]), Ok((Color::Black, 1)));
    assert_eq!(to_move("--game connect6", &["x"]), Ok((Color::White, 2)));
    assert_eq!(to_move("--game connect6", &["xo"]), Ok((Color::White, 1)));
    assert_eq!(to_move("--game connect6", &["xoo"]), Ok((Color::Black, 2)));
    assert_eq!(to_move("--game connect6 --to-move white", &["xoo"]), Ok((Color::White, 2)));
    assert!(to_move("--game connect6", &["ooo"]).is_err());
    let sgf = position("", "(;GM[4]RU[renju]SZ[15]AB[hh][ii]PL[W];W[gg])").unwrap();
    assert_eq!(stones(&sgf), ["W g9", "B h8", "B i7"]);
    assert_eq!((sgf.to_move(), sgf.contest.variant), (Color::Black, Variant::Five(RuleId::Renju)));
    assert!(source("").of_game("(;AB[hh])").is_err());
    let seen = position("", &(board(15, &["x"]) + "black to move\n")).unwrap();
    assert_eq!(seen.to_move(), Color::Black);
}

/// Tests black shapes that are a foul in one order of stones and legal in another.
#[test]
fn shapes_that_were_legal_are_no_fouls() {
    let cross = ["", ".....x", ".....x", "...xxx", "", "oo.oo"];
    for (to_move, rows) in
        [(Color::White, &cross[..]), (Color::Black, &[&cross[..], &["o"]].concat())]
    {
        let seen = position("--game renju", &board(15, rows)).unwrap();
        assert_eq!((seen.ending, seen.to_move()), (None, to_move));
    }
    // It is a foul if the crossing is marked as the newest stone.
    let last = |text: &str| position("--game renju", text).unwrap().ending;
    let text = board(15, &["", ".....x", ".....x", "...xx(x)", "", "oo.oo"]);
    let foul = PositionEnding { winner: Some(Color::White), reason: Reason::Foul };
    assert_eq!(last(&text), Some(foul));
    assert_eq!(last(&text.replace("xx(x)", "(x)xx")), None);
    // An overline is a foul, whichever of its stones came last.
    assert_eq!(last(&board(15, &["xxxxxx", "ooo.oo"])), Some(foul));
}

#[test]
fn boards_of_other_games_are_checked_by_their_rules() {
    // Pairs between opponents are possible: an enclosed stone came last.
    let pente = position("--game pente", &board(19, &["xoox", "oxxo", "x..o"])).unwrap();
    assert_eq!((pente.stones.len(), pente.captured()), (10, [0, 0]));
    let four = "........\n........\n........\n........\n........\n........\n..x.....\n.oxo....\n";
    let falling = position("--game four-in-a-row", four).unwrap();
    assert_eq!(falling.stones.len(), 4);
    let floating = four.replacen("........\n........", "..x.....\n...o....", 1);
    assert!(error("--game four-in-a-row", &floating).contains("no moves lead to"));
    // Stones without liberties.
    let dead = board(19, &["xo", "o.x"]);
    assert!(error("--game irensei", &dead).contains("no moves lead to"));
    assert!(position("--game irensei", &board(19, &[".o", "o.xx"])).is_ok());
    assert!(error("--game connect6+collinear", &board(19, &["xoo"])).contains("give the moves"));
    // Impossible: a pair in a game with poof, a pair whose captor is the newest stone, and a
    // full line in a game that clears lines.
    let taken = |game: &str, rows: &[&str]| error(game, &board(19, rows)).contains("taken off");
    assert!(taken("--game pente+poof", &["xoox", "", "x"].map(|row| row)));
    let newest = board(19, &["xoo(x)", "", "x"]);
    assert!(error("--game pente --to-move white", &newest).contains("taken off"));
    let full = "........\n".repeat(7) + "xoxoxoox\n";
    assert!(position("--game four-in-a-row", &full).is_ok());
    assert!(error("--game four-in-a-row+clear", &full).contains("would have been cleared"));
    // Six in a row by a turn of two stones, and by an unfinished one.
    let six = |rows: &[&str]| position("--game connect6", &board(19, rows)).unwrap().ending;
    let line = PositionEnding { winner: Some(Color::White), reason: Reason::Line };
    assert_eq!(six(&["oooooo", "xxxxx"]), Some(line));
    assert_eq!(six(&["oooooo.o", "xxxxx.xx"]), Some(line));
    let late = error("--game connect6", &board(19, &["oooooo", "xxxxx.xx"]));
    assert!(late.ends_with("before the other side's last move"), "{late}");
}

/// Plays random moves; the stones of a turn lie near others, so that rows occur.
fn random_game_state(game: &str, plies: usize, rng: &mut SmallRng) -> GameState {
    let contest = Contest::new(Variant::from_name(game).unwrap());
    let mut game_state = GameState::new(contest.opened(OpeningId::Free).unwrap());
    let near = |stones: &[(Cell, Color)], cell: Cell| {
        let close = |a: usize, b: usize| a.abs_diff(b) <= 2;
        let is = |&(at, _): &(Cell, Color)| close(at.x(), cell.x()) && close(at.y(), cell.y());
        stones.is_empty() || stones.iter().any(is)
    };
    while game_state.result().is_none() && game_state.actions().len() < plies {
        let stones = game_state.stones();
        let two =
            matches!(game_state.contest().variant, Variant::Connect6(_)) && !stones.is_empty();
        let mut cells = if two { game_state.empty() } else { game_state.placements() };
        cells.retain(|&cell| near(&stones, cell));
        cells.shuffle(rng);
        cells.truncate(if two { 2 } else { 1 });
        if game_state.apply(&Action::stones(&cells)).is_err() {
            break;
        }
    }
    game_state
}

/// Compares drawn boards with their slow twin: games played move by move.
#[test]
fn drawn_boards_are_the_positions_of_their_games() {
    let mut rng = SmallRng::seed_from_u64(6);
    let (mut boards, mut over) = (0, 0);
    let fives = RuleId::ALL.map(|rule| rule.card().game.name);
    let others = [
        "pente",
        "pente+keryo",
        "pente+poof",
        "connect6",
        "connect6+torus",
        "four-in-a-row",
        "four-in-a-row+edge-grow",
        "four-in-a-row+interior-gravity",
        "irensei",
    ];
    for game in fives.into_iter().chain(others) {
        for _ in 0..120 {
            let plies = rng.random_range(1..60);
            let game_state = random_game_state(game, plies, &mut rng);
            let stones = game_state.stones();
            // Captured stones are not on the board.
            let captured = game_state.events().len() > stones.len();
            if captured && game.starts_with("pente") {
                continue;
            }
            let typed = GivenPosition::typed(&Typed { game_state, placed: Vec::new() });
            let Contest { width, height, .. } = typed.contest;
            let to_move = format!("--game {game} --to-move {}", name(typed.to_move()));
            let list: Vec<_> = stones.iter().map(|&(c, color)| (c, Stone::Of(color))).collect();
            for last in [Vec::new(), typed.last.clone()] {
                // The drawing marks no stone if the last turn has two.
                let last = if last.len() == 1 { last } else { Vec::new() };
                let drawn =
                    play::draw_with((width, height), &list, &[], &last, &|sign| sign.into());
                let read =
                    position(&to_move, &drawn).unwrap_or_else(|error| panic!("{error:#}\n{drawn}"));
                // A foul other than an overline is recognised only if the stone is marked.
                let hidden =
                    |ending: PositionEnding| ending.reason == Reason::Foul && last.is_empty();
                match typed.ending {
                    Some(ending) if hidden(ending) => {}
                    // A repetition is not visible on a board.
                    Some(PositionEnding { reason: Reason::Repetition, .. }) => {}
                    ending => {
                        assert_eq!(read.ending, ending, "{game}\n{drawn}");
                        assert_eq!(read.forbidden(), typed.forbidden(), "{game}\n{drawn}");
                    }
                }
                assert_eq!(self::stones(&read), self::stones(&typed));
                assert_eq!(read.to_move(), typed.to_move());
                if typed.ending.is_none() {
                    assert_eq!(
                        read.root.stones_to_place, typed.root.stones_to_place,
                        "{game}\n{drawn}"
                    );
                }
                boards += 1;
                over += usize::from(read.ending.is_some());
            }
        }
    }
    assert!(boards > 2_500 && over > 200, "{boards} {over}");
}

#[test]
fn errors_name_their_place() {
    assert_eq!(error("", "h8 h8"), "byte 3: move 2 (h8): the point is occupied");
    assert_eq!(error("--size 15", &board(19, &["x"])), "the board is 19x19");
    assert!(error("", "..x\n.q.\n").contains("line 2, column 2: 'q'"));
    assert!(error("--game chess", "h8").contains("there is no game \"chess\""));
    assert!(error("", "(;B[hh];W[hh])").contains("move 2 (h8): the point is occupied"));
    assert!(error("", "(;B[hh];B[hi])").starts_with("byte 10: move 2 (h7): a stone of the other"));
    assert_eq!(error("--number 3", "(;B[hh])"), "there is 1 game in it");
    assert!(error("--number 0", "(;B[hh])").contains("from 1"));
    assert!(error("", "8,8,1\n99,1,1").contains("line 2: move"));
    assert!(error("", "{\"rule\":1}").contains("line 1"));
    assert!(error("--plies 4", "h8").contains("only 1 ply"));
    assert!(source("./nowhere.sgf").position().unwrap_err().to_string().contains("no file"));
    assert!(source("").of_game(&board(15, &["x"])).is_err());
}

#[test]
fn games_of_matches_are_read() {
    let lines = "{\"rule\":\"renju\",\"width\":15,\"height\":15,\"black\":\"a\",\"white\":\"b\",\
        \"moves\":[{\"at\":\"h8\"}],\"result\":null}\n\n{\"variant\":\"connect6\",\"width\":19,\
        \"height\":19,\"opened\":\"free\",\"first\":\"a\",\"second\":\"b\",\"plies\":[{\"ply\":\"j10\"},\
        {\"ply\":\"a1,b1\"}],\"black\":\"first\",\"result\":\"draw\",\"reason\":\"stopped\"}\n";
    let game = source("").of_game(lines).unwrap();
    assert_eq!(game.players, ["a", "b"]);
    assert_eq!(game.typed.game_state.contest().variant, Variant::Five(RuleId::Renju));
    let second = position("--number 2", lines).unwrap();
    assert_eq!(stones(&second), ["B j10", "W a1", "W b1"]);
    assert!(error("--number 2 --game renju", lines).contains("the other colour is due"));
}

/// Generates games of up to 13 stones on different cells of a 16x12 board.
fn games() -> impl Strategy<Value = ImportedGame> {
    let cells = prop::collection::hash_set((0..16usize, 0..12usize), 0..14);
    cells.prop_map(|cells| ImportedGame {
        variant: Some(Variant::Five(RuleId::Caro)),
        size: Some((16, 12)),
        players: ["a".into(), "b".into()],
        events: cells
            .into_iter()
            .map(|(x, y)| ImportedEvent::Stone(Cell::new(x, y), None))
            .collect(),
        ..ImportedGame::default()
    })
}

proptest! {
    #[test]
    fn a_game_written_in_any_format_is_the_same_position(game in games()) {
        let arguments = "--game caro --size 16x12";
        let label = |event: &ImportedEvent| match event {
            ImportedEvent::Stone(cell, _) => cell.label(12),
            other => panic!("{other:?}"),
        };
        let moves: String = game.events.iter().map(label).collect();
        let Ok(expected) = position(arguments, &moves) else { return Ok(()) };
        for text in [sgf::write(&game), psq::write(&game).unwrap()] {
            let read = position(arguments, &text).unwrap();
            prop_assert_eq!(&read.root, &expected.root);
            prop_assert_eq!(&read.stones, &expected.stones);
        }
        if expected.ending.is_none() {
            let stone = |stone: &PlacedStone| (stone.cell, Stone::Of(stone.color));
            let stones: Vec<_> = expected.stones.iter().map(stone).collect();
            let drawn = play::draw_with((16, 12), &stones, &[], &expected.last, &|sign| sign.into());
            let read = position("--game caro", &drawn).unwrap();
            prop_assert_eq!(self::stones(&read), self::stones(&expected));
            prop_assert_eq!((read.to_move(), read.last), (expected.to_move(), expected.last));
        }
    }

    #[test]
    fn mutated_texts_are_read_or_refused(
        which in 0..5usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4),
        game in prop::sample::select(vec!["renju", "pente+poof", "connect6", "irensei", "four-in-a-row+clear"]),
    ) {
        let texts = [
            "h8i9j10 k11".to_string(),
            board(9, &["xo..(x)", "", "..ox"]),
            "(;FF[4]GM[4]RU[renju]SZ[15];B[hh];W[hi])".to_string(),
            "Piskvorky 15x15, 11:11, 0\n8,8,1\n9,9,1\na\nb\n-1\n1,Renju\n".to_string(),
            "{\"rule\":\"renju\",\"width\":15,\"height\":15,\"black\":\"a\",\"white\":\"b\",\"moves\":[],\"result\":null}".to_string(),
        ];
        let mut text: Vec<char> = texts[which].chars().collect();
        for (at, sign) in edits {
            let at = at.index(text.len());
            text[at] = sign;
        }
        let text: String = text.into_iter().collect();
        for arguments in [String::new(), format!("--game {game}")] {
            if let Ok(position) = position(&arguments, &text) {
                let count = position.stones.len();
                prop_assert!(count <= position.contest.width * position.contest.height);
            }
        }
    }
}
