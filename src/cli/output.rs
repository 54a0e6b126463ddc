//! Standard output and standard error.

use super::args::{ReportArgs, When};
use anstyle::{AnsiColor, Style};
pub use linkglot::driver::{escaped, path_on_one_line};
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::path::Path;

/// Styles of what is printed; empty ones when there are no colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    pub path: Style,
    pub number: Style,
    pub link: Style,
    pub added: Style,
    pub removed: Style,
    pub header: Style,
    pub hunk: Style,
    pub controls: Controls,
}

/// What becomes of control characters in what is printed of documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controls {
    /// Scripts and `patch` get what is there.
    #[default]
    Raw,
    /// A terminal would obey them.
    Escaped,
}

impl Controls {
    /// As it is right for standard output.
    pub fn of_stdout() -> Self {
        match io::stdout().is_terminal() {
            true => Controls::Escaped,
            false => Controls::Raw,
        }
    }

    /// Text as it is printed.
    pub fn show(self, text: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Controls::Raw => Cow::Borrowed(text),
            Controls::Escaped => escaped(text),
        }
    }
}

impl Styles {
    /// The styles that the user wants on standard output.
    pub fn wanted(report: &ReportArgs) -> Self {
        let on = match report.color {
            When::Always => true,
            When::Never => false,
            When::Auto => io::stdout().is_terminal() && environment_allows(),
        };
        let controls = Controls::of_stdout();
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

/// Appends something in a style.
pub fn styled(out: &mut Vec<u8>, style: Style, bytes: &[u8]) {
    // Writing to memory does not fail.
    let _ = write!(out, "{style}");
    out.extend_from_slice(bytes);
    let _ = write!(out, "{style:#}");
}

/// Standard output as results are written to it.
pub struct Output {
    stdout: StdoutLock<'static>,
    /// What went wrong first.
    failed: Option<io::Error>,
}

/// How writing ended.
pub enum Ending {
    /// All is written.
    Well,
    /// The reader went away: a quiet end.
    BrokenPipe,
    /// Something else.
    Failed(io::Error),
}

impl Output {
    pub fn new() -> Self {
        Output {
            stdout: io::stdout().lock(),
            failed: None,
        }
    }

    /// Writes, unless writing failed before. False when it fails.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        if self.failed.is_some() {
            return false;
        }
        if bytes.is_empty() {
            return true;
        }
        self.keep(|stdout| stdout.write_all(bytes))
    }

    /// Hands on what waits in memory.
    pub fn flush(&mut self) -> bool {
        self.failed.is_none() && self.keep(|stdout| stdout.flush())
    }

    fn keep(&mut self, act: impl FnOnce(&mut StdoutLock<'_>) -> io::Result<()>) -> bool {
        self.failed = act(&mut self.stdout).err();
        self.failed.is_none()
    }

    /// Flushes, and says how it went.
    pub fn end(mut self) -> Ending {
        self.flush();
        match self.failed.take() {
            None => Ending::Well,
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Ending::BrokenPipe,
            Some(error) => Ending::Failed(error),
        }
    }
}

/// Prints `linkglot: MESSAGE` on standard error. What the message has of a document is shown, not
/// obeyed by a terminal.
pub fn complain(message: impl Display) {
    let mut line = escaped(format!("linkglot: {message}").as_bytes()).into_owned();
    line.push(b'\n');
    // When even this fails there is nobody to tell.
    let _ = io::stderr().lock().write_all(&line);
}

/// Prints `linkglot: PATH: MESSAGE` on standard error.
pub fn complain_of(path: &Path, message: impl Display) {
    let mut line = b"linkglot: ".to_vec();
    path_on_one_line(&mut line, path);
    let message = format!(": {message}\n");
    line.extend_from_slice(&escaped(message.as_bytes()));
    let _ = io::stderr().lock().write_all(&line);
}

/// A path as the user would write it, byte for byte where the system allows.
pub fn path_bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().to_vec()
}

/// Appends text that stays on its line: line ends become `\n` and `\r`.
pub fn on_one_line(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown() {
        let shown = |text: &str| String::from_utf8(escaped(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(
            shown("\x1B[31mé\0\x7F\u{9B}1\u{A0}"),
            r"\u{1b}[31mé\u{0}\u{7f}\u{9b}1\u{A0}".replace(r"\u{A0}", "\u{A0}")
        );
        assert_eq!(shown("a\tb\r\nc"), "a\tb\r\nc");
        assert_eq!(Controls::Raw.show(b"\x1B"), &b"\x1B"[..]);
        assert_eq!(Controls::Escaped.show(b"a\x1Bb"), &b"a\\u{1b}b"[..]);
    }
}
