//! Writing a declaration: the edits that make a document declare its charset.

use crate::charset::Charset;
use crate::prescan;
use crate::server_pages;
use crate::sniff::DeclarationSyntax;
use crate::text_declarations;
use crate::vocabulary::{Label, Vocabulary};
use std::ops::Range;

/// The edits that make a document declare a charset: parts of `head`, the decoded start of the document, and their new
/// text; in order, disjoint. Every label is replaced. A document without one gets a declaration where its format has a
/// place for it: in the XML declaration, in front of a style sheet, or at `html_place`, which the caller finds.
///
/// Nothing is added where the charset is known without a declaration: to UTF-16 and UTF-32, which begin with a mark, to
/// XML in UTF-8, and to documents that are ASCII throughout (`is_ascii`). Plain text has no place for a declaration.
///
/// # Errors
///
/// The first label whose reader has no name for the charset, in a document beyond ASCII: a package of LaTeX, a codec of
/// Python, a code page of ASP.
///
/// ```
/// use linkglot_charset::{Charset, DeclarationSyntax, declarations};
///
/// let html = DeclarationSyntax::Html;
/// let edits = declarations("<meta charset=koi8-r>", false, (html, None), Charset::UTF_8)?;
/// assert_eq!(edits, [(14..20, "UTF-8".to_owned())]);
/// let edits = declarations("<head><title>", false, (html, Some(6)), Charset::UTF_8)?;
/// assert_eq!(edits, [(6..6, "<meta charset=\"UTF-8\">".to_owned())]);
/// # Ok::<(), String>(())
/// ```
///
/// HTML Standard 4.2.5.4; XML 1.0 section 4.3.3; CSS Syntax 3.2.
pub fn declarations(
    head: &str,
    is_ascii: bool,
    (syntax, html_place): (DeclarationSyntax, Option<usize>),
    charset: Charset,
) -> Result<Vec<(Range<usize>, String)>, String> {
    let bytes = head.as_bytes();
    let labels = match syntax {
        DeclarationSyntax::Html | DeclarationSyntax::Xml => in_html(bytes),
        DeclarationSyntax::Css => {
            let label = prescan::css_label(bytes);
            label.into_iter().map(Label::web).collect()
        }
        DeclarationSyntax::Coding => {
            let label = prescan::coding_label(bytes);
            let coding = label.map(|(_, place)| Label {
                place,
                vocabulary: Vocabulary::Python,
            });
            coding.into_iter().collect()
        }
        DeclarationSyntax::Mail | DeclarationSyntax::Local => text_declarations::labels(bytes),
        DeclarationSyntax::Sql | DeclarationSyntax::Nowhere | DeclarationSyntax::Utf8 => Vec::new(),
    };
    if labels.is_empty() && !is_ascii && !charset.has_mark() {
        return Ok(added(head, (syntax, html_place), charset)
            .into_iter()
            .collect());
    }
    let edits = labels.into_iter().filter_map(|label| {
        let Label { place, vocabulary } = label;
        match vocabulary.name(charset) {
            Some(name) => Some(Ok((place, name.to_owned()))),
            None if is_ascii => None,
            None => Some(Err(head[place].to_owned())),
        }
    });
    edits.collect()
}

/// The labels of an XML declaration, of `meta` elements and of the code of server pages.
fn in_html(head: &[u8]) -> Vec<Label> {
    let declaration = prescan::xml_value(head, b"encoding");
    let labels = declaration.into_iter().chain(prescan::meta_labels(head));
    let labels = labels.map(Label::web);
    let mut labels: Vec<_> = labels.chain(server_pages::labels(head)).collect();
    labels.sort_by_key(|label| label.place.start);
    labels.dedup_by(|next, label| next.place.start < label.place.end);
    labels
}

/// The declaration to add to a document without one, and its position.
fn added(
    head: &str,
    (syntax, html_place): (DeclarationSyntax, Option<usize>),
    charset: Charset,
) -> Option<(Range<usize>, String)> {
    let name = Vocabulary::Web.name(charset)?;
    let (at, text) = match syntax {
        DeclarationSyntax::Html => (html_place?, format!("<meta charset=\"{name}\">")),
        DeclarationSyntax::Xml if charset == Charset::UTF_8 => return None,
        DeclarationSyntax::Xml => match prescan::xml_value(head.as_bytes(), b"version") {
            Some(version) => (version.end + 1, format!(" encoding=\"{name}\"")),
            None if head.starts_with("<?xml") => return None,
            None => (0, format!("<?xml version=\"1.0\" encoding=\"{name}\"?>")),
        },
        DeclarationSyntax::Css => (0, format!("@charset \"{name}\";")),
        _ => return None,
    };
    Some((at..at, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str, syntax: DeclarationSyntax, label: &str) -> String {
        let charset = Charset::for_label(label).unwrap();
        let mut new = text.to_owned();
        let place = text.find("<title>");
        let edits = declarations(text, false, (syntax, place), charset).unwrap();
        for (range, label) in edits.into_iter().rev() {
            new.replace_range(range, &label);
        }
        new
    }

    #[test]
    fn labels_are_replaced() {
        use DeclarationSyntax::{Coding, Css, Html, Mail, Nowhere, Xml};
        for (syntax, old, new) in [
            (
                Html,
                "<meta charset=\"koi8-r\">",
                "<meta charset=\"IBM866\">",
            ),
            (
                Html,
                "<META CHARSET = koi8-r />",
                "<META CHARSET = IBM866 />",
            ),
            (
                Html,
                "<meta http-equiv=Content-Type content='text/html; charset=KOI8-R'>",
                "<meta http-equiv=Content-Type content='text/html; charset=IBM866'>",
            ),
            (
                Html,
                "<?xml version='1.0' encoding='x'?><meta content=\"a;charset='koi8-r';b\" http-equiv=content-type>",
                "<?xml version='1.0' encoding='IBM866'?><meta content=\"a;charset='IBM866';b\" http-equiv=content-type>",
            ),
            // Elements in raw text declare nothing beside a real declaration.
            (
                Html,
                "<title><meta charset=a></title><meta charset=b><textarea><meta charset=c></textarea>",
                "<title><meta charset=a></title><meta charset=IBM866><textarea><meta charset=c></textarea>",
            ),
            (
                Html,
                "<title><meta charset=koi8-r></title>",
                "<title><meta charset=IBM866></title>",
            ),
            // Two declarations, and a comment and an element that are none.
            (
                Html,
                "<meta charset=a><!-- <meta charset=b> --><meta name=charset><meta charset=c>",
                "<meta charset=IBM866><!-- <meta charset=b> --><meta name=charset><meta charset=IBM866>",
            ),
            (
                Xml,
                " <?xml  version = '1.0'  encoding = \"koi8-r\" standalone='yes' ?><a/>",
                " <?xml  version = '1.0'  encoding = \"IBM866\" standalone='yes' ?><a/>",
            ),
            (
                Css,
                "@charset \"koi8-r\"; a {}",
                "@charset \"IBM866\"; a {}",
            ),
            (
                Coding,
                "\n.. -*- coding: koi8-r -*-\n",
                "\n.. -*- coding: IBM866 -*-\n",
            ),
            (Mail, "#!/a\n# coding=koi8-r\n", "#!/a\n# coding=IBM866\n"),
            (Mail, "coding: koi8-r\n", "coding: koi8-r\n"),
            (Nowhere, "<meta charset=koi8-r>", "<meta charset=koi8-r>"),
        ] {
            assert_eq!(declared(old, syntax, "ibm866"), new);
        }
    }

    #[test]
    fn declarations_are_added() {
        use DeclarationSyntax::{Coding, Css, Html, Xml};
        for (syntax, old, new) in [
            (
                Html,
                "<head><title>",
                "<head><meta charset=\"KOI8-R\"><title>",
            ),
            (Html, "<header><p>", "<header><p>"),
            (
                Xml,
                "<a/>",
                "<?xml version=\"1.0\" encoding=\"KOI8-R\"?><a/>",
            ),
            (
                Xml,
                "<?xml version='1.0' standalone='yes'?><a/>",
                "<?xml version='1.0' encoding=\"KOI8-R\" standalone='yes'?><a/>",
            ),
            (Css, "a {}", "@charset \"KOI8-R\";a {}"),
            (Coding, "a", "a"),
        ] {
            assert_eq!(declared(old, syntax, "koi8-r"), new);
            // UTF-16 has a mark; ASCII needs no declaration.
            assert_eq!(declared(old, syntax, "utf-16le"), old);
            let of_ascii = declarations(old, true, (syntax, Some(0)), Charset::UTF_8);
            assert_eq!(of_ascii, Ok(Vec::new()));
        }
        assert_eq!(declared("<a/>", Xml, "utf-8"), "<a/>");
        let wide = declared("<meta charset=koi8-r>", Html, "utf-16be");
        assert_eq!(wide, "<meta charset=UTF-16>");
    }

    /// Readers other than browsers know other names.
    #[test]
    fn names_are_those_of_the_reader() {
        use DeclarationSyntax::{Coding, Html, Mail};
        let inputenc = "\\usepackage[latin1]{inputenc}";
        let asp = "<%@ LANGUAGE=VBScript CODEPAGE=\"1251\" %>";
        for (syntax, text, label, new) in [
            (
                Mail,
                inputenc,
                "utf-8",
                Some("\\usepackage[utf8]{inputenc}"),
            ),
            (
                Mail,
                inputenc,
                "macintosh",
                Some("\\usepackage[applemac]{inputenc}"),
            ),
            (Mail, inputenc, "gbk", None),
            (
                Mail,
                "# coding: latin-1\n",
                "x-mac-cyrillic",
                Some("# coding: mac_cyrillic\n"),
            ),
            (
                Coding,
                ".. coding: latin-1\n",
                "windows-874",
                Some(".. coding: cp874\n"),
            ),
            (Mail, "# coding: latin-1\n", "x-user-defined", None),
            (
                Html,
                asp,
                "utf-8",
                Some("<%@ LANGUAGE=VBScript CODEPAGE=\"65001\" %>"),
            ),
            (Html, asp, "iso-8859-10", None),
        ] {
            let charset = Charset::for_label(label).unwrap();
            let edits = declarations(text, false, (syntax, None), charset);
            assert_eq!(edits.is_ok(), new.is_some(), "{text} {label}");
            if let Some(new) = new {
                assert_eq!(declared(text, syntax, label), new);
            }
            assert!(declarations(text, true, (syntax, None), charset).is_ok());
        }
    }
}
