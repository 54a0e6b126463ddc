//! The places of the characters of base64.

use super::is_character;
use std::sync::OnceLock;

/// The places of the characters.
#[derive(Clone, Debug)]
pub(super) enum Places {
    /// All lines but the last have one length and one line break, so that places are computed.
    Uniform {
        count: usize,
        /// The characters of a line.
        line: usize,
        /// The bytes of the line break.
        line_break: usize,
    },
    /// Places are looked up in a table, which the first look-up builds.
    Irregular {
        count: usize,
        runs: OnceLock<Vec<Run>>,
    },
}

/// Characters without anything between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The first character.
    character: usize,
    /// The position of that character.
    at: usize,
}

impl Places {
    pub(super) fn irregular(count: usize) -> Self {
        Places::Irregular {
            count,
            runs: OnceLock::new(),
        }
    }

    /// The position of a character; `None` behind the last. `encoded` is the same at each call.
    pub(super) fn place(&self, character: usize, encoded: &[u8]) -> Option<usize> {
        if character >= self.count() {
            return None;
        }
        match self {
            &Places::Uniform {
                line, line_break, ..
            } => {
                let passed = character.checked_div(line).unwrap_or(0);
                Some(character + passed * line_break)
            }
            Places::Irregular { runs, .. } => {
                let runs = runs.get_or_init(|| runs_of(encoded));
                let behind = runs.partition_point(|run| run.character <= character);
                let run = runs.get(behind.checked_sub(1)?)?;
                Some(run.at + (character - run.character))
            }
        }
    }

    /// The first character at or after a position; their number if no character follows.
    pub(super) fn char_from(&self, at: usize, encoded: &[u8]) -> usize {
        let count = self.count();
        match self {
            &Places::Uniform {
                line, line_break, ..
            } => {
                let whole = line + line_break;
                let passed = at.checked_div(whole).unwrap_or(0);
                passed * line + (at - passed * whole).min(line)
            }
            Places::Irregular { runs, .. } => {
                let runs = runs.get_or_init(|| runs_of(encoded));
                let behind = runs.partition_point(|run| run.at <= at);
                let end = runs.get(behind).map_or(count, |next| next.character);
                let run = behind.checked_sub(1).and_then(|before| runs.get(before));
                run.map_or(0, |run| (run.character + (at - run.at)).min(end))
            }
        }
        .min(count)
    }

    fn count(&self) -> usize {
        match self {
            Places::Uniform { count, .. } | Places::Irregular { count, .. } => *count,
        }
    }
}

/// The runs of a body. Runs behind its end do no harm, since the characters are counted.
fn runs_of(encoded: &[u8]) -> Vec<Run> {
    let mut runs = Vec::new();
    let (mut character, mut in_run) = (0, false);
    for (at, &byte) in encoded.iter().enumerate() {
        let is_character = is_character(byte);
        if is_character && !in_run {
            runs.push(Run { character, at });
        }
        character += usize::from(is_character);
        in_run = is_character;
    }
    runs
}

/// Counts the lines of a body as long as they have one length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uniform {
    line: usize,
    line_break: usize,
    is_broken: bool,
    /// A line was shorter, or had no line break: it must be the last one.
    is_over: bool,
}

impl Uniform {
    pub(super) fn line(&mut self, len: usize, line_break: usize) {
        if self.line == 0 {
            (self.line, self.line_break) = (len, line_break);
        }
        let is_short = len < self.line || line_break != self.line_break;
        self.is_broken |= len > self.line || len == 0 || self.is_over;
        self.is_over |= is_short;
    }

    pub(super) fn finish(self, count: usize) -> Places {
        if self.is_broken {
            return Places::irregular(count);
        }
        Places::Uniform {
            count,
            line: self.line,
            line_break: self.line_break,
        }
    }
}
