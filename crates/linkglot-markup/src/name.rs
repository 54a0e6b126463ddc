//! Names of elements and attributes, as places show them.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A name. Cheap to clone: no allocation, and for names that are built in no counting either.
///
/// ```
/// use linkglot_markup::Name;
///
/// const HREF: Name = Name::built_in("href");
/// assert_eq!(HREF, Name::from("href"));
/// assert_eq!(HREF.len(), 4);
/// ```
#[derive(Clone)]
pub struct Name(Storage);

#[derive(Clone)]
enum Storage {
    BuiltIn(&'static str),
    Shared(Arc<str>),
}

impl Name {
    /// A static name.
    ///
    /// ```
    /// use linkglot_markup::Name;
    ///
    /// const HREF: Name = Name::built_in("href");
    /// assert_eq!(&*HREF, "href");
    /// ```
    pub const fn built_in(name: &'static str) -> Self {
        Name(Storage::BuiltIn(name))
    }

    /// The name.
    ///
    /// ```
    /// assert_eq!(linkglot_markup::Name::from("href").as_str(), "href");
    /// ```
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Storage::BuiltIn(name) => name,
            Storage::Shared(name) => name,
        }
    }

    /// True if both names share their letters in memory.
    ///
    /// ```
    /// use linkglot_markup::Name;
    ///
    /// let name = Name::from("x-card");
    /// assert!(name.is_same(&name.clone()) && !name.is_same(&Name::from("x-card")));
    /// ```
    #[inline]
    pub fn is_same(&self, other: &Name) -> bool {
        std::ptr::eq(self.as_str(), other.as_str())
    }
}

impl Deref for Name {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Name(Storage::Shared(name.into()))
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Name(Storage::Shared(name.into()))
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}
