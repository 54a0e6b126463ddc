//! The states of light markup in front of a line. The readers of lines, which know their meaning, are in `light`.

use crate::language::Language;

/// The state of a format in front of a line.
///
/// ```
/// use linkglot_markup::light::LineState;
///
/// let behind = |line| LineState::WIKITEXT.behind(line);
/// assert_eq!(behind("a <!-- b --> c"), LineState::WIKITEXT);
/// assert_ne!(behind("a <!-- b"), LineState::WIKITEXT);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineState(pub(crate) Lines);

/// A format with its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lines {
    Wikitext(WikitextState),
    AsciiDoc(AsciiDocState),
    Org(OrgState),
    Textile(TextileState),
}

/// The state of wikitext in front of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WikitextState {
    pub content: WikitextContent,
    pub braces: Braces,
}

/// The braces and double brackets that are open at a position of wikitext.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Braces {
    pub depth: u32,
    /// Four bits for each of the first levels, whose meaning is in `light`.
    pub levels: u64,
}

/// The content in which a line of wikitext begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WikitextContent {
    Text,
    /// Within a comment.
    Comment,
    /// Within an element whose content is no wikitext, by its number.
    Raw(u8),
}

/// The state of Org in front of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OrgState {
    Text,
    /// Within a block whose content is no Org, by its number.
    Block(u8),
    /// Within a block of code in a language.
    Listing(Language),
}

/// The state of Textile in front of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextileState {
    /// The block around the line whose content is no Textile.
    pub block: Option<TextileBlock>,
    /// The element around the line whose content is no Textile, by its number.
    pub element: Option<u8>,
    /// True behind an empty line, and at the beginning: the line may begin a block.
    pub is_gap: bool,
}

/// A block whose content is no Textile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextileBlock {
    pub content: TextileContent,
    /// True if the block goes on up to the signature of another one.
    pub is_extended: bool,
}

/// The content of such a block, or of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TextileContent {
    Code,
    Html,
    Comment,
    Hidden,
}

/// The state of AsciiDoc in front of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AsciiDocState {
    pub block: Block,
    pub before: Before,
    pub in_table: bool,
    /// True if the line behind the next one may make it a title.
    pub is_underlined: bool,
    pub mode: Mode,
}

/// The reading of quotation marks in AsciiDoc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// In front of the first line, which decides.
    Unknown,
    Modern,
    /// The title of the document is underlined: backquotes enclose literals, and plus signs do not.
    Compat,
}

/// A block of AsciiDoc around a line, whose content has no macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Block {
    None,
    /// Up to a line of this character in this number.
    Delimited(u8, u16, Content),
    /// Up to an empty line.
    Paragraph(Content),
}

/// The content of such a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    Code,
    /// Code in a language.
    Listing(Language),
    Html,
    Comment,
}

/// The line of AsciiDoc before, as far as it decides about a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Before {
    /// An empty line, the end of a block, or the beginning.
    Gap,
    /// An attribute list that gives the block behind it this content.
    Style(Content),
    /// The first line of a paragraph, in this number of characters, if the line below may make it a title.
    First(u16),
    /// A term of a description list, whose text may be indented behind empty lines.
    Term,
    Text,
}

impl LineState {
    /// The language of the listing around a line: all of its lines are one program.
    pub(crate) fn listing(self) -> Option<Language> {
        match self.0 {
            Lines::AsciiDoc(AsciiDocState {
                block: Block::Delimited(_, _, Content::Listing(language)),
                ..
            })
            | Lines::Org(OrgState::Listing(language)) => Some(language),
            _ => None,
        }
    }
    /// The beginning of a document in Org.
    ///
    /// ```
    /// use linkglot_markup::light::LineState;
    ///
    /// let inside = LineState::ORG.behind("#+BEGIN_SRC sh");
    /// assert_eq!(inside.behind("#+END_SRC"), LineState::ORG);
    /// ```
    pub const ORG: LineState = LineState(Lines::Org(OrgState::Text));

    /// The beginning of a document in Textile.
    ///
    /// ```
    /// use linkglot_markup::light::LineState;
    ///
    /// let inside = LineState::TEXTILE.behind("bc. http://a.example/");
    /// assert_eq!(inside.behind(""), LineState::TEXTILE);
    /// ```
    pub const TEXTILE: LineState = LineState(Lines::Textile(TextileState {
        block: None,
        element: None,
        is_gap: true,
    }));

    /// The beginning of a document in AsciiDoc.
    ///
    /// ```
    /// use linkglot_markup::light::LineState;
    ///
    /// let inside = LineState::ASCIIDOC.behind("----");
    /// assert_ne!(inside.behind("----"), inside);
    /// ```
    pub const ASCIIDOC: LineState = LineState(Lines::AsciiDoc(AsciiDocState {
        block: Block::None,
        before: Before::Gap,
        in_table: false,
        is_underlined: false,
        mode: Mode::Unknown,
    }));

    /// The beginning of a document in wikitext.
    ///
    /// ```
    /// use linkglot_markup::light::LineState;
    ///
    /// assert_eq!(LineState::WIKITEXT.behind(""), LineState::WIKITEXT);
    /// ```
    pub const WIKITEXT: LineState = LineState(Lines::Wikitext(WikitextState {
        content: WikitextContent::Text,
        braces: Braces {
            depth: 0,
            levels: 0,
        },
    }));
}
