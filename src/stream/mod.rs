//! Documents from readers, in bounded memory: their links, their charsets, and the messages of a mailbox.

mod charsets;

pub use charsets::read_charsets;

pub use crate::mail::{MailboxRange, mailbox_ranges};

use crate::error::Error;
use crate::link::{Budget, Info, Link, Settings, UnreadParts, open};
use crate::mail::{self, InnerMail, MailDocument, MailVisitor, Opened, Visit};
use crate::read::{self, Flow, Input, Scene, SlotRead, Visitor};
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Hands every link of `reader` to `each`, until `each` returns `Break`.
///
/// The links are those of [`crate::Document::links`] over the same bytes. A slot that is longer than
/// [`Settings::max_slot`] becomes a link without text and with the note `too-long`. Memory is at most a small multiple
/// of `max_slot`; time is linear.
///
/// # Errors
///
/// Errors of `reader`; an error if the links are many times as long as the document
/// ([`ErrorKind::OverBudget`](crate::ErrorKind::OverBudget)).
///
/// # Examples
///
/// ```
/// use linkglot::{Settings, stream::read_links};
/// use std::ops::ControlFlow;
///
/// let mut page = &b"<a href='/caf\xE9'>menu</a>"[..];
/// let mut links = Vec::new();
/// let info = read_links(&mut page, &Settings::default(), &mut |link, _| {
///     links.push(link.text().to_owned());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(links, ["/café"]);
/// assert_eq!(info.charset.name(), "windows-1252");
/// # Ok::<(), linkglot::Error>(())
/// ```
pub fn read_links(
    reader: &mut dyn Read,
    settings: &Settings,
    each: &mut dyn FnMut(&Link<'_>, &Info) -> ControlFlow<()>,
) -> Result<Info, Error> {
    let input = Input::of_reader(reader)?;
    let (head, whole) = input.raw();
    let (mut info, bom) = open(head, whole, settings);
    if mail::has_parts(&info) {
        let mut each_document = |document: Opened<'_, '_>| {
            let mut flow = ControlFlow::Continue(());
            let mut each = |link: &Link<'_>, info: &Info| {
                flow = each(link, info);
                flow
            };
            let Opened { input, info, .. } = document;
            let mut each = EachLink(&mut each);
            read::read(input, (info, document.bom), document.settings, &mut each)?;
            Ok(flow)
        };
        let mut visitor = EachDocument::new(&mut each_document);
        info.unread = mail::read(input, (&info, bom), settings, &mut visitor)?;
    } else {
        read::read(input, (&info, bom), settings, &mut EachLink(each))?
    }
    Ok(info)
}

/// Hands over only the documents of a message, which share a budget.
pub(crate) struct EachDocument<'e> {
    each: &'e mut dyn FnMut(Opened<'_, '_>) -> Flow,
    budget: Budget,
}

impl<'e> EachDocument<'e> {
    pub fn new(each: &'e mut dyn FnMut(Opened<'_, '_>) -> Flow) -> Self {
        EachDocument {
            each,
            budget: Budget::default(),
        }
    }
}

impl MailVisitor for EachDocument<'_> {
    fn between(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn document(&mut self, document: MailDocument<'_>) -> Result<Visit, Error> {
        document.read(&mut |opened| (self.each)(opened.within(&self.budget)))
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        let place = Arc::new(mail.place());
        mail.read(&place, self, unread)
    }
}

/// Hands over links one by one.
struct EachLink<'e>(&'e mut dyn FnMut(&Link<'_>, &Info) -> ControlFlow<()>);

impl Visitor for EachLink<'_> {
    fn slot(&mut self, scene: &mut Scene<'_, '_>, read: &mut SlotRead<'_>) -> Flow {
        for found in &mut read.found {
            let link = scene.link(found, &read.window, read.origin);
            if (self.0)(&link, scene.info).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn too_long(&mut self, link: Link<'_>, info: &Info) -> Flow {
        Ok((self.0)(&link, info))
    }
}
