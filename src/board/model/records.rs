//! Games of files, replayed by the rules, and records of games for files.

use std::mem;

use anyhow::{Result, anyhow, ensure};

use super::heading::{End, Heading};
use super::recorded::MAX_EVAL;
use super::tree::{MAX_COMMENT, Tree};
use goren_core::opening::GameState;
use goren_core::record::GameRecord;
use goren_core::record::diagram::Diagram;
use goren_core::record::import::{Hints, ImportedGame, MoveStats, Question, Weight};
use goren_core::rules::{Contest, RuleId, Variant};
use goren_notation::forms::{
    PlayOptions, Played, Refusal, SetUpError, opened_by, play, play_from, set_up,
};

/// Maximum number of notes about a file that are reported.
const MAX_NOTES: usize = 8;

/// Notes about a file, without repetitions.
#[derive(Clone, Default, Debug)]
pub(super) struct Remarks {
    texts: Vec<String>,
    /// Number of further notes, which are not reported.
    more: usize,
}

impl Remarks {
    pub(super) fn add(&mut self, text: String) {
        if self.texts.contains(&text) {
        } else if self.texts.len() < MAX_NOTES {
            self.texts.push(text);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn add_all(&mut self, other: Remarks) {
        other.texts.into_iter().for_each(|text| self.add(text));
        self.more += other.more;
    }

    /// Returns the notes, and a line that counts those beyond the maximum.
    pub(super) fn into_lines(self) -> Vec<String> {
        let more = (self.more > 0).then(|| format!("and {} more notes", self.more));
        self.texts.into_iter().chain(more).collect()
    }
}

/// A game of a file, replayed by the rules.
pub(super) struct Import {
    pub(super) game_state: GameState,
    pub(super) heading: Heading,
    /// Number of plies made before the players took over.
    opening_plies: usize,
    /// The stats of its plies.
    pub(super) stats: Vec<MoveStats>,
    /// Notes about it.
    pub(super) notes: Remarks,
}

impl Import {
    /// Builds the import with the heading of the file.
    fn new(game_state: GameState, played: &Played, title: &str, mut notes: Remarks) -> Import {
        let last = &game_state;
        let players = last.by_seat(played.players.each_ref());
        let players =
            players.map(|name| fitting("a name", one_line(name), MAX_COMMENT, &mut notes));
        let title = fitting("the title", one_line(title), MAX_COMMENT, &mut notes);
        let reason = one_line(&played.reason);
        let reason = fitting("the reason for the result", reason, MAX_COMMENT, &mut notes);
        // The file's result counts only if the stones decide nothing.
        let end = End::of(played.result, reason).filter(|_| last.result().is_none());
        let heading = Heading { players, title, end, ..Heading::default() };
        let mut stats = played.ply_stats();
        for ply_stats in &mut stats {
            let eval = mem::take(&mut ply_stats.eval);
            ply_stats.eval = fitting("an evaluation", eval, MAX_EVAL, &mut notes);
        }
        Import { game_state, heading, opening_plies: played.opening_plies(), stats, notes }
    }

    /// Puts the notes about the whole file before its own.
    pub(super) fn with_file_notes(self, file_notes: Vec<String>) -> Import {
        let mut notes = Remarks::default();
        file_notes.into_iter().for_each(|note| notes.add(note));
        notes.add_all(self.notes);
        Import { notes, ..self }
    }

    /// Returns the line of the game as a tree with its heading, and the notes.
    ///
    /// # Errors
    /// It is too long.
    pub(super) fn tree(self) -> Result<(Tree, Remarks)> {
        let mut tree = Tree::of_game(&self.game_state)?;
        tree.heading = self.heading.ending_at(tree.current());
        tree.open_with(self.opening_plies);
        record_stats(&mut tree, self.stats);
        Ok((tree, self.notes))
    }
}

/// Sets the stats of the plies of a line. The tree must show the end of the line.
pub(super) fn record_stats(tree: &mut Tree, stats: Vec<MoveStats>) {
    for (node, stats) in tree.path(tree.current()).into_iter().zip(stats) {
        // A ply may be part of several lines: the first stats found count.
        if tree.stats(node) == MoveStats::default() {
            tree.set_stats(node, stats);
        }
    }
}

/// Joins the lines of a text.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

/// Returns a text of a file; empty, with a note, if it has more than `most` characters: it is
/// stored again with every move.
pub(super) fn fitting(what: &str, text: String, most: usize, notes: &mut Remarks) -> String {
    if text.chars().count() <= most {
        return text;
    }
    notes.add(format!("{what} is left out: it has more than {most} characters"));
    String::new()
}

/// Returns the rule for files that name none: that of the current game if it is five in a row.
pub(super) fn assumed(contest: &Contest) -> Variant {
    match contest.variant {
        five @ Variant::Five(_) => five,
        _ => Variant::Five(RuleId::Freestyle),
    }
}

/// The note for a file that names no game.
pub(super) fn no_rule(variant: Variant) -> String {
    format!(
        "no rule is named: shown as {variant}; for another rule, begin a new game with it and open \
         the file again"
    )
}

/// Returns the reader settings for a file that may name no game.
fn play_options(rule: Variant) -> PlayOptions {
    // Doubtful readings are accepted with a note: the user can check the board.
    let hints = Hints { variant: Some(rule), ..Hints::default() };
    PlayOptions { hints, lenient: true, file_first: true }
}

/// Replays a game of a file; of `rule` if the file names no game.
///
/// # Errors
/// No move of it can be played.
pub(super) fn imported(game: ImportedGame, rule: Variant) -> Result<Import> {
    if let Some(board) = &game.board {
        let beginning = initial_position(&game, board, rule)?;
        return imported_from(beginning, game, rule);
    }
    let (opening, events, title) = (game.opening, game.events.len(), game.title.clone());
    let (played, notes) = replayed(game, rule, play)?;
    let is_empty = played.typed.game_state.is_fresh() && played.typed.placed.is_empty();
    ensure!(
        events > 0 && !is_empty,
        "no move of the game can be played{}",
        notes.texts.first().map_or(String::new(), |note| format!(": {note}"))
    );
    let game_state = opened_by(played.typed.game_state.clone(), opening);
    Ok(Import::new(game_state, &played, &title, notes))
}

/// Replays a game of a file that begins with a position.
///
/// # Errors
/// It cannot be played.
pub(super) fn imported_from(
    beginning: GameState,
    game: ImportedGame,
    rule: Variant,
) -> Result<Import> {
    let title = game.title.clone();
    let mut notes = Remarks::default();
    notes.add("the game begins with a position: the order of its stones is unknown".into());
    let play = |game, options: &PlayOptions| play_from(game, beginning, options);
    let (played, more) = replayed(game, rule, play)?;
    notes.add_all(more);
    Ok(Import::new(played.typed.game_state.clone(), &played, &title, notes))
}

/// Plays a game; returns it with the notes about it.
fn replayed(
    game: ImportedGame,
    rule: Variant,
    play: impl FnOnce(ImportedGame, &PlayOptions) -> Result<Played, Refusal>,
) -> Result<(Played, Remarks)> {
    let (is_named, reader_notes) = (game.variant.is_some(), game.notes.len());
    let played = play(game, &play_options(rule))?;
    let mut notes = Remarks::default();
    for (number, note) in played.notes.iter().enumerate() {
        // If the stones contradict the file, it may be another game.
        let contradicts = number >= reader_notes && note.question == Some(Question::Game);
        if note.weight == Weight::Doubt || contradicts {
            notes.add(format!("{}: {}", note.place, note.text));
        }
    }
    if !played.typed.placed.is_empty() {
        notes.add("the last turn is incomplete: its stones are left out".into());
    }
    if !is_named {
        notes.add(no_rule(played.typed.game_state.contest().variant));
    }
    Ok((played, notes))
}

/// Returns the initial position that a file draws or sets up.
///
/// # Errors
/// The side to move is unknown, or no game leads to the position.
pub(super) fn initial_position(
    game: &ImportedGame,
    board: &Diagram,
    rule: Variant,
) -> Result<GameState> {
    set_up(&play_options(rule).contest(game)?, board, None).map_err(|error| match error {
        SetUpError::ToMove { .. } => {
            anyhow!("{error}: add a line such as \"black to move\", or PL[B] in SGF")
        }
        error => error.into(),
    })
}

/// Returns the record of the game up to a node, whose game state is given; `names` are the
/// players if the file names none. The result follows from the stones, else from the heading
/// if the game ended with this node.
pub(super) fn record(
    tree: &Tree,
    (node, game_state): (usize, &GameState),
    names: [String; 2],
) -> GameRecord {
    let heading = &tree.heading;
    let stats = tree.path(node).into_iter().map(|node| tree.stats(node));
    let end = heading.end_at(node).map(|end| (end.ending(game_state), end.reason.clone()));
    let players = heading.names().unwrap_or(names);
    GameRecord::of_game(game_state, players, stats, tree.opening_plies(node)).with_end(end)
}
