//! The passes that decide about a link, in their order: rules and forms propose a new text, refusals withdraw it, and
//! doubts about the document keep it from being written.
//!
//! A pass is a function with one reason. It knows a link as [`Subject`] or [`Asked`]; it must not know the order of the
//! passes, nor how text is written.

#[cfg(test)]
mod tests;

use super::mapping::{Decision, Mapper};
use super::permit;
use super::plan::{Asked, Planner};
use super::propose::{self, Proposal};
use super::refuse;
use super::scripts;
use super::subject::Subject;
use crate::link::{implied_prefix, with_implied};
use crate::markup::Access;
use crate::notes::{Note, Notes};

/// Changes a proposal, or leaves the link with the reasons.
type Propose = fn(&Mapper<'_>, &mut Proposal<'_>) -> Result<(), Notes>;

/// The reason why a link may not get a new text, if there is one.
type Refuse = fn(&Mapper<'_>, Subject<'_>, &str) -> Option<Note>;
type Permit = fn(&mut Planner<'_>, &Asked<'_, '_, '_>) -> Option<Note>;

/// From the text of a link to its new text.
const PROPOSE: [Propose; 7] = [
    propose::hide_expressions,
    propose::apply_rules,
    propose::give_form,
    propose::apply_rules_to_form,
    propose::change_reference,
    propose::show_expressions,
    propose::fit_charset,
];

/// Reasons in the link and its new text. The first one counts.
const REFUSE: [Refuse; 4] = [
    refuse::in_lists,
    refuse::unnamed_values,
    refuse::escapes_in_format_strings,
    refuse::escapes_in_addresses,
];

/// Reasons in the document around the link. The first one counts.
const PERMIT: [Permit; 25] = [
    permit::little_evidence,
    permit::name_in_text,
    permit::cut_by_hyphen,
    permit::glued_words,
    permit::text_in_front,
    permit::text_behind,
    permit::name_in_code,
    permit::name_of_value,
    permit::signature,
    permit::left_document,
    permit::name_of_column,
    permit::second_grammar,
    permit::new_braces,
    permit::in_array,
    permit::mark_of_wiki,
    scripts::in_format,
    scripts::marks,
    scripts::key,
    scripts::folded,
    permit::guessed_charset,
    permit::other_guess_of_charset,
    permit::other_guess_of_format,
    permit::other_charset_of_part,
    permit::doubtful_space,
    permit::name_of_rules,
];

impl Mapper<'_> {
    /// Decides about a link. If the document gets another charset, its query is first fixed to the octets of the old
    /// one.
    pub fn decide(&self, link: Subject<'_>) -> Decision {
        let kept = match propose::kept_query(self, link) {
            Ok(kept) => kept,
            Err(notes) => return Decision::Left(notes),
        };
        let text = kept.as_deref().unwrap_or(link.text);
        let decision = if link.is_covered {
            self.decide_with_rules(Subject { text, ..link })
        } else {
            Decision::Keep(Notes::NONE)
        };
        propose::in_new_charset(self, decision, kept.as_deref(), link)
    }

    /// Decides about a link. A link that rules may not change is left when they would.
    fn decide_with_rules(&self, link: Subject<'_>) -> Decision {
        let decision = self.refused(self.proposed(link), link);
        if link.access != Access::Forms || !self.has_rules() {
            return decision;
        }
        let access = Access::Rewrite;
        let ruled = Subject { access, ..link };
        if self.refused(self.proposed(ruled), ruled) == decision {
            decision
        } else {
            Decision::Left(Note::LeftNotRefound.into())
        }
    }

    fn proposed(&self, link: Subject<'_>) -> Decision {
        let mut proposal = Proposal::new(link);
        let passed = PROPOSE
            .iter()
            .try_for_each(|pass| pass(self, &mut proposal));
        passed.map_or_else(Decision::Left, |()| proposal.decision())
    }

    fn refused(&self, decision: Decision, link: Subject<'_>) -> Decision {
        decision.unless(|new| REFUSE.iter().find_map(|pass| pass(self, link, new)))
    }

    /// The form of a link, with its implied scheme; `None` when there is no form.
    pub fn form(&self, link: Subject<'_>) -> (Option<String>, Notes) {
        let is_address = link.implied == Some("mailto");
        let decision = if is_address {
            self.proposed(link)
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

impl Planner<'_> {
    /// Leaves a link whose change would be unsafe where it stands.
    pub(super) fn permitted(
        &mut self,
        mut decision: Decision,
        asked: Asked<'_, '_, '_>,
    ) -> Decision {
        if let Decision::Change(_, notes) = &mut decision
            && asked.found.notes.contains(Note::NfcChanged)
        {
            notes.insert(Note::NfcChanged);
        }
        decision.unless(|new| {
            let asked = Asked { new, ..asked };
            PERMIT.iter().find_map(|pass| pass(self, &asked))
        })
    }
}
