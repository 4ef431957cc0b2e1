//! The games of `goren match` as other files have theirs.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::engine::Terms;
use crate::json_family::FamilyRecord;
use crate::json_game::{JsonGame, is_head};
use goren_core::record::import::{ImportedGame, Place, UnreadableGame};
use goren_core::rules::{Contest, OpeningId, Variant};

/// The games of JSON Lines, one a line; blank lines are none, nor is the head
/// of a match.
pub(super) fn read(text: &str) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + '_ {
    let is_game =
        |(number, line): &(usize, &str)| !(line.trim().is_empty() || *number == 1 && is_head(line));
    (1..).zip(text.lines()).filter(is_game).map(|(number, line)| {
        let place = Place::Line(number);
        let game = game(line, number).map_err(|error| {
            // The errors of lines name them themselves.
            let reason = format!("{error:#}");
            let own = format!("line {number}: ");
            UnreadableGame { place, reason: reason.replacen(&own, "", 1) }
        })?;
        Ok(ImportedGame { places: vec![place; game.events.len()], ..game })
    })
}

fn game(line: &str, number: usize) -> Result<ImportedGame> {
    let fields: Value = serde_json::from_str(line)?;
    let Some(name) = fields["variant"].as_str() else {
        return Ok(JsonGame::from_line(line, number)?.record.imported());
    };
    let side = |key: &str| fields[key].as_u64().unwrap_or(0) as usize;
    let opened = fields["opened"].as_str().and_then(OpeningId::from_name);
    let contest = Contest::new(Variant::from_name(name)?)
        .opened(opened.context("no opening that is known")?)?
        .on(side("width"), side("height"))?;
    let tie_break = fields["tie_break"].as_bool().unwrap_or(false);
    let contest = Contest { tie_break, ..contest };
    let (record, _) = FamilyRecord::from_line(line, number, Terms::Family(contest))?;
    Ok(record.imported())
}
