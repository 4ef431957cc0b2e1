//! Reads files of trees of both kinds.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::packed::Packed;
use super::replies::{board, replies_to_check};
use goren_proof::{Claim, Damage, Form, Proof, is_packed, read_head};

/// Maximum length of the head of a file in bytes.
pub const MAX_HEAD: u64 = 1 << 13;

/// The content of a tree file.
pub enum TreeFile {
    /// A move for each position, under its key.
    Table(Proof),
    /// The answers for a checker, in the order in which it asks for them.
    Packed(Packed),
}

impl TreeFile {
    /// The claim of the tree.
    pub fn claim(&self) -> &Claim {
        match self {
            TreeFile::Table(proof) => &proof.claim,
            TreeFile::Packed(packed) => &packed.claim,
        }
    }
}

/// Reads the claim of a file, from its head alone.
///
/// # Errors
/// The file cannot be read, or is not a tree.
pub fn claim(path: &Path) -> Result<Claim> {
    let place = || path.display().to_string();
    let mut front = Vec::new();
    let file = File::open(path).with_context(place)?;
    file.take(MAX_HEAD).read_to_end(&mut front).with_context(place)?;
    let form = if is_packed(&front) { Form::Packed } else { Form::Table };
    Ok(read_head(form, &front).with_context(place)?.0)
}

/// Reads a file.
///
/// # Errors
/// The file cannot be read, or is damaged.
pub fn open(path: &Path) -> Result<TreeFile> {
    let place = || path.display().to_string();
    let bytes = fs::read(path).with_context(place)?;
    if let Some(packed) = Packed::read(&bytes).with_context(place)? {
        let asked = replies_to_check(&packed.claim, &board(&packed.claim)?);
        let known = packed.parts().iter().all(|part| asked.contains(&part.reply));
        ensure!(known, "{}: a part belongs to no reply", place());
        return Ok(TreeFile::Packed(packed));
    }
    let (proof, damage) = goren_proof::read(&bytes).with_context(place)?;
    let message = |damage: Damage| {
        format!("{}: damaged at byte {}, {} bytes lost", place(), damage.offset, damage.lost)
    };
    ensure!(damage.is_none(), damage.map_or(String::new(), message));
    Ok(TreeFile::Table(proof))
}
