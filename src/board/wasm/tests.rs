use std::sync::Arc;
use std::time::Duration;

use serde_json::{from_str, to_string};

use crate::page::{Line, Page};
use crate::search::Search;
use goren_board::model::MAX_BYTES;
use goren_board::schema::Event;
use goren_engine::Control;

/// A page and its searches, which exchange text only.
struct Both {
    page: Page,
    search: Search,
    events: Vec<Event>,
}

impl Both {
    fn new() -> Both {
        Both { page: Page::new(2), search: Search::new(), events: Vec::new() }
    }

    /// Handles a command, and completes the searches that follow from it. With `stop` each
    /// search is stopped as it begins.
    fn handle_command(&mut self, command: &str, stop: bool) {
        let mut lines = self.page.handle_command(command);
        while !lines.is_empty() {
            let mut due = None;
            for line in lines.drain(..) {
                match line {
                    Line::Event(event) => self.events.push(event),
                    Line::Begin { number, job, .. } => due = Some((number, job)),
                    Line::Stop => due = None,
                }
            }
            let Some((number, job)) = due else { return };
            let mut found = Vec::new();
            let on_begin = |control: &Arc<Control>| {
                if stop {
                    control.stop();
                }
            };
            let mut observer = |result: &_| found.push(to_string(result).unwrap());
            self.search.run(&job, None, on_begin, &mut observer).unwrap();
            assert!(found.iter().all(|text| text.starts_with(&format!("[{number},"))), "{found:?}");
            // By this `search.js` tells the last result from the others.
            let is_interim = |text: &String| text.starts_with(&format!("[{number},{{\"Lines\":"));
            let (last, others) = found.split_last().unwrap();
            assert!(others.iter().all(is_interim) && !is_interim(last), "{found:?}");
            for text in found {
                lines.extend(self.page.found(&text, Duration::ZERO).unwrap());
            }
        }
    }

    /// Returns the messages since the last call.
    fn messages(&mut self) -> Vec<String> {
        let text = |event| match event {
            Event::Message { text } | Event::Hint { text, .. } | Event::Refused { text } => {
                Some(text)
            }
            _ => None,
        };
        self.events.drain(..).filter_map(text).collect()
    }
}

#[test]
fn the_engine_plays_openings_and_moves_through_text() {
    let mut both = Both::new();
    both.handle_command(
        r#"{"do":"engine","levels":["club","club"],"time_ms":50,"threads":1}"#,
        false,
    );
    for game in [
        r#"{"variant":"renju","opening":"taraguchi-10","tie_break":false,"strict":false}"#,
        r#"{"variant":"connect6","tie_break":false,"strict":false}"#,
    ] {
        let begin = format!(r#"{{"do":"new","game":{game},"players":["engine","engine"]}}"#);
        // Stopped searches decide too, and the engine continues with the next ply.
        both.handle_command(&begin, true);
        let messages = both.messages();
        assert!(
            messages.len() > 8 && messages.iter().all(|text| text.starts_with("The engine ")),
            "{messages:?}"
        );
    }
}

#[test]
fn all_searches_work_through_text() {
    let mut both = Both::new();
    let game = r#"{"variant":"renju","opening":"free","tie_break":false,"strict":false}"#;
    both.handle_command(
        &format!(r#"{{"do":"new","game":{game},"players":["person","person"]}}"#),
        false,
    );
    for ply in ["h8", "i9", "h9", "i8", "h10", "a1"] {
        both.handle_command(&format!(r#"{{"do":"play","text":"{ply}"}}"#), false);
    }
    assert_eq!(both.messages(), Vec::<String>::new());
    both.handle_command(r#"{"do":"search","query":"vcf"}"#, false);
    let messages = both.messages();
    assert!(messages[0].starts_with("Black wins by fours"), "{messages:?}");
    both.handle_command(r#"{"do":"search","query":"vct"}"#, false);
    let messages = both.messages();
    assert!(messages[0].starts_with("Black wins by threats"), "{messages:?}");
    both.handle_command(r#"{"do":"search","query":"hint"}"#, true);
    let messages = both.messages();
    assert!(messages[0].starts_with("Try h"), "{messages:?}");
    both.handle_command(r#"{"do":"search","query":"threat"}"#, true);
    let lines = |event: &Event| matches!(event, Event::Lines(lines) if lines.done);
    assert!(both.events.iter().any(lines), "{:?}", both.events);
}

#[test]
fn a_search_requests_its_number_of_threads() {
    let mut page = Page::new(2);
    let engine = |threads| {
        format!(r#"{{"do":"engine","levels":["full","full"],"time_ms":50,"threads":{threads}}}"#)
    };
    let refused = |line: &Line| {
        let is_limit = |text: &str| text.contains("1 to 2 search threads");
        matches!(line, Line::Event(Event::Refused { text }) if is_limit(text))
    };
    assert!(page.handle_command(&engine(3)).iter().any(refused));
    assert!(!page.handle_command(&engine(2)).iter().any(refused));
    let lines = page.handle_command(r#"{"do":"analyse","lines":1}"#);
    assert!(lines.iter().any(|line| matches!(line, Line::Begin { threads: 2, .. })), "{lines:?}");
}

#[test]
fn bad_text_is_refused_and_changes_nothing() {
    let mut both = Both::new();
    both.handle_command("what?", false);
    both.handle_command(&"x".repeat(MAX_BYTES + 1), false);
    let messages = both.messages();
    assert!(messages[0].starts_with("This is not a command"), "{messages:?}");
    assert_eq!(messages[1], "A command has at most 16 MiB.");
    for text in ["", "[]", "[1]", r#"[1,{"Decided":{}}]"#, r#"[1,"Nothing"]"#] {
        assert!(both.page.found(text, Duration::ZERO).is_err(), "{text}");
        assert!(both.search.run(text, None, |_| {}, &mut |_| {}).is_err(), "{text}");
    }
    // A search that was never begun.
    assert!(both.page.found(r#"[7,"Analysed"]"#, Duration::ZERO).unwrap().is_empty());
    let written = to_string(&both.page.handle_command(r#"{"do":"show"}"#)).unwrap();
    let read: serde_json::Value = from_str(&written).unwrap();
    assert_eq!(read[0]["event"]["event"], "catalogue");
}
