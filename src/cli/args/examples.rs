//! Examples for the help.

use linkglot::iri::WarningKind;
use linkglot::report::Note;

pub const SHORT: &str = "\
Examples:
  linkglot find archive/
  linkglot rewrite --to uri archive/             # a diff; -i replaces the files
  linkglot rewrite --to same --map 'http://old.example/ https://new.example/' site/
  linkglot convert --to uri 'http://r\u{e9}sum\u{e9}.example/\u{e9}'

`linkglot help COMMAND` says all about a command.";

pub const FIND: &str = "\
Output:
  PATH:LINE:COLUMN:LINK, without PATH: for one file or standard input. LINE and COLUMN count from 1,
  COLUMN in characters. A line end inside a link is printed as \\n or \\r.
  --json prints objects of the types `link`, `error` and, as the last, `summary`. A link's `place`
  says kind, element and attribute (`name`), and where there are any their namespaces (`namespace`,
  `name_namespace`) and the nested documents that lead to it (`nesting`); `resolved` is what it points to, where <base href> (in the first 64 KiB),
  xml:base or --base says so.

Vocabularies:
  A line of a --vocabulary FILE is a row of columns parted by tabs, or a comment behind `#`:
  ELEMENT ATTRIBUTE SYNTAX ACCESS [CONDITION] for HTML, the same behind a NAMESPACE for XML. SYNTAX
  is single, space-list, srcset, css, html ... or none; ACCESS is rewrite, rules (only --map
  changes them), list (identifiers), opt-in or never. A row of a later file goes before one of an
  earlier, and all of them before the built-in ones for the same element.

Examples:
  linkglot find archive/                         every link below archive/
  linkglot find -o -u --scheme mailto archive/   every mail address once
  linkglot find -o --kind email notes.txt        addresses that are written without mailto:
  linkglot find --join-wrapped mail.txt          links that were cut in two at a line's end, too
  linkglot find --non-ascii --as uri page.html   what is sent for links that are not ASCII
  linkglot find --json page.html | jq .uri
  linkglot find -t html -g '!old/**' site/       HTML files, not those below old/
  curl -s https://example.org/ | linkglot find --format html --base https://example.org/

Exit code: 0 links were found, 1 none, 2 usage or nothing could be read, 3 some files could not be
read, 130 after an interrupt.";

pub const REWRITE: &str = "\
Standard input is rewritten to standard output. Of files a diff is shown, and nothing is written,
until --in-place, --output or --stdout says where to. The diff is in Unicode, whatever the charset
of the documents.

Nothing but the links changes: every other byte is copied as it is. A link that could not keep what
it points to, or that could not be written in the document's charset, is left as it was; -v, -n and
--json tell which and why.

--in-place writes a temporary file beside the file, syncs it and renames it, so that each file is
either as it was or completely rewritten; mode, owner and times are kept, extended attributes are
not. Symbolic links are replaced only with -L, and then the file that they name.

--output DIR makes the whole tree anew: files that do not change, binary files and symbolic links
are copied as they are, directories keep their modes. What is in a single directory PATH goes right
below DIR; several PATHs go there by their last names, files of a list by their whole paths.

Rules:
  --map 'FROM TO' changes links that begin with FROM, up to the end of a component: `http://a/b`
  matches http://a/b, http://a/b/c and http://a/b?x, not http://a/bc. Scheme and host match in any
  case. --map 're:PATTERN TO' is a regular expression; $1 or ${name} in TO stands for a group.
  Rules are applied before --to, and to the form that it gives of a link that none names as it is
  written. A rule for http://host/ or https://host/ also holds for //host/, which stays without a
  scheme where that means the same. Other relative links are left alone, for they move with their
  site; with --map-resolved they are looked at as what they resolve to, and those that match become
  absolute; so are links in another spelling: HTTP://Old.Example:80/%7Ex for http://old.example/~x.

Templates:
  A link with code of a template ({{ }}, {% %}, ${ }, <? ?>, <% %>, <# >, in text {name}) is left as
  it was, with the note left-template; rules may change what stands in front of the code.

Vocabularies:
  A line of a --vocabulary FILE is a row of columns parted by tabs, or a comment behind `#`:
  ELEMENT ATTRIBUTE SYNTAX ACCESS [CONDITION] for HTML, the same behind a NAMESPACE for XML. SYNTAX
  is single, space-list, srcset, css, html ... or none; ACCESS is rewrite, rules (only --map
  changes them), list (identifiers), opt-in or never. A row of a later file goes before one of an
  earlier, and all of them before the built-in ones for the same element.

Examples:
  linkglot rewrite --to uri archive/                      what would change, as a diff
  linkglot rewrite --to uri --in-place archive/           do it
  linkglot rewrite --to uri -O converted archive/         do it to a copy
  linkglot rewrite --to iri page.html --stdout            the display form, on standard output
  linkglot rewrite --to iri < page.html > new.html        the same
  linkglot rewrite --to uri -n archive/                   a table: place, old link, new link
  linkglot rewrite --to same --map 'http://old.example/ https://new.example/' -i site/
  linkglot rewrite --to same --map 're:^/wiki/(\\d+)\\.html$ /page/$1' site/
  linkglot rewrite --to uri --slots attribute,srcset -E windows-1251 -i old/

Exit code: 0 done, 1 with --strict when a link was left, 2 usage or nothing could be done, 3 done
but for some files that failed, 130 after an interrupt.";

pub const CONVERT: &str = "\
One line of output for each argument or line of input. One that cannot be mapped prints nothing but
an error on standard error. With --json every one has an object, those that fail too; with
--preprocess too that is {\"input\":...,\"references\":[...]} with an object for each reference found.

Nothing is checked but what stands in the way of mapping: `%`, `#`, `[` and `]` stay wherever they
are, and a valid IRI becomes a valid URI. `linkglot explain` says whether an identifier is valid.

Examples:
  linkglot convert --to uri 'http://r\u{e9}sum\u{e9}.example/\u{e9}'     http://xn--rsum-bpad.example/%C3%A9
  linkglot convert --to iri http://xn--rsum-bpad.example/%C3%A9
  linkglot convert --to uri --base http://example.org/a/ ../\u{e9}
  linkglot convert --to normal --level path HTTP://Example.org/a/./b/../c
  linkglot convert --to uri -E iso-8859-1 --query-charset document < links.txt
  linkglot convert --to uri --preprocess split --character-references xml ' /a  /&#233; '

Exit code: 0 all were mapped, 1 some could not be, 2 usage.";

/// With all codes in words.
pub fn explain() -> String {
    let mut codes: Vec<(&str, &str)> = Note::ALL
        .iter()
        .map(|note| (note.code(), note.words()))
        .collect();
    let warnings = WarningKind::ALL.map(|kind| (kind.code(), kind.words()));
    for (code, words) in warnings {
        if codes.iter().all(|(known, _)| *known != code) {
            codes.push((code, words));
        }
    }
    codes.sort_unstable();
    let mut text = String::from("The codes of notes and warnings, as all commands have them:\n");
    for (code, words) in codes {
        text += &format!("  {code:<26}{words}\n");
    }
    text + "\n" + EXPLAIN
}

const EXPLAIN: &str = "\
Examples:
  linkglot explain http://xn--rsum-bpad.example/%C3%A9
  linkglot explain --json < links.txt

Exit code: 0 all are valid, 1 some are not, 2 usage.";
