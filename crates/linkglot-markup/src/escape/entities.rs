//! The named character references of HTML (HTML standard 13.5).

use std::sync::LazyLock;

/// A line for each name: the name without `&` (most end in `;`), and its code points in hexadecimal. Sorted by name.
const DATA: &str = include_str!("entities.tsv");

struct Entity {
    name: &'static str,
    text: String,
}

static TABLE: LazyLock<Vec<Entity>> = LazyLock::new(|| DATA.lines().filter_map(read).collect());

fn read(line: &'static str) -> Option<Entity> {
    let (name, points) = line.split_once('\t')?;
    let point = |point| char::from_u32(u32::from_str_radix(point, 16).ok()?);
    let text: Option<String> = points.split(' ').map(point).collect();
    Some(Entity { name, text: text? })
}

/// The longest name at the beginning of `text`: its length and its meaning. Logarithmic in the size of the table.
pub fn longest(text: &str) -> Option<(usize, &'static str)> {
    let mut candidates: &'static [Entity] = &TABLE;
    let mut best = None;
    for (index, &byte) in text.as_bytes().iter().enumerate() {
        if !byte.is_ascii_alphanumeric() && byte != b';' {
            break;
        }
        let at = |entity: &Entity| entity.name.as_bytes().get(index).copied();
        let start = candidates.partition_point(|entity| at(entity) < Some(byte));
        let end = candidates.partition_point(|entity| at(entity) <= Some(byte));
        candidates = &candidates[start..end];
        match candidates.first() {
            None => break,
            Some(first) if first.name.len() == index + 1 => {
                best = Some((index + 1, first.text.as_str()));
            }
            Some(_) => {}
        }
    }
    best
}

/// True if `text` is the beginning of a name.
pub fn may_begin(text: &str) -> bool {
    let at = TABLE.partition_point(|entity| entity.name < text);
    TABLE
        .get(at)
        .is_some_and(|entity| entity.name.starts_with(text))
}
