//! Real documents for benchmarks.

use std::path::{Path, PathBuf};

/// The documents with an extension below `corpora/fetched` (or `LINKGLOT_CORPUS`), or those of the repository if
/// nothing was fetched; repeated until they have `least` bytes. If there are more than `most` bytes, documents are left
/// out at regular intervals.
pub fn documents(extensions: &[&str], least: usize, most: usize) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora");
    let fetched = std::env::var_os("LINKGLOT_CORPUS").map_or(root.join("fetched"), PathBuf::from);
    let mut paths = Vec::new();
    collect(&fetched, extensions, &mut paths);
    if paths.is_empty() {
        collect(&root, extensions, &mut paths);
    }
    paths.sort();
    let sizes = paths.iter().filter_map(|path| path.metadata().ok());
    let all: usize = sizes.map(|file| file.len() as usize).sum();
    let mut documents: Vec<Vec<u8>> = Vec::new();
    let mut total = 0;
    for path in paths.into_iter().step_by(all.div_ceil(most).max(1)) {
        if let Ok(bytes) = std::fs::read(&path) {
            total += bytes.len();
            documents.push(bytes);
        }
    }
    let once = documents.len();
    while once > 0 && total < least {
        let again = documents[documents.len() - once].clone();
        total += again.len().max(1);
        documents.push(again);
    }
    documents
}

fn collect(folder: &Path, extensions: &[&str], paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, extensions, paths),
            Ok(kind) if kind.is_file() && has_extension(&path, extensions) => paths.push(path),
            _ => {}
        }
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .is_some_and(|found| extensions.iter().any(|e| found == *e))
}
