//! The promises over generated mail: trees of parts in many charsets and encodings, whole, cut and broken.

use crate::promises::chunks::{Pieces, one_answer, same_links, same_output, sizes};
use crate::promises::{
    Decided, PROMISES, Promise, Subject, idempotent, identity, links, refound, rewritten,
};
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Edit, Form, Rewriter};
use linkglot::stream::{MailboxRange, mailbox_ranges};
use linkglot::{Breaks, Charset, Document, Link, PlaceKind};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::fmt::{Debug, Formatter};
use std::ops::Range;

const CASES: u32 = if cfg!(debug_assertions) { 200 } else { 20_000 };

/// Charsets, with a word and links for each.
const TONGUES: &[(&str, &str, &[&str])] = &[
    (
        "utf-8",
        "слово",
        &[
            "http://例え.jp/路?道=途",
            "http://bücher.example/é",
            "http://a.example/%D0%B0/%E6%97%A5",
            "www.példa.example/ő",
        ],
    ),
    (
        "koi8-r",
        "ссылка",
        &["http://пример.example/а?б=в&г=д", "http://a.example/%D1%8F"],
    ),
    (
        "windows-1251",
        "посмотри",
        &[
            "http://kniga.example/каталог/новинки?год=2003",
            "ftp://x.example/ё",
        ],
    ),
    (
        "iso-8859-15",
        "voilà",
        &[
            "http://example.fr/œuvre?prix=20€",
            "http://x.example/%C3%A9/%E2%82%AC",
        ],
    ),
    (
        "euc-kr",
        "봄",
        &[
            "http://shop.example/행사?색=빨강",
            "http://x.example/%EB%B4%84",
        ],
    ),
    (
        "big5",
        "功課",
        &[
            "http://lib.example/功課/許.html",
            "http://lib.example/?書=紅",
        ],
    ),
    (
        "gb18030",
        "请看",
        &["http://zi.example/字?字=㐀", "http://x.example/%E5%AD%97"],
    ),
    (
        "windows-1255",
        "שלום",
        &["http://אירוע.example/מפה?שם=דוד", "http://x.example/%D7%A9"],
    ),
];

/// Text between words and links.
const GLUE: &[&str] = &[
    " ", " (", ") ", ", ", "\n", "\n> ", " = ", "\n\n", ". ", "\nFrom ", "\n--\n", "\n.",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plain,
    Flowed,
    Html,
    Calendar,
}

impl Kind {
    fn media_type(self) -> &'static str {
        match self {
            Kind::Plain => "text/plain",
            Kind::Flowed => "text/plain; format=flowed; delsp=yes",
            Kind::Html => "text/html",
            Kind::Calendar => "text/calendar",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    EightBit,
    /// Quoted-printable with a length of lines, and hex digits in lower case or not.
    Quoted(usize, bool),
    /// Base64 with a number of groups per line.
    Base64(usize),
}

/// The body of a part.
#[derive(Clone, Debug)]
struct Leaf {
    kind: Kind,
    tongue: usize,
    encoding: Encoding,
    /// Words, links and separators, as numbers.
    words: Vec<(bool, usize, usize)>,
}

#[derive(Clone, Debug)]
enum Node {
    Leaf(Leaf),
    Multipart(&'static str, Vec<Node>),
    /// A nested message, and its encoding, which RFC 2046 forbids.
    Message(Box<Node>, Option<Encoding>),
}

/// A message or mailbox as bytes, with its bodies.
struct Mail {
    format: Format,
    end: &'static str,
    bytes: Vec<u8>,
    bodies: Vec<(Range<usize>, Leaf)>,
    boundaries: usize,
}

fn encoding() -> impl Strategy<Value = Encoding> {
    prop_oneof![
        Just(Encoding::EightBit),
        (20_usize..=76, any::<bool>()).prop_map(|(width, lower)| Encoding::Quoted(width, lower)),
        Just(Encoding::Quoted(76, false)),
        (1_usize..=19).prop_map(Encoding::Base64),
        Just(Encoding::Base64(19)),
    ]
}

fn leaf() -> impl Strategy<Value = Leaf> {
    let kind = prop::sample::select(
        &[
            Kind::Plain,
            Kind::Plain,
            Kind::Flowed,
            Kind::Html,
            Kind::Calendar,
        ][..],
    );
    let words = prop::collection::vec((any::<bool>(), 0_usize..8, 0..GLUE.len()), 0..12);
    (kind, 0..TONGUES.len(), encoding(), words).prop_map(|(kind, tongue, encoding, words)| Leaf {
        kind,
        tongue,
        encoding,
        words,
    })
}

/// The encodings of messages in messages.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Messages {
    Plain,
    Encoded,
}

fn node(messages: Messages) -> impl Strategy<Value = Node> {
    leaf().prop_map(Node::Leaf).prop_recursive(3, 8, 4, move |inner| {
        let kind = prop::sample::select(&["mixed", "alternative", "related"][..]);
        let message = (inner.clone(), encoding()).prop_map(move |(inner, encoding)| {
            let is_encoded = messages == Messages::Encoded && encoding != Encoding::EightBit;
            Node::Message(Box::new(inner), is_encoded.then_some(encoding))
        });
        let share = if messages == Messages::Encoded { 3 } else { 1 };
        prop_oneof![
            3 => (kind, prop::collection::vec(inner, 1..4)).prop_map(|(kind, parts)| Node::Multipart(kind, parts)),
            share => message,
        ]
    })
}

fn mail() -> impl Strategy<Value = Mail> {
    mail_with(Messages::Plain)
}

/// Mail with encoded messages in it. Their bodies are not among those of the mail.
fn mail_with(messages: Messages) -> impl Strategy<Value = Mail> {
    let node = move || node(messages);
    let end = prop::sample::select(&["\n", "\r\n"][..]);
    let messages = prop_oneof![
        node().prop_map(|node| (Format::Mail, vec![node])),
        prop::collection::vec(node(), 1..4).prop_map(|nodes| (Format::Mailbox, nodes)),
    ];
    (messages, end).prop_map(|((format, nodes), end)| {
        let mut mail = Mail {
            format,
            end,
            bytes: Vec::new(),
            bodies: Vec::new(),
            boundaries: 0,
        };
        for node in &nodes {
            if format == Format::Mailbox {
                mail.line("From a@b.example Mon Jan  1 00:00:00 2024");
            }
            mail.message(node);
            if format == Format::Mailbox {
                mail.line("");
            }
        }
        mail
    })
}

/// Shown as text in failures.
impl Debug for Mail {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}:\n{}", self.format, self.bytes.escape_ascii())
    }
}

impl Mail {
    fn line(&mut self, line: &str) {
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes.extend_from_slice(self.end.as_bytes());
    }

    fn message(&mut self, node: &Node) {
        self.line("From: a@b.example");
        self.line("Subject: =?utf-8?Q?=C3=A9?= http://subject.example/=C3=A9");
        self.line("List-Archive: <http://list.example/%C3%A9>,");
        self.line("\t<http://list.example/b>");
        self.line("MIME-Version: 1.0");
        self.node(node);
    }

    /// Writes the fields of a node, and its body.
    fn node(&mut self, node: &Node) {
        match node {
            Node::Leaf(leaf) => self.leaf(leaf),
            Node::Message(inner, None) => {
                self.line("Content-Type: message/rfc822");
                self.line("");
                self.message(inner);
            }
            Node::Message(inner, Some(encoding)) => self.encoded_message(inner, *encoding),
            Node::Multipart(kind, parts) => {
                self.boundaries += 1;
                let boundary = format!("=_{}_b", self.boundaries);
                self.line(&format!("Content-Type: multipart/{kind};"));
                self.line(&format!("\tboundary=\"{boundary}\""));
                self.line("");
                self.line("http://preamble.example/%C3%A9");
                for part in parts {
                    self.line("");
                    self.line(&format!("--{boundary}"));
                    self.node(part);
                }
                self.line("");
                self.line(&format!("--{boundary}--"));
            }
        }
    }

    fn encoded_message(&mut self, inner: &Node, encoding: Encoding) {
        let mut message = Mail {
            format: Format::Mail,
            end: self.end,
            bytes: Vec::new(),
            bodies: Vec::new(),
            boundaries: self.boundaries,
        };
        message.message(inner);
        self.boundaries = message.boundaries;
        self.line("Content-Type: message/rfc822");
        self.line(&format!("Content-Transfer-Encoding: {}", encoding.name()));
        self.line("");
        let encoded = encoding.encode(&message.bytes, self.end);
        self.bytes.extend_from_slice(&encoded);
    }

    fn leaf(&mut self, leaf: &Leaf) {
        let (label, ..) = TONGUES[leaf.tongue];
        let media_type = leaf.kind.media_type();
        self.line(&format!("Content-Type: {media_type}; charset={label}"));
        let name = leaf.encoding.name();
        self.line(&format!("Content-Transfer-Encoding: {name}"));
        self.line(&format!("Content-ID: <{}@b.example>", self.bodies.len()));
        self.line("");
        let start = self.bytes.len();
        let body = leaf.encoded(self.end);
        self.bytes.extend_from_slice(&body);
        self.bodies.push((start..self.bytes.len(), leaf.clone()));
    }

    fn subject(&self) -> Subject {
        let mut settings = Settings::default();
        settings.format = Some(self.format);
        Subject {
            name: format!("{:?}", self.format),
            bytes: self.bytes.clone(),
            settings,
        }
    }
}

impl Encoding {
    fn name(self) -> &'static str {
        match self {
            Encoding::EightBit => "8bit",
            Encoding::Quoted(..) => "Quoted-Printable",
            Encoding::Base64(_) => "base64",
        }
    }

    fn encode(self, bytes: &[u8], end: &str) -> Vec<u8> {
        match self {
            Encoding::EightBit => bytes.to_vec(),
            Encoding::Quoted(width, lower) => quoted(bytes, (width, lower), end),
            Encoding::Base64(groups) => base64(bytes, groups, end),
        }
    }
}

impl Leaf {
    fn charset(&self) -> Charset {
        Charset::for_label(TONGUES[self.tongue].0).expect("a charset")
    }

    /// The decoded text of a body.
    fn text(&self, end: &str) -> String {
        let (_, word, links) = TONGUES[self.tongue];
        let mut text = String::new();
        for &(is_link, number, glue) in &self.words {
            let link = links[number % links.len()];
            match (is_link, self.kind) {
                (false, _) => text += word,
                (true, Kind::Html) => {
                    text += &format!("<a href=\"{}\">{word}</a>", link.replace('&', "&amp;"))
                }
                (true, Kind::Calendar) => text += &format!("\nURL:{}", folded(link, 7 + number)),
                // A mailbox quotes lines that begin with From.
                (true, _) => text += link,
            }
            text += GLUE[glue];
        }
        if self.encoding == Encoding::EightBit {
            text = text.replace("\nFrom ", "\n>From ");
        }
        text.replace('\n', end)
    }

    fn encoded(&self, end: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let text = self.text(end);
        self.charset()
            .encode(&text, &mut bytes)
            .expect("characters of the charset");
        self.encoding.encode(&bytes, end)
    }

    /// The bytes that a body encodes, unfolded.
    fn decoded(&self, body: &[u8], end: &str) -> Vec<u8> {
        let bytes = match self.encoding {
            Encoding::EightBit => body.to_vec(),
            Encoding::Quoted(..) => unquoted(body, end),
            Encoding::Base64(_) => unbased(body),
        };
        self.unfolded(bytes, end)
    }

    fn unfolded(&self, bytes: Vec<u8>, end: &str) -> Vec<u8> {
        match self.kind {
            Kind::Calendar => without(&bytes, format!("{end} ").as_bytes()),
            _ => bytes,
        }
    }

    /// Settings for reading the decoded bytes of a body as a document of its own.
    fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.charset = Some(self.charset());
        settings.format = Some(match self.kind {
            Kind::Html => Format::Html,
            Kind::Calendar => Format::Calendar,
            _ => Format::Text,
        });
        if self.kind == Kind::Flowed {
            settings.breaks = Breaks::FLOWED;
        }
        settings
    }
}

/// Folds a line into pieces of a width.
fn folded(line: &str, width: usize) -> String {
    let chars: Vec<char> = line.chars().collect();
    let pieces: Vec<String> = chars
        .chunks(width)
        .map(|piece| piece.iter().collect())
        .collect();
    pieces.join("\n ")
}

fn without(bytes: &[u8], what: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at..].starts_with(what) {
            at += what.len();
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    out
}

/// Encodes quoted-printable by the rules of RFC 2045 6.7.
fn quoted(bytes: &[u8], (width, lower): (usize, bool), end: &str) -> Vec<u8> {
    let (mut out, mut column, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(end.as_bytes()) {
            out.extend_from_slice(end.as_bytes());
            (column, at) = (0, at + end.len());
            continue;
        }
        let ends_line = rest.len() == 1 || rest[1..].starts_with(end.as_bytes());
        let is_plain = match rest[0] {
            b' ' => !ends_line,
            b'.' | b'F' | b'-' => column > 0,
            byte => byte.is_ascii_graphic() && byte != b'=',
        };
        let piece = match (is_plain, lower) {
            (true, _) => vec![rest[0]],
            (false, true) => format!("={:02x}", rest[0]).into_bytes(),
            (false, false) => format!("={:02X}", rest[0]).into_bytes(),
        };
        if column + piece.len() >= width {
            out.push(b'=');
            out.extend_from_slice(end.as_bytes());
            column = 0;
        }
        column += piece.len();
        out.extend_from_slice(&piece);
        at += 1;
    }
    out
}

fn unquoted(body: &[u8], end: &str) -> Vec<u8> {
    let joined = without(body, format!("={end}").as_bytes());
    let (mut out, mut at) = (Vec::new(), 0);
    while at < joined.len() {
        let digits = joined.get(at + 1..at + 3).filter(|_| joined[at] == b'=');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(joined[at]);
                at += 1;
            }
        }
    }
    out
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8], groups: usize, end: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, group) in bytes.chunks(3).enumerate() {
        if number > 0 && number % groups == 0 {
            out.extend_from_slice(end.as_bytes());
        }
        let mut octets = [0; 4];
        octets[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(octets);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place)) as usize & 63];
            out.push(if place > group.len() { b'=' } else { digit });
        }
    }
    out
}

fn unbased(body: &[u8]) -> Vec<u8> {
    let digits = body
        .iter()
        .filter_map(|byte| DIGITS.iter().position(|digit| digit == byte));
    let digits: Vec<usize> = digits.collect();
    let mut out = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - group.len()));
        let octets = (bits as u32).to_be_bytes();
        out.extend_from_slice(&octets[1..group.len()]);
    }
    out
}

/// The bodies of a rewritten message; the text between them must be the same.
fn bodies_of<'o>(mail: &Mail, output: &'o [u8]) -> Result<Vec<&'o [u8]>, String> {
    let (mut found, mut at, mut source) = (Vec::new(), 0, 0);
    for (number, (range, _)) in mail.bodies.iter().enumerate() {
        let between = &mail.bytes[source..range.start];
        let begin = position(&output[at..], between).filter(|begin| *begin == 0 || number > 0);
        let begin =
            at + begin.ok_or_else(|| format!("what is before body {number} was changed"))?;
        if number > 0 {
            found.push(&output[at..begin]);
        }
        (at, source) = (begin + between.len(), range.end);
    }
    let rest = &mail.bytes[source..];
    let body = output[at..]
        .strip_suffix(rest)
        .ok_or("what is behind the last body was changed")?;
    found.push(body);
    Ok(found)
}

fn position(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// Each body, decoded, equals the body rewritten as a document of its own.
fn bodies_are_documents(mail: &Mail, form: Form) -> Result<(), String> {
    let subject = mail.subject();
    let rewriter = Rewriter::new().to(form).settings(subject.settings);
    // Fields of the header hold links, too.
    let rewriter = rewriter.slots([PlaceKind::Text, PlaceKind::Attribute, PlaceKind::Property]);
    let output = rewriter.rewrite_slice(&subject.bytes).content.into_owned();
    let bodies = bodies_of(mail, &output)?;
    for ((range, leaf), body) in mail.bodies.iter().zip(bodies) {
        let source = &mail.bytes[range.clone()];
        let alone = Rewriter::new().to(form).settings(leaf.settings());
        let expected = alone
            .rewrite_slice(&leaf.decoded(source, mail.end))
            .content
            .into_owned();
        let expected = leaf.unfolded(expected, mail.end);
        let found = leaf.decoded(body, mail.end);
        if found != expected {
            let (found, expected) = (found.escape_ascii(), expected.escape_ascii());
            return Err(format!(
                "{form:?} {leaf:?}: became\n{found}\nexpected\n{expected}\nbody\n{}",
                body.escape_ascii()
            ));
        }
        keeps_its_lines(leaf, source, body)?;
    }
    Ok(())
}

/// No encoded line gets longer than allowed.
fn keeps_its_lines(leaf: &Leaf, source: &[u8], body: &[u8]) -> Result<(), String> {
    let longest = |body: &[u8]| {
        let lines = body.split(|byte| *byte == b'\n');
        lines
            .map(|line| line.trim_ascii_end().len())
            .max()
            .unwrap_or(0)
    };
    let most = match leaf.encoding {
        Encoding::EightBit => return Ok(()),
        Encoding::Quoted(..) => longest(source).max(76),
        // The maximal length of lines is unknown if no line follows another.
        Encoding::Base64(groups) if source.contains(&b'\n') => 4 * groups,
        Encoding::Base64(_) => 76,
    };
    if longest(body) > most {
        Err(format!(
            "a line is longer than {most}:\n{}",
            String::from_utf8_lossy(body)
        ))
    } else {
        Ok(())
    }
}

/// Edits stand in the encoded bytes of their link. In base64 they begin in the group of the link; the last one ends
/// where groups are in step again, which happens only if the numbers of added and removed octets differ by a multiple
/// of three.
fn edits_are_near(mail: &Mail, form: Form) -> Result<(), String> {
    let result = rewritten(&mail.bytes, &mail.subject().settings, form);
    let changed: Vec<&Decided> = result
        .decided
        .iter()
        .filter(|one| !one.edits.is_empty())
        .collect();
    let slots = [PlaceKind::Text, PlaceKind::Attribute, PlaceKind::Property];
    let rewriter = Rewriter::new()
        .to(form)
        .settings(mail.subject().settings)
        .slots(slots);
    let output = rewriter.rewrite_slice(&mail.bytes).content;
    for ((range, leaf), new) in mail.bodies.iter().zip(bodies_of(mail, &output)?) {
        let is_here = |one: &&&Decided| range.contains(&(one.link.span.start as usize));
        let here: Vec<&&Decided> = changed.iter().filter(is_here).collect();
        let is_base64 = matches!(leaf.encoding, Encoding::Base64(_));
        let lengths = [new, &mail.bytes[range.clone()]].map(|body| unbased(body).len());
        let in_step = lengths[0].abs_diff(lengths[1]) % 3 == 0;
        for (number, one) in here.iter().enumerate() {
            let (link, edits) = (one.link.span, &one.edits);
            let room = if is_base64 { 6 } else { 1 };
            let goes_on = is_base64 && !(in_step && number + 1 == here.len());
            let is_near = |edit: &Edit| {
                edit.span.start + room >= link.start
                    && (goes_on && edit.span.end <= range.end as u64
                        || edit.span.end <= link.end + room)
            };
            if let Some(far) = edits.iter().find(|edit| !is_near(edit)) {
                return Err(format!(
                    "{form:?}: {far:?} is far from {link:?} of {leaf:?}"
                ));
            }
        }
    }
    Ok(())
}

/// Bytes that are inserted to break a message.
const BREAKS: &[&[u8]] = &[
    b"",
    b"=",
    b"=\r\n",
    b"\n\n",
    b"\r",
    b"\0",
    b"\xFF",
    b"--",
    b"--=_1_b",
    b"\n--=_1_b--\n",
    b"\nFrom a@b.example Mon Jan  1 00:00:00 2024\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Type: multipart/mixed; boundary==_1_b\n",
    b"?=",
    b"=?utf-8?B?",
    b"\n ",
    b"====",
    b"http://x.example/\xC3\xA9",
];

/// Promises that also hold for broken mail. In broken base64, edits may cover junk between its characters; and a part
/// with a guessed charset may be in a charset that no browser knows.
const BROKEN: [(&str, Promise); 4] = [
    ("P1", identity),
    ("P3", refound),
    ("P5", idempotent),
    ("P6", one_answer),
];

fn broken(bytes: &[u8], wounds: &[(prop::sample::Index, usize, &'static [u8])]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, length, new) in wounds {
        let at = at.index(bytes.len() + 1);
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, new.iter().copied());
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_mail(mail in mail()) {
        let subject = mail.subject();
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                prop_assert!(false, "{name} broken: {why}\n{}", String::from_utf8_lossy(&mail.bytes));
            }
        }
    }

    #[test]
    fn promises_hold_over_encoded_messages(mail in mail_with(Messages::Encoded)) {
        let subject = mail.subject();
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                prop_assert!(false, "{name} broken: {why}\n{}", String::from_utf8_lossy(&mail.bytes));
            }
        }
    }

    #[test]
    fn parts_are_rewritten_like_documents_of_their_own(mail in mail()) {
        for form in [Form::Uri, Form::Iri] {
            for why in [bodies_are_documents(&mail, form), edits_are_near(&mail, form)] {
                if let Err(why) = why {
                    prop_assert!(false, "{why}\n{}", String::from_utf8_lossy(&mail.bytes));
                }
            }
        }
    }

    #[test]
    fn pieces_of_any_size_give_one_answer(mail in mail_with(Messages::Encoded), seed: u64, most in 1_usize..200) {
        let subject = mail.subject();
        let mut reader = Pieces::new(&subject.bytes, sizes(seed, most));
        prop_assert_eq!(same_links(&subject, &mut reader), Ok(()));
        let mut reader = Pieces::new(&subject.bytes, sizes(seed, most));
        prop_assert_eq!(same_output(&subject, &mut reader), Ok(()));
    }

    #[test]
    fn broken_mail_stays_as_it_is(
        mail in mail_with(Messages::Encoded),
        wounds in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, prop::sample::select(BREAKS)), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut subject = mail.subject();
        subject.bytes = broken(&subject.bytes, &wounds);
        if let Some(cut) = cut {
            let length = cut.index(subject.bytes.len() + 1);
            subject.bytes.truncate(length);
        }
        for (name, promise) in BROKEN {
            let why = promise(&subject);
            prop_assert!(why.is_ok(), "{name} broken: {why:?}\n{}", subject.bytes.escape_ascii());
        }
    }
}

/// Facts of a link on which several readers of a mailbox must agree: its text, its place, and its message and part.
type Place = (String, u64, u64, Option<(u64, u64)>, Option<(u64, String)>);

fn places(bytes: &[u8], (start, message, line): (u64, u64, u64)) -> Vec<Place> {
    let mut settings = Settings::default();
    settings.format = Some(Format::Mailbox);
    settings.locate = true;
    let document = Document::new(bytes, &settings);
    let place = |link: &Link<'_>| {
        let part = link.part();
        let span = link.span();
        let location = link.location();
        (
            link.text().to_owned(),
            start + span.start,
            start + span.end,
            location.map(|at| (line - 1 + at.line, at.column)),
            part.map(|part| (message - 1 + part.message(), part.number().to_owned())),
        )
    };
    document.links().map(|link| place(&link)).collect()
}

fn ranges_have_the_links_of_all(mailbox: &[u8], length: u64) -> Result<usize, TestCaseError> {
    let mut reader = mailbox;
    let ranges = mailbox_ranges(&mut reader, length).expect("memory does not fail");
    let of_range = |range: &MailboxRange| {
        let bytes = &mailbox[range.start as usize..range.end as usize];
        places(bytes, (range.start, range.message, range.line))
    };
    let found: Vec<Place> = ranges.iter().flat_map(of_range).collect();
    prop_assert_eq!(found, places(mailbox, (0, 1, 1)));
    Ok(ranges.len())
}

#[test]
fn ranges_of_mailboxes_have_their_links() {
    let strategy = (prop::collection::vec(mail(), 1..6), 1_u64..2000);
    let mut runner = TestRunner::new(ProptestConfig {
        cases: CASES,
        ..ProptestConfig::default()
    });
    let most = std::cell::Cell::new(0);
    let checked = runner.run(&strategy, |(mails, length)| {
        let mut mailbox = Vec::new();
        for mail in &mails {
            mailbox.extend_from_slice(b"From a@b.example Mon Jan  1 00:00:00 2024\n");
            mailbox.extend_from_slice(&mail.bytes);
            mailbox.extend_from_slice(b"\n\n");
        }
        most.set(ranges_have_the_links_of_all(&mailbox, length)?.max(most.get()));
        Ok(())
    });
    checked.expect("the links of all");
    assert!(most.get() > 3);
    // Longer than windows, with parts.
    let long = format!("{}\n\n", "word ".repeat(30_000));
    let part = format!("--b\nContent-Type: text/plain\n\n{long}http://a.example/\n");
    let head =
        "From a@b.example Mon Jan  1 00:00:00 2024\nContent-Type: multipart/mixed; boundary=b\n\n";
    let mailbox = format!("{head}{part}{part}--b--\n\n").repeat(9);
    assert_eq!(
        ranges_have_the_links_of_all(mailbox.as_bytes(), 500_000).ok(),
        Some(5)
    );
    let corpus = std::fs::read("corpora/sv/arkiv.mbox").expect("a mailbox of the corpora");
    for length in [1, 100, 1000] {
        ranges_have_the_links_of_all(&corpus, length).expect("the links of all");
    }
    let returns = String::from_utf8_lossy(&corpus).replace('\n', "\r");
    ranges_have_the_links_of_all(returns.as_bytes(), 1).expect("the links of all");
}

/// A rewriter that changes nothing would easily keep the promises.
#[test]
fn generated_mail_is_changed() {
    let mut runner = TestRunner::deterministic();
    let mut changed = [0, 0, 0];
    for _ in 0..100 {
        let tree = mail().new_tree(&mut runner).expect("a message");
        let mail = tree.current();
        let decided = rewritten(&mail.bytes, &mail.subject().settings, Form::Uri).decided;
        let edits: Vec<&Edit> = decided.iter().flat_map(|one| &one.edits).collect();
        for (range, leaf) in &mail.bodies {
            let is_here = |edit: &&&Edit| range.contains(&(edit.span.start as usize));
            let kind = match leaf.encoding {
                Encoding::EightBit => 0,
                Encoding::Quoted(..) => 1,
                Encoding::Base64(_) => 2,
            };
            changed[kind] += edits.iter().filter(is_here).count();
        }
    }
    assert!(changed.iter().all(|count| *count >= 50), "{changed:?}");
}

/// Links of encoded messages are changed, too, in messages and in encoded messages.
#[test]
fn generated_encoded_messages_are_changed() {
    let mut runner = TestRunner::deterministic();
    let mut changed = 0;
    for _ in 0..200 {
        let tree = mail_with(Messages::Encoded)
            .new_tree(&mut runner)
            .expect("a message");
        let mail = tree.current();
        let decided = rewritten(&mail.bytes, &mail.subject().settings, Form::Uri).decided;
        let edits = decided.iter().flat_map(|one| &one.edits);
        let is_outside = |edit: &&Edit| {
            let start = edit.span.start as usize;
            !mail.bodies.iter().any(|(range, _)| range.contains(&start))
        };
        changed += edits.filter(is_outside).count();
    }
    assert!(changed >= 200, "{changed}");
}

/// The generator and the decoders of these tests agree.
#[test]
fn bodies_are_what_they_were_made_of() {
    let words = (0..24)
        .map(|number| (number % 2 == 0, number, number % GLUE.len()))
        .collect::<Vec<_>>();
    for encoding in [
        Encoding::EightBit,
        Encoding::Quoted(30, true),
        Encoding::Quoted(76, false),
        Encoding::Base64(3),
    ] {
        for tongue in 0..TONGUES.len() {
            for end in ["\n", "\r\n"] {
                let leaf = Leaf {
                    kind: Kind::Plain,
                    tongue,
                    encoding,
                    words: words.clone(),
                };
                let body = leaf.encoded(end);
                let decoded = leaf
                    .charset()
                    .decode(&leaf.decoded(&body, end))
                    .into_owned();
                assert_eq!(decoded, leaf.text(end));
            }
        }
    }
}

/// Fields beyond the first MiB of a header do not count, and are not text of the body either.
#[test]
fn the_rest_of_a_long_header_is_no_body() {
    for behind in ["\nhttp://body.example/é\n", "\n", ""] {
        let rest = "X-Rest: http://rest.example/é\n".repeat((2 << 20) / 31);
        let mail = format!("From: a@b.example\nList-Help: <http://help.example/>\n{rest}{behind}");
        let mut settings = Settings::default();
        settings.format = Some(Format::Mail);
        let subject = Subject {
            name: "a long header".to_owned(),
            bytes: mail.into_bytes(),
            settings,
        };
        let (found, _) = links(&subject.bytes, &subject.settings);
        let found: Vec<&str> = found.iter().map(|link| link.text.as_str()).collect();
        let expected = ["http://help.example/", "http://body.example/é"];
        let count = if behind.len() > 1 { 2 } else { 1 };
        assert_eq!(found, expected[..count]);
        assert_eq!(identity(&subject), Ok(()));
        assert_eq!(one_answer(&subject), Ok(()));
    }
}

/// Links within one encoded word are encoded together, and left together if the message around them is damaged.
#[test]
fn links_that_are_encoded_together_share_their_outcome() {
    let links = "<http://a.example/é>, <http://b.example/é>";
    let word = base64(links.as_bytes(), 60, "");
    let mut inner = b"List-Archive: =?utf-8?b?".to_vec();
    inner.extend(word);
    inner.extend(b"?=\n\nHello\n");
    let whole = base64(&inner, 20, "\n");
    let mut damaged = whole.clone();
    damaged.insert(whole.len() - 9, b'\0');
    for (body, changed) in [(whole, 2), (damaged, 0)] {
        let mut bytes =
            b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n".to_vec();
        bytes.extend(body);
        let mut settings = Settings::default();
        settings.format = Some(Format::Mail);
        let result = rewritten(&bytes, &settings, Form::Uri);
        let count = result
            .decided
            .iter()
            .filter(|one| one.new.is_some())
            .count();
        assert_eq!((result.decided.len(), count), (2, changed));
        assert_eq!(result.bytes == bytes, changed == 0);
    }
}
