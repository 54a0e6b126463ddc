//! Agreement with a browser, html5ever, html5lib and docutils.

mod browser;
mod charset_html5lib;
#[path = "../../../tests/support/chromium.rs"]
mod chromium;
mod html;
mod rst;
