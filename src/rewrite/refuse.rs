//! Reasons in a link and its new text to leave it: passes of [`passes`](super::passes).

use super::mapping::Mapper;
use super::rules::Ruling;
use super::subject::Subject;
use crate::link::Dialect;
use crate::link::still_implied;
use crate::markup::Access;
use crate::notes::Note;
use crate::scan::Evidence;

/// Links that are only listed cannot be written, or a length beside them cannot.
pub(super) fn in_lists(_: &Mapper<'_>, link: Subject<'_>, _: &str) -> Option<Note> {
    match link.access {
        Access::List => Some(link.reason.unwrap_or(Note::LeftUnencodable)),
        Access::Counted => Some(Note::LeftSerialized),
        _ => None,
    }
}

/// A value that programs may compare changes by a rule that names its host, not by one for all links.
pub(super) fn unnamed_values(mapper: &Mapper<'_>, link: Subject<'_>, _: &str) -> Option<Note> {
    // A template that cannot be read has this access, too.
    let is_unread = link.context.template && link.text.contains('{');
    if link.access != Access::Rules || is_unread {
        return None;
    }
    let (_, domain) = link.text.split_once("://")?;
    let domain = (domain, Some("https"));
    mapper
        .is_guess(Evidence::Name, domain)
        .then_some(Note::LeftName)
}

/// New escapes may be read as directives of a format string, or as variables.
pub(super) fn escapes_in_format_strings(
    mapper: &Mapper<'_>,
    link: Subject<'_>,
    new: &str,
) -> Option<Note> {
    let has_signs = matches!(
        mapper.dialect,
        Dialect::Percents | Dialect::Specifiers | Dialect::Ini
    );
    let is_code = has_signs || link.is_format_string(link.text);
    if !is_code && !link.context.is_in_format {
        return None;
    }
    let (percents, old) = (percents(new), percents(link.text));
    let is_doubtful = is_code && percents > old || link.context.is_in_format && percents != old;
    is_doubtful.then_some(Note::LeftTemplate)
}

/// Percent-encoding is for URIs: in an address as people write it, `%` is a `%`. Only a rule that says so gives an
/// address another text.
pub(super) fn escapes_in_addresses(
    mapper: &Mapper<'_>,
    link: Subject<'_>,
    new: &str,
) -> Option<Note> {
    let is_address = still_implied(new, link.implied) == Some("mailto");
    let is_ruled = || matches!(mapper.ruled(&mapper.mapping.rules, link), Ruling::Becomes(ruled) if ruled == new);
    (is_address && !is_ruled()).then_some(Note::LeftTargetWouldChange)
}

/// Number of percent signs.
pub(super) fn percents(text: &str) -> usize {
    // Most texts have none.
    match memchr::memchr(b'%', text.as_bytes()) {
        Some(first) => memchr::memchr_iter(b'%', &text.as_bytes()[first..]).count(),
        None => 0,
    }
}
