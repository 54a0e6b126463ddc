//! The summary of a run as `--json` prints it.

use super::breakdown::{Breakdown, Count, Table};
use super::json;
use super::rules::SiteRules;
use super::totals::{Changes, Totals};
use linkglot::link::UnreadReason;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Summary<'r> {
    r#type: &'static str,
    files: u64,
    bytes: u64,
    links: u64,
    files_with_links: u64,
    #[serde(flatten)]
    changes: Option<ChangeSummary<'r>>,
    errors: u64,
    #[serde(skip_serializing_if = "is_zero")]
    encrypted: u64,
    unread: Vec<UnreadSummary>,
    skipped: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<RuleSummary<'r>>,
}

/// Unread parts of mail.
#[derive(Serialize)]
struct UnreadSummary {
    reason: &'static str,
    count: u64,
}

#[derive(Serialize)]
struct RuleSummary<'r> {
    from: &'r str,
    to: &'r str,
    matched: u64,
}

#[derive(Serialize)]
struct ChangeSummary<'t> {
    changed: u64,
    left: u64,
    #[serde(skip_serializing_if = "is_zero")]
    signed: u64,
    /// Links left because the charset is a guess, or contradicts their bytes.
    charset_unsure: u64,
    charset_contradicts: u64,
    files_changed: u64,
    /// Changed files that were written, or would be written.
    files_written: u64,
    files_to_change: u64,
    /// Files that get another charset.
    files_transcoded: u64,
    /// Mentions of moved hosts.
    left_behind: u64,
    #[serde(skip_serializing_if = "is_zero")]
    stale_digests: u64,
    hosts: Vec<NameSummary<'t>>,
    notes: Vec<NameSummary<'t>>,
    charsets: Vec<NameSummary<'t>>,
}

/// The links of a host, a note or a charset. For a charset all links count, otherwise those that change or are left.
#[derive(Serialize)]
struct NameSummary<'t> {
    /// Null for links without a host.
    name: Option<&'t str>,
    links: u64,
    changed: u64,
    left: u64,
    files: u64,
}

/// Maximal number of hosts in a summary.
const MOST_HOSTS: usize = 1000;

fn names(table: &Table, number: fn(&Count) -> u64) -> Vec<NameSummary<'_>> {
    let rows = table.rows_by(number).into_iter().take(MOST_HOSTS);
    rows.map(|(name, count)| NameSummary {
        name: Some(name).filter(|name| !name.is_empty()),
        links: count.links,
        changed: count.changed,
        left: count.left,
        files: count.files,
    })
    .collect()
}

/// True for zero: the numbers of mail are left out if there is no mail.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Appends the summary of a run.
pub fn of_run(out: &mut Vec<u8>, totals: &Totals, changes: Changes, rules: Option<&SiteRules>) {
    let matches = rules
        .into_iter()
        .flat_map(|rules| rules.matches(&totals.matched));
    let skipped = totals.skipped.iter();
    let unread = totals.unread.iter();
    let encrypted = totals.unread.get(&UnreadReason::Encrypted);
    let Breakdown {
        hosts,
        notes,
        charsets,
        ..
    } = &totals.breakdown;
    json::push(
        out,
        &Summary {
            r#type: "summary",
            files: totals.files,
            bytes: totals.bytes,
            links: totals.links,
            files_with_links: totals.files_with_links,
            changes: (changes != Changes::None).then(|| ChangeSummary {
                changed: totals.changed,
                left: totals.left,
                signed: totals.signed,
                charset_unsure: totals.unsure,
                charset_contradicts: totals.contradicting,
                files_changed: totals.files_changed,
                files_written: totals.written.files,
                files_to_change: totals.files_changed - totals.written.files,
                files_transcoded: totals.transcoded,
                left_behind: totals.left_behind.count(),
                stale_digests: totals.stale_digests,
                hosts: names(hosts, |count| count.links),
                notes: names(notes, |count| count.links),
                charsets: names(charsets, |count| count.files),
            }),
            errors: totals.errors,
            encrypted: encrypted.copied().unwrap_or_default(),
            unread: unread
                .map(|(reason, count)| UnreadSummary {
                    reason: reason.code(),
                    count: *count,
                })
                .collect(),
            skipped: skipped
                .map(|(reason, count)| (reason.code(), *count))
                .collect(),
            rules: matches
                .map(|(rule, matched)| RuleSummary {
                    from: &rule.from,
                    to: &rule.to,
                    matched,
                })
                .collect(),
        },
    );
}
