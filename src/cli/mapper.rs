//! What `convert` and `explain` do with one identifier.

use super::args::{ConvertArgs, IdnaArg, LevelArg, OrEncode, Shown, Target, Unencodable};
use super::rewrite::{host_form, query_charset};
use linkglot::charset::Charset;
use linkglot::iri::to_uri::{self, Disallowed};
use linkglot::iri::{
    Form, HostForm, Idna, Level, MapError, Parts, Strictness, ToIri, ToUri, normalize, parse,
    resolve, to_iri,
};
use linkglot::report::{Note, Notes};
use std::borrow::Cow;

/// A mapping as the arguments say.
pub struct Mapper {
    target: Target,
    base: Option<String>,
    strictness: Strictness,
    /// The form of hosts that is asked for.
    host: Option<HostForm>,
    to_uri: ToUri,
    to_iri: ToIri,
    normal: Normal,
}

/// A normal form: the rung of the ladder (RFC 3987 5.3), and whether names of the DNS are in
/// punycode on every rung of URIs, not just on the highest (5.3.3).
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
    /// A rung that is asked for is taken at its word, unless a form of hosts is asked for, too.
    fn new(args: &ConvertArgs) -> Self {
        Normal {
            level: args.level.map_or(Level::default(), level),
            punycode: match args.host.map(host_form) {
                None => args.level.is_none(),
                Some(form) => form == HostForm::Punycode,
            },
        }
    }

    /// The normal form of an identifier.
    pub fn of(self, text: &str) -> String {
        let normal = normalize(text, self.level);
        if !self.punycode || self.level < Level::Percent || self.level >= Level::Scheme {
            return normal;
        }
        let highest = normalize(text, Level::Scheme);
        let host = Parts::split(&highest).host();
        let named = host.and_then(|host| Parts::split(&normal).with_host(host));
        named.unwrap_or(normal)
    }
}

/// What came of one identifier.
#[derive(Default)]
pub struct Mapped {
    /// Resolved against the base.
    pub target: Option<String>,
    pub uri: Option<String>,
    pub iri: Option<String>,
    pub normal: Option<String>,
    pub error: Option<Trouble>,
    pub notes: Notes,
}

impl Mapped {
    /// What was asked for.
    pub fn result(&self) -> Option<&str> {
        let results = [&self.uri, &self.iri, &self.normal];
        results.into_iter().find_map(|result| result.as_deref())
    }
}

impl Mapped {
    /// Notes a result that is no valid reference, unless the percent signs are noted already.
    fn judge(&mut self) {
        let is_valid = |result: &str| parse(result, Form::Reference).is_ok();
        let is_noted = self.notes.contains(Note::InvalidPercent);
        if !is_noted && self.result().is_some_and(|result| !is_valid(result)) {
            self.notes.insert(Note::InvalidReference);
        }
    }
}

/// Why an identifier cannot be mapped.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// The stable code.
    pub kind: &'static str,
    /// The byte of the identifier.
    pub at: usize,
    pub message: String,
}

impl Trouble {
    /// Bytes that are not in the charset.
    pub fn malformed(at: usize, charset: Charset) -> Self {
        Trouble {
            kind: "decode",
            at,
            message: format!(
                "expected text in {}, found a malformed sequence, at byte {at}",
                charset.name()
            ),
        }
    }
}

impl From<MapError> for Trouble {
    fn from(error: MapError) -> Self {
        Trouble {
            kind: error.kind.code(),
            at: error.at,
            message: error.to_string(),
        }
    }
}

impl Mapper {
    pub fn new(args: &ConvertArgs) -> Self {
        let base = args.base.clone();
        let scheme = base.as_deref().and_then(|base| Parts::split(base).scheme());
        Mapper {
            target: args.to,
            strictness: match args.lax {
                true => Strictness::Lax,
                false => Strictness::Strict,
            },
            to_uri: to_uri(args, scheme),
            to_iri: to_iri(args, scheme),
            normal: Normal::new(args),
            host: args.host.map(host_form),
            base,
        }
    }

    /// Maps one identifier.
    pub fn map(&self, text: &str) -> Mapped {
        let mut mapped = Mapped::default();
        if let Some(base) = &self.base {
            match resolve(base, text, self.strictness) {
                Ok(target) => mapped.target = Some(target),
                Err(error) => {
                    mapped.error = Some(Trouble {
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
                    mapped.uri = Some(uri.text.into_owned());
                }
                Err(error) => mapped.error = Some(self.trouble(error, given)),
            },
            Target::Iri => {
                let text = in_unicode(&self.to_uri, &text);
                let iri = self.to_iri.map(&text, &|_| true);
                mapped.notes = iri.notes;
                let asked = [HostForm::Punycode, HostForm::Percent];
                mapped.iri = Some(self.with_asked_host(&text, iri.text.into_owned(), &asked));
            }
            Target::Normal => {
                let text = in_unicode(&self.to_uri, &text);
                let normal = self.normal.of(&text);
                mapped.normal = Some(self.with_asked_host(&text, normal, &[HostForm::Unicode]));
            }
        }
        mapped.judge();
        mapped
    }

    /// An error of a target in terms of what was given: a byte of the identifier, or else of the
    /// base.
    fn trouble(&self, error: MapError, given: &str) -> Trouble {
        let Some(base) = &self.base else {
            return error.into();
        };
        let of = |text: &str| self.to_uri.map(text).err();
        if let Some(own) = of(given) {
            return own.into();
        }
        match of(base) {
            Some(error) => Trouble {
                kind: "base",
                at: error.at,
                message: format!("{error} of the base `{base}`"),
            },
            None => {
                let mut trouble = Trouble::from(error);
                trouble.message += " of what it resolves to";
                trouble
            }
        }
    }

    /// A result with the host as it is asked for, when that is one of the forms that the result does not have of itself.
    fn with_asked_host(&self, text: &str, result: String, forms: &[HostForm]) -> String {
        if !self.host.is_some_and(|host| forms.contains(&host)) {
            return result;
        }
        let uri = self.to_uri.map(text).ok();
        let host = uri.as_ref().and_then(|uri| Parts::split(&uri.text).host());
        host.and_then(|host| Parts::split(&result).with_host(host))
            .unwrap_or(result)
    }
}

/// An identifier as it means the same in Unicode: what is read from paper or comes from another charset is
/// normalized, and its query may be in that charset (RFC 3987 3.1 step 1), so that it is the URI's text that counts;
/// so does what shall be encoded though no IRI has it.
pub fn in_unicode<'t>(to_uri: &ToUri, text: &'t str) -> Cow<'t, str> {
    let encodes = [to_uri.ascii, to_uri.other].contains(&Disallowed::Encode);
    if to_uri.charset.is_unicode() && !to_uri.from_paper && !encodes {
        return Cow::Borrowed(text);
    }
    let mut kept = to_uri.clone();
    kept.host = HostForm::Keep;
    kept.map(text).map_or(Cow::Borrowed(text), |uri| uri.text)
}

fn to_uri(args: &ConvertArgs, scheme: Option<&str>) -> ToUri {
    let encode = |what: OrEncode| match what {
        OrEncode::Fail => Disallowed::Fail,
        OrEncode::Encode => Disallowed::Encode,
    };
    let mut mapping = ToUri::default();
    mapping.charset = args.iris.charset.unwrap_or(Charset::UTF_8);
    mapping.host = args.host.map_or(HostForm::Punycode, host_form);
    mapping.idna = match args.idna {
        IdnaArg::Uts46 => Idna::Uts46,
        IdnaArg::Transitional => Idna::Transitional,
    };
    mapping.query = query_charset(args.query_charset);
    mapping.unencodable = match args.unencodable {
        Unencodable::Error => to_uri::Unencodable::Fail,
        Unencodable::Ncr => to_uri::Unencodable::Reference,
        Unencodable::Utf8 => to_uri::Unencodable::Utf8,
    };
    mapping.ascii = encode(args.ascii);
    mapping.other = encode(args.other);
    mapping.from_paper = args.from_paper;
    mapping.base_scheme = scheme.map(str::to_owned);
    mapping
}

fn to_iri(args: &ConvertArgs, scheme: Option<&str>) -> ToIri {
    let mut mapping = ToIri::default();
    mapping.display = match args.display {
        Shown::Safe => to_iri::Display::Safe,
        Shown::Minimal => to_iri::Display::Minimal,
        Shown::All => to_iri::Display::All,
    };
    mapping.host = match args.host.map(host_form) {
        None if args.display == Shown::All => to_iri::HostDisplay::All,
        None => to_iri::HostDisplay::Safe,
        Some(HostForm::Unicode) => to_iri::HostDisplay::All,
        Some(_) => to_iri::HostDisplay::Keep,
    };
    mapping.keep_query = false;
    mapping.base_scheme = scheme.map(str::to_owned);
    mapping
}

fn level(level: LevelArg) -> Level {
    match level {
        LevelArg::String => Level::String,
        LevelArg::Case => Level::Case,
        LevelArg::Percent => Level::Percent,
        LevelArg::Path => Level::Path,
        LevelArg::Scheme => Level::Scheme,
    }
}

/// What the rules for bidirectional IRIs say (RFC 3987 4.2).
#[derive(serde::Serialize)]
pub struct Bidi {
    pub verdict: &'static str,
    /// Component, text and number of the rule.
    pub violations: Vec<(&'static str, String, u8)>,
}

/// Checks an identifier against the rules for bidirectional IRIs.
pub fn bidi(text: &str) -> Bidi {
    let report = linkglot::iri::bidi::check(text);
    let violations = report.violations.iter();
    Bidi {
        verdict: report.verdict.code(),
        violations: violations
            .map(|found| (found.component, found.text.to_owned(), found.rule))
            .collect(),
    }
}

/// The Unicode version of each table, one a line.
pub fn unicode_versions() -> String {
    let mut text = String::new();
    for (library, use_, (major, minor, _)) in linkglot::iri::unicode_versions() {
        text += &format!("{library} ({use_}): Unicode {major}.{minor}\n");
    }
    text
}
