//! Bidirectional IRIs (RFC 3987 4): the rules for their structure, and how they are displayed.
//!
//! Every character counts as itself, the letters and digits of percent-encoding too: example 9 of
//! 4.4 shows what they do to the display.

mod components;

use super::class;
use super::parts::Parts;
use components::Component;
use icu_properties::CodePointMapData;
use icu_properties::props::{BidiClass, BidiMirroringGlyph};
use std::ops::Range;
use unicode_bidi::{BidiDataSource, Level, ParagraphBidiInfo};

/// What RFC 3987 4.2 says of an IRI, the gravest first to last.
///
/// ```
/// use linkglot::iri::bidi::{Verdict, check};
///
/// assert_eq!(check("http://example.org/א/1").verdict, Verdict::AllowedNotRecommended);
/// assert!(Verdict::Ok < Verdict::Forbidden);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nothing to complain about.
    Ok,
    /// A component of digits alone stands in a run from right to left (example 10).
    AllowedNotRecommended,
    /// A component breaks rule 1 or 2.
    NotRecommended,
    /// There is a bidi formatting character (4.1).
    Forbidden,
}

impl Verdict {
    /// The stable code, as scripts read it.
    ///
    /// ```
    /// use linkglot::iri::bidi::Verdict;
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

/// A component that breaks a rule of RFC 3987 4.2.
///
/// ```
/// let report = linkglot::iri::bidi::check("http://example.org/?q=א1");
/// let violation = report.violations[0];
/// assert_eq!((violation.component, violation.text, violation.start), ("value", "א1", 22));
/// assert_eq!(violation.rule, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Violation<'i> {
    /// The component: its name in the ABNF of 2.2, or `label`, `extension`, `name`, `value` for the
    /// parts of one.
    pub component: &'static str,
    /// Its text.
    pub text: &'i str,
    /// Where it stands: bytes of the IRI.
    pub start: usize,
    /// Rule 1 (both directions in one component) or 2 (not right to left at both ends).
    pub rule: u8,
}

/// What [`check`] finds.
///
/// ```
/// // As a whole the host has both directions, but each of its labels has one.
/// let report = linkglot::iri::bidi::check("http://אב.example/");
/// assert!(report.violations.is_empty());
/// assert_eq!(report.grammar[0].component, "ireg-name");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<'i> {
    /// The verdict, by the parts of components.
    pub verdict: Verdict,
    /// The rules that host labels, names with and without their extension, and names and values in
    /// queries break; components that have no parts stand for themselves.
    pub violations: Vec<Violation<'i>>,
    /// The rules that whole components of the grammar break. Good IRIs break them: a host of two
    /// labels in different directions does.
    pub grammar: Vec<Violation<'i>>,
}

/// Checks an IRI or reference, valid or not, against RFC 3987 4.2. Linear.
///
/// ```
/// use linkglot::iri::bidi::{Verdict, check};
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
    };
    if !may_be_bidi(iri) {
        return report;
    }
    let components = components::of(&Parts::split(iri));
    for component in &components {
        component.broken(iri, &mut report.grammar);
        for part in component.parts(iri) {
            part.broken(iri, &mut report.violations);
        }
    }
    report.verdict = verdict(iri, &report, &components);
    report
}

fn verdict(iri: &str, report: &Report, components: &[Component]) -> Verdict {
    if iri.chars().any(class::is_bidi_control) {
        return Verdict::Forbidden;
    }
    if !report.violations.is_empty() {
        return Verdict::NotRecommended;
    }
    let levels = levels(iri);
    let parts = components
        .iter()
        .flat_map(|component| component.parts(iri).chain(component.port()));
    if { parts }.any(|part| moves_digits(iri, &levels, part.range())) {
        return Verdict::AllowedNotRecommended;
    }
    Verdict::Ok
}

/// Whether a component has digits and no letters, and the algorithm puts them in a run from right
/// to left.
fn moves_digits(iri: &str, levels: &[Level], range: Range<usize>) -> bool {
    let text = &iri[range.clone()];
    let is_strong = |ch| matches!(direction(ch), Direction::Left | Direction::Right);
    let moved = |(at, ch)| {
        direction(ch) == Direction::Digit
            && levels
                .get(range.start + at)
                .is_some_and(|level: &Level| level.number() > 0)
    };
    !text.chars().any(is_strong) && text.char_indices().any(moved)
}

/// Whether a text has characters that could be written from right to left, or move others.
pub(super) fn may_be_bidi(text: &str) -> bool {
    text.chars().any(|ch| ch >= '\u{590}' && is_rtl(ch))
}

fn is_rtl(ch: char) -> bool {
    class::is_bidi_control(ch)
        || matches!(direction(ch), Direction::Right)
        || bidi_class(ch) == BidiClass::ArabicNumber
}

/// How a character is written, as far as the rules of 4.2 ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From left to right.
    Left,
    /// From right to left.
    Right,
    /// A digit of any kind.
    Digit,
    /// A nonspacing mark: written like the character before it.
    Mark,
    /// Everything else.
    Neutral,
}

pub(super) fn direction(ch: char) -> Direction {
    match bidi_class(ch) {
        BidiClass::LeftToRight => Direction::Left,
        BidiClass::RightToLeft | BidiClass::ArabicLetter => Direction::Right,
        BidiClass::EuropeanNumber | BidiClass::ArabicNumber => Direction::Digit,
        BidiClass::NonspacingMark => Direction::Mark,
        _ => Direction::Neutral,
    }
}

fn bidi_class(ch: char) -> BidiClass {
    CodePointMapData::<BidiClass>::new().get(ch)
}

/// The rules of 4.2 that a component breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Broken {
    /// Rule 1: both directions.
    pub(super) mixed: bool,
    /// Rule 2: not right to left at both ends. Nonspacing marks at the end are tolerated.
    pub(super) ends: bool,
}

impl Broken {
    pub(super) fn any(self) -> bool {
        self.mixed || self.ends
    }
}

/// Applies the rules of 4.2 to the characters of a component. Linear.
pub(super) fn broken(directions: impl Iterator<Item = Direction>) -> Broken {
    let (mut left, mut right) = (false, false);
    let (mut first, mut last) = (None, None);
    for direction in directions {
        left |= direction == Direction::Left;
        right |= direction == Direction::Right;
        first = first.or(Some(direction));
        if direction != Direction::Mark {
            last = Some(direction);
        }
    }
    Broken {
        mixed: left && right,
        ends: right && (first != Some(Direction::Right) || last != Some(Direction::Right)),
    }
}

/// The IRI in the order in which it is displayed from left to right (4.1: as in an embedding from
/// left to right), brackets mirrored. For pictures and tests: never a link. Linear.
///
/// ```
/// use linkglot::iri::bidi::visual;
///
/// assert_eq!(visual("http://ab.גד/"), "http://ab.דג/");
/// ```
pub fn visual(iri: &str) -> String {
    let levels: Vec<Level> = {
        let levels = levels(iri);
        iri.char_indices()
            .filter_map(|(at, _)| levels.get(at).copied())
            .collect()
    };
    let chars: Vec<char> = iri.chars().collect();
    let order = unicode_bidi::BidiInfo::reorder_visual(&levels);
    order
        .into_iter()
        .filter_map(|at| Some(mirrored(*chars.get(at)?, levels.get(at)?.is_rtl())))
        .collect()
}

fn mirrored(ch: char, is_rtl: bool) -> char {
    let glyph = CodePointMapData::<BidiMirroringGlyph>::new().get(ch);
    glyph.mirroring_glyph.filter(|_| is_rtl).unwrap_or(ch)
}

/// The embedding level of each byte.
fn levels(iri: &str) -> Vec<Level> {
    let info = ParagraphBidiInfo::new_with_data_source(&Data, iri, Some(Level::ltr()));
    info.levels
}

/// The classes of the Unicode version that the other tables have; those of the unicode-bidi crate
/// are older.
struct Data;

impl BidiDataSource for Data {
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
