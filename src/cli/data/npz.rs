//! NumPy's `.npz`: a zip archive of arrays, each a `.npy` file. The `zip` crate makes the
//! archive. The head of an array is written here, as the libraries for it need the whole
//! array in memory.
//!
//! A `.npy` file of version 1.0 is `93 "NUMPY" 01 00`, the length of the head (2 bytes,
//! little endian), the head, and the elements in C order. The head is a Python
//! dictionary, filled with spaces to a multiple of 64 bytes up to its newline; see
//! NumPy's documentation of `numpy.lib.format`.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Bytes from which on a member of an archive needs long sizes, less some for its head.
const LARGE: u64 = (1 << 32) - (1 << 16);

/// The head of an array, its type in NumPy's notation.
pub(super) fn head(dtype: &str, shape: &[u64]) -> Vec<u8> {
    let sides: String = shape.iter().map(|side| format!("{side}, ")).collect();
    let mut text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({sides}), }}");
    // 10 bytes stand before it, and a newline ends it.
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text += &" ".repeat(length - 1 - text.len());
    text.push('\n');
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend((length as u16).to_le_bytes());
    head.extend(text.bytes());
    head
}

/// An archive that is being written.
pub(super) struct Npz<W: Write + Seek>(ZipWriter<W>);

impl<W: Write + Seek> Npz<W> {
    /// An empty archive.
    pub(super) fn new(output: W) -> Npz<W> {
        Npz(ZipWriter::new(output))
    }

    /// Adds an array with the elements `bytes`.
    ///
    /// # Errors
    /// An I/O error.
    pub(super) fn add(
        &mut self,
        name: &str,
        dtype: &str,
        shape: &[u64],
        bytes: &mut impl Read,
        length: u64,
    ) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .large_file(length >= LARGE);
        self.0.start_file(format!("{name}.npy"), options)?;
        self.0.write_all(&head(dtype, shape))?;
        let copied = io::copy(bytes, &mut self.0)?;
        if copied == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Ends the archive.
    ///
    /// # Errors
    /// An I/O error.
    pub(super) fn finish(self) -> io::Result<W> {
        Ok(self.0.finish()?)
    }
}

/// The elements of an array whose length is not known yet, in a file without a name.
pub(super) struct Column {
    /// The name of the array.
    pub(super) name: &'static str,
    /// Its type in NumPy's notation.
    pub(super) dtype: &'static str,
    file: BufWriter<File>,
    bytes: u64,
}

impl Column {
    /// An array without elements.
    pub(super) fn new(name: &'static str, dtype: &'static str, file: File) -> Column {
        Column { name, dtype, file: BufWriter::new(file), bytes: 0 }
    }

    /// Appends the bytes of elements.
    ///
    /// # Errors
    /// An I/O error.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Adds the array to an archive.
    ///
    /// # Errors
    /// An I/O error.
    pub(super) fn into_archive<W: Write + Seek>(
        self,
        archive: &mut Npz<W>,
        shape: &[u64],
    ) -> io::Result<()> {
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        archive.add(self.name, self.dtype, shape, &mut BufReader::new(file), self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use zip::ZipArchive;

    #[test]
    fn heads_match_those_of_numpy() {
        // numpy.lib.format.write_array of zeros((2, 3), "<i2") and zeros(70000, "|u1").
        let two =
            b"\x93NUMPY\x01\x00v\x00{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";
        let flat =
            b"\x93NUMPY\x01\x00v\x00{'descr': '|u1', 'fortran_order': False, 'shape': (70000,), }";
        for (begin, ours) in [(&two[..], head("<i2", &[2, 3])), (flat, head("|u1", &[70_000]))] {
            // NumPy writes no blank before the bracket; readers accept both.
            let text = |bytes: &[u8]| {
                String::from_utf8_lossy(bytes).replace(", )", ")").replace(",)", ")")
            };
            assert!(text(&ours).trim_end().starts_with(text(begin).trim_end()), "{}", text(&ours));
            assert_eq!((ours.len() % 64, ours.last()), (0, Some(&b'\n')));
        }
    }

    #[test]
    fn an_array_is_read_back() {
        let mut column = Column::new("score", "<i2", tempfile::tempfile().unwrap());
        column.append(&[1, 0]).unwrap();
        column.append(&[255, 255]).unwrap();
        let mut npz = Npz::new(Cursor::new(Vec::new()));
        column.into_archive(&mut npz, &[2]).unwrap();
        let archive = npz.finish().unwrap();
        let mut archive = ZipArchive::new(archive).unwrap();
        let mut bytes = Vec::new();
        archive.by_name("score.npy").unwrap().read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, [head("<i2", &[2]), vec![1, 0, 255, 255]].concat());
        let short = Npz::new(Cursor::new(Vec::new())).add("x", "|u1", &[2], &mut &[1u8][..], 2);
        assert!(short.is_err());
    }
}
