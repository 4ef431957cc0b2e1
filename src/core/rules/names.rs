//! Names that sites, programs and users have for the games and their openings. Capitals, blanks,
//! hyphens, brackets and accents do not matter: `Soosõrv-8`, `soosyrv 8` and `SOOSORV_8` are one
//! name.

use super::bad_game::BadGame;
use super::game::GameRules;
use super::games::connect6::Connect6;
use super::games::five::{GOMOKU, RuleId};
use super::opening_id::{OpeningId, UNKNOWN_OPENING};
use super::sheet::Alias;
use super::variant::Variant;
use crate::types::{MAX_SIDE, MIN_SIDE};

/// The game, opening and board that a name stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The game and its options.
    pub variant: Variant,
    /// The opening, if the name includes one that Goren supports.
    pub opening: Option<OpeningId>,
    /// Columns and rows, if the name implies a board.
    pub size: Option<(usize, usize)>,
    /// A hint to show: the name has another meaning elsewhere, or a part of it is not supported.
    pub hint: Option<&'static str>,
}

impl Named {
    /// Whether the name includes an opening of the game that Goren does not support.
    pub fn has_unknown_opening(&self) -> bool {
        self.hint == Some(UNKNOWN_OPENING)
    }
}

/// The hint for bit 2 of Gomocup's rule number.
const CONTINUOUS: &str = "a continuous game: it ends with the first win here";

const STANDARD: Variant = Variant::Five(RuleId::Standard);
const RENJU: Option<Variant> = Some(Variant::Five(RuleId::Renju));
const CONNECT6: Option<Variant> = Some(Variant::Connect6(Connect6::PLAIN[0]));

/// Names of the openings as [`folded`] returns them, and the game that an opening stands for if it
/// is named alone: gomoku for `swap-2` and `pro`, because tournaments play it by them.
const OPENINGS: [(&[&str], OpeningId, Option<Variant>); 20] = [
    (&["free"], OpeningId::Free, None),
    (&["centre", "center"], OpeningId::Centre, None),
    (&["pro"], OpeningId::Pro, Some(STANDARD)),
    (&["longpro"], OpeningId::LongPro, Some(STANDARD)),
    (&["swap1st", "swap1", "swapafter1stmove", "swapafterfirstmove"], OpeningId::Swap1st, None),
    (&["swap", "originalswap", "classicswap"], OpeningId::Swap, None),
    (&["swap2"], OpeningId::Swap2, Some(STANDARD)),
    (&["swap5"], OpeningId::Swap5, None),
    (&["swap3rd"], OpeningId::Swap3rd, CONNECT6),
    (&["swap1989", "rif1989"], OpeningId::Swap1989, RENJU),
    (&["rif", "rif1996", "classicrif", "rifclassic"], OpeningId::Rif, RENJU),
    (&["yamaguchi", "山口", "야마구치", "야마구치룰"], OpeningId::Yamaguchi, RENJU),
    // `soosrv8` remains of the name if the letter with the tilde is lost.
    (&["soosorv8", "soosyrv8", "soosrv8", "索索夫8"], OpeningId::Soosorv8, RENJU),
    (&["tarannikov", "塔拉尼科夫"], OpeningId::Tarannikov, RENJU),
    (&["taraguchi10", "塔拉山口10", "塔十"], OpeningId::Taraguchi10, RENJU),
    (&["superrif"], OpeningId::SuperRif, RENJU),
    (&["superyamaguchi"], OpeningId::SuperYamaguchi, RENJU),
    (&["supersoosorv8", "supersoosyrv8", "supersoosrv8"], OpeningId::SuperSoosorv8, RENJU),
    (&["supertarannikov"], OpeningId::SuperTarannikov, RENJU),
    (&["supertaraguchi10"], OpeningId::SuperTaraguchi10, RENJU),
];

/// Words before Gomocup's number of a rule.
const NUMBER_PREFIXES: [&str; 3] = ["gomocuprule", "gomocup", "rule"];

/// Words around a name that change nothing.
const PREFIXES: [&str; 3] = ["speed", "turnbased", "tb"];
const SUFFIXES: [&str; 8] =
    ["openingrules", "openingrule", "rules", "rule", "opening", "variant", "规则", "規則"];

/// A name in lower-case letters and digits, without accents and other characters.
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

/// The opening of a folded name, and the game that it stands for if it is named alone.
fn opening(folded: &str) -> Option<(OpeningId, Option<Variant>)> {
    OPENINGS.iter().find(|(names, ..)| names.contains(&folded)).map(|&(_, id, game)| (id, game))
}

/// The game that a text names: by Goren's name with options, by a name that sites and programs
/// use, by an opening that belongs to one game, or by Gomocup's number. The size of a board may
/// follow.
pub fn named(text: &str) -> Option<Named> {
    let sized = || {
        let (name, size) = split_size(text)?;
        Some(Named { size: Some(size), ..named_alone(name)? })
    };
    named_alone(text).or_else(sized)
}

/// A name and the size of a board after it, as in `gomoku (19x19)`.
fn split_size(text: &str) -> Option<(&str, (usize, usize))> {
    let text = text.trim_end_matches([' ', ')', ']']);
    let (name, size) = text.rsplit_once([' ', '(', '[', ','])?;
    let (width, height) = size.split_once(['x', 'X', '×', '*'])?;
    let side = |text: &str| {
        let side = text.parse().ok().filter(|side| (MIN_SIDE..=MAX_SIDE).contains(side));
        side.filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
    };
    Some((name, (side(width)?, side(height)?)))
}

/// The game that a text names without the size of a board.
fn named_alone(text: &str) -> Option<Named> {
    let plain = |variant| Named { variant, opening: None, size: None, hint: None };
    if text.contains('+')
        && let Ok(variant) = Variant::with_options(text)
    {
        return Some(plain(variant));
    }
    let name = folded(text);
    let numbered = || NUMBER_PREFIXES.iter().find_map(|word| number(name.strip_prefix(word)?));
    if let Some(found) = number(text.trim()).or_else(numbered).or_else(|| bare(&name)) {
        return Some(found);
    }
    let suffixed = PREFIXES.iter().find_map(|word| name.strip_prefix(word)).unwrap_or(&name);
    let rest = SUFFIXES.iter().find_map(|word| suffixed.strip_suffix(word)).unwrap_or(suffixed);
    bare(rest).or_else(|| bare(suffixed))
}

/// The game of a folded name without words around it.
fn bare(name: &str) -> Option<Named> {
    game(name).or_else(|| of_opening(name)).or_else(|| game_and_opening(name))
}

/// A game by its name alone.
fn game(name: &str) -> Option<Named> {
    Variant::games().find_map(|game| {
        let mut aliases = game.sheet().aliases.iter();
        let &Alias { options, size, hint, .. } = aliases.find(|a| a.names.contains(&name))?;
        let variant = options.iter().try_fold(game, |game, option| game.with(option))?;
        Some(Named { variant, opening: None, size, hint })
    })
}

/// The game that an opening stands for if it is named alone.
fn of_opening(name: &str) -> Option<Named> {
    if let Some((id, game)) = opening(name) {
        let variant = game?;
        let hint = (variant == STANDARD).then_some(GOMOKU);
        return Some(Named { variant, opening: Some(id), size: None, hint });
    }
    let variant = Variant::games().find(|&game| is_unknown_opening(game, name))?;
    Some(Named { variant, opening: None, size: None, hint: Some(UNKNOWN_OPENING) })
}

/// Whether a folded name is an opening of the game that Goren does not support.
fn is_unknown_opening(game: Variant, name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    opening(name).is_none() && game.sheet().unknown_openings.contains(&stem)
}

/// A rule by Gomocup's number.
fn number(text: &str) -> Option<Named> {
    let number: i64 = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()))?;
    // Bit 2 only means that games go on after a win.
    let rule = RuleId::from_gomocup(number & !2)?;
    let hint = (number & 2 != 0).then_some(CONTINUOUS);
    Some(Named { variant: Variant::Five(rule), opening: None, size: None, hint })
}

/// A game and an opening of it, in either order.
fn game_and_opening(name: &str) -> Option<Named> {
    let split = |at: usize| {
        let (first, second) = name.split_at(at);
        [(first, second), (second, first)].into_iter().find_map(|(game_name, other)| {
            let game = game(game_name)?;
            if is_unknown_opening(game.variant, other) {
                return Some(Named { hint: Some(UNKNOWN_OPENING), ..game });
            }
            if game.has_unknown_opening() {
                return None;
            }
            let (opening, _) = opening(other)?;
            let fits = game.variant.sheet().openings.contains(&opening);
            fits.then_some(Named { opening: Some(opening), ..game })
        })
    };
    name.char_indices().skip(1).find_map(|(at, _)| split(at))
}

impl Variant {
    /// The variant of a text such as `pente+keryo+boat`: a name of the game and its
    /// options.
    ///
    /// # Errors
    /// As [`Variant::from_name`].
    fn with_options(text: &str) -> Result<Variant, BadGame> {
        let mut parts = text.split('+');
        let name = parts.next().unwrap_or_default();
        let own = Variant::games().find(|game| game.sheet().name.eq_ignore_ascii_case(name));
        let is_played = |named: &Named| !named.has_unknown_opening();
        let other = || game(&folded(name)).filter(is_played).map(|named| named.variant);
        let game = own.or_else(other);
        let mut variant = game.ok_or_else(|| BadGame::Game(text.to_owned()))?;
        let sheet = variant.sheet();
        for part in parts {
            let option = part.to_ascii_lowercase();
            let known = sheet.options.iter().find(|o| o.name == option || o.alias == option);
            let unknown = || BadGame::Option { game: sheet.name, option: part.to_owned() };
            let known = known.ok_or_else(unknown)?;
            let clash = || BadGame::Clash { game: sheet.name, option: part.to_owned() };
            variant = variant.with(known.name).ok_or_else(clash)?;
        }
        Ok(variant)
    }

    /// The variant of a text such as `pente+keryo+boat`, or of another name of the game that
    /// does not include an opening ([`named`]).
    ///
    /// # Errors
    /// There is no such game or option, options exclude each other, or the name includes an
    /// opening that Goren does not support.
    pub fn from_name(text: &str) -> Result<Variant, BadGame> {
        let other = |error| match named_alone(text) {
            Some(named) if named.has_unknown_opening() => {
                Err(BadGame::UnknownOpening { name: text.to_owned(), game: named.variant })
            }
            Some(Named { variant, opening: None, .. }) => Ok(variant),
            _ => Err(error),
        };
        Variant::with_options(text).or_else(other)
    }
}

impl OpeningId {
    /// The opening with this name, in any spelling.
    pub fn from_name(name: &str) -> Option<OpeningId> {
        opening(&folded(name)).map(|(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> String {
        let Some(Named { variant, opening, size, hint }) = named(name) else { return "-".into() };
        let opening = opening.map_or(String::new(), |opening| format!(" {opening}"));
        let size = size.map_or(String::new(), |(width, height)| format!(" {width}x{height}"));
        let hint = hint.map_or("", |hint| if hint == UNKNOWN_OPENING { " ?" } else { " !" });
        format!("{variant}{opening}{size}{hint}")
    }

    /// Checks the meaning of names: the game, its opening and board, `!` for a hint, `?` for an
    /// opening that Goren does not support.
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
            (&["Piškvorky", "piskvorky", "Luffarschack"], "freestyle !"),
            (&["2", "Gomocup rule 2"], "freestyle !"),
            (&["Gomoku (15x15)", "gomoku 15x15"], "gomoku 15x15 !"),
            (&["gomoku, 19×19"], "gomoku 19x19 !"),
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
            (&["rule 4", "Gomocup 4", "International Renju"], "renju"),
            (&["Renju 20x15"], "renju 20x15"),
            (&["Renju (RIF, 2009)", "RIF 2009"], "renju ?"),
            (&["連珠", "连珠规则", "Рэндзю", "ＲＥＮＪＵ"], "renju"),
            (&["RIF", "RIF rules", "rif opening rule", "Renju (RIF)", "RIF 1996"], "renju rif"),
            (&["Yamaguchi", "Yamaguchi rule", "renju-yamaguchi", "山口规则"], "renju yamaguchi"),
            (&["Soosyrv-8", "Soosõrv-8", "soosorv 8"], "renju soosorv-8"),
            (&["SOOSÖRV_8", "Soosyrv8 opening"], "renju soosorv-8"),
            (&["Taraguchi-10", "taraguchi10"], "renju taraguchi-10"),
            (&["Renju Taraguchi-10", "塔拉山口-10"], "renju taraguchi-10"),
            (&["Taraguchi", "Soosyrv-7", "Soosõrv"], "renju ?"),
            (&["Tarannikov", "Tarannikov rule", "renju tarannikov"], "renju tarannikov"),
            (&["Super Soosõrv-8", "super-soosyrv 8"], "renju super-soosorv-8"),
            (&["Super-Taraguchi-10", "renju super taraguchi-10"], "renju super-taraguchi-10"),
            (&["Super RIF"], "renju super-rif"),
            (&["Swap 1989", "RIF 1989"], "renju swap-1989"),
            (&["renju swap", "Renju (original swap)"], "renju swap"),
            (&["Renju 1903", "renju+1903"], "renju+1903"),
            (&["Renju (1918)", "early renju"], "renju+early"),
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
            (&["D-Pente swap2"], "-"),
            (&["Ninuki-Renju", "ninuki"], "pente+overline-ignored+double-three 15x15"),
            (&["pente+no-overline", "Pente+Overline-Forbidden"], "pente+overline-forbidden"),
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

    /// The game used to be played with its usual opening instead, without a warning.
    #[test]
    fn unsupported_openings_do_not_name_a_game() {
        for (names, game) in [
            (&["Sakata", "Soosyrv-7", "Yamaguchi-5", "renju sakata", "RIF 2009"][..], "renju"),
            (&["D-Pente", "G-Pente", "TB D-Pente"], "pente"),
            (&["DK-Pente"], "pente+keryo"),
        ] {
            for name in names {
                let message = format!(
                    "{name:?} names an opening that is not played here; the game alone is {game}"
                );
                assert_eq!(Variant::from_name(name).unwrap_err().to_string(), message);
                assert!(named(name).unwrap().has_unknown_opening());
            }
        }
        assert!(Variant::from_name("D-Pente+boat").is_err() && named("D-Pente+boat").is_none());
    }

    #[test]
    fn other_games_are_unknown() {
        for name in [
            "",
            "-",
            "chess",
            "Go",
            "Go (9x9)",
            "omok",
            "오목",
            "3x3",
            "gomoku 3x3",
            "19x19",
            "rule",
            "rule 5",
            "5",
            "16",
            "17",
            "33",
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
    fn the_table_is_folded_and_has_no_duplicates() {
        let aliases = Variant::games().flat_map(|game| game.sheet().aliases);
        let games = aliases.flat_map(|alias| alias.names.iter());
        let openings = OPENINGS.iter().flat_map(|(names, ..)| names.iter());
        let mut games: Vec<&str> = games.copied().collect();
        assert!(games.iter().chain(openings).all(|name| folded(name) == *name));
        games.sort_unstable();
        assert!(games.windows(2).all(|pair| pair[0] != pair[1]));
        for variant in Variant::all() {
            let found = named(&variant.to_string()).unwrap();
            assert_eq!(found.variant, variant);
        }
        for id in OpeningId::ALL {
            assert_eq!(OpeningId::from_name(id.name()), Some(id));
        }
    }
}
