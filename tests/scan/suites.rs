//! The suites of other linkifiers, read from their packages. LINKGLOT_SUITES names the folder that `.ci/suites` fills;
//! without it these tests do nothing. The crate linkify runs on the same cases for comparison.
//!
//! differences.md explains each case in which we differ, by its number in the suite: we may not copy the texts of the
//! suites.

mod formats;
mod literals;

use formats::{Case, Looks};
use linkglot::{Breaks, Kind, Scanner};
use linkify::{LinkFinder, LinkKind};
use std::path::{Path, PathBuf};

const DIFFERENCES: &str = include_str!("differences.md");

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("LINKGLOT_SUITES").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: LINKGLOT_SUITES is not set");
    }
    folder
}

/// The file with this name, anywhere below the folder.
fn find(folder: &Path, name: &str) -> Option<String> {
    let direct = folder.join(name);
    if direct.is_file() {
        return std::fs::read_to_string(direct).ok();
    }
    let below = std::fs::read_dir(folder).ok()?;
    let mut below: Vec<_> = below.flatten().map(|e| e.path()).collect();
    below.sort();
    below
        .iter()
        .filter(|p| p.is_dir() && !p.is_symlink())
        .find_map(|p| find(p, name))
}

fn read(suite: &str, name: &str) -> Option<String> {
    let folder = folder()?.join(suite);
    let found = find(&folder, name);
    Some(found.unwrap_or_else(|| panic!("{suite} has no {name}: run .ci/suites")))
}

fn ours(case: &Case) -> Vec<String> {
    let kinds: &[Kind] = match case.looks {
        Looks::Scheme => &[Kind::Absolute],
        Looks::Web => &[Kind::Absolute, Kind::Domain],
        Looks::Email => &[Kind::Email],
        Looks::All => &[Kind::Absolute, Kind::Domain, Kind::Email],
    };
    let breaks = if case.joins {
        Breaks::WRAPPED
    } else {
        Breaks::NONE
    };
    let scanner = Scanner::default().kinds(kinds.iter().copied()).join(breaks);
    let hits = scanner.links(&case.text);
    hits.map(|hit| hit.link(&case.text).into_owned()).collect()
}

fn theirs(case: &Case) -> Vec<String> {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(case.looks == Looks::Scheme);
    match case.looks {
        Looks::Scheme | Looks::Web => _ = finder.kinds(&[LinkKind::Url]),
        Looks::Email => _ = finder.kinds(&[LinkKind::Email]),
        Looks::All => {}
    }
    let links = finder.links(&case.text);
    links.map(|link| link.as_str().to_owned()).collect()
}

fn agrees(case: &Case, found: &[String]) -> bool {
    let found = if case.first {
        &found[..found.len().min(1)]
    } else {
        found
    };
    found.len() == case.links.len() && found.iter().zip(&case.links).all(|(f, w)| same(f, w))
}

/// Some suites expect the link with its implied scheme and its host in ASCII.
fn same(found: &str, wanted: &str) -> bool {
    let canonical = |link: &str| url::Url::parse(link).ok();
    found == wanted
        || ["http://", "ftp://", ""].iter().any(|scheme| {
            let whole = format!("{scheme}{found}");
            whole == wanted
                || (wanted.contains("xn--")
                    && canonical(&whole) == canonical(wanted)
                    && !found.is_ascii())
        })
}

/// The case numbers that differences.md explains, and the number of cases of that version of the suite.
fn explained(suite: &str) -> (usize, Vec<usize>) {
    let (mut count, mut numbers, mut here) = (0, Vec::new(), false);
    for line in DIFFERENCES.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            let (name, cases) = title.split_once(", ").unwrap_or((title, "0 cases"));
            here = name == suite;
            if here {
                count = cases.trim_end_matches(" cases").parse().unwrap();
            }
        } else if let Some((list, _)) = line
            .strip_prefix("- ")
            .and_then(|l| l.split_once(':'))
            .filter(|_| here)
        {
            numbers.extend(list.split(", ").map(|n| n.trim().parse::<usize>().unwrap()));
        }
    }
    (count, numbers)
}

/// Writes the cases for `.ci/rivals`, which runs linkifiers in other languages, into the folder LINKGLOT_RIVALS.
fn write(suite: &str, cases: &[Case]) {
    let Some(folder) = std::env::var_os("LINKGLOT_RIVALS") else {
        return;
    };
    let name = suite.replace(|ch: char| !ch.is_ascii_alphanumeric(), "-");
    let cases: Vec<_> = cases
        .iter()
        .map(|c| serde_json::json!([c.text, c.links, format!("{:?}", c.looks), c.first]))
        .collect();
    let whole = serde_json::json!({ "suite": suite, "cases": cases });
    std::fs::write(Path::new(&folder).join(name + ".json"), whole.to_string()).unwrap();
}

/// Compares, prints a row of the table, and requires the minimum and an explanation of each difference.
fn measure(suite: &str, cases: &[Case], minimum: usize) {
    write(suite, cases);
    let (mut right, mut rival, mut unexplained) = (0, 0, Vec::new());
    let (then, mut numbers) = explained(suite);
    for (i, case) in cases.iter().enumerate() {
        let found = ours(case);
        rival += usize::from(agrees(case, &theirs(case)));
        if agrees(case, &found) {
            right += 1;
            continue;
        }
        if !numbers.contains(&(i + 1)) {
            unexplained.push(i + 1);
        }
        let (text, links) = (&case.text, &case.links);
        eprintln!(
            "{suite} {}: {text:?}\n  want {links:?}\n   got {found:?}",
            i + 1
        );
    }
    let all = cases.len();
    eprintln!("| {suite} | {all} | {right} | {rival} |");
    assert!(
        right >= minimum,
        "{suite}: {right} of {all}, at least {minimum} wanted"
    );
    // Another version of the suite has other case numbers.
    if then == all {
        assert!(
            unexplained.is_empty(),
            "{suite}: not explained: {unexplained:?}"
        );
        numbers.retain(|&n| agrees(&cases[n - 1], &ours(&cases[n - 1])));
        assert!(
            numbers.is_empty(),
            "{suite}: explained, and no difference: {numbers:?}"
        );
    }
}

#[test]
fn linkify_it() {
    if let Some(file) = read("linkify-it-py", "links.txt") {
        measure("linkify-it links", &formats::linkify_it_links(&file), 109);
    }
    if let Some(file) = read("linkify-it-py", "not_links.txt") {
        measure(
            "linkify-it not_links",
            &formats::linkify_it_not_links(&file),
            37,
        );
    }
    if let Some(file) = read("linkify-it-py", "port_links.txt") {
        measure(
            "linkify-it port_links",
            &formats::linkify_it_links(&file),
            0,
        );
    }
}

fn output(variable: &str, program: &str, arguments: &[&str]) -> String {
    let program = std::env::var(variable).unwrap_or(program.to_owned());
    let output = std::process::Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The tests of linkify are in the source of its crate, which cargo has downloaded for these tests.
#[test]
fn linkify() {
    if folder().is_none() {
        return;
    }
    // For this platform only: otherwise cargo would fetch dependencies of all platforms.
    let version = output("RUSTC", "rustc", &["-vV"]);
    let host = version
        .lines()
        .find_map(|l| l.strip_prefix("host: "))
        .unwrap();
    let arguments = [
        "metadata",
        "--format-version",
        "1",
        "--offline",
        "--filter-platform",
        host,
    ];
    let metadata = output("CARGO", "cargo", &arguments);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|p| p["name"] == "linkify").unwrap();
    let tests = Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("tests");
    for (name, looks, minimum) in [
        ("url", Looks::Scheme, 199),
        ("domains", Looks::Web, 36),
        ("email", Looks::Email, 33),
    ] {
        let file = std::fs::read_to_string(tests.join(name).with_extension("rs")).unwrap();
        measure(
            &format!("linkify {name}"),
            &formats::linkify(&file, looks),
            minimum,
        );
    }
}

#[test]
fn kde() {
    let Some(file) = read("kcoreaddons", "autotests/ktexttohtmltest.cpp") else {
        return;
    };
    let grid = formats::kde_grid(&file);
    assert!(grid.iter().any(|case| case.joins));
    measure("KDE URLs", &grid, (grid.len() * 98).div_ceil(100));
    measure("KDE rows", &formats::kde_rows(&file), 60);
}

#[test]
fn uri_find() {
    let Some(file) = read("uri-find", "t/Find.t") else {
        return;
    };
    measure("URI::Find", &formats::uri_find(&file), 55);
    let Some(file) = read("uri-find", "t/rfc3986_appendix_c.t") else {
        return;
    };
    let case = formats::uri_find_appendix_c(&file).expect("the example");
    assert_eq!(case.links.len(), 3);
    assert_eq!(ours(&case), case.links);
}

#[test]
fn xurls() {
    let Some(file) = read("xurls", "xurls_test.go") else {
        return;
    };
    measure("xurls", &formats::xurls(&file), 198);
}

#[test]
fn django() {
    let Some(urlize) = read("django", "filter_tests/test_urlize.py") else {
        return;
    };
    let Some(html) = read("django", "utils_tests/test_html.py") else {
        return;
    };
    let part = html.split("def test_urlize(").nth(1).unwrap_or("");
    let part = part.split("def test_urlize_unchanged").next().unwrap_or("");
    let mut cases = formats::django(&urlize);
    cases.extend(formats::django(part));
    measure("Django", &cases, 54);
}

#[test]
fn bleach() {
    let Some(file) = read("bleach", "test_linkify.py") else {
        return;
    };
    measure("bleach", &formats::bleach(&file), 44);
}
