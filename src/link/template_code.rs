//! Template code in references, whose target is not known before the template is filled in.

use super::file_names;

/// The openings of expressions and instructions: PHP and XML's instructions, ERB, ASP and JSP,
/// FreeMarker, Mustache and its many kin (Jinja, Liquid, Angular, Vue ...), Django and Liquid, shells, JavaScript and
/// Maven, Smarty. No IRI can hold `<` or `{` (RFC 3987 2.2).
const OPENINGS: [&str; 7] = ["<?", "<%", "<#", "{{", "{%", "${", "{$"];

/// Their closings. A list that is split at white space may have parts that begin with one.
const CLOSINGS: [&str; 4] = ["?>", "%>", "}}", "%}"];

/// Where the code of a template begins in a reference, in bytes; `None` when there is none. Linear, no allocation.
pub(crate) fn code_in(reference: &str) -> Option<usize> {
    let may_open = |byte: u8| matches!(byte, b'<' | b'{' | b'$' | b'}' | b'>');
    // Without a way out of the loop it goes over many bytes at once.
    if !reference
        .bytes()
        .fold(false, |found, byte| found | may_open(byte))
    {
        return None;
    }
    if CLOSINGS.iter().any(|end| reference.starts_with(end)) {
        return Some(0);
    }
    let mut from = 0;
    while let Some(at) = memchr::memchr3(b'<', b'{', b'$', &reference.as_bytes()[from..]) {
        let start = from + at;
        if opens(&reference[start..]) {
            return Some(start);
        }
        if is_of_hash(&reference[..start], &reference[start..]) {
            return Some(start - 1);
        }
        from = start + 1;
    }
    None
}

/// Further code that the type of a file implies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Nothing.
    #[default]
    Plain,
    /// What a brace opens: Svelte, Astro.
    Braces,
    /// What `@` opens: Razor.
    At,
}

impl Dialect {
    /// The dialect of a document with this name.
    pub fn of(name: Option<&str>) -> Dialect {
        let file = name.and_then(|name| name.rsplit(['/', '\\']).next());
        let extension = file.and_then(file_names::extension).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "svelte" | "astro" => Dialect::Braces,
            "cshtml" => Dialect::At,
            _ => Dialect::Plain,
        }
    }

    /// Where code begins in a reference, in bytes. Linear.
    pub fn code_in(self, reference: &str) -> Option<usize> {
        let own = match self {
            Dialect::Plain => None,
            Dialect::Braces => reference.find(['{', '}']),
            Dialect::At => razor_in(reference),
        };
        [code_in(reference), own].into_iter().flatten().min()
    }
}

/// Where Razor's code begins: behind letters and digits `@` is one of an address, and `@@` stands for itself.
fn razor_in(reference: &str) -> Option<usize> {
    let (mut before, mut from) = (None, 0);
    while let Some(at) = reference[from..].find('@').map(|at| from + at) {
        if at > from {
            before = reference[..at].chars().next_back();
        }
        let behind = &reference[at + 1..];
        if behind.starts_with('@') {
            (before, from) = (Some('@'), at + 2);
            continue;
        }
        let is_address = before.is_some_and(char::is_alphanumeric);
        if !is_address && behind.starts_with(|ch: char| ch.is_alphabetic() || "_({".contains(ch)) {
            return Some(at);
        }
        (before, from) = (Some('@'), at + 1);
    }
    None
}

/// Whether a brace opens `#{name`: expressions of JSF and Ruby. What else begins so is a fragment with JSON.
fn is_of_hash(before: &str, brace: &str) -> bool {
    let name = brace.strip_prefix('{').unwrap_or_default();
    before.ends_with('#')
        && name.starts_with(|ch: char| ch.is_ascii_alphabetic() || "_@".contains(ch))
}

/// Whether a text begins with an opening. In `{%22a%22:1}` a percent-encoded octet follows a brace.
fn opens(text: &str) -> bool {
    let Some(opening) = OPENINGS.iter().find(|opening| text.starts_with(**opening)) else {
        return false;
    };
    let digits = text[opening.len()..].bytes().take(2);
    let is_octet = digits.filter(u8::is_ascii_hexdigit).count() == 2;
    !(opening.ends_with('%') && is_octet)
}

/// Whether a reference in running text has an expression of a URI template (RFC 6570 2.2) or of a shell: names in a pair of
/// braces (`{owner}`, `{?q,lang}`, `{1,2}`). A GUID in braces is no expression. Linear, no allocation.
pub(crate) fn has_expression(reference: &str) -> bool {
    let mut rest = reference;
    while let Some(at) = memchr::memchr(b'{', rest.as_bytes()) {
        let behind = &rest[at + 1..];
        let end = behind.find(|ch: char| !is_of_expression(ch));
        let (inner, closing) = behind.split_at(end.unwrap_or(behind.len()));
        if closing.starts_with('}') && !inner.is_empty() && !is_identifier(inner) {
            return true;
        }
        rest = closing;
    }
    false
}

/// Operators, names and modifiers of expressions; names may be in any script and have hyphens, as people write them.
fn is_of_expression(ch: char) -> bool {
    ch.is_alphanumeric() || "+#./;?&,!|@=$_-%:*".contains(ch)
}

/// Five groups of 8, 4, 4, 4 and 12 hexadecimal digits (RFC 9562 4).
fn is_identifier(text: &str) -> bool {
    let mut groups = text.split('-');
    [8, 4, 4, 4, 12].iter().all(|&length| {
        let group = groups.next().unwrap_or_default();
        group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit())
    }) && groups.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_names_in_pairs_of_braces() {
        for reference in [
            "https://api.example/repos/{owner}/{repo}",
            "http://h.example/{?q,lang}",
            "http://h.example/{größe}",
            "http://h.example/a{1,2}.png",
            "http://h.example/{{x}",
            "http://h.example/{a b}{/id*}",
        ] {
            assert!(has_expression(reference), "{reference}");
        }
        for reference in [
            "http://h.example/",
            "http://h.example/{}",
            "http://h.example/{a",
            "http://h.example/a}",
            "http://h.example/?f={\"a\":1}",
            "http://h.example/?l={3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
        ] {
            assert!(!has_expression(reference), "{reference}");
        }
    }

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
            ("/u/#{u.id}/x", Some(3)),
            ("#{\"a\":1}", None),
            ("{$base}/x", Some(0)),
            ("", None),
        ] {
            assert_eq!(code_in(reference), at, "{reference}");
        }
    }

    #[test]
    fn code_by_the_type_of_a_file() {
        let cases = [
            ("a.svelte", "/x/{u}", Some(3)),
            ("a/B.Astro", "{u", Some(0)),
            ("a.svelte", "/<%{", Some(1)),
            ("a.svelte", "/@(x)", None),
            ("a.cshtml", "@(p ? ", Some(0)),
            ("a.cshtml", "/\u{e9}/@Model.Id", Some(4)),
            ("a.cshtml", "mailto:ann@b.org", None),
            ("a.cshtml", "/@@ann/@@(", None),
            ("a.cshtml", "/@@@x", Some(3)),
            ("a.cshtml", "/@1/@", None),
            ("a.cshtml", "/{u}", None),
            ("a.html", "/{u}/@(x)", None),
            ("a.svelte/x", "/{u}", None),
        ];
        for (name, reference, at) in cases {
            assert_eq!(
                Dialect::of(Some(name)).code_in(reference),
                at,
                "{name} {reference}"
            );
        }
    }
}
