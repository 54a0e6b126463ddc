//! Inputs and settings that the arguments describe.

use super::Failure;
use super::args::{Also, DetectionArgs, DocumentArgs, FileArgs};
use linkglot::{Breaks, CommentSlots, Error, Settings, TextSlots, Vocabulary};
use linkglot_files::{
    Bases, FileEntry, GitIgnore, Limits, Overrides, Root, Selection, check_readable, is_archive,
    is_web_archive, push_path, read_file,
};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The inputs of a run: the documents to read.
#[derive(Debug)]
pub struct Inputs {
    pub roots: Vec<Root>,
    pub selection: Selection,
    pub limits: Limits,
    /// True if the user named no path. Paths below `.` are then shown without it.
    pub implicit: bool,
}

impl Inputs {
    pub fn new(args: &FileArgs) -> Result<Self, Failure> {
        let roots = match &args.files_from {
            Some(list) => read_list(list, args.null)?,
            None => args.paths.iter().map(|path| root(path)).collect(),
        };
        let implicit = args.files_from.is_none() && args.paths.is_empty();
        let roots = if !implicit {
            roots
        } else if stdin_has_data() {
            vec![Root::Stdin]
        } else {
            vec![Root::Path(PathBuf::from("."))]
        };
        Ok(Inputs {
            roots,
            selection: selection(args),
            limits: Limits {
                ratio: args.max_ratio,
                depth: args.max_depth,
            },
            implicit,
        })
    }

    /// True if the input is one document. Known before any reading.
    pub fn is_single(&self) -> bool {
        match self.roots.as_slice() {
            [Root::Stdin] => true,
            [Root::Path(path)] => !path.is_dir(),
            _ => false,
        }
    }

    /// True if the path of each document is shown: there may be several, in an archive too.
    pub fn has_paths(&self) -> bool {
        let is_entered = |path: &Path| self.selection.containers && is_archive(path);
        match self.roots.as_slice() {
            [Root::Path(path)] if self.is_single() => is_entered(path),
            _ => !self.is_single(),
        }
    }

    /// True if all inputs are archives of the web, whose records name their own bases.
    pub fn have_bases(&self) -> bool {
        self.selection.containers
            && self.roots.iter().all(|root| match root {
                Root::Path(path) | Root::Listed(path) => is_web_archive(path),
                Root::Stdin => false,
            })
    }

    /// True if standard input is among the inputs.
    pub fn has_stdin(&self) -> bool {
        self.roots.contains(&Root::Stdin)
    }
}

fn root(path: &Path) -> Root {
    if path.as_os_str() == "-" {
        Root::Stdin
    } else {
        Root::Path(path.to_owned())
    }
}

fn selection(args: &FileArgs) -> Selection {
    let mut selection = Selection::default();
    selection.no_hidden = args.no_hidden;
    if args.gitignore {
        selection.gitignore = GitIgnore::Always;
    }
    selection.follow = args.follow;
    selection.containers = !args.no_containers;
    selection.globs.clone_from(&args.glob);
    selection.types.clone_from(&args.types);
    selection.once = true;
    selection
}

/// Maximal length of lists of files, rules and vocabularies. Longer input probably never ends.
const MAX_LIST: u64 = 1 << 30;

/// Maximal length of a file name, beyond the limits of all systems.
const MAX_NAME: usize = 64 * 1024;

/// The files named in a list. Every name is checked before any file is replaced.
fn read_list(list: &Path, null: bool) -> Result<Vec<Root>, Failure> {
    let bytes = if list.as_os_str() == "-" {
        read_stdin()
    } else {
        read_file(list, MAX_LIST).map_err(|error| Failure::with_path(list, &error))
    }?;
    let names = bytes.split(|&byte| byte == if null { 0 } else { b'\n' });
    names
        .enumerate()
        .map(|(at, name)| {
            if null {
                (at, name)
            } else {
                (at, name.strip_suffix(b"\r").unwrap_or(name))
            }
        })
        .filter(|(_, name)| !name.is_empty())
        .map(|(at, name)| {
            check_name(name).map_err(|error| {
                let error = format!("name {}: {error}", at + 1);
                Failure::with_path(list, &error)
            })?;
            Ok(Root::Listed(path_of(name)?))
        })
        .collect()
}

fn check_name(name: &[u8]) -> Result<(), &'static str> {
    if name.contains(&0) {
        return Err(
            "expected one name per line, found a NUL; --null reads names that end with NUL",
        );
    }
    if name.len() > MAX_NAME {
        return Err("expected a file name, found more than 64 KiB without an end of line");
    }
    Ok(())
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::with_path(Path::new("-"), error);
    check_stdin().map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    let read = io::stdin()
        .lock()
        .take(MAX_LIST + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MAX_LIST {
        return Err(failed(
            &"expected a list of file names, found more than 1 GiB",
        ));
    }
    Ok(bytes)
}

/// Checks that standard input is not an endless device.
#[cfg(unix)]
pub fn check_stdin() -> Result<(), Error> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let file = std::fs::File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let metadata = file.metadata()?;
    // A pipe as standard input has a writer, who will end it.
    if metadata.is_file() || metadata.file_type().is_fifo() {
        Ok(())
    } else {
        check_readable(&file, &metadata)
    }
}

/// Checks that standard input is not an endless device.
#[cfg(not(unix))]
pub fn check_stdin() -> Result<(), Error> {
    Ok(())
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> Result<PathBuf, Failure> {
    use std::os::unix::ffi::OsStringExt;
    Ok(OsString::from_vec(name.to_vec()).into())
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> Result<PathBuf, Failure> {
    match std::str::from_utf8(name) {
        Ok(name) => Ok(OsString::from(name).into()),
        Err(_) => Err(Failure::new("--files-from: expected names in UTF-8")),
    }
}

/// True if standard input is a pipe, a socket or a file, as in ripgrep.
#[cfg(unix)]
fn stdin_has_data() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return false;
    }
    let Ok(file) = stdin.as_fd().try_clone_to_owned() else {
        return false;
    };
    std::fs::File::from(file).metadata().is_ok_and(|metadata| {
        let kind = metadata.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_socket()
    })
}

#[cfg(not(unix))]
fn stdin_has_data() -> bool {
    !io::stdin().is_terminal()
}

/// Charset and format given by the arguments.
pub fn overrides(args: &DocumentArgs) -> Overrides {
    Overrides {
        charset: args.charset,
        format: args.format,
    }
}

/// The settings for all documents, given by the arguments.
///
/// # Errors
///
/// When a vocabulary cannot be read.
pub fn settings(args: &DocumentArgs) -> Result<Settings, Failure> {
    let detection = &args.detection;
    let mut settings = Settings::default();
    settings.format = args.format;
    settings.charset = args.charset;
    settings.default_charset = args.default_charset;
    settings.assumed_charsets.clone_from(&args.assume_charset);
    settings.detect = detection.detect;
    for (wanted, breaks) in [
        (detection.flowed, Breaks::FLOWED),
        (detection.join_wrapped, Breaks::WRAPPED),
    ] {
        if wanted {
            settings.breaks = settings.breaks.with(breaks);
        }
    }
    settings.header_text = detection.also.contains(&Also::Headers);
    settings.base = args.base.as_deref().map(Arc::from);
    settings.max_slot = args.max_slot;
    settings.vocabulary = vocabulary(detection)?;
    settings.text = match &detection.also {
        also if also.contains(&Also::Text) => TextSlots::All,
        also if also.contains(&Also::Code) => TextSlots::Code,
        _ => TextSlots::Prose,
    };
    settings.comments = match &detection.also {
        also if also.contains(&Also::Comments) => CommentSlots::All,
        also if also.contains(&Also::Conditional) => CommentSlots::Conditional,
        _ => CommentSlots::None,
    };
    Ok(settings)
}

/// The settings for one file.
pub fn settings_for_file(settings: &Settings, bases: &Bases, entry: &FileEntry) -> Settings {
    let mut settings = settings.clone();
    settings.name = Some(entry.name().to_string_lossy().into_owned());
    settings.base = bases.for_file(entry);
    if let Some(archived) = entry.archived() {
        archived.apply(&mut settings);
    }
    settings
}

/// A path in the form of messages.
pub fn shown(path: &Path) -> String {
    let mut name = Vec::new();
    push_path(&mut name, path);
    String::from_utf8_lossy(&name).into_owned()
}

/// The text of a file that an option names.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    read_text_of(path, MAX_LIST)
}

/// The text of a file of at most `most` bytes.
pub fn read_text_of(path: &Path, most: u64) -> Result<String, Failure> {
    let bytes = read_file(path, most).map_err(|error| Failure::with_path(path, &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message =
            format!("expected text in UTF-8, found other bytes at byte {at}, in line {line}");
        Failure::with_path(path, &message)
    })
}

/// The built-in vocabulary, extended by the files of the user.
fn vocabulary(args: &DetectionArgs) -> Result<Vocabulary, Failure> {
    let mut vocabulary = Vocabulary::default();
    for path in &args.vocabulary {
        let extended = vocabulary.extended(&read_text(path)?);
        vocabulary = extended.map_err(|error| Failure::with_path(path, &error))?;
    }
    if args.also.contains(&Also::OptIn) {
        vocabulary = vocabulary.with_opt_ins();
    }
    if args.also.iter().any(Also::has_code) {
        vocabulary = vocabulary.with_code();
    }
    Ok(vocabulary)
}
