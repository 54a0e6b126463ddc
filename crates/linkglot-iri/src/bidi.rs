//! Bidirectional IRIs (RFC 3987 4): the rules for their structure, and how they are displayed.
//!
//! The letters and digits of percent-encoding count as themselves: example 9 of 4.4 shows how they
//! change the display.

mod components;
pub(crate) mod direction;
pub(crate) mod isolate;

pub use components::Violation;
pub use isolate::{isolated, unwrapped};

use crate::class;
use crate::parts::Parts;
use components::Component;
use direction::{Direction, bidi_class, direction};
use icu_properties::CodePointMapData;
use icu_properties::props::{BidiClass, BidiMirroringGlyph};
use std::ops::Range;
use unicode_bidi::{BidiDataSource, Level, ParagraphBidiInfo};

/// The verdict of RFC 3987 4 on an IRI, from the mildest to the gravest.
///
/// ```
/// use linkglot_iri::bidi::{Verdict, check};
///
/// assert_eq!(check("http://example.org/א/1").verdict, Verdict::AllowedNotRecommended);
/// assert!(Verdict::Ok < Verdict::Forbidden);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The IRI keeps all rules.
    Ok,
    /// A component of digits alone is displayed in a right-to-left run (example 10).
    AllowedNotRecommended,
    /// A component breaks rule 1 or 2.
    NotRecommended,
    /// The IRI has a bidi formatting character (4.1).
    Forbidden,
}

impl Verdict {
    /// The stable code, for scripts.
    ///
    /// ```
    /// use linkglot_iri::bidi::Verdict;
    ///
    /// assert_eq!(Verdict::NotRecommended.code(), "not-recommended");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::AllowedNotRecommended => "allowed-not-recommended",
            Verdict::NotRecommended => "not-recommended",
            Verdict::Forbidden => "forbidden",
        }
    }
}

/// The result of [`check`].
///
/// ```
/// // The host as a whole has both directions, but each of its labels has only one.
/// let report = linkglot_iri::bidi::check("http://אב.example/");
/// assert!(report.violations.is_empty());
/// assert_eq!(report.grammar[0].component, "ireg-name");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<'i> {
    /// The verdict, by the parts of components.
    pub verdict: Verdict,
    /// The rules that parts of components break: host labels, file names, their extensions, and the
    /// names and values of queries. A component without such parts is its own part.
    pub violations: Vec<Violation<'i>>,
    /// The rules that whole components of the grammar break. Good IRIs break them, too: a host of
    /// two labels in different directions does.
    pub grammar: Vec<Violation<'i>>,
    /// The components of digits that are displayed in a right-to-left run, away from their place
    /// (example 10 of 4.4). Ranges in bytes.
    pub moved_digits: Vec<Range<usize>>,
}

/// Checks an IRI or reference, valid or not, against RFC 3987 4.2. Linear.
///
/// ```
/// use linkglot_iri::bidi::{Verdict, check};
///
/// assert_eq!(check("http://דוגמה.com/").verdict, Verdict::Ok);
/// let report = check("http://example.org/abגד");
/// assert_eq!(report.verdict, Verdict::NotRecommended);
/// assert_eq!(report.violations[0].text, "abגד");
/// ```
pub fn check(iri: &str) -> Report<'_> {
    let mut report = Report {
        verdict: Verdict::Ok,
        violations: Vec::new(),
        grammar: Vec::new(),
        moved_digits: Vec::new(),
    };
    if !may_be_bidi(iri) {
        return report;
    }
    let components = components::of(&Parts::split(iri));
    for component in &components {
        report.grammar.extend(component.violations(iri));
        for part in component.parts(iri) {
            report.violations.extend(part.violations(iri));
        }
    }
    report.moved_digits = moved_digits(iri, &components);
    report.verdict = verdict(iri, &report);
    report
}

/// The parts of components outside of the host, as 4.2 subdivides them.
pub(crate) fn parts_outside_host(parts: &Parts) -> Vec<Range<usize>> {
    let components = components::of(parts).into_iter();
    let outside = components.filter(|component| !component.is_host());
    outside
        .flat_map(|component| component.parts(parts.text()).map(|part| part.range()))
        .collect()
}

fn verdict(iri: &str, report: &Report) -> Verdict {
    if iri.chars().any(class::is_bidi_control) {
        return Verdict::Forbidden;
    }
    if !report.violations.is_empty() {
        return Verdict::NotRecommended;
    }
    if report.moved_digits.is_empty() {
        Verdict::Ok
    } else {
        Verdict::AllowedNotRecommended
    }
}

fn moved_digits(iri: &str, components: &[Component]) -> Vec<Range<usize>> {
    let levels = levels(iri);
    let parts = components
        .iter()
        .flat_map(|component| component.parts(iri).chain(component.port()));
    let ranges = parts.map(|part| part.range());
    ranges
        .filter(|range| moves_digits(iri, &levels, range.clone()))
        .collect()
}

/// True if a component has digits and no letters, and the bidi algorithm displays the digits in a right-to-left run
/// that goes on beside the component. (Arabic digits alone form a right-to-left run, too, but stay in their place.)
fn moves_digits(iri: &str, levels: &[Level], range: Range<usize>) -> bool {
    let text = &iri[range.clone()];
    let is_strong = |ch| matches!(direction(ch), Direction::Left | Direction::Right);
    let moved = |(at, ch)| {
        direction(ch) == Direction::Digit
            && levels
                .get(range.start + at)
                .is_some_and(|level: &Level| level.number() > 0)
    };
    let is_rtl = |at: usize| levels.get(at).is_some_and(|level| level.number() > 0);
    let goes_on = is_rtl(range.end) || range.start > 0 && is_rtl(range.start - 1);
    goes_on && !text.chars().any(is_strong) && text.char_indices().any(moved)
}

/// True if a text has characters that are written from right to left, or move others.
fn may_be_bidi(text: &str) -> bool {
    text.chars().any(|ch| ch >= '\u{590}' && is_rtl(ch))
}

fn is_rtl(ch: char) -> bool {
    class::is_bidi_control(ch)
        || matches!(direction(ch), Direction::Right)
        || bidi_class(ch) == BidiClass::ArabicNumber
}

/// The characters of an IRI in the order of their display from left to right (4.1: as in a
/// left-to-right embedding), brackets mirrored. For illustrations and tests: the result is no link.
/// Linear.
///
/// ```
/// use linkglot_iri::bidi::visual;
///
/// assert_eq!(visual("http://ab.גד/"), "http://ab.דג/");
/// ```
pub fn visual(iri: &str) -> String {
    let byte_levels = levels(iri);
    let (chars, levels): (Vec<char>, Vec<Level>) = iri
        .char_indices()
        .filter_map(|(at, ch)| Some((ch, *byte_levels.get(at)?)))
        .unzip();
    let order = unicode_bidi::BidiInfo::reorder_visual(&levels);
    order
        .into_iter()
        .map(|at| mirrored(chars[at], levels[at].is_rtl()))
        .collect()
}

fn mirrored(ch: char, is_rtl: bool) -> char {
    let glyph = CodePointMapData::<BidiMirroringGlyph>::new().get(ch);
    glyph.mirroring_glyph.filter(|_| is_rtl).unwrap_or(ch)
}

/// The embedding level of each byte.
fn levels(iri: &str) -> Vec<Level> {
    ParagraphBidiInfo::new_with_data_source(&BidiClasses, iri, Some(Level::ltr())).levels
}

/// The bidi classes of the Unicode version of the other tables; the tables of the crate unicode-bidi are older.
struct BidiClasses;

impl BidiDataSource for BidiClasses {
    fn bidi_class(&self, ch: char) -> unicode_bidi::BidiClass {
        use unicode_bidi::BidiClass as Class;
        match bidi_class(ch) {
            BidiClass::LeftToRight => Class::L,
            BidiClass::RightToLeft => Class::R,
            BidiClass::EuropeanNumber => Class::EN,
            BidiClass::EuropeanSeparator => Class::ES,
            BidiClass::EuropeanTerminator => Class::ET,
            BidiClass::ArabicNumber => Class::AN,
            BidiClass::CommonSeparator => Class::CS,
            BidiClass::ParagraphSeparator => Class::B,
            BidiClass::SegmentSeparator => Class::S,
            BidiClass::WhiteSpace => Class::WS,
            BidiClass::LeftToRightEmbedding => Class::LRE,
            BidiClass::LeftToRightOverride => Class::LRO,
            BidiClass::ArabicLetter => Class::AL,
            BidiClass::RightToLeftEmbedding => Class::RLE,
            BidiClass::RightToLeftOverride => Class::RLO,
            BidiClass::PopDirectionalFormat => Class::PDF,
            BidiClass::NonspacingMark => Class::NSM,
            BidiClass::BoundaryNeutral => Class::BN,
            BidiClass::FirstStrongIsolate => Class::FSI,
            BidiClass::LeftToRightIsolate => Class::LRI,
            BidiClass::RightToLeftIsolate => Class::RLI,
            BidiClass::PopDirectionalIsolate => Class::PDI,
            _ => Class::ON,
        }
    }
}

#[cfg(test)]
mod tests;
