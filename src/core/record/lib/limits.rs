//! How large a library may become.

/// Bounds of what is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nodes below the root, at most 2^32 - 2; eight bytes each.
    pub nodes: usize,
    /// Bytes of all texts, at most 2^32 - 1.
    pub text: usize,
}

/// Far more than any library that is known, and no more than machines have.
impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 100_000_000, text: 1 << 30 }
    }
}

/// A limit that is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Full {
    /// [`Limits::nodes`].
    #[error("more than {0} nodes")]
    Nodes(usize),
    /// [`Limits::text`].
    #[error("more than {0} bytes of text")]
    Text(usize),
    /// The machine's.
    #[error("no memory for it")]
    Memory,
}
