//! Remedies: codes of hints in error messages.

use linkglot::{Error, ErrorKind};
use std::error::Error as _;
use std::fmt;

/// A remedy for an error, stored as the source of the error. Each front offers the remedy in its own words, because it
/// has options of its own.
///
/// ```
/// use linkglot_files::{Remedy, find_run};
///
/// let Err(error) = find_run("no such run".as_ref()) else { panic!("an error") };
/// assert_eq!(Remedy::of(&error), Some(Remedy::ListRuns));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Trust a foreign journal, below the directory of the files ([`Trust::Anybody`](crate::Trust::Anybody)).
    TrustJournal,
    /// Undo the changes of the run, although the file changed after it.
    Force,
    /// Keep the journal in a named file.
    NameJournal,
    /// Keep the journal in another file, or keep none.
    OtherJournal,
    /// Keep no journal.
    NoJournal,
    /// Follow symbolic links.
    FollowLinks,
    /// Replace the files.
    InPlace,
    /// Choose from the list of runs.
    ListRuns,
    /// Allow more decompressed data ([`Limits::ratio`](crate::Limits)).
    MaxRatio,
    /// Allow more containers in each other ([`Limits::depth`](crate::Limits)).
    MaxDepth,
    /// Write to another place.
    OtherPlace,
}

impl Remedy {
    /// The remedy for an error.
    pub fn of(error: &Error) -> Option<Remedy> {
        error.source()?.downcast_ref().copied()
    }

    /// An error of the file system with this remedy.
    pub(crate) fn for_error(self, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Io, message).with_source(self)
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Remedy::TrustJournal => "the journal can be trusted",
            Remedy::Force => "the changes can be undone anyway",
            Remedy::NameJournal => "a file for the journal may be named",
            Remedy::OtherJournal => "another file may be named for the journal, or none",
            Remedy::NoJournal => "no journal needs to be kept",
            Remedy::FollowLinks => "symbolic links may be followed",
            Remedy::InPlace => "the files may be replaced",
            Remedy::ListRuns => "the runs may be listed",
            Remedy::MaxRatio => "more decompressed data may be allowed",
            Remedy::MaxDepth => "deeper containers may be allowed",
            Remedy::OtherPlace => "a new file may be written to another place",
        })
    }
}

impl std::error::Error for Remedy {}
