//! Decides the new text of a link: rules first, then the target form.

use super::charset_fallback;
use super::edit::Alphabet;
use super::other_charset::OldQueries;
use super::rules::Ruling;
use super::uri_template::{Unclosed, UriTemplate};
use super::{Form, Reach, Rules};
use crate::charset::Charset;
use crate::charset::ascii::hex_value;
use crate::iri::scheme::{has_document_query, is_fetched, is_special};
use crate::iri::target::{Reading, same_at_a_glance};
use crate::iri::to_uri::{Disallowed, MapErrorKind, Unencodable};
use crate::iri::{
    HostDisplay, HostForm, Mapped, Normalization, Parts, QueryCharset, ToIri, ToUri, to_iri,
};
use crate::link::{
    Base, Dialect, Info, Nfc, Queries, QueryCharsets, Rendering, Settings, has_expression,
    has_quirks, implied_prefix, scheme_of, still_implied, with_implied, without_implied,
};
use crate::markup::{Access, PlaceKind};
use crate::report::{Note, Notes};
use crate::scan::{Following, Scanner};
use std::borrow::Cow;

/// A display form in running text may have a display form of its own. After so many steps the link is left.
const MAX_FORMS: usize = 4;

/// The options of a rewrite, as [`Rewriter`](super::Rewriter) collects them.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// The target form.
    pub form: Form,
    /// The host's form; `None`: punycode to URI, Unicode where safe to IRI.
    pub host: Option<HostForm>,
    /// What the display form shows.
    pub display: to_iri::Display,
    /// Site-migration rules, applied before the form.
    pub rules: Rules,
    /// Which references the rules see.
    pub reach: Reach,
    /// The kinds of places to rewrite (`None`: all).
    pub slots: Option<Vec<PlaceKind>>,
    /// The charset that documents get (`None`: the one that they have).
    pub to_charset: Option<Charset>,
}

impl Mapping {
    /// A mapping to a form, with the defaults of the command line.
    pub fn new(form: Form) -> Self {
        Mapping {
            form,
            host: None,
            display: to_iri::Display::Safe,
            rules: Rules::default(),
            reach: Reach::default(),
            slots: None,
            to_charset: None,
        }
    }
}

/// The properties of a link that its mapping depends on.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'l> {
    pub text: &'l str,
    pub implied: Option<&'static str>,
    /// Whether it stands in running text.
    pub in_text: bool,
    /// Whether the place can write every character (character references).
    pub any_character: bool,
    /// Whether what the new charset lacks becomes a character reference even where no link changes.
    pub gets_references: bool,
    /// The characters that it can write without them.
    pub alphabet: Alphabet,
    /// Whether other links resolve against it.
    pub declares_base: bool,
    /// The base that it resolves against.
    pub under: &'l Base,
    pub access: Access,
    /// Whether it may hold expressions of a URI template.
    pub template: bool,
    pub queries: Queries,
    pub rendered: Rendering,
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
    base: Option<String>,
    base_scheme: String,
    queries: QueryCharsets,
    /// The other charset that browsers may use for queries where they disagree.
    other_query: Option<Charset>,
    /// Of a document that gets another charset.
    old_queries: Option<OldQueries>,
    scanner: Scanner,
    dialect: Dialect,
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
            base_scheme,
            queries: info.query_charsets,
            other_query: other_query(info, settings),
            scanner: settings.scanner(info.format),
            dialect: info.dialect,
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

    pub fn has_rules(&self) -> bool {
        !self.mapping.rules.is_empty()
    }

    /// A quick test that a reference has its form already. Linear, no allocation.
    pub fn surely_keeps(&self, reference: &str, under: &Base) -> bool {
        let is_formed = self.mapping.form == Form::Uri
            || self.old_queries.is_some()
                && self.mapping.form == Form::Same
                && reference.is_ascii();
        is_formed && self.to_uri.surely_keeps(reference) && self.is_unruled(reference, under)
    }

    /// Applies rules to a link.
    fn ruled(&self, rules: &Rules, link: Subject<'_>) -> Ruling {
        // What one with code resolves to is not known.
        let reach = match self.dialect.code_in(link.text) {
            Some(_) => Reach::AsWritten,
            None => self.mapping.reach,
        };
        let by = |query| {
            let reading = self.reading(link.text, query, link.under, reach);
            match link.implied {
                Some(scheme) => rules.of_implied((link.text, scheme), reading, reach),
                None => rules.ruling(link.text, reading, reach),
            }
        };
        let ruling = by(link.queries.charset(self.queries));
        match self.other_query(link) {
            Some(other) if by(other) != ruling => Ruling::Stuck,
            _ => ruling,
        }
    }

    /// The other charset that browsers may use for the query of a link.
    fn other_query(&self, link: Subject<'_>) -> Option<Charset> {
        self.other_query
            .filter(|_| link.queries == Queries::Doubtful)
    }

    /// Whether no rule matches a reference.
    fn is_unruled(&self, reference: &str, under: &Base) -> bool {
        let (rules, reach) = (&self.mapping.rules, self.mapping.reach);
        let ruling = || {
            let reading = self.reading(reference, self.queries.document, under, reach);
            rules.ruling(reference, reading, reach)
        };
        rules.is_empty() || ruling() == Ruling::Silent
    }

    /// How rules read a reference. The base is resolved only where rules need it.
    fn reading<'a>(
        &'a self,
        reference: &str,
        query: Charset,
        under: &'a Base,
        reach: Reach,
    ) -> Reading<'a> {
        let base = match reach {
            Reach::AsWritten if !reference.starts_with("//") => None,
            _ => under.or(self.base.as_deref()),
        };
        Reading { base, query }
    }

    /// Whether new links are display forms, which can be rewritten back as URIs.
    pub fn has_way_back(&self) -> bool {
        self.mapping.form == Form::Iri
    }

    /// The URI form that rewriting back would write for a display form, which may be the link as it stands; `None` if there
    /// is none.
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
            mapper: self,
            query,
            to_uri,
            to_iri,
            under: link.under,
            rendered: link.rendered,
        }
    }

    /// Whether a reference holds code of the document's template language.
    pub fn has_code(&self, reference: &str) -> bool {
        self.dialect.code_in(reference).is_some()
    }

    /// Whether two references have the same target where the query of a link is in a charset.
    pub fn has_target(&self, link: Subject<'_>, query: Charset, one: &str, other: &str) -> bool {
        self.forming(link).same_target(query, one, other)
    }

    /// Decides about a link: in another charset, about the link as the old document has it.
    pub fn decide(&self, link: Subject<'_>) -> Decision {
        let Some(old_queries) = &self.old_queries else {
            return self.decide_in_charset(link);
        };
        let kept = match old_queries.kept(self, link, self.queries) {
            Ok(kept) => kept,
            Err(notes) => return Decision::Left(notes),
        };
        let text = kept.as_deref().unwrap_or(link.text);
        let decision = self.decide_in_charset(Subject { text, ..link });
        let (Decision::Keep(notes) | Decision::Left(notes)) = &decision else {
            return decision;
        };
        // What keeps its form changes nevertheless: by its query, or because it has to be written in another way.
        let is_written = link.gets_references || text.chars().all(|ch| link.alphabet.has(ch));
        match is_written && kept.is_none() {
            true => decision,
            false => self.in_charset(Decision::Change(text.to_owned(), *notes), link),
        }
    }

    /// Decides about a link. A link that rules may not change is left when they would.
    fn decide_in_charset(&self, link: Subject<'_>) -> Decision {
        let decision = self.decided(link);
        if link.access != Access::Forms || self.mapping.rules.is_empty() {
            return decision;
        }
        let access = Access::Rewrite;
        match self.decided(Subject { access, ..link }) == decision {
            true => decision,
            false => Decision::Left(Note::LeftNotRefound.into()),
        }
    }

    fn decided(&self, link: Subject<'_>) -> Decision {
        match self.with_expressions_kept(link) {
            Decision::Change(_, mut notes) if link.access == Access::List => {
                notes.insert(Note::LeftUnencodable);
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

    /// Applies rules, then the form. A rule may match the new form although it does not match the link as it is
    /// written: the rule is applied at once, as a second run would (P5).
    fn mapped(&self, link: Subject<'_>) -> Decision {
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
        let ruled = match self.mapping.rules.is_empty() || link.access == Access::Forms {
            true => Ruling::Silent,
            false => self.ruled(&self.mapping.rules, link),
        };
        let stays =
            || link.declares_base && self.ruled(self.mapping.rules.of_origins(), link) != ruled;
        let left = Decision::Left(Note::LeftTargetWouldChange.into());
        match ruled {
            Ruling::Stuck if self.dialect.code_in(link.text).is_some() => {
                Decision::Left(Note::LeftTemplate.into())
            }
            Ruling::Silent => self.formed(link, None),
            Ruling::Stuck => left,
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

    /// Percent-encodes characters that the charset lacks in the result of a rule, unless the place has character references,
    /// or the target or a second run (P5) would differ.
    fn in_charset(&self, decision: Decision, link: Subject<'_>) -> Decision {
        let (new, notes) = match decision {
            Decision::Change(new, notes) if !link.any_character => (new, notes),
            decision => return decision,
        };
        let stays = |ch| self.old_queries.is_none() && link.text.contains(ch);
        let has = |ch| link.alphabet.has(ch) || stays(ch);
        let before = with_implied(&new, link.implied);
        let forming = self.forming(link);
        let code = self.dialect.code_in(&before).unwrap_or(before.len());
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

    /// Decides about the form of a link, or of the result of a rule.
    fn formed(&self, link: Subject<'_>, ruled: Option<String>) -> Decision {
        let target = ruled.as_deref().unwrap_or(link.text);
        let mapped = match self.mapping.form {
            Form::Same => Ok((None, Notes::NONE)),
            _ if link.access == Access::Rules => Ok((None, Notes::NONE)),
            form if ruled.is_none() && stays(link.text) => unformed(link.text, form),
            _ if self.dialect.code_in(target).is_some() => Err(Note::LeftTemplate.into()),
            _ if link.in_text && has_expression(target) => Err(Note::LeftTemplate.into()),
            Form::Uri => self.forming(link).uri(target, link),
            Form::Iri => self.forming(link).iri(target, link),
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
        let decision = match is_address {
            // An address stays as people write it; its URI has escapes all the same.
            true => self.with_expressions_kept(link),
            false => self.decide(link),
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

/// The mappings for links with one base and one way to be rendered.
struct Forming<'a> {
    mapper: &'a Mapper<'a>,
    query: Charset,
    to_uri: Cow<'a, ToUri>,
    to_iri: Cow<'a, ToIri>,
    under: &'a Base,
    rendered: Rendering,
}

impl Forming<'_> {
    /// The URI form, if it differs and has the same target.
    pub fn uri(&self, target: &str, link: Subject<'_>) -> Result<(Option<String>, Notes), Notes> {
        let whole = with_implied(target, link.implied);
        let mapped = self.whole_uri(&whole).map_err(left_because)?;
        self.checked(target, mapped.text, link, mapped.notes)
    }

    /// The URI of a reference with its scheme, whatever its target.
    ///
    /// To browsers the host of a scheme that is not special is opaque text, even where it is a DNS name. Punycode would
    /// change it; percent-encoding (RFC 3987 3.1 step 2) does not.
    fn whole_uri(&self, iri: &str) -> Result<Mapped<'static>, MapErrorKind> {
        let iri = &*self.rendered.text(iri);
        let read = match self.rendered {
            Rendering::AsWritten => as_browsers_read(iri),
            // The characters that browsers read as others are escaped.
            Rendering::Encoded | Rendering::Doubtful => Cow::Borrowed(iri),
        };
        let owned = |mapped: Mapped<'_>| Mapped {
            text: Cow::Owned(mapped.text.into_owned()),
            notes: mapped.notes,
        };
        let first = self.to_uri.map(&read).map(owned);
        let is_web = scheme_of(&read).is_none_or(is_special);
        let is_same = |mapped: &Mapped| self.same_target(self.query, iri, &mapped.text);
        if is_web || self.mapper.mapping.host.is_some() || first.as_ref().is_ok_and(is_same) {
            return first.map_err(|error| error.kind);
        }
        let percent = ToUri {
            host: HostForm::Percent,
            ..self.to_uri.clone().into_owned()
        };
        let second = percent.map(&read).map(owned).ok();
        let second = second.filter(is_same).map(Ok);
        second.unwrap_or(first).map_err(|error| error.kind)
    }

    /// The display form, if it differs, has the same target and maps back to the same URI. If that fails with the host in
    /// Unicode, the host stays as it is.
    pub fn iri(&self, target: &str, link: Subject<'_>) -> Result<(Option<String>, Notes), Notes> {
        let whole = with_implied(target, link.implied);
        let mut to_iri = self.to_iri.clone();
        if self.mapper.other_query(link).is_some() && !to_iri.keep_query {
            to_iri.to_mut().keep_query = true;
        }
        let first = self.iri_by(&to_iri, target, &whole, link);
        if first.is_ok() || to_iri.host == HostDisplay::Keep {
            return first;
        }
        to_iri.to_mut().host = HostDisplay::Keep;
        self.iri_by(&to_iri, target, &whole, link).or(first)
    }

    fn iri_by(
        &self,
        to_iri: &ToIri,
        target: &str,
        whole: &str,
        link: Subject<'_>,
    ) -> Result<(Option<String>, Notes), Notes> {
        let shown = |ch: char| link.any_character || link.alphabet.has(ch);
        let mut mapped = to_iri.map(whole, &shown);
        if let Some(text) = self.with_asked_host(whole, &mapped.text) {
            mapped.text = Cow::Owned(text);
        }
        if mapped.text == whole {
            return Ok((None, mapped.notes));
        }
        if link.in_text {
            let again = |iri: &str| to_iri.map(iri, &shown).text.into_owned();
            let Some(text) = self.for_text(target, &mapped.text, again) else {
                return Err(Note::LeftNotRefound.into());
            };
            mapped.text = Cow::Owned(text);
        }
        let maps_back = self.maps_back(whole, &mapped.text, link);
        let (new, mut notes) = self.checked(target, mapped.text, link, mapped.notes)?;
        if !maps_back {
            notes.insert(Note::LeftTargetWouldChange);
            return Err(notes);
        }
        Ok((new, notes))
    }

    /// The display form that running text needs, and that is its own display form there. `again` maps an IRI. One escape can
    /// make another necessary; `None` when the steps do not end soon.
    fn for_text(&self, target: &str, iri: &str, again: impl Fn(&str) -> String) -> Option<String> {
        let (mut before, mut iri) = (target.to_owned(), iri.to_owned());
        for _ in 0..MAX_FORMS {
            let text = self.formatted(&before, &iri);
            if text == before {
                return Some(text);
            }
            iri = again(&text);
            before = text;
        }
        None
    }

    /// A display form with the escapes that running text needs. Punctuation at its end needs no escape if the link ends with
    /// it already: the text around the link keeps it there.
    fn formatted(&self, target: &str, iri: &str) -> String {
        let scanner = &self.mapper.scanner;
        let text = scanner.format(iri);
        let is_kept = |last: char| text.ends_with(last) || !target.ends_with(last);
        if iri.chars().next_back().is_none_or(is_kept) {
            return text;
        }
        scanner.format_before(iri, Following::Link)
    }

    /// A display form with the host in the form that the caller asks for, if that is another than display forms have.
    fn with_asked_host(&self, whole: &str, iri: &str) -> Option<String> {
        match self.mapper.mapping.host? {
            HostForm::Unicode | HostForm::Keep => None,
            HostForm::Punycode | HostForm::Percent => {
                let uri = self.to_uri.map(whole).ok()?.text;
                Parts::split(iri).with_host(Parts::split(&uri).host()?)
            }
        }
    }

    /// Whether both have the same URI, apart from the case of hex digits and escapes of unreserved characters, and the second
    /// maps back to it in each charset that its query may be in (P5).
    fn maps_back(&self, before: &str, after: &str, link: Subject<'_>) -> bool {
        let uri = |iri| self.whole_uri(iri).map(|mapped| mapped.text.into_owned());
        // Hosts that stay as they are have no URI form: compare their punycode.
        let named = |uri: Result<String, MapErrorKind>| match self.mapper.mapping.host {
            Some(HostForm::Keep) => {
                let plain = ToUri {
                    host: HostForm::Punycode,
                    ..self.to_uri.clone().into_owned()
                };
                let mapped = plain.map(&uri?).map(|mapped| mapped.text.into_owned());
                mapped.map_err(|error| error.kind)
            }
            _ => uri,
        };
        match (named(uri(before)), named(uri(after))) {
            (Ok(before), Ok(uri)) => {
                plain_escapes(&before) == plain_escapes(&uri) && self.is_same(after, &uri, link)
            }
            _ => false,
        }
    }

    fn uri_behind(&self, new: &str, link: Subject<'_>) -> Option<String> {
        let whole = with_implied(new, link.implied);
        let whole = self.rendered.text(&whole);
        let read = as_browsers_read(&whole);
        let uri = self.to_uri.map(&read).ok()?;
        without_implied(&uri.text, link.implied).map(Cow::into_owned)
    }

    /// Whether two references have the same target in each way that they may be rendered.
    fn same_target(&self, query: Charset, before: &str, after: &str) -> bool {
        // Without characters that browsers drop or read as others, all renderings are the same.
        if same_at_a_glance(before, after, query) {
            return true;
        }
        let is_same = |before: &str, after: &str| self.reading(query).same_target(before, after);
        if !has_quirks(before) && !has_quirks(after) {
            return is_same(before, after);
        }
        let readings = self.rendered.readings().iter();
        let mut readings = readings.map(|reading| (reading.text(before), reading.text(after)));
        readings.all(|(before, after)| is_same(&before, &after))
    }

    /// How browsers read references here if queries are in this charset.
    fn reading(&self, query: Charset) -> Reading<'_> {
        Reading {
            base: self.under.or(self.mapper.base.as_deref()),
            query,
        }
    }

    /// Whether two references have the same target in each charset that the query may be in.
    fn is_same(&self, before: &str, after: &str, link: Subject<'_>) -> bool {
        if self.mapper.other_query.is_some()
            && is_odd(before)
            && query_of(before) != query_of(after)
        {
            return false;
        }
        [Some(self.query), self.mapper.other_query(link)]
            .into_iter()
            .flatten()
            .all(|query| self.same_target(query, before, after))
    }

    /// A form, if it differs and has the same target.
    fn checked(
        &self,
        target: &str,
        mapped: Cow<'_, str>,
        link: Subject<'_>,
        mut notes: Notes,
    ) -> Result<(Option<String>, Notes), Notes> {
        let before = with_implied(target, link.implied);
        if mapped == before {
            return Ok((None, notes));
        }
        if self.is_same(&before, &mapped, link) {
            match link.implied {
                None => return Ok((Some(mapped.into_owned()), notes)),
                Some(scheme) => {
                    if let Some(new) = mapped.strip_prefix(implied_prefix(scheme)) {
                        return Ok((Some(new.to_owned()), notes));
                    }
                }
            }
        }
        notes.insert(Note::LeftTargetWouldChange);
        Err(notes)
    }
}

/// The other charset of queries where browsers disagree, unless the caller names one.
fn other_query(info: &Info, settings: &Settings) -> Option<Charset> {
    let other = match info.query_charset == Charset::UTF_8 {
        true => info.charset,
        false => Charset::UTF_8,
    };
    let is_open = settings.query_charset.is_none() && info.charset.of_queries() != Charset::UTF_8;
    is_open.then_some(other)
}

/// Whether a reference has a scheme whose queries are in UTF-8 by the standard (WHATWG URL, query state), but in the
/// document's charset in Chromium.
fn is_odd(reference: &str) -> bool {
    scheme_of(reference).is_some_and(|scheme| {
        reference[scheme.len()..].starts_with(":/") && !has_document_query(scheme)
    })
}

fn query_of(reference: &str) -> Option<&str> {
    let end = reference.find('#').unwrap_or(reference.len());
    let (_, query) = reference[..end].split_once('?')?;
    Some(query)
}

fn host_display(mapping: &Mapping) -> HostDisplay {
    match (mapping.host, mapping.display) {
        (None, to_iri::Display::All) => HostDisplay::All,
        (None, _) => HostDisplay::Safe,
        (Some(HostForm::Unicode), _) => HostDisplay::All,
        (Some(_), _) => HostDisplay::Keep,
    }
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

/// A reference without the characters that browsers drop, and with `/` for the `\` that they read as one (URL Standard 4.4).
/// No URI may hold these characters, and their escapes would mean something else.
fn as_browsers_read(reference: &str) -> Cow<'_, str> {
    if !has_quirks(reference) {
        return Cow::Borrowed(reference);
    }
    let special = scheme_of(reference).is_none_or(is_special);
    let path_end = reference.find(['?', '#']).unwrap_or(reference.len());
    reference
        .char_indices()
        .filter(|(_, ch)| !matches!(ch, '\t' | '\n' | '\r'))
        .map(|(at, ch)| {
            if ch == '\\' && special && at < path_end {
                '/'
            } else {
                ch
            }
        })
        .collect()
}

/// A URI with upper-case hex digits and without escapes of unreserved characters (RFC 3986 6.2.2).
fn plain_escapes(uri: &str) -> String {
    let mut plain = String::with_capacity(uri.len());
    let mut rest = uri;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        let octet = match rest.as_bytes()[at + 1..] {
            [high, low, ..] => hex_value(high).zip(hex_value(low)).map(|(h, l)| h << 4 | l),
            _ => None,
        };
        match octet {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => {
                plain.push(char::from(octet));
            }
            Some(octet) => plain.push_str(&format!("%{octet:02X}")),
            None => plain.push('%'),
        }
        rest = &rest[at + if octet.is_some() { 3 } else { 1 }..];
    }
    plain + rest
}

pub(super) fn left_because(kind: MapErrorKind) -> Notes {
    match kind {
        MapErrorKind::ToAscii => Note::UnmappableHost.into(),
        _ => Note::LeftUnencodable.into(),
    }
}
