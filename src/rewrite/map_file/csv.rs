//! Tables of spreadsheets: an old and a new address in each line (RFC 4180, without line breaks in fields).

use super::{at, origin, significant_lines};
use crate::error::Error;
use crate::rewrite::halves::{begins_with_host, is_path};
use crate::rewrite::rules::Rule;

/// The characters that may separate fields.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// True if a first line has columns: a link would be a half of a rule.
pub(super) fn is_like(first: &str) -> bool {
    let words: Vec<&str> = first.split_whitespace().collect();
    let has_columns = words.len() == 1 && first.contains([',', ';']);
    let is_heading = || words.len() > 1 && words.iter().all(|word| is_heading(word));
    has_columns
        || words[0].ends_with([',', ';'])
        || first.starts_with('"')
        || first.contains('\t') && is_heading()
}

pub(super) fn rows(text: &str) -> Result<Vec<Rule>, Error> {
    let separator = separator(text);
    let mut rows = Vec::new();
    let mut columns = (0, 1);
    for (line, row) in significant_lines(text) {
        let fields = fields(row, separator).map_err(|error| at(line, error))?;
        let own = columns;
        if rows.is_empty() && fields.iter().all(|field| is_heading(field)) {
            columns = named_columns(&fields).unwrap_or(own);
        }
        if columns != own {
            continue;
        }
        let (Some(from), Some(to)) = (fields.get(columns.0), fields.get(columns.1)) else {
            let separator = shown(separator);
            let message =
                format!("expected two fields with a {separator} in between, but found `{row}`");
            return Err(at(line, message));
        };
        if rows.is_empty() && is_heading(from) && is_heading(to) {
            if is_swapped(from, to) {
                let message = format!(
                    "expected the old address in the first column, but found the heading `{row}`"
                );
                return Err(at(line, message));
            }
            continue;
        }
        if !is_number(from) && is_gone(&fields) {
            continue;
        }
        if from.is_empty() || to.is_empty() || from.contains(char::is_whitespace) {
            return Err(at(line, format!("expected `old,new`, but found `{row}`")));
        }
        if is_number(from) || is_number(to) {
            return Err(at(line, format!("expected `old,new`, but found `{row}`")));
        }
        rows.push(Rule::of_either(from, to).at(line));
    }
    Ok(rows)
}

/// True for the row of a page that is gone, which has no new place.
fn is_gone(fields: &[String]) -> bool {
    let is_status = |field: &String| field.len() == 3 && field.starts_with('4');
    fields
        .iter()
        .any(|field| is_status(field) && is_number(field))
}

fn is_number(field: &str) -> bool {
    field.bytes().all(|byte| byte.is_ascii_digit())
}

/// The columns of the old and the new address, if their names say so and others stand in front.
fn named_columns(headings: &[String]) -> Option<(usize, usize)> {
    let with = |words: [&str; 4]| {
        let mut found = headings.iter().enumerate();
        let (at, _) = found.find(|(_, heading)| names(heading, words))?;
        Some(at)
    };
    let columns = (with(OLD)?, with(NEW)?);
    (columns.0 > 0 && columns.1 > 0 && columns.0 != columns.1).then_some(columns)
}

/// The separator that gives each line two links or two names of columns. Links may contain each of the others.
fn separator(text: &str) -> char {
    let separates = |separator: &char| {
        significant_lines(text)
            .enumerate()
            .all(|(index, (_, row))| {
                let fields = fields(row, *separator).unwrap_or_default();
                let is_either =
                    |test: fn(&str) -> bool| fields.iter().take(2).all(|field| test(field));
                let addresses = fields.iter().filter(|field| is_address(field)).count();
                let is_row = addresses > 1 || addresses == 1 && is_gone(&fields);
                fields.len() > 1 && (is_row || index == 0 && is_either(is_heading))
            })
    };
    // Names of files are no addresses: `a.html;b.html`.
    let has_fields = |separator: &char| {
        significant_lines(text).all(|(_, row)| fields(row, *separator).is_ok_and(|it| it.len() > 1))
    };
    let mut likely = SEPARATORS.into_iter().filter(separates);
    let mut possible = SEPARATORS.into_iter().filter(has_fields);
    likely
        .next()
        .or_else(|| possible.next())
        .unwrap_or(SEPARATORS[0])
}

fn shown(separator: char) -> &'static str {
    match separator {
        ';' => "semicolon",
        '\t' => "tab",
        _ => "comma",
    }
}

/// True if a field is the name of a column.
fn is_heading(field: &str) -> bool {
    !field.contains(['/', '.', ':'])
}

/// True if a field begins like a link.
fn is_address(field: &str) -> bool {
    is_path(field) || field.starts_with("//") || origin(field).is_some() || begins_with_host(field)
}

/// Words in the names of the columns of new and of old addresses.
const NEW: [&str; 4] = ["new", "target", "destination", "to"];
const OLD: [&str; 4] = ["old", "source", "from", "origin"];

fn names(heading: &str, words: [&str; 4]) -> bool {
    let heading = heading.to_ascii_lowercase();
    words.iter().any(|word| heading.contains(word))
}

/// True if the names of two columns are those of the new address and the old one, in this order.
fn is_swapped(first: &str, second: &str) -> bool {
    names(first, NEW) && names(second, OLD)
}

fn fields(row: &str, separator: char) -> Result<Vec<String>, String> {
    let mut fields = Vec::new();
    let mut rest = row;
    loop {
        let (field, behind) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => quoted_field(quoted)?,
            None => {
                let end = rest.find(separator).unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        fields.push(field);
        match behind.trim_start_matches(' ') {
            "" => return Ok(fields),
            behind => {
                rest = behind.strip_prefix(separator).ok_or_else(|| {
                    format!("expected a {} after a quoted field", shown(separator))
                })?;
            }
        }
    }
}

/// The field behind its opening quotation mark, and the text behind the field.
fn quoted_field(mut rest: &str) -> Result<(String, &str), String> {
    let mut field = String::new();
    loop {
        let (part, behind) = rest
            .split_once('"')
            .ok_or("expected `\"` at the end of a field, but found the end of the line")?;
        field.push_str(part);
        match behind.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None => return Ok((field, behind)),
        }
    }
}
