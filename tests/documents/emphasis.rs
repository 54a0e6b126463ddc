//! Marks of emphasis around more than a link: whether a mark at the end of a link belongs to it must not depend on the
//! length of the links around it, which rewriting changes (P3, P4, P5, P6).

use crate::promises::{Subject, idempotent, only_slots, refound, same_target};
use linkglot::Charset;
use linkglot::document::Settings;
use linkglot::format::Format;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "*",
    "**",
    "_",
    "__",
    "~~",
    "==",
    "\"",
    "(",
    ")",
    "\n",
    " ",
    " ",
    " see ",
    " und so weiter, bis zum Ende ",
    "z.B. ",
    "例えば、",
    "http://a.example/\u{e9}",
    "http://b.example/\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}",
    "http://c.example/%5F%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9",
    "http://d.example",
    "www.e.example/_x",
    "b\u{fc}cher.example.org/\u{fc}",
    "\u{f6}.\u{440}\u{444}",
    "ann@b\u{fc}cher.example.org",
];

fn subject(text: &str, label: &str) -> Subject {
    let charset = Charset::for_label(label).expect("a charset");
    let mut settings = Settings::default();
    settings.format = Some(Format::Text);
    settings.charset = Some(charset);
    let kept: String = text.chars().filter(|&ch| charset.can_encode(ch)).collect();
    let mut bytes = Vec::new();
    charset
        .encode(&kept, &mut bytes)
        .expect("characters that it has");
    Subject {
        name: format!("{label} {text:?}"),
        bytes,
        settings,
    }
}

fn all(subject: &Subject) -> Result<(), String> {
    for promise in [only_slots, refound, same_target, idempotent] {
        promise(subject).map_err(|fault| format!("{}: {fault}", subject.name))?;
    }
    Ok(())
}

/// As many cases as a debug build checks in some seconds; `--release` checks more.
const CASES: u32 = if cfg!(debug_assertions) { 400 } else { 20_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_among_marks(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..40),
        label in prop::sample::select(&["utf-8", "windows-1252", "shift_jis"][..]),
        cut in 1..300_usize,
    ) {
        let subject = subject(&pieces.concat(), label);
        prop_assert_eq!(all(&subject), Ok(()));
        let mut read = crate::promises::chunks::Pieces::new(&subject.bytes, |_| cut);
        prop_assert_eq!(crate::promises::chunks::same_output(&subject, &mut read), Ok(()));
    }
}
