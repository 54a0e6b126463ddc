//! Detection in any text: no panic, hits in order, disjoint, on character boundaries, and found again alone.
#![no_main]

#[path = "../../tests/scan/properties/holds.rs"]
mod holds;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(what) = holds::holds(text) {
        panic!("{what}");
    }
});
