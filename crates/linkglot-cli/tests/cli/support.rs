//! Running the command in a directory of its own.
#![allow(dead_code)]

use super::schema;
use assert_cmd::Command;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

pub fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    let mut decoder = MultiGzDecoder::new(bytes);
    decoder.read_to_end(&mut content).unwrap();
    content
}

/// A directory with files, and another for the journals of runs.
pub struct Place(TempDir, TempDir);

/// The outcome of a command.
#[derive(Debug)]
pub struct Ran {
    pub out: Vec<u8>,
    pub err: String,
    pub code: i32,
}

impl Place {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let directory = || tempfile::tempdir().expect("a directory");
        let place = Place(directory(), directory());
        for (name, content) in files {
            place.write(name, content.as_bytes());
        }
        place
    }

    /// The directory where runs keep their journals.
    pub fn state(&self) -> &Path {
        self.1.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, content).expect("a file");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("a file")
    }

    /// The names of everything below a directory, sorted.
    pub fn names(&self, directory: &str) -> Vec<String> {
        let mut names = Vec::new();
        collect(&self.path(directory), Path::new(""), &mut names);
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("linkglot").expect("the command");
        self.prepare(&mut command, args);
        // A run that does not end fails its test.
        command.timeout(Duration::from_secs(600));
        command
    }

    fn prepare(&self, command: &mut Command, args: &[&str]) {
        command.current_dir(self.0.path()).args(args);
        command.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
        command.env("XDG_STATE_HOME", self.state());
    }

    /// Runs the command with empty standard input.
    pub fn run(&self, args: &[&str]) -> Ran {
        ran(&mut self.command(args))
    }

    /// The command in a shell that limits the address space: no thread waits for a disk while another works, so that
    /// `-j1` processes one file after the other. Only on systems with `sh`.
    pub fn command_in_order(&self, args: &[&str]) -> Command {
        let mut command = Command::new("sh");
        let script = "ulimit -v 4194304 && exec \"$@\"";
        command.args(["-c", script, "sh"]);
        command.arg(assert_cmd::cargo::cargo_bin("linkglot"));
        self.prepare(&mut command, args);
        command
    }

    /// Runs the command with one file after the other.
    pub fn run_in_order(&self, args: &[&str]) -> Ran {
        ran(&mut self.command_in_order(args))
    }

    /// Runs the command with a pipe as standard input.
    pub fn pipe(&self, args: &[&str], input: impl Into<Vec<u8>>) -> Ran {
        ran(self.command(args).write_stdin(input))
    }
}

fn collect(directory: &Path, below: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let entry = entry.expect("an entry");
        let name = below.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            collect(&entry.path(), &name, names);
        } else {
            names.push(name.to_string_lossy().into_owned());
        }
    }
}

fn ran(command: &mut Command) -> Ran {
    let output = command.output().expect("the command runs");
    let ran = Ran {
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    };
    // Wrong usage and help are no objects.
    if ran.out.starts_with(b"{") && command.get_args().any(|word| word == "--json") {
        schema::check_lines(&ran.text());
    }
    ran
}

impl Ran {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// The objects of `--json`.
    pub fn objects(&self) -> Vec<Value> {
        let text = self.text();
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().expect("an object a line")
    }

    /// Checks standard output and the exit code, and that there were no messages.
    #[track_caller]
    pub fn prints(&self, out: &str, code: i32) {
        assert_eq!(self.text(), out, "{self:?}");
        assert_eq!(self.err, "", "{self:?}");
        assert_eq!(self.code, code, "{self:?}");
    }

    /// Checks the exit code, and that standard error contains all of these words.
    #[track_caller]
    pub fn complains(&self, words: &[&str], code: i32) {
        for word in words {
            assert!(self.err.contains(word), "`{word}` is not in {self:#?}");
        }
        assert_eq!(self.code, code, "{self:?}");
    }
}

/// The document of this name as `rewrite` prints it.
pub fn rewritten(name: &str, text: &str, options: &[&str]) -> String {
    let place = Place::new(&[(name, text)]);
    let ran = place.run(&[&["rewrite", "--stdout", name], options].concat());
    ran.text()
}
