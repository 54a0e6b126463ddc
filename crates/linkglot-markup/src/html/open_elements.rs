//! The elements that are open where text is displayed, by their tags (HTML standard 13.2.6.4.7 and 13.1.2.4).

use super::elements::{BLOCKS, FOSTERING, MARKERS, OUTSIDE_BODY, SPECIAL, TABLE, is_in};

/// The most elements that are kept, as in browsers. Deeper ones are only counted.
const MOST: usize = 512;

/// The open elements, the innermost last.
#[derive(Default)]
pub(super) struct OpenElements {
    names: Vec<Vec<u8>>,
    /// The places of the hidden ones.
    hidden: Vec<usize>,
    beyond: usize,
}

/// Elements whose end tag may be missing: a start tag of the first ends those of the second, up to one of the third.
const IMPLIED: &[(&[&str], &[&str], &[&str])] = &[
    (&["li"], &["li"], &["dir", "menu", "ol", "ul"]),
    (&["dd", "dt"], &["dd", "dt"], &["dl"]),
    (&["option"], &["option"], &["select"]),
    (&["optgroup"], &["option", "optgroup"], &["select"]),
    (
        &["td", "th"],
        &["caption", "colgroup", "td", "th"],
        &["table"],
    ),
    (
        &["tr"],
        &["caption", "colgroup", "td", "th", "tr"],
        &["table"],
    ),
    (
        &["caption", "col", "colgroup", "tbody", "tfoot", "thead"],
        &[
            "caption", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr",
        ],
        &["table"],
    ),
];

impl OpenElements {
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// True if the tag of an element has no meaning where it stands: that of a part of a table outside tables
    /// (13.2.6.4.7).
    pub(super) fn ignores(&self, name: &[u8]) -> bool {
        let is_part = is_in(TABLE, name) && name != b"table";
        let has_table = || self.names.iter().any(|open| open == b"table");
        is_in(OUTSIDE_BODY, name) || is_part && !has_table()
    }

    /// The number of elements up to the innermost one that keeps links within itself; 0 if there is none.
    pub(super) fn marker(&self) -> usize {
        let is_marker = |name: &Vec<u8>| is_in(MARKERS, name);
        let marker = self.names.iter().rposition(is_marker);
        marker.map_or(0, |at| at + 1)
    }

    /// Ends the elements whose end a start tag implies.
    pub(super) fn before(&mut self, name: &[u8]) {
        if is_in(BLOCKS, name) && !is_in(TABLE, name) {
            self.end_within(&["p"], MARKERS);
        }
        if name == b"a" {
            self.end_within(&["a"], MARKERS);
        }
        let implied = IMPLIED.iter().find(|(names, ..)| is_in(names, name));
        if let Some((_, ended, around)) = implied {
            self.end_within(ended, around);
        }
    }

    /// Begins an element.
    pub(super) fn push(&mut self, name: &[u8]) {
        if self.names.len() < MOST {
            self.names.push(name.to_owned());
        } else {
            self.beyond += 1;
        }
    }

    /// Begins a hidden element.
    pub(super) fn push_hidden(&mut self, name: &[u8]) {
        let place = self.names.len();
        self.push(name);
        if self.names.len() > place {
            self.hidden.push(place);
        }
    }

    /// The place of the outermost hidden element.
    pub(super) fn hidden(&self) -> Option<usize> {
        self.hidden.first().copied()
    }

    /// The place of the outermost element that hides text here. Text of a table outside its cells is displayed in
    /// front of the table (13.2.6.1, "foster parent").
    pub(super) fn hiding(&self) -> Option<usize> {
        let (mut hiding, mut rest) = (None, &self.names[..]);
        while !self.hidden.is_empty() && !rest.is_empty() {
            let part = rest.iter().rposition(|open| is_in(TABLE, open));
            let table = part.and_then(|at| rest[..=at].iter().rposition(|open| open == b"table"));
            let from = match (part, table) {
                (Some(part), _) if is_in(FOSTERING, &rest[part]) => part + 1,
                (_, table) => table.unwrap_or(0),
            };
            let mut within = self
                .hidden
                .iter()
                .filter(|at| (from..rest.len()).contains(*at));
            hiding = within.next().copied().or(hiding);
            rest = &rest[..table.unwrap_or(0)];
        }
        hiding
    }

    fn truncate(&mut self, len: usize) {
        self.names.truncate(len);
        self.hidden.retain(|at| *at < len);
    }

    /// Reads an end tag. True if it ends an element.
    pub(super) fn end(&mut self, name: &[u8]) -> bool {
        if self.beyond > 0 {
            self.beyond -= 1;
            return true;
        }
        let names = [std::str::from_utf8(name).unwrap_or_default()];
        match name {
            b"table" => self.end_within(&names, &["template"]),
            _ if is_in(TABLE, name) => self.end_within(&names, &["table", "template"]),
            _ if is_in(SPECIAL, name) || is_in(BLOCKS, name) => self.end_within(&names, MARKERS),
            _ => {
                let same = self.names.iter().rposition(|open| open == name);
                let is_block = |open: &Vec<u8>| is_in(SPECIAL, open) || is_in(BLOCKS, open);
                let block = self.names.iter().rposition(is_block);
                let ended = same.filter(|same| Some(*same) >= block);
                self.truncate(ended.unwrap_or(self.names.len()));
                ended.is_some()
            }
        }
    }

    /// Ends the outermost of some elements within the innermost of others. True if there is one.
    fn end_within(&mut self, ended: &[&str], around: &[&str]) -> bool {
        // An element may be of both kinds: a cell ends within the table.
        let is_around = |open: &Vec<u8>| is_in(around, open) && !is_in(ended, open);
        let around = self.names.iter().rposition(is_around);
        let from = around.map_or(0, |at| at + 1);
        let within = self.names.get(from..).unwrap_or_default();
        let is_ended = |open: &Vec<u8>| is_in(ended, open);
        let found = match ended {
            // The innermost of one name.
            [_] => within.iter().rposition(is_ended),
            _ => within.iter().position(is_ended),
        };
        if let Some(at) = found {
            self.truncate(from + at);
        }
        found.is_some()
    }
}
