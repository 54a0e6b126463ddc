//! The only module that handles names in the file system: files are opened, created, renamed and removed relative to
//! open directories. A directory that is swapped for a symbolic link during a run leads nowhere else.
//!
//! The module knows nothing of documents. On systems without handles of directories, paths take their place, with their
//! races.

use super::stamp::Stamp;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open directory.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    #[cfg(unix)]
    handle: rustix::fd::OwnedFd,
}

/// The symbolic links that are followed when a file is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// No link, neither to a file nor to a directory on the way.
    None,
    /// No link, and no path out of the open directory: no `..`, no absolute path.
    Beneath,
    /// All links, because the caller named the file, or requested it.
    #[default]
    All,
}

/// The place of a file: a name in an open directory.
#[derive(Clone, Debug)]
pub struct Place {
    pub(super) directory: Arc<Directory>,
    pub(super) name: std::ffi::OsString,
}

impl Place {
    /// The place that a path names. Symbolic links to directories are followed, except in the last component.
    ///
    /// # Errors
    ///
    /// When the directory cannot be opened, or the path does not end in a name.
    pub fn new(path: &Path) -> io::Result<Self> {
        Place::of(path, |directory| Directory::open(directory, Links::All))
    }

    /// The place of a path without symbolic links to directories.
    pub(super) fn without_links(path: &Path) -> io::Result<Self> {
        Place::of(path, |directory| Directory::open(directory, Links::None))
    }

    /// The place of a path below an open directory. The path may come from a stranger: it cannot lead anywhere else.
    pub(super) fn beneath(top: &Arc<Directory>, path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let parent = path.parent().unwrap_or(Path::new(""));
        Ok(Place {
            directory: top.beneath(parent)?,
            name: name.to_owned(),
        })
    }

    fn of(path: &Path, open: impl FnOnce(&Path) -> io::Result<Directory>) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok(Place {
            directory: Arc::new(open(directory_of(path))?),
            name: name.to_owned(),
        })
    }

    /// The path of the place, in which no symbolic link leads to the directory.
    pub(super) fn real_path(&self) -> io::Result<PathBuf> {
        Ok(std::fs::canonicalize(self.directory.path())?.join(&self.name))
    }

    /// True if the place holds a symbolic link.
    #[cfg(unix)]
    pub(super) fn is_symlink(&self) -> bool {
        self.stamp().is_ok_and(|stamp| stamp.is_symlink)
    }

    /// The present stamp of the file at the place; a symbolic link is not followed.
    pub(super) fn stamp(&self) -> io::Result<Stamp> {
        self.directory.stamp(&self.name, Links::None)
    }
}

/// The directory part of a path: `.` for a name alone.
pub(super) fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

impl Directory {
    /// The path by which the directory was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(unix)]
mod system {
    use super::*;
    use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
    use rustix::fs::{self, AtFlags, CWD, Mode, OFlags};
    use rustix::io::Errno;
    use std::path::Component;

    const DIRECTORY: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

    /// Opening a pipe without a writer does not block, and a terminal does not become the controlling terminal.
    const READ: OFlags = OFlags::CLOEXEC
        .union(OFlags::NONBLOCK)
        .union(OFlags::NOCTTY);

    impl Directory {
        /// Opens a directory.
        ///
        /// # Errors
        ///
        /// When the directory cannot be opened.
        pub fn open(path: &Path, links: Links) -> io::Result<Self> {
            Directory::open_at(CWD, path, path, links)
        }

        /// Opens a directory below this one. No symbolic link is followed.
        ///
        /// # Errors
        ///
        /// When the directory cannot be opened.
        pub fn below(self: &Arc<Self>, path: &Path) -> io::Result<Arc<Self>> {
            if path.as_os_str().is_empty() {
                return Ok(Arc::clone(self));
            }
            self.reach(path, Links::None)
        }

        /// Opens a directory by a path that cannot lead out of this directory.
        pub(in super::super) fn beneath(self: &Arc<Self>, path: &Path) -> io::Result<Arc<Self>> {
            if path.as_os_str().is_empty() {
                Ok(Arc::clone(self))
            } else {
                self.reach(path, Links::Beneath)
            }
        }

        fn reach(&self, path: &Path, links: Links) -> io::Result<Arc<Self>> {
            let whole = self.path.join(path);
            Directory::open_at(self.handle.as_fd(), path, &whole, links).map(Arc::new)
        }

        fn open_at(
            at: BorrowedFd<'_>,
            path: &Path,
            whole: &Path,
            links: Links,
        ) -> io::Result<Self> {
            let mut opened = open_at(at, path, DIRECTORY, links);
            // A directory without read permission can still be searched: it cannot be synced, but its files can be
            // reached.
            #[cfg(target_os = "linux")]
            if matches!(opened, Err(Errno::ACCESS)) {
                opened = open_at(at, path, DIRECTORY | OFlags::PATH, links);
            }
            Ok(Directory {
                path: whole.to_owned(),
                handle: opened.map_err(io::Error::from)?,
            })
        }

        /// Opens a file below the directory for reading.
        ///
        /// # Errors
        ///
        /// When the file cannot be opened.
        pub fn open_file(&self, below: &Path, links: Links) -> io::Result<File> {
            let opened = open_at(self.handle.as_fd(), below, READ, links);
            Ok(opened.map_err(io::Error::from)?.into())
        }

        /// Opens a file of this directory for writing at the file's end. A symbolic link is not followed.
        pub(in super::super) fn open_to_append(&self, name: &OsStr) -> io::Result<File> {
            let flags = READ | OFlags::RDWR | OFlags::APPEND;
            let opened = open_at(self.handle.as_fd(), Path::new(name), flags, Links::None);
            Ok(opened.map_err(io::Error::from)?.into())
        }

        /// The stamp of the named file.
        pub(in super::super) fn stamp(
            &self,
            below: impl AsRef<Path>,
            links: Links,
        ) -> io::Result<Stamp> {
            let flags = match links {
                Links::None | Links::Beneath => AtFlags::SYMLINK_NOFOLLOW,
                Links::All => AtFlags::empty(),
            };
            Ok(Stamp::of_stat(&fs::statat(
                &self.handle,
                below.as_ref(),
                flags,
            )?))
        }

        /// Creates a file that only its owner may read.
        pub(in super::super) fn create(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let mode = Mode::RUSR | Mode::WUSR;
            Ok(fs::openat(&self.handle, name, flags | OFlags::NOFOLLOW, mode)?.into())
        }

        /// Renames a file in this directory.
        pub(in super::super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            Ok(fs::renameat(&self.handle, from, &self.handle, to)?)
        }

        /// Gives a file another name, in this directory.
        pub(in super::super) fn link(&self, from: &Place, to: &OsStr) -> io::Result<()> {
            let old = &from.directory.handle;
            Ok(fs::linkat(
                old,
                &from.name,
                &self.handle,
                to,
                AtFlags::empty(),
            )?)
        }

        /// Makes a symbolic link.
        pub(in super::super) fn symlink(&self, pointee: &Path, name: &OsStr) -> io::Result<()> {
            Ok(fs::symlinkat(pointee, &self.handle, name)?)
        }

        /// Removes a file.
        pub(in super::super) fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::unlinkat(&self.handle, name, AtFlags::empty())?)
        }

        /// Makes changes of names durable. Syncing a file does not cover its directory (POSIX). File systems that
        /// cannot sync a directory give no error.
        pub(in super::super) fn sync(&self) -> io::Result<()> {
            match fs::fsync(&self.handle) {
                Err(error) if cannot_sync(error) => Ok(()),
                done => Ok(done?),
            }
        }
    }

    /// True if the file system, or a handle without read permission, cannot sync a directory.
    pub(super) fn cannot_sync(error: Errno) -> bool {
        let known = [
            Errno::INVAL,
            Errno::NOSYS,
            Errno::NOTSUP,
            Errno::OPNOTSUPP,
            Errno::BADF,
        ];
        known.contains(&error)
    }

    /// True if a file was not opened because of a symbolic link on the way.
    pub(in super::super) fn is_refused_link(error: &io::Error) -> bool {
        let code = Errno::from_io_error(error);
        matches!(code, Some(Errno::LOOP | Errno::NOTDIR))
    }

    /// Opens a file for reading.
    pub(in super::super) fn open_path(path: &Path) -> io::Result<File> {
        let opened = open_at(CWD, path, READ, Links::All);
        Ok(opened.map_err(io::Error::from)?.into())
    }

    fn open_at(
        at: BorrowedFd<'_>,
        path: &Path,
        flags: OFlags,
        links: Links,
    ) -> Result<OwnedFd, Errno> {
        match links {
            Links::All => fs::openat(at, path, flags, Mode::empty()),
            Links::None => open_without_links(at, path, flags),
            Links::Beneath if !has_only_names(path) => Err(Errno::XDEV),
            Links::Beneath => open_beneath(at, path, flags),
        }
    }

    /// True if the path has no `..` and does not begin at the root.
    fn has_only_names(path: &Path) -> bool {
        let mut parts = path.components();
        parts.all(|part| matches!(part, Component::Normal(_)))
    }

    #[cfg(target_os = "linux")]
    fn open_without_links(
        at: BorrowedFd<'_>,
        path: &Path,
        flags: OFlags,
    ) -> Result<OwnedFd, Errno> {
        open_resolved(at, path, flags, fs::ResolveFlags::NO_SYMLINKS)
    }

    #[cfg(target_os = "linux")]
    fn open_beneath(at: BorrowedFd<'_>, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let resolve = fs::ResolveFlags::NO_SYMLINKS | fs::ResolveFlags::BENEATH;
        open_resolved(at, path, flags, resolve)
    }

    #[cfg(target_os = "linux")]
    fn open_resolved(
        at: BorrowedFd<'_>,
        path: &Path,
        flags: OFlags,
        resolve: fs::ResolveFlags,
    ) -> Result<OwnedFd, Errno> {
        match fs::openat2(at, path, flags, Mode::empty(), resolve) {
            // Old kernels (before 5.6) and some sandboxes do not know the call.
            Err(Errno::NOSYS | Errno::PERM) => open_step_by_step(at, path, flags),
            opened => opened,
        }
    }

    #[cfg(not(target_os = "linux"))]
    use open_step_by_step as open_without_links;

    #[cfg(not(target_os = "linux"))]
    use open_step_by_step as open_beneath;

    /// Opens the directories of a path one after the other.
    pub(super) fn open_step_by_step(
        at: BorrowedFd<'_>,
        path: &Path,
        flags: OFlags,
    ) -> Result<OwnedFd, Errno> {
        let mut parts = path.components().peekable();
        let mut reached: Option<OwnedFd> = None;
        while let Some(part) = parts.next() {
            let here = reached.as_ref().map_or(at, |reached| reached.as_fd());
            let flags = if parts.peek().is_some() {
                DIRECTORY
            } else {
                flags
            };
            let next = fs::openat(
                here,
                part.as_os_str(),
                flags | OFlags::NOFOLLOW,
                Mode::empty(),
            )?;
            reached = Some(next);
        }
        reached.ok_or(Errno::NOENT)
    }
}

#[cfg(unix)]
pub(super) use system::{is_refused_link, open_path};

#[cfg(not(unix))]
mod system {
    use super::*;
    use std::fs;

    impl Directory {
        /// Opens a directory.
        ///
        /// # Errors
        ///
        /// When the directory does not exist.
        pub fn open(path: &Path, _: Links) -> io::Result<Self> {
            if !fs::metadata(path)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            Ok(Directory {
                path: path.to_owned(),
            })
        }

        /// Opens a directory below this one.
        ///
        /// # Errors
        ///
        /// When the directory does not exist.
        pub fn below(self: &Arc<Self>, path: &Path) -> io::Result<Arc<Self>> {
            if path.as_os_str().is_empty() {
                return Ok(Arc::clone(self));
            }
            Directory::open(&self.path.join(path), Links::None).map(Arc::new)
        }

        /// Opens a directory by a path that cannot lead out of this directory.
        pub(in super::super) fn beneath(self: &Arc<Self>, path: &Path) -> io::Result<Arc<Self>> {
            let is_name = |part| matches!(part, std::path::Component::Normal(_));
            if path.components().all(is_name) {
                self.below(path)
            } else {
                Err(io::ErrorKind::InvalidInput.into())
            }
        }

        /// Opens a file below the directory for reading.
        ///
        /// # Errors
        ///
        /// When the file cannot be opened.
        pub fn open_file(&self, below: &Path, links: Links) -> io::Result<File> {
            let path = self.path.join(below);
            if links != Links::All && fs::symlink_metadata(&path)?.is_symlink() {
                return Err(io::Error::other("expected a file, found a symbolic link"));
            }
            File::open(path)
        }

        pub(in super::super) fn open_to_append(&self, name: &OsStr) -> io::Result<File> {
            let mut options = fs::OpenOptions::new();
            options.read(true).append(true).open(self.path.join(name))
        }

        pub(in super::super) fn stamp(
            &self,
            below: impl AsRef<Path>,
            links: Links,
        ) -> io::Result<Stamp> {
            let path = self.path.join(below);
            let metadata = match links {
                Links::None | Links::Beneath => fs::symlink_metadata(path),
                Links::All => fs::metadata(path),
            };
            Ok(Stamp::new(&metadata?))
        }

        pub(in super::super) fn create(&self, name: &OsStr) -> io::Result<File> {
            let mut options = fs::OpenOptions::new();
            options.read(true).write(true).create_new(true);
            options.open(self.path.join(name))
        }

        pub(in super::super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::rename(self.path.join(from), self.path.join(to))
        }

        pub(in super::super) fn link(&self, from: &Place, to: &OsStr) -> io::Result<()> {
            fs::hard_link(from.directory.path.join(&from.name), self.path.join(to))
        }

        pub(in super::super) fn remove(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.path.join(name))
        }

        pub(in super::super) fn sync(&self) -> io::Result<()> {
            Ok(())
        }
    }

    pub(in super::super) fn is_refused_link(_: &io::Error) -> bool {
        false
    }

    pub(in super::super) fn open_path(path: &Path) -> io::Result<File> {
        File::open(path)
    }
}

#[cfg(not(unix))]
pub(super) use system::{is_refused_link, open_path};

#[cfg(all(test, unix))]
mod tests {
    use super::system::{cannot_sync, open_step_by_step};
    use super::*;
    use rustix::fs::{CWD, OFlags};
    use rustix::io::Errno;

    /// Checks the fallback for systems without the system call of Linux.
    #[test]
    fn no_symbolic_link_is_followed() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(place.join("d/sub")).unwrap();
        std::fs::write(place.join("d/sub/a"), "x").unwrap();
        std::os::unix::fs::symlink("d", place.join("link")).unwrap();
        std::os::unix::fs::symlink("a", place.join("d/sub/b")).unwrap();
        let top = Directory::open(&place, Links::None).unwrap();
        for (path, works) in [("d/sub/a", true), ("d/sub/b", false), ("link/sub/a", false)] {
            let opened = top.open_file(Path::new(path), Links::None);
            assert_eq!(opened.is_ok(), works, "{path}");
            let steps = open_step_by_step(CWD, &place.join(path), OFlags::CLOEXEC);
            assert_eq!(steps.is_ok(), works, "{path}");
            assert!(top.open_file(Path::new(path), Links::All).is_ok());
        }
        let top = Arc::new(top);
        assert!(top.below(Path::new("link")).is_err());
        assert!(top.below(Path::new("d/sub")).is_ok());
        let below = top.below(Path::new("d")).unwrap();
        let absolute = place.join("d/sub");
        for (path, works) in [
            (Path::new("sub"), true),
            (Path::new(""), true),
            (Path::new(".."), false),
            (Path::new("sub/.."), false),
            (Path::new("sub/../../d"), false),
            (&absolute, false),
        ] {
            assert_eq!(below.beneath(path).is_ok(), works, "{}", path.display());
        }
    }

    #[test]
    fn failing_disks_are_no_lack_of_support() {
        assert!(cannot_sync(Errno::INVAL) && cannot_sync(Errno::NOTSUP));
        assert!(!cannot_sync(Errno::IO) && !cannot_sync(Errno::NOSPC));
    }
}
