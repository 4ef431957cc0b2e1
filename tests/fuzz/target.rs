//! All targets: each binary runs the body of its own name.

#![no_main]

use goren_fuzz::TARGETS;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let name = env!("CARGO_BIN_NAME");
    let (_, body) = TARGETS.iter().find(|(target, _)| *target == name).expect("a target");
    body(input);
});
