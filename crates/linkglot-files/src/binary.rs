//! Telling binary files from documents.

use linkglot::Charset;
use linkglot::format::{FileType, Format};
use std::path::Path;

/// Signatures of binary formats that may begin without a NUL. Changing a byte of such a file would break its offsets,
/// its checksums or its compression.
const SIGNATURES: &[&[u8]] = &[
    b"%PDF-",
    b"\x89PNG",
    b"\xFF\xD8\xFF",
    b"7z\xBC\xAF",
    b"Rar!\x1A\x07",
    b"\xD0\xCF\x11\xE0",
];

/// Signatures of programs, which may have an archive behind them, and of containers that are read.
const CONTAINER_SIGNATURES: &[&[u8]] = &[
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1F\x8B",
    b"\xFD7zXZ",
    b"\x28\xB5\x2F\xFD",
    b"\x7FELF",
];

/// Signatures that could also begin a text. In the binary format, numbers follow: one of the next eight bytes is a
/// control character.
const WORDS: &[&[u8]] = &[b"GIF87a", b"GIF89a", b"wOFF", b"wOF2", b"OggS", b"fLaC"];

/// True if the file has a signature that could begin a text, and continues like the binary format: one of [`WORDS`],
/// bzip2 (a digit, then the magic of a block or of the end) or ID3 (version, flags whose lower half is zero, a length
/// in four bytes below 128).
fn has_ambiguous_signature(head: &[u8]) -> bool {
    let word = WORDS.iter().find_map(|word| head.strip_prefix(*word));
    if let Some(rest) = word {
        return rest
            .iter()
            .take(8)
            .any(|byte| matches!(byte, 0..=8 | 14..=31));
    }
    match head {
        [b'B', b'Z', b'h', b'1'..=b'9', magic @ ..] => {
            magic.starts_with(b"1AY&SY") || magic.starts_with(b"\x17rE8P\x90")
        }
        [b'I', b'D', b'3', 2..=4, revision, flags, length @ ..] => {
            *revision < 0xFF && flags & 0x0F == 0 && length.iter().take(4).all(|byte| *byte < 0x80)
        }
        _ => false,
    }
}

/// True for the signature of a binary format that is no container that is read.
pub(super) fn has_signature(head: &[u8]) -> bool {
    let mut known = SIGNATURES.iter();
    known.any(|start| head.starts_with(start)) || has_ambiguous_signature(head)
}

/// Charset and format that the caller prescribes, regardless of the file's content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The charset, if prescribed.
    pub charset: Option<Charset>,
    /// The format, if prescribed.
    pub format: Option<Format>,
}

/// True if a file is binary, judged by its first KiB: it has a known signature, or NULs that neither UTF-16 nor UTF-32
/// explains. A few NULs are accepted in a file with the extension of a document, any number behind the header of a
/// message, or if the caller prescribes the format.
pub fn is_binary(head: &[u8], name: &Path, overrides: Overrides) -> bool {
    let head = &head[..head.len().min(1024)];
    if has_bom(head) {
        return false;
    }
    let mut containers = CONTAINER_SIGNATURES.iter();
    if has_signature(head) || containers.any(|start| head.starts_with(start)) {
        return true;
    }
    let nuls = memchr::memchr_iter(0, head).count();
    let is_wide = overrides
        .charset
        .is_some_and(|charset| !charset.is_ascii_compatible());
    if nuls == 0 || is_wide || overrides.format.is_some() {
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
    !(is_document(name) && (is_mostly_text(head) || is_header(head)))
}

/// True for the header of a message in front of the first NUL, and an empty line behind it: bodies may have any bytes
/// (RFC 3030).
fn is_header(head: &[u8]) -> bool {
    let end = memchr::memchr(0, head).unwrap_or(head.len());
    let text = &head[..end];
    let line = text.split(|byte| *byte == b'\n').next();
    let line = line.unwrap_or_default();
    let name = line
        .iter()
        .take_while(|byte| byte.is_ascii_graphic() && **byte != b':');
    let is_field = line.get(name.count()) == Some(&b':') && !line.starts_with(b":");
    let has_end = |mark: &[u8]| memchr::memmem::find(text, mark).is_some();
    (is_field || line.starts_with(b"From ")) && (has_end(b"\n\n") || has_end(b"\n\r\n"))
}

/// True if the extension belongs to a document format.
fn is_document(path: &Path) -> bool {
    FileType::all().iter().any(|known| known.matches(path))
}

fn has_bom(head: &[u8]) -> bool {
    const BOMS: &[&[u8]] = &[b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\0\0\xFE\xFF"];
    BOMS.iter().any(|bom| head.starts_with(bom))
}

/// True if the bytes are text in UTF-16 or UTF-32: no malformed sequence, no control character but white space, and at
/// least one character in eight is ASCII, which markup and links guarantee.
fn reads_well(head: &[u8], charset: Charset) -> bool {
    let whole = &head[..head.len() / 4 * 4];
    // The end of the head may split a surrogate pair.
    let text = charset.decode(whole);
    let text = text
        .strip_suffix(char::REPLACEMENT_CHARACTER)
        .unwrap_or(&text);
    let is_space = |ch: char| matches!(ch, '\t' | '\n' | '\r' | '\x0C');
    let is_bad = |ch: char| ch == char::REPLACEMENT_CHARACTER || (ch.is_control() && !is_space(ch));
    let ascii = text.chars().filter(char::is_ascii).count();
    ascii * 8 >= text.chars().count() && ascii > 1 && !text.contains(is_bad)
}

fn is_mostly_text(head: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(**byte, 0..=8 | 14..=26 | 28..=31);
    head.iter().filter(is_control).count() * 4 < head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(head: &[u8], name: &str) -> bool {
        is_binary(head, Path::new(name), Overrides::default())
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
    fn signatures_and_unexplained_nuls_are_binary() {
        assert!(binary(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "a"));
        assert!(binary(b"%PDF-1.4\n", "a.txt"));
        assert!(binary(b"some\0thing unlike text", "a.bin"));
        assert!(binary(&[0, 1, 2, 3, 0, 5, 6, 7, 0, 0, 0, 9], "a.html"));
    }

    /// A word that could be a signature counts only with the bytes that follow it in the binary format.
    #[test]
    fn words_alone_are_no_signatures() {
        for text in [
            "ID3 tags",
            "BZhang",
            "BZh9 x",
            "Rar! x",
            "OggS",
            "wOFF\tis\r\n",
            "fLaC: x",
            "GIF89a is",
        ] {
            assert!(!binary(text.as_bytes(), "a.txt"), "{text}");
        }
        for head in [
            &b"ID3\x03\0\0\0\0\x0F\x76TIT2"[..],
            b"ID3\x04\0\x80\x01\x02\x03\x04",
            b"BZh91AY&SY\xF0",
            b"BZh1\x17rE8P\x90\0\0\0\0",
            b"Rar!\x1A\x07\0\xCF",
            b"Rar!\x1A\x07\x01\0",
            b"GIF89a\x20\x03\x58\x02\xF7\0\0",
            b"wOFF\0\x01\0\0",
            b"wOF2OTTO\0\0\x40\x14",
            b"OggS\0\x02",
            b"fLaC\0\0\0\x22",
        ] {
            assert!(binary(head, "a.txt"), "{head:?}");
        }
    }

    #[test]
    fn the_caller_may_override() {
        let head = b"\0a\0\x01\xD8\0";
        let mut overrides = Overrides::default();
        assert!(is_binary(head, Path::new("a"), overrides));
        overrides.charset = Some(Charset::UTF_16BE);
        assert!(!is_binary(head, Path::new("a"), overrides));
        overrides = Overrides {
            charset: None,
            format: Some(Format::Html),
        };
        assert!(!is_binary(head, Path::new("a"), overrides));
        assert!(is_binary(b"\x89PNG\r\n", Path::new("a"), overrides));
    }
}
