//! Decides the new text of a link: rules first, then the target form.

use super::charset_fallback;
use super::forming::Forming;
use super::other_charset::OldQueries;
use super::rules::{Ruling, Verdict};
use super::subject::Subject;
use super::uri_template::{Unclosed, UriTemplate};
use super::{Form, Reach, References, Rules, references};
use crate::charset::Charset;
use crate::format::Format;
use crate::iri::scheme::is_fetched;
use crate::iri::target::Reading;
use crate::iri::to_uri::{Disallowed, Unencodable};
use crate::iri::{HostDisplay, HostForm, Normalization, QueryCharset, ToIri, ToUri, to_iri};
use crate::link::{
    Base, Dialect, Info, Nfc, Queries, QueryCharsets, Settings, expression_in, has_directive,
    has_stray_percent, implied_prefix, scheme_of, still_implied, with_implied, without_implied,
};
use crate::markup::{Access, PlaceKind};
use crate::notes::{Note, Notes};
use crate::scan::{Evidence, Scanner};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

/// The options of a rewrite, as [`Rewriter`](super::Rewriter) collects them.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// The target form.
    pub form: Form,
    /// The host's form; `None`: punycode to URI, Unicode where safe to IRI.
    pub host: Option<HostForm>,
    /// The characters that the display form shows.
    pub display: to_iri::Display,
    /// Site-migration rules, applied before the form.
    pub rules: Arc<Rules>,
    /// Which references the rules see.
    pub reach: Reach,
    /// Whether links become relative or absolute.
    pub references: References,
    /// The kinds of places to rewrite (`None`: all).
    pub slots: Option<Vec<PlaceKind>>,
    /// The charset that documents get (`None`: the one that they have).
    pub to_charset: Option<Charset>,
    /// The changes that the transport of mail forbids.
    pub transport: Transport,
    /// Evidence that a link must have, unless a rule names its host.
    pub min_evidence: Evidence,
}

/// Whether a link of mail is left where its message would not arrive as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Left where a signature covers it, or where it would be written with octets that the part does not declare.
    #[default]
    Kept,
    /// Only for octets.
    SignaturesBroken,
    /// Only where a signature covers it: forms are shown, and not written.
    Shown,
}

impl Mapping {
    /// A mapping to a form, with the defaults of the command line.
    pub fn new(form: Form) -> Self {
        Mapping {
            form,
            host: None,
            display: to_iri::Display::Safe,
            rules: Arc::default(),
            reach: Reach::default(),
            references: References::Keep,
            slots: None,
            to_charset: None,
            transport: Transport::Kept,
            min_evidence: Evidence::Www,
        }
    }
}

/// The decision about a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The link has its form already.
    Keep(Notes),
    /// The link should change and cannot.
    Left(Notes),
    /// The new text.
    Change(String, Notes),
}

/// A mapping for one document, prepared once.
pub(crate) struct Mapper<'m> {
    mapping: Cow<'m, Mapping>,
    to_uri: ToUri,
    to_iri: ToIri,
    base: Option<Arc<str>>,
    base_scheme: String,
    /// Whether browsers display the document, or use it for one that they display.
    is_page: bool,
    queries: QueryCharsets,
    /// The other charset that browsers may use for queries where they disagree.
    other_query: Option<Charset>,
    /// Of a document that gets another charset.
    old_queries: Option<OldQueries>,
    scanner: Scanner,
    dialect: Dialect,
    /// The first rule that named the link that is being decided about, and the rule for the link behind it.
    rules: Cell<[Option<usize>; 2]>,
}

impl<'m> Mapper<'m> {
    /// For a document as it is, or as it will be in another charset.
    pub fn new(mapping: Cow<'m, Mapping>, old: &Info, settings: &Settings) -> Self {
        let new = mapping.to_charset.map(|to| old.in_charset(to, settings));
        let info = new.as_ref().unwrap_or(old);
        let base_scheme = info
            .base
            .as_deref()
            .and_then(scheme_of)
            .unwrap_or("http")
            .to_owned();
        let in_document = info.query_charset != Charset::UTF_8;
        let query = if in_document {
            QueryCharset::Document
        } else {
            QueryCharset::Utf8
        };
        let to_uri = ToUri {
            charset: info.charset,
            host: mapping.host.unwrap_or(HostForm::Punycode),
            query,
            unencodable: Unencodable::Reference,
            ascii: Disallowed::Encode,
            normalization: match settings.nfc {
                Nfc::Never => Normalization::Never,
                Nfc::Auto | Nfc::Always => Normalization::ByCharset,
            },
            base_scheme: Some(base_scheme.clone()),
            ..ToUri::default()
        };
        let to_iri = ToIri {
            display: mapping.display,
            host: host_display(&mapping),
            keep_query: in_document,
            base_scheme: Some(base_scheme.clone()),
        };
        Mapper {
            old_queries: new.is_some().then(|| OldQueries::new(old, &to_uri)),
            to_uri,
            to_iri,
            base: info.base.clone(),
            is_page: info.format != Format::Xml || info.is_hypertext,
            base_scheme,
            queries: info.query_charsets,
            other_query: other_query(info, settings),
            scanner: settings.scanner(info.format),
            dialect: info.dialect,
            rules: Cell::default(),
            mapping,
        }
    }

    /// Whether links at this kind of place are rewritten.
    pub fn covers(&self, kind: PlaceKind) -> bool {
        self.mapping
            .slots
            .as_ref()
            .is_none_or(|kinds| kinds.contains(&kind))
    }

    /// True if the link that is being decided about may be none: its evidence is not enough. A rule that names its host
    /// makes it as sure as one with a scheme. `implied` is its implied scheme.
    pub fn is_guess(
        &self,
        evidence: Evidence,
        (text, implied): (&str, Option<&'static str>),
    ) -> bool {
        let (least, rules) = (self.mapping.min_evidence, &self.mapping.rules);
        let of_service = |rule: usize| rules.given().get(rule).is_some_and(|rule| rule.unwraps);
        let is_named = || {
            self.rules.get().into_iter().flatten().any(of_service)
                || implied.is_some_and(|implied| rules.name_host(text, implied))
        };
        evidence < least && !(least <= Evidence::Scheme && is_named())
    }

    pub fn has_rules(&self) -> bool {
        !self.mapping.rules.is_empty()
    }

    /// True if links that are relative may become others by what they resolve to.
    pub fn needs_base(&self) -> bool {
        self.has_rules() && self.mapping.reach == Reach::Resolved
            || self.mapping.references != References::Keep
    }

    /// A quick test that a reference has its form already. Linear, no allocation.
    pub fn surely_keeps(&self, reference: &str, under: &Base) -> bool {
        let is_formed = self.mapping.form == Form::Uri
            || self.old_queries.is_some()
                && self.mapping.form == Form::Same
                && reference.is_ascii();
        is_formed
            && self.mapping.references == References::Keep
            && self.to_uri.surely_keeps(reference)
            && self.is_unruled(reference, under)
    }

    /// Applies rules to a link.
    fn ruled(&self, rules: &Rules, link: Subject<'_>) -> Ruling {
        // What one with code resolves to is not known.
        let code = self.code_in(link.text, link);
        let reach = code.map_or(self.mapping.reach, |_| Reach::AsWritten);
        let by = |query| {
            let reading = self.reading(link.text, query, link.under, reach);
            let verdict = match link.implied {
                Some(scheme) => rules.of_implied((link.text, scheme), reading, reach),
                None => rules.ruling(link.text, reading, reach),
            };
            let rule = verdict.rule.and_then(|rule| rules.given().get(rule));
            let is_wrapped = rule.is_some_and(|rule| rule.unwraps);
            let may_match_code = rule.is_some_and(|rule| rule.from.starts_with("re:"));
            let breaks_code = |new: &str| match code {
                // Decoded, it may be code.
                _ if is_wrapped => self.code_in(new, link).is_some(),
                // A prefix ends in front of code or names it.
                Some(code) => may_match_code && !new.ends_with(&link.text[code..]),
                None => false,
            };
            match self.noted(verdict) {
                Ruling::Becomes(new) if breaks_code(&new) => Ruling::Stuck,
                ruling => ruling,
            }
        };
        let ruling = by(link.queries.charset(self.queries));
        match self.other_query(link) {
            Some(other) if by(other) != ruling => Ruling::Stuck,
            _ => ruling,
        }
    }

    /// Begin of template code in a text of a link, in bytes.
    fn code_in(&self, text: &str, link: Subject<'_>) -> Option<usize> {
        let expression = link.in_text.then(|| expression_in(text)).flatten();
        [self.dialect.code_in(text), expression]
            .into_iter()
            .flatten()
            .min()
    }

    /// The other charset that browsers may use for the query of a link.
    fn other_query(&self, link: Subject<'_>) -> Option<Charset> {
        self.other_query
            .filter(|_| link.queries == Queries::Doubtful)
    }

    /// A verdict on the link that is being decided about, with its rule noted: of several verdicts that of the first
    /// counts.
    fn noted(&self, verdict: Verdict) -> Ruling {
        if self.rules.get()[0].is_none() {
            self.rules.set([verdict.rule, verdict.rule_behind]);
        }
        verdict.ruling
    }

    /// The numbers of the rules that named the link decided about last: a service that wraps it goes first.
    pub fn take_rules(&self) -> impl Iterator<Item = usize> + use<> {
        self.rules.take().into_iter().flatten()
    }

    /// Whether no rule matches a reference.
    fn is_unruled(&self, reference: &str, under: &Base) -> bool {
        let (rules, reach) = (&self.mapping.rules, self.mapping.reach);
        let ruling = || {
            let reading = self.reading(reference, self.queries.document, under, reach);
            self.noted(rules.ruling(reference, reading, reach))
        };
        rules.is_empty() || ruling() == Ruling::Silent
    }

    /// The way that rules read a reference. The base is resolved only where rules need it.
    fn reading<'a>(
        &'a self,
        reference: &str,
        query: Charset,
        under: &'a Base,
        reach: Reach,
    ) -> Reading<'a> {
        let base = match reach {
            Reach::AsWritten | Reach::AnySpelling if !reference.starts_with("//") => None,
            _ => under.or(self.base.as_deref()),
        };
        Reading { base, query }
    }

    /// Whether new links are display forms, which can be rewritten back as URIs.
    pub fn has_way_back(&self) -> bool {
        self.mapping.form == Form::Iri
    }

    /// The URI form that rewriting back would write for a display form, which may be the link as it stands; `None` if
    /// there is none.
    pub fn uri_behind(&self, new: &str, link: Subject<'_>) -> Option<String> {
        let implied = still_implied(new, link.implied);
        let link = Subject { implied, ..link };
        self.has_way_back()
            .then(|| self.forming(link).uri_behind(new, link))?
    }

    /// The mappings for links with the base and the escapes of this link.
    fn forming<'a>(&'a self, link: Subject<'a>) -> Forming<'a> {
        let scheme = link.under.scheme(self.base.as_deref()).unwrap_or("http");
        let (mut to_uri, mut to_iri) = (Cow::Borrowed(&self.to_uri), Cow::Borrowed(&self.to_iri));
        if scheme != self.base_scheme {
            to_uri.to_mut().base_scheme = Some(scheme.to_owned());
            to_iri.to_mut().base_scheme = Some(scheme.to_owned());
        }
        let query = link.queries.charset(self.queries);
        if query != self.queries.document {
            to_uri.to_mut().query = QueryCharset::Utf8;
            to_iri.to_mut().keep_query = false;
        }
        Forming {
            to_uri,
            to_iri,
            host: self.mapping.host,
            scanner: &self.scanner,
            under: link.under,
            document_base: self.base.as_deref(),
            query,
            other_query: self.other_query(link),
            has_other_query: self.other_query.is_some(),
            rendered: link.rendered,
        }
    }

    /// Decides about a link. If the document gets another charset, its query is first fixed to the octets of the old
    /// one.
    pub fn decide(&self, link: Subject<'_>) -> Decision {
        let Some(old_queries) = &self.old_queries else {
            return self.decide_in_charset(link);
        };
        let has_code = self.code_in(link.text, link).is_some() || is_format(link.text, link);
        let forming = self.forming(link);
        let kept = match old_queries.kept(link, (self.queries, has_code), &forming) {
            Ok(kept) => kept,
            Err(notes) => return Decision::Left(notes),
        };
        let text = kept.as_deref().unwrap_or(link.text);
        let decision = if link.is_covered {
            self.decide_in_charset(Subject { text, ..link })
        } else {
            Decision::Keep(Notes::NONE)
        };
        let (Decision::Keep(notes) | Decision::Left(notes)) = &decision else {
            return decision;
        };
        if link.access == Access::Rules && !link.any_character {
            return decision;
        }
        // What keeps its form changes nevertheless: by its query, or because it has to be written in another way.
        let is_whole = link.gets_references || text.chars().all(|ch| link.alphabet.has(ch));
        if is_whole && kept.is_none() && !link.loses_nfc {
            decision
        } else {
            self.in_charset(Decision::Change(text.to_owned(), *notes), link)
        }
    }

    /// Decides about a link. A link that rules may not change is left when they would.
    fn decide_in_charset(&self, link: Subject<'_>) -> Decision {
        let decision = self.decided(link);
        if link.access != Access::Forms || self.mapping.rules.is_empty() {
            return decision;
        }
        let access = Access::Rewrite;
        if self.decided(Subject { access, ..link }) == decision {
            decision
        } else {
            Decision::Left(Note::LeftNotRefound.into())
        }
    }

    fn decided(&self, link: Subject<'_>) -> Decision {
        match self.with_expressions_kept(link) {
            Decision::Change(_, mut notes) if link.access == Access::List => {
                notes.insert(Note::LeftUnencodable);
                Decision::Left(notes)
            }
            Decision::Change(new, mut notes)
                if is_format(link.text, link) && percents(&new) > percents(link.text) =>
            {
                notes.insert(Note::LeftTemplate);
                Decision::Left(notes)
            }
            // Percent-encoding is for URIs; in an address as people write it, `%` is a `%`.
            Decision::Change(new, mut notes)
                if still_implied(&new, link.implied) == Some("mailto")
                    && self.ruled(&self.mapping.rules, link) != Ruling::Becomes(new.clone()) =>
            {
                notes.insert(Note::LeftTargetWouldChange);
                Decision::Left(notes)
            }
            decision => decision,
        }
    }

    /// Decides about a link without its template expressions, which stay as they are.
    fn with_expressions_kept(&self, link: Subject<'_>) -> Decision {
        let template = match link.template.then(|| UriTemplate::of(link.text)) {
            None | Some(Ok(None)) => return self.mapped(link),
            Some(Ok(Some(template))) => template,
            Some(Err(Unclosed)) if link.access == Access::Forms => {
                return Decision::Keep(Notes::NONE);
            }
            // What is not understood has no other form.
            Some(Err(Unclosed)) => {
                let access = Access::Rules;
                return self.mapped(Subject { access, ..link });
            }
        };
        let inner = Subject {
            text: template.text(),
            ..link
        };
        match self.mapped(inner) {
            Decision::Change(new, mut notes) => match template.filled(&new) {
                Some(new) => Decision::Change(new, notes),
                None => {
                    notes.insert(Note::LeftTargetWouldChange);
                    Decision::Left(notes)
                }
            },
            decision => decision,
        }
    }

    /// Applies rules and the form, and makes the link relative or absolute where that is asked for.
    fn mapped(&self, link: Subject<'_>) -> Decision {
        let decision = self.ruled_and_formed(link);
        let (text, notes) = match &decision {
            Decision::Change(text, notes) => (text.as_str(), *notes),
            Decision::Keep(notes) => (link.text, *notes),
            Decision::Left(_) => return decision,
        };
        match self.in_other_reference(text, link) {
            None => decision,
            Some(new) if new == link.text => Decision::Keep(notes),
            Some(new) => self.in_charset(Decision::Change(new, notes), link),
        }
    }

    /// A new link as a relative or an absolute reference, if it is to become one. Running text has no relative links;
    /// what others resolve against stays.
    fn in_other_reference(&self, text: &str, link: Subject<'_>) -> Option<String> {
        let mapping = &*self.mapping;
        let is_elsewhere = matches!(mapping.references, References::RelativeTo(_))
            && !(link.in_page && self.is_page);
        let is_fixed = mapping.references == References::Keep
            || is_elsewhere
            || link.access != Access::Rewrite
            || link.in_text
            || link.implied.is_some()
            || link.declares_base
            || self.code_in(text, link).is_some();
        let base = link.under.or(self.base.as_deref()).filter(|_| !is_fixed)?;
        let base = references::moved(base, &mapping.rules);
        let query = link.queries.charset(self.queries);
        mapping.references.rewritten(text, &base, query)
    }

    /// Applies rules, then the form. A rule may match the new form although it does not match the link as it is
    /// written: the rule is applied at once, as a second run would (P5).
    fn ruled_and_formed(&self, link: Subject<'_>) -> Decision {
        let first = self.mapped_once(link);
        let rules = &self.mapping.rules;
        let (text, notes) = match &first {
            Decision::Change(text, notes) if !rules.is_empty() => (text, *notes),
            _ => return first,
        };
        if self.ruled(rules, link) != Ruling::Silent {
            return first;
        }
        let with = |mut more: Notes| {
            more.extend(notes);
            more
        };
        match self.mapped_once(Subject { text, ..link }) {
            Decision::Keep(_) => first,
            Decision::Left(more) => Decision::Change(text.clone(), with(more)),
            Decision::Change(new, more) if new == link.text => Decision::Keep(with(more)),
            Decision::Change(new, more) => Decision::Change(new, with(more)),
        }
    }

    /// Applies rules, then the form, once.
    ///
    /// A base changes only when its whole origin moves: otherwise relative links would point where no rule leads.
    fn mapped_once(&self, link: Subject<'_>) -> Decision {
        let ruled = if self.mapping.rules.is_empty() || link.access == Access::Forms {
            Ruling::Silent
        } else {
            self.ruled(&self.mapping.rules, link)
        };
        let stays =
            || link.declares_base && self.ruled(self.mapping.rules.of_origins(), link) != ruled;
        let left = Decision::Left(Note::LeftTargetWouldChange.into());
        match ruled {
            Ruling::Stuck | Ruling::Wrapped if self.code_in(link.text, link).is_some() => {
                Decision::Left(Note::LeftTemplate.into())
            }
            Ruling::Silent => self.formed(link, None),
            Ruling::Stuck => left,
            Ruling::Wrapped => Decision::Left(Note::LeftWrapped.into()),
            Ruling::Becomes(_) if stays() => match self.formed(link, None) {
                Decision::Keep(_) => left,
                formed => formed,
            },
            Ruling::Becomes(new) => {
                let implied = still_implied(&new, link.implied);
                let link = Subject { implied, ..link };
                self.in_charset(self.formed(link, Some(new)), link)
            }
        }
    }

    /// Percent-encodes characters that the charset lacks in the result of a rule, unless the place has character
    /// references, or the target or a second run (P5) would differ.
    fn in_charset(&self, decision: Decision, link: Subject<'_>) -> Decision {
        let (new, notes) = match decision {
            Decision::Change(new, notes) if !link.any_character => (new, notes),
            decision => return decision,
        };
        let stays = |ch| self.old_queries.is_none() && link.text.contains(ch);
        let has = |ch| link.alphabet.has(ch) || stays(ch);
        let before = with_implied(&new, link.implied);
        let forming = self.forming(link);
        let code = self.code_in(&before, link).unwrap_or(before.len());
        let encoded = charset_fallback::encoded(before.split_at(code), &forming.to_uri, &has);
        let encoded = encoded.filter(|encoded| forming.is_same(&before, encoded, link));
        let encoded =
            encoded.and_then(|encoded| Some(without_implied(&encoded, link.implied)?.into_owned()));
        let settled = |text: &str| {
            self.ruled(&self.mapping.rules, Subject { text, ..link }) == Ruling::Silent
        };
        match encoded.filter(|encoded| settled(encoded) || !settled(&new)) {
            Some(encoded) => Decision::Change(encoded, notes),
            None => Decision::Change(new, notes),
        }
    }

    /// True if a form has other percent signs than a target, or would have when it is written back as a URI (P5).
    fn changes_percents(&self, target: &str, new: &str, link: Subject<'_>) -> bool {
        let back = self.uri_behind(new, link);
        percents(target) != percents(new)
            || back.is_some_and(|back| percents(new) != percents(&back))
    }

    /// Decides about the form of a link, or of the result of a rule.
    fn formed(&self, link: Subject<'_>, ruled: Option<String>) -> Decision {
        let target = ruled.as_deref().unwrap_or(link.text);
        let mapped = match self.mapping.form {
            Form::Same => Ok((None, Notes::NONE)),
            _ if link.access == Access::Rules => Ok((None, Notes::NONE)),
            form if ruled.is_none() && stays(link.text) => unformed(link.text, form),
            _ if self.code_in(target, link).is_some() => Err(Note::LeftTemplate.into()),
            Form::Uri => self.forming(link).uri(target, link),
            Form::Iri => self.forming(link).iri(target, link),
        };
        let mapped = match mapped {
            Ok((Some(new), _))
                if is_format(target, link) && self.changes_percents(target, &new, link) =>
            {
                Err(Note::LeftTemplate.into())
            }
            mapped => mapped,
        };
        match (mapped, ruled) {
            (Ok((Some(new), notes)), _) if new != link.text => Decision::Change(new, notes),
            (Ok((Some(_), notes)) | Ok((None, notes)), None) => Decision::Keep(notes),
            (Ok((Some(_), notes)), Some(_)) => Decision::Keep(notes),
            (Ok((None, notes)) | Err(notes), Some(ruled)) => Decision::Change(ruled, notes),
            (Err(notes), None) => Decision::Left(notes),
        }
    }

    /// The form of a link, with its implied scheme; `None` when there is no form.
    pub fn form(&self, link: Subject<'_>) -> (Option<String>, Notes) {
        let is_address = link.implied == Some("mailto");
        let decision = if is_address {
            self.with_expressions_kept(link)
        } else {
            self.decide(link)
        };
        match decision {
            Decision::Keep(notes) => (
                Some(with_implied(link.text, link.implied).into_owned()),
                notes,
            ),
            // It has its escapes already.
            Decision::Change(text, notes) if is_address => {
                (Some(implied_prefix("mailto").to_owned() + &text), notes)
            }
            Decision::Change(text, notes) => {
                (Some(with_implied(&text, link.implied).into_owned()), notes)
            }
            Decision::Left(notes) => (None, notes),
        }
    }
}

/// The other charset of queries where browsers disagree, unless the caller names one.
fn other_query(info: &Info, settings: &Settings) -> Option<Charset> {
    let other = if info.query_charset == Charset::UTF_8 {
        info.charset
    } else {
        Charset::UTF_8
    };
    let is_open = settings.query_charset.is_none() && info.charset.of_queries() != Charset::UTF_8;
    is_open.then_some(other)
}

fn host_display(mapping: &Mapping) -> HostDisplay {
    match (mapping.host, mapping.display) {
        (None, to_iri::Display::All) => HostDisplay::All,
        (None, _) => HostDisplay::Safe,
        (Some(HostForm::Unicode), _) => HostDisplay::All,
        (Some(_), _) => HostDisplay::Keep,
    }
}

/// True if a new escape in a text of a link may be read as a directive of a format string: it has one, or in running
/// text another `%` that begins no escape of text.
fn is_format(text: &str, link: Subject<'_>) -> bool {
    has_directive(text) || link.in_text && has_stray_percent(text)
}

fn percents(text: &str) -> usize {
    memchr::memchr_iter(b'%', text.as_bytes()).count()
}

/// Whether only a rule may change a reference: nothing is fetched for it.
fn stays(reference: &str) -> bool {
    reference.is_empty()
        || reference.starts_with('#')
        || scheme_of(reference).is_some_and(|scheme| !is_fetched(scheme))
}

/// The form of a reference that stays as it is: itself, if it is a URI or a display form is wanted.
fn unformed(reference: &str, form: Form) -> Result<(Option<String>, Notes), Notes> {
    match form {
        Form::Uri if !reference.is_ascii() => Err(Note::LeftNotFetched.into()),
        _ => Ok((None, Notes::NONE)),
    }
}
