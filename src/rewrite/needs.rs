//! Measures which settings would let rules reach a mention: rewrites the new document again with more settings, and
//! looks which mentions are in links that rules change then.

use super::mapping::{Mapping, Transport};
use super::mention::{LeftBehind, Mention, MentionPlace, Need, Why};
use super::output::Caller;
use super::{Form, Outcome, References, Tally, run};
use crate::charset::{Certainty, Charset};
use crate::link::{Info, Location, Settings};
use crate::markup::{CommentSlots, TextSlots};
use crate::notes::Note;
use crate::read::Input;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// The most bytes of a new document that are rewritten again: its beginning.
pub(super) const MOST_MEASURED: usize = 1 << 20;

/// The most work of a reading: so many bytes, and so many for each byte of the document. Up to twenty readings follow.
const FREE: usize = 1 << 20;
const TIMES: usize = 2;

/// The work that a link takes beside that for its bytes, and a link that a rule names: it changes or is left.
const LINK: usize = 128;
const NAMED: usize = 1 << 10;

/// Settings that may be needed. Of two in a list, the second includes the first.
const CHOICES: [&[Need]; 9] = [
    &[Need::Mail],
    &[Need::Comments],
    &[Need::Code, Need::LinkText],
    &[Need::OptIn],
    &[Need::HeaderText],
    &[Need::Identifiers],
    &[Need::Signatures],
    &[Need::Charset],
    &[Need::MaxSlot],
];

/// A writer that keeps the beginning of a document.
pub(super) struct KeptBeginning<'w> {
    writer: &'w mut dyn Write,
    beginning: Vec<u8>,
    is_whole: bool,
}

impl<'w> KeptBeginning<'w> {
    pub fn new(writer: &'w mut dyn Write) -> Self {
        KeptBeginning {
            writer,
            beginning: Vec::new(),
            is_whole: true,
        }
    }
}

impl Write for KeptBeginning<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        let room = MOST_MEASURED - self.beginning.len();
        self.beginning
            .extend_from_slice(&bytes[..written.min(room)]);
        self.is_whole &= written <= room;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Sets the needs of the mentions in a new document. Linear: some readings of the beginning of the document, which is
/// short if it is nothing but links. Mentions behind the beginning have the needs of those with the same place and
/// reason in it.
pub(super) fn measure(
    found: &mut LeftBehind,
    (new, info): (&KeptBeginning<'_>, &Info),
    (settings, mapping): (&Settings, &Mapping),
) {
    let has_long_value = found.has_long_value;
    let is_missing = |need: &Need| {
        let may_be_needed = *need != Need::MaxSlot || has_long_value;
        may_be_needed && need.is_missing(info, (settings, mapping))
    };
    let choices: [Vec<Need>; 9] =
        CHOICES.map(|levels| levels.iter().copied().filter(is_missing).collect());
    let all = choices.concat();
    let mut measured: Vec<&mut Mention> = found.mentions.iter_mut().collect();
    measured.sort_by_key(|mention| place_of(mention.location));
    let mut trial = Trial {
        document: &new.beginning,
        charset: mapping.to_charset.unwrap_or(info.charset),
        is_cut: false,
        settings,
        mapping,
    };
    if !new.is_whole {
        trial = trial.up_to(new.beginning.len());
    }
    let mut behind = trial.behind(&mut measured);
    let mut with_all = trial.read(&measured, &all);
    let most = FREE + TIMES * trial.document.len();
    if with_all.work > most {
        let part = trial.document.len() as u64 * most as u64 / with_all.work as u64;
        trial = trial.up_to(part as usize);
        behind.append(&mut trial.behind(&mut measured));
        with_all = trial.read(&measured, &all);
    }
    settle(&mut measured, with_all, &trial, &choices);
    let likely = Likely::of(&measured);
    for mention in behind {
        mention.needs = likely.of_mention(mention, &all);
    }
}

/// The line and column behind a text.
fn behind(text: &str) -> (u64, u64) {
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
    let last = text.rsplit('\n').next().unwrap_or_default();
    (1 + lines, 1 + last.chars().count() as u64)
}

/// The most frequent needs of measured mentions.
struct Likely(HashMap<(MentionPlace, Option<Why>), Vec<Need>>);

impl Likely {
    fn of(measured: &[&mut Mention]) -> Self {
        let mut counts: HashMap<_, BTreeMap<&[Need], usize>> = HashMap::new();
        for mention in measured {
            let counts = counts.entry((mention.place, mention.why)).or_default();
            *counts.entry(&mention.needs).or_default() += 1;
        }
        let most = |counts: BTreeMap<&[Need], usize>| {
            let most = counts.into_iter().max_by_key(|(_, count)| *count);
            most.map_or(Vec::new(), |(needs, _)| needs.to_vec())
        };
        Likely(
            counts
                .into_iter()
                .map(|(kind, counts)| (kind, most(counts)))
                .collect(),
        )
    }

    fn of_mention(&self, mention: &Mention, missing: &[Need]) -> Vec<Need> {
        let alike = self.0.get(&(mention.place, mention.why));
        alike.cloned().unwrap_or_else(|| guess(mention, missing))
    }
}

/// Sets the needs of mentions, which are in the order of their places. `with_all`: the reading with all settings.
fn settle(
    mentions: &mut [&mut Mention],
    with_all: TrialResult,
    trial: &Trial<'_>,
    choices: &[Vec<Need>],
) {
    let all = choices.concat();
    let mut open: Vec<&mut Mention> = mentions.iter_mut().map(|mention| &mut **mention).collect();
    let mut is_reached = with_all.is_reached.into_iter();
    open.retain(|_| is_reached.next() == Some(true));
    // What moves without more settings moves in the next run, or now that the rest of its long value is cut off.
    let mut is_reached = trial.reached(&open, &[]).into_iter();
    open.retain_mut(|mention| {
        let moves = is_reached.next() == Some(true);
        if moves && trial.is_cut && all.contains(&Need::MaxSlot) {
            mention.needs = vec![Need::MaxSlot];
        }
        !moves
    });
    // A single setting comes first: the fewest count, and of two that would do, the first reaches less. Most other
    // mentions need what their places suggest.
    let singles: Vec<_> = all.iter().map(|need| vec![*need]).collect();
    let sets = open.iter().map(|mention| guess(mention, &all)).collect();
    for set in distinct([singles, sets].concat()) {
        open = settled(open, trial, &set);
    }
    for set in distinct(indispensable(&open, trial, choices)) {
        open = settled(open, trial, &set);
    }
    // One of several settings would do, besides others. Nobody breaks signatures or names a charset without need.
    let is_costly = |need: &Need| matches!(need, Need::Signatures | Need::Charset | Need::MaxSlot);
    let others: Vec<Need> = all
        .iter()
        .copied()
        .filter(|need| !is_costly(need))
        .collect();
    for mention in settled(open, trial, &others) {
        mention.needs.clone_from(&all);
    }
}

/// The settings for each mention without which no rule changes it, even with all others.
fn indispensable(
    open: &[&mut Mention],
    trial: &Trial<'_>,
    choices: &[Vec<Need>],
) -> Vec<Vec<Need>> {
    let all = choices.concat();
    let mut needs = vec![Vec::new(); open.len()];
    for levels in choices {
        let mut is_needed = vec![false; open.len()];
        for (level, need) in levels.iter().enumerate().rev() {
            let dropped = &levels[level..];
            let rest = all.iter().filter(|need| !dropped.contains(need));
            let rest: Vec<Need> = rest.copied().collect();
            for (at, is_reached) in trial.reached(open, &rest).into_iter().enumerate() {
                if !is_reached && !is_needed[at] {
                    is_needed[at] = true;
                    needs[at].push(*need);
                }
            }
        }
    }
    needs
}

/// Sets the needs of the mentions that a set of them reaches; returns the others.
fn settled<'m>(
    open: Vec<&'m mut Mention>,
    trial: &Trial<'_>,
    needs: &[Need],
) -> Vec<&'m mut Mention> {
    let mut is_reached = trial.reached(&open, needs).into_iter();
    let (reached, open): (Vec<_>, Vec<_>) = open
        .into_iter()
        .partition(|_| is_reached.next() == Some(true));
    for mention in reached {
        mention.needs = needs.to_vec();
    }
    open
}

/// The sets without repetitions, in their order.
fn distinct(sets: Vec<Vec<Need>>) -> Vec<Vec<Need>> {
    let mut distinct = Vec::new();
    for set in sets {
        if !set.is_empty() && !distinct.contains(&set) {
            distinct.push(set);
        }
    }
    distinct
}

impl Need {
    /// True if the setting would change the reading of documents, or the rules.
    fn is_missing(self, info: &Info, (settings, mapping): (&Settings, &Mapping)) -> bool {
        match self {
            Need::Mail => mapping.rules.with_mail().is_some(),
            Need::Comments => settings.comments != CommentSlots::All,
            Need::Code => !matches!(settings.text, TextSlots::Code | TextSlots::All),
            Need::LinkText => settings.text != TextSlots::All,
            Need::OptIn => !settings.vocabulary.has_opt_ins(),
            Need::HeaderText => !settings.header_text,
            Need::Identifiers => !settings.identifiers,
            Need::Signatures => mapping.transport == Transport::Kept,
            Need::MaxSlot => true,
            Need::Charset => {
                let given = mapping.to_charset.or(settings.charset);
                given.is_none() && info.certainty == Certainty::Unsure
            }
        }
    }

    /// Sets the setting for a document in a charset.
    fn apply(self, charset: Charset, (settings, mapping): (&mut Settings, &mut Mapping)) {
        match self {
            Need::Mail => {
                if let Some(rules) = mapping.rules.with_mail() {
                    mapping.rules = rules;
                }
            }
            Need::Comments => settings.comments = CommentSlots::All,
            Need::Code | Need::LinkText => {
                let is_code = self == Need::Code && settings.text != TextSlots::All;
                settings.text = if is_code {
                    TextSlots::Code
                } else {
                    TextSlots::All
                };
                settings.vocabulary = settings.vocabulary.with_code();
            }
            Need::OptIn => settings.vocabulary = settings.vocabulary.with_opt_ins(),
            Need::HeaderText => settings.header_text = true,
            Need::Identifiers => settings.identifiers = true,
            Need::Signatures => mapping.transport = Transport::SignaturesBroken,
            Need::Charset => settings.charset = Some(charset),
            Need::MaxSlot => settings.max_slot = settings.max_slot.max(MOST_MEASURED),
        }
    }
}

/// The missing settings that a mention may need, from its place and reason alone.
fn guess(mention: &Mention, missing: &[Need]) -> Vec<Need> {
    let is_address = mention.why == Some(Why::Address);
    let is_plain = match mention.why {
        None | Some(Why::NoScheme | Why::Identifier | Why::Code | Why::LinkText) => true,
        Some(Why::Left(note)) => note == Note::LeftKey,
        Some(Why::Escaped) => mention.place == MentionPlace::Script,
        _ => false,
    };
    let may_move = is_plain || is_address && missing.contains(&Need::Mail);
    if !may_move {
        return Vec::new();
    }
    let of_place = match (mention.place, mention.why) {
        (MentionPlace::Header, _) => return Vec::new(),
        // No setting moves namespaces.
        (MentionPlace::Tag, Some(Why::Identifier)) => return Vec::new(),
        (_, Some(Why::Identifier)) => Some(Need::Identifiers),
        (MentionPlace::Comment, _) => Some(Need::Comments),
        (MentionPlace::HeaderText, _) => Some(Need::HeaderText),
        (MentionPlace::Script | MentionPlace::Verbatim, _) => Some(Need::Code),
        (_, Some(Why::Code | Why::Left(_))) => Some(Need::Code),
        (_, Some(Why::LinkText)) => Some(Need::LinkText),
        _ => None,
    };
    let of_address = is_address.then_some(Need::Mail);
    let needs = of_place.into_iter().chain(of_address);
    needs.filter(|need| missing.contains(need)).collect()
}

/// The result of a document that was rewritten again.
struct TrialResult {
    /// True for each mention that a rule changes.
    is_reached: Vec<bool>,
    /// The work that it took, in bytes of text without links.
    work: usize,
}

/// A new document that is rewritten again.
struct Trial<'t> {
    document: &'t [u8],
    /// True if the document goes on.
    is_cut: bool,
    charset: Charset,
    settings: &'t Settings,
    mapping: &'t Mapping,
}

impl Trial<'_> {
    /// The trial of a part of the document: lines, since a cut would change the link that it meets, or all of it if
    /// that is one line.
    fn up_to(self, end: usize) -> Self {
        let part = &self.document[..end];
        let line = memchr::memrchr(b'\n', part).map_or(end, |at| at + 1);
        Trial {
            document: &part[..line],
            is_cut: true,
            ..self
        }
    }

    /// Takes the mentions behind the document away.
    fn behind<'m>(&self, mentions: &mut Vec<&'m mut Mention>) -> Vec<&'m mut Mention> {
        if !self.is_cut {
            return Vec::new();
        }
        let end = behind(&self.charset.decode(self.document));
        mentions.split_off(mentions.partition_point(|mention| place_of(mention.location) < end))
    }

    /// True for each mention that a rule changes with these settings.
    fn reached(&self, mentions: &[&mut Mention], needs: &[Need]) -> Vec<bool> {
        self.read(mentions, needs).is_reached
    }

    /// Rewrites the document with these settings. The mentions are in the order of their places.
    fn read(&self, mentions: &[&mut Mention], needs: &[Need]) -> TrialResult {
        let mut reading = TrialResult {
            is_reached: vec![false; mentions.len()],
            work: 0,
        };
        if mentions.is_empty() {
            return reading;
        }
        let mut settings = Settings {
            locate: true,
            labels: false,
            charset: self.mapping.to_charset.or(self.settings.charset),
            ..self.settings.clone()
        };
        // Rules alone: another form keeps the host.
        let mut mapping = Mapping {
            form: Form::Same,
            references: References::Keep,
            to_charset: None,
            excerpts: false,
            ..self.mapping.clone()
        };
        for need in needs {
            need.apply(self.charset, (&mut settings, &mut mapping));
        }
        let mut on_link = |outcome: &Outcome<'_>, _: &Info| {
            for at in self.within(mentions, outcome) {
                reading.is_reached[at] = true;
            }
        };
        let mut sink = io::sink();
        let caller = Caller::new(&mut sink, &mut on_link);
        // A document that fails is not changed.
        let input = Input::of_slice(self.document);
        match run::run(input, caller, None, (&settings, &mapping)) {
            Ok(summary) => {
                let Tally {
                    links,
                    changed,
                    left,
                    ..
                } = summary.tally;
                let of_links = LINK * links as usize + NAMED * (changed + left) as usize;
                reading.work = self.document.len() + of_links;
            }
            Err(_) => reading.is_reached.fill(false),
        }
        reading
    }

    /// The mentions that the new text of a link has no more.
    fn within(&self, mentions: &[&mut Mention], outcome: &Outcome<'_>) -> Vec<usize> {
        let (Some(new), Some(begin)) = (outcome.new, outcome.link.location()) else {
            return Vec::new();
        };
        let first =
            mentions.partition_point(|mention| place_of(mention.location) < place_of(begin));
        let mut behind = mentions[first..].iter();
        // Most links are of other hosts than the mentions, or have none.
        if behind.as_slice().is_empty() {
            return Vec::new();
        }
        let end = self.end(outcome, begin);
        let within = behind.position(|mention| place_of(mention.location) >= end);
        let within = first..within.map_or(mentions.len(), |length| first + length);
        // The host of a link comes first. Another mention may be part of its path.
        let old = outcome.link.raw().to_ascii_lowercase();
        let new = new.to_ascii_lowercase();
        // A link may have as many mentions as a line of a catalog.
        let mut are_gone: HashMap<&str, bool> = HashMap::new();
        within
            .filter(|at| {
                let host: &str = &mentions[*at].host;
                let is_gone = || old.contains(host) && !new.contains(host);
                match are_gone.entry(host) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(first) => {
                        first.insert(is_gone());
                        true
                    }
                }
            })
            .collect()
    }

    /// The line and column behind a link.
    fn end(&self, outcome: &Outcome<'_>, begin: Location) -> (u64, u64) {
        let span = outcome.link.span();
        let source = self.document.get(span.start as usize..span.end as usize);
        let source = self.charset.decode(source.unwrap_or_default());
        let raw = outcome.link.raw().chars().count();
        match behind(&source) {
            (1, column) => (begin.line, begin.column + (column - 1).max(raw as u64)),
            (lines, column) => (begin.line + lines - 1, column),
        }
    }
}

fn place_of(location: Location) -> (u64, u64) {
    (location.line, location.column)
}
