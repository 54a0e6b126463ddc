//! Properties of generated mail, and of damaged mail.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A tree of parts.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Leaf(&'static str, String),
    Multipart(&'static str, Vec<Tree>),
    Message(Box<Tree>),
}

/// An expected entity: its number, true for a message, its media type, and the body of a leaf.
pub(super) type Expected = (String, bool, String, Option<Vec<u8>>);

/// Writes trees as mail, with the answers that a reader must give.
pub(super) struct Writer {
    pub end: &'static str,
    pub mail: String,
    pub expected: Vec<Expected>,
    boundaries: usize,
}

impl Writer {
    pub fn new(end: &'static str) -> Self {
        Writer {
            end,
            mail: String::new(),
            expected: Vec::new(),
            boundaries: 0,
        }
    }

    fn line(&mut self, text: &str) {
        self.mail.push_str(&text.replace('\n', self.end));
        self.mail.push_str(self.end);
    }

    pub fn message(&mut self, tree: &Tree, number: &str) {
        self.line("Subject: Grüße\n From here");
        self.entity(tree, number, true);
    }

    /// Writes an entity behind the first fields of its header. The line end of a body belongs to the text that follows.
    fn entity(&mut self, tree: &Tree, number: &str, is_message: bool) {
        let essence = match tree {
            Tree::Leaf(essence, _) | Tree::Multipart(essence, _) => essence,
            Tree::Message(_) => "message/rfc822",
        };
        let body = match tree {
            Tree::Leaf(_, text) => Some(text.replace('\n', self.end).into_bytes()),
            _ => None,
        };
        self.expected
            .push((number.to_owned(), is_message, essence.to_owned(), body));
        match tree {
            Tree::Leaf(_, text) => {
                self.line(&format!("Content-Type: {essence}\n"));
                self.mail.push_str(&text.replace('\n', self.end));
            }
            Tree::Multipart(_, parts) => self.multipart(essence, parts, number),
            Tree::Message(nested) => {
                self.line(&format!("Content-Type: {essence}\n"));
                let number = if is_message {
                    part_number(number, 1)
                } else {
                    number.into()
                };
                self.message(nested, &number);
            }
        }
    }

    fn multipart(&mut self, essence: &str, parts: &[Tree], number: &str) {
        self.boundaries += 1;
        let boundary = format!("b{:02}", self.boundaries);
        self.line(&format!(
            "Content-Type: {essence};\n\tboundary=\"{boundary}\"\n"
        ));
        if self.boundaries.is_multiple_of(2) {
            self.line("A preamble.");
        }
        for (at, part) in parts.iter().enumerate() {
            self.line(&format!("--{boundary}"));
            self.entity(part, &part_number(number, at as u64 + 1), false);
            self.mail.push_str(self.end);
        }
        self.mail.push_str(&format!("--{boundary}--"));
        if self.boundaries.is_multiple_of(3) {
            self.mail.push_str(self.end);
            self.mail.push_str("An epilogue.");
        }
    }
}

/// Texts with look-alikes of delimiters.
fn texts() -> impl Strategy<Value = String> {
    let lines = const {
        &[
            "",
            "",
            "Text.",
            "Größe",
            "--",
            "-- ",
            "--b",
            "--b01x",
            "-",
            " --b01",
            "From here on",
            ">From x",
            "From",
            "Subject: none",
            "\u{1F600}",
            "--b01 --",
            "a very long line, longer than a header's should be, to go over stretches ...",
        ]
    };
    vec(select(&lines[..]), 0..12).prop_map(|lines| lines.join("\n"))
}

pub(super) fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (
        select(&["text/plain", "text/html", "application/x"][..]),
        texts(),
    );
    let leaf = leaf.prop_map(|(essence, text)| Tree::Leaf(essence, text));
    leaf.prop_recursive(4, 24, 4, |inner| {
        let essences = &["multipart/mixed", "multipart/alternative", "multipart/related"][..];
        prop_oneof![
            3 => (select(essences), vec(inner.clone(), 1..4)).prop_map(|(essence, parts)| Tree::Multipart(essence, parts)),
            1 => inner.prop_map(|tree| Tree::Message(Box::new(tree))),
        ]
    })
}

fn ends() -> impl Strategy<Value = &'static str> {
    select(&["\n", "\r\n", "\r"][..])
}

/// The answers in the form of expected entities.
pub(super) fn entities(answers: &[Answer]) -> Vec<Expected> {
    let mut found: Vec<Expected> = Vec::new();
    for answer in answers {
        match (answer, found.last_mut()) {
            (Answer::Header(entity, ..), _) => {
                let body = entity.body.is_answered().then(Vec::new);
                let essence = entity.media_type.essence().to_owned();
                found.push((entity.number.clone(), entity.is_message, essence, body));
            }
            (Answer::Body(text), Some((.., body))) => *body = Some(text.clone()),
            _ => {}
        }
    }
    found
}

fn cuts(indexes: &[Index], length: usize) -> Vec<usize> {
    let mut cuts: Vec<usize> = indexes
        .iter()
        .map(|index| index.index(length + 1))
        .collect();
    cuts.retain(|&cut| cut < length);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

const FROM: &str = "From jo@a.example Thu Jan  1 00:00:00 1970";

proptest! {
    #[test]
    fn trees_are_read_as_they_were_written(tree in trees(), end in ends(), indexes: Vec<Index>) {
        let mut writer = Writer::new(end);
        writer.message(&tree, "");
        let mail = Mail::message(&writer.mail);
        let answers = mail.answers(&[]);
        prop_assert_eq!(entities(&answers), writer.expected);
        prop_assert_eq!(mail.answers(&cuts(&indexes, mail.bytes.len())), answers);
    }

    #[test]
    fn a_mailbox_is_its_messages(trees in vec(trees(), 1..4), end in ends(), indexes: Vec<Index>) {
        let (mut mailbox, mut expected) = (String::new(), Vec::new());
        for tree in &trees {
            let mut writer = Writer::new(end);
            writer.message(tree, "");
            writer.mail.push_str(end);
            mailbox = format!("{mailbox}{FROM}{end}{}{end}", writer.mail);
            expected.extend(entities(&Mail::message(&writer.mail).answers(&[])));
        }
        mailbox.truncate(mailbox.len() - end.len());
        let mail = Mail::mailbox(&mailbox);
        let answers = mail.answers(&[]);
        prop_assert_eq!(entities(&answers), expected);
        prop_assert_eq!(mail.answers(&cuts(&indexes, mail.bytes.len())), answers);
    }

    #[test]
    fn damaged_mail_is_read_the_same_in_every_cut(
        trees in vec(trees(), 1..3),
        end in ends(),
        damages in vec((any::<Index>(), any::<Index>(), damages()), 0..6),
        indexes: Vec<Index>,
    ) {
        let mut mailbox = Vec::new();
        for tree in &trees {
            let mut writer = Writer::new(end);
            writer.message(tree, "");
            mailbox.extend(format!("{FROM}{end}{}{end}{end}", writer.mail).into_bytes());
        }
        for (from, to, new) in damages {
            let from = from.index(mailbox.len() + 1);
            let length = to.index(12).min(mailbox.len() - from);
            mailbox.splice(from..from + length, new.bytes());
        }
        for kind in [MailKind::Message, MailKind::Mailbox] {
            let mail = Mail { kind, bytes: &mailbox };
            let answers = mail.answers(&[]);
            prop_assert_eq!(&mail.answers(&cuts(&indexes, mailbox.len())), &answers);
            let each: Vec<usize> = (0..mailbox.len()).collect();
            prop_assert_eq!(&mail.answers(&each), &answers);
            prop_assert!(answers_are_in_order(&answers));
        }
        let _ = mail_kind(&mailbox);
        for place in field_places(&mailbox) {
            prop_assert!(mailbox.get(place.value).is_some());
        }
    }

    #[test]
    fn any_bytes_are_media_types(value: Vec<u8>, text in "[a/;=\"*(') \\\\0%\r\n]{0,40}") {
        for value in [&value[..], text.as_bytes()] {
            let parsed = MediaType::parse(&[b"text/plain;", value].concat());
            prop_assert!(parsed.essence().contains('/'));
            MediaType::parse(value);
        }
    }
}

fn damages() -> impl Strategy<Value = String> {
    let lines = const {
        &[
            "",
            "\n",
            "\r",
            "\r\n",
            "\n\n",
            "--b01\n",
            "\n--b01",
            "\n--b02--\n",
            "--",
            "\nFrom ",
            ":",
            " ",
            "\n\nFrom a@b Thu Jan  1 00:00:00 1970\n",
            "\nFrom a@b Thu Jan  1 00:00:00 1970\nA: b\n",
            "\nContent-Length: 30\n",
            "\nContent-Type: message/rfc822\n\n",
            "\nContent-Type: multipart/digest; boundary=b01\n\n",
            "é",
        ]
    };
    select(&lines[..]).prop_map(str::to_owned)
}

/// Each leaf has a header, at most one body, and an end.
fn answers_are_in_order(answers: &[Answer]) -> bool {
    let is_leaf = |answer: &Answer| match answer {
        Answer::Header(entity, ..) => entity.body.is_answered(),
        Answer::Body(_) => true,
        Answer::BodyEnd => false,
    };
    let mut was_leaf = false;
    let each = answers.iter().all(|answer| {
        let is_behind_leaf = !matches!(answer, Answer::Header(..));
        let holds = was_leaf == is_behind_leaf;
        was_leaf = is_leaf(answer);
        holds
    });
    each && !was_leaf
}

/// Windows stay short: at most a header and a line wait for an answer.
#[test]
fn windows_are_bounded_on_hostile_input() {
    let open = "Content-Type: multipart/mixed; boundary=a\n\n--a\n\n";
    for (head, repeated) in [
        (open, "--"),
        (open, "\n--"),
        (open, "\n--a"),
        (open, "\r"),
        (open, "\n"),
        (open, "--a\n"),
        (open, "\n--a\nX: y"),
        (open, "From "),
        (open, "\nFrom "),
        (open, "\n\nFrom x Thu Jan  1 00:00:00 1970"),
        (
            "Content-Length: 1048576\n\n",
            "\n\nFrom x Thu Jan  1 00:00:00 1970",
        ),
        ("", "Content-Type: message/rfc822\n\n"),
        ("", "a"),
        ("", "a:\n"),
        ("", " "),
        ("", "("),
        ("", "From "),
    ] {
        let mail = format!("{head}{}", repeated.repeat((3 << 20) / repeated.len()));
        for kind in [MailKind::Message, MailKind::Mailbox] {
            let (mut reader, mut cursor, mut origin) = (MailReader::new(kind), 0, 0);
            let mut end = 0;
            loop {
                let window = &mail.as_bytes()[origin..end];
                match reader.step(window, end == mail.len(), &mut cursor) {
                    MailStep::End => break,
                    MailStep::NeedMore => {
                        assert!(window.len() - cursor <= (1 << 20) + 2 * lines::LINE_LIMIT);
                        origin += cursor;
                        cursor = 0;
                        end = mail.len().min(end + (64 << 10));
                    }
                    _ => {}
                }
            }
        }
    }
}
