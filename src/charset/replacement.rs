//! The WHATWG's "replacement": what no browser may decode (14.1). One U+FFFD, never written.

use super::spec::Spec;
use super::units::{End, State, Unit, Units};

pub(super) static REPLACEMENT: Spec = Spec {
    name: "replacement",
    labels: &[
        "csiso2022kr",
        "hz-gb-2312",
        "iso-2022-cn",
        "iso-2022-cn-ext",
        "iso-2022-kr",
        "replacement",
    ],
    unicode: false,
    codec: &Replacement,
};

struct Replacement;

/// The error was told.
const TOLD: State = State(1);

impl Units for Replacement {
    /// The whole document is one error. It takes the first byte; the others are no text.
    fn next(&self, state: &mut State, bytes: &[u8], _: End) -> Option<Unit> {
        if bytes.is_empty() || *state == TOLD {
            return None;
        }
        *state = TOLD;
        Some(Unit::malformed(1))
    }

    fn encode(&self, text: &str, _: &mut Vec<u8>) -> Result<(), usize> {
        if text.is_empty() { Ok(()) } else { Err(0) }
    }

    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}
