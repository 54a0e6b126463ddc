//! What must hold of the links of any text. The property test and the fuzz target share it.

use linkglot::scan::{Breaks, Hit, Profile, Scanner};

/// Hits are in order, disjoint, not empty, on character boundaries; each alone in a text is found again.
pub fn holds(text: &str) -> Result<(), String> {
    let profiles = [Profile::Extended, Profile::Uts58, Profile::Scheme];
    let joining = Scanner::default().join(Breaks::FLOWED.with(Breaks::WRAPPED));
    for scanner in profiles.map(Scanner::new).into_iter().chain([joining]) {
        let mut end = 0;
        for hit in scanner.links(text) {
            let span = hit.span;
            if span.start < end
                || span.end <= span.start
                || text.get(span.start..span.end).is_none()
            {
                return Err(format!("{scanner:?}: {span:?} after {end} in {text:?}"));
            }
            end = span.end;
            let scheme = hit.scheme(text);
            let begins = hit.implied_scheme().is_some()
                || hit
                    .link(text)
                    .strip_prefix(&*scheme)
                    .is_some_and(|rest| rest.starts_with(':'));
            if !begins || scheme.is_empty() {
                return Err(format!("{scheme:?} is no scheme of {hit:?} in {text:?}"));
            }
            if !again(&scanner, &hit, text) {
                let link = hit.link(text);
                return Err(format!(
                    "{scanner:?}: {link:?} of {text:?} is not found alone"
                ));
            }
        }
    }
    Ok(())
}

/// What holds a link and nothing else, so that the link ends where it closes: what opens it in front of the link, what stands behind the
/// link, and the least that closes it; white space may be between.
const ENCLOSURES: &[(&str, &str, &str)] = &[
    ("](", ")", ")"),
    ("](", "\"", " \""),
    ("](", "'", " '"),
    ("[url]", "[/url]", "[/url]"),
    ("[img]", "[/img]", "[/img]"),
    ("[link]", "[/link]", "[/link]"),
    ("[url=", "]", "]"),
    ("\\url{", "}", "}"),
    ("\\href{", "}", "}"),
    ("\\nolinkurl{", "}", "}"),
    ("\\path{", "}", "}"),
    ("[[", "]]", "]]"),
    ("[[", "][", "]["),
    ("[[", "|", "|"),
    ("\"", "\"", "\""),
    ("'", "'", "'"),
    ("`", "`", "`"),
    ("＂", "＂", "＂"),
    ("＇", "＇", "＇"),
    ("｀", "｀", "｀"),
    ("＜", "＞", "＞"),
    ("「", "」", "」"),
    ("『", "』", "』"),
    ("《", "》", "》"),
    ("〈", "〉", "〉"),
    ("｢", "｣", "｣"),
    ("“", "”", "”"),
    ("‟", "”", "”"),
    ("”", "”", "”"),
    ("„", "“", "“"),
    ("„", "”", "”"),
    ("„", "‟", "‟"),
    ("‘", "’", "’"),
    ("‛", "’", "’"),
    ("’", "’", "’"),
    ("‚", "‘", "‘"),
    ("‚", "’", "’"),
    ("«", "»", "»"),
    ("»", "«", "«"),
    ("»", "»", "»"),
    ("‹", "›", "›"),
    ("›", "‹", "‹"),
    ("›", "›", "›"),
];

/// Whether the link is the one hit of a text that has nothing else. One in markup or in angle brackets (RFC 3986 appendix C)
/// has its end of that: it is the one hit of just that around it.
fn again(scanner: &Scanner, hit: &Hit, text: &str) -> bool {
    let link = hit.link(text);
    let is_alone = |open: &str, close: &str| {
        let text = format!("{open}{link}{close}");
        let mut hits = scanner.links(&text);
        let whole = hits.next().is_some_and(|h| {
            let place = (h.span.start, h.span.end);
            place == (open.len(), open.len() + link.len()) && h.kind == hit.kind
        });
        whole && hits.next().is_none()
    };
    let before = text[..hit.span.start].trim_end().to_ascii_lowercase();
    let raw = &text[hit.span.end..];
    let behind = raw.trim_start().to_ascii_lowercase();
    let line = raw.lines().next().unwrap_or("");
    let has_label = || line.starts_with(' ') && line.contains(']') && is_alone("[", " label]");
    let is_enclosed = ENCLOSURES.iter().any(|(open, closed, close)| {
        before.ends_with(open) && behind.starts_with(closed) && is_alone(open, close)
    });
    let in_angles = || before.ends_with('<') || before.ends_with("<url:");
    let is_labelled = || before.ends_with('[') && has_label();
    let ends_value = |ch: char| ch.is_whitespace() || "\0|}>]&;".contains(ch);
    let is_value =
        || before.ends_with('=') && raw.chars().next().is_none_or(ends_value) && is_alone("x=", "");
    is_alone("", "")
        || is_enclosed
        || is_labelled()
        || is_value()
        || in_angles() && is_alone("<", ">")
}
