//! Parses trees. Memory grows only with the bytes that have been read: no length stated in a file
//! is used to allocate.

use std::io::{self, ErrorKind, Read};

use super::build::Builder;
use super::flag;
use super::header::{MAGIC, NEWEST, header};
use super::limits::{Full, Limits};
use super::place::is_place;
use super::tree::Tree;

/// A fault in a library file, with the part of the tree that was read before it.
#[derive(Debug, thiserror::Error)]
#[error("byte {byte}: {fault}; nodes read before: {}", .tree.len())]
pub struct LibError {
    /// Position of the fault, or the beginning of the node or text that contains it, from 0.
    pub byte: u64,
    /// The fault.
    pub fault: LibFault,
    /// The tree that was read before the fault.
    pub tree: Box<Tree>,
}

/// Kind of fault in a library file.
#[derive(Debug, thiserror::Error)]
pub enum LibFault {
    /// The file begins neither with a header nor with the centre.
    #[error("not a RenLib library: it begins neither with a head nor with the centre")]
    Foreign,
    /// The file ends within the header.
    #[error("the file ends within its head")]
    TruncatedHeader,
    /// The version is newer than the known ones and may have another format.
    #[error("version {major}.{minor} is newer than 3.4, the newest known version")]
    Version {
        /// Number before the dot.
        major: u8,
        /// Number after the dot.
        minor: u8,
    },
    /// A byte is no place of the board.
    #[error("{0:#04x} is no cell of a board of 15x15")]
    Place(u8),
    /// The file ends within a node.
    #[error("the file ends within the node that begins here")]
    CutNode,
    /// The file ends within a text: a comment, or the text of a cell.
    #[error("the file ends within the {0} that begins here")]
    CutText(&'static str),
    /// There are bytes after the last node of the tree.
    #[error("the tree is complete here, but the file goes on")]
    Trailing,
    /// A limit is reached.
    #[error("the library is too large: {0}")]
    Full(#[from] Full),
    /// Reading fails.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl Tree {
    /// Reads a library within the default limits.
    ///
    /// # Errors
    /// The input is no library, or a broken one. The error holds the tree read before the fault.
    pub fn read(input: impl Read) -> Result<Tree, LibError> {
        Tree::read_within(input, Limits::default())
    }

    /// Reads a library within given limits.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_within(input: impl Read, limits: Limits) -> Result<Tree, LibError> {
        let mut source = Source::new(input);
        let mut builder = Builder::new(limits);
        match read_all(&mut source, &mut builder) {
            Ok(unmet) => Ok(Tree { unmet, ..builder.finish() }),
            Err(fault) => {
                let byte = if let LibFault::Io(_) = fault { source.offset } else { source.mark };
                Err(LibError { byte, fault, tree: Box::new(builder.finish()) })
            }
        }
    }
}

/// Reads header and nodes. Returns how many announced nodes are missing at the end.
fn read_all(source: &mut Source<impl Read>, builder: &mut Builder) -> Result<usize, LibFault> {
    builder.tree.header = read_head(source)?;
    // Whether a sibling of a closed node must come next, and whether the tree is complete.
    let (mut awaited, mut complete) = (false, false);
    let mut first = true;
    while let Some(place) = source.begin_node()? {
        if complete {
            return Err(LibFault::Trailing);
        }
        if !is_place(place) {
            return Err(LibFault::Place(place));
        }
        let flags = source.byte()?.ok_or(LibFault::CutNode)?;
        let mut extension = 0;
        if flags & flag::EXTENSION != 0 {
            let high = source.byte()?.ok_or(LibFault::CutNode)?;
            let low = source.byte()?.ok_or(LibFault::CutNode)?;
            extension = u16::from_be_bytes([high, low]);
        }
        let old = flags & flag::OLD_COMMENT != 0;
        // A comment in the old format is stored as one in the new format.
        let node_flags = if old { flags | flag::COMMENT } else { flags };
        let root = first && place == 0;
        if first {
            builder.tree.rooted = root;
        }
        if root {
            builder.start_root(node_flags, extension)?;
        } else {
            builder.push(place, node_flags, extension)?;
        }
        if old {
            read_old_comment(source, builder)?;
        } else if node_flags & flag::COMMENT != 0 {
            read_text(source, "comment", |byte| builder.comment_byte(byte))?;
        }
        if extension & flag::TEXT != 0 {
            read_text(source, "text of a cell", |byte| builder.text_byte(byte))?;
        }
        first = false;
        awaited = false;
        // The leaf flag of the root is ignored.
        while flags & flag::LEAF != 0 && !root && !awaited && !complete {
            awaited = builder.close();
            complete = !awaited && builder.open.len() == 1;
        }
    }
    let announced = |&&id: &&u32| builder.tree.nodes[id as usize].flags & flag::SIBLING != 0;
    let siblings = builder.open.iter().filter(announced).count();
    let child = !complete && builder.open.len() > 1;
    Ok(siblings + usize::from(awaited || child))
}

/// Reads the header, or makes one for files without.
fn read_head(source: &mut Source<impl Read>) -> Result<[u8; 20], LibFault> {
    let start = source.peek(20)?;
    let Some(&head) = start.first_chunk::<20>().filter(|head| head.starts_with(&MAGIC)) else {
        return match start {
            _ if start.starts_with(&MAGIC) || MAGIC.starts_with(start) => {
                Err(LibFault::TruncatedHeader)
            }
            // The games of the oldest files begin in the centre.
            [CENTRE, ..] => Ok(header(OLDEST)),
            _ => Err(LibFault::Foreign),
        };
    };
    let (major, minor) = (head[8], head[9]);
    if (major, minor) > NEWEST {
        source.mark = 8;
        return Err(LibFault::Version { major, minor });
    }
    source.skip(head.len());
    Ok(head)
}

/// The place of the centre.
const CENTRE: u8 = 0x78;

/// Version written for files without a header: like them, it has no node for the root.
const OLDEST: (u8, u8) = (3, 0);

/// Reads a text up to its terminating 0, and the padding byte after it.
fn read_text(
    source: &mut Source<impl Read>,
    what: &'static str,
    mut take: impl FnMut(u8) -> Result<(), Full>,
) -> Result<(), LibFault> {
    source.mark = source.offset;
    loop {
        match source.byte()?.ok_or(LibFault::CutText(what))? {
            0 => return source.skip_padding(),
            byte => take(byte)?,
        }
    }
}

/// Reads a comment in the old format. Six Swedish letters take the place of brackets and the like
/// in ASCII; they are converted to Windows-1252.
fn read_old_comment(source: &mut Source<impl Read>, builder: &mut Builder) -> Result<(), LibFault> {
    source.mark = source.offset;
    loop {
        let byte = source.byte()?.ok_or(LibFault::CutText("comment"))?;
        match byte & 0x7f {
            // A zero byte would end a comment in the new format.
            0 => {}
            b'}' => builder.comment_byte(0xe5)?,
            b'{' => builder.comment_byte(0xe4)?,
            b'|' => builder.comment_byte(0xf6)?,
            b']' => builder.comment_byte(0xc5)?,
            b'[' => builder.comment_byte(0xc4)?,
            b'\\' => builder.comment_byte(0xd6)?,
            ascii => builder.comment_byte(ascii)?,
        }
        if byte & 0x80 != 0 {
            return source.skip_padding();
        }
    }
}

/// Buffered input that counts its bytes.
struct Source<R> {
    input: R,
    buffer: Box<[u8]>,
    /// Next unread byte of the buffer.
    next: usize,
    /// End of the filled part of the buffer.
    end: usize,
    /// Offset of the next byte.
    offset: u64,
    /// Offset at which the current node or text begins, for messages.
    mark: u64,
}

impl<R: Read> Source<R> {
    fn new(input: R) -> Source<R> {
        let buffer = vec![0; 1 << 16].into_boxed_slice();
        Source { input, buffer, next: 0, end: 0, offset: 0, mark: 0 }
    }

    /// Appends input to the buffer. Returns false at the end of the input.
    fn fill(&mut self) -> io::Result<bool> {
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Ok(false),
                Ok(read) => {
                    self.end += read;
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the first bytes, fewer if the input has fewer. Must be called before any byte is
    /// read.
    fn peek(&mut self, bytes: usize) -> io::Result<&[u8]> {
        while self.end < bytes && self.fill()? {}
        Ok(&self.buffer[..self.end.min(bytes)])
    }

    /// Skips buffered bytes.
    fn skip(&mut self, bytes: usize) {
        self.next += bytes;
        self.offset += bytes as u64;
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        if self.next == self.end {
            (self.next, self.end) = (0, 0);
            if !self.fill()? {
                return Ok(None);
            }
        }
        let byte = self.buffer[self.next];
        self.skip(1);
        Ok(Some(byte))
    }

    /// Sets the mark and reads the first byte of a node.
    fn begin_node(&mut self) -> io::Result<Option<u8>> {
        self.mark = self.offset;
        self.byte()
    }

    /// Skips the padding byte of the text that began at the mark, if its length is odd. Nothing
    /// is lost if the file ends before that byte.
    fn skip_padding(&mut self) -> Result<(), LibFault> {
        if (self.offset - self.mark) % 2 == 1 {
            self.byte()?;
        }
        Ok(())
    }
}
