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

/// A suite in differences.md.
#[derive(Default)]
struct Explained {
    suite: &'static str,
    /// Cases in the version of the suite that is explained.
    cases: usize,
    /// Numbers of the cases that differ by a rule.
    ruled: Vec<usize>,
    /// Numbers of the cases that should not differ.
    defects: Vec<usize>,
}

fn explained() -> Vec<Explained> {
    let mut suites = Vec::new();
    for line in DIFFERENCES.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            let (suite, cases) = title.split_once(", ").unwrap();
            suites.push(Explained {
                suite,
                cases: cases.trim_end_matches(" cases").parse().unwrap(),
                ..Explained::default()
            });
        } else if let Some((list, _)) = line.strip_prefix("- ").and_then(|l| l.split_once(':')) {
            let suite = suites.last_mut().unwrap();
            let (list, numbers) = match list.strip_prefix("defect ") {
                Some(list) => (list, &mut suite.defects),
                None => (list, &mut suite.ruled),
            };
            numbers.extend(list.split(", ").map(|n| n.trim().parse::<usize>().unwrap()));
        }
    }
    suites
}

/// Suites of which each difference is explained: `measure` compares the numbers with the cases.
#[test]
fn few_cases_that_the_rules_allow_are_wrong() {
    let suites = explained();
    let (mut allowed, mut defects) = (0, 0);
    for suite in &suites {
        allowed += suite.cases - suite.ruled.len();
        defects += suite.defects.len();
    }
    eprintln!("{defects} of {allowed} cases that the rules allow are wrong");
    assert!(suites.len() > 20 && allowed > 2000);
    assert!(defects * 100 <= allowed * 3, "{defects} of {allowed}");
}

/// Writes the cases for `.ci/rivals suites`, which runs linkifiers in other languages, into the folder LINKGLOT_RIVALS.
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
    let suites = explained();
    let explained = suites.iter().find(|e| e.suite == suite);
    let explained = explained.unwrap_or_else(|| panic!("differences.md has no {suite}"));
    let mut numbers = [&explained.ruled[..], &explained.defects].concat();
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
    if explained.cases == all {
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
        measure("linkify-it links", &formats::linkify_it_links(&file), 110);
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
        ("domains", Looks::Web, 35),
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
    measure("URI::Find", &formats::uri_find(&file), 58);
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

#[test]
fn urlextract() {
    let mut cases = Vec::new();
    for (name, looks) in [
        ("test_find_urls", Looks::Web),
        ("test_enclosure", Looks::Web),
        ("test_extract_email", Looks::All),
        ("test_ipv4", Looks::Web),
        ("test_localhost", Looks::Web),
        ("test_markdown", Looks::Web),
        ("test_mixed_case", Looks::Web),
    ] {
        let Some(file) = read("urlextract", &format!("unit/{name}.py")) else {
            return;
        };
        // The second table is for a setting that is on by default here, or that we do not have.
        let tables: Vec<&str> = file.split("@pytest.mark.parametrize(").collect();
        let table = if looks == Looks::All {
            tables[2]
        } else {
            tables[1]
        };
        cases.extend(formats::urlextract(table, looks));
    }
    measure("urlextract", &cases, 66);
}

#[test]
fn tornado() {
    if let Some(file) = read("tornado", "test/escape_test.py") {
        measure("Tornado", &formats::tornado(&file), 22);
    }
}

#[test]
fn roundcube() {
    if let Some(file) = read("roundcube", "Framework/StringReplacer.php") {
        measure("Roundcube", &formats::php_rows(&file, Looks::All), 19);
    }
}

#[test]
fn horde() {
    if let Some(file) = read("horde", "LinkurlsTest.php") {
        measure("Horde", &formats::php_rows(&file, Looks::Web), 34);
    }
}

#[test]
fn commonmark() {
    let Some(file) = read("commonmark", "Autolink/UrlAutolinkParserTest.php") else {
        return;
    };
    let mut cases = formats::php_rows(&file, Looks::Web);
    let file = read("commonmark", "Autolink/EmailAutolinkParserTest.php").unwrap();
    cases.extend(formats::php_rows(&file, Looks::Email));
    measure("CommonMark for PHP", &cases, 33);
}

#[test]
fn redmine() {
    let Some(file) = read("redmine", "helpers/application_helper_test.rb") else {
        return;
    };
    let part = file.split("def test_auto_links").nth(1).unwrap_or("");
    let part = part.split("def test_inline_images").next().unwrap_or("");
    measure("Redmine", &formats::redmine(part), 27);
}

#[test]
fn autolinker() {
    let Some(file) = read("autolinker", "tests/AutolinkerSpec.js") else {
        return;
    };
    let part = file.split("describe( \"URL linking\"").nth(1).unwrap_or("");
    let part = part
        .split("describe( \"mention linking\"")
        .next()
        .unwrap_or("");
    measure("Autolinker", &formats::autolinker(part), 147);
}

#[test]
fn konsole() {
    if let Some(file) = read("konsole", "autotests/HotSpotFilterTest.cpp") {
        measure("Konsole", &formats::konsole(&file), 36);
    }
}

#[test]
fn twitter_text() {
    if let Some(file) = read("twitter-text", "src/extractor.rs") {
        measure("twitter-text", &formats::twitter_text(&file), 14);
    }
}

#[test]
fn gfm() {
    let (Some(spec), Some(more)) = (
        read("cmark-gfm", "test/spec.txt"),
        read("cmark-gfm", "test/extensions.txt"),
    ) else {
        return;
    };
    let part = spec.split("## Autolinks (extension)").nth(1).unwrap_or("");
    let part = part.split("\n## ").next().unwrap_or("");
    let mut cases = formats::gfm(part);
    let part = more.split("\n## Autolinks").nth(1).unwrap_or("");
    cases.extend(formats::gfm(part.split("\n## ").next().unwrap_or("")));
    measure("GFM", &cases, 42);
}
