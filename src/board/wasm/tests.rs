use std::sync::Arc;
use std::time::Duration;

use serde_json::{from_str, to_string};

use crate::page::{Line, Page};
use crate::search::Search;
use goren_board::model::MOST_BYTES;
use goren_board::schema::Event;
use goren_engine::Control;

/// A page and its searches, which have only text between them.
struct Both {
    page: Page,
    search: Search,
    events: Vec<Event>,
}

impl Both {
    fn new() -> Both {
        Both { page: Page::new(2), search: Search::new(), events: Vec::new() }
    }

    /// Obeys a command, and runs the searches that follow from it to their ends. With
    /// `stop` each is stopped as it begins.
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
            let begun = |control: &Arc<Control>| {
                if stop {
                    control.stop();
                }
            };
            let mut observer = |some: &_| found.push(to_string(some).unwrap());
            self.search.run(&job, None, begun, &mut observer).unwrap();
            assert!(found.iter().all(|text| text.starts_with(&format!("[{number},"))), "{found:?}");
            for text in found {
                lines.extend(self.page.found(&text, Duration::ZERO).unwrap());
            }
        }
    }

    /// What was said in sentences since the last time.
    fn reported(&mut self) -> Vec<String> {
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
        // Stopped searches decide too, and the engine goes on with the next ply.
        both.handle_command(&begin, true);
        let reported = both.reported();
        assert!(
            reported.len() > 8 && reported.iter().all(|text| text.starts_with("The engine ")),
            "{reported:?}"
        );
    }
}

#[test]
fn everything_that_is_searched_goes_through_text() {
    let mut both = Both::new();
    let game = r#"{"variant":"renju","opening":"free","tie_break":false,"strict":false}"#;
    both.handle_command(
        &format!(r#"{{"do":"new","game":{game},"players":["person","person"]}}"#),
        false,
    );
    for ply in ["h8", "i9", "h9", "i8", "h10", "a1"] {
        both.handle_command(&format!(r#"{{"do":"play","text":"{ply}"}}"#), false);
    }
    assert_eq!(both.reported(), Vec::<String>::new());
    both.handle_command(r#"{"do":"search","query":"vcf"}"#, false);
    let reported = both.reported();
    assert!(reported[0].starts_with("Black wins by fours"), "{reported:?}");
    both.handle_command(r#"{"do":"search","query":"vct"}"#, false);
    let reported = both.reported();
    assert!(reported[0].starts_with("Black wins by threats"), "{reported:?}");
    both.handle_command(r#"{"do":"search","query":"hint"}"#, true);
    let reported = both.reported();
    assert!(reported[0].starts_with("Try h"), "{reported:?}");
    both.handle_command(r#"{"do":"search","query":"threat"}"#, true);
    let lines = |event: &Event| matches!(event, Event::Lines(lines) if lines.done);
    assert!(both.events.iter().any(lines), "{:?}", both.events);
}

#[test]
fn the_host_is_told_how_many_threads_a_search_wants() {
    let mut page = Page::new(2);
    let engine = |threads| {
        format!(r#"{{"do":"engine","levels":["full","full"],"time_ms":50,"threads":{threads}}}"#)
    };
    let refused = |line: &Line| {
        let reported = |text: &str| text.contains("1 to 2 search threads");
        matches!(line, Line::Event(Event::Refused { text }) if reported(text))
    };
    assert!(page.handle_command(&engine(3)).iter().any(refused));
    assert!(!page.handle_command(&engine(2)).iter().any(refused));
    let lines = page.handle_command(r#"{"do":"analyse","lines":1}"#);
    assert!(lines.iter().any(|line| matches!(line, Line::Begin { threads: 2, .. })), "{lines:?}");
}

#[test]
fn bad_text_is_refused_and_harms_nothing() {
    let mut both = Both::new();
    both.handle_command("what?", false);
    both.handle_command(&"x".repeat(MOST_BYTES + 1), false);
    let reported = both.reported();
    assert!(reported[0].starts_with("This is no command"), "{reported:?}");
    assert_eq!(reported[1], "A command has at most 16 MiB.");
    for text in ["", "[]", "[1]", r#"[1,{"Decided":{}}]"#, r#"[1,"Nothing"]"#] {
        assert!(both.page.found(text, Duration::ZERO).is_err(), "{text}");
        assert!(both.search.run(text, None, |_| {}, &mut |_| {}).is_err(), "{text}");
    }
    // A search that nobody has begun.
    assert!(both.page.found(r#"[7,"Analysed"]"#, Duration::ZERO).unwrap().is_empty());
    let written = to_string(&both.page.handle_command(r#"{"do":"show"}"#)).unwrap();
    let read: serde_json::Value = from_str(&written).unwrap();
    assert_eq!(read[0]["tell"]["event"], "catalogue");
}
