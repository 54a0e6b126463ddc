use super::*;
use crate::HostKind;

#[test]
fn valid_references_have_their_components() {
    for (text, expected) in [
        ("", "-|-|-|-||-|-"),
        ("//", "-|-||-||-|-"),
        ("x:", "x|-|-|-||-|-"),
        ("x://a:b@c:1?#", "x|a:b|c|1|||"),
        ("x://a:b:c@", "x|a:b:c||-||-|-"),
        ("x://:", "x|-||||-|-"),
        ("x://u@[::ffff:1.2.3.4]:", "x|u|[::ffff:1.2.3.4]|||-|-"),
        ("//[vF.!:~]/", "-|-|[vF.!:~]|-|/|-|-"),
        ("é/ü:ö", "-|-|-|-|é/ü:ö|-|-"),
        ("/a//b", "-|-|-|-|/a//b|-|-"),
        ("x:a:b@c//d", "x|-|-|-|a:b@c//d|-|-"),
        ("?\u{F8FF}\u{10FFFD}/?", "-|-|-|-||\u{F8FF}\u{10FFFD}/?|-"),
        ("//%C3%A9:0", "-|-|%C3%A9|0||-|-"),
        ("#\u{1F600}", "-|-|-|-||-|\u{1F600}"),
    ] {
        let parts = parse(text, Form::Reference).expect(text);
        assert_eq!(parts.joined(), expected, "{text:?}");
    }
}

#[test]
fn errors_say_what_was_expected_and_where() {
    for (text, message) in [
        (
            "é:",
            "expected no colon before the first slash, found `:`, at byte 2",
        ),
        (
            "x://a b",
            "expected a character of the authority, found U+0020, at byte 5",
        ),
        (
            "x://a:8é",
            "expected a digit of the port, found U+00E9, at byte 7",
        ),
        (
            "x://a:8@b:c@d",
            "expected a digit of the port, found `c`, at byte 10",
        ),
        (
            "x://a@b@c",
            "expected a character of the authority, found `@`, at byte 7",
        ),
        (
            "//[::1",
            "expected the bracket that closes the address, found the end, at byte 6",
        ),
        (
            "//[::1%25a]",
            "expected an IPv6 address, found `:`, at byte 3",
        ),
        (
            "//[::1]a",
            "expected a character of the authority, found `a`, at byte 7",
        ),
        (
            "//a[::1]",
            "expected a character of the authority, found `[`, at byte 3",
        ),
        (
            "//[v.a]",
            "expected an address of a later IP version, found `v`, at byte 3",
        ),
        (
            "//[v1.]",
            "expected an address of a later IP version, found `v`, at byte 3",
        ),
        ("//[]", "expected an IPv6 address, found `]`, at byte 3"),
        (
            "/%",
            "expected a hexadecimal digit, found the end, at byte 2",
        ),
        (
            "/%aé",
            "expected a hexadecimal digit, found U+00E9, at byte 3",
        ),
        (
            "?[",
            "expected a character of the query, found `[`, at byte 1",
        ),
        (
            "#a#",
            "expected a character of the fragment, found `#`, at byte 2",
        ),
        (
            "#\u{E000}",
            "expected a character of the fragment, found U+E000, at byte 1",
        ),
        (
            "?\u{2066}",
            "expected no bidi formatting character, found U+2066, at byte 1",
        ),
        (
            "//\u{202E}",
            "expected no bidi formatting character, found U+202E, at byte 2",
        ),
    ] {
        let error = parse(text, Form::Reference).expect_err(text);
        assert_eq!(error.to_string(), message, "{text:?}");
    }
}

#[test]
fn forms_differ_in_scheme_and_fragment() {
    let kind = |text, form| parse(text, form).err().map(|error| error.kind());
    assert_eq!(kind("x:a#b", Form::Iri), None);
    assert_eq!(kind("x:a", Form::Absolute), None);
    assert_eq!(kind("a/x:b#c", Form::Relative), None);
    assert_eq!(
        kind("x:a#b", Form::Absolute),
        Some(ParseErrorKind::NoFragment)
    );
    assert_eq!(kind("x:a", Form::Relative), Some(ParseErrorKind::NoScheme));
    for text in ["", "//x", "9:", "x_y:", "x"] {
        assert_eq!(
            kind(text, Form::Iri),
            Some(ParseErrorKind::Scheme),
            "{text:?}"
        );
    }
}

#[test]
fn hosts_have_a_kind() {
    for (text, kind) in [
        ("//1.2.3.4", HostKind::Ipv4),
        ("//1.2.3.04", HostKind::Name),
        ("//256.1.1.1", HostKind::Name),
        ("//[::]", HostKind::Ipv6),
        ("//[v1.a]", HostKind::IpFuture),
        ("//", HostKind::Name),
    ] {
        assert_eq!(Parts::split(text).host_kind(), Some(kind), "{text:?}");
    }
    assert_eq!(Parts::split("/a").host_kind(), None);
}

#[test]
fn characters_are_allowed_by_their_class() {
    let mut buffer = String::new();
    for ch in '\u{80}'..=char::MAX {
        for (lead, private) in [("/", false), ("?", true), ("#", false), ("//", false)] {
            buffer.clear();
            buffer.push_str(lead);
            buffer.push(ch);
            let expected = class::is_ucschar(ch) || private && class::is_iprivate(ch);
            let valid = parse(&buffer, Form::Reference).is_ok();
            assert_eq!(valid, expected, "{buffer:?}");
        }
    }
}
