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

/// Whether the link is the one hit of a text that has nothing else. What ended it where it ended may be angle brackets
/// (RFC 3986 appendix C): such a link is alone between them.
fn again(scanner: &Scanner, hit: &Hit, text: &str) -> bool {
    let link = hit.link(text);
    let is_alone = |text: &str, start: usize| {
        let mut hits = scanner.links(text);
        let first = hits.next();
        let whole = first.is_some_and(|h| {
            (h.span.start, h.span.end) == (start, start + link.len()) && h.kind == hit.kind
        });
        whole && hits.next().is_none()
    };
    let before = text[..hit.span.start].trim_end();
    let in_angles = before.ends_with('<') || before.to_ascii_lowercase().ends_with("<url:");
    is_alone(&link, 0) || (in_angles && is_alone(&format!("<{link}>"), 1))
}
