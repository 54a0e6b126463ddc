//! Numeric character references, which HTML, XML and Markdown all write as `&#65;` and `&#x41;`.

/// A numeric reference at the beginning of a text.
pub struct Numeric<'t> {
    /// At least one digit.
    pub digits: &'t str,
    pub radix: u32,
    /// True if the `x` of a hexadecimal number is a capital letter.
    pub has_capital_x: bool,
    /// The length up to the last digit.
    pub length: usize,
    /// True if a semicolon follows.
    pub is_closed: bool,
}

impl<'t> Numeric<'t> {
    pub fn at(text: &'t str) -> Option<Numeric<'t>> {
        let number = text.strip_prefix("&#")?;
        let (digits, radix) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        let is_digit = |byte: &u8| char::from(*byte).is_digit(radix);
        let count = digits.bytes().take_while(is_digit).count();
        let (digits, behind) = digits.split_at(count);
        (count > 0).then(|| Numeric {
            digits,
            radix,
            has_capital_x: number.starts_with('X'),
            length: text.len() - behind.len(),
            is_closed: behind.starts_with(';'),
        })
    }

    /// The number, or [`u32::MAX`] if it is greater.
    pub fn value(&self) -> u32 {
        u32::from_str_radix(self.digits, self.radix).unwrap_or(u32::MAX)
    }
}
