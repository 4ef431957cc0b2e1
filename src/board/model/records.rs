//! Games of files, played by the rules, and games as files have them.

use std::mem;

use anyhow::{Result, anyhow, ensure};

use super::heading::{End, Heading};
use super::recorded::{self, MOST_EVAL};
use super::tree::{MOST_COMMENT, Tree};
use goren_core::opening::{Action, GameState, Seat};
use goren_core::record::diagram::Diagram;
use goren_core::record::import::{Hints, ImportedGame, MoveStats, Question, Weight};
use goren_core::record::{Ending, GameRecord, PlayedPly};
use goren_core::rules::{Contest, RuleId, Variant};
use goren_core::types::Color;
use goren_notation::forms::{
    PlayOptions, Played, Refusal, SetUpError, opened_by, play, play_from, set_up,
};

/// Most remarks about a file that are told.
const MOST_NOTES: usize = 8;

/// What there is to say of a file, each thing once.
#[derive(Clone, Default, Debug)]
pub(super) struct Remarks {
    texts: Vec<String>,
    /// Those beyond the ones that are told.
    more: usize,
}

impl Remarks {
    pub(super) fn add(&mut self, text: String) {
        if self.texts.contains(&text) {
        } else if self.texts.len() < MOST_NOTES {
            self.texts.push(text);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn add_all(&mut self, other: Remarks) {
        other.texts.into_iter().for_each(|text| self.add(text));
        self.more += other.more;
    }

    /// All of it in sentences.
    pub(super) fn reported(self) -> Vec<String> {
        let more = (self.more > 0).then(|| format!("and {} more notes", self.more));
        self.texts.into_iter().chain(more).collect()
    }
}

/// A game of a file, played.
pub(super) struct Import {
    pub(super) game_state: GameState,
    pub(super) heading: Heading,
    /// How many of its plies were made before the players took over.
    opening_plies: usize,
    /// What is recorded with its plies.
    pub(super) stats: Vec<MoveStats>,
    /// Notes about it.
    pub(super) notes: Remarks,
}

impl Import {
    /// With what the file says of the game as a whole.
    fn new(game_state: GameState, played: &Played, title: &str, mut notes: Remarks) -> Import {
        let last = &game_state;
        let player = |seat: Seat| {
            let player = &played.players[usize::from(last.owner(Color::White) == seat)];
            fitting("a name", one_line(player), MOST_COMMENT, &mut notes)
        };
        let players = Seat::ALL.map(player);
        let title = fitting("the title", one_line(title), MOST_COMMENT, &mut notes);
        let reason = one_line(&played.reason);
        let reason = fitting("the reason of the end", reason, MOST_COMMENT, &mut notes);
        // What the stones say needs no file.
        let end = End::of(played.result, reason).filter(|_| last.result().is_none());
        let heading = Heading { players, title, end, ..Heading::default() };
        let mut stats = recorded::of_plies(&game_state, &played.move_stats);
        for of_ply in &mut stats {
            let eval = mem::take(&mut of_ply.eval);
            of_ply.eval = fitting("an evaluation", eval, MOST_EVAL, &mut notes);
        }
        Import { game_state, heading, opening_plies: played.opening_plies(), stats, notes }
    }

    /// Puts the notes about the whole file before its own.
    pub(super) fn below(self, of_file: Vec<String>) -> Import {
        let mut notes = Remarks::default();
        of_file.into_iter().for_each(|note| notes.add(note));
        notes.add_all(self.notes);
        Import { notes, ..self }
    }

    /// The line of the game as a tree with its heading, and the notes about it.
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

/// Puts what is recorded with the plies of a line at its nodes. The end of the line is shown.
pub(super) fn record_stats(tree: &mut Tree, stats: Vec<MoveStats>) {
    for (node, stats) in tree.path(tree.current()).into_iter().zip(stats) {
        // A ply may stand in several lines: the first that tells something of it counts.
        if tree.stats(node) == MoveStats::default() {
            tree.set_stats(node, stats);
        }
    }
}

/// A text in a line.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

/// A text of a file; none, and a note, where it has more than `most` characters: it would be
/// kept with every move.
pub(super) fn fitting(what: &str, text: String, most: usize, notes: &mut Remarks) -> String {
    if text.chars().count() <= most {
        return text;
    }
    notes.add(format!("{what} is left out: it has more than {most} characters"));
    String::new()
}

/// The rule for files that name none: the rule of the current game if that is five in a row.
pub(super) fn assumed(contest: &Contest) -> Variant {
    match contest.variant {
        five @ Variant::Five(_) => five,
        _ => Variant::Five(RuleId::Freestyle),
    }
}

/// The note for a file that names no game.
pub(super) fn no_rule(variant: Variant) -> String {
    format!(
        "no rule is named: it is shown as {variant}; for another rule begin a new game of it and \
         open the file again"
    )
}

/// Reader settings for a file that may name no game.
fn reported(rule: Variant) -> PlayOptions {
    // Doubtful readings are accepted with a note: the person sees the board they gave.
    let hints = Hints { variant: Some(rule), ..Hints::default() };
    PlayOptions { hints, lenient: true, file_first: true }
}

/// A game as a file tells it, played; of `rule` if the file names no game.
///
/// # Errors
/// What is there cannot be played.
pub(super) fn imported(game: ImportedGame, rule: Variant) -> Result<Import> {
    if let Some(board) = &game.board {
        let beginning = laid(&game, board, rule)?;
        return followed(beginning, game, rule);
    }
    let (opening, events, title) = (game.opening, game.events.len(), game.title.clone());
    let (played, notes) = replayed(game, rule, play)?;
    let nothing = played.typed.game_state.is_fresh() && played.typed.placed.is_empty();
    ensure!(
        events > 0 && !nothing,
        "no move of it can be played{}",
        notes.texts.first().map_or(String::new(), |note| format!(": {note}"))
    );
    let game_state = opened_by(played.typed.game_state.clone(), opening);
    Ok(Import::new(game_state, &played, &title, notes))
}

/// A game whose moves follow on a position, played.
///
/// # Errors
/// It cannot be played.
pub(super) fn followed(beginning: GameState, game: ImportedGame, rule: Variant) -> Result<Import> {
    let title = game.title.clone();
    let mut notes = Remarks::default();
    notes.add("it begins with a position: the order of its stones is not known".into());
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
    let (is_named, of_reader) = (game.variant.is_some(), game.notes.len());
    let played = play(game, &reported(rule))?;
    let mut notes = Remarks::default();
    for (number, note) in played.notes.iter().enumerate() {
        // Where the stones contradict the file it may be another game.
        let contradicts = number >= of_reader && note.question == Some(Question::Game);
        if note.weight == Weight::Doubt || contradicts {
            notes.add(format!("{}: {}", note.place, note.text));
        }
    }
    if !played.typed.placed.is_empty() {
        notes.add("the last turn is not over: its stones are left out".into());
    }
    if !is_named {
        notes.add(no_rule(played.typed.game_state.contest().variant));
    }
    Ok((played, notes))
}

/// The game that begins with a board that a file draws or sets up.
///
/// # Errors
/// It does not say who is to move, or no game leads to it.
pub(super) fn laid(game: &ImportedGame, board: &Diagram, rule: Variant) -> Result<GameState> {
    set_up(&reported(rule).contest(game)?, board, None).map_err(|error| match error {
        SetUpError::ToMove { .. } => {
            anyhow!("{error}: say it in a line such as \"black to move\", or PL[B] in SGF")
        }
        error => error.into(),
    })
}

/// The game up to a node of a tree, whose position is given, as records have it; `names` are
/// those of the players where its file gives none. How it ended its file says where it ended
/// there and not by the stones.
pub(super) fn record(
    tree: &Tree,
    (node, game_state): (usize, &GameState),
    names: [String; 2],
) -> GameRecord {
    let heading = &tree.heading;
    let ply = |(action, node): (&Action, usize)| PlayedPly {
        action: action.clone(),
        stats: tree.stats(node),
    };
    let by_stones = game_state.result().map(|result| {
        let ending = match result.seats[..] {
            [seat] => Ending::Win(seat),
            _ => Ending::Draw,
        };
        (Some(ending), result.reason.name().to_owned())
    });
    let by_file = || heading.end_at(node).map(|end| (end.ending(game_state), end.reason.clone()));
    let (ending, reason) = by_stones.or_else(by_file).unwrap_or_default();
    let mut plies: Vec<PlayedPly> =
        game_state.actions().iter().zip(tree.path(node)).map(ply).collect();
    let opening_plies = tree.opening_plies(node).min(plies.len());
    let opening = plies.drain(..opening_plies).map(|ply| ply.action).collect();
    GameRecord {
        contest: *game_state.contest(),
        players: heading.names().unwrap_or(names),
        opening,
        plies,
        black: game_state.owner(Color::Black),
        ending,
        reason,
    }
}
