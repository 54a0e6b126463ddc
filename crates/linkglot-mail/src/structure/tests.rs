mod mailboxes;
mod malformed;
mod oracle;
mod properties;
mod recognition;
mod trees;

use super::*;

/// An answer without ranges.
#[derive(Clone, Debug, PartialEq)]
enum Answer {
    /// The entity without places, its fields as text, and its encoding.
    Header(Box<Entity>, Vec<(String, Vec<u8>)>, Option<Vec<u8>>),
    Body(Vec<u8>),
    BodyEnd,
}

impl Answer {
    fn of(step: MailStep, window: &[u8]) -> Answer {
        match step {
            MailStep::Header(mut entity) => {
                let text = |range: Range<usize>| window[range].to_vec();
                let fields = mem::take(&mut entity.fields).into_iter().map(|field| {
                    let name = String::from_utf8(text(field.name)).expect("names are ASCII");
                    (name, text(field.value))
                });
                let fields = fields.collect();
                let encoding = entity.encoding.take().map(text);
                Answer::Header(entity, fields, encoding)
            }
            MailStep::Body(range) => Answer::Body(window[range].to_vec()),
            MailStep::BodyEnd => Answer::BodyEnd,
            MailStep::NeedMore | MailStep::End => panic!("no answer"),
        }
    }

    /// `1:2.1 text/html Leaf`, with `*` behind the number of a message, or the body in quotes.
    fn shown(&self) -> String {
        match self {
            Answer::Header(entity, ..) => {
                let star = if entity.is_message { "*" } else { "" };
                let signed = if entity.enclosing.is_signed {
                    " signed"
                } else {
                    ""
                };
                let encrypted = if entity.enclosing.is_encrypted {
                    " encrypted"
                } else {
                    ""
                };
                let (message, number) = (entity.message, &entity.number);
                let (essence, body) = (entity.media_type.essence(), entity.body);
                format!("{message}:{number}{star} {essence} {body:?}{signed}{encrypted}")
            }
            Answer::Body(text) => format!("\"{}\"", text.escape_ascii()),
            Answer::BodyEnd => ".".into(),
        }
    }
}

/// Mail for a reader.
#[derive(Clone, Copy)]
struct Mail<'m> {
    kind: MailKind,
    bytes: &'m [u8],
}

impl<'m> Mail<'m> {
    fn message(bytes: &'m (impl AsRef<[u8]> + ?Sized)) -> Self {
        let (kind, bytes) = (MailKind::Message, bytes.as_ref());
        Mail { kind, bytes }
    }

    fn mailbox(bytes: &'m (impl AsRef<[u8]> + ?Sized)) -> Self {
        let (kind, bytes) = (MailKind::Mailbox, bytes.as_ref());
        Mail { kind, bytes }
    }

    /// The answers, with the number of bytes that each step passed. Windows end at `cuts`; bytes before the cursor are
    /// dropped.
    fn steps(self, cuts: &[usize]) -> Vec<(usize, Answer)> {
        let (mut reader, mut answers) = (MailReader::new(self.kind), Vec::new());
        let (mut origin, mut cursor) = (0, 0);
        let mut ends = cuts.iter().copied().chain([self.bytes.len()]);
        let mut end = ends.next().expect("an end");
        loop {
            let window = &self.bytes[origin..end];
            let last = end == self.bytes.len();
            let before = cursor;
            let step = reader.step(window, last, &mut cursor);
            assert!(before <= cursor && cursor <= window.len());
            match &step {
                MailStep::NeedMore => {
                    assert!(!last, "there is no more");
                    end = ends.next().expect("an end");
                }
                MailStep::End => {
                    assert!(last && cursor == window.len());
                    return answers;
                }
                MailStep::Body(range) => {
                    assert_eq!(*range, before.max(range.start)..cursor);
                    assert!(!range.is_empty());
                }
                MailStep::Header(entity) => in_order(entity, before, cursor),
                MailStep::BodyEnd => {}
            }
            if step != MailStep::NeedMore {
                answers.push((cursor - before, Answer::of(step, window)));
            }
            origin += cursor;
            cursor = 0;
        }
    }

    /// The answers, with adjacent bodies joined.
    fn answers(self, cuts: &[usize]) -> Vec<Answer> {
        let mut joined: Vec<Answer> = Vec::new();
        for (_, answer) in self.steps(cuts) {
            match (joined.last_mut(), answer) {
                (Some(Answer::Body(text)), Answer::Body(more)) => text.extend(more),
                (_, answer) => joined.push(answer),
            }
        }
        joined
    }

    /// The answers to one window, which must be the same for every single cut and byte by byte.
    fn answers_in_every_cut(self) -> Vec<Answer> {
        let whole = self.answers(&[]);
        let each: Vec<usize> = (0..self.bytes.len()).collect();
        let single = each.iter().map(|cut| vec![*cut]);
        for cuts in single.chain([each.clone()]) {
            let text = self.bytes.escape_ascii();
            assert_eq!(self.answers(&cuts), whole, "cuts {cuts:?} of {text}");
        }
        whole
    }

    /// The answers as text, a line each.
    fn shown(self) -> Vec<String> {
        let answers = self.answers_in_every_cut();
        let shown = answers.iter().map(Answer::shown);
        shown.filter(|line| line != ".").collect()
    }

    /// Checks the answers against lines of text, with line ends of each kind.
    #[track_caller]
    fn assert_in_every_line_end(self, expected: &[&str]) {
        let text = String::from_utf8(self.bytes.to_vec()).expect("UTF-8");
        for end in ["\n", "\r\n", "\r"] {
            let bytes = text.replace('\n', end).into_bytes();
            let escaped = end.escape_default().to_string();
            let expected: Vec<String> = expected
                .iter()
                .map(|line| line.replace("\\n", &escaped))
                .collect();
            let mail = Mail {
                bytes: &bytes,
                ..self
            };
            assert_eq!(mail.shown(), expected, "line end {escaped}");
        }
    }
}

/// Places of fields are in order, and within the bytes passed.
fn in_order(entity: &Entity, mut behind: usize, end: usize) {
    for field in &entity.fields {
        assert!(behind <= field.name.start && field.name.end < field.value.start + 1);
        assert!(field.value.start <= field.value.end);
        behind = field.value.end;
    }
    assert!(behind <= end);
}

/// The fields of the first header, as `name:value`.
fn fields(mail: &[u8]) -> Vec<String> {
    let answers = Mail::message(mail).answers_in_every_cut();
    let Some(Answer::Header(_, fields, _)) = answers.first() else {
        panic!("a header")
    };
    let shown = fields
        .iter()
        .map(|(name, value)| format!("{name}:{}", value.escape_ascii()));
    shown.collect()
}
