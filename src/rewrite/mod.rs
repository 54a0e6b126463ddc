//! Rewriting: mappers decide, edits are checked, everything else is copied verbatim.

mod changes;
mod charset_fallback;
mod charset_guess;
mod edit;
mod forms;
mod mapping;
mod pattern;
mod plan;
mod prefixes;
mod refound;
mod resolved;
mod rewriter;
mod rules;
mod run;
mod slot_check;
mod uri_template;

pub use crate::span::Edit;
pub use forms::{Forms, LinkForms, read_forms, read_forms_of_slice};
pub use mapping::Mapping;
pub use rules::{Reach, Rules};

use crate::error::Error;
use crate::link::{Info, Link, Settings};
use crate::report::Notes;
use crate::stream::Input;
use std::borrow::Cow;
use std::io::{Read, Write};
use std::sync::Arc;

/// The form that links get.
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
    /// As it is; only rules change links.
    Same,
}

/// What became of a link that a mapping wanted changed; see [`Rewriter::on_link`].
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
pub struct Outcome<'a> {
    /// The link.
    pub link: &'a Link<'a>,
    /// Its new text, unescaped; `None`: it was left as it was, the notes say why.
    pub new: Option<&'a str>,
    /// The source bytes that are replaced, and with what, in order; empty when it was left.
    pub edits: &'a [Edit],
    /// Notes of the mapping.
    pub notes: Notes,
}

/// How many links a rewrite saw, changed and left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Links seen.
    pub links: u64,
    /// Links changed.
    pub changed: u64,
    /// Links that had to be left as they were.
    pub left: u64,
}

/// What a rewrite did to a document.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The format, charset and base of the document.
    pub info: Info,
    /// How many links there are, and how many were changed or left.
    pub tally: Tally,
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
pub struct Rewritten<'s> {
    /// Its bytes: borrowed when no link changed.
    pub content: Cow<'s, [u8]>,
    /// What was done.
    pub summary: Summary,
}

impl Rewritten<'_> {
    /// How many links were changed.
    pub fn changed(&self) -> u64 {
        self.summary.tally.changed
    }

    /// How many links had to be left as they were.
    pub fn left(&self) -> u64 {
        self.summary.tally.left
    }
}

/// Rewrites documents: their links get another form or follow rules, and every other byte stays. Cheap to clone.
///
/// ```
/// use linkglot::rewrite::{Form, Rewriter};
///
/// let page = b"<meta charset=windows-1252><A HREF = '/caf\xE9?x=1&amp;y=\xE9'>\r\n\xFF";
/// let rewritten = Rewriter::new().to(Form::Uri).rewrite_slice(page);
/// assert_eq!(
///     rewritten.content,
///     &b"<meta charset=windows-1252><A HREF = '/caf%C3%A9?x=1&amp;y=%E9'>\r\n\xFF"[..]
/// );
/// assert_eq!((rewritten.changed(), rewritten.left()), (1, 0));
/// ```
#[derive(Clone, Debug)]
pub struct Rewriter {
    settings: Arc<Settings>,
    mapping: Arc<Mapping>,
}

impl Default for Rewriter {
    fn default() -> Self {
        Rewriter::new()
    }
}

impl From<Mapping> for Rewriter {
    fn from(mapping: Mapping) -> Self {
        Rewriter {
            mapping: Arc::new(mapping),
            ..Rewriter::new()
        }
    }
}

impl Rewriter {
    /// A rewriter that changes nothing yet: say a form, or rules.
    pub fn new() -> Self {
        Rewriter {
            settings: Arc::default(),
            mapping: Arc::new(Mapping::new(Form::Same)),
        }
    }

    /// The form that links get.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewriter = Rewriter::new().to(Form::Iri);
    /// let rewritten = rewriter.rewrite_slice(b"see http://xn--rsum-bpad.example/%C3%A9");
    /// assert_eq!(rewritten.content, "see http://r\u{e9}sum\u{e9}.example/\u{e9}".as_bytes());
    /// ```
    #[must_use]
    pub fn to(mut self, form: Form) -> Self {
        Arc::make_mut(&mut self.mapping).form = form;
        self
    }

    /// LinkContext-migration rules, applied before the form.
    ///
    /// ```
    /// use linkglot::rewrite::{Rewriter, Rules};
    ///
    /// let mut rules = Rules::default();
    /// rules.add("http://old.example/ https://new.example/")?;
    /// let rewritten = Rewriter::new().rules(rules).rewrite_slice(b"<http://old.example/a>");
    /// assert_eq!(rewritten.content, &b"<https://new.example/a>"[..]);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        Arc::make_mut(&mut self.mapping).rules = rules;
        self
    }

    /// How documents are read.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    /// use linkglot::{Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Text);
    /// let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
    /// assert_eq!(rewriter.rewrite_slice("<a href=\u{e9}>".as_bytes()).changed(), 0);
    /// ```
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = Arc::new(settings);
        self
    }

    /// Calls `on_link` with each link that is changed, or left although it should have changed, in order.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let mut changed = Vec::new();
    /// let rewriter = Rewriter::new().to(Form::Uri).on_link(|outcome, _| {
    ///     changed.extend(outcome.new.map(|new| (outcome.link.text().to_owned(), new.to_owned())));
    /// });
    /// rewriter.rewrite_slice("<a href=/\u{e9}>".as_bytes());
    /// assert_eq!(changed, [("/\u{e9}".to_owned(), "/%C3%A9".to_owned())]);
    /// ```
    pub fn on_link<F: FnMut(&Outcome<'_>, &Info)>(self, on_link: F) -> Watched<F> {
        Watched {
            rewriter: self,
            on_link,
        }
    }

    /// Rewrites a document in memory.
    pub fn rewrite_slice<'s>(&self, source: &'s [u8]) -> Rewritten<'s> {
        self.clone().on_link(|_, _| {}).rewrite_slice(source)
    }

    /// Rewrites what `reader` gives to `writer`, in bounded memory.
    ///
    /// # Errors
    ///
    /// Those of `reader` and `writer`.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let mut page = "<a href='http://r\u{e9}sum\u{e9}.example/\u{e9}'>".as_bytes();
    /// let mut out = Vec::new();
    /// Rewriter::new().to(Form::Uri).rewrite(&mut page, &mut out)?;
    /// assert_eq!(out, b"<a href='http://xn--rsum-bpad.example/%C3%A9'>");
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn rewrite(&self, reader: &mut dyn Read, writer: &mut dyn Write) -> Result<Summary, Error> {
        self.clone().on_link(|_, _| {}).rewrite(reader, writer)
    }
}

/// A [`Rewriter`] that tells of each link that is changed or left; see [`Rewriter::on_link`].
pub struct Watched<F> {
    rewriter: Rewriter,
    on_link: F,
}

impl<F: FnMut(&Outcome<'_>, &Info)> Watched<F> {
    /// See [`Rewriter::rewrite_slice`].
    pub fn rewrite_slice(mut self, source: &[u8]) -> Rewritten<'_> {
        let Rewriter { settings, mapping } = &self.rewriter;
        let (new, info, tally) = rewrite_slice(source, settings, mapping, &mut self.on_link);
        Rewritten {
            content: new.map_or(Cow::Borrowed(source), Cow::Owned),
            summary: Summary { info, tally },
        }
    }

    /// See [`Rewriter::rewrite`].
    ///
    /// # Errors
    ///
    /// Those of `reader` and `writer`.
    pub fn rewrite(
        mut self,
        reader: &mut dyn Read,
        writer: &mut dyn Write,
    ) -> Result<Summary, Error> {
        let Rewriter { settings, mapping } = &self.rewriter;
        let (info, tally) = rewrite(reader, writer, settings, mapping, &mut self.on_link)?;
        Ok(Summary { info, tally })
    }
}

/// [`Rewriter::rewrite`], with all that it needs at once.
#[doc(hidden)]
pub fn rewrite(
    reader: &mut dyn Read,
    writer: &mut dyn Write,
    settings: &Settings,
    mapping: &Mapping,
    each: &mut dyn FnMut(&Outcome<'_>, &Info),
) -> Result<(Info, Tally), Error> {
    run::run(Input::of_reader(reader)?, writer, settings, mapping, each)
}

/// [`Rewriter::rewrite_slice`], with all that it needs at once; `None` in place of the bytes when nothing changes.
#[doc(hidden)]
pub fn rewrite_slice(
    source: &[u8],
    settings: &Settings,
    mapping: &Mapping,
    each: &mut dyn FnMut(&Outcome<'_>, &Info),
) -> (Option<Vec<u8>>, Info, Tally) {
    let mut out = Vec::with_capacity(source.len() + source.len() / 16);
    match run::run(Input::of_slice(source), &mut out, settings, mapping, each) {
        Ok((info, tally)) => ((tally.changed > 0).then_some(out), info, tally),
        Err(error) => unreachable!("memory neither fails to read nor to write: {error}"),
    }
}
