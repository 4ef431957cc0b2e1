//! Bitboards of one machine word or of two.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use bytemuck::Zeroable;

/// A bitboard, which is also a slot of the table.
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
    /// Nothing.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;
    /// Bits of a word.
    const BITS: u32;
    /// Bits of a bound in a slot of the table: scores lie within half of what
    /// they can number.
    const BOUND: u32;
    /// What keys are multiplied by, odd.
    const MIX: Self;

    /// The sum without its overflow.
    fn plus(self, other: Self) -> Self;
    /// The difference without its overflow.
    fn minus(self, other: Self) -> Self;
    /// The product without its overflow.
    fn times(self, other: Self) -> Self;
    /// Number of bits set.
    fn ones(self) -> u32;
    /// A number as it is.
    fn of(number: u64) -> Self;
    /// The lower bits.
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

// The golden ratio in binary.
word!(u64, 6, 0x9e37_79b9_7f4a_7c15);
word!(u128, 7, 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
