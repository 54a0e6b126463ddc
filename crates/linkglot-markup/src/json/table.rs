//! The vocabularies of JSON. The table is data (`vocabulary.tsv`).

use std::sync::LazyLock;

const ROWS: &str = include_str!("vocabulary.tsv");

/// The content of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any content, which tells how it is read.
    Any,
    Link,
    /// A link with expressions in braces.
    Template,
    /// A link that programs compare letter by letter.
    Rules,
    Identifier,
    Html,
    Text,
    Markdown,
    /// The source of a cell of a notebook, whose type tells its language.
    Cell,
    /// The source of a cell with code.
    Code,
    /// The type of a cell.
    CellType,
    /// The name of the language of cells with code.
    Language,
    /// No link.
    Nothing,
}

impl Kind {
    fn of(name: &str) -> Option<Kind> {
        Some(match name {
            "link" => Kind::Link,
            "template" => Kind::Template,
            "rules" => Kind::Rules,
            "identifier" => Kind::Identifier,
            "html" => Kind::Html,
            "text" => Kind::Text,
            "markdown" => Kind::Markdown,
            "cell" => Kind::Cell,
            "code" => Kind::Code,
            "cell-type" => Kind::CellType,
            "language" => Kind::Language,
            "any" => Kind::Any,
            _ => return None,
        })
    }
}

/// The rules of one vocabulary.
#[derive(Debug)]
pub(super) struct Vocabulary {
    name: &'static str,
    rules: Vec<Rule>,
    /// Names of files, or extensions with a dot in front.
    files: Vec<&'static str>,
    /// Keys of the outermost object, and the start of their strings, that tell the vocabulary.
    begins: Vec<(&'static str, &'static str)>,
}

#[derive(Debug)]
struct Rule {
    /// Keys, the innermost first; `*` for any.
    path: Vec<&'static str>,
    /// True if the path may begin below the outermost object.
    is_anywhere: bool,
    /// True if the rule also holds below the path.
    is_deep: bool,
    kind: Kind,
}

static VOCABULARIES: LazyLock<Vec<Vocabulary>> = LazyLock::new(|| {
    let mut all: Vec<Vocabulary> = Vec::new();
    for row in ROWS.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [name, path, kind, _source] = columns[..] else {
            continue;
        };
        if all.last().is_none_or(|last| last.name != name) {
            all.push(Vocabulary {
                name,
                rules: Vec::new(),
                files: Vec::new(),
                begins: Vec::new(),
            });
        }
        if let Some(last) = all.last_mut() {
            last.add(path, kind);
        }
    }
    all
});

impl Vocabulary {
    fn add(&mut self, path: &'static str, kind: &'static str) {
        if let Some(file) = kind.strip_prefix("file ") {
            self.files.push(file);
        } else if let Some(start) = kind.strip_prefix("begins ") {
            self.begins.push((path, start));
            self.rules.push(Rule::of(path, Kind::Identifier));
        } else if let Some(kind) = Kind::of(kind) {
            self.rules.push(Rule::of(path, kind));
        }
    }

    /// The vocabulary of a file by its name.
    pub(super) fn of_file(name: &str) -> Option<&'static Vocabulary> {
        let file = name.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
        let is_of =
            |known: &&str| file == **known || known.starts_with('.') && file.ends_with(*known);
        let mut all = VOCABULARIES.iter();
        all.find(|known| known.files.iter().any(is_of))
    }

    /// The vocabulary that a string of the outermost object tells.
    pub(super) fn told_by(key: &str, text: &dyn Fn() -> String) -> Option<&'static Vocabulary> {
        let tells = |(known, start): &(&str, &str)| key == *known && text().starts_with(start);
        VOCABULARIES
            .iter()
            .find(|known| known.begins.iter().any(tells))
    }

    /// The kind of a string at a path, given from the innermost key on, and true if it also holds below the path.
    pub(super) fn kind(&self, path: &[&str]) -> (Kind, bool) {
        let rule = self.rules.iter().find(|rule| rule.matches(path));
        rule.map_or((Kind::Any, false), |rule| (rule.kind, rule.is_deep))
    }

    /// The most keys of a path that a rule looks at, and one more.
    pub(super) const LONGEST: usize = 6;
}

impl Rule {
    fn of(path: &'static str, kind: Kind) -> Self {
        let (path, is_anywhere) = match path.strip_prefix("**/") {
            Some(path) => (path, true),
            None => (path, false),
        };
        let (path, is_deep) = match path.strip_suffix("/**") {
            Some(path) => (path, true),
            None => (path, false),
        };
        Rule {
            path: path.rsplit('/').collect(),
            is_anywhere,
            is_deep,
            kind,
        }
    }

    fn matches(&self, path: &[&str]) -> bool {
        let is_long_enough = if self.is_anywhere {
            path.len() >= self.path.len()
        } else {
            path.len() == self.path.len()
        };
        let mut pairs = self.path.iter().zip(path);
        is_long_enough && pairs.all(|(own, key)| *own == "*" || own == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
        for row in ROWS.lines().filter(is_row) {
            let columns: Vec<&str> = row.split('\t').collect();
            assert_eq!(columns.len(), 4, "{row:?}");
            let (kind, _) = columns[2].split_once(' ').unwrap_or((columns[2], ""));
            let is_evidence = ["file", "begins"].contains(&kind);
            assert!(is_evidence || Kind::of(kind).is_some(), "{row:?}");
            assert!(
                columns[1].split('/').count() < Vocabulary::LONGEST,
                "{row:?}"
            );
        }
        let is_told = |one: &Vocabulary| !one.files.is_empty() || !one.begins.is_empty();
        assert!(VOCABULARIES.iter().all(is_told));
    }

    #[test]
    fn paths() {
        let feed = Vocabulary::told_by("version", &|| "https://jsonfeed.org/version/1".to_owned())
            .unwrap();
        assert_eq!(feed.kind(&["content_html", "items"]), (Kind::Html, false));
        assert_eq!(feed.kind(&["content_html"]), (Kind::Any, false));
        assert_eq!(feed.kind(&["url", "authors", "items"]).0, Kind::Link);
        assert_eq!(feed.kind(&["version"]).0, Kind::Identifier);
        let manifest = Vocabulary::of_file("a/Site.WebManifest").unwrap();
        assert_eq!(manifest.kind(&["src", "icons"]).0, Kind::Link);
        assert!(Vocabulary::of_file("a/xmanifest.json").is_none());
    }
}
