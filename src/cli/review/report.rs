//! The report on a judged game: win-rate curve, table of moves, and the deciding move.

use console::Style;

use crate::analyze::table::TextStyle;
use crate::position::{GivenPosition, ending_words, name, said_reason, said_words};
use crate::variant::shown_with_opening;
use goren_core::rules::{Contest, Outcome};
use goren_core::types::{Color, win_rate};
use goren_notation::words::{count, percent, score_text};
use goren_review::judge::{Grade, Judged, Judgement, losing_move};
use goren_review::tally::{LossCount, tallies};
use goren_review::words::{self, proof_change_words};

/// A game and what was found of it.
pub(super) struct ReviewedGame<'a> {
    pub(super) contest: Contest,
    pub(super) players: &'a [String; 2],
    pub(super) plies: &'a [Judged],
    /// The position after the last ply.
    pub(super) end: &'a GivenPosition,
    /// How the game ended and why, as its file says.
    pub(super) said: Option<(Outcome, String)>,
    /// Plies that were made before the players took over.
    pub(super) laid: usize,
    /// The foul that ended it, in words.
    pub(super) foul: Option<String>,
}

/// Marks of a curve, the lowest first.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Plies of a line of the curve.
const CURVE: usize = 60;

impl ReviewedGame<'_> {
    /// What Black and White did after the opening that was set up.
    pub(super) fn tallies(&self) -> [LossCount; 2] {
        tallies(&self.plies[self.laid..])
    }

    /// The grade of a bad move; the plies of an opening that was set up are nobody's moves.
    pub(super) fn grade(&self, ply: &Judged) -> Option<Grade> {
        ply.judgement.as_ref().filter(|_| ply.number > self.laid)?.grade()
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
        words::better(&self.contest, ply)
    }

    /// Who played whom, on what.
    pub(super) fn title(&self) -> String {
        let (game, Contest { width, height, .. }) =
            (shown_with_opening(&self.contest), self.contest);
        let who = match self.players {
            [black, white] if !black.is_empty() || !white.is_empty() => {
                format!("{} – {}, ", shown(black), shown(white))
            }
            _ => String::new(),
        };
        let plies = count(self.plies.len(), "ply");
        format!("{who}{game} {width}x{height}, {plies}")
    }

    /// How it ended, or who stands better.
    pub(super) fn result(&self) -> String {
        match self.end.ending {
            Some(ending) => ending_words(ending),
            None => match &self.said {
                Some((outcome, reason)) => said(*outcome, reason),
                None => "the game was not played to its end".into(),
            },
        }
    }

    /// All of it as lines of text.
    pub(super) fn lines(&self, look: TextStyle) -> Vec<String> {
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
        words::decision(&self.contest, self.plies, self.losing_move()?)
    }

    fn row(&self, ply: &Judged, look: TextStyle) -> String {
        let start = format!("{:>4}  {:<5}  {:<8}", ply.number, name(ply.color), ply.text);
        let Some(judgement) = &ply.judgement else { return start.trim_end().to_string() };
        let Judgement { best, played, .. } = *judgement;
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
                percent_of(judgement.loss())
            )
        };
        let (sign, style) = match self.grade(ply) {
            Some(grade) => (grade.sign(), grade_style(grade)),
            None => ("", Style::new()),
        };
        let foul = self.foul.as_ref().filter(|_| ply.number == self.plies.len());
        let words = match foul {
            Some(foul) => format!("a foul, {foul}: the game is lost"),
            None => judgement
                .proof_change()
                .map_or(String::new(), |turn| proof_change_words(turn, ply.cells.len())),
        };
        let row = format!("{start} {own}   {other} {sign:<2} {words}");
        look.paint(style, row.trim_end())
    }

    /// Black's win rate, ply by ply.
    fn curve(&self, look: TextStyle) -> Vec<String> {
        let bar = |ply: &Judged| {
            let Some(rate) = ply.black_rate() else { return " ".to_string() };
            let level = (rate * BARS.len() as f64) as usize;
            let text = BARS[level.min(BARS.len() - 1)].to_string();
            match self.grade(ply) {
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
        let mut lines = vec![CURVE_HEAD.to_owned()];
        lines.extend(self.plies.chunks(per_line).enumerate().map(line));
        if look.colors {
            let grades = Grade::ALL.map(|grade| look.paint(grade_style(grade), grade.name()));
            lines.push(format!("Marks in colour: {}.", grades.join(", ")));
        }
        lines
    }
}

fn grade_style(grade: Grade) -> Style {
    match grade {
        Grade::Inaccuracy => Style::new().yellow(),
        Grade::Mistake => Style::new().magenta(),
        Grade::Blunder => Style::new().red().bold(),
    }
}

/// The heading of the curve.
const CURVE_HEAD: &str = "Black's win rate after each ply, from ▁ (0 %) to █ (100 %); the number is \
                          the ply of the first mark:";

/// The legend of numbers and signs.
const SIGNS: &str = "Scores are in points for the side that moves: +200 is about 73 %, +M5 a \
                     proven win in 5 plies, -M5 a proven loss. ?! is an inaccuracy, ? a mistake, \
                     ?? a blunder.";

/// The result that a file gives, marked as such unless it is a resignation or a loss on time.
fn said(outcome: Outcome, reason: &str) -> String {
    let words = said_words(outcome, reason);
    if said_reason(reason).is_some() { words } else { format!("{words}, the file says") }
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
    fn what_a_file_says_is_told() {
        let white = Outcome::Win(Color::White);
        assert_eq!(said(white, "resign"), "White won by resignation");
        assert_eq!(said(Outcome::Draw, ""), "drawn, the file says");
        assert_eq!(shown(" \u{1b}[2Ja"), "[2Ja");
    }
}
