//! Descriptions of the reasons why files are skipped.

use linkglot_files::SkipReason;

/// The description of a reason, with the option that would include the file.
pub fn words(reason: SkipReason) -> String {
    let (one, _, hint) = texts(reason);
    format!("{one}{hint}")
}

/// A number of files skipped for a reason: `1 binary file`.
pub fn count(reason: SkipReason, count: u64) -> String {
    let (one, several, _) = texts(reason);
    format!("{count} {}", if count == 1 { one } else { several })
}

/// The description for one file, for several files, and the option that would include the file.
fn texts(reason: SkipReason) -> (&'static str, &'static str, &'static str) {
    match reason {
        SkipReason::Binary => ("binary file", "binary files", ""),
        SkipReason::VersionControl => (
            "version-control directory",
            "version-control directories",
            "",
        ),
        SkipReason::SymbolicLink => ("symbolic link", "symbolic links", " (`-L` follows it)"),
        SkipReason::NotAFile => ("special file", "special files", " (device, pipe or socket)"),
        SkipReason::Hidden => ("hidden", "hidden", " (`--no-hidden`)"),
        SkipReason::Ignored => ("ignored by git", "ignored by git", " (`--no-gitignore`)"),
        SkipReason::Glob => ("left out by `--glob`", "left out by `--glob`", ""),
        SkipReason::Type => ("left out by `--type`", "left out by `--type`", ""),
        SkipReason::Twice => (
            "already read by another path",
            "already read by other paths",
            "",
        ),
        SkipReason::Temporary => (
            "temporary file of an unfinished run",
            "temporary files of unfinished runs",
            "",
        ),
        SkipReason::Backup => ("backup", "backups", ""),
        SkipReason::Own => ("journal or report", "journals or reports", ""),
        SkipReason::Options => (
            "file of rules or options",
            "files of rules or options",
            " (which this run reads)",
        ),
        SkipReason::Resumed => (
            "rewritten before the run was interrupted",
            "rewritten before the run was interrupted",
            "",
        ),
        SkipReason::Charset => (
            "in a charset that cannot be decoded",
            "in charsets that cannot be decoded",
            " (`-E` reads it in another charset)",
        ),
        _ => ("skipped", "skipped", ""),
    }
}
