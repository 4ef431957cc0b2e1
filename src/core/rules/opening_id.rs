//! The openings by their names.

use std::fmt;

/// What is told where an opening is known by name only.
pub(super) const UNKNOWN_OPENING: &str =
    "this opening is not known here: the stones are played as they come";

/// The opening protocols. What they are: `opening/`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum OpeningId {
    /// Anything from the first stone on.
    Free,
    /// The first stone in the centre.
    Centre,
    /// The first stone in the centre, the third outside the central 5x5.
    Pro,
    /// The first stone in the centre, the third outside the central 7x7.
    LongPro,
    /// Swap after the first stone.
    Swap1st,
    /// Three stones; then swap or a stone.
    Swap,
    /// Three stones; then swap, a stone, or two stones and the other chooses.
    Swap2,
    /// Swaps after each of the first five stones.
    Swap5,
    /// Connect6: swap after the third turn.
    Swap3rd,
    /// Renju, the rule before the classic one, of 1989: the second seat places the
    /// second stone.
    Swap1989,
    /// Renju, the classic rule of 1996.
    Rif,
    /// Renju, with a declared number of fifths.
    Yamaguchi,
    /// Renju, the number of fifths declared with the fourth stone.
    Soosorv8,
    /// Renju, swaps all along.
    Tarannikov,
    /// Renju, swaps all along, or ten fifths.
    Taraguchi10,
    /// [`OpeningId::Rif`] with larger zones for the second and the third stone.
    SuperRif,
    /// [`OpeningId::Yamaguchi`] with larger zones for the second and the third stone.
    SuperYamaguchi,
    /// [`OpeningId::Soosorv8`] with larger zones for the second and the third stone.
    SuperSoosorv8,
    /// [`OpeningId::Tarannikov`] with larger zones for the second and the third stone.
    SuperTarannikov,
    /// [`OpeningId::Taraguchi10`] with larger zones for the second and the third stone.
    SuperTaraguchi10,
}

impl OpeningId {
    /// Every opening.
    pub const ALL: [OpeningId; 20] = [
        OpeningId::Free,
        OpeningId::Centre,
        OpeningId::Pro,
        OpeningId::LongPro,
        OpeningId::Swap1st,
        OpeningId::Swap,
        OpeningId::Swap2,
        OpeningId::Swap5,
        OpeningId::Swap3rd,
        OpeningId::Swap1989,
        OpeningId::Rif,
        OpeningId::Yamaguchi,
        OpeningId::Soosorv8,
        OpeningId::Tarannikov,
        OpeningId::Taraguchi10,
        OpeningId::SuperRif,
        OpeningId::SuperYamaguchi,
        OpeningId::SuperSoosorv8,
        OpeningId::SuperTarannikov,
        OpeningId::SuperTaraguchi10,
    ];

    /// The name used on the command line and in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningId::Free => "free",
            OpeningId::Centre => "centre",
            OpeningId::Pro => "pro",
            OpeningId::LongPro => "long-pro",
            OpeningId::Swap1st => "swap-1st",
            OpeningId::Swap => "swap",
            OpeningId::Swap2 => "swap-2",
            OpeningId::Swap5 => "swap-5",
            OpeningId::Swap3rd => "swap-3rd",
            OpeningId::Swap1989 => "swap-1989",
            OpeningId::Rif => "rif",
            OpeningId::Yamaguchi => "yamaguchi",
            OpeningId::Soosorv8 => "soosorv-8",
            OpeningId::Tarannikov => "tarannikov",
            OpeningId::Taraguchi10 => "taraguchi-10",
            OpeningId::SuperRif => "super-rif",
            OpeningId::SuperYamaguchi => "super-yamaguchi",
            OpeningId::SuperSoosorv8 => "super-soosorv-8",
            OpeningId::SuperTarannikov => "super-tarannikov",
            OpeningId::SuperTaraguchi10 => "super-taraguchi-10",
        }
    }

    /// The opening whose zones a "super" rule makes larger; itself otherwise.
    pub const fn plain(self) -> OpeningId {
        match self {
            OpeningId::SuperRif => OpeningId::Rif,
            OpeningId::SuperYamaguchi => OpeningId::Yamaguchi,
            OpeningId::SuperSoosorv8 => OpeningId::Soosorv8,
            OpeningId::SuperTarannikov => OpeningId::Tarannikov,
            OpeningId::SuperTaraguchi10 => OpeningId::Taraguchi10,
            plain => plain,
        }
    }

    /// Whether the second stone may go to the central 5x5, not the 3x3, and the
    /// third to the central 7x7, not the 5x5 (renju).
    pub fn is_super(self) -> bool {
        self.plain() != self
    }
}

impl fmt::Display for OpeningId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
