//! The commands of the Yixin-Board extension. Reads no lines and never swaps `row,col`.

use std::fmt;

use crate::database::DatabaseCommand;
use crate::list::{List, ListMut, ListRef};
use crate::placed::Placed;
use crate::point::Point;
use crate::text::one_line;

/// A command of the Yixin-Board extension. Its [`Point`]s are `row,col` when a Yixin GUI sent them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum YixinCommand {
    /// Announce the limits for threads and hash. A client that sends it is a Yixin GUI.
    ShowInfo,
    /// Set the position; neither search nor answer.
    Board(Vec<Placed>),
    /// Print the cells forbidden to the side to move.
    ShowForbid,
    /// Search the best `k` moves.
    NBest(u32),
    /// Find the moves that do not lose.
    SearchDefend,
    /// Find one stone that brings the evaluation close to this bias.
    BalanceOne(i32),
    /// Find two stones that bring the evaluation close to this bias.
    BalanceTwo(i32),
    /// Clear the transposition table.
    HashClear,
    /// Write the transposition table to this path.
    HashDump(String),
    /// Read the transposition table from this path.
    HashLoad(String),
    /// Report how full the transposition table is.
    ShowHashUsage,
    /// Do not consider these moves at the root.
    Block(Vec<Point>),
    /// Consider these moves at the root again.
    BlockUndo(Vec<Point>),
    /// Consider every move at the root again.
    BlockReset,
    /// Do not enter this sequence of moves (the position's moves first).
    BlockPath(Vec<Point>),
    /// Allow this sequence of moves again.
    BlockPathUndo(Vec<Point>),
    /// Allow every sequence of moves again.
    BlockPathReset,
    /// Add or delete a forbidden cell made by the user (`yxforbid add|del r c side`).
    Forbid {
        /// True to forbid the cell, false to allow it again.
        add: bool,
        /// The cell.
        at: Point,
        /// The side it concerns, as the GUI numbers the sides.
        side: i32,
    },
    /// Swap2: place the first three stones.
    Swap2Step1,
    /// Swap2: choose after three stones; [`YixinCommand::Board`] has sent the position.
    Swap2Step2,
    /// Swap2: choose after five stones; [`YixinCommand::Board`] has sent the position.
    Swap2Step3,
    /// Soosorv: place the first three stones.
    SoosorvStep1,
    /// Soosorv: decide whether to swap after these three stones.
    SoosorvStep2(Vec<Point>),
    /// Soosorv: place the fourth stone and declare the number of fifth moves to be offered.
    SoosorvStep3(Vec<Point>),
    /// Soosorv: decide whether to swap after these four stones.
    SoosorvStep4 {
        /// Number of fifth moves that will be offered.
        offers: u32,
        /// The stones so far.
        stones: Vec<Point>,
    },
    /// Soosorv: offer the fifth moves.
    SoosorvStep5 {
        /// Number of fifth moves to offer.
        offers: u32,
        /// The stones so far.
        stones: Vec<Point>,
    },
    /// Soosorv: choose one of the fifth moves, which are the last entries of this list.
    SoosorvStep6(Vec<Point>),
    /// The opponent offers a draw.
    Draw,
    /// The opponent asks whether the engine resigns.
    Resign,
    /// Print what the evaluation sees.
    PrintFeature,
    /// Read the configuration again (`RELOADCONFIG [file]`; gomocalc sends it before each search).
    ReloadConfig(String),
    /// A command about the position database.
    Database(DatabaseCommand),
}

impl YixinCommand {
    /// The command's keyword in upper case.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::ShowInfo => "YXSHOWINFO",
            Self::Board(_) => "YXBOARD",
            Self::ShowForbid => "YXSHOWFORBID",
            Self::NBest(_) => "YXNBEST",
            Self::SearchDefend => "YXSEARCHDEFEND",
            Self::BalanceOne(_) => "YXBALANCEONE",
            Self::BalanceTwo(_) => "YXBALANCETWO",
            Self::HashClear => "YXHASHCLEAR",
            Self::HashDump(_) => "YXHASHDUMP",
            Self::HashLoad(_) => "YXHASHLOAD",
            Self::ShowHashUsage => "YXSHOWHASHUSAGE",
            Self::Block(_) => "YXBLOCK",
            Self::BlockUndo(_) => "YXBLOCKUNDO",
            Self::BlockReset => "YXBLOCKRESET",
            Self::BlockPath(_) => "YXBLOCKPATH",
            Self::BlockPathUndo(_) => "YXBLOCKPATHUNDO",
            Self::BlockPathReset => "YXBLOCKPATHRESET",
            Self::Forbid { .. } => "YXFORBID",
            Self::Swap2Step1 => "YXSWAP2STEP1",
            Self::Swap2Step2 => "YXSWAP2STEP2",
            Self::Swap2Step3 => "YXSWAP2STEP3",
            Self::SoosorvStep1 => "YXSOOSORVSTEP1",
            Self::SoosorvStep2(_) => "YXSOOSORVSTEP2",
            Self::SoosorvStep3(_) => "YXSOOSORVSTEP3",
            Self::SoosorvStep4 { .. } => "YXSOOSORVSTEP4",
            Self::SoosorvStep5 { .. } => "YXSOOSORVSTEP5",
            Self::SoosorvStep6(_) => "YXSOOSORVSTEP6",
            Self::Draw => "YXDRAW",
            Self::Resign => "YXRESIGN",
            Self::PrintFeature => "YXPRINTFEATURE",
            Self::ReloadConfig(_) => "RELOADCONFIG",
            Self::Database(command) => command.keyword(),
        }
    }

    pub(crate) fn list(&self) -> Option<ListRef<'_>> {
        match self {
            Self::Board(list) => Some(List::Placed(list)),
            Self::Block(list)
            | Self::BlockUndo(list)
            | Self::BlockPath(list)
            | Self::BlockPathUndo(list)
            | Self::SoosorvStep2(list)
            | Self::SoosorvStep3(list)
            | Self::SoosorvStep4 { stones: list, .. }
            | Self::SoosorvStep5 { stones: list, .. }
            | Self::SoosorvStep6(list) => Some(List::Points(list)),
            Self::Database(command) => command.position().map(List::Points),
            _ => None,
        }
    }

    pub(crate) fn list_mut(&mut self) -> Option<ListMut<'_>> {
        match self {
            Self::Board(list) => Some(List::Placed(list)),
            Self::Block(list)
            | Self::BlockUndo(list)
            | Self::BlockPath(list)
            | Self::BlockPathUndo(list)
            | Self::SoosorvStep2(list)
            | Self::SoosorvStep3(list)
            | Self::SoosorvStep4 { stones: list, .. }
            | Self::SoosorvStep5 { stones: list, .. }
            | Self::SoosorvStep6(list) => Some(List::Points(list)),
            Self::Database(command) => command.position_mut().map(List::Points),
            _ => None,
        }
    }

    pub(crate) fn path(&self) -> Option<&str> {
        match self {
            Self::HashDump(path) | Self::HashLoad(path) => Some(path),
            Self::Database(command) => command.path(),
            _ => None,
        }
    }

    pub(crate) fn path_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::HashDump(path) | Self::HashLoad(path) => Some(path),
            Self::Database(command) => command.path_mut(),
            _ => None,
        }
    }

    pub(crate) fn write_arguments(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NBest(count) => write!(f, " {count}"),
            Self::BalanceOne(bias) | Self::BalanceTwo(bias) => write!(f, " {bias}"),
            Self::Forbid { add, at, side } => {
                // The only command that separates its coordinates by blanks.
                write!(f, " {} {} {} {side}", if *add { "add" } else { "del" }, at.x, at.y)
            }
            Self::SoosorvStep4 { offers, .. } | Self::SoosorvStep5 { offers, .. } => {
                write!(f, " {offers}")
            }
            Self::ReloadConfig(file) if !file.is_empty() => write!(f, " {}", one_line(file)),
            Self::Database(command) => command.write_arguments(f),
            _ => Ok(()),
        }
    }
}
