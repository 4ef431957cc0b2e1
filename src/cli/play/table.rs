//! A game at the board: who plays, what is typed, and what the engine answers.

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::chess_clock::{ChessClock, shown};
use super::command::Command;
use super::cut::while_watched;
use super::files;
use super::input::{Input, Line};
use super::level::Level;
use super::moment::{self, such_as};
use super::words::{Side, outlook, plural, seconds, verdict};
use crate::forms::Reading;
use crate::lettering::Lettering;
use crate::position::name;
use crate::turn::{Turn, TurnError, read};
use goren_core::opening::{Action, GameState, PendingDecision, Seat};
use goren_core::record::import::Columns;
use goren_core::rules::{Contest, OpeningId, Variant, named};
use goren_core::types::{Cell, Color, plies_to_end};
use goren_engine::{Basis, Hash, Info, Report, Request, WeightSet};
use goren_session::decide::{Decider, Decision, Strength};

/// From this score on, for its own side, the engine accepts no draw.
const AHEAD: i32 = 30;
/// Part of the time for a move in which it decides on a draw.
const DRAW_SHARE: u32 = 2;
/// How often the live line is written.
const LIVE: Duration = Duration::from_millis(200);

/// Who sits at a side of the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Player {
    Person,
    Engine,
}

/// How the engine plays and what the screen looks like.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) time: Duration,
    /// Bounds the search by depth as well.
    pub(super) max_depth: Option<u32>,
    pub(super) max_nodes: Option<u64>,
    pub(super) threads: usize,
    pub(super) level: Level,
    /// Of what a level below full chooses by chance; another in each game if there is
    /// none.
    pub(super) seed: Option<u64>,
    pub(super) columns: Columns,
    pub(super) colors: bool,
}

/// A game that was ended by the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Closed {
    /// `None` for a draw.
    pub(super) winner: Option<Seat>,
    pub(super) reason: &'static str,
}

/// A game with its players.
pub(super) struct Match {
    pub(super) game_state: GameState,
    /// Stones of a turn that is not over.
    pub(super) placed: Vec<Cell>,
    pub(super) players: [Player; 2],
    pub(super) setting: Setting,
    pub(super) clock: Option<ChessClock>,
    pub(super) closed: Option<Closed>,
    /// Plies taken back, the next one last.
    undone: Vec<Action>,
    decider: Decider,
    weights: WeightSet,
    hash: Hash,
    /// How many games were begun.
    games: u64,
    /// Makes choices by chance differ.
    chance: RandomState,
    /// The file it was kept in.
    saved: Option<PathBuf>,
    /// Plies when it was kept.
    kept: usize,
}

impl Match {
    pub(super) fn new(
        game_state: GameState,
        players: [Player; 2],
        setting: Setting,
        weights: WeightSet,
        hash: Hash,
    ) -> Match {
        let decider = Decider::new(game_state.contest(), &weights, &hash);
        let kept = game_state.actions().len();
        Match {
            game_state,
            placed: Vec::new(),
            players,
            setting,
            clock: None,
            closed: None,
            undone: Vec::new(),
            decider,
            weights,
            hash,
            games: 0,
            chance: RandomState::new(),
            saved: None,
            kept,
        }
    }

    pub(super) fn lettering(&self) -> Lettering {
        let Contest { width, height, .. } = *self.game_state.contest();
        Lettering { width, height, columns: self.setting.columns }
    }

    /// What is to be decided; `None` when the game is over.
    pub(super) fn pending(&self) -> Option<PendingDecision> {
        self.game_state.pending_decision().filter(|_| self.closed.is_none())
    }

    fn are_two(&self) -> bool {
        self.players == [Player::Person; 2]
    }

    /// The seat of the person; the one to act where two play.
    fn person(&self) -> Seat {
        match self.players {
            [Player::Person, Player::Person] => self.game_state.seat(),
            [Player::Person, _] => Seat::First,
            _ => Seat::Second,
        }
    }

    pub(super) fn play(&mut self, input: &mut dyn Input, out: &mut dyn Write) -> Result<()> {
        self.greet(out)?;
        self.show(out)?;
        let mut interrupted = false;
        let mut told = None;
        loop {
            if let Some(pending) = self.pending()
                && self.players[pending.seat.index()] == Player::Engine
            {
                self.engine_moves(input.is_person(), out)?;
                continue;
            }
            let plies = self.game_state.actions().len();
            if told != Some(plies) {
                self.tell_stage(out)?;
                told = Some(plies);
            }
            let asked = Instant::now();
            let typed = input.line(&self.prompt(), out)?;
            if self.is_late(asked.elapsed()) {
                self.show(out)?;
                continue;
            }
            let again = std::mem::take(&mut interrupted);
            let command = match typed {
                Line::Text(line) => Command::read(&line),
                Line::End => Command::Quit,
                Line::Interrupt if again => Command::Quit,
                Line::Interrupt => {
                    interrupted = true;
                    writeln!(out, "Ctrl-C again, or quit, leaves the game.")?;
                    continue;
                }
            };
            if command == Command::Quit {
                return self.offer_to_save(input, out);
            }
            // What cannot be done is told, and the game goes on.
            if let Err(error) = self.obey(command, input, out) {
                if error.downcast_ref::<std::io::Error>().is_some_and(is_broken) {
                    return Err(error);
                }
                writeln!(out, "{error:#}")?;
            }
        }
    }

    fn greet(&self, out: &mut dyn Write) -> Result<()> {
        let Contest { variant, width, height, opening, .. } = *self.game_state.contest();
        writeln!(out, "{variant} on {width}x{height}, opening {opening}: {}.", self.colors())?;
        let time = match &self.clock {
            Some(clock) => format!("{} for each player", shown(clock.left(Seat::First))),
            None => format!("{} a move", seconds(self.setting.time)),
        };
        if !self.are_two() {
            writeln!(out, "The engine plays at level {}, {time}.", self.setting.level)?;
        }
        writeln!(out, "Type your move, {}, or help.", such_as(&self.game_state, self.lettering()))?;
        Ok(())
    }

    /// Takes the time off the clock of whoever was asked; whether it ran out.
    fn is_late(&mut self, used: Duration) -> bool {
        let Some(seat) = self.pending().map(|pending| pending.seat) else { return false };
        let late = self.clock.as_mut().is_some_and(|clock| !clock.use_up(seat, used));
        if late {
            self.closed = Some(Closed { winner: Some(!seat), reason: "time" });
        }
        late
    }

    fn obey(&mut self, command: Command, input: &mut dyn Input, out: &mut dyn Write) -> Result<()> {
        match command {
            Command::Ply(text) => self.ply(&text, out)?,
            Command::Undo(times) => self.undo(times, out)?,
            Command::Redo => self.redo(out)?,
            Command::Hint => self.hint(input.is_person(), out)?,
            Command::Swap => self.swap(out)?,
            Command::Sides => self.change_sides(out)?,
            Command::Two | Command::Engine => {
                let seat = self.person();
                self.players = [Player::Person; 2];
                if command == Command::Engine {
                    self.players[(!seat).index()] = Player::Engine;
                }
                writeln!(out, "Now {}.", self.colors())?;
            }
            Command::Points => self.tell_points(out)?,
            Command::Moves => self.tell_moves(out)?,
            Command::Resign => self.resign(out)?,
            Command::Draw => self.offer_draw(input.is_person(), out)?,
            Command::Level(name) if name.is_empty() => {
                writeln!(out, "The engine plays at level {}.", self.setting.level)?;
            }
            Command::Level(name) => {
                self.setting.level = Level::read(&name)?;
                writeln!(out, "The engine plays at level {} now.", self.setting.level)?;
            }
            Command::Time(text) => {
                self.setting.time = crate::seconds::seconds(&text).map_err(anyhow::Error::msg)?;
                writeln!(out, "The engine has {} a move.", seconds(self.setting.time))?;
            }
            Command::Columns(text) => {
                self.setting.columns = match text.to_lowercase().as_str() {
                    "go" | "without-i" => Columns::WithoutI,
                    "all" | "with-i" => Columns::WithI,
                    _ => bail!("columns go (without I) or columns all (with I)"),
                };
                self.show(out)?;
            }
            Command::Save(file, over) => self.save(&file, over, out)?,
            Command::Load(file) => self.load(&file, out)?,
            Command::New(words) => self.begin(&words, out)?,
            Command::Board => self.show(out)?,
            Command::Help => self.tell_help(out)?,
            Command::Nothing | Command::Quit => {}
        }
        Ok(())
    }

    /// A ply of the person, or a part of one.
    fn ply(&mut self, text: &str, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("{text}: the game is over; undo, new and save are possible");
        }
        match read(&self.game_state, &self.placed, text, self.lettering()) {
            Ok(Turn::Whole(action)) => self.go_on(&action, out),
            Ok(Turn::Part(cells)) => {
                self.placed = cells;
                Ok(())
            }
            Err(error) => {
                let such_as = such_as(&self.game_state, self.lettering());
                let unread = matches!(error, TurnError::Unreadable(_) | TurnError::Empty);
                let help = if unread { "; help lists the commands" } else { "" };
                writeln!(out, "{text}: {error}. Type a move {such_as}{help}.")?;
                if !unread && self.setting.columns == Columns::WithI {
                    self.tell_centre(text, out)?;
                }
                Ok(())
            }
        }
    }

    /// Where somebody may be used to boards without the letter I.
    fn tell_centre(&self, text: &str, out: &mut dyn Write) -> Result<()> {
        let lettering = self.lettering();
        let go = Lettering { columns: Columns::WithoutI, ..lettering };
        let centre = self.game_state.centre();
        let meant =
            go.cell(text.trim()) == Some(centre) && go.label(centre) != lettering.label(centre);
        if self.game_state.stones().len() < 2 && meant {
            let centre = lettering.label(centre);
            writeln!(
                out,
                "The centre is {centre}: there is a column I. columns go leaves it out."
            )?;
        }
        Ok(())
    }

    /// Plays a ply of the seat to act.
    fn go_on(&mut self, action: &Action, out: &mut dyn Write) -> Result<()> {
        let seat = self.game_state.seat();
        let before = self.owners();
        self.game_state.apply(action)?;
        self.placed.clear();
        self.undone.clear();
        if let Some(clock) = &mut self.clock {
            clock.moved(seat);
        }
        // A swap leaves the board as it was.
        if *action != Action::Swap {
            self.show(out)?;
        }
        if self.owners() != before {
            let who = match (action, self.players[seat.index()]) {
                (Action::Swap, _) if self.are_two() => "A swap",
                (Action::Swap, Player::Engine) => "The engine swaps",
                (Action::Swap, Player::Person) => "You swap",
                _ => "Colours are exchanged",
            };
            writeln!(out, "{who}: {}.", self.colors())?;
        }
        Ok(())
    }

    fn owners(&self) -> Seat {
        self.game_state.owner(Color::Black)
    }

    fn swap(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_some_and(|pending| pending.swap) {
            return self.go_on(&Action::Swap, out);
        }
        bail!("There is nothing to swap now. sides changes sides with the engine.")
    }

    fn change_sides(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.are_two() {
            bail!("Two people play: there is no engine to change sides with.");
        }
        self.players.swap(0, 1);
        writeln!(out, "Now {}.", self.colors())?;
        Ok(())
    }

    /// Takes plies back until it is the person's turn again.
    fn undo(&mut self, times: usize, out: &mut dyn Write) -> Result<()> {
        if !self.placed.is_empty() {
            self.placed.clear();
            return self.show(out);
        }
        let reopened = self.closed.take().is_some();
        let mut taken = false;
        for _ in 0..times.max(1) {
            let plies = self.game_state.actions().len();
            let is_own = |ply: &usize| self.players[*ply % 2] == Player::Person;
            let Some(last) = (0..plies).rev().find(is_own) else { break };
            if reopened && self.players[plies % 2] == Player::Person {
                // The game goes on where it was given up.
                taken = true;
                break;
            }
            self.undone.extend(self.game_state.actions()[last..].iter().rev().cloned());
            self.game_state.take_back(plies - last);
            taken = true;
        }
        if !taken && !reopened {
            bail!("You have not moved yet.");
        }
        self.show(out)
    }

    /// Plays again what was taken back.
    fn redo(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.undone.is_empty() {
            bail!("Nothing was taken back.");
        }
        while let Some(action) = self.undone.pop() {
            self.game_state.apply(&action)?;
            let seat = self.game_state.seat();
            if self.players[seat.index()] == Player::Person {
                break;
            }
        }
        self.show(out)
    }

    fn resign(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("The game is over.");
        }
        self.closed = Some(Closed { winner: Some(!self.person()), reason: "resignation" });
        self.show(out)
    }

    fn offer_draw(&mut self, live: bool, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("The game is over.");
        }
        let agreed = Closed { winner: None, reason: "agreement" };
        if self.are_two() {
            self.closed = Some(agreed);
            return self.show(out);
        }
        let plain = self.pending().is_some_and(|pending| moment::is_plain(&pending));
        let score = match self.think(Strength::FULL, DRAW_SHARE, live, out)? {
            Some(decision) if plain => decision.info.searched(),
            _ => None,
        };
        // The score is the person's.
        if score.is_some_and(|score| -score <= AHEAD) {
            self.closed = Some(agreed);
            return self.show(out);
        }
        writeln!(out, "The engine would rather play on.")?;
        Ok(())
    }

    /// The points that are allowed now.
    fn tell_points(&self, out: &mut dyn Write) -> Result<()> {
        let cells = self.game_state.placements();
        let all = self.game_state.empty().len();
        match cells.len() {
            _ if self.pending().is_none() => writeln!(out, "The game is over.")?,
            0 => self.tell_stage(out)?,
            count if count == all => writeln!(out, "Every empty point.")?,
            _ => writeln!(out, "{}", self.lettering().labels(&cells).replace(',', " "))?,
        }
        Ok(())
    }

    fn hint(&mut self, live: bool, out: &mut dyn Write) -> Result<()> {
        let Some(pending) = self.pending() else { bail!("The game is over.") };
        let Some(decision) = self.think(Strength::FULL, 1, live, out)? else { return Ok(()) };
        let text = moment::text(&self.game_state, &decision.action, self.lettering());
        if !decision.why.is_empty() || !moment::is_plain(&pending) {
            // Before a swap on offer, one number for each way to go on.
            writeln!(out, "Try {text}.")?;
            if decision.why.len() > 1 {
                let worth = decision.why.join(", ");
                writeln!(out, "What each is worth to you, in points: {worth}.")?;
            }
            return Ok(());
        }
        let mut after = self.game_state.clone();
        let wins = after.apply(&decision.action).is_ok()
            && after.result().is_some_and(|end| end.seats == [pending.seat]);
        if wins {
            writeln!(out, "Try {text}: it wins.")?;
        } else {
            writeln!(out, "Try {text} ({}).", verdict(&decision.info, self.side(), true))?;
        }
        Ok(())
    }

    /// Whom scores are told to.
    fn side(&self) -> Side<'static> {
        if self.are_two() { Side::Named(name(self.game_state.to_move())) } else { Side::You }
    }

    pub(super) fn engine_moves(&mut self, live: bool, out: &mut dyn Write) -> Result<()> {
        let seat = self.game_state.seat();
        let plain = self.pending().is_some_and(|pending| moment::is_plain(&pending));
        let started = Instant::now();
        let decision = self.think(self.setting.level.strength(), 1, live, out)?;
        let decision = decision.context("the engine knows no legal ply")?;
        if let Some(clock) = &mut self.clock
            && !clock.use_up(seat, started.elapsed())
        {
            self.closed = Some(Closed { winner: Some(!seat), reason: "time" });
            return self.show(out);
        }
        let text = moment::text(&self.game_state, &decision.action, self.lettering());
        // A level below full may move without a search.
        let searched = decision.info.basis != Basis::Static || decision.info.is_proven();
        let what = match &decision.action {
            Action::Pass => "The engine passes".to_owned(),
            Action::Offer(_) => format!("The engine offers {text}"),
            _ => format!("The engine played {text}"),
        };
        self.go_on(&decision.action, out).with_context(|| format!("the engine's move {text}"))?;
        // A move that ends the game needs no score, and one that may be swapped has
        // none that means anything.
        if decision.action == Action::Swap {
            // It was told who has which colour now.
        } else if plain && searched && decision.why.is_empty() && self.pending().is_some() {
            writeln!(out, "{what} ({}).", verdict(&decision.info, Side::You, false))?;
        } else {
            writeln!(out, "{what}.")?;
        }
        Ok(())
    }

    /// Decides on the next ply, in a part of the time. At a terminal it shows
    /// meanwhile what is thought, and ends when something is typed.
    fn think(
        &mut self,
        strength: Strength,
        share: u32,
        live: bool,
        out: &mut dyn Write,
    ) -> Result<Option<Decision>> {
        let Some(pending) = self.pending() else { return Ok(None) };
        let engine = self.players[pending.seat.index()] == Player::Engine;
        let stones = self.game_state.stones().len();
        let Contest { width, height, .. } = *self.game_state.contest();
        let mut request = Request {
            max_depth: self.setting.max_depth,
            max_nodes: self.setting.max_nodes,
            threads: self.setting.threads,
            move_only: engine,
            ..Request::per_move(self.setting.time / share)
        };
        if let Some(clock) = self.clock.as_ref().filter(|_| engine) {
            request.budget = clock.budget(pending.seat, stones, width * height);
        }
        if self.setting.max_nodes.is_some() {
            request.budget = Request::default().budget;
        }
        let seed = self.setting.seed.unwrap_or_else(|| self.chance.hash_one(self.games));
        self.decider.limit_strength(strength, seed);
        let game_state = &self.game_state;
        if !live {
            return Ok(self.decider.decide(game_state, &request, &mut |_| {}));
        }
        write!(out, "Thinking; Enter cuts it short ... ")?;
        out.flush()?;
        let (plain, lettering) = (moment::is_plain(&pending), self.lettering());
        let mut shown = Instant::now();
        let mut report = |told: &Report| {
            if let Some(info) = told.best_line().filter(|_| plain && shown.elapsed() >= LIVE) {
                shown = Instant::now();
                eprint!("\r\x1b[K{}", live_line(info, engine, lettering));
            }
        };
        let decision = while_watched(&request.control, || {
            self.decider.decide(game_state, &request, &mut report)
        });
        write!(out, "\r\x1b[K")?;
        out.flush()?;
        Ok(decision)
    }

    fn begin(&mut self, words: &str, out: &mut dyn Write) -> Result<()> {
        let mut contest = *self.game_state.contest();
        let mut words = words.split_whitespace();
        if let Some(game) = words.next() {
            let named = named(game);
            let variant = named.map_or_else(|| Variant::from_name(game), |named| Ok(named.variant));
            contest = Contest::new(variant?);
            if let Some(opening) = named.and_then(|named| named.opening) {
                contest = contest.opened(opening)?;
            }
        }
        if let Some(opening) = words.next() {
            let id = OpeningId::from_name(opening);
            let id = id.with_context(|| format!("there is no opening {opening:?}"))?;
            contest = contest.opened(id)?;
        }
        self.take_up(GameState::new(contest), out)
    }

    /// Goes on with another game.
    fn take_up(&mut self, game_state: GameState, out: &mut dyn Write) -> Result<()> {
        if game_state.contest() == self.game_state.contest() {
            self.decider.forget();
        } else {
            self.decider = Decider::new(game_state.contest(), &self.weights, &self.hash);
        }
        self.hash.clear();
        self.kept = game_state.actions().len();
        self.game_state = game_state;
        self.placed.clear();
        self.undone.clear();
        self.closed = None;
        self.saved = None;
        self.games += 1;
        if let Some(clock) = &mut self.clock {
            clock.restart();
        }
        self.greet(out)?;
        self.show(out)
    }

    fn save(&mut self, file: &str, over: bool, out: &mut dyn Write) -> Result<()> {
        if file.is_empty() {
            bail!("save FILE, such as save game.sgf");
        }
        let mut path = PathBuf::from(file);
        if path.extension().is_none() {
            path.set_extension("sgf");
        }
        // The file of this game is kept up to date.
        let over = over || self.saved.as_ref() == Some(&path);
        let names = self.players.map(|player| match player {
            Player::Person => "Person".to_owned(),
            Player::Engine => {
                format!("Goren {} ({})", env!("CARGO_PKG_VERSION"), self.setting.level)
            }
        });
        let closed = self.closed.as_ref().map(|closed| (closed.winner, closed.reason));
        files::write(&path, &files::record(&self.game_state, names, closed), over)?;
        self.kept = self.game_state.actions().len();
        let moves = plural(self.kept, "ply", "plies");
        writeln!(out, "{moves} kept in {}.", path.display())?;
        self.saved = Some(path);
        Ok(())
    }

    fn load(&mut self, file: &str, out: &mut dyn Write) -> Result<()> {
        if file.is_empty() {
            bail!("load FILE, such as load game.sgf");
        }
        if !Path::new(file).is_file() {
            bail!("there is no file {file}");
        }
        let game_state = files::read(&Reading::default(), &[file.to_owned()], 1)?;
        self.take_up(game_state, out)
    }

    /// Asks a person who leaves whether the game is to be kept.
    fn offer_to_save(&mut self, input: &mut dyn Input, out: &mut dyn Write) -> Result<()> {
        let unsaved = self.game_state.actions().len() > self.kept;
        while input.is_person() && unsaved {
            let typed =
                input.line("Save the game? A file name such as game.sgf, or Enter> ", out)?;
            let Line::Text(file) = typed else { break };
            let file = file.trim();
            if matches!(file.to_lowercase().as_str(), "" | "n" | "no" | "quit") {
                break;
            }
            let file =
                if matches!(file.to_lowercase().as_str(), "y" | "yes") { "game.sgf" } else { file };
            match self.save(file, false, out) {
                Ok(()) => break,
                Err(error) => writeln!(out, "{error:#}")?,
            }
        }
        Ok(())
    }
}

/// What is thought at the moment.
fn live_line(info: &Info, engine: bool, lettering: Lettering) -> String {
    let score = if engine { -info.score } else { info.score };
    let line = info.pv.iter().filter(|at| at.is_some()).take(6);
    let line: Vec<String> = line.map(|at| lettering.label(at.cell())).collect();
    let depth = if plies_to_end(info.score).is_some() {
        String::new()
    } else {
        format!("depth {}, ", info.depth)
    };
    format!("{depth}{}: {}  (Enter: now)", outlook(Side::You, score), line.join(" "))
}

/// Whether nobody reads what is written any more.
fn is_broken(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::BrokenPipe
}
