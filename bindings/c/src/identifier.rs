//! Single identifiers: their forms, and a test which of them may become clickable.

use crate::border::{boxed, free, guarded, text};
use crate::error::{Failure, lg_error, view};
use linkglot_iri::{ToIri, ToUri};
use std::ffi::c_char;
use std::ptr;

/// A text of linkglot.
pub struct lg_text {
    /// With a NUL at the end.
    text: Option<String>,
    failure: Option<Failure>,
}

impl lg_text {
    fn new(text: Result<String, Failure>) -> Self {
        let (text, failure) = match text {
            Ok(text) => (Some(text + "\0"), None),
            Err(failure) => (None, Some(failure)),
        };
        lg_text { text, failure }
    }
}

fn made(work: impl FnOnce() -> Result<String, Failure>) -> *mut lg_text {
    let fallback = || boxed(lg_text::new(Err(Failure::internal())));
    guarded(fallback, || boxed(lg_text::new(work())))
}

/// Maps an IRI or a reference to a URI (RFC 3987 3.1), with the host in punycode. O(len).
///
/// `iri` is UTF-8 and is read during the call only. Returns a text, never NULL, that the caller frees with
/// `lg_text_free`; `lg_text_error` says why there is no URI.
///
/// # Safety
///
/// `iri` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_to_uri(iri: *const c_char, len: usize) -> *mut lg_text {
    made(|| {
        // SAFETY: the caller's word.
        let iri = unsafe { text(iri, len) }?;
        let mapped = ToUri::default().map(iri);
        let mapped = mapped.map_err(|error| Failure::new(c"not-mappable", error.to_string()))?;
        Ok(mapped.text.into_owned())
    })
}

/// Maps a URI or a reference to an IRI for display (RFC 3987 3.2): what could deceive a reader stays encoded. O(len).
///
/// `uri` is UTF-8 and is read during the call only. Returns a text, never NULL, that the caller frees with
/// `lg_text_free`.
///
/// # Safety
///
/// `uri` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_to_iri(uri: *const c_char, len: usize) -> *mut lg_text {
    made(|| {
        // SAFETY: the caller's word.
        let uri = unsafe { text(uri, len) }?;
        Ok(ToIri::default().map(uri, &|_| true).text.into_owned())
    })
}

/// Returns the bytes of a text, with a NUL behind them, and their number in `len` unless that is NULL. They belong to
/// `made`. NULL after an error, and for NULL.
///
/// # Safety
///
/// `made` is NULL or was not freed; `len` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_text_get(made: *const lg_text, len: *mut usize) -> *const c_char {
    guarded(ptr::null, || {
        // SAFETY: the caller's word.
        let text = unsafe { made.as_ref() }.and_then(|made| made.text.as_ref());
        // SAFETY: the caller's word.
        if let Some(len) = unsafe { len.as_mut() } {
            *len = text.map_or(0, |text| text.len() - 1);
        }
        text.map_or(ptr::null(), |text| text.as_ptr().cast())
    })
}

/// Returns why there is no text; `kind` is NULL if there is one. The texts belong to `made`.
///
/// # Safety
///
/// `made` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_text_error(made: *const lg_text) -> lg_error {
    guarded(
        || view(None),
        || {
            // SAFETY: the caller's word.
            view(unsafe { made.as_ref() }.and_then(|made| made.failure.as_ref()))
        },
    )
}

/// Frees a text. NULL is fine.
///
/// # Safety
///
/// `made` is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_text_free(made: *mut lg_text) {
    // SAFETY: the caller's word.
    unsafe { free(made) }
}

/// True if a program may make a URI from others clickable: its scheme neither runs anything nor reads a local file.
/// False for `javascript:`, `data:`, `file:`, unknown schemes, and what is not UTF-8. O(len).
///
/// # Safety
///
/// `uri` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_is_safe_to_click(uri: *const c_char, len: usize) -> bool {
    guarded(
        || false,
        || {
            // SAFETY: the caller's word.
            unsafe { text(uri, len) }.is_ok_and(linkglot::is_safe_to_click)
        },
    )
}

/// Returns the version of the library: `0.1.0`. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn lg_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
