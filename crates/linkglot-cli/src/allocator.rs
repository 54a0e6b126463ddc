//! The allocator of glibc, set for documents of several megabytes.

/// Sets the allocator before any other thread runs.
///
/// Large blocks are returned to the system when they are freed. By default, glibc keeps blocks up to the size of the
/// greatest block freed so far (`M_MMAP_THRESHOLD` in mallopt(3)): the second reading of a document then did not fit
/// into the free blocks of the first, and took half as much memory again.
///
/// All threads share one arena if the address space is limited: an arena per thread would reserve 64 MiB each, which
/// documents then lack.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn prepare() {
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: these are numbers of the allocator, and no other thread runs yet.
    #[expect(unsafe_code, reason = "there is no safe wrapper")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        // Twice the threshold above, as in glibc's own rule.
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

/// Other allocators keep their defaults.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn prepare() {}
