//! Report on a judged game: win-rate curve, table of moves, and the deciding move.

use console::Style;

use crate::analyze::table::TextStyle;
use crate::position::{GivenPosition, ending_words, name, result_text};
use crate::variant::shown_with_opening;
use goren_core::rules::{Contest, Outcome};
use goren_core::types::{Color, win_rate};
use goren_notation::ending::phrase;
use goren_notation::words::{count, percent, score_text};
use goren_review::judge::{Grade, Judged, Judgement, losing_move};
use goren_review::tally::{LossCount, tallies};
use goren_review::words::{self, proof_change_words};

/// A judged game.
pub(super) struct ReviewedGame<'a> {
    pub(super) contest: Contest,
    pub(super) players: &'a [String; 2],
    pub(super) plies: &'a [Judged],
    /// The position after the last ply.
    pub(super) end: &'a GivenPosition,
    /// Result and reason given in the file.
    pub(super) recorded_result: Option<(Outcome, String)>,
    /// Number of plies before the players took over.
    pub(super) opening_plies: usize,
    /// Names of the foul that ended the game.
    pub(super) foul: Option<String>,
}

/// Bars of the curve, the lowest first.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Maximum number of plies per line of the curve.
const CURVE: usize = 60;

impl ReviewedGame<'_> {
    /// Counts the losses of Black and White after the opening that was set up.
    pub(super) fn tallies(&self) -> [LossCount; 2] {
        tallies(&self.plies[self.opening_plies..])
    }

    /// Returns the grade of a bad move; plies of an opening that was set up have none.
    pub(super) fn grade(&self, ply: &Judged) -> Option<Grade> {
        ply.judgement.as_ref().filter(|_| ply.number > self.opening_plies)?.grade()
    }

    /// Returns the winner by the stones or by the file.
    fn winner(&self) -> Option<Color> {
        match (self.end.ending, &self.recorded_result) {
            (Some(ending), _) => ending.winner,
            (None, Some((Outcome::Win(color), _))) => Some(*color),
            (None, _) => None,
        }
    }

    /// Returns the ply that decided the game.
    pub(super) fn losing_move(&self) -> Option<&Judged> {
        losing_move(self.plies, self.winner(), self.opening_plies).map(|at| &self.plies[at])
    }

    /// Returns the best turn instead of a ply, in the game's notation.
    pub(super) fn better(&self, ply: &Judged) -> Vec<String> {
        words::better(&self.contest, ply)
    }

    /// Formats the players, the game and its length.
    pub(super) fn title(&self) -> String {
        let (game, Contest { width, height, .. }) =
            (shown_with_opening(&self.contest), self.contest);
        let who = match self.players {
            [black, white] if !black.is_empty() || !white.is_empty() => {
                format!("{} – {}, ", player_name(black), player_name(white))
            }
            _ => String::new(),
        };
        let plies = count(self.plies.len(), "ply");
        format!("{who}{game} {width}x{height}, {plies}")
    }

    /// Formats the result.
    pub(super) fn result(&self) -> String {
        match self.end.ending {
            Some(ending) => ending_words(ending),
            None => match &self.recorded_result {
                Some((outcome, reason)) => result_of_file(*outcome, reason),
                None => "the game was not played to its end".into(),
            },
        }
    }

    /// Formats the report as lines.
    pub(super) fn lines(&self, text_style: TextStyle) -> Vec<String> {
        let bold = |text: &str| text_style.paint(Style::new().bold(), text);
        let mut lines = vec![bold(&self.title()), format!("Result: {}", self.result())];
        lines.extend(self.curve(text_style));
        lines.push(SIGNS.into());
        lines.push(bold(&format!(
            "{:>4}  {:<5}  {:<8} {:>7}  {:>5}   {:<8} {:>7}  {:>5}  {:>5}",
            "ply", "side", "played", "score", "win %", "best", "score", "win %", "loss"
        )));
        lines.extend(self.plies.iter().map(|ply| self.row(ply, text_style)));
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

    /// Describes the move that decided the game.
    pub(super) fn decision(&self) -> Option<String> {
        words::decision(&self.contest, self.plies, self.losing_move()?)
    }

    fn row(&self, ply: &Judged, text_style: TextStyle) -> String {
        let start = format!("{:>4}  {:<5}  {:<8}", ply.number, name(ply.color), ply.text);
        let Some(judgement) = &ply.judgement else { return start.trim_end().to_string() };
        let Judgement { best, played, .. } = *judgement;
        let own = format!("{:>7}  {:>5}", score_text(played), percent(win_rate(played)));
        let better = self.better(ply);
        let first = better.first().map_or("", String::as_str);
        let best_columns = if best == played {
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
        let row = format!("{start} {own}   {best_columns} {sign:<2} {words}");
        text_style.paint(style, row.trim_end())
    }

    /// Formats the curve of Black's win rate.
    fn curve(&self, text_style: TextStyle) -> Vec<String> {
        let bar = |ply: &Judged| {
            let Some(rate) = ply.black_rate() else { return " ".to_string() };
            let level = (rate * BARS.len() as f64) as usize;
            let text = BARS[level.min(BARS.len() - 1)].to_string();
            match self.grade(ply) {
                Some(grade) => text_style.paint(grade_style(grade), &text),
                None => text,
            }
        };
        let per_line =
            text_style.width.map_or(CURVE, |width| CURVE.min(width.saturating_sub(20)).max(10));
        let line = |(i, plies): (usize, &[Judged])| {
            let bars: String = plies.iter().map(bar).collect();
            format!("{:>4}  {bars}", i * per_line + 1)
        };
        let mut lines = vec![CURVE_HEAD.to_owned()];
        lines.extend(self.plies.chunks(per_line).enumerate().map(line));
        if text_style.colors {
            let grades = Grade::ALL.map(|grade| text_style.paint(grade_style(grade), grade.name()));
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

/// Heading of the curve.
const CURVE_HEAD: &str = "Black's win rate after each ply, from ▁ (0 %) to █ (100 %); the number is \
                          the ply of the first mark:";

/// Legend of numbers and signs.
const SIGNS: &str = "Scores are in points for the side that moves: +200 is about 73 %, +M5 a \
                     proven win in 5 plies, -M5 a proven loss. ?! is an inaccuracy, ? a mistake, \
                     ?? a blunder.";

/// Formats the result given in a file, marked as such unless it is a resignation, a loss on time
/// or an agreed draw.
fn result_of_file(outcome: Outcome, reason: &str) -> String {
    let words = result_text(outcome, reason);
    if phrase(reason).is_some() { words } else { format!("{words}, according to the file") }
}

/// Formats a part of 1 in percent, with one decimal.
fn percent_of(part: f64) -> String {
    format!("{:.1}", 100.0 * part)
}

/// Formats the name of a player on one line, or `?` if it is unknown.
fn player_name(name: &str) -> String {
    match name.trim() {
        "" => "?".into(),
        name => name.chars().filter(|c| !c.is_control()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_of_a_file_is_reported() {
        let white = Outcome::Win(Color::White);
        assert_eq!(result_of_file(white, "resign"), "White won by resignation");
        assert_eq!(result_of_file(Outcome::Draw, ""), "drawn, according to the file");
        assert_eq!(player_name(" \u{1b}[2Ja"), "[2Ja");
    }
}
