//! The protocol without a session: lines, commands, replies.

use goren_engine::Params;
use goren_protocol::{Event, LineBuffer, Parser, Reply};

/// Bytes that arrive in pieces: every split gives the same lines, and so the same
/// commands, each of which is read back as it is written.
pub fn lines(input: &[u8]) -> bool {
    let (&cut, bytes) = input.split_first().unwrap_or((&0, &[]));
    let whole = lines_of([bytes]);
    assert_eq!(lines_of(bytes.chunks(usize::from(cut) + 1)), whole);
    let mut parser = Parser::new();
    let mut has_commands = false;
    for event in whole.iter().flat_map(|line| parser.feed(line)) {
        written(&event);
        has_commands |= event.is_ok();
    }
    let open = parser.is_inside_command();
    let cut_off = parser.finish();
    assert!(cut_off.is_some() == open && cut_off.is_none_or(|event| event.is_err()));
    assert!(!parser.is_inside_command());
    for line in &whole {
        if let Ok(reply) = Reply::parse(line) {
            // The line may change when it is written; what is written is read back as it is.
            let text = reply.to_wire();
            let again = Reply::parse(text.trim_end().as_bytes()).map(|again| again.to_wire());
            assert_eq!(again, Ok(text));
        }
    }
    has_commands
}

fn lines_of<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut buffer = LineBuffer::new();
    let mut lines: Vec<Vec<u8>> = pieces.into_iter().flat_map(|piece| buffer.push(piece)).collect();
    lines.extend(buffer.finish());
    lines
}

fn written(event: &Event) {
    match event {
        Ok(command) => {
            // Characters that a line cannot hold are written as blanks and read back as such.
            let text = command.to_wire();
            let read = Parser::new().feed(text.as_bytes()).into_iter();
            let again: Vec<String> = read.flatten().map(|again| again.to_wire()).collect();
            assert_eq!(again, [text]);
        }
        Err(error) => assert!(error.reply().to_wire().ends_with('\n')),
    }
}

/// Lists of search parameters.
pub fn params(input: &[u8]) -> bool {
    let mut params = Params::default();
    let is_set = params.set_all(&String::from_utf8_lossy(input)).is_ok();
    let is_changed = params.values() != Params::default().values();
    assert!(is_set || !is_changed);
    for (spec, value) in Params::SPECS.iter().zip(params.values()) {
        assert!((spec.min..=spec.max).contains(&value), "{} {value}", spec.name);
    }
    is_changed
}
