//! Names of fields in front of an e-mail address: `to=ann@example.org`. UTS 58 takes such a name for a part of the
//! address, since `=` may stand in a local part.

/// Start of the local part behind the name of a field; 0 without a name.
pub(super) fn value_start(local: &str) -> usize {
    // A local part may consist of special characters alone.
    if !local.contains(char::is_alphanumeric) {
        return 0;
    }
    behind_field_name(local)
}

/// The position behind a name of letters and its `=`; 0 in mailboxes of which `=` is a part: `list+ann=example.org`
/// (VERP), values with another `=` (BATV, SRS).
fn behind_field_name(local: &str) -> usize {
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
    fn field_names_are_not_part_of_the_address() {
        for (name, local) in [
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
            let found = value_start(&format!("{name}{local}"));
            assert_eq!(found, name.len(), "{name} {local}");
        }
    }
}
