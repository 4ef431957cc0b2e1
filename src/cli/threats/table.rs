//! Survey as text.

use console::Style;

use super::by_search::{ColorFindings, Spatial, Virtual};
use super::linear::{Fork, LinearShape};
use super::marks::{CellMark, ThreatSign, marks};
use super::survey::{CellThreats, SideThreats, Survey};
use super::words::{line, points, threat};
use crate::analyze::table::{TextStyle, title};
use crate::position::{GivenPosition, name};
use goren_core::types::{Cell, Color, DIRECTIONS};
use goren_notation::explanation::{direction_name, tree, verdict};

/// Formats a survey as lines.
pub(super) fn lines(survey: &Survey, details: bool, style: TextStyle) -> Vec<String> {
    let head = |text: &str| style.paint(Style::new().bold(), text);
    let mut lines = vec![head(&title(survey.position))];
    for side in &survey.sides {
        lines.push(String::new());
        lines.push(head(&format!("Threats of {}", name(side.color))));
        lines.extend(board(survey.position, side));
        lines.extend(table(survey.position, side));
        if details {
            lines.extend(side.cells.iter().flat_map(|seen| growth(survey.position, seen)));
        }
        if let Some(found) = &side.found {
            lines.extend(searched(survey.position, side.color, found));
        }
    }
    for foul in [true, false] {
        let mut stones = survey.fouls.iter().filter(|stone| stone.fouls().any() == foul).peekable();
        if stones.peek().is_some() {
            lines.push(String::new());
            lines.push(head(if foul { "Fouls" } else { "Look like fouls but are not" }));
        }
        for stone in stones {
            let at = survey.position.label(stone.at);
            let whose = if survey.both_have_fouls() {
                format!(" ({})", name(stone.color))
            } else {
                String::new()
            };
            lines.push(format!("{at}{whose}: {}", verdict(stone)));
            lines.extend(
                tree(stone, survey.position.lettering())
                    .into_iter()
                    .map(|line| format!("  {line}")),
            );
        }
    }
    lines
}

/// Formats the board with the strongest threat of each cell.
fn board(position: &GivenPosition, side: &SideThreats) -> Vec<String> {
    let marks = marks(side);
    let (width, height) = (position.contest.width, position.contest.height);
    let letters: String = (0..width).map(|x| format!("  {} ", (b'A' + x as u8) as char)).collect();
    let letters = format!("   {}", letters.trim_end());
    let row = |y: usize| {
        let cells: String =
            (0..width).map(|x| cell_text(position, &marks, Cell::new(x, y))).collect();
        format!("{:>2} {cells} {}", height - y, height - y)
    };
    let mut lines = vec![letters.clone()];
    lines.extend((0..height).map(row));
    lines.push(letters);
    let used = |sign: &ThreatSign| marks.iter().any(|mark| mark.sign == Some(*sign));
    let signs = ThreatSign::ALL.into_iter().filter(used);
    let mut meanings: Vec<String> =
        signs.map(|sign| format!("{} {}", sign.letter(), sign.meaning())).collect();
    if marks.iter().any(|mark| mark.forbidden) {
        meanings.insert(0, "* foul".into());
    }
    if !meanings.is_empty() {
        lines.push(format!("   {}", meanings.join(", ")));
    }
    lines
}

/// Formats a cell as four characters.
fn cell_text(position: &GivenPosition, marks: &[CellMark], cell: Cell) -> String {
    if let Some(stone) = position.stones.iter().find(|stone| stone.cell == cell) {
        let sign = if stone.color == Color::Black { 'X' } else { 'O' };
        return if position.last.contains(&cell) {
            format!(" ({sign})")
        } else {
            format!("  {sign} ")
        };
    }
    match marks.iter().find(|mark| mark.cell == cell) {
        Some(mark) => {
            let foul = if mark.forbidden { '*' } else { ' ' };
            let label = mark.label();
            // Aligns the digits, whether a sign follows or not.
            let label = match mark.sign {
                Some(_) => format!("{label:>3}"),
                None => format!("{label:>2} "),
            };
            format!("{foul}{label}")
        }
        None => "  . ".into(),
    }
}

/// Formats the cells with their threats in the four directions.
fn table(position: &GivenPosition, side: &SideThreats) -> Vec<String> {
    if side.cells.is_empty() {
        return vec!["No linear threats to list.".into()];
    }
    let mut rows = vec![
        std::iter::once("cell".to_string())
            .chain(DIRECTIONS.map(|direction| direction_name(direction).to_string()))
            .chain([String::new()])
            .collect::<Vec<_>>(),
    ];
    rows.extend(side.cells.iter().map(|seen| {
        let mut row = vec![position.label(seen.cell)];
        row.extend(DIRECTIONS.map(|direction| {
            let found = seen.threats.iter().find(|threat| threat.direction == direction);
            found.map_or("-".into(), threat)
        }));
        row.push(remark(seen));
        row
    }));
    let columns = DIRECTIONS.len() + 1;
    let widths: Vec<usize> = (0..columns)
        .map(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0))
        .collect();
    let text = |row: &Vec<String>| {
        let cells = row[..columns].iter().zip(&widths).map(|(cell, &width)| {
            let gap = width - cell.chars().count() + 2;
            format!("{cell}{}", " ".repeat(gap))
        });
        let text = cells.collect::<String>() + &row[columns];
        text.trim_end().to_string()
    };
    rows.iter().map(text).collect()
}

/// Describes the fork of a cell, and whether the cell is a foul.
fn remark(seen: &CellThreats) -> String {
    let fork =
        seen.fork().map(|fork| format!("fork {}, {}", Fork::notation(&seen.threats), fork.name()));
    let foul = seen.forbidden.then(|| "foul".to_string());
    fork.into_iter().chain(foul).collect::<Vec<_>>().join("; ")
}

/// Describes where the threats of a cell grow.
fn growth(position: &GivenPosition, seen: &CellThreats) -> Vec<String> {
    let at = position.label(seen.cell);
    let describe = |threat: &super::linear::LinearThreat| {
        let mut text =
            format!("{at}, {}: {}", direction_name(threat.direction), self::threat(threat));
        let what = match threat.shape {
            LinearShape::P(weight @ ..3, kind) => LinearShape::P(weight + 1, kind).name(),
            _ => "five",
        };
        if !threat.next.is_empty() {
            text += &format!("; {what} at {}", points(position, &threat.next));
        }
        if !threat.spoilt.is_empty() {
            let spoilt = points(position, &threat.spoilt);
            text += &format!("; a straight four at {spoilt} would be a foul or come with a five");
        }
        text
    };
    seen.threats.iter().map(describe).collect()
}

/// Describes the findings of the search.
fn searched(position: &GivenPosition, color: Color, found: &ColorFindings) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(vcf) = &found.vcf {
        let stones = line(position, vcf, false);
        lines.push(format!("{} to move wins by fours: {stones}", name(color)));
    }
    if found.vcf_unknown {
        lines.push("The nodes ran out before a win by fours was found or ruled out.".into());
    }
    let mut list = |title: &str, texts: Vec<String>| {
        if !texts.is_empty() {
            lines.push(format!("{title}:"));
            lines.extend(texts.into_iter().map(|text| format!("  {text}")));
        }
    };
    let (forks, threats): (Vec<&Virtual>, Vec<&Virtual>) =
        found.virtuals.iter().partition(|threat| threat.fork.is_some());
    let fork = |threat: &&Virtual| {
        let rest = threat.fork.as_deref().unwrap_or_default();
        format!("{} {}", position.label(threat.at), line(position, rest, true))
    };
    list(
        "Virtual forks (no answer stops them; the longest defence is shown)",
        forks.iter().map(fork).collect(),
    );
    let threat = |threat: &&Virtual| {
        format!("{}, then {}", position.label(threat.at), line(position, &threat.line, false))
    };
    list("Virtual threats (and the win if nothing is done)", threats.iter().map(threat).collect());
    list("Spatial forks (and the stone that activates each)", spatial(position, found));
    if !found.undecided.is_empty() {
        let cells = points(position, &found.undecided);
        list("The nodes ran out before anything was proven about", vec![cells]);
    }
    lines
}

/// Describes each crossing, the stone that makes it effective, and the win after it.
fn spatial(position: &GivenPosition, found: &ColorFindings) -> Vec<String> {
    let text = |fork: &Spatial| {
        let shapes: Vec<String> = fork.arms.iter().map(|(_, shape)| shape.notation()).collect();
        let arms: Vec<&str> = fork.arms.iter().map(|&(arm, _)| direction_name(arm)).collect();
        let threat = found.virtuals.iter().find(|threat| threat.at == fork.second);
        format!(
            "{} {} ({}) by {}, then {}",
            position.label(fork.crossing),
            shapes.join("×"),
            arms.join(", "),
            position.label(fork.second),
            threat.map_or(String::new(), |threat| line(position, &threat.line, false))
        )
    };
    found.spatial.iter().map(text).collect()
}
