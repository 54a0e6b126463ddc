//! The table of remaining mentions of hosts that rules moved.

use super::args::{Also, RewriteArgs};
use super::output::number;
use linkglot::rewrite::{LeftBehind, Mention, MentionPlace, Why};
use linkglot::{Note, PlaceKind};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of rows shown of a table.
const MOST: usize = 10;

/// Number of mentions that a report shows with their text.
pub const MOST_SAMPLES: usize = 200;

/// The properties that mentions of one kind share: the host, the place, the reason, the option that would reach them.
type Kind = (Arc<str>, MentionPlace, Option<Why>, Option<&'static str>);

/// The options of a run that decide which mentions it could reach.
#[derive(Clone, Copy, Debug)]
pub struct Reachable {
    moves_domain: bool,
    moves_mail: bool,
    reads_comments: bool,
    reads_code: bool,
    reads_headers: bool,
    reads_link_text: bool,
    changes_identifiers: bool,
}

impl Reachable {
    pub fn new(args: &RewriteArgs) -> Self {
        Reachable {
            moves_domain: !args.rules.domains.is_empty(),
            moves_mail: args.rules.move_mail,
            reads_comments: args.documents.detection.also.contains(&Also::Comments)
                || args.slots.contains(&PlaceKind::Comment),
            changes_identifiers: args.rules.identifiers,
            reads_link_text: args.documents.detection.also.contains(&Also::Text),
            reads_headers: args.documents.detection.also.contains(&Also::Headers),
            reads_code: args.documents.detection.also.iter().any(Also::has_code),
        }
    }

    /// The option that would reach a mention, if there is one.
    pub fn option(&self, place: MentionPlace, why: Option<Why>) -> Option<&'static str> {
        match why {
            Some(Why::Left(note)) => self.option_for(note),
            None if place == MentionPlace::HeaderText && !self.reads_headers => {
                Some("--also headers")
            }
            // Addresses in a header belong to the mail.
            _ if matches!(place, MentionPlace::Header | MentionPlace::HeaderText) => None,
            Some(Why::LinkText) if !self.reads_link_text => Some("--also text"),
            Some(Why::Code) if !self.reads_code => Some("--also code"),
            Some(Why::Identifier) if !self.changes_identifiers => Some("--identifiers"),
            Some(Why::Address) if self.moves_domain && !self.moves_mail => Some("--move-mail"),
            None | Some(Why::Escaped) if place == MentionPlace::Script && !self.reads_code => {
                Some("--also code")
            }
            None if place == MentionPlace::Comment && !self.reads_comments => {
                Some("--also comments")
            }
            None if matches!(place, MentionPlace::Verbatim | MentionPlace::Script)
                && !self.reads_code =>
            {
                Some("--also code")
            }
            _ => None,
        }
    }

    /// The option that would change links that were left for this reason, if there is one.
    pub fn option_for(&self, reason: Note) -> Option<&'static str> {
        match reason {
            Note::LeftSigned => Some("--break-signatures"),
            Note::LeftName => Some("--min-evidence name"),
            Note::CharsetUnsure | Note::LeftCharsetWouldChange | Note::CharsetContradicts => {
                Some("--charset")
            }
            Note::LeftFormatWouldChange => Some("--format"),
            Note::LeftKey => Some("--also code"),
            Note::TooLong => Some("--max-slot"),
            _ => None,
        }
    }
}

/// A mention as a report shows it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// `PATH:LINE:COLUMN`.
    pub place: PathBuf,
    /// The text around the host, and the host in it.
    pub text: Box<str>,
    pub host: Range<usize>,
    /// The part of the document, and why the mention was left.
    pub words: String,
    pub option: Option<&'static str>,
}

/// Number of mentions of each kind.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// The first mentions, up to [`MOST_SAMPLES`].
    pub samples: Vec<Sample>,
    kinds: BTreeMap<Kind, u64>,
    /// Mentions that were not listed.
    more: u64,
    pub files: u64,
}

impl Mentions {
    /// The mentions of a document.
    pub fn of(path: &Path, found: &LeftBehind, reach: &Reachable) -> Self {
        let samples = found.mentions.iter().take(MOST_SAMPLES);
        let samples = samples.map(|mention| Sample::new(path, mention, reach));
        let mut kinds = BTreeMap::new();
        for mention in &found.mentions {
            let option = reach.option(mention.place, mention.why);
            let kind = (
                Arc::clone(&mention.host),
                mention.place,
                mention.why,
                option,
            );
            *kinds.entry(kind).or_default() += 1;
        }
        Mentions {
            samples: samples.collect(),
            files: u64::from(!kinds.is_empty()),
            kinds,
            more: found.more,
        }
    }

    /// Adds the mentions of a document.
    pub fn add(&mut self, document: Mentions) {
        for (kind, count) in document.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        self.more += document.more;
        self.files += document.files;
        let free = MOST_SAMPLES - self.samples.len();
        self.samples.extend(document.samples.into_iter().take(free));
    }

    /// Number of mentions.
    pub fn count(&self) -> u64 {
        self.kinds.values().sum::<u64>() + self.more
    }

    /// The lines of the summary, the most frequent kinds first; empty if nothing was left behind.
    pub fn summary(&self, verbose: bool) -> String {
        let mut text = String::new();
        if self.kinds.is_empty() {
            return text;
        }
        let mut rows: Vec<_> = self.kinds.iter().collect();
        rows.sort_by_key(|(_, count)| Reverse(**count));
        let hint = if verbose { "" } else { " (`-v` lists them)" };
        let (mentions, files) = (number(self.count(), "mention"), number(self.files, "file"));
        let _ = writeln!(
            text,
            "{mentions} of moved hosts left behind in {files}{hint}:"
        );
        let most = if verbose { rows.len() } else { MOST };
        let width = rows.first().map_or(0, |(_, count)| count.to_string().len());
        for ((host, place, why, option), count) in rows.iter().take(most) {
            let place = words(*place, *why, *option);
            let _ = writeln!(text, "{count:>width$}  {host}  {place}");
        }
        if rows.len() > most {
            let _ = writeln!(text, "and {} more kinds", rows.len() - most);
        }
        if self.more > 0 {
            let listed = LeftBehind::MOST;
            let _ = writeln!(
                text,
                "and {} more after the first {listed} of a file",
                self.more
            );
        }
        text
    }
}

impl Sample {
    fn new(path: &Path, mention: &Mention, reach: &Reachable) -> Self {
        Sample {
            place: with_location(path, mention),
            text: mention.text.clone(),
            host: mention.host_in_text.clone(),
            words: words(mention.place, mention.why, None),
            option: reach.option(mention.place, mention.why),
        }
    }
}

/// `PATH:LINE:COLUMN` of a mention, as in messages of compilers.
pub fn with_location(path: &Path, mention: &Mention) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(
        ":{}:{}",
        mention.location.line, mention.location.column
    ));
    name.into()
}

/// Describes the place of a mention, why it was left, and the option that would reach it.
pub fn words(place: MentionPlace, why: Option<Why>, option: Option<&'static str>) -> String {
    let option = option.map_or(String::new(), |option| format!(" (`{option}` reaches it)"));
    let place = match place {
        MentionPlace::Text => "in text",
        MentionPlace::Tag => "in a tag",
        MentionPlace::Comment => "in a comment",
        MentionPlace::Script => "in a script",
        MentionPlace::Style => "in a style sheet",
        MentionPlace::Verbatim => "in verbatim text",
        MentionPlace::Header => "in the header of a mail",
        MentionPlace::HeaderText => "in text of the header of a mail",
        _ => "in the document",
    };
    let why = match why {
        Some(Why::NoScheme) => ", without a scheme",
        Some(Why::OtherScheme) => ", with a scheme that no rule names",
        Some(Why::OtherPort) => ", with a port that no rule names",
        Some(Why::Identifier) => ", an identifier",
        Some(Why::LinkText) => ", in the text of a link",
        Some(Why::Code) => ", in code",
        Some(Why::Escaped) => ", with escaped slashes",
        Some(Why::Encoded) => ", percent-encoded",
        Some(Why::Address) => ", in an address",
        Some(Why::UserName) => ", behind a user name",
        Some(Why::Pattern) => ", with escaped dots",
        Some(Why::StringEscape) => ", with escapes of a string",
        Some(Why::Cut) => ", cut over strings or lines",
        Some(Why::Left(note)) => return format!("{place}: {}{option}", note.words()),
        _ => "",
    };
    format!("{place}{why}{option}")
}
