//! Checksum (CRC-32) at the end of weights files.

use std::cmp::Ordering;

use super::error::WeightsError;

/// Bytes of the checksum.
pub(super) const CHECKSUM: usize = 4;

/// The bytes of a file of the `expected` length before its checksum.
///
/// # Errors
/// It has another length, or the checksum does not fit.
pub(super) fn checked(bytes: &[u8], expected: usize) -> Result<&[u8], WeightsError> {
    let found = bytes.len();
    match found.cmp(&expected) {
        Ordering::Less => return Err(WeightsError::Short { expected, found }),
        Ordering::Greater => return Err(WeightsError::Long { expected, found }),
        Ordering::Equal => {}
    }
    let (body, checksum) = bytes.split_at(expected - CHECKSUM);
    let expected = checksum.iter().rev().fold(0, |sum, &byte| sum << 8 | byte as u32);
    let found = crc32fast::hash(body);
    if found == expected { Ok(body) } else { Err(WeightsError::Damaged { expected, found }) }
}
