//! Checked requests for memory. If a document needs more than there is (`ulimit -v`), the document fails; the allocator
//! would end the run.

use std::hint::black_box;
use std::io;

/// Memory for everything that is requested without a check, such as the links of a window and rows of them.
const SPARE: usize = 12 << 20;

/// Makes room for `more` bytes at the end of `bytes`. Cost: that of [`Vec::try_reserve`].
///
/// # Errors
///
/// Errors if there is not enough memory.
///
/// ```
/// let mut bytes = Vec::new();
/// linkglot_charset::memory::reserve(&mut bytes, 1000)?;
/// assert!(bytes.capacity() >= 1000);
/// assert!(linkglot_charset::memory::reserve(&mut bytes, isize::MAX as usize).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn reserve(bytes: &mut Vec<u8>, more: usize) -> io::Result<()> {
    let reserved = bytes.try_reserve(more);
    reserved.map_err(|_| missing(bytes.len().saturating_add(more)))
}

/// Checks that `needed` bytes are available, with some to spare. For work that requests memory piece by piece; such a
/// request may still fail if other threads take the memory meanwhile. O(1).
///
/// # Errors
///
/// Errors if there is not enough memory.
///
/// ```
/// assert!(linkglot_charset::memory::ensure(1000).is_ok() && linkglot_charset::memory::ensure(usize::MAX).is_err());
/// ```
pub fn ensure(needed: usize) -> io::Result<()> {
    let mut probe = Vec::<u8>::new();
    let reserved = probe.try_reserve_exact(needed.saturating_add(SPARE));
    // The optimiser removes an allocation without a use.
    black_box(&mut probe);
    reserved.map_err(|_| missing(needed))
}

fn missing(needed: usize) -> io::Error {
    let message = format!("not enough memory: {needed} bytes were asked for");
    io::Error::new(io::ErrorKind::OutOfMemory, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_an_error() {
        let mut bytes = vec![0; 10];
        reserve(&mut bytes, 1 << 20).expect("a MiB");
        assert!(bytes.capacity() >= 10 + (1 << 20));
        ensure(1 << 20).expect("a MiB");
        for failed in [reserve(&mut bytes, isize::MAX as usize), ensure(usize::MAX)] {
            let error = failed.expect_err("no memory is as long");
            assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
            assert!(
                error.to_string().starts_with("not enough memory: "),
                "{error}"
            );
        }
        assert_eq!(bytes, [0; 10]);
    }
}
