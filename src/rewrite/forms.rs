//! The forms that links have, and would get where they stand.

use super::mapping::{Decision, Mapper, Subject};
use super::plan::{Fate, Planner, edits, is_text, subject};
use super::{Form, Mapping, edit, steady};
use crate::error::Error;
use crate::link::{
    Found, Info, Link, Published, Reader, Settings, declares_base, open, with_implied,
};
use crate::markup::Access;
use crate::report::{Note, Notes};
use crate::stream::{self, Input, SlotRead};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Read;
use std::ops::ControlFlow;

/// The forms that the links of one document have, as `find --as uri|iri` shows them, wherever they stand: whether they
/// could be written there is told by [`read_forms`]. To be made once for a document.
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

    /// The form that a link has; a link without a scheme gets the implied one. `None` when
    /// there is no such form; the notes say why. O(length of the link).
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
            published: Published::of(link.layers()),
        })
    }
}

/// What a rewrite to URI and one to IRI would make of a link where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkForms {
    /// The URI form, with an implied scheme written out; `None`: the link would be left.
    pub uri: Option<String>,
    /// The display form.
    pub iri: Option<String>,
    /// Why one would be left, and what else is worth knowing.
    pub notes: Notes,
}

/// What is called with each link.
type Each<'e> = &'e mut dyn FnMut(&Link<'_>, &LinkForms, &Info) -> ControlFlow<()>;

/// Hands every link of what `reader` gives to `each`, as [`read_links`](crate::stream::read_links) does, with what
/// [`rewrite`](super::rewrite) would write for it: a form that its place cannot hold, or in which it would not be found
/// again there, is none. Linear, in bounded memory.
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

/// The same for a document in memory.
///
/// # Errors
///
/// None: memory does not fail to be read.
pub fn read_forms_of_slice(
    source: &[u8],
    settings: &Settings,
    each: Each<'_>,
) -> Result<Info, Error> {
    read(Input::of_slice(source), settings, each)
}

fn read(mut input: Input<'_>, settings: &Settings, each: Each<'_>) -> Result<Info, Error> {
    let is_steady = steady_forms(&mut input, settings)?;
    let ready = RefCell::new(VecDeque::new());
    let mut judges = None;
    let mut slots = |reader: &Reader, read: &SlotRead<'_>, input: &Input<'_>, info: &Info| {
        let judges = judges.get_or_insert_with(|| Judges::new(info, settings, is_steady));
        let mut ready = ready.borrow_mut();
        ready.clear();
        judges.judge(reader, read, input, &mut ready);
    };
    stream::read(input, settings, &mut slots, &mut |link, info| {
        // A slot or a link that is too long has none.
        let forms = match link.notes().contains(Note::TooLong) {
            true => None,
            false => ready.borrow_mut().pop_front(),
        };
        each(link, &forms.unwrap_or_default(), info)
    })
}

/// Whether the document keeps its charset with links in either form: URIs, display forms.
fn steady_forms(input: &mut Input<'_>, settings: &Settings) -> Result<[bool; 2], Error> {
    let (head, whole) = input.raw();
    let (info, bom) = open(head, whole, settings);
    let mut keeps = |form| {
        let mapping = Mapping::new(form);
        steady::keeps_charset(input, (&info, bom), settings, &mapping)
    };
    Ok([keeps(Form::Uri)?, keeps(Form::Iri)?])
}

/// Plans for both forms.
struct Judges {
    uri: Planner<'static>,
    iri: Planner<'static>,
}

impl Judges {
    fn new(info: &Info, settings: &Settings, [uri, iri]: [bool; 2]) -> Self {
        let planner = |form, is_steady| {
            let mapping = Cow::Owned(Mapping::new(form));
            let mut planner = Planner::new(mapping, info, settings);
            planner.is_steady = is_steady;
            planner
        };
        Judges {
            uri: planner(Form::Uri, uri),
            iri: planner(Form::Iri, iri),
        }
    }

    /// The forms of the links of a slot, in order.
    fn judge(
        &mut self,
        reader: &Reader,
        read: &SlotRead<'_>,
        input: &Input<'_>,
        out: &mut VecDeque<LinkForms>,
    ) {
        let uris = self.uri.all_fates(reader, read);
        let iris = self.iri.all_fates(reader, read);
        let all = read.found.iter().zip(&uris).zip(&iris);
        for ((found, uri), iri) in
            all.filter(|((found, _), _)| !found.notes.contains(Note::TooLong))
        {
            let (uri, mut notes) = written(&self.uri.mapper, read, input, (found, uri));
            let (iri, more) = written(&self.iri.mapper, read, input, (found, iri));
            notes.extend(more);
            out.push_back(LinkForms { uri, iri, notes });
        }
    }
}

/// What would be written for a link, with its implied scheme.
fn written(
    mapper: &Mapper<'_>,
    read: &SlotRead<'_>,
    input: &Input<'_>,
    (found, fate): (&Found<'_>, &Fate),
) -> (Option<String>, Notes) {
    // Identifiers have forms, though nobody writes them; so have addresses, whose escapes are for URIs alone.
    if found.site.access == Access::Identifier || found.implied == Some("mailto") {
        return mapper.form(subject(found));
    }
    let whole = |text: &str| Some(with_implied(text, found.implied).into_owned());
    match &fate.decision {
        Decision::Keep(notes) => (whole(found.text.text()), *notes),
        Decision::Change(new, notes) if edits(read, &fate.patches, input).is_some() => {
            (whole(new), *notes)
        }
        Decision::Change(_, notes) => {
            let mut notes = *notes;
            notes.insert(Note::LeftUnencodable);
            (None, notes)
        }
        Decision::Left(notes) => (None, *notes),
    }
}
