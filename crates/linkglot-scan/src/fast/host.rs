//! The host of a link with a scheme, and its port.

use super::super::vectors::{self, LANES};
use super::FastFinder;
use super::wide_chars::{self, InHost};
use linkglot_charset::Charset;
use std::ops::Range;

/// The most bytes of a host; longer ones are left to the finder.
const MAX_HOST: usize = 256;

/// Kind of a byte in a host.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum HostByte {
    Letter,
    Hyphen,
    Dot,
    /// Part of a character beyond ASCII.
    Wide,
    /// Outside of any host.
    Outside,
}

pub(super) static HOST_BYTES: [HostByte; 256] = host_bytes();

const fn host_bytes() -> [HostByte; 256] {
    let mut table = [HostByte::Wide; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => HostByte::Letter,
            b'-' => HostByte::Hyphen,
            b'.' => HostByte::Dot,
            _ => HostByte::Outside,
        };
        byte += 1;
    }
    table
}

/// Meaning of a byte behind an ASCII host.
#[derive(Clone, Copy)]
enum AfterHost {
    /// Path, query or fragment begin here.
    Open,
    /// The link ends here.
    End,
    /// The finder must decide.
    Unsure,
}

static AFTER_HOST: [AfterHost; 256] = after_host();

const fn after_host() -> [AfterHost; 256] {
    let mut table = [AfterHost::Unsure; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = match byte as u8 {
            b'/' | b'?' | b'#' => AfterHost::Open,
            0..=b' ' | 0x7F | b'"' | b'>' | b')' => AfterHost::End,
            _ => AfterHost::Unsure,
        };
        byte += 1;
    }
    table
}

/// A host with its port.
pub(super) struct Host {
    pub(super) end: usize,
    /// True if a path, query or fragment follows.
    pub(super) open: bool,
}

/// The characters of a host.
#[derive(Clone, Copy, PartialEq)]
enum Script {
    Ascii,
    /// Some characters are beyond ASCII, and all are well-formed.
    Any,
}

/// A host as far as it has been read.
struct HostReader {
    end: usize,
    /// Start of the last label.
    label: usize,
    /// The kind of the last byte. A dot at first, since a label begins at the start.
    last: HostByte,
    letters: Script,
    /// True if words may be glued to the last label: the host has letters of a script without spaces.
    glued: bool,
}

impl HostReader {
    /// Takes a character that ends at `next`. `None`: no host has the character here.
    #[inline]
    fn take(&mut self, kind: HostByte, next: usize) -> Option<()> {
        match kind {
            HostByte::Letter => {}
            HostByte::Hyphen if self.last != HostByte::Dot => {}
            HostByte::Dot if self.last == HostByte::Letter => self.label = next,
            _ => return None,
        }
        (self.end, self.last) = (next, kind);
        Some(())
    }

    /// Takes the bytes of a block that may stand in a host, the first at least. `None`: no host has these bytes here.
    #[inline(always)]
    fn take_block(&mut self, block: vectors::HostBits) -> Option<()> {
        let (len, letters) = (block.len(), block.letters);
        let is = |kind: HostByte| u32::from(self.last == kind);
        if !block.are_formed(is(HostByte::Letter), is(HostByte::Dot)) {
            return None;
        }
        let seen = (1_u32 << len) - 1;
        let dots = block.dots & seen;
        if dots != 0 {
            self.label = self.end + (32 - dots.leading_zeros()) as usize;
        }
        let last = seen & !(seen >> 1);
        self.last = match last {
            _ if letters & last != 0 => HostByte::Letter,
            _ if dots & last != 0 => HostByte::Dot,
            _ => HostByte::Hyphen,
        };
        self.end += len;
        Some(())
    }
}

impl FastFinder<'_, '_> {
    /// The host at a position.
    #[inline(always)]
    pub(super) fn host(&self, at: usize) -> Option<Host> {
        let is_ascii = self.bytes.get(at).is_some_and(u8::is_ascii);
        let short = is_ascii.then(|| self.short_host(at)).flatten();
        short.or_else(|| self.any_host(at))
    }

    /// The host at a position if it is short and ASCII, and a byte that ends every host stands behind it.
    #[inline(always)]
    fn short_host(&self, at: usize) -> Option<Host> {
        let block = |at: usize| {
            self.bytes
                .get(at..)?
                .first_chunk()
                .map(vectors::HostBits::of)
        };
        let first = block(at)?;
        let labels = block(at + LANES).map_or(first, |second| first.with(second));
        let len = labels.len();
        let is_host = len > 0 && len < 2 * LANES && labels.are_formed(0, 1);
        let ends = is_host && labels.letters >> (len - 1) & 1 != 0;
        let byte = *self.bytes.get(at + len).filter(|_| ends)?;
        let open = match AFTER_HOST[usize::from(byte)] {
            AfterHost::Open => true,
            AfterHost::End => false,
            AfterHost::Unsure => return None,
        };
        self.count_steps(len);
        Some(Host {
            end: at + len,
            open,
        })
    }

    /// The host at a position, of any length and script.
    fn any_host(&self, at: usize) -> Option<Host> {
        let labels = self.labels(at)?;
        self.count_steps(labels.end - at);
        let byte = self.bytes.get(labels.end).copied();
        let len = labels.end - at;
        if byte == Some(b':') && self.bytes.get(labels.end + 1..labels.end + 3) == Some(b"//") {
            return self.before_link(at, &labels);
        }
        match labels.last {
            HostByte::Letter if len < MAX_HOST && self.has_no_words(&labels) => {
                self.behind_host(&labels, byte)
            }
            // The dot of a sentence.
            HostByte::Dot if len > 0 && labels.letters == Script::Ascii && self.is_end(byte)? => {
                Some(Host {
                    end: labels.end - 1,
                    open: false,
                })
            }
            _ => None,
        }
    }

    /// The host that ends in front of the scheme of another link. The scheme was read as a label.
    fn before_link(&self, at: usize, labels: &HostReader) -> Option<Host> {
        let mut host = self.bytes.get(at..self.http_start(labels.end)?)?;
        // The dot of a sentence.
        host = host.strip_suffix(b".").unwrap_or(host);
        let last = HOST_BYTES[usize::from(*host.last()?)];
        let ends = matches!(last, HostByte::Letter | HostByte::Wide);
        // The scheme may be a label of its own behind a label with a suffix.
        let may_have_suffix = !host.is_ascii() && host.contains(&b'-');
        (ends && !labels.glued && !may_have_suffix && labels.end - at < MAX_HOST).then_some(Host {
            end: at + host.len(),
            open: false,
        })
    }

    /// Reads labels from a position on.
    #[inline]
    fn labels(&self, at: usize) -> Option<HostReader> {
        let mut labels = HostReader {
            end: at,
            label: at,
            last: HostByte::Dot,
            letters: Script::Ascii,
            glued: false,
        };
        while labels.end - at < MAX_HOST {
            let Some(&byte) = self.bytes.get(labels.end) else {
                break;
            };
            match HOST_BYTES[usize::from(byte)] {
                HostByte::Outside => break,
                HostByte::Wide => {
                    if !self.take_wide_char_of_host(&mut labels)? {
                        break;
                    }
                }
                kind => match self.bytes.get(labels.end..).and_then(<[u8]>::first_chunk) {
                    Some(block) => labels.take_block(vectors::HostBits::of(block))?,
                    None => labels.take(kind, labels.end + 1)?,
                },
            }
        }
        Some(labels)
    }

    /// Takes the next character, which is beyond ASCII. `Some(false)`: the character ends the host. `None`: the finder
    /// must decide.
    #[inline]
    fn take_wide_char_of_host(&self, labels: &mut HostReader) -> Option<bool> {
        let (ch, len) = self.wide_char(labels.end)?;
        match wide_chars::lookup(ch).in_host {
            InHost::Letter => {}
            InHost::Glue => labels.glued = true,
            InHost::End => return Some(false),
            InHost::Unsure => return None,
        }
        labels.letters = Script::Any;
        labels.take(HostByte::Letter, labels.end + len)?;
        Some(true)
    }

    /// True if neither words nor a suffix are glued to the host. If any might be, the last label must be a known
    /// top-level domain.
    #[inline]
    fn has_no_words(&self, labels: &HostReader) -> bool {
        let may_have = labels.letters == Script::Any && (labels.glued || self.has_suffix(labels));
        !may_have || self.is_top_level(labels.label..labels.end)
    }

    /// True if a hyphen may join a suffix to the last label.
    fn has_suffix(&self, labels: &HostReader) -> bool {
        let label = self.bytes.get(labels.label..labels.end).unwrap_or(&[]);
        !label.is_ascii() && label.contains(&b'-')
    }

    fn is_top_level(&self, label: Range<usize>) -> bool {
        let label = self.bytes.get(label).unwrap_or(&[]);
        if label.is_ascii() {
            return self.tlds.contains_ascii(label);
        }
        let name = std::str::from_utf8(label).ok();
        let is_utf8 = self.charset == Charset::UTF_8;
        name.is_some_and(|name| is_utf8 && self.tlds.contains(name))
    }

    /// The host that ends in front of `byte`.
    #[inline]
    fn behind_host(&self, labels: &HostReader, byte: Option<u8>) -> Option<Host> {
        let end = labels.end;
        let open = match byte {
            Some(b'/' | b'?' | b'#') => true,
            Some(b'"' | b'>' | 0x80..) => false,
            // Behind native hosts a `)` may belong to user information.
            Some(b')') if labels.letters == Script::Ascii => false,
            Some(b',') if self.is_end(self.bytes.get(end + 1).copied())? => false,
            Some(b':') => return self.port(labels),
            byte if self.is_end(byte)? => false,
            _ => return None,
        };
        Some(Host { end, open })
    }

    /// The host with the port behind it.
    fn port(&self, labels: &HostReader) -> Option<Host> {
        let colon = labels.end;
        let digits = self.bytes.get(colon + 1..)?.iter().take(6);
        let mut end = colon + 1;
        let mut port = 0;
        for digit in digits.take_while(|byte| byte.is_ascii_digit()) {
            port = port * 10 + u32::from(digit - b'0');
            end += 1;
        }
        let is_port = end > colon + 1 && end < colon + 7 && port <= 65_535;
        if !is_port {
            return None;
        }
        let open = match self.bytes.get(end) {
            Some(b'/' | b'?' | b'#') => true,
            Some(b'"' | b'>') => false,
            byte if self.is_end(byte.copied())? => false,
            _ => return None,
        };
        Some(Host { end, open })
    }
}
