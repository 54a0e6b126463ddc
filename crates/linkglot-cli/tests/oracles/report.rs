//! The report of `rewrite` in a real browser: it draws, filters and sorts without errors.

use crate::chromium::{LOG, browser, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Operates the page once it has drawn its table, and reports the visible content.
const TELL: &str = r"<script>
function rows() {
  return [...document.querySelectorAll('#rows tr')].map(row => row.cells[0].querySelector('.link').textContent);
}
setTimeout(() => {
  const told = document.createElement('pre');
  told.id = 'told';
  const text = JSON.stringify((() => { ACT })());
  told.textContent = text.replace(/[^ -~]|[<>&]/g, unit => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'));
  document.body.append(told);
}, 2000);
</script>";

/// A report in a directory of its own.
struct Report(TempDir);

impl Report {
    fn new(files: &[(&str, String)]) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let site = directory.path().join("site");
        fs::create_dir(&site).expect("a directory");
        for (name, content) in files {
            fs::write(site.join(name), content).expect("a file");
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_linkglot"));
        command.current_dir(directory.path());
        let rules = ["--map", "old.example new.example"];
        let command = command.args([
            "rewrite", "--to", "uri", "-qn", "--report", "r.html", "site",
        ]);
        assert!(command.args(rules).status().expect("the command").success());
        Report(directory)
    }

    /// The page's answer to a script. A script that fails gives no answer.
    fn tell(&self, browser: &Path, hash: &str, act: &str) -> Value {
        let folder = self.0.path();
        let page = fs::read_to_string(folder.join("r.html")).expect("a report");
        let page = page.replace("</body>", &(TELL.replace("ACT", act) + "</body>"));
        fs::write(folder.join("acting.html"), page).expect("a file");
        let url = format!("file://{}#{hash}", folder.join("acting.html").display());
        let dom = run(browser, folder, &url);
        let told = dom.split("<pre id=\"told\">").nth(1);
        let told = told.and_then(|rest| rest.split("</pre>").next());
        let told = told.unwrap_or_else(|| panic!("nothing told: {}", self.log()));
        serde_json::from_str(told).expect("JSON")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.0.path().join(LOG)).unwrap_or_default()
    }

    #[track_caller]
    fn complains_of_nothing(&self) {
        assert!(!self.log().contains("CONSOLE"), "{}", self.log());
    }
}

fn small() -> Report {
    let page = "<meta charset=utf-8><a href='http://old.example/é'> <a href='http://b.example/é'> <a href='http://b.example/é'>";
    Report::new(&[
        ("a.html", format!("{page}<a href='javascript:é'>")),
        (
            "b.html",
            "<meta charset=utf-8><a href='http://old.example/</script><img src=x onerror=console.error(1)>é\u{202E}'>".to_owned(),
        ),
        ("c.html", "<meta charset=utf-8><a href='http://old.example/מרחב'>".to_owned()),
    ])
}

const ROWS: &str = "return rows();";

#[test]
fn a_report_filters_sorts_and_shows() {
    let Some(browser) = browser() else { return };
    let report = small();
    let hostile = "http://old.example/</script><img src=x onerror=console.error(1)>é\\u{202e}";
    for (hash, rows) in [
        ("kind=left", json!(["javascript:é"])),
        ("host=b.example", json!(["http://b.example/é"])),
        ("host=-", json!(["javascript:é"])),
        ("q=OLD.example+onerror", json!([hostile])),
        ("q=site/c.html", json!(["http://old.example/מרחב"])),
        ("note=left-not-fetched", json!(["javascript:é"])),
        (
            "scheme=http&rule=0&sort=old&q=a.html",
            json!(["http://old.example/é"]),
        ),
        (
            "sort=-old&kind=changed&q=.html&host=old.example",
            json!(["http://old.example/מרחב", "http://old.example/é", hostile]),
        ),
        ("q=nothing", json!([])),
    ] {
        assert_eq!(report.tell(&browser, hash, ROWS), rows, "{hash}");
        report.complains_of_nothing();
    }
}

#[test]
fn a_report_answers_to_clicks_and_keys() {
    let Some(browser) = browser() else { return };
    let report = small();
    let told = report.tell(
        &browser,
        "",
        "const header = document.querySelector('[data-sort=old]');
         const first = rows();
         header.click();
         const up = rows();
         header.click();
         const down = rows();
         const sorted = header.closest('th').getAttribute('aria-sort');
         document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
         const focus = document.activeElement.id;
         document.getElementById('theme').click();
         document.querySelector('details').open = true;
         return { first, up, down, sorted, focus, hash: location.hash, theme: document.documentElement.dataset.theme,
                  anchors: [...document.querySelectorAll('table a')].length, images: document.images.length,
                  wide: document.documentElement.scrollWidth > innerWidth };",
    );
    assert_eq!(told["first"][0], "http://b.example/é");
    assert_eq!(told["up"][0], "http://b.example/é");
    assert_eq!(told["down"][0], "javascript:é");
    assert_eq!(
        (&told["sorted"], &told["focus"]),
        (&json!("descending"), &json!("q"))
    );
    assert_eq!(
        (&told["hash"], &told["theme"]),
        (&json!("#sort=-old"), &json!("light"))
    );
    assert_eq!(
        (&told["anchors"], &told["images"], &told["wide"]),
        (&json!(0), &json!(0), &json!(false))
    );
    report.complains_of_nothing();
    // The log would show the error.
    report.tell(&browser, "", "console.error('broken'); return 0;");
    assert!(report.log().contains("CONSOLE"), "{}", report.log());
}

#[test]
fn a_report_of_many_changes_is_usable() {
    let Some(browser) = browser() else { return };
    const FILES: usize = 100;
    const LINKS: usize = 2000;
    let page = |file: usize| {
        let links = (0..LINKS).map(|link| format!("<a href='http://h{link}.example/é/{file}'>"));
        format!("<meta charset=utf-8>{}", links.collect::<String>())
    };
    let names: Vec<String> = (0..FILES).map(|file| format!("{file}.html")).collect();
    let files: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(at, name)| (&**name, page(at)))
        .collect();
    let report = Report::new(&files);
    let status = "return [rows().length, document.getElementById('status').textContent];";
    for (hash, expected) in [
        ("", json!([100, "200,000 distinct changes, 200,000 links"])),
        (
            "q=h7.example&sort=-old",
            json!([100, "100 of 200,000 distinct changes, 100 links"]),
        ),
        (
            "host=h1999.example&q=/99",
            json!([1, "1 of 200,000 distinct changes, 1 link"]),
        ),
        (
            "page=2000",
            json!([100, "200,000 distinct changes, 200,000 links"]),
        ),
    ] {
        assert_eq!(report.tell(&browser, hash, status), expected, "{hash}");
    }
    report.complains_of_nothing();
}
