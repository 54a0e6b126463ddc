//! Parsing and resolution against other libraries, and properties, over generated text.

use linkglot_iri::{
    Form, Lenient, Level, ParseErrorKind, Parts, Preprocess, Spaces, Strictness, equivalent,
    normalize, parse, resolve,
};
use proptest::prelude::*;

/// Pieces of references: every delimiter, each character class, near misses.
const BITS: [&str; 70] = [
    "http:",
    "a+b-c.d:",
    "x:",
    "1",
    "//",
    "/",
    "?",
    "#",
    "@",
    ":",
    "[",
    "]",
    "[::1]",
    "[::]",
    "[1:2:3:4:5:6:7:8]",
    "[1::2:3:4:5:6:7:8]",
    "[::1.2.3.4]",
    "[::1.2.3.256]",
    "[1:2:3:4:5:6:7::]",
    "[v1.a:b]",
    "[v.a]",
    "[V1F.~]",
    "[::12345]",
    "[1:2:3:4:5:6:7]",
    "[:::]",
    "[::1%25]",
    "%",
    "%4",
    "%41",
    "%zz",
    "%C3%A9",
    "%2e",
    "1.2.3.4",
    "1.2.3.04",
    ":80",
    ":8x",
    ".",
    "..",
    "/.",
    "/..",
    "./",
    "../",
    "a",
    "b.c",
    "~_-",
    "!$&'()*+,;=",
    "\\",
    " ",
    "\"",
    "<>",
    "^",
    "`",
    "{|}",
    "\t",
    "\u{7f}",
    "\u{80}",
    "\u{a0}",
    "é",
    "ж",
    "日本",
    "\u{fdd0}",
    "\u{fff0}",
    "\u{fffd}",
    "\u{e000}",
    "\u{f0000}",
    "😀",
    "\u{1fffe}",
    "\u{e0100}",
    "\u{e1000}",
    "\u{10fffe}",
];

fn bits(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&BITS[..]), count).prop_map(|bits| bits.concat())
}

/// Text made of pieces, or arbitrary text.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![9 => bits(0..9), 1 => any::<String>()]
}

fn bases() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "http://é/a/b/c?q#f",
            "x://h",
            "x://h?q",
            "x:/a/b",
            "http://u@h:1/./a/../b/",
        ][..],
    )
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 8000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn is_bidi_error(text: &str) -> bool {
    matches!(parse(text, Form::Reference), Err(error) if error.kind() == ParseErrorKind::NoBidiControl)
}

fn form_is_valid(text: &str) -> [bool; 4] {
    [Form::Iri, Form::Reference, Form::Relative, Form::Absolute]
        .map(|form| parse(text, form).is_ok())
}

proptest! {
    #![proptest_config(config())]

    /// No other library refuses bidi formatting characters.
    #[test]
    fn as_valid_as_for_others(text in text()) {
        if is_bidi_error(&text) {
            return Ok(());
        }
        let [iri, reference, relative, absolute] = form_is_valid(&text);
        prop_assert_eq!(fluent_uri::Iri::parse(&*text).is_ok(), iri, "fluent-uri, IRI {:?}", text);
        prop_assert_eq!(fluent_uri::IriRef::parse(&*text).is_ok(), reference, "fluent-uri {:?}", text);
        prop_assert_eq!(oxiri::Iri::parse(&*text).is_ok(), iri, "oxiri, IRI {:?}", text);
        prop_assert_eq!(oxiri::IriRef::parse(&*text).is_ok(), reference, "oxiri {:?}", text);
        use iri_string::types::{IriAbsoluteStr, IriReferenceStr, IriRelativeStr, IriStr};
        prop_assert_eq!(IriStr::new(&text).is_ok(), iri, "iri-string, IRI {:?}", text);
        prop_assert_eq!(IriReferenceStr::new(&text).is_ok(), reference, "iri-string {:?}", text);
        prop_assert_eq!(IriRelativeStr::new(&text).is_ok(), relative, "iri-string, relative {:?}", text);
        prop_assert_eq!(IriAbsoluteStr::new(&text).is_ok(), absolute, "iri-string, absolute {:?}", text);
    }

    #[test]
    fn the_same_components_as_others(text in text()) {
        let (Ok(parts), Ok(other)) = (parse(&text, Form::Reference), fluent_uri::IriRef::parse(&*text)) else {
            return Ok(());
        };
        prop_assert_eq!(parts.scheme(), other.scheme().map(|scheme| scheme.as_str()));
        prop_assert_eq!(parts.path(), other.path().as_str());
        prop_assert_eq!(parts.query(), other.query().map(|query| query.as_str()));
        prop_assert_eq!(parts.fragment(), other.fragment().map(|fragment| fragment.as_str()));
        let authority = other.authority();
        prop_assert_eq!(parts.authority(), authority.map(|authority| authority.as_str()));
        prop_assert_eq!(parts.host(), authority.map(|authority| authority.host()));
        prop_assert_eq!(parts.port(), authority.and_then(|authority| authority.port()).map(|port| port.as_str()));
        let userinfo = authority.and_then(|authority| authority.userinfo());
        prop_assert_eq!(parts.userinfo(), userinfo.map(|userinfo| userinfo.as_str()));
    }

    #[test]
    fn resolved_as_by_oxiri(base in bases(), reference in bits(0..6)) {
        let base_iri = oxiri::Iri::parse(base).expect("a valid base");
        let reference_iri = oxiri::IriRef::parse(reference.as_str());
        if let (Ok(iri), Ok(_)) = (reference_iri, parse(&reference, Form::Reference)) {
            // The other library refuses a result that would read as an authority; we repair it.
            if let Ok(theirs) = base_iri.resolve(&iri) {
                let ours = resolve(base, &reference, Strictness::Strict);
                prop_assert_eq!(ours, Ok(theirs.into_inner()), "{:?} {:?}", base, reference);
            }
        }
    }

    #[test]
    fn split_and_recomposed_is_the_same(text in text()) {
        let split = Parts::split(&text);
        prop_assert_eq!(recomposed(&split), &*text);
        if let Ok(parsed) = parse(&text, Form::Reference) {
            prop_assert_eq!(parsed, split);
            prop_assert_eq!(recomposed(&parsed), text);
        }
    }

    #[test]
    fn errors_have_a_place(text in text()) {
        if let Err(error) = parse(&text, Form::Reference) {
            prop_assert!(text.is_char_boundary(error.at()));
            prop_assert_eq!(text[error.at()..].chars().next(), error.found());
        }
    }

    #[test]
    fn lenient_tolerates_nothing_exactly_when_valid(text in text()) {
        let read = Lenient::read(&text);
        match parse(&text, Form::Reference) {
            Ok(parts) => {
                prop_assert_eq!(read.parts(), parts);
                prop_assert!(read.tolerated().is_empty());
            }
            Err(_) => prop_assert!(!read.tolerated().is_empty(), "{:?}", text),
        }
        prop_assert!(read.tolerated().iter().all(|odd| text.is_char_boundary(odd.at) && odd.at < text.len() + 1));
        prop_assert!(read.tolerated().is_sorted_by_key(|odd| odd.at));
    }

    #[test]
    fn what_is_resolved_keeps_its_components(base in bits(0..6), reference in text()) {
        let base = format!("x:{base}");
        let Ok(target) = resolve(&base, &reference, Strictness::Strict) else {
            return Err(TestCaseError::fail("the base has a scheme"));
        };
        let (target, reference, base) =
            (Parts::split(&target), Parts::split(&reference), Parts::split(&base));
        prop_assert_eq!(target.scheme(), reference.scheme().or(base.scheme()));
        let is_own = reference.scheme().is_some() || reference.authority().is_some();
        let authority = if is_own { reference.authority() } else { base.authority() };
        prop_assert_eq!(target.authority(), authority, "{:?}", target.text());
        prop_assert_eq!(target.fragment(), reference.fragment());
    }

    #[test]
    fn normal_forms_are_stable_and_the_ladder_only_climbs(a in text(), b in text()) {
        for level in Level::ALL {
            let normal = normalize(&a, level);
            prop_assert_eq!(&normalize(&normal, level), &normal, "{:?} {:?}", level, a);
            prop_assert!(equivalent(&a, &normal, Level::Scheme), "{:?} {:?}", level, a);
        }
        let same = Level::ALL.map(|level| equivalent(&a, &b, level));
        prop_assert!(same.is_sorted());
    }

    #[test]
    fn normal_forms_of_iris_are_uris(text in text()) {
        if parse(&text, Form::Reference).is_ok() {
            for level in [Level::Percent, Level::Path, Level::Scheme] {
                let normal = normalize(&text, level);
                prop_assert!(linkglot_iri::is_uri_reference(&normal), "{:?} {:?}", text, normal);
            }
        }
    }

    #[test]
    fn preprocessing_leaves_no_outer_space(text in any::<String>()) {
        for spaces in [Spaces::Encode, Spaces::Remove, Spaces::Split] {
            let preprocess = Preprocess { spaces, ..Preprocess::default() };
            for part in preprocess.run(&text) {
                prop_assert!(!part.contains(' '));
                prop_assert!(spaces == Spaces::Split || part.trim_matches(['\t', '\n', '\r']) == part);
            }
        }
    }
}

fn recomposed(parts: &Parts<'_>) -> String {
    let mut out = String::new();
    if let Some(scheme) = parts.scheme() {
        out += scheme;
        out += ":";
    }
    if let Some(host) = parts.host() {
        out += "//";
        if let Some(userinfo) = parts.userinfo() {
            out += userinfo;
            out += "@";
        }
        out += host;
        if let Some(port) = parts.port() {
            out += ":";
            out += port;
        }
    }
    out += parts.path();
    for (delimiter, part) in [("?", parts.query()), ("#", parts.fragment())] {
        if let Some(part) = part {
            out += delimiter;
            out += part;
        }
    }
    out
}
