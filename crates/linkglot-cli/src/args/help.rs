//! Help: the texts after the options, and the layout.

use clap::Command;
use clap::builder::Resettable;
use linkglot::notes::Note;
use std::ffi::OsString;

/// Lays out the help that the arguments ask for: `-h` has a line for each option, `--help` and `help` have the full
/// text, in two columns too. (clap's own layout sets off each option by blank lines, which makes `help find` too long
/// to read.)
pub fn laid_out(command: Command, arguments: &[OsString]) -> Command {
    let in_full = |argument: &OsString| argument == "--help" || argument == "help";
    if arguments.iter().skip(1).any(in_full) {
        in_two_columns(command).mut_subcommands(in_two_columns)
    } else {
        command
    }
}

fn in_two_columns(command: Command) -> Command {
    let after = command.get_after_long_help().cloned();
    let command = match after {
        Some(after) => command.after_help(after).after_long_help(Resettable::Reset),
        None => command,
    };
    command.mut_args(|argument| {
        // The short help leaves out options for few users; the full help shows them.
        let argument = argument.hide_short_help(false);
        match argument.get_long_help() {
            Some(long) => {
                let paragraphs = long.to_string().replace("\n\n", "\n");
                argument.help(paragraphs).long_help(Resettable::Reset)
            }
            None => argument,
        }
    })
}

pub const SHORT: &str = "\
Examples:
  linkglot find archive/
  linkglot rewrite --to uri archive/             # shows a diff; -i replaces the files
  linkglot rewrite --move old.example https://new.example site/

`linkglot help COMMAND` describes every option of a command.";

/// The format of `--vocabulary` files.
macro_rules! vocabularies {
    () => {
        "\
Vocabularies (--vocabulary FILE):
  One row per line, columns separated by tabs; `#` begins a comment.
    for HTML  ELEMENT ATTRIBUTE SYNTAX ACCESS [CONDITION]
    for XML   NAMESPACE ELEMENT ATTRIBUTE SYNTAX ACCESS [CONDITION]
  SYNTAX: single, space-list, srcset, css, html ... or none. ACCESS: rewrite, rules (only --map \
  changes these links), list (identifiers), opt-in, code or never. Rows of later files go \
  first.
"
    };
}

// Paragraphs are single lines here: clap wraps them to the width of the terminal.
pub const FIND: &str = concat!(
    "\
Output:
  PATH:LINE:COLUMN:LINK, without PATH: for one file or standard input. Lines and columns count \
  from 1, columns in characters. A line break inside a link is printed as \\n or \\r.

JSON (--json): one object per line, told apart by `type`; `linkglot schema` describes every property.
  link     path, format, charset, charset_from, charset_certain, start and end (bytes), line,
           column, place (kind, element, name), raw, text, scheme, uri, iri, resolved (the
           target), label, notes; in mail also part (1.2, or 1.2/content-location for a header
           field), media_type and, in a mailbox, message; start and end delimit the encoded bytes
  count    path, count (with --count, in place of the links)
  file     path, format, charset, charset_from, charset_certain, malformed_at and notes, in mail
           as above (with --charsets, in place of links); text_from (the rest is running text)
  error    path, message
  summary  the last line: numbers of files, links, errors and skipped files

",
    vocabularies!(),
    "
Examples:
  linkglot find archive/                         all links below archive/
  linkglot find -o -u --scheme mailto archive/   each mail address once
  linkglot find -o --kind email notes.txt        addresses written without mailto:
  linkglot find --join-wrapped mail.txt          also links that are broken over two lines
  linkglot find --non-ascii --as uri page.html   non-ASCII links, as sent to servers
  linkglot find --json page.html | jq -r '.uri // empty'
  linkglot find --charsets archive/              the charset of each file and part of mail
  linkglot find -t html -g '!site/old/**' site/  HTML files except those below site/old/
  curl -s https://example.org/ | linkglot find --format html --base https://example.org/

Exit code: 0 links found, 1 none found, 2 wrong usage or nothing could be read, 3 some files \
could not be read, 130 interrupted."
);

pub const CHARSETS: &str = "\
Output:
  One charset per line: its name, the way in which its documents are read, its labels. Case, punctuation and leading zeros of \
  numbers do not matter in labels: cp_0437 is cp437.
  as-is    byte by byte: the charset is a superset of ASCII
  decoded  decoded piece by piece
  never    not at all; browsers refuse these charsets

JSON (--json): one object per line with type (charset), name, read, labels.

Examples:
  linkglot charsets | grep -i mac
  linkglot charsets --json | jq -r .name";

pub const SCHEMA: &str = "\
Every line that `--json` prints is one of these objects. Most have a `type`; the last objects of `find`, `rewrite` and `undo` have the \
type `summary`, those of `convert`, `explain` and `compare` have none. Objects keep their properties within a major \
version; new ones may come, and new values of those with a list of values.

Examples:
  linkglot schema > linkglot.schema.json
  linkglot schema link | jq -r '.[\"$defs\"].link.properties | keys[]'";

pub const UNDO: &str = "\
Restored files are listed on standard output, the last file of the run first; messages go to standard error.
A file that failed, for example on a full disk, can be restored later: run the same command again.

Journals of your own runs on this machine are trusted wherever they are: their lines are sealed with the key \
journal.key below $XDG_STATE_HOME/linkglot, or ~/.local/state/linkglot. --trust accepts any other journal, such as a journal \
that came with an archive. Such a journal changes files below the directory that it names, if that is the current directory \
or below it; otherwise below the current directory. Symbolic links are not followed.

Exit code: 0 all files have their old content, 2 nothing could be done, 3 done except for some files that failed.";

pub const RESUME: &str = "\
The run is repeated with the same arguments in the same directory. Its journal must therefore come from one of your own \
runs on this machine; `resume` always refuses any other. `linkglot undo --trust` undoes the changes that such a journal \
records.";

pub const REWRITE: &str = concat!(
    "\
Results:
  Standard input is rewritten to standard output. For files a diff is shown, in Unicode whatever \
  their charset, and nothing is written unless -i, -O or --stdout says where.
  Only links change (with --to-charset all of the document); every other byte is copied. A link that would point elsewhere, or that \
  cannot be written in the document's charset, is left unchanged: -v, -n and --json list it with \
  the reason. A link that contains template code ({{ }}, {% %}, ${ }, <? ?>, <% %>, <# >, \
  in text {name}) is left, except that rules may change the part before it.
  -i writes a temporary file next to each file, syncs it and renames it, so that a file is either \
  unchanged or completely rewritten. Mode, owner, times, access control lists and extended \
  attributes are kept, and a message names any that cannot be; setuid is dropped if the owner cannot be kept. -i \
  needs a PATH. A file with several names (hard links) is rewritten once and stays linked. Symbolic \
  links below PATH are not followed unless -L is given; -L replaces the files that they point to. \
  The next -i removes temporary files of a killed run. `linkglot undo` undoes a run, `linkglot resume` \
  continues an interrupted run, `linkglot runs` lists runs.
  -O copies the whole tree, including unchanged and binary files and symbolic links. A single directory \
  PATH becomes DIR; several PATHs keep their last names, files from a list their paths.

Rules:
  --move OLD NEW moves a whole domain, or a part of it, with its www. and every scheme of the Web. The table of \
  mentions left behind names the option that would reach each of them, if there is one.
  --map 'FROM TO' changes links that begin with FROM, up to the end of a component: http://a/b \
  matches http://a/b, http://a/b/c and http://a/b?x, but not http://a/bc. Links match in any \
  spelling (HTTP://Old.Example:80/%7Ex for http://old.example/~x). FROM without a scheme matches http \
  and https. In --map 're:PATTERN TO', $1 or ${name} in TO stands for a group of the regular \
  expression.
  Rules are applied before --to; if none matches a link as written, they are tried on its new form.
  A rule for http://host/ or https://host/ also matches //host/. Other relative links move with \
  their site and stay unchanged, unless --map-resolved is given.
  <base href> and xml:base change only by a rule that moves a whole origin to another.

",
    vocabularies!(),
    "
Examples:
  linkglot rewrite --to uri archive/                      show the changes as a diff
  linkglot rewrite --to uri -n archive/                   the same as a table
  linkglot rewrite --to uri --in-place archive/           replace the files
  linkglot rewrite --to uri -O converted archive/         write a changed copy
  linkglot rewrite --to iri page.html --stdout            the readable form
  linkglot rewrite --move old.example https://new.example -i site/
  linkglot rewrite --map 'http://old.example/ https://new.example/' -i site/
  linkglot rewrite --map 're:^/wiki/(\\d+)\\.html$ /page/$1' site/
  linkglot rewrite --to-charset utf-8 -i old/             convert documents to UTF-8
  linkglot undo                                           undo the last -i

Exit code: 0 done, 1 with --strict if a link was left unchanged, with --check if a file would change, with \
--fail-left-behind if a moved host is still mentioned, 2 wrong usage or nothing could be done, 3 (rather than 1) done except for some files that failed, 130 interrupted."
);

pub const CONVERT: &str = "\
One line of output for each identifier. An identifier that cannot be mapped gives an error on \
standard error instead. With --json each identifier gives an object, errors included; with --preprocess the object is \
{\"input\":...,\"references\":[...]} with an object for each reference found.

Identifiers are checked only as far as mapping needs: a misplaced `%`, `#`, `[` or `]` stays. \
A valid IRI becomes a valid URI. `linkglot explain` tells if an identifier is valid.

Examples:
  linkglot convert --to uri 'http://r\u{e9}sum\u{e9}.example/\u{e9}'
  linkglot convert --to iri http://xn--rsum-bpad.example/%C3%A9
  linkglot convert --to uri --base http://example.org/a/ ../\u{e9}
  linkglot convert --to normal --level path HTTP://Example.org/a/./b/../c
  linkglot convert --to uri -E iso-8859-1 --query-charset document < links.txt
  linkglot convert --to uri --preprocess split --character-references xml ' /a  /&#233; '

Exit code: 0 all were mapped, 1 some were not, 2 wrong usage.";

pub const COMPARE: &str = "\
Prints `same:` and the first rung of the comparison ladder (RFC 3987 5.3) on which A and B are the \
same, or `different:` and the first component in which they differ, with the normal form of both.
  string   character by character
  case     the case of scheme, host and hexadecimal digits (%c3, %C3)
  percent  percent-encoding of unreserved characters (%7E, ~) and of characters beyond ASCII
  path     . and .. segments
  scheme   default ports, empty paths, names of hosts in Unicode and in punycode
Reserved characters differ from their encoded forms (/ and %2F). Characters are not normalized: \
\u{e9} differs from e with a combining accent (U+0301); only those that come from a charset other \
than Unicode (-E) are.

JSON (--json): a and b (resolved, with --base), same, rung, component, values (of the component, in both)

Examples:
  linkglot compare http://example.org/%7euser http://EXAMPLE.org/~user
  linkglot compare --base http://example.org/a/ ../b /b

Exit code: 0 the same, 1 different, 2 wrong usage.";

/// The help of `explain`: every code with its description.
pub fn explain() -> String {
    let rows = in_words(&Note::ALL);
    format!("Codes of notes and warnings, the same for all commands:\n{rows}\n{EXPLAIN}")
}

/// A line for each note: its code and its description.
fn in_words(notes: &[Note]) -> String {
    let mut notes = notes.to_vec();
    notes.sort_by_key(|note| note.code());
    let row = |note: &Note| format!("  {:<26}{}\n", note.code(), note.words());
    notes.iter().map(row).collect()
}

/// The help of `find --warn`.
pub fn warn() -> String {
    let codes = Note::WARNINGS.map(Note::code).join(", ");
    format!(
        "Only links with one of these warnings; any: with at least one\n\n\
         Warnings are about what could deceive a reader: {codes}. See `linkglot help explain`."
    )
}

const EXPLAIN: &str = "\
Text without a scheme is explained as a relative reference, and as a link if `find` lists it.

Examples:
  linkglot explain http://xn--rsum-bpad.example/%C3%A9
  linkglot explain --json < links.txt

Exit code: 0 all are valid, 1 some are invalid, 2 wrong usage.";

#[cfg(test)]
mod tests {
    use super::super::Args;
    use clap::CommandFactory;

    /// Options hide their possible values from the layout only if the help names each value.
    #[test]
    fn help_names_every_value() {
        let command = Args::command();
        for command in command.get_subcommands() {
            for argument in command.get_arguments() {
                let help = argument.get_long_help().or(argument.get_help());
                let help = help.map_or(String::new(), ToString::to_string);
                let shown = !argument.is_hide_possible_values_set();
                let values = argument.get_possible_values().into_iter();
                for value in values.filter(|value| !value.is_hide_set()) {
                    let name = value.get_name();
                    let id = argument.get_id();
                    assert!(shown || help.contains(name), "{id}: {name}");
                }
            }
        }
    }
}
