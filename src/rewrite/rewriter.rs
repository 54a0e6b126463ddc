//! The builder of a rewrite, for a document in memory or a stream.

use super::choose::{Candidate, Chooser};
use super::mapping::{Mapping, Transport};
use super::needs::{self, KeptBeginning};
use super::output::{Caller, Counts, Done};
use super::run;
use super::{Form, Outcome, Package, Reach, References, Rewritten, Rules, Summary};
use crate::charset::Charset;
use crate::error::Error;
use crate::iri::HostForm;
use crate::iri::to_iri::Display;
use crate::link::{Info, Settings, open};
use crate::markup::PlaceKind;
use crate::notes::Note;
use crate::read::Input;
use crate::scan::Evidence;
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{Read, Write};
use std::sync::Arc;

/// Rewrites documents: links get another form or follow rules, and every other byte stays. Cheap to clone.
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
    lists_left_behind: bool,
}

impl Default for Rewriter {
    fn default() -> Self {
        Rewriter::new()
    }
}

impl Rewriter {
    /// A rewriter that changes nothing yet: give it a form, or rules.
    ///
    /// ```
    /// use linkglot::rewrite::Rewriter;
    ///
    /// let page = "<a href=/é>".as_bytes();
    /// assert_eq!(Rewriter::new().rewrite_slice(page).content, page);
    /// ```
    pub fn new() -> Self {
        Rewriter {
            settings: Arc::default(),
            mapping: Arc::new(Mapping::new(Form::Same)),
            lists_left_behind: false,
        }
    }

    fn with(mut self, set: impl FnOnce(&mut Mapping)) -> Self {
        set(Arc::make_mut(&mut self.mapping));
        self
    }

    /// Sets the form of new links.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewriter = Rewriter::new().to(Form::Iri);
    /// let rewritten = rewriter.rewrite_slice(b"see http://xn--rsum-bpad.example/%C3%A9");
    /// assert_eq!(rewritten.content, "see http://r\u{e9}sum\u{e9}.example/\u{e9}".as_bytes());
    /// ```
    #[must_use]
    pub fn to(self, form: Form) -> Self {
        self.with(|mapping| mapping.form = form)
    }

    /// Sets the form of hosts. The default depends on the form of the link: punycode in a URI; in a display IRI
    /// Unicode, unless that could mislead.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, HostForm, Rewriter};
    ///
    /// let rewriter = Rewriter::new().to(Form::Uri).host(HostForm::Percent);
    /// let rewritten = rewriter.rewrite_slice("<a href=//é.example>".as_bytes());
    /// assert_eq!(rewritten.content, &b"<a href=//%C3%A9.example>"[..]);
    /// ```
    #[must_use]
    pub fn host(self, host: HostForm) -> Self {
        self.with(|mapping| mapping.host = Some(host))
    }

    /// Sets the characters that a display IRI shows; [`Display::Safe`] by default.
    ///
    /// ```
    /// use linkglot::rewrite::{Display, Form, Rewriter};
    ///
    /// let shown = |display| {
    ///     let rewriter = Rewriter::new().to(Form::Iri).display(display);
    ///     rewriter.rewrite_slice(b"<meta charset=utf-8><a href=/%E2%80%AE%C3%A9>").content.into_owned()
    /// };
    /// // U+202E would show the text after it from right to left.
    /// assert!(shown(Display::Safe).ends_with("<a href=/%E2%80%AEé>".as_bytes()));
    /// ```
    #[must_use]
    pub fn display(self, display: Display) -> Self {
        self.with(|mapping| mapping.display = display)
    }

    /// Sets rules for moving a site, applied before the form. Rules in an [`Arc`] are shared, not copied.
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
    pub fn rules(self, rules: impl Into<Arc<Rules>>) -> Self {
        self.with(|mapping| mapping.rules = rules.into())
    }

    /// Sets a function that chooses new links, behind the rules: it is asked about each link as the rules leave it, and
    /// answers with the new reference, or `None` to keep it. The answer is treated as the result of a rule: it gets the
    /// form of new links, and is refused where a rule's result would be, with a note
    /// ([`min_evidence`](Self::min_evidence), signatures, charsets ...). An answer with controls or white space around
    /// it is refused, too, and an address of running text gets only `mailto:` references.
    ///
    /// The function is not asked about links with code of a template, places of URI templates, and `<base>`. It may be
    /// asked several times about a link, also in its new form, and has to give the same answer each time; about its own
    /// answer, it should answer `None`, so that a second run changes nothing.
    ///
    /// ```
    /// use linkglot::rewrite::Rewriter;
    ///
    /// let proxied = Rewriter::new().choose(|link| {
    ///     let path = link.reference().strip_prefix("http://")?;
    ///     Some(format!("https://proxy.example/{path}"))
    /// });
    /// let rewritten = proxied.rewrite_slice(b"<img src='http://a.example/b?c&amp;d'> http://a.example.");
    /// let new = b"<img src='https://proxy.example/a.example/b?c&amp;d'> https://proxy.example/a.example.";
    /// assert_eq!(rewritten.content, &new[..]);
    /// ```
    #[must_use]
    pub fn choose(
        self,
        choose: impl Fn(&Candidate<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.with(|mapping| mapping.choose = Some(Chooser(Arc::new(choose))))
    }

    /// Sets whether rules see references as written or their targets; [`Reach::AnySpelling`] by default.
    ///
    /// ```
    /// use linkglot::rewrite::{Reach, Rewriter, Rules};
    ///
    /// let mut rules = Rules::default();
    /// rules.add("http://old.example/a/ https://new.example/")?;
    /// let rewriter = Rewriter::new().rules(rules).reach(Reach::Resolved);
    /// let rewritten = rewriter.rewrite_slice(b"<base href=http://old.example/><a href=a/b>");
    /// assert!(rewritten.content.ends_with(b"<a href=https://new.example/b>"));
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    #[must_use]
    pub fn reach(self, reach: Reach) -> Self {
        self.with(|mapping| mapping.reach = reach)
    }

    /// Sets whether links become relative to their document, or absolute; by default they do not change. The base of a
    /// document gives the place of the document; the rules are applied to the base first.
    ///
    /// ```
    /// use linkglot::Settings;
    /// use linkglot::rewrite::{References, Rewriter, Rules};
    ///
    /// let mut rules = Rules::default();
    /// rules.add("http://old.example/ https://new.example/")?;
    /// let mut settings = Settings::default();
    /// settings.base = Some("http://old.example/a/b.html".into());
    /// let site = References::RelativeTo("https://new.example/".to_owned());
    /// let rewriter = Rewriter::new().rules(rules).settings(settings).references(site);
    /// let rewritten = rewriter.rewrite_slice(b"<a href=http://old.example/c>");
    /// assert_eq!(rewritten.content, &b"<a href=../c>"[..]);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    #[must_use]
    pub fn references(self, references: References) -> Self {
        self.with(|mapping| mapping.references = references)
    }

    /// Sets the charset of new documents, with their declarations; by default each document keeps its charset.
    ///
    /// Links keep their targets: a query that stood for octets of the old charset is percent-encoded from these octets.
    /// In HTML and XML a character that the charset lacks becomes a character reference, where references are read;
    /// elsewhere the document fails. A document also fails if it holds a malformed sequence, or if it would be read in
    /// another charset because it does not declare the new one.
    ///
    /// ```
    /// use linkglot::Charset;
    /// use linkglot::rewrite::Rewriter;
    ///
    /// let page = b"<meta charset=koi8-r><a href='?q=\xD6'>\xD6</a>";
    /// let rewriter = Rewriter::new().to_charset(Charset::UTF_8);
    /// let expected = "<meta charset=UTF-8><a href='?q=%D6'>ж</a>";
    /// assert_eq!(rewriter.rewrite_slice(page).content, expected.as_bytes());
    /// ```
    #[must_use]
    pub fn to_charset(self, charset: Charset) -> Self {
        self.with(|mapping| mapping.to_charset = Some(charset))
    }

    /// Sets whether links that a signature covers (DKIM, ARC, S/MIME, OpenPGP) are rewritten, which breaks the
    /// signature. By default they are left, with [`Note::LeftSigned`](crate::notes::Note::LeftSigned).
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let message = "From: a@b.example\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nDKIM-Signature: v=1; bh=x; h=from\n\
    ///     Content-Transfer-Encoding: 8bit\n\nhttp://a.example/é\n";
    /// let rewriter = Rewriter::new().to(Form::Uri);
    /// assert_eq!(rewriter.rewrite_slice(message.as_bytes()).left(), 1);
    /// let rewriter = rewriter.break_signatures(true);
    /// assert_eq!(rewriter.rewrite_slice(message.as_bytes()).changed(), 1);
    /// ```
    #[must_use]
    pub fn break_signatures(self, breaks: bool) -> Self {
        self.with(|mapping| {
            mapping.transport = if breaks {
                Transport::SignaturesBroken
            } else {
                Transport::Kept
            }
        })
    }

    /// Sets whether a signature that stands elsewhere covers the whole document, as in a signed package. Its links are
    /// left then, unless signatures are [broken](Rewriter::break_signatures).
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewriter = Rewriter::new().to(Form::Uri).signed(true);
    /// assert_eq!(rewriter.rewrite_slice("<a href=/é>".as_bytes()).left(), 1);
    /// let rewriter = rewriter.break_signatures(true);
    /// assert_eq!(rewriter.rewrite_slice("<a href=/é>".as_bytes()).changed(), 1);
    /// ```
    #[must_use]
    pub fn signed(self, is_signed: bool) -> Self {
        if self.mapping.is_signed == is_signed {
            return self;
        }
        self.with(|mapping| mapping.is_signed = is_signed)
    }

    /// Leaves every link that would change, with a note: something around the document forbids other bytes, as a length
    /// that counts them.
    ///
    /// ```
    /// use linkglot::notes::Note;
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewriter = Rewriter::new().to(Form::Uri).leave(Some(Note::LeftSerialized));
    /// assert_eq!(rewriter.rewrite_slice("<a href=/é>".as_bytes()).left(), 1);
    /// ```
    #[must_use]
    pub fn leave(self, note: Option<Note>) -> Self {
        if self.mapping.left == note {
            return self;
        }
        self.with(|mapping| mapping.left = note)
    }

    /// Sets the [names of columns](super::column_names) of a workbook that the document is a part of. Cells whose text
    /// is one of them keep their links: formulas refer to a column by that text.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter, column_names};
    ///
    /// let names = column_names("<tableColumn id='1' name='http://a.example/é'/>".as_bytes());
    /// let strings = "<sst xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>\
    ///     <si><t>http://a.example/é</t></si><si><t>http://a.example/éé</t></si></sst>";
    /// let rewriter = Rewriter::new().to(Form::Uri).columns(names.into());
    /// let rewritten = rewriter.rewrite_slice(strings.as_bytes());
    /// assert_eq!((rewritten.left(), rewritten.changed()), (1, 1));
    /// ```
    #[must_use]
    pub fn columns(self, names: Arc<HashSet<String>>) -> Self {
        if self.mapping.columns.is_empty() && names.is_empty() {
            return self;
        }
        self.with(|mapping| mapping.columns = names)
    }

    /// Sets the package that the document is a part of. References to other parts stay as they are, since readers look
    /// for them by name. Parts get no other charsets than UTF-8 and UTF-16.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Package, Rewriter};
    ///
    /// let package = Package::OfFiles { part: "content.xml".into() };
    /// let rewriter = Rewriter::new().to(Form::Uri).package(Some(package));
    /// let text = "<d xmlns:x='http://www.w3.org/1999/xlink'><a x:href='./Bild é'/><a x:href='../é.odt'/></d>";
    /// assert_eq!(rewriter.rewrite_slice(text.as_bytes()).changed(), 1);
    /// ```
    #[must_use]
    pub fn package(self, package: Option<Package>) -> Self {
        if self.mapping.package == package {
            return self;
        }
        self.with(|mapping| mapping.package = package)
    }

    /// Sets the least evidence for rewriting a link in running text; [`Evidence::Www`] by default. A rule that names
    /// the host of a link counts like a scheme. Links with less evidence are left, with the note
    /// [`Note::LeftName`](crate::notes::Note::LeftName).
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    /// use linkglot::Evidence;
    ///
    /// let text = "b\u{fc}cher.com, r\u{e9}sum\u{e9}.com/a";
    /// let rewriter = Rewriter::new().to(Form::Uri);
    /// assert_eq!(rewriter.rewrite_slice(text.as_bytes()).summary.tally.names, 2);
    /// let rewritten = rewriter.min_evidence(Evidence::Path).rewrite_slice(text.as_bytes());
    /// assert_eq!(rewritten.content, "b\u{fc}cher.com, xn--rsum-bpad.com/a".as_bytes());
    /// ```
    #[must_use]
    pub fn min_evidence(self, least: Evidence) -> Self {
        self.with(|mapping| mapping.min_evidence = least)
    }

    /// Sets the kinds of places whose links are rewritten; all by default.
    ///
    /// ```
    /// use linkglot::PlaceKind;
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewriter = Rewriter::new().to(Form::Uri).slots([PlaceKind::Attribute]);
    /// let rewritten = rewriter.rewrite_slice("<a href=/é>http://example.org/é".as_bytes());
    /// assert_eq!(rewritten.content, "<a href=/%C3%A9>http://example.org/é".as_bytes());
    /// ```
    #[must_use]
    pub fn slots(self, kinds: impl IntoIterator<Item = PlaceKind>) -> Self {
        self.with(|mapping| mapping.slots = Some(kinds.into_iter().collect()))
    }

    /// Sets whether [`Summary::left_behind`] lists mentions of moved hosts. This costs a search of the output,
    /// and some twenty more readings, at most, of a document that has mentions.
    ///
    /// ```
    /// use linkglot::rewrite::{Rewriter, Rules};
    ///
    /// let mut rules = Rules::default();
    /// rules.add("http://old.example/ https://new.example/")?;
    /// let rewriter = Rewriter::new().rules(rules).left_behind(true);
    /// let left = rewriter.rewrite_slice(b"ftp://old.example/").summary.left_behind;
    /// assert_eq!(left.mentions.len(), 1);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    #[must_use]
    pub fn left_behind(mut self, is_wanted: bool) -> Self {
        self.lists_left_behind = is_wanted;
        self
    }

    /// Sets whether links that are left come with the text around them ([`Outcome::excerpt`]).
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewriter = Rewriter::new().to(Form::Uri).excerpts(true);
    /// let watched = rewriter.on_link(|outcome, _| {
    ///     assert_eq!(&*outcome.excerpt.unwrap().text, "a <img src='/é/{{ x }}'> b");
    /// });
    /// watched.rewrite_slice("a <img src='/é/{{ x }}'> b".as_bytes());
    /// ```
    #[must_use]
    pub fn excerpts(self, are_wanted: bool) -> Self {
        self.with(|mapping| mapping.excerpts = are_wanted)
    }

    /// Sets the reading of documents. Settings in an [`Arc`] are shared, not copied.
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
    pub fn settings(mut self, settings: impl Into<Arc<Settings>>) -> Self {
        self.settings = settings.into();
        self
    }

    /// Calls `on_link` with each link that is changed or left, in order.
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

    /// Rewrites a document in memory. Linear in its length. A document that cannot get another charset stays unchanged,
    /// and [`Summary::error`] gives the reason.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let rewriter = Rewriter::new().to(Form::Uri);
    /// let rewritten = rewriter.rewrite_slice("[é]: http://example.org/é".as_bytes());
    /// assert_eq!(rewritten.content, "[é]: http://example.org/%C3%A9".as_bytes());
    /// ```
    pub fn rewrite_slice<'s>(&self, source: &'s [u8]) -> Rewritten<'s> {
        self.clone().on_link(|_, _| {}).rewrite_slice(source)
    }

    /// Rewrites the document of `reader` to `writer`, in bounded memory.
    ///
    /// # Errors
    ///
    /// Errors of `reader` and `writer`; a document that cannot get another charset ([`to_charset`](Self::to_charset)):
    /// then a part of it may be written.
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

/// A [`Rewriter`] that reports each changed or left link; see [`Rewriter::on_link`].
///
/// ```
/// use linkglot::rewrite::{Form, Rewriter};
///
/// let mut left = Vec::new();
/// let watched = Rewriter::new().to(Form::Uri).on_link(|outcome, _| {
///     left.extend(outcome.new.is_none().then(|| outcome.link.text().to_owned()));
/// });
/// watched.rewrite_slice("<a href='/é/{{ x }}'><a href=/é>".as_bytes());
/// assert_eq!(left, ["/é/{{ x }}"]);
/// ```
pub struct Watched<F> {
    rewriter: Rewriter,
    on_link: F,
}

impl<F: FnMut(&Outcome<'_>, &Info)> Watched<F> {
    /// See [`Rewriter::rewrite_slice`].
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    ///
    /// let mut places = Vec::new();
    /// let watched = Rewriter::new().to(Form::Uri).on_link(|outcome, _| {
    ///     places.push(outcome.link.span().start);
    /// });
    /// watched.rewrite_slice("<a href=/é><a href=/é>".as_bytes());
    /// assert_eq!(places, [8, 20]);
    /// ```
    pub fn rewrite_slice(mut self, source: &[u8]) -> Rewritten<'_> {
        let mut out = Vec::with_capacity(source.len() + source.len() / 16);
        let mut summary = match self.run(Input::of_slice(source), &mut out) {
            Ok(summary) => summary,
            // Reads and writes in memory do not fail.
            Err(error) => {
                let info = open(source, true, &self.rewriter.settings).0;
                let summary = Summary::new(info, Counts::default(), Done::default());
                Summary {
                    error: Some(error),
                    ..summary
                }
            }
        };
        // The old and the new charset may have the same bytes.
        if summary.transcoded.is_some() && out == source {
            summary.transcoded = None;
        }
        let content = if summary.is_changed() {
            Cow::Owned(out)
        } else {
            Cow::Borrowed(source)
        };
        Rewritten { content, summary }
    }

    /// See [`Rewriter::rewrite`].
    ///
    /// # Errors
    ///
    /// Errors of `reader` and `writer`; as for [`Rewriter::rewrite`].
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Rewriter};
    /// use std::io;
    ///
    /// let mut new = Vec::new();
    /// let watched = Rewriter::new().to(Form::Uri).on_link(|outcome, _| {
    ///     new.extend(outcome.new.map(str::to_owned));
    /// });
    /// watched.rewrite(&mut "<a href=/é>".as_bytes(), &mut io::sink())?;
    /// assert_eq!(new, ["/%C3%A9"]);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn rewrite(
        mut self,
        reader: &mut dyn Read,
        writer: &mut dyn Write,
    ) -> Result<Summary, Error> {
        self.run(Input::of_reader(reader)?, writer)
    }

    fn run(&mut self, input: Input<'_>, writer: &mut dyn Write) -> Result<Summary, Error> {
        let Rewriter {
            settings, mapping, ..
        } = &self.rewriter;
        let moved = mapping.rules.moved_hosts();
        let is_wanted = self.rewriter.lists_left_behind && !moved.is_empty();
        let how = (&**settings, &**mapping);
        if !is_wanted {
            return run::run(input, Caller::new(writer, &mut self.on_link), None, how);
        }
        let mut kept = KeptBeginning::new(writer);
        let caller = Caller::new(&mut kept, &mut self.on_link);
        let mut summary = run::run(input, caller, Some(moved), how)?;
        if !summary.left_behind.mentions.is_empty() {
            needs::measure(&mut summary.left_behind, (&kept, &summary.info), how);
        }
        Ok(summary)
    }
}
