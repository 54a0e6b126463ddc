//! JSON of any bytes: no panic; unchanged without a form; rewritten once and for all.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Document, Format, Settings};

fuzz_target!(|input: (bool, &[u8])| {
    let (is_lines, bytes) = input;
    let mut settings = Settings::default();
    settings.format = Some(if is_lines { Format::JsonLines } else { Format::Json });
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
