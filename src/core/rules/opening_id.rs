//! The opening protocols and their names.

use std::fmt;

/// The error text for an opening that is known by name only.
pub(super) const UNKNOWN_OPENING: &str =
    "this opening is not supported: the stones are played without its rules";

/// The opening protocols. `opening/` implements them.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum OpeningId {
    /// No restriction from the first stone on.
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
    /// Three stones; then swap, a stone, or two stones after which the other seat chooses.
    Swap2,
    /// Swaps after each of the first five stones.
    Swap5,
    /// Connect6: swap after the third turn.
    Swap3rd,
    /// Renju, the rule of 1989, before the classic one: the second seat places the second stone.
    Swap1989,
    /// Renju, the classic rule of 1996.
    Rif,
    /// Renju, with a declared number of fifths.
    Yamaguchi,
    /// Renju, the number of fifths declared with the fourth stone.
    Soosorv8,
    /// Renju, a swap after each of the first five stones.
    Tarannikov,
    /// Renju, as Tarannikov, or ten fifths after the fourth stone.
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

    /// A description: a sentence without its full stop.
    pub const fn text(self) -> &'static str {
        match self {
            OpeningId::Free => "anything goes from the first stone on",
            OpeningId::Centre => "the first stone goes to the centre",
            OpeningId::Pro => {
                "the first stone goes to the centre, the third outside the central 5x5"
            }
            OpeningId::LongPro => {
                "the first stone goes to the centre, the third outside the central 7x7"
            }
            OpeningId::Swap1st => "one player places the first stone, the other may swap colours",
            OpeningId::Swap => {
                "one player places three stones, Black, White, Black; the other swaps colours or \
                 places White's stone"
            }
            OpeningId::Swap2 => {
                "one player places three stones, Black, White, Black; the other swaps colours, or \
                 places White's stone, or places two more and leaves the colours to the first"
            }
            OpeningId::Swap5 => "after each of the first five stones the other player may swap",
            OpeningId::Swap3rd => {
                "the first stone goes to the centre, two of White inside the central 5x5, two of \
                 Black anywhere; then the other player may swap"
            }
            OpeningId::Swap1989 => {
                "the first three stones are placed in turn, then one player may swap; Black offers \
                 two fifths"
            }
            OpeningId::Rif => {
                "one player shows one of the 26 openings of three stones, the other may swap; \
                 after the fourth stone Black offers two fifths, of which White keeps one"
            }
            OpeningId::Yamaguchi => {
                "as rif, but whoever shows the opening also says how many fifths there will be"
            }
            OpeningId::Soosorv8 => {
                "as rif, but whoever places the fourth stone says how many fifths there will be, \
                 up to eight; then the other may swap"
            }
            OpeningId::Tarannikov => {
                "the first five stones lie in the central 1x1, 3x3, 5x5, 7x7, 9x9, and after each \
                 the other player may swap"
            }
            OpeningId::Taraguchi10 => {
                "as tarannikov; or, without a swap after the fourth stone, Black offers ten \
                 fifths, of which White keeps one"
            }
            OpeningId::SuperRif => "as rif, with larger zones for the second and third stone",
            OpeningId::SuperYamaguchi => {
                "as yamaguchi, with larger zones for the second and third stone"
            }
            OpeningId::SuperSoosorv8 => {
                "as soosorv-8, with larger zones for the second and third stone"
            }
            OpeningId::SuperTarannikov => {
                "as tarannikov, with larger zones for the second and third stone"
            }
            OpeningId::SuperTaraguchi10 => {
                "as taraguchi-10, with larger zones for the second and third stone"
            }
        }
    }

    /// The opening whose zones a "super" rule enlarges; for other openings the opening itself.
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
