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
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(next_help_heading = "What links become")]
pub struct RewriteArgs {
    /// Form of the new links: uri, iri or same
    ///
    /// uri: ASCII only, as the network uses it; iri: as people read it; same: only --map changes links. With
    /// rules, --to-charset, --relative-to or --absolute this option may be left out; it is `same` then.
    #[arg(long, value_name = "FORM", value_parser = named(values::FORMS), hide_possible_values = true)]
    #[arg(required_unless_present_any = ["to_charset", "map", "map_file", "replace", "unwrap", "relative_to", "absolute"])]
    pub to: Option<Form>,
    /// Write documents in another charset
    ///
    /// Declarations change with it, and links keep their targets. In HTML and XML, what LABEL lacks becomes a
    /// character reference. A file that cannot be written so, or would be read in another charset, fails and
    /// stays. -E names the charset that documents have.
    #[arg(long, value_name = "LABEL", value_parser = values::writable_charset)]
    pub to_charset: Option<Charset>,
    /// Form of hosts: punycode, unicode, percent or keep
    ///
    /// Without this option: punycode with --to uri, unicode with --to iri.
    #[arg(long, value_name = "FORM", value_parser = named(values::HOSTS), hide_possible_values = true)]
    pub host: Option<HostForm>,
    /// Decode for reading: safe or all [default: safe]
    ///
    /// With --to iri. safe leaves encoded whatever could deceive a reader: look-alike hosts, invisible
    /// characters.
    #[arg(long, value_name = "HOW", default_value = "safe", value_parser = named(values::DISPLAYS), hide_short_help = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub display: to_iri::Display,
    /// Charset of non-ASCII characters in http queries: document or utf-8
    ///
    /// Without this option: the charset that browsers use at that place.
    #[arg(long, value_name = "CHARSET", value_parser = named(values::QUERIES), hide_possible_values = true)]
    pub query_charset: Option<QueryCharset>,
    /// NFC of links in legacy charsets: auto, always or never
    ///
    /// auto: in running text and in data formats of XML, as RFC 3987 3.1 has it; in HTML, XHTML, SVG and CSS,
    /// where browsers send what stands there, a link that NFC would change is left.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = named(values::NFCS), hide_short_help = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub nfc: Nfc,
    /// Rewrite only links at these places
    ///
    /// text, attribute, css, refresh, srcset, element, instruction, doctype, comment, script, link, header, property.
    /// comment has comments read.
    #[arg(long, value_name = "PLACE", value_delimiter = ',', value_parser = values::place(),
          hide_possible_values = true)]
    pub slots: Vec<PlaceKind>,
    /// In running text, rewrite links at least as sure as LEVEL [default: www]
    ///
    /// From sure to unsure: markup (only places of markup and of formats), enclosed (by brackets or quotes), scheme,
    /// www, address (e-mail), path (a domain with a path, query, fragment or port), name (a domain alone: it may be the
    /// name of a file). A rule that names the host of a link makes it as sure as one with a scheme. What is left has
    /// the note left-name.
    #[arg(long, value_name = "LEVEL", value_parser = named(values::EVIDENCE), hide_possible_values = true,
          hide_short_help = true)]
    pub min_evidence: Option<Evidence>,
    /// Make links to IRI and below relative to their document
    ///
    /// The base of the document (--base) says where it is; rules move it, too. Links in running text stay.
    #[arg(long, value_name = "IRI", value_parser = values::site, hide_short_help = true)]
    pub relative_to: Option<String>,
    /// Make relative links absolute, where the base is known
    #[arg(long, conflicts_with = "relative_to", hide_short_help = true)]
    pub absolute: bool,
    /// Change links that signatures cover, too
    ///
    /// Such links are left otherwise, with the note left-signed: what DKIM and ARC sign in mail,
    /// multipart/signed, text that OpenPGP signs, signed XML.
    #[arg(long, hide_short_help = true)]
    pub break_signatures: bool,
    /// Exit with 1 if any link that should change had to be left
    #[arg(long)]
    pub strict: bool,
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
    /// Links that begin with FROM begin with TO instead (repeatable)
    ///
    /// The longest FROM wins. `re:PATTERN TO` is a regular expression. See Rules below.
    #[arg(long, value_name = "FROM TO", action = ArgAction::Append)]
    pub map: Vec<String>,
    /// The place of each rule in the configuration file; empty if the rules are those of the command line.
    #[arg(skip)]
    pub places: Vec<String>,
    /// The same as --map 'FROM TO' (repeatable)
    #[arg(long, value_names = ["FROM", "TO"], num_args = 2, action = ArgAction::Append, hide_short_help = true)]
    pub replace: Vec<String>,
    /// File with one rule per line; `#` begins a comment (repeatable)
    ///
    /// Or a table of redirects: CSV (old,new), Apache (Redirect, text of a RewriteMap), nginx (map). A path alone
    /// (/a) is one below the origin of --base, too.
    #[arg(long, value_name = "FILE", action = ArgAction::Append)]
    pub map_file: Vec<PathBuf>,
    /// Format of --map-file: auto, linkglot, csv, apache or nginx [default: auto]
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = named(values::MAP_FORMATS))]
    #[arg(
        hide_possible_values = true,
        hide_default_value = true,
        hide_short_help = true
    )]
    pub map_format: values::MapFormatChoice,
    /// Replace links of protection services with the links behind them
    ///
    /// Safe Links, URL Defense, redirects of Google and others, also one behind the other, before other rules. What
    /// cannot be read with certainty stays, with a note. Nothing is fetched.
    #[arg(long, hide_short_help = true)]
    pub unwrap: bool,
    /// Compare rules with what links resolve to
    ///
    /// Rules then see relative links too. One that matches becomes absolute.
    /// `find --json` shows what each link resolves to (`resolved`).
    #[arg(long)]
    pub map_resolved: bool,
    /// Let rules change identifiers too
    ///
    /// Namespaces, system identifiers, Atom ids, item types and other names that are never converted to another form,
    /// because they are compared character by character.
    #[arg(long)]
    pub identifiers: bool,
}

/// The destination of rewritten documents.
#[derive(Args, Debug)]
#[command(next_help_heading = "Where results go (otherwise: a diff)")]
pub struct DestinationArgs {
    /// Print the one rewritten document
    #[arg(long, conflicts_with_all = ["in_place", "output", "dry_run", "json"])]
    pub stdout: bool,
    /// Replace the files
    #[arg(short, long, conflicts_with = "output")]
    pub in_place: bool,
    /// Keep each old file under its name with SUFFIX
    ///
    /// With --in-place. A file whose name with SUFFIX is taken fails; files whose names end with SUFFIX are left out.
    #[arg(
        long,
        value_name = "SUFFIX",
        requires = "in_place",
        value_parser = values::suffix(),
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    pub backup: Option<OsString>,
    /// Journal of the changes, for `linkglot undo`
    ///
    /// With --in-place. Without this option it is kept below $XDG_STATE_HOME/linkglot, or ~/.local/state/linkglot.
    #[arg(
        long,
        value_name = "FILE",
        requires = "in_place",
        hide_short_help = true
    )]
    pub journal: Option<PathBuf>,
    /// Keep no journal
    #[arg(
        long,
        conflicts_with = "journal",
        requires = "in_place",
        hide_short_help = true
    )]
    pub no_journal: bool,
    /// Write the whole tree below DIR, unchanged files included
    #[arg(short = 'O', long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write nothing; print the diff, and exit with 1 if any file would change
    #[arg(long, conflicts_with_all = ["in_place", "output", "stdout", "dry_run"])]
    pub check: bool,
    /// Form of the diff: text or raw [default: text]
    ///
    /// raw has the documents' bytes, for `git apply` and `patch -p1`
    #[arg(long, value_name = "FORM", value_parser = named(values::DIFFS), hide_possible_values = true)]
    #[arg(conflicts_with_all = ["in_place", "output", "stdout", "dry_run", "json"], hide_short_help = true)]
    pub diff: Option<values::DiffForm>,
    /// Cut longer lines of the diff; 0: none [default: 200 on a terminal]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub diff_columns: Option<usize>,
    /// Write nothing; print a table: place, old link, new link
    #[arg(short = 'n', long)]
    pub dry_run: bool,
    /// Write a report of the run, an HTML page
    ///
    /// With the numbers by host, charset and note, and each distinct change. The page needs no network.
    #[arg(
        id = "html_report",
        long = "report",
        value_name = "FILE",
        conflicts_with = "stdout",
        hide_short_help = true
    )]
    pub report: Option<PathBuf>,
}
