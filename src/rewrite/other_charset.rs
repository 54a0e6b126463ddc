//! Links that would change when their document gets another charset.
//!
//! Where browsers use the document's charset for queries, non-ASCII characters of a query stand for octets of that
//! charset. The query is percent-encoded from these octets before the document changes.

use super::forming::Forming;
use super::subject::Subject;
use crate::charset::Charset;
use crate::iri::scheme::has_document_query;
use crate::iri::to_uri::MapError;
use crate::iri::{Parts, QueryCharset, ToUri};
use crate::link::{
    Info, Queries, QueryCharsets, has_expression, scheme_of, with_implied, without_implied,
};
use crate::markup::Access;
use crate::notes::{Note, Notes};

/// The queries of a document before it gets another charset.
pub(super) struct OldQueries {
    queries: QueryCharsets,
    /// Maps queries to octets of the old charset.
    to_uri: ToUri,
}

impl OldQueries {
    /// Prepares for a document. `to_uri` maps links of the new document.
    pub fn new(info: &Info, to_uri: &ToUri) -> Self {
        OldQueries {
            queries: info.query_charsets,
            to_uri: ToUri {
                charset: info.charset,
                query: QueryCharset::Document,
                ..to_uri.clone()
            },
        }
    }

    /// The old charset.
    pub fn charset(&self) -> Charset {
        self.to_uri.charset
    }

    /// True if the target of a link depends on the charset of the document.
    pub fn concern(
        &self,
        text: &str,
        queries: Queries,
        access: Access,
        new: QueryCharsets,
    ) -> bool {
        let is_name = matches!(access, Access::Rules | Access::Identifier);
        let query = Parts::split(text).query();
        let before = queries.charset(self.queries);
        let is_doubtful = queries == Queries::Doubtful && before != Charset::UTF_8;
        !is_name
            && query.is_some_and(|query| !query.is_ascii())
            && (before != queries.charset(new) || is_doubtful)
            && self.is_counted(text)
    }

    /// True if browsers may count the query as octets of the document's charset: not for unknown schemes.
    fn is_counted(&self, text: &str) -> bool {
        let plain = without_breaks(text);
        let scheme = scheme_of(&plain).or(self.to_uri.base_scheme.as_deref());
        scheme.is_none_or(has_document_query) || plain.contains("://")
    }

    /// The link with the query that a reader of the old document sends, if it differs. `new`: the queries of the new
    /// document; `has_code`: the link holds code of a template language.
    ///
    /// # Errors
    ///
    /// The notes of a link whose target is unknown, or whose query cannot be written in this way.
    pub fn kept(
        &self,
        link: Subject<'_>,
        (new, has_code): (QueryCharsets, bool),
        forming: &Forming<'_>,
    ) -> Result<Option<String>, Notes> {
        let text = with_implied(link.text, link.implied);
        if !self.concern(&text, link.queries, link.access, new) {
            return Ok(None);
        }
        let left = Err(Note::LeftTargetWouldChange.into());
        let before = link.queries.charset(self.queries);
        let is_doubtful = link.queries == Queries::Doubtful && before != Charset::UTF_8;
        if is_doubtful || matches!(link.access, Access::List | Access::Counted) {
            return left;
        }
        if has_code || has_expression(&text) {
            return Err(Note::LeftTemplate.into());
        }
        let to_uri = ToUri {
            query: if before == Charset::UTF_8 {
                QueryCharset::Utf8
            } else {
                QueryCharset::Document
            },
            base_scheme: Some("http".to_owned()),
            ..self.to_uri.clone()
        };
        let kept = match with_encoded_query(&text, &to_uri) {
            Ok(Some(kept)) => kept,
            Ok(None) => return Ok(None),
            Err(_) => return left,
        };
        if !forming.same_target(before, &text, &kept) {
            return left;
        }
        match without_implied(&kept, link.implied) {
            Some(kept) => Ok(Some(kept.into_owned())),
            None => left,
        }
    }
}

/// A reference with its query as `to_uri` encodes it, if that differs.
pub(super) fn with_encoded_query(text: &str, to_uri: &ToUri) -> Result<Option<String>, MapError> {
    let query = Parts::split(text).query_range();
    let Some(query) = query.filter(|query| !text[query.clone()].is_ascii()) else {
        return Ok(None);
    };
    let reference = format!("?{}", without_breaks(&text[query.clone()]));
    let encoded = to_uri.map(&reference)?;
    let new_query = Parts::split(&encoded.text).query().unwrap_or_default();
    Ok(Some(
        [&text[..query.start], new_query, &text[query.end..]].concat(),
    ))
}

/// A reference without the characters that browsers drop.
fn without_breaks(reference: &str) -> String {
    reference.replace(['\t', '\n', '\r'], "")
}
