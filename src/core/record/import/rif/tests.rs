use std::io::Cursor;

use super::*;
use crate::record::import::Weight;
use crate::record::import::test_reading::{events, only};

const TABLES: &str = r#"<countries>
<country id="1" name="Estonia" abbr="EST"/>
</countries>
<cities><city id="2" country="1" name="Tallinn"/></cities>
<months><month id="4" name="April"/></months>
<rules>
<rule id="1" name="RIF"><info>swap after three stones</info></rule>
<rule id="2" name="Soosyrv-8"><info></info></rule>
<rule id="3" name="Sakata"/>
<rule id="4" name="Checkers"/>
</rules>
<openings><opening id="5" name="Kagetsu" abbr="4D"/></openings>
<players>
<player id="7" name="Ann" surname="A &amp; A" country="1" city="2"/>
<player id="8" name="Bob" surname="B" country="1" city="2"/>
</players>
<tournaments>
<tournament id="3" name="Spring &quot;Cup&quot;" country="1" city="2" year="2005" month="4" start="2005-04-12" end="2005-04-13" rule="1" rated="1"/>
<tournament id="6" name="Old" year="1991" start="" rule="3"/>
</tournaments>
"#;

const GAME: &str = r#"<game id="9" publisher="7" tournament="3" round="2" rule="1" black="7" white="8" bresult="0" btime="3600" wtime="" opening="5" alt="f6" swap="1">
<move>h8 h9 i10 g7 a1 o15</move>
<info>Black resigned</info>
</game>
"#;

fn file(games: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<database>\n{TABLES}<games>\n{games}</games>\n</database>\n"
    )
}

fn games(text: &str) -> Vec<Result<ImportedGame, UnreadableGame>> {
    Games::of_file(Cursor::new(text), Hints::default()).collect()
}

fn one(game: &str) -> ImportedGame {
    only(games(&file(game)), game)
}

fn stones(game: &ImportedGame) -> String {
    events(game).join(" ")
}

fn doubts(game: &ImportedGame) -> Vec<String> {
    let doubts = game.notes.iter().filter(|note| note.weight == Weight::Doubt);
    doubts.map(|note| note.text.clone()).collect()
}

#[test]
fn a_game_is_completed_from_the_tables() {
    assert!(looks(file(GAME).as_bytes()));
    let game = one(GAME);
    assert_eq!(stones(&game), "h8 h9 i10 g7 a1 o15");
    assert_eq!(game.players, ["Ann A & A", "Bob B"]);
    assert_eq!(game.title, "Spring \"Cup\", 2005-04-12, round 2, RIF, 4D Kagetsu, game 9");
    assert_eq!(game.variant, Some(Variant::Five(RuleId::Renju)));
    assert_eq!((game.opening, game.size), (Some(OpeningId::Rif), Some((15, 15))));
    assert_eq!(game.result, Some(Outcome::Win(Color::White)));
    assert_eq!(game.reason, "resign");
    let notes: Vec<String> = game.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "line 24: swap: 1",
            "line 24: fifth stones offered: f6",
            "line 24: info: Black resigned",
            "line 24: not used: publisher, btime",
        ]
    );
}

#[test]
fn results_rules_and_passes_are_read() {
    let result = |text: &str| one(&GAME.replace("bresult=\"0\"", text)).result;
    assert_eq!(result("bresult=\"1\""), Some(Outcome::Win(Color::Black)));
    assert_eq!(result("bresult=\"0.5\""), Some(Outcome::Draw));
    assert_eq!(result("bresult=\"\""), None);
    assert_eq!(result("bresult=\"x\""), None);
    let rule = |text: &str| {
        let game = one(&GAME.replace("rule=\"1\"", text));
        (game.variant.is_some(), game.opening, doubts(&game).join("; "))
    };
    assert_eq!(rule("rule=\"2\""), (true, Some(OpeningId::Soosorv8), String::new()));
    assert_eq!(rule("rule=\"3\""), (true, None, String::new()));
    assert_eq!(rule("rule=\"4\""), (false, None, "the rule \"Checkers\" is not known".into()));
    // The rule of the tournament is used.
    assert_eq!(rule(""), (true, Some(OpeningId::Rif), String::new()));
    let unsaid = rule("tournament=\"99\" rule=\"98\"");
    assert_eq!(unsaid, (true, None, "no rule is named, renju is assumed".into()));
    let hints = Hints { variant: Variant::from_name("standard").ok(), ..Hints::default() };
    let text = file(&GAME.replace("rule=\"1\"", "rule=\"4\""));
    let hinted = Games::of_file(Cursor::new(&text), hints).next().unwrap().unwrap();
    assert_eq!((hinted.variant, doubts(&hinted).len()), (hints.variant, 0));
    assert_eq!(stones(&one(&GAME.replace("i10", "-- i10"))), "h8 h9 pass i10 g7 a1 o15");
}

#[test]
fn tables_may_follow_the_games() {
    let text = format!("<database><games>{GAME}{GAME}</games>\n{TABLES}</database>");
    let games = games(&text);
    assert_eq!(games.len(), 2);
    for game in games {
        let game = game.unwrap();
        assert_eq!(doubts(&game).len(), 0);
        assert_eq!(game.players, ["Ann A & A", "Bob B"]);
    }
    let bare = Games::of_file(Cursor::new(GAME), Hints::default()).next().unwrap().unwrap();
    assert_eq!((&bare.players[0][..], &bare.title[..]), ("player 7", "round 2, game 9"));
}

#[test]
fn a_broken_game_does_not_hide_the_others() {
    let broken = [
        GAME.to_string(),
        GAME.replace("</game>\n", ""),
        GAME.replace("id=\"9\"", "id=\"9"),
        GAME.replace("black=\"7\"", "black=7"),
        GAME.replace("i10", "i1O"),
        GAME.replace("a1", "p1"),
        GAME.replace("h8 h9 i10 g7 a1 o15", ""),
        GAME.replace("<move>", "<move"),
        GAME.to_string(),
    ];
    let games = games(&file(&broken.concat()));
    let whole: Vec<&ImportedGame> =
        games.iter().flatten().filter(|game| doubts(game).is_empty()).collect();
    assert_eq!(whole.len(), 2);
    let doubted: Vec<String> = games.iter().flatten().flat_map(doubts).collect();
    assert_eq!(
        doubted,
        [
            "\"i1O\" is no move: move 3 and all after it are left out",
            "\"p1\" is no move: move 5 and all after it are left out",
            "the file has no moves of this game",
        ]
    );
    let errors: Vec<String> =
        games.iter().filter_map(|game| game.as_ref().err()).map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "line 28: the game has no end",
            "line 31: a broken tag",
            "line 35: a broken tag",
            "line 51: a broken tag",
        ]
    );
    let empty = "file: there is no game in it";
    for text in ["", "<database></database>", "no xml at all"] {
        let games = super::tests::games(text);
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].as_ref().unwrap_err().to_string(), empty);
    }
}

#[test]
fn other_texts_are_not_taken_for_a_database() {
    for text in ["", "h8i9", "<html><body>h8</body></html>", "(;GM[4])", "games <games>"] {
        assert!(!looks(text.as_bytes()), "{text}");
    }
}

/// A file with a read error at its end.
struct Torn(Cursor<Vec<u8>>);

impl io::Read for Torn {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl io::BufRead for Torn {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.0.fill_buf()? {
            [] => Err(io::Error::other("torn")),
            bytes => Ok(bytes),
        }
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl io::Seek for Torn {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn a_read_error_ends_the_iteration() {
    let torn = Torn(Cursor::new(file(GAME).into_bytes()));
    let games: Vec<_> = Games::of_file(torn, Hints::default()).collect();
    assert_eq!(games.len(), 2);
    assert!(games[0].is_ok());
    let error = games[1].as_ref().unwrap_err().to_string();
    assert!(error.ends_with("the file cannot be read: torn"), "{error}");
}
