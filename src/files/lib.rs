//! Files that stay whole whatever happens to the program that writes them.
//!
//! - [`replace()`]: replaces a file atomically; [`keep`] and [`write_new`] save content that
//!   must outlast a replacement;
//! - [`LockedFile`]: a file that one program at a time may write to;
//! - [`AppendFile`]: a file to which each record is appended whole or not at all;
//! - [`output_path`]: checks before the work begins whether a result can be written;
//! - [`open_plain`]: opens plain files only, none that would block;
//! - [`with_stem_suffix`], [`with_suffix`]: names next to that of a file.
//!
//! ```
//! use std::io::Write;
//!
//! use goren_files::{AppendFile, LockedFile, replace};
//!
//! # let folder = std::env::temp_dir().join(format!("goren-files-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! // At any moment the file is the old one or the new one; the old one stays as a backup.
//! let settings = folder.join("settings.txt");
//! for text in ["threads 1", "threads 2"] {
//!     replace(&settings, 1, |mut file| file.write_all(text.as_bytes()))?;
//! }
//! assert_eq!(std::fs::read_to_string(&settings)?, "threads 2");
//! assert_eq!(std::fs::read_to_string(folder.join("settings_bak1.txt"))?, "threads 1");
//!
//! // A journal: an incomplete record is dropped when the file is opened again.
//! let path = folder.join("journal");
//! std::fs::write(&path, "one\ntwo\nthr")?;
//! let file = LockedFile::open(&path)?.expect("no other program has it");
//! assert!(LockedFile::open(&path)?.is_none());
//! let mut journal = AppendFile::resume(file, &path, 8)?;
//! journal.append_synced(b"three\n")?;
//! assert_eq!(std::fs::read_to_string(&path)?, "one\ntwo\nthree\n");
//! # drop(journal);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Lengths are in bytes. A lock holds until the file is dropped. It is advisory, between
//! programs that ask for it; on Windows no other program can open the file for writing.
//! Every program may read the file. Systems and shared folders without locks are not protected.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod append_file;
mod locked_file;
mod names;
pub mod output_path;
mod plain_file;
mod replace;

pub use append_file::{AppendError, AppendFile};
pub use locked_file::LockedFile;
pub use names::{with_stem_suffix, with_suffix};
pub use plain_file::{FileError, open_plain};
pub use replace::{keep, replace, write_new};
