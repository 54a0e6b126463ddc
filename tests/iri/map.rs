//! Properties of the mappings between IRIs and URIs, and their rivals as oracles.

use linkglot::rewrite::{Display, HostForm};
use linkglot::{Charset, QueryCharset};
use linkglot_iri::{
    Disallowed, Form, HostDisplay, InvalidOrUnmappable, Level, Parts, Strictness, ToIri, ToUri,
    Unencodable, bidi, equivalent, parse, resolve, warnings,
};
use proptest::prelude::*;
use std::borrow::Cow;

/// Characters around every rule: delimiters, escapes, scripts, marks, joiners, controls.
fn soup() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        4 => "[a-zA-Z0-9._~-]{1,3}".prop_map(String::from),
        3 => "[]/?#@:;=&+%\\[ <]".prop_map(String::from),
        4 => "%[0-9a-fA-F]{2}".prop_map(String::from),
        2 => proptest::char::any().prop_map(String::from),
        4 => proptest::sample::select(vec![
            "é", "e\u{301}", "\u{301}", "א", "ב1", "\u{200C}", "\u{200D}", "\u{202E}", "日", "가\u{11A8}",
            "\u{212B}", "％", "。", "\u{E000}", "\u{FFFD}", "\u{E0001}", "я", "١", "ß",
        ]).prop_map(String::from),
        4 => proptest::sample::select(vec![
            "%C3%A9", "%CC%81", "%D7%90", "%e2%80%8c", "%E2%80%AE", "%ea%b0%80", "%E1%86%A8", "%F0%9F%98%80",
            "%fc", "%E0%80%AF", "%2F", "%2e%2E", "%25", "%41", "%D9%85", "xn--9ca", "xn--80ak6aa92e",
            "http://", "HTTPS://", "ftp://", "foo://", "//", "mailto:",
        ]).prop_map(String::from),
    ];
    proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

/// Mostly a web address, otherwise a soup.
fn reference() -> impl Strategy<Value = String> {
    (0..4usize, soup()).prop_map(|(kind, soup)| match kind {
        0 => soup,
        1 => format!("http://{soup}"),
        2 => format!("https://example.org/{soup}"),
        _ => format!("https://é.example/{soup}"),
    })
}

fn to_uri() -> impl Strategy<Value = ToUri> {
    let hosts = vec![
        HostForm::Punycode,
        HostForm::Percent,
        HostForm::Unicode,
        HostForm::Keep,
    ];
    let charsets = vec![
        "utf-8",
        "windows-1252",
        "shift_jis",
        "windows-1258",
        "gb18030",
    ];
    let others = vec![Unencodable::Fail, Unencodable::Reference, Unencodable::Utf8];
    let select = (
        proptest::sample::select(hosts),
        proptest::sample::select(charsets),
        proptest::sample::select(others),
    );
    (select, any::<[bool; 4]>()).prop_map(|((host, charset, unencodable), [a, b, c, d])| {
        let disallowed = |encode| {
            if encode {
                Disallowed::Encode
            } else {
                Disallowed::Fail
            }
        };
        let mut settings = ToUri::default();
        settings.host = host;
        settings.charset = Charset::for_label(charset).expect("a charset");
        settings.unencodable = unencodable;
        settings.ascii = disallowed(a);
        settings.other = disallowed(b);
        settings.query = if c {
            QueryCharset::Document
        } else {
            QueryCharset::Utf8
        };
        settings.from_paper = d;
        settings
    })
}

fn lenient(host: HostForm) -> ToUri {
    let mut settings = ToUri::default();
    settings.host = host;
    settings.ascii = Disallowed::Encode;
    settings.other = Disallowed::Encode;
    settings
}

/// A text without the characters that no path, query or fragment has.
fn only_valid(text: &str) -> String {
    let mut out = String::new();
    for (at, ch) in text.char_indices() {
        let is_hex = |at| text.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
        let is_kept = match ch {
            '%' => is_hex(at + 1) && is_hex(at + 2),
            '#' => !out.contains('#'),
            '\0'..='\x7F' => ch.is_ascii_alphanumeric() || "-._~:/?@!$&'()*+,;=".contains(ch),
            _ => linkglot_iri::class::is_ucschar(ch),
        };
        if is_kept {
            out.push(ch);
        }
    }
    out
}

/// A URI with every escape of `unreserved` decoded and hexadecimal digits in upper case (RFC 3986 6.2.2).
fn normal(uri: &str) -> String {
    undone(uri, |octet| {
        octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)
    })
}

/// Like `normal`, with escapes of characters outside of URIs decoded, too: browsers leave some unescaped.
fn octets(uri: &str) -> String {
    undone(uri, |octet| {
        octet.is_ascii_graphic() && !b"%:/?#[]@!$&'()*+,;=".contains(&octet)
    })
}

fn undone(uri: &str, is_undone: impl Fn(u8) -> bool) -> String {
    let mut out = String::new();
    let mut rest = uri;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let octet = rest
            .get(1..3)
            .filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(octet) = octet.and_then(|hex| u8::from_str_radix(hex, 16).ok()) else {
            out.push('%');
            rest = &rest[1..];
            continue;
        };
        // A decoded digit must not make an escape of a bare percent sign.
        let is_bare = match out.as_bytes() {
            [.., b'%'] => true,
            [.., b'%', digit] => digit.is_ascii_hexdigit(),
            _ => false,
        };
        let dangling = octet.is_ascii_hexdigit() && is_bare;
        if is_undone(octet) && !dangling {
            out.push(octet.into());
        } else {
            out.push_str(&rest[..3].to_ascii_uppercase());
        }
        rest = &rest[3..];
    }
    out + rest
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_panics(text in reference(), settings in to_uri()) {
        let _ = settings.map(&text);
        for display in [Display::Safe, Display::All] {
            let mut settings = ToIri::default();
            settings.display = display;
            let _ = settings.map(&text, &|ch| ch as u32 & 3 > 0);
        }
        for warning in warnings(&text) {
            prop_assert!(text.get(warning.range).is_some());
        }
        let _ = bidi::check(&text);
        prop_assert_eq!(bidi::visual(&text).chars().count(), text.chars().count());
    }

    #[test]
    fn errors_are_on_characters(text in reference(), settings in to_uri()) {
        if let Err(error) = settings.map(&text) {
            prop_assert!(text.is_char_boundary(error.at) && error.at < text.len());
        }
    }

    #[test]
    fn uris_are_mapped_to_themselves(text in reference(), settings in to_uri()) {
        let Ok(uri) = lenient(HostForm::Percent).map(&text) else { return Ok(()) };
        let Ok(parts) = parse(&uri.text, Form::Reference) else { return Ok(()) };
        let host = parts.host().unwrap_or_default();
        if !host.contains('%') && settings.host != HostForm::Unicode {
            prop_assert!(matches!(settings.map(&uri.text).expect("a URI").text, Cow::Borrowed(_)));
        }
    }

    /// Checking and mapping in one call equals parsing and then mapping.
    #[test]
    fn valid_references_are_mapped_alike(text in reference(), settings in to_uri()) {
        for text in [&*text, &only_valid(&text)] {
            match (settings.map_valid(text), parse(text, Form::Reference)) {
                (Err(InvalidOrUnmappable::Invalid(error)), Err(expected)) => {
                    prop_assert_eq!(error, expected);
                }
                (Err(InvalidOrUnmappable::Unmappable(error)), Ok(_)) => {
                    prop_assert_eq!(Err(error), settings.map(text));
                }
                (Ok(mapped), Ok(_)) => prop_assert_eq!(Ok(mapped), settings.map(text)),
                (found, parsed) => prop_assert!(false, "{:?} and {:?}", found, parsed),
            }
        }
    }

    #[test]
    fn mapping_to_uris_is_idempotent(text in reference(), settings in to_uri()) {
        if settings.host == HostForm::Unicode {
            return Ok(());
        }
        if let Ok(uri) = settings.map(&text) {
            let again = settings.map(&uri.text);
            prop_assert_eq!(again.map(|again| again.text), Ok(uri.text.clone()));
        }
    }

    /// ASCII characters outside of URIs are encoded everywhere, including hosts with escapes.
    #[test]
    fn nothing_disallowed_comes_out(text in reference(), host in "[a-z%éя<>\" {}|^`\\\\A-F0-9.]{1,9}", settings in to_uri()) {
        for text in [text, format!("http://{host}/é"), format!("http://u@{host}%65.com/")] {
            let mut settings = settings.clone();
            settings.ascii = Disallowed::Encode;
            if let Ok(uri) = settings.map(&text) {
                let is_disallowed = |ch: char| ch <= ' ' || "\"<>\\^`{|}\x7F".contains(ch);
                prop_assert!(!uri.text.contains(is_disallowed), "{} {}", text, uri.text);
            }
        }
    }

    #[test]
    fn iris_become_uris(text in reference()) {
        let mut settings = ToUri::default();
        settings.host = HostForm::Percent;
        if parse(&text, Form::Reference).is_ok() {
            let uri = settings.map(&text).expect("a URI");
            prop_assert!(uri.text.is_ascii());
            prop_assert!(parse(&uri.text, Form::Reference).is_ok(), "{}", uri.text);
        }
    }

    #[test]
    fn at_most_nine_bytes_a_character(text in reference()) {
        let mut settings = lenient(HostForm::Percent);
        if let Ok(uri) = settings.map(&text) {
            let characters: usize = text.chars().map(|ch| if ch > '\u{FFFF}' { 12 } else { 9 }).sum();
            prop_assert!(uri.text.len() <= characters);
        }
        settings.host = HostForm::Keep;
        let iri = ToIri::default().map(&text, &|_| true);
        prop_assert!(iri.text.len() <= text.len() * 2, "{}", iri.text);
    }

    #[test]
    fn display_is_idempotent(text in reference(), minimal in any::<bool>()) {
        let mut settings = ToIri::default();
        if minimal {
            settings.display = Display::All;
        }
        let iri = settings.map(&text, &|_| true).text.into_owned();
        let again = settings.map(&iri, &|_| true).text;
        prop_assert_eq!(again, iri.clone());
    }

    #[test]
    fn back_to_an_equivalent_uri(text in reference(), minimal in any::<bool>()) {
        let back = lenient(HostForm::Percent);
        let Ok(uri) = back.map(&text) else { return Ok(()) };
        let mut settings = ToIri::default();
        settings.host = HostDisplay::Keep;
        if minimal {
            settings.display = Display::All;
        }
        let iri = settings.map(&uri.text, &|_| true);
        let again = back.map(&iri.text).expect("a URI");
        prop_assert_eq!(normal(&again.text), normal(&uri.text), "{}", iri.text);
    }

    /// Both forms are equivalent on the rung of percent-encoding, whatever follows a bare percent sign.
    #[test]
    fn forms_are_equivalent(text in reference(), broken in "(%|%[4_gé]|%65|%3[45]|%5F|%C3%A9|x|/){1,8}", minimal in any::<bool>()) {
        for text in [text, format!("/{broken}"), format!("?a={broken}#{broken}")] {
            let Ok(uri) = lenient(HostForm::Percent).map(&text) else { continue };
            let mut settings = ToIri::default();
            settings.host = HostDisplay::Keep;
            if minimal {
                settings.display = Display::All;
            }
            let iri = settings.map(&uri.text, &|_| true).text;
            prop_assert!(equivalent(&uri.text, &iri, Level::Percent), "{} {}", uri.text, iri);
        }
    }

    /// The display form is in NFC, so that a legacy document gives the same URI too (3.1 step 1b).
    #[test]
    fn back_from_a_legacy_document(text in reference()) {
        let mut back = lenient(HostForm::Percent);
        let Ok(uri) = back.map(&text) else { return Ok(()) };
        let iri = ToIri::default().map(&uri.text, &|_| true);
        let mut keep = ToIri::default();
        keep.host = HostDisplay::Keep;
        let iri = if iri.text.contains("xn--") { keep.map(&uri.text, &|_| true) } else { iri };
        back.from_paper = true;
        let from_paper = back.map(&iri.text).expect("a URI");
        back.from_paper = false;
        prop_assert_eq!(from_paper.text, back.map(&iri.text).expect("a URI").text);
    }

    /// Resolving a reference before or after mapping gives the same.
    #[test]
    fn mapping_commutes_with_resolution(
        base in reference(),
        reference in soup(),
        punycode in any::<bool>(),
        from_paper in any::<bool>(),
    ) {
        let base = if Parts::split(&base).scheme().is_some() { base } else { format!("http:{base}") };
        let mut settings = lenient(if punycode { HostForm::Punycode } else { HostForm::Percent });
        settings.from_paper = from_paper;
        settings.base_scheme = Parts::split(&base).scheme().map(str::to_owned);
        let map = |text: &str| settings.map(text).ok().map(|uri| uri.text.into_owned());
        let resolved = |base: &str, reference: &str| {
            resolve(base, reference, Strictness::Strict).expect("a base with a scheme")
        };
        let (Some(mapped_base), Some(mapped)) = (map(&base), map(&reference)) else { return Ok(()) };
        let before = map(&resolved(&base, &reference));
        prop_assert_eq!(before, Some(resolved(&mapped_base, &mapped)));
    }

    /// Browsers find the same host (P4).
    #[test]
    fn back_to_the_same_host(text in reference()) {
        let Ok(before) = url::Url::parse(&text) else { return Ok(()) };
        let iri = ToIri::default().map(&text, &|_| true);
        let after = url::Url::parse(&iri.text);
        prop_assert!(after.is_ok(), "{}", iri.text);
        let after = after.expect("a URL");
        prop_assert_eq!(after.scheme(), before.scheme());
        if matches!(before.scheme(), "http" | "https" | "ftp") {
            prop_assert_eq!(after.host_str(), before.host_str(), "{}", iri.text);
        }
    }

    /// Browsers read a valid reference and its other forms alike: in every component, with any scheme.
    #[test]
    fn browsers_read_all_forms_of_a_reference_the_same(
        scheme in proptest::sample::select(vec!["http", "https", "ftp", "ws", "foo", "file"]),
        authority in "([a-zé%]{1,3}(:[а-яé]{1,3})?@)?[a-zéяא日]{1,5}([.][a-zß]{2,4})?(:[0-9]{1,4})?",
        rest in soup(),
    ) {
        let text = format!("{scheme}://{}/{}", only_valid(&authority), only_valid(&rest));
        prop_assert!(parse(&text, Form::Iri).is_ok(), "{}", text);
        let Ok(before) = url::Url::parse(&text) else { return Ok(()) };
        // With schemes outside of the Web, punycode would be another host.
        let is_web = scheme != "foo";
        let mut to_uri = ToUri::default();
        let mut to_iri = ToIri::default();
        if !is_web {
            to_uri.host = HostForm::Percent;
            to_iri.host = HostDisplay::Keep;
        }
        let iri = to_iri.map(&text, &|_| true).text.into_owned();
        let uri = to_uri.map(&text).ok().map(|uri| uri.text.into_owned());
        for form in std::iter::once(iri).chain(uri) {
            let after = url::Url::parse(&form).expect("a URL");
            prop_assert_eq!(octets(after.as_str()), octets(before.as_str()), "{} and {}", text, form);
        }
    }

    /// P4 for UTF-8: browsers resolve the URI like the IRI.
    #[test]
    fn browsers_read_the_same(text in "(http|https)://[a-zé日.]{1,9}(/[a-zé%日{}|^` ~.]{0,6}){0,3}([?][a-zé日&='|`{]{0,9})?(#[é`a ]{0,5})?") {
        // Browsers drop spaces at the end, and so does a reader of the document.
        let text = text.trim_end();
        let Ok(before) = url::Url::parse(text) else { return Ok(()) };
        let Ok(uri) = lenient(HostForm::Punycode).map(text) else { return Ok(()) };
        let after = url::Url::parse(&uri.text).expect("a URL");
        prop_assert_eq!(octets(after.as_str()), octets(before.as_str()));
        prop_assert_eq!(after.host_str(), before.host_str());
    }
}

/// Quadratic work on any of these would take minutes.
#[test]
fn hostile_references_take_linear_time() {
    for piece in [
        "%",
        "%4",
        "%CC%81",
        "\u{301}",
        "%D7%90",
        "א",
        "א1",
        "%E2%80%8C",
        "م%D9%8E%E2%80%8C",
        "xn--9ca.",
        "é.",
        "%2E",
        "а.",
        "@",
        ":",
        "//",
        "?a=",
        "&",
        "(",
        "א(",
        "\u{2067}",
        "%E1%85%A1",
        "日",
        "ノ",
        "\u{202E}a",
    ] {
        for before in ["http://", "/", "?", "#"] {
            let text = format!("{before}{}", piece.repeat(8_000));
            let _ = ToUri::default().map(&text);
            let _ = lenient(HostForm::Unicode).map(&text);
            let _ = ToIri::default().map(&text, &|_| true);
            let _ = warnings(&text);
            let _ = bidi::visual(&text);
        }
    }
}

/// A line of IdnaTestV2.txt: a name, and its results by UTS 46. Blank fields are filled in.
struct DomainTest {
    source: String,
    unicode: String,
    ascii: String,
    /// The codes of the errors, in both directions.
    unicode_errors: String,
    ascii_errors: String,
}

impl DomainTest {
    fn read(line: &str) -> Option<DomainTest> {
        let line = line.split('#').next().unwrap_or_default();
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [source, unicode, unicode_errors, ascii, ascii_errors, ..] = fields[..] else {
            return None;
        };
        let or = |field: &str, blank: &str| match field {
            "" => blank.to_owned(),
            field => unescaped(field),
        };
        let source = unescaped(source);
        let unicode = or(unicode, &source);
        Some(DomainTest {
            ascii: or(ascii, &unicode),
            ascii_errors: or(ascii_errors, unicode_errors),
            unicode_errors: unicode_errors.to_owned(),
            source,
            unicode,
        })
    }

    /// True if the name can be a host in an IRI, and is not already ASCII (such a host stays).
    fn is_host(&self) -> bool {
        let delimiters = [
            '/', '?', '#', '@', ':', '[', '%', '"', '<', '>', '\\', '^', '`',
        ];
        !self.source.is_ascii() && !self.source.contains(delimiters)
    }

    /// True if there is an error that we check. Hyphens in third and fourth place (V2) do not count, nor does the empty
    /// label of the root.
    fn is_wrong(&self, errors: &str) -> bool {
        let codes = errors.trim_matches(['[', ']']).split(',').map(str::trim);
        let name = self.ascii.strip_suffix('.').unwrap_or(&self.ascii);
        let has_root =
            name.len() <= 253 && name.split('.').all(|label| (1..64).contains(&label.len()));
        let is_tolerated = |code: &str| match code {
            "" | "V2" => true,
            "A4_2" | "X4_2" => has_root,
            _ => false,
        };
        !{ codes }.all(is_tolerated)
    }

    /// True if the only errors are characters that Unicode did not have when the file was made.
    fn is_newer(&self) -> bool {
        let is_assigned = |ch| unicode_normalization::char::is_public_assigned(ch);
        !self.is_wrong(&self.ascii_errors.replace("V7", ""))
            && self.unicode.chars().all(is_assigned)
    }
}

/// The idna crate's copy of the Unicode test file, read from its package.
#[test]
fn domain_names_as_the_unicode_test_file_says() {
    let Some(file) = idna_test_file() else {
        println!("skipped: the package of the idna crate has no IdnaTestV2.txt");
        return;
    };
    let mut show = ToIri::default();
    show.host = HostDisplay::All;
    let (mut mapped, mut refused, mut shown) = (0, 0, 0);
    let mut wrong = Vec::new();
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    for test in lines
        .filter_map(DomainTest::read)
        .filter(DomainTest::is_host)
    {
        let iri = format!("http://{}/", test.source);
        let uri = ToUri::default()
            .map(&iri)
            .ok()
            .map(|uri| uri.text.into_owned());
        let expected = format!("http://{}/", test.ascii);
        match (&uri, test.is_wrong(&test.ascii_errors)) {
            (None, true) => refused += 1,
            (Some(uri), is_wrong)
                if uri.to_ascii_lowercase() == expected && (!is_wrong || test.is_newer()) =>
            {
                mapped += 1
            }
            _ => wrong.push(format!("{:?} -> {uri:?}, not {expected}", test.source)),
        }
        // The reverse: every label of the name in Unicode.
        if !test.is_wrong(&test.ascii_errors) && !test.is_wrong(&test.unicode_errors) {
            let iri = show.map(&expected, &|_| true).text.into_owned();
            shown += 1;
            if iri != format!("http://{}/", test.unicode) {
                wrong.push(format!("{expected} -> {iri}, not {:?}", test.unicode));
            }
        }
    }
    println!("{mapped} hosts mapped, {refused} refused, {shown} shown");
    assert!(mapped > 400 && refused > 2000 && shown > 400);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn unescaped(field: &str) -> String {
    let mut out = String::new();
    let mut rest = if field == "\"\"" { "" } else { field };
    while let Some(at) = rest.find("\\u") {
        out.push_str(&rest[..at]);
        let hex = &rest[at + 2..at + 6];
        let code = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
        out.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
        rest = &rest[at + 6..];
    }
    out + rest
}

fn idna_test_file() -> Option<String> {
    let output = std::process::Command::new(option_env!("CARGO").unwrap_or("cargo"))
        .args([
            "metadata",
            "--format-version=1",
            "--offline",
            "--manifest-path",
        ])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let packages = metadata["packages"].as_array()?;
    let idna = packages.iter().find(|package| package["name"] == "idna")?;
    let folder = std::path::Path::new(idna["manifest_path"].as_str()?).parent()?;
    std::fs::read_to_string(folder.join("tests/IdnaTestV2.txt")).ok()
}
