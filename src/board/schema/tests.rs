use ts_rs::{Config, TS};

use super::*;

/// A declaration with its doc comment.
fn declared<T: TS>() -> String {
    let config = Config::new().with_large_int("number");
    format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(&config))
}

/// The contents of `page/schema.d.ts`.
fn types() -> String {
    let declarations = [
        declared::<TimeControl>(),
        declared::<GameChoice>(),
        declared::<Player>(),
        declared::<Form>(),
        declared::<Query>(),
        declared::<Known>(),
        declared::<Command>(),
        declared::<OpeningInfo>(),
        declared::<OptionInfo>(),
        declared::<Boards>(),
        declared::<GameInfo>(),
        declared::<LevelInfo>(),
        declared::<Catalogue>(),
        declared::<Setting>(),
        declared::<ClockView>(),
        declared::<Game>(),
        declared::<Stone>(),
        declared::<Way>(),
        declared::<Decision>(),
        declared::<Foul>(),
        declared::<ThreatKind>(),
        declared::<Threat>(),
        declared::<Outcome>(),
        declared::<Position>(),
        declared::<FileGame>(),
        declared::<Frame>(),
        declared::<Mark>(),
        declared::<RecordedScore>(),
        declared::<Node>(),
        declared::<TreeView>(),
        declared::<LineStone>(),
        declared::<Line>(),
        declared::<Lines>(),
        declared::<ReviewState>(),
        declared::<Grade>(),
        declared::<ReviewPly>(),
        declared::<ReviewSide>(),
        declared::<ReviewView>(),
        declared::<PuzzleKind>(),
        declared::<PuzzleInfo>(),
        declared::<ExerciseState>(),
        declared::<Exercise>(),
        declared::<TreeInfo>(),
        declared::<WalkState>(),
        declared::<Walk>(),
        declared::<KnownMove>(),
        declared::<KnownBranch>(),
        declared::<Database>(),
        declared::<Event>(),
    ];
    let head = "// Made of src/board/schema by its test: GOREN_TYPES=write cargo test -p goren-board\n\n\
                /** A point: column from the left, row from the top, from 0. */\n\
                export type Cell = [number, number];\n\n\
                export type Color = \"black\" | \"white\";\n\n";
    head.to_owned() + &declarations.join("\n")
}

#[test]
fn the_types_of_the_page_match_the_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/page/schema.d.ts");
    let types = types();
    if std::env::var_os("GOREN_TYPES").is_some() {
        std::fs::write(path, &types).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    assert!(written == types, "the page's types are old: set GOREN_TYPES=write to make them anew");
}

#[test]
fn commands_and_events_match_the_json_of_the_page() {
    let command: Command = serde_json::from_str(r#"{"do":"place","cell":[7,8]}"#).unwrap();
    assert_eq!(command, Command::Place { cell: goren_core::types::Cell::new(7, 8) });
    let swap: Command = serde_json::from_str(r#"{"do":"swap"}"#).unwrap();
    assert_eq!(swap, Command::Swap {});
    let follow: Command =
        serde_json::from_str(r#"{"do":"follow","node":3,"cells":[[7,8]]}"#).unwrap();
    let cells = vec![goren_core::types::Cell::new(7, 8)];
    assert_eq!(follow, Command::Follow { node: 3, cells, stay: false });
    let message = serde_json::to_string(&Event::Message { text: "x".into() }).unwrap();
    assert_eq!(message, r#"{"event":"message","text":"x"}"#);
    for bad in [
        "",
        "{}",
        "[]",
        "null",
        r#"{"do":"place"}"#,
        r#"{"do":"place","cell":[26,0]}"#,
        r#"{"do":"place","cell":[-1,0]}"#,
        r#"{"do":"place","cell":[1,0],"more":1}"#,
        r#"{"do":"swap","more":1}"#,
        r#"{"do":"run","path":"/bin/sh"}"#,
    ] {
        assert!(serde_json::from_str::<Command>(bad).is_err(), "{bad}");
    }
}
