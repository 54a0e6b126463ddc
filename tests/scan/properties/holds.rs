//! Properties of the links of any text, shared by the property test and the fuzz target.

use linkglot::{Breaks, Profile, Scanner};

/// The setting for links over line breaks.
#[derive(Clone, Copy, PartialEq)]
enum Joins {
    No,
    Yes,
}

/// Hits are in order, disjoint, not empty and on character boundaries; and each run reads the same alone.
pub fn holds(text: &str) -> Result<(), String> {
    let profiles = [Profile::Extended, Profile::Uts58, Profile::Scheme];
    let joining = Scanner::default().join(Breaks::FLOWED.with(Breaks::WRAPPED));
    let all = profiles.map(|profile| (Scanner::new(profile), Joins::No));
    for (scanner, joins) in all.into_iter().chain([(joining, Joins::Yes)]) {
        if joins == Joins::No && !text.contains('<') && !runs_are_alone(&scanner, text) {
            return Err(format!(
                "{scanner:?}: a run of {text:?} reads otherwise alone"
            ));
        }
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
        }
    }
    Ok(())
}

/// Locality: each run, a stretch without white space other than line ends that tie lines, has the links that it has
/// alone. Angle brackets and joined lines, which hold runs together, are left out.
fn runs_are_alone(scanner: &Scanner, text: &str) -> bool {
    let begin = |run: &str| run.as_ptr() as usize - text.as_ptr() as usize;
    let alone = runs(text).into_iter().flat_map(|run| {
        let hits = scanner.links(run).collect::<Vec<_>>().into_iter();
        hits.map(move |hit| {
            (
                hit.span.start + begin(run),
                hit.span.end + begin(run),
                hit.kind,
            )
        })
    });
    let together = scanner
        .links(text)
        .map(|hit| (hit.span.start, hit.span.end, hit.kind));
    together.eq(alone)
}

/// The stretches between white space. A line end behind `://`, a hyphen or a backslash, with the blanks and quote marks
/// behind it, separates none.
fn runs(text: &str) -> Vec<&str> {
    let is_space = |ch: char| matches!(ch, '\t' | '\n' | '\u{C}' | '\r' | ' ');
    let ties = ["://", "-", "\\", "\u{2010}", "\u{AD}"];
    let (mut runs, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(space) = text[at..].find(is_space) {
        let (front, rest) = text.split_at(at + space);
        let next = rest.strip_prefix("\r\n");
        let next = next.or_else(|| rest.strip_prefix(['\n', '\r']));
        let tied = next.filter(|_| ties.iter().any(|tie| front.ends_with(tie)));
        at = text.len()
            - tied.map_or(rest.len() - 1, |next| {
                next.trim_start_matches([' ', '\t', '>']).len()
            });
        if tied.is_none() {
            runs.push(&text[start..at - 1]);
            start = at;
        }
    }
    runs.push(&text[start..]);
    runs
}
