//! The lines below a diff, on standard error: the numbers of changes, and the command that writes them.

use crate::args::{DiffForm, RewriteArgs};
use crate::output::number;
use crate::totals::Totals;

/// The command that writes what a diff shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Command of the run with `-i`.
    InPlace,
    /// Command of the run with `-i` in place of `--check`.
    NoCheck,
    /// A command that applies the diff.
    Apply,
    /// No command: the input is not a file.
    Nothing,
}

impl Next {
    pub fn new(args: &RewriteArgs, reads_stdin: bool) -> Self {
        match &args.destination {
            _ if reads_stdin => Next::Nothing,
            destination if destination.diff == Some(DiffForm::Raw) => Next::Apply,
            destination if destination.check => Next::NoCheck,
            _ => Next::InPlace,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Next::InPlace => "; add -i to write them, -n lists them",
            Next::NoCheck => "; -i in place of --check writes them",
            Next::Apply => "; `git apply` or `patch -p1` writes them",
            Next::Nothing => "",
        }
    }

    /// The words for changes of which some are in archives. Archives of the web are not written in place.
    fn words_for(self, totals: &Totals) -> String {
        const NEW: &str = "; -O DIR writes a new archive of the web";
        let words = self.words().to_owned();
        let web_pages = totals.web_pages_with_changes;
        if web_pages > 0 && web_pages == totals.files_with_changes {
            return NEW.to_owned();
        }
        let words = match totals.entries_changed {
            entries if self != Next::Apply || entries == 0 => words,
            all if all == totals.files_changed => {
                "; the diff leaves out archives, which -i writes".to_owned()
            }
            entries => {
                let entries = number(entries, "file");
                format!("{words}, but for {entries} in archives, which -i writes")
            }
        };
        match web_pages {
            0 => words,
            _ => words + NEW,
        }
    }
}

/// The lines below the diffs of a run.
pub fn footer(totals: &Totals, next: Next, verbose: bool) -> String {
    let (changed, transcoded) = (totals.changed, totals.transcoded);
    let mut parts = Vec::new();
    if changed > 0 {
        let (links, files) = (
            number(changed, "link"),
            number(totals.files_with_changes, "file"),
        );
        parts.push(format!("{links} would change in {files}"));
    }
    if transcoded > 0 {
        let files = number(transcoded, "file");
        parts.push(format!("{files} would change to another charset"));
    }
    let mut text = match parts.is_empty() {
        false => parts.join(", ") + &next.words_for(totals) + "\n",
        // The errors are the explanation.
        true if totals.errors > 0 => String::new(),
        true => "nothing would change\n".to_owned(),
    };
    text.push_str(&totals.left_links(verbose));
    // The diff does not show that they are missing.
    text.push_str(&totals.skipped(verbose));
    text
}
