//! What sites, programs and people call the games of the family and their
//! openings. Capitals, blanks, hyphens, brackets and accents do not matter:
//! `Soosõrv-8`, `soosyrv 8` and `SOOSORV_8` are one name.

use super::opening_id::OpeningId;
use super::options::{Connect6, FourInARow, Pairs, Pente, Placement};
use super::registry::BadGame;
use super::variant::Variant;
use crate::rules::id::RuleId;

/// What a name stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The game and its options.
    pub variant: Variant,
    /// The opening, if the name says one that is known here.
    pub opening: Option<OpeningId>,
    /// Columns and rows, where the name stands for a board too.
    pub size: Option<(usize, usize)>,
    /// What should be told about it: a name that others use otherwise, or a
    /// part that is not known here.
    pub hint: Option<&'static str>,
}

/// Names of a game, the variant, and what should be told about it.
type Row = (&'static [&'static str], Variant, Option<&'static str>);

const FREESTYLE: Variant = Variant::Five(RuleId::Freestyle);
const STANDARD: Variant = Variant::Five(RuleId::Standard);
const RENJU: Variant = Variant::Five(RuleId::Renju);
const CONNECT6: Variant = Variant::Connect6(Connect6 { torus: false, pairs: Pairs::Any });
const PENTE: Pente = Pente { keryo: false, poof: false, boat: false };

/// Some mean five or more by it.
const GOMOKU: &str =
    "gomoku is taken as exactly five in a row; --game freestyle if longer rows win";
/// Some mean exactly five by it.
const GENERAL: &str =
    "this name is taken as freestyle, five or more in a row; --game gomoku for exactly five";
/// Openings that are known by name only.
const LACKING: &str = "this opening is not known here: the stones are played as they come";
/// Gomocup's bit 2.
const CONTINUOUS: &str = "a continuous game: it ends with the first win here";

/// Names of the games, written as [`folded`] leaves them.
const GAMES: [Row; 19] = [
    (
        &[
            "freestyle",
            "free",
            "freegomoku",
            "freestylegomoku",
            "gomokufreestyle",
            "gomokufree",
            "fiveormore",
            "norestrictions",
            "fastgame",
            "无禁",
            "无禁手",
            "自由规则",
            "無禁",
            "無禁手",
            "자유룰",
        ],
        FREESTYLE,
        None,
    ),
    (
        &[
            "fiveinarow",
            "5inarow",
            "fiveinaline",
            "5inaline",
            "gobang",
            "五子棋",
            "五目並べ",
            "五目ならべ",
        ],
        FREESTYLE,
        Some(GENERAL),
    ),
    (
        &[
            "standard",
            "standardgomoku",
            "gomokustandard",
            "exactfive",
            "exactlyfive",
            "exact5",
            "exactly5",
            "gomokuexactfive",
        ],
        STANDARD,
        None,
    ),
    (&["gomoku", "gomokunarabe", "гомоку"], STANDARD, Some(GOMOKU)),
    (
        &[
            "renju",
            "freerenju",
            "renjufree",
            "standardrenju",
            "renjustandard",
            "renjunoopening",
            "连珠",
            "連珠",
            "有禁",
            "有禁手",
            "렌주",
            "렌주룰",
            "рэндзю",
            "рендзю",
        ],
        RENJU,
        None,
    ),
    (
        &["caro", "gomokucaro", "carogomoku", "cocaro", "vietnamesecaro", "caroviet"],
        Variant::Five(RuleId::Caro),
        None,
    ),
    (
        &["caroexact", "carostandard", "caroexactfive", "exactcaro", "caroexact5"],
        Variant::Five(RuleId::CaroExact),
        None,
    ),
    (&["pente"], Variant::Pente(PENTE), None),
    (&["keryo", "keryopente"], Variant::Pente(Pente { keryo: true, ..PENTE }), None),
    (&["poof", "poofpente"], Variant::Pente(Pente { poof: true, ..PENTE }), None),
    (&["boat", "boatpente"], Variant::Pente(Pente { boat: true, ..PENTE }), None),
    (&["opente"], Variant::Pente(Pente { keryo: true, poof: true, boat: true }), None),
    (&["connect6", "connectsix", "c6", "六子棋"], CONNECT6, None),
    (
        &["collinearconnect6", "connect6collinear", "collinear6"],
        Variant::Connect6(Connect6 { torus: false, pairs: Pairs::Collinear }),
        None,
    ),
    (
        &["noncollinearconnect5", "noncollinearconnect6", "noncollinear5"],
        Variant::Connect6(Connect6 { torus: false, pairs: Pairs::Apart }),
        None,
    ),
    (
        &["toroidalconnect6", "connect6toroidal", "connect6torus"],
        Variant::Connect6(Connect6 { torus: true, pairs: Pairs::Any }),
        None,
    ),
    (&["fourinarow", "4inarow"], FALLING, None),
    (&["connect4", "connectfour", "四子棋", "viergewinnt", "puissance4"], FALLING, None),
    (&["irensei"], Variant::Irensei, None),
];

const FALLING: Variant =
    Variant::FourInARow(FourInARow { placement: Placement::Gravity, clear: false });

/// The board of Connect Four, which our sheet does not have first.
const CONNECT_FOUR: (&str, (usize, usize)) = ("connect4", (7, 6));

/// Names of openings. Those of renju stand for renju, and `swap-2` and `pro` for
/// gomoku, where tournaments are played by them.
const OPENINGS: [(&[&str], OpeningId); 12] = [
    (&["free"], OpeningId::Free),
    (&["centre", "center"], OpeningId::Centre),
    (&["pro"], OpeningId::Pro),
    (&["longpro"], OpeningId::LongPro),
    (&["swap1st", "swap1", "swapafter1stmove", "swapafterfirstmove"], OpeningId::Swap1st),
    (&["swap2"], OpeningId::Swap2),
    (&["swap5"], OpeningId::Swap5),
    (&["swap3rd"], OpeningId::Swap3rd),
    (&["rif", "rif1996", "classicrif", "rifclassic"], OpeningId::Rif),
    (&["yamaguchi", "山口", "야마구치", "야마구치룰"], OpeningId::Yamaguchi),
    // `soosrv8` is what remains of it where the letter with the tilde was lost.
    (&["soosorv8", "soosyrv8", "soosrv8", "索索夫8"], OpeningId::Soosorv8),
    (&["taraguchi10", "塔拉山口10", "塔十"], OpeningId::Taraguchi10),
];

/// Openings of renju that RenjuNet knows and we do not; a number may follow.
const OTHER_RENJU: [&str; 10] = [
    "sakata",
    "tarannikov",
    "taraguchi",
    "taraguchin",
    "soosorv",
    "soosyrv",
    "soosorvn",
    "soosyrvn",
    "yamasyrv",
    "yamaguchi",
];

/// Ways to open Pente that pente.org has and we do not.
const OTHER_PENTE: [(&str, &str); 4] =
    [("gpente", "pente"), ("dpente", "pente"), ("dkpente", "keryo"), ("dkeryopente", "keryo")];

/// Words around a name that change nothing.
const BEFORE: [&str; 3] = ["speed", "turnbased", "tb"];
const BEHIND: [&str; 8] =
    ["openingrules", "openingrule", "rules", "rule", "opening", "variant", "规则", "規則"];

/// A name in small letters and digits, without accents and anything else.
fn folded(name: &str) -> String {
    let plain = |c: char| -> Option<char> {
        // Full-width letters and digits of East Asia.
        let c = match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0)?,
            c => c,
        };
        Some(match c.to_lowercase().next()? {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' => 'a',
            'ç' | 'č' | 'ć' => 'c',
            'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ě' => 'e',
            'ì' | 'í' | 'î' | 'ï' | 'ī' => 'i',
            'ñ' | 'ň' => 'n',
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' | 'ơ' | 'ờ' => 'o',
            'ř' => 'r',
            'š' | 'ś' => 's',
            'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' => 'u',
            'ý' | 'ÿ' => 'y',
            'ž' | 'ź' | 'ż' => 'z',
            c if c.is_alphanumeric() => c,
            _ => return None,
        })
    };
    name.chars().filter_map(plain).collect()
}

/// The opening of a folded name.
fn opening(folded: &str) -> Option<OpeningId> {
    OPENINGS.iter().find(|(names, _)| names.contains(&folded)).map(|&(_, id)| id)
}

/// The game that a text names: its own name here with options, one that sites
/// and programs use, an opening that belongs to one game, or Gomocup's number.
pub fn named(text: &str) -> Option<Named> {
    let plain = |variant| Named { variant, opening: None, size: None, hint: None };
    if text.contains('+')
        && let Ok(variant) = Variant::registered(text)
    {
        return Some(plain(variant));
    }
    let name = folded(text);
    if let Some(found) = number(text.trim()).or_else(|| whole(&name)) {
        return Some(found);
    }
    let before = BEFORE.iter().find_map(|word| name.strip_prefix(word)).unwrap_or(&name);
    let rest = BEHIND.iter().find_map(|word| before.strip_suffix(word)).unwrap_or(before);
    whole(rest).or_else(|| whole(before))
}

/// The game of a folded name without words around it.
fn whole(name: &str) -> Option<Named> {
    game(name).or_else(|| of_opening(name)).or_else(|| both(name))
}

/// A game by its name alone.
fn game(name: &str) -> Option<Named> {
    let (_, variant, hint) = GAMES.iter().find(|(names, ..)| names.contains(&name))?;
    let connect_four = GAMES
        .iter()
        .find(|(names, ..)| names.contains(&CONNECT_FOUR.0))
        .is_some_and(|(names, ..)| names.contains(&name));
    let size = connect_four.then_some(CONNECT_FOUR.1);
    Some(Named { variant: *variant, opening: None, size, hint: *hint })
}

/// The game that an opening stands for where it is named alone.
fn of_opening(name: &str) -> Option<Named> {
    if let Some(opening) = opening(name) {
        let variant = match opening {
            OpeningId::Rif
            | OpeningId::Yamaguchi
            | OpeningId::Soosorv8
            | OpeningId::Taraguchi10 => RENJU,
            OpeningId::Swap2 | OpeningId::Pro | OpeningId::LongPro => STANDARD,
            OpeningId::Swap3rd => CONNECT6,
            OpeningId::Free | OpeningId::Centre | OpeningId::Swap1st | OpeningId::Swap5 => {
                return None;
            }
        };
        let hint = (variant == STANDARD).then_some(GOMOKU);
        return Some(Named { variant, opening: Some(opening), size: None, hint });
    }
    if let Some(&(_, game_name)) = OTHER_PENTE.iter().find(|(other, _)| *other == name) {
        return Some(Named { hint: Some(LACKING), ..game(game_name)? });
    }
    let renju = Named { variant: RENJU, opening: None, size: None, hint: Some(LACKING) };
    is_other_renju(name).then_some(renju)
}

/// Whether a folded name is an opening of renju that we do not have.
fn is_other_renju(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    OTHER_RENJU.contains(&stem)
}

/// A rule by Gomocup's number.
fn number(text: &str) -> Option<Named> {
    let number: i64 = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()))?;
    // Bit 2 only says that games go on after a win.
    let rule = RuleId::from_gomocup(number & !2)?;
    let hint = (number & 2 != 0).then_some(CONTINUOUS);
    Some(Named { variant: Variant::Five(rule), opening: None, size: None, hint })
}

/// A game and an opening of it, in either order.
fn both(name: &str) -> Option<Named> {
    let split = |at: usize| {
        let (first, second) = name.split_at(at);
        [(first, second), (second, first)].into_iter().find_map(|(game_name, other)| {
            let game = game(game_name)?;
            if game.variant == RENJU && is_other_renju(other) && opening(other).is_none() {
                return Some(Named { hint: Some(LACKING), ..game });
            }
            let opening = opening(other)?;
            let fits = game.variant.sheet().openings.contains(&opening);
            fits.then_some(Named { opening: Some(opening), ..game })
        })
    };
    name.char_indices().skip(1).find_map(|(at, _)| split(at))
}

impl Variant {
    /// The variant of a text such as `pente+keryo+boat`, or of another name of
    /// the game that says nothing of the opening ([`named`]).
    ///
    /// # Errors
    /// There is no such game or option, or options exclude each other.
    pub fn from_name(text: &str) -> Result<Variant, BadGame> {
        let other = |error| match named(text) {
            Some(Named { variant, opening: None, .. }) => Ok(variant),
            _ => Err(error),
        };
        Variant::registered(text).or_else(other)
    }
}

impl OpeningId {
    /// The opening of a name, in any of its spellings.
    pub fn from_name(name: &str) -> Option<OpeningId> {
        opening(&folded(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> String {
        let Some(Named { variant, opening, size, hint }) = named(name) else { return "-".into() };
        let opening = opening.map_or(String::new(), |opening| format!(" {opening}"));
        let size = size.map_or(String::new(), |(width, height)| format!(" {width}x{height}"));
        let hint = hint.map_or("", |hint| if hint == LACKING { " ?" } else { " !" });
        format!("{variant}{opening}{size}{hint}")
    }

    /// Sees what names are known as: the game, its opening and board, `!` for a
    /// hint, `?` for an opening that is not played here.
    fn known(names: &[(&[&str], &str)]) {
        for (names, expected) in names {
            for name in *names {
                assert_eq!(text(name), *expected, "{name}");
            }
        }
    }

    #[test]
    fn names_of_gomoku_and_caro_are_known() {
        let freestyle =
            ["freestyle", "Free-style", "Free Style", "free gomoku", "Gomoku (freestyle)"];
        known(&[
            (&freestyle, "freestyle"),
            (&["0", "无禁手"], "freestyle"),
            (&["5-in-a-row", "Five in a Row", "gobang", "五子棋"], "freestyle !"),
            (&["2"], "freestyle !"),
            (&["standard", "Standard Gomoku", "exact five", "Exactly 5", "1"], "gomoku"),
            (&["Gomoku", "GOMOKU rules", "Гомоку", "Speed Gomoku"], "gomoku !"),
            (&["Swap2", "SWAP-2", "swap_2 rule"], "gomoku swap-2 !"),
            (&["Gomoku-Pro", "gomoku, pro", "Pro Gomoku"], "gomoku pro !"),
            (&["gomoku swap-2", "Swap2 Gomoku"], "gomoku swap-2 !"),
            (&["freestyle (swap2)"], "freestyle swap-2"),
            (&["long pro"], "gomoku long-pro !"),
            (&["caro", "Cờ Caro", "Gomoku Caro", "8"], "caro"),
            (&["9", "caro exact", "caro-exact"], "caro-exact"),
        ]);
    }

    #[test]
    fn names_of_renju_are_known() {
        known(&[
            (&["Renju", "Free Renju", "renju free", "4"], "renju"),
            (&["連珠", "连珠规则", "Рэндзю", "ＲＥＮＪＵ"], "renju"),
            (&["RIF", "RIF rules", "rif opening rule", "Renju (RIF)", "RIF 1996"], "renju rif"),
            (&["Yamaguchi", "Yamaguchi rule", "renju-yamaguchi", "山口规则"], "renju yamaguchi"),
            (&["Soosyrv-8", "Soosõrv-8", "soosorv 8"], "renju soosorv-8"),
            (&["SOOSÖRV_8", "Soosyrv8 opening"], "renju soosorv-8"),
            (&["Taraguchi-10", "taraguchi10"], "renju taraguchi-10"),
            (&["Renju Taraguchi-10", "塔拉山口-10"], "renju taraguchi-10"),
            (&["Taraguchi", "Soosyrv-7", "Soosõrv", "Tarannikov"], "renju ?"),
            (&["Sakata", "Yamaguchi-5", "renju sakata"], "renju ?"),
        ]);
    }

    #[test]
    fn names_of_the_other_games_are_known() {
        known(&[
            (&["Pente", "turn-based Pente", "Speed Pente"], "pente"),
            (&["Keryo-Pente", "keryo"], "pente+keryo"),
            (&["Swap2-Pente"], "pente swap-2"),
            (&["Swap2-Keryo", "Speed Swap2-Keryo"], "pente+keryo swap-2"),
            (&["D-Pente", "G-Pente", "TB D-Pente"], "pente ?"),
            (&["DK-Pente"], "pente+keryo ?"),
            (&["Poof-Pente"], "pente+poof"),
            (&["Boat-Pente"], "pente+boat"),
            (&["O-Pente", "Speed O-Pente"], "pente+keryo+poof+boat"),
            (&["pente+keryo+boat", "Pente+Capture-2-3+boat"], "pente+keryo+boat"),
            (&["Connect6", "Connect 6", "connect-six", "六子棋"], "connect6"),
            (&["connect6 swap-3rd", "swap-3rd"], "connect6 swap-3rd"),
            (&["Collinear Connect6"], "connect6+collinear"),
            (&["Non-collinear Connect5"], "connect6+noncollinear"),
            (&["Toroidal Connect6"], "connect6+torus"),
            (&["Four In A Row", "four-in-a-row"], "four-in-a-row"),
            (&["Connect Four", "connect4"], "four-in-a-row 7x6"),
            (&["Irensei"], "irensei"),
        ]);
    }

    #[test]
    fn what_is_another_game_is_not_known() {
        for name in [
            "",
            "-",
            "chess",
            "Go",
            "Go (9x9)",
            "omok",
            "오목",
            "Ninuki-Renju",
            "3x3",
            "5",
            "16",
            "99999999999999999999",
            "-1",
            "swap",
            "swap-5",
            "renju swap-3rd",
            "pente rif",
            "Japanese",
            "Chinese",
            "five",
            "renjurenju",
        ] {
            assert_eq!(text(name), "-", "{name}");
        }
        // 3 is exact five in a continuous game.
        assert_eq!(text("3"), "gomoku !");
    }

    #[test]
    fn the_table_is_folded_and_no_name_stands_twice() {
        let games = GAMES.iter().flat_map(|(names, ..)| names.iter());
        let openings = OPENINGS.iter().flat_map(|(names, _)| names.iter());
        let mut games: Vec<&str> = games.copied().collect();
        assert!(games.iter().chain(openings).all(|name| folded(name) == *name));
        games.sort_unstable();
        assert!(games.windows(2).all(|pair| pair[0] != pair[1]));
        for variant in Variant::all() {
            let found = named(&variant.to_string()).unwrap();
            assert_eq!(found.variant, variant);
        }
        for id in OpeningId::ALL {
            assert_eq!(opening(&folded(id.name())), Some(id));
        }
    }
}
