//! `goren games`: the games that can be played, their options, boards and
//! openings.

use std::fmt::Write;

use anyhow::Result;

use super::variant::gomocup_name;
use goren_core::rules::Variant;

/// Arguments of `goren games`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren games

The names are what --game and --opening of the other commands take. Options follow a name
after a plus sign: goren play --game pente+keryo+boat")]
pub struct Args {}

/// Prints the list.
///
/// # Errors
/// Never.
pub fn run(_args: &Args) -> Result<bool> {
    print!("{}", list());
    Ok(true)
}

/// All games, a paragraph each.
fn list() -> String {
    let mut text = String::new();
    for game in Variant::games() {
        let sheet = game.sheet();
        let sizes: Vec<String> = sheet.sizes.iter().map(|(w, h)| format!("{w}x{h}")).collect();
        let openings: Vec<&str> = sheet.openings.iter().map(|id| id.name()).collect();
        let _ = writeln!(text, "{}\n  {}.", sheet.name, sheet.text);
        let _ = writeln!(text, "  boards: {}", sizes.join(", "));
        let _ = writeln!(text, "  openings: {}", openings.join(", "));
        if let Some(when) = sheet.passing() {
            let _ = writeln!(text, "  players {when}");
        }
        if let Variant::Five(rule) = game
            && let Some(name) = gomocup_name(rule)
        {
            let how = "as Gomocup plays it, without an opening";
            let _ = writeln!(text, "  also named {name}: {} {how}", sheet.name);
        }
        for option in sheet.options {
            let _ = writeln!(text, "  +{}: {}", option.name, option.text);
        }
        text.push('\n');
    }
    text + "Options follow the name of the game: pente+keryo+boat. The default is listed first.\n\
            Names used by sites are accepted in any spelling: \"Free Renju\", Keryo-Pente, \
            Swap2,\nand so are Gomocup's numbers 0, 1, 4, 8 and 9.\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening::{Action, GameState};
    use goren_core::rules::{Contest, GameRules, OpeningId, RuleId};
    use goren_core::types::Cell;

    #[test]
    fn listed_pass_rules_match_play() {
        for (game, when, first) in [
            ("renju", "once 2 plies have been played after the opening", Some(2)),
            ("connect6", "once 2 plies have been played after the opening", Some(2)),
            ("gomoku+free-pass", "at any point after the opening", Some(0)),
            ("freestyle", "", None),
        ] {
            let variant = Variant::from_name(game).unwrap();
            let passing = variant.sheet().passing();
            assert_eq!(passing.is_some(), first.is_some(), "{game}");
            assert!(passing.unwrap_or_default().contains(when), "{game}");
            // Without an opening: three plies, before each of which is noted whether a pass is
            // allowed.
            let contest = Contest::new(variant).opened(OpeningId::Free).unwrap();
            let mut game_state = GameState::new(contest);
            let mut stones = (0..6).map(|x| Cell::new(x, 0));
            let mut allowed = Vec::new();
            while game_state.actions().len() < 3 {
                allowed.push(game_state.pending_decision().unwrap().pass);
                let turn: Vec<Cell> = stones.by_ref().take(game_state.stones_due()).collect();
                game_state.apply(&Action::stones(&turn)).unwrap();
            }
            assert_eq!(allowed.iter().position(|&pass| pass), first, "{game}");
        }
    }

    #[test]
    fn every_game_and_option_is_listed() {
        let text = list();
        for sheet in Variant::games().map(Variant::sheet) {
            assert!(text.contains(&format!("\n{}\n", sheet.name)) || text.starts_with(sheet.name));
            for option in sheet.options {
                assert!(text.contains(&format!("+{}: ", option.name)));
            }
        }
        // Every rule name is listed; the other name of a rule says how it differs.
        for rule in RuleId::PLAIN {
            let name = rule.name();
            let listed =
                text.lines().any(|line| line == name || line.contains(&format!(" {name}:")));
            assert!(listed, "{name}");
        }
        let other_name =
            "\n  also named standard: gomoku as Gomocup plays it, without an opening\n";
        assert!(text.contains(other_name), "{text}");
        insta::assert_snapshot!(text.lines().take(6).collect::<Vec<_>>().join("\n"), @r"
        freestyle
          Five or more in a row wins.
          boards: 15x15, 20x20
          openings: free, centre, pro, long-pro, swap-1st, swap, swap-2, swap-5

        gomoku
        ");
    }
}
