//! Archives that are attached to messages: the engine reads them behind the message.

use super::container_kind::kind_of_named;
use super::source::Content;
use linkglot::error::Error;
use linkglot::link::Info;
use linkglot::stream::{Attachment, read_attachments};
use linkglot::{Charset, Document, Format, Settings};
use std::cell::RefCell;
use std::io::{Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

/// The most bytes that tell a message from other documents.
const HEAD: u64 = 4 << 10;

/// The archives attached to a message, which a job leaves to the engine.
///
/// ```
/// use linkglot::Settings;
/// use linkglot_files::Attachments;
///
/// let mut settings = Settings::default();
/// Attachments::default().leave(&mut settings);
/// let is_left = settings.attachments.expect("attachments are left");
/// assert!(is_left("", b"PK\x03\x04") && !is_left("a.zip", b"%PDF-"));
/// ```
#[derive(Debug, Default)]
pub struct Attachments {
    /// The settings of a message that has some.
    found: RefCell<Option<Box<Settings>>>,
}

impl Attachments {
    /// Has archives left to the engine, instead of being counted as unread.
    pub fn leave(&self, settings: &mut Settings) {
        settings.attachments = Some(is_container);
    }

    /// Takes the properties of the document, once it was read with these settings.
    pub fn see(&self, info: &Info, settings: &Settings) {
        if info.unread.attachments > 0 {
            *self.found.borrow_mut() = Some(Box::new(settings.clone()));
        }
    }

    /// True if some are attached to a document. Consumes nothing of it. Linear for a message, else O(1).
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(super) fn are_in(
        content: &mut Content<'_>,
        name: &Path,
        format: Option<Format>,
    ) -> Result<bool, Error> {
        let are_in = are_in(content, name, format);
        if let Content::Large(file) = content {
            file.rewind()?;
        }
        are_in
    }

    /// The settings of a message that has some.
    pub(super) fn take(&self) -> Option<Box<Settings>> {
        self.found.take()
    }
}

fn are_in(content: &mut Content<'_>, name: &Path, format: Option<Format>) -> Result<bool, Error> {
    let mut settings = Settings::default();
    settings.format = format;
    settings.name = Some(name.to_string_lossy().into_owned());
    settings.attachments = Some(is_container);
    // Nobody asks for the charset.
    settings.charset = Some(Charset::UTF_8);
    let mut reader = content.reader()?;
    let mut head = Vec::new();
    (&mut reader).take(HEAD).read_to_end(&mut head)?;
    if !Document::new(&head, &settings).info().format.is_mail() {
        return Ok(false);
    }
    let mut has_some = false;
    let mut each = |_: &Attachment<'_>| {
        has_some = true;
        ControlFlow::Break(())
    };
    read_attachments(&mut head.chain(reader), &settings, &mut each)?;
    Ok(has_some)
}

/// True if an attachment is a container, by its name and its first bytes.
fn is_container(name: &str, head: &[u8]) -> bool {
    kind_of_named(head, Path::new(name)).is_some()
}
