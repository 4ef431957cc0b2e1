//! Input: a file, standard input, or words of a command line.

use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::foreign::{foreign, is_binary};
use super::table::{self, FileView, Form};
use super::text::bounded;
use goren_core::record::import::{Hints, ImportedGame, Note, Place, UnreadableGame, list, rif};
use goren_core::record::text::{Input, Text};

/// Number of first bytes that decide whether a file is read piece by piece.
const HEAD: u64 = 1 << 14;

/// Input to read games from.
pub struct Opened {
    /// The name of the file; `None` for words.
    pub name: Option<String>,
    bytes: Vec<u8>,
    /// The file, if it is read piece by piece.
    path: Option<PathBuf>,
}

/// The games of an input.
pub struct Games<'a> {
    /// Form of the games.
    pub form: Form,
    /// Notes about all games, with places in the file.
    pub notes: Vec<Note>,
    /// Whether there are too many games to go through all of them.
    pub endless: bool,
    /// Whether the text is taken for a drawn board because no other form fits: an error then
    /// names the option that sets the form.
    pub is_unrecognised: bool,
    games: Box<dyn Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a>,
    text: Option<&'a Text<'a>>,
    input: Option<&'a Input<'a>>,
}

impl Iterator for Games<'_> {
    type Item = Result<ImportedGame, UnreadableGame>;

    fn next(&mut self) -> Option<Self::Item> {
        self.games.next()
    }
}

impl Games<'_> {
    /// Converts a place in a game to the place in the file.
    pub fn place(&self, place: Place) -> Place {
        match (self.text, self.input) {
            // SGF is read from the bytes.
            (_, Some(input)) if self.form == Form::Sgf => input.place(place),
            (Some(text), _) => text.place(place),
            _ => place,
        }
    }

    /// Returns a note of a game with its place in the file.
    pub fn placed(&self, note: &Note) -> Note {
        Note { place: self.place(note.place), ..note.clone() }
    }
}

/// Name extensions of files with games or positions.
pub const ENDINGS: &[&str] =
    &["sgf", "psq", "txt", "json", "jsonl", "pgn", "pos", "sav", "rif", "xml", "lib", "rec", "wzq"];

/// Whether an argument is meant as the name of a file.
fn is_path(text: &str) -> bool {
    let is_link = list::is_link(text);
    !is_link && !text.contains(['\n', ';', '{']) && (text.contains(['/', '\\']) || has_ending(text))
}

fn has_ending(text: &str) -> bool {
    let is_ending = |ending: &&str| text.strip_suffix(*ending).is_some_and(|s| s.ends_with('.'));
    ENDINGS.iter().any(is_ending)
}

/// Whether a word is one or more moves, although there may be a file of that name. A single
/// letter is a column in which pieces fall; several letters are rather a name than SGF points.
fn is_moves(word: &str) -> bool {
    let is_column = word.len() == 1 && word.starts_with(|sign: char| sign.is_ascii_alphabetic());
    let has_row = word.contains(|sign: char| sign.is_ascii_digit());
    is_column || has_row && list::looks(word, None)
}

/// Refuses words if one of them is the name of a file or a folder.
fn check_moves(words: &[String]) -> Result<()> {
    for word in words.iter().filter(|word| !is_moves(word)) {
        let path = Path::new(word);
        if path.is_dir() {
            bail!("{word} is a folder");
        } else if path.exists() {
            bail!("{word} is a file: give one file, or moves");
        } else if has_ending(word) {
            bail!("there is no file {word}");
        }
    }
    Ok(())
}

impl Opened {
    /// Opens what the words of a command line mean: a file, `-` for standard input, or the
    /// words themselves.
    ///
    /// # Errors
    /// The file cannot be read, or is too large; a folder, or a file among moves.
    pub fn of_words(words: &[String]) -> Result<Opened> {
        match words {
            [only] if only == "-" => {
                if io::stdin().is_terminal() {
                    // It does not matter if this cannot be written.
                    let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
                    let _ = writeln!(io::stderr(), "Reading the position; end it with {end}.");
                }
                Opened::of_input("standard input", &mut io::stdin().lock())
            }
            // The name may be that of a pipe.
            [only] if Path::new(only).exists() && !Path::new(only).is_dir() => {
                Opened::of_path(Path::new(only))
            }
            [only] if is_path(only) && !Path::new(only).is_dir() => {
                bail!("there is no file {only}")
            }
            words => {
                check_moves(words)?;
                Ok(Opened::of_text(&words.join(" ")))
            }
        }
    }

    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read, or is too large.
    pub fn of_path(path: &Path) -> Result<Opened> {
        let name = path.display().to_string();
        if path.is_dir() {
            let message = format!("{name} is a folder");
            return Err(io::Error::new(io::ErrorKind::IsADirectory, message).into());
        }
        let context = || format!("cannot read {name}");
        let file = File::open(path).with_context(context)?;
        let mut head = Vec::new();
        (&file).take(HEAD).read_to_end(&mut head).with_context(context)?;
        // Anything but a file, such as a pipe, can be read only once.
        let is_file = file.metadata().is_ok_and(|data| data.is_file());
        if is_file && rif::looks(&head) {
            return Ok(Opened { name: Some(name), bytes: head, path: Some(path.to_owned()) });
        }
        Opened::of_input(&name, &mut head.as_slice().chain(&file))
    }

    /// Reads a whole input, which messages call `name`.
    ///
    /// # Errors
    /// The input cannot be read, is too large, or is empty.
    pub fn of_input(name: &str, input: &mut dyn Read) -> Result<Opened> {
        let bytes = bounded(input).with_context(|| format!("cannot read {name}"))?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            bail!("{name} is empty");
        }
        Ok(Opened { name: Some(name.into()), bytes, path: None })
    }

    /// Opens a text.
    pub fn of_text(text: &str) -> Opened {
        Opened::of_bytes(text.as_bytes())
    }

    /// Opens bytes.
    pub fn of_bytes(bytes: &[u8]) -> Opened {
        Opened { name: None, bytes: bytes.to_vec(), path: None }
    }

    /// Passes the games to `body`, read in `form` or in the form that the input looks like.
    ///
    /// # Errors
    /// The bytes are not a text, or an error of `body`. The error has the name of the
    /// file.
    pub fn games<T>(
        &self,
        form: Option<Form>,
        hints: &Hints,
        body: impl FnOnce(&mut Games<'_>) -> Result<T>,
    ) -> Result<T> {
        let read = || {
            if let Some(path) = self.path.as_ref().filter(|_| form.is_none_or(|f| f == Form::Rif)) {
                let file = BufReader::new(File::open(path)?);
                return body(&mut plain(
                    Form::Rif,
                    Box::new(rif::Games::of_file(file, *hints)),
                    true,
                ));
            }
            if let Some(form) = form.or_else(|| table::binary(&self.bytes, self.name.as_deref()))
                && let Some(games) = table::read_binary(form, &self.bytes, hints)
            {
                return body(&mut plain(form, games, false));
            }
            if let Some(what) = foreign(&self.bytes).filter(|_| form.is_none()) {
                bail!("not a game or position but {what}");
            }
            let input = Input::new(&self.bytes, hints.code_page)?;
            if form.is_none() && is_binary(input.bytes()) {
                bail!("not a game or position, and not text; --form pos reads a binary position");
            }
            if form == Some(Form::Rif) || form.is_none() && rif::looks(input.bytes()) {
                let games = rif::Games::of_text(Cursor::new(input.bytes()), *hints);
                return body(&mut plain(Form::Rif, Box::new(games), false));
            }
            let text = input.decode(hints.code_page);
            let view = FileView { input: &input, text: text.as_str(), hints };
            let guessed = form.is_none();
            let (form, note) = match form {
                Some(form) => (form, None),
                None => table::form(&view),
            };
            let of_text = if form == Form::Sgf { input.notes() } else { text.notes() };
            let notes = of_text.iter().cloned().chain(note).collect();
            let mut games = table::read(form, &view, hints);
            let is_unrecognised = guessed && form == Form::Board;
            if is_unrecognised {
                games = Box::new(games.map(|game| game.map_err(unrecognised)));
            }
            let (text, input) = (Some(&text), Some(&input));
            let endless = false;
            body(&mut Games { form, notes, endless, is_unrecognised, games, text, input })
        };
        let read = read();
        match &self.name {
            Some(name) => read.with_context(|| name.clone()),
            None => read,
        }
    }
}

/// The error for a text that was taken for a drawn board because no other form fits.
fn unrecognised(game: UnreadableGame) -> UnreadableGame {
    let reason = format!(
        "no game or position is recognised (as a drawn board: {}); name the form with --form",
        game.reason
    );
    UnreadableGame { reason, ..game }
}

/// Games whose places are already those of the file.
fn plain<'a>(
    form: Form,
    games: Box<dyn Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a>,
    endless: bool,
) -> Games<'a> {
    let (notes, is_unrecognised) = (Vec::new(), false);
    Games { form, notes, endless, is_unrecognised, games, text: None, input: None }
}
