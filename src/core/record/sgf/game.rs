//! Builds a game from the values of its main line.

use std::collections::BTreeMap;

use super::comment;
use super::moves::{MoveValue, move_value, single};
use super::op::Op;
use super::tree::{Name, Value, Variations};
use crate::record::import::notes::Notes;
use crate::record::import::outcome::words;
use crate::record::import::{
    Hints, ImportedGame, MoveStats, Note, Place, Question, UnreadableGame,
};
use crate::record::quote::excerpt;
use crate::rules::{Named, OpeningId, Setup, Variant, named};
use crate::types::Color;

/// Maximum number of unused properties that a note names.
const MAX_UNUSED: usize = 40;

/// A game while it is being read.
pub(super) struct GameBuilder<'a> {
    pub(super) hints: &'a Hints,
    pub(super) game: ImportedGame,
    pub(super) notes: Notes,
    /// Operations on the board, in order.
    pub(super) ops: Vec<Op>,
    /// The first fault, after which nothing more is read.
    fault: Option<UnreadableGame>,
    /// Byte and value of `GM`.
    kind: Option<(usize, String)>,
    /// The game that `RU` names.
    rule: Option<Named>,
    /// Byte of the name of the event, and the game it names.
    event: Option<(usize, Named)>,
    /// Whether `RU` names an unknown rule.
    unknown_rule: bool,
    /// First values of properties of the whole game.
    first_values: BTreeMap<Name, String>,
    titles: [String; 4],
    reason: String,
    /// Number of operations before the current node.
    node_start: usize,
    /// Byte, property and text of the comment of the current node.
    comment: Option<(usize, Name, String)>,
    /// Byte at which a player resigned or forfeited.
    forfeited_at: Option<usize>,
    /// Whether a move after that has been reported.
    has_late_move: bool,
    pub(super) has_set_up: bool,
    /// Unused properties: number of values, and byte of the first one.
    pub(super) unused: BTreeMap<Name, (usize, usize)>,
    /// Byte of the first malformed text, and number of such texts.
    damaged: Option<(usize, usize)>,
    /// Whether a text has characters other than ASCII.
    pub(super) foreign: bool,
    /// Whether a text contains what looks like moves.
    pub(super) swallows: bool,
}

impl<'a> GameBuilder<'a> {
    pub(super) fn new(hints: &'a Hints) -> GameBuilder<'a> {
        GameBuilder {
            hints,
            game: ImportedGame::default(),
            notes: Notes::default(),
            ops: Vec::new(),
            fault: None,
            kind: None,
            rule: None,
            event: None,
            unknown_rule: false,
            first_values: BTreeMap::new(),
            titles: Default::default(),
            reason: String::new(),
            node_start: 0,
            comment: None,
            forfeited_at: None,
            has_late_move: false,
            has_set_up: false,
            unused: BTreeMap::new(),
            damaged: None,
            foreign: false,
            swallows: false,
        }
    }

    /// Takes a value of the current node.
    pub(super) fn value(&mut self, value: &Value<'_>, root: bool) {
        if self.fault.is_some() {
            return;
        }
        let (text, whole) = value.text();
        self.foreign |= value.is_foreign();
        if !whole {
            let (_, count) = self.damaged.get_or_insert((value.byte, 0));
            *count += 1;
        }
        self.check_repetition(value, &text);
        if !self.swallows && value.holds_moves() {
            self.swallows = true;
            let what = format!(
                "the text of {} holds what looks like moves: a bracket may be missing before it, \
                 or the text is in another encoding",
                value.name.as_str()
            );
            let place = Place::Byte(value.byte);
            self.notes.push(Note::doubt(place, what).asking(Question::Encoding));
        }
        let taken = match value.name.as_str() {
            "B" => self.played(value, &text, Color::Black),
            "W" => self.played(value, &text, Color::White),
            "AB" | "AW" | "AE" | "PL" => self.set_up(value, &text),
            "C" => Ok(self.take_comment(value, &text)),
            // Of all other properties except PLY only the first value is read.
            _ if !value.first => Ok(value.name.as_str() == "PLY" && self.ply(&text)),
            "SZ" => self.size(value, &text),
            "TE" if root => {
                self.game.reason = text.into_owned();
                Ok(true)
            }
            name => Ok(self.game_property(name, value, &text)),
        };
        match taken {
            Ok(true) => {}
            Ok(false) => self.count_unused(value.name, value.byte),
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Counts a value that is not used.
    fn count_unused(&mut self, name: Name, byte: usize) {
        let (count, first) = self.unused.entry(name).or_insert((0, byte));
        *count += 1;
        *first = byte.min(*first);
    }

    /// Takes a comment of the node; returns whether it is used. Of several comments the one
    /// written by a program is used.
    fn take_comment(&mut self, value: &Value<'_>, text: &str) -> bool {
        if text.is_empty() {
            return true;
        }
        if self.comment.is_some() && !comment::is_of_program(text) {
            return false;
        }
        let replaced = self.comment.replace((value.byte, value.name, text.to_owned()));
        if let Some((byte, name, _)) = replaced {
            self.count_unused(name, byte);
        }
        true
    }

    /// Reports a property of the whole game that differs from its first value.
    fn check_repetition(&mut self, value: &Value<'_>, text: &str) {
        let question = match value.name.as_str() {
            "GM" | "RU" => Some(Question::Game),
            "SZ" => Some(Question::Size),
            "ON" | "PB" | "PW" | "RE" | "TE" | "EV" | "RO" | "DT" | "GN" => None,
            _ => return,
        };
        let first = self.first_values.entry(value.name).or_insert_with(|| text.to_string());
        if first.eq_ignore_ascii_case(text) {
            return;
        }
        let name = value.name.as_str();
        let what = format!("{name} is {:?} here, but {:?} before", excerpt(text), excerpt(first));
        let decides = question.is_some() || name == "ON";
        let note = if decides { Note::doubt } else { Note::remark };
        self.notes.push(Note { question, ..note(Place::Byte(value.byte), what) });
    }

    /// Takes a property of the whole game; returns whether it is used.
    fn game_property(&mut self, name: &str, value: &Value<'_>, text: &str) -> bool {
        let byte = value.byte;
        match name {
            // File format, character set, program and display style do not describe the game.
            "FF" | "CA" | "AP" | "ST" => {}
            "GM" => self.kind = Some((byte, text.to_string())),
            "RU" => self.rule(byte, text),
            "PB" => self.game.players[0] = text.to_string(),
            "PW" => self.game.players[1] = text.to_string(),
            "EV" => {
                // Little Golem: `connect6.ch.26.1.1`.
                let game = text.split_once('.').and_then(|(game, _)| named(game));
                self.event = game.map(|game| (byte, game));
                self.titles[0] = text.to_string();
            }
            "RO" => self.titles[1] = text.to_string(),
            "DT" => self.titles[2] = text.to_string(),
            "GN" => self.titles[3] = text.to_string(),
            "ON" => {
                let opening = OpeningId::from_name(text);
                self.game.opening = opening.or(self.game.opening);
                return opening.is_some();
            }
            "PLY" => return self.ply(text),
            "TIEBREAK" => self.game.tie_break = true,
            "STRICT" => self.game.strict = true,
            "RE" => match words(text) {
                Some((outcome, reason)) => {
                    self.game.result = outcome;
                    self.reason = reason;
                }
                None => {
                    let what = format!("RE[{}] is not a known result", excerpt(text));
                    self.notes.remark(Place::Byte(byte), what);
                }
            },
            "HA" if text.parse().is_ok_and(|stones: u32| stones > 1) => {
                let what = format!("HA[{text}]: a game with handicap stones");
                self.notes.doubt(Place::Byte(byte), what);
            }
            _ => return false,
        }
        true
    }

    fn ply(&mut self, text: &str) -> bool {
        self.game.plies.push(text.to_string());
        true
    }

    fn rule(&mut self, byte: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let place = Place::Byte(byte);
        match named(text) {
            Some(found) => {
                if let Some(hint) = found.hint {
                    let what = format!("RU[{}]: {hint}", excerpt(text));
                    self.notes.push(Note::remark(place, what).asking(Question::Game));
                }
                self.rule = Some(found);
            }
            None => {
                self.unknown_rule = true;
                let what = format!("RU[{}] is not a known rule", excerpt(text));
                self.notes.push(Note::doubt(place, what).asking(Question::Game));
            }
        }
    }

    /// Reads the size of the board, such as `15` or `20:15`.
    fn size(&mut self, value: &Value<'_>, text: &str) -> Result<bool, UnreadableGame> {
        let (width, height) = text.split_once([':', 'x', 'X']).unwrap_or((text, text));
        let side = |text: &str| text.trim().parse::<usize>().ok();
        let place = Place::Byte(value.byte);
        let size = match (side(width), side(height)) {
            (Some(width), Some(height)) => {
                Setup::new(crate::rules::RuleId::Freestyle, width, height)
                    .map(|_| (width, height))
                    .map_err(|size| size.to_string())
            }
            _ => Err(not_understood(value, text).reason),
        };
        match size {
            // If the file has two sizes, the one that the user gave counts.
            Ok(size) => {
                let chosen = self.game.size.filter(|&size| Some(size) == self.hints.size);
                self.game.size = chosen.or(Some(size));
            }
            // The user has given the size: a bad one in the file is only noted.
            Err(reason) if self.hints.size.is_some() => self.notes.remark(place, reason),
            Err(reason) => return Err(UnreadableGame { place, reason }),
        }
        Ok(true)
    }

    /// Reads a move.
    fn played(
        &mut self,
        value: &Value<'_>,
        text: &str,
        color: Color,
    ) -> Result<bool, UnreadableGame> {
        let byte = value.byte;
        let played = move_value(text).ok_or_else(|| not_understood(value, text))?;
        if let Some(end) = self.forfeited_at.filter(|_| !self.has_late_move) {
            self.has_late_move = true;
            let what = format!("a move after the game was given up at byte {end}");
            self.notes.doubt(Place::Byte(byte), what);
        }
        match played {
            MoveValue::Points(points) => {
                self.ops.extend(points.into_iter().map(|point| Op::Stone { byte, color, point }));
            }
            MoveValue::Pass => self.ops.push(Op::Pass { byte, color }),
            MoveValue::Swap => self.ops.push(Op::Swap { byte }),
            MoveValue::Resign => self.forfeit(byte, color, "resign"),
            MoveValue::Forfeit(reason) => self.forfeit(byte, color, reason),
        }
        Ok(true)
    }

    fn forfeit(&mut self, byte: usize, color: Color, reason: &str) {
        self.forfeited_at = Some(byte);
        self.game.result = self.game.result.or(Some(crate::rules::Outcome::Win(!color)));
        if self.reason.is_empty() {
            self.reason = reason.to_string();
        }
    }

    /// Reads set-up stones, points or rectangles such as `aa:cc`, or the side to move.
    fn set_up(&mut self, value: &Value<'_>, text: &str) -> Result<bool, UnreadableGame> {
        let byte = value.byte;
        let color = match value.name.as_str() {
            "AB" => Some(Color::Black),
            "AW" => Some(Color::White),
            "AE" => None,
            _ => {
                let color = match text.to_ascii_lowercase().as_str() {
                    "b" | "black" | "1" => Color::Black,
                    "w" | "white" | "2" => Color::White,
                    _ => return Err(not_understood(value, text)),
                };
                self.ops.push(Op::Turn { color });
                return Ok(true);
            }
        };
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        let corners = single(first.trim()).zip(single(last.trim()));
        let (from, to) = corners.ok_or_else(|| not_understood(value, text))?;
        self.has_set_up = true;
        self.ops.push(Op::Add { byte, color, from, to });
        Ok(true)
    }

    /// Ends a node: applies its comment to its move. At the root, before the first move, there is
    /// nothing to swap.
    pub(super) fn node_end(&mut self, root: bool) {
        let start = std::mem::replace(&mut self.node_start, self.ops.len());
        let Some((byte, name, text)) = self.comment.take() else { return };
        if self.ops.len() == start && text == comment::SWAP && !root {
            self.ops.push(Op::Swap { byte });
            self.node_start = self.ops.len();
            // The opening may go on after a swap.
            if self.game.prelude == start {
                self.game.prelude = self.ops.len();
            }
            return;
        }
        // The opening ends before the first stone without this comment.
        let single = self.ops.len() == start + 1;
        let used = if text == comment::OPENING && single && self.game.prelude == start {
            self.game.prelude = self.ops.len();
            true
        } else if self.ops.len() > start {
            let mut stats = MoveStats::default();
            let used = comment::read(&text, &mut stats);
            self.game.move_stats.resize_with(self.ops.len() - 1, MoveStats::default);
            self.game.move_stats.push(stats);
            used
        } else {
            false
        };
        if !used {
            self.count_unused(name, byte);
        }
    }

    /// Finds, after the last node, what follows from several values: the variant, the title, the
    /// reason for the end.
    ///
    /// # Errors
    /// A value was not understood; the error names the byte.
    pub(super) fn conclude(&mut self) -> Result<(), UnreadableGame> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.find_variant();
        let titles = self.titles.iter().filter(|title| !title.is_empty());
        self.game.title = titles.map(String::as_str).collect::<Vec<_>>().join(", ");
        if self.game.reason.is_empty() {
            self.game.reason = std::mem::take(&mut self.reason);
        }
        let empty = |stats: &MoveStats| *stats == MoveStats::default();
        while self.game.move_stats.last().is_some_and(empty) {
            self.game.move_stats.pop();
        }
        Ok(())
    }

    /// Returns the game, after its moves have been laid out.
    pub(super) fn finish(mut self, variations: Variations) -> ImportedGame {
        if let Some((byte, count)) = self.damaged {
            let texts = if count == 1 { "a text".into() } else { format!("{count} texts") };
            let what = format!("{texts} with bytes that are invalid in the encoding");
            self.notes.push(Note::remark(Place::Byte(byte), what).asking(Question::Encoding));
        }
        if variations.count > 0 {
            let plural = if variations.count == 1 { "" } else { "s" };
            let what = format!(
                "{} variation{plural} passed over, only the main line is read",
                variations.count
            );
            self.notes.remark(Place::Byte(variations.first), what);
        }
        self.report_unused();
        self.game.notes = self.notes.finish();
        self.game
    }

    /// Finds the variant from the properties and from how colours alternate.
    fn find_variant(&mut self) {
        let given = self.hints.variant;
        if let Some(Named { variant, opening, size, .. }) = self.rule {
            self.game.variant = Some(variant);
            self.game.opening = self.game.opening.or(opening);
            self.game.size = self.game.size.or(size);
        }
        let kind = self.kind.take();
        let number = kind.as_ref().map_or("4", |(_, number)| number.as_str());
        // Some programs write a name instead of a number.
        let by_kind = named(number).filter(|_| number.parse::<i64>().is_err());
        self.game.variant = self.game.variant.or(by_kind.map(|found| found.variant));
        if let (None, Some((byte, found))) = (self.game.variant, self.event) {
            self.game.variant = Some(found.variant);
            self.game.size = self.game.size.or(found.size);
            let what = format!("{}, by the name of the event", found.variant);
            self.notes.push(Note::remark(Place::Byte(byte), what).asking(Question::Game));
        }
        let is_unknown = given.is_none() && self.game.variant.is_none() && !self.unknown_rule;
        if is_unknown && self.is_paired() {
            self.game.variant = named("connect6").map(|found| found.variant);
            let what = "the stones come in pairs: connect6";
            self.notes.push(Note::remark(Place::File, what).asking(Question::Game));
        }
        if let Some((byte, number)) = &kind {
            self.check_kind(*byte, number, by_kind.is_some());
        }
        if self.game.variant.is_none() && given.is_none() && !self.unknown_rule {
            self.notes.push(Note::no_rule());
        }
    }

    /// Checks that the value of `GM` is a supported game.
    fn check_kind(&mut self, byte: usize, number: &str, named: bool) {
        // Board sizes usual in five in a row, but not in Go or Nine Men's Morris.
        let usual_size = matches!(self.game.size, Some((15, 15) | (20, 20)));
        let clear = self.game.variant.is_some() || usual_size;
        let known = match number {
            "4" => true,
            "1" | "5" => clear,
            _ => named,
        };
        if !known {
            let what = match number {
                "1" => "GM[1] is Go".to_string(),
                "5" => "GM[5] is Nine Men's Morris".to_string(),
                other => format!("GM[{}] is another game", excerpt(other)),
            };
            self.notes.push(Note::doubt(Place::Byte(byte), what).asking(Question::Game));
        }
    }

    /// Whether the colours of the stones alternate as in Connect6.
    fn is_paired(&self) -> bool {
        let colors = self.ops.iter().filter_map(|op| match op {
            Op::Stone { color, .. } => Some(*color),
            _ => None,
        });
        let colors: Vec<Color> = colors.collect();
        let due = |n: usize| Color::ALL[n.div_ceil(2) % 2];
        colors.len() > 2 && colors.iter().enumerate().all(|(n, &color)| color == due(n))
    }

    fn report_unused(&mut self) {
        let Some(first) = self.unused.values().map(|&(_, byte)| byte).min() else { return };
        let name = |(name, &(count, _)): (&Name, &(usize, usize))| match count {
            1 => name.as_str().to_string(),
            count => format!("{} ({count})", name.as_str()),
        };
        let names: Vec<String> = self.unused.iter().take(MAX_UNUSED).map(name).collect();
        let more = if self.unused.len() > MAX_UNUSED { " and others" } else { "" };
        let what = format!("not used: {}{more}", names.join(", "));
        self.notes.remark(Place::Byte(first), what);
    }
}

/// Returns the error for a value that does not fit its property.
fn not_understood(value: &Value<'_>, text: &str) -> UnreadableGame {
    let reason = format!("{}[{}] is not understood", value.name.as_str(), excerpt(text));
    UnreadableGame { place: Place::Byte(value.byte), reason }
}

/// Returns the variant of a game as far as it is known.
pub(super) fn variant(builder: &GameBuilder<'_>) -> Option<Variant> {
    builder.hints.variant.or(builder.game.variant)
}
