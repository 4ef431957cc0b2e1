//! Input: a file, standard input, or words.

use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::foreign::{foreign, is_binary};
use super::table::{self, FileView, Form};
use super::text::bounded;
use goren_core::record::import::{Hints, ImportedGame, Note, Place, UnreadableGame, list, rif};
use goren_core::record::text::{Input, Text};

/// Bytes in which a file shows whether it is read piece by piece.
const HEAD: u64 = 1 << 14;

/// Something to be read.
pub struct Opened {
    /// The name of the file; `None` for words.
    pub name: Option<String>,
    bytes: Vec<u8>,
    /// The file, where it is too large to be held.
    path: Option<PathBuf>,
}

/// The games of something that was opened.
pub struct Games<'a> {
    /// How they are written.
    pub form: Form,
    /// What there is to say of all of them. Places are those of the file.
    pub notes: Vec<Note>,
    /// Whether to go through all of them is too much.
    pub endless: bool,
    /// Whether they are taken for drawn boards because they are nothing else: a fault names
    /// the option that says what they are.
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
    /// A place that a game names as one of the file.
    pub fn place(&self, place: Place) -> Place {
        match (self.text, self.input) {
            // SGF is read as the bytes are.
            (_, Some(input)) if self.form == Form::Sgf => input.place(place),
            (Some(text), _) => text.place(place),
            _ => place,
        }
    }

    /// A note of a game with its place in the file.
    pub fn placed(&self, note: &Note) -> Note {
        Note { place: self.place(note.place), ..note.clone() }
    }
}

/// Endings of the names of files with games or positions.
pub const ENDINGS: &[&str] =
    &["sgf", "psq", "txt", "json", "jsonl", "pgn", "pos", "sav", "rif", "xml", "lib", "rec", "wzq"];

/// Whether an argument was meant as the name of a file.
fn is_path(text: &str) -> bool {
    let is_link = list::is_link(text);
    !is_link && !text.contains(['\n', ';', '{']) && (text.contains(['/', '\\']) || has_ending(text))
}

fn has_ending(text: &str) -> bool {
    let has = |end: &&str| text.strip_suffix(*end).is_some_and(|rest| rest.ends_with('.'));
    ENDINGS.iter().any(has)
}

/// Whether a word is a move or moves, though there may be a file of that name. One letter
/// is a column in which pieces fall; more of them are rather a name than points of SGF.
fn is_moves(word: &str) -> bool {
    let is_column = word.len() == 1 && word.starts_with(|sign: char| sign.is_ascii_alphabetic());
    let has_row = word.contains(|sign: char| sign.is_ascii_digit());
    is_column || has_row && list::looks(word, None)
}

/// Refuses words among which there is the name of a file or a folder.
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
    /// What the words of a command line mean: a file, `-`, or themselves.
    ///
    /// # Errors
    /// The file cannot be read, or is too large; a folder, or a file among moves.
    pub fn of_words(words: &[String]) -> Result<Opened> {
        match words {
            [only] if only == "-" => {
                if io::stdin().is_terminal() {
                    // Not an error if this cannot be written.
                    let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
                    let _ = writeln!(io::stderr(), "Reading the position; end it by {end}.");
                }
                Opened::of_input("standard input", &mut io::stdin().lock())
            }
            // A pipe has a name too.
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

    /// A file.
    ///
    /// # Errors
    /// It cannot be read, or is too large.
    pub fn of_path(path: &Path) -> Result<Opened> {
        let name = path.display().to_string();
        if path.is_dir() {
            let said = format!("{name} is a folder");
            return Err(io::Error::new(io::ErrorKind::IsADirectory, said).into());
        }
        let cannot = || format!("cannot read {name}");
        let file = File::open(path).with_context(cannot)?;
        let mut head = Vec::new();
        (&file).take(HEAD).read_to_end(&mut head).with_context(cannot)?;
        // What is no file, such as a pipe, can be read only once.
        let is_file = file.metadata().is_ok_and(|data| data.is_file());
        if is_file && rif::looks(&head) {
            return Ok(Opened { name: Some(name), bytes: head, path: Some(path.to_owned()) });
        }
        Opened::of_input(&name, &mut head.as_slice().chain(&file))
    }

    /// All of an input that is called `name`.
    ///
    /// # Errors
    /// It cannot be read, is too large, or there is nothing in it.
    pub fn of_input(name: &str, input: &mut dyn Read) -> Result<Opened> {
        let bytes = bounded(input).with_context(|| format!("cannot read {name}"))?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            bail!("{name} is empty");
        }
        Ok(Opened { name: Some(name.into()), bytes, path: None })
    }

    /// A text.
    pub fn of_text(text: &str) -> Opened {
        Opened::of_bytes(text.as_bytes())
    }

    /// Bytes.
    pub fn of_bytes(bytes: &[u8]) -> Opened {
        Opened { name: None, bytes: bytes.to_vec(), path: None }
    }

    /// Hands the games to `body`, in a form or the one it looks like.
    ///
    /// # Errors
    /// The bytes are no text, or what `body` returns. The name of the file is
    /// named.
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
                bail!("no game or position: it is {what}");
            }
            let input = Input::new(&self.bytes, hints.code_page)?;
            if form.is_none() && is_binary(input.bytes()) {
                bail!("no game or position: it is no text; --form pos reads a binary position");
            }
            if form == Some(Form::Rif) || form.is_none() && rif::looks(input.bytes()) {
                let games = rif::Games::of_text(Cursor::new(input.bytes()), *hints);
                return body(&mut plain(Form::Rif, Box::new(games), false));
            }
            let text = input.decode(hints.code_page);
            let seen = FileView { input: &input, text: text.as_str(), hints };
            let guessed = form.is_none();
            let (form, note) = match form {
                Some(form) => (form, None),
                None => table::form(&seen),
            };
            let of_text = if form == Form::Sgf { input.notes() } else { text.notes() };
            let notes = of_text.iter().cloned().chain(note).collect();
            let mut games = table::read(form, &seen, hints);
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

/// The fault of a text that was taken for a drawn board because it is nothing else.
fn unrecognised(game: UnreadableGame) -> UnreadableGame {
    let reason = format!(
        "no game or position is recognised in it (as a drawn board: {}); --form names its form",
        game.reason
    );
    UnreadableGame { reason, ..game }
}

/// Games whose places are those of the file.
fn plain<'a>(
    form: Form,
    games: Box<dyn Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a>,
    endless: bool,
) -> Games<'a> {
    let (notes, is_unrecognised) = (Vec::new(), false);
    Games { form, notes, endless, is_unrecognised, games, text: None, input: None }
}
