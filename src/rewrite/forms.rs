//! The URI form and the display form of links, as `find --json` shows them.

use super::mapping::{Decision, Mapper, Subject};
use super::plan::{Plan, Planner, edits, is_text, subject};
use super::{Form, Mapping, charset_guess, edit};
use crate::error::Error;
use crate::iri::{Lenient, host_in_userinfo};
use crate::link::{Info, Link, Rendering, Settings, WindowLink, declares_base, open, with_implied};
use crate::markup::Access;
use crate::report::{Note, Notes};
use crate::stream::{self, Flow, Input, Scene, SlotRead, Visitor};
use std::borrow::Cow;
use std::io::Read;
use std::ops::ControlFlow;

/// The forms of the links of one document, as `find --as uri|iri` shows them. [`read_forms`] tells, too, whether they can be
/// written in place. Made once for a document.
///
/// # Examples
///
/// ```
/// use linkglot::rewrite::{Form, Forms};
/// use linkglot::{Document, Settings};
///
/// let settings = Settings::default();
/// let document = Document::new("see résumé.com/é".as_bytes(), &settings);
/// let forms = Forms::new(document.info(), &settings);
/// let link = document.links().next().unwrap();
/// let (uri, _) = forms.of(&link, Form::Uri);
/// assert_eq!(uri.as_deref(), Some("https://xn--rsum-bpad.com/%C3%A9"));
/// ```
pub struct Forms {
    same: Mapper<'static>,
    uri: Mapper<'static>,
    iri: Mapper<'static>,
}

impl Forms {
    /// The forms for a document that is read with `settings`.
    pub fn new(info: &Info, settings: &Settings) -> Self {
        let mapper = |form| Mapper::new(Cow::Owned(Mapping::new(form)), info, settings);
        Forms {
            same: mapper(Form::Same),
            uri: mapper(Form::Uri),
            iri: mapper(Form::Iri),
        }
    }

    /// A form of a link; a link without a scheme gets the implied one. `None` if there is no such form; the notes say why.
    /// O(length of the link).
    pub fn of(&self, link: &Link<'_>, form: Form) -> (Option<String>, Notes) {
        let mapper = match form {
            Form::Same => &self.same,
            Form::Uri => &self.uri,
            Form::Iri => &self.iri,
        };
        mapper.form(Subject {
            text: link.text(),
            implied: link.implied(),
            in_text: is_text(link.place()),
            any_character: edit::has_references(link.layers()),
            declares_base: declares_base(link.place()),
            under: link.under(),
            access: link.access(),
            template: link.is_template(),
            queries: edit::queries(link.place().kind, link.layers()),
            rendered: Rendering::of(link.layers()),
        })
    }
}

/// The text that a rewrite to URI, and one to IRI, would give a link where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkForms {
    /// The URI form, with an implied scheme written out; `None`: the link would be left.
    pub uri: Option<String>,
    /// The display form.
    pub iri: Option<String>,
    /// Why the link would be left, and other notes.
    pub notes: Notes,
}

/// The callback for each link.
type Each<'e> = &'e mut dyn FnMut(&Link<'_>, &LinkForms, &Info) -> ControlFlow<()>;

/// Hands every link to `each`, as [`read_links`](crate::stream::read_links) does, with the forms that
/// [`Rewriter`](super::Rewriter) would write. A form is missing when its place cannot hold it, or when the link would not be
/// found again. Linear, in bounded memory.
///
/// # Errors
///
/// Those of `reader`.
///
/// # Examples
///
/// ```
/// use linkglot::Settings;
/// use linkglot::rewrite::read_forms;
/// use std::ops::ControlFlow;
///
/// let mut page = "<a href='/é'>".as_bytes();
/// let mut uris = Vec::new();
/// read_forms(&mut page, &Settings::default(), &mut |_, forms, _| {
///     uris.extend(forms.uri.clone());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(uris, ["/%C3%A9"]);
/// # Ok::<(), linkglot::Error>(())
/// ```
pub fn read_forms(
    reader: &mut dyn Read,
    settings: &Settings,
    each: Each<'_>,
) -> Result<Info, Error> {
    read(Input::of_reader(reader)?, settings, each)
}

/// [`read_forms`] of a document in memory.
///
/// # Errors
///
/// None: reading memory does not fail.
pub fn read_forms_of_slice(
    source: &[u8],
    settings: &Settings,
    each: Each<'_>,
) -> Result<Info, Error> {
    read(Input::of_slice(source), settings, each)
}

fn read(mut input: Input<'_>, settings: &Settings, each: Each<'_>) -> Result<Info, Error> {
    let (head, whole) = input.raw();
    let (info, bom) = open(head, whole, settings);
    let mut judge = Judge {
        uri: planner(Form::Uri, &mut input, (&info, bom), settings)?,
        iri: planner(Form::Iri, &mut input, (&info, bom), settings)?,
        each,
    };
    stream::read(input, (&info, bom), settings, &mut judge)?;
    Ok(info)
}

/// The planner for a form.
fn planner(
    form: Form,
    input: &mut Input<'_>,
    (info, bom): (&Info, usize),
    settings: &Settings,
) -> Result<Planner<'static>, Error> {
    let mapping = Mapping::new(form);
    let keeps_charset = charset_guess::keeps_charset(input, (info, bom), settings, &mapping)?;
    let mut planner = Planner::new(Cow::Owned(mapping), info, settings);
    planner.keeps_charset = keeps_charset;
    Ok(planner)
}

/// Tells both forms of each link.
struct Judge<'e> {
    uri: Planner<'static>,
    iri: Planner<'static>,
    each: Each<'e>,
}

impl Visitor for Judge<'_> {
    fn slot(&mut self, scene: &mut Scene<'_, '_>, read: &mut SlotRead<'_>) -> Flow {
        let uris = self.uri.plans(scene.reader, read);
        let iris = self.iri.plans(scene.reader, read);
        for (number, (uri, iri)) in uris.iter().zip(&iris).enumerate() {
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
}

impl Judge<'_> {
    /// The forms of a link; a link that is too long has none.
    fn forms(
        &self,
        scene: &Scene<'_, '_>,
        read: &SlotRead<'_>,
        number: usize,
        (uri, iri): (&Plan, &Plan),
    ) -> LinkForms {
        let found = &read.found[number];
        if found.notes.contains(Note::TooLong) {
            return LinkForms::default();
        }
        let (uri, mut notes) = written(&self.uri.mapper, read, scene.input, (found, uri));
        let (iri, more) = written(&self.iri.mapper, read, scene.input, (found, iri));
        notes.extend(more);
        if deceives_by_userinfo(found) {
            notes.insert(Note::UserinfoLikeHost);
        }
        LinkForms { uri, iri, notes }
    }
}

/// Whether the userinfo of a link, as browsers read it, looks like its host.
fn deceives_by_userinfo(found: &WindowLink<'_>) -> bool {
    let text = found.text.text();
    found.implied.is_none()
        && text.contains('@')
        && host_in_userinfo(&Lenient::read(text).parts()).is_some()
}

/// The text that would be written for a link, with its implied scheme.
fn written(
    mapper: &Mapper<'_>,
    read: &SlotRead<'_>,
    input: &Input<'_>,
    (found, plan): (&WindowLink<'_>, &Plan),
) -> (Option<String>, Notes) {
    // Identifiers and addresses are never rewritten, but have forms.
    if found.context.access == Access::Identifier || found.implied == Some("mailto") {
        return mapper.form(subject(found));
    }
    let whole = |text: &str| Some(with_implied(text, found.implied).into_owned());
    let can_write = || !input.is_transcoded() || edits(read, plan.patches.clone(), input).is_some();
    match &plan.decision {
        Decision::Keep(notes) => (whole(found.text.text()), *notes),
        Decision::Change(new, notes) if can_write() => (whole(new), *notes),
        Decision::Change(_, notes) => {
            let mut notes = *notes;
            notes.insert(Note::LeftUnencodable);
            (None, notes)
        }
        Decision::Left(notes) => (None, *notes),
    }
}
