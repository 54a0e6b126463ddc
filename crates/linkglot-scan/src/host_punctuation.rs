//! Marks that UTS 46 has in hosts, and that lists and sentences have beside them: full stops (`。`), middle dots (`・`, `·`),
//! hyphens beyond ASCII (`‐`, `－`), and what joins a suffix of the sentence to a name (`example.hu-ról`).

/// The ideographic full stop and the fullwidth one, which end sentences and, where a domain is known behind them, part the
/// labels of hosts. UTS 46 maps them to dots.
pub(super) const WIDE_STOPS: [char; 2] = ['。', '．'];

/// These and the halfwidth one, which is a dot to UTS 46, too, and in text ends sentences alone.
pub(super) const FULL_STOPS: [char; 3] = {
    let [ideographic, fullwidth] = WIDE_STOPS;
    [ideographic, fullwidth, '｡']
};

/// All that part the labels of a host (UTS 46).
pub(super) const DOTS: [char; 4] = {
    let [ideographic, fullwidth, halfwidth] = FULL_STOPS;
    ['.', ideographic, fullwidth, halfwidth]
};

/// Whether a character is one of [`WIDE_STOPS`].
pub(super) fn is_wide_stop(ch: char) -> bool {
    WIDE_STOPS.contains(&ch)
}

/// Whether a character is one of [`FULL_STOPS`].
pub(super) fn is_full_stop(ch: char) -> bool {
    FULL_STOPS.contains(&ch)
}

/// Middle dots, which part the members of lists and begin lines of them.
pub(super) fn is_middle_dot(ch: char) -> bool {
    matches!(ch, '·' | '\u{387}' | '・' | '･')
}

/// Hyphens beyond ASCII. UTS 46 maps some of them to `-`; writing programs put them for it.
fn is_hyphen(ch: char) -> bool {
    matches!(ch, '\u{2010}' | '\u{2011}' | '\u{FE63}' | '\u{FF0D}')
}

/// Both: no label begins or ends with one of them.
pub(super) fn is_dot_or_hyphen(ch: char) -> bool {
    is_middle_dot(ch) || is_hyphen(ch)
}

/// Whether a character behind a known domain joins something to it that is the sentence's.
pub(super) fn joins_suffix(ch: char) -> bool {
    is_hyphen(ch) || matches!(ch, '\u{200C}' | '\u{200D}')
}

/// Whether a middle dot at a position of a host parts what stands beside it: all but the one of Catalan, `il·lusió`
/// (RFC 5892 appendix A.3).
pub(super) fn is_separating_dot(host: &str, at: usize, ch: char) -> bool {
    let is_l = |side: Option<char>| matches!(side, Some('l' | 'L'));
    let beside = host.split_at_checked(at);
    let is_catalan = beside.is_some_and(|(before, behind)| {
        is_l(before.chars().next_back()) && is_l(behind.chars().nth(1))
    });
    is_middle_dot(ch) && !is_catalan
}

/// The label of a host that a character at a position stands in, from there on, if it is the last one.
pub(super) fn last_label(host: &str, at: usize) -> Option<&str> {
    let rest = host.get(at..)?;
    let end = rest.find(DOTS).unwrap_or(rest.len());
    let (label, behind) = rest.split_at(end);
    (behind.len() < 2 || !behind.starts_with('.')).then_some(label)
}
