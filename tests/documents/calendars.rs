//! The promises over calendars and vCards made of pieces, sound and broken.

use crate::promises::{PROMISES, Subject};
use linkglot::document::Settings;
use linkglot::format::Format;
use proptest::prelude::*;

/// Pieces of lines. Links, escapes and folds meet in every order.
const PIECES: &[&str] = &[
    "\r\n",
    "\r\n",
    "\n",
    "\r",
    "\r\n ",
    "\n\t",
    "\n\n ",
    "BEGIN:VEVENT\r\n",
    "\r\nURL:",
    "\r\nURL;VALUE=URI;ALTREP=\"",
    "\r\nDESCRIPTION:",
    "\r\nNOTE;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:",
    "\r\nURL;QUOTED-PRINTABLE:",
    "\r\nX-ALT-DESC;FMTTYPE=text/html:<a href=\"",
    "\r\nCATEGORIES:",
    "\r\nATTENDEE;CN=\"a, b\":mailto:",
    "\":",
    "\">",
    "http://ex",
    "ample.org/",
    "http://\u{e9}.example/",
    "https://www.b\u{fc}cher.example/",
    "www.example.org",
    "mailto:a@example.org",
    "\u{e9}",
    "%C3%A9",
    "%2C",
    "\u{65e5}\u{672c}",
    "=C3=A9",
    "=E9",
    "=3D",
    "=\r\n",
    "=",
    "\\,",
    "\\;",
    "\\n",
    "\\:",
    "\\\\",
    "\\",
    ",",
    ";",
    ":",
    "^'",
    "^n",
    "&amp;",
    "?q=",
    "/",
    " ",
    "a",
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

const CASES: u32 = if cfg!(debug_assertions) { 100 } else { 20_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_content_lines(text in text(), cut in 0_usize..400, is_card in any::<bool>()) {
        let mut bytes = text.into_bytes();
        // The cut may be within a character.
        let at = cut % (bytes.len() + 1);
        if cut % 3 == 0 {
            bytes.splice(at..at, *b"\r\n ");
        }
        let mut settings = Settings::default();
        settings.format = Some(if is_card { Format::VCard } else { Format::Calendar });
        let subject = Subject { name: "pieces".to_owned(), bytes, settings };
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                prop_assert!(false, "{name} broken: {why}\n{}", String::from_utf8_lossy(&subject.bytes));
            }
        }
    }
}
