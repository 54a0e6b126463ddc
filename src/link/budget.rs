//! The budget of a document: it limits how much longer than the document its links may become.
//!
//! Links repeat texts that stand in a document only once: its base, the names of elements, the values of entities.
//! Bytes that stand there once come out as often as there are links. Only this module bounds the repetition.

use super::base::{Base, LONGEST_BASE};
use super::relative::is_relative;
use super::{Info, MailPart, WindowLink};
use crate::error::{Error, ErrorKind};
use crate::markup::{Place, Slot};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of bytes that links may repeat in any document.
const FREE: u64 = 256 << 10;
/// Number of further bytes that links may repeat for each byte read. In 46,000 pages of manuals, the page with the most
/// relative links has one in 75 bytes: even there bases of 700 bytes are within the budget.
const A_BYTE: u64 = 10;

/// A value may have this many links, and one more for each [`SPARSE`] bytes: all of them are in memory at once.
const FREE_LINKS: usize = 1 << 15;
const SPARSE: usize = 32;

/// Number of links that a value of `bytes` bytes may have.
pub(crate) fn most_links(bytes: usize) -> usize {
    FREE_LINKS.max(bytes / SPARSE)
}

/// The budget of one document, or of all documents of a message. Clones share the budget.
#[derive(Clone, Debug, Default)]
pub(crate) struct Budget(Arc<Spending>);

#[derive(Debug, Default)]
struct Spending {
    /// The bytes that links repeated so far.
    spent: AtomicU64,
    /// The repeated bytes of each kind, in the order of [`KINDS`].
    repeated: [AtomicU64; KINDS.len()],
    /// The bytes of the documents of the message read so far.
    before: AtomicU64,
}

/// The mark of a budget that is exceeded, for good.
const EXCEEDED: u64 = 1 << 63;

/// The cause for which a document is over its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// Links repeat their base.
    Base,
    /// Links repeat names of elements, attributes, namespaces and nested documents.
    Names,
    /// The text of links is longer than their source, as with entities.
    Texts,
    /// Links repeat the number and the type of their part of a message.
    Part,
    /// A value has too many links.
    Links { most: usize },
}

/// The kinds of bytes that links repeat.
const KINDS: [Excess; 4] = [Excess::Base, Excess::Names, Excess::Texts, Excess::Part];

impl Budget {
    /// Charges bytes that are added to the first `read` bytes of the present document. False, from then on, if the
    /// bytes are too many.
    pub fn admits(&self, bytes: u64, read: u64) -> bool {
        let spent = self.0.spent.load(Ordering::Relaxed);
        let before = self.0.before.load(Ordering::Relaxed);
        let allowed = before
            .saturating_add(read)
            .saturating_mul(A_BYTE)
            .saturating_add(FREE);
        let spent = match spent.saturating_add(bytes) {
            spent if spent <= allowed.min(EXCEEDED - 1) => spent,
            _ => EXCEEDED,
        };
        self.0.spent.store(spent, Ordering::Relaxed);
        spent < EXCEEDED
    }

    /// Charges the links of a slot in a window that begins at `origin`.
    ///
    /// # Errors
    ///
    /// When the links are too many, or repeat too much.
    pub fn charge(
        &self,
        slot: &Slot,
        found: &[WindowLink<'_>],
        (info, origin): (&Info, u64),
    ) -> Result<(), Excess> {
        let read = origin + slot.range.end as u64;
        let most = most_links(slot.range.len());
        let is_document = slot.syntax.is_light_markup() || slot.is_lines();
        if found.len() > most && !is_document {
            self.admits(EXCEEDED, read);
            return Err(Excess::Links { most });
        }
        let mut copied = [0; KINDS.len()];
        for found in found {
            for (sum, bytes) in copied.iter_mut().zip(repeated(found, info)) {
                *sum += bytes as u64;
            }
        }
        for (sum, bytes) in self.0.repeated.iter().zip(copied) {
            sum.fetch_add(bytes, Ordering::Relaxed);
        }
        if self.admits(copied.iter().sum(), read) {
            Ok(())
        } else {
            Err(self.most_repeated())
        }
    }

    /// The kind of bytes that links repeated most.
    fn most_repeated(&self) -> Excess {
        let sums = self.0.repeated.iter();
        let sums = sums.map(|sum| sum.load(Ordering::Relaxed));
        let most = sums.zip(KINDS).max_by_key(|(sum, _)| *sum);
        most.map_or(Excess::Base, |(_, kind)| kind)
    }

    /// Ends a document of `bytes` bytes. More documents of its message may follow.
    pub fn end(&self, bytes: u64) {
        self.0.before.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Numbers of bytes that a link repeats without having them in its source, in the order of [`KINDS`].
fn repeated(found: &WindowLink<'_>, info: &Info) -> [usize; KINDS.len()] {
    let context = &found.context;
    let nesting = context.nesting.as_slice().iter().map(|name| name.len());
    let names = of_place(&context.place) + nesting.sum::<usize>();
    let part = info.part.as_deref().map_or(0, of_part);
    let (mut base, mut texts) = (0, 0);
    if !found.text.is_raw() {
        let text = found.text.text();
        texts = text.len().saturating_sub(found.range.len());
        if found.implied.is_none() && is_relative(text) {
            base = context.under.most_bytes(info.base.as_deref());
        }
    }
    [base, names, texts, part]
}

fn of_place(place: &Place) -> usize {
    let namespaces = [&place.namespace, &place.name_namespace];
    let namespaces = namespaces.map(|name| name.as_deref().map_or(0, str::len));
    let names = [&place.element, &place.name].map(|name| name.as_deref().map_or(0, str::len));
    names.iter().chain(&namespaces).sum()
}

fn of_part(part: &MailPart) -> usize {
    part.number().len() + part.media_type().len()
}

/// The error for a document that is not read on from a byte.
pub(crate) fn over_budget(at: u64, excess: Excess) -> Error {
    let repeated = match excess {
        Excess::Base => "their base, against which each relative one resolves",
        Excess::Names => {
            "the names of the elements, attributes, namespaces and nested documents around them"
        }
        Excess::Texts => "text that references stand for, such as the values of entities",
        Excess::Part => "the number and the type of their part of the message",
        Excess::Links { most } => {
            let message =
                format!("expected at most {most} links in the value at byte {at}, found more");
            return Error::new(ErrorKind::OverBudget, message);
        }
    };
    let message = format!(
        "expected links that repeat at most {A_BYTE} times as many bytes as the document has, found more at byte {at}: most of these \
         are {repeated}"
    );
    Error::new(ErrorKind::OverBudget, message)
}

/// The error for new links that are too long together.
pub(crate) fn new_links_too_long(at: u64) -> Error {
    let message = format!(
        "expected new links that add at most {A_BYTE} times as many bytes as the document has, found more at byte {at}"
    );
    Error::new(ErrorKind::OverBudget, message)
}

impl Base {
    /// Greatest length of the base, in a document with the base `document`. Resolves nothing.
    fn most_bytes(&self, document: Option<&str>) -> usize {
        match self {
            Base::Document => document.map_or(0, str::len),
            Base::Own(base) => base.as_deref().map_or(0, str::len),
            Base::Unread => 0,
            Base::Scoped(_) if self.is_too_long(false) => 0,
            Base::Scoped(scoped) => LONGEST_BASE.min(scoped.most_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_grows_with_what_is_read() {
        let budget = Budget::default();
        assert!(budget.admits(FREE, 0));
        assert!(!budget.clone().admits(1, 0));
        // The budget stays exceeded.
        assert!(!budget.admits(0, 1 << 40));
        let budget = Budget::default();
        assert!(budget.admits(FREE + 100 * A_BYTE, 100));
        budget.end(100);
        assert!(budget.admits(10 * A_BYTE, 10));
        assert!(!budget.admits(1, 10));
        let budget = Budget::default();
        budget.end(u64::MAX);
        assert!(!budget.admits(u64::MAX, 0));
    }
}
