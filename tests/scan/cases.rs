//! Marked text: each line of tests/scan/*.txt is a case, with `⸠` and `⸡` around each link. `\u{X}` is the character
//! X. A line that begins with `# ` is a comment.
//!
//! Each case runs as text, and as bytes of every charset that can hold it: whole, byte by byte, and cut once at every
//! place. Only the marks define the expected result, never another part of the program.

use linkglot_charset::{Charset, MappedText};
use linkglot_scan::{Breaks, Decode, Profile, Scanner, State};

macro_rules! files {
    ($($name:ident)*) => {
        const FILES: &[(&str, &str)] =
            &[$((stringify!($name), include_str!(concat!(stringify!($name), ".txt")))),*];

        $(#[test]
        fn $name() {
            let file = include_str!(concat!(stringify!($name), ".txt"));
            assert!(check(&Scanner::default(), file) > 9);
        })*
    };
}

files!(
    alone appendix_c bidi brackets chat code domains eai email files glued host_ends hosts invisible ip_hosts languages
    line_ends logs mail mailto markup marks not_links punctuation quotes schemes terminal
);

/// Files for scanners with settings.
const WRAPPED: &str = include_str!("wrapped.txt");
const FLOWED: &str = include_str!("flowed.txt");

#[test]
fn wrapped() {
    assert!(check(&Scanner::default().join(Breaks::WRAPPED), WRAPPED) > 50);
}

#[test]
fn flowed() {
    let scanner = Scanner::default().join(Breaks::FLOWED);
    assert!(check(&scanner, FLOWED) > 20);
}

/// Without the setting a line end ends a link, except behind its scheme. A setting for one kind of break does not
/// affect the other.
#[test]
fn lines_are_joined_only_on_request() {
    let all = || cases(WRAPPED).chain(cases(FLOWED));
    let joined = |scanner: Scanner| {
        let over = |case: &Case| {
            let outside = |hit: &linkglot_scan::Hit| {
                let line = hit.span.of(&case.text).lines().next();
                let is_scheme = line.is_some_and(|line| line.ends_with("://"));
                !is_scheme && !case.text[..hit.span.start].ends_with('<')
            };
            scanner
                .links(&case.text)
                .any(|hit| outside(&hit) && hit.link(&case.text) != hit.span.of(&case.text))
        };
        all().filter(over).count()
    };
    assert_eq!(joined(Scanner::default()), 0);
    let (wrapped, flowed) = (
        Scanner::default().join(Breaks::WRAPPED),
        Scanner::default().join(Breaks::FLOWED),
    );
    let both = Scanner::default().join(Breaks::WRAPPED.with(Breaks::FLOWED));
    let (wrapped, flowed, both) = (joined(wrapped), joined(flowed), joined(both));
    assert!(
        wrapped > 25 && flowed > 9 && both > wrapped && both > flowed,
        "{wrapped} {flowed} {both}"
    );
}

const KNOWN_DEFECTS: &str = include_str!("known_defects.txt");

/// Start and end of each link.
pub(crate) type Places = Vec<(usize, usize)>;

/// A line of a file: its text, and the places of the links.
pub(crate) struct Case {
    pub(crate) line: String,
    pub(crate) text: String,
    pub(crate) links: Places,
}

impl Case {
    fn new(line: &str) -> Case {
        let line = unescaped(line);
        let (mut text, mut links, mut start) = (String::new(), Vec::new(), None);
        for ch in line.chars() {
            match ch {
                '⸠' => assert!(start.replace(text.len()).is_none(), "{line}"),
                '⸡' => links.push((start.take().expect("an opening mark"), text.len())),
                _ => text.push(ch),
            }
        }
        assert!(start.is_none(), "{line}");
        Case { line, text, links }
    }

    /// The text in a charset, and the places of its links. `None` if the charset cannot hold it.
    fn encoded(&self, charset: Charset) -> Option<(Vec<u8>, Places)> {
        let (mut bytes, mut ends, mut last) = (Vec::new(), Vec::new(), 0);
        let bounds = self.links.iter().flat_map(|l| [l.0, l.1]);
        for bound in bounds.chain([self.text.len()]) {
            charset.encode(&self.text[last..bound], &mut bytes).ok()?;
            ends.push(bytes.len());
            last = bound;
        }
        let links = ends.chunks_exact(2).map(|b| (b[0], b[1])).collect();
        Some((bytes, links))
    }
}

pub(crate) fn unescaped(line: &str) -> String {
    let mut out = String::new();
    let mut parts = line.split("\\u{");
    out.push_str(parts.next().unwrap());
    for part in parts {
        let (hex, rest) = part.split_once('}').unwrap();
        out.push(char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap());
        out.push_str(rest);
    }
    out
}

pub(crate) fn cases(file: &str) -> impl Iterator<Item = Case> {
    file.lines()
        .filter(|l| !l.starts_with("# ") && !l.is_empty())
        .map(Case::new)
}

pub(crate) fn marked(scanner: &Scanner, text: &str) -> String {
    let (mut out, mut last) = (String::new(), 0);
    for hit in scanner.links(text) {
        out.push_str(&text[last..hit.span.start]);
        out.push('⸠');
        out.push_str(hit.span.of(text));
        out.push('⸡');
        last = hit.span.end;
    }
    out + &text[last..]
}

struct Plain(Charset);

impl Decode for Plain {
    fn charset(&self) -> Charset {
        self.0
    }

    fn has_references(&self) -> bool {
        false
    }

    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        self.0.decode_mapped(bytes)
    }
}

/// Places of the links of the bytes, if the first piece ends at `cut` and the others have `step` bytes.
fn in_pieces(
    scanner: &Scanner,
    bytes: &[u8],
    charset: Charset,
    (cut, step): (usize, usize),
) -> Places {
    let (mut state, mut found) = (State::default(), Vec::new());
    let (mut from, mut to) = (0, cut);
    loop {
        let (mut hits, last) = (Vec::new(), to >= bytes.len());
        to = to.min(bytes.len());
        let keep = scanner.scan(
            &bytes[from..to],
            last,
            &Plain(charset),
            &mut state,
            &mut hits,
        );
        found.extend(
            hits.iter()
                .map(|h| (from + h.range.start, from + h.range.end)),
        );
        if last {
            return found;
        }
        from += keep;
        to += step;
    }
}

/// Appends the faults of the case in a charset to `bad`. Returns true if the charset can hold the case.
fn in_charset(scanner: &Scanner, case: &Case, charset: Charset, bad: &mut String) -> bool {
    let Some((bytes, links)) = case.encoded(charset) else {
        return false;
    };
    if charset.decode_mapped(&bytes).text() != case.text {
        return false; // as the yen sign, which some charsets take and give back as a backslash
    }
    let all = bytes.len().max(1);
    let cuts = (1..all).map(|cut| (cut, all));
    for pieces in [(all, 1), (1, 1)].into_iter().chain(cuts) {
        let found = in_pieces(scanner, &bytes, charset, pieces);
        if found != links {
            let (name, line) = (charset.name(), &case.line);
            bad.push_str(&format!(
                "\n{name} {line} in pieces {pieces:?}: {found:?} for {links:?}"
            ));
            break;
        }
    }
    true
}

fn check(scanner: &Scanner, file: &str) -> usize {
    let (mut count, mut bad) = (0, String::new());
    for case in cases(file) {
        count += 1;
        let got = marked(scanner, &case.text);
        if got != case.line {
            bad.push_str(&format!("\n want {}\n  got {got}", case.line));
            continue;
        }
        let holders = Charset::all()
            .filter(|c| c.is_ascii_compatible())
            .filter(|&c| in_charset(scanner, &case, c, &mut bad));
        assert!(holders.count() > 1, "UTF-8 and GB18030 hold everything");
    }
    assert!(bad.is_empty(), "{bad}");
    count
}

/// Guards against empty files.
#[test]
fn files_have_enough_cases() {
    let all = FILES.iter().flat_map(|(_, file)| cases(file));
    let (negative, positive): (Vec<_>, Vec<_>) = all.partition(|case| case.links.is_empty());
    assert!(negative.len() >= 120, "{}", negative.len());
    assert!(positive.len() >= 500, "{}", positive.len());
    let languages = include_str!("languages.txt");
    let names = languages.lines().skip(1).filter(|l| l.starts_with("# "));
    assert!(names.clone().count() >= 60, "{}", names.count());
}

#[test]
fn no_case_occurs_twice() {
    let mut seen = std::collections::HashSet::new();
    let files = FILES.iter().map(|(_, file)| *file).chain([KNOWN_DEFECTS]);
    for case in files.flat_map(cases) {
        assert!(seen.insert(case.text), "{}", case.line);
    }
}

/// Cases with the right answer, which detection does not yet give. A repaired case must move to the file of its
/// subject.
#[test]
fn known_defects_still_fail() {
    let scanner = Scanner::default();
    let is_repaired = |case: &Case| marked(&scanner, &case.text) == case.line;
    let repaired: Vec<_> = cases(KNOWN_DEFECTS).filter(is_repaired).collect();
    let lines: Vec<_> = repaired.iter().map(|case| &case.line).collect();
    assert!(
        lines.is_empty(),
        "repaired: move out of known_defects.txt {lines:#?}"
    );
}

/// The host of a link, or the address.
fn target(link: &str) -> &str {
    let behind = |mark: &str| link.split_once(mark).map(|(_, behind)| behind);
    let target = behind("://").or_else(|| behind(":")).unwrap_or(link);
    target.split(['/', '?', '#']).next().unwrap_or_default()
}

/// The heading in known_defects.txt of a case that detection does not get right.
fn harm(scanner: &Scanner, case: &Case) -> &'static str {
    let right = || case.links.iter().map(|at| &case.text[at.0..at.1]);
    let found: Vec<_> = scanner.links(&case.text).collect();
    let mut found = found.iter().map(|hit| hit.span.of(&case.text));
    if found
        .clone()
        .any(|link| right().all(|right| target(right) != target(link)))
    {
        "# Harm: another host or person"
    } else if found.any(|link| right().all(|right| right != link)) {
        "# Harm: another place of the host"
    } else {
        "# Harm: no link"
    }
}

/// The worst defects come first in the file.
#[test]
fn known_defects_are_ordered_by_harm() {
    let scanner = Scanner::default();
    let mut heading = "";
    for line in KNOWN_DEFECTS.lines() {
        if line.starts_with("# Harm: ") {
            heading = line;
        } else if !line.starts_with("# ") {
            assert_eq!(harm(&scanner, &Case::new(line)), heading, "{line}");
        }
    }
}

/// UTF-16 and ISO-2022-JP are decoded before they are scanned.
#[test]
fn charsets_without_ascii() {
    let scanner = Scanner::default();
    let mut count = 0;
    for charset in Charset::all().filter(|c| !c.is_ascii_compatible()) {
        for case in FILES.iter().flat_map(|(_, file)| cases(file)) {
            let mut bytes = Vec::new();
            if charset.encode(&case.text, &mut bytes).is_err() {
                continue;
            }
            let mapped = charset.decode_mapped(&bytes);
            if mapped.text() == case.text {
                assert_eq!(
                    marked(&scanner, mapped.text()),
                    case.line,
                    "{}",
                    charset.name()
                );
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count}");
}

/// The kind of each hit agrees with its text.
#[test]
fn kinds_match_the_text_of_links() {
    use linkglot_scan::Kind;
    let scanner = Scanner::default();
    let mut counts = [0; 3];
    for case in FILES.iter().flat_map(|(_, file)| cases(file)) {
        for hit in scanner.links(&case.text) {
            let link = hit.link(&case.text);
            let head = link.split(['/', '?', '#']).next().unwrap();
            let name = head.split(':').next().unwrap();
            let scheme = name.len() < head.len() && !name.contains(['.', '@', '。'])
                || link.contains("://") && !link.contains(['?', '=']);
            let kind = match hit.kind {
                Kind::Absolute => 0,
                Kind::Domain => 1,
                _ => 2,
            };
            counts[kind] += 1;
            let agrees = match hit.kind {
                Kind::Absolute => {
                    hit.implied_scheme().is_none()
                        && hit.scheme(&case.text) == name
                        && !name.is_empty()
                }
                Kind::Domain => {
                    hit.implied_scheme() == Some("https") && !head.contains('@') && !scheme
                }
                _ => hit.implied_scheme() == Some("mailto") && link.contains('@') && !scheme,
            };
            assert!(agrees, "{:?}: {}", hit.kind, case.line);
        }
    }
    assert!(counts.iter().all(|&count| count > 80), "{counts:?}");
}

/// White space in angle brackets (RFC 3986 appendix C): the hit covers it, its text does not contain it.
#[test]
fn white_space_in_angle_brackets_is_removed() {
    let text = "from <ftp://a.example.\ncom/b/>. And <URL:http://www.a.example/pub/\r\n  x-\n  y.html#W>,\nbut <http://a.example/ b";
    let links: Vec<_> = Scanner::default()
        .links(text)
        .map(|hit| hit.link(text).into_owned())
        .collect();
    assert_eq!(
        links,
        [
            "ftp://a.example.com/b/",
            "http://www.a.example/pub/x-y.html#W",
            "http://a.example/"
        ]
    );
}

/// Programs check schemes before they open a link: line breaks must not hide one.
#[test]
fn schemes_over_line_breaks() {
    let cases = [
        (
            Breaks::FLOWED,
            "see java \nscript://x/%0Aalert(1)",
            "javascript",
        ),
        (Breaks::FLOWED, "> htt \n> ps://a.example/", "https"),
        (Breaks::FLOWED, "http \n://a.org/", "http"),
        (Breaks::NONE, "<http://a.exa\nmple/>", "http"),
        (Breaks::NONE, "http://a.example/", "http"),
    ];
    for (breaks, text, scheme) in cases {
        let scanner = Scanner::default().join(breaks);
        let hit = scanner.links(text).next().expect(text);
        assert_eq!(hit.scheme(text), scheme, "{text}");
        let begin = format!("{scheme}:");
        assert!(hit.link(text).starts_with(&begin), "{text}");
    }
}

#[test]
fn scheme_profile_needs_a_scheme() {
    let scanner = Scanner::new(Profile::Scheme);
    let text = "example.org a@example.org ⸠http://example.org/a⸡ ⸠mailto:a@example.org⸡";
    assert_eq!(marked(&scanner, &text.replace(['⸠', '⸡'], "")), text);
}
