//! The promises over the lines of other programs' suites, which know many ways to write what is no link, or half of
//! one. `LINKGLOT_SUITES` names the folder that `.ci/suites` fills; without it nothing is read.

use crate::promises::{PROMISES, Subject, faults_of_all};
use linkglot::Charset;
use linkglot::document::Settings;
use linkglot::format::Format;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Programs that find links in text.
const LINKIFIERS: [&str; 17] = [
    "autolinker",
    "bleach",
    "cmark-gfm",
    "commonmark",
    "django",
    "horde",
    "kcoreaddons",
    "konsole",
    "linkify-it-py",
    "markdown-it-py",
    "redmine",
    "roundcube",
    "tornado",
    "twitter-text",
    "uri-find",
    "urlextract",
    "xurls",
];

/// The longest lines of cases; longer ones are data, in bytes.
const LONGEST: usize = 1000;

/// Adds the lines of the tests below a folder that may have a link.
fn collect(folder: &Path, lines: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect(&path, lines);
            continue;
        }
        let name = path.to_string_lossy().to_lowercase();
        let is_test = ["test", "spec", "links"]
            .iter()
            .any(|part| name.contains(part));
        let Some(text) = is_test.then(|| fs::read_to_string(&path).ok()).flatten() else {
            continue;
        };
        let may_link = |line: &&str| {
            let signs = ["://", "www.", "@", ".com", ".org", "mailto:"];
            line.len() < LONGEST && signs.iter().any(|sign| line.contains(sign))
        };
        lines.extend(
            text.lines()
                .map(str::trim)
                .filter(may_link)
                .map(str::to_owned),
        );
    }
}

#[test]
fn promises_hold_over_the_cases_of_other_programs() {
    let Some(folder) = std::env::var_os("LINKGLOT_SUITES") else {
        eprintln!("skipped: LINKGLOT_SUITES is not set");
        return;
    };
    let mut lines = BTreeSet::new();
    for program in LINKIFIERS {
        collect(&Path::new(&folder).join(program), &mut lines);
    }
    let lines: Vec<String> = lines.into_iter().collect();
    assert!(lines.len() > 5000, "only {} lines", lines.len());
    let faults = faults_of_all(lines.len(), |at| {
        let mut settings = Settings::default();
        settings.format = Some(Format::Text);
        settings.charset = Some(Charset::UTF_8);
        let subject = Subject {
            name: lines[at].clone(),
            bytes: lines[at].clone().into_bytes(),
            settings,
        };
        let fault = |(name, promise): &(&str, crate::promises::Promise)| {
            let why = promise(&subject).err()?;
            Some(format!("{name} broken: {why}\n    {}", subject.name))
        };
        PROMISES.iter().filter_map(fault).collect()
    });
    let shown = &faults[..faults.len().min(60)];
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        shown.join("\n")
    );
}
