//! Every byte, and samples of the sequences of two to four bytes, before, in and after a link, in every charset and in
//! three formats: whatever they mean, the links are those of the decoded document, and the promises hold.

use crate::promises::{
    Seen, Subject, faults_of_all, identity, links, only_slots, refound, rewritten,
};
use linkglot::Charset;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::Form;
use linkglot_charset::span::TextSpan;

/// A debug build tests a small sample of the pairs, an optimised build a larger one. `LINKGLOT_SEQUENCES=all` tests
/// all, which takes more than twenty minutes of a core.
const PAIRS_APART: usize = if cfg!(debug_assertions) { 199 } else { 31 };

/// Number of sequences of three bytes that are tested, and of four bytes.
const LONGER: usize = if cfg!(debug_assertions) { 100 } else { 1000 };

/// Number of sequences in a document, each at one place on a line of its own.
const LINES: usize = 256;

/// Number of places of the sequence: next to the link, in the link, and next to the markup that holds it.
const PLACES: usize = 5;

/// A format: the text before and after the lines of a document, and before and after the link of a line.
type Frame = (
    Format,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const FRAMES: &[Frame] = &[
    (Format::Text, "x\n", "", "", " x\n"),
    (Format::Html, "<p>\n", "</p>", "<a href=\"", "\">x</a>\n"),
    (
        Format::Xml,
        "<r xmlns=\"http://www.w3.org/1999/xhtml\">\n",
        "</r>",
        "<a href=\"",
        "\">x</a>\n",
    ),
];

/// Letters for the link: the first that the charset can write is used.
const LETTERS: &str = "\u{e9}\u{434}\u{3b1}\u{5d0}\u{645}\u{e01}\u{561}\u{10d0}\u{3042}\u{4e2d}\u{d55c}\u{1ea1}\u{fed7}\u{905}\u{b85}\u{e81}\u{104}\u{10c}\u{e5}\u{f1}\u{e7}a";

/// The only letter among them that display forms leave encoded (RFC 3987 6.1 b).
const PRESENTATION_FORM: char = '\u{fed7}';

/// Bytes that begin or end a character, a shift, a tag or a link in some charset.
const TELLING: &[u8] = b"\x1B$()*+ABGHIJCNO\x0E\x0F~{}+-/&<>\"'#%;=.,0\n\r \x00\x25\x4C\x5C\x7F\x80\x81\x82\x8E\x8F\x95\
    \xA0\xA1\xA2\xB0\xC0\xC2\xC7\xD8\xDC\xE0\xE2\xED\xEF\xF0\xFE\xFF";

/// All sequences that are tested, ordered such that neighbours have equal beginnings.
fn sequences() -> Vec<Vec<u8>> {
    let ones = (0..=u8::MAX).map(|byte| vec![byte]);
    let is_all = std::env::var("LINKGLOT_SEQUENCES").is_ok_and(|which| which == "all");
    let twos = (0..=u16::MAX).step_by(if is_all { 1 } else { PAIRS_APART });
    let mut all: Vec<Vec<u8>> = ones
        .chain(twos.map(|pair| pair.to_be_bytes().to_vec()))
        .collect();
    // Knuth's generator: the sample is the same every time.
    let mut seed = 3987_u64;
    let mut next = |most: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    for length in [3, 4] {
        for number in 0..LONGER {
            let mut byte = |_| match number % 2 {
                0 => next(256) as u8,
                _ => TELLING[next(TELLING.len())],
            };
            all.push((0..length).map(&mut byte).collect());
        }
    }
    all
}

/// The pieces of documents in a charset.
struct Writer {
    charset: Charset,
    format: Format,
    frame: [Vec<u8>; 4],
    /// The link in two parts: a sequence within the link stands between them.
    link: [Vec<u8>; 2],
}

impl Writer {
    /// `None` if the charset cannot write the frame.
    fn new(charset: Charset, (format, head, tail, before, behind): Frame) -> Option<Self> {
        let encoded = |text: &str| {
            let mut bytes = Vec::new();
            charset.encode(text, &mut bytes).ok().map(|()| bytes)
        };
        let letter = LETTERS.chars().find(|&ch| charset.can_encode(ch))?;
        let escaped: String = letter
            .to_string()
            .bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect();
        let first = format!("http://a.example/{letter}");
        // IBM864 has no percent sign.
        let second = encoded(&format!("/{escaped}")).or_else(|| encoded("/b"))?;
        Some(Writer {
            charset,
            format,
            frame: [
                encoded(head)?,
                encoded(tail)?,
                encoded(before)?,
                encoded(behind)?,
            ],
            link: [encoded(&first)?, second],
        })
    }

    fn line(&self, sequence: &[u8], place: usize) -> Vec<u8> {
        let [_, _, before, behind] = &self.frame;
        let [first, second] = &self.link;
        let mut parts: Vec<&[u8]> = vec![before, first, second, behind];
        parts.insert([1, 2, 3, 0, 4][place], sequence);
        parts.concat()
    }

    fn subject(&self, lines: &[Vec<u8>]) -> Subject {
        let mut settings = Settings::default();
        settings.format = Some(self.format);
        settings.charset = Some(self.charset);
        Subject {
            name: format!("{} in {}", self.format.name(), self.charset.name()),
            bytes: [&self.frame[0][..], &lines.concat(), &self.frame[1]].concat(),
            settings,
        }
    }

    /// Judges the lines together, and then one by one lines that are faulty or have no link of their own: a sequence
    /// before such a line may have made it a part of something else.
    fn judge(&self, lines: &[Vec<u8>], faults: &mut Vec<String>) {
        let subject = self.subject(lines);
        let together = judge(&subject);
        let starts = together.as_deref().unwrap_or_default();
        let (mut end, known) = (self.frame[0].len() as u64, faults.len());
        for line in lines {
            let begin = end;
            end += line.len() as u64;
            let next = starts.get(starts.partition_point(|&start| start < begin));
            if next.is_some_and(|&start| start < end) {
                continue;
            }
            let alone = self.subject(std::slice::from_ref(line));
            faults.extend(judge(&alone).err().map(|why| fault(&alone, &why)));
        }
        if let Err(why) = &together
            && known == faults.len()
        {
            faults.push(fault(&subject, why));
        }
    }
}

fn fault(subject: &Subject, why: &str) -> String {
    let bytes = subject.bytes.escape_ascii();
    format!("{}: {why}\n    {bytes}", subject.name)
}

/// The beginnings of the links, if the links are right and the promises hold.
fn judge(subject: &Subject) -> Result<Vec<u64>, String> {
    let found = found_as_decoded(subject)?;
    identity(subject).map_err(|why| format!("P1: {why}"))?;
    only_slots(subject).map_err(|why| format!("P2: {why}"))?;
    refound(subject).map_err(|why| format!("P3: {why}"))?;
    Ok(found.iter().map(|link| link.span.start).collect())
}

/// The links, if they are those of the document decoded as a whole, at their places.
fn found_as_decoded(subject: &Subject) -> Result<Vec<Seen>, String> {
    let charset = subject.settings.charset.expect("a charset that is named");
    let (found, _) = links(&subject.bytes, &subject.settings);
    let decoded = charset.decode_mapped(&subject.bytes);
    let mut settings = subject.settings.clone();
    settings.charset = Some(Charset::UTF_8);
    let (wanted, _) = links(decoded.text().as_bytes(), &settings);
    for (wanted, found) in wanted.iter().zip(&found) {
        let span = wanted.span;
        let span = decoded.source(TextSpan::new(span.start as usize, span.end as usize));
        let is_there = found.span.start == span.start as u64 && found.span.end == span.end as u64;
        let is_same = (&found.raw, &found.place, found.implied)
            == (&wanted.raw, &wanted.place, wanted.implied);
        if !is_there || !is_same {
            return Err(format!("{wanted:?} of the text at {span:?} is {found:?}"));
        }
    }
    if wanted.len() == found.len() {
        Ok(found)
    } else {
        Err(format!(
            "{} links in the text, {} found",
            wanted.len(),
            found.len()
        ))
    }
}

/// A debug build takes every fourth charset of single bytes: they share two codecs.
fn charsets() -> Vec<Charset> {
    let every = if cfg!(debug_assertions) { 4 } else { 1 };
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    let is_single_byte = |charset: Charset| {
        !charset.is_stateful() && charset.decode(&bytes).chars().count() == bytes.len()
    };
    let numbered = Charset::all().enumerate();
    let taken = numbered.filter(|&(at, charset)| at % every == 0 || !is_single_byte(charset));
    taken.map(|(_, charset)| charset).collect()
}

/// Judges every sequence at every place in a charset.
fn faults_in(charset: Charset, sequences: &[Vec<u8>]) -> Vec<String> {
    let mut faults = Vec::new();
    for writer in FRAMES
        .iter()
        .filter_map(|&frame| Writer::new(charset, frame))
    {
        for place in 0..PLACES {
            // In text there is no markup around the link.
            if writer.format == Format::Text && place > 2 {
                continue;
            }
            for sequences in sequences.chunks(LINES) {
                let lines = sequences
                    .iter()
                    .map(|sequence| writer.line(sequence, place));
                writer.judge(&lines.collect::<Vec<_>>(), &mut faults);
            }
        }
    }
    faults
}

/// Links that no form changes would easily keep the promises. Few charsets have only such links: those without a
/// percent sign, with private-use letters only, or without ASCII.
#[test]
fn the_links_around_the_sequences_are_rewritten() {
    let mut held = 0;
    for charset in Charset::all() {
        let has_letter = LETTERS
            .chars()
            .any(|ch| !ch.is_ascii() && ch != PRESENTATION_FORM && charset.can_encode(ch));
        let writers = FRAMES.iter().map(|&frame| Writer::new(charset, frame));
        let writers = writers.collect::<Option<Vec<_>>>();
        let writers = writers.filter(|_| has_letter && charset.can_encode('%'));
        held += usize::from(writers.is_some());
        for writer in writers.into_iter().flatten() {
            let subject = writer.subject(&[writer.line(b"", 1)]);
            for form in [Form::Uri, Form::Iri] {
                let changed = rewritten(&subject.bytes, &subject.settings, form).changed;
                assert_eq!(changed, 1, "{} {form:?}", subject.name);
            }
        }
    }
    assert!(held > 220, "{held}");
}

#[test]
fn every_sequence_beside_and_in_a_link_in_every_charset() {
    let charsets = charsets();
    let sequences = sequences();
    let faults = faults_of_all(charsets.len(), |at| faults_in(charsets[at], &sequences));
    let shown = faults[..faults.len().min(40)].join("\n");
    assert!(faults.is_empty(), "{} faults:\n{shown}", faults.len());
}
