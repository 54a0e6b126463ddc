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

/// Locality: each run, a stretch without white space, has the links that it has alone. Angle brackets and joined lines,
/// which hold runs together, are left out.
fn runs_are_alone(scanner: &Scanner, text: &str) -> bool {
    let is_space = |ch: char| matches!(ch, '\t' | '\n' | '\u{C}' | '\r' | ' ');
    let begin = |run: &str| run.as_ptr() as usize - text.as_ptr() as usize;
    let alone = text.split(is_space).flat_map(|run| {
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
