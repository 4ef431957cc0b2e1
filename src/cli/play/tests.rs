use super::*;
use goren_core::rules::OpeningId;
use goren_engine::WeightSet;

fn at_table(contest: Contest, person: Seat) -> Match {
    let hash = Hash::exactly(1 << 20);
    Match {
        game_state: GameState::new(contest),
        decider: Decider::new(&contest, &WeightSet::default(), &hash),
        person,
        time: Duration::from_secs(1000),
        max_depth: Some(2),
        threads: 1,
        hash,
    }
}

fn contest(game: &str, side: usize, opening: OpeningId) -> Contest {
    let variant = Variant::from_name(game).unwrap();
    Contest::new(variant).on(side, side).unwrap().opened(opening).unwrap()
}

/// What a person sees who types these lines.
fn session_of(contest: Contest, person: Seat, lines: &str) -> String {
    let mut table = at_table(contest, person);
    let lines = lines.to_owned();
    let seen = with_search_stack(move || {
        let mut out = Vec::new();
        table.play(&mut lines.as_bytes(), &mut out)?;
        Ok(out)
    });
    String::from_utf8(seen.unwrap()).unwrap()
}

fn session(game: &str, person: Seat, lines: &str) -> String {
    session_of(contest(game, 9, OpeningId::Free), person, lines)
}

fn stones_of(screen: &str) -> usize {
    let board = screen.rsplit("A B C D E F G H I\n").nth(1).unwrap();
    board.matches(['X', 'O']).count()
}

#[test]
fn the_engine_answers_and_undo_takes_both_stones_back() {
    let seen = session("freestyle", Seat::First, "e5\nquit\n");
    assert!(seen.contains("(X)") && seen.contains("(O)"), "{seen}");
    assert!(seen.contains("The engine played "), "{seen}");
    assert_eq!(stones_of(&seen), 2);
    let seen = session("freestyle", Seat::First, "e5\nd4\nundo\n");
    assert_eq!(stones_of(&seen), 2, "{seen}");
    let seen = session("freestyle", Seat::First, "undo\nhint\nquit\n");
    assert!(seen.contains("not moved yet") && seen.contains("Try "), "{seen}");
}

#[test]
fn with_white_the_engine_begins_and_swap_changes_sides() {
    let seen = session("gomoku", Seat::Second, "board\nswap\nquit\n");
    assert!(seen.contains("(X)") && seen.contains("You have Black now."), "{seen}");
    assert_eq!(stones_of(&seen), 2, "{seen}");
}

#[test]
fn bad_input_is_explained_and_changes_nothing() {
    let seen = session("caro", Seat::First, "z99\nfoo\n\ne5\ne5\npass\n");
    assert!(seen.contains("z99: the point is outside the board"), "{seen}");
    assert!(seen.contains("\"foo\" is no ply"), "{seen}");
    assert!(seen.contains("e5: the point is occupied"), "{seen}");
    assert!(seen.contains("pass: passing is not allowed now"), "{seen}");
    assert_eq!(stones_of(&seen), 2);
}

#[test]
fn forbidden_points_are_marked_and_a_foul_ends_the_game() {
    let mut table = at_table(contest("renju", 9, OpeningId::Free), Seat::First);
    for text in ["c5", "a9", "d5", "i9", "e7", "a1", "e6", "i1"] {
        let action = read(&table.game_state, text).unwrap();
        table.game_state.apply(&action).unwrap();
    }
    let mut out = Vec::new();
    table.play(&mut "e5\na2\nquit\n".as_bytes(), &mut out).unwrap();
    let seen = String::from_utf8(out).unwrap();
    assert!(seen.contains(" 5 . . X X * . . . . 5"), "{seen}");
    assert!(seen.contains("That was a foul: White wins."), "{seen}");
    assert!(seen.contains("a2: the game is already over."), "{seen}");
}

#[test]
fn every_game_and_opening_can_be_played_with_the_engine() {
    for variant in Variant::all() {
        for &opening in variant.sheet().openings {
            let contest = Contest::new(variant).opened(opening).unwrap();
            let mut table = at_table(contest, Seat::First);
            table.time = Duration::from_millis(60);
            table.max_depth = Some(1);
            let plies = with_search_stack(|| {
                // The engine answers itself: what it decides is legal.
                let mut out = Vec::new();
                while table.game_state.actions().len() < 12
                    && table.game_state.pending_decision().is_some()
                {
                    table.engine_moves(&mut out)?;
                }
                Ok(table.game_state.actions().len())
            });
            let ended = table.game_state.result().is_some();
            assert!(plies.unwrap() == 12 || ended, "{variant} {opening}");
        }
    }
}

#[test]
fn openings_are_explained() {
    let seen = session_of(contest("gomoku", 15, OpeningId::Swap2), Seat::Second, "swap\nquit\n");
    assert!(seen.contains("You may place White, or place White, Black, or swap"), "{seen}");
    let seen = session_of(contest("renju", 15, OpeningId::Rif), Seat::First, "h8,h9,h10\nquit\n");
    assert!(seen.contains("You may name an opening (3 stones)"), "{seen}");
    assert!(seen.contains("  swap "), "{seen}");
}
