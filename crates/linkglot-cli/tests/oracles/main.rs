//! The report in a real browser.

#[path = "../../../../tests/support/chromium.rs"]
mod chromium;
mod report;
