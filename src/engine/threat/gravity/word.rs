//! Bitboards of 64 or 128 bits.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use bytemuck::Zeroable;

/// An unsigned integer that serves as bitboard and as slot of the table.
pub(super) trait Word:
    Copy
    + PartialEq
    + Zeroable
    + Send
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No bit set.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;
    /// Number of bits.
    const BITS: u32;
    /// Bits of a bound in a slot of the table. The magnitude of scores must be below
    /// `2^(BOUND - 1)`.
    const BOUND: u32;
    /// The odd multiplier of keys.
    const MIX: Self;

    /// Adds with wrapping.
    fn plus(self, other: Self) -> Self;
    /// Subtracts with wrapping.
    fn minus(self, other: Self) -> Self;
    /// Multiplies with wrapping.
    fn times(self, other: Self) -> Self;
    /// Counts the bits set.
    fn ones(self) -> u32;
    /// Zero-extends a number.
    fn of(number: u64) -> Self;
    /// Returns the lower 64 bits.
    fn low(self) -> u64;

    /// Whether more than one bit is set.
    #[inline]
    fn several(self) -> bool {
        self & self.minus(Self::ONE) != Self::ZERO
    }
}

macro_rules! word {
    ($name:ty, $bound:expr, $mix:expr) => {
        impl Word for $name {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const BITS: u32 = <$name>::BITS;
            const BOUND: u32 = $bound;
            const MIX: Self = $mix;

            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline]
            fn ones(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn of(number: u64) -> Self {
                number.into()
            }
            #[inline]
            fn low(self) -> u64 {
                self as u64
            }
        }
    };
}

// Multipliers: the binary fraction of the golden ratio.
word!(u64, 6, 0x9e37_79b9_7f4a_7c15);
word!(u128, 7, 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
