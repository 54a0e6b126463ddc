//! Chinese, Japanese and Korean: the probability of each character.
//!
//! The data are made by `language_model.py`.

use crate::double_byte::KS_X_1001;
use crate::files::{File, file};
use crate::languages::Cost;
use std::sync::LazyLock;

/// A language that is written with many characters.
pub(crate) struct Ideographs {
    pub lang: &'static str,
    pub tlds: Vec<&'static str>,
    costs: Vec<(char, u8)>,
}

pub(crate) static IDEOGRAPHS: LazyLock<Vec<Ideographs>> = LazyLock::new(languages);

static DATA: File = file!("data/ideographs.tsv");

fn languages() -> Vec<Ideographs> {
    let mut languages = Vec::<Ideographs>::new();
    for line in DATA.text().lines() {
        let mut fields = line.split('\t');
        let [lang, tlds, bits, chars] = std::array::from_fn(|_| fields.next().unwrap_or_default());
        if languages.last().is_none_or(|last| last.lang != lang) {
            languages.push(Ideographs {
                lang,
                tlds: tlds.split(' ').collect(),
                costs: Vec::new(),
            });
        }
        let cost = 2 * bits.parse().unwrap_or(0);
        let costs = chars.chars().map(|ch| (ch, cost));
        languages
            .last_mut()
            .into_iter()
            .for_each(|language| language.costs.extend(costs.clone()));
    }
    for language in &mut languages {
        language.costs.sort_unstable();
    }
    languages
}

impl Ideographs {
    /// The cost of a character beyond ASCII, in half bits.
    pub(crate) fn cost(&self, ch: char) -> Cost {
        let known = self.costs.binary_search_by_key(&ch, |(ch, _)| *ch);
        known.map_or_else(
            |_| self.cost_of_unknown(ch),
            |at| Cost::from(self.costs[at].1),
        )
    }

    fn cost_of_unknown(&self, ch: char) -> Cost {
        match ch {
            '가'..='힣' if self.lang == "ko" && KS_X_1001.bytes(ch).is_some() => 34,
            'ぁ'..='ヺ' if self.lang == "ja" => 24,
            '｡'..='ﾟ' if self.lang == "ja" => 26,
            '、'..='〟' | '！'..='～' | '\u{3000}' => 20,
            '一'..='鿿' => 44,
            '\u{E000}'..='\u{F8FF}' | char::REPLACEMENT_CHARACTER => 48,
            '가'..='힣' => 42,
            _ => 32,
        }
    }
}
