//! Finds the game from the tags that name it.

use crate::record::import::notes::Notes;
use crate::record::import::tagged::{Tag, TaggedGame, is_one_of};
use crate::record::import::{Hints, Note, Place, Question};
use crate::record::quote::excerpt;
use crate::rules::{Named, OpeningId, RuleId, Variant, named};

/// Tags that name the game.
pub(super) const GAME: [&str; 9] =
    ["Variant", "Game", "Rule", "Rules", "RuleSet", "GameRule", "GameType", "RuleType", "GameName"];

/// Known properties of the game.
#[derive(Copy, Clone, Default)]
pub(super) struct GameProperties {
    pub(super) variant: Option<Variant>,
    pub(super) opening: Option<OpeningId>,
    /// Board implied by the name.
    pub(super) size: Option<(usize, usize)>,
}

/// Finds the game from its tags. `dictated`: whether a player placed several stones in the
/// opening.
pub(super) fn game_properties(
    section: &TaggedGame<'_>,
    hints: &Hints,
    dictated: bool,
    notes: &mut Notes,
) -> GameProperties {
    let place = Place::Line(section.line);
    if hints.variant.is_some() {
        return GameProperties { variant: hints.variant, ..GameProperties::default() };
    }
    let names_game = |tag: &&Tag<'_>| is_one_of(tag, &GAME) && !matches!(tag.value, "" | "-" | "?");
    let tags: Vec<&Tag<'_>> = section.tags.iter().filter(names_game).collect();
    let games: Vec<(&Tag<'_>, Named)> =
        tags.iter().filter_map(|&tag| Some((tag, game(tag)?))).collect();
    let best = games.iter().find(|(_, game)| !is_vague(game)).or(games.first());
    let Some(&(best_tag, game)) = best else {
        for tag in &tags {
            report_unknown(tag, notes);
        }
        return match (dictated, tags.iter().all(|tag| is_title(tag))) {
            (true, _) => {
                let text = "renju is assumed, as a player placed several stones in the opening";
                notes.push(Note::remark(place, text).asking(Question::Game));
                let variant = Some(Variant::Five(RuleId::Renju));
                GameProperties { variant, ..GameProperties::default() }
            }
            (false, true) => {
                notes.push(Note::no_rule());
                GameProperties::default()
            }
            (false, false) => GameProperties::default(),
        };
    };
    if let Some(hint) = game.hint {
        notes.push(Note::remark(Place::Line(best_tag.line), hint).asking(Question::Game));
    }
    let Named { variant, mut opening, mut size, .. } = game;
    for tag in tags.into_iter().filter(|&tag| !std::ptr::eq(tag, best_tag)) {
        let other = games.iter().find(|(of, _)| std::ptr::eq(*of, tag)).map(|(_, game)| game);
        let named_here = OpeningId::from_name(tag.value).or(other.and_then(|other| other.opening));
        let fits = named_here.filter(|id| variant.sheet().openings.contains(id));
        let agrees = other.is_none_or(|other| other.variant == variant);
        if agrees && other.is_none() && fits.is_none() {
            report_unknown(tag, notes);
        } else if !agrees && fits.is_none() {
            let text = format!("{} names another game than {}", shown(tag), shown(best_tag));
            let vague = other.is_some_and(is_vague);
            let place = Place::Line(tag.line);
            let note = if vague { Note::remark(place, text) } else { Note::doubt(place, text) };
            notes.push(note.asking(Question::Game));
        }
        opening = opening.or(fits);
        size = size.or(other.filter(|_| agrees).and_then(|other| other.size));
    }
    GameProperties { variant: Some(variant), opening, size }
}

/// Returns the game that a tag names. A number in `GameType` is not Gomocup's number of a rule.
fn game(tag: &Tag<'_>) -> Option<Named> {
    let is_number = tag.value.bytes().all(|byte| byte.is_ascii_digit());
    let is_type_number = is_number && tag.name.eq_ignore_ascii_case("GameType");
    named(tag.value).filter(|_| !is_type_number)
}

/// Whether a name is used for several games.
fn is_vague(game: &Named) -> bool {
    let is_five =
        matches!(game.variant, Variant::Five(RuleId::Freestyle) | Variant::Five(RuleId::Standard));
    game.hint.is_some() && is_five
}

/// Whether a tag may be a title that does not name the rule.
fn is_title(tag: &Tag<'_>) -> bool {
    tag.name.eq_ignore_ascii_case("GameName")
}

fn shown(tag: &Tag<'_>) -> String {
    format!("[{} {:?}]", excerpt(tag.name), excerpt(tag.value))
}

/// Reports a tag that names no known game.
fn report_unknown(tag: &Tag<'_>, notes: &mut Notes) {
    let place = Place::Line(tag.line);
    if is_title(tag) {
        notes.remark(place, format!("{} is not used", shown(tag)));
    } else {
        let text = format!("the game {:?} is not known", excerpt(tag.value));
        notes.push(Note::doubt(place, text).asking(Question::Game));
    }
}
