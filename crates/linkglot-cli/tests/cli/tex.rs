//! TeX and BibTeX.

use super::support::{Place, rewritten};

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://new.example/"];

#[test]
fn formats_by_name_and_content() {
    let link = "http://a.example/x\\_y";
    let class = "\\NeedsTeXFormat{LaTeX2e} http://a.example/x\\_y";
    let files = [
        ("a.tex", link, true),
        ("a.STY", link, true),
        ("a.bib", link, true),
        ("a.dtx", link, true),
        ("a.cls", link, false),
        ("b.cls", class, true),
        ("a", link, false),
        ("b", "% a\n\\documentclass{x} http://a.example/x\\_y", true),
    ];
    let place = Place::new(&files.map(|(name, text, _)| (name, text)));
    for (name, _, is_tex) in files {
        let objects = place.run(&["find", "--json", name]).objects();
        let link = objects.iter().find(|object| object["type"] == "link");
        let iri = &link.expect("a link")["text"];
        assert_eq!(*iri == "http://a.example/x_y", is_tex, "{name}: {iri}");
    }
    let typed = place.run(&["find", "-t", "tex", "-c", "."]).text();
    assert_eq!(
        typed,
        "./a.STY:1\n./a.bib:1\n./a.cls:1\n./a.dtx:1\n./a.tex:1\n./b.cls:1\n"
    );
}

#[test]
fn links_move_as_they_are_written() {
    for (name, before, after) in [
        (
            "arguments.tex",
            r"\href{http://old.example/a\_b%20c#d}{http://old.example/} \url|http://old.example/e_%20|\nolinkurl{http://old.example/~f} \url{http://old.example/é {g}}",
            r"\href{https://new.example/a\_b%20c#d}{http://old.example/} \url|https://new.example/e_%20|\nolinkurl{https://new.example/~f} \url{https://new.example/é {g}}",
        ),
        (
            "text.tex",
            "{\\tt http://old.example/a\\_b} http://old.example/\\~{}c, ``http://old.example/d''---http://old.example/e\\\\ % http://old.example/a%20b\n\\online{http://old.example/~f_g#h}",
            "{\\tt https://new.example/a\\_b} https://new.example/\\~{}c, ``https://new.example/d''---https://new.example/e\\\\ % https://new.example/a%20b\n\\online{https://new.example/~f_g#h}",
        ),
        (
            "macros.sty",
            "\\newcommand{\\x}[1]{\\href{http://old.example/#1}{#1}} \\def\\y{http://old.example/\\z/} \\href{http://#1}{}",
            "\\newcommand{\\x}[1]{\\href{https://new.example/#1}{#1}} \\def\\y{https://new.example/\\z/} \\href{http://#1}{}",
        ),
        (
            "accents.tex",
            "http://old.example/caf\\'e \\url{http://old.example/\\ss} http://old.example/\\foo",
            "http://old.example/caf\\'e \\url{http://old.example/\\ss} https://new.example/\\foo",
        ),
        (
            "books.bib",
            "@book{a,\n  url = {http://old.example/%7Ea_b#c},\n  EE = \"http://old.example/\\_d\",\n  note = {\\url{http://old.example/%20e} http://old.example/f\\_g}, % http://old.example/\n}\n",
            "@book{a,\n  url = {https://new.example/%7Ea_b#c},\n  EE = \"https://new.example/\\_d\",\n  note = {\\url{https://new.example/%20e} https://new.example/f\\_g}, % https://new.example/\n}\n",
        ),
        (
            "verbatim.tex",
            "\\begin{verbatim}\nhttp://old.example/\n\\end{verbatim}\\verb|http://old.example/|",
            "\\begin{verbatim}\nhttp://old.example/\n\\end{verbatim}\\verb|http://old.example/|",
        ),
    ] {
        assert_eq!(rewritten(name, before, &MOVE), after, "{name}");
    }
}

#[test]
fn code_and_texts_of_links_on_request() {
    let text = "\\href{http://old.example/a}{http://old.example/b} \\verb|http://old.example/c|";
    for (options, expected) in [
        (
            &["--also", "code"][..],
            "\\href{https://new.example/a}{http://old.example/b} \\verb|https://new.example/c|",
        ),
        (
            &["--also", "text"],
            "\\href{https://new.example/a}{https://new.example/b} \\verb|https://new.example/c|",
        ),
    ] {
        assert_eq!(
            rewritten("a.tex", text, &[&MOVE[..], options].concat()),
            expected
        );
    }
}

/// A new link that would end verbatim text is left.
#[test]
fn new_links_end_no_verbatim_text() {
    let text = "\\verb|http://old.example/c| \\lstinline!http://old.example/d! \\verb+http://old.example/e+";
    let options = [
        "--also",
        "code",
        "--map",
        "http://old.example/ https://new.example/a|b!/",
    ];
    assert_eq!(rewritten("a.tex", text, &options), text);
}

/// A new `%` or `_` is written so that TeX prints it, or the link is left.
#[test]
fn new_marks_are_escaped_for_their_place() {
    let uri = ["--to", "uri"];
    for (before, after) in [
        ("http://a.example/é", "http://a.example/\\%C3\\%A9"),
        (
            "\\url{http://a.example/é}",
            "\\url{http://a.example/%C3%A9}",
        ),
        (
            "\\footnote{\\href{http://a.example/é}{}}",
            "\\footnote{\\href{http://a.example/\\%C3\\%A9}{}}",
        ),
        (
            "\\footnote{\\url{http://a.example/é}}",
            "\\footnote{\\url{http://a.example/é}}",
        ),
        (
            "\\footnote{\\url{http://a.example/\\_é}}",
            "\\footnote{\\url{http://a.example/\\_\\%C3\\%A9}}",
        ),
        (
            "\\footnote{\\url{http://a.example/%20é}}",
            "\\footnote{\\url{http://a.example/%20%C3%A9}}",
        ),
        (
            "\\href{http://a.example/é}{} \\href{http://a.example/%20é}{}",
            "\\href{http://a.example/\\%C3\\%A9}{} \\href{http://a.example/%20%C3%A9}{}",
        ),
        (
            "\\footnote{\\href{http://a.example/é#a}{}}",
            "\\footnote{\\href{http://a.example/\\%C3\\%A9#a}{}}",
        ),
        (
            "\\begin{frame}\n\n\\href{http://a.example/é}{} \\url{http://a.example/é}\n\n\\end{frame} \\url{http://a.example/é}",
            "\\begin{frame}\n\n\\href{http://a.example/\\%C3\\%A9}{} \\url{http://a.example/é}\n\n\\end{frame} \\url{http://a.example/%C3%A9}",
        ),
        (
            "\\item[\\url{http://a.example/é}] \\section[\\href{http://a.example/é}{}]{\\url|http://a.example/é|}",
            "\\item[\\url{http://a.example/é}] \\section[\\href{http://a.example/\\%C3\\%A9}{}]{\\url|http://a.example/é|}",
        ),
        (
            "@a{b, note = {\\url{http://a.example/é}}}",
            "@a{b, note = {\\url{http://a.example/é}}}",
        ),
        (
            "\\online{http://a.example/_é}",
            "\\online{http://a.example/_é}",
        ),
        (
            "@a{b, url = {http://a.example/é}}",
            "@a{b, url = {http://a.example/%C3%A9}}",
        ),
        (
            "@a{b, note = {http://a.example/é}}",
            "@a{b, note = {http://a.example/\\%C3\\%A9}}",
        ),
        // White space around a value, and in an argument.
        (
            "@a{b, url = { http://a.example/é }, EE =\n  \"\n  http://a.example/é\n  \"}",
            "@a{b, url = { http://a.example/%C3%A9 }, EE =\n  \"\n  http://a.example/%C3%A9\n  \"}",
        ),
        (
            "\\url{http://a.example/\né} \\url{http://a.example/b c} \\url{\n  http://a.example/é }",
            "\\url{http://a.example/\né} \\url{http://a.example/b c} \\url{\n  http://a.example/%C3%A9 }",
        ),
        (
            "\\href{http://a.example/b\n c}{}",
            "\\href{http://a.example/b\\%20c}{}",
        ),
        // Lists of keys.
        (
            "\\hypersetup{%\n  pdfurl=http://a.example/é,pdfauthor=Müller}",
            "\\hypersetup{%\n  pdfurl=http://a.example/\\%C3\\%A9,pdfauthor=Müller}",
        ),
        (
            "\\usepackage[pdfurl=http://a.example/,pdfauthor=Müller]{hyperref} \\foo{http://a.example/,Müller}",
            "\\usepackage[pdfurl=http://a.example/,pdfauthor=Müller]{hyperref} \\foo{http://a.example/,Müller}",
        ),
        (
            "\\footnote{http://a.example/,é}",
            "\\footnote{http://a.example/,\\%C3\\%A9}",
        ),
        // Two hyphens are a dash in running text.
        (
            "http://öld.example/ \\url{http://öld.example/} % http://öld.example/",
            "http://öld.example/ \\url{http://xn--ld-eka.example/} % http://xn--ld-eka.example/",
        ),
        ("% http://a.example/é", "% http://a.example/%C3%A9"),
    ] {
        assert_eq!(rewritten("a.tex", before, &uri), after);
    }
    let rule = ["--map", "http://old.example/ http://new.example/_%20~&/"];
    let written = |text| rewritten("a.tex", text, &rule);
    assert_eq!(
        written("http://old.example/"),
        "http://new.example/\\_\\%20\\~{}\\&/"
    );
    assert_eq!(
        written("{\\url{http://old.example/}}"),
        "{\\url{http://old.example/}}"
    );
}

#[test]
fn verbatim_text_left_behind_names_its_option() {
    let place = Place::new(&[("a.tex", "\\verb|http://old.example/|")]);
    let run = place.run(&[&["rewrite", "-n", "a.tex"], &MOVE[..]].concat());
    let words = "1  old.example  in verbatim text (`--also code` reaches it)";
    assert!(run.err.contains(words), "{}", run.err);
}

/// Keys of entries, quotations and marks are identifiers.
#[test]
fn keys_stay() {
    let entry = "@misc{http://old.example/key,\n url = {http://old.example/a},\n crossref = {http://old.example/key},\n\
                 xref = \"http://old.example/key\",\n note = {See http://old.example/a, b}}\n\
                 @Article ( http://old.example/a\n@string{b = \"http://old.example/a\"}\n@comment{http://old.example/a, b}\n";
    let text = "\\cite{http://old.example/key}\n\\citep[see http://old.example/a][p. 2]{b,c}\n\
                \\parencite[p. 2]{http://old.example/key,http://old.example/key}\n\\label{http://old.example/key}\n\
                \\ref*{http://old.example/key} \\Cref{http://old.example/key}\n\\bibitem[a]{http://old.example/key}\n\
                See http://old.example/a, \\emph{http://old.example/a}, \\url{http://old.example/a}, \\webref{http://old.example/a}\n";
    for (name, text) in [("a.bib", entry), ("a.tex", text)] {
        let lines = text.split_inclusive('\n').map(|line| {
            if line.contains("key") {
                line.to_owned()
            } else {
                line.replace("http://old.example/", "https://new.example/")
            }
        });
        assert_eq!(rewritten(name, text, &MOVE), lines.collect::<String>());
    }
}
