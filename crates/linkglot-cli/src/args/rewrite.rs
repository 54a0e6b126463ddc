//! Arguments of `rewrite`.

use super::config::ConfigArgs;
use super::shared::{DocumentArgs, FileArgs, ReportArgs};
use super::values::{self, named};
use clap::{ArgAction, Args};
use linkglot::link::Nfc;
use linkglot::rewrite::{Form, HostForm, References};
use linkglot::{Charset, Evidence, PlaceKind, QueryCharset};
use linkglot_iri::to_iri;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(next_help_heading = "Conversion")]
pub struct RewriteArgs {
    /// Form of the new links: uri, iri or same
    ///
    /// uri: ASCII only, as the network uses it; iri: as people read it; same: only --map changes links. Required
    /// without rules, --to-charset, --relative-to and --absolute; with any of them the default is `same`.
    #[arg(long, value_name = "FORM", value_parser = named(values::FORMS), hide_possible_values = true)]
    #[arg(required_unless_present_any = ["to_charset", "domains", "map", "map_file", "replace", "unwrap", "relative_to", "absolute"])]
    pub to: Option<Form>,
    /// Write documents in another charset
    ///
    /// Charset declarations change too; links keep their targets. In HTML and XML, characters that LABEL lacks become
    /// character references. A file that cannot be written in LABEL, or would then be read in another charset, fails
    /// and stays. -E names the present charset.
    #[arg(long, value_name = "LABEL", value_parser = values::writable_charset)]
    pub to_charset: Option<Charset>,
    /// Form of hosts: punycode, unicode, percent or keep
    ///
    /// Without this option: punycode with --to uri, unicode with --to iri.
    #[arg(long, value_name = "FORM", value_parser = named(values::HOSTS), hide_possible_values = true)]
    pub host: Option<HostForm>,
    /// Decode for reading: safe or all [default: safe]
    ///
    /// With --to iri. safe leaves everything encoded that could deceive a reader: look-alike hosts, invisible
    /// characters.
    #[arg(long, value_name = "HOW", default_value = "safe", value_parser = named(values::DISPLAYS), hide_short_help = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub display: to_iri::Display,
    /// Charset of non-ASCII characters in http queries: document or utf-8
    ///
    /// Without this option: the charset that browsers use there.
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "CHARSET", value_parser = named(values::QUERIES), hide_possible_values = true)]
    pub query_charset: Option<QueryCharset>,
    /// NFC of links in legacy charsets: auto, always or never
    ///
    /// auto: normalizes in running text and in data formats of XML, as RFC 3987 3.1 requires; in HTML, XHTML, SVG and
    /// CSS, where browsers send the characters as written, a link that NFC would change is left.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = named(values::NFCS), hide_short_help = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub nfc: Nfc,
    /// Rewrite only links at these places
    ///
    /// text, attribute, css, refresh, srcset, element, instruction, doctype, comment, script, link, header, property,
    /// value.
    /// comment turns on reading of comments.
    #[arg(long, value_name = "PLACE", value_delimiter = ',', value_parser = values::place(),
          hide_possible_values = true)]
    pub slots: Vec<PlaceKind>,
    /// In running text, rewrite links at least as sure as LEVEL [default: www]
    ///
    /// From sure to unsure: markup (nothing in running text), enclosed (by brackets or quotes), scheme, www, address
    /// (e-mail), path (a domain with a path, query, fragment or port), name (a domain alone, possibly a file name). A
    /// rule that names the host of a link makes the link as sure as a scheme does. Links that are left have the note
    /// left-name.
    #[arg(long, value_name = "LEVEL", value_parser = named(values::EVIDENCE), hide_possible_values = true,
          hide_short_help = true)]
    pub min_evidence: Option<Evidence>,
    /// Make links to IRI and below relative to their document
    ///
    /// The base (--base) locates the document; rules apply to the base, too. Links in running text stay.
    #[arg(long, value_name = "IRI", value_parser = values::site, hide_short_help = true)]
    pub relative_to: Option<String>,
    /// Make relative links absolute, where the base is known
    #[arg(long, conflicts_with = "relative_to", hide_short_help = true)]
    pub absolute: bool,
    /// Change links that signatures cover, too
    ///
    /// Without this option such links are left, with the note left-signed: mail signed by DKIM or ARC,
    /// multipart/signed, text signed by OpenPGP, signed XML, JSON and scripts.
    #[arg(long, hide_short_help = true)]
    pub break_signatures: bool,
    /// Exit with 1 if a link that should change had to be left
    #[arg(long)]
    pub strict: bool,
    /// Exit with 1 if a host that a rule moved is still mentioned
    ///
    /// Anywhere in the new documents: in comments, scripts, text, with other schemes or ports.
    #[arg(long, hide_short_help = true)]
    pub fail_left_behind: bool,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub destination: DestinationArgs,
    #[command(flatten)]
    pub documents: DocumentArgs,
    #[command(flatten)]
    pub files: FileArgs,
    #[command(flatten)]
    pub report: ReportArgs,
    #[command(flatten)]
    pub config: ConfigArgs,
}

impl RewriteArgs {
    /// The form of the new links.
    pub fn form(&self) -> Form {
        self.to.unwrap_or(Form::Same)
    }

    /// The files of rules, vocabularies and names.
    pub fn option_files(&self) -> impl Iterator<Item = &Path> {
        let vocabularies = self.documents.detection.vocabulary.iter();
        let files = vocabularies.chain(&self.rules.map_file);
        files.chain(&self.files.files_from).map(PathBuf::as_path)
    }

    /// Whether links become relative or absolute.
    pub fn references(&self) -> References {
        match &self.relative_to {
            _ if self.absolute => References::Absolute,
            Some(site) => References::RelativeTo(site.clone()),
            None => References::Keep,
        }
    }
}

/// Rules for links that move.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules (moving a site)")]
pub struct RuleArgs {
    /// Move a domain: links to OLD lead to NEW (repeatable)
    ///
    /// http, https, ws and wss at default ports, in any form of the host, www.OLD, and bare names in text; relative
    /// links stay. OLD and NEW may have a path, NEW a scheme, which links get.
    #[arg(long = "move", value_names = ["OLD", "NEW"], num_args = 2, action = ArgAction::Append)]
    pub domains: Vec<String>,
    /// With --move: mail addresses at OLD, too
    #[arg(long, requires = "domains", hide_short_help = true)]
    pub move_mail: bool,
    /// With --move: blog.OLD becomes blog.NEW
    #[arg(long, requires = "domains", hide_short_help = true)]
    pub move_subdomains: bool,
    /// Links that begin with FROM begin with TO instead (repeatable)
    ///
    /// The longest FROM wins. `re:PATTERN TO` uses a regular expression. See Rules below.
    #[arg(long, value_name = "FROM TO", action = ArgAction::Append)]
    pub map: Vec<String>,
    /// The place of each rule in the configuration file; empty if the rules come from the command line.
    #[arg(skip)]
    pub places: Vec<String>,
    /// The same as --map 'FROM TO' (repeatable)
    #[arg(long, value_names = ["FROM", "TO"], num_args = 2, action = ArgAction::Append, hide_short_help = true)]
    pub replace: Vec<String>,
    /// File with one rule per line; `#` begins a comment (repeatable)
    ///
    /// Or a table of redirects: CSV, JSON, Apache, nginx, Netlify. A path alone (/a) also matches below the origin of
    /// --base.
    #[arg(long, value_name = "FILE", action = ArgAction::Append)]
    pub map_file: Vec<PathBuf>,
    /// Format of --map-file: auto, linkglot, csv, json, apache, nginx or netlify [default: auto]
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = named(values::MAP_FORMATS))]
    #[arg(
        hide_possible_values = true,
        hide_default_value = true,
        hide_short_help = true
    )]
    pub map_format: values::MapFormatChoice,
    /// Replace links of protection services with the original links
    ///
    /// Unwraps Safe Links, URL Defense, redirects of Google and others, even nested, before other rules. A link that
    /// cannot be unwrapped with certainty stays. Nothing is fetched.
    #[arg(long, hide_short_help = true)]
    pub unwrap: bool,
    /// Compare rules with resolved links
    ///
    /// Rules then see relative links too. A relative link that matches becomes absolute.
    /// `find --json` shows each link resolved (`resolved`).
    #[arg(long)]
    pub map_resolved: bool,
    /// Let rules with a query (/?a=1&b=2) match its parameters in any order
    #[arg(long, hide_short_help = true)]
    pub any_query_order: bool,
    /// Let rules change identifiers too
    ///
    /// Identifiers are system identifiers, Atom ids, item types and other names that --to never converts, because they
    /// are compared character by character. Names of XML namespaces stay.
    #[arg(long, hide_short_help = true)]
    pub identifiers: bool,
}

/// Options that exclude `--in-place`: with them clap does not require it.
const NOT_IN_PLACE: [&str; 4] = ["output", "stdout", "check", "diff"];

/// The destination of rewritten documents.
#[derive(Args, Debug)]
#[command(next_help_heading = "Destination (default: a diff)")]
pub struct DestinationArgs {
    /// Print the rewritten document (one PATH only)
    #[arg(long, conflicts_with_all = ["in_place", "output", "dry_run", "json"])]
    pub stdout: bool,
    /// Replace the files
    #[arg(short, long, conflicts_with = "output")]
    pub in_place: bool,
    /// Keep each old file, with SUFFIX added to its name
    ///
    /// With --in-place. A file fails if the name with SUFFIX is taken; files whose names end with SUFFIX are left out.
    #[arg(
        long,
        value_name = "SUFFIX",
        requires = "in_place",
        conflicts_with_all = NOT_IN_PLACE,
        value_parser = values::suffix(),
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    pub backup: Option<OsString>,
    /// Journal of the changes, for `linkglot undo`
    ///
    /// With --in-place. The default is a new file below $XDG_STATE_HOME/linkglot, or ~/.local/state/linkglot.
    #[arg(long, value_name = "FILE", requires = "in_place", conflicts_with_all = NOT_IN_PLACE)]
    pub journal: Option<PathBuf>,
    /// Keep no journal
    #[arg(long, conflicts_with = "journal", hide_short_help = true)]
    pub no_journal: bool,
    /// Write the whole tree below DIR, unchanged files included
    #[arg(short = 'O', long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write nothing; print the diff, and exit with 1 if any file would change
    #[arg(long, conflicts_with_all = ["in_place", "output", "stdout", "dry_run"])]
    pub check: bool,
    /// Form of the diff: text or raw [default: text]
    ///
    /// raw keeps the documents' bytes, for `git apply` and `patch -p1`
    #[arg(long, value_name = "FORM", value_parser = named(values::DIFFS), hide_possible_values = true)]
    #[arg(conflicts_with_all = ["in_place", "output", "stdout", "dry_run", "json"], hide_short_help = true)]
    pub diff: Option<values::DiffForm>,
    /// True if the configuration file gives the form of the diff.
    #[arg(skip)]
    pub diff_is_configured: bool,
    /// Cut diff lines to N columns; 0: no limit [default: 200 on a terminal]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub diff_columns: Option<usize>,
    /// Write nothing; print a table: place, old link, new link
    #[arg(short = 'n', long)]
    pub dry_run: bool,
    /// Write a report of the run as an HTML page
    ///
    /// The page lists numbers by host, charset and note, and each distinct change. It needs no network.
    #[arg(
        id = "html_report",
        long = "report",
        value_name = "FILE",
        conflicts_with = "stdout"
    )]
    pub report: Option<PathBuf>,
    /// With -O, write an index (CDXJ) of the new WARC and ARC files
    // An option that excludes -O would keep -O from being required.
    #[arg(long, value_name = "FILE", requires = "output", value_parser = values::file(), hide_short_help = true)]
    #[arg(conflicts_with_all = ["in_place", "stdout", "check", "diff", "dry_run", "no_containers"])]
    pub cdxj: Option<PathBuf>,
}
