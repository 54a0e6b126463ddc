//! Recognition of mail by beginnings that no other text has.

use super::MailKind;
use super::from_line::{FROM, is_from_line};
use super::lines::{Line, LineEnd, field_name};

/// The least bytes of header in a head without an empty line.
const ENOUGH: usize = 2048;

/// Fields that only mail and news have, in lower case. One such field is enough.
const OF_MAIL: [&str; 22] = [
    "arc-seal",
    "authentication-results",
    "delivered-to",
    "dkim-signature",
    "domainkey-signature",
    "envelope-to",
    "errors-to",
    "in-reply-to",
    "list-unsubscribe",
    "message-id",
    "mime-version",
    "newsgroups",
    "nntp-posting-host",
    "received",
    "received-spf",
    "resent-from",
    "return-path",
    "x-mailer",
    "x-mozilla-status",
    "x-original-to",
    "x-received",
    "x-spam-status",
];

/// Fields that prove mail together with a From, which few other texts have.
const WITH_FROM: [&str; 3] = ["date", "subject", "to"];

/// A quoted From_ line.
const QUOTED: &[u8] = b">From ";

/// The type of a message that is a text and its signature (RFC 1847 2.1).
const SIGNED: &[u8] = b"multipart/signed";

/// The kind of a document whose first bytes are `head`: `None` if the document is not surely mail. Linear in the head;
/// a few KiB are enough.
///
/// A mailbox begins with a From_ line of full form and a field. A message begins with a header: every line up to the
/// first empty one (or to the end of at least 2 KiB) is a field or a continuation. One name is known only from mail and
/// news, a Content-Type is `multipart/signed`, or a From comes with a Date, Subject or To. A From_ line, quoted ones
/// (`>From `) or a byte order mark may stand in front.
///
/// ```
/// use linkglot_mail::structure::{MailKind, mail_kind};
///
/// let mailbox = b"From jo@a.example Thu Jan  1 00:00:00 1970\nSubject: b\n";
/// assert_eq!(mail_kind(mailbox), Some(MailKind::Mailbox));
/// assert_eq!(mail_kind(b"From: jo@a.example\nSubject: b\n\nc"), Some(MailKind::Message));
/// assert_eq!(mail_kind(b"Package: linkglot\nDescription: links\n\n"), None);
/// ```
pub fn mail_kind(head: &[u8]) -> Option<MailKind> {
    let head = head.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(head);
    let end = LineEnd::of(head, true)?;
    if !head.starts_with(FROM) {
        let header = behind_quoted(head, end);
        return is_header(header, end).then_some(MailKind::Message);
    }
    let Line::Whole { text, behind } = end.line(head, true) else {
        return None;
    };
    let rest = head.get(behind..).unwrap_or_default();
    let has_field = rest.starts_with(QUOTED) || field_name(rest).is_some();
    if is_from_line(text) {
        has_field.then_some(MailKind::Mailbox)
    } else {
        is_header(rest, end).then_some(MailKind::Message)
    }
}

/// The bytes behind quoted From_ lines, which relays and some mailboxes put in front of a header.
fn behind_quoted(mut head: &[u8], end: LineEnd) -> &[u8] {
    while head.starts_with(QUOTED)
        && let Line::Whole { behind, .. } = end.line(head, true)
    {
        head = head.get(behind..).unwrap_or_default();
    }
    head
}

/// True if a head may count as mail once its links are written in another form: the head has the fields of mail in
/// front of its first empty line, or begins like a mailbox, whatever the other lines are. Linear in the head.
///
/// ```
/// use linkglot_mail::structure::{mail_kind, may_become_mail};
///
/// let text = "From: jo@a.example\nwww.é.example: b\nSubject: c\n\nd".as_bytes();
/// assert!(mail_kind(text).is_none() && may_become_mail(text));
/// assert!(!may_become_mail(b"See: http://a.example/"));
/// ```
pub fn may_become_mail(head: &[u8]) -> bool {
    let head = head.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(head);
    let Some(end) = LineEnd::of(head, true) else {
        return false;
    };
    let (mut names, mut rest) = (Names::default(), head);
    while let Some(length) = memchr::memchr(end.0, rest) {
        let line = rest.get(..end.start(rest, length)).unwrap_or_default();
        if line.is_empty() {
            break;
        }
        names.line(line);
        rest = rest.get(length + 1..).unwrap_or_default();
    }
    names.line(rest);
    head.starts_with(FROM) || names.are_of_mail()
}

/// True if a head is the header of a message, or the beginning of one.
fn is_header(head: &[u8], end: LineEnd) -> bool {
    let mut names = Names::default();
    let mut rest = head;
    loop {
        let length = memchr::memchr(end.0, rest);
        let Some(length) = length else {
            // The last line may be cut; without an empty line only a long header counts.
            let is_whole = rest.is_empty() || names.line(rest) || head.len() >= ENOUGH;
            return is_whole && head.len() >= ENOUGH && names.are_of_mail();
        };
        let line = rest.get(..end.start(rest, length)).unwrap_or_default();
        if line.is_empty() {
            return names.are_of_mail();
        }
        if !names.line(line) {
            return false;
        }
        rest = rest.get(length + 1..).unwrap_or_default();
    }
}

/// The names of fields seen so far.
#[derive(Default)]
struct Names {
    any: bool,
    of_mail: bool,
    from: bool,
    with_from: bool,
}

impl Names {
    /// Reads a line. Returns true for a field or the continuation of a field.
    fn line(&mut self, line: &[u8]) -> bool {
        if matches!(line, [b' ' | b'\t', ..]) {
            return self.any;
        }
        let field = field_name(line).and_then(|length| line.split_at_checked(length));
        let Some((name, value)) = field else {
            return false;
        };
        let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
        self.any = true;
        self.of_mail |= OF_MAIL.iter().any(|known| is(known));
        self.of_mail |= is("content-type") && is_signed(value);
        self.from |= is("from");
        self.with_from |= WITH_FROM.iter().any(|known| is(known));
        true
    }

    fn are_of_mail(&self) -> bool {
        self.of_mail || self.from && self.with_from
    }
}

/// True for the value of a Content-Type, with its colon, of signed text.
fn is_signed(value: &[u8]) -> bool {
    let value = value.strip_prefix(b":").unwrap_or(value);
    let begin = value.trim_ascii_start().get(..SIGNED.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(SIGNED))
}
