//! URI to IRI (RFC 3987 3.2).

mod host;
mod settings;
mod unit;
mod writer;

pub use settings::{Display, HostDisplay, ToIri};

use crate::idna::may_have_punycode;
use crate::mapped::Mapped;
use crate::notes::Notes;
use crate::parts::Parts;
use writer::Writer;

impl ToIri {
    /// Maps a URI or reference, valid or not. Characters for which `shown` is false (because the
    /// document's charset lacks them) stay percent-encoded. Borrowed when nothing can be shown. The
    /// IRI maps back to an equivalent URI. Linear.
    ///
    /// Octets that are not UTF-8 and reserved characters stay as written; characters that may not be shown are encoded
    /// again, in upper case (RFC 3987 3.2, steps 2 to 4). Characters that are not encoded stay.
    ///
    /// ```
    /// use linkglot_iri::ToIri;
    ///
    /// let uri = "http://xn--rsum-bpad.example/%7E%C3%A9%2f%fc%e2%80%ae";
    /// let iri = ToIri::default().map(uri, &|_| true);
    /// assert_eq!(iri.text, "http://résumé.example/~é%2f%fc%E2%80%AE");
    /// ```
    pub fn map<'i>(&self, uri: &'i str, shown: &dyn Fn(char) -> bool) -> Mapped<'i> {
        let may_show_punycode = self.host != HostDisplay::Keep && may_have_punycode(uri);
        if !may_show_punycode && memchr::memchr(b'%', uri.as_bytes()).is_none() {
            return Mapped::unchanged(uri, Notes::NONE);
        }
        let mut writer = Writer::new(self, shown, uri.len());
        writer.reference(&Parts::split(uri));
        writer.finish(uri)
    }
}

#[cfg(test)]
mod tests;
