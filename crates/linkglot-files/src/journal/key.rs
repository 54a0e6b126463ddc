//! The key that identifies one's own journals: random bytes beside the directory of journals, made when the first
//! journal begins. The only module that asks the system for random bytes.

use crate::directory::{Directory, Links};
use crate::display::display;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use linkglot::error::{Error, ErrorKind};
use std::env;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The name of the key's file.
pub(crate) const KEY: &str = "journal.key";

const LENGTH: usize = 32;

/// The key of the journals of one user on one machine.
#[derive(Clone)]
pub(crate) struct Key([u8; LENGTH]);

/// Shows no key in messages.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// The key that identifies one's own journals; `None` if no run has made it yet.
pub(crate) type Known = Result<Option<Key>, Error>;

/// The directory of journals and of their key: below `$XDG_STATE_HOME`, or below the home directory.
pub(crate) fn state_directory() -> Option<PathBuf> {
    let state = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state = state.filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(env::home_dir()?.join(".local/state")))?;
    Some(state.join("linkglot"))
}

impl Key {
    #[cfg(test)]
    pub fn of(bytes: [u8; LENGTH]) -> Self {
        Key(bytes)
    }

    /// The key of the user who runs the program.
    pub fn own() -> Known {
        state_directory().map_or(Ok(None), |directory| Key::read(&directory))
    }

    /// Reads the key below a directory. `None` if no run has made it yet.
    ///
    /// # Errors
    ///
    /// When the key cannot be read, could have been read by others, or has a wrong length.
    pub fn read(directory: &Path) -> Result<Option<Self>, Error> {
        let Ok(open) = Directory::open(directory, Links::All) else {
            return Ok(None);
        };
        let file = match open.open_file(Path::new(KEY), Links::None) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(Error::from),
        };
        let key = file.and_then(|file| Key::of_file(&file));
        key.map(Some).map_err(|cause| {
            let path = display(directory.join(KEY));
            error(format!("the journal key `{path}`: {cause}"))
        })
    }

    fn of_file(file: &File) -> Result<Self, Error> {
        let metadata = file.metadata()?;
        check(&metadata)?;
        let mut bytes = Vec::new();
        file.take(LENGTH as u64 + 1).read_to_end(&mut bytes)?;
        let found = bytes.len();
        let key = bytes.try_into().map_err(|_| {
            let found = if found > LENGTH { "more" } else { "fewer" };
            error(format!(
                "expected {LENGTH} random bytes, found {found}; once the file is removed, the next run makes a new key"
            ))
        });
        key.map(Key)
    }

    /// Makes the key, or reads it if another run makes it at the same time.
    ///
    /// # Errors
    ///
    /// When the key cannot be written.
    pub fn create(directory: &Path) -> Result<Self, Error> {
        super::create_directory(directory)?;
        // Only the owner may read this file.
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        let key = Key(random()?);
        file.write_all(&key.0)?;
        file.as_file().sync_all()?;
        match file.persist_noclobber(directory.join(KEY)) {
            Ok(_) => {
                Directory::open(directory, Links::All)?.sync()?;
                Ok(key)
            }
            Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => {
                let made = Key::read(directory)?;
                made.ok_or_else(|| {
                    error("the journal key was removed while it was made".to_owned())
                })
            }
            Err(refused) => Err(refused.error.into()),
        }
    }

    /// The keyed digest of the parts, one after the other.
    pub(super) fn digest(&self, parts: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in parts {
            hasher.update(part);
        }
        hasher.finalize()
    }
}

/// Random text that is unique.
pub(super) fn nonce() -> Result<String, Error> {
    Ok(BASE64.encode(random::<16>()?))
}

fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|cause| error(format!("cannot get random bytes: {cause}")))?;
    Ok(bytes)
}

/// Checks that nobody else could have read the key or chosen it.
fn check(metadata: &Metadata) -> Result<(), Error> {
    if !metadata.is_file() {
        let message = "expected a file, found a directory, a pipe or a device";
        return Err(error(message.to_owned()));
    }
    #[cfg(unix)]
    check_owner(metadata)?;
    Ok(())
}

#[cfg(unix)]
fn check_owner(metadata: &Metadata) -> Result<(), Error> {
    use std::os::unix::fs::MetadataExt;
    let (owner, own) = (metadata.uid(), rustix::process::geteuid().as_raw());
    if owner != own {
        return Err(error(format!(
            "expected a file of the user {own}, found one of the user {owner}; XDG_STATE_HOME names another directory"
        )));
    }
    let mode = metadata.mode() & 0o777;
    match mode & 0o077 {
        0 => Ok(()),
        _ => Err(error(format!(
            "expected mode 600, found {mode:o}, which lets others read or change the file; use `chmod 600`, or if others did so, remove the file: the next run makes a new key"
        ))),
    }
}

fn error(message: String) -> Error {
    Error::new(ErrorKind::Io, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("a/b");
        assert!(Key::read(&directory).unwrap().is_none());
        let key = Key::create(&directory).unwrap();
        let again = Key::create(&directory).unwrap();
        let read = Key::read(&directory).unwrap().unwrap();
        assert!(key.0 == again.0 && key.0 == read.0 && key.0 != [0; LENGTH]);
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
        assert_eq!(format!("{key:?}"), "Key");
    }

    #[cfg(unix)]
    #[test]
    fn keys_that_are_none_are_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(KEY);
        let refusal = || Key::read(place.path()).unwrap_err().to_string();
        let write = |bytes: &[u8], mode| {
            let _ = std::fs::remove_file(&path);
            std::fs::write(&path, bytes).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        };
        for (bytes, mode, words) in [
            (&[7; 32][..], 0o644, "expected mode 600, found 644"),
            (&[7; 32], 0o620, "found 620"),
            (&[7; 31], 0o600, "expected 32 random bytes, found fewer"),
            (&[7; 33], 0o600, "found more"),
        ] {
            write(bytes, mode);
            assert!(refusal().contains(words), "{}", refusal());
        }
        std::fs::rename(&path, place.path().join("real")).unwrap();
        symlink("real", &path).unwrap();
        assert!(refusal().contains(KEY));
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(refusal().contains("found a directory"), "{}", refusal());
    }
}
