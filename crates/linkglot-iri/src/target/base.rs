//! The parsed base of a reference: the links of a document share a base, which may be much longer than a link.

use super::parser::{UrlParser, UrlRecord};
use linkglot_charset::Charset;
use std::cell::RefCell;
use std::rc::Rc;

/// A base that was parsed.
struct Parsed {
    text: String,
    charset: Charset,
    url: Option<Rc<UrlRecord>>,
}

thread_local! {
    static LAST: RefCell<Option<Parsed>> = const { RefCell::new(None) };
}

/// The URL of a base; `None` if the base is no URL. The thread keeps the last base, and parses only another one.
pub(super) fn parsed(parser: UrlParser, text: &str) -> Option<Rc<UrlRecord>> {
    LAST.with_borrow_mut(|last| {
        let known = last.take();
        let is_known = |known: &Parsed| known.charset == parser.charset && known.text == text;
        let known = known.filter(is_known).unwrap_or_else(|| Parsed {
            text: text.to_owned(),
            charset: parser.charset,
            url: parser.parse(text, None).map(Rc::new),
        });
        last.insert(known).url.clone()
    })
}
