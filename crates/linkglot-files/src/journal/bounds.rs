//! Bounds of the paths in journals. One's own journals lead to the files of the run, wherever these are; foreign
//! journals only below a directory.

use crate::directory::{Directory, Links, Place};
use crate::display::display;
use linkglot::error::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The directory below which a foreign journal may change files.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    top: Arc<Directory>,
    path: PathBuf,
}

impl Bounds {
    /// The directory that the journal names, if it is the current directory or below; otherwise the current directory.
    ///
    /// # Errors
    ///
    /// When the directory cannot be opened without following symbolic links.
    pub fn new(named: &Path) -> Result<Self, Error> {
        let here = std::env::current_dir()?;
        let top = Arc::new(Directory::open(Path::new("."), Links::All)?);
        let below = named.strip_prefix(&here).unwrap_or(Path::new(""));
        let path = here.join(below);
        let opened = top.beneath(below).map_err(|cause| {
            let path = display(&path);
            error(format!(
                "the directory that the journal names, `{path}`: {cause}"
            ))
        });
        Ok(Bounds { top: opened?, path })
    }

    /// The directory, to which paths in the journal are relative.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The place of a path that leads through no symbolic link.
    ///
    /// # Errors
    ///
    /// When the path leads elsewhere, or its directory cannot be opened.
    pub fn place(&self, path: &Path) -> Result<Place, Error> {
        let below = path.strip_prefix(&self.path).ok();
        let below = below.filter(|below| is_plain(below)).ok_or_else(|| {
            let top = display(&self.path);
            error(format!(
                "expected a path below `{top}` in a journal that is not your own, found one that leads elsewhere"
            ))
        })?;
        Ok(Place::beneath(&self.top, below)?)
    }
}

/// True for a path that consists of names only.
fn is_plain(path: &Path) -> bool {
    let is_name = |part| matches!(part, Component::Normal(_));
    let has_nul = path.as_os_str().as_encoded_bytes().contains(&0);
    !has_nul && path.file_name().is_some() && path.components().all(is_name)
}

/// The place of a path in one's own journal: runs record paths from the root, without symbolic links.
///
/// # Errors
///
/// When the path has another form, or its directory cannot be opened.
pub(super) fn recorded_place(path: &Path) -> Result<Place, Error> {
    let leads_up = path.components().any(|part| part == Component::ParentDir);
    if path.is_absolute() && !leads_up {
        Ok(Place::without_links(path)?)
    } else {
        Err(error("expected a path as runs record them".to_owned()))
    }
}

fn error(message: String) -> Error {
    Error::new(ErrorKind::Io, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_below_the_directory_alone() {
        let here = std::env::current_dir().unwrap();
        for named in [Path::new("/"), Path::new("/nowhere"), &here] {
            let bounds = Bounds::new(named).unwrap();
            assert_eq!(bounds.path().components().as_path(), here);
            assert!(bounds.place(&here.join("src/x")).is_ok());
            for path in ["/etc/passwd", "../x", "src/../x", "src/..", "", ".", "a\0b"] {
                assert!(bounds.place(&here.join(path)).is_err(), "{path}");
            }
        }
        let bounds = Bounds::new(&here.join("src")).unwrap();
        assert!(bounds.place(&here.join("src/x")).is_ok());
        assert!(bounds.place(&here.join("x")).is_err());
        assert!(Bounds::new(&here.join("src/../..")).is_err());
    }
}
