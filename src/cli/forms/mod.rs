//! Reading games from files and arguments ([`goren_notation::forms`]): the user's options, and
//! the notes on standard error.

mod kind;
mod note_writer;
mod pick;
mod text;

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ValueEnum};

use super::variant;
use crate::number::whole;
use goren_core::record::import::{self, Hints};
use goren_core::record::text::CodePage;
use goren_core::rules::{Contest, OpeningId, RuleId, Variant, named};
use goren_notation::forms::Form;

pub(crate) use goren_notation::forms::{
    Games, Opened, Overview, PlayOptions, Played, Refusal, SetUpError, Typed, opened_by, play,
    set_up,
};
pub(crate) use kind::{Kind, of_kind, other_kind};
pub(crate) use note_writer::{IN_PLAY, NoteWriter};
pub(crate) use pick::pick;
pub(crate) use text::text_of;

/// Arguments that say how a file is to be read.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct ReadingArgs {
    /// Game with its options, such as renju or pente+keryo, or a name used by
    /// sites and programs; `goren games` lists them. Default: what the file
    /// says, or freestyle.
    #[arg(long, alias = "rule")]
    pub(crate) game: Option<String>,
    /// Board size, such as 15 or 20x15 (columns x rows); default: what the file
    /// says, or the usual board of the game.
    #[arg(long, value_parser = variant::size)]
    pub(crate) size: Option<(usize, usize)>,
    /// Format of the input; default: detected.
    #[arg(long, value_enum)]
    pub(crate) form: Option<Form>,
    /// Count numbered rows from the top; default: as the format usually does.
    #[arg(long, conflicts_with = "from_bottom")]
    pub(crate) from_top: bool,
    /// Count numbered rows from the bottom.
    #[arg(long)]
    pub(crate) from_bottom: bool,
    /// Whether the column letters include I; default: detected.
    #[arg(long, value_enum)]
    pub(crate) columns: Option<ColumnsArg>,
    /// Encoding of the text, such as utf-8, gbk or shift_jis; default: what the
    /// file says, or detected.
    #[arg(long, value_parser = code_page)]
    pub(crate) encoding: Option<CodePage>,
    /// Number of the first column and row in pairs such as 8,8: 0 or 1;
    /// default: detected.
    #[arg(long, value_parser = whole::<u8>(0..=1))]
    pub(crate) origin: Option<u8>,
    /// Meaning of the lines in a list of moves; default: detected.
    #[arg(long, value_enum)]
    pub(crate) lines: Option<LinesArg>,
    /// Accept a game whose stones or rule are in doubt: report and skip what is not
    /// understood, and everything after an illegal move.
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// How columns are lettered.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColumnsArg {
    /// A to Z, with I (also all).
    #[value(alias = "all")]
    WithI,
    /// A to Z without I, as on Go boards (also go).
    #[value(alias = "go")]
    WithoutI,
}

/// What the lines of a list of moves are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LinesArg {
    /// All lines are one game.
    Moves,
    /// Each line is a game.
    Games,
}

/// Restricts the argument `--form` of a command that needs a game: boards have no moves.
pub(crate) fn of_games(arg: Arg) -> Arg {
    let forms = Form::value_variants().iter().filter(|&&form| form != Form::Board);
    let forms: Vec<PossibleValue> = forms.filter_map(Form::to_possible_value).collect();
    arg.value_parser(PossibleValuesParser::new(forms).try_map(|name| Form::from_str(&name, true)))
}

fn code_page(name: &str) -> Result<CodePage, String> {
    CodePage::named(name).ok_or_else(|| format!("there is no encoding {name:?}"))
}

impl ReadingArgs {
    /// Converts the user's options.
    ///
    /// # Errors
    /// There is no such game, or it has no board of this size.
    pub(crate) fn hints(&self) -> Result<Hints> {
        let columns = self.columns.map(|columns| match columns {
            ColumnsArg::WithI => import::Columns::WithI,
            ColumnsArg::WithoutI => import::Columns::WithoutI,
        });
        let variant = self.game.as_deref().map(variant::game).transpose()?;
        if let Some((width, height)) = self.size {
            // Freestyle has all boards that any game has.
            let any = Variant::Five(RuleId::Freestyle);
            let contest = Contest::new(variant.unwrap_or(any)).opened(OpeningId::Free)?;
            contest.on(width, height)?;
        }
        Ok(Hints {
            variant,
            size: self.size,
            named_size: self.game.as_deref().and_then(|name| named(name)?.size),
            columns,
            from_top: (self.from_top || self.from_bottom).then_some(self.from_top),
            code_page: self.encoding,
            origin: self.origin.map(usize::from),
            per_line: self.lines.map(|lines| lines == LinesArg::Games),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_an_option_value() {
        assert_eq!(Form::ALL, Form::value_variants());
    }

    #[test]
    fn rows_are_counted_as_the_options_say() {
        let from_top = |from_top, from_bottom| {
            let reading = ReadingArgs { from_top, from_bottom, ..ReadingArgs::default() };
            reading.hints().unwrap().from_top
        };
        assert_eq!(from_top(false, false), None);
        assert_eq!(from_top(true, false), Some(true));
        assert_eq!(from_top(false, true), Some(false));
    }

    #[test]
    fn an_impossible_size_is_refused_before_the_moves() {
        let error = |game: Option<&str>, size| {
            let game = game.map(String::from);
            let reading = ReadingArgs { game, size: Some(size), ..ReadingArgs::default() };
            reading.hints().map(drop).map_err(|error| error.to_string())
        };
        assert!(error(None, (0, 0)).unwrap_err().contains("sides are 5 to 26"));
        assert!(error(Some("connect6+torus"), (26, 6)).unwrap_err().contains("both alike"));
        assert_eq!(error(Some("four-in-a-row"), (7, 6)), Ok(()));
    }

    #[test]
    fn files_of_lines_are_decoded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.txt");
        let wide = [0xfeff].into_iter().chain("h8i9\n".encode_utf16()).flat_map(u16::to_be_bytes);
        for bytes in
            [wide.collect::<Vec<u8>>(), "\u{feff}h8i9\n".as_bytes().to_vec(), b"h8i9\n".to_vec()]
        {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(text_of(&path).unwrap(), "h8i9\n");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(text_of(&path).unwrap_err().to_string().contains("cannot read"));
    }
}
