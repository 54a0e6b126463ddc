"""Documents of any length through files of Python."""

from __future__ import annotations

import io
import itertools
import random
import resource
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import linkglot
import tree
from linkglot._native import detect, find_records, find_stream, is_binary, mailbox_ranges, record_ranges, rewrite_stream
from linkglot.arrow import FIND_SCHEMA, REWRITE_SCHEMA

MESSAGE = (
    "From a Thu Jan  1 00:00:00 1970\nFrom: a@example.org\nMIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=utf-8\n\nhttp://{}.example/é\n\n"
)


def read(data: bytes, **options: Any) -> tuple[Any, list[Any]]:
    batches: list[pa.RecordBatch] = []
    summary = find_stream(io.BytesIO(data), batches.append, options=options)  # type: ignore[arg-type]
    return summary, [row for batch in batches for row in batch.to_pylist()]


class Boaster(io.BytesIO):
    """Reports more than it wrote."""

    def write(self, data: Any) -> int:
        return super().write(data) + 1


def test_a_writer_that_reports_too_much_is_an_error() -> None:
    page = b"<a href='http://a.example/\xc3\xa9'>"
    with pytest.raises(
        OSError, match=r"raw write\(\) returned invalid length \d+ \(should have been between 0 and \d+\)"
    ):
        rewrite_stream(io.BytesIO(page), Boaster(), lambda batch: None, options={"to": "uri"})


def test_a_stream_has_the_links_of_find(document: Path) -> None:
    data = document.read_bytes()
    try:
        links = linkglot.find(data, name=document)
    except linkglot.Error as error:
        assert read(data, name=str(document))[0]["error"] == str(error)
        return
    summary, rows = read(data, name=str(document))
    assert [(row["text"], row["start"], row["end"], row["part"]) for row in rows] == [
        (link.text, link.start, link.end, link.part) for link in links
    ]
    assert summary["n_links"] == len(links)


def test_a_stream_is_rewritten_as_by_rewrite(document: Path) -> None:
    data, out = document.read_bytes(), io.BytesIO()
    try:
        rewritten = linkglot.rewrite(data, name=document, to="uri")
    except linkglot.Error:
        return
    summary = rewrite_stream(io.BytesIO(data), out, lambda batch: None, options={"name": document, "to": "uri"})
    assert out.getvalue() == rewritten.content
    assert (summary["n_links"], summary["n_changed"], summary["n_left"]) == (
        rewritten.found,
        rewritten.changed,
        rewritten.left,
    )


def test_batches_have_the_fields_of_the_schemas() -> None:
    batches: list[pa.RecordBatch] = []
    data = "http://a.example/é ".encode() * 20_000
    find_stream(io.BytesIO(data), batches.append, options={"format": "text"})
    assert sum(batch.num_rows for batch in batches) == 20_000
    assert len(batches) > 1
    assert {batch.schema for batch in batches} == {pa.schema(list(FIND_SCHEMA.field("links").type.value_type))}
    batches.clear()
    rewrite_stream(io.BytesIO(data), io.BytesIO(), batches.append, options={"to": "uri"})
    assert {batch.schema for batch in batches} == {pa.schema(list(REWRITE_SCHEMA.field("links").type.value_type))}


class Endless(io.RawIOBase):
    """A long text that is never in memory as a whole."""

    piece = (b"see http://a.example/ or so. " + b"lorem ipsum " * 82).ljust(1024)

    def __init__(self, length: int) -> None:
        self.left = length

    def read(self, size: int = -1) -> bytes:
        size = min(size, self.left)
        self.left -= size
        return self.piece * (size // len(self.piece))


class Nowhere:
    length = 0

    def write(self, data: bytes) -> int:
        self.length += len(data)
        return len(data)


def test_memory_does_not_grow_with_the_length() -> None:
    out = Nowhere()
    rewrite_stream(Endless(4 << 20), Nowhere(), lambda batch: None, options={"to": "uri", "format": "text"})
    tracemalloc.start()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rewrite_stream(Endless(64 << 20), out, lambda batch: None, options={"to": "uri", "format": "text"})
    _, python = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert out.length == 64 << 20
    assert python < 8 << 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 32 << 10


class Parts(io.RawIOBase):
    """Writes only a part of the given data."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: Any) -> int:
        self.data += bytes(data[:7])
        return min(7, len(data))


def test_raw_files_may_write_a_part() -> None:
    out = Parts()
    rewrite_stream(io.BytesIO("http://a.example/é, so\n".encode()), out, lambda batch: None, options={"to": "uri"})
    assert out.data == b"http://a.example/%C3%A9, so\n"


class OurError(Exception):
    pass


def test_errors_of_files_and_sinks_go_through() -> None:
    def fail(*_: Any) -> Any:
        raise OurError("ours")

    file: Any = type("File", (), {"read": fail, "write": fail})()
    with pytest.raises(OurError, match="ours"):
        find_stream(file, lambda batch: None)
    with pytest.raises(OurError, match="ours"):
        rewrite_stream(io.BytesIO(b"x"), file, lambda batch: None)
    with pytest.raises(OurError, match="ours"):
        find_stream(io.BytesIO(b"http://a.example/"), fail)
    with pytest.raises(OurError, match="ours"):
        rewrite_stream(io.BytesIO("http://a.example/é".encode()), io.BytesIO(), fail, options={"to": "uri"})
    with pytest.raises(TypeError, match="binary mode"):
        find_stream(io.StringIO("http://a.example/"), lambda batch: None)  # type: ignore[arg-type]


def test_what_cannot_be_read_is_an_error_of_the_summary() -> None:
    summary, rows = read(b"<meta charset=x-nobody><a href=/>", format="html")
    assert "x-nobody" in summary["error"]
    assert rows == []


def test_ranges_of_a_mailbox_have_the_links_of_the_whole() -> None:
    mailbox = "".join(MESSAGE.format(number) for number in range(200)).encode()
    _, whole = read(mailbox, format="mbox", locate=True)
    ranges = mailbox_ranges(io.BytesIO(mailbox), 4000)
    assert len(ranges) > 5
    assert (ranges[0][0], ranges[-1][1]) == (0, len(mailbox))
    links = []
    for start, end, message, line in ranges:
        _, rows = read(mailbox[start:end], format="mbox", locate=True)
        for row in rows:
            row["start"] += start
            row["end"] += start
            row["message"] += message - 1
            row["line"] += line - 1
        links += rows
    assert links == whole


def records(archive: bytes, start: int, end: int) -> tuple[Any, list[Any]]:
    rows: list[Any] = []

    def sink(batch: pa.RecordBatch) -> None:
        rows.extend(batch.to_pylist())

    return find_records(io.BytesIO(archive), "a.warc", start, end, sink, options={"locate": True}), rows


@pytest.mark.parametrize("compressed", [True, False])
def test_ranges_of_an_archive_have_the_links_of_the_whole(compressed: bool) -> None:
    archive = tree.archive(random.Random(1), 200, compressed)
    summary, whole = records(archive, 0, len(archive))
    assert (summary["n_links"], summary["errors"]) == (600, [])
    link = whole[1]
    assert link["entry"] == f"a.warc!/{link['record']}"
    assert (link["target"], link["date"], link["format"]) == ("http://site.example/0/", "2001-02-03T04:05:06Z", "html")
    assert (link["resolved"], link["line"]) == ("http://old.example/%D1%84/0", 1)
    ranges = record_ranges(io.BytesIO(archive), 100_000)
    assert ranges is not None
    assert len(ranges) > 4
    assert (ranges[0][0], ranges[-1][1]) == (0, len(archive))
    assert all(one[1] == other[0] for one, other in itertools.pairwise(ranges))
    assert [row for part in ranges for row in records(archive, *part)[1]] == whole


def test_damage_of_an_archive_is_told() -> None:
    archive = tree.archive(random.Random(1), 200, compressed=True)
    damaged = archive[:70_000] + b"x" + archive[70_001:]
    summary, rows = records(damaged, 0, len(damaged))
    # The record of the damaged member may be readable.
    assert 597 <= summary["n_links"] == len(rows) <= 600
    assert {"a.warc"} <= {path for path, _ in summary["errors"]}
    # A range that is none says so, and goes no farther.
    plain = tree.archive(random.Random(1), 200, compressed=False)
    summary, rows = records(plain, 0, 100_000)
    assert "expected the end of a record at byte 100000" in summary["errors"][0][1]
    assert 0 < len(rows) < 600
    assert record_ranges(io.BytesIO(b"<a href=x>"), 10) is None

    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 0:
                raise OSError("on purpose")
            return super().read(size)

    long = tree.archive(random.Random(1), 2000, compressed=False)
    with pytest.raises(OSError, match="on purpose"):
        find_records(Failing(long), "a.warc", 0, len(long), lambda *_: None)


def test_judgements_by_the_first_bytes() -> None:
    assert is_binary(b"\x89PNG\r\n\x1a\n\0\0", "a.png")
    assert not is_binary(b"text", "a.txt")
    assert not is_binary(b"h\0t\0t\0p\0", "a.txt", options={"charset": "utf-16le"})
    assert detect(b"<!DOCTYPE html>") == "html"
    assert detect(b"x", options={"name": "a.md"}) == "markdown"
    assert detect(MESSAGE.encode()) == "mbox"
