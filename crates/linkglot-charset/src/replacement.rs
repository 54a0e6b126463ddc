//! The "replacement" encoding (WHATWG 14.1), which stands for encodings that browsers refuse to
//! decode. The whole document is one U+FFFD; nothing can be encoded.

use crate::codec::{Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift};

pub(crate) static REPLACEMENT: Spec = Spec {
    name: "replacement",
    labels: "replacement",
    is_unicode: false,
    codec: &Replacement,
};

struct Replacement;

/// The WHATWG's "replacement error returned" flag.
const ERROR_RETURNED: Shift = Shift(1);

impl TranscodedCodec for Replacement {
    fn next(&self, state: &mut Shift, bytes: &[u8], _: End) -> Option<DecodedChar> {
        if bytes.is_empty() || *state == ERROR_RETURNED {
            return None;
        }
        *state = ERROR_RETURNED;
        Some(DecodedChar::malformed(1))
    }

    fn is_stateful(&self) -> bool {
        true
    }

    fn encode(&self, text: &str, _: &mut Vec<u8>) -> Result<(), usize> {
        if text.is_empty() { Ok(()) } else { Err(0) }
    }

    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}
