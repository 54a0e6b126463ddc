//! Notes: what is worth knowing about a link, as stable codes.

use std::fmt;

macro_rules! notes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $words:literal;)*) => {
        /// Something worth knowing about one link. The codes are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Note { $($(#[$doc])* $name,)* }

        impl Note {
            /// Every note, in the order of their declaration.
            pub const ALL: &'static [Note] = &[$(Note::$name),*];

            /// The stable code, as scripts read it.
            pub fn code(self) -> &'static str {
                match self { $(Note::$name => $code,)* }
            }

            /// The note in words, for a person.
            pub fn words(self) -> &'static str {
                match self { $(Note::$name => $words,)* }
            }
        }
    };
}

notes! {
    /// NFC changed the characters of a link from a non-Unicode charset (RFC 3987 3.1 step 1b).
    NfcChanged = "nfc-changed", "normalizing to NFC changed characters of the link";
    /// The host has no ASCII form.
    UnmappableHost = "unmappable-host", "the host cannot be written in ASCII";
    /// The query was mapped in the document's charset, not in UTF-8.
    QueryCharset = "query-charset", "the query is in the document's charset, as browsers send it";
    /// Left as it was: the new form has characters that cannot be written at this place.
    LeftUnencodable = "left-unencodable", "left as it was: the new form cannot be written at this place";
    /// Left as it was: the new form would point elsewhere.
    LeftTargetWouldChange = "left-target-would-change", "left as it was: the new form would point to something else";
    /// Left as it was: the new form would not be read as the same link.
    LeftNotRefound = "left-not-refound", "left as it was: the new form would not be found as the same link again";
    /// Left as it was: it has code of a template language, or an expression of a URI template (RFC 6570) in running text, which any mapping would destroy, and what it points to is not
    /// known before that is filled in.
    LeftTemplate = "left-template", "left as it was: it has code of a template (`{{`, `{%`, `${`, `{$`, `#{`, `<?`, `<%`, `<#`; `{name}` in text, `{` in Svelte and Astro, `@` in Razor)";
    /// Left as it was: the charset of the document is not declared, and the document would be read in another one with its new links.
    LeftCharsetWouldChange = "left-charset-would-change", "left as it was: the charset, which is a guess, would be another one with the new links; `--charset` names it";
    /// Left as it was: the message or part of a mail that it is in declares another charset than the one that the document is
    /// read in.
    LeftOtherCharset = "left-other-charset", "left as it was: the charset that is declared here is not the one that the document is read in";
    /// Left as it was, though it is no URI: it points into its own document, or has a scheme with which nothing is fetched.
    LeftNotFetched = "left-not-fetched", "left as it was: it points into its own document, or nothing is fetched for it (`#...`, `javascript:`, `data:`); only a rule changes it";
    /// A component breaks the rules for bidirectional IRIs (RFC 3987 4.2).
    BidiComponent = "bidi-component", "a component mixes writing directions";
    /// The host looks like another one.
    ConfusableHost = "confusable-host", "the host can be mistaken for another one";
    /// A host label mixes scripts.
    MixedScriptHost = "mixed-script-host", "a label of the host mixes scripts";
    /// A `%` that does not begin a percent-encoded octet.
    InvalidPercent = "invalid-percent", "a percent sign is not followed by two hexadecimal digits";
    /// Longer than the limit for one slot; passed through untouched.
    TooLong = "too-long", "longer than the limit, left as it was";
    /// Private-use characters.
    PrivateUse = "private-use", "the link has private-use characters";
    /// Bidi formatting characters.
    BidiControl = "bidi-control", "the link has invisible characters that change the writing direction";
    /// Characters not in NFC.
    NotNfc = "not-nfc", "the link has characters that are not in Unicode's composed form";
    /// What came out is no valid reference, because what went in was none (RFC 3986 4.1).
    InvalidReference = "invalid-reference", "the result is no valid reference, because what was given is none";
}

/// A small set of notes.
// A whole word: links are moved word by word, and a processor waits for a word of which it has
// written a half.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Notes(u64);

impl Notes {
    /// No note.
    pub const NONE: Notes = Notes(0);

    /// Adds a note.
    pub fn insert(&mut self, note: Note) {
        self.0 |= 1 << note as u8;
    }

    /// Adds every note of `other`.
    pub fn extend(&mut self, other: Notes) {
        self.0 |= other.0;
    }

    /// Whether `note` is among them.
    pub fn contains(self, note: Note) -> bool {
        self.0 & (1 << note as u8) != 0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The notes, in the order of their declaration.
    pub fn iter(self) -> impl Iterator<Item = Note> {
        Note::ALL
            .iter()
            .copied()
            .filter(move |&note| self.contains(note))
    }
}

impl From<Note> for Notes {
    fn from(note: Note) -> Self {
        let mut notes = Notes::NONE;
        notes.insert(note);
        notes
    }
}

impl fmt::Debug for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Note::code)).finish()
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
