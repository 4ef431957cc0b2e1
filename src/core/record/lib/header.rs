//! File header: magic bytes and version.

/// Header of a file.
pub(super) type Header = [u8; 20];

/// The first bytes of a header.
pub(super) const MAGIC: [u8; 8] = *b"\xffRenLib\xff";

/// Major and minor number of the newest version, which RenLib 3 writes.
pub(super) const NEWEST: (u8, u8) = (3, 4);

/// Whether a file begins like a library of RenLib 2 or later.
pub fn looks(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Returns the header of a given version.
pub(super) fn header((major, minor): (u8, u8)) -> Header {
    let mut header = [0xff; 20];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = major;
    header[9] = minor;
    header
}
