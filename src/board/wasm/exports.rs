//! The exports of the module. Unsafe code is allowed here only for `no_mangle`: an unmangled
//! name could clash with another function.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::io::{Read, Write, stdin, stdout};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::page::{Line, Page};
use super::search::Search;
use goren_engine::{Control, bench, reserve, stack};

#[global_allocator]
static ALLOCATOR: reserve::Allocator = reserve::Allocator;

/// Time limit of a brief search.
const BRIEF: Duration = Duration::from_millis(15);

thread_local! {
    static PAGE: RefCell<Page> = RefCell::new(Page::new(1));
    static SEARCH: RefCell<Search> = RefCell::new(Search::new());
    /// The control that ends the last search.
    static CONTROL: RefCell<Option<Arc<Control>>> = const { RefCell::new(None) };
}

/// Reads the whole input.
fn read() -> Result<String> {
    let mut text = String::new();
    stdin().lock().read_to_string(&mut text)?;
    Ok(text)
}

fn write(line: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    let mut out = stdout().lock();
    out.write_all(&text)?;
    Ok(out.flush()?)
}

fn write_all(lines: Vec<Line>) -> Result<()> {
    lines.iter().try_for_each(write)
}

/// Reports an error: the host shows the standard error.
fn report(result: Result<()>) {
    if let Err(error) = result {
        eprintln!("{error:#}");
    }
}

#[unsafe(no_mangle)]
extern "C" fn goren_page(threads: usize) {
    PAGE.set(Page::new(threads));
}

#[unsafe(no_mangle)]
extern "C" fn goren_command() {
    let handle = |text: String| PAGE.with_borrow_mut(|page| page.handle_command(&text));
    report(read().and_then(|text| write_all(handle(text))));
}

#[unsafe(no_mangle)]
extern "C" fn goren_found(age_ms: f64) {
    // The clocks of two workers may differ slightly: a negative age counts as 0.
    let age = Duration::try_from_secs_f64(age_ms / 1000.0).unwrap_or_default();
    let found = |text: String| PAGE.with_borrow_mut(|page| page.found(&text, age));
    report(read().and_then(|text| write_all(found(text)?)));
}

/// Searches, for at most `limit` if given.
fn search(limit: Option<Duration>) {
    // The module has a large stack (`.ci/wasm`): the search needs no thread for it.
    stack::mark_large();
    let on_begin = |control: &Arc<Control>| CONTROL.set(Some(control.clone()));
    let run = |text: String| {
        // A line that cannot be written is lost.
        let mut observer = |found: &_| drop(write(found));
        SEARCH.with_borrow_mut(|search| search.run(&text, limit, on_begin, &mut observer))
    };
    report(read().and_then(run));
}

#[unsafe(no_mangle)]
extern "C" fn goren_search() {
    search(None);
}

#[unsafe(no_mangle)]
extern "C" fn goren_search_briefly() {
    search(Some(BRIEF));
}

#[unsafe(no_mangle)]
extern "C" fn goren_stop() {
    CONTROL.with_borrow(|control| {
        if let Some(control) = control {
            control.stop();
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn goren_bench() {
    stack::mark_large();
    let measured = bench::five().map_err(Into::into);
    report(measured.and_then(|measured| write(&(measured.nodes, measured.speed()))));
}
