//! The lines of a journal.

use crate::error::{Error, ErrorKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line {
    Run(RunHeader),
    File(FileRecord),
    End,
    Undone,
}

impl Line {
    /// The line with its end.
    pub fn text(&self) -> Result<Vec<u8>, Error> {
        let unwritable = |error| Error::new(ErrorKind::Io, format!("cannot be recorded: {error}"));
        let mut text = serde_json::to_vec(self).map_err(unwritable)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// A run: when it was started, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The name by which it is undone.
    pub id: String,
    /// When it began (RFC 3339).
    pub started: String,
    /// The directory in which it was started.
    #[serde(with = "path_text")]
    pub directory: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The files and directories that it works on, absolute.
    #[serde(with = "path_texts")]
    pub roots: Vec<PathBuf>,
}

/// A file that was replaced, or was about to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Where it is, absolute.
    #[serde(with = "path_text")]
    pub path: PathBuf,
    /// The digest of its content before.
    pub before: String,
    /// The digest of its content after.
    pub after: String,
    /// What was replaced, in order.
    pub edits: Vec<FileEdit>,
}

impl FileRecord {
    /// The record of a file in memory, before and after.
    pub fn new(path: &Path, (before, after): (&[u8], &[u8]), edits: Vec<FileEdit>) -> Self {
        FileRecord {
            path: path.to_owned(),
            before: digest_text(blake3::hash(before)),
            after: digest_text(blake3::hash(after)),
            edits,
        }
    }
}

/// A digest, as journals have it: 128 bits suffice to tell the versions of a file apart.
pub(super) fn digest_text(digest: blake3::Hash) -> String {
    BASE64.encode(&digest.as_bytes()[..16])
}

/// Bytes that were replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEdit {
    /// Where they stood in the content before.
    pub start: u64,
    /// The bytes.
    #[serde(with = "base64_text")]
    pub old: Vec<u8>,
    /// The bytes that stand there in the content after.
    #[serde(with = "base64_text")]
    pub new: Vec<u8>,
}

mod base64_text {
    use super::{BASE64, Engine};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(bytes))
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64.decode(text).map_err(D::Error::custom)
    }
}

/// A path: as text, or the base64 of its bytes behind a NUL, which no path has.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct PathText(String);

impl PathText {
    #[cfg(unix)]
    fn new(path: &Path) -> Self {
        use std::os::unix::ffi::OsStrExt;
        match path.to_str() {
            Some(text) => PathText(text.to_owned()),
            None => PathText(format!("\0{}", BASE64.encode(path.as_os_str().as_bytes()))),
        }
    }

    #[cfg(not(unix))]
    fn new(path: &Path) -> Self {
        PathText(path.to_string_lossy().into_owned())
    }

    #[cfg(unix)]
    fn path(self) -> Option<PathBuf> {
        use std::os::unix::ffi::OsStringExt;
        match self.0.strip_prefix('\0') {
            None => Some(self.0.into()),
            Some(text) => {
                let bytes = BASE64.decode(text).ok()?;
                Some(std::ffi::OsString::from_vec(bytes).into())
            }
        }
    }

    #[cfg(not(unix))]
    fn path(self) -> Option<PathBuf> {
        Some(self.0.into())
    }
}

mod path_text {
    use super::PathText;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use std::path::{Path, PathBuf};

    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        PathText::new(path).serialize(serializer)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<PathBuf, D::Error> {
        let text = PathText::deserialize(deserializer)?;
        text.path()
            .ok_or_else(|| D::Error::custom("expected a path"))
    }
}

mod path_texts {
    use super::PathText;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::path::PathBuf;

    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| PathText::new(path)))
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        let texts = Vec::<PathText>::deserialize(deserializer)?;
        let paths = texts.into_iter().map(PathText::path);
        paths
            .collect::<Option<_>>()
            .ok_or_else(|| D::Error::custom("expected paths"))
    }
}
