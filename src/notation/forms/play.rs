//! Plays the games of files by the rules: gathers stones into turns, checks colours,
//! handles passes and swaps, and the plies of our own files.

use super::typed::Typed;
use crate::plies;
use crate::words::{foul_names, name};
use goren_core::opening::{Action, Event, GameState};
use goren_core::record::import::{
    Columns, Hints, ImportedEvent, ImportedGame, MoveStats, Note, Place, Question, Weight,
};
use goren_core::rules::{Contest, OpeningId, Outcome, RuleId, Variant};
use goren_core::types::Color;

/// Settings for playing an imported game.
#[derive(Copy, Clone, Default, Debug)]
pub struct PlayOptions {
    /// Hints of the user.
    pub hints: Hints,
    /// Whether game and size named by the file take precedence over [`PlayOptions::hints`].
    pub file_first: bool,
    /// Whether to accept doubtful games, and to cut a game before its first illegal move.
    pub lenient: bool,
}

/// A game that was played through.
pub struct Played {
    /// The game, and the stones of an incomplete turn.
    pub typed: Typed,
    /// The names of Black and White at the end; empty if unknown.
    pub players: [String; 2],
    /// The result in the file.
    pub result: Option<Outcome>,
    /// The reason of the result in the file; may be empty.
    pub reason: String,
    /// Number of stones and passes made before the players took over.
    pub prelude: usize,
    /// Stats of the stones and passes of the game, by their numbers. May be
    /// shorter.
    pub move_stats: Vec<MoveStats>,
    /// Notes about the game.
    pub notes: Vec<Note>,
}

impl Played {
    /// Stats of the plies of the game: for several stones at once, those of the last one known.
    pub fn ply_stats(&self) -> Vec<MoveStats> {
        let mut first = 0;
        let stats = |end: usize| {
            let mut events = self.move_stats.iter().take(end).skip(first);
            first = end;
            events.rfind(|stats| **stats != MoveStats::default()).cloned().unwrap_or_default()
        };
        self.events_after_plies().into_iter().map(stats).collect()
    }

    /// Number of plies made before the players took over.
    pub fn opening_plies(&self) -> usize {
        let mut first = 0;
        let is_before = |end: &usize| {
            let is_before = first < self.prelude && *end <= self.prelude;
            first = *end;
            is_before
        };
        self.events_after_plies().into_iter().take_while(is_before).count()
    }

    /// Number of stones and passes after each ply.
    fn events_after_plies(&self) -> Vec<usize> {
        let actions = self.typed.game_state.actions();
        let mut game_state = self.typed.game_state.clone();
        game_state.take_back(actions.len());
        let played = actions.iter().map_while(|action| {
            game_state.apply(action).ok()?;
            Some(game_state.events().len())
        });
        played.collect()
    }
}

/// Why a game is refused.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{place}: {why}")]
pub struct Refusal {
    /// Place of the fault.
    pub place: Place,
    /// What is wrong, and what the user can do about it.
    pub why: String,
    /// Whether `why` names an option that makes the game accepted.
    pub has_option: bool,
}

impl Refusal {
    fn new(place: Place, why: impl ToString) -> Refusal {
        Refusal { place, why: why.to_string(), has_option: false }
    }

    /// A refusal whose `why` names an option.
    fn by_option(place: Place, why: String) -> Refusal {
        Refusal { place, why, has_option: true }
    }
}

impl PlayOptions {
    /// Whether the user has answered the question of a note.
    fn settles(&self, note: &Note) -> bool {
        let Hints { variant, size, columns, from_top, code_page, origin, per_line, named_size: _ } =
            self.hints;
        self.lenient
            || note.question.is_some_and(|question| match question {
                Question::Game => variant.is_some(),
                Question::Size => size.is_some(),
                Question::Encoding => code_page.is_some(),
                Question::Columns => columns.is_some(),
                Question::Rows => from_top.is_some(),
                Question::Origin => origin.is_some(),
                Question::Lines => per_line.is_some(),
            })
    }

    /// Returns the game and the board of a file.
    ///
    /// # Errors
    /// The user asked for another board, or the game cannot be played on it.
    pub fn contest(&self, game: &ImportedGame) -> Result<Contest, Refusal> {
        let (hint, named) = (self.hints.variant, game.variant);
        let variant = if self.file_first { named.or(hint) } else { hint.or(named) };
        let variant = variant.unwrap_or(Variant::Five(RuleId::Freestyle));
        let usual = || self.hints.usual_size(Some(variant));
        let (width, height) = game.size.or(self.hints.size).unwrap_or_else(usual);
        if !self.file_first && self.hints.size.is_some_and(|size| size != (width, height)) {
            return Err(Refusal::new(Place::File, format!("the board is {width}x{height}")));
        }
        let contest = Contest::new(variant).opened(OpeningId::Free);
        let contest = contest.and_then(|contest| contest.on(width, height));
        let contest = contest.map_err(|error| Refusal::new(Place::File, error))?;
        let tie_break = game.tie_break && variant.sheet().passes;
        Ok(Contest { tie_break, strict: game.strict, ..contest })
    }

    /// Refuses open doubts.
    ///
    /// # Errors
    /// A doubt that the user has not answered; the error says what the user can do.
    pub fn check(&self, notes: &[Note]) -> Result<(), Refusal> {
        let is_open = |note: &&Note| note.weight == Weight::Doubt && !self.settles(note);
        let open: Vec<&Note> = notes.iter().filter(is_open).collect();
        let [first, others @ ..] = &open[..] else { return Ok(()) };
        let more = match others.len() {
            0 => String::new(),
            1 => format!(" (and {})", others[0]),
            n => format!(" (and {n} more doubts, such as {})", others[0]),
        };
        let answer = first.question.map_or(String::new(), |q| format!("{}, or ", answer(q)));
        let why = format!("{}{more}; {answer}accept it anyway with --lenient", first.text);
        Err(Refusal::by_option(first.place, why))
    }
}

/// What a user can do about a question.
pub(super) fn answer(question: Question) -> &'static str {
    match question {
        Question::Game => "name the game with --game",
        Question::Size => "give the size with --size",
        Question::Encoding => "name the encoding with --encoding",
        Question::Columns => "state with --columns whether there is a column I",
        Question::Rows => "state with --from-top or --from-bottom where rows begin",
        Question::Origin => "state with --origin whether numbers begin with 0 or 1",
        Question::Lines => "state with --lines what the lines are",
    }
}

/// Plays a game.
///
/// # Errors
/// The game is doubtful or illegal, unless the user accepts it all the same.
pub fn play(game: ImportedGame, options: &PlayOptions) -> Result<Played, Refusal> {
    options.check(&game.notes)?;
    let contest = options.contest(&game)?;
    let has_plies = game.variant == Some(contest.variant) && !game.plies.is_empty();
    let mut notes = Vec::new();
    let by_plies = if has_plies { by_plies(&game, contest, &mut notes) } else { None };
    let replayed = match by_plies {
        Some(game_state) => Replayed::whole(game_state, notes),
        None => replay(&game, GameState::new(contest), options, notes)?,
    };
    conclude(game, replayed, options)
}

/// Plays a game whose events follow a position, which determines board and rules.
///
/// # Errors
/// As [`play`].
pub fn play_from(
    game: ImportedGame,
    beginning: GameState,
    options: &PlayOptions,
) -> Result<Played, Refusal> {
    options.check(&game.notes)?;
    let replayed = replay(&game, beginning, options, Vec::new())?;
    conclude(game, replayed, options)
}

/// Plays the events of a game from its beginning.
fn replay(
    game: &ImportedGame,
    beginning: GameState,
    options: &PlayOptions,
    notes: Vec<Note>,
) -> Result<Replayed, Refusal> {
    let mut replay = ImportReplay {
        game,
        options,
        typed: Typed { game_state: beginning, placed: Vec::new() },
        stones: 0,
        exchanged: false,
        swapped: false,
        notes,
        added: Vec::new(),
    };
    replay.events()?;
    let ImportReplay { typed, exchanged, notes, added, .. } = replay;
    Ok(Replayed { typed, exchanged, notes, added })
}

/// Adjusts result, players, stats and notes of a game to the moves played.
fn conclude(
    game: ImportedGame,
    replayed: Replayed,
    options: &PlayOptions,
) -> Result<Played, Refusal> {
    let Replayed { typed, exchanged, mut notes, added } = replayed;
    options.check(&notes)?;
    let mut result = game.result;
    let mut players = game.players;
    if exchanged {
        players.swap(0, 1);
        result = result.map(|result| match result {
            Outcome::Win(color) => Outcome::Win(!color),
            Outcome::Draw => Outcome::Draw,
        });
    }
    notes.extend(contradiction(&typed.game_state, result));
    // Swaps do not count as stones or passes of the game, but added passes do.
    let swap = |i: &usize| matches!(game.events.get(*i), Some(ImportedEvent::Swap));
    let mut prelude = game.prelude - (0..game.prelude).filter(swap).count();
    let mut move_stats = game.move_stats;
    for i in (0..move_stats.len()).rev().filter(swap) {
        move_stats.remove(i);
    }
    for i in added {
        prelude += usize::from(i < prelude);
        if i <= move_stats.len() {
            move_stats.insert(i, MoveStats::default());
        }
    }
    notes.splice(0..0, game.notes);
    Ok(Played { typed, players, result, reason: game.reason, prelude, move_stats, notes })
}

/// Returns the game under the opening that its file names, if its moves allow that; the seats
/// then have to make the remaining decisions of the opening. [`play`] plays the stones of
/// foreign files under no opening.
pub fn opened_by(game_state: GameState, opening: Option<OpeningId>) -> GameState {
    let opened = opening.and_then(|opening| game_state.contest().opened(opening).ok());
    let Some(opened) = opened else { return game_state };
    let mut replayed = GameState::new(opened);
    let is_legal = game_state.actions().iter().all(|action| replayed.apply(action).is_ok());
    if is_legal { replayed } else { game_state }
}

/// Plays the game by its plies, if they are legal. Adds a doubt if there are no stones, or if
/// plies and stones differ.
fn by_plies(game: &ImportedGame, contest: Contest, notes: &mut Vec<Note>) -> Option<GameState> {
    let opened = contest.opened(game.opening.unwrap_or(OpeningId::Free)).ok()?;
    let game_state = match plies::game(&opened, game.plies.iter().map(String::as_str)) {
        Ok(game_state) => game_state,
        Err(error) => {
            let what = format!("the plies cannot be played ({error:#}), the stones are used");
            notes.push(Note::doubt(Place::File, what));
            return None;
        }
    };
    let played = game.events.iter().filter_map(|event| match *event {
        ImportedEvent::Stone(cell, _) => Some(Some(cell)),
        ImportedEvent::Pass(_) => Some(None),
        ImportedEvent::Swap | ImportedEvent::Drop(_) => None,
    });
    let events = game_state.events().iter().map(|event| match *event {
        Event::Stone(cell, _) => Some(cell),
        Event::Pass => None,
    });
    if game.events.is_empty() && !game_state.events().is_empty() {
        // As in a file that is cut off before the stones.
        let what = "the file has plies but no stones, the plies are used";
        notes.push(Note::doubt(Place::File, what));
        return Some(game_state);
    }
    if !played.eq(events) {
        let what = "the plies and the stones differ, the stones are used";
        notes.push(Note::doubt(Place::File, what));
        return None;
    }
    Some(game_state)
}

/// Returns a remark if the stones have another result than the file.
fn contradiction(game_state: &GameState, stated: Option<Outcome>) -> Option<Note> {
    let played = game_state.result()?;
    let (colors, word) = match stated? {
        Outcome::Win(color) => (vec![color], format!("{color:?} won")),
        Outcome::Draw => (Color::ALL.to_vec(), "it was a draw".into()),
    };
    let by_stones = match played.colors[..] {
        [color] => format!("{color:?} did"),
        _ => "it was a draw".into(),
    };
    (colors != played.colors).then(|| {
        let what = format!("the file says that {word}, but by the stones {by_stones}");
        Note::remark(Place::File, what).asking(Question::Game)
    })
}

/// How the last stone ended the game, if it did.
fn end(game_state: &GameState) -> Option<String> {
    let result = game_state.result()?;
    let Action::Stones { cells, .. } = game_state.actions().last()? else { return None };
    let cell = cells.last()?.label(game_state.contest().height).to_lowercase();
    let mut before = game_state.clone();
    before.take_back(1);
    let mover = before.to_move();
    let fouls = foul_names(before.referee().fouls(mover, *cells.last()?)).join(" and ");
    let what = match result.colors[..] {
        [color] if color != mover && !fouls.is_empty() => {
            format!("was a foul ({fouls}), so {} lost", name(mover))
        }
        [color] if color == mover => format!("won the game for {}", name(mover)),
        [_] => format!("lost the game for {}", name(mover)),
        _ => "ended the game in a draw".to_owned(),
    };
    Some(format!("move {} ({cell}) {what}", game_state.events().len()))
}

/// The letter of a column, from 0, on a board without I; `None` if it is the usual one.
fn letter_without_i(x: usize) -> Option<char> {
    let letter = (b'A'..=b'Z').filter(|&letter| letter != b'I').nth(x)?;
    (letter > b'I').then(|| char::from(letter))
}

/// A game after its events were played.
struct Replayed {
    typed: Typed,
    /// Whether the file's Black is White here.
    exchanged: bool,
    notes: Vec<Note>,
    /// The passes assumed, by their numbers among stones and passes.
    added: Vec<usize>,
}

impl Replayed {
    /// A game already played by its plies.
    fn whole(game_state: GameState, notes: Vec<Note>) -> Replayed {
        let typed = Typed { game_state, placed: Vec::new() };
        Replayed { typed, exchanged: false, notes, added: Vec::new() }
    }
}

/// A game while it is played event by event.
struct ImportReplay<'a> {
    game: &'a ImportedGame,
    options: &'a PlayOptions,
    typed: Typed,
    /// Number of stones and passes so far.
    stones: usize,
    /// Whether the file's Black is White here.
    exchanged: bool,
    /// Whether the last event was a swap.
    swapped: bool,
    notes: Vec<Note>,
    /// The passes assumed, by their numbers among stones and passes.
    added: Vec<usize>,
}

impl ImportReplay<'_> {
    fn events(&mut self) -> Result<(), Refusal> {
        for (i, event) in self.game.events.iter().enumerate() {
            let place = self.game.places.get(i).copied().unwrap_or(Place::Move(self.stones + 1));
            let is_pass = |event: &ImportedEvent| matches!(event, ImportedEvent::Pass(_));
            let passes = self.typed.game_state.contest().variant.sheet().passes;
            if !passes && self.game.events[i..].iter().all(is_pass) {
                let what = "a pass at the end is left out: the game has no passes";
                self.notes.push(Note::remark(place, what));
                return Ok(());
            }
            if let Err(error) = self.event(event, place) {
                let label = self.label(event);
                let mut reason = format!("move {} ({label}): {error:#}", self.stones + 1);
                // The message has the number of the move already.
                let place = if matches!(place, Place::Move(_)) { Place::File } else { place };
                let end = end(&self.typed.game_state);
                if let Some(end) = &end {
                    reason += &format!(": {end}");
                }
                if !self.options.lenient && end.is_some() {
                    reason += "; --lenient reads the game up to there";
                    return Err(Refusal::by_option(place, reason));
                } else if !self.options.lenient {
                    return Err(Refusal::new(place, reason));
                }
                let left = self.game.events.len() - i;
                let what = format!("{reason}; this move and all after it are left out ({left})");
                self.notes.push(Note::doubt(place, what));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the game begins with a position: then the file determines the side to move.
    fn is_laid(&self) -> bool {
        !self.typed.game_state.setup_stones().is_empty()
    }

    /// The name of a move, with its name in the file if that differs.
    fn label(&self, event: &ImportedEvent) -> String {
        let height = self.typed.game_state.contest().height;
        match *event {
            ImportedEvent::Stone(cell, _) => {
                let label = cell.label(height).to_lowercase();
                let without_i = self.game.columns == Some(Columns::WithoutI);
                match without_i.then(|| letter_without_i(cell.x())).flatten() {
                    Some(letter) => {
                        format!("{label}, {letter}{} in the file", height - cell.y())
                    }
                    None => label,
                }
            }
            ImportedEvent::Drop(x) => char::from(b'a' + x as u8 % 26).into(),
            ImportedEvent::Pass(_) => "pass".into(),
            ImportedEvent::Swap => "swap".into(),
        }
    }

    fn event(&mut self, event: &ImportedEvent, place: Place) -> anyhow::Result<()> {
        match *event {
            ImportedEvent::Stone(cell, color) => {
                self.turn(color, place)?;
                self.typed.stone(cell)?;
            }
            ImportedEvent::Drop(x) => self.typed.drop_into(x)?,
            ImportedEvent::Pass(color) => {
                let variant = self.typed.game_state.contest().variant;
                anyhow::ensure!(variant.sheet().passes, "{variant} has no passes");
                self.turn(color, place)?;
                self.typed.pass()?;
            }
            ImportedEvent::Swap => {
                // The stones stay as they are; later stones show whether the names change.
                self.swapped = true;
                return Ok(());
            }
        }
        self.stones += 1;
        self.swapped = false;
        Ok(())
    }

    /// Checks that the colour named by the file is to move. Exchanged colours and a missing
    /// pass are noted; any other stone out of turn is refused.
    fn turn(&mut self, stated: Option<Color>, place: Place) -> anyhow::Result<()> {
        let due = self.typed.game_state.to_move();
        let Some(stated) = stated else { return Ok(()) };
        if (stated == due) != self.exchanged {
            return Ok(());
        }
        if self.swapped {
            self.exchanged = !self.exchanged;
            let what = "the colours are those of the players, and change with the swap";
            self.notes.push(Note::remark(place, what));
        } else if self.stones == 0 && !self.is_laid() {
            self.exchanged = true;
            let what = "White moves first, and is called Black here";
            // By tradition White begins in Pente.
            let usual = matches!(self.typed.game_state.contest().variant, Variant::Pente(_));
            let note = if usual { Note::remark(place, what) } else { Note::doubt(place, what) };
            self.notes.push(note);
        } else if self.typed.placed.is_empty() && self.typed.pass().is_ok() {
            let what = "a stone of the other colour is due: a pass is assumed";
            self.notes.push(Note::doubt(place, what));
            self.added.push(self.stones + self.added.len());
        } else {
            anyhow::bail!("a stone of the other colour is due");
        }
        Ok(())
    }
}
