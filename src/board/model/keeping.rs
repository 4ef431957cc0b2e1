//! Saves the tree to files and for the page, which also stores replaced trees.

use anyhow::Result;

use super::files::{OwnGame, Restored};
use super::left_out::left_out;
use super::training::Aside;
use super::{Change, Model, files, view};
use crate::schema::{Event, Form};

impl Model {
    /// Returns the user's own game: in an exercise or a walk the game that was set aside.
    fn own_game(&self) -> OwnGame<'_> {
        let exercise = self.exercise.as_ref().map(|training| &training.aside);
        let aside = exercise.or_else(|| self.walk.as_ref().map(|walk| &walk.aside));
        match aside {
            Some(Aside { tree, players, review, clock }) => OwnGame {
                tree,
                players: *players,
                levels: self.play.levels,
                review: review.as_ref(),
                clock: clock.as_ref(),
            },
            None => self.shown_game(),
        }
    }

    /// Returns the game shown.
    fn shown_game(&self) -> OwnGame<'_> {
        OwnGame {
            tree: &self.tree,
            players: self.play.players,
            levels: self.play.levels,
            review: self.review.as_ref(),
            clock: self.clock.as_ref(),
        }
    }

    /// Returns the tree for the page to store.
    pub(super) fn kept(&self) -> Result<Event> {
        Ok(Event::Kept { text: files::keep(&self.own_game())? })
    }

    /// Returns the tree for the page, unless it is empty, before another tree replaces it or a
    /// part of it is removed (`part`).
    pub(super) fn replaced(&self, part: bool) -> Option<Event> {
        let game = self.own_game();
        if game.tree.is_untouched() {
            return None;
        }
        replaced_event(&game, part)
    }

    /// Returns the tree of an exercise or a walk for the page, if it has notes, before it is
    /// dropped.
    pub(super) fn replaced_notes(&self, part: bool) -> Option<Event> {
        replaced_event(&self.noted_game()?, part)
    }

    /// Returns the same while the tree is in use, as the page may be closed or reloaded.
    pub(super) fn noted(&self) -> Option<Event> {
        let (text, game, positions) = describe(&self.noted_game()?)?;
        Some(Event::Noted { text, game, positions })
    }

    /// Returns the game of an exercise or a walk, if it has notes.
    fn noted_game(&self) -> Option<OwnGame<'_>> {
        let is_aside = self.exercise.is_some() || self.walk.is_some();
        let game = OwnGame { review: None, ..self.shown_game() };
        Some(game).filter(|game| is_aside && game.tree.has_notes(0))
    }

    /// Shows a stored tree.
    pub(super) fn restore(&mut self, text: &str, events: &mut Vec<Event>) -> Result<Change> {
        let Restored { tree, players, levels, review, clock } = files::restore(text)?;
        self.replace_game(tree, events);
        (self.play.players, self.review, self.clock) = (players, review, clock);
        self.play.levels = levels.unwrap_or(self.play.levels);
        events.push(self.review_view());
        events.push(self.setting());
        events.push(Event::Game(view::game(&self.tree)));
        // `Moved`: reopening a page starts neither the engine nor the clock.
        Ok(Change::Moved)
    }

    pub(super) fn save(&self, form: Form, events: &mut Vec<Event>) -> Result<Change> {
        let (end, mime, content) = files::write(&self.shown_game(), form)?;
        let text = content.into_text();
        let name = format!("{}.{end}", self.game_state().contest().variant.sheet().name);
        events.push(Event::File { name, mime: mime.into(), text });
        events.extend(self.left_out(form));
        Ok(Change::Nothing)
    }

    pub(super) fn save_file(
        &self,
        name: &str,
        over: bool,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let form = files::form_of(name)?;
        let (.., content) = files::write(&self.shown_game(), form)?;
        self.folder()?.write(name, content.bytes(), over)?;
        events.push(Event::Message { text: format!("Saved as {name}.") });
        events.extend(self.left_out(form));
        Ok(Change::Nothing)
    }

    /// Reports what a format loses or changes of the tree.
    fn left_out(&self, form: Form) -> impl Iterator<Item = Event> {
        left_out(&self.tree, form).into_iter().map(|text| Event::Message { text })
    }
}

/// Returns the event by which the page stores a replaced tree.
fn replaced_event(game: &OwnGame<'_>, part: bool) -> Option<Event> {
    let (text, game, positions) = describe(game)?;
    Some(Event::Replaced { text, game, positions, part })
}

/// Returns the stored form of a game, its name, and its number of positions after the root.
fn describe(game: &OwnGame<'_>) -> Option<(String, String, usize)> {
    let text = files::keep(game).ok()?;
    let name = game.tree.beginning().contest().variant.to_string();
    Some((text, name, game.tree.len() - 1))
}
