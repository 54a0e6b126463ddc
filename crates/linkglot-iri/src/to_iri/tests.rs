use super::*;
use crate::notes::{Note, Notes};
use std::borrow::Cow;

#[track_caller]
fn maps(settings: &ToIri, uri: &str, iri: &str) -> Notes {
    let mapped = settings.map(uri, &|_| true);
    assert_eq!(mapped.text, iri);
    assert_eq!(matches!(mapped.text, Cow::Borrowed(_)), uri == iri);
    let again = settings.map(iri, &|_| true);
    assert_eq!(again.text, iri, "not idempotent");
    mapped.notes
}

fn safe() -> ToIri {
    ToIri::default()
}

fn all() -> ToIri {
    ToIri {
        display: Display::All,
        ..safe()
    }
}

#[test]
fn displayable_characters_are_decoded() {
    for settings in [safe(), all()] {
        for (uri, iri) in [
            ("http://x/%C3%A9%7e%2D%41", "http://x/é~-A"),
            ("/%f0%9f%98%80", "/😀"),
            (
                "x://%C3%A9:%C3%A9@%C3%A9:1/%C3%A9?%C3%A9#%C3%A9",
                "x://é:é@é:1/é?é#é",
            ),
            ("?a%26=%3d%3B&%C3%BC;x=%C3%A9%2b", "?a%26=%3d%3B&ü;x=é%2b"),
            ("/%c3%c3%A9%e9%C3", "/%c3é%e9%C3"),
            ("/%e0%80%af%c0%af", "/%e0%80%af%c0%af"),
            ("/%25%33%30", "/%2530"),
        ] {
            maps(&settings, uri, iri);
        }
    }
}

#[test]
fn a_bare_percent_sign_gets_no_digits() {
    for (uri, iri) in [
        ("/%%34%31", "/%%341"),
        ("/%4%31", "/%4%31"),
        ("/%%%41%41", "/%%%41A"),
        ("/%%C3%A9%41", "/%éA"),
        ("/%zz%41", "/%zzA"),
    ] {
        assert_eq!(maps(&safe(), uri, iri), Note::InvalidPercent.into());
    }
}

#[test]
fn decoding_makes_no_scheme() {
    maps(&safe(), "%6Aavascript:%61", "%6Aavascript:a");
    maps(&safe(), "%6A/a:%61", "j/a:a");
    maps(&safe(), "a:%6A:b", "a:j:b");
}

#[test]
fn kept_escapes_keep_their_case_and_reencoded_ones_are_upper() {
    maps(&safe(), "/%2f%fc%e2%80%83%c2%85", "/%2f%fc%E2%80%83%C2%85");
}

#[test]
fn private_use() {
    maps(&safe(), "/%EE%80%80?%EE%80%80", "/%EE%80%80?%EE%80%80");
    let notes = maps(&all(), "/%EE%80%80?%EE%80%80", "/%EE%80%80?\u{E000}");
    assert_eq!(notes, Note::PrivateUse.into());
}

#[test]
fn marks_and_normalization() {
    for (uri, iri) in [
        ("/x%CC%84", "/x\u{304}"),
        ("/a%CC%84", "/a%CC%84"),
        ("/%CC%84", "/%CC%84"),
        ("/%CC%84%CC%84x", "/%CC%84%CC%84x"),
        ("?a=%CC%84", "?a=%CC%84"),
        ("/%E9%CC%84", "/%E9%CC%84"),
        ("/%2F%CC%84", "/%2F%CC%84"),
        ("/%C3%A9%E2%84%AB%C3%A9", "/é%E2%84%ABé"),
        // A Hangul syllable that would swallow the trailing consonant behind it.
        ("/%EA%B0%80%E1%86%A8", "/%EA%B0%80%E1%86%A8"),
    ] {
        maps(&safe(), uri, iri);
        assert_ne!(all().map(uri, &|_| true).text, uri);
    }
}

#[test]
fn bidi_units_are_shown_or_hidden_whole() {
    for (uri, iri) in [
        ("/%D7%90%D7%91/a", "/אב/a"),
        ("/a%D7%90%C3%A9/%C3%A9", "/a%D7%90%C3%A9/é"),
        ("/%D7%90%31", "/%D7%901"),
        ("/%D7%90%2F", "/%D7%90%2F"),
        ("/%D7%90%2F%D7%91", "/א%2Fב"),
        ("/%D7%90.html", "/א.html"),
        ("/a.html%D7%90", "/a.html%D7%90"),
        ("?%D7%90=a%D7%90&%D7%90", "?א=a%D7%90&א"),
        ("#%D7%90a", "#%D7%90a"),
        ("/%D7%90%D6%B0", "/א\u{5B0}"),
    ] {
        let notes = maps(&safe(), uri, iri);
        let hides = iri.contains("%D7") && !iri.contains("א%2Fב");
        assert_eq!(notes.contains(Note::BidiComponent), hides, "{uri}");
    }
    maps(&all(), "/a%D7%90", "/aא");
}

#[test]
fn characters_that_the_document_lacks_stay_encoded() {
    let latin = |ch: char| ch < '\u{100}';
    let mapped = safe().map("http://xn--e1afmkfd.example/%c3%a9%d1%8f", &latin);
    assert_eq!(mapped.text, "http://xn--e1afmkfd.example/é%d1%8f");
}

#[test]
fn kept_queries() {
    let mut settings = safe();
    settings.keep_query = true;
    maps(&settings, "/%C3%A9?%C3%A9#%C3%A9", "/é?%C3%A9#é");
}

#[test]
fn punycode() {
    for (uri, iri) in [
        ("http://WWW.XN--9CA.Example/", "http://WWW.é.Example/"),
        ("foo://xn--9ca/", "foo://xn--9ca/"),
        ("//xn--9ca/", "//xn--9ca/"),
        ("http://xn--a.xn--9ca/", "http://xn--a.xn--9ca/"),
        ("http://a_b.xn--9ca/", "http://a_b.xn--9ca/"),
        ("http://xn--pypal-4ve.xn--9ca/", "http://xn--pypal-4ve.é/"),
        ("http://%78n--9ca/", "http://é/"),
        ("http://user@xn--9ca:80/", "http://user@é:80/"),
        ("http://[::1]/xn--9ca", "http://[::1]/xn--9ca"),
    ] {
        maps(&safe(), uri, iri);
    }
    let keep = ToIri {
        host: HostDisplay::Keep,
        ..safe()
    };
    maps(&keep, "http://xn--9ca/%C3%A9", "http://xn--9ca/é");
    let all = ToIri {
        host: HostDisplay::All,
        ..safe()
    };
    maps(&all, "http://xn--pypal-4ve.com/", "http://pаypal.com/");
}

#[test]
fn hosts_without_a_form_in_the_dns_stay_encoded() {
    for settings in [safe(), all()] {
        maps(
            &settings,
            "http://a_b%C3%A9.org/%C3%A9",
            "http://a_b%C3%A9.org/é",
        );
        maps(
            &settings,
            "http://a%2F%C3%A9.org/",
            "http://a%2F%C3%A9.org/",
        );
    }
}

#[test]
fn percent_encoded_hosts() {
    for (uri, iri) in [
        ("http://b%C3%BCcher.de/", "http://bücher.de/"),
        ("http://B%C3%9CCHER.Example/", "http://BÜCHER.Example/"),
        ("http://p%D0%B0ypal.com/", "http://p%D0%B0ypal.com/"),
        ("http://a%E3%80%82b/", "http://a%E3%80%82b/"),
        ("http://%EF%BC%A1.de/", "http://%EF%BC%A1.de/"),
        ("foo://p%D0%B0ypal/", "foo://pаypal/"),
    ] {
        maps(&safe(), uri, iri);
    }
    let notes = maps(
        &safe(),
        "http://xn--pypal-4ve.com/",
        "http://xn--pypal-4ve.com/",
    );
    assert_eq!(notes, Note::MixedScriptHost.into());
}
