//! What could deceive the reader of an IRI (RFC 3987 8).

use super::bidi;
use super::class;
use super::display::{self, label};
use super::host::uses_dns;
use super::idna;
use super::parts::Parts;
use super::percent;
use std::fmt;
use std::ops::Range;
use unicode_security::skeleton;

/// A reason to look twice at an IRI.
///
/// ```
/// let found = linkglot::iri::warnings("http://example.org/a/%2e%2E/b");
/// assert_eq!(found[0].range, 21..27);
/// assert_eq!(found[0].detail, "%2e%2E");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is.
    pub kind: WarningKind,
    /// Where: bytes of the IRI.
    pub range: Range<usize>,
    /// What is shown there, what it is mistaken for.
    pub detail: String,
}

/// The kinds of [`Warning`].
///
/// ```
/// use linkglot::iri::{WarningKind, warnings};
///
/// let kinds = |iri| warnings(iri).into_iter().map(|warning| warning.kind).collect::<Vec<_>>();
/// assert_eq!(kinds("http://www.bank.example@evil.example/"), [WarningKind::UserinfoLikeHost]);
/// assert_eq!(kinds("/a\u{FF0F}b%E9"), [WarningKind::DelimiterLookAlike, WarningKind::LegacyPercent]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningKind {
    /// A host label in scripts that are not written together (UTS 39 5.2).
    MixedScriptHost,
    /// A host label that looks like another; the detail is what it looks like (the skeleton of
    /// UTS 39 4).
    ConfusableHost,
    /// A component that breaks the rules for bidirectional IRIs (RFC 3987 4.2).
    BidiComponent,
    /// A bidi formatting character (RFC 3987 4.1).
    BidiControl,
    /// A space beyond ASCII, or a character that nobody sees.
    Invisible,
    /// Userinfo that reads like a host.
    UserinfoLikeHost,
    /// A character that looks like a delimiter.
    DelimiterLookAlike,
    /// A dot segment whose dots are percent-encoded.
    EncodedDots,
    /// Characters not in NFC.
    NotNfc,
    /// Percent-encoded octets that are not UTF-8: another charset.
    LegacyPercent,
    /// A percent sign that begins no octet.
    InvalidPercent,
    /// A private-use character.
    PrivateUse,
}

impl WarningKind {
    /// Every kind, in the order of their declaration.
    ///
    /// ```
    /// for kind in linkglot::iri::WarningKind::ALL {
    ///     println!("{}: {}", kind.code(), kind.words());
    /// }
    /// ```
    pub const ALL: [WarningKind; 12] = [
        WarningKind::MixedScriptHost,
        WarningKind::ConfusableHost,
        WarningKind::BidiComponent,
        WarningKind::BidiControl,
        WarningKind::Invisible,
        WarningKind::UserinfoLikeHost,
        WarningKind::DelimiterLookAlike,
        WarningKind::EncodedDots,
        WarningKind::NotNfc,
        WarningKind::LegacyPercent,
        WarningKind::InvalidPercent,
        WarningKind::PrivateUse,
    ];

    /// The stable code, as scripts read it.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::WarningKind::EncodedDots.code(), "encoded-dots");
    /// ```
    pub fn code(self) -> &'static str {
        self.code_and_words().0
    }

    /// The warning in words, for a person.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::WarningKind::Invisible.words(), "a character cannot be seen");
    /// ```
    pub fn words(self) -> &'static str {
        self.code_and_words().1
    }

    fn code_and_words(self) -> (&'static str, &'static str) {
        match self {
            WarningKind::MixedScriptHost => {
                ("mixed-script-host", "a label of the host mixes scripts")
            }
            WarningKind::ConfusableHost => {
                ("confusable-host", "a label of the host looks like another")
            }
            WarningKind::BidiComponent => {
                ("bidi-component", "a component mixes writing directions")
            }
            WarningKind::BidiControl => (
                "bidi-control",
                "an invisible character changes the writing direction",
            ),
            WarningKind::Invisible => ("invisible", "a character cannot be seen"),
            WarningKind::UserinfoLikeHost => (
                "userinfo-like-host",
                "what stands before the @ is no host although it looks like one",
            ),
            WarningKind::DelimiterLookAlike => {
                ("delimiter-look-alike", "a character looks like a delimiter")
            }
            WarningKind::EncodedDots => (
                "encoded-dots",
                "percent-encoded dots are a step in the hierarchy all the same",
            ),
            WarningKind::NotNfc => (
                "not-nfc",
                "characters are not in Unicode's composed form, the same look has another address",
            ),
            WarningKind::LegacyPercent => (
                "legacy-percent",
                "percent-encoded octets are not UTF-8 and cannot be shown",
            ),
            WarningKind::InvalidPercent => (
                "invalid-percent",
                "a percent sign is not followed by two hexadecimal digits",
            ),
            WarningKind::PrivateUse => (
                "private-use",
                "a private-use character means something else on each system",
            ),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.words(), self.detail)
    }
}

/// What could deceive the reader of an IRI or reference, valid or not, in the order of its place.
/// At most one of a kind for each label, part or component. Linear.
///
/// ```
/// use linkglot::iri::warnings::{WarningKind, warnings};
///
/// let found = warnings("http://xn--80ak6aa92e.com/");
/// assert_eq!(found[0].kind, WarningKind::ConfusableHost);
/// assert!(warnings("https://example.org/straße").is_empty());
/// ```
pub fn warnings(iri: &str) -> Vec<Warning> {
    let parts = Parts::split(iri);
    let mut found = Found {
        iri,
        all: Vec::new(),
    };
    found.userinfo(&parts);
    found.host(&parts);
    found.dots(&parts);
    for component in components(&parts) {
        found.characters(component.clone());
        found.octets(component);
    }
    for violation in bidi::check(iri).violations {
        found.bidi(violation);
    }
    found
        .all
        .sort_by_key(|warning| (warning.range.start, warning.kind));
    found.all.dedup();
    found.all
}

fn components(parts: &Parts) -> impl Iterator<Item = Range<usize>> {
    [
        parts.userinfo_range(),
        parts.host_range(),
        Some(parts.path_range()),
        parts.query_range(),
        parts.fragment_range(),
    ]
    .into_iter()
    .flatten()
}

/// Whether the character at a place is of a kind.
type Test<'t> = &'t dyn Fn(usize, char) -> bool;

struct Found<'i> {
    iri: &'i str,
    all: Vec<Warning>,
}

impl Found<'_> {
    fn push(&mut self, kind: WarningKind, range: Range<usize>, detail: impl Into<String>) {
        self.all.push(Warning {
            kind,
            range,
            detail: detail.into(),
        });
    }

    fn userinfo(&mut self, parts: &Parts) {
        let Some(range) = parts.userinfo_range() else {
            return;
        };
        let text = &self.iri[range.clone()];
        let user = text.split(':').next().unwrap_or(text);
        let user = percent::decoded(user).unwrap_or(user.into());
        if is_like_host(&user) {
            self.push(WarningKind::UserinfoLikeHost, range, user);
        }
    }

    fn host(&mut self, parts: &Parts) {
        let Some(range) = parts
            .host_range()
            .filter(|range| !self.iri[range.clone()].starts_with('['))
        else {
            return;
        };
        let host = &self.iri[range.clone()];
        let host = percent::decoded(host).unwrap_or(host.into());
        let is_domain = parts.scheme().is_none_or(uses_dns);
        let unicode = is_domain
            .then(|| idna::to_unicode(&host, |_, _| true))
            .flatten();
        let host = unicode.as_deref().unwrap_or(&host);
        let top = host
            .rsplit('.')
            .find(|label| !label.is_empty())
            .unwrap_or_default();
        for label in host.split(idna::is_dot) {
            self.label(range.clone(), label, top);
        }
    }

    fn label(&mut self, range: Range<usize>, label: &str, top: &str) {
        if label.is_ascii() {
            return;
        }
        if label::mixes_scripts(label) {
            self.push(WarningKind::MixedScriptHost, range.clone(), label);
        }
        if label::is_deceptive(label, top) {
            let twin: String = skeleton(label).collect();
            self.push(
                WarningKind::ConfusableHost,
                range,
                format!("{label} looks like {twin}"),
            );
        }
    }

    /// Dot segments that are only seen after decoding.
    fn dots(&mut self, parts: &Parts) {
        let mut start = parts.path_range().start;
        for segment in parts.path().split('/') {
            let range = start..start + segment.len();
            start = range.end + 1;
            let is_dots = segment.len() <= 6
                && segment.contains('%')
                && matches!(percent::decoded(segment).as_deref(), Some("." | ".."));
            if is_dots {
                self.push(WarningKind::EncodedDots, range, segment);
            }
        }
    }

    /// Characters as they stand there; the first of a kind in each component.
    fn characters(&mut self, component: Range<usize>) {
        let text = &self.iri[component.clone()];
        if text.is_ascii() {
            return;
        }
        let kinds: [(WarningKind, Test); 4] = [
            (WarningKind::BidiControl, &|_, ch| {
                class::is_bidi_control(ch)
            }),
            (WarningKind::PrivateUse, &|_, ch| class::is_iprivate(ch)),
            (WarningKind::Invisible, &|at, ch| is_invisible(text, at, ch)),
            (WarningKind::DelimiterLookAlike, &|_, ch| {
                is_delimiter_look_alike(ch)
            }),
        ];
        for (kind, is_such) in kinds {
            let mut chars = text.char_indices().filter(|(_, ch)| !ch.is_ascii());
            if let Some((at, ch)) = chars.find(|&(at, ch)| is_such(at, ch)) {
                let start = component.start + at;
                self.push(
                    kind,
                    start..start + ch.len_utf8(),
                    format!("U+{:04X}", ch as u32),
                );
            }
        }
        if !display::is_nfc(text) {
            self.push(WarningKind::NotNfc, component, text);
        }
    }

    /// Percent-encoded octets; the first of a kind in each component.
    fn octets(&mut self, component: Range<usize>) {
        let text = &self.iri[component.clone()];
        let bytes = text.as_bytes();
        let percents = || text.match_indices('%').map(|(at, _)| at);
        let bare = percents().find(|&at| percent::octet_at(bytes, at).is_none());
        if let Some(at) = bare.map(|at| component.start + at) {
            self.push(WarningKind::InvalidPercent, at..at + 1, "%");
        }
        if let Some(at) = percent::first_not_utf8(text) {
            let start = component.start + at;
            self.push(
                WarningKind::LegacyPercent,
                start..start + 3,
                &text[at..at + 3],
            );
        }
    }

    fn bidi(&mut self, violation: bidi::Violation) {
        let range = violation.start..violation.start + violation.text.len();
        self.push(WarningKind::BidiComponent, range, violation.text);
    }
}

/// Whether the name of a user reads like the name of a host: labels between dots, the last of at
/// least two letters.
fn is_like_host(user: &str) -> bool {
    let host = user.split(['/', '\\', '?', '#']).next().unwrap_or(user);
    let mut labels = host.rsplit(idna::is_dot);
    let is_top = |top: &str| top.chars().count() > 1 && top.chars().all(char::is_alphabetic);
    labels.next().is_some_and(is_top) && labels.next().is_some_and(|label| !label.is_empty())
}

fn is_delimiter_look_alike(ch: char) -> bool {
    let mut buffer = [0; 4];
    display::is_delimiter_look_alike(ch)
        || !ch.is_alphanumeric()
            && skeleton(ch.encode_utf8(&mut buffer))
                .any(|twin| b"/:?#@%".iter().any(|&byte| twin == char::from(byte)))
}

/// Whether nobody sees a character. A joiner in its context changes its neighbours.
fn is_invisible(text: &str, at: usize, ch: char) -> bool {
    match ch {
        display::ZWJ | display::ZWNJ => {
            let before = text[..at].chars().rev();
            let after = text[at + ch.len_utf8()..].chars();
            !display::is_joiner_in_context(ch, before, after)
        }
        _ => !display::is_visible(ch) && !class::is_bidi_control(ch),
    }
}

#[cfg(test)]
mod tests;
