//! Settings of `INFO`. A MESSAGE reports unusable values: clients take any other answer to
//! an INFO for a move.

use std::path::Path;

use goren_proof::NamedTrees;
use goren_protocol::{Reply, Setting};

use super::game::renew;
use super::state::State;
use crate::advice::database::{self, Context};
use crate::out::Out;
use crate::state::settings::RuleVariant;

/// The numbers of `INFO rule`.
const RULES: &str = "0 is freestyle, 1 standard, 4 renju, 8 caro, 9 caro with exact fives; add 2 \
                     for a continuous game";

/// Stores a setting, and acts on those with an immediate effect.
pub fn inform(state: &mut State, info: &Setting, out: Out) {
    let State { settings, at_hand, sources, arrived, .. } = state;
    let mut report_unused = |what: String, error: Option<String>| {
        if let Some(error) = error {
            out(Reply::Message(format!("{what} not used: {error}")));
        }
    };
    match info {
        Setting::Weights(path) => {
            let error = at_hand.weights.load(Path::new(path)).err();
            report_unused(format!("weights {path}"), error.map(|error| error.to_string()));
            at_hand.opening = None;
            renew(at_hand, settings, *arrived);
        }
        Setting::Proof(path) => {
            let error = sources.proofs.open(path, &NamedTrees::locate(None)).err();
            report_unused(format!("proof {path}"), error.map(|error| error.to_string()));
        }
        Setting::Params(list) => {
            let error = settings.params.set_all(list).err();
            report_unused("params".to_owned(), error.map(|error| error.to_string()));
        }
        Setting::Variant(name) => {
            let error = settings.requested_game.variant(name).err();
            report_unused("variant".to_owned(), error.map(|error| error.to_string()));
        }
        Setting::Opening(name) => {
            let error = settings.requested_game.opening(name).err();
            report_unused("opening".to_owned(), error.map(|error| error.to_string()));
        }
        Setting::TieBreak(on) => settings.requested_game.tie_break(*on),
        Setting::Malformed { key, value } => {
            settings.requested_game.unreadable(key, value);
            settings.apply(info);
            // A key without a value requests nothing.
            if !value.is_empty() {
                out(Reply::Message(format!("INFO {key} {value:?} cannot be read")));
            }
        }
        Setting::Folder(path) => {
            let context = Context::of(settings, at_hand, sources.database.setup());
            database::set_folder(&mut sources.database, &context, Path::new(path), out);
        }
        Setting::UseDatabase(on) => {
            let context = Context::of(settings, at_hand, sources.database.setup());
            database::use_database(&mut sources.database, &context, *on, out);
        }
        Setting::DatabaseReadonly(on) => sources.database.set_read_only(*on),
        Setting::Rule(_) => {
            settings.apply(info);
            if let Some(error) = settings.bad_rule() {
                out(Reply::Message(format!("{error}: {RULES}")));
            }
            // A mistyped digit may name a rule with options.
            if let Some(RuleVariant { rule, .. }) = settings.variant().ok()
                && !rule.is_plain()
            {
                let what = "this number is Goren's own, for a rule with options";
                out(Reply::Message(format!("the rule is {rule}: {what}")));
            }
            renew(at_hand, settings, *arrived);
        }
        Setting::Strength(number) => {
            settings.apply(info);
            let used = settings.strength().number();
            if *number != used {
                out(Reply::Message(format!("strength {number} is taken as {used}")));
            }
        }
        _ => settings.apply(info),
    }
}
