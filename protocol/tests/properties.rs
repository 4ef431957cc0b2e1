//! Properties of every input: printed values are read back, and the parser never panics or loses
//! synchronisation.

mod common;

use common::read;
use goren_protocol::{
    About, Command, DatabaseCommand, DatabaseQuery, Detail, Eval, LineBuffer, Owner, ParseError,
    Parser, Placed, Point, Reply, SearchInfo, Setting, YixinCommand,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn point() -> impl Strategy<Value = Point> {
    prop_oneof![
        8 => (0..32, 0..32).prop_map(|(x, y)| Point::new(x, y)),
        1 => any::<(i32, i32)>().prop_map(|(x, y)| Point::new(x, y)),
        1 => Just(Point::PASS),
    ]
}

fn points() -> impl Strategy<Value = Vec<Point>> {
    vec(point(), 0..40)
}

fn stones() -> impl Strategy<Value = Vec<Placed>> {
    let owner = prop_oneof![Just(Owner::Own), Just(Owner::Opponent), Just(Owner::Wall)];
    vec((point(), owner).prop_map(|(at, owner)| Placed::new(at, owner)), 0..40)
}

/// Text that begins with neither keyword nor number and has no blank at its ends.
fn text() -> impl Strategy<Value = String> {
    "[/.é]([ -~é]{0,30}[!-~])?"
}

fn info() -> impl Strategy<Value = Setting> {
    let number = prop::sample::select(vec![
        Setting::TimeoutTurn as fn(i64) -> Setting,
        Setting::TimeoutMatch,
        Setting::TimeLeft,
        Setting::MaxMemory,
        Setting::GameType,
        Setting::Rule,
        Setting::MaxDepth,
        Setting::MaxNode,
        Setting::TimeIncrement,
        Setting::ThreadNum,
        Setting::ThreadSplitDepth,
        Setting::HashSize,
        Setting::CautionFactor,
        Setting::Checkmate,
        Setting::VcThread,
        Setting::ShowDetail,
        Setting::StartDepth,
        Setting::Strength,
        Setting::Seed,
        Setting::MaxMoves,
        Setting::DrawResult,
    ]);
    let flag = prop::sample::select(vec![
        Setting::Pondering as fn(bool) -> Setting,
        Setting::UseDatabase,
        Setting::DatabaseReadonly,
        Setting::NBestSym,
        Setting::Swapable,
        Setting::TieBreak,
        Setting::ShowForbid,
    ]);
    prop_oneof![
        8 => (number, any::<i64>()).prop_map(|(key, n)| key(n)),
        2 => (flag, any::<bool>()).prop_map(|(key, on)| key(on)),
        1 => point().prop_map(Setting::Evaluate),
        1 => text().prop_map(Setting::Folder),
        1 => ("zz[a-z_]{0,8}", text()).prop_map(|(key, value)| Setting::Unknown { key, value }),
        1 => text().prop_map(|value| Setting::Malformed { key: "rule".into(), value }),
    ]
}

fn database() -> impl Strategy<Value = DatabaseCommand> {
    use DatabaseCommand as Db;
    let kind = prop::sample::select(vec![
        DatabaseQuery::All,
        DatabaseQuery::AllText,
        DatabaseQuery::One,
        DatabaseQuery::Text,
    ]);
    let path = prop::sample::select(vec![
        Db::Set as fn(String) -> Db,
        Db::ToText,
        Db::ToTextAll,
        Db::FromLib,
        Db::ToLib,
        Db::Merge,
        Db::Split,
        Db::ToPos,
        Db::FromText,
    ]);
    let list = prop::sample::select(vec![
        Db::SetBestMove as fn(Vec<Point>) -> Db,
        Db::ClearBestMove,
        Db::DeleteOne,
    ]);
    let filter = prop::sample::select(vec!["", "wl", "nonwlrecursive", "wlinstep 5"]);
    let quoted = "[ -~é\n\"\\\\]{0,60}";
    prop_oneof![
        (kind, points()).prop_map(|(kind, position)| Db::Query { kind, position }),
        (path, text()).prop_map(|(command, path)| command(path)),
        (list, points()).prop_map(|(command, position)| command(position)),
        prop::sample::select(vec![Db::Save, Db::Check, Db::Fix]),
        (any::<[i64; 4]>(), points()).prop_map(|([mask, tag, value, depth], position)| {
            Db::EditTvd { mask, tag, value, depth, position }
        }),
        (quoted, points()).prop_map(|(text, position)| Db::EditText { text, position }),
        (proptest::option::of(point()), text(), points())
            .prop_map(|(at, label, position)| Db::EditLabel { at, label, position }),
        (filter, points())
            .prop_map(|(filter, position)| Db::DeleteAll { filter: filter.into(), position }),
    ]
}

fn yixin() -> impl Strategy<Value = YixinCommand> {
    use YixinCommand as Yx;
    let bare = prop::sample::select(vec![
        Yx::ShowInfo,
        Yx::ShowForbid,
        Yx::SearchDefend,
        Yx::HashClear,
        Yx::ShowHashUsage,
        Yx::BlockReset,
        Yx::BlockPathReset,
        Yx::Swap2Step1,
        Yx::Swap2Step2,
        Yx::Swap2Step3,
        Yx::SoosorvStep1,
        Yx::Draw,
        Yx::Resign,
        Yx::PrintFeature,
        Yx::ReloadConfig(String::new()),
    ]);
    let list = prop::sample::select(vec![
        Yx::Block as fn(Vec<Point>) -> Yx,
        Yx::BlockUndo,
        Yx::BlockPath,
        Yx::BlockPathUndo,
        Yx::SoosorvStep2,
        Yx::SoosorvStep3,
        Yx::SoosorvStep6,
    ]);
    prop_oneof![
        bare,
        (list, points()).prop_map(|(command, list)| command(list)),
        stones().prop_map(Yx::Board),
        any::<u32>().prop_map(Yx::NBest),
        any::<i32>().prop_map(Yx::BalanceOne),
        any::<i32>().prop_map(Yx::BalanceTwo),
        text().prop_map(Yx::HashDump),
        text().prop_map(Yx::HashLoad),
        text().prop_map(Yx::ReloadConfig),
        (any::<bool>(), point(), any::<i32>()).prop_map(|(add, at, side)| Yx::Forbid {
            add,
            at,
            side
        }),
        (any::<u32>(), points()).prop_map(|(offers, stones)| Yx::SoosorvStep4 { offers, stones }),
        (any::<u32>(), points()).prop_map(|(offers, stones)| Yx::SoosorvStep5 { offers, stones }),
        database().prop_map(Yx::Database),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let bare = prop::sample::select(vec![
        Command::Restart,
        Command::Begin,
        Command::About,
        Command::End,
        Command::Stop,
    ]);
    prop_oneof![
        bare,
        any::<(u32, u32)>().prop_map(|(width, height)| Command::Start { width, height }),
        any::<u32>().prop_map(|size| Command::Start { width: size, height: size }),
        any::<(u32, u32)>().prop_map(|(width, height)| Command::RectStart { width, height }),
        point().prop_map(Command::Turn),
        point().prop_map(Command::Takeback),
        point().prop_map(Command::Play),
        stones().prop_map(Command::Board),
        points().prop_map(Command::Swap2Board),
        info().prop_map(Command::Info),
        yixin().prop_map(Command::Yixin),
    ]
}

fn eval() -> impl Strategy<Value = Eval> {
    prop_oneof![
        any::<i32>().prop_map(Eval::Score),
        any::<u32>().prop_map(Eval::Win),
        any::<u32>().prop_map(Eval::Loss),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    let text = "[!-~é]([ -~é]{0,30}[!-~])?";
    let report = (
        any::<[u32; 2]>(),
        eval(),
        0..10_000_u64,
        0..10_000_u64,
        any::<u64>(),
        vec("[A-T]1?[0-9]", 0..20),
    );
    prop_oneof![
        Just(Reply::Ok),
        Just(Reply::Swap),
        point().prop_map(Reply::Move),
        [point(), point()].prop_map(Reply::TwoMoves),
        [point(), point(), point()].prop_map(Reply::ThreeMoves),
        point().prop_map(Reply::Suggest),
        text.prop_map(Reply::Error),
        text.prop_map(Reply::Unknown),
        text.prop_map(Reply::Message),
        text.prop_map(Reply::Debug),
        vec((0..100, 0..100).prop_map(|(x, y)| Point::new(x, y)), 0..40).prop_map(Reply::Forbid),
        report.prop_map(|([depth, seldepth], eval, nodes, speed, time, pv)| {
            Reply::Search(SearchInfo { depth, seldepth, eval, nodes, speed, time, pv })
        }),
        eval().prop_map(|eval| Reply::Detail(Detail::Eval(eval))),
        (point(), vec(point(), 0..20))
            .prop_map(|(first, rest)| Reply::Detail(Detail::BestLine { first, rest })),
        any::<[String; 4]>().prop_map(|[a, b, c, d]| Reply::About(About::new(&a, &b, &c, &d))),
    ]
}

/// Pieces of real sessions, whole and broken, in any order.
fn session() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => command().prop_map(|command| command.to_wire().into_bytes()),
        1 => prop::sample::select(vec![
            "BOARD\n", "DONE\r\n", "done ", "7,7,1\n", "7 , 7", "yxhashdump\n", "\r", "\n\n", "INFO ",
            "yxedittextdatabase \"", "\"", "\\", "\0", "START", ",", "-", "99999999999999999999",
        ])
        .prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..40),
    ];
    (vec(piece, 0..20), vec((any::<prop::sample::Index>(), any::<u8>()), 0..8)).prop_map(
        |(pieces, changes)| {
            let mut bytes = pieces.concat();
            for (index, byte) in changes {
                if !bytes.is_empty() {
                    let at = index.index(bytes.len());
                    bytes[at] = byte;
                }
            }
            bytes
        },
    )
}

/// Whether a line could be read as a move by any manager that looks for one.
fn looks_like_a_move(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == ' ')
}

proptest! {
    #[test]
    fn a_printed_command_is_read_back(command in command()) {
        prop_assert_eq!(read(command.to_wire()), [Ok(command)]);
    }

    #[test]
    fn commands_on_one_line_are_read_back(stones in stones(), points in points()) {
        for command in [Command::Board(stones), Command::Swap2Board(points)] {
            prop_assert_eq!(read(command.to_string().replace('\n', " ")), [Ok(command)]);
        }
    }

    #[test]
    fn consecutive_commands_stay_separate(commands in vec(command(), 0..8)) {
        let text: String = commands.iter().map(Command::to_wire).collect();
        let expected: Vec<_> = commands.into_iter().map(Ok).collect();
        prop_assert_eq!(read(text), expected);
    }

    #[test]
    fn a_printed_reply_is_read_back(reply in reply()) {
        prop_assert_eq!(Reply::parse(reply.to_wire().as_bytes()), Ok(reply));
    }

    #[test]
    fn a_reply_is_always_one_line(text in any::<String>()) {
        for reply in [
            Reply::Message(text.clone()),
            Reply::Error(text.clone()),
            Reply::Unknown(text.clone()),
            Reply::About(About::new(&text, &text, &text, &text)),
            Reply::Detail(Detail::Other { key: text.clone(), value: text.clone() }),
        ] {
            let line = reply.to_string();
            prop_assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
            prop_assert!(!looks_like_a_move(&line), "{line:?}");
            prop_assert!(line.split_once(' ').is_some_and(|(_, rest)| !rest.trim().is_empty()));
        }
    }

    #[test]
    fn any_reply_line_is_read_without_panic(line in vec(any::<u8>(), 0..200)) {
        let _ = Reply::parse(&line);
    }

    #[test]
    fn any_session_is_survived(bytes in session(), sizes in vec(1_usize..20, 1..20)) {
        let (mut buffer, mut parser) = (LineBuffer::new(), Parser::new());
        let mut events = Vec::new();
        let mut rest = &bytes[..];
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, after) = rest.split_at(rest.len().min(*size));
            rest = after;
            for line in buffer.push(chunk) {
                events.extend(parser.feed(&line));
            }
        }
        if let Some(line) = buffer.finish() {
            events.extend(parser.feed(&line));
        }
        // The chunks make no difference.
        prop_assert_eq!(&events, &read(&bytes));
        // No answer to them can be taken for a move.
        for error in events.iter().filter_map(|event| event.as_ref().err()) {
            let line = error.reply().to_string();
            prop_assert!(!looks_like_a_move(&line), "{line:?}");
            prop_assert!(line.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "{line:?}");
            prop_assert!(line.len() < 200, "{line:?}");
        }
        // The parser is still usable: at worst a quote is open.
        parser.feed(b"\" DONE");
        prop_assert_eq!(parser.feed(b"END").pop(), Some(Ok(Command::End)));
    }

    #[test]
    fn other_words_are_unknown_commands(word in "zz[a-z]{1,10}") {
        let events = read(format!("{word} 7,7"));
        let unknown = matches!(&events[..], [Err(ParseError::Unknown { .. })]);
        prop_assert!(unknown, "{:?}", events);
    }
}
