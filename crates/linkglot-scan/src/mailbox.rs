//! Markup in front of an e-mail address that UTS 58 has for a part of it, since its characters may stand in a local part:
//! `\email{ann@example.org}`, `{{email|ann@example.org}}`, `to=ann@example.org`; and words of
//! another script that are glued to it.

/// Where the local part begins in what was taken for one; its end, when that is code: `{ann,bob}@example.org`.
pub(super) fn begin(local: &str) -> usize {
    // A local part may be of special characters alone.
    if !local.contains(char::is_alphanumeric) {
        return 0;
    }
    behind_name(local)
}

/// Behind the name of a field and its `=`: a word of letters, in front of which nothing stands that would make it a mailbox
/// in which `=` is for `@` (VERP: `list+ann=example.org`), nor is the value one with a `=` of its own (BATV, SRS).
fn behind_name(local: &str) -> usize {
    let field = local.rfind(['&', '?', '/', '#']).map_or(0, |at| at + 1);
    let rest = local.get(field..).unwrap_or("");
    let Some((name, value)) = rest.split_once('=') else {
        return 0;
    };
    let bare = name.trim_start_matches('-');
    let is_name = !bare.is_empty() && bare.chars().all(|ch| ch.is_alphabetic() || ch == '_');
    let is_value = !value.is_empty() && !value.contains('=');
    if is_name && is_value {
        local.len() - value.len()
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_no_local_part() {
        for (markup, local) in [
            ("", "ann"),
            ("", "ann.b+c=d"),
            ("", "a{b}c"),
            ("", "_-!?'{}*/&#%`^+=|~$"),
            ("", "a!#$%&'*+-/=?^_`{|}~"),
            ("to=", "ann"),
            ("--to=", "ann"),
            ("CN=A/emailAddress=", "ann"),
            ("a=b&user_name=", "ann"),
            ("", "list+ann=example.org"),
            ("", "list-ann=example.org"),
            ("", "SRS0=HH=TT=example.org=ann"),
            ("", "prvs=0123=ann"),
            ("", "a&b"),
            ("", "to="),
        ] {
            let found = begin(&format!("{markup}{local}"));
            assert_eq!(found, markup.len(), "{markup} {local}");
        }
    }
}
