//! Warnings of what could deceive the reader of an IRI (RFC 3987 8).

use crate::bidi::{self, Violation};
use crate::coded::coded;
use crate::parts::Parts;
use crate::{class, display, host, idna, mailto, percent, scheme, spoof};
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
    /// The kind of deception.
    pub kind: WarningKind,
    /// The range in the IRI, in bytes.
    pub range: Range<usize>,
    /// The text or character there, or what it can be mistaken for.
    pub detail: String,
}

coded! {
    /// The kinds of [`Warning`].
    ///
    /// ```
    /// use linkglot_iri::{WarningKind, warnings};
    ///
    /// let kinds = |iri| warnings(iri).into_iter().map(|warning| warning.kind).collect::<Vec<_>>();
    /// assert_eq!(kinds("http://www.bank.example@evil.example/"), [WarningKind::UserinfoLikeHost]);
    /// assert_eq!(kinds("/a\u{FF0F}b%E9"), [WarningKind::DelimiterLookAlike, WarningKind::LegacyPercent]);
    /// assert_eq!(WarningKind::EncodedDots.code(), "encoded-dots");
    /// assert_eq!(WarningKind::Invisible.words(), "a character is invisible");
    /// ```
    pub enum WarningKind {
        /// A host label in scripts that are not written together (UTS 39 5.2).
        MixedScriptHost = "mixed-script-host", "a label of the host mixes scripts";
        /// A host label that looks like another one. The detail is what it looks like (the skeleton of UTS 39 4).
        ConfusableHost = "confusable-host", "a label of the host looks like another one";
        /// A component that breaks the rules for bidirectional IRIs (RFC 3987 4.2).
        BidiComponent = "bidi-component", "a component mixes writing directions";
        /// A component of digits alone that is displayed between right-to-left characters, away from
        /// its place (RFC 3987 4.4, example 10).
        BidiDigits = "bidi-digits", "digits are displayed on the other side of right-to-left text";
        /// A bidi formatting character (RFC 3987 4.1).
        BidiControl = "bidi-control", "an invisible character changes the writing direction";
        /// A space beyond ASCII, or a character that readers do not see.
        Invisible = "invisible", "a character is invisible";
        /// A word outside of the host in scripts that are not written together (RFC 3987 7.5).
        MixedScript = "mixed-script", "a word mixes scripts";
        /// Text outside of the host that looks like ASCII text (RFC 3987 8). The detail is what it
        /// looks like.
        LookAlike = "look-alike", "text beyond ASCII looks like ASCII letters";
        /// A ligature or another character whose NFKC is another text (RFC 3987 7.5). The detail is
        /// that text.
        CompatibilityCharacter = "compatibility-character", "a ligature or another compatibility character is not the letters that it looks like";
        /// A full- or half-width form (RFC 3987 6.1).
        WidthForm = "width-form", "a full- or half-width form is not the usual character";
        /// A port that no connection can have.
        PortOutOfRange = "port-out-of-range", "the port is beyond 65535";
        /// Userinfo that reads like a host.
        UserinfoLikeHost = "userinfo-like-host", "the text before the @ looks like a host but is not one";
        /// A character that looks like a delimiter.
        DelimiterLookAlike = "delimiter-look-alike", "a character looks like a delimiter";
        /// A dot segment whose dots are percent-encoded.
        EncodedDots = "encoded-dots", "percent-encoded dots change the path as plain ones do";
        /// Characters that are not in NFC.
        NotNfc = "not-nfc", "characters are not in NFC, Unicode's composed form: the same look can be another address";
        /// Percent-encoded octets that are not UTF-8: another charset.
        LegacyPercent = "legacy-percent", "percent-encoded octets are not UTF-8 and cannot be shown";
        /// A percent sign that begins no octet.
        InvalidPercent = "invalid-percent", "a percent sign is not followed by two hexadecimal digits";
        /// A private-use character.
        PrivateUse = "private-use", "a private-use character means something else on each system";
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.words(), self.detail)
    }
}

/// Lists what could deceive the reader of an IRI or reference, valid or not, by position. At most one
/// warning of a kind for each label, part or component. Linear.
///
/// ```
/// use linkglot_iri::{WarningKind, warnings};
///
/// let found = warnings("http://xn--80ak6aa92e.com/");
/// assert_eq!(found[0].kind, WarningKind::ConfusableHost);
/// assert!(warnings("https://example.org/straße").is_empty());
/// ```
pub fn warnings(iri: &str) -> Vec<Warning> {
    let parts = Parts::split(iri);
    let mut collector = Collector {
        iri,
        warnings: Vec::new(),
    };
    collector.userinfo(&parts);
    collector.host(&parts);
    collector.port(&parts);
    collector.mail_hosts(&parts);
    collector.scripts(&parts);
    collector.encoded_dots(&parts);
    for component in components(&parts) {
        collector.characters(component.clone());
        collector.octets(component);
    }
    let bidi = bidi::check(iri);
    for violation in bidi.violations {
        collector.bidi(violation);
    }
    for range in bidi.moved_digits {
        collector.push(WarningKind::BidiDigits, range.clone(), &iri[range]);
    }
    let mut warnings = collector.warnings;
    warnings.sort_by_key(|warning| (warning.range.start, warning.kind));
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

/// Whether a character at a position deserves a warning.
type Test<'t> = &'t dyn Fn(usize, char) -> bool;

struct Collector<'i> {
    iri: &'i str,
    warnings: Vec<Warning>,
}

impl Collector<'_> {
    fn push(&mut self, kind: WarningKind, range: Range<usize>, detail: impl Into<String>) {
        self.warnings.push(Warning {
            kind,
            range,
            detail: detail.into(),
        });
    }

    fn userinfo(&mut self, parts: &Parts) {
        if let (Some(range), Some(user)) = (parts.userinfo_range(), host_in_userinfo(parts)) {
            self.push(WarningKind::UserinfoLikeHost, range, user);
        }
    }

    fn port(&mut self, parts: &Parts) {
        let (Some(range), Some(port)) = (parts.port_range(), parts.port()) else {
            return;
        };
        let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && port.parse::<u16>().is_err() {
            self.push(WarningKind::PortOutOfRange, range, port);
        }
    }

    fn host(&mut self, parts: &Parts) {
        let (Some(range), Some(host)) = (parts.host_range(), parts.host()) else {
            return;
        };
        if !host.starts_with('[') {
            let is_domain = parts.scheme().is_none_or(scheme::uses_dns);
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
                    self.domain(start + at + 1..end, &address[at + 1..], true);
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
            self.push(WarningKind::MixedScriptHost, range.clone(), label);
        }
        if spoof::is_deceptive(label, top) {
            let twin: String = skeleton(label).collect();
            let detail = format!("{label} looks like {twin}");
            self.push(WarningKind::ConfusableHost, range, detail);
        }
    }

    /// Warns of words and texts outside of the host that look like others.
    fn scripts(&mut self, parts: &Parts) {
        let may_disguise = |text: &str| !text.is_ascii() || text.contains('%');
        if !may_disguise(self.iri) {
            return;
        }
        let host = parts.host().map(host::unicode).unwrap_or_default();
        let top = host.rsplit('.').find(|label| !label.is_empty());
        let all = percent::decoded(self.iri).unwrap_or(self.iri.into());
        let mut evident: Vec<Script> = Vec::new();
        for script in host
            .chars()
            .chain(all.chars())
            .filter_map(spoof::evident_script)
        {
            if !evident.contains(&script) {
                evident.push(script);
            }
        }
        for range in bidi::parts_outside_host(parts) {
            let raw = &self.iri[range.clone()];
            let text = percent::decoded(raw).unwrap_or(raw.into());
            if text.is_ascii() {
                continue;
            }
            if let Some(word) = words(&text).find(|word| spoof::mixes_scripts(word)) {
                self.push(WarningKind::MixedScript, range.clone(), word);
            }
            if let Some((script, twin)) = spoof::look_alike(&text)
                && !evident.contains(&script)
                && !spoof::is_at_home(script, top.unwrap_or_default())
            {
                let detail = format!("{text} looks like {twin}");
                self.push(WarningKind::LookAlike, range, detail);
            }
        }
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
                self.push(WarningKind::EncodedDots, range, segment);
            }
        }
    }

    /// Warns of unencoded characters, the first of a kind in each component.
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
        for (kind, is_of_kind) in kinds {
            let mut chars = text.char_indices().filter(|(_, ch)| !ch.is_ascii());
            if let Some((at, ch)) = chars.find(|&(at, ch)| is_of_kind(at, ch)) {
                let start = component.start + at;
                let range = start..start + ch.len_utf8();
                self.push(kind, range, format!("U+{:04X}", u32::from(ch)));
            }
        }
        self.variants(component.clone());
        if !display::is_nfc(text) {
            self.push(WarningKind::NotNfc, component, text);
        }
    }

    /// Warns of the first variant of each kind that Unicode has for compatibility.
    fn variants(&mut self, component: Range<usize>) {
        self.variant(
            WarningKind::WidthForm,
            component.clone(),
            display::is_width_form,
        );
        let is_other = display::is_compatibility_variant;
        self.variant(WarningKind::CompatibilityCharacter, component, is_other);
    }

    fn variant(
        &mut self,
        kind: WarningKind,
        component: Range<usize>,
        is_of_kind: fn(char) -> bool,
    ) {
        let mut chars = self.iri[component.clone()].char_indices();
        if let Some((at, ch)) =
            chars.find(|&(_, ch)| is_of_kind(ch) && !is_delimiter_look_alike(ch))
        {
            let start = component.start + at;
            let plain = display::compatibility_form(ch);
            let detail = format!("{ch} (U+{:04X}) for {plain}", u32::from(ch));
            self.push(kind, start..start + ch.len_utf8(), detail);
        }
    }

    /// Warns of percent-encoded octets, the first of a kind in each component.
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

    fn bidi(&mut self, violation: Violation) {
        let range = violation.start..violation.start + violation.text.len();
        self.push(WarningKind::BidiComponent, range, violation.text);
    }
}

/// The user name in the userinfo, decoded, if it reads like a host: readers take
/// `http://www.bank.example@evil.example/` for an address of the first. Linear.
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

/// The words of a text: letters, digits and their marks.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |ch: char| !ch.is_alphanumeric() && !display::is_mark(ch);
    text.split(is_between).filter(|word| !word.is_ascii())
}

/// Whether a user name reads like a host: labels between dots, the last of at least two letters.
fn is_like_host(user: &str) -> bool {
    let host = user.split(['/', '\\', '?', '#']).next().unwrap_or(user);
    let mut labels = host.rsplit(idna::is_dot);
    let is_top = |top: &str| top.chars().count() > 1 && top.chars().all(char::is_alphabetic);
    labels.next().is_some_and(is_top) && labels.next().is_some_and(|label| !label.is_empty())
}

fn is_delimiter_look_alike(ch: char) -> bool {
    let mut buffer = [0; 4];
    let mut twins = skeleton(ch.encode_utf8(&mut buffer));
    display::is_delimiter_look_alike(ch)
        || !ch.is_alphanumeric() && twins.any(|twin| "/:?#@%".contains(twin))
}

/// Whether readers do not see a character. A joiner in context shows in its neighbours.
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
