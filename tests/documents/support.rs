//! Settings, rules and readers that tests share.

use linkglot::format::Format;
use linkglot::rewrite::Rules;
use linkglot::{Charset, Settings};
use std::io::{self, Read};

/// Settings for documents of a format in a charset.
pub fn settings(format: Format, label: &str) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Some(Charset::for_label(label).expect("a known label"));
    settings
}

/// Rules, one in each line.
pub fn rules(lines: &[&str]) -> Rules {
    let mut rules = Rules::default();
    for line in lines {
        rules.add(line).expect(line);
    }
    rules
}

/// A reader that gives a number of bytes at a time.
pub struct Chunks<'b>(pub &'b [u8], pub usize);

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}
