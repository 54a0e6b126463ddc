//! References that resolve against the `codebase` of their element (HTML 4.01 13.3, 13.4): what that is, plug-ins decided.

use super::HtmlTokenizer;
use super::attributes::Pending;
use crate::slot::ScopedBase;

/// A base of which nothing is known.
const UNKNOWN: &[ScopedBase] = &[ScopedBase {
    number: 0,
    text: None,
}];

impl HtmlTokenizer {
    /// The base that the slot which the last step answered has beside that of the document. Browsers resolve the `data` of
    /// `object` against the document's whatever stands beside it.
    #[inline]
    pub(super) fn codebase(&self) -> &[ScopedBase] {
        match self.has_codebase {
            true => self.codebase_of_last(),
            false => &[],
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
        // It is the last step's only as long as the lexer stands in the tag.
        let is_one = |name: &str| names.contains(&name);
        let last = last.filter(|last| self.moved.is_some() && last.name().is_some_and(is_one));
        match last {
            Some(_) => UNKNOWN,
            None => &[],
        }
    }
}
