//! Random and mutated transcripts against a session in this process: it must
//! neither panic nor hang, answer each command once, and play legal moves.

#[path = "fuzz/bodies/session.rs"]
mod session;

use proptest::prelude::*;
use proptest::sample::select;

/// Keys of `INFO`, one of them unknown.
const INFO_KEYS: [&str; 20] = [
    "timeout_turn",
    "timeout_match",
    "time_left",
    "time_increment",
    "rule",
    "max_depth",
    "max_memory",
    "game_type",
    "show_detail",
    "pondering",
    "strength",
    "seed",
    "nbestsym",
    "swapable",
    "max_moves",
    "draw_result",
    "show_forbid",
    "caution_factor",
    "evaluate",
    "nonsense",
];
/// Values of `INFO`, valid and invalid.
const INFO_VALUES: [&str; 15] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "8",
    "9",
    "10",
    "-1",
    "1000",
    "5",
    "2147483647",
    "x",
    "",
    "99999999999999999999999",
];
/// Commands without a random part.
const COMMANDS: [&str; 54] = [
    "BEGIN",
    "RESTART",
    "ABOUT",
    "STOP",
    "YXSTOP",
    "yxshowinfo",
    "yxshowforbid",
    "yxhashclear",
    "yxquerydatabaseallt\n7,7\ndone",
    "DONE",
    "7,7",
    "",
    "FOO",
    "help",
    "BOARD\nDONE",
    "SWAP2BOARD\nDONE",
    "YXNBEST 3",
    "yxsearchdefend",
    "yxbalanceone 0",
    "yxbalancetwo -50",
    "yxblock\n3,3\n4,4\ndone",
    "yxblockundo\n3,3\ndone",
    "yxblockreset",
    "yxblockpath\n3,3\n4,4\n5,5\ndone",
    "yxblockpathreset",
    "yxforbid add 3 4 0",
    "yxforbid del 3 4 0",
    "yxswap2step1",
    "yxswap2step2",
    "yxsoosorvstep1",
    "yxsoosorvstep2\n3,3\n3,4\n3,5\ndone",
    "yxsoosorvstep5 2\n3,3\n3,4\n3,5\n2,2\ndone",
    "yxdraw",
    "yxresign",
    "yxprintfeature",
    "yxshowhashusage",
    "yxhashload\n/no/such/file",
    "yxsetdatabase\nEND-less",
    "SWAP2BOARD\n3,3\n4,3\n5,5\nDONE",
    "TURN SWAP",
    "TURN PASS",
    "TURN 1,1 2,2",
    "TURN 3,3 2",
    "PLIES",
    "PLIES d4 c3",
    "INFO rule 5",
    "INFO proof /no/such/file",
    "INFO weights /no/such/file",
    "yxswap2step3",
    "yxsoosorvstep3\n3,3\n3,4\n3,5\ndone",
    "yxsoosorvstep4 3\n3,3\n3,4\n3,5\n2,2\ndone",
    "yxsoosorvstep6\n3,3\n3,4\n3,5\n2,2\n1,1\n0,0\ndone",
    "yxedittvddatabase 1 119 0 0\n3,3\ndone",
    "yxdbtotxt\n/no/such/folder/file",
];
/// `INFO variant` and the keys that go with it.
const NAMED: [&str; 9] = [
    "INFO variant gomocup",
    "INFO variant renju",
    "INFO variant pente",
    "INFO variant four-in-a-row",
    "INFO variant chess",
    "INFO opening swap-2",
    "INFO opening soosorv-8",
    "INFO opening free",
    "INFO tie_break 1",
];
/// Values of `INFO rule`.
const RULES: [&str; 10] = ["0", "1", "2", "3", "4", "6", "8", "9", "10", "11"];

fn coordinate() -> impl Strategy<Value = String> {
    // Mostly points of small boards, so that lines form and cells repeat.
    prop_oneof![
        20 => (0..8, 0..8).prop_map(|(x, y)| format!("{x},{y}")),
        4 => (-1..30, -1..30).prop_map(|(x, y)| format!("{x}, {y}")),
        1 => Just("-1,-1".to_owned()),
        1 => Just("99999999999999999999,3".to_owned()),
    ]
}

fn list(fields: std::ops::Range<i32>) -> impl Strategy<Value = String> {
    let entry = (coordinate(), fields).prop_map(|(at, field)| format!("{at},{field}\n"));
    prop::collection::vec(entry, 0..14).prop_map(|entries| entries.concat())
}

/// Alternating stones on different cells, as real clients send them.
fn valid_list() -> impl Strategy<Value = String> {
    let cells: Vec<(i32, i32)> = (0..49).map(|i| (i % 7, i / 7)).collect();
    (prop::sample::subsequence(cells, 0..40).prop_shuffle(), any::<bool>()).prop_map(
        |(cells, more)| {
            let even = cells.len().is_multiple_of(2) == more;
            let owner = |i: usize| if i.is_multiple_of(2) == even { 1 } else { 2 };
            let line = |(i, (x, y)): (usize, &(i32, i32))| format!("{x},{y},{}\n", owner(i));
            cells.iter().enumerate().map(line).collect()
        },
    )
}

fn line() -> impl Strategy<Value = String> {
    let points = prop::collection::vec(coordinate(), 0..6).prop_map(|all| all.join("\n"));
    let info = (select(&INFO_KEYS), select(&INFO_VALUES));
    prop_oneof![
        6 => select(&[5, 6, 7, 7, 7, 15, 26, 3, 99])
            .prop_map(|n| format!("START {n}")),
        1 => (4..9, 4..9).prop_map(|(w, h)| format!("RECTSTART {w},{h}")),
        14 => coordinate().prop_map(|at| format!("TURN {at}")),
        3 => coordinate().prop_map(|at| format!("TAKEBACK {at}")),
        1 => coordinate().prop_map(|at| format!("PLAY {at}")),
        8 => valid_list().prop_map(|list| format!("BOARD\n{list}DONE")),
        2 => list(0..5).prop_map(|list| format!("BOARD\n{list}DONE")),
        2 => valid_list().prop_map(|list| format!("yxboard\n{list}done\nyxshowforbid")),
        1 => list(1..4).prop_map(|list| format!("BOARD\n{list}")),
        2 => points.prop_map(|list| format!("SWAP2BOARD\n{list}\nDONE")),
        4 => info.prop_map(|(key, value)| format!("INFO {key} {value}")),
        4 => select(&RULES).prop_map(|rule| format!("INFO rule {rule}")),
        10 => select(&COMMANDS).prop_map(str::to_owned),
        1 => select(&NAMED).prop_map(str::to_owned),
    ]
}

/// A transcript as bytes, sometimes damaged.
fn transcript() -> impl Strategy<Value = Vec<u8>> {
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 0..4);
    (prop::collection::vec(line(), 1..30), damage, any::<bool>()).prop_map(
        |(lines, damage, whole)| {
            let mut bytes = format!("START 7\n{}\n", lines.join("\n")).into_bytes();
            if !whole {
                for (index, byte, how) in damage {
                    let at = index.index(bytes.len());
                    match how {
                        0 => bytes[at] = byte,
                        1 => bytes.insert(at, byte),
                        _ => drop(bytes.remove(at)),
                    }
                }
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_patient_client_gets_one_legal_answer_to_each_command(bytes in transcript()) {
        session::patient(&bytes);
    }

    #[test]
    fn an_impatient_client_gets_as_many_answers_as_it_asked_for(
        bytes in transcript(),
        pauses in prop::collection::vec(any::<bool>(), 64),
    ) {
        session::impatient(&bytes, |i| pauses[i % pauses.len()]);
    }
}
