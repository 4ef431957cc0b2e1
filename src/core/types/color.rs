//! Colours and stones.

use std::ops::Not;

/// A side. Black is the side of the first stone of a game.
///
/// In serde formats it is `"black"` or `"white"`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[repr(usize)]
pub enum Color {
    /// The side that begins.
    Black = 0,
    /// The side that answers.
    White = 1,
}

impl Color {
    /// Both colours, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// Index into pairs: 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// Content of an occupied cell: a stone or a wall.
///
/// In serde formats it is `"black"`, `"white"` or `"wall"`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Name", from = "Name"))]
pub enum Stone {
    /// A stone of a side.
    Of(Color),
    /// A dead cell: a stone that counts for neither side. Continuous games have it in place of
    /// the stones of a finished five.
    Wall,
}

/// A [`Stone`] as a word in serde formats.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Stone", rename_all = "lowercase")]
enum Name {
    Black,
    White,
    Wall,
}

#[cfg(feature = "serde")]
impl From<Stone> for Name {
    fn from(stone: Stone) -> Name {
        match stone {
            Stone::Of(Color::Black) => Name::Black,
            Stone::Of(Color::White) => Name::White,
            Stone::Wall => Name::Wall,
        }
    }
}

#[cfg(feature = "serde")]
impl From<Name> for Stone {
    fn from(name: Name) -> Stone {
        match name {
            Name::Black => Stone::Of(Color::Black),
            Name::White => Stone::Of(Color::White),
            Name::Wall => Stone::Wall,
        }
    }
}
