//! The slots of HTML, XML, CSS and light markup.

mod asciidoc;
mod displayed;
mod html;
mod html_lexer;
mod labels;
#[cfg(feature = "markdown")]
mod markdown;
mod nested;
mod org;
mod rst;
mod support;
mod textile;
mod vocabulary;
mod wikitext;
mod xml;
mod xml_suite;
