//! Attachments of a message that the caller reads and writes.

use crate::error::{Error, ErrorKind};
use crate::link::{Settings, UnreadParts, open};
use crate::parts::{self, Attachment, InnerMail, NewBody, Part, PartVisitor, reencoded};
use crate::read::{Flow, Input, Opened};
use linkglot_layer::{Decoded, Edit};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// Takes bytes of a message in order, with their position in the source, if they stand there.
type Sink<'s> = dyn FnMut(Option<u64>, &[u8]) -> io::Result<()> + 's;

/// Hands the attachments of a message or mailbox that [`Settings::attachments`] leaves to the caller to `each`, in
/// their order, until `each` returns `Break`. Any other document has none.
///
/// Linear. Memory: an attachment as it stands in the message, up to 64 MiB, and its decoded bytes.
///
/// # Errors
///
/// Errors of `reader`.
///
/// # Examples
///
/// ```
/// use linkglot::{Format, Settings, stream::read_attachments};
/// use std::ops::ControlFlow;
///
/// let message = "Content-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\nUEsDBA==\n";
/// let mut settings = Settings::default();
/// settings.format = Some(Format::Mail);
/// settings.attachments = Some(|_, head| head.starts_with(b"PK"));
/// let mut names = Vec::new();
/// read_attachments(&mut message.as_bytes(), &settings, &mut |attachment| {
///     assert_eq!(attachment.content().unwrap(), b"PK\x03\x04");
///     names.push((attachment.part.clone(), attachment.name.clone()));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(names, [("1".to_owned(), "a.zip".to_owned())]);
/// # Ok::<(), linkglot::Error>(())
/// ```
pub fn read_attachments(
    reader: &mut dyn Read,
    settings: &Settings,
    each: &mut dyn FnMut(&Attachment<'_>) -> ControlFlow<()>,
) -> Result<(), Error> {
    let input = Input::of_reader(reader)?;
    let (head, whole) = input.raw();
    let (info, bom) = open(head, whole, settings);
    if !info.format.is_mail() {
        return Ok(());
    }
    let document = Opened {
        input,
        info: &info,
        bom,
        settings,
    };
    let mut visitor = EachAttachment {
        each,
        is_writable: true,
    };
    parts::read(document, &mut visitor).map(drop)
}

/// Copies a message or mailbox, with other bodies for the attachments that [`Settings::attachments`] leaves to the
/// caller, as `each` makes them with [`Attachment::with_content`]. `out` takes the bytes in order: with their position
/// if they stand in the source, without one if they are new.
///
/// Linear. Memory: an attachment as it stands in the message, up to 64 MiB, its decoded bytes, and the new ones.
///
/// # Errors
///
/// Errors of `reader` and of `out`; when the document is no message, or a new body does not fit into an encoded message
/// around it. What was handed to `out` is of no use then.
///
/// # Examples
///
/// ```
/// use linkglot::{Format, Settings, stream::rewrite_attachments};
///
/// let message = "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\nUEsDBA==\n";
/// let mut settings = Settings::default();
/// settings.format = Some(Format::Mail);
/// settings.attachments = Some(|_, head| head.starts_with(b"PK"));
/// let mut new = Vec::new();
/// let mut each = |attachment: &linkglot::stream::Attachment<'_>| attachment.with_content(b"PK\x05\x06").ok();
/// rewrite_attachments(&mut message.as_bytes(), &settings, &mut each, &mut |_, bytes| {
///     new.extend_from_slice(bytes);
///     Ok(())
/// })?;
/// assert_eq!(new, message.replace("UEsDBA==", "UEsFBg==").as_bytes());
/// # Ok::<(), linkglot::Error>(())
/// ```
pub fn rewrite_attachments(
    reader: &mut dyn Read,
    settings: &Settings,
    each: &mut dyn FnMut(&Attachment<'_>) -> Option<NewBody>,
    out: &mut Sink<'_>,
) -> Result<(), Error> {
    let input = Input::of_reader(reader)?;
    let (head, whole) = input.raw();
    let (info, bom) = open(head, whole, settings);
    if !info.format.is_mail() {
        return Err(Error::new(ErrorKind::Container, "expected a message"));
    }
    let document = Opened {
        input,
        info: &info,
        bom,
        settings,
    };
    let mut writer = AttachmentWriter {
        each,
        out: Out::Source(out),
        at: 0,
        replaced: 0,
        is_writable: true,
    };
    parts::read(document, &mut writer).map(drop)
}

/// Hands over only the attachments of a message.
struct EachAttachment<'e> {
    each: &'e mut dyn FnMut(&Attachment<'_>) -> ControlFlow<()>,
    /// True if the encodings of messages around can be written.
    is_writable: bool,
}

impl PartVisitor for EachAttachment<'_> {
    fn between(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn part(&mut self, part: Part<'_>) -> Flow {
        // The message goes on behind the body.
        if let Some(stream) = part.stream {
            io::copy(stream, &mut io::sink())?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn opened(&mut self, _: Opened<'_, '_>) -> Flow {
        Ok(ControlFlow::Continue(()))
    }

    fn takes_attachments(&self) -> bool {
        true
    }

    fn attachment(&mut self, mut attachment: Attachment<'_>) -> Flow {
        attachment.is_in_writable = self.is_writable;
        Ok((self.each)(&attachment))
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        let mut inside = EachAttachment {
            each: &mut *self.each,
            is_writable: self.is_writable && is_writable(&mail),
        };
        mail.read(&mut inside, unread)
    }
}

/// True if the encoding of a message within a message can be written.
fn is_writable(mail: &InnerMail<'_>) -> bool {
    mail.place.layers.iter().all(Decoded::is_writable)
}

/// Copies a message with new bodies of attachments.
struct AttachmentWriter<'w> {
    each: &'w mut dyn FnMut(&Attachment<'_>) -> Option<NewBody>,
    out: Out<'w>,
    /// The position in the source, or in the encoded message.
    at: u64,
    /// Number of the next bytes that new ones replace already.
    replaced: usize,
    /// True if the encodings of messages around can be written.
    is_writable: bool,
}

/// The output of an [`AttachmentWriter`].
enum Out<'o> {
    /// Takes the bytes of the source.
    Source(&'o mut Sink<'o>),
    /// Takes the edits of an encoded message.
    Inner(Vec<Edit>),
}

impl AttachmentWriter<'_> {
    /// Takes the next bytes, which stay unless they are replaced already.
    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        let replaced = self.replaced.min(bytes.len());
        let at = self.at + replaced as u64;
        if let Out::Source(out) = &mut self.out
            && replaced < bytes.len()
        {
            out(Some(at), &bytes[replaced..])?;
        }
        self.replaced -= replaced;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Puts edits of the next bytes into the output. The bytes follow.
    fn replace(&mut self, bytes: &[u8], edits: Vec<Edit>) -> io::Result<()> {
        match &mut self.out {
            Out::Inner(all) => all.extend(edits.into_iter().map(|edit| Edit {
                range: edit.range.start + self.at as usize..edit.range.end + self.at as usize,
                ..edit
            })),
            Out::Source(out) => {
                let mut from = 0;
                for Edit {
                    range, bytes: new, ..
                } in edits
                {
                    out(Some(self.at + from as u64), &bytes[from..range.start])?;
                    out(None, &new)?;
                    from = range.end;
                }
                out(Some(self.at + from as u64), &bytes[from..])?;
            }
        }
        self.replaced = bytes.len();
        Ok(())
    }
}

impl PartVisitor for AttachmentWriter<'_> {
    fn between(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.keep(bytes)?)
    }

    fn part(&mut self, part: Part<'_>) -> Flow {
        match part.stream {
            Some(stream) => drop(io::copy(stream, &mut Between(self))?),
            None => self.keep(&part.place.encoded)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn opened(&mut self, _: Opened<'_, '_>) -> Flow {
        Ok(ControlFlow::Continue(()))
    }

    fn takes_attachments(&self) -> bool {
        true
    }

    fn attachment(&mut self, mut attachment: Attachment<'_>) -> Flow {
        attachment.is_in_writable = self.is_writable;
        let new = (self.each)(&attachment);
        if let (Some(NewBody(edits)), Ok(body)) = (new, &attachment.body) {
            self.replace(body.encoded, edits)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        let mut inside = AttachmentWriter {
            each: &mut *self.each,
            out: Out::Inner(Vec::new()),
            at: 0,
            replaced: 0,
            is_writable: self.is_writable && is_writable(&mail),
        };
        let flow = mail.read(&mut inside, unread)?;
        let place = &mail.place;
        if let Out::Inner(edits) = inside.out
            && !edits.is_empty()
        {
            let edits = match &place.layers[..] {
                [] => Some(edits),
                [layer] => reencoded(layer, &place.encoded, edits, place.line_break),
                _ => None,
            };
            let refused = || Error::new(ErrorKind::Container, "the encoded message cannot change");
            self.replace(&place.encoded, edits.ok_or_else(refused)?)?;
        }
        self.keep(&place.encoded)?;
        Ok(flow)
    }
}

/// Writes to an [`AttachmentWriter`] what stays.
struct Between<'b, 'w>(&'b mut AttachmentWriter<'w>);

impl Write for Between<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.keep(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
