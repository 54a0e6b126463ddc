//! Punctuation that UTS 46 allows in hosts but that also stands beside them in lists and sentences: full stops (`。`),
//! middle dots (`・`, `·`), hyphens beyond ASCII (`‐`, `－`), and joiners of suffixes (`example.hu-ról`).

/// The ideographic and the fullwidth full stop. UTS 46 maps both to dots, but they end sentences unless a known domain
/// follows.
pub(super) const WIDE_STOPS: [char; 2] = ['。', '．'];

/// The wide stops and the halfwidth full stop. UTS 46 also maps the halfwidth one to a dot, but outside of URLs it only
/// ends sentences.
pub(super) const FULL_STOPS: [char; 3] = {
    let [ideographic, fullwidth] = WIDE_STOPS;
    [ideographic, fullwidth, '｡']
};

/// All dots that separate the labels of a host (UTS 46).
pub(super) const DOTS: [char; 4] = {
    let [ideographic, fullwidth, halfwidth] = FULL_STOPS;
    ['.', ideographic, fullwidth, halfwidth]
};

/// True if a character is one of [`WIDE_STOPS`].
pub(super) fn is_wide_stop(ch: char) -> bool {
    WIDE_STOPS.contains(&ch)
}

/// True if a character is one of [`FULL_STOPS`].
pub(super) fn is_full_stop(ch: char) -> bool {
    FULL_STOPS.contains(&ch)
}

/// True if a character is a middle dot. In text, middle dots separate the items of a list or begin its lines.
pub(super) fn is_middle_dot(ch: char) -> bool {
    matches!(ch, '·' | '\u{387}' | '・' | '･')
}

/// True if a character is a hyphen beyond ASCII. UTS 46 maps some to `-`, and word processors write them instead.
fn is_hyphen(ch: char) -> bool {
    matches!(ch, '\u{2010}' | '\u{2011}' | '\u{FE63}' | '\u{FF0D}')
}

/// True if a character is a middle dot or a hyphen beyond ASCII: no label begins or ends with these.
pub(super) fn is_dot_or_hyphen(ch: char) -> bool {
    is_middle_dot(ch) || is_hyphen(ch)
}

/// True if a character behind a known domain joins a suffix of the sentence to it.
pub(super) fn joins_suffix(ch: char) -> bool {
    is_hyphen(ch) || matches!(ch, '\u{200C}' | '\u{200D}')
}

/// True if a middle dot in a host separates words. The dot of Catalan `il·lusió` does not (RFC 5892 appendix A.3).
pub(super) fn is_separating_dot(host: &str, at: usize, ch: char) -> bool {
    let is_l = |side: Option<char>| matches!(side, Some('l' | 'L'));
    let beside = host.split_at_checked(at);
    let is_catalan = beside.is_some_and(|(before, behind)| {
        is_l(before.chars().next_back()) && is_l(behind.chars().nth(1))
    });
    is_middle_dot(ch) && !is_catalan
}

/// The rest of a host from `at` on, if `at` is in its last label.
pub(super) fn last_label(host: &str, at: usize) -> Option<&str> {
    let rest = host.get(at..)?;
    let end = rest.find(DOTS).unwrap_or(rest.len());
    let (label, behind) = rest.split_at(end);
    (behind.len() < 2 || !behind.starts_with('.')).then_some(label)
}

/// Hebrew marks of abbreviations, which also serve as quotes.
pub(super) const GERESH: char = '\u{5F3}';
pub(super) const GERSHAYIM: char = '\u{5F4}';

/// Symbols that UTS 46 allows or maps to letters and digits (`™`, `№`, `²`) but no registry gives out: such symbols are
/// not PVALID in IDNA 2008 (RFC 5892). Behind a known domain they belong to the sentence.
pub(super) fn is_symbol(ch: char) -> bool {
    is_pictograph(ch)
        || matches!(ch, '¢'..='©' | '¬' | '®'..='´' | '¸' | '¹' | '¼'..='¾' | '×' | '÷')
        || matches!(
            ch,
            '\u{2070}'..='\u{218F}' | '\u{3003}' | '〒' | '〓' | '〠' | '〶' | '〿'
        )
        || matches!(ch, '\u{3200}'..='\u{33FF}' | '\u{FFE0}'..='\u{FFEE}')
}

/// Arrows, shapes, dingbats and pictographs.
pub(super) fn is_pictograph(ch: char) -> bool {
    matches!(ch, '\u{2190}'..='\u{2BFF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}
