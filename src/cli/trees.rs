//! Reads, writes and joins files of winning trees.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::forms::{Kind, of_kind};
use super::position::name;
use super::run::parts::with_target;
use super::run::stop::stopped_by_signal;
use super::search_pool;
use goren_core::types::Color;
use goren_files::{LockedFile, output_path, replace};
use goren_proof::{Claim, Form, NameError, NamedTrees, Proof, is_name};
use goren_trees::packed::{self, Packed};
use goren_trees::replies::board;
use goren_trees::{MAX_HEAD, TreeFile, open};

/// The folder of the trees that are given by name.
#[derive(Clone, clap::Args)]
pub(super) struct TreesArg {
    /// Folder of the trees that are given by name, with their index.txt; default: that of
    /// the environment variable GOREN_TREES, else `trees` beside the program and
    /// src/proof/trees.
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,
}

impl TreesArg {
    /// The trees of the folder.
    pub(super) fn named(&self) -> NamedTrees {
        NamedTrees::locate(self.trees.as_deref())
    }

    /// Returns a path as the name of a tree, if it may be one and no such file exists.
    fn name(path: &Path) -> Option<&str> {
        path.to_str().filter(|text| is_name(text) && !path.exists())
    }

    /// The packed file of a tree given by path or name.
    ///
    /// # Errors
    /// There is no tree of the name, or its file differs from the index.
    pub(super) fn packed(&self, path: &Path) -> Result<PathBuf> {
        let Some(name) = TreesArg::name(path) else { return Ok(path.to_path_buf()) };
        self.named().packed(name).map_err(|error| neither(name, error))
    }

    /// The same for a tree to play by: its table, if there is one.
    ///
    /// # Errors
    /// As in [`TreesArg::packed`].
    pub(super) fn any(&self, path: &Path) -> Result<PathBuf> {
        let Some(name) = TreesArg::name(path) else { return Ok(path.to_path_buf()) };
        match self.named().table(name) {
            Err(NameError::NoTable(..)) => self.packed(path),
            found => found.map_err(|error| neither(name, error)),
        }
    }
}

/// The error for a word that names neither a tree nor a file.
fn neither(name: &str, error: NameError) -> anyhow::Error {
    match error {
        NameError::NoFolder | NameError::Unknown(..) => {
            anyhow::anyhow!("there is no file {name}, and {error}")
        }
        error => error.into(),
    }
}

/// Why trees cannot be joined.
const DIFFERENT: &str =
    "it is about another position or rule: leave it out, or name another file to write";

/// Outcome of a run that is stopped while it unpacks a tree.
const NOT_UNPACKED: &str = "nothing of this run is kept; the next run unpacks the packed tree anew";

/// Unpacks a packed tree into a table.
fn unpack(packed: &Packed) -> Result<Proof> {
    let board = board(&packed.claim)?;
    let pool = search_pool(None)?;
    let bar = ProgressBar::new(packed.parts().len() as u64);
    bar.set_style(ProgressStyle::with_template("unpacking {bar:40} {pos} of {len} replies")?);
    let moves = |part: &packed::Part| {
        if let Some(stopped) = stopped_by_signal(NOT_UNPACKED) {
            return Err(stopped.into());
        }
        let moves = part.moves(&packed.claim, &board);
        bar.inc(1);
        moves
    };
    let parts: Vec<Proof> = pool
        .install(|| packed.parts().par_iter().with_max_len(1).map(moves).collect::<Result<_>>())?;
    bar.finish_and_clear();
    let mut all = Proof::new(packed.claim.clone());
    for (key, m) in parts.iter().flat_map(Proof::moves) {
        all.insert(key, m);
    }
    Ok(all)
}

/// Prints rule, position and claim.
pub(super) fn print_claim(claim: &Claim) {
    println!("{} on {}x{}", claim.setup.rule, claim.setup.width, claim.setup.height);
    for side in Color::ALL {
        let own = claim.root.stones.iter().filter(|&&(_, color)| color == side);
        let own: Vec<String> =
            own.map(|(cell, _)| cell.label(claim.setup.height).to_lowercase()).collect();
        println!("{}: {}", name(side), own.join(" "));
    }
    println!("Claim: {} wins, {} to move", name(claim.attacker), name(claim.root.to_move));
    if claim.setup.rule.card().game.passes {
        println!("The claim is about the game without passes.");
    }
}

/// Reads trees of one claim into one.
///
/// # Errors
/// A file that cannot be read or is damaged, or claims that differ.
pub(super) fn read(files: &[PathBuf]) -> Result<Proof> {
    let one = |path: &PathBuf| match of_kind(path, Kind::Tree, open(path))? {
        TreeFile::Table(proof) => Ok(proof),
        TreeFile::Packed(packed) => unpack(&packed).with_context(|| path.display().to_string()),
    };
    let (first, others) = files.split_first().context("no file")?;
    let mut all = one(first)?;
    for path in others {
        let more = one(path)?;
        let place = || path.display().to_string();
        ensure!(more.claim == all.claim, "{}: {DIFFERENT}", place());
        for (key, m) in more.moves() {
            all.insert(key, m);
        }
    }
    Ok(all)
}

/// Locks a file against other runs while it is read and replaced; `None` if it does not exist.
///
/// # Errors
/// Another run has locked it, or an I/O error.
fn lock_existing(path: &Path) -> Result<Option<LockedFile>> {
    let place = || path.display().to_string();
    if !path.try_exists().with_context(place)? {
        return Ok(None);
    }
    let file = LockedFile::open_with(path, fs::File::options().read(true)).with_context(place)?;
    file.map(Some).with_context(|| format!("{}: in use by another run", place()))
}

/// Checks that a tree about a claim may be written to a file. A file that holds anything
/// but a tree about the same claim is refused.
///
/// # Errors
/// The file holds something else, another run works on it, or it cannot be written.
pub(super) fn replaceable(path: &Path, claim: &Claim) -> Result<()> {
    let place = || path.display().to_string();
    output_path::check_replaced(path, &[] as &[&Path])?;
    let Some(file) = lock_existing(path)? else { return Ok(()) };
    let mut front = Vec::new();
    (&*file).take(MAX_HEAD).read_to_end(&mut front).with_context(place)?;
    if front.is_empty() {
        return Ok(());
    }
    let form = if goren_proof::is_packed(&front) { Form::Packed } else { Form::Table };
    let same = goren_proof::read_head(form, &front).is_ok_and(|(known, _)| known == *claim);
    ensure!(same, "{}: {}", place(), output_path::HOLDS_OTHER);
    Ok(())
}

/// Writes the file of a tree; at any moment the old file or the new one exists.
///
/// # Errors
/// An I/O error, or the file holds something else.
pub(super) fn write(proof: &Proof, path: &Path) -> Result<()> {
    replaceable(path, &proof.claim)?;
    put(proof, path)
}

/// Replaces a file, which the caller has checked, by the file of a tree.
///
/// # Errors
/// An I/O error.
fn put(proof: &Proof, path: &Path) -> Result<()> {
    let content = |mut file: &fs::File| goren_proof::write(proof, &mut file);
    replace(path, 0, content).with_context(|| path.display().to_string())
}

/// Joins trees of one claim into one sorted table, or with `packed` packed trees into
/// a packed tree.
///
/// # Errors
/// A file that cannot be read or written, or claims that differ.
pub(super) fn merge(out: &Path, packed: bool, files: &[PathBuf]) -> Result<bool> {
    // An existing output file is merged as well, so that nothing in it is lost. The lock keeps
    // other runs from writing to it meanwhile.
    let lock = lock_existing(out)?;
    let files = with_target(files, out);
    if packed {
        return join(out, &files);
    }
    let proof = read(&files)?;
    match lock {
        Some(_) => put(&proof, out)?,
        // Another run may have created the file meanwhile.
        None => write(&proof, out)?,
    }
    println!("Moves: {}", proof.len());
    Ok(true)
}

/// Joins packed trees into a packed tree. Where several have the same reply, keeps the
/// shortest.
fn join(out: &Path, files: &[PathBuf]) -> Result<bool> {
    let mut all: Option<Packed> = None;
    for path in files {
        let place = || path.display().to_string();
        let TreeFile::Packed(packed) = open(path)? else {
            bail!("{}: not packed; `goren check --pack` packs it", place())
        };
        match &mut all {
            None => all = Some(packed),
            Some(all) => {
                ensure!(packed.claim == all.claim, "{}: {DIFFERENT}", place());
                all.join(packed);
            }
        }
    }
    let all = all.context("no file")?;
    all.write(out)?;
    println!("Replies: {}", all.parts().len());
    println!("Packed: {} bytes", fs::metadata(out)?.len());
    Ok(true)
}
