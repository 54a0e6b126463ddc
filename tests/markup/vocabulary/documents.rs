//! The rows of the vocabularies and documents made for them.

use linkglot::format::Format;
use linkglot_markup::vocabulary::{HTML_ROWS, XML_ROWS};

/// The target of the links in made documents.
pub const HOST: &str = "http://h.example";

/// A place of a row: an element and an attribute.
#[derive(Clone, Debug)]
pub struct Row {
    pub line: &'static str,
    /// `None` for a row of HTML.
    pub namespace: Option<&'static str>,
    pub element: &'static str,
    pub attribute: &'static str,
    pub syntax: &'static str,
    pub access: &'static str,
    pub condition: &'static str,
}

/// A document with the place of a row.
pub struct Made {
    pub text: String,
    pub format: Format,
    pub element: String,
    pub attribute: String,
    /// The number of links in the document.
    pub links: usize,
    /// The mark at the beginning and the end of the part of the document that is about the row.
    mark: &'static str,
}

impl Made {
    /// A version of the document without the surroundings of the place.
    pub fn without_context<'t>(&self, text: &'t str) -> &'t str {
        let mut parts = text.split(self.mark);
        parts.nth(1).expect("the marked part")
    }
}

pub fn html_rows() -> Vec<Row> {
    let lines = HTML_ROWS.lines();
    let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| {
        let columns: Vec<&'static str> = line.split('\t').collect();
        Row {
            line,
            namespace: None,
            element: columns[0],
            attribute: columns[1],
            syntax: columns[2],
            access: columns[3],
            condition: columns.get(4).copied().unwrap_or_default(),
        }
    })
    .collect()
}

pub fn xml_rows() -> Vec<Row> {
    let lines = XML_ROWS.lines();
    let mut rows = Vec::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with(['#'])) {
        let columns: Vec<&'static str> = line.split('\t').collect();
        let [namespace, element, attribute, syntax, access, ..] = columns[..] else {
            continue;
        };
        for element in element.split('|') {
            for attribute in attribute.split('|') {
                rows.push(Row {
                    line,
                    namespace: Some(namespace),
                    element,
                    attribute,
                    syntax,
                    access,
                    condition: columns.get(5).copied().unwrap_or_default(),
                });
            }
        }
    }
    rows
}

/// The prefixes that rows of XML use.
fn prefixes() -> Vec<(&'static str, &'static str)> {
    let lines = XML_ROWS.lines();
    let rows = lines.filter_map(|line| line.strip_prefix("prefix\t"));
    rows.filter_map(|row| row.split_once('\t')).collect()
}

/// The requirements of a condition.
#[derive(Default)]
struct Asked {
    /// Attributes, as they are written in a tag.
    attributes: String,
    parent: Option<String>,
    root: Option<String>,
    /// The required form of the value itself.
    own: Option<String>,
}

impl Row {
    pub fn document(&self) -> Made {
        match self.namespace {
            None => self.html(),
            Some("(instruction)") => self.instruction(),
            Some(namespace) => self.xml(namespace),
        }
    }

    fn asked(&self) -> Asked {
        let mut asked = Asked::default();
        for term in self.condition.split_ascii_whitespace() {
            let (subject, patterns) = term.split_once('=').expect("a term");
            let subject = subject.trim_end_matches('~');
            let first = patterns.split('|').next().unwrap_or_default();
            let value = first.replace('*', "x");
            match subject {
                "parent" => asked.parent = Some(value),
                "/root" => asked.root = Some(value),
                own if own == self.attribute => asked.own = Some(first.to_owned()),
                name => asked.attributes += &format!(" {name}='{value}'"),
            }
        }
        asked
    }

    /// The value, for double quotes around it, and the number of its links.
    fn value(&self, nested_in_element: bool) -> (String, usize) {
        let one = format!("{HOST}/\u{e9}");
        let two = format!("{HOST}/\u{e9}/2");
        match self.syntax {
            "space-list" => (format!(" {one} \n{two}"), 2),
            "absolute-list" => (format!("x:y {one} z"), 1),
            "comma-list" => (format!("{one}, {two}"), 2),
            "semicolon-list" => (format!("{one}; {two}"), 2),
            "srcset" => (format!("{one} 1x, {two} 2x"), 2),
            "refresh" => (format!("0; url={one}"), 1),
            "css" if nested_in_element => (format!("@import '{one}'; a{{b:url({two})}}"), 2),
            "css" => (format!("background:url({one})"), 1),
            // Raw text has no references.
            "html" if nested_in_element && self.namespace.is_none() => {
                (format!("<a href='{one}'><img src={two}>"), 2)
            }
            "html" => (format!("&lt;a href='{one}'>&lt;img src={two}>"), 2),
            "json" => (format!("{{\"image\":\"{one}\",\"url\":[\"{two}\"]}}"), 2),
            "importmap" => {
                let map =
                    format!("{{\"imports\":{{\"a\":\"{one}\",\"{two}\":\"b\"}},\"scopes\":{{}}}}");
                (map, 3)
            }
            "speculationrules" => {
                let rules = format!(
                    "{{\"prefetch\":[{{\"source\":\"list\",\"urls\":[\"{one}\",\"{two}\"]}},\
                     {{\"where\":{{\"href_matches\":\"{HOST}/*\"}}}}]}}"
                );
                (rules.replace(&format!("{HOST}/*"), "/x/*"), 2)
            }
            "template" => (format!("{one}?a={{b}}&amp;c={{d}}"), 1),
            "policy" => (
                format!("img-src 'self' {one} *.x.example; report-uri {two}"),
                2,
            ),
            "pairs" => (format!("urn:a {one} urn:b {two}"), 2),
            "quoted-list" => (format!("&quot;{one}&quot;, &quot;{two}&quot;"), 2),
            "field" => (format!("HYPERLINK &quot;{one}&quot;"), 1),
            _ => (one, 1),
        }
    }

    fn html(&self) -> Made {
        let asked = self.asked();
        let (namespace, name) = match self.element.split_once(':') {
            Some((namespace @ ("svg" | "math"), name)) => (Some(namespace), name),
            _ => (None, self.element),
        };
        let element = match name {
            "*" => "x-any".to_owned(),
            name => name.to_owned(),
        };
        let attribute = self.attribute.replace('*', "x");
        let (mut value, mut links) = self.value(attribute == "#text");
        if let Some(own) = &asked.own {
            // Tokens that are IRIs, or a value in which `url(` stands.
            if own.contains("url(") {
                (value, links) = (format!("url({HOST}/\u{e9})"), 1);
            }
        }
        let tag = match &*attribute {
            "#text" => format!("<{element}{}>{value}</{element}>", asked.attributes),
            name => format!("<{element}{} {name}=\"{value}\">", asked.attributes),
        };
        let open = |name: &str| format!("<{name}>");
        let around = asked.parent.as_deref().map(open).unwrap_or_default();
        let around = around + &namespace.map(open).unwrap_or_default();
        Made {
            text: format!("<!doctype html><p>{around}<!--|-->{tag}<!--|--><p>"),
            format: Format::Html,
            element: element.to_ascii_lowercase(),
            attribute: attribute.to_ascii_lowercase(),
            links,
            mark: "<!--|-->",
        }
    }

    fn instruction(&self) -> Made {
        let (value, links) = self.value(false);
        let (target, name) = (self.element, self.attribute);
        Made {
            text: format!(
                "<?xml version='1.0'?><!--|--><?{target} {name}=\"{value}\"?><!--|--><x/>"
            ),
            format: Format::Xml,
            element: target.to_owned(),
            attribute: name.to_owned(),
            links,
            mark: "<!--|-->",
        }
    }

    fn xml(&self, namespace: &str) -> Made {
        let asked = self.asked();
        let (value, links) = self.value(self.attribute == "#text");
        let element = match self.element {
            "*" => "x-any",
            name => name,
        };
        let attribute = self.attribute.replace('*', "x-any");
        let mut declared = match namespace {
            "(none)" => " xmlns=''".to_owned(),
            "(any)" | "(unknown)" => " xmlns='urn:x-unknown'".to_owned(),
            name => format!(" xmlns='{name}'"),
        };
        if let Some((prefix, _)) = self.attribute.split_once(':') {
            let known = prefixes();
            let found = known.iter().find(|(known, _)| *known == prefix);
            let (_, name) = found.expect("a declared prefix");
            if prefix != "xml" {
                declared += &format!(" xmlns:{prefix}='{name}'");
            }
        }
        let tag = match &*attribute {
            // The text of a cell stands in its value.
            "#text" if self.is_cell() => {
                let attributes = &asked.attributes;
                format!("<c{declared}{attributes}><v>{value}</v></c>")
            }
            // The text ends with its paragraph.
            "#text" if self.syntax == "runs" => {
                format!("<p{declared}><{element}>{value}</{element}></p>")
            }
            "#text" => format!(
                "<{element}{declared}{}>{value}</{element}>",
                asked.attributes
            ),
            name => format!(
                "<{element}{declared}{} {name}=\"{value}\"/>",
                asked.attributes
            ),
        };
        let root = asked.root.as_deref().unwrap_or("r");
        let parent = asked.parent.as_deref().unwrap_or("p");
        Made {
            text: format!(
                "<?xml version='1.0'?><{root}><{parent}><!--|-->{tag}<!--|--></{parent}></{root}>"
            ),
            format: Format::Xml,
            element: if self.is_cell() { "v" } else { element }.to_owned(),
            attribute,
            links,
            mark: "<!--|-->",
        }
    }

    /// True for cells of spreadsheets.
    fn is_cell(&self) -> bool {
        self.element == "c" && self.syntax == "runs"
    }
}
