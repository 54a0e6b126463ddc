//! Reports remaining mentions of hosts that rules moved.

use super::json::{self, PathObject};
use super::mentions::{is_in_left_link, option, with_location, words};
use super::outbox::{News, Outbox};
use super::output::number;
use linkglot::rewrite::LeftBehind;
use std::path::Path;

/// Prints the mentions of a document: as objects, or in words on standard error.
pub fn report(
    path: &Path,
    found: &LeftBehind,
    outbox: &mut Outbox<'_>,
    (objects, verbose): (bool, bool),
) {
    let path_object = PathObject::new(path);
    for mention in &found.mentions {
        let option = option(mention);
        let option = option.as_deref();
        if objects {
            json::left_behind(outbox.buffer(), &path_object, mention, option);
            outbox.end_entry(None);
        }
        if verbose && !is_in_left_link(mention.why) {
            let words = words(mention.place, mention.why, option);
            let message = format!("{} left behind {words}", mention.host);
            outbox.send(News::Message(with_location(path, mention), message));
        }
    }
    if verbose && found.more > 0 {
        let message = format!(
            "{} left behind in the rest of the file",
            number(found.more, "mention")
        );
        outbox.send(News::Message(path.to_owned(), message));
    }
}
