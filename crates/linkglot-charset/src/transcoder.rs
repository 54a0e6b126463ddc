//! Documents as UTF-8, if they cannot be scanned in their own bytes (UTF-16, ISO-2022-JP) or get another charset.

use crate::charset::Charset;
use crate::codec::{TranscodedCodec, rest_of};
use crate::decoded::{End, LONGEST_CHAR, Shift};
use crate::view_map::ViewMap;

/// Turns source bytes, chunk by chunk, into a UTF-8 view. Cuts between chunks do not matter. Time is linear in the
/// source, memory outside `view` and `map` constant.
///
/// ```
/// use linkglot_charset::{Charset, Transcoder, ViewMap};
///
/// let (mut view, mut map) = (Vec::new(), ViewMap::default());
/// let mut transcoder = Transcoder::new(Charset::UTF_16LE, 2);
/// transcoder.push(b"h\0\xE9", false, &mut view, &mut map);
/// transcoder.push(b"\0!\0", true, &mut view, &mut map);
/// assert_eq!(view, "hé!".as_bytes());
/// assert_eq!(map.source(1), 4);
/// assert_eq!(map.source(3), 6);
/// ```
pub struct Transcoder {
    charset: Charset,
    /// The decoder of a charset that is not ASCII-compatible.
    codec: Option<&'static dyn TranscodedCodec>,
    state: Shift,
    /// The start of a character whose end has not come yet: shorter than [`LONGEST_CHAR`], but in an
    /// ASCII-compatible charset a stretch in which no character surely begins.
    pending: Vec<u8>,
    /// The end of the last character, in the source and in the view.
    source: u64,
    view: u64,
}

impl Transcoder {
    /// A transcoder for a charset. Source positions count from `origin` (the length of the BOM, which
    /// is no part of the view).
    ///
    /// ```
    /// use linkglot_charset::{Charset, Transcoder, ViewMap};
    ///
    /// let (mut view, mut map) = (Vec::new(), ViewMap::default());
    /// // A byte order mark was cut off.
    /// Transcoder::new(Charset::UTF_16LE, 2).push(b"a\0", true, &mut view, &mut map);
    /// assert_eq!(map.source(0), 2);
    /// ```
    pub fn new(charset: Charset, origin: u64) -> Self {
        Transcoder {
            charset,
            codec: charset.transcoded(),
            state: Shift::default(),
            pending: Vec::new(),
            source: origin,
            view: 0,
        }
    }

    /// Decodes `source`, appends its text to `view` and its positions to `map`. Unless `last`, an
    /// incomplete sequence at the end waits for the next call.
    ///
    /// ```
    /// use linkglot_charset::{Charset, Transcoder, ViewMap};
    ///
    /// let (mut view, mut map) = (Vec::new(), ViewMap::default());
    /// let mut transcoder = Transcoder::new(Charset::UTF_16BE, 0);
    /// transcoder.push(b"\0", false, &mut view, &mut map);
    /// assert!(view.is_empty());
    /// transcoder.push(b"a", true, &mut view, &mut map);
    /// assert_eq!(view, b"a");
    /// ```
    pub fn push(&mut self, source: &[u8], last: bool, view: &mut Vec<u8>, map: &mut ViewMap) {
        map.begin(self.view, self.source);
        let Some(codec) = self.codec else {
            return self.push_compatible(source, last, view, map);
        };
        let end = if last { End::Last } else { End::Open };
        let rest = self.finish_pending(codec, source, end, view, map);
        let before = view.len();
        let at = codec.append_view(&mut self.state, rest, end, view, map);
        self.source += at as u64;
        self.view += (view.len() - before) as u64;
        let rest = rest_of(rest, at);
        if rest.len() < LONGEST_CHAR {
            self.pending.extend_from_slice(rest);
        }
    }

    /// Decodes an ASCII-compatible charset: at once all bytes that surely end with a character.
    fn push_compatible(
        &mut self,
        source: &[u8],
        last: bool,
        view: &mut Vec<u8>,
        map: &mut ViewMap,
    ) {
        self.pending.extend_from_slice(source);
        let bytes = std::mem::take(&mut self.pending);
        let end = if last {
            bytes.len()
        } else {
            self.charset
                .resync(&bytes, bytes.len().saturating_sub(LONGEST_CHAR))
        };
        let before = view.len();
        let whole = &bytes[..end];
        if whole.is_ascii() {
            view.extend_from_slice(whole);
            map.append_run(whole.len(), (1, 1), Shift::default());
        } else {
            self.charset.decode_mapped(whole).append_to(view, map);
        }
        self.view += (view.len() - before) as u64;
        self.source += end as u64;
        self.pending.extend_from_slice(&bytes[end..]);
    }

    /// Decodes the characters that begin in `pending`; returns the rest of `source`.
    fn finish_pending<'s>(
        &mut self,
        codec: &dyn TranscodedCodec,
        source: &'s [u8],
        end: End,
        view: &mut Vec<u8>,
        map: &mut ViewMap,
    ) -> &'s [u8] {
        let old = self.pending.len();
        if old == 0 {
            return source;
        }
        let taken = source.len().min(LONGEST_CHAR);
        let mut bytes = std::mem::take(&mut self.pending);
        bytes.extend_from_slice(&source[..taken]);
        let end = if taken == source.len() {
            end
        } else {
            End::Open
        };
        let mut at = 0;
        while at < old {
            let Some(decoded) = codec.next(&mut self.state, &bytes[at..], end) else {
                break;
            };
            at += decoded.len;
            self.source += decoded.len as u64;
            self.view += decoded.text().len_utf8() as u64;
            map.append(decoded, self.state, view);
        }
        match at.checked_sub(old) {
            Some(begun) => &source[begun..],
            None => {
                bytes.drain(..at);
                bytes.truncate(LONGEST_CHAR - 1);
                self.pending = bytes;
                &source[taken..]
            }
        }
    }
}
