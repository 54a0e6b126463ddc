use super::*;
use crate::notes::{Note, Notes};
use linkglot_charset::Charset;
use std::borrow::Cow;

fn settings() -> ToUri {
    ToUri::default()
}

fn legacy(label: &str) -> ToUri {
    ToUri {
        charset: Charset::for_label(label).expect("a charset"),
        query: QueryCharset::Document,
        ..settings()
    }
}

fn lenient() -> ToUri {
    ToUri {
        ascii: Disallowed::Encode,
        other: Disallowed::Encode,
        ..settings()
    }
}

#[track_caller]
fn maps(settings: &ToUri, iri: &str, uri: &str) -> Notes {
    let mapped = settings.map(iri).expect("a URI");
    assert_eq!(mapped.text, uri);
    assert_eq!(matches!(mapped.text, Cow::Borrowed(_)), iri == uri);
    mapped.notes
}

#[track_caller]
fn fails(settings: &ToUri, iri: &str, kind: MapErrorKind, at: usize) {
    assert_eq!(settings.map(iri), Err(MapError { at, kind }), "{iri:?}");
}

#[test]
fn every_component_is_mapped() {
    maps(
        &settings(),
        "https://ü:ß@ö.example:80/ä;é=%C3?ñ&ç#ø",
        "https://%C3%BC:%C3%9F@xn--nda.example:80/%C3%A4;%C3%A9=%C3?%C3%B1&%C3%A7#%C3%B8",
    );
}

/// Brackets stay, but an authority in which they stand around no address has no host.
#[test]
fn brackets_in_authorities() {
    for (iri, at) in [
        ("http://[", 7),
        ("http://[::1", 7),
        ("//[x", 2),
        ("http://[::1]é/", 7),
        ("http://[::1::2]/", 7),
        ("http://[v7.é]/", 7),
        ("http://u@[::1]:[/", 9),
        ("http://[é]/", 7),
        ("http://u[@a.example/", 7),
        ("http://a]/", 7),
        ("http://é[/", 7),
        ("foo://[bar]/", 6),
    ] {
        fails(&settings(), iri, MapErrorKind::ToAscii, at);
        fails(&lenient(), iri, MapErrorKind::ToAscii, at);
        assert!(!settings().surely_keeps(iri), "{iri}");
    }
    for iri in [
        "http://[::1]",
        "http://u:p@[::1]:80/[",
        "http://[v1.fe80::a+en1]/",
        "http://[fe80::1%25eth0]/",
        "http://a.example/[b]?[#]",
        "a[b]",
        "/[",
    ] {
        maps(&settings(), iri, iri);
    }
}

#[test]
fn disallowed_characters_in_hosts_with_escapes() {
    for (iri, uri) in [
        ("http://a b%65.com/", "http://a%20b%65.com/"),
        ("http://a\"%65.com/é", "http://a%22%65.com/%C3%A9"),
        ("http://u@a<%41.com:8/", "http://u@a%3C%41.com:8/"),
        ("http://}ex.com/", "http://%7Dex.com/"),
    ] {
        maps(&lenient(), iri, uri);
    }
    fails(
        &settings(),
        "http://a b%65.com/",
        MapErrorKind::DisallowedAscii,
        8,
    );
}

#[test]
fn uris_stay_and_are_borrowed() {
    for uri in [
        "",
        "#",
        "//",
        "HTTP://A@[::1]:/%7e/[x]?%zz#a#b",
        "x:%C3%A9",
        "//%C3%A9/",
        "a:b",
    ] {
        maps(&settings(), uri, uri);
    }
}

#[test]
fn hosts_by_scheme() {
    for (iri, uri) in [
        ("ftp://é/", "ftp://xn--9ca/"),
        ("foo://é/", "foo://%C3%A9/"),
        ("//é/", "//%C3%A9/"),
        ("mailto:é@é", "mailto:%C3%A9@%C3%A9"),
        ("http://%C3%89/", "http://xn--9ca/"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
    ] {
        maps(&settings(), iri, uri);
    }
    let mut relative = settings();
    relative.base_scheme = Some("Https".to_owned());
    maps(&relative, "//é/", "//xn--9ca/");
}

#[test]
fn hosts_by_form() {
    let with = |host| ToUri { host, ..settings() };
    let iri = "http://É.xn--9ca.de/é";
    maps(
        &with(HostForm::Percent),
        iri,
        "http://%C3%89.xn--9ca.de/%C3%A9",
    );
    maps(&with(HostForm::Unicode), iri, "http://é.é.de/%C3%A9");
    maps(&with(HostForm::Keep), iri, "http://É.xn--9ca.de/%C3%A9");
    maps(&with(HostForm::Unicode), "x://é/é", "x://é/%C3%A9");
    maps(&with(HostForm::Unicode), "http://xn--9ca/", "http://é/");
    fails(
        &with(HostForm::Keep),
        "x://é b/",
        MapErrorKind::DisallowedAscii,
        6,
    );
}

#[test]
fn hosts_without_an_ascii_form() {
    fails(&settings(), "http://a@é\u{202E}/", MapErrorKind::ToAscii, 9);
    fails(&lenient(), "http://é b/", MapErrorKind::ToAscii, 7);
    fails(&settings(), "http://é b/", MapErrorKind::DisallowedAscii, 9);
    let notes = maps(&settings(), "http://%E2%80%AE/", "http://%E2%80%AE/");
    assert_eq!(notes, Note::UnmappableHost.into());
}

#[test]
fn disallowed_characters() {
    for (at, iri) in [(2, "/a b"), (3, "/é<"), (1, "/\\"), (0, "`"), (4, "?é=\"")] {
        fails(&settings(), iri, MapErrorKind::DisallowedAscii, at);
    }
    for iri in ["/\u{85}", "/\u{FFFD}", "/\u{E0001}", "/\u{1FFFE}"] {
        fails(&settings(), iri, MapErrorKind::DisallowedCharacter, 1);
    }
    maps(
        &lenient(),
        "/ \\`{\u{85}\u{FFFD}[%]",
        "/%20%5C%60%7B%C2%85%EF%BF%BD[%]",
    );
    for iri in ["/\t", "/\u{7F}"] {
        fails(&lenient(), iri, MapErrorKind::DisallowedAscii, 1);
    }
}

#[test]
fn notes_on_characters() {
    for (iri, note) in [
        ("/%zé", Note::InvalidPercent),
        ("/%z", Note::InvalidPercent),
        ("/\u{200F}", Note::BidiControl),
        ("/\u{E000}", Note::PrivateUse),
        ("/e\u{301}", Note::NotNfc),
    ] {
        assert_eq!(
            settings().map(iri).expect("a URI").notes,
            note.into(),
            "{iri:?}"
        );
    }
    assert!(settings().map("/é%C3").expect("a URI").notes.is_empty());
}

#[test]
fn normalization_steps() {
    let iri = "/e\u{301}\u{212A}";
    maps(&settings(), iri, "/e%CC%81%E2%84%AA");
    let mut paper = settings();
    paper.from_paper = true;
    assert_eq!(maps(&paper, iri, "/%C3%A9K"), Note::NfcChanged.into());
    maps(&legacy("gb18030"), iri, "/%C3%A9K");
    maps(&legacy("utf-16le"), iri, "/e%CC%81%E2%84%AA");
}

#[test]
fn errors_have_positions_before_normalization() {
    let mut paper = settings();
    paper.from_paper = true;
    // U+1FEF is the grave accent in NFC.
    fails(
        &paper,
        "/e\u{301}\u{1FEF}",
        MapErrorKind::DisallowedAscii,
        4,
    );
    fails(&paper, "/e\u{301} ", MapErrorKind::DisallowedAscii, 4);
}

#[test]
fn queries_in_the_documents_charset() {
    let greek = legacy("windows-1253");
    let notes = maps(&greek, "http://x/ώ?ώ=ω#ώ", "http://x/%CF%8E?%FE=%F9#%CF%8E");
    assert_eq!(notes, Note::QueryCharset.into());
    maps(&greek, "wss://x/?ώ", "wss://x/?%CF%8E");
    maps(&greek, "?ώ", "?%CF%8E");
    let mut relative = greek.clone();
    relative.base_scheme = Some("https".to_owned());
    maps(&relative, "?ώ", "?%FE");
    maps(&legacy("shift_jis"), "http://x/?ソ", "http://x/?%83%5C");
    // Browsers send the delimiters of forms as they are.
    maps(
        &legacy("iso-2022-jp"),
        "http://x/?a=うそ;かせ",
        "http://x/?a=%1B%24%42%24&%24=%1B%28%42;%1B%24%42%24+%24;%1B%28%42",
    );
}

#[test]
fn query_characters_that_the_charset_lacks() {
    let mut latin = legacy("windows-1252");
    fails(&latin, "http://x/?é=чé", MapErrorKind::Unencodable, 13);
    latin.unencodable = Unencodable::Reference;
    maps(
        &latin,
        "http://x/?é=чёé",
        "http://x/?%E9=%26%231095%3B%26%231105%3B%E9",
    );
    latin.unencodable = Unencodable::Utf8;
    maps(&latin, "http://x/?é=чé", "http://x/?%E9=%D1%87%E9");
}

#[test]
fn queries_are_not_normalized() {
    let hebrew = legacy("windows-1255");
    // The points are not in the order of NFC.
    let notes = maps(
        &hebrew,
        "http://x/\u{5E9}\u{5C1}\u{5BC}?\u{5E9}\u{5C1}\u{5BC}",
        "http://x/%D7%A9%D6%BC%D7%81?%F9%D1%CC",
    );
    assert!(notes.contains(Note::NfcChanged));
}

#[test]
fn errors_in_words() {
    let error = settings().map("/a b").expect_err("an error");
    assert_eq!(
        error.to_string(),
        "expected a character of an IRI, found an ASCII character that no IRI may have, at byte 2"
    );
    assert_eq!(error.kind.code(), "disallowed-ascii");
}
