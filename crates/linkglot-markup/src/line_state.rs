//! The states of light markup in front of a line. The readers of lines, which know their meaning, are in `light`.

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
}

/// The state of wikitext in front of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WikitextState {
    Text,
    /// Within a comment.
    Comment,
    /// Within an element whose content is no wikitext, by its number.
    Raw(u8),
}

impl LineState {
    /// The beginning of a document in wikitext.
    ///
    /// ```
    /// use linkglot_markup::light::LineState;
    ///
    /// assert_eq!(LineState::WIKITEXT.behind(""), LineState::WIKITEXT);
    /// ```
    pub const WIKITEXT: LineState = LineState(Lines::Wikitext(WikitextState::Text));
}
