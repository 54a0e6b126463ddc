//! The promises over TeX and BibTeX made of pieces, and links that move as TeX prints them.

use crate::promises::promises_hold_over;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter};

const PIECES: &[&str] = &[
    "http://ex",
    "ample.org/",
    "http://\u{e9}.example/",
    "https://www.b\u{fc}cher.example/",
    "www.example.org",
    "a@b.example",
    "\u{e9}",
    "\u{65e5}\u{672c}",
    "\u{8868}",
    "%C3%A9",
    "\\%C3\\%A9",
    "\\_",
    "\\#",
    "\\&",
    "\\~{}",
    "\\'e",
    "\\\\",
    "\\",
    "{\\_}",
    "{",
    "}",
    "{}",
    "~",
    "/~",
    "$\\sim$",
    "$",
    "%",
    "%\n",
    "#1",
    "#",
    "\"",
    "\" # \"",
    "``",
    "''",
    "---",
    "\n",
    "\n\n",
    " ",
    "a",
    "/",
    "?q=",
    "\\url{",
    "\\url|",
    "|",
    "\\href{",
    "\\href[a]{",
    "}{",
    "\\path",
    "\\nolinkurl {",
    "\\texttt{",
    "\\foo",
    "\\textasciitilde ",
    "\\string~",
    "\\verb|",
    "\\Verb[a]|",
    "\\mintinline[a]{sh}{",
    "\\mint{sh}",
    "\\begin{verbatim}",
    "\\end{verbatim}",
    "\n@book{a,\n url = {",
    "},\n",
    ", url = \"",
    "\\@",
    "\\begin{frame}",
    "\\end{frame}",
    "\\item[",
    "]",
    ",",
    "--",
];

#[test]
fn promises_hold_over_tex() {
    promises_hold_over(PIECES, 16, Format::Tex);
}

/// Verbatim text has no escapes: TeX would print a backslash.
#[test]
fn verbatim_text_stays() {
    let text = r"
\lstinline[language=sh]|curl http://a.example/é| \lstinline{curl http://a.example/é}
\mintinline{sh}|curl http://a.example/é| \mintinline[x=1]{sh}{curl http://a.example/é}
\mint{sh}|http://a.example/é| \Verb|http://a.example/é| \spverb+http://a.example/é+
\begin{filecontents*}{a.bib}
note = {http://a.example/é}
\end{filecontents*}
\begin{tcblisting}{}
http://a.example/é
\end{tcblisting}
";
    let mut settings = Settings::default();
    settings.format = Some(Format::Tex);
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
    let rewritten = rewriter.rewrite_slice(text.as_bytes());
    assert_eq!(rewritten.content, text.as_bytes());
}
