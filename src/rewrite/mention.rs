//! Mentions of moved hosts in a rewritten document, in links or not.

use crate::link::Location;
use crate::notes::Note;
use std::ops::Range;
use std::sync::Arc;

/// A mention of a host that a rule moves, in a rewritten document; see
/// [`Rewriter::left_behind`](super::Rewriter::left_behind).
///
/// ```
/// use linkglot::rewrite::{MentionPlace, Rewriter, Rules, Why};
///
/// let mut rules = Rules::default();
/// rules.add("http://old.example/ https://new.example/")?;
/// let rewriter = Rewriter::new().rules(rules).left_behind(true);
/// let page = b"<a href=http://old.example/>\n<!-- ftp://old.example/ -->";
/// let mention = &rewriter.rewrite_slice(page).summary.left_behind.mentions[0];
/// assert_eq!((&*mention.host, mention.location.line), ("old.example", 2));
/// assert_eq!((mention.place, mention.why), (MentionPlace::Comment, Some(Why::OtherScheme)));
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mention {
    /// The host as in the rule, in punycode and lower case.
    pub host: Arc<str>,
    /// The start of the host in the rewritten document.
    pub location: Location,
    /// The part of the document around the mention.
    pub place: MentionPlace,
    /// The reason that no rule changed the mention, if known.
    pub why: Option<Why>,
    /// The settings with which, together, rules would change the mention; empty if no settings reach it. Measured by
    /// rewriting the first 1 MiB of the new document again; behind it, those of mentions with its place and reason.
    pub needs: Vec<Need>,
    /// The text around the host on its line, at most 60 bytes in front of it and 60 behind it.
    pub text: Box<str>,
    /// The host in [`text`](Self::text).
    pub host_in_text: Range<usize>,
}

/// The part of a document around a [`Mention`].
///
/// ```
/// assert_eq!(linkglot::rewrite::MentionPlace::Comment.name(), "comment");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MentionPlace {
    /// Running text.
    Text,
    /// A tag: an attribute, or a processing instruction.
    Tag,
    /// A comment of HTML, XML or CSS.
    Comment,
    /// A script.
    Script,
    /// A style sheet.
    Style,
    /// Verbatim text of TeX.
    Verbatim,
    /// A field of the header of mail: addresses and the like.
    Header,
    /// A field of the header of mail with text that people read, as its subject.
    HeaderText,
}

impl MentionPlace {
    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(linkglot::rewrite::MentionPlace::Text.name(), "text");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            MentionPlace::Text => "text",
            MentionPlace::Tag => "tag",
            MentionPlace::Comment => "comment",
            MentionPlace::Script => "script",
            MentionPlace::Style => "style",
            MentionPlace::Verbatim => "verbatim",
            MentionPlace::Header => "header",
            MentionPlace::HeaderText => "header-text",
        }
    }
}

/// A setting that lets rules change more mentions.
///
/// ```
/// use linkglot::rewrite::{Need, Rewriter, Rules};
///
/// let mut rules = Rules::default();
/// rules.add("http://old.example/ https://new.example/")?;
/// let rewriter = Rewriter::new().rules(rules).left_behind(true);
/// let page = b"<!doctype html><!-- http://old.example/ --><p title='http://old.example/'>";
/// let left = rewriter.rewrite_slice(page).summary.left_behind;
/// assert_eq!(left.mentions[0].needs, [Need::Comments]);
/// assert_eq!(left.mentions[1].needs, []);
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Need {
    /// Comments ([`CommentSlots::All`](crate::CommentSlots::All)).
    Comments,
    /// Code ([`TextSlots::Code`](crate::TextSlots::Code), [`Vocabulary::with_code`](crate::Vocabulary::with_code)).
    Code,
    /// Code and the text of links ([`TextSlots::All`](crate::TextSlots::All)).
    LinkText,
    /// Attributes of scripts ([`Vocabulary::with_opt_ins`](crate::Vocabulary::with_opt_ins)).
    OptIn,
    /// Text in headers of mail ([`Settings::header_text`](crate::Settings::header_text)).
    HeaderText,
    /// Identifiers ([`Settings::identifiers`](crate::Settings::identifiers)).
    Identifiers,
    /// Mail addresses ([`DomainMove::mail`](super::DomainMove::mail)).
    Mail,
    /// Signatures ([`Rewriter::break_signatures`](super::Rewriter::break_signatures)).
    Signatures,
    /// The charset of the document, which is a guess ([`Settings::charset`](crate::Settings::charset)).
    Charset,
    /// Values that are longer than the limit ([`Settings::max_slot`](crate::Settings::max_slot)).
    MaxSlot,
}

/// The reason that no rule changed a [`Mention`].
///
/// ```
/// assert_eq!(linkglot::rewrite::Why::OtherPort.code(), "other-port");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Why {
    /// The mention has no scheme, so that it may be no link.
    NoScheme,
    /// The mention has a scheme that no rule names.
    OtherScheme,
    /// The mention has a port that no rule names.
    OtherPort,
    /// The mention is an identifier of XML: a namespace, or a value that
    /// [`Settings::identifiers`](crate::Settings::identifiers) reaches.
    Identifier,
    /// The mention is in the visible text of a link, which [`TextSlots::All`](crate::TextSlots::All) reads.
    LinkText,
    /// The mention is in an element of code, which [`TextSlots::Code`](crate::TextSlots::Code) reads.
    Code,
    /// The slashes of the mention are escaped as in JSON (`http:\/\/old.example`).
    Escaped,
    /// The mention is percent-encoded, once or twice, as in the query of another link.
    Encoded,
    /// The mention is the domain of a mail address.
    Address,
    /// The mention follows a user name in a URL (`http://ann@old.example/`).
    UserName,
    /// The dots of the host are escaped as in a regular expression (`old\.example`, `old[.]example`).
    Pattern,
    /// Characters of the host are escaped as in a string (`old\x2eexample`).
    StringEscape,
    /// Strings or lines cut the host (`"http://old." + "example/"`).
    Cut,
    /// The mention is a part of another link (`http://a.example/?u=http://old.example/`).
    InLink,
    /// The mention is in a link that was left, with this note.
    Left(Note),
}

impl Why {
    /// The stable code.
    ///
    /// ```
    /// assert_eq!(linkglot::rewrite::Why::Escaped.code(), "escaped");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Why::NoScheme => "no-scheme",
            Why::OtherScheme => "other-scheme",
            Why::OtherPort => "other-port",
            Why::Identifier => "identifier",
            Why::LinkText => "link-text",
            Why::Code => "code",
            Why::Escaped => "escaped",
            Why::Encoded => "percent-encoded",
            Why::Address => "address",
            Why::UserName => "user-name",
            Why::Pattern => "pattern",
            Why::StringEscape => "string-escape",
            Why::Cut => "cut",
            Why::InLink => "in-link",
            Why::Left(note) => note.code(),
        }
    }
}

/// Mentions of moved hosts in a rewritten document.
///
/// ```
/// assert!(linkglot::rewrite::LeftBehind::default().mentions.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftBehind {
    /// The first mentions, up to [`LeftBehind::MOST`].
    pub mentions: Vec<Mention>,
    /// Number of further mentions.
    pub more: u64,
    /// True if a value of the document is longer than the limit, and was not read.
    pub(super) has_long_value: bool,
}

impl LeftBehind {
    /// The most mentions of a document that are listed.
    pub const MOST: usize = 10_000;

    pub(super) fn add(&mut self, mention: Mention) {
        if self.mentions.len() < Self::MOST {
            self.mentions.push(mention)
        } else {
            self.more += 1
        }
    }

    /// Adds the mentions further on in the document.
    pub(super) fn append(&mut self, next: LeftBehind) {
        self.more += next.more;
        self.has_long_value |= next.has_long_value;
        for mention in next.mentions {
            self.add(mention);
        }
    }
}
