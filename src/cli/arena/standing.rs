//! The standing of a match. A part of a match also counts the games of the other parts, whose
//! journals lie in sibling folders.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::args::MatchSettings;
use super::journal::{JOURNAL, read_game};
use super::line::MatchRecord;
use super::schedule::Schedule;
use super::totals::MatchTotals;
use crate::run::siblings::{SiblingPlace, Siblings};
use goren_core::rules::Contest;

/// Time between reads of the journals of the other parts.
const INTERVAL: Duration = Duration::from_secs(2);

/// Standing of a match or of a part of it.
pub(super) struct Standing<'a> {
    schedule: &'a Schedule,
    contest: Contest,
    /// Totals of this run's own journal.
    pub(super) own: MatchTotals,
    /// Totals of all parts, if a sequential test counts them together.
    pub(super) all: Option<MatchTotals>,
    siblings: Option<Siblings>,
    last_look: Instant,
}

impl<'a> Standing<'a> {
    /// Counts the games of an earlier run, and those of the other parts.
    ///
    /// # Errors
    /// Another folder holds the same part; a journal of a part is damaged.
    pub(super) fn new(settings: &'a MatchSettings, past: &[MatchRecord]) -> Result<Standing<'a>> {
        let (engines, schedule) = (settings.contestants.len(), &settings.schedule);
        let siblings = match settings.out.as_ref().filter(|_| !settings.shard.is_whole()) {
            Some(folder) => {
                let (journal, header) = (folder.join(JOURNAL), settings.header());
                Some(Siblings::new(&journal, SiblingPlace::Folders, &header, settings.shard)?)
            }
            None => None,
        };
        let totals = |sprt| MatchTotals::new(engines, schedule, sprt);
        let is_part = siblings.is_some();
        let mut standing = Standing {
            schedule,
            contest: settings.terms.contest(),
            own: totals(settings.sprt.filter(|_| !is_part)),
            all: settings.sprt.filter(|_| is_part).map(|sprt| totals(Some(sprt))),
            siblings,
            last_look: Instant::now(),
        };
        past.iter().for_each(|line| standing.add(line));
        standing.look()?;
        Ok(standing)
    }

    /// Counts a game of this run.
    pub(super) fn add(&mut self, line: &MatchRecord) {
        self.own.add(line, self.schedule);
        if let Some(all) = &mut self.all {
            all.add(line, self.schedule);
        }
    }

    /// Now and then counts the new games of the other parts, if a sequential test needs them.
    ///
    /// # Errors
    /// Those of [`Standing::new`].
    pub(super) fn keep_up(&mut self) -> Result<()> {
        let is_due = self.all.is_some() && self.last_look.elapsed() >= INTERVAL;
        if is_due { self.look() } else { Ok(()) }
    }

    fn look(&mut self) -> Result<()> {
        self.last_look = Instant::now();
        let Standing { siblings, all, schedule, contest, .. } = self;
        let Some(siblings) = siblings else { return Ok(()) };
        siblings.look(|line| {
            if let Some(all) = all {
                all.add(&read_game(line, contest, schedule)?, schedule);
            }
            Ok(())
        })
    }

    /// Whether a sequential test has a verdict.
    pub(super) fn is_decided(&self) -> bool {
        self.all.as_ref().unwrap_or(&self.own).decided()
    }
}
