//! The table of remaining mentions of hosts that rules moved.

use super::hosts::host_label;
use super::output::number;
use linkglot::Note;
use linkglot::rewrite::{LeftBehind, Mention, MentionPlace, Need, Why};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of rows shown of a table.
const MOST: usize = 10;

/// Number of kinds that a report shows.
const MOST_KINDS: usize = 30;

/// Number of mentions that a report shows with their text.
pub const MOST_SAMPLES: usize = 200;

/// Number of mentions of a file that other files do not displace in a report.
const MOST_SAMPLES_OF_FILE: usize = 20;

/// Number of these of one kind.
const MOST_SAMPLES_OF_KIND: u64 = 5;

/// The properties that mentions of one kind share: the host, the place, the reason, the options that would reach them.
type Kind = (Arc<str>, MentionPlace, Option<Why>, Option<String>);

/// The options that would reach a mention, as they are typed, if there are any: all of them are needed.
pub fn option(mention: &Mention) -> Option<String> {
    let mut also = Vec::new();
    let mut others = Vec::new();
    for need in &mention.needs {
        match need {
            Need::Comments => also.push("comments"),
            Need::Code => also.push("code"),
            Need::LinkText => also.push("text"),
            Need::OptIn => also.push("opt-in"),
            Need::HeaderText => also.push("headers"),
            Need::Identifiers => others.push("--identifiers"),
            Need::Mail => others.push("--move-mail"),
            Need::Signatures => others.push("--break-signatures"),
            Need::Charset => others.push("--charset LABEL"),
            Need::MaxSlot => others.push("--max-slot BYTES"),
            _ => return None,
        }
    }
    let also = (!also.is_empty()).then(|| format!("--also {}", also.join(",")));
    let all: Vec<&str> = also.as_deref().into_iter().chain(others).collect();
    match mention.why {
        _ if !all.is_empty() => Some(all.join(" ")),
        // Measured: code would have been among the needs.
        Some(Why::Left(Note::LeftKey)) => None,
        Some(Why::Left(note)) => option_for(note).map(str::to_owned),
        _ => None,
    }
}

/// The option that would change links that were left for this reason, if there is one. A value that the user has to
/// choose is named as in help.
pub fn option_for(reason: Note) -> Option<&'static str> {
    match reason {
        Note::LeftSigned => Some("--break-signatures"),
        Note::LeftName => Some("--min-evidence name"),
        Note::CharsetUnsure | Note::LeftCharsetWouldChange | Note::CharsetContradicts => {
            Some("--charset LABEL")
        }
        Note::LeftFormatWouldChange => Some("--format FORMAT"),
        Note::LeftKey => Some("--also code"),
        Note::TooLong => Some("--max-slot BYTES"),
        _ => None,
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
    pub option: Option<String>,
    kind: Kind,
    rank: Rank,
}

/// The order in which samples give way to others: the last go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The first mention of its kind.
    First,
    /// Among the first mentions of its file.
    OfFile,
    Further,
}

/// The number of mentions of a kind, for a report.
pub struct KindRow<'m> {
    pub count: u64,
    pub host: &'m str,
    /// The part of the document, and why the mentions were left.
    pub words: String,
    pub option: Option<&'m str>,
}

/// Number of mentions of each kind.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// The first mentions of each file, up to [`MOST_SAMPLES`], but for those in links that were left.
    pub samples: Vec<Sample>,
    kinds: BTreeMap<Kind, u64>,
    /// Mentions that were not listed.
    more: u64,
    pub files: u64,
}

impl Mentions {
    /// The mentions of a document.
    pub fn of(path: &Path, found: &LeftBehind) -> Self {
        let mut samples = Vec::new();
        let mut firsts = 0;
        let mut kinds = BTreeMap::new();
        for mention in &found.mentions {
            let option = option(mention);
            let kind = (
                Arc::clone(&mention.host),
                mention.place,
                mention.why,
                option,
            );
            let kind_of = kind.clone();
            let count: &mut u64 = kinds.entry(kind).or_default();
            *count += 1;
            // A report shows the link instead.
            if samples.len() < MOST_SAMPLES && !is_in_left_link(mention.why) {
                let rank = match *count {
                    1 => Rank::First,
                    2..=MOST_SAMPLES_OF_KIND if firsts < MOST_SAMPLES_OF_FILE => Rank::OfFile,
                    _ => Rank::Further,
                };
                firsts += usize::from(rank != Rank::Further);
                samples.push(Sample::new((path, mention), kind_of, rank));
            }
        }
        Mentions {
            samples,
            files: u64::from(!kinds.is_empty()),
            kinds,
            more: found.more,
        }
    }

    /// Adds the mentions of a document.
    pub fn add(&mut self, mut document: Mentions) {
        for sample in &mut document.samples {
            if sample.rank == Rank::First && self.kinds.contains_key(&sample.kind) {
                sample.rank = Rank::OfFile;
            }
        }
        for (kind, count) in document.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        self.more += document.more;
        self.files += document.files;
        self.samples.extend(document.samples);
        shorten(&mut self.samples);
    }

    /// The kinds that a report shows, the most frequent first, and the number of others.
    pub fn kind_rows(&self) -> (Vec<KindRow<'_>>, usize) {
        let kinds = self.kinds.iter();
        let kinds = kinds.filter(|((_, _, why, _), _)| !is_in_left_link(*why));
        let mut rows: Vec<_> = kinds
            .map(|((host, place, why, option), count)| KindRow {
                count: *count,
                host,
                words: words(*place, *why, None),
                option: option.as_deref(),
            })
            .collect();
        rows.sort_by_key(|row| (row.option.is_some(), Reverse(row.count)));
        let more = rows.len().saturating_sub(MOST_KINDS);
        rows.truncate(MOST_KINDS);
        (rows, more)
    }

    /// True if mentions of a domain, or of its `www`, were left.
    pub fn have(&self, domain: &str) -> bool {
        let mut hosts = self.kinds.keys().map(|(host, ..)| &**host);
        hosts.any(|host| host.strip_prefix("www.").unwrap_or(host) == domain || host == domain)
    }

    /// Number of mentions.
    pub fn count(&self) -> u64 {
        self.kinds.values().sum::<u64>() + self.more
    }

    /// Number of mentions in links that were left.
    pub fn in_left_links(&self) -> u64 {
        let kinds = self.kinds.iter();
        let of_links = kinds.filter(|((_, _, why, _), _)| is_in_left_link(*why));
        of_links.map(|(_, count)| count).sum()
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
            let place = words(*place, *why, option.as_deref());
            let host = host_label(host);
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

/// True for a mention in a link that was left, which is listed with its note already.
pub fn is_in_left_link(why: Option<Why>) -> bool {
    matches!(why, Some(Why::Left(_)))
}

/// Shortens samples to [`MOST_SAMPLES`]. The last of those that give way first go.
fn shorten(samples: &mut Vec<Sample>) {
    for rank in [Rank::Further, Rank::OfFile, Rank::First] {
        let excess = samples.len().saturating_sub(MOST_SAMPLES);
        let number = samples.iter().filter(|sample| sample.rank == rank).count();
        let mut staying = number.saturating_sub(excess);
        samples.retain(|sample| {
            let stays = sample.rank != rank || staying > 0;
            staying -= usize::from(stays && sample.rank == rank);
            stays
        });
    }
}

impl Sample {
    fn new((path, mention): (&Path, &Mention), kind: Kind, rank: Rank) -> Self {
        Sample {
            place: with_location(path, mention),
            text: mention.text.clone(),
            host: mention.host_in_text.clone(),
            words: words(mention.place, mention.why, None),
            option: kind.3.clone(),
            kind,
            rank,
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
pub fn words(place: MentionPlace, why: Option<Why>, option: Option<&str>) -> String {
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
        Some(Why::InLink) => ", in another link",
        Some(Why::Cut) => ", cut over strings or lines",
        Some(Why::Left(note)) => return format!("{place}: {}{option}", note.words()),
        _ => "",
    };
    format!("{place}{why}{option}")
}
