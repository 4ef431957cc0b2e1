//! Commands about a position database (Yixin-Board extension). An engine without a database must
//! parse them too, so that their lists, texts and paths are not taken for moves or positions.

use std::fmt;

use crate::point::Point;
use crate::text::one_line;

/// What a database query asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseQuery {
    /// Every child of the position.
    All,
    /// Every child of the position, and its text.
    AllText,
    /// The position's own record.
    One,
    /// The position's text.
    Text,
}

/// A command about the position database.
///
/// `position` is always the list of moves that leads to the record's position, black first. It is
/// **not** the position of the game: the GUIs send queries even while the engine searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseCommand {
    /// Print records.
    Query {
        /// Which records.
        kind: DatabaseQuery,
        /// The position.
        position: Vec<Point>,
    },
    /// Open the database at this path.
    Set(String),
    /// Write the database.
    Save,
    /// Change a record's tag, value and depth.
    EditTvd {
        /// What to change: 1 the tag, 2 the value, 4 the depth, or a sum of these.
        mask: i64,
        /// The tag as an ASCII code; -1 = none.
        tag: i64,
        /// The value.
        value: i64,
        /// The depth.
        depth: i64,
        /// The position.
        position: Vec<Point>,
    },
    /// Change a record's text.
    EditText {
        /// The new text; may have several lines.
        text: String,
        /// The position.
        position: Vec<Point>,
    },
    /// Change the label on a cell.
    EditLabel {
        /// The cell; Yixin-Board 2.1 does not name one.
        at: Option<Point>,
        /// The new label; empty = delete it.
        label: String,
        /// The position.
        position: Vec<Point>,
    },
    /// Mark the last move of this list as the best one.
    SetBestMove(Vec<Point>),
    /// Remove the mark of the best move.
    ClearBestMove(Vec<Point>),
    /// Delete the position's record.
    DeleteOne(Vec<Point>),
    /// Delete the records below the position.
    DeleteAll {
        /// Which records, such as `wl` or `wlinstep 5`; empty = all.
        filter: String,
        /// The position.
        position: Vec<Point>,
    },
    /// Export the current branch as text.
    ToText(String),
    /// Export everything as text.
    ToTextAll(String),
    /// Import a Renlib file.
    FromLib(String),
    /// Export a Renlib file.
    ToLib(String),
    /// Merge another database into this one.
    Merge(String),
    /// Split off a part into another database.
    Split(String),
    /// Export positions.
    ToPos(String),
    /// Import text.
    FromText(String),
    /// Check the database.
    Check,
    /// Repair the database.
    Fix,
}

/// Defines a method that borrows a field of the variants that have it, and one that borrows it
/// mutably.
macro_rules! accessors {
    ($get:ident -> $shared:ty, $get_mut:ident -> $owned:ty: $variants:pat => $field:ident) => {
        pub(crate) fn $get(&self) -> Option<&$shared> {
            match self {
                $variants => Some($field),
                _ => None,
            }
        }

        pub(crate) fn $get_mut(&mut self) -> Option<&mut $owned> {
            match self {
                $variants => Some($field),
                _ => None,
            }
        }
    };
}

impl DatabaseCommand {
    pub(crate) fn keyword(&self) -> &'static str {
        match self {
            Self::Query { kind: DatabaseQuery::All, .. } => "YXQUERYDATABASEALL",
            Self::Query { kind: DatabaseQuery::AllText, .. } => "YXQUERYDATABASEALLT",
            Self::Query { kind: DatabaseQuery::One, .. } => "YXQUERYDATABASEONE",
            Self::Query { kind: DatabaseQuery::Text, .. } => "YXQUERYDATABASETEXT",
            Self::Set(_) => "YXSETDATABASE",
            Self::Save => "YXSAVEDATABASE",
            Self::EditTvd { .. } => "YXEDITTVDDATABASE",
            Self::EditText { .. } => "YXEDITTEXTDATABASE",
            Self::EditLabel { .. } => "YXEDITLABELDATABASE",
            Self::SetBestMove(_) => "YXSETBESTMOVEDATABASE",
            Self::ClearBestMove(_) => "YXCLEARBESTMOVEDATABASE",
            Self::DeleteOne(_) => "YXDELETEDATABASEONE",
            Self::DeleteAll { .. } => "YXDELETEDATABASEALL",
            Self::ToText(_) => "YXDBTOTXT",
            Self::ToTextAll(_) => "YXDBTOTXTALL",
            Self::FromLib(_) => "YXLIBTODB",
            Self::ToLib(_) => "YXDBTOLIB",
            Self::Merge(_) => "YXDBMERGE",
            Self::Split(_) => "YXDBSPLIT",
            Self::ToPos(_) => "YXDBTOPOS",
            Self::FromText(_) => "YXTXTTODB",
            Self::Check => "YXDBCHECK",
            Self::Fix => "YXDBFIX",
        }
    }

    accessors! {
        position -> [Point], position_mut -> Vec<Point>:
        Self::Query { position, .. }
            | Self::EditTvd { position, .. }
            | Self::EditText { position, .. }
            | Self::EditLabel { position, .. }
            | Self::DeleteAll { position, .. }
            | Self::SetBestMove(position)
            | Self::ClearBestMove(position)
            | Self::DeleteOne(position) => position
    }

    accessors! {
        path -> str, path_mut -> String:
        Self::Set(path)
            | Self::ToText(path)
            | Self::ToTextAll(path)
            | Self::FromLib(path)
            | Self::ToLib(path)
            | Self::Merge(path)
            | Self::Split(path)
            | Self::ToPos(path)
            | Self::FromText(path) => path
    }

    /// The quoted text, which the list follows without a line end.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::EditText { text, .. } => Some(text),
            _ => None,
        }
    }

    pub(crate) fn write_arguments(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EditTvd { mask, tag, value, depth, .. } => {
                write!(f, " {mask} {tag} {value} {depth}")
            }
            Self::EditText { text, .. } => {
                let quoted = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\r', "\n");
                write!(f, " \"{quoted}\"")
            }
            Self::EditLabel { at: Some(at), label, .. } => write!(f, " {at} {}", one_line(label)),
            Self::EditLabel { at: None, label, .. } => write!(f, " {}", one_line(label)),
            Self::DeleteAll { filter, .. } if !filter.is_empty() => {
                write!(f, " {}", one_line(filter))
            }
            _ => Ok(()),
        }
    }
}
