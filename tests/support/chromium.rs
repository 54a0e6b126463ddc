//! Runs a real browser. `LINKGLOT_BROWSER` is Chromium, as a path or a command's name; without it nothing is tested.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The name of the file for the browser's complaints.
pub const LOG: &str = "log";

/// The time limit of a run, on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(300);

/// Browsers are large: one at a time.
static ONE: Mutex<()> = Mutex::new(());

pub fn browser() -> Option<PathBuf> {
    let browser = std::env::var_os("LINKGLOT_BROWSER").filter(|path| !path.is_empty());
    if browser.is_none() {
        eprintln!("skipped: LINKGLOT_BROWSER names no Chromium");
    }
    browser.map(PathBuf::from)
}

/// The DOM of a page once all of its parts are loaded. The browser's own files are in the folder.
pub fn run(browser: &Path, folder: &Path, url: &str) -> String {
    let _one = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ])
        .args([
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--virtual-time-budget=60000",
            "--dump-dom",
            // Complaints of scripts.
            "--enable-logging=stderr",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(url)
        .stdout(Stdio::piped())
        .stderr(fs::File::create(folder.join(LOG)).expect("a file"))
        .spawn()
        .expect("the browser starts");
    finish(&mut child)
}

/// The output of the browser, if it ends in time.
fn finish(child: &mut Child) -> String {
    let mut stdout = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut dom = Vec::new();
        stdout
            .read_to_end(&mut dom)
            .map(|_| String::from_utf8_lossy(&dom).into_owned())
    });
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begin.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the browser did not end within {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    reader.join().expect("no panic").expect("a text")
}
