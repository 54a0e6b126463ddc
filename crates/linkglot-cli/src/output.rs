//! Standard output and standard error.

use super::Failure;
use super::args::{ReportArgs, When};
use super::standard_output::was_closed;
use anstyle::{AnsiColor, Style};
use linkglot::Error;
use linkglot::error::shortened;
use linkglot_files::{Remedy, escape_controls, escape_deceptive, push_path};
use linkglot_iri::bidi::isolated;
use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
#[cfg(windows)]
use std::os::windows::io::AsHandle;
use std::path::Path;
use std::time::{Duration, Instant};

/// Styles of the output, empty without colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    pub path: Style,
    pub number: Style,
    pub link: Style,
    pub added: Style,
    pub removed: Style,
    /// The style of the difference within an added line; `removed_part` is the same for a removed line.
    pub added_part: Style,
    pub removed_part: Style,
    pub header: Style,
    pub hunk: Style,
    pub controls: Controls,
}

/// Treatment of control characters in text from documents, and of characters that reorder or hide text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controls {
    /// Printed raw, for scripts and `patch`.
    #[default]
    Raw,
    /// Escaped, because a terminal would obey such characters, and people would be deceived.
    Escaped,
}

impl Controls {
    /// The treatment for standard output.
    pub fn for_stdout() -> Self {
        if io::stdout().is_terminal() {
            Controls::Escaped
        } else {
            Controls::Raw
        }
    }

    /// Text in its printed form.
    pub fn apply(self, text: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Controls::Raw => Cow::Borrowed(text),
            Controls::Escaped => escape_deceptive(text),
        }
    }

    /// Text for people: control characters are escaped wherever it is printed.
    pub fn apply_to_words(self, words: &str) -> Cow<'_, str> {
        let shown = match self {
            Controls::Raw => escape_controls(words.as_bytes()),
            Controls::Escaped => escape_deceptive(words.as_bytes()),
        };
        match shown {
            Cow::Borrowed(_) => Cow::Borrowed(words),
            Cow::Owned(shown) => Cow::Owned(String::from_utf8_lossy(&shown).into_owned()),
        }
    }

    /// A path in its printed form: on a terminal on one line, whatever its name.
    pub fn path(self, path: &Path) -> Vec<u8> {
        let mut name = Vec::new();
        match self {
            Controls::Raw => name.extend_from_slice(path.as_os_str().as_encoded_bytes()),
            Controls::Escaped => push_path(&mut name, path),
        }
        name
    }
}

/// The choice whether identifiers with right-to-left characters are printed in isolates (RFC 3987 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    Off,
    On,
}

impl Isolation {
    /// The isolation for standard output: on if requested, and on terminals.
    pub fn for_stdout(is_asked_for: bool) -> Self {
        if is_asked_for || io::stdout().is_terminal() {
            Isolation::On
        } else {
            Isolation::Off
        }
    }

    /// An identifier in its printed form.
    pub fn apply(self, identifier: &str) -> Cow<'_, str> {
        match self {
            Isolation::Off => Cow::Borrowed(identifier),
            Isolation::On => isolated(identifier),
        }
    }

    /// The printed form of text whose characters are already in display order.
    pub fn apply_to_visual(self, visual: &str) -> Cow<'_, str> {
        match self {
            Isolation::Off => Cow::Borrowed(visual),
            Isolation::On => Cow::Owned(format!("\u{2066}\u{202D}{visual}\u{202C}\u{2069}")),
        }
    }
}

impl Styles {
    /// The styles for standard output.
    pub fn new(report: &ReportArgs) -> Self {
        let on = match report.color {
            When::Always => true,
            When::Never => false,
            When::Auto => io::stdout().is_terminal() && environment_allows(),
        };
        let controls = Controls::for_stdout();
        if !on {
            return Styles {
                controls,
                ..Styles::default()
            };
        }
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        Styles {
            path: color(AnsiColor::Magenta),
            number: color(AnsiColor::Green),
            link: Style::new().bold(),
            added: color(AnsiColor::Green),
            removed: color(AnsiColor::Red),
            added_part: color(AnsiColor::Green).invert(),
            removed_part: color(AnsiColor::Red).invert(),
            header: Style::new().bold(),
            hunk: color(AnsiColor::Cyan),
            controls,
        }
    }
}

/// <https://no-color.org>: set and not empty.
fn environment_allows() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !no_color && !dumb
}

/// Appends bytes in a style.
pub fn push_styled(out: &mut Vec<u8>, style: Style, bytes: &[u8]) {
    // Writing to memory does not fail.
    let _ = write!(out, "{style}");
    out.extend_from_slice(bytes);
    let _ = write!(out, "{style:#}");
}

/// Bytes for a pipe or a file that are written at once.
const BUFFER: usize = 64 * 1024;
/// The time that short pieces wait for more in a pipe or a file.
const PAUSE: Duration = Duration::from_millis(100);

/// Standard output as a file, which looks for no line ends; `None` if it is a terminal, or cannot be had.
fn unbuffered(is_terminal: bool) -> Option<Box<dyn Write + Send>> {
    #[cfg(unix)]
    let owned = io::stdout().as_fd().try_clone_to_owned();
    #[cfg(windows)]
    let owned = io::stdout().as_handle().try_clone_to_owned();
    let file = owned.ok().filter(|_| !is_terminal).map(File::from)?;
    Some(Box::new(file))
}

/// Standard output. After an error, all further output is dropped.
pub struct Output {
    stdout: BufWriter<Box<dyn Write + Send>>,
    /// The least time between two writes of pieces that fit into the buffer: none on a terminal, where somebody looks.
    pause: Duration,
    /// The time of the last write.
    written: Option<Instant>,
    error: Option<io::Error>,
}

impl Output {
    pub fn new() -> Self {
        let is_terminal = io::stdout().is_terminal();
        let stdout = unbuffered(is_terminal).unwrap_or_else(|| Box::new(io::stdout()));
        Output {
            stdout: BufWriter::with_capacity(BUFFER, stdout),
            pause: if is_terminal { Duration::ZERO } else { PAUSE },
            written: None,
            error: None,
        }
    }

    /// Writes bytes. Returns false after an error.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        if !bytes.is_empty() && was_closed() {
            self.error.get_or_insert(io::Error::other("it is closed"));
        }
        if bytes.is_empty() || !self.attempt(|stdout| stdout.write_all(bytes)) {
            return bytes.is_empty();
        }
        let is_due = |written: Instant| written.elapsed() >= self.pause;
        !self.written.is_none_or(is_due) || self.flush()
    }

    /// Drops all further output: nobody would read it.
    pub fn give_up(&mut self) {
        self.error.get_or_insert(io::ErrorKind::BrokenPipe.into());
    }

    /// Writes the pending output. Returns false after an error.
    pub fn flush(&mut self) -> bool {
        self.written = Some(Instant::now());
        self.attempt(|stdout| stdout.flush())
    }

    fn attempt(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> bool {
        if self.error.is_none() {
            self.error = act(&mut self.stdout).err();
        }
        self.error.is_none()
    }

    /// Flushes, and returns the first error, if any.
    pub fn end(mut self) -> Result<(), Failure> {
        self.flush();
        match self.error {
            None => Ok(()),
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::BrokenPipe),
            Some(error) => Err(Failure::new(format!("standard output: {error}"))),
        }
    }
}

/// Prints `linkglot: MESSAGE` on standard error, with control characters, bidi controls and tags escaped.
pub fn complain(message: impl Display) {
    print_error(format!("linkglot: {message}").into_bytes());
}

/// Prints `linkglot: PATH: MESSAGE` on standard error, with control characters escaped.
pub fn complain_about(path: &Path, message: impl Display) {
    let mut line = b"linkglot: ".to_vec();
    push_path(&mut line, path);
    line.extend_from_slice(format!(": {message}").as_bytes());
    print_error(line);
}

/// Maximal number of characters of a message, so that it stays readable whatever it quotes.
const LONGEST_MESSAGE: usize = 4000;

fn print_error(mut line: Vec<u8>) {
    if line.len() > LONGEST_MESSAGE {
        let text = String::from_utf8_lossy(&line);
        line = shortened(&text, LONGEST_MESSAGE).into_owned().into_bytes();
    }
    line.push(b'\n');
    // If even this fails, nobody can be told.
    let _ = io::stderr().lock().write_all(&escape_deceptive(&line));
}

/// A path as the user would write it, with its bytes unchanged where the system allows.
pub fn path_bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().to_vec()
}

/// Appends text on a single line: line ends become `\n` and `\r`.
pub fn push_one_line(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            _ => out.push(byte),
        }
    }
}

/// A count with its noun: `1 link`, `2 links`.
pub fn number(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The message of an error, with the option that helps.
pub fn error_words(error: &Error) -> String {
    let help = match Remedy::of(error) {
        Some(Remedy::TrustJournal) => {
            "; `linkglot undo --trust JOURNAL`, in the directory of the files, trusts it, but only below that directory"
        }
        Some(Remedy::Force) => "; `--force` undoes the run's changes in it",
        Some(Remedy::NameJournal) => {
            "; `--journal FILE` names a file, `--no-journal` keeps no journal"
        }
        Some(Remedy::OtherJournal) => {
            " (`--journal FILE` names another file, `--no-journal` keeps no journal)"
        }
        Some(Remedy::NoJournal) => " (`--no-journal` keeps no journal)",
        Some(Remedy::FollowLinks) => " (`-L` follows it)",
        Some(Remedy::InPlace) => "; `--in-place` replaces files",
        Some(Remedy::ListRuns) => "; `linkglot runs` lists all runs",
        Some(Remedy::MaxRatio) => " (`--max-ratio` allows it)",
        Some(Remedy::MaxDepth) => " (`--max-depth` allows it)",
        Some(Remedy::OtherPlace) => "; `-O` writes a new file elsewhere",
        _ => "",
    };
    format!("{error}{help}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_escaped() {
        let shown =
            |text: &str| String::from_utf8(escape_controls(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(
            shown("\x1B[31mé\0\x7F\u{9B}1\u{A0}"),
            r"\u{1b}[31mé\u{0}\u{7f}\u{9b}1\u{A0}".replace(r"\u{A0}", "\u{A0}")
        );
        assert_eq!(shown("a\tb\r\nc"), "a\tb\r\nc");
        let name = Path::new("a\nb\u{202E}");
        assert_eq!(Controls::Raw.path(name), "a\nb\u{202E}".as_bytes());
        assert_eq!(Controls::Escaped.path(name), br"a\nb\u{202e}");
        assert_eq!(Controls::Raw.apply(b"\x1B"), &b"\x1B"[..]);
        assert_eq!(Controls::Escaped.apply(b"a\x1Bb"), &b"a\\u{1b}b"[..]);
        let hidden = "a\u{202E}\u{E0041}\x1B";
        assert_eq!(Controls::Raw.apply(hidden.as_bytes()), hidden.as_bytes());
        let words = |controls: Controls| controls.apply_to_words(hidden).into_owned();
        assert_eq!(words(Controls::Raw), "a\u{202E}\u{E0041}\\u{1b}");
        assert_eq!(words(Controls::Escaped), r"a\u{202e}\u{e0041}\u{1b}");
    }
}
