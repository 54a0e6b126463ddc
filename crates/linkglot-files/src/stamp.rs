//! Stamps: metadata that tells the states of a file apart.

use std::fs::Metadata;

/// Length, times and identity of a file. Equal stamps mean the same unchanged file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    /// Seconds and nanoseconds of the last change of the content.
    pub(super) modified: (i64, i64),
    /// Seconds and nanoseconds of the last change of the inode; zeros on systems without inodes.
    changed: (i64, i64),
    /// Device and inode; zeros on systems without them.
    pub(super) identity: Identity,
    /// The number of names of the file.
    pub(super) names: u64,
    #[cfg_attr(not(unix), expect(dead_code))]
    pub(super) is_symlink: bool,
    pub(super) is_file: bool,
}

/// Device and inode.
pub(super) type Identity = (u64, u64);

impl Stamp {
    /// True for the same file with the same content, even if its other names changed.
    pub(super) fn has_content_of(&self, other: &Stamp) -> bool {
        let content = |stamp: &Stamp| (stamp.length, stamp.modified, stamp.identity);
        content(self) == content(other)
    }

    #[cfg(unix)]
    pub(super) fn new(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Stamp {
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            identity: (metadata.dev(), metadata.ino()),
            names: metadata.nlink(),
            is_symlink: metadata.is_symlink(),
            is_file: metadata.is_file(),
        }
    }

    #[cfg(not(unix))]
    pub(super) fn new(metadata: &Metadata) -> Self {
        let modified = filetime::FileTime::from_last_modification_time(metadata);
        Stamp {
            length: metadata.len(),
            modified: (modified.unix_seconds(), modified.nanoseconds().into()),
            changed: (0, 0),
            identity: (0, 0),
            names: 1,
            is_symlink: metadata.is_symlink(),
            is_file: metadata.is_file(),
        }
    }

    /// Converts the fields, whose widths differ between systems.
    #[cfg(unix)]
    #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
    pub(super) fn of_stat(stat: &rustix::fs::Stat) -> Self {
        let kind = rustix::fs::FileType::from_raw_mode(stat.st_mode);
        Stamp {
            length: stat.st_size as u64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            identity: (stat.st_dev as u64, stat.st_ino as u64),
            names: stat.st_nlink as u64,
            is_symlink: kind.is_symlink(),
            is_file: kind.is_file(),
        }
    }
}
