//! Signatures in plain text: at its end (tags and commits of git), at its beginning (signify), in a line (settings of
//! Remote Desktop), and those of messages in mailboxes that are read as text.

use super::Extent;
use crate::link::is_other_mailbox;
use memchr::memmem;

/// The signatures at the end of a text, between lines that name them: OpenPGP, SSH, and CMS in its notations.
const AT_END: [&str; 5] = [
    "PGP SIGNATURE",
    "SSH SIGNATURE",
    "SIGNED MESSAGE",
    "PKCS7",
    "CMS",
];

/// The lines around text that OpenPGP signs, which is followed elsewhere.
const SIGNED_TEXT: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &[u8] = b"-----BEGIN PGP SIGNATURE-----";

/// The first line of signify and minisign.
const COMMENT: &[u8] = b"untrusted comment: ";

/// The fewest characters of a signature in base64.
const FEWEST: usize = 64;

/// The signs of a signature in a message, in lower case.
const OF_MAIL: [&[u8]; 5] = [
    b"dkim-signature:",
    b"domainkey-signature:",
    b"arc-message-signature:",
    b"x-pgp-sig:",
    b"multipart/signed",
];

/// True if a text has a signature that covers text around it. Linear.
pub(super) fn has_plain_signature(text: &[u8], extent: Extent) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    (extent == Extent::Whole && ends_in_signature(text))
        || begins_with_signature(text)
        || is_signed_commit(text)
        || is_signed_settings(text)
        || is_signed_mailbox(text, extent)
}

/// True if nothing but a signature of the text in front of it stands at the end.
fn ends_in_signature(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let mut names = AT_END.iter();
    let name = text
        .ends_with(b"-----")
        .then(|| names.find(|name| text.ends_with(format!("-----END {name}-----").as_bytes())));
    let Some(name) = name.flatten() else {
        return false;
    };
    let begin = format!("-----BEGIN {name}-----");
    let begin = memmem::rfind(text, begin.as_bytes());
    let before = begin.map(|at| &text[..at]).unwrap_or_default();
    let is_open = memmem::rfind(before, SIGNED_TEXT) > memmem::rfind(before, SIGNATURE);
    before.ends_with(b"\n") && !before.trim_ascii().is_empty() && !is_open
}

/// True for a comment, a signature, and the text or another comment that it covers (signify -e, minisign).
fn begins_with_signature(text: &[u8]) -> bool {
    let mut lines = text.splitn(3, |byte| *byte == b'\n');
    let is_comment = lines.next().is_some_and(|line| line.starts_with(COMMENT));
    let is_base64 = |line: &[u8]| {
        let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
        line.len() >= FEWEST && line.iter().all(is_digit)
    };
    let mut next = || lines.next().unwrap_or_default().trim_ascii();
    is_comment && is_base64(next()) && !next().is_empty()
}

/// True for a commit of git with a signature in its header.
fn is_signed_commit(text: &[u8]) -> bool {
    text.starts_with(b"tree ")
        && (memmem::find(text, b"\ngpgsig -----BEGIN ").is_some()
            || memmem::find(text, b"\ngpgsig-sha256 -----BEGIN ").is_some())
}

/// True for settings of Remote Desktop with a signature and the names of those that it covers.
fn is_signed_settings(text: &[u8]) -> bool {
    let has = |name: &[u8]| {
        memmem::find_iter(text, name).any(|at| at == 0 || matches!(text[at - 1], b'\n' | b'\r'))
    };
    has(b"signature:s:") && has(b"signscope:s:")
}

/// True for a mailbox with a signature, or one that is not at hand as a whole.
fn is_signed_mailbox(text: &[u8], extent: Extent) -> bool {
    is_other_mailbox(text)
        && (extent == Extent::Begin || {
            let text = text.to_ascii_lowercase();
            let mut signs = OF_MAIL.iter();
            signs.any(|sign| memmem::find(&text, sign).is_some())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures() {
        let key = "a1B/".repeat(25);
        let armor = |name: &str| format!("-----BEGIN {name}-----\n\n{key}\n-----END {name}-----\n");
        let openpgp = armor("PGP SIGNATURE");
        let clear = format!("-----BEGIN PGP SIGNED MESSAGE-----\n\na\n{openpgp}");
        for (text, expected) in [
            (format!("object 0\ntype commit\n\na\n{openpgp}"), true),
            (
                format!("a\r\n{}\r\n\r\n", openpgp.replace('\n', "\r\n")),
                true,
            ),
            (format!("a\n{}", armor("SSH SIGNATURE")), true),
            (format!("a\n{}", armor("SIGNED MESSAGE")), true),
            (format!("a\n{clear}{openpgp}"), true),
            (openpgp.clone(), false),
            (clear.clone(), false),
            (format!("a\n{clear}b\n{clear}"), false),
            (format!("a\n{openpgp}and more\n"), false),
            (format!("a\n{}", armor("PGP PUBLIC KEY BLOCK")), false),
            (format!("untrusted comment: a\n{key}\nb"), true),
            (format!("\u{FEFF}untrusted comment: a\r\n{key}\r\nb"), true),
            (format!("untrusted comment: public key\n{key}\n"), false),
            (
                "untrusted comment: a\nis a line\nof signify".to_owned(),
                false,
            ),
            (
                format!("tree 0\ngpgsig {}\n\nb", openpgp.replace('\n', "\n ")),
                true,
            ),
            ("tree 0\nauthor a\n\ngpgsig\n".to_owned(), false),
            (
                "full address:s:a\r\nsignscope:s:Full Address\r\nsignature:s:AQAB\r\n".to_owned(),
                true,
            ),
            ("signature:s: is a line of signed files".to_owned(), false),
            ("\x01\x01\x01\x01\nDKIM-Signature: v=1\n".to_owned(), true),
            ("\x01\x01\x01\x01\nSubject: a\n".to_owned(), false),
            (
                "BABYL OPTIONS:\nVersion: 5\n\x1F\x0C\n1,,\nContent-Type: Multipart/Signed\n"
                    .to_owned(),
                true,
            ),
        ] {
            assert_eq!(
                has_plain_signature(text.as_bytes(), Extent::Whole),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn texts_that_are_cut() {
        let text = b"a\n-----BEGIN PGP SIGNATURE-----\nb\n-----END PGP SIGNATURE-----";
        assert!(has_plain_signature(text, Extent::Whole));
        assert!(!has_plain_signature(text, Extent::Begin));
        // The rest of a mailbox may be signed.
        assert!(has_plain_signature(b"BABYL OPTIONS:\n", Extent::Begin));
    }
}
