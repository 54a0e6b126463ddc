//! Maps one identifier for `convert` and `explain`.

use super::args::{ConvertArgs, Target};
use linkglot::Charset;
use linkglot::notes::{Note, Notes};
use linkglot::rewrite::HostForm;
use linkglot_iri::to_iri::{Display, HostDisplay};
use linkglot_iri::to_uri::Disallowed;
use linkglot_iri::{
    Form, Idna, Level, MapError, Normalization, Parts, Strictness, ToIri, ToUri, normalize,
    normalize_with_punycode, parse, resolve,
};
use std::borrow::Cow;

/// The mapping that the arguments of `convert` describe.
pub struct Mapper {
    target: Target,
    base: Option<String>,
    strictness: Strictness,
    /// The value of `--host`.
    host: Option<HostForm>,
    to_uri: ToUri,
    to_iri: ToIri,
    normal: Normal,
}

/// A normal form: the level of the comparison ladder (RFC 3987 5.3), and whether hosts are in punycode even below the
/// highest level (5.3.3).
#[derive(Clone, Copy, Debug)]
pub struct Normal {
    level: Level,
    punycode: bool,
}

impl Default for Normal {
    fn default() -> Self {
        Normal {
            level: Level::default(),
            punycode: true,
        }
    }
}

impl Normal {
    /// Reads the arguments: `--level` alone leaves hosts in the form of that level.
    fn new(args: &ConvertArgs) -> Self {
        Normal {
            level: args.level.unwrap_or_default(),
            punycode: match args.host {
                None => args.level.is_none(),
                Some(form) => form == HostForm::Punycode,
            },
        }
    }

    /// True if hosts are mapped to punycode.
    fn maps_hosts(self) -> bool {
        self.punycode || self.level == Level::Scheme
    }

    /// The normal form of an identifier.
    pub fn apply(self, text: &str) -> String {
        if self.punycode {
            normalize_with_punycode(text, self.level)
        } else {
            normalize(text, self.level)
        }
    }
}

/// The result for one identifier.
#[derive(Default)]
pub struct Mapped {
    /// The identifier resolved against the base.
    pub target: Option<String>,
    pub uri: Option<String>,
    pub iri: Option<String>,
    pub normal: Option<String>,
    pub error: Option<ConversionError>,
    pub notes: Notes,
}

impl Mapped {
    /// The requested form.
    pub fn result(&self) -> Option<&str> {
        let results = [&self.uri, &self.iri, &self.normal];
        results.into_iter().find_map(|result| result.as_deref())
    }

    /// Adds a note if the result is not a valid reference, unless a note on percent signs explains it. A normal form
    /// may be valid where `text`, the identifier, is not: without a segment that has a backslash.
    fn note_if_invalid(&mut self, text: &str) {
        let is_valid = |result: &str| parse(result, Form::Reference).is_ok();
        let is_noted = self.notes.contains(Note::InvalidPercent);
        let is_normal = self.normal.is_some();
        let is_invalid = self.result().is_some_and(|result| !is_valid(result));
        if !is_noted && (is_invalid || is_normal && !is_valid(text)) {
            self.notes.insert(Note::InvalidReference);
        }
    }
}

/// An error in one identifier.
#[derive(Clone, Debug)]
pub struct ConversionError {
    /// The stable code of the error.
    pub kind: &'static str,
    /// The byte of the error in the identifier.
    pub at: usize,
    pub message: String,
}

impl ConversionError {
    /// The error of an identifier that is malformed in its charset.
    pub fn malformed(at: usize, charset: Charset) -> Self {
        ConversionError {
            kind: "decode",
            at,
            message: format!(
                "expected text in {}, found a malformed sequence, at byte {at}",
                charset.name()
            ),
        }
    }
}

impl From<MapError> for ConversionError {
    fn from(error: MapError) -> Self {
        ConversionError {
            kind: error.kind.code(),
            at: error.at,
            message: error.to_string(),
        }
    }
}

impl Mapper {
    pub fn new(args: &ConvertArgs) -> Self {
        let base = args.mapping.base.clone();
        let scheme = base.as_deref().and_then(|base| Parts::split(base).scheme());
        Mapper {
            target: args.to,
            strictness: if args.mapping.lax {
                Strictness::Lax
            } else {
                Strictness::Strict
            },
            to_uri: to_uri(args, scheme),
            to_iri: to_iri(args, scheme),
            normal: Normal::new(args),
            host: args.host,
            base,
        }
    }

    /// Maps one identifier, which begins at byte `start` of its input.
    pub fn map(&self, text: &str, start: usize) -> Mapped {
        let mut mapped = Mapped::default();
        if let Some(base) = &self.base {
            match resolve(base, text, self.strictness) {
                Ok(target) => mapped.target = Some(target),
                Err(error) => {
                    mapped.error = Some(ConversionError {
                        kind: "base",
                        at: 0,
                        message: error.to_string(),
                    });
                    return mapped;
                }
            }
        }
        let given = text;
        let text = mapped.target.clone().unwrap_or_else(|| text.to_owned());
        match self.target {
            Target::Uri => match self.to_uri.map(&text) {
                Ok(uri) => {
                    mapped.notes = uri.notes;
                    if Parts::split(&text).path().contains('\\') {
                        mapped.notes.insert(Note::BackslashEncoded);
                    }
                    mapped.uri = Some(uri.text.into_owned());
                }
                Err(error) => mapped.error = Some(self.locate_error(error, given, start)),
            },
            Target::Iri => {
                let text = in_unicode(&self.to_uri, &text);
                let iri = self.iri(&text);
                mapped.notes = iri.notes;
                let forms = [HostForm::Punycode, HostForm::Percent];
                mapped.iri = Some(self.with_host_form(&text, iri.text.into_owned(), &forms));
            }
            Target::Normal => {
                let text = in_unicode(&self.to_uri, &text);
                let normal = self.normal.apply(&self.with_host_of_idna(&text));
                mapped.normal = Some(self.with_host_form(&text, normal, &[HostForm::Unicode]));
            }
        }
        mapped.note_if_invalid(&text);
        mapped
    }

    /// The display form. A host that `--idna` maps to another one stays as it is (RFC 3987 3.2).
    fn iri<'t>(&self, text: &'t str) -> linkglot_iri::Mapped<'t> {
        let iri = self.to_iri.map(text, &|_| true);
        let is_same = || self.host_of_uri(text) == self.host_of_uri(&iri.text);
        if self.to_uri.idna == Idna::Uts46 || is_same() {
            return iri;
        }
        let to_iri = ToIri {
            host: HostDisplay::Keep,
            ..self.to_iri.clone()
        };
        to_iri.map(text, &|_| true)
    }

    /// The identifier with its host as `--idna` maps it, if normal forms map it otherwise.
    fn with_host_of_idna<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.to_uri.idna == Idna::Uts46 || !self.normal.maps_hosts() {
            return Cow::Borrowed(text);
        }
        let host = self.host_of_uri(text);
        let mapped = host.and_then(|host| Parts::split(text).with_host(&host));
        mapped.map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// The host of the identifier's URI.
    fn host_of_uri(&self, text: &str) -> Option<String> {
        let uri = self.to_uri.map(text).ok()?;
        Parts::split(&uri.text).host().map(str::to_owned)
    }

    /// Locates an error of the resolved target in the input, or else in the base.
    fn locate_error(&self, error: MapError, given: &str, start: usize) -> ConversionError {
        let in_input = |mut error: MapError| {
            error.at += start;
            error.into()
        };
        let Some(base) = &self.base else {
            return in_input(error);
        };
        let error_in = |text: &str| self.to_uri.map(text).err();
        if let Some(own) = error_in(given) {
            return in_input(own);
        }
        match error_in(base) {
            Some(error) => ConversionError {
                kind: "base",
                at: error.at,
                message: format!("{error} of the base `{base}`"),
            },
            None => {
                let mut error = ConversionError::from(error);
                error.message += " of the resolved target";
                error
            }
        }
    }

    /// The result with its host in the form of `--host`, if that is one of `forms`: the mapping itself does not produce
    /// those.
    fn with_host_form(&self, text: &str, result: String, forms: &[HostForm]) -> String {
        if !self.host.is_some_and(|host| forms.contains(&host)) {
            return result;
        }
        let host = self.host_of_uri(text);
        host.and_then(|host| Parts::split(&result).with_host(&host))
            .unwrap_or(result)
    }
}

/// The Unicode text of an identifier. An identifier from paper or from another charset is normalized, and its query may
/// be encoded in that charset (RFC 3987 3.1 step 1); characters that no IRI may hold may need encoding. In these cases
/// the text is that of the URI, with the host kept.
pub fn in_unicode<'t>(to_uri: &ToUri, text: &'t str) -> Cow<'t, str> {
    let encodes = [to_uri.ascii, to_uri.other].contains(&Disallowed::Encode);
    if to_uri.charset.is_unicode() && !to_uri.from_paper && !encodes {
        return Cow::Borrowed(text);
    }
    let mut kept = to_uri.clone();
    kept.host = HostForm::Keep;
    kept.map(text).map_or(Cow::Borrowed(text), |uri| uri.text)
}

fn to_uri(args: &ConvertArgs, base_scheme: Option<&str>) -> ToUri {
    let options = &args.mapping;
    ToUri {
        charset: args.iris.charset.unwrap_or(Charset::UTF_8),
        host: args.host.unwrap_or(HostForm::Punycode),
        idna: args.idna,
        query: options.query_charset,
        unencodable: options.unencodable,
        ascii: options.ascii,
        other: options.other,
        normalization: Normalization::ByCharset,
        from_paper: options.from_paper,
        base_scheme: base_scheme.map(str::to_owned),
    }
}

fn to_iri(args: &ConvertArgs, base_scheme: Option<&str>) -> ToIri {
    ToIri {
        display: args.display.0,
        host: match args.host {
            Some(HostForm::Unicode) if args.display.0 == Display::All => HostDisplay::All,
            None | Some(HostForm::Unicode) => args.display.1,
            Some(_) => HostDisplay::Keep,
        },
        keep_query: false,
        base_scheme: base_scheme.map(str::to_owned),
    }
}

/// The verdict of the rules for bidirectional IRIs (RFC 3987 4.2).
#[derive(serde::Serialize)]
pub struct Bidi {
    pub verdict: &'static str,
    /// The component, the text and the number of the violated rule.
    pub violations: Vec<(&'static str, String, u8)>,
}

/// Checks an identifier against the rules for bidirectional IRIs.
pub fn bidi(text: &str) -> Bidi {
    let report = linkglot_iri::bidi::check(text);
    let violations = report.violations.iter();
    Bidi {
        verdict: report.verdict.code(),
        violations: violations
            .map(|found| (found.component, found.text.to_owned(), found.rule))
            .collect(),
    }
}

/// The Unicode version of each table, one per line.
pub fn unicode_versions() -> String {
    let mut text = String::new();
    for (library, use_, (major, minor, _)) in linkglot_iri::unicode_versions() {
        text += &format!("{library} ({use_}): Unicode {major}.{minor}\n");
    }
    text
}
