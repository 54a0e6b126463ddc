"""linkglot on Spark: links of a DataFrame of documents, and documents rewritten.

``find_links`` and ``rewrite`` work on any DataFrame with a column of documents, such as that of Spark's own source of files::

    files = spark.read.format("binaryFile").option("recursiveFileLookup", True).load("s3a://archive/")
    find_links(files).select("path", explode("links.uri"))

``python -m linkglot.spark`` is a job for whole trees: it lists files itself, divides long files, writes trees, and
continues after an interruption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .. import Rules
from ..arrow import FIND_SCHEMA, REWRITE_SCHEMA, find_batch, rewrite_batch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["find_links", "rewrite"]

#: Number of bytes of a slice. Documents are processed in slices, so that a batch of thousands does not fill the memory
#: of a worker.
SLICE = 16 << 20


def find_links(df: DataFrame, *, content: str = "content", **options: Any) -> DataFrame:
    """The links of each row: a DataFrame with the columns of `linkglot.arrow.FIND_SCHEMA`, and behind them the other
    columns of ``df``, but for the documents.

    ``df`` has a column of documents (``content``, binary or string) and may have ``path``, ``media_type``, ``charset``
    and ``base``. ``options`` are those of `linkglot.find`. A bad row has its problem in ``error``, and does not stop
    the others.
    """
    return _mapped(df, find_batch, FIND_SCHEMA, content, options)


def rewrite(
    df: DataFrame,
    rules: Any = None,
    *,
    to: str = "same",
    content: str = "content",
    **options: Any,
) -> DataFrame:
    """Each row rewritten: a DataFrame with the columns of `linkglot.arrow.REWRITE_SCHEMA`, and behind them the other
    columns of ``df``.

    ``rules`` are those of `linkglot.rewrite`: they are checked here, and sent to each worker once. ``content`` is null
    if nothing changed.
    """
    if rules is not None:
        options["rules"] = rules if isinstance(rules, Rules) else Rules(rules)
    options["to"] = to
    schema = REWRITE_SCHEMA
    if df.schema[content].dataType.typeName() == "string":
        schema = schema.set(schema.get_field_index("content"), pa.field("content", pa.string()))
    return _mapped(df, rewrite_batch, schema, content, options)


def _mapped(
    df: DataFrame,
    work: Callable[..., Any],
    schema: pa.Schema,
    content: str,
    options: dict[str, Any],
) -> DataFrame:
    from pyspark.sql.pandas.types import from_arrow_schema

    # Mistakes in the options are reported here, not by a worker.
    empty = pa.RecordBatch.from_pylist([], schema=pa.schema([(content, pa.binary())]))
    work(empty, content=content, **options)
    shared = broadcast(df, options)
    result = from_arrow_schema(schema)
    for field in df.schema.fields:
        if field.name not in (content, *schema.names):
            result.add(field)

    def mapped(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for part in slices(batch, content):
                yield work(part, content=content, **shared())

    return df.mapInArrow(mapped, result)


def broadcast(df: DataFrame, value: Any) -> Callable[[], Any]:
    """A function that returns ``value`` on any worker. With a SparkContext, the value is sent to each worker once;
    Spark Connect sends it with each task."""
    try:
        context = df.sparkSession.sparkContext
    except Exception:
        return lambda: value
    sent = context.broadcast(value)
    return lambda: sent.value


def slices(batch: pa.RecordBatch, content: str) -> Iterator[pa.RecordBatch]:
    """The rows of a batch, in slices of about `SLICE` bytes of content; a longer row is a slice of its own."""
    start, held = 0, 0
    for row, length in enumerate(lengths(batch.column(content))):
        if row > start and held + length > SLICE:
            yield batch.slice(start, row - start)
            start, held = row, 0
        held += length
    if start < batch.num_rows:
        yield batch.slice(start)


def lengths(column: pa.Array) -> list[int]:
    """The number of bytes of each row, or an estimate.

    >>> lengths(pa.array([b"abc", None]))
    [3, 0]
    """
    import pyarrow.compute as pc

    if pa.types.is_binary_view(column.type) or pa.types.is_string_view(column.type):
        return [len(value.as_py() or b"") for value in column]
    return [length or 0 for length in pc.binary_length(column).to_pylist()]
