use super::judge::{Grade, Judged, Turn};
use super::*;
use crate::types::{Color, PROVEN};
use clap::Parser;
use serde_json::Value;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

const PLAIN: Look = Look { colors: false, width: None };

/// What is found of a game, handed to `look`.
fn reviewed<T>(arguments: &str, text: &str, look: impl FnOnce(&Review) -> T) -> T {
    let words = std::iter::once("goren").chain(arguments.split_whitespace());
    let args = Cli::try_parse_from(words).unwrap().args;
    let game = args.source.of_game(text).unwrap();
    let contest = *game.typed.course.contest();
    let mut brain = new_brain(&contest, &weights::load(&[] as &[PathBuf]).unwrap());
    let table = Table::with_bytes(1 << 20).unwrap();
    let mut told = 0;
    let plies =
        with_search_stack(|| judge(&game, &mut *brain, &table, &args.effort, &mut || told += 1));
    let plies = plies.unwrap();
    assert_eq!(told, plies.len());
    let end = Position::typed(&game.typed);
    look(&Review { contest, players: &game.players, plies: &plies, end: &end })
}

fn ply(review: &Review, number: usize) -> Judged {
    review.plies[number - 1].clone()
}

/// White leaves an open three alone.
const LOST: &str = "h8 i8 h9 i9 h10 o15 h11 a1 h12";

#[test]
fn a_planted_blunder_is_the_losing_move() {
    reviewed("--nodes 4000", LOST, |review| {
        let slip = ply(review, 6);
        let verdict = slip.verdict.clone().unwrap();
        assert!(verdict.best > -PROVEN && verdict.played <= -PROVEN, "{verdict:?}");
        assert!(matches!(verdict.turn(), Some(Turn::LossFound(_))));
        assert_eq!(verdict.grade(), Some(Grade::Blunder));
        assert_eq!(review.losing_move(), Some(&slip));
        // Nobody else blundered.
        let blunders = review.tallies().map(|tally| tally.grades[Grade::Blunder as usize]);
        assert_eq!(blunders, [0, 1]);
        assert_eq!(ply(review, 9).verdict.unwrap().played, crate::types::win_in(1));
        assert_eq!(ply(review, 9).black_rate(), Some(1.0));
        insta::assert_snapshot!(review.lines(PLAIN).join("\n"));
    });
}

#[test]
fn a_win_thrown_away_is_named() {
    reviewed("--nodes 4000", "h8 i8 h9 i9 h10 o15 a1 h11", |review| {
        let slip = ply(review, 7);
        assert!(matches!(slip.verdict.unwrap().turn(), Some(Turn::WinMissed(_))));
        // Nobody has won.
        assert_eq!(review.losing_move(), None);
        let text = review.lines(PLAIN).join("\n");
        assert!(text.contains("throws away a win in "), "{text}");
        assert!(text.contains("not played to its end"), "{text}");
    });
}

#[test]
fn turns_of_two_stones_are_judged_whole() {
    // Black has four in a row; White does not care, and Black fills the six.
    let game = "k10 a1,a2 k11,k12 a3,c9 k13,s1 r1,r3 k14,k15";
    reviewed("--game connect6 --nodes 1500", game, |review| {
        let last = ply(review, 7);
        assert_eq!((last.color, last.text.as_str()), (Color::Black, "K14,K15"));
        assert_eq!(last.verdict.unwrap().played, crate::types::win_in(2));
        let slip = ply(review, 6).verdict.unwrap();
        assert!(slip.played <= -PROVEN && slip.best > -PROVEN, "{slip:?}");
        assert_eq!(review.losing_move().map(|ply| ply.number), Some(6));
    });
}

#[test]
fn openings_are_passed_over() {
    let line = "{\"variant\":\"gomoku\",\"width\":15,\"height\":15,\"opened\":\"swap-2\",\
        \"first\":\"a\",\"second\":\"b\",\"plies\":[{\"ply\":\"h8,i9,j8\"},{\"ply\":\"pass\"},\
        {\"ply\":\"g7\"}],\"black\":\"second\",\"result\":\"draw\",\"reason\":\"stopped\"}";
    reviewed("--nodes 300", line, |review| {
        let judged: Vec<bool> = review.plies.iter().map(|ply| ply.verdict.is_some()).collect();
        assert_eq!(judged, [false, false, true]);
        assert_eq!(review.plies[1].text, "swap");
        assert_eq!(review.title(), "b – a, gomoku 15x15, 3 plies");
    });
}

#[test]
fn json_and_pictures_say_the_same() {
    reviewed("--nodes 2000", LOST, |review| {
        let text = json::text(review).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["losing_ply"], 6);
        assert_eq!(value["ended"]["reason"], "line");
        let slip = &value["plies"][5];
        assert_eq!((&slip["color"], &slip["move"]), (&"white".into(), &"O15".into()));
        assert_eq!(slip["judged"]["turn"], "loss_handed_over");
        assert_eq!(slip["judged"]["line"][0], slip["judged"]["best"]);
        assert_eq!(value["white"]["blunders"], 1);
        let mut keys: Vec<&String> = slip["judged"].as_object().unwrap().keys().collect();
        keys.sort();
        let expected =
            "best best_score best_win_rate depth grade line loss nodes score turn win_rate";
        assert_eq!(keys.into_iter().map(String::as_str).collect::<Vec<_>>().join(" "), expected);
        let svg = curve(review).unwrap();
        assert!(svg.contains("O15??") && draw::png(&svg).is_ok());
    });
}
