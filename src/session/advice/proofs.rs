//! Winning trees as an opening book: if a tree has a move for the side to move, that move
//! wins and is played.
//!
//! Trees stay on disk (`proof::ProofFile`): opening one takes milliseconds, and positions
//! are looked up in the file when needed.

use std::fs::{self, Metadata};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::state::five_position::FivePosition;
use goren_core::types::{Cell, Color, Symmetry};
use goren_files::{FileError, open_plain};
use goren_proof::{
    Checker, Keys, NameError, NamedTrees, ProofBoard, ProofError, ProofFile, is_name,
};

/// Maximum number of extra stones: stones of the opponent that a tree need not contain.
const MAX_EXTRA_STONES: usize = 3;
/// Maximum number of positions visited to prove that extra stones change nothing; takes a few
/// hundredths of a second.
const MAX_VISITS: u64 = 2_000;
/// Divisor of the time of a move that trees may use.
const TIME_DIVISOR: u32 = 8;
/// Maximum time that trees may use, as a disk may be slow.
const MAX_TIME: Duration = Duration::from_millis(200);
/// Memory for walking through a tree, besides that of the open files.
const WORK: usize = 1 << 20;

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a valid file of a winning tree.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// There is no tree of this name.
    #[error(transparent)]
    Name(#[from] NameError),
}

/// Identity of a file and its contents: differs once the file is written to or replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Identity {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
    number: Option<(u64, u64)>,
}

impl Identity {
    fn of(path: &Path, data: &Metadata) -> Identity {
        Identity {
            path: fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()),
            length: data.len(),
            modified: data.modified().ok(),
            number: number(data),
        }
    }
}

/// Device and inode number, where the system has them.
#[cfg(unix)]
fn number(data: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn number(_data: &Metadata) -> Option<(u64, u64)> {
    None
}

/// A tree in use.
struct Tree {
    /// The path as the client gave it.
    name: String,
    identity: Identity,
    file: ProofFile,
    /// Whether a fault of the file was reported to the client.
    fault_reported: bool,
}

/// The trees that the client named.
#[derive(Default)]
pub struct Proofs {
    trees: Vec<Tree>,
    /// The stones of the last position for which no tree had a move.
    last_miss: Vec<(Cell, Color)>,
}

impl Proofs {
    /// Opens a tree given by the path of its file or by its name.
    ///
    /// # Errors
    /// As in [`Proofs::load`], or no tree has this name; nothing changes.
    pub fn open(&mut self, path_or_name: &str, named: &NamedTrees) -> Result<(), LoadError> {
        let path = Path::new(path_or_name);
        if is_name(path_or_name) && !path.exists() {
            return self.load(&named.table(path_or_name)?);
        }
        self.load(path)
    }

    /// Opens a file. Its tree replaces an open one with the same claim; a file that is already
    /// open and has not changed stays open.
    ///
    /// # Errors
    /// The file cannot be read, or is not a winning tree; nothing changes.
    fn load(&mut self, path: &Path) -> Result<(), LoadError> {
        let file = open_plain(path)?;
        let identity = Identity::of(path, &file.metadata().map_err(FileError::from)?);
        if self.trees.iter().any(|tree| tree.identity == identity) {
            return Ok(());
        }
        let file = ProofFile::open(file)?;
        self.trees.retain(|other| other.file.claim() != file.claim());
        self.last_miss.clear();
        let name = path.display().to_string();
        self.trees.push(Tree { name, identity, file, fault_reported: false });
        Ok(())
    }

    /// Memory that the trees take, in bytes.
    pub fn bytes(&self) -> usize {
        let work = if self.trees.is_empty() { 0 } else { WORK };
        self.trees.iter().map(|tree| tree.file.bytes()).sum::<usize>() + work
    }

    /// Returns messages about faults found in the files, each once.
    pub fn faults(&mut self) -> Vec<String> {
        let unreported = self
            .trees
            .iter_mut()
            .filter(|tree| !tree.fault_reported && tree.file.fault().is_some());
        let message = |tree: &mut Tree| {
            tree.fault_reported = true;
            let fault = tree.file.fault()?;
            Some(format!("proof {}: {fault}; the moves stored there are ignored", tree.name))
        };
        unreported.filter_map(message).collect()
    }

    /// Looks up a winning move for the position, within a small part of `time`, the time for
    /// the move.
    pub fn advise(&mut self, game: &FivePosition, time: Duration) -> Option<Cell> {
        let until = Instant::now() + (time / TIME_DIVISOR).min(MAX_TIME);
        let &FivePosition { setup, to_move, .. } = game;
        let fits = |tree: &&mut Tree| {
            let claim = tree.file.claim();
            claim.setup == setup && claim.attacker == to_move
        };
        let mut fitting = self.trees.iter_mut().filter(fits).peekable();
        fitting.peek()?;
        let stones = game.colored()?;
        let mut board = ProofBoard::new(setup);
        for &(cell, color) in &stones {
            board.place(cell, color).ok()?;
        }
        // Once a game has left the trees it returns to them only by chance. Trying many extra
        // stones would use most of this time at every move.
        let has_left = !self.last_miss.is_empty() && stones.starts_with(&self.last_miss);
        let max_extra = if has_left { 1 } else { MAX_EXTRA_STONES };
        let mut looked_up = false;
        let found = fitting.find_map(|tree| {
            let extra_stones =
                extra_stones(&tree.file.claim().root.stones, &stones, &board, to_move)?;
            looked_up = true;
            let with = |count| without(&board, board.keys(), &extra_stones, !to_move, count);
            let mut checker = Checker::new(setup, to_move, &mut tree.file);
            checker.board = board.clone();
            checker.until = Some(until);
            checker.advise((1..=max_extra).flat_map(with), MAX_VISITS).map(|(m, _)| m)
        });
        match found {
            None if looked_up => self.last_miss = stones,
            Some(_) => self.last_miss.clear(),
            None => {}
        }
        found
    }
}

/// The opponent's stones that may be extra stones: all that do not belong to every image of
/// the tree's root position that is on the board. `None` if no image is on the board.
fn extra_stones(
    root: &[(Cell, Color)],
    stones: &[(Cell, Color)],
    board: &ProofBoard,
    attacker: Color,
) -> Option<Vec<Cell>> {
    let setup = board.setup();
    let image = |symmetry: Symmetry| -> Vec<(Cell, Color)> {
        root.iter().map(|&(cell, color)| (symmetry.apply(cell), color)).collect()
    };
    let images = Symmetry::all(setup.width, setup.height).map(image);
    let is_on_board = |image: &Vec<(Cell, Color)>| image.iter().all(|stone| stones.contains(stone));
    let images: Vec<_> = images.filter(is_on_board).collect();
    if images.is_empty() {
        return None;
    }
    let is_root = |stone| images.iter().all(|image| image.contains(stone));
    let free = stones.iter().filter(|stone| stone.1 != attacker && !is_root(stone));
    Some(free.map(|stone| stone.0).collect())
}

/// The keys of the position without `count` of the stones `extra_stones`, for each choice.
fn without<'a>(
    board: &'a ProofBoard,
    keys: Keys,
    extra_stones: &'a [Cell],
    color: Color,
    count: usize,
) -> Box<dyn Iterator<Item = Keys> + 'a> {
    if count == 0 {
        return Box::new(iter::once(keys));
    }
    Box::new(extra_stones.iter().enumerate().flat_map(move |(i, &cell)| {
        let fewer = board.toggled(keys, cell, color);
        without(board, fewer, &extra_stones[i + 1..], color, count - 1)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Stone;
    use goren_proof::{Claim, Proof, Root};
    use tempfile::{TempDir, tempdir};

    const TIME: Duration = Duration::from_secs(60);
    /// The first move of [`fours`].
    const FOUR: Cell = Cell::new(3, 7);

    /// Black's stones from the fourth row on, White's from the tenth row on.
    fn stones(count: usize) -> Vec<(Cell, Color)> {
        let row =
            |y, color| (0..count).map(move |i| (Cell::new(1 + 3 * (i % 4), y + i / 4), color));
        let (black, white) = (row(3, Color::Black), row(9, Color::White));
        black.zip(white).flat_map(|(black, white)| [black, white]).collect()
    }

    fn board(stones: &[(Cell, Color)]) -> ProofBoard {
        let mut board = ProofBoard::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        stones.iter().for_each(|&(cell, color)| board.place(cell, color).unwrap());
        board
    }

    /// A tree for Black with a root, and moves for some positions.
    fn tree(root: &[(Cell, Color)], moves: &[(&[(Cell, Color)], Cell)]) -> Vec<u8> {
        let setup = board(&[]).setup();
        let root = Root { stones: root.to_vec(), to_move: Color::Black };
        let mut proof = Proof::new(Claim { setup, attacker: Color::Black, root });
        for &(stones, m) in moves {
            let board = board(stones);
            let canonical = board.canonical(&board.keys());
            proof.insert(canonical.key(), board.to_image(&canonical, m));
        }
        let mut bytes = Vec::new();
        goren_proof::write(&proof, &mut bytes).unwrap();
        bytes
    }

    fn game(stones: &[(Cell, Color)]) -> FivePosition {
        let stones = stones.iter().map(|&(cell, color)| (cell, Stone::Of(color))).collect();
        FivePosition { setup: board(&[]).setup(), stones, to_move: Color::Black }
    }

    #[test]
    fn a_file_that_is_named_again_stays_open_until_it_changes() {
        let folder = tempdir().unwrap();
        let (path, other) = (folder.path().join("one.tree"), folder.path().join("other.tree"));
        let m = Cell::new(7, 7);
        let bytes = tree(&stones(2), &[(&stones(2), m)]);
        fs::write(&path, &bytes).unwrap();
        let mut proofs = Proofs::default();
        // Whether naming a file opened it again.
        let mut opens = |path: &Path| {
            proofs.trees.iter_mut().for_each(|tree| tree.fault_reported = true);
            proofs.load(path).unwrap();
            assert_eq!(proofs.trees.len(), 1);
            assert_eq!(proofs.advise(&game(&stones(2)), TIME), Some(m));
            !proofs.trees[0].fault_reported
        };
        assert!(opens(&path));
        assert!(!opens(&path) && !opens(&folder.path().join("./one.tree")));
        // The file is replaced, written to, or gets another time.
        fs::rename(&path, &other).unwrap();
        fs::write(&path, &bytes).unwrap();
        assert!(opens(&path) && !opens(&path));
        let longer = tree(&stones(2), &[(&stones(2), m), (&stones(3), m)]);
        fs::write(&path, longer).unwrap();
        assert!(opens(&path) && !opens(&path));
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert!(opens(&path) && !opens(&path));
        // A file with the same claim replaces it, and vice versa.
        assert!(opens(&other) && !opens(&other) && opens(&path));
        // An unusable file changes nothing.
        fs::write(&other, b"GORENPF2 not at all").unwrap();
        assert!(proofs.load(&other).is_err() && proofs.load(&folder.path().join("none")).is_err());
        let folder_itself = proofs.load(&folder.path().join("."));
        assert!(matches!(folder_itself, Err(LoadError::File(FileError::NotPlain))));
        assert_eq!(proofs.trees.len(), 1);
        // A file with another claim is kept beside it.
        fs::write(&other, tree(&stones(1), &[])).unwrap();
        proofs.load(&other).unwrap();
        assert_eq!(proofs.trees.len(), 2);
        assert!((1..WORK + (1 << 16)).contains(&proofs.bytes()));
        assert_eq!(Proofs::default().bytes(), 0);
    }

    /// Stones of two fours that leave one five each and together make an open four: more than
    /// the program finds without a tree. Returns the stones and the file of a tree.
    fn fours(folder: &TempDir) -> (Vec<(Cell, Color)>, PathBuf) {
        let black = [(0, 7), (1, 7), (2, 7), (6, 1), (6, 2), (6, 3), (5, 5)];
        let black = black.map(|(x, y)| (Cell::new(x, y), Color::Black));
        let stones = [&[(Cell::new(6, 0), Color::White)], &black[..]].concat();
        let mut lines = vec![(stones.clone(), FOUR)];
        for (white, next) in [((4, 7), (6, 4)), ((6, 5), (4, 6))] {
            let (mut line, m) = lines[lines.len() - 1].clone();
            line.extend([(m, Color::Black), (Cell::new(white.0, white.1), Color::White)]);
            lines.push((line, Cell::new(next.0, next.1)));
        }
        let moves: Vec<_> = lines.iter().map(|(line, m)| (&line[..], *m)).collect();
        let path = folder.path().join("fours.tree");
        fs::write(&path, tree(&stones[..2], &moves)).unwrap();
        (stones, path)
    }

    /// The stones, and `count` extra stones of White far away.
    fn with_extra(stones: &[(Cell, Color)], count: usize) -> Vec<(Cell, Color)> {
        let far = (0..count).map(|i| (Cell::new(4 + 2 * i, 14), Color::White));
        stones.iter().copied().chain(far).collect()
    }

    #[test]
    fn extra_stones_change_nothing() {
        let folder = tempdir().unwrap();
        let (stones, path) = fours(&folder);
        let mut proofs = Proofs::default();
        proofs.load(&path).unwrap();
        for count in [0, 1, 2, 3, 4, 0, 3] {
            let found = proofs.advise(&game(&with_extra(&stones, count)), TIME);
            assert_eq!(found, Some(FOUR).filter(|_| count <= MAX_EXTRA_STONES), "{count}");
        }
        // There is no time for more than the position itself.
        for (count, found) in [(0, true), (1, false)] {
            let game = game(&with_extra(&stones, count));
            assert_eq!(proofs.advise(&game, Duration::ZERO).is_some(), found);
        }
    }

    #[test]
    fn a_game_that_has_left_the_trees_returns_with_one_extra_stone() {
        let folder = tempdir().unwrap();
        let (stones, path) = fours(&folder);
        let mut proofs = Proofs::default();
        proofs.load(&path).unwrap();
        let mut advise = |stones: &[(Cell, Color)]| proofs.advise(&game(stones), TIME);
        let four = Some(FOUR);
        let (before, last) = stones.split_at(stones.len() - 1);
        for (early, late, found) in [(0, 1, true), (0, 2, false), (1, 0, true), (1, 1, false)] {
            let off = with_extra(before, early);
            assert_eq!(advise(&off), None);
            let far = (0..late).map(|i| (Cell::new(9 + 2 * i, 0), Color::White));
            let on: Vec<_> = off.iter().chain(last).copied().chain(far).collect();
            assert_eq!(advise(&on).is_some(), found, "{early} {late}");
            // In another game the same position is found.
            assert_eq!(advise(&stones), four);
            assert_eq!(advise(&on), four, "{early} {late}");
        }
    }

    #[test]
    fn only_stones_outside_the_root_can_be_extra_stones() {
        let root = stones(2);
        let all = [&root[..], &[(Cell::new(7, 14), Color::White)]].concat();
        let expected = Some(vec![Cell::new(7, 14)]);
        assert_eq!(extra_stones(&root, &all, &board(&all), Color::Black), expected);
        assert_eq!(extra_stones(&root, &root[1..], &board(&root[1..]), Color::Black), None);
        for symmetry in Symmetry::all(15, 15) {
            let image: Vec<(Cell, Color)> =
                all.iter().map(|&(cell, color)| (symmetry.apply(cell), color)).collect();
            let found = extra_stones(&root, &image, &board(&image), Color::Black).unwrap();
            assert_eq!(found, [symmetry.apply(Cell::new(7, 14))]);
        }
        // A stone that is part of one image of the root but not of another may be an
        // extra stone.
        let root = [(Cell::new(7, 7), Color::Black), (Cell::new(7, 8), Color::White)];
        let all = [&root[..], &[(Cell::new(7, 6), Color::White)]].concat();
        let found = extra_stones(&root, &all, &board(&all), Color::Black).unwrap();
        assert_eq!(found, [Cell::new(7, 8), Cell::new(7, 6)]);
    }
}
