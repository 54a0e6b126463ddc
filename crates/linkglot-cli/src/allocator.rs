//! The allocator of glibc, set for documents of several megabytes.

/// Sets the allocator before any other thread runs.
///
/// Large blocks are given back to the system when they are freed. By default, glibc keeps blocks up to the size of the
/// greatest one that was freed (`M_MMAP_THRESHOLD` in mallopt(3)): the second reading of a document then found no room
/// in what the first one had left, and took half as much memory again.
///
/// All threads share one arena where the address space is limited: each of its own reserves 64 MiB, which documents
/// then lack.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn prepare() {
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: these are numbers of the allocator, and no other thread runs yet.
    #[expect(unsafe_code, reason = "there is no safe wrapper")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        // Free memory between the others: glibc, too, keeps twice as much.
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * LARGE);
        if is_space_limited() {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}

/// True under `ulimit -v`.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn is_space_limited() -> bool {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As);
    limit.current.is_some()
}

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn prepare() {}
