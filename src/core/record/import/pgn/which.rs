//! Which game is played, by the tags that name it.

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
pub(super) struct Which {
    pub(super) variant: Option<Variant>,
    pub(super) opening: Option<OpeningId>,
    /// The board that the name stands for too.
    pub(super) size: Option<(usize, usize)>,
}

/// The game by its tags. `dictated`: a player placed several stones in the opening.
pub(super) fn which(
    section: &TaggedGame<'_>,
    hints: &Hints,
    dictated: bool,
    notes: &mut Notes,
) -> Which {
    let place = Place::Line(section.line);
    if hints.variant.is_some() {
        return Which { variant: hints.variant, ..Which::default() };
    }
    let is_said = |tag: &&Tag<'_>| is_one_of(tag, &GAME) && !matches!(tag.value, "" | "-" | "?");
    let tags: Vec<&Tag<'_>> = section.tags.iter().filter(is_said).collect();
    let games: Vec<(&Tag<'_>, Named)> =
        tags.iter().filter_map(|&tag| Some((tag, game(tag)?))).collect();
    let said = games.iter().find(|(_, game)| !is_vague(game)).or(games.first());
    let Some(&(its, game)) = said else {
        for tag in &tags {
            unknown(tag, notes);
        }
        return match (dictated, tags.iter().all(|tag| is_title(tag))) {
            (true, _) => {
                let text = "taken for renju, as a player placed several stones in the opening";
                notes.push(Note::remark(place, text).asking(Question::Game));
                Which { variant: Some(Variant::Five(RuleId::Renju)), ..Which::default() }
            }
            (false, true) => {
                notes.push(Note::no_rule());
                Which::default()
            }
            (false, false) => Which::default(),
        };
    };
    if let Some(hint) = game.hint {
        notes.push(Note::remark(Place::Line(its.line), hint).asking(Question::Game));
    }
    let Named { variant, mut opening, mut size, .. } = game;
    for tag in tags.into_iter().filter(|&tag| !std::ptr::eq(tag, its)) {
        let other = games.iter().find(|(of, _)| std::ptr::eq(*of, tag)).map(|(_, game)| game);
        let named_here = OpeningId::from_name(tag.value).or(other.and_then(|other| other.opening));
        let fits = named_here.filter(|id| variant.sheet().openings.contains(id));
        let agrees = other.is_none_or(|other| other.variant == variant);
        if agrees && other.is_none() && fits.is_none() {
            unknown(tag, notes);
        } else if !agrees && fits.is_none() {
            let text = format!("{} names another game than {}", shown(tag), shown(its));
            let vague = other.is_some_and(is_vague);
            let place = Place::Line(tag.line);
            let note = if vague { Note::remark(place, text) } else { Note::doubt(place, text) };
            notes.push(note.asking(Question::Game));
        }
        opening = opening.or(fits);
        size = size.or(other.filter(|_| agrees).and_then(|other| other.size));
    }
    Which { variant: Some(variant), opening, size }
}

/// The game that a tag names. A number of a type of game is not Gomocup's number of a rule.
fn game(tag: &Tag<'_>) -> Option<Named> {
    let is_number = tag.value.bytes().all(|byte| byte.is_ascii_digit());
    let counted = is_number && tag.name.eq_ignore_ascii_case("GameType");
    named(tag.value).filter(|_| !counted)
}

/// Whether a name is used for several games.
fn is_vague(game: &Named) -> bool {
    let is_five =
        matches!(game.variant, Variant::Five(RuleId::Freestyle) | Variant::Five(RuleId::Standard));
    game.hint.is_some() && is_five
}

/// Whether a tag may be a title that says nothing of the rule.
fn is_title(tag: &Tag<'_>) -> bool {
    tag.name.eq_ignore_ascii_case("GameName")
}

fn shown(tag: &Tag<'_>) -> String {
    format!("[{} {:?}]", excerpt(tag.name), excerpt(tag.value))
}

/// Tells of a tag that names nothing known.
fn unknown(tag: &Tag<'_>, notes: &mut Notes) {
    let place = Place::Line(tag.line);
    if is_title(tag) {
        notes.remark(place, format!("{} is not used", shown(tag)));
    } else {
        let text = format!("the game {:?} is not known", excerpt(tag.value));
        notes.push(Note::doubt(place, text).asking(Question::Game));
    }
}
