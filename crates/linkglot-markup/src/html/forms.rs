//! Forms of HTML, and the charset in which they are sent (HTML standard 4.10.21.5).

use super::HtmlTokenizer;
use super::declaration_place::has_code;
use super::lexer::{Lexeme, Tag};
use crate::settings::MarkupSettings;
use crate::slot::Window;
use std::ops::Range;

/// The tag that begins a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The end of the tag's name in the window, where an attribute can be added.
    pub name_end: usize,
    /// The value of its `accept-charset` in the window, if it has the attribute.
    pub accept_charset: Option<Range<usize>>,
    /// True if no attribute is hidden: the tag is not too long, and holds no code of a template outside of values.
    pub is_clear: bool,
}

/// Finds the forms of a document of HTML, window by window.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{FormPlaces, Window};
///
/// let page = b"<!-- <form> --><form method=get><form accept-charset=utf-8>";
/// let window = Window { bytes: page, last: true, charset: Charset::UTF_8 };
/// let mut forms = Vec::new();
/// FormPlaces::default().read(window, &mut 0, &mut forms);
/// assert_eq!((forms.len(), forms[0].name_end, &forms[0].accept_charset), (2, 20, &None));
/// assert_eq!(&page[forms[1].accept_charset.clone().unwrap()], b"utf-8");
/// ```
#[derive(Debug)]
pub struct FormPlaces(Box<HtmlTokenizer>);

impl Default for FormPlaces {
    fn default() -> Self {
        FormPlaces(Box::new(HtmlTokenizer::new(&MarkupSettings::default())))
    }
}

impl FormPlaces {
    /// Moves the cursor as far as the window decides, and appends the forms before it, in order. Bytes before the
    /// cursor may be dropped. Linear in the window.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{FormPlaces, Window};
    ///
    /// let (mut cursor, mut forms) = (0, Vec::new());
    /// let window = Window { bytes: b"a<form met", last: false, charset: Charset::UTF_8 };
    /// FormPlaces::default().read(window, &mut cursor, &mut forms);
    /// assert_eq!((cursor, forms.len()), (1, 0));
    /// ```
    pub fn read(&mut self, window: Window<'_>, cursor: &mut usize, forms: &mut Vec<Form>) {
        let tokenizer = &mut self.0;
        loop {
            let lexeme = tokenizer.lexer.next(window, cursor);
            match lexeme {
                Lexeme::Tag | Lexeme::LongTag => {
                    let is_clear = lexeme == Lexeme::Tag;
                    forms.extend(form(&tokenizer.lexer.tag, window.bytes, *cursor, is_clear));
                    tokenizer.tag(window, *cursor);
                    tokenizer.pending.clear();
                    tokenizer.lexer.leave_tag(cursor, 0);
                }
                Lexeme::Attribute | Lexeme::LongAttribute(_) => {
                    tokenizer.lexer.leave_tag(cursor, 0)
                }
                Lexeme::TagEnd => tokenizer.enter_content(),
                Lexeme::Text(..) | Lexeme::Comment(..) | Lexeme::Raw(_) | Lexeme::TooLong(..) => {}
                Lexeme::NeedMore | Lexeme::End => return,
            }
        }
    }
}

/// The form that a tag begins, if any. Ranges of the tag count from the cursor.
fn form(tag: &Tag, bytes: &[u8], cursor: usize, is_whole: bool) -> Option<Form> {
    let text = |range: &Range<usize>| &bytes[cursor + range.start..cursor + range.end];
    if tag.closing || !text(&tag.name).eq_ignore_ascii_case(b"form") {
        return None;
    }
    let mut attributes = tag.attributes.iter();
    let accepts =
        attributes.find(|found| text(&found.name).eq_ignore_ascii_case(b"accept-charset"));
    let has_code = tag
        .attributes
        .iter()
        .any(|found| has_code(text(&found.name)));
    Some(Form {
        name_end: cursor + tag.name.end,
        accept_charset: accepts.map(|found| cursor + found.value.start..cursor + found.value.end),
        is_clear: is_whole && !has_code,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkglot_charset::Charset;

    /// The page with each form marked, read in windows that grow by `step` bytes and move with the cursor.
    fn marked(page: &str, step: usize) -> String {
        let (mut reader, mut out, mut origin) = (FormPlaces::default(), String::new(), 0);
        for end in (0..=page.len()).filter(|end| end % step == 0 || *end == page.len()) {
            let window = Window {
                bytes: &page.as_bytes()[origin..end],
                last: end == page.len(),
                charset: Charset::UTF_8,
            };
            let (mut cursor, mut forms, mut at) = (0, Vec::new(), origin);
            reader.read(window, &mut cursor, &mut forms);
            for form in forms {
                let mark = match (&form.accept_charset, form.is_clear) {
                    (_, false) => "?",
                    (Some(range), _) if range.is_empty() => "0",
                    (Some(_), _) => "1",
                    (None, _) => "|",
                };
                out += &page[at..origin + form.name_end];
                out += mark;
                at = origin + form.name_end;
            }
            out += &page[at..origin + cursor];
            origin += cursor;
        }
        out
    }

    #[test]
    fn forms() {
        for page in [
            "<form|><form| action='a>b'></form><FORM|\n>",
            "<!-- <form> --><script>'<form>'</script><textarea><form></textarea><title><form></title><form|>",
            "<form1 action=a accept-charset=x><form1 ACCEPT-CHARSET='a b'><form0 accept-charset><form0 accept-charset=''>",
            "<form? <?php echo $a ?>><form| action='<?= $b ?>'><form? {{ c }}><form? <%= d %>>",
            "<formula><x-form><svg><form|></svg><noscript><form|></noscript><template><form|></template>",
            "<style><form></style><iframe><form></iframe><form",
        ] {
            let plain: String = ["|", "0 a", "0>", "1 ", "?"].iter().fold(
                page.to_owned(),
                |page, mark| match *mark {
                    "|" | "?" => page
                        .replace(&format!("orm{mark}"), "orm")
                        .replace(&format!("ORM{mark}"), "ORM"),
                    _ => page.replace(&format!("orm{mark}"), &format!("orm{}", &mark[1..])),
                },
            );
            for step in [1, 7, 1000] {
                assert_eq!(marked(&plain, step), page, "{plain}");
            }
        }
    }
}
