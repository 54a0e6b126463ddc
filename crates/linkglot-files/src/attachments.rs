//! Archives that are attached to messages: the engine reads them behind the message.

use super::container_kind::kind_of_named;
use linkglot::Settings;
use linkglot::link::Info;
use std::cell::RefCell;
use std::path::Path;

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

    /// The settings of a message that has some.
    pub(super) fn take(&self) -> Option<Box<Settings>> {
        self.found.take()
    }
}

/// True if an attachment is a container, by its name and its first bytes.
fn is_container(name: &str, head: &[u8]) -> bool {
    kind_of_named(head, Path::new(name)).is_some()
}
