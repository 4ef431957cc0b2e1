//! Every target: the body of its own name.

#![no_main]

use goren_fuzz::{Body, body};

const BODY: Body = body(env!("CARGO_BIN_NAME"));

libfuzzer_sys::fuzz_target!(|input: &[u8]| BODY(input));
