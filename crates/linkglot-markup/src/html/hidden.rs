//! Elements that are not displayed, and where they end (HTML standard 13.1.2.4, "optional tags").

use super::attributes::Facts;
use super::elements::{BLOCKS, HIDDEN, is_in};
use crate::vocabulary::Context;

/// An element that is not displayed, while it is read.
pub(super) struct Hidden {
    name: Vec<u8>,
    /// The number of open elements of this name.
    open: u32,
    /// The number of open elements within that hold others of its kind: lists in a list item, tables in a cell.
    containers: u32,
}

/// The place of a hidden element's end, as a tag within decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HiddenEnd {
    /// It goes on.
    Not,
    /// The element ends before the tag.
    Before,
    /// The tag ends the element.
    Behind,
}

/// Elements whose end tag may be missing, the elements that hold them, and those whose tags end them.
const OPTIONAL: &[(&[&str], &[&str], &[&str])] = &[
    (&["p"], &[], &["p"]),
    (&["li"], &["dir", "menu", "ol", "ul"], &["li"]),
    (&["dd", "dt"], &["dl"], &["dd", "dt"]),
    (&["option"], &["select"], &["optgroup", "option"]),
    (
        &["td", "th"],
        &["table"],
        &["tbody", "td", "tfoot", "th", "thead", "tr"],
    ),
    (&["tr"], &["table"], &["tbody", "tfoot", "thead", "tr"]),
    (
        &["tbody", "tfoot", "thead"],
        &["table"],
        &["tbody", "tfoot", "thead"],
    ),
];

/// Elements of tables, whose end tags end everything that is open within.
const TABLE: &[&str] = &["caption", "tbody", "td", "tfoot", "th", "thead", "tr"];

impl Hidden {
    pub(super) fn new(name: &[u8]) -> Self {
        Hidden {
            name: name.to_owned(),
            open: 1,
            containers: 0,
        }
    }

    /// The elements that hold the hidden one, and those whose tags end it; `None` for elements with an end tag.
    fn optional(&self) -> Option<(&'static [&'static str], &'static [&'static str])> {
        let mut rows = OPTIONAL.iter();
        rows.find(|(names, ..)| is_in(names, &self.name))
            .map(|(_, containers, ends)| (*containers, *ends))
    }

    pub(super) fn start_tag(&mut self, name: &[u8], is_empty: bool) -> HiddenEnd {
        let (containers, ends) = self.optional().unwrap_or((&["table"], &[]));
        if self.ends_at_block(name) || self.containers == 0 && is_in(ends, name) {
            return HiddenEnd::Before;
        }
        if self.name == name {
            self.open += u32::from(!is_empty);
        } else {
            self.containers += u32::from(is_in(containers, name));
        }
        HiddenEnd::Not
    }

    pub(super) fn end_tag(&mut self, name: &[u8]) -> HiddenEnd {
        let optional = self.optional();
        let (containers, ends) = optional.unwrap_or((&["table"], TABLE));
        if self.name == name {
            let is_own = optional.is_none() || self.containers == 0;
            self.open -= u32::from(is_own);
            return if self.open == 0 {
                HiddenEnd::Behind
            } else {
                HiddenEnd::Not
            };
        }
        let is_container = is_in(containers, name);
        if is_container && self.containers > 0 {
            self.containers -= 1;
            return HiddenEnd::Not;
        }
        let is_over = is_container || self.containers == 0 && is_in(ends, name);
        if is_over || self.ends_at_block(name) {
            HiddenEnd::Before
        } else {
            HiddenEnd::Not
        }
    }

    /// A paragraph ends at the next block, and with the one around.
    fn ends_at_block(&self, name: &[u8]) -> bool {
        self.name == b"p" && is_in(BLOCKS, name) && name != b"p"
    }
}

/// True for elements that are not displayed, by their name or by an attribute (15.3.1).
pub(super) fn is_hidden(name: &[u8], tag: &Facts<'_>) -> bool {
    let is_styled = || {
        let style = tag.attribute("style")?;
        let mut style = String::from_utf8_lossy(&style).to_ascii_lowercase();
        style.retain(|ch| !ch.is_whitespace());
        Some(style.contains("display:none") || style.contains("visibility:hidden"))
    };
    is_in(HIDDEN, name) || tag.attribute("hidden").is_some() || is_styled().unwrap_or_default()
}
