//! Shorthands shared by the tests. No test file uses all of them.

#![allow(dead_code)]

use goren_protocol::{Command, Event, LineBuffer, Owner, Parser, Placed, Point};

/// Reads all events of a stream of bytes.
pub fn read(bytes: impl AsRef<[u8]>) -> Vec<Event> {
    let mut buffer = LineBuffer::new();
    let mut parser = Parser::new();
    let mut lines = buffer.push(bytes.as_ref());
    lines.extend(buffer.finish());
    lines.iter().flat_map(|line| parser.feed(line)).collect()
}

/// Reads a stream of bytes that is exactly one command.
pub fn one(bytes: impl AsRef<[u8]>) -> Command {
    let mut events = read(bytes);
    assert_eq!(events.len(), 1, "{events:?}");
    events.remove(0).expect("a readable command")
}

pub fn at(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

pub fn own(x: i32, y: i32) -> Placed {
    Placed::new(at(x, y), Owner::Own)
}

pub fn theirs(x: i32, y: i32) -> Placed {
    Placed::new(at(x, y), Owner::Opponent)
}
