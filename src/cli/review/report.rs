//! A judged game for people: the curve, the table, what decided.

use console::Style;

use super::judge::{Grade, Judged, Turn, Verdict, losing_move, lost_for_good};
use crate::analyze::findings::percent;
use crate::analyze::table::Look;
use crate::position::{Position, ending_words, name, turns};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::{Color, win_rate};
use goren_notation::words::score_text;

/// A game and what was found of it.
pub(super) struct Review<'a> {
    pub(super) contest: Contest,
    pub(super) players: &'a [String; 2],
    pub(super) plies: &'a [Judged],
    /// The position after the last ply.
    pub(super) end: &'a Position,
    /// How the game ended and why, as its file says.
    pub(super) said: Option<(Outcome, String)>,
    /// Plies that were made before the players took over.
    pub(super) laid: usize,
    /// The foul that ended it, in words.
    pub(super) foul: Option<String>,
}

/// From this win rate on the side to move does not stand worse.
const LEVEL: f64 = 0.3;

/// Marks of a curve, the lowest first.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Plies of a line of the curve.
const CURVE: usize = 60;

/// What one player did.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct LossCount {
    /// Moves that were judged.
    pub(super) moves: usize,
    /// Win rate given away in all of them.
    pub(super) loss: f64,
    /// How many of each grade, in the order of [`Grade::ALL`].
    pub(super) grades: [usize; 3],
}

impl LossCount {
    /// Win rate given away a move, 0 to 1.
    pub(super) fn mean(&self) -> f64 {
        self.loss / self.moves.max(1) as f64
    }
}

impl Review<'_> {
    /// What Black and White did.
    pub(super) fn tallies(&self) -> [LossCount; 2] {
        let mut tallies = [LossCount::default(); 2];
        for ply in self.plies {
            let Some(verdict) = &ply.verdict else { continue };
            let tally = &mut tallies[ply.color.index()];
            tally.moves += 1;
            tally.loss += verdict.loss();
            if let Some(grade) = verdict.grade() {
                tally.grades[grade as usize] += 1;
            }
        }
        tallies
    }

    /// Who won, by the stones or by what the file says.
    fn winner(&self) -> Option<Color> {
        match (self.end.ending, &self.said) {
            (Some(ending), _) => ending.winner,
            (None, Some((Outcome::Win(color), _))) => Some(*color),
            (None, _) => None,
        }
    }

    /// The ply that decided the game.
    pub(super) fn losing_move(&self) -> Option<&Judged> {
        losing_move(self.plies, self.winner(), self.laid).map(|at| &self.plies[at])
    }

    /// The best turn instead of a ply, in the game's notation.
    pub(super) fn better(&self, ply: &Judged) -> Vec<String> {
        let Some(verdict) = &ply.verdict else { return Vec::new() };
        turns(&self.contest, ply.cells.len(), &verdict.line)
    }

    /// Who played whom, on what.
    pub(super) fn title(&self) -> String {
        let Contest { variant, width, height, .. } = self.contest;
        let who = match self.players {
            [black, white] if !black.is_empty() || !white.is_empty() => {
                format!("{} – {}, ", shown(black), shown(white))
            }
            _ => String::new(),
        };
        let plies = count(self.plies.len(), "ply");
        format!("{who}{variant} {width}x{height}, {plies}")
    }

    /// How it ended, or who stands better.
    pub(super) fn result(&self) -> String {
        match self.end.ending {
            Some(ending) => ending_words(ending),
            None => match &self.said {
                Some((outcome, reason)) => said_words(*outcome, reason),
                None => "the game was not played to its end".into(),
            },
        }
    }

    /// All of it as lines of text.
    pub(super) fn lines(&self, look: Look) -> Vec<String> {
        let bold = |text: &str| look.paint(Style::new().bold(), text);
        let mut lines = vec![bold(&self.title()), format!("Result: {}", self.result())];
        lines.extend(self.curve(look));
        lines.push(SIGNS.into());
        lines.push(bold(&format!(
            "{:>4}  {:<5}  {:<8} {:>7}  {:>5}   {:<8} {:>7}  {:>5}  {:>5}",
            "ply", "side", "played", "score", "win %", "best", "score", "win %", "loss"
        )));
        lines.extend(self.plies.iter().map(|ply| self.row(ply, look)));
        for color in Color::ALL {
            let tally = self.tallies()[color.index()];
            let grades = Grade::ALL.map(|g| count(tally.grades[g as usize], g.name()));
            lines.push(format!(
                "{}: {}, {} % given away on average; {}",
                name(color),
                count(tally.moves, "move"),
                percent_of(tally.mean()),
                grades.join(", ")
            ));
        }
        if let Some(words) = self.decision() {
            lines.push(bold(&words));
        }
        lines
    }

    /// What decided the game, in words.
    pub(super) fn decision(&self) -> Option<String> {
        let ply = self.losing_move()?;
        let verdict = ply.verdict.as_ref()?;
        let better = self.better(ply);
        let first = better.first()?;
        let (who, before) = (name(ply.color), win_rate(verdict.best));
        let head = if before >= LEVEL {
            format!("The game turned at ply {}", ply.number)
        } else {
            format!("{who} stood worse already; the largest fall was at ply {}", ply.number)
        };
        let mut words = format!(
            "{head}: {who}'s {} ({} %); {first} was worth {} ({} %)",
            ply.text,
            percent(win_rate(verdict.played)),
            score_text(verdict.best),
            percent(before),
        );
        let lost = lost_for_good(self.plies, !ply.color).map(|at| &self.plies[at]);
        if let Some(lost) = lost.filter(|lost| lost.number > ply.number) {
            words += &format!(". Proven lost from ply {} ({}) on", lost.number, lost.text);
        }
        Some(words)
    }

    fn row(&self, ply: &Judged, look: Look) -> String {
        let start = format!("{:>4}  {:<5}  {:<8}", ply.number, name(ply.color), ply.text);
        let Some(verdict) = &ply.verdict else { return start.trim_end().to_string() };
        let Verdict { best, played, .. } = *verdict;
        let own = format!("{:>7}  {:>5}", score_text(played), percent(win_rate(played)));
        let better = self.better(ply);
        let first = better.first().map_or("", String::as_str);
        let same = best == played;
        let other = if same {
            String::new()
        } else {
            format!(
                "{first:<8} {:>7}  {:>5}  {:>5}",
                score_text(best),
                percent(win_rate(best)),
                percent_of(verdict.loss())
            )
        };
        let (sign, style) = match verdict.grade() {
            Some(grade) => (grade.sign(), grade_style(grade)),
            None => ("", Style::new()),
        };
        let foul = self.foul.as_ref().filter(|_| ply.number == self.plies.len());
        let words = match foul {
            Some(foul) => format!("a foul, {foul}: the game is lost"),
            None => verdict.turn().map_or(String::new(), turn_words),
        };
        let row = format!("{start} {own}   {other} {sign:<2} {words}");
        look.paint(style, row.trim_end())
    }

    /// Black's win rate, ply by ply.
    fn curve(&self, look: Look) -> Vec<String> {
        let bar = |ply: &Judged| {
            let Some(rate) = ply.black_rate() else { return " ".to_string() };
            let level = (rate * BARS.len() as f64) as usize;
            let text = BARS[level.min(BARS.len() - 1)].to_string();
            match ply.verdict.as_ref().and_then(Verdict::grade) {
                Some(grade) => look.paint(grade_style(grade), &text),
                None => text,
            }
        };
        let per_line =
            look.width.map_or(CURVE, |width| CURVE.min(width.saturating_sub(20)).max(10));
        let line = |(i, plies): (usize, &[Judged])| {
            let bars: String = plies.iter().map(bar).collect();
            format!("{:>4}  {bars}", i * per_line + 1)
        };
        let head = std::iter::once("Black's win rate after each ply:".to_string());
        head.chain(self.plies.chunks(per_line).enumerate().map(line)).collect()
    }
}

fn grade_style(grade: Grade) -> Style {
    match grade {
        Grade::Inaccuracy => Style::new().yellow(),
        Grade::Mistake => Style::new().magenta(),
        Grade::Blunder => Style::new().red().bold(),
    }
}

/// What the numbers mean.
const SIGNS: &str = "Scores are in points for the side that moves: +200 is about 73 %, +M5 a \
                     proven win in 5 plies, -M5 a proven loss.";

/// How a game ended, as its file says.
fn said_words(outcome: Outcome, reason: &str) -> String {
    let why = match reason {
        "" => ", the file says".into(),
        "resign" | "resignation" => " by resignation".into(),
        "time" | "overtime" => " on time".into(),
        other => format!(", the file says ({})", shown(other)),
    };
    match outcome {
        Outcome::Win(color) => format!("{} won{why}", name(color)),
        Outcome::Draw => format!("drawn{why}"),
    }
}

/// What a move did to what was proven, in words.
pub(super) fn turn_words(turn: Turn) -> String {
    let plies = |number| count(number, "ply");
    match turn {
        Turn::WinMissed(number) => format!("throws away a win in {}", plies(number)),
        Turn::LossFound(..=1) => "loses at once".into(),
        Turn::LossFound(number) => format!("hands over a win in {}", plies(number - 1)),
        Turn::WinToLoss(win, ..=1) => format!("loses at once, with a win in {} there", plies(win)),
        Turn::WinToLoss(win, loss) => {
            format!("turns a win in {} into a loss in {loss}", plies(win))
        }
    }
}

/// A number of things; one or many.
fn count(number: usize, name: &str) -> String {
    let plural = match name.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{name}s"),
    };
    format!("{number} {}", if number == 1 { name } else { &plural })
}

/// A part of 1 in percent, with a tenth.
fn percent_of(part: f64) -> String {
    format!("{:.1}", 100.0 * part)
}

/// The name of a player on one line, or a sign for none.
fn shown(name: &str) -> String {
    match name.trim() {
        "" => "?".into(),
        name => name.chars().filter(|c| !c.is_control()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted() {
        assert_eq!(count(1, "inaccuracy"), "1 inaccuracy");
        assert_eq!(count(2, "inaccuracy"), "2 inaccuracies");
        assert_eq!(count(0, "blunder"), "0 blunders");
        assert_eq!(turn_words(Turn::LossFound(8)), "hands over a win in 7 plies");
        assert_eq!(turn_words(Turn::LossFound(2)), "hands over a win in 1 ply");
        assert_eq!(turn_words(Turn::LossFound(1)), "loses at once");
        let white = Outcome::Win(Color::White);
        assert_eq!(said_words(white, "resign"), "White won by resignation");
        assert_eq!(said_words(Outcome::Draw, ""), "drawn, the file says");
        assert_eq!(shown(" \u{1b}[2Ja"), "[2Ja");
    }
}
