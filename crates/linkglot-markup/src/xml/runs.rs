//! Text over runs: the pieces of a paragraph of an office document, with markup between them that shows nothing.
//!
//! A run is looked ahead of: the markup behind a piece either shows nothing, so that the next piece goes on with the
//! text, or ends the text, or may show something that is not known here. Then the text may go on.

use super::names::Parts;
use super::scope::Content;
use super::tag::{self, MOST_ATTRIBUTES, Shape, View};
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
const BREAKS: [&[u8]; 34] = [
    b"p",
    b"br",
    b"cr",
    b"tab",
    b"ptab",
    b"drawing",
    b"pict",
    b"object",
    b"footnoteReference",
    b"endnoteReference",
    b"commentReference",
    b"annotationRef",
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
    /// The next piece begins here.
    Piece(usize),
    /// The text ends.
    Break,
    /// Markup may show something.
    Doubt(Next),
    /// The window ends too early.
    More,
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
    /// The number of open elements whose content is passed over.
    passed: usize,
    /// True if markup may show something.
    is_doubtful: bool,
}

impl Ahead<'_> {
    /// The answer where the bytes end.
    fn at_end(self, seam: &Seam) -> Behind {
        match seam.is_doubtful {
            _ if self.is_cut => Behind::Doubt(Next::Text),
            _ if !self.input.last => Behind::More,
            true => Behind::Doubt(Next::Break),
            false => Behind::Break,
        }
    }

    /// The meaning of an element with a local name, in the namespace of the text or in another one.
    fn role(self, local: &[u8], is_own: bool) -> Role {
        let (silent, passed, breaks): (&[&[u8]], &[&[u8]], &[&[u8]]) = match self.element {
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
        match self.is_doubtful {
            true => Behind::Doubt(Next::Break),
            false => Behind::Break,
        }
    }

    /// The answer at the next text, which begins at `at`.
    fn at_text(&self, at: usize) -> Behind {
        match self.is_doubtful {
            true => Behind::Doubt(Next::Text),
            false => Behind::Piece(at),
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
        let is_sound = self.follow(input, stretch.end);
        let Some(place) = place else {
            return Turn::Go(stretch.end);
        };
        let access = match is_sound && !self.depends(raw) {
            true => access,
            false => access.less(),
        };
        let what = (Escaping::Runs(style), syntax);
        let slot = whole(0..stretch.end, what, place, access);
        Turn::Slot(slot, stretch.end)
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
        let (mut at, mut tags) = (0, 0);
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
            pieces.push(at..end);
            match self.behind(ahead, end, &mut tags) {
                Behind::More => return None,
                Behind::Piece(next) if next > limit => return Some(cut(input, element, pieces)),
                Behind::Piece(next) => at = next,
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
                    match self.scope.holds(*tags) {
                        true => self.start_tag_behind(ahead, rest, (at, &mut seam)),
                        false => Err(Behind::Doubt(Next::Text)),
                    }
                }
                [b'<', ..] if rest.bytes.len() == 1 && !rest.last => Err(ahead.at_end(&seam)),
                [b'<', ..] => Err(Behind::Doubt(Next::Text)),
                _ => text_behind(ahead, rest, at, &mut seam),
            };
            match passed {
                Ok(by) => at += by,
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
            return Err(match found.count >= MOST_ATTRIBUTES {
                true => DOUBT,
                false => ahead.at_end(seam),
            });
        };
        // A declaration changes the meaning of names; writers need to see the same tags.
        let is_odd = found.binds || found.bases || found.stray_quote.is_some();
        if is_odd || tag_end(rest.bytes) != Some(end) {
            return Err(DOUBT);
        }
        let has_links = attributes
            .iter()
            .any(|attribute| self.rule(rest, attribute).is_some());
        seam.is_doubtful |= has_links;
        let parts = Parts::of(rest.slice(name));
        let is_piece_name = parts.local == ahead.element.local();
        let is_open = shape == Shape::Open;
        if seam.passed > 0 {
            seam.passed += usize::from(is_open);
            seam.is_doubtful |= is_piece_name || HIDDEN.contains(&parts.local);
            return Ok(end);
        }
        match ahead.role(parts.local, self.tag.namespace == ahead.namespace) {
            Role::Piece if is_open => return Err(seam.at_text(at + end)),
            Role::Break => return Err(seam.at_break()),
            Role::Passed => seam.passed = usize::from(is_open),
            Role::Unknown => seam.is_doubtful = true,
            Role::Silent | Role::Piece => {}
        }
        Ok(end)
    }

    /// Follows the tags of a text up to its end. False if a piece stands in no element that holds text.
    fn follow(&mut self, input: Input<'_>, end: usize) -> bool {
        let (mut at, mut is_sound) = (0, true);
        while at < end {
            let text = input.slice(at..end);
            let less = memchr::memchr(b'<', text).unwrap_or(text.len());
            let is_piece = matches!(self.open_content(), Content::Runs(..));
            is_sound &= is_piece || is_blank(&text[..less]);
            at += less;
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
        return Err(seam.at_text(at));
    }
    let Some(end) = memchr::memchr(b'<', rest.bytes) else {
        return Err(ahead.at_end(seam));
    };
    seam.is_doubtful |= seam.passed == 0 && !is_blank(rest.slice(0..end));
    Ok(end)
}

/// A text that is too long: it ends behind the last white space, if there is any.
fn cut(input: Input<'_>, element: RunElement, pieces: &mut Vec<Range<usize>>) -> Stretch {
    let last = pieces.last().map_or(0, |piece| piece.end);
    let is_field = element == RunElement::Field;
    while let Some(piece) = pieces.pop().filter(|_| !is_field) {
        let text = input.slice(piece.clone());
        if let Some(space) = text.iter().rposition(|&byte| is_space(byte)) {
            let end = piece.start + space + 1;
            pieces.push(piece.start..end);
            return Stretch {
                end,
                goes_on: false,
                is_open: false,
            };
        }
    }
    pieces.push(0..last);
    Stretch {
        end: last,
        goes_on: true,
        is_open: true,
    }
}

/// True if no word goes on behind the last piece of a text.
fn ends_word(input: Input<'_>, pieces: &[Range<usize>]) -> bool {
    let mut bytes = pieces.iter().rev().map(|piece| input.slice(piece.clone()));
    let last = bytes.find_map(|bytes| bytes.last());
    last.is_none_or(|&byte| is_space(byte) || b"\"'<>(".contains(&byte))
}
