//! Telling binary files from documents.

use super::kinds;
use crate::charset::Charset;
use std::path::Path;

/// Formats that are no documents of ours although they may begin without a NUL. Changing a byte of
/// them would break their tables of offsets, their checksums or their compression.
const SIGNATURES: &[&[u8]] = &[
    b"%PDF-",
    b"\x89PNG",
    b"\xFF\xD8\xFF",
    b"GIF87a",
    b"GIF89a",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1F\x8B",
    b"BZh",
    b"\xFD7zXZ",
    b"7z\xBC\xAF",
    b"\x28\xB5\x2F\xFD",
    b"Rar!",
    b"\x7FELF",
    b"wOFF",
    b"wOF2",
    b"OggS",
    b"ID3",
    b"fLaC",
    b"\xD0\xCF\x11\xE0",
];

/// Whether the first bytes of a file (a KiB is enough; `head` may be longer) say that it is no
/// text: a known signature, or NULs that no UTF-16 or UTF-32 explains. A few NULs are pardoned
/// when the name is a document's. `charset` is the one that the caller insists on, if any.
pub fn is_binary(head: &[u8], name: &Path, charset: Option<Charset>) -> bool {
    let head = &head[..head.len().min(1024)];
    if has_bom(head) {
        return false;
    }
    if SIGNATURES.iter().any(|start| head.starts_with(start)) {
        return true;
    }
    let nuls = memchr::memchr_iter(0, head).count();
    if nuls == 0 || charset.is_some_and(|charset| !charset.is_ascii_compatible()) {
        return false;
    }
    let wide = [
        Charset::UTF_16LE,
        Charset::UTF_16BE,
        Charset::UTF_32LE,
        Charset::UTF_32BE,
    ];
    if wide.into_iter().any(|charset| reads_well(head, charset)) {
        return false;
    }
    !(kinds::is_document(name) && is_mostly_text(head))
}

fn has_bom(head: &[u8]) -> bool {
    const BOMS: &[&[u8]] = &[b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\0\0\xFE\xFF"];
    BOMS.iter().any(|bom| head.starts_with(bom))
}

/// Whether the bytes are text in a charset of two or four bytes a character: no malformed
/// sequence, no control character but white space, and as much ASCII as markup and links bring.
fn reads_well(head: &[u8], charset: Charset) -> bool {
    let whole = &head[..head.len() / 4 * 4];
    // The cut may part a surrogate pair.
    let text = charset.decode(whole);
    let text = text
        .strip_suffix(char::REPLACEMENT_CHARACTER)
        .unwrap_or(&text);
    let white = |ch: char| matches!(ch, '\t' | '\n' | '\r' | '\x0C');
    let bad = |ch: char| ch == char::REPLACEMENT_CHARACTER || (ch.is_control() && !white(ch));
    let ascii = text.chars().filter(char::is_ascii).count();
    ascii * 8 >= text.chars().count() && ascii > 1 && !text.contains(bad)
}

fn is_mostly_text(head: &[u8]) -> bool {
    let strange = |byte: &&u8| matches!(**byte, 0..=8 | 14..=26 | 28..=31);
    head.iter().filter(strange).count() * 4 < head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(head: &[u8], name: &str) -> bool {
        is_binary(head, Path::new(name), None)
    }

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn text_is_not_binary() {
        assert!(!binary(b"", "a"));
        assert!(!binary(b"plain \x1B$B text", "a"));
        assert!(!binary(b"\xFF\xFEa\0", "a"));
        assert!(!binary(
            &wide("<p>\u{65E5}\u{672C}\u{8A9E} text</p>\r\n"),
            "a"
        ));
        assert!(!binary(&wide("odd length").repeat(60)[..1023], "a"));
        assert!(!binary(
            b"<p>one NUL \0 in a document that is long enough",
            "a.html"
        ));
    }

    #[test]
    fn binary_files_are() {
        assert!(binary(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "a"));
        assert!(binary(b"%PDF-1.4\n", "a.txt"));
        assert!(binary(b"some\0thing unlike text", "a.bin"));
        assert!(binary(&[0, 1, 2, 3, 0, 5, 6, 7, 0, 0, 0, 9], "a.html"));
    }

    #[test]
    fn the_caller_may_know_better() {
        let head = b"\0a\0\x01\xD8\0";
        assert!(is_binary(head, Path::new("a"), None));
        assert!(!is_binary(head, Path::new("a"), Some(Charset::UTF_16BE)));
    }
}
