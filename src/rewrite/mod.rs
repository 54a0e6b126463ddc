//! Rewriting: mappers decide, edits are checked, everything else is copied verbatim.
//!
//! A [`Rewriter`] edits documents, by [`Rules`] that move a site or to another [`Form`]; [`Forms`] gives the forms of
//! links without writing.

mod alphabet;
mod blame;
mod certainty;
mod changes;
mod charset_fallback;
mod charset_guess;
mod choose;
mod columns;
mod container;
mod digest;
mod document_writer;
mod domains;
mod edit;
mod escaped;
mod excerpt;
mod format_guess;
mod forming;
mod forms;
mod halves;
mod host_filter;
mod left_behind;
mod look_ahead;
mod map_file;
mod mapping;
mod mention;
mod move_domain;
mod needs;
mod other_charset;
mod output;
mod package;
mod parts;
mod passes;
mod pattern;
mod patterns;
mod permit;
mod plan;
mod prefixes;
mod propose;
mod references;
mod refound;
mod refuse;
mod required;
mod resolved;
mod rewriter;
mod rule_check;
mod rules;
mod run;
mod scripts;
mod signed_document;
mod slot_check;
mod subject;
#[cfg(test)]
mod testing;
mod transcode;
mod uri_template;

pub use crate::iri::{Display, HostForm};
pub use crate::span::Edit;
pub use choose::Candidate;
pub use columns::column_names;
pub use container::refuse_archive;
pub use domains::DomainMove;
pub use excerpt::Excerpt;
pub use forms::{DocumentForms, Forms, LinkForms};
pub use map_file::MapFormat;
pub use mention::{LeftBehind, Mention, MentionPlace, Need, Why};
pub use package::Package;
pub use references::References;
pub use rewriter::{Rewriter, Watched};
pub use rule_check::{Fault, Gravity};
pub use rules::{Reach, Rule, Rules};

use crate::charset::Charset;
use crate::error::Error;
use crate::link::{Info, Link};
use crate::notes::{Note, Notes};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The form of new links.
///
/// ```
/// use linkglot::rewrite::{Form, Rewriter};
///
/// let rewritten = |form, text: &str| {
///     let rewritten = Rewriter::new().to(form).rewrite_slice(text.as_bytes());
///     String::from_utf8(rewritten.content.into_owned()).unwrap()
/// };
/// assert_eq!(rewritten(Form::Uri, "http://example.org/é"), "http://example.org/%C3%A9");
/// assert_eq!(rewritten(Form::Iri, "http://example.org/%C3%A9"), "http://example.org/é");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// URI: percent-encoded, punycode (RFC 3987 3.1).
    Uri,
    /// Display IRI (RFC 3987 3.2).
    Iri,
    /// No form; only rules change links.
    Same,
}

/// The outcome of a link that a mapping would change; see [`Rewriter::on_link`].
///
/// ```
/// use linkglot::rewrite::{Form, Rewriter};
///
/// let mut edits = Vec::new();
/// let watched = Rewriter::new().to(Form::Uri).on_link(|outcome, _| {
///     edits.extend(outcome.edits.iter().map(|edit| (edit.span.start, edit.bytes.to_vec())));
/// });
/// watched.rewrite_slice("see http://example.org/é".as_bytes());
/// assert_eq!(edits, [(23, b"%C3%A9".to_vec())]);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// The link.
    pub link: &'a Link<'a>,
    /// The new text, unescaped; `None` if the link was left: the notes give the reason.
    pub new: Option<&'a str>,
    /// The replaced source bytes with their replacements, in order; empty if the link was left.
    pub edits: &'a [Edit],
    /// Notes of the mapping.
    pub notes: Notes,
    /// The rule that matched the link, by its number in [`Rules::given`].
    pub rule: Option<usize>,
    /// The text around a link that was left, if it is wanted ([`Rewriter::excerpts`]).
    pub excerpt: Option<&'a Excerpt>,
}

impl Outcome<'_> {
    /// The notes of the mapping and of the link, with warnings of text that could deceive a reader of the old link.
    /// O(length of the link).
    ///
    /// ```
    /// use linkglot::notes::Note;
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let watched = Rewriter::new().to(Form::Uri).on_link(|outcome, _| {
    ///     assert!(outcome.all_notes().contains(Note::Invisible));
    /// });
    /// assert_eq!(watched.rewrite_slice("<a href='/a\u{AD}b'>".as_bytes()).changed(), 1);
    /// ```
    pub fn all_notes(&self) -> Notes {
        let is_changed = self.new.is_some();
        let of_link = self.link.notes().iter();
        // A signature may have been broken.
        let of_link = of_link.filter(|note| !(is_changed && *note == Note::LeftSigned));
        let mut notes = self.notes;
        notes.extend(of_link.collect());
        notes.extend(self.link.warnings());
        notes
    }
}

/// Numbers of links that a rewrite saw, changed and left.
///
/// ```
/// use linkglot::rewrite::{Form, Rewriter};
///
/// let rewritten = Rewriter::new().to(Form::Uri).rewrite_slice("<a href=/é><a href=/e>".as_bytes());
/// let tally = rewritten.summary.tally;
/// assert_eq!((tally.links, tally.changed, tally.left), (2, 1, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Links seen.
    pub links: u64,
    /// Links changed.
    pub changed: u64,
    /// Links that had to be left.
    pub left: u64,
    /// Left links that are bare names in running text, which may be no links ([`Rewriter::min_evidence`]).
    pub names: u64,
}

/// The outcome of rewriting a document.
///
/// ```
/// use linkglot::rewrite::{Form, Rewriter};
/// use std::io;
///
/// let mut page = "<a href=/é>".as_bytes();
/// let summary = Rewriter::new().to(Form::Uri).rewrite(&mut page, &mut io::sink())?;
/// assert_eq!(summary.info.format.name(), "html");
/// assert_eq!(summary.tally.changed, 1);
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The format, charset and base of the document.
    pub info: Info,
    /// Numbers of links: all, changed and left.
    pub tally: Tally,
    /// Number of links that each rule matched, changed or not, by the number of the rule in [`Rules::given`]. Rules
    /// without a match are missing.
    pub matched: BTreeMap<usize, u64>,
    /// The new charset of the document, if it has another charset and other bytes than before
    /// ([`Rewriter::to_charset`]).
    pub transcoded: Option<Charset>,
    /// Number of links left because a signature covers them ([`Rewriter::break_signatures`]).
    pub signed: u64,
    /// Number of links left because the charset is a guess
    /// ([`Note::CharsetUnsure`],
    /// [`Note::LeftCharsetWouldChange`]).
    pub unsure: u64,
    /// Number of links left because their bytes contradict the charset
    /// ([`Note::CharsetContradicts`]).
    pub contradicting: u64,
    /// Mentions of moved hosts in the new document ([`Rewriter::left_behind`]).
    pub left_behind: LeftBehind,
    /// The reason that a document in memory could not get another charset. It stays unchanged.
    pub error: Option<Error>,
}

impl Summary {
    fn new(info: Info, counts: output::Counts, done: output::Done) -> Self {
        Summary {
            info,
            tally: counts.tally,
            matched: done.matched,
            transcoded: done.transcoded,
            signed: counts.signed,
            unsure: counts.unsure,
            contradicting: counts.contradicting,
            left_behind: done.left_behind,
            error: None,
        }
    }

    /// True if the document changed.
    ///
    /// ```
    /// use linkglot::Charset;
    /// use linkglot::rewrite::Rewriter;
    ///
    /// let rewriter = Rewriter::new().to_charset(Charset::UTF_8);
    /// let is_changed = |page| rewriter.rewrite_slice(page).summary.is_changed();
    /// assert!(is_changed(b"<meta charset=koi8-r>") && !is_changed(b"<p>"));
    /// ```
    pub fn is_changed(&self) -> bool {
        self.tally.changed > 0 || self.transcoded.is_some()
    }
}

/// A document in memory after a rewrite.
///
/// ```
/// use linkglot::rewrite::{Form, Rewriter};
///
/// let rewritten = Rewriter::new().to(Form::Uri).rewrite_slice(b"see http://example.org/");
/// assert_eq!((rewritten.summary.tally.links, rewritten.changed(), rewritten.left()), (1, 0, 0));
/// assert_eq!(rewritten.summary.info.charset.name(), "UTF-8");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rewritten<'s> {
    /// The bytes, borrowed if nothing changed.
    pub content: Cow<'s, [u8]>,
    /// The outcome: numbers of links, and properties of the document.
    pub summary: Summary,
}

impl Rewritten<'_> {
    /// Number of links that were changed. The content is borrowed if the number is 0, unless the document got another
    /// charset.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewritten = Rewriter::new().to(Form::Uri).rewrite_slice("<a href=/é>".as_bytes());
    /// assert_eq!(rewritten.changed(), 1);
    /// ```
    pub fn changed(&self) -> u64 {
        self.summary.tally.changed
    }

    /// Number of links that had to be left. [`Rewriter::on_link`] gives these links and the reasons.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewritten = Rewriter::new().to(Form::Uri).rewrite_slice("<a href='/é/{{ x }}'>".as_bytes());
    /// assert_eq!((rewritten.changed(), rewritten.left()), (0, 1));
    /// ```
    pub fn left(&self) -> u64 {
        self.summary.tally.left
    }
}
