//! Games as plies in their own notation, separated by blanks, as in `PLIES` and
//! in files of openings.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};

use super::forms::text_of;
use goren_core::opening::{self, Action, GameState};
use goren_core::rules::Contest;

/// The texts of the plies of a game from its beginning, up to the first that
/// is illegal.
pub(super) fn texts(contest: &Contest, actions: &[Action]) -> Vec<String> {
    let mut game_state = GameState::new(*contest);
    let text = |action: &Action| {
        let before = game_state.clone();
        game_state.apply(action).ok().map(|()| opening::write(&before, action))
    };
    actions.iter().map_while(text).collect()
}

/// The game after some plies.
///
/// # Errors
/// A ply that cannot be read or is illegal, named.
pub(super) fn game<'a>(
    contest: &Contest,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<GameState> {
    let mut game_state = GameState::new(*contest);
    for (number, text) in (1..).zip(texts) {
        let played =
            opening::read(&game_state, text).and_then(|action| Ok(game_state.apply(&action)?));
        // Its words are those of its cause: not told twice.
        played.map_err(|error| anyhow!("ply {number} ({text}): {error}"))?;
    }
    Ok(game_state)
}

/// The openings of a file, one a line, none of which ends the game. Blank
/// lines and what follows a `#` are skipped.
///
/// # Errors
/// The file cannot be read or holds no opening, or a line is none; names the
/// file, the line and the ply.
pub(super) fn read_openings(path: &Path, contest: &Contest) -> Result<Vec<Vec<Action>>> {
    let text = text_of(path)?;
    parse(&text, contest).with_context(|| format!("openings of {}", path.display()))
}

fn parse(text: &str, contest: &Contest) -> Result<Vec<Vec<Action>>> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        let read = || {
            let game_state = game(contest, line.split_whitespace())?;
            ensure!(game_state.result().is_none(), "the game is over after it");
            Ok(game_state.actions().to_vec())
        };
        openings.push(read().with_context(|| format!("line {number}"))?);
    }
    ensure!(!openings.is_empty(), "no opening in it");
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{OpeningId, Variant};

    fn contest(name: &str, opening: OpeningId) -> Contest {
        Contest::new(Variant::from_name(name).unwrap()).opened(opening).unwrap()
    }

    #[test]
    fn openings_are_read_as_they_are_written() {
        let connect6 = contest("connect6", OpeningId::Centre);
        let text = "# pairs\n\nj10 i9,k11  # level\nj10 k10,k11 a1,b1\n";
        let openings = parse(text, &connect6).unwrap();
        let again: Vec<String> = openings.iter().map(|o| texts(&connect6, o).join(" ")).collect();
        assert_eq!(again, ["j10 i9,k11", "j10 k10,k11 a1,b1"]);
        let swapped = parse("h8,i9,j8 pass\n", &contest("gomoku", OpeningId::Swap2)).unwrap();
        assert_eq!(swapped[0][1], Action::Swap);
    }

    #[test]
    fn bad_openings_are_named() {
        let error = |text: &str, game: &str, opening| {
            format!("{:#}", parse(text, &contest(game, opening)).unwrap_err())
        };
        let centre = |text: &str| error(text, "connect6", OpeningId::Centre);
        assert_eq!(
            centre("j10\nj9"),
            "line 2: ply 1 (j9): the opening does not allow a stone there"
        );
        assert!(centre("j10 i9").starts_with("line 1: ply 2 (i9): stones are missing"));
        assert!(centre("j10 i9,i9").contains("twice"));
        assert_eq!(centre("# nothing\n"), "no opening in it");
        let five = "a1 a2 b1 b2 c1 c2 d1 d2 e1";
        assert_eq!(error(five, "pente", OpeningId::Free), "line 1: the game is over after it");
        let floating = error("a1 b5", "four-in-a-row", OpeningId::Free);
        assert!(floating.contains("ply 2 (b5): a piece does not come to rest"), "{floating}");
        let missing = read_openings(Path::new("/nowhere"), &contest("pente", OpeningId::Free));
        assert!(missing.unwrap_err().to_string().contains("/nowhere"));
    }
}
