//! The allocator of glibc, set for documents of several megabytes.

/// Has large blocks given back to the system when they are freed. By default, glibc keeps blocks up to the size of the
/// greatest one that was freed (`M_MMAP_THRESHOLD` in mallopt(3)): the second reading of a document then found no room
/// in what the first one had left, and took half as much memory again.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back_large_blocks() {
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: these are numbers of the allocator, and no other thread runs yet.
    #[expect(unsafe_code, reason = "there is no safe wrapper")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        // Free memory between the others: glibc, too, keeps twice as much.
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * LARGE);
    }
}

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back_large_blocks() {}
