//! Every target: the body of its own name.

#![no_main]

use goren_fuzz::{TARGETS, TOOL_TARGETS};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut all = TARGETS.iter().chain(&TOOL_TARGETS);
    let name = env!("CARGO_BIN_NAME");
    let (_, body) = all.find(|(target, _)| *target == name).expect("a target");
    body(input);
});
