//! Limits on the size of a library.

/// Limits on the size of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Number of nodes below the root, at most 2^32 - 2; a node takes eight bytes.
    pub nodes: usize,
    /// Number of bytes of all texts, at most 2^32 - 1.
    pub text: usize,
}

/// Far more than any known library needs, and no more memory than machines have.
impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 100_000_000, text: 1 << 30 }
    }
}

/// The limit that is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Full {
    /// [`Limits::nodes`].
    #[error("more than {0} nodes")]
    Nodes(usize),
    /// [`Limits::text`].
    #[error("more than {0} bytes of text")]
    Text(usize),
    /// The memory of the machine.
    #[error("not enough memory")]
    Memory,
}
