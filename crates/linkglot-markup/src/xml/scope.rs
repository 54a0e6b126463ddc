//! Open elements and the namespaces in scope (Namespaces in XML 1.0, section 6).

use super::names::{LONGEST_NAME, Parts, PrefixId};
use crate::slot::{Access, ScopedBase, Syntax};
use crate::vocabulary::NamespaceId;
use std::collections::HashMap;
use std::sync::Arc;

/// The most nested elements and declarations; elements beyond are skipped with a note.
const DEEPEST: usize = 1 << 16;

/// The most nested bases, and the most bytes of them. Deeper bases are unknown.
const MOST_BASES: usize = 64;
const MOST_BASE_BYTES: usize = 1 << 16;

/// The content of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Content without slots.
    Skip,
    /// Running text of XHTML.
    Run,
    /// An absolute IRI that is all of the content, or else running text.
    Text(Access),
    /// A piece of a text over runs.
    Runs(Syntax, Access),
    /// A cell of a spreadsheet: a text, if it stands in the first element inside.
    Cell(Access),
    /// A nested document, piece by piece.
    Pieces(Syntax, Access),
    /// A value, if the element holds nothing else.
    Whole(Syntax, Access),
}

/// An open element, without its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub namespace: NamespaceId,
    pub content: Content,
    /// True if text inside belongs to a link or code, and is not running text.
    pub quiet: bool,
    /// The declarations in scope before those of the element.
    pub before: Mark,
}

/// An open element. Its size is a power of two.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(super) struct Frame {
    opened: Opened,
    /// The raw name, if short. Longer names stand in [`Scope::names`], in order.
    head: [u8; SHORT],
    length: u16,
}

/// The most bytes of a name that is kept in its frame.
const SHORT: usize = 8;

/// The number of declarations at some point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    undo: u32,
    bases: u32,
}

/// The open elements.
#[derive(Debug, Default)]
pub(super) struct Scope {
    frames: Vec<Frame>,
    /// The long raw names, concatenated. Names beyond the bound are empty.
    names: Vec<u8>,
    /// The namespace of each prefix.
    bound: Vec<NamespaceId>,
    /// The namespaces that declarations replaced.
    undo: Vec<(PrefixId, NamespaceId)>,
    /// The number of open elements by name. Counted from the first end tag on that does not match the innermost
    /// element.
    open: Option<HashMap<Box<[u8]>, u32>>,
    /// The number of open elements beyond the bound.
    beyond: u64,
    /// The bases that open elements declare.
    bases: Vec<ScopedBase>,
    base_bytes: usize,
    /// The number of bases declared so far.
    numbers: u64,
}

impl Scope {
    pub fn new() -> Scope {
        Scope {
            bound: vec![NamespaceId::NONE, NamespaceId::XML, NamespaceId::UNKNOWN],
            ..Scope::default()
        }
    }

    /// True if further elements are skipped.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.beyond > 0 || self.frames.len() >= DEEPEST || self.undo.len() >= DEEPEST
    }

    /// True if so many more elements are not skipped.
    pub fn holds(&self, more: usize) -> bool {
        !self.is_full() && self.frames.len() + more < DEEPEST
    }

    /// True if the innermost element is skipped.
    pub fn is_passed_over(&self) -> bool {
        self.beyond > 0
    }

    /// Opens an element that is skipped.
    pub fn open_beyond(&mut self) {
        self.beyond = self.beyond.saturating_add(1);
    }

    /// A mark for [`close_to`](Self::close_to).
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark {
            undo: self.undo.len() as u32,
            bases: self.bases.len() as u32,
        }
    }

    /// The bases that open elements declare, outermost first.
    pub fn bases(&self) -> &[ScopedBase] {
        &self.bases
    }

    /// Declares a base until the element is closed. Inside of a base beyond the bounds, all bases are unknown.
    pub fn push_base(&mut self, text: Option<Arc<str>>) {
        if self.bases.len() > MOST_BASES {
            return;
        }
        let bytes = text.as_ref().map_or(0, |text| text.len());
        let full = self.bases.len() == MOST_BASES || self.base_bytes + bytes > MOST_BASE_BYTES;
        let text = text.filter(|_| !full);
        self.base_bytes += text.as_ref().map_or(0, |text| text.len());
        self.numbers += 1;
        self.bases.push(ScopedBase {
            number: self.numbers,
            text,
        });
    }

    fn pop_bases(&mut self, mark: Mark) {
        for base in self
            .bases
            .drain((mark.bases as usize).min(self.bases.len())..)
        {
            self.base_bytes -= base.text.map_or(0, |text| text.len());
        }
    }

    /// Binds a prefix until the element is closed.
    pub fn bind(&mut self, prefix: PrefixId, namespace: NamespaceId) {
        if matches!(prefix, PrefixId::XML | PrefixId::OTHER) || self.undo.len() >= 2 * DEEPEST {
            return;
        }
        let index = prefix.0 as usize;
        if self.bound.len() <= index {
            self.bound.resize(index + 1, NamespaceId::UNKNOWN);
        }
        let namespace = match (namespace, prefix) {
            // `xmlns:p=""` undeclares the prefix (Namespaces 1.1, section 6.1).
            (NamespaceId::NONE, prefix) if prefix != PrefixId::NONE => NamespaceId::UNKNOWN,
            (namespace, _) => namespace,
        };
        if let Some(bound) = self.bound.get_mut(index) {
            let before = std::mem::replace(bound, namespace);
            self.undo.push((prefix, before));
        }
    }

    /// Undoes the declarations since a mark.
    #[inline]
    pub fn close_to(&mut self, mark: Mark) {
        let same = self.undo.len() == mark.undo as usize && self.bases.len() == mark.bases as usize;
        if !same {
            self.undo_to(mark);
        }
    }

    #[inline(never)]
    fn undo_to(&mut self, mark: Mark) {
        if self.bases.len() > mark.bases as usize {
            self.pop_bases(mark);
        }
        while self.undo.len() > mark.undo as usize {
            let Some((prefix, namespace)) = self.undo.pop() else {
                return;
            };
            if let Some(bound) = self.bound.get_mut(prefix.0 as usize) {
                *bound = namespace;
            }
        }
    }

    /// The namespace of an element with the prefix.
    #[inline]
    pub fn element(&self, prefix: PrefixId) -> NamespaceId {
        let bound = self.bound.get(prefix.0 as usize);
        bound.copied().unwrap_or(NamespaceId::UNKNOWN)
    }

    /// The namespace of an attribute with the prefix. The default namespace does not hold for attributes.
    #[inline]
    pub fn attribute(&self, prefix: PrefixId) -> NamespaceId {
        match prefix {
            PrefixId::NONE => NamespaceId::NONE,
            prefix => self.element(prefix),
        }
    }

    /// Opens an element with a raw name. O(length).
    #[inline(never)]
    pub fn open(&mut self, name: &[u8], opened: Opened) {
        let name = told_apart(name);
        if let Some(open) = &mut self.open {
            *open.entry(name.into()).or_default() += 1;
        }
        let mut frame = Frame {
            opened,
            head: [0; SHORT],
            length: name.len() as u16,
        };
        match frame.head.get_mut(..name.len()) {
            Some(head) => head.copy_from_slice(name),
            None => self.names.extend_from_slice(name),
        }
        self.frames.push(frame);
    }

    /// As [`open`](Self::open), for a name of up to eight bytes in a word, with zeros behind it.
    #[inline(always)]
    pub fn open_short(&mut self, head: u64, length: usize, opened: Opened) {
        let head = head.to_le_bytes();
        if self.open.is_some() {
            return self.open(head.get(..length).unwrap_or_default(), opened);
        }
        let length = length as u16;
        let frame = Frame {
            opened,
            head,
            length,
        };
        self.frames.push(frame);
    }

    /// The number of open elements.
    #[cfg(test)]
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The innermost open element.
    #[inline]
    pub fn top(&self) -> Option<&Opened> {
        match self.beyond {
            0 => self.frames.last().map(|frame| &frame.opened),
            _ => None,
        }
    }

    /// The raw name of the innermost open element; empty without an open element.
    #[inline]
    pub fn top_name(&self) -> &[u8] {
        let Some(frame) = self.frames.last().filter(|_| self.beyond == 0) else {
            return b"";
        };
        let length = usize::from(frame.length);
        let long = || self.names.get(self.names.len().checked_sub(length)?..);
        let name = frame.head.get(..length).or_else(long);
        name.unwrap_or_default()
    }

    /// The length of [`top_name`](Self::top_name), if a word begins with that name and a `>`. `None` for names of eight
    /// bytes or more.
    #[inline(always)]
    pub fn top_ended(&self, word: u64) -> Option<usize> {
        let frame = self.frames.last().filter(|_| self.beyond == 0)?;
        let length = usize::from(frame.length);
        if !(1..SHORT).contains(&length) {
            return None;
        }
        let whole = u64::from_le_bytes(frame.head) | u64::from(b'>') << (8 * length);
        let others = (word ^ whole) << (8 * (SHORT - 1 - length));
        (others == 0).then_some(length)
    }

    /// The local part of [`top_name`](Self::top_name).
    pub fn top_local(&self) -> &[u8] {
        Parts::of(self.top_name()).local
    }

    /// Closes the innermost element, which is open and has a name of up to eight bytes.
    #[inline(always)]
    pub fn close_short(&mut self) {
        if self.open.is_some() {
            return self.close_top();
        }
        if let Some(frame) = self.frames.pop() {
            self.close_to(frame.opened.before);
        }
    }

    /// Takes what is left of the content of the innermost element for content without slots.
    pub fn skip_rest(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.opened.content = Content::Skip;
        }
    }

    /// Lets the pieces of the innermost element be rewritten.
    pub fn rewrite_rest(&mut self) {
        if let Some(frame) = self.frames.last_mut()
            && let Content::Pieces(_, access) = &mut frame.opened.content
        {
            *access = Access::Rewrite;
        }
    }

    /// Closes the innermost element, which is open.
    pub fn close_top(&mut self) {
        if self.open.is_some() {
            self.uncount();
        }
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let length = usize::from(frame.length);
        if length > SHORT {
            self.names.truncate(self.names.len().saturating_sub(length));
        }
        self.close_to(frame.opened.before);
    }

    /// Closes the innermost element with the name of an end tag, and the elements inside. Without such an element the
    /// tag closes nothing. Amortized O(1).
    pub fn close(&mut self, name: &[u8]) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let name = told_apart(name);
        if self.top_name() == name {
            return self.close_top();
        }
        if !self.is_open(name) {
            return;
        }
        while !self.frames.is_empty() {
            let found = self.top_name() == name;
            self.close_top();
            if found {
                return;
            }
        }
    }

    /// True if an element with a raw name is open. The first call counts the open elements.
    pub fn is_open(&mut self, name: &[u8]) -> bool {
        if self.open.is_none() {
            self.open = Some(self.counted());
        }
        let count = self.open.as_ref().and_then(|open| open.get(name));
        count.is_some_and(|&count| count > 0)
    }

    fn counted(&self) -> HashMap<Box<[u8]>, u32> {
        let (mut open, mut at) = (HashMap::new(), 0);
        for frame in &self.frames {
            let length = usize::from(frame.length);
            let name = match frame.head.get(..length) {
                Some(name) => name,
                None => {
                    at += length;
                    self.names.get(at - length..at).unwrap_or_default()
                }
            };
            *open.entry(name.into()).or_default() += 1;
        }
        open
    }

    /// Uncounts the innermost element.
    #[cold]
    fn uncount(&mut self) {
        let beyond = std::mem::take(&mut self.beyond);
        let name: Box<[u8]> = self.top_name().into();
        self.beyond = beyond;
        let Some(open) = &mut self.open else { return };
        match open.get_mut(&name) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                open.remove(&name);
            }
        }
    }
}

fn told_apart(name: &[u8]) -> &[u8] {
    match name.len() {
        0..=LONGEST_NAME => name,
        _ => b"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPENED: Opened = Opened {
        namespace: NamespaceId::NONE,
        content: Content::Skip,
        quiet: false,
        before: Mark { undo: 0, bases: 0 },
    };

    proptest! {
        /// End tags close the same elements as in a list of names.
        #[test]
        fn end_tags_close_what_they_should(tags in prop::collection::vec((any::<bool>(), 0..5_usize), 0..60)) {
            let long = [vec![b'x'; 300], vec![b'y'; 400]];
            let names = [&b"a"[..], b"eightbit", b"c:long-name", &long[0], &long[1]];
            let (mut scope, mut list) = (Scope::new(), Vec::<&[u8]>::new());
            for (opens, name) in tags {
                let name = names[name];
                let known = if name.len() > LONGEST_NAME { b"" } else { name };
                if opens {
                        scope.open(name, OPENED);
                        list.push(known);
                    } else {
                        scope.close(name);
                        let same = list.iter().rposition(|open| *open == known);
                        list.truncate(same.unwrap_or(list.len()));
                    }
                prop_assert_eq!(scope.frames.len(), list.len());
                prop_assert_eq!(scope.top_name(), list.last().copied().unwrap_or_default());
            }
        }
    }
}
