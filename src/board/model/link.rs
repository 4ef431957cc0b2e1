//! A line of a game as a part of an address: what stands behind the `#`, which no
//! browser sends to a server.
//!
//! ```text
//! game=renju&size=15x15&opening=rif&plies=h8.h9.j10.swap
//! ```
//!
//! `tie_break` and `strict` stand there where they hold. Plies are those of
//! [`pending_decision_text::canonical`].

use anyhow::{Context, Result, bail, ensure};

use super::files;
use crate::schema::GameChoice;
use goren_core::opening::GameState;
use goren_core::rules::Contest;
use goren_notation::plies;

/// Most bytes of a text that is read.
const MOST_TEXT: usize = 20_000;

/// The line up to a position of a game.
///
/// # Errors
/// The game begins with a position.
pub(super) fn write(contest: &Contest, game_state: &GameState) -> Result<String> {
    ensure!(game_state.laid().is_empty(), "a game that begins with a position has no link");
    let Contest { variant, width, height, opening, tie_break, strict } = *contest;
    let mut text = format!("game={variant}&size={width}x{height}&opening={opening}");
    for (name, on) in [("tie_break", tie_break), ("strict", strict)] {
        if on {
            text.push_str(&format!("&{name}"));
        }
    }
    let plies = files::moves(contest, game_state);
    if !plies.is_empty() {
        text.push_str(&format!("&plies={}", plies.join(".")));
    }
    Ok(text)
}

/// The game of a text, which may be a whole address.
///
/// # Errors
/// Not a link, or an illegal ply.
pub(super) fn read(text: &str) -> Result<GameState> {
    ensure!(text.len() <= MOST_TEXT, "the link has more than {MOST_TEXT} bytes");
    let text = text.trim().rsplit('#').next().unwrap_or_default();
    let (mut choice, mut plies_text) = (None, "");
    let mut rest = GameChoice {
        variant: String::new(),
        size: None,
        opening: None,
        tie_break: false,
        strict: false,
    };
    for part in text.split('&') {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        match name {
            "game" => choice = Some(value.to_owned()),
            "size" => rest.size = Some(size(value)?),
            "opening" => rest.opening = Some(value.to_owned()),
            "tie_break" => rest.tie_break = true,
            "strict" => rest.strict = true,
            "plies" => plies_text = value,
            _ => bail!("the link has a part {part:?} that is not known here"),
        }
    }
    let variant = choice.context("the link names no game")?;
    let contest = files::contest(&GameChoice { variant, ..rest })?;
    plies::game(&contest, plies_text.split('.').filter(|ply| !ply.is_empty()))
}

/// Whether a text is a link, or what stands behind the `#` of one.
pub(super) fn is_link(text: &str) -> bool {
    let text = text.trim();
    let inner = text.rsplit('#').next().unwrap_or_default();
    inner.starts_with("game=") && !text.contains('\n')
}

/// Columns and rows.
fn size(text: &str) -> Result<(usize, usize)> {
    let sides = text
        .split_once('x')
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.with_context(|| format!("{text:?} is no size of a board, such as 15x15"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{model, of_game, play, refusal, shown};
    use crate::schema::{Command, Event};

    fn link(model: &mut crate::model::Model) -> String {
        match &model.handle(Command::Link {})[..] {
            [Event::Link { text }] => text.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_link_leads_to_the_same_position() {
        for (variant, opening, moves) in [
            ("renju", "taraguchi-10", "h8 swap h9 h10"),
            ("gomoku", "swap-2", "h8,i9,j8 swap a1"),
            ("pente+keryo+boat", "pro", "j10 k10 n13"),
            ("four-in-a-row", "free", "d e d"),
            ("connect6", "free", "j10 i9,k11 a1,b2"),
            ("renju", "free", "h8 h9 pass"),
        ] {
            let mut one = of_game(variant, opening);
            play(&mut one, moves);
            let text = link(&mut one);
            for text in [text.clone(), format!("http://127.0.0.1:1/abc/#{text}")] {
                assert!(is_link(&text));
                let mut other = model().0;
                let events = other.handle(Command::OpenLink { text: text.clone() });
                assert_eq!(refusal(&events), None, "{text}");
                assert_eq!(shown(&other), shown(&one), "{text}");
                assert_eq!(link(&mut other), text.rsplit('#').next().unwrap());
            }
        }
    }

    #[test]
    fn broken_links_are_refused_and_the_position_kept() {
        let mut one = of_game("pente", "free");
        play(&mut one, "j10");
        let before = shown(&one);
        let long = format!("game=pente&plies={}", "j10.".repeat(MOST_TEXT / 4));
        for text in [
            "",
            "#",
            "plies=h8",
            "game=chess",
            "game=renju&size=15",
            "game=renju&size=99x99",
            "game=renju&opening=ruy-lopez",
            "game=renju&plies=h8.h8",
            "game=renju&plies=z99",
            "game=renju&plies=%41",
            "game=renju&script=1",
            &format!("game=renju&{}", "x".repeat(MOST_TEXT / 2)),
            &format!("game={}", "x".repeat(MOST_TEXT / 2)),
            &long,
        ] {
            let events = one.handle(Command::OpenLink { text: text.into() });
            let told = refusal(&events).unwrap_or_else(|| panic!("{text:.60}"));
            assert!(told.ends_with('.') && told.len() < 500, "{told}");
            assert_eq!(shown(&one), before);
        }
    }
}
