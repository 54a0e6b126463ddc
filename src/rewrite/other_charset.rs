//! Links of a document that gets another charset: those that would change with it.
//!
//! Non-ASCII characters of a query count as octets of the document's charset where browsers use it. They are percent-encoded
//! from these octets before the document changes.

use super::forming::{Forming, left_because};
use super::subject::Subject;
use crate::charset::Charset;
use crate::iri::{Parts, QueryCharset, ToUri};
use crate::link::{Info, Queries, QueryCharsets, has_expression, with_implied, without_implied};
use crate::markup::Access;
use crate::report::{Note, Notes};

/// The queries of a document before it gets another charset.
pub(super) struct OldQueries {
    queries: QueryCharsets,
    to_uri: ToUri,
}

impl OldQueries {
    /// `to_uri` maps links of the new document.
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

    /// The link with its query as a reader of the old document sends it, if it differs. `new` are the queries of the new
    /// document; `has_code`: the link holds code of a template language.
    ///
    /// # Errors
    ///
    /// The notes of a link whose target is not known, or that cannot be written so.
    pub fn kept(
        &self,
        link: Subject<'_>,
        (new, has_code): (QueryCharsets, bool),
        forming: &Forming<'_>,
    ) -> Result<Option<String>, Notes> {
        let text = with_implied(link.text, link.implied);
        let Some(query) = Parts::split(&text).query_range() else {
            return Ok(None);
        };
        let (before, after) = (
            link.queries.charset(self.queries),
            link.queries.charset(new),
        );
        let is_name = matches!(link.access, Access::Rules | Access::Identifier);
        if before == after || is_name || text[query.clone()].is_ascii() {
            return Ok(None);
        }
        let left = Err(Note::LeftTargetWouldChange.into());
        if link.queries == Queries::Doubtful || link.access == Access::List {
            return left;
        }
        if has_code || has_expression(&text) {
            return Err(Note::LeftTemplate.into());
        }
        let to_uri = match before == Charset::UTF_8 {
            true => ToUri {
                query: QueryCharset::Utf8,
                ..self.to_uri.clone()
            },
            false => self.to_uri.clone(),
        };
        let uri = to_uri
            .map(&text)
            .map_err(|error| left_because(error.kind))?;
        let Some(new_query) = Parts::split(&uri.text).query() else {
            return left;
        };
        let kept = [&text[..query.start], new_query, &text[query.end..]].concat();
        if !forming.same_target(before, &text, &kept) {
            return left;
        }
        match without_implied(&kept, link.implied) {
            Some(kept) => Ok(Some(kept.into_owned())),
            None => left,
        }
    }
}
