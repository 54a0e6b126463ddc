//! The links of the documents in archives.

use super::links::{Links, OpenEntry, Outcome};
use super::{is_whole_document, unread};
use crate::data::Encoding;
use crate::options::Options;
use linkglot::rewrite::Forms;
use linkglot_files::{Attachments, Content, EntryEvent, FileEntry};
use std::ops::ControlFlow;
use std::path::Path;

/// The links of the documents in an archive.
pub struct EntryFinder<'f> {
    options: &'f Options,
    links: &'f mut Links,
    /// Called behind each link.
    behind: &'f mut dyn FnMut(&mut Links) -> ControlFlow<()>,
    /// Number of links.
    pub count: u64,
    /// Paths and messages.
    pub errors: Vec<(String, String)>,
}

impl<'f> EntryFinder<'f> {
    pub fn new(
        options: &'f Options,
        links: &'f mut Links,
        behind: &'f mut dyn FnMut(&mut Links) -> ControlFlow<()>,
    ) -> Self {
        EntryFinder {
            options,
            links,
            behind,
            count: 0,
            errors: Vec::new(),
        }
    }

    pub fn event(&mut self, event: EntryEvent<'_>) -> ControlFlow<()> {
        match event {
            EntryEvent::Failed(path, error) => self.failed(path, error.to_string()),
            EntryEvent::Unread(path, reason) => {
                self.failed(path, format!("not read: {}", reason.words()));
            }
            EntryEvent::Document(entry, content, attachments) => {
                return self.document(entry, (content, attachments));
            }
        }
        ControlFlow::Continue(())
    }

    fn failed(&mut self, path: &Path, message: String) {
        self.errors.push((path.display().to_string(), message));
    }

    fn document(
        &mut self,
        entry: &FileEntry,
        (content, attachments): (Content<'_>, Option<&Attachments>),
    ) -> ControlFlow<()> {
        let options = self.options.with(|settings| {
            settings.name = Some(entry.name().to_string_lossy().into_owned());
            if let Some(archived) = entry.archived() {
                archived.apply(settings);
            }
            if let Some(attachments) = attachments {
                attachments.leave(settings);
            }
        });
        self.links.open_entry = Some(OpenEntry {
            path: entry.path.to_string_lossy().into_owned(),
            archived: entry.archived().cloned().unwrap_or_default(),
        });
        let mut positions = Encoding::None.positions(&[]);
        let mut is_too_long = false;
        let mut flow = ControlFlow::Continue(());
        let mut each = |link: &linkglot::Link<'_>,
                        forms: &linkglot::rewrite::LinkForms,
                        info: &linkglot::link::Info| {
            if is_whole_document(link) {
                is_too_long = true;
                return ControlFlow::Continue(());
            }
            self.count += 1;
            let outcome = Outcome::Found(forms);
            self.links.push(link, outcome, info, &mut positions);
            flow = (self.behind)(self.links);
            flow
        };
        let forms = Forms::new(&options.settings);
        let read = match content {
            Content::Whole(bytes) => forms.read(&mut &bytes[..], &mut each),
            Content::Large(mut file) => forms.read(&mut file, &mut each),
            Content::Stream(mut reader) => forms.read(&mut reader, &mut each),
        };
        match read {
            Ok(info) => {
                if let Some(attachments) = attachments {
                    attachments.see(&info, &options.settings);
                }
                if let Some(error) = unread(&info.unread, is_too_long) {
                    self.failed(&entry.path, error);
                }
            }
            Err(error) => self.failed(&entry.path, error.to_string()),
        }
        flow
    }
}
