//! Beginning, loading and saving games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::files;
use super::input::{InputLine, LineSource};
use super::load::{LoadArgs, unquoted};
use super::table::{Heading, Match};
use crate::variant::{BoardArgs, GameArgs};
use goren_board::players;
use goren_core::opening::GameState;
use goren_decide::Decider;
use goren_notation::words::plural;

impl Match {
    pub(super) fn begin(
        &mut self,
        words: &str,
        input: &mut dyn LineSource,
        out: &mut dyn Write,
    ) -> Result<()> {
        let mut words = words.split_whitespace().map(String::from);
        let contest = match words.next() {
            Some(game) => {
                let board = BoardArgs::new(Some(game), None);
                GameArgs::new(board, words.next(), false).contest()?
            }
            None => *self.game_state.contest(),
        };
        if !self.offer_to_save(input, out)? {
            return Ok(());
        }
        self.start_from(GameState::new(contest), out)
    }

    /// Continues with another game.
    pub(super) fn start_from(&mut self, game_state: GameState, out: &mut dyn Write) -> Result<()> {
        if game_state.contest() == self.game_state.contest() {
            self.decider.forget();
        } else {
            self.decider = Decider::new(game_state.contest(), &self.weights, &self.hash);
        }
        self.hash.clear();
        self.saved_state = (game_state.actions().to_vec(), None);
        self.game_state = game_state;
        self.placed.clear();
        self.undone.clear();
        self.closed = None;
        self.heading = Heading::default();
        self.saved_path = None;
        self.games += 1;
        if let Some(clock) = &mut self.clock {
            clock.reset();
        }
        self.greet(out)?;
        self.show(out)
    }

    pub(super) fn save(&mut self, file: &str, over: bool, out: &mut dyn Write) -> Result<()> {
        let file = unquoted(file);
        if file.is_empty() {
            bail!("save FILE, such as save game.sgf");
        }
        let mut path = PathBuf::from(file);
        if path.is_dir() {
            bail!("{file} is a folder");
        }
        if path.extension().is_none() {
            path.set_extension("sgf");
        }
        // The file of this game may be overwritten.
        let over = over || self.saved_path.as_ref() == Some(&path);
        let own = || players::names(self.players, [self.setting.level; 2]);
        let names = self.heading.names.clone().unwrap_or_else(own);
        let closed = self.closed.as_ref().map(|closed| (closed.ending, closed.reason.to_owned()));
        let end = closed.or_else(|| self.heading.ending.clone());
        let game = files::record(&self.game_state, names, &self.heading, end);
        files::write(&path, &game, over)?;
        self.saved_state = (self.game_state.actions().to_vec(), self.closed.clone());
        let moves = plural(self.saved_state.0.len(), "ply", "plies");
        writeln!(out, "{moves} saved in {}.", path.display())?;
        let missing = files::unsaved_parts(&path, game, self.game_state.result().is_some());
        if !missing.is_empty() {
            let parts = missing.join(", ");
            writeln!(out, "Not in this file: {parts}. A .sgf file has everything.")?;
        }
        if !self.placed.is_empty() {
            let are = if self.placed.len() == 1 { "is" } else { "are" };
            let pending = self.lettering().labels(&self.placed);
            writeln!(out, "{pending} {are} not saved: the turn is not finished.")?;
        }
        self.saved_path = Some(path);
        Ok(())
    }

    pub(super) fn load(
        &mut self,
        typed: &str,
        input: &mut dyn LineSource,
        out: &mut dyn Write,
    ) -> Result<()> {
        let resumed = files::load(&LoadArgs::read(typed)?, self.game_state.contest())?;
        if !self.offer_to_save(input, out)? {
            return Ok(());
        }
        if let Some(note) = &resumed.result_note {
            writeln!(out, "{note}")?;
        }
        self.players = resumed.players.unwrap_or(self.players);
        self.setting.level = resumed.level.unwrap_or(self.setting.level);
        self.start_from(resumed.game_state, out)?;
        self.heading = resumed.heading;
        Ok(())
    }

    /// Whether the game has plies or an end that are not saved.
    fn is_unsaved(&self) -> bool {
        let (plies, closed) = &self.saved_state;
        !plies.starts_with(self.game_state.actions())
            || self.closed.is_some() && self.closed != *closed
    }

    /// Asks the user who leaves a game whether to save it. Returns false after an interrupt:
    /// then the game goes on.
    pub(super) fn offer_to_save(
        &mut self,
        input: &mut dyn LineSource,
        out: &mut dyn Write,
    ) -> Result<bool> {
        while input.is_person() && self.is_unsaved() {
            let typed =
                input.line("Save the game? A file name such as game.sgf, or Enter> ", out)?;
            let file = match typed {
                InputLine::Text(file) => file,
                InputLine::Interrupt => return Ok(false),
                InputLine::End => break,
            };
            let file = file.trim();
            if matches!(file.to_lowercase().as_str(), "" | "n" | "no" | "quit") {
                break;
            }
            let file =
                if matches!(file.to_lowercase().as_str(), "y" | "yes") { "game.sgf" } else { file };
            match self.save(file, false, out) {
                Ok(()) => break,
                Err(error) => writeln!(out, "{error:#}")?,
            }
        }
        Ok(true)
    }
}
