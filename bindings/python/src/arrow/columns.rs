//! The input columns of a batch.

use crate::error::Failure;
use arrow_array::cast::AsArray;
use arrow_array::types::{GenericBinaryType, GenericStringType};
use arrow_array::{Array, ArrayRef, GenericByteArray, RecordBatch};
use arrow_schema::DataType;

/// A batch of documents.
pub struct Input<'b> {
    batch: &'b RecordBatch,
    content: &'b ArrayRef,
    path: Option<&'b ArrayRef>,
    media_type: Option<&'b ArrayRef>,
    charset: Option<&'b ArrayRef>,
    base: Option<&'b ArrayRef>,
}

/// A document of a batch.
pub struct Row<'b> {
    pub content: Content<'b>,
    pub path: Option<&'b str>,
    pub media_type: Option<&'b str>,
    pub charset: Option<&'b str>,
    pub base: Option<&'b str>,
}

#[derive(Clone, Copy)]
pub enum Content<'b> {
    Missing,
    Bytes(&'b [u8]),
    Text(&'b str),
}

impl<'b> Input<'b> {
    /// The documents in a column of this name.
    pub fn new(batch: &'b RecordBatch, content: &str) -> Result<Self, Failure> {
        let column = |name: &str| batch.column_by_name(name);
        let text = |name: &str| match column(name) {
            Some(found) if !is_text(found.data_type()) => {
                Err(unexpected(name, "a string", found.data_type()))
            }
            found => Ok(found),
        };
        let found = column(content).ok_or_else(|| {
            let message = format!("expected a column `{content}`, found none of that name");
            Failure::new("column", message)
        })?;
        if !is_text(found.data_type()) && !is_binary(found.data_type()) {
            return Err(unexpected(content, "binary or a string", found.data_type()));
        }
        Ok(Input {
            batch,
            content: found,
            path: text("path")?,
            media_type: text("media_type")?,
            charset: text("charset")?,
            base: text("base")?,
        })
    }

    pub fn len(&self) -> usize {
        self.batch.num_rows()
    }

    /// The type of the content.
    pub fn content_type(&self) -> &DataType {
        self.content.data_type()
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'b>> + '_ {
        (0..self.len()).map(|number| self.row(number))
    }

    fn row(&self, number: usize) -> Row<'b> {
        let text = |column: Option<&'b ArrayRef>| match content(column?, number) {
            Content::Text(text) => Some(text),
            _ => None,
        };
        Row {
            content: content(self.content, number),
            path: text(self.path),
            media_type: text(self.media_type),
            charset: text(self.charset),
            base: text(self.base),
        }
    }
}

fn is_text(data_type: &DataType) -> bool {
    use DataType::{LargeUtf8, Null, Utf8, Utf8View};
    matches!(data_type, Utf8 | LargeUtf8 | Utf8View | Null)
}

fn is_binary(data_type: &DataType) -> bool {
    use DataType::{Binary, BinaryView, LargeBinary};
    matches!(data_type, Binary | LargeBinary | BinaryView)
}

fn unexpected(name: &str, expected: &str, found: &DataType) -> Failure {
    let message = format!("expected {expected} in the column `{name}`, found {found}");
    Failure::new("column", message)
}

fn content(column: &ArrayRef, row: usize) -> Content<'_> {
    if column.is_null(row) {
        return Content::Missing;
    }
    match column.data_type() {
        DataType::Binary => Content::Bytes(value::<GenericBinaryType<i32>>(column, row)),
        DataType::LargeBinary => Content::Bytes(value::<GenericBinaryType<i64>>(column, row)),
        DataType::BinaryView => Content::Bytes(column.as_binary_view().value(row)),
        DataType::Utf8 => Content::Text(value::<GenericStringType<i32>>(column, row)),
        DataType::LargeUtf8 => Content::Text(value::<GenericStringType<i64>>(column, row)),
        DataType::Utf8View => Content::Text(column.as_string_view().value(row)),
        _ => Content::Missing,
    }
}

fn value<T: arrow_array::types::ByteArrayType>(column: &ArrayRef, row: usize) -> &T::Native {
    let array: &GenericByteArray<T> = column.as_bytes();
    array.value(row)
}
