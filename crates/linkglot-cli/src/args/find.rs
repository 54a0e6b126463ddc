//! Arguments of `find`.

use super::config::ConfigArgs;
use super::help;
use super::shared::{DocumentArgs, FileArgs, ReportArgs};
use super::values::{self, Kind, Warn, named};
use clap::{Args, ValueEnum};
use linkglot::Evidence;
use linkglot_files::filter::{Filter, HostPattern, Reference, Side};

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct FindArgs {
    /// Print the links alone, without file, line and column
    #[arg(short, long, conflicts_with_all = ["count", "files_with_links", "json"])]
    pub only_links: bool,
    /// Print links in this form: raw, text, uri or iri [default: text]
    ///
    /// raw: the bytes of the source; text: unescaped; uri and iri: as `rewrite --min-evidence name` would write the
    /// link, with its implied scheme (a link without that form is printed as text).
    #[arg(long = "as", value_enum, default_value_t = Form::Text, value_name = "FORM",
          conflicts_with_all = ["count", "files_with_links", "json"])]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub form: Form,
    /// Print the number of links of each file that has any
    #[arg(short, long, conflicts_with = "files_with_links")]
    pub count: bool,
    /// Print the names of files that have links
    #[arg(short = 'l', long, conflicts_with_all = ["json", "unique"])]
    pub files_with_links: bool,
    /// Print the charset of each file or part of mail and its source, in place of the links
    #[arg(long, conflicts_with_all = ["only_links", "form", "count", "files_with_links", "unique"])]
    pub charsets: bool,
    /// Print a table of the hosts that links lead to, in place of the links
    #[arg(long, conflicts_with_all = ["only_links", "form", "count", "files_with_links", "unique", "charsets"])]
    pub by_host: bool,
    /// Print each link once (with --count: once for each file)
    #[arg(short, long)]
    pub unique: bool,
    /// Enclose links with right-to-left characters in isolates (U+2066, U+2069)
    ///
    /// Text around an isolate keeps its order. The default on a terminal.
    #[arg(long, conflicts_with_all = ["count", "files_with_links", "json"], hide_short_help = true)]
    pub isolate: bool,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub documents: DocumentArgs,
    #[command(flatten)]
    pub files: FileArgs,
    #[command(flatten)]
    pub report: ReportArgs,
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// Filters for links.
#[derive(Args, Debug)]
#[command(next_help_heading = "Link filters")]
pub struct FilterArgs {
    /// Only links with one of these schemes
    ///
    /// `www.example.org` counts as https, an e-mail address as mailto.
    #[arg(long, value_name = "SCHEME", value_delimiter = ',', value_parser = values::scheme)]
    pub scheme: Vec<String>,
    /// Only links of these kinds, or at these places
    ///
    /// Kinds: iri (has a scheme), domain and email (running text without a scheme). Places: text, attribute, css,
    /// refresh, srcset, element, instruction, doctype, comment, script, link, header, property, value. Given both, a
    /// link must match a kind and a place. comment turns on reading of comments; doctype lists the identifiers there.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = values::kind(),
          hide_possible_values = true)]
    pub kind: Vec<Kind>,
    /// Only links at least as sure as LEVEL: markup, enclosed, scheme, www, address, path or name
    #[arg(long, value_name = "LEVEL", value_parser = named(values::EVIDENCE), hide_possible_values = true,
          hide_short_help = true)]
    pub min_evidence: Option<Evidence>,
    /// Only links to these hosts; `*.example.org`: subdomains of example.org
    #[arg(long, value_name = "HOST", value_delimiter = ',', value_parser = HostPattern::parse)]
    pub host: Vec<HostPattern>,
    /// Only links to hosts other than the base's
    #[arg(long, conflicts_with = "internal")]
    pub external: bool,
    /// Only links to the base's host, and relative ones
    #[arg(long)]
    pub internal: bool,
    /// Only links with characters that are not ASCII
    #[arg(long)]
    pub non_ascii: bool,
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = values::warning(),
          hide_possible_values = true, long_help = help::warn(),
          help = "Only links with one of these warnings, such as look-alike; any: with at least one warning")]
    pub warn: Vec<Warn>,
    /// Only links with a scheme, stated or implied (`www.`, e-mail)
    #[arg(long, conflicts_with = "relative")]
    pub absolute: bool,
    /// Only links without a scheme
    #[arg(long, conflicts_with = "scheme")]
    pub relative: bool,
    /// List identifiers too
    ///
    /// Names that look like links but are not followed: system identifiers of XML, Atom ids, item types.
    /// Only `rewrite --identifiers` changes them.
    #[arg(long)]
    pub identifiers: bool,
    /// List links in requests of WARC too: `Referer`, and what was sent
    #[arg(long, hide_short_help = true)]
    pub requests: bool,
}

impl FilterArgs {
    /// The filter.
    pub fn filter(&self) -> Filter {
        Filter {
            schemes: self.scheme.clone(),
            kinds: self.kind.clone(),
            min_evidence: self.min_evidence,
            hosts: self.host.clone(),
            side: match (self.external, self.internal) {
                (true, _) => Side::External,
                (false, true) => Side::Internal,
                (false, false) => Side::Any,
            },
            non_ascii: self.non_ascii,
            warnings: self.warn.clone(),
            reference: match (self.absolute, self.relative) {
                (true, _) => Reference::Absolute,
                (false, true) => Reference::Relative,
                (false, false) => Reference::Any,
            },
            identifiers: self.identifiers,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    Raw,
    Text,
    Uri,
    Iri,
}
