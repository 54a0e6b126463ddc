//! Code of template languages in references: what is published is not known before the template is filled in.

/// What expressions and instructions of template languages begin with: PHP and XML's instructions, ERB, ASP and JSP,
/// FreeMarker, Mustache and its many kin (Jinja, Liquid, Angular, Vue ...), Django and Liquid, shells, JavaScript and
/// Maven. No IRI can hold `<` or `{` (RFC 3987 2.2).
const OPENINGS: [&str; 6] = ["<?", "<%", "<#", "{{", "{%", "${"];

/// What ends them. A list whose words are parted at white space has such words.
const CLOSINGS: [&str; 4] = ["?>", "%>", "}}", "%}"];

/// Where the code of a template begins in a reference, in bytes; `None` when there is none. Linear, no allocation.
pub(crate) fn code_in(reference: &str) -> Option<usize> {
    if CLOSINGS.iter().any(|end| reference.starts_with(end)) {
        return Some(0);
    }
    let mut from = 0;
    while let Some(at) = memchr::memchr3(b'<', b'{', b'$', &reference.as_bytes()[from..]) {
        let start = from + at;
        if opens(&reference[start..]) {
            return Some(start);
        }
        from = start + 1;
    }
    None
}

/// Whether a text begins with what opens code. In `{%22a%22:1}` a percent-encoded octet follows a brace.
fn opens(text: &str) -> bool {
    let Some(opening) = OPENINGS.iter().find(|opening| text.starts_with(**opening)) else {
        return false;
    };
    let digits = text[opening.len()..].bytes().take(2);
    let is_octet = digits.filter(u8::is_ascii_hexdigit).count() == 2;
    !(opening.ends_with('%') && is_octet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_begins_where_it_opens() {
        for (reference, at) in [
            ("<?= $a ?>/b", Some(0)),
            ("/a/<% b %>", Some(3)),
            ("http://h/<#if x>", Some(9)),
            ("{{ url }}", Some(0)),
            ("\u{e9}{% x %}", Some(2)),
            ("/${id}/{{x}}", Some(1)),
            ("{{{x}}}", Some(0)),
            ("/a{{", Some(2)),
            ("?>", Some(0)),
            ("}}/x", Some(0)),
            ("/{id}", None),
            ("/$id/$", None),
            ("?q={%22a%22:{%22b%22:1}}", None),
            ("?a<%3d", None),
            ("?q={%2", Some(3)),
            ("/a<b>{", None),
            ("%7B%7Bx%7D%7D", None),
            ("", None),
        ] {
            assert_eq!(code_in(reference), at, "{reference}");
        }
    }
}
