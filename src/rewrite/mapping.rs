//! Decides the new text of a link: rules first, then the target form.

use super::choose::{self, Candidate, Choose, Chooser};
use super::forming::Forming;
use super::other_charset::{OldQueries, with_encoded_query};
use super::rules::{Ruling, Verdict};
use super::subject::Subject;
use super::{Form, Package, Reach, References, Rules};
use crate::charset::Charset;
use crate::format::Format;
use crate::iri::target::Reading;
use crate::iri::to_uri::{Disallowed, Unencodable};
use crate::iri::{HostDisplay, HostForm, Normalization, QueryCharset, ToIri, ToUri, to_iri};
use crate::link::{
    Base, Dialect, Info, Nfc, Queries, QueryCharsets, Rendering, Settings, expression_in,
    has_quirks, is_scheme_relative, scheme_of, still_implied, with_implied, without_implied,
};
use crate::markup::PlaceKind;
use crate::notes::{Note, Notes};
use crate::scan::{Evidence, Hosts, Scanner};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;

/// The options of a rewrite, from [`Rewriter`](super::Rewriter).
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// The target form.
    pub form: Form,
    /// The form of hosts; `None`: punycode in URIs, Unicode where safe in IRIs.
    pub host: Option<HostForm>,
    /// The characters that the display form shows.
    pub display: to_iri::Display,
    /// Site-migration rules, applied before the form.
    pub rules: Arc<Rules>,
    /// The caller's choice of new links, behind the rules.
    pub choose: Option<Chooser>,
    /// The references that the rules see.
    pub reach: Reach,
    /// The change of links to relative or absolute ones.
    pub references: References,
    /// The kinds of places to rewrite; `None` for all.
    pub slots: Option<Vec<PlaceKind>>,
    /// The new charset of documents; `None`: they keep their charset.
    pub to_charset: Option<Charset>,
    /// The changes that the transport of mail forbids.
    pub transport: Transport,
    /// True if a signature that stands elsewhere covers the whole document.
    pub is_signed: bool,
    /// The reason why no link of the document may change, if there is one.
    pub left: Option<Note>,
    /// The names of columns in the workbook that the document is a part of.
    pub columns: Arc<HashSet<String>>,
    /// The package that the document is a part of.
    pub package: Option<Package>,
    /// The evidence that a link needs, unless a rule names its host.
    pub min_evidence: Evidence,
    /// True if links that are left have excerpts.
    pub excerpts: bool,
}

/// The links of mail that are left because their message would not arrive unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Links that a signature covers, and links that would get octets that the part does not declare.
    #[default]
    Kept,
    /// Only links that would get such octets.
    SignaturesBroken,
    /// Only links that a signature covers: forms are shown, not written.
    Shown,
}

impl Mapping {
    /// True if the mapping changes no link.
    pub fn is_idle(&self) -> bool {
        let keeps_references = self.references == References::Keep;
        self.form == Form::Same && !self.has_rules() && keeps_references
    }

    /// A mapping to a form, with the defaults of the command line.
    pub fn new(form: Form) -> Self {
        Mapping {
            form,
            host: None,
            display: to_iri::Display::Safe,
            rules: Arc::default(),
            choose: None,
            reach: Reach::default(),
            references: References::Keep,
            slots: None,
            to_charset: None,
            transport: Transport::Kept,
            is_signed: false,
            left: None,
            columns: Arc::default(),
            package: None,
            min_evidence: Evidence::Www,
            excerpts: false,
        }
    }

    /// True if links may change for another reason than their form: by rules, or by the caller's choice.
    pub fn has_rules(&self) -> bool {
        !self.rules.is_empty() || self.choose.is_some()
    }
}

/// The decision about a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The link has its form already.
    Keep(Notes),
    /// The link should change, but cannot.
    Left(Notes),
    /// The new text.
    Change(String, Notes),
}

impl Decision {
    /// Leaves a link that was to change if there is a reason.
    pub fn unless(self, reason: impl FnOnce(&str) -> Option<Note>) -> Self {
        match self {
            Decision::Change(new, mut notes) => match reason(&new) {
                Some(note) => {
                    notes.insert(note);
                    Decision::Left(notes)
                }
                None => Decision::Change(new, notes),
            },
            decision => decision,
        }
    }
}

/// A mapping for one document, prepared once.
pub(crate) struct Mapper<'m> {
    pub(super) mapping: Cow<'m, Mapping>,
    to_uri: ToUri,
    to_iri: ToIri,
    base: Option<Arc<str>>,
    base_scheme: String,
    /// True if browsers display the document, or use it for a displayed document.
    pub(super) is_page: bool,
    pub(super) queries: QueryCharsets,
    /// The other charset that browsers may use for queries, if browsers disagree.
    other_query: Option<Charset>,
    /// The queries of the old document, if the document gets another charset.
    pub(super) old_queries: Option<OldQueries>,
    /// The scanner without the hosts of rules.
    pub(super) scanner: Scanner,
    pub(super) dialect: Dialect,
    /// The first rule that named the current link, and the rule for the link behind it.
    rules: Cell<[Option<usize>; 2]>,
}

impl<'m> Mapper<'m> {
    /// The mapping for a document in its own charset, or in a new one.
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
            scanner: settings.scanner(info.format).known_hosts(Hosts::default()),
            dialect: info.dialect,
            rules: Cell::default(),
            mapping,
        }
    }

    /// True if links at this kind of place are rewritten.
    pub fn covers(&self, kind: PlaceKind) -> bool {
        self.mapping
            .slots
            .as_ref()
            .is_none_or(|kinds| kinds.contains(&kind))
    }

    /// True if the current link has too little evidence and may be no link. A rule that names its host counts like a
    /// scheme. `implied` is the implied scheme of the link.
    pub fn is_guess(
        &self,
        evidence: Evidence,
        (text, implied): (&str, Option<&'static str>),
    ) -> bool {
        let (least, rules) = (self.mapping.min_evidence, &self.mapping.rules);
        let of_service = |rule: usize| rules.given().get(rule).is_some_and(|rule| rule.unwraps);
        // A reference without a scheme (`//a.example/`) names its host as a domain does, and so does one whose scheme
        // ends the line in front, which is no surer than its host.
        const PREFIXES: [(&str, &str); 3] =
            [("//", "https"), ("https://", "https"), ("http://", "http")];
        let behind = |(prefix, scheme)| Some((text.strip_prefix(prefix)?, scheme));
        let domain = match implied {
            Some(implied) => Some((text, implied)),
            None => PREFIXES.into_iter().find_map(behind),
        };
        let is_named = || {
            self.rules.get().into_iter().flatten().any(of_service)
                || domain.is_some_and(|(domain, scheme)| rules.name_host(domain, scheme))
        };
        evidence < least && !(least <= Evidence::Scheme && is_named())
    }

    pub fn has_rules(&self) -> bool {
        self.mapping.has_rules()
    }

    /// True if relative links may change because of their resolved address.
    pub fn needs_base(&self) -> bool {
        self.has_rules() && self.mapping.reach == Reach::Resolved
            || self.mapping.choose.is_some()
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

    /// A quick test that only rules could change a link, and that none does. No allocation.
    pub fn surely_moves_not(&self, link: &str, is_implied: bool) -> bool {
        let mapping = &*self.mapping;
        mapping.form == Form::Same
            && mapping.references == References::Keep
            && mapping.reach != Reach::Resolved
            && self.old_queries.is_none()
            && mapping.choose.is_none()
            && (mapping.rules.is_empty() || mapping.rules.surely_name_none(link, is_implied))
    }

    /// Applies rules to a link, and asks the caller about the result.
    pub(super) fn ruled(&self, rules: &Rules, link: Subject<'_>) -> Ruling {
        let ruling = self.by_rules(rules, link);
        let text = match &ruling {
            Ruling::Silent => link.text,
            Ruling::Becomes(new) => new,
            Ruling::Stuck | Ruling::Wrapped => return ruling,
        };
        let implied = still_implied(text, link.implied);
        match self.chosen(Subject {
            text,
            implied,
            ..link
        }) {
            Ruling::Becomes(new) if new == link.text => Ruling::Silent,
            Ruling::Silent => ruling,
            chosen => chosen,
        }
    }

    /// Asks the caller about a link. The target of a link with code is unknown, and a base leads other links with it:
    /// the caller is not asked about these.
    fn chosen(&self, link: Subject<'_>) -> Ruling {
        let is_fixed = || {
            let has_code = self.code_in(link.text, link).is_some();
            has_code || link.context.template || link.declares_base() || link.text.is_empty()
        };
        let chooser = self.mapping.choose.as_ref();
        let Some(Chooser(choose)) = chooser.filter(|_| !is_fixed()) else {
            return Ruling::Silent;
        };
        let by = |query| self.answer(&**choose, link, query);
        let ruling = by(link.queries.charset(self.queries));
        match self.other_query(link) {
            Some(other) if by(other) != ruling => Ruling::Stuck,
            _ => ruling,
        }
    }

    /// The caller's answer. An address stays an address.
    fn answer(&self, choose: &Choose, link: Subject<'_>, query: Charset) -> Ruling {
        let reference = with_implied(link.text, link.implied);
        let candidate = Candidate {
            reference: &reference,
            implied: link.implied,
            place: &link.context.place,
            base: self.base(link),
            query,
            rendered: link.rendered,
        };
        let Some(new) = choose(&candidate).filter(|new| *new != *reference) else {
            return Ruling::Silent;
        };
        let is_address = link.implied == Some("mailto");
        let new = if is_address {
            without_implied(&new, link.implied).map(Cow::into_owned)
        } else {
            Some(new)
        };
        new.filter(|new| choose::is_plain(new))
            .map_or(Ruling::Stuck, Ruling::Becomes)
    }

    fn by_rules(&self, rules: &Rules, link: Subject<'_>) -> Ruling {
        if link.goes_on() {
            return self.ruled_with_code(rules, link);
        }
        let ruling = self.as_sent(rules, link, link.queries.charset(self.queries));
        match self.other_query(link) {
            Some(other) if self.as_sent(rules, link, other) != ruling => Ruling::Stuck,
            _ => ruling,
        }
    }

    /// Applies rules to a link whose query is sent in a charset. Letters of the query stand for octets of that charset,
    /// those of the path and of rules for UTF-8: no rule makes one of the other, and none matches a query by its
    /// letters alone.
    fn as_sent(&self, rules: &Rules, link: Subject<'_>, query: Charset) -> Ruling {
        let ruling = self.as_written(rules, link, query);
        let is_plain = |ruling: &Ruling| !matches!(ruling, Ruling::Becomes(new) if !new.is_ascii());
        if query == Charset::UTF_8
            || link.text.is_ascii() && is_plain(&ruling)
            || self.code_in(link.text, link).is_some()
        {
            return ruling;
        }
        let octets = ToUri {
            query: QueryCharset::Document,
            ..self.to_uri.clone()
        };
        let by_octets = match with_encoded_query(link.text, &octets) {
            Ok(None) => ruling.clone(),
            Ok(Some(text)) => {
                let sent = Subject {
                    text: &text,
                    ..link
                };
                self.as_written(rules, sent, query)
            }
            Err(_) => Ruling::Stuck,
        };
        let in_utf_8 = ToUri {
            query: QueryCharset::Utf8,
            ..self.to_uri.clone()
        };
        let exact = match by_octets {
            Ruling::Becomes(new) => match with_encoded_query(&new, &in_utf_8) {
                Ok(encoded) => Ruling::Becomes(encoded.unwrap_or(new)),
                Err(_) => Ruling::Stuck,
            },
            other => other,
        };
        match (&ruling, &exact) {
            (Ruling::Becomes(new), Ruling::Becomes(exact))
                if self.forming(link).same_target(query, new, exact) =>
            {
                ruling
            }
            (Ruling::Becomes(_), Ruling::Silent) => Ruling::Stuck,
            _ => exact,
        }
    }

    /// Applies rules to a link as it is written.
    fn as_written(&self, rules: &Rules, link: Subject<'_>, query: Charset) -> Ruling {
        // The target of a reference with code is unknown.
        let code = self.code_in(link.text, link);
        let is_as_written = code.is_some() || self.is_read_otherwise(link);
        let reach = if is_as_written {
            Reach::AsWritten
        } else {
            self.mapping.reach
        };
        let verdict_on = |text: &str| {
            let reading = self.reading(text, query, &link.context.under, reach);
            match link.implied {
                Some(scheme) => rules.of_implied((text, scheme), reading, reach),
                None => rules.ruling(text, reading, reach),
            }
        };
        let verdict = verdict_on(link.text);
        // `#{x}` goes on with the path, whose end a plain `#` would be.
        let ends_in_code = |code: usize| {
            let (before, code) = link.text.split_at(code);
            let code = code.strip_prefix('#').filter(|code| code.starts_with('{'));
            let is_named = |text: &str| matches!(verdict_on(text).ruling, Ruling::Becomes(_));
            code.is_some_and(|code| !is_named(&format!("{before}{code}")))
        };
        let rule = verdict.rule.and_then(|rule| rules.given().get(rule));
        let is_wrapped = rule.is_some_and(|rule| rule.unwraps);
        let may_match_code = rule.is_some_and(|rule| rule.from.starts_with("re:"));
        let breaks_code = |new: &str| match code {
            // Decoded, the text may be code.
            _ if is_wrapped => self.code_in(new, link).is_some(),
            // A prefix ends in front of code or names that code.
            Some(code) => {
                may_match_code && !new.ends_with(&link.text[code..]) || ends_in_code(code)
            }
            None => false,
        };
        match self.noted(verdict) {
            Ruling::Becomes(new) if breaks_code(&new) => Ruling::Stuck,
            ruling => ruling,
        }
    }

    /// True if a link has characters that only browsers take for others (`\`), and they do not get it as it is written.
    fn is_read_otherwise(&self, link: Subject<'_>) -> bool {
        let is_of_browsers = self.is_page && link.rendered == Rendering::AsWritten;
        !is_of_browsers && has_quirks(link.text)
    }

    /// Applies rules to a link whose end is given by code: as to one with the code in it.
    fn ruled_with_code(&self, rules: &Rules, link: Subject<'_>) -> Ruling {
        const CODE: &str = "${}";
        let text = format!("{}{CODE}", link.text);
        let ruling = self.by_rules(
            rules,
            Subject {
                text: &text,
                reason: None,
                ..link
            },
        );
        match ruling {
            Ruling::Becomes(new) => match new.strip_suffix(CODE) {
                Some(new) => Ruling::Becomes(new.to_owned()),
                None => Ruling::Stuck,
            },
            ruling => ruling,
        }
    }

    /// The start of template code in the text of a link, in bytes.
    pub(super) fn code_in(&self, text: &str, link: Subject<'_>) -> Option<usize> {
        let expression = link.in_text().then(|| expression_in(text)).flatten();
        let behind = link.goes_on().then_some(text.len());
        [self.dialect.code_in(text), expression, behind]
            .into_iter()
            .flatten()
            .min()
    }

    /// The other charset that browsers may use for the query of a link.
    fn other_query(&self, link: Subject<'_>) -> Option<Charset> {
        self.other_query
            .filter(|_| link.queries == Queries::Doubtful)
    }

    /// A verdict on the current link; notes the rule of the first verdict.
    fn noted(&self, verdict: Verdict) -> Ruling {
        if self.rules.get()[0].is_none() {
            self.rules.set([verdict.rule, verdict.rule_behind]);
        }
        verdict.ruling
    }

    /// The numbers of the rules that named the last link: the rule for a service around the link goes first.
    pub fn take_rules(&self) -> impl Iterator<Item = usize> + use<> {
        self.rules.take().into_iter().flatten()
    }

    /// True if no rule matches a reference.
    fn is_unruled(&self, reference: &str, under: &Base) -> bool {
        let (rules, reach) = (&self.mapping.rules, self.mapping.reach);
        let ruling = || {
            let reading = self.reading(reference, self.queries.document, under, reach);
            self.noted(rules.ruling(reference, reading, reach))
        };
        self.mapping.choose.is_none() && (rules.is_empty() || ruling() == Ruling::Silent)
    }

    /// The way that rules read a reference. The base is resolved only if rules need it.
    fn reading<'a>(
        &'a self,
        reference: &str,
        query: Charset,
        under: &'a Base,
        reach: Reach,
    ) -> Reading<'a> {
        let base = match reach {
            Reach::AsWritten | Reach::AnySpelling if !is_scheme_relative(reference) => None,
            _ => under.or(self.base.as_deref()),
        };
        Reading { base, query }
    }

    /// True if new links are display forms, which can be rewritten back to URIs.
    pub fn has_way_back(&self) -> bool {
        self.mapping.form == Form::Iri
    }

    /// The URI form of a display form when it is rewritten back; the display form may be the unchanged link. `None` if
    /// there is no such form.
    pub fn uri_behind(&self, new: &str, link: Subject<'_>) -> Option<String> {
        let implied = still_implied(new, link.implied);
        let link = Subject { implied, ..link };
        self.has_way_back()
            .then(|| self.forming(link).uri_behind(new, link))?
    }

    /// The base that a link resolves against.
    pub(super) fn base<'a>(&'a self, link: Subject<'a>) -> Option<&'a str> {
        link.context.under.or(self.base.as_deref())
    }

    /// The charset of the query of a link.
    pub(super) fn query(&self, link: Subject<'_>) -> Charset {
        link.queries.charset(self.queries)
    }

    /// The mappings for links with the base and the escapes of this link.
    pub(super) fn forming<'a>(&'a self, link: Subject<'a>) -> Forming<'a> {
        let scheme = link
            .context
            .under
            .scheme(self.base.as_deref())
            .unwrap_or("http");
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
            under: &link.context.under,
            document_base: self.base.as_deref(),
            query,
            other_query: self.other_query(link),
            has_other_query: self.other_query.is_some(),
            rendered: link.rendered,
        }
    }
}

/// The other charset of queries if browsers disagree, unless the caller names a charset.
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
        (None | Some(HostForm::Unicode), to_iri::Display::All) => HostDisplay::All,
        (None | Some(HostForm::Unicode), _) => HostDisplay::Safe,
        (Some(_), _) => HostDisplay::Keep,
    }
}
