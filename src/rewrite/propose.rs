//! The way from the text of a link to its new text: passes of [`passes`](super::passes).

use super::alphabet::can_write;
use super::mapping::{Decision, Mapper};
use super::refuse::percents;
use super::rules::Ruling;
use super::subject::Subject;
use super::uri_template::{Unclosed, UriTemplate};
use super::{Form, Package, References, charset_fallback, references};
use crate::iri::scheme::{is_fetched, is_http};
use crate::link::{scheme_of, still_implied, with_implied, without_implied};
use crate::markup::Access;
use crate::notes::{Note, Notes};

/// The new text of a link, as proposed by the passes so far.
pub(super) struct Proposal<'l> {
    /// The link as it stands.
    whole: Subject<'l>,
    /// The link without its expressions, while these are hidden.
    template: Option<UriTemplate<'l>>,
    /// The access left to the passes: a template that cannot be read has no other form.
    access: Access,
    /// The new text; `None` if the link keeps its text.
    text: Option<String>,
    notes: Notes,
    rules: Effect,
}

/// The effect of the rules on a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// No rule matches.
    None,
    /// A rule matches, and must not change the link.
    Held,
    Change,
}

impl<'l> Proposal<'l> {
    pub fn new(whole: Subject<'l>) -> Self {
        Proposal {
            whole,
            template: None,
            access: whole.access,
            text: None,
            notes: Notes::NONE,
            rules: Effect::None,
        }
    }

    /// The link that the passes work on: without hidden expressions.
    fn link(&self) -> Subject<'_> {
        Subject {
            text: self
                .template
                .as_ref()
                .map_or(self.whole.text, UriTemplate::text),
            access: self.access,
            ..self.whole
        }
    }

    /// Proposes a text, or none if it is the text of the link.
    fn set(&mut self, new: String) {
        self.text = (new != self.link().text).then_some(new);
    }

    /// The new text, if there is one.
    #[cfg(test)]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    pub fn decision(self) -> Decision {
        match self.text {
            Some(new) if new != self.whole.text => Decision::Change(new, self.notes),
            _ => Decision::Keep(self.notes),
        }
    }
}

/// Puts words in place of the expressions of a template, which stay as they are.
pub(super) fn hide_expressions(_: &Mapper<'_>, proposal: &mut Proposal<'_>) -> Result<(), Notes> {
    let link = proposal.whole;
    match link.context.template.then(|| UriTemplate::of(link.text)) {
        Some(Ok(template)) => proposal.template = template,
        Some(Err(Unclosed)) => proposal.access = Access::Rules,
        None => {}
    }
    Ok(())
}

/// Applies rules. A base changes only when its whole origin moves: otherwise relative links would point where no rule
/// leads.
pub(super) fn apply_rules(mapper: &Mapper<'_>, proposal: &mut Proposal<'_>) -> Result<(), Notes> {
    let rules = &*mapper.mapping.rules;
    if !mapper.has_rules() || proposal.whole.access == Access::Forms {
        return Ok(());
    }
    let link = proposal.link();
    let ruling = mapper.ruled(rules, link);
    let stays = || link.declares_base() && mapper.ruled(rules.of_origins(), link) != ruling;
    match ruling {
        Ruling::Silent => {}
        Ruling::Stuck | Ruling::Wrapped if mapper.code_in(link.text, link).is_some() => {
            return Err(Note::LeftTemplate.into());
        }
        Ruling::Stuck => return Err(Note::LeftTargetWouldChange.into()),
        Ruling::Wrapped => return Err(Note::LeftWrapped.into()),
        Ruling::Becomes(_) if stays() => proposal.rules = Effect::Held,
        Ruling::Becomes(new) if link.has_scheme_in_code => {
            let bare = without_scheme(&new).ok_or(Note::LeftTemplate)?;
            proposal.rules = Effect::Change;
            proposal.text = Some(bare.to_owned());
        }
        Ruling::Becomes(new) => {
            proposal.rules = Effect::Change;
            proposal.text = Some(new);
        }
    }
    Ok(())
}

/// A reference of the Web without its scheme; `None` if it has no host, or another scheme.
fn without_scheme(reference: &str) -> Option<&str> {
    let bare = match scheme_of(reference) {
        None => reference,
        Some(scheme) if is_http(scheme) => &reference[scheme.len() + 1..],
        Some(_) => return None,
    };
    bare.starts_with("//").then_some(bare)
}

/// Gives a link, or the result of a rule, the target form. A result that has no such form stays as the rule says.
pub(super) fn give_form(mapper: &Mapper<'_>, proposal: &mut Proposal<'_>) -> Result<(), Notes> {
    let formed = {
        let link = proposal.link();
        match &proposal.text {
            None => formed(mapper, link.text, link, Effect::None),
            Some(ruled) => {
                let implied = still_implied(ruled, link.implied);
                formed(mapper, ruled, Subject { implied, ..link }, Effect::Change)
            }
        }
    };
    match formed {
        Ok((Some(new), notes)) => {
            proposal.notes = notes;
            proposal.set(new);
        }
        Ok((None, notes)) => proposal.notes = notes,
        Err(notes) if proposal.text.is_some() => proposal.notes = notes,
        Err(notes) => return Err(notes),
    }
    if proposal.rules == Effect::Held && proposal.text.is_none() {
        return Err(Note::LeftTargetWouldChange.into());
    }
    Ok(())
}

/// The form of a target, if it differs.
fn formed(
    mapper: &Mapper<'_>,
    target: &str,
    link: Subject<'_>,
    rules: Effect,
) -> Result<(Option<String>, Notes), Notes> {
    let (form, forming) = (mapper.mapping.form, || mapper.forming(link));
    let formed = match form {
        Form::Same => Ok((None, Notes::NONE)),
        _ if link.access == Access::Rules => Ok((None, Notes::NONE)),
        form if rules == Effect::None && stays(target) => unformed(target, form),
        _ if mapper.code_in(target, link).is_some() => Err(Note::LeftTemplate.into()),
        Form::Uri => forming().uri(target, link),
        Form::Iri => forming().iri(target, link),
    };
    match formed {
        Ok((Some(new), _))
            if link.is_format_string(target) && changes_percents(mapper, target, &new, link) =>
        {
            Err(Note::LeftTemplate.into())
        }
        formed => formed,
    }
}

/// True if a form has other percent signs than a target, or would have when it is written back as a URI (P5).
fn changes_percents(mapper: &Mapper<'_>, target: &str, new: &str, link: Subject<'_>) -> bool {
    let back = mapper.uri_behind(new, link);
    percents(target) != percents(new) || back.is_some_and(|back| percents(new) != percents(&back))
}

/// True if only a rule may change a reference: nothing is fetched for it.
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

/// Applies rules to a new form, as a second run would (P5): a rule may match the form but not the link as written.
pub(super) fn apply_rules_to_form(
    mapper: &Mapper<'_>,
    proposal: &mut Proposal<'_>,
) -> Result<(), Notes> {
    if proposal.rules != Effect::None || !mapper.has_rules() {
        return Ok(());
    }
    let Some(text) = proposal.text.take() else {
        return Ok(());
    };
    let mut again = Proposal::new(Subject {
        text: &text,
        ..proposal.link()
    });
    let passed = apply_rules(mapper, &mut again).and_then(|()| give_form(mapper, &mut again));
    let (new, notes) = (again.text, again.notes);
    match passed.map(|()| new) {
        Ok(None) => proposal.text = Some(text),
        Ok(Some(new)) => {
            proposal.notes.extend(notes);
            proposal.set(new);
        }
        Err(notes) => {
            proposal.notes.extend(notes);
            proposal.text = Some(text);
        }
    }
    Ok(())
}

/// Makes a link relative or absolute on request. Running text has no relative links; a base of other links stays.
pub(super) fn change_reference(
    mapper: &Mapper<'_>,
    proposal: &mut Proposal<'_>,
) -> Result<(), Notes> {
    let link = proposal.link();
    let text = proposal.text.as_deref().unwrap_or(link.text);
    let is_ruled = proposal.rules == Effect::Change;
    let Some(new) = in_other_reference(mapper, (text, is_ruled), link) else {
        return Ok(());
    };
    // A second run would give the new reference its form, too (P5).
    match formed(mapper, &new, link, Effect::Change) {
        Ok((form, notes)) => {
            proposal.notes = notes;
            proposal.set(form.unwrap_or(new));
        }
        Err(notes) => {
            proposal.notes.extend(notes);
            proposal.set(new);
        }
    }
    Ok(())
}

/// A link as a relative or an absolute one; `is_ruled`: rules gave its text.
fn in_other_reference(
    mapper: &Mapper<'_>,
    (text, is_ruled): (&str, bool),
    link: Subject<'_>,
) -> Option<String> {
    let mapping = &*mapper.mapping;
    let is_elsewhere = matches!(mapping.references, References::RelativeTo(_))
        && !(link.in_page && mapper.is_page);
    let is_fixed = mapping.references == References::Keep
        || mapping.references != References::Absolute
            && matches!(mapping.package, Some(Package::OfFiles { .. }))
        || is_elsewhere
        || link.access != Access::Rewrite
        || link.in_text()
        || link.implied.is_some()
        || link.has_scheme_in_code
        || link.declares_base()
        || mapper.code_in(text, link).is_some();
    let base = mapper.base(link).filter(|_| !is_fixed)?;
    let query = mapper.query(link);
    if is_ruled || mapping.references != References::Absolute {
        let base = references::moved(base, &mapping.rules);
        return mapping.references.rewritten(text, &base, query);
    }
    // The base may move and the target stay, or move elsewhere.
    let target = mapping.references.rewritten(text, base, query)?;
    match mapper.ruled(
        &mapping.rules,
        Subject {
            text: &target,
            ..link
        },
    ) {
        Ruling::Becomes(new) => Some(new),
        Ruling::Silent => Some(target),
        Ruling::Stuck | Ruling::Wrapped => None,
    }
}

/// Puts the expressions of a template back.
pub(super) fn show_expressions(_: &Mapper<'_>, proposal: &mut Proposal<'_>) -> Result<(), Notes> {
    let (Some(template), Some(text)) = (proposal.template.take(), proposal.text.as_deref()) else {
        return Ok(());
    };
    let Some(filled) = template.filled(text) else {
        proposal.notes.insert(Note::LeftTargetWouldChange);
        return Err(proposal.notes);
    };
    proposal.text = Some(filled);
    Ok(())
}

/// Percent-encodes characters of a new text that the charset lacks.
pub(super) fn fit_charset(mapper: &Mapper<'_>, proposal: &mut Proposal<'_>) -> Result<(), Notes> {
    let link = proposal.whole;
    let text = proposal.text.take();
    proposal.text = text.map(|new| fitted(mapper, new, link));
    Ok(())
}

/// A new text with characters that the charset lacks percent-encoded, unless the place has character references, or the
/// target or a second run (P5) would differ.
fn fitted(mapper: &Mapper<'_>, new: String, link: Subject<'_>) -> String {
    if link.any_character || can_write(&new, link.alphabet) {
        return new;
    }
    let implied = still_implied(&new, link.implied);
    let link = Subject { implied, ..link };
    let stays = |ch| mapper.old_queries.is_none() && link.text.contains(ch);
    let has = |ch| link.alphabet.has(ch) || stays(ch);
    let before = with_implied(&new, implied);
    let forming = mapper.forming(link);
    let code = mapper.code_in(&before, link).unwrap_or(before.len());
    let encoded = charset_fallback::encoded(before.split_at(code), &forming.to_uri, &has);
    let encoded = encoded.filter(|encoded| forming.is_same(&before, encoded, link));
    let encoded =
        encoded.and_then(|encoded| Some(without_implied(&encoded, implied)?.into_owned()));
    let settled = |text: &str| {
        mapper.ruled(&mapper.mapping.rules, Subject { text, ..link }) == Ruling::Silent
    };
    encoded
        .filter(|encoded| settled(encoded) || !settled(&new))
        .unwrap_or(new)
}

/// The link with its query in the octets of the old charset, if the document gets another one and the query differs.
///
/// # Errors
///
/// The notes of a link whose target is not known, or that cannot be written so.
pub(super) fn kept_query(mapper: &Mapper<'_>, link: Subject<'_>) -> Result<Option<String>, Notes> {
    let Some(old_queries) = &mapper.old_queries else {
        return Ok(None);
    };
    let has_code = mapper.code_in(link.text, link).is_some() || link.is_format_string(link.text);
    old_queries.kept(link, (mapper.queries, has_code), &mapper.forming(link))
}

/// The decision about a link in a document that gets another charset. A link that keeps its form changes nevertheless
/// by its query, or because it has to be written in another way.
pub(super) fn in_new_charset(
    mapper: &Mapper<'_>,
    decision: Decision,
    kept_query: Option<&str>,
    link: Subject<'_>,
) -> Decision {
    let (Decision::Keep(notes) | Decision::Left(notes)) = decision else {
        return decision;
    };
    let is_fixed =
        mapper.old_queries.is_none() || link.access == Access::Rules && !link.any_character;
    let text = kept_query.unwrap_or(link.text);
    let is_whole = || link.gets_references || can_write(text, link.alphabet);
    if is_fixed || kept_query.is_none() && !link.loses_nfc && is_whole() {
        decision
    } else {
        Decision::Change(fitted(mapper, text.to_owned(), link), notes)
    }
}
