//! Transfer encodings that a header declares and a body may not have.

use linkglot_layer::Layer;
use linkglot_mail::structure::{FieldPlace, field_places};

/// True if bytes are encoded as the header says. Some senders declare an encoding and send the message without it.
pub(super) fn is_encoded(bytes: &[u8], layer: Layer) -> bool {
    match layer {
        // A field has a colon, which base64 has not.
        Layer::Base64 => {
            let text = bytes.trim_ascii_start();
            let line = text.split(|byte| *byte == b'\n').next();
            !line.unwrap_or_default().contains(&b':')
        }
        // The parameters of the type have equals signs, which quoted-printable escapes.
        Layer::QuotedPrintable => !has_plain_equals(content_type(header_of(bytes))),
        Layer::Folded | Layer::EncodedWords => true,
    }
}

/// True if the first line with text has nothing but base64 (RFC 2045 6.8).
pub(super) fn is_base64(bytes: &[u8]) -> bool {
    let mut lines = bytes
        .trim_ascii_start()
        .split(|byte| matches!(byte, b'\r' | b'\n'));
    let is_of_alphabet = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b' ' | b'\t')
    };
    lines.next().unwrap_or_default().iter().all(is_of_alphabet)
}

/// The value of the Content-Type in a header; empty if there is none.
fn content_type(header: &[u8]) -> &[u8] {
    let fields = field_places(header);
    let is_type = |field: &&FieldPlace| {
        let name = &header[field.name.clone()];
        name.eq_ignore_ascii_case(b"content-type")
    };
    let found = fields.iter().find(is_type);
    found.map_or(b"", |field| &header[field.value.clone()])
}

/// The lines up to the first empty line.
fn header_of(bytes: &[u8]) -> &[u8] {
    let ends = memchr::memchr_iter(b'\n', bytes);
    let is_last = |end: &usize| {
        let next = bytes[end + 1..].strip_prefix(b"\r");
        next.unwrap_or(&bytes[end + 1..]).starts_with(b"\n")
    };
    &bytes[..ends.into_iter().find(is_last).unwrap_or(bytes.len())]
}

/// True if some `=` begins neither an octet nor a soft line break (RFC 2045 6.7).
fn has_plain_equals(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'=', bytes).any(|at| match &bytes[at + 1..] {
        [first, second, ..] if first.is_ascii_hexdigit() => !second.is_ascii_hexdigit(),
        [first, ..] => !first.is_ascii_whitespace(),
        [] => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_told_from_other_bytes() {
        for (bytes, expected) in [
            (&b"\r\nYTogYgoKYw==\r\n-- \r\n"[..], true),
            (b" YTog Ygo ", true),
            (b"", true),
            (b"!!!!notbase64\n", false),
            (b"begin 644 a\n#0V%T\n", true),
        ] {
            assert_eq!(is_base64(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn the_encoding_that_a_header_says_may_be_none() {
        let plain = b"Subject: a\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<a href=3D>";
        let quoted = b"Subject: a=\n b\nContent-Type: text/html; charset=3Dutf-8\n\na=b";
        let base64 = b"\r\nU3ViamVjdDogYQoKYg==\r\n";
        for (bytes, layer, expected) in [
            (&plain[..], Layer::QuotedPrintable, false),
            (&plain[..], Layer::Base64, false),
            (&quoted[..], Layer::QuotedPrintable, true),
            (
                b"List-Help: <http://a.example/?b=c>\n\n",
                Layer::QuotedPrintable,
                true,
            ),
            (&base64[..], Layer::Base64, true),
            (b"", Layer::Base64, true),
            (b"", Layer::QuotedPrintable, true),
        ] {
            let found = is_encoded(bytes, layer);
            assert_eq!(found, expected, "{layer:?} {}", bytes.escape_ascii());
        }
    }
}
