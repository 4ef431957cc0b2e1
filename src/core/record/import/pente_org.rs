//! Games exported by pente.org, several in a file:
//!
//! ```text
//! [Game "Pente"]
//! [Site "Pente.org"]
//! [Event "Turn-based Game"]
//! [Date "04/08/2016"]
//! [Player 1 Name "ann"]
//! [Player 2 Name "bob"]
//! [Result "0-1"]
//!
//! 1. K10 L10 2. K7 L6 3. L8 J6 0-1
//! ```
//!
//! All games are played on 19x19 with columns A to T without I: K10 is the centre. Player 1 begins,
//! with white stones there; here the player who begins is Black. Stones are numbered in pairs in
//! all games, so a turn of Connect6 may be split by a number. In D-Pente player 1 places four
//! stones and player 2 chooses a colour; `Player's Swapped?` holds the choice.

use super::notes::Notes;
use super::points::{WrittenPoint, guess};
use super::tagged::{GameInfo, MoveWord, TaggedGame, TaggedGames, first_tags};
use super::{Columns, Hints, ImportedEvent, ImportedGame, Note, Place, Question, UnreadableGame};
use crate::record::quote::excerpt;
use crate::rules::{Named, RuleId, Variant, named};

/// Side of the site's board.
const SIDE: usize = 19;

/// Number of stones after which the second player of D-Pente chooses.
const BEFORE_CHOICE: usize = 4;

/// Maximum number of moves in a game: captured points can be played again.
const MAX_EVENTS: usize = 4 * SIDE * SIDE;

/// Tags that are used.
const USED: [&str; 17] = [
    "Game",
    "GameType",
    "Site",
    "Event",
    "Round",
    "Section",
    "Date",
    "Player 1 Name",
    "Player 2 Name",
    "White",
    "Black",
    "Result",
    "Player's Swapped?",
    "Players Swapped?",
    "Swapped",
    "Termination",
    "Swap",
];

/// Whether a text looks like games of pente.org.
pub fn looks(text: &str) -> bool {
    let is_typical = |name: &str| matches!(name, "Game" | "Player 1 Name" | "Player 2 Name");
    let of_site = |value: &str| value.to_ascii_lowercase().contains("pente.org");
    first_tags(text)
        .iter()
        .any(|tag| is_typical(tag.name) || tag.name == "Site" && of_site(tag.value))
}

/// Reads the games of a text.
pub fn read<'a>(
    text: &'a str,
    hints: &'a Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a {
    TaggedGames::of(text).map(|section| game(&section, hints))
}

/// Returns the letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    plain.to_ascii_lowercase()
}

/// Returns the game that a name stands for on the site.
fn named_on_site(name: &str) -> Option<Named> {
    if ["opente", "speedopente", "turnbasedopente"].contains(&plain(name).as_str()) {
        let variant = Variant::from_name("pente+keryo+poof+boat").ok()?;
        return Some(Named { variant, opening: None, size: None, hint: None });
    }
    // On this site "gomoku" is unambiguous: no hint that it might mean another rule.
    let exact = Variant::Five(RuleId::Standard);
    named(name)
        .map(|found| if found.variant == exact { Named { hint: None, ..found } } else { found })
}

/// Whether player 2 chooses a colour after four stones.
fn chooses(name: &str) -> bool {
    let plain = plain(name);
    ["dpente", "dkpente", "dkeryo", "dkeryopente"].iter().any(|end| plain.ends_with(end))
}

/// The parsed moves of a game.
#[derive(Default)]
struct Moves {
    points: Vec<WrittenPoint>,
    /// Lines of the points.
    lines: Vec<usize>,
    /// Number of points before each swap, and its line.
    swaps: Vec<(usize, usize)>,
    /// Number of points before each pass, and its line.
    passes: Vec<(usize, usize)>,
    info: GameInfo,
}

fn game(section: &TaggedGame, hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let mut notes = Notes::default();
    let name = section.value(&["Game", "GameType"]);
    let found = name.and_then(named_on_site);
    if let (None, None, Some(name)) = (found, hints.variant, name) {
        let text = format!("the game {:?} is not known", excerpt(name));
        notes.push(Note::doubt(Place::Line(section.line), text).asking(Question::Game));
    } else if name.is_none() && hints.variant.is_none() {
        let text = "the game is not named";
        notes.push(Note::doubt(Place::Line(section.line), text).asking(Question::Game));
    }
    let moves = moves(section, &mut notes);
    let size = hints.size.unwrap_or((SIDE, SIDE));
    let site = section.value(&["Site"]).unwrap_or_default().to_ascii_lowercase();
    let guessed = || guess(&moves.points, size, Columns::WithoutI, site.contains("pente.org"));
    let (columns, note) = hints.columns.map_or_else(guessed, |columns| (columns, None));
    note.into_iter().for_each(|note| notes.push(note));
    let chosen = name.is_some_and(chooses) && swapped(section) && moves.swaps.is_empty();
    if swapped(section) && !chosen && moves.swaps.is_empty() {
        let text = "the players exchanged colours, but the file does not say when";
        notes.remark(Place::Line(section.line), text);
    }
    let (events, places) = events(&moves, columns, size, hints, chosen)?;
    if let Some(text) = found.and_then(|found| found.hint) {
        notes.remark(Place::Line(section.line), text);
    }
    notes.remark(Place::File, "Goren's Black is player 1, who plays White on pente.org");
    let unused = [section.start(), section.unused(&USED), section.unknown_result()];
    unused.into_iter().flatten().for_each(|note| notes.push(note));
    moves.info.note_asides(Place::Line(section.line), &mut notes);
    let result = section.points(moves.info.result, &mut notes);
    let reason = section.text(&["Termination"]);
    Ok(ImportedGame {
        variant: hints.variant.or(found.map(|found| found.variant)),
        opening: found.and_then(|found| found.opening),
        size: Some(size),
        players: players(section),
        title: section.title(),
        events,
        places,
        columns: Some(columns),
        result,
        reason: moves.info.forfeit.map_or(reason, String::from),
        notes: notes.finish(),
        ..ImportedGame::default()
    })
}

/// Returns the names of the player who begins and of the other.
fn players(section: &TaggedGame) -> [String; 2] {
    // Older files of the site call player 1 White.
    [section.text(&["Player 1 Name", "White"]), section.text(&["Player 2 Name", "Black"])]
}

/// Parses the moves up to the first one that is not understood.
fn moves(section: &TaggedGame, notes: &mut Notes) -> Moves {
    let mut moves = Moves::default();
    for (line, word) in section.words() {
        let place = Place::Line(line);
        let Some(step) = moves.info.take(word, place, notes) else { continue };
        match step {
            MoveWord::Points(points) => {
                moves.lines.resize(moves.points.len() + points.len(), line);
                moves.points.extend(points);
            }
            MoveWord::Swap => moves.swaps.push((moves.points.len(), line)),
            MoveWord::Pass | MoveWord::Nothing => moves.passes.push((moves.points.len(), line)),
            MoveWord::Takes(_) | MoveWord::Unknown(_) => {
                let text = match step {
                    MoveWord::Unknown(text) => text,
                    _ => "a colour".into(),
                };
                let at = moves.points.len() + 1;
                let text = format!("{text:?} is no move: move {at} and all after it are left out");
                notes.doubt(place, text);
                break;
            }
        }
        moves.info.order.played().into_iter().for_each(|text| notes.doubt(place, text));
        if moves.points.len() + moves.passes.len() + moves.swaps.len() > MAX_EVENTS {
            notes.doubt(place, "more moves than a game can have: the rest is left out");
            break;
        }
    }
    moves
}

/// Whether the tags state that the players exchanged colours.
fn swapped(section: &TaggedGame) -> bool {
    let value = section.value(&["Player's Swapped?", "Players Swapped?", "Swapped", "Swap"]);
    value.is_some_and(|text| matches!(text.as_bytes(), [b'y' | b'Y', ..]))
}

/// Returns the events with their places. `chosen`: whether the second player of D-Pente swapped.
fn events(
    moves: &Moves,
    columns: Columns,
    size: (usize, usize),
    hints: &Hints,
    chosen: bool,
) -> Result<(Vec<ImportedEvent>, Vec<Place>), UnreadableGame> {
    let from_top = hints.from_top.unwrap_or(false);
    let mut events = Vec::with_capacity(moves.points.len() + 1);
    let mut passes = moves.passes.iter().peekable();
    let mut swaps = moves.swaps.iter().peekable();
    let mut line = 0;
    for number in 0..=moves.points.len() {
        while let Some((_, line)) = swaps.next_if(|swap| swap.0 == number) {
            events.push((ImportedEvent::Swap, Place::Line(*line)));
        }
        if chosen && number == BEFORE_CHOICE {
            events.push((ImportedEvent::Swap, Place::Line(line)));
        }
        while let Some((_, line)) = passes.next_if(|pass| pass.0 == number) {
            events.push((ImportedEvent::Pass(None), Place::Line(*line)));
        }
        let (Some(point), Some(&own_line)) = (moves.points.get(number), moves.lines.get(number))
        else {
            break;
        };
        line = own_line;
        let off = || {
            let text =
                format!("move {}: {point} is off the board of {}x{}", number + 1, size.0, size.1);
            UnreadableGame { place: Place::Line(line), reason: text }
        };
        let cell = point.cell(columns, size, from_top).ok_or_else(off)?;
        events.push((ImportedEvent::Stone(cell, None), Place::Line(line)));
    }
    Ok(events.into_iter().unzip())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::import::test_reading::{doubts, events as stones, only};
    use crate::rules::OpeningId;
    use crate::rules::Outcome;
    use crate::types::{Cell, Color};

    /// Returns a game in the format of the site, with its line ends.
    fn file(game: &str, tags: &str, moves: &str) -> String {
        format!(
            "[Game \"{game}\"]\r\n[Site \"Pente.org\"]\r\n[Event \"Turn-based Game\"]\r\n\
             [Round \"-\"]\r\n[Section \"-\"]\r\n[Date \"03/09/2015\"]\r\n[Time \"21:05:59\"]\r\n\
             [TimeControl \"7\"]\r\n[Rated \"Y\"]\r\n[Player 1 Name \"ann\"]\r\n\
             [Player 2 Name \"bob\"]\r\n[Player 1 Rating \"1500\"]\r\n[Player 2 Rating \"1480\"]\r\n\
             [Player 1 Type \"Human\"]\r\n[Player 2 Type \"Human\"]\r\n[Result \"1-0\"]\r\n{tags}\r\n\
             {moves}\r\n"
        )
    }

    fn games(text: &str) -> Vec<Result<ImportedGame, UnreadableGame>> {
        read(text, &Hints::default()).collect()
    }

    fn one(text: &str) -> ImportedGame {
        only(games(text), text)
    }

    #[test]
    fn a_game_of_the_site_is_read() {
        let text = file("Pente", "", "1. K10 O9 2. G9 O11 3. K6 J10 4. T19 A1 1-0");
        assert!(looks(&text));
        let game = one(&text);
        assert_eq!(game.variant, Variant::from_name("pente").ok());
        assert_eq!((game.size, game.opening), (Some((19, 19)), None));
        assert_eq!(game.players, ["ann", "bob"]);
        assert_eq!(game.title, "Turn-based Game, 03/09/2015");
        assert_eq!(game.result, Some(Outcome::Win(Color::Black)));
        // Goren's columns include I.
        assert_eq!(stones(&game), ["j10", "n9", "g9", "n11", "j6", "i10", "s19", "a1"]);
        assert_eq!(game.events[0], ImportedEvent::Stone(Cell::new(9, 9), None));
        assert_eq!(doubts(&game), [""; 0]);
        let unused = game.notes.iter().find(|note| note.text.contains("not used")).unwrap();
        assert_eq!(
            unused.to_string(),
            "line 1: tags that are not used: Time, TimeControl, Rated, Player 1 Rating, Player 2 \
             Rating, Player 1 Type, Player 2 Type"
        );
    }

    #[test]
    fn every_game_of_the_site_is_known() {
        for (name, variant) in [
            ("Pente", "pente"),
            ("Speed Pente", "pente"),
            ("Keryo-Pente", "pente+keryo"),
            ("Turn-based Keryo-Pente", "pente+keryo"),
            ("G-Pente", "pente"),
            ("D-Pente", "pente"),
            ("DK-Pente", "pente+keryo"),
            ("Poof-Pente", "pente+poof"),
            ("Speed Boat-Pente", "pente+boat"),
            ("O-Pente", "pente+keryo+poof+boat"),
            ("Swap2-Pente", "pente"),
            ("Swap2-Keryo", "pente+keryo"),
            ("Gomoku", "standard"),
            ("Speed Connect6", "connect6"),
        ] {
            let game = one(&file(name, "", "1. K10 L10 1-0"));
            assert_eq!(game.variant, Variant::from_name(variant).ok(), "{name}");
            assert_eq!(doubts(&game), [""; 0], "{name}");
        }
        let swap2 = one(&file("Swap2-Keryo", "", "1. K10 L10 1-0"));
        assert_eq!(swap2.opening, Some(OpeningId::Swap2));
        let go = one(&file("Go (9x9)", "", "1. K10 L10 1-0"));
        assert_eq!(go.variant, None);
        assert_eq!(doubts(&go), ["line 1: the game \"Go (9x9)\" is not known"]);
        assert_eq!(go.notes[0].question, Some(Question::Game));
        let text = file("Go (9x9)", "", "1. K10 L10 1-0");
        let hints = Hints { variant: Variant::from_name("pente").ok(), ..Hints::default() };
        let hinted = read(&text, &hints).next().unwrap().unwrap();
        assert_eq!((doubts(&hinted).len(), hinted.variant), (0, hints.variant));
    }

    #[test]
    fn a_swap_in_d_pente_is_an_event() {
        let moves = "1. K10 L10 2. K9 L9 3. M8 N7 1-0";
        let swapped = one(&file("D-Pente", "[Player's Swapped? \"Yes\"]\r\n", moves));
        assert_eq!(stones(&swapped), ["j10", "k10", "j9", "k9", "swap", "l8", "m7"]);
        let not = one(&file("D-Pente", "[Player's Swapped? \"No\"]\r\n", moves));
        assert_eq!(stones(&not).len(), 6);
        let word = one(&file("Swap2-Pente", "", "1. K10 L10 2. K9 swap 3. L9 1-0"));
        assert_eq!(stones(&word)[3], "swap");
    }

    #[test]
    fn connect6_turns_are_written_apart_or_together() {
        let apart = one(&file("Connect6", "", "1. K10 J9 2. J11 L10 3. L11 1-0"));
        let joined = one(&file("Connect6", "", "1. K10 J9-J11 2. L10-L11 1-0"));
        assert_eq!(stones(&apart), ["j10", "i9", "i11", "k10", "k11"]);
        assert_eq!(stones(&apart), stones(&joined));
    }

    #[test]
    fn columns_are_guessed_on_other_sites() {
        let of = |site: &str, moves: &str| {
            stones(&one(&format!("[Game \"Pente\"]\n[Site \"{site}\"]\n\n{moves}\n")))
        };
        assert_eq!(of("a board", "1. J10 K11"), ["j10", "k11"]);
        assert_eq!(of("a board", "1. K10 L11"), ["j10", "k11"]);
        assert_eq!(of("Pente.org", "1. J10 K11"), ["i10", "j11"]);
        assert_eq!(of("Pente.org", "1. K10 I11"), ["k10", "i11"]);
        let text = file("Pente", "", "1. K10 L10");
        let hints = Hints { columns: Some(Columns::WithI), ..Hints::default() };
        assert_eq!(stones(&read(&text, &hints).next().unwrap().unwrap()), ["k10", "l10"]);
    }

    #[test]
    fn a_broken_game_does_not_hide_the_others() {
        let text = [
            file("Pente", "", "1. K10 L10 2. U5 L9 1-0"),
            file("Pente", "", "1. K10 L10 2. xyz K9 0-1"),
            file("Pente", "", "1. K10 3. L10 K9"),
            file("Pente", "", ""),
            file("Pente", "", "1. K10 L10 Resign 1-0"),
        ]
        .join("\r\n");
        let games = games(&text);
        assert_eq!(games.len(), 5);
        assert_eq!(
            games[0].as_ref().unwrap_err().to_string(),
            "line 18: move 3: U5 is off the board of 19x19"
        );
        let game = |n: usize| games[n].as_ref().unwrap();
        assert_eq!(
            doubts(game(1)),
            ["line 37: \"xyz\" is no move: move 3 and all after it are left out"]
        );
        assert_eq!(stones(game(1)).len(), 2);
        assert_eq!(doubts(game(2)), ["line 56: the moves of 3. come right after those of 1."]);
        assert!(game(3).events.is_empty());
        assert_eq!((game(4).reason.as_str(), stones(game(4)).len()), ("resign", 2));
        let long = file("Pente", "", &"K10 ".repeat(3000));
        assert!(doubts(&one(&long)).iter().any(|text| text.contains("more moves than a game")));
    }

    #[test]
    fn other_texts_are_not_taken_for_such_games() {
        for text in ["", "h8i9", "[Event \"x\"]\n[Site \"PlayOK\"]\n\n1. h8 i9", "(;GM[4])"] {
            assert!(!looks(text), "{text}");
        }
    }
}
