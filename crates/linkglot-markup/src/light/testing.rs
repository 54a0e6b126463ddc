//! Comparison of documents in parts with documents as a whole.

use super::{LineSettings, Piece, Raw};
use crate::TextSlots;
use linkglot_charset::span::TextSpan;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The pieces of a document, as text that can be compared.
pub(super) type Pieces = Vec<(Range<usize>, String)>;

/// A piece of a part that begins at `shift`.
pub(super) fn described(piece: &Piece<'_>, shift: usize) -> (Range<usize>, String) {
    let (range, text) = match &piece.raw {
        Raw::Range(range) => (range.clone(), None),
        Raw::Gathered(at, text) => {
            let places: Vec<Range<usize>> = (0..text.text().len())
                .filter(|at| text.text().is_char_boundary(*at))
                .map(|at| text.source(TextSpan::new(at, at)))
                .collect();
            (*at..*at, Some((text.text().to_owned(), places)))
        }
    };
    let (syntax, place, access) = (piece.syntax, &*piece.place, piece.access);
    let rest = format!(
        "{text:?} {syntax:?} {place:?} {access:?} {:?} {:?}",
        piece.escaping, piece.implied
    );
    (range.start + shift..range.end + shift, rest)
}

/// Settings that read everything.
pub(super) fn settings() -> LineSettings {
    LineSettings {
        text: TextSlots::All,
        ..LineSettings::default()
    }
}

/// Fails unless a document in parts has the pieces of the whole.
#[track_caller]
pub(super) fn compare(text: &str, slice: usize, pieces: &Pieces, whole: &Pieces) {
    if pieces != whole {
        let differs = pieces.iter().zip(whole).find(|(one, other)| one != other);
        panic!(
            "in slices of {slice}: {differs:?}, {} and {} pieces of\n{text}",
            pieces.len(),
            whole.len()
        );
    }
}

/// The documents of a format in the corpora, and below the folder that a variable of the environment names.
pub(super) fn documents(extension: &str, variable: &str) -> Vec<String> {
    let mut files = Vec::new();
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
    collect(&corpora, extension, &mut files);
    if let Some(folder) = std::env::var_os(variable) {
        collect(Path::new(&folder), extension, &mut files);
    }
    let read = |path: &PathBuf| {
        println!("{}", path.display());
        fs::read(path).ok()
    };
    let files = files.iter().filter_map(read);
    files
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .collect()
}

fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            collect(&path, extension, files);
        } else if path.extension().is_some_and(|own| own == extension) {
            files.push(path);
        }
    }
}
