//! The certainty of a charset.

/// The certainty of a document's charset: known or guessed.
///
/// A mark, the caller or a declaration makes the charset sure, and so does a format that defines the charset of
/// documents without a declaration: all but HTML are UTF-8 then. Detected UTF-8 is sure if its characters are likely
/// ones; `Ӣ` in a word of Latin letters is more likely `Ó£` in windows-1250, cut from `WSPÓ£` (WSPÓŁ).
///
/// ```
/// use linkglot_charset::{Certainty, DeclarationSyntax, sniff};
///
/// let of = |bytes: &[u8]| sniff(bytes, true, DeclarationSyntax::Html, None, None).certainty;
/// assert_eq!(of(b"<meta charset=koi8-r>"), Certainty::Sure);
/// assert_eq!(of(b"<p>ASCII without a declaration"), Certainty::Unsure);
/// assert_eq!(of("café".as_bytes()), Certainty::Sure);
/// assert_eq!(of("WSPӣPRACA".as_bytes()), Certainty::Unsure);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// Declared, given, or detected from much evidence.
    Sure,
    /// The default, or detected from little evidence. Output must not depend on the charset.
    Unsure,
}
