//! Links of a buffer.

use crate::border::{boxed, guarded, slice};
use crate::error::Failure;
use crate::link::lg_links;
use crate::options::{lg_options, settings};
use linkglot::link::Info;
use linkglot::rewrite::Forms;
use linkglot::{Charset, Format, Settings};
use std::borrow::Cow;
use std::ffi::c_char;
use std::ops::ControlFlow;

/// Reads the links of a document with their forms. An error comes with the links in front of it.
pub(crate) fn read(bytes: &[u8], settings: &Settings) -> (lg_links, Option<Info>) {
    let mut links = lg_links::NONE;
    let read = Forms::new(settings).read_slice(bytes, &mut |link, forms, info| {
        links.push(link, forms, info);
        ControlFlow::Continue(())
    });
    match read {
        Ok(info) => {
            links.failure = Failure::of_charset(&info);
            (links, Some(info))
        }
        Err(error) => {
            links.failure = Some(error.into());
            (links, None)
        }
    }
}

/// Links, or the failure in their place; and after a panic that failure.
fn found(work: impl FnOnce() -> Result<lg_links, Failure>) -> *mut lg_links {
    let fallback = || boxed(lg_links::failed(Failure::internal()));
    guarded(fallback, || boxed(work().unwrap_or_else(lg_links::failed)))
}

/// The settings for a text, which has its charset already.
///
/// # Safety
///
/// As for [`settings`].
unsafe fn of_text(options: *const lg_options) -> Result<Settings, Failure> {
    // SAFETY: the caller's word.
    let mut settings = unsafe { settings(options, Some(Format::Text)) }?;
    let charsets = [settings.charset, settings.declared_charset];
    if charsets.into_iter().any(|charset| charset.is_some()) {
        let message = "charset: expected none for a text in Unicode";
        return Err(Failure::argument(message));
    }
    settings.charset = Some(Charset::UTF_8);
    Ok(settings)
}

/// Malformed text must not look like the byte order mark of another charset: FE and FF become other bytes that stand
/// nowhere in UTF-8.
fn without_foreign_mark(bytes: &[u8]) -> Cow<'_, [u8]> {
    let head = &bytes[..bytes.len().min(4)];
    if !head.iter().any(|&byte| byte >= 0xFE) {
        return Cow::Borrowed(bytes);
    }
    let mut bytes = bytes.to_vec();
    for byte in bytes.iter_mut().take(4).filter(|byte| **byte >= 0xFE) {
        *byte = 0xC0;
    }
    Cow::Owned(bytes)
}

/// Finds the links of a text in UTF-8, in order, disjoint. Positions count bytes. Malformed sequences are read as
/// U+FFFD. O(len).
///
/// `text` is read during the call only; NULL is fine if `len` is 0. `options` may be NULL; `charset` must not be set.
/// Returns links, never NULL, that the caller frees with `lg_links_free`; `lg_links_error` says whether something was
/// wrong.
///
/// # Safety
///
/// `text` points to `len` bytes, `options` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_find_utf8(
    text: *const c_char,
    len: usize,
    options: *const lg_options,
) -> *mut lg_links {
    found(|| {
        // SAFETY: the caller's word.
        let (settings, bytes) = unsafe { (of_text(options)?, slice(text.cast::<u8>(), len)?) };
        Ok(read(&without_foreign_mark(bytes), &settings).0)
    })
}

/// Finds the links of a text in UTF-16, in native byte order. Positions count units. Surrogates that stand alone are
/// read as U+FFFD. O(len). Otherwise like `lg_find_utf8`; the texts of links are in UTF-8.
///
/// # Safety
///
/// `text` points to `len` units, `options` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_find_utf16(
    text: *const u16,
    len: usize,
    options: *const lg_options,
) -> *mut lg_links {
    found(|| {
        // SAFETY: the caller's word.
        let (settings, units) = unsafe { (of_text(options)?, slice(text, len)?) };
        let text = String::from_utf16_lossy(units);
        let (mut links, _) = read(text.as_bytes(), &settings);
        let mut positions = Units {
            text: &text,
            byte: 0,
            units: 0,
        };
        for row in links.rows_mut() {
            row.start = positions.of(row.start);
            row.end = positions.of(row.end);
        }
        Ok(links)
    })
}

/// Converts bytes of UTF-8 to units of UTF-16.
struct Units<'t> {
    text: &'t str,
    /// The last byte asked for, and the number of units in front of it.
    byte: usize,
    units: usize,
}

impl Units<'_> {
    /// O(distance to the last byte), or O(byte) if it lies in front of that.
    fn of(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            (self.byte, self.units) = (0, 0);
        }
        let between = &self.text.as_bytes()[self.byte..byte];
        // A sequence of four bytes is a pair of surrogates.
        let units = |byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0);
        self.units += between.iter().map(units).sum::<usize>();
        self.byte = byte;
        self.units
    }
}

/// Finds the links of a text in any charset: that of the options, or else the declared or detected one. Positions count
/// bytes. O(len). Otherwise like `lg_find_utf8`.
///
/// # Safety
///
/// `text` points to `len` bytes, `options` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_find_bytes(
    text: *const u8,
    len: usize,
    options: *const lg_options,
) -> *mut lg_links {
    found(|| {
        // SAFETY: the caller's word.
        let (settings, bytes) =
            unsafe { (settings(options, Some(Format::Text))?, slice(text, len)?) };
        Ok(read(bytes, &settings).0)
    })
}
