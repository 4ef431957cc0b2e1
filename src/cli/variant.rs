//! Arguments for game, board and opening.

use anyhow::{Context, Result, bail};

use super::engine::Terms;
use goren_core::rules::{self, Contest, GameRules, OpeningId, RuleId, Setup, named};

/// Game and board, without an opening.
#[derive(clap::Args, Clone, Debug)]
pub struct BoardArgs {
    /// Game with its options, such as renju or pente+keryo; `goren games` lists
    /// them.
    #[arg(long, alias = "rule", default_value = "freestyle")]
    game: String,
    /// Board size, such as 15 or 20x15 (columns x rows); default: the usual
    /// board of the game, or the one that its name implies.
    #[arg(long, value_parser = size)]
    size: Option<(usize, usize)>,
}

impl BoardArgs {
    /// A game by name, freestyle by default, on a board.
    pub(super) fn new(game: Option<String>, size: Option<(usize, usize)>) -> BoardArgs {
        BoardArgs { game: game.unwrap_or_else(|| "freestyle".into()), size }
    }

    /// The game of these arguments, without an opening.
    ///
    /// # Errors
    /// There is no such game or board.
    pub(super) fn contest(&self) -> Result<Contest> {
        let contest = Contest::new(game(&self.game)?);
        self.sized(contest.opened(OpeningId::Free)?)
    }

    /// A game on the board of these arguments: of the size given, or else the one that the
    /// name of the game implies.
    fn sized(&self, contest: Contest) -> Result<Contest> {
        let implied = || named(&self.game).and_then(|named| named.size);
        Ok(match self.size.or_else(implied) {
            Some((width, height)) => contest.on(width, height)?,
            None => contest,
        })
    }
}

/// Game, board and opening.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Opening, such as swap-2; default: the usual opening of the game. `free`
    /// is always possible.
    #[arg(long)]
    opening: Option<String>,
    /// A game that would be a draw is won by the player who passed first.
    #[arg(long)]
    tie_break: bool,
}

impl GameArgs {
    /// A game on a board.
    pub(super) fn new(board: BoardArgs, opening: Option<String>, tie_break: bool) -> GameArgs {
        GameArgs { board, opening, tie_break }
    }

    /// The name of the game; of the two names of gomoku, the one that was given.
    pub(super) fn name(&self, contest: &Contest) -> String {
        match RuleId::from_name(&self.board.game) {
            Some(rule) => rule.name().to_owned(),
            None => contest.variant.to_string(),
        }
    }

    /// Whether an opening was chosen, by --opening or by the name of the game.
    pub(super) fn has_opening(&self) -> bool {
        self.opening.is_some() || opening_of(&self.board.game).is_some()
    }

    /// The game of these arguments.
    ///
    /// # Errors
    /// There is no such game, board or opening, or the name of the game implies an opening
    /// that Goren does not know, and --opening is not given.
    pub(super) fn contest(&self) -> Result<Contest> {
        let name = &self.board.game;
        let variant = game(name)?;
        let usual = Contest::new(variant);
        let mut opening = opening_of(name).unwrap_or(usual.opening);
        if let Some(name) = &self.opening {
            let known = OpeningId::ALL.map(OpeningId::name).join(", ");
            let unknown = || format!("there is no opening {name:?}; the openings are {known}");
            opening = OpeningId::from_name(name).with_context(unknown)?;
        } else if named(name).is_some_and(|named| named.has_unknown_opening()) {
            bail!(
                "{name:?} names an opening that Goren does not know: name the game alone, \
                 {variant}, or add an opening"
            );
        }
        // Sized without an opening, as the board may be too small for the usual one.
        let contest = self.board.sized(usual.opened(OpeningId::Free)?)?.opened(opening)?;
        if self.tie_break && !variant.sheet().passes {
            bail!("{variant} has no passes that could break a tie");
        }
        Ok(Contest { tie_break: self.tie_break, ..contest })
    }
}

/// Default board side of a game that is sent in the terms of Gomocup.
const GOMOCUP_SIDE: usize = 15;

impl GameArgs {
    /// The game of these arguments as it is sent to engines. The rules of
    /// Gomocup are sent in its own terms, which any engine understands,
    /// unless an opening or a tie-break is given.
    ///
    /// # Errors
    /// There is no such game, board or opening.
    pub(super) fn terms(&self) -> Result<Terms> {
        let plain = self.opening.is_none() && !self.tie_break;
        let rule = RuleId::from_name(&self.board.game).filter(|rule| plain && rule.is_plain());
        Ok(match rule {
            Some(rule) => {
                let (width, height) = self.board.size.unwrap_or((GOMOCUP_SIDE, GOMOCUP_SIDE));
                Terms::Gomocup(Setup::new(rule, width, height)?)
            }
            None => Terms::Family(self.contest()?),
        })
    }
}

/// [`GameArgs::terms`] of a game by name: the rules of Gomocup without an opening, other
/// games with their usual one.
///
/// # Errors
/// There is no such game or board.
pub(super) fn terms_of(name: &str, size: Option<(usize, usize)>) -> Result<Terms> {
    let board = BoardArgs { game: name.to_owned(), size };
    GameArgs { board, opening: None, tie_break: false }.terms()
}

/// The contest of [`terms_of`].
///
/// # Errors
/// There is no such game or board.
pub(super) fn contest_of(name: &str, size: Option<(usize, usize)>) -> Result<Contest> {
    Ok(terms_of(name, size)?.contest())
}

/// The error for a number by which managers of Gomocup request a continuous game, which goes
/// on after a win and is not supported; `None` for any other name.
fn continuous(name: &str) -> Option<String> {
    let number: i64 = name.trim().parse().ok()?;
    let rules::Variant::Five(rule) = named(name)?.variant else { return None };
    let usual = rule.gomocup();
    let shown = rule.name();
    (number != usual).then(|| {
        format!(
            "game {number} is not supported: managers of Gomocup request continuous games of \
             {shown} by it; use {shown} or its number {usual}"
        )
    })
}

/// Finds a game by name; ignores an opening that the name implies.
///
/// # Errors
/// There is no such game.
pub(super) fn game(name: &str) -> Result<rules::Variant> {
    if let Some(why) = continuous(name) {
        bail!(why);
    }
    match named(name) {
        Some(found) => Ok(found.variant),
        None => Ok(rules::Variant::from_name(name)?),
    }
}

/// The opening that the name of a game implies; none (`free`) for a name that only Gomocup
/// uses, as it plays without openings.
fn opening_of(name: &str) -> Option<OpeningId> {
    let of_gomocup = RuleId::from_name(name).is_some_and(|rule| gomocup_name(rule).is_some());
    let own = named(name).and_then(|named| named.opening);
    own.or(of_gomocup.then_some(OpeningId::Free))
}

/// Gomocup's name of a rule, if Goren's name of the game differs.
pub(super) fn gomocup_name(rule: RuleId) -> Option<&'static str> {
    Some(rule.name()).filter(|name| rule.is_plain() && *name != rule.sheet().name)
}

/// The names of the games of five in a row without options.
pub(super) fn rules_of_five() -> String {
    RuleId::PLAIN.iter().map(|rule| rule.sheet().name).collect::<Vec<_>>().join(", ")
}

/// The displayed name of a game with an opening. As --game it selects the same game: gomoku
/// without an opening is named standard, see [`opening_of`].
pub(super) fn shown_with_opening(contest: &Contest) -> String {
    match contest.opening {
        OpeningId::Free => shown(contest.variant),
        _ => contest.variant.to_string(),
    }
}

/// The displayed name of a game: Gomocup's where it has one.
pub(super) fn shown(variant: rules::Variant) -> String {
    match variant {
        rules::Variant::Five(rule) => rule.name().to_owned(),
        other => other.to_string(),
    }
}

/// Finds a rule by name.
///
/// # Errors
/// There is no such rule; lists the known names.
pub(super) fn rule(name: &str) -> Result<RuleId, String> {
    if let Some(why) = continuous(name) {
        return Err(why);
    }
    match game(name) {
        Ok(rules::Variant::Five(rule)) => Ok(rule),
        _ => {
            let names: Vec<&str> = RuleId::ALL.iter().map(|id| id.name()).collect();
            Err(format!("the rules are {}", names.join(", ")))
        }
    }
}

/// Reads a board size as columns and rows.
pub(super) fn size(text: &str) -> Result<(usize, usize), String> {
    let bad = || "a size is a number such as 15, or two such as 20x15".into();
    rules::read_size_or_side(text).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_squares_or_rectangles() {
        assert_eq!(size("15"), Ok((15, 15)));
        assert_eq!(size("20x15"), Ok((20, 15)));
        assert_eq!(size("15 x 15"), Ok((15, 15)));
        for bad in ["", "x", "15x", "-3", "a"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_board_needs_room_only_for_the_chosen_opening() {
        let contest = |line: &str| crate::test_args::parse::<GameArgs>(line).unwrap().contest();
        let free = contest("--game pente --size 5x5 --opening free").unwrap();
        assert_eq!((free.width, free.opening), (5, OpeningId::Free));
        assert!(contest("--game pente --size 5x5").is_err());
        assert!(contest("--game renju --size 6x6 --opening yamaguchi").is_err());
        assert!(contest("--game renju --size 7x7 --opening yamaguchi").is_ok());
    }

    /// Regression: the size that the name implies was ignored.
    #[test]
    fn the_name_of_a_game_may_imply_the_board_size() {
        let board = |game: &str, size| BoardArgs { game: game.into(), size };
        let sides = |contest: Contest| (contest.width, contest.height);
        for (name, expected) in [
            ("connect4", (7, 6)),
            ("Connect Four", (7, 6)),
            ("gomoku 19x19", (19, 19)),
            ("Ninuki-Renju", (15, 15)),
            ("four-in-a-row", (8, 8)),
        ] {
            let args = GameArgs { board: board(name, None), opening: None, tie_break: false };
            assert_eq!(sides(args.contest().unwrap()), expected, "{name}");
            assert_eq!(sides(args.board.contest().unwrap()), expected, "{name}");
            assert_eq!(sides(contest_of(name, None).unwrap()), expected, "{name}");
        }
        // A size given takes precedence.
        assert_eq!(sides(board("connect4", Some((9, 8))).contest().unwrap()), (9, 8));
    }

    #[test]
    fn unknown_openings_implied_by_a_name_are_refused() {
        for (name, game) in [("Sakata", "renju"), ("Soosyrv-7", "renju"), ("D-Pente", "pente")] {
            let board = BoardArgs { game: name.into(), size: None };
            // Without an opening the name is accepted.
            assert_eq!(board.contest().unwrap().variant.to_string(), game);
            let unnamed = GameArgs { board, opening: None, tie_break: false };
            let error = unnamed.contest().unwrap_err().to_string();
            assert!(error.contains(&format!("name the game alone, {game}, or")), "{error}");
            let free = GameArgs { opening: Some("free".into()), ..unnamed };
            assert_eq!(free.contest().unwrap().variant.to_string(), game);
        }
    }

    #[test]
    fn numbers_of_continuous_games_are_refused() {
        for (number, name, usual) in
            [("2", "freestyle", 0), ("3", "standard", 1), ("6", "renju", 4), ("10", "caro", 8)]
        {
            let message = format!(
                "game {number} is not supported: managers of Gomocup request continuous games of \
                 {name} by it; use {name} or its number {usual}"
            );
            assert_eq!(game(number).unwrap_err().to_string(), message);
            assert_eq!(rule(number), Err(message.clone()));
            assert_eq!(contest_of(number, None).unwrap_err().to_string(), message);
            assert_eq!(game(&usual.to_string()).unwrap(), game(name).unwrap());
        }
        assert!(game("7").unwrap_err().to_string().contains("\"7\""));
    }

    #[test]
    fn names_of_sites_are_known() {
        assert_eq!(rule("Free Renju"), Ok(RuleId::Renju));
        assert_eq!(rule("RIF"), Ok(RuleId::Renju));
        assert!(rule("pente").is_err() && rule("chess").unwrap_err().contains("caro-exact"));
        let board = BoardArgs { game: "Taraguchi-10".into(), size: None };
        assert_eq!(board.contest().unwrap().opening, OpeningId::Free);
        let opened = GameArgs { board, opening: None, tie_break: false };
        assert_eq!(opened.contest().unwrap().opening, OpeningId::Taraguchi10);
        // Gomocup's name of gomoku implies that there is no opening.
        let standard = BoardArgs { game: "standard".into(), size: None };
        let standard = GameArgs { board: standard, opening: None, tie_break: false };
        let contest = standard.contest().unwrap();
        assert_eq!(contest.opening, OpeningId::Free);
        assert_eq!(standard.name(&contest), "standard");
        let swap = GameArgs { opening: Some("swap-2".into()), ..standard };
        assert_eq!(swap.contest().unwrap().opening, OpeningId::Swap2);
        let other = GameArgs { opening: Some("rif".into()), ..opened };
        assert_eq!(other.contest().unwrap().opening, OpeningId::Rif);
    }

    #[test]
    fn the_rules_of_gomocup_are_sent_in_its_terms() {
        let terms = |game: &str, opening: Option<&str>| {
            let board = BoardArgs { game: game.into(), size: None };
            GameArgs { board, opening: opening.map(Into::into), tie_break: false }.terms().unwrap()
        };
        let setup = |rule| Terms::Gomocup(Setup::new(rule, 15, 15).unwrap());
        assert_eq!(terms("renju", None), setup(RuleId::Renju));
        assert_eq!(terms("standard", None), setup(RuleId::Standard));
        for (game, opening, expected) in [
            ("gomoku", None, OpeningId::Pro),
            ("renju", Some("rif"), OpeningId::Rif),
            ("freestyle", Some("free"), OpeningId::Free),
            ("connect6", None, OpeningId::Centre),
            // Gomocup does not have this rule.
            ("renju+overline", None, OpeningId::Centre),
        ] {
            let Terms::Family(contest) = terms(game, opening) else { panic!("{game}") };
            assert_eq!(contest.opening, expected);
        }
    }

    #[test]
    fn games_have_their_usual_boards_and_openings() {
        let game = |game: &str, size, opening: Option<&str>, tie_break| {
            let board = BoardArgs { game: game.into(), size };
            GameArgs { board, opening: opening.map(Into::into), tie_break }.contest()
        };
        let pente = game("pente+keryo", None, None, false).unwrap();
        assert_eq!((pente.width, pente.opening), (19, OpeningId::Pro));
        let torus = game("connect6+torus", None, Some("swap-3rd"), true).unwrap();
        assert_eq!((torus.width, torus.tie_break), (15, true));
        let four = game("four-in-a-row", Some((7, 6)), None, false).unwrap();
        assert_eq!((four.width, four.height), (7, 6));
        for bad in [
            game("go", None, None, false),
            game("renju", None, Some("swap-3rd"), false),
            game("renju", None, Some("castling"), false),
            game("pente", None, None, true),
            game("connect6", Some((30, 30)), None, false),
        ] {
            assert!(bad.is_err());
        }
    }
}
