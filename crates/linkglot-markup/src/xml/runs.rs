//! Text over runs: the pieces of a paragraph of an office document, with markup between them that shows nothing.
//!
//! A run is looked ahead of: the markup behind a piece either shows nothing, so that the next piece goes on with the
//! text, or ends the text, or may show something that is not known here. Then the text may go on.

use super::collect::Collected;
use super::names::Parts;
use super::scope::Content;
use super::tag::{self, Attribute, MOST_ATTRIBUTES, Shape, View};
use super::{Input, Mode, Turn, XmlTokenizer, entities, is_blank, whole};
use crate::escape::{Escaping, MOST_RUN_BYTES, RunElement, RunsStyle, tag_end};
use crate::slot::{Access, PlaceKind, Syntax};
use crate::vocabulary::NamespaceId;
use linkglot_charset::ascii::is_space;
use std::ops::Range;

/// The most bytes of markup between two pieces that are looked through.
const AHEAD: usize = 1 << 14;

/// The elements of Office Open XML that show nothing between two pieces, by their local names.
const SILENT: [&[u8]; 28] = [
    b"r",
    b"t",
    b"instrText",
    b"fldChar",
    b"proofErr",
    b"bookmarkStart",
    b"bookmarkEnd",
    b"commentRangeStart",
    b"commentRangeEnd",
    b"permStart",
    b"permEnd",
    b"hyperlink",
    b"hlink",
    b"ins",
    b"moveTo",
    b"moveToRangeStart",
    b"moveToRangeEnd",
    b"moveFromRangeStart",
    b"moveFromRangeEnd",
    b"lastRenderedPageBreak",
    b"smartTag",
    b"sdt",
    b"sdtContent",
    b"customXml",
    b"noBreakHyphen",
    b"softHyphen",
    b"dir",
    b"bdo",
];

/// The elements of Office Open XML that are passed over with their content: properties, and deleted text.
const PASSED: [&[u8]; 8] = [
    b"rPr",
    b"sdtPr",
    b"sdtEndPr",
    b"smartTagPr",
    b"customXmlPr",
    b"del",
    b"delText",
    b"delInstrText",
];

/// The properties that hide a run.
const HIDDEN: [&[u8]; 3] = [b"vanish", b"webHidden", b"specVanish"];

/// The elements of Office Open XML that end a word.
const BREAKS: [&[u8]; 29] = [
    b"p",
    b"br",
    b"cr",
    b"tab",
    b"ptab",
    b"footnoteReference",
    b"endnoteReference",
    b"footnoteRef",
    b"endnoteRef",
    b"txbxContent",
    b"tbl",
    b"tr",
    b"tc",
    b"body",
    b"sectPr",
    b"hdr",
    b"ftr",
    b"footnote",
    b"endnote",
    b"comment",
    b"txBody",
    b"endParaRPr",
    b"si",
    b"is",
    b"text",
    b"rPh",
    b"phoneticPr",
    b"c",
    b"f",
];

/// The elements of OpenDocument that show nothing.
const SILENT_IN_MIXED: [&[u8]; 21] = [
    b"span",
    b"a",
    b"meta",
    b"bookmark",
    b"bookmark-start",
    b"bookmark-end",
    b"soft-page-break",
    b"reference-mark",
    b"reference-mark-start",
    b"reference-mark-end",
    b"change",
    b"change-start",
    b"change-end",
    b"toc-mark",
    b"toc-mark-start",
    b"toc-mark-end",
    b"alphabetical-index-mark",
    b"alphabetical-index-mark-start",
    b"alphabetical-index-mark-end",
    b"user-index-mark-start",
    b"user-index-mark-end",
];

/// The elements of OpenDocument that end a word.
const BREAKS_IN_MIXED: [&[u8]; 9] = [
    b"p",
    b"h",
    b"s",
    b"tab",
    b"line-break",
    b"note",
    b"list",
    b"list-item",
    b"section",
];

/// The markup behind a piece of a text.
enum Behind {
    /// The next piece.
    Piece(Piece),
    /// The text ends.
    Break,
    /// Markup may show something.
    Doubt(Next),
    /// The window ends too early.
    More,
}

/// The beginning of a piece.
#[derive(Clone, Copy)]
struct Piece {
    at: usize,
    /// True if white space at the edges of the piece is text (`xml:space="preserve"`).
    keeps_space: bool,
}

/// The text behind doubtful markup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Another text, which may belong to the last word.
    Text,
    /// A word cannot go on there.
    Break,
}

/// The meaning of an element between two pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Silent,
    Passed,
    Break,
    Piece,
    Unknown,
}

/// A text over runs.
struct Stretch {
    end: usize,
    goes_on: bool,
    /// True if the next text may belong to the last word.
    is_open: bool,
}

/// The bytes that are looked ahead at, and the element that holds the text.
#[derive(Clone, Copy)]
struct Ahead<'s> {
    input: Input<'s>,
    /// True if the document goes on behind the bytes, whatever the window holds.
    is_cut: bool,
    namespace: NamespaceId,
    element: RunElement,
}

/// The tags behind a piece that were read so far.
#[derive(Default)]
struct Seam {
    /// The number of elements that were opened, less those that were closed: none in the element of the piece.
    depth: isize,
    /// The number of open elements whose content is passed over.
    passed: usize,
    /// True if an element within them declares a prefix: then names of attributes have no sure meaning.
    binds: bool,
    /// True if markup may show something.
    is_doubtful: bool,
}

impl Ahead<'_> {
    /// The answer where the bytes end.
    fn at_end(self, seam: &Seam) -> Behind {
        if self.is_cut {
            Behind::Doubt(Next::Text)
        } else if self.input.last {
            seam.at_break()
        } else {
            Behind::More
        }
    }

    /// The meaning of an element with a local name, in the namespace of the text or in another one.
    fn role(self, local: &[u8], is_own: bool) -> Role {
        type Names = &'static [&'static [u8]];
        let (silent, passed, breaks): (Names, Names, Names) = match self.element {
            RunElement::Mixed => (&SILENT_IN_MIXED, &[], &BREAKS_IN_MIXED),
            _ => (&SILENT, &PASSED, &BREAKS),
        };
        match local {
            _ if !is_own => Role::Unknown,
            // A field within an instruction gives a part of the instruction.
            b"fldChar" if self.element == RunElement::Field => Role::Unknown,
            local if local == self.element.local() => Role::Piece,
            local if silent.contains(&local) => Role::Silent,
            local if passed.contains(&local) => Role::Passed,
            local if breaks.contains(&local) => Role::Break,
            _ => Role::Unknown,
        }
    }
}

impl Seam {
    /// The answer at an element that ends a word.
    fn at_break(&self) -> Behind {
        if self.is_doubtful {
            Behind::Doubt(Next::Break)
        } else {
            Behind::Break
        }
    }

    /// The answer at the next text.
    fn at_text(&self, piece: Piece) -> Behind {
        if self.is_doubtful {
            Behind::Doubt(Next::Text)
        } else {
            Behind::Piece(piece)
        }
    }
}

impl XmlTokenizer {
    /// Reads the piece at the cursor, and the pieces that go on with it.
    #[inline(never)]
    pub(super) fn runs(&mut self, input: Input<'_>, syntax: Syntax, access: Access) -> Turn {
        let top = self.scope.top();
        let namespace = top.map_or(NamespaceId::UNKNOWN, |top| top.namespace);
        let of_others = match syntax {
            Syntax::Field => RunElement::Alone,
            _ => RunElement::Mixed,
        };
        let element = RunElement::named(self.scope.top_local()).unwrap_or(of_others);
        if let Some(blanks) = self.dropped_blanks(input, namespace, element) {
            return Turn::Go(blanks);
        }
        let mut pieces = Vec::new();
        let Some(stretch) = self.stretch(input, (namespace, element), &mut pieces) else {
            return Turn::More;
        };
        let raw = input.slice(0..stretch.end);
        let style = RunsStyle {
            goes_on_before: self.runs_open,
            goes_on_behind: stretch.goes_on,
            ..RunsStyle::new(element)
        };
        self.runs_open = stretch.is_open;
        let is_wanted = syntax == Syntax::Field || self.may_hold_links(input, &pieces);
        let kind = match syntax {
            Syntax::Field => PlaceKind::Element,
            _ => PlaceKind::Text,
        };
        let place = (is_wanted && !is_blank(raw)).then(|| self.in_content(input, kind));
        let is_sound = self.follow(input, stretch.end, &pieces);
        let Some(place) = place else {
            return Turn::Go(stretch.end);
        };
        let access = if is_sound && !self.depends(raw) {
            access
        } else {
            access.less()
        };
        let what = (Escaping::Runs(style), syntax);
        let slot = whole(0..stretch.end, what, place, access);
        Turn::Slot(slot, stretch.end)
    }

    /// The length of white space at the cursor that is no text.
    fn dropped_blanks(
        &mut self,
        input: Input<'_>,
        namespace: NamespaceId,
        element: RunElement,
    ) -> Option<usize> {
        let blanks = input.bytes.iter().take_while(|&&byte| is_space(byte));
        let is_dropped =
            |this: &mut Self| !this.keeps_space && this.drops_space(namespace, element);
        Some(blanks.count()).filter(|&blanks| blanks > 0 && is_dropped(self))
    }

    /// True if white space at the edges of a piece is no text unless its tag says so. DrawingML has no such rule.
    fn drops_space(&mut self, namespace: NamespaceId, element: RunElement) -> bool {
        let name = self.namespaces.name(&self.vocabulary, namespace);
        let is_drawing = name.is_none_or(|name| name.contains("drawingml"));
        element == RunElement::Text && !is_drawing
    }

    /// The end of a piece without the white space that is no text, if a piece goes on there that does not begin with a
    /// space of its own: then readers see no gap.
    fn glued_end(
        &mut self,
        ahead: Ahead<'_>,
        piece: &Range<usize>,
        (keeps_space, next): (bool, Piece),
    ) -> Option<usize> {
        let text = ahead.input.slice(piece.clone());
        let blanks = text.iter().rev().take_while(|&&byte| is_space(byte));
        let end = piece.end - blanks.count();
        let drops_last = !keeps_space && end < piece.end;
        let drops_first = !next.keeps_space && ahead.input.byte(next.at).is_some_and(is_space);
        let drops = (drops_last || drops_first) && self.drops_space(ahead.namespace, ahead.element);
        drops.then_some(if keeps_space { piece.end } else { end })
    }

    /// True if the pieces of a text may hold links, alone or together.
    fn may_hold_links(&self, input: Input<'_>, pieces: &[Range<usize>]) -> bool {
        match pieces {
            [piece] => {
                let found = self.text_bytes.next(input.bytes, piece.start, piece.start);
                found.is_some_and(|at| at < piece.end)
            }
            pieces => pieces
                .iter()
                .any(|piece| self.text_bytes.may_be_in(input.slice(piece.clone()))),
        }
    }

    /// The text at the cursor, and its pieces; `None` if a longer window tells.
    fn stretch(
        &mut self,
        input: Input<'_>,
        (namespace, element): (NamespaceId, RunElement),
        pieces: &mut Vec<Range<usize>>,
    ) -> Option<Stretch> {
        let limit = self.limit.min(MOST_RUN_BYTES);
        let (limited, is_cut) = input.limited(limit + AHEAD);
        let ahead = Ahead {
            input: limited,
            is_cut,
            namespace,
            element,
        };
        let (mut at, mut tags, mut keeps_space) = (0, 0, self.keeps_space);
        loop {
            let less = memchr::memchr(b'<', limited.bytes.get(at..).unwrap_or_default());
            let end = match less {
                Some(less) => at + less,
                None if limited.last || is_cut => limited.bytes.len(),
                None => return None,
            };
            if end > limit {
                let near = match input.boundary(limit) {
                    0 => limit,
                    near => near,
                };
                if near > at || pieces.is_empty() {
                    pieces.push(at..near);
                }
                return Some(cut(input, element, pieces));
            }
            let piece = at..end;
            pieces.push(piece.clone());
            match self.behind(ahead, end, &mut tags) {
                Behind::More => return None,
                Behind::Piece(next) if next.at > limit => return Some(cut(input, element, pieces)),
                Behind::Piece(next) => {
                    if let Some(end) = self.glued_end(ahead, &piece, (keeps_space, next)) {
                        return Some(glued(pieces, end));
                    }
                    (at, keeps_space) = (next.at, next.keeps_space);
                }
                Behind::Break => {
                    return Some(Stretch {
                        end,
                        goes_on: false,
                        is_open: false,
                    });
                }
                Behind::Doubt(next) => {
                    let ends_word = ends_word(input, pieces);
                    return Some(Stretch {
                        end,
                        goes_on: true,
                        is_open: next == Next::Text && !ends_word,
                    });
                }
            }
        }
    }

    /// Looks at the markup behind a piece that ends at `from`. `tags` counts start tags.
    fn behind(&mut self, ahead: Ahead<'_>, from: usize, tags: &mut usize) -> Behind {
        if ahead.element == RunElement::Alone {
            return Behind::Break;
        }
        let (mut seam, mut at) = (Seam::default(), from);
        loop {
            if at - from > AHEAD {
                return Behind::Doubt(Next::Text);
            }
            let rest = ahead.input.from(at);
            let passed = match rest.bytes {
                [] => Err(ahead.at_end(&seam)),
                [b'<', b'/', ..] => {
                    end_tag(ahead, rest, &mut seam, |name| self.names_own(ahead, name))
                }
                [b'<', first, ..] if entities::is_name_start(*first) => {
                    *tags += 1;
                    if self.scope.holds(*tags) {
                        self.start_tag_behind(ahead, rest, (at, &mut seam))
                    } else {
                        Err(Behind::Doubt(Next::Text))
                    }
                }
                [b'<', ..] if rest.bytes.len() == 1 && !rest.last => Err(ahead.at_end(&seam)),
                [b'<', ..] => Err(Behind::Doubt(Next::Text)),
                _ => text_behind(ahead, rest, at, &mut seam),
            };
            match passed {
                Ok(by) => {
                    seam.depth += depth_of(rest.slice(0..by));
                    at += by;
                }
                Err(behind) => return behind,
            }
        }
    }

    /// True if a raw name is one of the namespace of the text.
    fn names_own(&self, ahead: Ahead<'_>, name: Parts<'_>) -> bool {
        self.scope.element(self.prefixes.find(name.prefix)) == ahead.namespace
    }

    /// Looks at the start tag at the beginning of `rest`, which stands at `at`. Returns its length, or the answer.
    fn start_tag_behind(
        &mut self,
        ahead: Ahead<'_>,
        rest: Input<'_>,
        (at, seam): (usize, &mut Seam),
    ) -> Result<usize, Behind> {
        const DOUBT: Behind = Behind::Doubt(Next::Text);
        let view = View {
            bytes: rest.bytes,
            last: rest.last,
        };
        let name = 1..tag::name_end(view, 1);
        if name.end == rest.bytes.len() {
            return Err(ahead.at_end(seam));
        }
        self.name_tag(name.clone());
        self.look_up(rest);
        let mut attributes = Vec::new();
        let found = self.collect(rest, view, &mut attributes);
        let Some((end, shape)) = found.closed else {
            let has_many = found.count >= MOST_ATTRIBUTES;
            return Err(if has_many { DOUBT } else { ahead.at_end(seam) });
        };
        // Writers need to see the same tags.
        if found.bases || found.stray_quote.is_some() || tag_end(rest.bytes) != Some(end) {
            return Err(DOUBT);
        }
        if !self.attributes_behind(rest, (&attributes, found), seam) {
            return Err(DOUBT);
        }
        let parts = Parts::of(rest.slice(name));
        let is_piece_name = parts.local == ahead.element.local();
        let is_open = shape == Shape::Open;
        if seam.passed > 0 {
            seam.passed += usize::from(is_open);
            seam.is_doubtful |= is_piece_name || HIDDEN.contains(&parts.local);
            return Ok(end);
        }
        match ahead.role(parts.local, self.tag.namespace == ahead.namespace) {
            Role::Piece if is_open => {
                return Err(seam.at_text(Piece {
                    at: at + end,
                    keeps_space: keeps_space(rest.slice(0..end)),
                }));
            }
            Role::Break => return Err(seam.at_break()),
            Role::Passed => seam.passed = usize::from(is_open),
            Role::Unknown => seam.is_doubtful = true,
            Role::Silent | Role::Piece => {}
        }
        Ok(end)
    }

    /// Looks at the attributes of a tag that may hold links or declare a prefix. False if the meaning of names changes.
    fn attributes_behind(
        &self,
        rest: Input<'_>,
        (attributes, found): (&[Attribute], Collected),
        seam: &mut Seam,
    ) -> bool {
        let declares = |attribute: &Attribute| {
            let parts = Parts::of(rest.slice(attribute.name.clone()));
            parts.declares().is_some()
        };
        if found.binds {
            let only_declares = attributes.len() == found.count && attributes.iter().all(declares);
            if seam.passed == 0 || !only_declares {
                return false;
            }
            seam.binds = true;
        }
        let may_be_link = |attribute: &Attribute| {
            if seam.binds {
                !declares(attribute)
            } else {
                self.rule(rest, attribute).is_some()
            }
        };
        seam.is_doubtful |= attributes.iter().any(may_be_link);
        true
    }

    /// Follows the tags of a text up to its end. False if a piece stands in no element that holds text.
    fn follow(&mut self, input: Input<'_>, end: usize, pieces: &[Range<usize>]) -> bool {
        let (mut at, mut is_sound) = (0, true);
        let mut pieces = pieces.iter().peekable();
        while at < end {
            let is_piece = pieces.next_if(|piece| piece.start == at).is_some();
            is_sound &= !is_piece || matches!(self.open_content(), Content::Runs(..));
            let text = input.slice(at..end);
            at += memchr::memchr(b'<', text).unwrap_or(text.len());
            if at == end {
                break;
            }
            self.mode = Mode::Content;
            match self.markup(input.from(at)) {
                Turn::Go(by) if by > 0 => at += by,
                _ => return false,
            }
        }
        self.mode = Mode::Content;
        is_sound
    }
}

/// The change of depth by a tag, or by text.
fn depth_of(passed: &[u8]) -> isize {
    match passed {
        [b'<', b'/', ..] => -1,
        [b'<', .., b'/', b'>'] => 0,
        [b'<', ..] => 1,
        _ => 0,
    }
}

/// Looks at the end tag at the beginning of `rest`. Returns its length, or the answer.
fn end_tag(
    ahead: Ahead<'_>,
    rest: Input<'_>,
    seam: &mut Seam,
    is_own: impl Fn(Parts<'_>) -> bool,
) -> Result<usize, Behind> {
    let Some(close) = memchr::memchr2(b'>', b'<', rest.bytes.get(1..).unwrap_or_default()) else {
        return Err(ahead.at_end(seam));
    };
    let end = close + 2;
    if tag_end(rest.bytes) != Some(end) {
        return Err(Behind::Doubt(Next::Text));
    }
    if seam.passed > 0 {
        seam.passed -= 1;
        return Ok(end);
    }
    let view = View {
        bytes: rest.bytes,
        last: rest.last,
    };
    let parts = Parts::of(rest.slice(2..tag::name_end(view, 2)));
    match ahead.role(parts.local, is_own(parts)) {
        Role::Break => Err(seam.at_break()),
        Role::Unknown => {
            seam.is_doubtful = true;
            Ok(end)
        }
        Role::Silent | Role::Passed | Role::Piece => Ok(end),
    }
}

/// Looks at character data behind a piece. Returns its length, or the answer.
fn text_behind(
    ahead: Ahead<'_>,
    rest: Input<'_>,
    at: usize,
    seam: &mut Seam,
) -> Result<usize, Behind> {
    if ahead.element == RunElement::Mixed {
        return Err(seam.at_text(Piece {
            at,
            keeps_space: true,
        }));
    }
    let Some(end) = memchr::memchr(b'<', rest.bytes) else {
        return Err(ahead.at_end(seam));
    };
    let is_text = seam.passed == 0 && !is_blank(rest.slice(0..end));
    if is_text && seam.depth == 0 {
        // The text of the same element: it is looked at in its turn, so markup is looked through once.
        return Err(Behind::Doubt(Next::Text));
    }
    seam.is_doubtful |= is_text;
    Ok(end)
}

/// A text that is too long: it ends behind the last white space, if there is any.
fn cut(input: Input<'_>, element: RunElement, pieces: &mut Vec<Range<usize>>) -> Stretch {
    let space = |piece: &Range<usize>| {
        let text = input.slice(piece.clone());
        let last = text.iter().rposition(|&byte| is_space(byte))?;
        Some(piece.start + last + 1)
    };
    let found = match element {
        RunElement::Field => None,
        _ => pieces.iter().rev().find_map(space),
    };
    if let Some(end) = found {
        pieces.retain(|piece| piece.start < end);
        if let Some(last) = pieces.last_mut() {
            last.end = end;
        }
        return Stretch {
            end,
            goes_on: false,
            is_open: false,
        };
    }
    Stretch {
        end: pieces.last().map_or(0, |piece| piece.end),
        goes_on: true,
        is_open: true,
    }
}

/// A text whose last piece ends at `end`, although the next one goes on with it.
fn glued(pieces: &mut [Range<usize>], end: usize) -> Stretch {
    if let Some(last) = pieces.last_mut() {
        last.end = end.max(last.start);
    }
    Stretch {
        end,
        goes_on: true,
        is_open: true,
    }
}

/// True if a tag says that white space is text.
pub(super) fn keeps_space(tag: &[u8]) -> bool {
    memchr::memmem::find(tag, b"preserve").is_some()
}

/// True if no word goes on behind the last piece of a text.
fn ends_word(input: Input<'_>, pieces: &[Range<usize>]) -> bool {
    let mut bytes = pieces.iter().rev().map(|piece| input.slice(piece.clone()));
    let last = bytes.find_map(|bytes| bytes.last());
    last.is_none_or(|&byte| is_space(byte) || b"\"'<>(".contains(&byte))
}
