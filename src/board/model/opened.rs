//! Opens games from files and links, and lists files.

use anyhow::{Context, Result, bail, ensure};

use super::records::{Remarks, assumed};
use super::tree::Tree;
use super::{Change, Folder, Model, files, libraries, link, tree_files};
use crate::schema::{Event, Player};

impl Model {
    /// Shows a game from a file or link: the engine plays for neither seat.
    fn look_at(&mut self, tree: Tree, events: &mut Vec<Event>) {
        self.replace_game(tree, events);
        self.play.players = [Player::Person; 2];
        events.push(self.setting());
    }

    fn open(
        &mut self,
        name: &str,
        bytes: &[u8],
        number: Option<usize>,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| files::is_tree(text)) {
            return self.restore(text, events).with_context(|| name.to_owned());
        }
        if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| link::is_link(text)) {
            return self.open_link(text, events);
        }
        if number.is_none()
            && let Some(list) = files::list_games(name, bytes)
        {
            events.push(list);
            return Ok(Change::Nothing);
        }
        let opened = self.opened(bytes, number.unwrap_or(1)).with_context(|| name.to_owned());
        let (tree, notes) = opened?;
        self.look_at(tree, events);
        for note in notes.into_lines() {
            events.push(Event::Message { text: format!("{name}: {note}.") });
        }
        Ok(Change::Game)
    }

    /// Opens a file that the page sent as text, a character for each byte.
    pub(super) fn open_text(
        &mut self,
        name: &str,
        bytes: &str,
        number: Option<usize>,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let bytes = files::bytes(bytes).with_context(|| name.to_owned())?;
        self.open(name, &bytes, number, events)
    }

    pub(super) fn open_file(
        &mut self,
        name: &str,
        number: Option<usize>,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let bytes = self.folder()?.read(name)?;
        self.open(name, &bytes, number, events)
    }

    pub(super) fn list_files(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        let names = self.folder()?.names()?;
        events.push(Event::Files { names });
        Ok(Change::Nothing)
    }

    pub(super) fn link(&self, events: &mut Vec<Event>) -> Result<Change> {
        events.push(Event::Link { text: link::write(self.game_state()) });
        Ok(Change::Nothing)
    }

    pub(super) fn open_link(&mut self, text: &str, events: &mut Vec<Event>) -> Result<Change> {
        let game_state = link::read(text)?;
        self.look_at(Tree::of_game(&game_state)?, events);
        Ok(Change::Game)
    }

    /// Reads the tree of a file.
    fn opened(&self, bytes: &[u8], number: usize) -> Result<(Tree, Remarks)> {
        let rule = assumed(self.game_state().contest());
        if libraries::is_lib(bytes) {
            return libraries::from_lib(bytes, rule);
        }
        ensure!(number > 0, "games are numbered from 1");
        if let Some(opened) = tree_files::from_sgf(bytes, number, rule)? {
            return Ok(opened);
        }
        files::open(bytes, number, rule)?.tree()
    }

    pub(super) fn folder(&self) -> Result<&dyn Folder> {
        match &self.folder {
            Some(folder) => Ok(&**folder),
            None => bail!("there is no folder: name one with goren board --folder FOLDER"),
        }
    }
}
