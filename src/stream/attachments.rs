//! Attachments of a message that the caller reads.

use crate::error::Error;
use crate::link::{Settings, UnreadParts, open};
use crate::parts::{self, Attachment, InnerMail, Part, PartVisitor};
use crate::read::{Flow, Input, Opened};
use std::io::{self, Read};
use std::ops::ControlFlow;

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
///     assert_eq!(attachment.content.as_deref().unwrap(), b"PK\x03\x04");
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
    parts::read(document, &mut EachAttachment(each)).map(drop)
}

/// Hands over only the attachments of a message.
struct EachAttachment<'e>(&'e mut dyn FnMut(&Attachment<'_>) -> ControlFlow<()>);

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

    fn attachment(&mut self, attachment: &Attachment<'_>) -> Flow {
        Ok((self.0)(attachment))
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        mail.read(self, unread)
    }
}
