//! Rules of the command line: the source of each, their faults, and the numbers of their matches.

use super::args::{DocumentArgs, RuleArgs};
use super::output::{complain, number};
use super::totals::Totals;
use super::{Failure, inputs};
use linkglot::error::{QUOTED, shortened};
use linkglot::rewrite::{DomainMove, Fault, Gravity, MapFormat, Rule, Rules};
use linkglot_files::filter::host_name;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Number of rules shown of a list.
const MOST: usize = 10;

/// The rules with their sources.
#[derive(Default)]
pub struct SiteRules {
    pub rules: Arc<Rules>,
    /// For each option, the number of its first rule, and the name of the option.
    sources: Vec<(usize, String)>,
    /// Files without rules.
    empty_files: Vec<String>,
    /// True if the run checks documents that may have moved already.
    pub is_check: bool,
    /// Rules with a fault: no further warnings are given for them.
    faulty: HashSet<usize>,
}

impl SiteRules {
    /// Reads the rules of the options.
    pub fn read(args: &RuleArgs, documents: &DocumentArgs) -> Result<Self, Failure> {
        let mut rules = SiteRules::default();
        for (index, rule) in args.map.iter().enumerate() {
            let place = args.places.get(index).cloned();
            let name = place.unwrap_or_else(|| option_name("--map", index, args.map.len()));
            rules.begin(&name);
            let added = rules.rules_mut().add(rule);
            added.map_err(|error| Failure::new(format!("{name}: {error}")))?;
        }
        let (pairs, _) = args.domains.as_chunks::<2>();
        for (index, [old, new]) in pairs.iter().enumerate() {
            let name = option_name("--move", index, pairs.len());
            rules.begin(&name);
            let mut reach = DomainMove::default();
            (reach.mail, reach.subdomains) = (args.move_mail, args.move_subdomains);
            let added = rules.rules_mut().move_domain(old, new, reach);
            added.map_err(|error| Failure::new(format!("{name}: {error}")))?;
        }
        let (pairs, _) = args.replace.as_chunks::<2>();
        for (index, [from, to]) in pairs.iter().enumerate() {
            let name = option_name("--replace", index, pairs.len());
            rules.begin(&name);
            let added = rules.rules_mut().add_pair(from, to);
            added.map_err(|error| Failure::new(format!("{name}: {error}")))?;
        }
        for path in &args.map_file {
            rules.add_file(path, args.map_format, documents.base.as_deref())?;
        }
        if args.any_query_order {
            rules.rules_mut().any_query_order();
        }
        if args.unwrap {
            rules.begin("--unwrap");
            rules.rules_mut().unwrap_links();
        }
        Ok(rules)
    }

    fn rules_mut(&mut self) -> &mut Rules {
        Arc::make_mut(&mut self.rules)
    }

    fn begin(&mut self, name: &str) {
        let first = self.rules.given().len();
        self.sources.push((first, name.to_owned()));
    }

    fn add_file(
        &mut self,
        path: &Path,
        format: Option<MapFormat>,
        base: Option<&str>,
    ) -> Result<(), Failure> {
        let text = inputs::read_text(path)?;
        self.begin(&inputs::shown(path));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let format = format.unwrap_or_else(|| MapFormat::of_named(&name, &text));
        let before = self.rules.given().len();
        let added = self.rules_mut().add_map_file(&text, format, base);
        added.map_err(|error| Failure::with_path(path, &error))?;
        if self.rules.given().len() == before {
            self.empty_files.push(inputs::shown(path));
        }
        Ok(())
    }

    /// Reports the faults of rules. Rules that would make wrong links are a failure.
    pub fn check(&mut self, quiet: bool) -> Result<(), Failure> {
        let faults = self.rules.check();
        let is_error = |fault: &&Fault| fault.gravity == Gravity::Error;
        let errors: Vec<&Fault> = faults.iter().filter(is_error).collect();
        if let Some((last, others)) = errors[..errors.len().min(MOST)].split_last() {
            others.iter().for_each(|fault| complain(self.words(fault)));
            let more = match errors.len() - others.len() - 1 {
                0 => String::new(),
                more => format!(" (and {} more)", number(more as u64, "faulty rule")),
            };
            return Err(Failure::new(self.words(last) + &more));
        }
        self.faulty.extend(faults.iter().map(|fault| fault.rule));
        let lines = faults.iter().map(|fault| self.words(fault));
        if !quiet {
            let empty = self.empty_files.iter();
            empty.for_each(|file| complain(format!("warning: {file}: expected rules, found none")));
            complain_of_some(lines, faults.len(), "more rules have faults");
        }
        Ok(())
    }

    /// A fault, with the places of its rules.
    fn words(&self, fault: &Fault) -> String {
        let prefix = match fault.gravity {
            Gravity::Warning => "warning: ",
            _ => "",
        };
        let other = fault.other.map(|other| format!(" ({})", self.place(other)));
        let place = self.place(fault.rule);
        format!("{prefix}{place}: {fault}{}", other.unwrap_or_default())
    }

    /// The source of a rule: the option or the file, and the line.
    fn place(&self, rule: usize) -> String {
        let source = self.sources.partition_point(|(first, _)| *first <= rule);
        let name = source.checked_sub(1).map(|at| self.sources[at].1.as_str());
        let name = name.unwrap_or_default();
        match self.rules.given()[rule].line {
            Some(line) => format!("{name}: line {line}"),
            None => name.to_owned(),
        }
    }

    /// The rules with the number of links that each matched.
    pub fn matches<'r>(
        &'r self,
        matched: &'r BTreeMap<usize, u64>,
    ) -> impl Iterator<Item = (&'r Rule, u64)> {
        let rules = self.rules.given().iter().enumerate();
        rules.map(|(number, rule)| (rule, matched.get(&number).copied().unwrap_or(0)))
    }

    /// The lines of the summary: the number of matches of each rule, the most frequent first if there are many rules.
    pub fn summary(&self, matched: &BTreeMap<usize, u64>, verbose: bool) -> String {
        let mut rows: Vec<_> = matched.iter().collect();
        let most = if verbose { rows.len() } else { MOST };
        if rows.len() > most {
            rows.sort_by_key(|(number, count)| (u64::MAX - **count, **number));
        }
        let mut text = String::new();
        for (rule, count) in rows.iter().take(most) {
            let rule = self.quoted(**rule);
            let links = number(**count, "link");
            let _ = writeln!(text, "{links} matched by `{rule}`");
        }
        if rows.len() > most {
            let more = rows.len() - most;
            let rest: u64 = rows[most..].iter().map(|(_, count)| **count).sum();
            let rules = number(more as u64, "more rule");
            let links = number(rest, "link");
            let _ = writeln!(text, "{links} matched by {rules} (`-v` lists them)");
        }
        text
    }

    /// A rule in the form of messages.
    fn quoted(&self, rule: usize) -> String {
        shortened(&self.rules.given()[rule].to_string(), QUOTED).into_owned()
    }

    /// Says why the move of a domain, which matched no link, may have nothing to do any more: mentions of the domain
    /// are left, or nothing at all (`has_moved`). Nobody knows then if the move is complete, or the name is wrong. A
    /// run that changes other links is not one of a site that has moved.
    fn words_of_moved(&self, number: usize, totals: &Totals, has_moved: bool) -> Option<String> {
        let rule = &self.rules.given()[number];
        let host = rule
            .domain
            .and_then(|_| host_name(&format!("//{}", rule.from)));
        let host = host.filter(|_| totals.errors == 0 && totals.files > 0)?;
        let from = shortened(&rule.from, QUOTED);
        if totals.left_behind.have(&host) {
            return Some(format!(
                "no link to `{from}` is left to move, only mentions of its host"
            ));
        }
        let apart = match rule.domain {
            Some(reach) if !reach.subdomains => " (its subdomains apart)",
            _ => "",
        };
        has_moved.then(|| {
            format!("nothing names `{from}`{apart}: all of it has moved, or the name is wrong")
        })
    }

    /// Warns of rules that matched no link. Files that failed might have had matches. A check of a site that has moved
    /// is silent: nothing changes, and nothing mentions an old host.
    pub fn warn_of_unmatched(&self, totals: &Totals, verbose: bool) {
        let matched = &totals.matched;
        let has_moved = totals.changed == 0 && totals.left == 0 && totals.left_behind.count() == 0;
        if self.is_check && has_moved && totals.errors == 0 {
            return;
        }
        let no_link = match (totals.errors, totals.files) {
            (0, _) => "no link",
            (_, 0) => return,
            _ => "no link in the files that were read",
        };
        let numbers = 0..self.rules.given().len();
        let unmatched = numbers.filter(|number| !matched.contains_key(number));
        // Nobody expects links of every service.
        let is_given = |rule: &usize| !self.rules.given()[*rule].unwraps;
        let unmatched: Vec<usize> = unmatched
            .filter(|rule| !self.faulty.contains(rule) && is_given(rule))
            .collect();
        let lines = unmatched.iter().map(|&number| {
            let place = self.place(number);
            if let Some(words) = self.words_of_moved(number, totals, has_moved) {
                return format!("{place}: {words}");
            }
            format!(
                "warning: {place}: `{}` matched {no_link}",
                self.quoted(number)
            )
        });
        if verbose {
            lines.for_each(complain)
        } else {
            complain_of_some(
                lines,
                unmatched.len(),
                &format!("more rules matched {no_link} (`-v` lists them)"),
            )
        }
    }
}

fn option_name(option: &str, index: usize, count: usize) -> String {
    match count {
        1 => option.to_owned(),
        _ => format!("{option} {}", index + 1),
    }
}

/// Prints the first lines, and the number of the others.
fn complain_of_some(lines: impl Iterator<Item = String>, count: usize, more: &str) {
    lines.take(MOST).for_each(complain);
    if count > MOST {
        complain(format_args!("warning: {} {more}", count - MOST));
    }
}
