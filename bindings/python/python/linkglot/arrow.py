"""Batches of Arrow in and out: for Spark, Ray, DataFusion, Polars, or files of Parquet.

A batch has a column of documents, binary or string, and may have further columns of strings: ``path`` (its ending tells
the format), ``media_type``, ``charset``, ``base``. Each row is a document. The column ``error`` of a row describes its
problems; the other rows are read. Rows with binary files (pictures) have no links and the note ``binary``. Archives and
compressed files are read by `find_batch`, also those that are attached to mail: their links have the path of their
``entry``, and in archives of the web the identifier (``record``), URI (``target``) and ``date`` of their record.

Other columns of the batch are passed through, behind those of the result. ``path`` and ``charset`` become those of the
result. Another column of a name that the result has, such as ``links`` or ``error``, is a ValueError: rename it first.

The content is read from Arrow's memory, without a copy, while other threads of Python keep running.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from . import _native

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import FindOptions, RewriteOptions

__all__ = ["FIND_SCHEMA", "REWRITE_SCHEMA", "find_batch", "rewrite_batch"]

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)


def find_batch(batch: Batch, *, content: str = "content", **options: Unpack[FindOptions]) -> Batch:
    """The links of each row, as a batch with the columns of `FIND_SCHEMA`.

    ``options`` are those of `linkglot.find`; columns of the row take precedence. Positions count bytes of binary
    content and characters of strings. ``uri`` and ``iri`` are the forms that `rewrite_batch` would write: null, if it
    would leave the link.

    >>> batch = pa.RecordBatch.from_pydict({"path": ["a.html"], "content": [b"<a href='/\\xe9'>"]})
    >>> row = find_batch(batch, charset="windows-1252").to_pylist()[0]
    >>> row["n_links"], row["links"][0]["uri"], row["error"]
    (1, '/%C3%A9', None)
    """
    return _each(batch, _native.find_batch, FIND_SCHEMA, content, options)


def rewrite_batch(batch: Batch, *, content: str = "content", **options: Unpack[RewriteOptions]) -> Batch:
    """Each row rewritten, as a batch with the columns of `REWRITE_SCHEMA`.

    ``options`` are those of `linkglot.rewrite`. ``content`` is null if nothing changed; ``links`` are the links that
    were changed or had to be left, with their ``new`` text.

    >>> batch = pa.RecordBatch.from_pydict({"path": ["a.txt"], "content": ["see http://example.org/é"]})
    >>> row = rewrite_batch(batch, to="uri").to_pylist()[0]
    >>> row["content"], row["n_changed"]
    ('see http://example.org/%C3%A9', 1)
    """
    return _each(batch, _native.rewrite_batch, REWRITE_SCHEMA, content, options)


def _each(batch: Any, work: Any, schema: pa.Schema, content: str, options: Any) -> Any:
    def done(part: pa.RecordBatch) -> pa.RecordBatch:
        others = passed_through(part.schema, schema, content)
        result = work(part, content=content, options=options)
        columns = [*result.columns, *(part.column(number) for number in others)]
        fields = [*result.schema, *(part.schema.field(number) for number in others)]
        return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))

    if isinstance(batch, pa.RecordBatch):
        return done(batch)
    if not isinstance(batch, pa.Table) and hasattr(batch, "__arrow_c_stream__"):
        batch = pa.table(batch)
    if not isinstance(batch, pa.Table):
        raise TypeError(f"expected a RecordBatch or a Table, found {type(batch).__name__}")
    parts = batch.to_batches() or [pa.RecordBatch.from_pylist([], schema=batch.schema)]
    return pa.Table.from_batches([done(part) for part in parts])


def passed_through(given: pa.Schema, result: pa.Schema, content: str) -> list[int]:
    """The numbers of the columns of a batch that stand behind those of the result.

    >>> given = pa.schema([("id", pa.int64()), ("path", pa.string()), ("text", pa.string())])
    >>> passed_through(given, FIND_SCHEMA, "text")
    [0]

    Raises ValueError for a column that one of the result would replace.
    """
    read = {content, "path", "charset"}
    others = [(number, name) for number, name in enumerate(given.names) if name not in read]
    for _, name in others:
        if name in result.names:
            raise ValueError(f"column `{name}`: expected another name, since the result has a column of this one")
    return [number for number, _ in others]


def _schema(work: Any) -> pa.Schema:
    empty = pa.RecordBatch.from_pydict({"content": pa.array([], pa.binary())})
    return work(empty, content="content", options=None).schema


#: The columns of `find_batch`.
FIND_SCHEMA: pa.Schema = _schema(_native.find_batch)

#: The columns of `rewrite_batch`; ``content`` has the type of the given column.
REWRITE_SCHEMA: pa.Schema = _schema(_native.rewrite_batch)
