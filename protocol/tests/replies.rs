//! Printing and reading replies. Most tests guard against one manager's failure.

use goren_protocol::{
    About, Detail, Eval, Limit, MAX_TEXT, Point, Realtime, Reply, ReplyError, SearchInfo,
};

fn at(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

fn parse(line: &str) -> Reply {
    Reply::parse(line.as_bytes()).expect("readable")
}

#[test]
fn ok_is_the_bare_word() {
    assert_eq!(Reply::Ok.to_string(), "OK");
    assert_eq!(Reply::Ok.to_wire(), "OK\n");
    assert_eq!(parse("OK - everything is good\r\n"), Reply::Ok);
}

#[test]
fn moves_have_no_blank_around_the_comma() {
    let swap2 = Reply::ThreeMoves([at(7, 7), at(8, 7), at(9, 9)]);
    assert_eq!(Reply::Move(at(7, 10)).to_string(), "7,10");
    assert_eq!(swap2.to_string(), "7,7 8,7 9,9");
    assert_eq!(parse(" 7 , 10 \r"), Reply::Move(at(7, 10)));
    assert_eq!(parse("8,8 8,6"), Reply::TwoMoves([at(8, 8), at(8, 6)]));
    assert_eq!(parse("7,7 8,7  9,9"), swap2);
    assert_eq!(parse("swap"), Reply::Swap);
    for line in ["1,1 2,2 3,3 4,4", "7,7 8,8 3", "PASS"] {
        assert!(matches!(parse(line), Reply::Ply(_)), "{line}");
        assert_eq!(parse(line).to_string(), line);
    }
    for line in ["7,10", "8,8 8,6", "7,7 8,7 9,9", "1,1 2,2 3,3 4,4", "7,7 8,8 3", "PASS", "SWAP"] {
        let ply = parse(line).ply().expect("a ply");
        assert_eq!((ply.to_string().as_str(), Reply::from(ply)), (line, parse(line)));
    }
    assert_eq!(parse("OK").ply(), None);
    for line in ["7,7 x", "7", "7,7,7", "1,1 2 3,3", "7;7", "99999999999999999999,1"] {
        assert!(
            matches!(Reply::parse(line.as_bytes()), Err(ReplyError::Unreadable { .. })),
            "{line}"
        );
    }
}

#[test]
fn no_text_is_ever_empty() {
    for text in ["", "  ", "\r\n", "\u{2028}"] {
        assert_eq!(Reply::Message(text.into()).to_string(), "MESSAGE -");
        assert_eq!(Reply::Error(text.into()).to_string(), "ERROR -");
        assert_eq!(Reply::Unknown(text.into()).to_string(), "UNKNOWN -");
    }
    assert_eq!(parse("MESSAGE"), Reply::Message(String::new()));
}

#[test]
fn text_stays_on_one_line_of_bounded_length() {
    let text = Reply::Message("a\n7,7\r\nb\u{85}c".into()).to_string();
    assert_eq!(text, "MESSAGE a 7,7  b c");
    let long = Reply::Message("é".repeat(10_000)).to_string();
    assert!(long.len() <= MAX_TEXT && long.len() > MAX_TEXT - 4);
    assert_eq!(parse("MESSAGE pv 7,7 8,8 is fine"), Reply::Message("pv 7,7 8,8 is fine".into()));
}

#[test]
fn the_text_of_a_record_stands_between_quotes_and_keeps_its_lines() {
    let text = "a \"b\" \\\r\nc\u{7}\u{2028}d";
    let wire = Reply::DatabaseText(text.into()).to_wire();
    assert_eq!(wire, "MESSAGE DATABASE TEXT \"a \\\"b\\\" \\\\\nc  d\"\n");
    assert_eq!(Reply::DatabaseText(String::new()).to_wire(), "MESSAGE DATABASE TEXT \"\"\n");
}

#[test]
fn about_values_contain_no_separators() {
    let about = About::new("goren", "0.1=beta", "A \"B\" C, D", "Nowhere\n").www("https://x/?a=b");
    let line = about.to_string();
    assert_eq!(
        line,
        r#"name="goren", version="0.1beta", author="A B C D", country="Nowhere", www="https://x/?ab""#
    );
    // As JudgeLocal reads it.
    for field in line.split(',') {
        assert_eq!(field.split('=').count(), 2, "{field}");
    }
    assert_eq!(parse(&line), Reply::About(about));
    let other = parse(r#"name="X", author="Doe, John", version=2, country="Y""#);
    assert_eq!(other, Reply::About(About::new("X", "2", "Doe John", "Y")));
    assert!(Reply::parse(b"a=b").is_err());
}

#[test]
fn forbid_ends_with_a_dot() {
    assert_eq!(Reply::Forbid(vec![]).to_string(), "FORBID .");
    let cells = vec![at(3, 5), at(10, 14)];
    assert_eq!(Reply::Forbid(cells.clone()).to_string(), "FORBID 03051014.");
    assert_eq!(parse("FORBID 03051014."), Reply::Forbid(cells));
    assert_eq!(parse("forbid ."), Reply::Forbid(vec![]));
    let outside = Reply::Forbid(vec![Point::PASS, at(100, 1), at(1, 100), at(1, 2)]);
    assert_eq!(outside.to_string(), "FORBID 0102.");
    for line in ["FORBID 0305", "FORBID 030.", "FORBID 03x5."] {
        assert!(Reply::parse(line.as_bytes()).is_err(), "{line}");
    }
}

#[test]
fn a_search_report_reads_as_tools_expect() {
    let mut info = SearchInfo {
        depth: 12,
        seldepth: 20,
        eval: Eval::Score(35),
        nodes: 1_234_567,
        speed: 900,
        time: 1400,
        pv: vec!["H8".into(), "I9".into()],
    };
    let line = "MESSAGE depth 12-20 ev 35 n 1234K n/ms 900 tm 1400 pv H8 I9";
    assert_eq!(Reply::Search(info.clone()).to_string(), line);
    info.nodes = 1_234_000;
    assert_eq!(parse(line), Reply::Search(info));
}

#[test]
fn counts_and_values_are_abbreviated() {
    let info = |nodes, eval| SearchInfo {
        depth: 1,
        seldepth: 1,
        eval,
        nodes,
        speed: 0,
        time: 0,
        pv: vec![],
    };
    for (nodes, text) in [
        (9_999, "9999"),
        (10_000, "10K"),
        (9_999_999, "9999K"),
        (10_000_000, "10M"),
        (100_000_000_000, "100G"),
        (u64::MAX, "18446744T"),
    ] {
        let line = info(nodes, Eval::Win(13)).to_string();
        assert_eq!(line, format!("depth 1-1 ev +M13 n {text} n/ms 0 tm 0"));
    }
    assert!(info(0, Eval::Loss(12)).to_string().contains(" ev -M12 "));
    assert_eq!(Eval::parse("-115"), Some(Eval::Score(-115)));
    assert_eq!(Eval::parse("+M*"), None);
    // An over-large count must not overflow.
    let read = SearchInfo::parse("depth 1 ev 0 n 18446744073709551615T").expect("readable");
    assert_eq!((read.nodes, read.seldepth), (u64::MAX, 1));
    for text in ["", "depth 5", "ev 5", "depth x ev 5", "depth 1 ev 5 n", "depth 1 ev 5 zz 3"] {
        assert_eq!(SearchInfo::parse(text), None, "{text}");
    }
}

#[test]
fn a_long_variation_is_cut_between_moves() {
    let pv = vec!["H8".to_owned(); 5_000];
    let info =
        SearchInfo { depth: 1, seldepth: 1, eval: Eval::Score(0), nodes: 0, speed: 0, time: 0, pv };
    let line = Reply::Search(info).to_string();
    assert!(line.len() <= MAX_TEXT && line.ends_with(" H8"));
    let line = Detail::BestLine { first: at(7, 7), rest: vec![at(10, 10); 5_000] }.to_string();
    assert!(line.len() <= MAX_TEXT && line.ends_with(" 10,10"));
}

#[test]
fn the_detail_block_has_a_value_in_every_line() {
    let details = [
        (Detail::Pv(0), "INFO PV 0"),
        (Detail::NumPv(2), "INFO NUMPV 2"),
        (Detail::Depth(12), "INFO DEPTH 12"),
        (Detail::SelDepth(20), "INFO SELDEPTH 20"),
        (Detail::Nodes(5), "INFO NODES 5"),
        (Detail::TotalNodes(6), "INFO TOTALNODES 6"),
        (Detail::TotalTime(7), "INFO TOTALTIME 7"),
        (Detail::Speed(8), "INFO SPEED 8"),
        (Detail::Eval(Eval::Loss(4)), "INFO EVAL -M4"),
        (Detail::WinRate(0.5), "INFO WINRATE 0.5000"),
        (Detail::BestLine { first: at(7, 8), rest: vec![at(1, 2)] }, "INFO BESTLINE 7,8 1,2"),
        (Detail::PvDone, "INFO PV DONE"),
        (Detail::Other { key: "PRIOR".into(), value: "0.1".into() }, "INFO PRIOR 0.1"),
    ];
    for (detail, line) in details {
        assert_eq!(detail.to_string(), line);
        assert_eq!(parse(line), Reply::Detail(detail));
    }
    assert_eq!(Detail::WinRate(f32::NAN).to_string(), "INFO WINRATE 0.0000");
    assert_eq!(
        parse("INFO EVAL +M*"),
        Reply::Detail(Detail::Other { key: "EVAL".into(), value: "+M*".into() })
    );
    assert!(Reply::parse(b"INFO DEPTH").is_err());
}

#[test]
fn marks_and_limits_of_a_yixin_gui_are_read_back() {
    for (reply, line) in [
        (Reply::Realtime(Realtime::Refresh), "MESSAGE REALTIME REFRESH"),
        (Reply::Realtime(Realtime::Pos(at(3, 5))), "MESSAGE REALTIME POS 3,5"),
        (Reply::Realtime(Realtime::Done(at(3, 5))), "MESSAGE REALTIME DONE 3,5"),
        (Reply::Realtime(Realtime::Best(at(3, 5))), "MESSAGE REALTIME BEST 3,5"),
        (Reply::Realtime(Realtime::Lose(at(3, 5))), "MESSAGE REALTIME LOST 3,5"),
        (Reply::Limit(Limit::MaxThreadNum(16)), "MESSAGE INFO MAX_THREAD_NUM 16"),
        (Reply::Limit(Limit::MaxHashSize(24)), "MESSAGE INFO MAX_HASH_SIZE 24"),
    ] {
        assert_eq!(reply.to_string(), line);
        assert_eq!(parse(line), reply);
    }
    assert_eq!(parse("MESSAGE REALTIME LOST 3,5"), Reply::Realtime(Realtime::Lose(at(3, 5))));
    assert_eq!(parse("MESSAGE REALTIME soon"), Reply::Message("REALTIME soon".into()));
}

#[test]
fn other_lines_of_engines_are_read() {
    assert_eq!(parse("suggest 7,7"), Reply::Suggest(at(7, 7)));
    assert_eq!(parse("DEBUG x y"), Reply::Debug("x y".into()));
    assert_eq!(parse("error bad size 20"), Reply::Error("bad size 20".into()));
    assert_eq!(parse("UNKNOWN"), Reply::Unknown(String::new()));
    assert_eq!(Reply::parse(b" \r\n"), Err(ReplyError::Blank));
    assert!(Reply::parse(b"Winrate 50%").is_err());
    assert!(Reply::parse(&vec![0xff; 1 << 20]).is_err());
}

#[test]
fn qpiskvork_mistakes_none_of_our_keywords() {
    // qpiskvork tests only first characters, in this order. Lines that must reach the user as
    // text, or be skipped, must begin with none of them.
    let report = SearchInfo {
        depth: 1,
        seldepth: 1,
        eval: Eval::Score(0),
        nodes: 0,
        speed: 0,
        time: 0,
        pv: vec![],
    };
    for reply in [
        Reply::Message("x".into()),
        Reply::Search(report),
        Reply::Realtime(Realtime::Refresh),
        Reply::Limit(Limit::MaxThreadNum(1)),
        Reply::Detail(Detail::PvDone),
        Reply::Forbid(vec![]),
        Reply::About(About::new("goren", "1", "x", "y")),
    ] {
        let line = reply.to_string();
        assert!(
            !line.starts_with(['E', 'R', 'O', 'K', 'U', 'N', 'W', 'S', 'A', 'P', ' ']),
            "{line}"
        );
    }
}
