//! Statistics of a run, and its report as a page.

use super::support::{Place, Ran};
use serde_json::{Value, json};
use std::fs;

const HOSTILE: &str =
    "http://old.example/</script><!--<img src=x onerror=alert(1)>\"'&amp;\u{202E}é";

fn site() -> Place {
    let page = "<a href='http://old.example/é'>x</a>\n<a href='http://old.example/é'> <a href='//b.example/é'>";
    let place = Place::new(&[
        ("site/a.html", &format!("<meta charset=utf-8>{page}")),
        (
            "site/b.html",
            &format!("<meta charset=utf-8>{page}<a href='javascript:é'> <a href=/plain>"),
        ),
        ("site/c.txt", "http://www.old.example/x\n"),
    ]);
    place.write("site/d.html", b"<meta charset=koi8-r><a href=/\xD6?\xD6>");
    place
}

const RULES: [&str; 6] = [
    "rewrite",
    "--to=uri",
    "--map=old.example new.example",
    "--map=www.old.example new.example",
    "--map=/never /matched",
    "site",
];

fn run(place: &Place, args: &[&str]) -> Ran {
    place.run(&[&RULES[..], args].concat())
}

/// The page, and its changes.
fn report(place: &Place, name: &str) -> (String, Value) {
    let page = String::from_utf8(place.read(name)).expect("UTF-8");
    let (head, rest) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("data");
    let (data, tail) = rest.split_once("</script>").expect("an end");
    let data = serde_json::from_str(data).expect("JSON");
    (format!("{head}{tail}"), data)
}

/// The change of an old link.
fn change<'d>(data: &'d Value, old: &str) -> &'d Value {
    let changes = data["changes"].as_array().expect("changes");
    let change = changes.iter().find(|change| change[0] == old);
    change.unwrap_or_else(|| panic!("{old} in {changes:?}"))
}

#[test]
fn a_dry_run_ends_with_tables() {
    let place = site();
    let run = run(&place, &["-n", "--stats"]);
    assert!(
        run.text()
            .starts_with("site/a.html:1:30\thttp://old.example/é\thttp://new.example/%C3%A9\n")
    );
    let expected = "\
linkglot: LINKS  FILES  MATCHED BY RULE
linkglot:     4      2  old.example new.example
linkglot:     1      1  www.old.example new.example
linkglot: LINKS  FILES  CHANGED, BY HOST
linkglot:     4      2  old.example
linkglot:     2      2  b.example
linkglot:     1      1  (no host)
linkglot:     1      1  www.old.example
linkglot: LINKS  FILES  LEFT, BY NOTE
linkglot:     1      1  left-not-fetched
linkglot: LINKS  FILES  FOUND, BY CHARSET
linkglot:     9      3  UTF-8
linkglot:     1      1  KOI8-R
";
    assert!(run.err.contains(expected), "{}", run.err);
}

#[test]
fn tables_are_short_unless_more_is_asked_for() {
    let links = |number: usize| format!("<a href='http://h{number}.example/é'>");
    let page: String = (0..25).map(links).collect();
    let place = Place::new(&[("site/a.html", &page)]);
    let short = run(&place, &["-n"]);
    assert!(
        short.err.contains("15         15 more (`-v` lists them)"),
        "{}",
        short.err
    );
    let rows = |run: &Ran| run.err.matches(".example\n").count();
    assert_eq!((rows(&short), rows(&run(&place, &["-n", "-v"]))), (10, 25));
    assert!(!run(&place, &["-n", "-q"]).err.contains("LINKS"));
    assert!(!run(&place, &["-i"]).err.contains("LINKS"));
}

#[test]
fn the_summary_has_hosts_notes_and_charsets() {
    for threads in ["-j1", "-j2"] {
        let objects = run(&site(), &["--json", threads]).objects();
        let summary = objects.last().expect("a summary");
        let row = |name: Value, links: u64, changed: u64, left: u64, files: u64| json!({"name": name, "links": links, "changed": changed, "left": left, "files": files});
        let hosts = json!([
            row("old.example".into(), 4, 4, 0, 2),
            row(Value::Null, 2, 1, 1, 2),
            row("b.example".into(), 2, 2, 0, 2),
            row("www.old.example".into(), 1, 1, 0, 1),
        ]);
        assert_eq!(summary["hosts"], hosts);
        assert!(
            summary["notes"].as_array().is_some_and(|notes| {
                notes.contains(&row("left-not-fetched".into(), 1, 0, 1, 1))
            })
        );
        assert!(
            summary["charsets"]
                .as_array()
                .is_some_and(|charsets| { charsets.contains(&row("KOI8-R".into(), 1, 1, 0, 1)) })
        );
    }
    let found = site().run(&["find", "--json", "site"]).objects();
    assert!(
        found
            .last()
            .is_some_and(|summary| summary["hosts"].is_null())
    );
}

#[test]
fn a_report_has_each_distinct_change() {
    let place = site();
    let objects = run(&place, &["--json", "--report", "r.html"]).objects();
    let summary = objects.last().expect("a summary");
    let (page, data) = report(&place, "r.html");
    let twice = change(&data, "http://old.example/é");
    assert_eq!(twice[1], "http://new.example/%C3%A9");
    assert_eq!(
        data["hosts"][twice[2].as_u64().expect("a number") as usize],
        "old.example"
    );
    assert_eq!(
        (&twice[6], &twice[7], &twice[8]),
        (&json!(0), &json!(4), &json!(2))
    );
    assert_eq!(data["rules"][0], json!(["old.example", "new.example"]));
    assert_eq!(twice[9], json!([0, 1, 30, 1, 1, 30]));
    assert_eq!(data["files"][1], "site/b.html");
    let left = change(&data, "javascript:é");
    assert_eq!((&left[1], &left[6]), (&Value::Null, &Value::Null));
    let notes: Vec<_> = left[5].as_array().expect("notes").iter().collect();
    assert_eq!(
        data["notes"][notes[0].as_u64().expect("a number") as usize][0],
        "left-not-fetched"
    );
    let sum = |is_left: bool| -> u64 {
        let changes = data["changes"].as_array().expect("changes").iter();
        let counts = changes.filter(|change| change[1].is_null() == is_left);
        counts
            .map(|change| change[7].as_u64().expect("a number"))
            .sum()
    };
    assert_eq!(
        (json!(sum(false)), json!(sum(true))),
        (summary["changed"].clone(), summary["left"].clone())
    );
    assert!(
        page.contains("<dt>links would change</dt><dd>8</dd>"),
        "{page}"
    );
    assert!(page.contains("default-src 'none'"), "{page}");
    assert!(!page.contains("=\"http"), "{page}");
}

#[test]
fn every_way_to_rewrite_makes_the_same_report() {
    let data_of = |args: &[&str]| {
        let place = site();
        let ran = run(&place, &[&["--report", "r.html"], args].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        report(&place, "r.html").1
    };
    let data = data_of(&[]);
    for args in [
        &["-i"][..],
        &["-O", "out"],
        &["-n"],
        &["-q", "--json"],
        &["-i", "-j1"],
        &["-n", "-j2"],
    ] {
        assert_eq!(data_of(args), data, "{args:?}");
    }
}

#[test]
fn reports_are_reproducible() {
    let page = |threads: &str| {
        let place = site();
        let args = [&RULES[..], &["-n", threads, "--report", "r.html"]].concat();
        let mut command = place.command(&args);
        command.env("SOURCE_DATE_EPOCH", "86400").assert().success();
        String::from_utf8(place.read("r.html"))
            .expect("UTF-8")
            .replace(threads, "")
    };
    assert_eq!(page("-j1"), page("-j2"));
    assert!(page("-j1").contains("<time>1970-01-02 00:00:00 UTC</time>"));
}

/// Beyond some ten thousand changes, they stand in temporary files while the run goes on.
#[test]
fn a_report_of_many_changes_is_complete() {
    let number = 30_000;
    let page = |links: &mut dyn Iterator<Item = usize>| -> String {
        let link = |at| format!("<a href='http://h{at}.example/é'>\n");
        "<meta charset=utf-8>\n".to_owned() + &links.map(link).collect::<String>()
    };
    let place = Place::new(&[
        ("site/a.html", &page(&mut (0..number))),
        ("site/b.html", &page(&mut (0..number).rev().chain(7..9))),
        ("site/c.html", &page(&mut (number..number + 2))),
    ]);
    let data_of = |threads: &str| {
        let ran = run(&place, &["-n", "-q", threads, "--report", "r.html"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        report(&place, "r.html").1
    };
    let data = data_of("-j1");
    assert_eq!(data, data_of("-j3"));
    let changes = data["changes"].as_array().expect("changes");
    assert_eq!(changes.len(), number + 2);
    let rows = |at: &[usize]| at.iter().map(|at| &changes[*at]).collect::<Vec<_>>();
    let row = |at: usize, host: usize, links: u64, places: Value| {
        let (old, new) = (
            format!("http://h{at}.example/é"),
            format!("http://h{at}.example/%C3%A9"),
        );
        let files = places.as_array().map_or(0, |places| places.len() / 3);
        json!([old, new, host, 0, [0], [], null, links, files, places])
    };
    let places = |at: usize| json!([0, at + 2, 10, 1, number - at + 1, 10]);
    let expected = [
        row(7, 0, 3, places(7)),
        row(8, 1, 3, places(8)),
        row(0, 2, 2, places(0)),
        row(number - 1, number - 1, 2, places(number - 1)),
        row(number, number, 1, json!([2, 2, 10])),
    ];
    assert_eq!(
        rows(&[0, 1, 2, number - 1, number]),
        expected.iter().collect::<Vec<_>>()
    );
    assert_eq!(data["hosts"].as_array().map(Vec::len), Some(number + 2));
}

#[test]
fn hostile_links_and_names_are_inert() {
    let place = Place::new(&[(
        "site/<b>&.html",
        &format!("<a href=\"{}\">", HOSTILE.replace('"', "&quot;")),
    )]);
    place.write(
        "site/b.html",
        "<a href='http://a<u>\"b.example/é'>".as_bytes(),
    );
    let ran = run(&place, &["-n", "--report", "<i>.html"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let text = String::from_utf8(place.read("<i>.html")).expect("UTF-8");
    let (page, data) = report(&place, "<i>.html");
    change(&data, &HOSTILE.replace("&amp;", "&"));
    assert!(
        data["files"]
            .as_array()
            .is_some_and(|files| files.contains(&json!("site/<b>&.html")))
    );
    for markup in ["<img", "<b>", "<i>", "<u>", "onerror=alert(1)>", "\u{202E}"] {
        assert!(!text.contains(markup), "{markup}");
    }
    assert_eq!(text.matches("</script").count(), 2);
    assert_eq!(text.matches("<!--").count(), 0);
    assert!(
        page.contains("&lt;i&gt;.html") || page.contains("&#60;i&#62;.html"),
        "{page}"
    );
}

#[test]
fn the_report_is_no_document_of_the_run() {
    let place = site();
    for _ in 0..2 {
        let ran = run(&place, &["-n", "--report", "site/r.html"]);
        assert!(
            ran.err.contains("8 links would change in 4 files\n"),
            "{ran:?}"
        );
    }
    let old = place.read("site/r.html");
    let ran = run(&place, &["-O", "out", "--report", "site/r.html"]);
    assert!(
        ran.err
            .contains("skipped (`-v` lists them): 1 journal or report"),
        "{ran:?}"
    );
    assert_eq!(place.names("out"), ["a.html", "b.html", "c.txt", "d.html"]);
    assert_ne!(place.read("site/r.html"), old);
    assert_eq!(place.names("site").len(), 5);
}

#[test]
fn nothing_but_a_report_is_replaced() {
    let place = site();
    place.write("notes.html", b"mine");
    place.write("out/x", b"");
    place.write("directory/x", b"");
    assert_eq!(run(&place, &["-n", "--report", "r.html"]).code, 0);
    let before: Vec<_> = place
        .names("site")
        .iter()
        .map(|name| place.read(&format!("site/{name}")))
        .collect();
    for (args, words) in [
        (
            &["--report", "notes.html"][..],
            "expected an earlier report or a new name, found another file",
        ),
        (
            &["--report", "site/a.html"],
            "expected an earlier report or a new name, found another file",
        ),
        (
            &["--report", "directory"],
            "expected a file or a new name, found a directory",
        ),
        (&["--report", "none/r.html"], "--report none/r.html: "),
        (
            &["--report", "r.html", "r.html"],
            "expected a file that is not rewritten, found an input",
        ),
    ] {
        run(&place, &[&["-i"], args].concat()).complains(&[words], 2);
    }
    let inside = run(&place, &["-O", "out", "--report", "out/r.html"]);
    inside.complains(
        &["expected a file outside of the output directory, found one in it"],
        2,
    );
    assert_eq!(place.read("notes.html"), b"mine");
    let after: Vec<_> = place
        .names("site")
        .iter()
        .map(|name| place.read(&format!("site/{name}")))
        .collect();
    assert_eq!(after, before);
}

#[cfg(unix)]
#[test]
fn a_report_is_a_file_of_its_own() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = site();
    symlink("site/a.html", place.path("link.html")).expect("a symbolic link");
    run(&place, &["--report", "link.html"]).complains(&["expected a file or a new name"], 2);
    assert_eq!(run(&place, &["--report", "r.html"]).code, 0);
    place.write("other", b"");
    let mode = |name: &str| {
        fs::metadata(place.path(name))
            .expect("a file")
            .permissions()
            .mode()
    };
    assert_eq!(mode("r.html"), mode("other"));
    // No other files are left.
    assert_eq!(
        place.names("."),
        [
            "link.html",
            "other",
            "r.html",
            "site/a.html",
            "site/b.html",
            "site/c.txt",
            "site/d.html"
        ]
    );
}

#[test]
fn an_empty_run_has_a_report() {
    let place = Place::new(&[("site/a.txt", "nothing")]);
    assert_eq!(run(&place, &["--report", "r.html"]).code, 0);
    assert_eq!(report(&place, "r.html").1["changes"], json!([]));
    let piped = place.pipe(
        &["rewrite", "--to=uri", "--report=p.html"],
        "http://a.example/é",
    );
    assert_eq!(piped.text(), "http://a.example/%C3%A9");
    let (_, data) = report(&place, "p.html");
    assert_eq!(change(&data, "http://a.example/é")[9], json!([0, 1, 1]));
    assert_eq!(data["files"], json!(["-"]));
}

/// The page begins with what a person has to look at: links that were left, and mentions of moved hosts in their text,
/// with the options that reach them. It needs no script for that.
#[test]
fn a_report_leads_with_open_questions() {
    let place = Place::new(&[(
        "site/a.html",
        "<meta charset=utf-8><a href='{{x}}http://a.example/é'>\n<!-- ü: http://OLD.example/b -->\n\
         <script>/old\\.example/</script> ann@old.example <a href=mailto:ann@old.example>\n",
    )]);
    let args = [
        "rewrite",
        "--to=uri",
        "--move",
        "old.example",
        "new.example",
        "-q",
        "--report=r.html",
        "-n",
        "site",
    ];
    place.run(&args);
    let (page, _) = report(&place, "r.html");
    let open = page.split("id=\"charts-title\"").next().expect("a head");
    let open = open.split("id=\"open-title\"").nth(1).expect("a section");
    for part in [
        "<a href=\"#kind=left&amp;note=left-template\">1 link</a>",
        "<bdi>site/a.html:2:16</bdi>",
        "-- ü: http://<mark>OLD.example</mark>/b --",
        "in a comment; <code>--also comments</code> reaches it",
        "/<mark>old\\.example</mark>/",
        "in a script, with escaped dots",
        "in a tag, in an address; <code>--move-mail</code> reaches it",
        // No address of running text: `.example` is no domain of the Internet.
        "in text, in an address; by hand",
        "<bdi>site/a.html:1:30</bdi>",
        "&#60;meta charset=utf-8&#62;&#60;a href=&#39;<mark>{{x}}http://a.example/é</mark>&#39;&#62;",
        "<td>left-template; by hand</td>",
        "in a script, with escaped dots; by hand",
    ] {
        assert!(open.contains(part), "{part} in {open}");
    }
}

#[test]
fn hosts_are_shown_as_people_read_them() {
    let hosts =
        "<a href='http://xn--bcher-kva.example/é'><a href='http://xn--80ak6aa92e.example/é'>";
    let place = Place::new(&[("a.html", hosts)]);
    place.run(&[
        "rewrite",
        "--to=uri",
        "-E=utf-8",
        "--report=r.html",
        "-q",
        "a.html",
    ]);
    let (page, _) = report(&place, "r.html");
    assert!(page.contains("<bdi>bücher.example (xn--bcher-kva.example)</bdi>"));
    // Letters that look like ASCII stay encoded.
    assert!(page.contains("<bdi>xn--80ak6aa92e.example</bdi>"));
    // Nothing was left.
    assert!(!page.contains("To look at"));
}

/// Links that were left stand in their text, whatever their charset and their place; the first for each reason.
#[test]
fn links_that_were_left_stand_in_their_text() {
    let many: String = (0..100)
        .map(|n| format!("<a href='{{{{x}}}}/é{n}'>\n"))
        .collect();
    let place = Place::new(&[
        ("site/a.html", &format!("<meta charset=utf-8>\n{many}")),
        ("site/b.txt", "An old name: bücher.de, <b>\n"),
        (
            "site/c.eml",
            "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
            <p>=C3=A9 <a href=3D'/=C3=A9/{{x}}'>\n",
        ),
    ]);
    place.run(&[
        "rewrite",
        "--to=uri",
        "-q",
        "--report=r.html",
        "-n",
        "-j2",
        "site",
    ]);
    let (page, _) = report(&place, "r.html");
    let open = page.split("id=\"charts-title\"").next().expect("a head");
    for part in [
        "An old name: <mark>bücher.de</mark>, &#60;b&#62;",
        "<td>left-name; <code>--min-evidence name</code> reaches it</td>",
        "<mark>{{x}}/é39</mark>",
        "and 61 more links: <a href=\"#kind=left\">",
    ] {
        assert!(open.contains(part), "{part} in {open}");
    }
    assert!(!open.contains("/é40"));
    // The samples of a reason come from the first files.
    let only_mail = [
        "rewrite",
        "--to=uri",
        "-q",
        "--report=m.html",
        "-n",
        "site/c.eml",
    ];
    place.run(&only_mail);
    let (page, _) = report(&place, "m.html");
    assert!(
        page.contains("&#60;p&#62;é &#60;a href=&#39;<mark>/é/{{x}}</mark>&#39;&#62;"),
        "{page}"
    );
}

/// A mention in a link that was left is listed once, as that link.
#[test]
fn mentions_in_left_links_are_listed_once() {
    let text = "a:1:{s:3:\"url\";s:19:\"http://old.example/\";} and ftp://old.example/p\n";
    let place = Place::new(&[("a.txt", text)]);
    let moves = ["rewrite", "--move", "old.example", "new.example", "-n"];
    let ran = place.run(&[&moves[..], &["-v", "--report", "r.html", "a.txt"]].concat());
    let lines = ran.err.lines().filter(|line| line.contains("a.txt:"));
    let left = lines.filter(|line| line.contains("left"));
    assert_eq!(left.count(), 2, "{}", ran.err);
    assert!(
        ran.err
            .contains("2 mentions of moved hosts left behind in 1 file")
    );
    let page = String::from_utf8(place.read("r.html")).unwrap();
    assert!(
        page.contains("1 of them in links left unchanged, above."),
        "{page}"
    );
    assert_eq!(page.matches("<tr><td><bdi>a.txt:").count(), 2, "{page}");
    let objects = place
        .run(&[&moves[..], &["--json", "a.txt"]].concat())
        .text();
    assert_eq!(objects.matches("\"type\":\"left-behind\"").count(), 2);
}

/// A kind of mentions has a row, however many files have others.
#[test]
fn each_kind_of_mentions_has_a_row() {
    let many = "<!doctype html>\n<!-- http://old.com/ --><p title='http://old.com/'>\n".repeat(9);
    let mut files: Vec<_> = (0..60)
        .map(|n| (format!("site/f{n:02}.html"), &*many))
        .collect();
    files.push(("site/z.html".to_owned(), "<a href='ftp://old.com/a'>"));
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    let place = Place::new(&files);
    let moves = ["rewrite", "--move", "old.com", "new.org", "-q", "-n"];
    place.run(&[&moves[..], &["--report=r.html", "site"]].concat());
    let (page, _) = report(&place, "r.html");
    assert!(page.contains("<bdi>site/z.html:1:16</bdi>"), "{page}");
    assert_eq!(page.matches("<tr><td><bdi>site/").count(), 200);
}

/// A file with many mentions does not hide those of other files.
#[test]
fn mentions_of_many_files_have_rows() {
    let many = "<!-- http://old.com/ -->\n".repeat(300);
    let place = Place::new(&[
        ("site/a.html", &format!("<!doctype html>\n{many}")),
        ("site/b.html", "<!doctype html>\n<p title='ann@old.com'>"),
    ]);
    let moves = ["rewrite", "--move", "old.com", "new.org", "-q", "-n"];
    place.run(&[&moves[..], &["--report=r.html", "site"]].concat());
    let (page, _) = report(&place, "r.html");
    let count = |part: &str| page.matches(part).count();
    assert_eq!(
        (count("<bdi>site/a.html:"), count("<bdi>site/b.html:")),
        (199, 1)
    );
    assert!(page.contains("and 101 more mentions"), "{page}");
    // What is left to do by hand comes first, as kinds and as places.
    let (by_hand, reached) = (page.find("; by hand</li>"), page.find("reaches them</li>"));
    assert!(by_hand.is_some() && by_hand < reached, "{page}");
    assert!(page.find("<bdi>site/b.html:") < page.find("<bdi>site/a.html:"));
    assert!(page.contains(
        "<li>300: <bdi>old.com</bdi> in a comment; <code>--also comments</code> reaches them</li>"
    ));
    place.run(&[&moves[..], &["--report=one.html", "site/a.html"]].concat());
    let (page, _) = report(&place, "one.html");
    assert_eq!(page.matches("<bdi>site/a.html:").count(), 200);
}
