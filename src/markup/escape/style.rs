//! The manner in which a document writes references.

/// What is seen in raw text.
#[derive(Clone, Copy, Debug)]
pub struct Style<'s> {
    raw: &'s str,
    digits: Digits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    Decimal,
    UpperHex,
    LowerHex,
}

impl<'s> Style<'s> {
    /// The manner of raw text.
    pub fn of(raw: &'s str) -> Self {
        Style {
            raw,
            digits: digits(raw),
        }
    }

    /// Whether `&` is written as a reference where it need not be.
    pub fn escapes_ampersand(&self) -> bool {
        AMPERSANDS.iter().any(|amp| self.raw.contains(amp))
    }

    /// Writes a character that may have a name as the raw text does, or else by its usual name or number.
    pub fn push_named(&self, out: &mut String, ch: char) {
        let forms: &[&str] = match ch {
            '&' => AMPERSANDS,
            '<' => &["&lt;", "&LT;", "&#60;", "&#x3C;", "&#x3c;"],
            '>' => &["&gt;", "&GT;", "&#62;", "&#x3E;", "&#x3e;"],
            '"' => &["&quot;", "&#34;", "&#x22;", "&QUOT;"],
            // `&apos;` is unknown to HTML 4.
            '\'' => &["&#39;", "&#x27;", "&apos;"],
            _ => return self.push_numeric(out, ch),
        };
        let seen = forms.iter().find(|form| self.raw.contains(*form));
        out.push_str(seen.or(forms.first()).copied().unwrap_or_default());
    }

    /// Writes a numeric reference.
    pub fn push_numeric(&self, out: &mut String, ch: char) {
        let number = u32::from(ch);
        out.push_str(&match self.digits {
            Digits::Decimal => format!("&#{number};"),
            Digits::UpperHex => format!("&#x{number:X};"),
            Digits::LowerHex => format!("&#x{number:x};"),
        });
    }
}

const AMPERSANDS: &[&str] = &["&amp;", "&#38;", "&#x26;"];

/// How the first numeric references that tell are written. Without any: upper-case hexadecimal.
fn digits(raw: &str) -> Digits {
    for (at, _) in raw.match_indices("&#") {
        let digits = raw.as_bytes().get(at + 2..).unwrap_or_default();
        let Some((b'x' | b'X', digits)) = digits.split_first() else {
            return Digits::Decimal;
        };
        let hex = digits.iter().take(6).take_while(|b| b.is_ascii_hexdigit());
        match hex.copied().find(u8::is_ascii_alphabetic) {
            Some(letter) if letter.is_ascii_lowercase() => return Digits::LowerHex,
            Some(_) => return Digits::UpperHex,
            None => {}
        }
    }
    Digits::UpperHex
}
