//! Finds what still mentions a moved host in a rewritten document, whether it is a link or not: in comments, scripts,
//! text, other schemes.
//!
//! The search looks at characters, not at links: it sees what the rewrite did not. So it says where a mention stands by
//! a few signs in front of it, and changes nothing.

mod hosts;
mod mentions;
mod region;

pub(super) use hosts::{MovedHosts, normal_host};
pub(super) use mentions::{Mentions, Searched};

use crate::link::Location;
use crate::notes::Note;
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
    /// The host, as the rule has it: in punycode and lower case.
    pub host: Arc<str>,
    /// Begin of the host in the rewritten document.
    pub location: Location,
    /// The part of the document that it stands in.
    pub place: MentionPlace,
    /// Why no rule changed it, if that shows.
    pub why: Option<Why>,
}

/// The part of a document that a [`Mention`] stands in.
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
}

impl MentionPlace {
    /// Its name in reports.
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
        }
    }
}

/// Why no rule changed a [`Mention`].
///
/// ```
/// assert_eq!(linkglot::rewrite::Why::OtherPort.code(), "other-port");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Why {
    /// It has no scheme, so nothing says that it is a link.
    NoScheme,
    /// It has a scheme that no rule names.
    OtherScheme,
    /// It has a port that no rule names.
    OtherPort,
    /// Its slashes are escaped as in JSON (`http:\/\/old.example`).
    Escaped,
    /// It is percent-encoded, as in the query of another link.
    Encoded,
    /// It is the domain of a mail address, or follows a user name.
    Address,
    /// It is a link that had to be left, with this note.
    Left(Note),
}

impl Why {
    /// Its stable code.
    ///
    /// ```
    /// assert_eq!(linkglot::rewrite::Why::Escaped.code(), "escaped");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Why::NoScheme => "no-scheme",
            Why::OtherScheme => "other-scheme",
            Why::OtherPort => "other-port",
            Why::Escaped => "escaped",
            Why::Encoded => "percent-encoded",
            Why::Address => "address",
            Why::Left(note) => note.code(),
        }
    }
}

/// Mentions of moved hosts that a rewritten document still has.
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
}

impl LeftBehind {
    /// Greatest number of mentions of a document that are listed.
    pub const MOST: usize = 10_000;

    fn add(&mut self, mention: Mention) {
        if self.mentions.len() < Self::MOST {
            self.mentions.push(mention)
        } else {
            self.more += 1
        }
    }

    /// Adds what was left behind further on in the document.
    pub(super) fn append(&mut self, next: LeftBehind) {
        self.more += next.more;
        for mention in next.mentions {
            self.add(mention);
        }
    }
}

#[cfg(test)]
mod tests;
