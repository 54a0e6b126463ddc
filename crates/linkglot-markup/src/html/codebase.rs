//! References that resolve against the `codebase` of their element (HTML 4.01 13.3, 13.4). Plug-ins decided about that
//! base.

use super::HtmlTokenizer;
use super::attributes::Pending;
use crate::slot::ScopedBase;

/// An unknown base.
const UNKNOWN: &[ScopedBase] = &[ScopedBase {
    number: 0,
    text: None,
}];

impl HtmlTokenizer {
    /// The base of the last slot, if its element has a base of its own. Browsers resolve the `data` of `object` against
    /// the base of the document, whatever the `codebase`.
    #[inline]
    pub(super) fn codebase(&self) -> &[ScopedBase] {
        if self.has_codebase {
            self.codebase_of_last()
        } else {
            &[]
        }
    }

    fn codebase_of_last(&self) -> &[ScopedBase] {
        let last = self
            .answered
            .checked_sub(1)
            .and_then(|at| self.pending.get(at));
        let names: &[&str] = match last.and_then(Pending::element) {
            Some("applet") => &["code", "archive", "object"],
            Some("object") => &["classid", "archive"],
            _ => return &[],
        };
        // The last pending slot belongs to the last step only until the tag is left.
        let is_one = |name: &str| names.contains(&name);
        let last = last.filter(|last| self.moved.is_some() && last.name().is_some_and(is_one));
        match last {
            Some(_) => UNKNOWN,
            None => &[],
        }
    }
}
