//! The lines of a journal.

use super::text::{BytesText, os_text, os_texts};
use crate::content_digest::digest_text;
use linkglot::error::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line {
    Run(RunHeader),
    File(FileRecord),
    Link(LinkRecord),
    /// The run ended.
    End {
        files: u64,
    },
    /// The run was undone.
    Undone {
        files: u64,
    },
}

impl Line {
    /// The line in JSON, with its line end.
    pub fn text(&self) -> Result<Vec<u8>, Error> {
        let unwritable = |error| Error::new(ErrorKind::Io, format!("cannot be recorded: {error}"));
        let mut text = serde_json::to_vec(self).map_err(unwritable)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// A run: its start, and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The name of the run, for `undo`.
    pub id: String,
    /// The time of the start (RFC 3339).
    pub started: String,
    /// The working directory of the run.
    #[serde(with = "os_text")]
    pub directory: PathBuf,
    /// Its arguments.
    #[serde(with = "os_texts")]
    pub arguments: Vec<OsString>,
    /// The absolute paths of the files and directories that the run works on.
    #[serde(with = "os_texts")]
    pub roots: Vec<PathBuf>,
    /// The files that options name, in their state at the start of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionFile>,
    /// Random text that makes the header line unique; empty without a seal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub nonce: String,
}

/// A file named by an option: rules, a vocabulary, a list of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionFile {
    /// The path of the file, as the option gives it.
    #[serde(with = "os_text")]
    pub path: PathBuf,
    /// The digest of the file's content; `None` for standard input and pipes, which cannot be read again.
    pub digest: Option<String>,
}

/// A file that was replaced, or was about to be. In the journal, paths are relative to the directory of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The absolute path of the file.
    #[serde(with = "os_text")]
    pub path: PathBuf,
    /// The digest of the old content.
    pub before: String,
    /// The digest of the new content.
    pub after: String,
    /// The edits, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<FileEdit>,
    /// The name of the copy of the old content, if the content is kept whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The old inode, if the file had several names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inode: Option<u64>,
}

impl FileRecord {
    /// Builds the record of a file from its old and new content in memory.
    pub fn new(path: &Path, (before, after): (&[u8], &[u8]), edits: Vec<FileEdit>) -> Self {
        FileRecord {
            path: path.to_owned(),
            before: digest_text(blake3::hash(before)),
            after: digest_text(blake3::hash(after)),
            edits,
            kept: None,
            inode: None,
        }
    }
}

/// The versions of a recorded file.
#[derive(Clone, Debug)]
pub(crate) struct FileVersions {
    pub path: PathBuf,
    pub before: String,
    pub after: String,
}

/// Another name (hard link) of a replaced file: the name became, or was about to become, a name of the new file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// The absolute path of the name.
    #[serde(with = "os_text")]
    pub path: PathBuf,
    /// The absolute path of the name under which the file was replaced.
    #[serde(with = "os_text")]
    pub first: PathBuf,
    /// The digest of the old content.
    pub before: String,
    /// The digest of the new content.
    pub after: String,
}

/// Bytes that were replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "EditText", into = "EditText")]
pub struct FileEdit {
    /// The offset of the old bytes in the old content.
    pub start: u64,
    /// The replaced bytes.
    pub old: Vec<u8>,
    /// The bytes that replace them in the new content.
    pub new: Vec<u8>,
}

impl FileEdit {
    /// The offset behind the old bytes in the old content.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.old.len() as u64
    }

    /// True if no content has both the old and the new bytes at one offset, and the old bytes are hardly there by
    /// accident.
    pub(crate) fn tells_versions(&self) -> bool {
        let mut pairs = self.old.iter().zip(&self.new);
        self.old.len() > 1 && pairs.any(|(old, new)| old != new)
    }
}

/// An edit in the journal: an array.
#[derive(Serialize, Deserialize)]
struct EditText(u64, BytesText, BytesText);

impl From<EditText> for FileEdit {
    fn from(EditText(start, old, new): EditText) -> Self {
        FileEdit {
            start,
            old: old.0,
            new: new.0,
        }
    }
}

impl From<FileEdit> for EditText {
    fn from(edit: FileEdit) -> Self {
        EditText(edit.start, BytesText(edit.old), BytesText(edit.new))
    }
}
