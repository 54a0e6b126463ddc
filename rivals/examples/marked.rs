//! Marks the links of lines of text as linkglot, UTS 58 and the crate linkify find them, for `.ci/differences`: each
//! line of standard input becomes a JSON array of the line with the links of each marked by `⸠` and `⸡`.

use linkglot::{Profile, Scanner};
use linkify::LinkFinder;
use std::io::{self, BufRead, Write};

fn marked(line: &str, spans: impl Iterator<Item = (usize, usize)>) -> String {
    let (mut out, mut last) = (String::new(), 0);
    for (start, end) in spans {
        out = out + &line[last..start] + "⸠" + &line[start..end] + "⸡";
        last = end;
    }
    out + &line[last..]
}

fn main() -> io::Result<()> {
    let scanners = [Profile::Extended, Profile::Uts58].map(Scanner::new);
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let [ours, uts58] = scanners.each_ref().map(|scanner| {
            let hits = scanner.links(&line);
            marked(&line, hits.map(|hit| (hit.span.start, hit.span.end)))
        });
        let links = finder.links(&line);
        let linkify = marked(&line, links.map(|link| (link.start(), link.end())));
        writeln!(out, "{}", serde_json::json!([ours, uts58, linkify]))?;
    }
    out.flush()
}
