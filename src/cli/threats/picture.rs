//! Survey as a picture.

use super::by_search::ColorFindings;
use super::linear::LinearShape;
use super::marks::{ThreatSign, marks};
use super::survey::Survey;
use super::words::line;
use crate::analyze::picture;
use crate::picture::{Picture, PointMark};
use crate::position::{ForbiddenPoint, name};
use goren_core::types::Color;

/// Maximum number of lines of play below the board.
const MAX_LINES: usize = 8;

/// Draws the board with the strongest threat of each cell, and the lines that the search found.
pub(super) fn picture(survey: &Survey, forbidden: &[ForbiddenPoint]) -> Picture {
    let mut picture = picture::board(survey.position, &[], forbidden);
    let mut letters: Vec<ThreatSign> = Vec::new();
    for side in &survey.sides {
        for mark in marks(side) {
            // An overline is only a foul and is marked as such.
            if mark.shape != Some(LinearShape::Overline) {
                picture.marks.push((mark.cell, PointMark::Threat(side.color, mark.label())));
            }
            letters.extend(mark.sign);
        }
    }
    letters.sort();
    letters.dedup();
    let meanings = letters.iter().map(|sign| format!("{} {}", sign.letter(), sign.meaning()));
    let meanings = meanings.collect::<Vec<_>>().join(", ");
    picture.captions.extend(Some(meanings).filter(|text| !text.is_empty()));
    let lines = survey.sides.iter().filter_map(|side| Some((side.color, side.found.as_ref()?)));
    let lines = lines.flat_map(|(color, found)| captions(survey, color, found));
    picture.captions.extend(lines.take(MAX_LINES));
    picture
}

fn captions(survey: &Survey, color: Color, found: &ColorFindings) -> Vec<String> {
    let position = survey.position;
    let vcf = found
        .vcf
        .iter()
        .map(|stones| format!("{} wins by fours: {}", name(color), line(position, stones, false)));
    let forks = found.virtuals.iter().filter_map(|threat| {
        let rest = line(position, threat.fork.as_ref()?, true);
        Some(format!("{}: virtual fork {} {rest}", name(color), position.label(threat.at)))
    });
    let threats = found.virtuals.iter().filter(|threat| threat.fork.is_none()).map(|threat| {
        let rest = line(position, &threat.line, false);
        format!("{}: virtual threat {}, then {rest}", name(color), position.label(threat.at))
    });
    vcf.chain(forks).chain(threats).collect()
}
