//! Notes about single links.

use crate::coded::coded;
use std::fmt;

coded! {
    /// A remark on a link, or on the way it was mapped.
    ///
    /// ```
    /// use linkglot_iri::notes::Note;
    ///
    /// assert_eq!(Note::NotNfc.code(), "not-nfc");
    /// for note in Note::ALL {
    ///     println!("{}: {}", note.code(), note.words());
    /// }
    /// ```
    #[repr(u8)]
    pub enum Note {
        /// NFC changed the characters of a link from a non-Unicode charset (RFC 3987 3.1 step 1b).
        NfcChanged = "nfc-changed", "normalizing to NFC changed characters of the link";
        /// The host has no ASCII form.
        UnmappableHost = "unmappable-host", "the host has no ASCII form";
        /// The query was mapped in the document's charset, not in UTF-8.
        QueryCharset = "query-charset", "the query is in the document's charset, as browsers send it";
        /// Left unchanged: the new form has characters that cannot be written at this place.
        LeftUnencodable = "left-unencodable", "left unchanged: the new form cannot be written at this place";
        /// Left unchanged: the new form would point elsewhere.
        LeftTargetWouldChange = "left-target-would-change", "left unchanged: the new form would point elsewhere";
        /// Left unchanged: the new form would not be read as the same link.
        LeftNotRefound = "left-not-refound", "left unchanged: the new form would not be found again as the same link";
        /// Left unchanged: the link contains code of a template language, or in running text an expression of a URI
        /// template (RFC 6570) or a place of a format string; or code or text around the link may go on with it, as
        /// with the host in `"http://a.example" + rest`. Mapping would destroy the code, and the target is unknown
        /// before it is filled in. So would a new escape beside `%s` and other directives.
        LeftTemplate = "left-template", "left unchanged: template code, a program or text around it gives a part of it, or an escape would be added next to a `%s`";
        /// Left unchanged: the charset of the document is detected, and with its new links the document would be
        /// detected as another one.
        LeftCharsetWouldChange = "left-charset-would-change", "left unchanged: the document does not declare its charset, and with the new links another charset would be detected; `--charset` settles it";
        /// Left unchanged: the format of the document is found by its first bytes, or its charset is declared there,
        /// and with its new links the document would be read otherwise.
        LeftFormatWouldChange = "left-format-would-change", "left unchanged: the document would be taken for another format or charset; `--format` and `--charset` settle it";
        /// Left unchanged: the charset of the document is not certain, and the target of the link depends on it.
        CharsetUnsure = "charset-unsure", "left unchanged: the charset is a guess, and the link would depend on it; `--charset` or `--default-charset` settles it";
        /// The bytes of the document contradict the charset that it declares.
        CharsetContradicts = "charset-contradicts", "bytes of the document contradict the charset that it declares; `--charset` settles it, unless a byte order mark declares it";
        /// Left unchanged: a bare domain or address in running text, which may be no link at all.
        LeftName = "left-name", "left unchanged: it may be a name and no link; see `--min-evidence`";
        /// Left unchanged: the name of a namespace or tag library in text, or a setting that names a host and would get
        /// a path. No option changes it.
        LeftIdentifier = "left-identifier", "left unchanged: it names a namespace, or the host of a setting";
        /// Left unchanged: the link stands in data whose length is stored in front of it (a string of serialized PHP,
        /// a message in a mailbox with Content-Length).
        LeftSerialized = "left-serialized", "left unchanged: the link stands in serialized data or under a `Content-Length`, and the stored length would be wrong";
        /// Left unchanged: the link stands in a literal with escapes that are not read (`\\u00e9`, `\\/`, `\\'e9`).
        LeftEscaped = "left-escaped", "left unchanged: escapes of a string literal in the link or at its end may make it another link";
        /// Left unchanged: the message or part of a mail that contains the link declares another charset than the one
        /// that the document is read in.
        LeftOtherCharset = "left-other-charset", "left unchanged: this part declares another charset than the document";
        /// Left unchanged: a signature covers the place of the link (DKIM, ARC, S/MIME, OpenPGP, XML), and would be
        /// broken.
        LeftSigned = "left-signed", "left unchanged: a signature covers the link; see `--break-signatures`";
        /// Left unchanged, though it is no URI: the link points into its own document, or nothing is fetched for its
        /// scheme.
        LeftNotFetched = "left-not-fetched", "left unchanged: it points into its own document, or nothing is fetched for it (`#...`, `javascript:`, `data:`); only a rule changes it";
        /// Left unchanged: the link is one of a service that wraps links, and the original link cannot be read.
        LeftWrapped = "left-wrapped", "left unchanged: a service wraps the link, and the original link cannot be read or is not http, https, ftp or mailto";
        /// Left unchanged: a hyphen at the end of a line cuts the link off, and the rest of it is not known.
        LeftHyphenated = "left-hyphenated", "left unchanged: a hyphen at the end of the line cuts the link off";
        /// Left unchanged: words at the end of the link may belong to the sentence around it.
        LeftGlued = "left-glued", "left unchanged: words at its end may belong to the sentence";
        /// Left unchanged: programs look a text up by the string that contains the link (`msgid` of gettext).
        LeftKey = "left-key", "left unchanged: a key of translations (`msgid`); see `--also code`";
        /// The link ends in or in front of a hyphen at the end of a line. It may go on in the next line.
        Hyphenated = "hyphenated", "the line ends with a hyphen: the link may be longer or shorter";
        /// A component breaks the rules for bidirectional IRIs (RFC 3987 4.2).
        BidiComponent = "bidi-component", "a component mixes writing directions";
        /// A label of the host is in scripts that are not written together (UTS 39 5.2).
        MixedScriptHost = "mixed-script-host", "a label of the host mixes scripts";
        /// A label of the host looks like another one (the skeleton of UTS 39 4).
        ConfusableHost = "confusable-host", "the host can be mistaken for another one";
        /// The host is an IPv4 address in another notation than the usual one (URL Standard 3.5).
        DisguisedAddress = "disguised-address", "the host is an IP address that does not look like one";
        /// A port that no connection can have.
        PortOutOfRange = "port-out-of-range", "the port is beyond 65535";
        /// The userinfo reads like a host.
        UserinfoLikeHost = "userinfo-like-host", "the text before the @ looks like a host but is not one";
        /// A `%` does not begin a percent-encoded octet.
        InvalidPercent = "invalid-percent", "a percent sign is not followed by two hexadecimal digits";
        /// A backslash in the path was percent-encoded, as RFC 3987 3.1 allows. Browsers read a backslash as a slash.
        BackslashEncoded = "backslash-encoded", "a backslash became `%5C`: browsers read it as a slash (http, ftp, file ...) or keep it";
        /// The document is malformed in front of the link, or was not understood, and goes on as running text.
        ReadAsText = "read-as-text", "read as running text, since the document is malformed or not understood";
        /// The slot is longer than the limit and passed through untouched.
        TooLong = "too-long", "left unchanged: it is longer than the limit";
        /// The link is relative to a base of more than 2048 bytes. Such a base is not read: the target is not known.
        BaseTooLong = "base-too-long", "the base is too long (2048 bytes) or behind 256 KiB: target unknown";
        /// The document is not read on: its links would be many times as long as it is.
        OverBudget = "over-budget", "reading stops here: links would be many times as long as the document";
        /// The link has private-use characters.
        PrivateUse = "private-use", "private-use characters, which mean something else on each system";
        /// Bidi formatting characters before or after the identifier were dropped (RFC 3987 4.1).
        BidiControlsDropped = "bidi-controls-dropped", "invisible controls of the writing direction around it were dropped";
        /// The link has bidi formatting characters (RFC 3987 4.1).
        BidiControl = "bidi-control", "the link has invisible characters that change the writing direction";
        /// The link has characters that are not in NFC.
        NotNfc = "not-nfc", "the link has characters that are not in NFC, Unicode's composed form: another address can look the same";
        /// A component of digits alone is displayed between right-to-left characters, away from its place (RFC 3987
        /// 4.4, example 10).
        BidiDigits = "bidi-digits", "digits are displayed on the other side of right-to-left text";
        /// A space beyond ASCII, or a character that readers do not see: in the link, or where it alone parts the link
        /// from letters beside it.
        Invisible = "invisible", "a character is invisible";
        /// A word outside of the host is in scripts that are not written together (RFC 3987 7.5).
        MixedScript = "mixed-script", "a word mixes scripts";
        /// Text outside of the host looks like ASCII text (RFC 3987 8).
        LookAlike = "look-alike", "text beyond ASCII looks like ASCII letters";
        /// A ligature or another character whose NFKC is another text (RFC 3987 7.5).
        CompatibilityCharacter = "compatibility-character", "a ligature or another compatibility character is not the letters that it looks like";
        /// A full- or half-width form (RFC 3987 6.1).
        WidthForm = "width-form", "a full- or half-width form is not the usual character";
        /// A character that looks like a delimiter.
        DelimiterLookAlike = "delimiter-look-alike", "a character looks like a delimiter";
        /// A dot segment whose dots are percent-encoded.
        EncodedDots = "encoded-dots", "percent-encoded dots change the path as plain ones do";
        /// Percent-encoded octets that are not UTF-8: another charset, or no text.
        LegacyPercent = "legacy-percent", "percent-encoded octets are not UTF-8 and cannot be shown";
        /// The visible text of a link begins with a link or a domain of another registrable domain than the target's,
        /// after unwrapping.
        TextNamesOtherHost = "text-names-other-host", "the text of the link names another host";
        /// The result is no valid reference, because the input was none (RFC 3986 4.1).
        InvalidReference = "invalid-reference", "the result is not a valid reference, because the input is not one";
    }
}

impl Note {
    /// The notes about everything that could deceive the reader of a link: those of [`warnings`](crate::warnings()),
    /// and the last, about the text around which a link stands.
    ///
    /// ```
    /// use linkglot_iri::notes::Note;
    ///
    /// assert!(Note::WARNINGS.contains(&Note::ConfusableHost));
    /// assert!(!Note::WARNINGS.contains(&Note::LeftSigned));
    /// ```
    pub const WARNINGS: [Note; 20] = [
        Note::BidiComponent,
        Note::ConfusableHost,
        Note::MixedScriptHost,
        Note::DisguisedAddress,
        Note::PortOutOfRange,
        Note::UserinfoLikeHost,
        Note::InvalidPercent,
        Note::PrivateUse,
        Note::BidiControl,
        Note::NotNfc,
        Note::BidiDigits,
        Note::Invisible,
        Note::MixedScript,
        Note::LookAlike,
        Note::CompatibilityCharacter,
        Note::WidthForm,
        Note::DelimiterLookAlike,
        Note::EncodedDots,
        Note::LegacyPercent,
        Note::TextNamesOtherHost,
    ];
}

/// [`Notes`] has a bit for each note.
const _: () = assert!(Note::ALL.len() <= u64::BITS as usize);

/// A small set of notes.
///
/// ```
/// use linkglot_iri::notes::{Note, Notes};
///
/// let mut notes = Notes::from(Note::NotNfc);
/// notes.insert(Note::NfcChanged);
/// assert!(notes.contains(Note::NotNfc) && !notes.contains(Note::TooLong));
/// assert!(notes.iter().eq([Note::NfcChanged, Note::NotNfc]));
/// ```
// A whole word, because links are moved word by word: reading back a word of which a half was just
// written stalls the processor.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Notes(u64);

impl Notes {
    /// No note.
    ///
    /// ```
    /// use linkglot_iri::notes::{Note, Notes};
    ///
    /// assert!(Notes::NONE.is_empty());
    /// ```
    pub const NONE: Notes = Notes(0);

    /// Adds a note.
    ///
    /// ```
    /// use linkglot_iri::notes::{Note, Notes};
    ///
    /// let mut notes = Notes::NONE;
    /// notes.insert(Note::NotNfc);
    /// assert_eq!(notes, Notes::from(Note::NotNfc));
    /// ```
    pub fn insert(&mut self, note: Note) {
        self.0 |= 1 << note as u8;
    }

    /// Adds every note of `other`.
    ///
    /// ```
    /// use linkglot_iri::notes::{Note, Notes};
    ///
    /// let mut notes = Notes::from(Note::NotNfc);
    /// notes.extend(Note::TooLong.into());
    /// assert!(notes.contains(Note::TooLong) && notes.contains(Note::NotNfc));
    /// ```
    pub fn extend(&mut self, other: Notes) {
        self.0 |= other.0;
    }

    /// True if `note` is in the set.
    ///
    /// ```
    /// use linkglot_iri::notes::{Note, Notes};
    ///
    /// assert!(Notes::from(Note::NotNfc).contains(Note::NotNfc));
    /// ```
    pub fn contains(self, note: Note) -> bool {
        self.0 & (1 << note as u8) != 0
    }

    /// True if some note is in both sets.
    ///
    /// ```
    /// use linkglot_iri::notes::{Note, Notes};
    ///
    /// let warnings = Notes::from_iter(Note::WARNINGS);
    /// assert!(warnings.intersects(Note::NotNfc.into()) && !warnings.intersects(Note::TooLong.into()));
    /// ```
    pub fn intersects(self, other: Notes) -> bool {
        self.0 & other.0 != 0
    }

    /// True if the set is empty.
    ///
    /// ```
    /// use linkglot_iri::notes::{Note, Notes};
    ///
    /// assert!(!Notes::from(Note::NotNfc).is_empty());
    /// ```
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The notes, in the order of their declaration.
    ///
    /// ```
    /// use linkglot_iri::notes::{Note, Notes};
    ///
    /// let codes: Vec<_> = Notes::from(Note::NotNfc).iter().map(Note::code).collect();
    /// assert_eq!(codes, ["not-nfc"]);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Note> {
        Note::ALL
            .into_iter()
            .filter(move |&note| self.contains(note))
            .take(self.0.count_ones() as usize)
    }
}

impl From<Note> for Notes {
    fn from(note: Note) -> Self {
        let mut notes = Notes::NONE;
        notes.insert(note);
        notes
    }
}

impl FromIterator<Note> for Notes {
    fn from_iter<I: IntoIterator<Item = Note>>(notes: I) -> Self {
        let mut all = Notes::NONE;
        notes.into_iter().for_each(|note| all.insert(note));
        all
    }
}

impl fmt::Debug for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Note::code)).finish()
    }
}
