//! Data, programs, TeX and markup in lines, of any bytes: no panic; unchanged without a form; rewritten once for all.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Document, Format, Settings};

const FORMATS: [Format; 18] = [
    Format::Json,
    Format::JsonLines,
    Format::Sql,
    Format::Csv,
    Format::JavaScript,
    Format::Php,
    Format::Python,
    Format::C,
    Format::Toml,
    Format::Yaml,
    Format::Gettext,
    Format::Properties,
    Format::Tex,
    Format::Rtf,
    Format::MediaWiki,
    Format::AsciiDoc,
    Format::Org,
    Format::Textile,
];

fuzz_target!(|input: (u8, &[u8])| {
    let (format, bytes) = input;
    let mut settings = Settings::default();
    settings.format = Some(FORMATS[usize::from(format) % FORMATS.len()]);
    let rewritten = |bytes: &[u8], form| {
        let rewriter = Rewriter::new().to(form).settings(settings.clone());
        rewriter.rewrite_slice(bytes).content.into_owned()
    };
    let links = |bytes: &[u8]| Document::new(bytes, &settings).links().count();
    assert_eq!(rewritten(bytes, Form::Same), bytes);
    let new = rewritten(bytes, Form::Uri);
    assert_eq!(links(&new), links(bytes));
    assert_eq!(rewritten(&new, Form::Uri), new);
});
