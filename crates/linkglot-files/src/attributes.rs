//! The attributes of a file besides its content: owner, mode, times, access control lists, extended attributes,
//! capabilities. A replacement gets the attributes that the user may give it; the others are reported.

use linkglot::error::Error;
use std::fs::{File, Metadata};

/// Gives a new file the attributes of the file that it replaces, and names the attributes that it could not get. `old`
/// is the open old file, without which there are no extended attributes.
///
/// # Errors
///
/// When mode or times cannot be set.
pub(super) fn copy(old: Option<&File>, like: &Metadata, new: &File) -> Result<Vec<String>, Error> {
    let mut lost = Vec::new();
    system::copy(old, like, new, &mut lost)?;
    let accessed = filetime::FileTime::from_last_access_time(like);
    let modified = filetime::FileTime::from_last_modification_time(like);
    filetime::set_file_handle_times(new, Some(accessed), Some(modified))?;
    Ok(lost)
}

#[cfg(unix)]
mod system {
    use super::*;
    use std::fs::Permissions;
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    const SETUID: u32 = 0o4000;
    const SETGID: u32 = 0o2000;

    pub(super) fn copy(
        old: Option<&File>,
        like: &Metadata,
        new: &File,
        lost: &mut Vec<String>,
    ) -> Result<(), Error> {
        let owner = copy_owner(new, like)?;
        // The mode comes after the owner, because changing the owner clears setuid and setgid.
        let mode = safe_mode(like, owner, lost);
        new.set_permissions(Permissions::from_mode(mode))?;
        #[cfg(any(target_os = "linux", target_os = "macos"))]
        if let Some(old) = old {
            extended::copy(old, new, owner, lost);
        }
        #[cfg(not(any(target_os = "linux", target_os = "macos")))]
        let _ = old;
        Ok(())
    }

    /// Tells whether user and group are those of the old file.
    #[derive(Clone, Copy)]
    pub(super) struct Owner {
        pub(super) user: bool,
        group: bool,
    }

    /// Copies the owner: only root may change the user; members of a group may set the group.
    fn copy_owner(new: &File, like: &Metadata) -> io::Result<Owner> {
        if fchown(new, Some(like.uid()), Some(like.gid())).is_ok() {
            return Ok(Owner {
                user: true,
                group: true,
            });
        }
        let group = fchown(new, None, Some(like.gid())).is_ok();
        let now = new.metadata()?;
        Ok(Owner {
            user: now.uid() == like.uid(),
            group: group || now.gid() == like.gid(),
        })
    }

    /// The old mode, without setuid or setgid if the owner or group could not be kept: the file must not run as
    /// somebody else.
    fn safe_mode(like: &Metadata, owner: Owner, lost: &mut Vec<String>) -> u32 {
        let mut mode = like.mode() & 0o7777;
        for (kept, bit, what, id) in [
            (owner.user, SETUID, "owner", like.uid()),
            (owner.group, SETGID, "group", like.gid()),
        ] {
            if kept {
                continue;
            }
            lost.push(format!("{what} {id}"));
            if mode & bit != 0 {
                mode &= !bit;
                let name = if bit == SETUID { "setuid" } else { "setgid" };
                lost.push(format!("{name} bit"));
            }
        }
        mode
    }

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    mod extended {
        use super::*;
        use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
        use rustix::io::Errno;
        use std::ffi::{CStr, CString};

        const CAPABILITY: &CStr = c"security.capability";
        const ACCESS_LIST: &CStr = c"system.posix_acl_access";

        /// The limits of Linux (`XATTR_LIST_MAX`, `XATTR_SIZE_MAX`): 64 KiB each.
        const MOST: usize = 64 * 1024;

        /// Copies extended attributes, including access control lists and capabilities.
        pub(super) fn copy(old: &File, new: &File, owner: Owner, lost: &mut Vec<String>) {
            let names = match names(old) {
                Ok(names) => names,
                Err(Errno::NOTSUP) => return,
                Err(_) => return lost.push("extended attributes".to_owned()),
            };
            // The directory may give a new file an access control list that the old file does not have.
            if !names.iter().any(|name| **name == *ACCESS_LIST) {
                let _ = fremovexattr(new, ACCESS_LIST);
            }
            for name in names {
                let may_be_kept = owner.user || *name != *CAPABILITY;
                if !(may_be_kept && copy_one(old, new, &name).is_ok()) {
                    lost.push(words(&name));
                }
            }
        }

        fn names(file: &File) -> Result<Vec<CString>, Errno> {
            // Most lists are short.
            let mut short = [0; 512];
            let read = flistxattr(file, &mut short);
            let mut long = Vec::new();
            let list = match read {
                Ok(length) => &short[..length],
                Err(Errno::RANGE) => {
                    long.resize(MOST, 0);
                    let length = flistxattr(file, &mut long[..])?;
                    &long[..length]
                }
                Err(error) => return Err(error),
            };
            let names = list.split_inclusive(|&byte| byte == 0);
            Ok(names
                .filter_map(|name| CStr::from_bytes_with_nul(name).ok())
                .map(CStr::to_owned)
                .collect())
        }

        fn copy_one(old: &File, new: &File, name: &CStr) -> Result<(), Errno> {
            let mut value = vec![0; MOST];
            let length = fgetxattr(old, name, &mut value[..])?;
            let value = &value[..length];
            let Err(error) = fsetxattr(new, name, value, XattrFlags::empty()) else {
                return Ok(());
            };
            // Some attributes, such as the label of SELinux, are set by the system, and nobody may set them.
            let mut present = vec![0; MOST];
            let length = fgetxattr(new, name, &mut present[..])?;
            if present[..length] == *value {
                return Ok(());
            }
            Err(error)
        }

        fn words(name: &CStr) -> String {
            if name == CAPABILITY {
                "capabilities".to_owned()
            } else if name == ACCESS_LIST {
                "access control list".to_owned()
            } else {
                format!("extended attribute {}", name.to_string_lossy())
            }
        }
    }
}

#[cfg(not(unix))]
mod system {
    use super::*;

    pub(super) fn copy(
        _: Option<&File>,
        like: &Metadata,
        new: &File,
        _: &mut Vec<String>,
    ) -> Result<(), Error> {
        Ok(new.set_permissions(like.permissions())?)
    }
}
