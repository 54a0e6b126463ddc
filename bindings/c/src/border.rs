//! The border to C: no panic crosses it, and pointers are checked as far as they can be.

use crate::error::Failure;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does the work of a function. After a panic, which is a fault of the library, the result is that of `fallback`.
pub fn guarded<T>(fallback: impl FnOnce() -> T, work: impl FnOnce() -> T) -> T {
    let work = AssertUnwindSafe(|| {
        #[cfg(test)]
        tests::trip();
        work()
    });
    match catch_unwind(work) {
        Ok(done) => done,
        Err(payload) => {
            // Dropping it could panic.
            std::mem::forget(payload);
            fallback()
        }
    }
}

/// The elements at a pointer. NULL is fine for none.
///
/// # Safety
///
/// `data` is NULL or points to `len` elements that do not change during `'a`.
pub unsafe fn slice<'a, T>(data: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Failure::argument("expected data, found NULL"));
    }
    let fits = len.checked_mul(size_of::<T>());
    if fits.is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Failure::argument(format!(
            "expected a length in memory, found {len}"
        )));
    }
    if !data.is_aligned() {
        return Err(Failure::argument("expected aligned data"));
    }
    // SAFETY: not NULL, aligned, of a length that memory can have; the rest is the caller's word.
    Ok(unsafe { std::slice::from_raw_parts(data, len) })
}

/// A text with a length.
///
/// # Safety
///
/// As for [`slice`].
pub unsafe fn text<'a>(data: *const c_char, len: usize) -> Result<&'a str, Failure> {
    // SAFETY: the caller's word.
    let bytes = unsafe { slice(data.cast::<u8>(), len) }?;
    str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Failure::argument(format!("expected UTF-8, found another byte at {at}"))
    })
}

/// The value of an option: a text that ends with a NUL, or NULL for none.
///
/// # Safety
///
/// `text` is NULL or points to bytes with a NUL that do not change during `'a`.
pub unsafe fn option<'a>(name: &str, text: *const c_char) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL; the rest is the caller's word.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map(Some)
        .map_err(|_| Failure::argument(format!("{name}: expected UTF-8")))
}

/// A struct with its size in front, as programs built with this header or an older one pass it.
///
/// # Safety
///
/// `given` points to as many bytes as the size in front says. Every `T` is a struct of C whose first field is that
/// size, and for which zeros are a value.
pub unsafe fn sized<T: Copy>(name: &str, given: *const T) -> Result<T, Failure> {
    // SAFETY: the size stands in front.
    let size = unsafe { given.cast::<usize>().read_unaligned() };
    if size < size_of::<usize>() || size > size_of::<T>() {
        let own = size_of::<T>();
        return Err(Failure::argument(format!(
            "{name}: expected sizeof({name}) in `size`, at most {own}, found {size}"
        )));
    }
    let mut whole = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: `size` bytes are there, and fit.
    unsafe {
        std::ptr::copy_nonoverlapping(given.cast::<u8>(), whole.as_mut_ptr().cast::<u8>(), size);
        Ok(whole.assume_init())
    }
}

/// Frees an object that [`boxed`] made. NULL is fine.
///
/// # Safety
///
/// The object is not used afterwards.
pub unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: made by `boxed`.
        let drop_it = || drop(unsafe { Box::from_raw(object) });
        guarded(|| (), drop_it);
    }
}

/// Hands an object to C.
pub fn boxed<T>(object: T) -> *mut T {
    Box::into_raw(Box::new(object))
}

#[cfg(test)]
mod tests;
