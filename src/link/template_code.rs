//! Template code in references, whose target is unknown before the template is filled in.

use crate::format::{Format, file_names};

/// The openings of expressions and instructions: PHP and XML's instructions, ERB, ASP and JSP,
/// FreeMarker, Mustache and its many kin (Jinja, Liquid, Angular, Vue ...), Django and Liquid, shells, JavaScript and
/// Maven, Smarty. No IRI can hold `<` or `{` (RFC 3987 2.2).
const OPENINGS: [&str; 7] = ["<?", "<%", "<#", "{{", "{%", "${", "{$"];

/// The closings of expressions. Parts of a list that is split at white space may begin with a closing.
const CLOSINGS: [&str; 4] = ["?>", "%>", "}}", "%}"];

/// The start of template code in a reference, in bytes; `None` without such code. Linear, no allocation.
pub(crate) fn code_in(reference: &str) -> Option<usize> {
    if reference.starts_with('%') && begins_with_directive(reference) {
        return Some(0);
    }
    let may_open = |byte: u8| matches!(byte, b'<' | b'{' | b'$' | b'}' | b'>');
    // The loop has no exit, so that it goes over many bytes at once.
    if !reference
        .bytes()
        .fold(false, |found, byte| found | may_open(byte))
    {
        return None;
    }
    // An expression of JSX (`href={url}`) or of a format string (`{}/a`) gives the base.
    let is_expression = reference.starts_with('{');
    if is_expression || CLOSINGS.iter().any(|end| reference.starts_with(end)) {
        return Some(0);
    }
    let mut from = 0;
    while let Some(at) = memchr::memchr3(b'<', b'{', b'$', &reference.as_bytes()[from..]) {
        let start = from + at;
        if opens(&reference[start..]) {
            return Some(start);
        }
        if is_of_hash(&reference[..start], &reference[start + 1..]) {
            return Some(start - 1);
        }
        from = start + 1;
    }
    None
}

/// Extensions of units of systemd.
const UNITS: &[&str] = &[
    "service",
    "socket",
    "timer",
    "mount",
    "automount",
    "path",
    "target",
    "slice",
    "swap",
    "nspawn",
    "network",
    "netdev",
    "link",
    "container",
    "pod",
    "kube",
    "volume",
    "image",
    "build",
];

/// Extensions of shells and of scripts that are read as running text.
const SCRIPTS: &[&str] = &[
    "sh", "bash", "zsh", "ksh", "csh", "fish", "env", "rb", "rake", "gemspec", "pl", "pm", "lua",
    "tcl", "awk", "ebuild", "eclass", "spec",
];

/// Names of scripts without an extension.
const SCRIPT_FILES: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".profile",
    ".zshrc",
    ".env",
    ".envrc",
    "Dockerfile",
    "Gemfile",
    "Jenkinsfile",
    "Justfile",
    "PKGBUILD",
    "Rakefile",
    "Vagrantfile",
    "justfile",
];

/// Further code that the type of a file implies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// No further code.
    #[default]
    Plain,
    /// Code behind a brace: Svelte, Astro, MDX.
    Braces,
    /// Code behind `@`: Razor.
    At,
    /// Variables between percent signs: batch files of Windows.
    Percents,
    /// Percent signs with a meaning, but in links: tables of cron, units of systemd, settings of Python and others.
    Specifiers,
    /// `@` with a meaning: archives of RCS, Texinfo.
    AtSigns,
    /// Lines that go on in the next one, without a blank between: LDIF, manifests of Java, GEDCOM.
    Folded,
    /// Marks with a meaning outside of quotation marks: shells and scripts that are read as running text.
    Script,
    /// As in scripts, and a comma, which makes a list of an argument: PowerShell.
    PowerShell,
    /// Percent signs as in other settings, and marks with a meaning outside of quotation marks: `.ini`.
    Ini,
    /// Links that are literals of their own, with an alphabet of ASCII: Nix.
    Nix,
    /// Marks with a meaning everywhere: makefiles.
    Makefile,
    /// Keys and values in quotation marks: Apple's `.strings`.
    Strings,
}

impl Dialect {
    /// The dialect of a document with this name, which begins with `head`. O(length of the head).
    pub fn of(name: Option<&str>, head: &[u8]) -> Dialect {
        let by_line = if head.starts_with(b"#!") {
            Dialect::Script
        } else {
            Dialect::Plain
        };
        name.and_then(Dialect::by_name).unwrap_or(by_line)
    }

    /// The dialect of a document with this name, if the name decides.
    fn by_name(name: &str) -> Option<Dialect> {
        let mut parts = name.rsplit(['/', '\\']);
        let file = parts.next().unwrap_or_default();
        let extension = file_names::extension(file).unwrap_or_default();
        Some(match extension.to_ascii_lowercase().as_str() {
            "svelte" | "astro" | "mdx" => Dialect::Braces,
            "cshtml" => Dialect::At,
            "bat" | "cmd" => Dialect::Percents,
            "strings" => Dialect::Strings,
            "mk" | "mak" => Dialect::Makefile,
            "cron" | "crontab" => Dialect::Specifiers,
            extension if UNITS.contains(&extension) => Dialect::Specifiers,
            "ini" | "cnf" => Dialect::Ini,
            "cfg" | "conf" | "inf" | "desktop" | "ahk" => Dialect::Specifiers,
            "nix" => Dialect::Nix,
            "ps1" | "psm1" | "psd1" => Dialect::PowerShell,
            "texi" | "texinfo" | "txi" => Dialect::AtSigns,
            "ldif" | "mf" | "ged" => Dialect::Folded,
            extension if SCRIPTS.contains(&extension) => Dialect::Script,
            _ => match file {
                "crontab" => Dialect::Specifiers,
                "gitconfig" | ".gitconfig" | ".gitmodules" | ".npmrc" => Dialect::Ini,
                _ if matches!(parts.next(), Some("cron.d" | "crontabs")) => Dialect::Specifiers,
                file if file.ends_with(",v") => Dialect::AtSigns,
                "Makefile" | "makefile" | "GNUmakefile" => Dialect::Makefile,
                file if SCRIPT_FILES.contains(&file) => Dialect::Script,
                _ => return None,
            },
        })
    }

    /// The dialect of a document in a format: languages that have no format of their own are running text.
    pub fn in_format(self, format: Format) -> Dialect {
        match self {
            Dialect::Plain | Dialect::Braces | Dialect::At | Dialect::Percents => self,
            _ if format != Format::Text => Dialect::Plain,
            dialect => dialect,
        }
    }

    /// The start of code in a reference, in bytes. Linear.
    pub fn code_in(self, reference: &str) -> Option<usize> {
        let own = match self {
            Dialect::Braces => reference.find(['{', '}']),
            Dialect::At => razor_in(reference),
            Dialect::Percents => reference.find('%'),
            _ => None,
        };
        [code_in(reference), own].into_iter().flatten().min()
    }
}

/// The start of Razor's code: behind letters and digits `@` belongs to an address, and `@@` stands for itself.
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

/// True if a brace between two texts opens `#{name`, an expression of Ruby, Sass or JSF. Any other `#{` begins a
/// fragment with JSON.
fn is_of_hash(before: &str, behind: &str) -> bool {
    before.ends_with('#')
        && behind.starts_with(|ch: char| ch.is_ascii_alphabetic() || "_@$".contains(ch))
}

/// True if a text begins with an opening. In `{%22a%22:1}` a percent-encoded octet follows a brace.
fn opens(text: &str) -> bool {
    let Some(opening) = OPENINGS.iter().find(|opening| text.starts_with(**opening)) else {
        return false;
    };
    let digits = text[opening.len()..].bytes().take(2);
    let is_octet = digits.filter(u8::is_ascii_hexdigit).count() == 2;
    !(opening.ends_with('%') && is_octet)
}

/// The start of code in braces in a reference in running text, in bytes: an expression of a URI template (RFC 6570 2.2:
/// `{?q,lang}`, `{/id*}`), a place of a format string (`{}`, `{0}`, `{:?}`), a pattern of a route (`{id:[0-9]+}`).
/// White space and quotes end links in text, so the closing brace may stand behind the link. A GUID or JSON in braces
/// is data. Linear, no allocation.
pub(crate) fn expression_in(reference: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let start = from + memchr::memchr(b'{', &reference.as_bytes()[from..])?;
        let inner = &reference[start + 1..];
        from = match inner.find('}') {
            _ if QUOTES.iter().any(|quote| inner.starts_with(quote)) => data_end(reference, start),
            Some(end) if is_identifier(&inner[..end]) => start + 1 + end,
            _ => return Some(start - usize::from(is_of_hash(&reference[..start], inner))),
        };
    }
}

/// True if a reference in running text has code in braces.
pub(crate) fn has_expression(reference: &str) -> bool {
    expression_in(reference).is_some()
}

/// The beginnings of names and values in JSON.
const QUOTES: [&str; 4] = ["\"", "'", "%22", "%27"];

/// The byte behind data in braces that begin at the byte `start`; the end of the reference if they are not closed.
fn data_end(reference: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in reference.bytes().enumerate().skip(start) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    reference.len()
}

/// True if a `%` in a reference begins no octet of text: no octet at all (RFC 3987 2.2), or a width with zeros
/// (`%02d`), which would be a control octet. Linear, no allocation.
pub(crate) fn has_stray_percent(reference: &str) -> bool {
    percents(reference).any(|behind| !begins_octet(behind) || is_padded(behind))
}

/// True if a reference has a directive of a format string of C and its kin: `%s`, `%(name)s`, `%{name}`, `%1$s`, `%%`.
/// The program would read a new octet beside it, such as `%C3`, as another directive. `%u0441` of old JavaScript does
/// not count. Linear, no allocation.
pub(crate) fn has_directive(reference: &str) -> bool {
    percents(reference).any(|behind| !begins_octet(behind) && is_directive(behind))
}

/// True if a reference begins with a directive, as `%s/b` of `printf` and `sprintf`, which gives the base.
fn begins_with_directive(reference: &str) -> bool {
    let mut directives = percents(reference);
    directives
        .next()
        .is_some_and(|behind| !begins_octet(behind) && is_directive(behind))
}

/// The bytes behind each `%`.
fn percents(reference: &str) -> impl Iterator<Item = &[u8]> {
    let bytes = reference.as_bytes();
    memchr::memchr_iter(b'%', bytes).map(|at| &bytes[at + 1..])
}

fn begins_octet(behind: &[u8]) -> bool {
    matches!(behind, [first, second, ..] if first.is_ascii_hexdigit() && second.is_ascii_hexdigit())
}

/// True for `02d` and the like: a width with zeros, which would be a control octet.
fn is_padded(behind: &[u8]) -> bool {
    matches!(
        behind,
        [
            b'0',
            b'1'..=b'9',
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X',
            ..
        ]
    )
}

/// The most bytes of a directive that are read.
const LONGEST_DIRECTIVE: usize = 64;

/// True for a conversion, behind an optional name, flags, width and precision.
fn is_directive(behind: &[u8]) -> bool {
    let behind = &behind[..behind.len().min(LONGEST_DIRECTIVE)];
    let rest = match behind {
        [b'u', digits @ ..] if digits.iter().take(4).all(u8::is_ascii_hexdigit) => return false,
        [b'(', name @ ..] => match memchr::memchr(b')', name) {
            Some(end) => &name[end + 1..],
            None => return false,
        },
        [b'{', name @ ..] => return memchr::memchr(b'}', name).is_some(),
        _ => behind,
    };
    let mut rest = rest
        .iter()
        .skip_while(|byte| b"0123456789$+-#.*'".contains(byte));
    rest.next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'@' | b'%'))
}

/// True for five groups of 8, 4, 4, 4 and 12 hexadecimal digits (RFC 9562 4).
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
    fn expressions_stand_in_braces() {
        for (reference, at) in [
            ("https://api.example/repos/{owner}/{repo}", Some(26)),
            ("http://h.example/{?q,lang}", Some(17)),
            ("http://h.example/{größe}", Some(17)),
            ("http://h.example/a{1,2}.png", Some(18)),
            ("http://h.example/{{x}", Some(17)),
            ("http://h.example/{a b}{/id*}", Some(17)),
            ("http://h.example/{}", Some(17)),
            ("http://h.example/é/{:?}/{0}", Some(20)),
            ("http://h.example/{id:[0-9]+}", Some(17)),
            ("http://h.example/{id:[0-9]{2}}", Some(17)),
            // The code goes on behind a quote or white space.
            ("http://h.example/{x", Some(17)),
            ("http://h.example/a#{x}", Some(18)),
            ("http://h.example/a#{$x}", Some(18)),
            ("http://h.example/a#{1}", Some(19)),
            ("http://h.example/?f={%22a%22:{}}{b}", Some(32)),
            (
                "http://h.example/?l={3F2504E0-4F89-11D3-9A0C-0305E82C3301}{}",
                Some(58),
            ),
            ("http://h.example/", None),
            ("http://h.example/a}", None),
            ("http://h.example/?f={\"a\":1}", None),
            ("http://h.example/?f={'a':{}}", None),
            ("http://h.example/?f={%22a%22:{%22b%22:1}", None),
            (
                "http://h.example/?l={3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
                None,
            ),
        ] {
            assert_eq!(expression_in(reference), at, "{reference}");
        }
    }

    #[test]
    fn directives_of_format_strings() {
        let cases: [(&str, &[&str]); 3] = [
            (
                "directive",
                &[
                    "/%s", "/%(x)s/", "/%{x}/", "/%1$s", "/%@", "/%%20", "/%-5.2f", "/%i%%",
                ],
            ),
            ("padded", &["/%02d", "/a%08x.png"]),
            (
                "stray",
                &["/100%", "?q=5%&r", "/%u0441", "/%(x", "/%/a", "/%é"],
            ),
        ];
        for (kind, references) in cases {
            for reference in references {
                let found = (has_directive(reference), has_stray_percent(reference));
                let expected = (kind == "directive", true);
                assert_eq!(found, expected, "{reference}");
            }
        }
        for reference in ["/%C3%A9", "/%20d", "/%00", "/%0D%0A", "/a", "/%de%02"] {
            let found = (has_directive(reference), has_stray_percent(reference));
            assert_eq!(found, (false, false), "{reference}");
        }
    }

    #[test]
    fn code_begins_where_it_opens() {
        for (reference, at) in [
            ("<?= $a ?>/b", Some(0)),
            ("%s/b", Some(0)),
            ("%1$s", Some(0)),
            ("%C3%A9", None),
            ("%", None),
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
            ("{require('./img/\u{e9}.png')}", Some(0)),
            ("{0}/x", Some(0)),
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
            ("a.mdx", "/x/{u}", Some(3)),
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
                Dialect::of(Some(name), b"").code_in(reference),
                at,
                "{name} {reference}"
            );
        }
    }

    #[test]
    fn dialects_by_name_and_content() {
        let cases = [
            ("etc/crontab", "", Dialect::Specifiers),
            ("etc/cron.d/backup", "", Dialect::Specifiers),
            ("a.SERVICE", "", Dialect::Specifiers),
            ("setup.cfg", "", Dialect::Specifiers),
            ("a.cfg", "a = b", Dialect::Specifiers),
            ("a.service.d/b.conf", "", Dialect::Specifiers),
            ("crontabs/root", "", Dialect::Specifiers),
            ("src/a.c,v", "head 1.1;", Dialect::AtSigns),
            ("META-INF/MANIFEST.MF", "", Dialect::Folded),
            ("a.sh", "", Dialect::Script),
            ("bin/a", "#!/bin/sh\n", Dialect::Script),
            ("bin/a", "text", Dialect::Plain),
            ("b/Makefile", "", Dialect::Makefile),
            ("rules.mk", "", Dialect::Makefile),
            ("de.lproj/Localizable.strings", "", Dialect::Strings),
            ("a.cmd", "", Dialect::Percents),
            ("a.txt", "%(a)", Dialect::Plain),
        ];
        for (name, head, dialect) in cases {
            assert_eq!(Dialect::of(Some(name), head.as_bytes()), dialect, "{name}");
        }
    }
}
