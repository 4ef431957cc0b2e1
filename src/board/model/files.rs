//! Reads games from files and writes them to files.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::beginning::beginning_of;
use super::heading::Heading;
use super::kept_review::{self, KeptReview};
use super::recorded::KeptStats;
use super::records::{Import, imported, record};
use super::reviewed::Reviewed;
use super::tree::{MAX_NODES, Tree};
use super::{libraries, tree_files};
use crate::clock::{GameClock, KeptClock};
use crate::players;
use crate::schema::{Event, FileGame, Form, GameChoice, Mark, Player};
use goren_core::opening::GameState;
use goren_core::record::import::{Hints, ImportedGame, UnreadableGame};
use goren_core::record::psq;
use goren_core::rules::{BadGame, Contest, OpeningId, Outcome, Variant, named};
use goren_core::types::Cell;
use goren_decide::Level;
use goren_notation::forms::{Opened, Overview};
use goren_notation::{json_game, pending_decision_text, plies};

/// The version of stored trees.
const VERSION: u32 = 1;
/// Maximum number of games listed of a file; others can only be chosen by number.
const MAX_LISTED: usize = 1000;

/// Returns the game of a choice.
///
/// # Errors
/// There is no such game, board or opening.
pub(super) fn contest(choice: &GameChoice) -> Result<Contest> {
    let unknown = || format!("there is no game {:?}", choice.variant);
    let named = named(&choice.variant).with_context(unknown)?;
    let usual = Contest::new(named.variant);
    let opening = match &choice.opening {
        Some(name) => {
            OpeningId::from_name(name).with_context(|| format!("there is no opening {name:?}"))?
        }
        None if named.has_unknown_opening() => {
            let (name, game) = (choice.variant.clone(), named.variant);
            bail!(BadGame::UnknownOpening { name, game })
        }
        None => usual.opening,
    };
    // The board may be too small for the default opening.
    let mut contest = usual.opened(OpeningId::Free)?;
    if let Some((width, height)) = choice.size.or(named.size) {
        contest = contest.on(width, height)?;
    }
    contest = contest.opened(opening)?;
    if choice.tie_break && !contest.variant.sheet().passes {
        bail!("{} has no passes that could break a tie", contest.variant);
    }
    Ok(Contest { tie_break: choice.tie_break, strict: choice.strict, ..contest })
}

/// Returns the choice of a game.
fn choice(contest: &Contest) -> GameChoice {
    GameChoice {
        variant: contest.variant.to_string(),
        size: Some((contest.width, contest.height)),
        opening: Some(contest.opening.name().into()),
        tie_break: contest.tie_break,
        strict: contest.strict,
    }
}

/// Decodes a text that has a character for each byte.
///
/// # Errors
/// It has other characters.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>> {
    let byte = |c: char| u8::try_from(u32::from(c)).ok();
    text.chars().map(byte).collect::<Option<Vec<u8>>>().context("the file was not sent as bytes")
}

/// Reads a game of a file, of `rule` if the file names no game.
///
/// # Errors
/// The file has no such game, or the game cannot be played.
pub(super) fn open(bytes: &[u8], number: usize, rule: Variant) -> Result<Import> {
    let hints = Hints::default();
    Opened::of_bytes(bytes).games(None, &hints, |games| {
        let file_notes: Vec<String> = games.notes.iter().map(ToString::to_string).collect();
        let game = games.nth(number - 1).with_context(|| match number {
            1 => "there is no game in it".to_owned(),
            number => format!("there is no game {number} in it"),
        })?;
        imported(game?, rule).map(|import| import.with_file_notes(file_notes))
    })
}

/// Lists the games of a file with several; `None` for any other file.
pub(super) fn list_games(name: &str, bytes: &[u8]) -> Option<Event> {
    if libraries::is_lib(bytes) {
        return None;
    }
    let hints = Hints::default();
    let games = Opened::of_bytes(bytes).games(None, &hints, |games| {
        Ok(games.by_ref().take(MAX_LISTED + 1).map(overview).collect::<Vec<_>>())
    });
    let mut games = games.ok().filter(|games| games.len() > 1)?;
    let more = games.len() > MAX_LISTED;
    games.truncate(MAX_LISTED);
    Some(Event::Games { name: name.to_owned(), games, more })
}

/// Summarises a game of a file for a list.
fn overview(game: Result<ImportedGame, UnreadableGame>) -> FileGame {
    let (overview, fault) = match game {
        Ok(game) => (Overview::of(&game), None),
        Err(error) => (Overview::of(&ImportedGame::default()), Some(error.to_string())),
    };
    let winner = match overview.result {
        Some(Outcome::Win(color)) => Some(color),
        _ => None,
    };
    FileGame {
        players: overview.players,
        title: overview.title,
        winner,
        drawn: overview.result == Some(Outcome::Draw),
        stones: overview.stones,
        fault,
    }
}

/// A game to write: its tree with everything that belongs to it.
#[derive(Copy, Clone)]
pub(super) struct OwnGame<'a> {
    pub(super) tree: &'a Tree,
    pub(super) players: [Player; 2],
    /// The level of the engine for each seat.
    pub(super) levels: [Level; 2],
    pub(super) review: Option<&'a Reviewed>,
    pub(super) clock: Option<&'a GameClock>,
}

impl OwnGame<'_> {
    /// Whether the engine plays for a seat.
    fn has_engine(&self) -> bool {
        self.players.contains(&Player::Engine)
    }

    /// Returns the names of the players for files.
    fn names(&self) -> [String; 2] {
        players::names(self.players, self.levels)
    }
}

/// The contents of a file.
pub(super) enum Content {
    /// A text.
    Text(String),
    /// Other bytes.
    Bytes(Vec<u8>),
}

impl Content {
    /// Returns its bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Content::Text(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }

    /// Returns it as a text for the page: bytes that are no text as a character each.
    pub(super) fn into_text(self) -> String {
        match self {
            Content::Text(text) => text,
            Content::Bytes(bytes) => bytes.into_iter().map(char::from).collect(),
        }
    }
}

/// A file: its extension, its MIME type and its contents.
pub(super) type Written = (&'static str, &'static str, Content);

/// Writes the tree, or, in formats without trees, the line up to the position shown.
///
/// # Errors
/// The format cannot hold it.
pub(super) fn write(game: &OwnGame<'_>, form: Form) -> Result<Written> {
    let tree = game.tree;
    let game_state = tree.game_state();
    let record = || record(tree, (tree.current(), game_state), game.names());
    ensure!(
        game_state.setup_stones().is_empty() || matches!(form, Form::Sgf | Form::Tree),
        "this game begins with a position: save it as SGF or as the whole tree"
    );
    let (end, mime, text) = match form {
        Form::Sgf => ("sgf", "application/x-go-sgf", tree_files::to_sgf(tree, &game.names())?),
        Form::Lib => {
            let bytes = Content::Bytes(libraries::to_lib(tree)?);
            return Ok(("lib", "application/octet-stream", bytes));
        }
        Form::Psq => {
            let text = psq::write(&record().imported())
                .context("the game cannot be saved as psq: save it as SGF")?;
            ("psq", "text/plain", text)
        }
        Form::Json => {
            let title = Some(&tree.heading.title).filter(|title| !title.is_empty());
            let title = title.map(|title| (json_game::TITLE.to_owned(), Value::from(&title[..])));
            let text = json_game::write(&record(), Map::from_iter(title)) + "\n";
            ("jsonl", "application/json", text)
        }
        Form::Moves => {
            let mut text = moves(game_state).join(" ");
            text.push('\n');
            ("txt", "text/plain", text)
        }
        Form::Tree => ("json", "application/json", keep(game)?),
    };
    Ok((end, mime, Content::Text(text)))
}

/// Returns the plies of a game as `goren play` reads them.
pub(super) fn moves(game_state: &GameState) -> Vec<String> {
    let mut before = beginning_of(game_state);
    let text = |action| {
        let text = pending_decision_text::canonical_text(&before, action);
        before.apply(action).ok().map(|()| text)
    };
    game_state.actions().iter().map_while(text).collect()
}

/// A stored tree.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// The version; the name of this first field marks the format.
    goren_tree: u32,
    game: GameChoice,
    /// The initial position, if it is not the empty board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beginning: Option<GameState>,
    players: [Player; 2],
    /// The levels of the engine, from 0 to 100, if it plays for a seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<[i64; 2]>,
    /// The heading of its file, if it comes from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heading: Option<Heading>,
    /// The nodes: parents come before their children; the first is the root.
    nodes: Vec<KeptNode>,
    /// The index of the node shown.
    current: usize,
    /// The review of one of its lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<KeptReview>,
    /// Its clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<KeptClock>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptNode {
    /// The index of its parent; absent for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    ply: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<(Cell, Mark)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    labels: Vec<(Cell, String)>,
    /// The stats of the ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stats: Option<KeptStats>,
}

/// Returns the stored form of a game.
///
/// # Errors
/// It cannot be written as JSON, which never happens.
pub(super) fn keep(game: &OwnGame<'_>) -> Result<String> {
    let OwnGame { tree, players, levels, review, clock } = *game;
    let (mut nodes, mut places) = (Vec::with_capacity(tree.len()), BTreeMap::new());
    for (node, parent, _) in tree.in_order() {
        places.insert(node, nodes.len());
        let notes = tree.notes(node);
        nodes.push(KeptNode {
            parent: parent.and_then(|parent| places.get(&parent).copied()),
            // A large tree is stored often: no ply is replayed for it.
            ply: tree.ply(node).to_owned(),
            comment: notes.comment.to_owned(),
            marks: notes.marks.to_vec(),
            labels: notes.labels.to_vec(),
            stats: KeptStats::keep(&tree.stats(node)),
        });
    }
    let heading = tree.heading.renumbered(|node| places.get(&node).copied());
    let kept = Kept {
        goren_tree: VERSION,
        game: choice(tree.beginning().contest()),
        beginning: Some(tree.beginning().clone()).filter(|beginning| !beginning.is_fresh()),
        players,
        levels: Some(levels.map(|level| level.strength().number())).filter(|_| game.has_engine()),
        heading: Some(heading).filter(|heading| *heading != Heading::default()),
        nodes,
        current: places.get(&tree.current()).copied().unwrap_or(0),
        review: review.map(|review| kept_review::keep(review, &places)),
        clock: clock.map(|clock| clock.keep(&places, Instant::now())),
    };
    Ok(serde_json::to_string(&kept)?)
}

/// Whether a text is a stored tree.
pub(super) fn is_tree(text: &str) -> bool {
    text.trim_start().starts_with("{\"goren_tree\"")
}

/// A restored game.
pub(super) struct Restored {
    pub(super) tree: Tree,
    pub(super) players: [Player; 2],
    pub(super) levels: Option<[Level; 2]>,
    pub(super) review: Option<Reviewed>,
    pub(super) clock: Option<GameClock>,
}

/// Restores a stored game.
///
/// # Errors
/// The text is no tree of positions, or has an illegal ply.
pub(super) fn restore(text: &str) -> Result<Restored> {
    let kept: Kept = serde_json::from_str(text).context("this is not a tree of positions")?;
    ensure!(
        kept.goren_tree == VERSION,
        "the tree has version {}, but this Goren reads version {VERSION}",
        kept.goren_tree
    );
    ensure!(kept.nodes.len() <= MAX_NODES, "the tree has more than {MAX_NODES} positions");
    let contest = contest(&kept.game)?;
    let beginning = kept.beginning.unwrap_or_else(|| GameState::new(contest));
    ensure!(
        *beginning.contest() == contest && beginning.actions().is_empty(),
        "the beginning does not belong to the game"
    );
    let mut tree = Tree::new(beginning);
    let mut ids: Vec<usize> = Vec::with_capacity(kept.nodes.len());
    for (at, node) in kept.nodes.into_iter().enumerate() {
        match node.parent {
            None => ensure!(
                at == 0 && node.ply.is_empty(),
                "only the first position can be the beginning"
            ),
            Some(parent) => {
                let parent = *ids.get(parent).context("a parent comes after its child")?;
                tree.go(parent)?;
                let mut game_state = tree.game_state().clone();
                let place = || format!("position {at}, ply {}", node.ply);
                plies::play(&mut game_state, &node.ply).with_context(place)?;
                let action = game_state.actions().last().context("no ply")?.clone();
                tree.play(&action)?;
            }
        }
        ids.push(tree.current());
        tree.comment(tree.current(), &node.comment)?;
        for &(cell, mark) in &node.marks {
            tree.mark(tree.current(), cell, Some(mark))?;
        }
        for (cell, text) in &node.labels {
            tree.label(tree.current(), *cell, text)?;
        }
        if let Some(stats) = node.stats {
            tree.set_stats(tree.current(), stats.restore());
        }
    }
    let current = *ids.get(kept.current).context("the position shown is missing")?;
    tree.go(current)?;
    tree.heading = kept.heading.unwrap_or_default().renumbered(|place| ids.get(place).copied());
    let review = kept.review.map(|review| kept_review::restore(review, &tree, &ids)).transpose()?;
    let clock = kept.clock.map(|clock| GameClock::restore(clock, &ids)).transpose()?;
    let level = |number: i64| Level::read(&number.to_string());
    let levels =
        kept.levels.map(|[first, second]| Ok::<_, anyhow::Error>([level(first)?, level(second)?]));
    let (players, levels, review) = (kept.players, levels.transpose()?, review.flatten());
    Ok(Restored { tree, players, levels, review, clock })
}

/// Returns the format of a file name's extension.
///
/// # Errors
/// The extension is unknown; the message lists the known ones.
pub(super) fn form_of(name: &str) -> Result<Form> {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    Ok(match end.as_str() {
        "sgf" => Form::Sgf,
        "psq" => Form::Psq,
        "txt" => Form::Moves,
        "jsonl" => Form::Json,
        "json" => Form::Tree,
        "lib" => Form::Lib,
        _ => bail!("the name must end with .sgf, .lib, .psq, .txt, .jsonl or .json"),
    })
}
