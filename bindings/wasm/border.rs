//! The border to JavaScript, the same for each module: bytes that JavaScript writes, and bytes that it reads.
//!
//! A module runs in one thread, and JavaScript copies the output before the next call.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Buffers longer than this are freed before the next call.
const KEPT: usize = 1 << 20;

/// The buffers of a module.
pub(crate) struct Buffers {
    /// The bytes that JavaScript wrote.
    pub input: Vec<u8>,
    /// The bytes that JavaScript reads.
    pub output: Vec<u8>,
}

static BUFFERS: Mutex<Buffers> = Mutex::new(Buffers {
    input: Vec::new(),
    output: Vec::new(),
});

pub(crate) fn buffers() -> MutexGuard<'static, Buffers> {
    BUFFERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for an input, and returns the address where JavaScript writes it.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    let buffers = &mut *buffers();
    for buffer in [&mut buffers.input, &mut buffers.output] {
        if buffer.capacity() > KEPT && len <= KEPT {
            *buffer = Vec::new();
        }
    }
    if buffers.input.len() < len {
        buffers.input.resize(len, 0);
    }
    buffers.input.as_mut_ptr()
}

/// Returns the address of the output.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    buffers().output.as_ptr()
}

impl Buffers {
    /// The first bytes of the input as a text. JavaScript encodes texts, so nothing is ever replaced.
    #[allow(dead_code)]
    pub(crate) fn text(&self, len: usize) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.input.get(..len).unwrap_or_default())
    }

    /// Sets the output, and returns its length.
    #[allow(dead_code)]
    pub(crate) fn put(&mut self, text: &str) -> usize {
        self.output.clear();
        self.output.extend_from_slice(text.as_bytes());
        self.output.len()
    }
}
