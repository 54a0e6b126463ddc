//! Warnings of everything that could deceive the reader of an IRI (RFC 3987 8).

mod quick;

use crate::bidi::direction::{broken_rules, direction};
use crate::bidi::{self, Violation};
use crate::lenient::Lenient;
use crate::look_alike::{self, Kind};
use crate::notes::{Note, Notes};
use crate::parts::Parts;
use crate::{class, display, host, idna, mailto, percent, scheme, spoof, target};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use unicode_script::Script;
use unicode_security::skeleton;

/// Something in an IRI that could deceive its reader.
///
/// ```
/// let found = linkglot_iri::warnings("http://example.org/a/%2e%2E/b");
/// assert_eq!(found[0].range, 21..27);
/// assert_eq!(found[0].detail, "%2e%2E");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind of deception, one of [`Note::WARNINGS`].
    pub note: Note,
    /// The range in the IRI, in bytes.
    pub range: Range<usize>,
    /// The text or character in the range, or the text that it can be mistaken for.
    pub detail: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.note.words(), self.detail)
    }
}

/// Lists everything that could deceive the reader of an IRI or reference, valid or not, by position. At most one
/// warning of a kind for each label, part or component. Linear.
///
/// ```
/// use linkglot_iri::{Note, warnings};
///
/// let found = warnings("http://xn--80ak6aa92e.com/");
/// assert_eq!(found[0].note, Note::ConfusableHost);
/// assert!(warnings("https://example.org/straße").is_empty());
/// ```
pub fn warnings(iri: &str) -> Vec<Warning> {
    if !quick::may_warn(iri) {
        return Vec::new();
    }
    let read = Lenient::read(iri);
    let mut warnings = warnings_of(&read.parts());
    for warning in &mut warnings {
        warning.range = read.origin(warning.range.clone());
    }
    warnings
}

/// The notes of the [`warnings`] of an IRI or reference. Linear; nearly all links need one quick pass.
///
/// ```
/// use linkglot_iri::{Note, warning_notes};
///
/// assert_eq!(warning_notes("http://a.example:99999/"), Note::PortOutOfRange.into());
/// assert!(warning_notes("http://a.example:80/").is_empty());
/// ```
pub fn warning_notes(iri: &str) -> Notes {
    warnings(iri).iter().map(|warning| warning.note).collect()
}

fn warnings_of(parts: &Parts<'_>) -> Vec<Warning> {
    let iri = parts.text();
    let mut collector = Collector {
        iri,
        warnings: Vec::new(),
    };
    collector.userinfo(parts);
    collector.host(parts);
    collector.port(parts);
    collector.mail_hosts(parts);
    collector.scripts(parts);
    collector.encoded_dots(parts);
    for component in components(parts) {
        collector.octets(component.clone());
        if parts.host_range().as_ref() != Some(&component) {
            collector.characters(&Read::literal(iri, component.clone()));
            collector.encoded_characters(component);
        } else {
            collector.characters(&Read::decoded(iri, component));
        }
    }
    let bidi = bidi::check(iri);
    for violation in bidi.violations {
        collector.bidi(violation);
    }
    collector.encoded_bidi(parts);
    for range in bidi.moved_digits {
        collector.push(Note::BidiDigits, range.clone(), &iri[range]);
    }
    let mut warnings = collector.warnings;
    warnings.sort_by_key(|warning| (warning.range.start, warning.note));
    warnings.dedup();
    warnings
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

/// The text of a component as it is read.
struct Read<'i> {
    /// The component, and its range in the IRI.
    raw: &'i str,
    range: Range<usize>,
    text: Cow<'i, str>,
}

impl<'i> Read<'i> {
    /// A component whose escapes stay: they are shown.
    fn literal(iri: &'i str, range: Range<usize>) -> Self {
        let raw = &iri[range.clone()];
        let text = raw.into();
        Read { raw, range, text }
    }

    /// A host, whose escapes are undone before it is looked up (URL Standard 3.5).
    fn decoded(iri: &'i str, range: Range<usize>) -> Self {
        let mut read = Read::literal(iri, range);
        if let Some(text) = percent::decoded(read.raw) {
            read.text = text;
        }
        read
    }

    /// The range in the IRI of a character at a position of the text. Linear.
    fn place(&self, at: usize, ch: char) -> Range<usize> {
        let bytes = self.raw.as_bytes();
        let behind = |from: usize, octets: usize| {
            let step = |from| {
                from + if percent::octet_at(bytes, from).is_some() {
                    3
                } else {
                    1
                }
            };
            (0..octets).fold(from, |from, _| step(from))
        };
        let start = match &self.text {
            Cow::Borrowed(_) => at,
            Cow::Owned(_) => behind(0, at),
        };
        let end = match &self.text {
            Cow::Borrowed(_) => at + ch.len_utf8(),
            Cow::Owned(_) => behind(start, ch.len_utf8()),
        };
        self.range.start + start..self.range.start + end
    }
}

/// True for a character, at its position, that deserves a warning.
type Test<'t> = &'t dyn Fn(usize, char) -> bool;

struct Collector<'i> {
    iri: &'i str,
    warnings: Vec<Warning>,
}

impl Collector<'_> {
    fn push(&mut self, note: Note, range: Range<usize>, detail: impl Into<String>) {
        self.warnings.push(Warning {
            note,
            range,
            detail: detail.into(),
        });
    }

    fn userinfo(&mut self, parts: &Parts) {
        if let (Some(range), Some(user)) = (parts.userinfo_range(), host_in_userinfo(parts)) {
            self.push(Note::UserinfoLikeHost, range, user);
        }
    }

    fn port(&mut self, parts: &Parts) {
        let (Some(range), Some(port)) = (parts.port_range(), parts.port()) else {
            return;
        };
        let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && port.parse::<u16>().is_err() {
            self.push(Note::PortOutOfRange, range, port);
        }
    }

    fn host(&mut self, parts: &Parts) {
        let (Some(range), Some(host)) = (parts.host_range(), parts.host()) else {
            return;
        };
        if !host.starts_with('[') {
            let is_domain = parts.scheme().is_none_or(scheme::uses_dns);
            if is_domain && let Some(address) = target::disguised_address(host) {
                self.push(
                    Note::DisguisedAddress,
                    range.clone(),
                    format!("{host} is {address}"),
                );
            }
            self.domain(range, host, is_domain);
        }
    }

    /// The hosts of the addresses of a `mailto` IRI (RFC 6068 2).
    fn mail_hosts(&mut self, parts: &Parts) {
        if !parts
            .scheme()
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto"))
        {
            return;
        }
        for list in mailto::address_lists(parts) {
            let mut start = list.start;
            for address in self.iri[list].split(',') {
                let end = start + address.len();
                if let Some(at) = address.rfind('@') {
                    let host = start + at + 1..end;
                    self.domain(host.clone(), &address[at + 1..], true);
                    if address[at..].contains('%') {
                        self.characters(&Read::decoded(self.iri, host));
                    }
                }
                start = end + 1;
            }
        }
    }

    fn domain(&mut self, range: Range<usize>, host: &str, is_domain: bool) {
        let host = percent::decoded(host).unwrap_or(host.into());
        let unicode = is_domain
            .then(|| idna::to_unicode(&host, |_, _| true))
            .flatten();
        let host = unicode.as_deref().unwrap_or(&host);
        let top = host.rsplit('.').find(|label| !label.is_empty());
        for label in host.split(idna::is_dot) {
            self.label(range.clone(), label, top.unwrap_or_default());
        }
    }

    fn label(&mut self, range: Range<usize>, label: &str, top: &str) {
        if label.is_ascii() {
            return;
        }
        if spoof::mixes_scripts(label) {
            self.push(Note::MixedScriptHost, range.clone(), label);
        }
        if spoof::is_deceptive(label, top) {
            let twin: String = skeleton(label).collect();
            let detail = format!("{label} looks like {twin}");
            self.push(Note::ConfusableHost, range, detail);
        }
    }

    /// Warns of words and texts outside of the host that look like other text.
    fn scripts(&mut self, parts: &Parts) {
        let may_disguise = |text: &str| !text.is_ascii() || text.contains('%');
        if !may_disguise(self.iri) {
            return;
        }
        for range in bidi::parts_outside_host(parts) {
            let raw = &self.iri[range.clone()];
            let text = percent::decoded(raw).unwrap_or(raw.into());
            if text.is_ascii() {
                continue;
            }
            if let Some(word) = words(&text).find(|word| spoof::mixes_scripts(word)) {
                self.push(Note::MixedScript, range.clone(), word);
            }
            if let Some((script, twin)) = spoof::look_alike(&text)
                && !self.expects(script, parts)
            {
                let detail = format!("{text} looks like {twin}");
                self.push(Note::LookAlike, range, detail);
            }
        }
    }

    /// True if a script is no surprise: other characters show that the IRI has it, or the top-level domain does.
    fn expects(&self, script: Script, parts: &Parts) -> bool {
        let host = parts.host().map(host::unicode).unwrap_or_default();
        let top = host.rsplit('.').find(|label| !label.is_empty());
        let all = percent::decoded(self.iri).unwrap_or(self.iri.into());
        let mut chars = host.chars().chain(all.chars());
        chars.any(|ch| spoof::evident_script(ch) == Some(script))
            || spoof::is_at_home(script, top.unwrap_or_default())
    }

    /// Warns of segments that are dot segments only after decoding.
    fn encoded_dots(&mut self, parts: &Parts) {
        let mut start = parts.path_range().start;
        for segment in parts.path().split('/') {
            let range = start..start + segment.len();
            start = range.end + 1;
            let is_dots = segment.len() <= 6
                && segment.contains('%')
                && matches!(percent::decoded(segment).as_deref(), Some("." | ".."));
            if is_dots {
                self.push(Note::EncodedDots, range, segment);
            }
        }
    }

    /// Warns of the characters of a component, the first of each kind.
    fn characters(&mut self, read: &Read<'_>) {
        let text = &*read.text;
        if text.is_ascii() {
            return;
        }
        let kinds: [(Note, Test); 4] = [
            (Note::BidiControl, &|_, ch| class::is_bidi_control(ch)),
            (Note::PrivateUse, &|_, ch| class::is_iprivate(ch)),
            (Note::Invisible, &|at, ch| is_invisible(text, at, ch)),
            (Note::DelimiterLookAlike, &|_, ch| {
                look_alike::kind(ch) == Some(Kind::Delimiter)
            }),
        ];
        for (kind, is_of_kind) in kinds {
            let mut chars = text.char_indices().filter(|(_, ch)| !ch.is_ascii());
            if let Some((at, ch)) = chars.find(|&(at, ch)| is_of_kind(at, ch)) {
                self.push(kind, read.place(at, ch), format!("U+{:04X}", u32::from(ch)));
            }
        }
        self.variants(read);
        if !display::is_nfc(text) {
            self.push(Note::NotNfc, read.range.clone(), text);
        }
    }

    /// Warns of percent-encoded characters, the first of each kind in a component: software that decodes them shows an
    /// unreadable link.
    fn encoded_characters(&mut self, component: Range<usize>) {
        let text = &self.iri[component.clone()];
        let kind = |ch| {
            let is_joiner = matches!(ch, display::ZWJ | display::ZWNJ);
            match ch {
                _ if class::is_bidi_control(ch) => Some(Note::BidiControl),
                _ if class::is_iprivate(ch) => Some(Note::PrivateUse),
                _ if !is_joiner && !display::is_visible(ch) => Some(Note::Invisible),
                _ => None,
            }
        };
        for note in [Note::BidiControl, Note::PrivateUse, Note::Invisible] {
            let mut chars = encoded_chars(text);
            if let Some((at, ch)) = chars.find(|&(_, ch)| kind(ch) == Some(note)) {
                let start = component.start + at;
                let range = start..start + 3 * ch.len_utf8();
                self.push(note, range, format!("U+{:04X}", u32::from(ch)));
            }
        }
    }

    /// Warns of parts that mix writing directions once their escapes are decoded.
    fn encoded_bidi(&mut self, parts: &Parts) {
        if encoded_chars(self.iri).next().is_none() {
            return;
        }
        for range in bidi::parts_outside_host(parts) {
            let raw = &self.iri[range.clone()];
            let Some(text) = percent::decoded(raw).filter(|text| text.len() < raw.len()) else {
                continue;
            };
            if broken_rules(text.chars().map(direction)).any() {
                self.push(Note::BidiComponent, range, text);
            }
        }
        let Some(host) = parts.host_range() else {
            return;
        };
        let read = Read::decoded(self.iri, host);
        let is_read_otherwise = read.text.len() < read.raw.len();
        for label in read.text.split(idna::is_dot).filter(|_| is_read_otherwise) {
            if broken_rules(label.chars().map(direction)).any() {
                self.push(Note::BidiComponent, read.range.clone(), label);
            }
        }
    }

    /// Warns of the first variant of each kind that Unicode has for compatibility.
    fn variants(&mut self, read: &Read<'_>) {
        for (note, kind) in [
            (Note::WidthForm, Kind::Width),
            (Note::CompatibilityCharacter, Kind::Compatibility),
        ] {
            let mut chars = read.text.char_indices();
            if let Some((at, ch)) = chars.find(|&(_, ch)| look_alike::kind(ch) == Some(kind)) {
                let plain = display::compatibility_form(ch);
                let detail = format!("{ch} (U+{:04X}) for {plain}", u32::from(ch));
                self.push(note, read.place(at, ch), detail);
            }
        }
    }

    /// Warns of percent-encoded octets, the first of each kind in a component.
    fn octets(&mut self, component: Range<usize>) {
        let text = &self.iri[component.clone()];
        let bytes = text.as_bytes();
        let percents = || text.match_indices('%').map(|(at, _)| at);
        let bare = percents().find(|&at| percent::octet_at(bytes, at).is_none());
        if let Some(at) = bare.map(|at| component.start + at) {
            self.push(Note::InvalidPercent, at..at + 1, "%");
        }
        if let Some(at) = percent::first_not_utf8(text) {
            let start = component.start + at;
            self.push(Note::LegacyPercent, start..start + 3, &text[at..at + 3]);
        }
    }

    fn bidi(&mut self, violation: Violation) {
        let range = violation.start..violation.start + violation.text.len();
        self.push(Note::BidiComponent, range, violation.text);
    }
}

/// The user name in the userinfo, decoded, if it reads like a host: readers take
/// `http://www.bank.example@evil.example/` for an address at the bank. Linear.
///
/// ```
/// use linkglot_iri::{Parts, host_in_userinfo};
///
/// let parts = Parts::split("http://www.bank.example@evil.example/");
/// assert_eq!(host_in_userinfo(&parts).as_deref(), Some("www.bank.example"));
/// assert_eq!(host_in_userinfo(&Parts::split("ftp://ann@example.org/")), None);
/// ```
pub fn host_in_userinfo<'a>(parts: &Parts<'a>) -> Option<Cow<'a, str>> {
    let text = parts.userinfo()?;
    let user = text.split(':').next().unwrap_or(text);
    let user = percent::decoded(user).unwrap_or(user.into());
    is_like_host(&user).then_some(user)
}

/// The characters beyond ASCII that are percent-encoded, with the places of their escapes.
fn encoded_chars(text: &str) -> impl Iterator<Item = (usize, char)> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'%', bytes).filter_map(move |at| {
        let lead = percent::octet_at(bytes, at)?;
        Some((at, percent::char_at(bytes, at, lead)?))
    })
}

/// The words of a text: letters, digits and their marks.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |ch: char| !ch.is_alphanumeric() && !display::is_mark(ch);
    text.split(is_between).filter(|word| !word.is_ascii())
}

/// True if a user name reads like a host: labels between dots, the last of at least two letters.
fn is_like_host(user: &str) -> bool {
    let host = user.split(['/', '\\', '?', '#']).next().unwrap_or(user);
    let mut labels = host.rsplit(idna::is_dot);
    let is_top = |top: &str| top.chars().count() > 1 && top.chars().all(char::is_alphabetic);
    labels.next().is_some_and(is_top) && labels.next().is_some_and(|label| !label.is_empty())
}

/// True if readers do not see a character. A joiner in context shows in its neighbours.
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
