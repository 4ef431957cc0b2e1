//! A game of a collection, from the values of its main line.

use std::collections::BTreeMap;

use super::comment;
use super::moves::{MoveValue, said, single};
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

/// Names of properties that are told together in a note.
const MOST_UNUSED: usize = 40;

/// A game while it is read.
pub(super) struct GameBuilder<'a> {
    pub(super) hints: &'a Hints,
    pub(super) game: ImportedGame,
    pub(super) notes: Notes,
    /// What happened on the board, in order.
    pub(super) ops: Vec<Op>,
    /// The first fault, after which nothing more is read.
    fault: Option<UnreadableGame>,
    /// The kind of game by its number, and where it stands.
    kind: Option<(usize, String)>,
    /// What `RU` names.
    rule: Option<Named>,
    /// What the name of the event says of the game.
    event: Option<(usize, Named)>,
    /// Where `RU` stands, if it names something unknown.
    unknown_rule: bool,
    /// What properties of the whole game say first.
    heads: BTreeMap<Name, String>,
    titles: [String; 4],
    reason: String,
    /// Operations before the node that is being read, its comment, and where
    /// that stands.
    before: usize,
    comment: Option<(usize, Name, String)>,
    /// Where the game was given up.
    over: Option<usize>,
    late: bool,
    pub(super) has_set_up: bool,
    /// Properties that are not used: how many values, and where the first is.
    pub(super) unused: BTreeMap<Name, (usize, usize)>,
    /// Where the first text stands that is not well formed, and how many there
    /// are.
    damaged: Option<(usize, usize)>,
    /// Whether a text has other characters than ASCII.
    pub(super) foreign: bool,
    /// Whether a text holds what looks like moves.
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
            heads: BTreeMap::new(),
            titles: Default::default(),
            reason: String::new(),
            before: 0,
            comment: None,
            over: None,
            late: false,
            has_set_up: false,
            unused: BTreeMap::new(),
            damaged: None,
            foreign: false,
            swallows: false,
        }
    }

    /// Takes in a value of the node that is being read.
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
        self.report_twice(value, &text);
        if !self.swallows && value.holds_moves() {
            self.swallows = true;
            let what = format!(
                "the text of {} holds what looks like moves: a bracket may be missing before, or \
                 the text is in another encoding",
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
            // Of all other properties only the first value is read, but for PLY.
            _ if !value.first => Ok(value.name.as_str() == "PLY" && self.ply(&text)),
            "SZ" => self.size(value, &text),
            "TE" if root => {
                self.game.reason = text.into_owned();
                Ok(true)
            }
            name => Ok(self.head(name, value, &text)),
        };
        match taken {
            Ok(true) => {}
            Ok(false) => self.leave_out(value.name, value.byte),
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Counts a value that is not used.
    fn leave_out(&mut self, name: Name, byte: usize) {
        let (count, first) = self.unused.entry(name).or_insert((0, byte));
        *count += 1;
        *first = byte.min(*first);
    }

    /// Takes in a comment of the node; whether it is kept. Of several the one that a program
    /// wrote of the move is.
    fn take_comment(&mut self, value: &Value<'_>, text: &str) -> bool {
        if text.is_empty() {
            return true;
        }
        if self.comment.is_some() && !comment::is_of_program(text) {
            return false;
        }
        let before = self.comment.replace((value.byte, value.name, text.to_owned()));
        if let Some((byte, name, _)) = before {
            self.leave_out(name, byte);
        }
        true
    }

    /// Tells where a property of the whole game says something else than before.
    fn report_twice(&mut self, value: &Value<'_>, text: &str) {
        let question = match value.name.as_str() {
            "GM" | "RU" => Some(Question::Game),
            "SZ" => Some(Question::Size),
            "ON" | "PB" | "PW" | "RE" | "TE" | "EV" | "RO" | "DT" | "GN" => None,
            _ => return,
        };
        let before = self.heads.entry(value.name).or_insert_with(|| text.to_string());
        if before.eq_ignore_ascii_case(text) {
            return;
        }
        let name = value.name.as_str();
        let what = format!("{name} says {:?}, before {:?}", excerpt(text), excerpt(before));
        let decides = question.is_some() || name == "ON";
        let note = if decides { Note::doubt } else { Note::remark };
        self.notes.push(Note { question, ..note(Place::Byte(value.byte), what) });
    }

    /// A property that says something of the whole game; whether it is used.
    fn head(&mut self, name: &str, value: &Value<'_>, text: &str) -> bool {
        let byte = value.byte;
        match name {
            // File format, character set, program, display style: nothing of the game.
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
                    let what = format!("RE[{}] is no result that is known", excerpt(text));
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
                let what = format!("RU[{}] is no rule that is known", excerpt(text));
                self.notes.push(Note::doubt(place, what).asking(Question::Game));
            }
        }
    }

    /// The size of the board, such as `15` or `20:15`.
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
            // Of two sizes the user chooses.
            Ok(size) => {
                let chosen = self.game.size.filter(|&size| Some(size) == self.hints.size);
                self.game.size = chosen.or(Some(size));
            }
            // The user has given the size: the one in the file is only noted.
            Err(reason) if self.hints.size.is_some() => self.notes.remark(place, reason),
            Err(reason) => return Err(UnreadableGame { place, reason }),
        }
        Ok(true)
    }

    /// A move.
    fn played(
        &mut self,
        value: &Value<'_>,
        text: &str,
        color: Color,
    ) -> Result<bool, UnreadableGame> {
        let byte = value.byte;
        let said = said(text).ok_or_else(|| not_understood(value, text))?;
        if let Some(over) = self.over.filter(|_| !self.late) {
            self.late = true;
            let what = format!("a move after the game was given up at byte {over}");
            self.notes.doubt(Place::Byte(byte), what);
        }
        match said {
            MoveValue::Points(points) => {
                self.ops.extend(points.into_iter().map(|point| Op::Stone { byte, color, point }));
            }
            MoveValue::Pass => self.ops.push(Op::Pass { byte, color }),
            MoveValue::Swap => self.ops.push(Op::Swap { byte }),
            MoveValue::Resign => self.give_up(byte, color, "resign"),
            MoveValue::Forfeit(why) => self.give_up(byte, color, why),
        }
        Ok(true)
    }

    fn give_up(&mut self, byte: usize, color: Color, why: &str) {
        self.over = Some(byte);
        self.game.result = self.game.result.or(Some(crate::rules::Outcome::Win(!color)));
        if self.reason.is_empty() {
            self.reason = why.to_string();
        }
    }

    /// Stones that are set up: points or rectangles such as `aa:cc`.
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

    /// The end of a node: what its comment says of its move. Before the first move, at the
    /// root, there is nothing to swap.
    pub(super) fn node_end(&mut self, root: bool) {
        let before = std::mem::replace(&mut self.before, self.ops.len());
        let Some((byte, name, text)) = self.comment.take() else { return };
        if self.ops.len() == before && text == comment::SWAP && !root {
            self.ops.push(Op::Swap { byte });
            self.before = self.ops.len();
            // The opening may go on after a swap.
            if self.game.prelude == before {
                self.game.prelude = self.ops.len();
            }
            return;
        }
        // The opening ends with the first stone that was played.
        let single = self.ops.len() == before + 1;
        let used = if text == comment::OPENING && single && self.game.prelude == before {
            self.game.prelude = self.ops.len();
            true
        } else if self.ops.len() > before {
            let mut stats = MoveStats::default();
            let used = comment::read(&text, &mut stats);
            self.game.move_stats.resize_with(self.ops.len() - 1, MoveStats::default);
            self.game.move_stats.push(stats);
            used
        } else {
            false
        };
        if !used {
            self.leave_out(name, byte);
        }
    }

    /// Decides after the last node what the values say together: the variant,
    /// the title, the reason of the end.
    ///
    /// # Errors
    /// What was not understood; names the byte.
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

    /// The game, after its moves are laid out.
    pub(super) fn finish(mut self, variations: Variations) -> ImportedGame {
        if let Some((byte, count)) = self.damaged {
            let texts = if count == 1 { "a text".into() } else { format!("{count} texts") };
            let what = format!("{texts} with bytes that have no meaning in the encoding");
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

    /// Which game it is, by what the file says and by how colours alternate.
    fn find_variant(&mut self) {
        let said = self.hints.variant;
        if let Some(Named { variant, opening, size, .. }) = self.rule {
            self.game.variant = Some(variant);
            self.game.opening = self.game.opening.or(opening);
            self.game.size = self.game.size.or(size);
        }
        let kind = self.kind.take();
        let number = kind.as_ref().map_or("4", |(_, number)| number.as_str());
        // A name instead of a number.
        let by_kind = named(number).filter(|_| number.parse::<i64>().is_err());
        self.game.variant = self.game.variant.or(by_kind.map(|found| found.variant));
        if let (None, Some((byte, found))) = (self.game.variant, self.event) {
            self.game.variant = Some(found.variant);
            self.game.size = self.game.size.or(found.size);
            let what = format!("{}, by the name of the event", found.variant);
            self.notes.push(Note::remark(Place::Byte(byte), what).asking(Question::Game));
        }
        if said.is_none() && self.game.variant.is_none() && !self.unknown_rule && self.is_paired() {
            self.game.variant = named("connect6").map(|found| found.variant);
            let what = "the stones come in pairs: connect6";
            self.notes.push(Note::remark(Place::File, what).asking(Question::Game));
        }
        if let Some((byte, number)) = &kind {
            self.check_kind(*byte, number, by_kind.is_some());
        }
        if self.game.variant.is_none() && said.is_none() && !self.unknown_rule {
            self.notes.push(Note::no_rule());
        }
    }

    /// Whether the number of the kind of game is one of ours.
    fn check_kind(&mut self, byte: usize, number: &str, named: bool) {
        // Board sizes usual in five in a row, but not in Go or Nine Men's Morris.
        let ours = matches!(self.game.size, Some((15, 15) | (20, 20)));
        let clear = self.game.variant.is_some() || ours;
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
        let names: Vec<String> = self.unused.iter().take(MOST_UNUSED).map(name).collect();
        let more = if self.unused.len() > MOST_UNUSED { " and others" } else { "" };
        let what = format!("not used: {}{more}", names.join(", "));
        self.notes.remark(Place::Byte(first), what);
    }
}

/// The fault of a value that cannot be what its property wants.
fn not_understood(value: &Value<'_>, text: &str) -> UnreadableGame {
    let reason = format!("{}[{}] is not understood", value.name.as_str(), excerpt(text));
    UnreadableGame { place: Place::Byte(value.byte), reason }
}

/// The variant of a game as far as it is known while it is read.
pub(super) fn variant(builder: &GameBuilder<'_>) -> Option<Variant> {
    builder.hints.variant.or(builder.game.variant)
}
