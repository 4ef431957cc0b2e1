//! The tree in files, the one that the page keeps, and those that were given up for others.

use anyhow::Result;

use super::files::{OwnGame, Restored};
use super::left_out::left_out;
use super::training::Aside;
use super::{Change, Model, files, view};
use crate::schema::{Event, Form};

impl Model {
    /// A person's own game: in an exercise or a walk the one that was put aside.
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

    /// The game that is shown.
    fn shown_game(&self) -> OwnGame<'_> {
        OwnGame {
            tree: &self.tree,
            players: self.play.players,
            levels: self.play.levels,
            review: self.review.as_ref(),
            clock: self.clock.as_ref(),
        }
    }

    /// The tree for the page to keep.
    pub(super) fn kept(&self) -> Result<Event> {
        Ok(Event::Kept { text: files::keep(&self.own_game())? })
    }

    /// The tree, where there is something in it, before it is given up for another one, or
    /// for less of it (`part`).
    pub(super) fn replaced(&self, part: bool) -> Option<Event> {
        let game = self.own_game();
        if game.tree.is_untouched() {
            return None;
        }
        replaced_event(&game, part)
    }

    /// The tree of an exercise or a walk, where anything was written into it, before it is
    /// given up.
    pub(super) fn written(&self, part: bool) -> Option<Event> {
        replaced_event(&self.written_game()?, part)
    }

    /// The same before it is given up, as the page may be closed or opened anew.
    pub(super) fn noted(&self) -> Option<Event> {
        let (text, game, positions) = described(&self.written_game()?)?;
        Some(Event::Noted { text, game, positions })
    }

    /// The game of an exercise or a walk, where anything was written into it.
    fn written_game(&self) -> Option<OwnGame<'_>> {
        let is_aside = self.exercise.is_some() || self.walk.is_some();
        let game = OwnGame { review: None, ..self.shown_game() };
        Some(game).filter(|game| is_aside && game.tree.has_notes(0))
    }

    /// Shows a tree that was kept.
    pub(super) fn restore(&mut self, text: &str, events: &mut Vec<Event>) -> Result<Change> {
        let Restored { tree, players, levels, review, clock } = files::restore(text)?;
        self.take_up(tree, events);
        (self.play.players, self.review, self.clock) = (players, review, clock);
        self.play.levels = levels.unwrap_or(self.play.levels);
        events.push(self.review_view());
        events.push(self.setting());
        events.push(Event::Game(view::game(&self.tree)));
        // Whoever was to act is not hurried by a page that was opened again.
        Ok(Change::Moved)
    }

    pub(super) fn save(&self, form: Form, events: &mut Vec<Event>) -> Result<Change> {
        let (end, mime, content) = files::write(&self.shown_game(), form)?;
        let text = content.sent();
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

    /// Tells what a form does not hold of the tree.
    fn left_out(&self, form: Form) -> impl Iterator<Item = Event> {
        left_out(&self.tree, form).into_iter().map(|text| Event::Message { text })
    }
}

/// The event by which the page keeps a tree that is replaced.
fn replaced_event(game: &OwnGame<'_>, part: bool) -> Option<Event> {
    let (text, game, positions) = described(game)?;
    Some(Event::Replaced { text, game, positions, part })
}

/// A game as it is kept, its name, and its positions after the first.
fn described(game: &OwnGame<'_>) -> Option<(String, String, usize)> {
    let text = files::keep(game).ok()?;
    let name = game.tree.beginning().contest().variant.to_string();
    Some((text, name, game.tree.len() - 1))
}
