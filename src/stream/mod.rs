//! Documents from readers, in bounded memory: their links, their charsets, the attachments of a message, and the
//! messages of a mailbox.

mod attachments;
mod charsets;

pub use attachments::{read_attachments, rewrite_attachments};
pub use charsets::read_charsets;

pub use crate::parts::{Attachment, MailboxRange, NewBody, mailbox_ranges};

use crate::error::Error;
use crate::link::{Budget, Info, Link, Settings, UnreadParts, open};
use crate::parts::{self, InnerMail, PartVisitor};
use crate::read::{self, Flow, Input, Opened, Scene, SlotRead, Visitor};
use std::io::Read;
use std::ops::ControlFlow;

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
    let document = Opened {
        input,
        info: &info,
        bom,
        settings,
    };
    let mut each_document = |document: Opened<'_, '_>| {
        let mut flow = ControlFlow::Continue(());
        let mut each = |link: &Link<'_>, info: &Info| {
            flow = each(link, info);
            flow
        };
        read::read(document, &mut EachLink(&mut each))?;
        Ok(flow)
    };
    info.unread = parts::read(document, &mut EachDocument::new(&mut each_document))?;
    Ok(info)
}

/// Hands over only the parts of a document, which share a budget.
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

impl PartVisitor for EachDocument<'_> {
    fn between(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn opened(&mut self, document: Opened<'_, '_>) -> Flow {
        (self.each)(document.within(&self.budget))
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        mail.read(self, unread)
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
