//! Lines and columns of a file, each found without reading the text before it.

/// Characters are counted in advance up to each multiple of this many bytes.
const BLOCK: usize = 256;

/// Finds lines and columns in a text.
pub struct Places<'t> {
    text: &'t [u8],
    /// Beginnings of lines.
    lines: Vec<usize>,
    /// Number of characters that begin before each block.
    characters: Vec<usize>,
}

impl<'t> Places<'t> {
    /// Counts the lines and characters of a text. Linear.
    pub fn new(text: &'t str) -> Self {
        let text = text.as_bytes();
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let mut count = 0;
        let characters = text.chunks(BLOCK).map(|block| {
            let before = count;
            count += characters(block);
            before
        });
        Places {
            text,
            characters: characters.collect(),
            lines: std::iter::once(0)
                .chain(ends.map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// The line and the column, in characters and from 1, of a byte.
    pub fn of(&self, at: usize) -> (usize, usize) {
        let at = at.min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= at);
        let start = line.checked_sub(1).map_or(0, |line| self.lines[line]);
        (line, self.before(at) - self.before(start) + 1)
    }

    /// Number of characters that begin before a byte.
    fn before(&self, at: usize) -> usize {
        let block = at / BLOCK;
        let counted = self.characters.get(block).or(self.characters.last());
        let start = block.min(self.characters.len().saturating_sub(1)) * BLOCK;
        counted.map_or(0, |count| count + characters(&self.text[start..at]))
    }
}

fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_that_counting_gives() {
        let text = "\u{e9}a = '\u{65e5}'\n\n[x]\n".repeat(50) + &"\u{1F600}b".repeat(300);
        for text in [
            "",
            "\n",
            "a",
            &text,
            &"x".repeat(BLOCK),
            &"x\n".repeat(BLOCK),
        ] {
            let places = Places::new(text);
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let before = &text[..at];
                let line = before.matches('\n').count() + 1;
                let own = before.rsplit('\n').next().unwrap_or_default();
                assert_eq!(places.of(at), (line, own.chars().count() + 1), "{at}");
            }
        }
    }
}
