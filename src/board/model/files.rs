//! Games from files and into files.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::tree::{MOST_NODES, Tree};
use crate::schema::{Form, GameChoice, Mark, Player};
use goren_core::opening::GameState;
use goren_core::record::import::{Hints, MoveStats, Weight};
use goren_core::record::{Ending, GameRecord, PlayedPly, psq, sgf};
use goren_core::rules::{Contest, OpeningId, named};
use goren_core::types::{Cell, Color};
use goren_notation::forms::{Choice, Opened, play};
use goren_notation::{json_game, moment, plies};

/// Most remarks about a file that are told.
const MOST_NOTES: usize = 8;
/// The version of trees as they are kept.
const VERSION: u32 = 1;

/// The game of a choice.
///
/// # Errors
/// There is no such game, board or opening.
pub(super) fn contest(choice: &GameChoice) -> Result<Contest> {
    let unknown = || format!("there is no game {:?}", choice.variant);
    let named = named(&choice.variant).with_context(unknown)?;
    let mut contest = Contest::new(named.variant);
    if let Some((width, height)) = choice.size.or(named.size) {
        contest = contest.on(width, height)?;
    }
    if let Some(name) = &choice.opening {
        let opening = OpeningId::from_name(name);
        let opening = opening.with_context(|| format!("there is no opening {name:?}"))?;
        contest = contest.opened(opening)?;
    }
    if choice.tie_break && !contest.variant.sheet().passes {
        bail!("{} has no passes that could break a tie", contest.variant);
    }
    Ok(Contest { tie_break: choice.tie_break, strict: choice.strict, ..contest })
}

/// The choice that leads to a game.
fn choice(contest: &Contest) -> GameChoice {
    GameChoice {
        variant: contest.variant.to_string(),
        size: Some((contest.width, contest.height)),
        opening: Some(contest.opening.name().into()),
        tie_break: contest.tie_break,
        strict: contest.strict,
    }
}

/// The bytes of a text that has a character for each.
///
/// # Errors
/// It has other characters.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>> {
    let byte = |c: char| u8::try_from(u32::from(c)).ok();
    text.chars().map(byte).collect::<Option<Vec<u8>>>().context("the file was not sent as bytes")
}

/// A game of a file, and what there is to say of it.
///
/// # Errors
/// It holds no such game, or what is there cannot be played.
pub(super) fn open(bytes: &[u8], number: usize) -> Result<(GameState, Vec<String>)> {
    ensure!(number > 0, "games are numbered from 1");
    let hints = Hints::default();
    // What is in doubt is told and believed: a person sees what came of it.
    let told = Choice { hints, lenient: true, file_first: true };
    Opened::of_bytes(bytes).games(None, &hints, |games| {
        let mut notes: Vec<String> = games.notes.iter().map(ToString::to_string).collect();
        let game = games.nth(number - 1).with_context(|| match number {
            1 => "there is no game in it".to_owned(),
            number => format!("there is no game {number} in it"),
        })?;
        let game = game?;
        ensure!(game.board.is_none(), "a drawn board tells no moves: a game is needed");
        let (opening, events) = (game.opening, game.events.len());
        let played = play(game, &told)?;
        notes.extend(
            played
                .notes
                .iter()
                .filter(|note| note.weight == Weight::Doubt)
                .map(|note| format!("{}: {}", note.place, note.text)),
        );
        let game_state = played.typed.game_state;
        let nothing = game_state.is_fresh() && played.typed.placed.is_empty();
        ensure!(
            events > 0 && !nothing,
            "no move of it can be played{}",
            notes.first().map_or(String::new(), |note| format!(": {note}"))
        );
        if !played.typed.placed.is_empty() {
            notes.push("the last turn is not over: its stones are left out".into());
        }
        let more = notes.len().saturating_sub(MOST_NOTES);
        notes.truncate(MOST_NOTES);
        if more > 0 {
            notes.push(format!("and {more} more notes"));
        }
        Ok((opened_by(game_state, opening), notes))
    })
}

/// The same game by the opening that the file names, where its moves allow it.
fn opened_by(game_state: GameState, opening: Option<OpeningId>) -> GameState {
    let opened = opening.and_then(|opening| game_state.contest().opened(opening).ok());
    let Some(opened) = opened else { return game_state };
    let mut again = GameState::new(opened);
    let plays = game_state.actions().iter().all(|action| again.apply(action).is_ok());
    if plays { again } else { game_state }
}

/// The game up to a position as records have it.
fn record(game_state: &GameState, players: [String; 2]) -> GameRecord {
    let ply = |action: &_| PlayedPly { action: Clone::clone(action), stats: MoveStats::default() };
    let ending = game_state.result().map(|result| match result.seats[..] {
        [seat] => Ending::Win(seat),
        _ => Ending::Draw,
    });
    GameRecord {
        contest: *game_state.contest(),
        players,
        opening: Vec::new(),
        plies: game_state.actions().iter().map(ply).collect(),
        black: game_state.owner(Color::Black),
        ending,
        reason: game_state.result().map_or(String::new(), |end| end.reason.name().into()),
    }
}

/// A file: the end of its name, its type and its text.
pub(super) type Written = (&'static str, &'static str, String);

/// The line shown of a tree as a file.
///
/// # Errors
/// The form cannot hold it.
pub(super) fn write(tree: &Tree, players: [Player; 2], form: Form) -> Result<Written> {
    let game_state = tree.game_state();
    let names = players.map(|player| match player {
        Player::Person => "Person".to_owned(),
        Player::Engine => format!("Goren {}", env!("CARGO_PKG_VERSION")),
    });
    let record = || record(game_state, names.clone());
    if form != Form::Tree {
        ensure!(
            game_state.laid().is_empty(),
            "this game begins with a position: only the tree can be saved"
        );
    }
    Ok(match form {
        Form::Sgf => ("sgf", "application/x-go-sgf", sgf::write(&record().imported())),
        Form::Psq => {
            let text = psq::write(&record().imported()).context("save it as SGF")?;
            ("psq", "text/plain", text)
        }
        Form::Json => ("jsonl", "application/json", json_game::write(&record(), Map::new()) + "\n"),
        Form::Moves => {
            let mut text = moves(tree.beginning().contest(), game_state).join(" ");
            text.push('\n');
            ("txt", "text/plain", text)
        }
        Form::Tree => ("json", "application/json", keep(tree, players)?),
    })
}

/// The plies of a game as `goren play` reads them.
pub(super) fn moves(contest: &Contest, game_state: &GameState) -> Vec<String> {
    let mut before = GameState::new(*contest);
    let text = |action| {
        let text = moment::canonical(&before, action);
        before.apply(action).ok().map(|()| text)
    };
    game_state.actions().iter().map_while(text).collect()
}

/// A tree as it is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// What it is.
    goren_tree: u32,
    game: GameChoice,
    players: [Player; 2],
    /// Parents stand before their children; the first is the beginning.
    nodes: Vec<KeptNode>,
    /// The position shown, by its place in the list.
    current: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptNode {
    /// The place of its parent in the list; absent for the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    ply: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<(Cell, Mark)>,
}

fn keep(tree: &Tree, players: [Player; 2]) -> Result<String> {
    let order = tree.in_order();
    let places: BTreeMap<usize, usize> =
        order.iter().enumerate().map(|(place, &(node, ..))| (node, place)).collect();
    let mut copy = tree.clone();
    let mut nodes = Vec::with_capacity(order.len());
    for &(node, parent, action) in &order {
        let mut ply = String::new();
        if let (Some(parent), Some(action)) = (parent, action) {
            // Mostly it is there already: children follow their parents.
            if copy.current() != parent {
                copy.go(parent)?;
            }
            ply = moment::canonical(copy.game_state(), action);
            copy.play(action)?;
        }
        let (comment, marks) = tree.notes(node);
        nodes.push(KeptNode {
            parent: parent.and_then(|parent| places.get(&parent).copied()),
            ply,
            comment: comment.to_owned(),
            marks: marks.to_vec(),
        });
    }
    let kept = Kept {
        goren_tree: VERSION,
        game: choice(tree.beginning().contest()),
        players,
        nodes,
        current: places.get(&tree.current()).copied().unwrap_or(0),
    };
    Ok(serde_json::to_string(&kept)?)
}

/// Whether a text is a tree as it is kept.
pub(super) fn is_tree(text: &str) -> bool {
    text.trim_start().starts_with("{\"goren_tree\"")
}

/// The tree of a text, and its players.
///
/// # Errors
/// It is none, or a ply of it is illegal.
pub(super) fn restore(text: &str) -> Result<(Tree, [Player; 2])> {
    let kept: Kept = serde_json::from_str(text).context("this is no tree of positions")?;
    ensure!(
        kept.goren_tree == VERSION,
        "the tree has version {}, this Goren reads {VERSION}",
        kept.goren_tree
    );
    ensure!(kept.nodes.len() <= MOST_NODES, "the tree has more than {MOST_NODES} positions");
    let mut tree = Tree::new(GameState::new(contest(&kept.game)?));
    let mut ids: Vec<usize> = Vec::with_capacity(kept.nodes.len());
    for (at, node) in kept.nodes.iter().enumerate() {
        match node.parent {
            None => ensure!(at == 0 && node.ply.is_empty(), "only the first is the beginning"),
            Some(parent) => {
                let parent = *ids.get(parent).context("a parent stands behind its child")?;
                if parent != tree.current() {
                    tree.go(parent)?;
                }
                let mut game_state = tree.game_state().clone();
                let told = || format!("position {at}, ply {}", node.ply);
                plies::play(&mut game_state, &node.ply).with_context(told)?;
                let action = game_state.actions().last().context("no ply")?.clone();
                tree.play(&action)?;
            }
        }
        ids.push(tree.current());
        tree.comment(tree.current(), &node.comment)?;
        for &(cell, mark) in &node.marks {
            tree.mark(tree.current(), cell, Some(mark))?;
        }
    }
    let current = *ids.get(kept.current).context("the position shown is missing")?;
    tree.go(current)?;
    Ok((tree, kept.players))
}

/// The form of the end of a name.
///
/// # Errors
/// The ends there are.
pub(super) fn form_of(name: &str) -> Result<Form> {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    Ok(match end.as_str() {
        "sgf" => Form::Sgf,
        "psq" => Form::Psq,
        "txt" => Form::Moves,
        "jsonl" => Form::Json,
        "json" => Form::Tree,
        _ => bail!("a name ends with .sgf, .psq, .txt, .jsonl or .json"),
    })
}
