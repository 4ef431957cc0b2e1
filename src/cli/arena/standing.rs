//! The standing of a match; of a part of a match with the games of the other parts, whose
//! journals lie in folders beside its own.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::args::MatchSettings;
use super::journal::{JOURNAL, read_game};
use super::line::MatchRecord;
use super::schedule::Schedule;
use super::totals::MatchTotals;
use crate::run::siblings::{SiblingPlace, Siblings};
use goren_core::rules::Contest;

/// How often the journals of the other parts are looked into.
const LOOK: Duration = Duration::from_secs(2);

/// The games that count.
pub(super) struct Standing<'a> {
    schedule: &'a Schedule,
    contest: Contest,
    /// Totals of this run's own journal.
    pub(super) own: MatchTotals,
    /// Totals of all parts, where a sequential test counts them together.
    pub(super) all: Option<MatchTotals>,
    siblings: Option<Siblings>,
    looked: Instant,
}

impl<'a> Standing<'a> {
    /// Counts the games that were played before, and those of the other parts.
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
            looked: Instant::now(),
        };
        past.iter().for_each(|line| standing.add(line));
        standing.look()?;
        Ok(standing)
    }

    /// Counts a game of this run's own.
    pub(super) fn add(&mut self, line: &MatchRecord) {
        self.own.add(line, self.schedule);
        if let Some(all) = &mut self.all {
            all.add(line, self.schedule);
        }
    }

    /// Counts what the other parts have played meanwhile, now and then, where a
    /// test waits for it.
    ///
    /// # Errors
    /// Those of [`Standing::new`].
    pub(super) fn keep_up(&mut self) -> Result<()> {
        if self.all.is_some() && self.looked.elapsed() >= LOOK { self.look() } else { Ok(()) }
    }

    fn look(&mut self) -> Result<()> {
        self.looked = Instant::now();
        let Standing { siblings, all, schedule, contest, .. } = self;
        let Some(siblings) = siblings else { return Ok(()) };
        siblings.look(|line| {
            if let Some(all) = all {
                all.add(&read_game(line, contest, schedule)?, schedule);
            }
            Ok(())
        })
    }

    /// Whether a sequential test has come to its end.
    pub(super) fn is_decided(&self) -> bool {
        self.all.as_ref().unwrap_or(&self.own).decided()
    }
}
