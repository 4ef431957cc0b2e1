//! Display of a game: the board, the side to act, and the result.

use std::io::Write;

use anyhow::Result;

use super::pending_decision_text;
use super::screen::{BoardView, wooden};
use super::table::Match;
use super::words::minutes_seconds;
use crate::position::name;
use crate::turn::read;
use crate::variant::shown_with_opening;
use goren_board::schema::Player;
use goren_core::opening::{Choice, GameState, Seat};
use goren_core::record::Ending;
use goren_core::record::import::Columns;
use goren_core::rules::{Contest, Variant};
use goren_core::types::{Cell, Color, Stone};
use goren_decide::Level;
use goren_notation::ending;

impl Match {
    /// Shows the board, and how the game ended if it has.
    pub(super) fn show(&self, out: &mut dyn Write) -> Result<()> {
        let game_state = &self.game_state;
        let forbidden = self.forbidden();
        let unfinished = self.unfinished_stones();
        // Fifths on offer are typed, but not placed.
        let typed: &[Cell] = if unfinished.is_empty() { &self.placed } else { &[] };
        let offers = [game_state.offers(), typed].concat();
        let stones: Vec<(Cell, Stone)> = game_state
            .stones()
            .into_iter()
            .map(|(cell, color)| (cell, Stone::Of(color)))
            .chain(unfinished)
            .collect();
        let last = match game_state.actions().last() {
            _ if !self.placed.is_empty() => self.placed.clone(),
            Some(action) => action.placed(),
            None => Vec::new(),
        };
        let line: Vec<Cell> = game_state.result().map_or(Vec::new(), |end| end.lines.concat());
        let drawing = BoardView {
            lettering: self.lettering(),
            stones: &stones,
            last: &last,
            line: &line,
            forbidden: &forbidden,
            offers: &offers,
            rings: game_state.contest().variant.idle_rings(),
            stars: !game_state.contest().variant.falls(),
        };
        let board = if self.setting.colors {
            drawing.text(&wooden)
        } else {
            drawing.text(&|sign| sign.into())
        };
        write!(out, "\n{board}")?;
        self.legend(&forbidden, &offers, out)?;
        self.show_end(out)
    }

    /// Returns the stones of an unfinished turn; none if fifths are offered.
    fn unfinished_stones(&self) -> Vec<(Cell, Stone)> {
        let pending = self.game_state.pending_decision();
        let choices = pending.map_or(Vec::new(), |pending| pending.choices);
        let colors = choices
            .iter()
            .filter(|choice| !matches!(choice, Choice::Offer { .. }))
            .map(Choice::colors)
            .find(|colors| colors.len() > self.placed.len());
        let stones = self.placed.iter().copied().zip(colors.unwrap_or_default());
        stones.map(|(cell, color)| (cell, Stone::Of(color))).collect()
    }

    /// Prints the meaning of the marks, and the captured stones.
    fn legend(&self, forbidden: &[Cell], offers: &[Cell], out: &mut dyn Write) -> Result<()> {
        let lettering = self.lettering();
        if !forbidden.is_empty() {
            let side = name(self.game_state.to_move());
            writeln!(out, "{side} loses by playing on a point marked *.")?;
        }
        if !offers.is_empty() {
            writeln!(out, "Fifths on offer (?): {}.", lettering.labels(offers))?;
        }
        for color in Color::ALL {
            let taken = self.taken(color);
            if !taken.is_empty() {
                let taken = lettering.labels(&taken);
                writeln!(out, "{} lost {taken}.", name(color))?;
            }
        }
        if let Variant::Pente(pente) = self.game_state.contest().variant {
            let [black, white] = self.game_state.referee().captured();
            let goal = pente.goal();
            writeln!(out, "Captured by Black {black}, by White {white}; {goal} stones win.")?;
        }
        Ok(())
    }

    /// Returns the stones of a colour that the last ply captured.
    fn taken(&self, color: Color) -> Vec<Cell> {
        let actions = self.game_state.actions();
        if !self.game_state.contest().variant.takes_stones() || actions.is_empty() {
            return Vec::new();
        }
        let mut before = self.game_state.clone();
        before.take_back(1);
        let is_captured = |&(cell, of): &(Cell, Color)| {
            of == color && self.game_state.stone(cell) != Some(Stone::Of(color))
        };
        before.stones().iter().filter(|stone| is_captured(stone)).map(|&(cell, _)| cell).collect()
    }

    fn show_end(&self, out: &mut dyn Write) -> Result<()> {
        let winner = |color: Color| self.named(color);
        if let Some(closed) = &self.closed {
            let why = ending::phrase(closed.reason).unwrap_or_default();
            match closed.ending {
                Ending::Win(seat) => {
                    let color = pending_decision_text::owner(&self.game_state, seat);
                    writeln!(out, "{} wins {why}.", winner(color))?;
                }
                Ending::Draw => writeln!(out, "A draw {why}.")?,
            }
        } else if let Some(end) = ending::sentence(&self.game_state, self.lettering(), winner) {
            writeln!(out, "{end}")?;
        }
        Ok(())
    }

    /// Names a colour and who has it.
    fn named(&self, color: Color) -> String {
        let (players, seat) = (self.players, self.game_state.owner(color));
        match players[seat.index()] {
            _ if self.two_people() => name(color).to_owned(),
            Player::Person => format!("{} (you)", name(color)),
            Player::Engine => format!("{} (the engine)", name(color)),
        }
    }

    /// Returns the points where the side to move would lose by a foul, if they are marked.
    fn forbidden(&self) -> Vec<Cell> {
        let pending = self.pending().filter(|_| self.setting.mark_forbidden);
        let Some(pending) = pending else { return Vec::new() };
        let foul = |cell: &Cell| self.game_state.referee().fouls(pending.color, *cell).any();
        self.game_state.empty().into_iter().filter(foul).collect()
    }

    /// Describes who has which colour.
    pub(super) fn colors(&self) -> String {
        let color = |seat| name(pending_decision_text::owner(&self.game_state, seat));
        match self.players {
            [Player::Person, Player::Person] => {
                format!(
                    "the first player has {}, the second {}",
                    color(Seat::First),
                    color(Seat::Second)
                )
            }
            [Player::Engine, _] => {
                format!("you have {}, the engine {}", color(Seat::Second), color(Seat::First))
            }
            _ => format!("you have {}, the engine {}", color(Seat::First), color(Seat::Second)),
        }
    }

    /// Returns the prompt.
    pub(super) fn prompt(&self) -> String {
        let Some(pending) = self.pending() else { return "new, undo, save FILE or quit> ".into() };
        let clock = match [pending.seat, !pending.seat].map(|seat| self.time_left(seat)) {
            [Some(own), Some(other)] => {
                format!(" [{} - {}]", minutes_seconds(own), minutes_seconds(other))
            }
            _ => String::new(),
        };
        if !self.placed.is_empty() {
            return format!("{} and?{clock}> ", self.lettering().labels(&self.placed));
        }
        let due = self.game_state.stones_due();
        let stones = if due > 1 { ", two stones" } else { "" };
        let whose = match (pending_decision_text::is_plain(&pending), self.players) {
            (true, _) => format!("{} to move{stones}", name(pending.color)),
            (false, [Player::Person, Player::Person]) => match pending.seat {
                Seat::First => "The first player".into(),
                Seat::Second => "The second player".into(),
            },
            (false, _) => {
                format!(
                    "You ({})",
                    name(pending_decision_text::owner(&self.game_state, pending.seat))
                )
            }
        };
        format!("{whose}{clock}> ")
    }

    /// Prints the stage of the opening before the prompt.
    pub(super) fn report_stage(&self, out: &mut dyn Write) -> Result<()> {
        if let Some(pending) = self.pending()
            && let Some(stage) = pending_decision_text::stage(&self.game_state, self.lettering())
        {
            writeln!(out, "{stage}")?;
            // Where pieces fall, their order determines their place.
            let falls = self.game_state.contest().variant.falls();
            let ends_alike = |choice: &Choice| {
                matches!(choice, Choice::Stones { colors, .. }
                    if matches!(colors[..], [a, b, c] if a == c && a != b))
            };
            if !falls && pending.choices.iter().any(ends_alike) {
                writeln!(
                    out,
                    "Black's two stones may come in either order; the list of moves has the left \
                     one first, or the lower one if both are in one column."
                )?;
            }
        }
        Ok(())
    }

    /// Returns the points that can be typed now, alone or as the next point of a turn.
    fn points(&self) -> Vec<Cell> {
        let game_state = &self.game_state;
        let single = game_state.placements();
        if self.placed.is_empty() && !single.is_empty() {
            return single;
        }
        let lettering = self.lettering();
        let fits = |&cell: &Cell| {
            read(game_state, &self.placed, &lettering.label(cell), lettering).is_ok()
        };
        game_state.empty().into_iter().filter(fits).collect()
    }

    pub(super) fn report_points(&self, out: &mut dyn Write) -> Result<()> {
        let cells = self.points();
        let left = self.game_state.empty().len() - self.placed.len();
        match cells.len() {
            _ if self.pending().is_none() => writeln!(out, "The game is over.")?,
            0 => {
                writeln!(out, "No point can be typed now.")?;
                self.report_stage(out)?;
            }
            count if count == left => writeln!(out, "Every empty point.")?,
            _ => writeln!(out, "{}", self.lettering().labels(&cells).replace(',', " "))?,
        }
        Ok(())
    }

    /// Prints the stones of an unfinished turn.
    fn report_unfinished_turn(&self, out: &mut dyn Write) -> Result<()> {
        if !self.placed.is_empty() {
            let typed = self.lettering().labels(&self.placed);
            writeln!(out, "The turn is not finished: {typed} so far.")?;
        }
        Ok(())
    }

    /// Prints the list of moves, and a command that continues the game.
    pub(super) fn report_moves(&self, out: &mut dyn Write) -> Result<()> {
        let contest = *self.game_state.contest();
        let mut game_state = GameState::new(contest);
        let mut again = Vec::new();
        if self.game_state.actions().is_empty() {
            writeln!(out, "No moves yet.")?;
            return self.report_unfinished_turn(out);
        }
        for (number, action) in (1..).zip(self.game_state.actions()) {
            let word = pending_decision_text::text(&game_state, action, self.lettering());
            write!(out, "{number}. {word}{}", if number % 10 == 0 { "\n" } else { "  " })?;
            again.push(pending_decision_text::canonical_text(&game_state, action));
            // Cannot fail: it was played before.
            let _ = game_state.apply(action);
        }
        writeln!(out)?;
        self.report_unfinished_turn(out)?;
        if self.lettering().columns == Columns::WithoutI {
            writeln!(out, "The same with a column I, as in files:")?;
        }
        let Contest { variant, width, height, opening, tie_break, .. } = contest;
        let again = again.join(" ");
        let tie = if tie_break { " --tie-break" } else { "" };
        let seats = match self.players {
            [Player::Person, Player::Person] => " --two",
            [Player::Engine, _] => " --white",
            _ => "",
        };
        let level = self.setting.level;
        let level = match level.name() {
            _ if self.two_people() || level == Level::FULL => String::new(),
            Some(name) => format!(" --level {name}"),
            None => format!(" --level {}", level.strength().number()),
        };
        writeln!(
            out,
            "goren play --game {variant} --size {width}x{height}{seats}{level}{tie} --opening {opening} \
             {again}"
        )?;
        Ok(())
    }

    /// Prints the rules of the game and the commands.
    pub(super) fn report_help(&self, out: &mut dyn Write) -> Result<()> {
        let contest = self.game_state.contest();
        let (game, variant) = (shown_with_opening(contest), contest.variant);
        writeln!(out, "{game}: {}.", variant.sheet().text)?;
        for option in variant.options() {
            writeln!(out, "  +{}: {}.", option.name, option.text)?;
        }
        if let Some(when) = variant.sheet().passing() {
            writeln!(out, "  Players {when}.")?;
        }
        let turn =
            if variant.turn() > 1 { " Every turn but the first has two stones." } else { "" };
        if self.pending().is_some() {
            let such_as = pending_decision_text::such_as(&self.game_state, self.lettering());
            writeln!(out, "Type your move, {such_as}.{turn}")?;
        }
        self.report_stage(out)?;
        write!(out, "{}", super::command::HELP)?;
        Ok(())
    }
}
