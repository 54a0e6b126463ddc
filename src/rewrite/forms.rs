//! The URI form and the display form of links, for `find --json`.

use super::Form;
use super::alphabet::writes_all;
use super::certainty::{CharsetTrust, Guessed};
use super::edit::Script;
use super::look_ahead::plan_ahead;
use super::mapping::{Decision, Mapper, Mapping, Transport};
use super::plan::{Plan, Planner};
use super::subject::Subject;
use crate::charset::Certainty;
use crate::error::Error;
use crate::link::{Info, Link, Queries, Settings, open, warnings_of, with_implied};
use crate::markup::Access;
use crate::notes::{Note, Notes};
use crate::parts;
use crate::read::{self, Flow, Input, Opened, Scene, SlotRead, Visitor};
use crate::scan::Evidence;
use crate::stream::EachDocument;
use std::borrow::Cow;
use std::io::Read;
use std::ops::ControlFlow;

/// The callback for each link.
type Each<'e> = &'e mut dyn FnMut(&Link<'_>, &LinkForms, &Info) -> ControlFlow<()>;

/// Reads the links of documents with their URI form and their display form.
///
/// [`read`](Forms::read) and [`read_slice`](Forms::read_slice) give the forms that [`Rewriter`](super::Rewriter) would
/// write: a form is missing if the place of the link cannot hold it, or if the link would not be found again. The forms
/// of [`of_document`](Forms::of_document) depend on the link alone and cost less.
///
/// # Examples
///
/// ```
/// use linkglot::Settings;
/// use linkglot::rewrite::Forms;
/// use std::ops::ControlFlow;
///
/// let mut forms = Vec::new();
/// Forms::new(&Settings::default()).read_slice("see résumé.com/%C3%A9".as_bytes(), &mut |_, both, _| {
///     forms.push((both.uri.clone().unwrap(), both.iri.clone().unwrap()));
///     ControlFlow::Continue(())
/// })?;
/// let (uri, iri) = ("https://xn--rsum-bpad.com/%C3%A9", "https://résumé.com/é");
/// assert_eq!(forms, [(uri.to_owned(), iri.to_owned())]);
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Forms<'s> {
    settings: &'s Settings,
}

impl<'s> Forms<'s> {
    /// The forms of links in documents that are read with `settings`.
    ///
    /// ```
    /// use linkglot::{Charset, Settings};
    /// use linkglot::rewrite::Forms;
    /// use std::ops::ControlFlow;
    ///
    /// let mut settings = Settings::default();
    /// settings.charset = Some(Charset::for_label("koi8-r")?);
    /// Forms::new(&settings).read_slice(b"<a href=/\xC1>", &mut |_, forms, _| {
    ///     assert_eq!(forms.uri.as_deref(), Some("/%D0%B0"));
    ///     ControlFlow::Continue(())
    /// })?;
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn new(settings: &'s Settings) -> Self {
        Forms { settings }
    }

    /// Hands every link of `reader` with its forms to `each`, like [`read_links`](crate::stream::read_links), until
    /// `each` returns `Break`. Linear, in bounded memory.
    ///
    /// # Errors
    ///
    /// Errors of `reader`, and of [`read_slice`](Forms::read_slice).
    ///
    /// ```
    /// use linkglot::Settings;
    /// use linkglot::rewrite::Forms;
    /// use std::ops::ControlFlow;
    ///
    /// let mut page = "<a href='/é'>".as_bytes();
    /// let mut uris = Vec::new();
    /// Forms::new(&Settings::default()).read(&mut page, &mut |_, forms, _| {
    ///     uris.extend(forms.uri.clone());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(uris, ["/%C3%A9"]);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn read(&self, reader: &mut dyn Read, each: Each<'_>) -> Result<Info, Error> {
        read(Input::of_reader(reader)?, self.settings, each)
    }

    /// As [`read`](Forms::read), for a document in memory.
    ///
    /// # Errors
    ///
    /// Errors if the links are many times as long as the document
    /// ([`ErrorKind::OverBudget`](crate::ErrorKind::OverBudget)).
    ///
    /// ```
    /// use linkglot::Settings;
    /// use linkglot::rewrite::Forms;
    /// use std::ops::ControlFlow;
    ///
    /// let mut iris = Vec::new();
    /// Forms::new(&Settings::default()).read_slice(b"<a href='/%C3%A9'>", &mut |_, forms, _| {
    ///     iris.extend(forms.iri.clone());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(iris, ["/é"]);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn read_slice(&self, source: &[u8], each: Each<'_>) -> Result<Info, Error> {
        read(Input::of_slice(source), self.settings, each)
    }

    /// The forms of links of a document whose [`Info`] is known. Prepared once for all links.
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Forms};
    /// use linkglot::{Document, Settings};
    ///
    /// let settings = Settings::default();
    /// let document = Document::new("see résumé.com/é".as_bytes(), &settings);
    /// let forms = Forms::new(&settings).of_document(document.info());
    /// let uris = document.links().map(|link| forms.of(&link, Form::Uri).0);
    /// assert!(uris.eq([Some("https://xn--rsum-bpad.com/%C3%A9".to_owned())]));
    /// ```
    pub fn of_document(&self, info: &Info) -> DocumentForms {
        let mapper = |form| Mapper::new(Cow::Owned(Mapping::new(form)), info, self.settings);
        DocumentForms {
            is_certain: info.certainty == Certainty::Sure,
            trust: CharsetTrust::new(info, self.settings, &Mapping::new(Form::Same)),
            script: Script::new(info, self.settings, None),
            same: mapper(Form::Same),
            uri: mapper(Form::Uri),
            iri: mapper(Form::Iri),
        }
    }
}

/// The forms of links of one document, for `find --as uri|iri`; see [`Forms::of_document`].
///
/// ```
/// use linkglot::rewrite::{Form, Forms};
/// use linkglot::{Document, Settings};
///
/// let settings = Settings::default();
/// let document = Document::new(b"<a href='/%C3%A9'>", &settings);
/// let forms = Forms::new(&settings).of_document(document.info());
/// let iris = document.links().map(|link| forms.of(&link, Form::Iri).0);
/// assert!(iris.eq([Some("/é".to_owned())]));
/// ```
pub struct DocumentForms {
    script: Script,
    is_certain: bool,
    trust: CharsetTrust,
    same: Mapper<'static>,
    uri: Mapper<'static>,
    iri: Mapper<'static>,
}

impl DocumentForms {
    /// A form of a link; a link without a scheme gets the implied one. `None` if there is no such form; the notes give
    /// the reason. O(length of the link).
    ///
    /// ```
    /// use linkglot::rewrite::{Form, Forms};
    /// use linkglot::{Document, Settings};
    ///
    /// let settings = Settings::default();
    /// let document = Document::new(b"see example.org/%C3%A9", &settings);
    /// let link = document.links().next().unwrap();
    /// let (iri, notes) = Forms::new(&settings).of_document(document.info()).of(&link, Form::Iri);
    /// assert_eq!(iri.as_deref(), Some("https://example.org/é"));
    /// assert!(notes.is_empty());
    /// ```
    pub fn of(&self, link: &Link<'_>, form: Form) -> (Option<String>, Notes) {
        let mapper = match form {
            Form::Same => &self.same,
            Form::Uri => &self.uri,
            Form::Iri => &self.iri,
        };
        let alphabet = self.script.alphabet_in(link.context(), self.is_certain);
        let any_character = writes_all(link.layers(), self.is_certain);
        let subject = Subject {
            any_character,
            ..Subject::of_link(link, alphabet)
        };
        let (text, notes) = mapper.form(subject);
        match text {
            Some(text) if self.depends(link, &text) => (None, Note::CharsetUnsure.into()),
            text => (text, notes),
        }
    }

    /// True if a form depends on a guessed charset.
    fn depends(&self, link: &Link<'_>, form: &str) -> bool {
        link.text() != form
            && self.trust.depends(&Guessed {
                raw: link.raw_bytes(),
                text: link.text(),
                new: form,
                queries: Queries::at(link.place(), link.layers()),
                is_normalized: link.notes().contains(Note::NfcChanged),
                base: link.under(),
                has_references: writes_all(link.layers(), self.is_certain),
                is_certain: self.is_certain,
            })
    }
}

/// The texts that a rewrite to URIs and a rewrite to IRIs would give a link in its place; see [`Forms::read`].
///
/// ```
/// use linkglot::Settings;
/// use linkglot::notes::Note;
/// use linkglot::rewrite::Forms;
/// use std::ops::ControlFlow;
///
/// let page = "<a href='/é/{{ x }}'>".as_bytes();
/// Forms::new(&Settings::default()).read_slice(page, &mut |_, forms, _| {
///     assert_eq!(forms.uri, None);
///     assert!(forms.notes.contains(Note::LeftTemplate));
///     ControlFlow::Break(())
/// })?;
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkForms {
    /// The URI form, with an implied scheme written out; `None` if the link would be left.
    pub uri: Option<String>,
    /// The display form.
    pub iri: Option<String>,
    /// The reason that the link would be left, warnings of text that could deceive its reader, and other notes.
    pub notes: Notes,
}

fn read(input: Input<'_>, settings: &Settings, each: Each<'_>) -> Result<Info, Error> {
    let (head, whole) = input.raw();
    let (mut info, bom) = open(head, whole, settings);
    let document = Opened {
        input,
        info: &info,
        bom,
        settings,
    };
    let mut each_document = |document: Opened<'_, '_>| read_opened(document, each);
    info.unread = parts::read(document, &mut EachDocument::new(&mut each_document))?;
    Ok(info)
}

fn read_opened(mut document: Opened<'_, '_>, each: Each<'_>) -> Flow {
    let mut flow = ControlFlow::Continue(());
    let mut each = |link: &Link<'_>, forms: &LinkForms, info: &Info| {
        flow = each(link, forms, info);
        flow
    };
    let mut judge = Judge {
        uri: planner(Form::Uri, &mut document)?,
        iri: planner(Form::Iri, &mut document)?,
        each: &mut each,
    };
    read::read(document, &mut judge)?;
    Ok(flow)
}

/// The planner for a form.
fn planner(form: Form, document: &mut Opened<'_, '_>) -> Result<Planner<'static>, Error> {
    let mapping = Mapping {
        transport: Transport::Shown,
        // Every link has forms, whatever else its text may be.
        min_evidence: Evidence::Name,
        ..Mapping::new(form)
    };
    plan_ahead(Cow::Owned(mapping), document)
}

/// Finds both forms of each link.
struct Judge<'e> {
    uri: Planner<'static>,
    iri: Planner<'static>,
    each: Each<'e>,
}

impl Visitor for Judge<'_> {
    fn slot(&mut self, scene: &mut Scene<'_, '_>, read: &mut SlotRead<'_>) -> Flow {
        let uris = self.uri.plans(scene.reader(), read, scene.input);
        let iris = self.iri.plans(scene.reader(), read, scene.input);
        for (number, (uri, iri)) in uris.into_iter().zip(iris).enumerate() {
            let forms = self.forms(scene, read, number, (uri, iri));
            let link = scene.link(&mut read.found[number], &read.window, read.origin);
            if (self.each)(&link, &forms, scene.info).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn too_long(&mut self, link: Link<'_>, info: &Info) -> Flow {
        Ok((self.each)(&link, &LinkForms::default(), info))
    }

    fn passed(&mut self, input: &Input<'_>, to: u64) -> Result<(), Error> {
        self.uri.pass(input, to);
        self.iri.pass(input, to);
        Ok(())
    }
}

impl Judge<'_> {
    /// The forms of a link; none if the link is too long.
    fn forms(
        &mut self,
        scene: &Scene<'_, '_>,
        read: &SlotRead<'_>,
        number: usize,
        (uri, iri): (Plan, Plan),
    ) -> LinkForms {
        let found = &read.found[number];
        if found.notes.contains(Note::TooLong) {
            return LinkForms::default();
        }
        let (mut uri, mut notes) = written(&self.uri, read, scene.input, (number, uri));
        let (mut iri, more) = written(&self.iri, read, scene.input, (number, iri));
        notes.extend(more);
        if let Some(note) = self.uri.second_grammar(scene.reader(), read, found) {
            notes.insert(note);
            if note == Note::LeftEscaped {
                // The link may be another one.
                (uri, iri) = (None, None);
            }
        }
        if self.uri.is_signed(read, found, scene.input) {
            notes.insert(Note::LeftSigned);
        }
        notes.extend(warnings_of(found.text.text(), found.implied));
        LinkForms { uri, iri, notes }
    }
}

/// The text that a link would get, with its implied scheme.
fn written(
    planner: &Planner<'_>,
    read: &SlotRead<'_>,
    input: &Input<'_>,
    (number, plan): (usize, Plan),
) -> (Option<String>, Notes) {
    let found = &read.found[number];
    // Identifiers and addresses are never rewritten, but have forms.
    if found.context.access == Access::Identifier || found.implied == Some("mailto") {
        return planner.form(read, found);
    }
    let whole = |text: &str| Some(with_implied(text, found.implied).into_owned());
    match plan.decision {
        Decision::Keep(notes) => (whole(found.text.text()), notes),
        Decision::Change(new, mut notes) => {
            let edits = || planner.edits(read, (number, &new), plan.patches, input);
            if input.is_transcoded() && edits().is_none() {
                notes.insert(Note::LeftUnencodable);
                return (None, notes);
            }
            match found.implied {
                None => (Some(new), notes),
                Some(_) => (whole(&new), notes),
            }
        }
        Decision::Left(notes) => (None, notes),
    }
}
