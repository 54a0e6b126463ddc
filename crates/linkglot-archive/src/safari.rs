//! Web archives of Safari: property lists, binary or in XML, with the resources of a page.

use super::invalid;
use memchr::memmem;
use plist::stream::{Event, OwnedEvent, Reader};
use std::io::{self, Cursor};

/// The most bytes of an archive: it is read in memory, of which a malicious one takes eight times its length.
pub const MOST: u64 = 32 << 20;

/// The most values of an archive. Values of a binary list may share others, so there could be more than it has bytes.
const MOST_VALUES: u64 = 1 << 20;

/// The most archives of frames in each other.
const MOST_DEPTH: u32 = 32;

const KEYS: [&str; 3] = ["WebMainResource", "WebSubresources", "WebSubframeArchives"];

/// True if bytes begin a web archive.
pub(crate) fn is_begin(head: &[u8]) -> bool {
    let head = &head[..head.len().min(super::HEAD)];
    let has = |text: &str| memmem::find(head, text.as_bytes()).is_some();
    let is_xml = || has("<plist") && KEYS.iter().any(|key| has(&format!("<key>{key}</key>")));
    // The keys stand in front of the values.
    let is_binary = || head.starts_with(b"bplist00") && KEYS.iter().any(|key| has(key));
    is_binary() || is_xml()
}

/// A resource of a web archive: a page, a style sheet, an image ...
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    /// The URL.
    pub url: Option<String>,
    /// The media type.
    pub media_type: Option<String>,
    /// The label of the charset.
    pub charset: Option<String>,
    /// The content.
    pub data: Vec<u8>,
}

/// Reads the resources of a web archive, those of its frames among them, until `each` returns an error. Memory: the
/// values of a resource, and eight times the length of the archive if it is malicious.
///
/// # Errors
///
/// Errors of `each`, and for a damaged archive or one whose contents are longer than `most` bytes. Resources in front
/// of the damage were read.
///
/// ```
/// use linkglot_archive::safari::read;
///
/// let archive = b"<plist><dict><key>WebMainResource</key><dict><key>WebResourceURL</key>
/// <string>http://a.example/</string><key>WebResourceData</key><data>YQ==</data></dict></dict></plist>";
/// let mut found = Vec::new();
/// read(archive, 100, &mut |resource| {
///     found.push((resource.url, resource.data));
///     Ok(())
/// })?;
/// assert_eq!(found, [(Some("http://a.example/".to_owned()), b"a".to_vec())]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read(
    archive: &[u8],
    most: u64,
    each: &mut dyn FnMut(Resource) -> io::Result<()>,
) -> io::Result<()> {
    let mut walk = Walk {
        events: Reader::new(Cursor::new(archive)),
        left: most,
        values: MOST_VALUES,
        each,
    };
    let first = walk.next()?;
    walk.value(first, Role::Archive, 0)
}

/// The role of a value.
#[derive(Clone, Copy)]
enum Role {
    Archive,
    Archives,
    Resource,
    Resources,
    /// Of no matter.
    Other,
}

impl Role {
    /// The role of a value in an archive, by its key.
    fn of(key: &OwnedEvent) -> Self {
        match key {
            Event::String(key) if key == KEYS[0] => Role::Resource,
            Event::String(key) if key == KEYS[1] => Role::Resources,
            Event::String(key) if key == KEYS[2] => Role::Archives,
            _ => Role::Other,
        }
    }

    /// The role of a value in a list.
    fn of_item(self) -> Self {
        match self {
            Role::Archives => Role::Archive,
            Role::Resources => Role::Resource,
            _ => Role::Other,
        }
    }
}

struct Walk<'a, 'e> {
    events: Reader<Cursor<&'a [u8]>>,
    /// Number of bytes that contents may still have.
    left: u64,
    /// Number of values that may still follow.
    values: u64,
    each: &'e mut dyn FnMut(Resource) -> io::Result<()>,
}

impl Walk<'_, '_> {
    fn next(&mut self) -> io::Result<OwnedEvent> {
        let damaged = |error: &dyn std::fmt::Display| {
            invalid(format!("damaged web archive of Safari: {error}"))
        };
        let event = match self.events.next() {
            Some(Ok(event)) => event,
            Some(Err(error)) => return Err(damaged(&error)),
            None => return Err(damaged(&"it is cut off")),
        };
        let (values, len) = match &event {
            Event::StartArray(values) | Event::StartDictionary(values) => (values.unwrap_or(0), 0),
            Event::Data(data) => (0, data.len()),
            Event::String(text) => (0, text.len()),
            _ => (0, 0),
        };
        let values = self.values.checked_sub(values.saturating_add(1));
        let left = self.left.checked_sub(len as u64);
        let (Some(values), Some(left)) = (values, left) else {
            return Err(invalid("expected a smaller web archive of Safari"));
        };
        (self.values, self.left) = (values, left);
        Ok(event)
    }

    /// Reads a value that begins with `first`.
    fn value(&mut self, first: OwnedEvent, role: Role, depth: u32) -> io::Result<()> {
        if depth > MOST_DEPTH {
            return Err(invalid(
                "expected a web archive of Safari with fewer frames in frames",
            ));
        }
        match (first, role) {
            (Event::StartDictionary(_), Role::Archive) => loop {
                let key = self.next()?;
                if key == Event::EndCollection {
                    return Ok(());
                }
                let first = self.next()?;
                self.value(first, Role::of(&key), depth + 1)?;
            },
            (Event::StartDictionary(_), Role::Resource) => self.resource(),
            (Event::StartArray(_), Role::Archives | Role::Resources) => loop {
                let first = self.next()?;
                if first == Event::EndCollection {
                    return Ok(());
                }
                self.value(first, role.of_item(), depth + 1)?;
            },
            (Event::StartArray(_) | Event::StartDictionary(_), _) => self.skip(),
            _ => Ok(()),
        }
    }

    /// Skips the rest of a list or a dictionary.
    fn skip(&mut self) -> io::Result<()> {
        let mut open = 1_u64;
        while open > 0 {
            match self.next()? {
                Event::StartArray(_) | Event::StartDictionary(_) => open += 1,
                Event::EndCollection => open -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    fn resource(&mut self) -> io::Result<()> {
        let mut resource = Resource::default();
        loop {
            let key = match self.next()? {
                Event::EndCollection => break,
                Event::String(key) => key,
                _ => "".into(),
            };
            match (&*key, self.next()?) {
                ("WebResourceURL", Event::String(url)) => resource.url = Some(url.into()),
                ("WebResourceMIMEType", Event::String(media_type)) => {
                    resource.media_type = Some(media_type.into());
                }
                ("WebResourceTextEncodingName", Event::String(label)) => {
                    resource.charset = Some(label.into());
                }
                ("WebResourceData", Event::Data(data)) => resource.data = data.into_owned(),
                (_, Event::StartArray(_) | Event::StartDictionary(_)) => self.skip()?,
                _ => {}
            }
        }
        (self.each)(resource)
    }
}
