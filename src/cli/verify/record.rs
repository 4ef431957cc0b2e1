//! The records of the vector files in JSON. Fields that are not checked are not
//! read.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::judge;
use goren_core::rules::{Contest, OpeningId, RuleId, Setup, Variant};
use goren_core::types::{Cell, Color};

/// Columns and rows.
#[derive(Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct WidthHeight {
    pub(super) w: usize,
    pub(super) h: usize,
}

/// A colour by its letter.
#[derive(Deserialize, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ColorLetter {
    B,
    W,
}

impl From<ColorLetter> for Color {
    fn from(side: ColorLetter) -> Color {
        match side {
            ColorLetter::B => Color::Black,
            ColorLetter::W => Color::White,
        }
    }
}

impl From<Color> for ColorLetter {
    fn from(color: Color) -> ColorLetter {
        match color {
            Color::Black => ColorLetter::B,
            Color::White => ColorLetter::W,
        }
    }
}

/// The effect of one placement.
#[derive(Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum PlacementEffect {
    Win,
    None,
    Foul,
}

/// `gomocup/lines`: one placement.
#[derive(Deserialize)]
pub(super) struct LineRecord {
    pub(super) id: String,
    rule: i64,
    board: WidthHeight,
    pub(super) black: Vec<String>,
    pub(super) white: Vec<String>,
    pub(super) colour: ColorLetter,
    #[serde(rename = "move")]
    pub(super) point: String,
    pub(super) result: PlacementEffect,
}

impl LineRecord {
    pub(super) fn setup(&self) -> Result<Setup> {
        setup(self.rule, &self.board)
    }
}

/// The setup of a rule by its number.
fn setup(rule: i64, board: &WidthHeight) -> Result<Setup> {
    let id = RuleId::from_number(rule);
    let id = id.with_context(|| format!("unknown rule number {rule}"))?;
    Ok(Setup::new(id, board.w, board.h)?)
}

/// Forbidden points by kind.
#[derive(Deserialize)]
pub(super) struct ForbiddenKinds {
    pub(super) ol: Vec<String>,
    pub(super) f44: Vec<String>,
    pub(super) t33: Vec<String>,
}

/// `renju/positions`: all forbidden points of a position.
#[derive(Deserialize)]
pub(super) struct PositionRecord {
    pub(super) id: String,
    /// Renju if absent.
    rule: Option<i64>,
    board: WidthHeight,
    pub(super) stones: usize,
    pub(super) fen: String,
    pub(super) black: Vec<String>,
    pub(super) white: Vec<String>,
    pub(super) forbid: ForbiddenKinds,
    pub(super) five: Vec<String>,
    /// Points that seem forbidden if straight fours are not examined.
    pub(super) naive_only: Vec<String>,
}

impl PositionRecord {
    pub(super) fn setup(&self) -> Result<Setup> {
        setup(self.rule.unwrap_or(RuleId::Renju.gomocup()), &self.board)
    }
}

/// The meaning of the word "pass" before a ply.
#[derive(Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum PassMeaning {
    Swap,
    Pass,
    No,
}

/// The situation before a ply, or at the end. Lists are given only where they are
/// short or informative.
#[derive(Deserialize)]
pub(super) struct Situation {
    pub(super) p: usize,
    pub(super) seat: usize,
    pub(super) col: ColorLetter,
    pub(super) h: String,
    pub(super) b: Option<String>,
    pub(super) pass: Option<PassMeaning>,
    /// Legal plies.
    pub(super) n: Option<usize>,
    /// Texts of the legal plies, without swap and pass.
    pub(super) legal: Option<Vec<String>>,
    /// Empty points where no stone may be placed.
    pub(super) no: Option<Vec<String>>,
    /// Legal pairs (Connect6).
    pub(super) pairs: Option<usize>,
    /// Stones captured by Black and by White.
    pub(super) cap: Option<[usize; 2]>,
    /// Fifths on offer.
    pub(super) tent: Option<Vec<String>>,
    /// Fifths declared.
    pub(super) tc: Option<usize>,
    /// The seat that wins a tie.
    pub(super) tb: Option<usize>,
    pub(super) forbid: Option<ForbiddenKinds>,
}

/// How a game ended.
#[derive(Deserialize)]
pub(super) struct GameResult {
    pub(super) gameover: bool,
    pub(super) winner: Vec<usize>,
    pub(super) colours: Vec<ColorLetter>,
    pub(super) reason: String,
    pub(super) lines: Vec<Vec<String>>,
}

/// The correct result of a game where the library behind the vectors departs from
/// the rules.
#[derive(Deserialize)]
pub(super) struct Departure {
    first_difference: Difference,
    pub(super) plies_played: usize,
    pub(super) gameover: bool,
    pub(super) winner: Vec<usize>,
    pub(super) reason: Option<String>,
    pub(super) cap: Option<[usize; 2]>,
    /// The text of the ply that is refused where the game stops.
    pub(super) refuses: Option<String>,
}

#[derive(Deserialize)]
struct Difference {
    ply: usize,
}

impl Departure {
    /// The first ply whose state departs from the rules.
    pub(super) fn first_ply(&self) -> usize {
        self.first_difference.ply
    }
}

/// The common start of the records that are played from moves.
#[derive(Deserialize)]
pub(super) struct Start {
    game: String,
    variants: Vec<String>,
    board: WidthHeight,
    /// Whether the named openings of renju may be turned and mirrored.
    #[serde(default)]
    any_orientation: bool,
}

impl Start {
    /// Reads the game, its board and its opening.
    pub(super) fn read(&self) -> Result<Contest> {
        let game = match self.game.as_str() {
            "fourinarow" => "four-in-a-row",
            other => other,
        };
        let (mut name, mut opening) = (game.to_owned(), None);
        let (mut side, mut tie_break) = (None, false);
        for variant in &self.variants {
            if let Some(size) = variant.strip_prefix("standard-") {
                side = Some(size.parse().with_context(|| format!("size {variant}"))?);
            } else if variant == "pass" {
                tie_break = true;
            } else if let Some(id) = OpeningId::from_name(variant) {
                opening = Some(id);
            } else {
                name += &format!("+{variant}");
            }
        }
        let variant = Variant::from_name(&name)?;
        // In the vectors the default board of Pente is the small one.
        let usual = match game {
            "pente" => 15,
            _ => Contest::new(variant).width,
        };
        let side = side.unwrap_or(usual);
        ensure!(
            self.board == WidthHeight { w: side, h: side },
            "board and variants differ in size"
        );
        // Opened on the usual board first, as the usual opening may need a larger board than
        // this one.
        let contest = Contest::new(variant);
        let contest = contest.opened(opening.unwrap_or(contest.opening))?.on(side, side)?;
        Ok(Contest { tie_break, strict: !self.any_orientation, ..contest })
    }
}

/// `games`: a whole game.
#[derive(Deserialize)]
pub(super) struct GameVector {
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) start: Start,
    pub(super) moves: Vec<String>,
    pub(super) states: Vec<Situation>,
    pub(super) result: GameResult,
    pub(super) rule: Option<Departure>,
}

/// `cases`: one ply after a prefix, legal or not.
#[derive(Deserialize)]
pub(super) struct Case {
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) start: Start,
    pub(super) moves: Vec<String>,
    #[serde(rename = "try")]
    pub(super) text: String,
    legal: bool,
    reason: Option<String>,
    rule_legal: Option<bool>,
}

impl Case {
    /// Whether the rules allow the ply.
    pub(super) fn is_legal(&self) -> bool {
        self.rule_legal.unwrap_or(self.legal)
    }

    /// Why the ply is illegal, if the library behind the vectors gives a reason.
    pub(super) fn fault(&self) -> Result<Option<&str>> {
        ensure!(!self.legal || self.reason.is_none(), "a legal case must not have a reason");
        Ok(self.reason.as_deref().filter(|_| !self.is_legal()))
    }
}

/// `quirks` with a list of forbidden points after a prefix.
#[derive(Deserialize)]
pub(super) struct ForbidQuirk {
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) start: Start,
    pub(super) moves: Vec<String>,
    pub(super) rule_forbid: ForbiddenKinds,
}

/// A record of a kind that can be checked.
pub(super) enum VectorRecord {
    Line(LineRecord),
    Position(PositionRecord),
    Game(GameVector),
    Case(Case),
    ForbidQuirk(ForbidQuirk),
    /// A record of a kind that cannot be checked, with its name.
    Unsupported(String),
}

impl VectorRecord {
    /// Reads a line of a file.
    pub(super) fn read(text: &str) -> Result<VectorRecord> {
        fn typed<T: DeserializeOwned>(value: Value) -> Result<T> {
            Ok(T::deserialize(value)?)
        }
        let value: Value = serde_json::from_str(text)?;
        let has = |key: &str| value.get(key).is_some();
        Ok(if has("rule_forbid") {
            VectorRecord::ForbidQuirk(typed(value)?)
        } else if has("tier") {
            // Proven wins, for `goren suite`.
            VectorRecord::Unsupported("puzzles".into())
        } else if has("states") {
            VectorRecord::Game(typed(value)?)
        } else if has("try") {
            VectorRecord::Case(typed(value)?)
        } else if has("fen") {
            VectorRecord::Position(typed(value)?)
        } else if has("rule") {
            VectorRecord::Line(typed(value)?)
        } else {
            bail!("unknown kind of record")
        })
    }
}

/// The cells of a list of points, in order of their indices.
pub(super) fn cells(points: &[String], height: usize) -> Result<Vec<Cell>> {
    let mut cells =
        points.iter().map(|text| judge::cell(text, height)).collect::<Result<Vec<_>>>()?;
    cells.sort_unstable();
    Ok(cells)
}
