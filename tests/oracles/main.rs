//! The same answers as a browser, html5ever, html5lib and docutils give.

mod browser;
mod charset_html5lib;
mod html;
#[cfg(feature = "cli")]
mod report;
mod rst;
