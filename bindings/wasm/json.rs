//! JSON, written by hand: a serializer would be half of the module.

/// An object that grows property by property.
#[derive(Default)]
pub(crate) struct Object(String);

impl Object {
    fn key(&mut self, key: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        push(&mut self.0, key);
        self.0.push(':');
    }

    pub(crate) fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.0.push_str(json);
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) {
        self.text_or_null(key, Some(value));
    }

    pub(crate) fn text_or_null(&mut self, key: &str, value: Option<&str>) {
        self.key(key);
        push_or_null(&mut self.0, value);
    }

    pub(crate) fn number_or_null(&mut self, key: &str, number: Option<usize>) {
        let number = number.map(|number| number.to_string());
        self.raw(key, number.as_deref().unwrap_or("null"));
    }

    pub(crate) fn list(&mut self, key: &str, items: impl Iterator<Item = String>) {
        let items = items.collect::<Vec<_>>().join(",");
        self.raw(key, &["[", &items, "]"].concat());
    }

    pub(crate) fn finish(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}

pub(crate) fn push_or_null(out: &mut String, text: Option<&str>) {
    match text {
        Some(text) => push(out, text),
        None => out.push_str("null"),
    }
}

/// Appends a string (RFC 8259 7).
pub(crate) fn push(out: &mut String, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push('"');
    for ch in text.chars() {
        match ch {
            '"' | '\\' => {
                out.push('\\');
                out.push(ch);
            }
            '\0'..='\x1F' => {
                out.push_str("\\u00");
                for digit in [ch as usize >> 4, ch as usize & 15] {
                    out.push(char::from(HEX[digit]));
                }
            }
            _ => out.push(ch),
        }
    }
    out.push('"');
}

/// The number of UTF-16 units in front of a byte.
pub(crate) fn units(text: &str, byte: usize) -> usize {
    text.get(..byte).unwrap_or(text).encode_utf16().count()
}

/// A message with its place in units instead of bytes.
pub(crate) fn in_units(text: &str, byte: Option<usize>, message: String) -> String {
    let Some(byte) = byte else { return message };
    let at = units(text, byte);
    message.replace(&format!("at byte {byte}"), &format!("at unit {at}"))
}
