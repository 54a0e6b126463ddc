"""`linkglot.arrow`: batches in and out."""

from __future__ import annotations

import email.message
import gzip
import io
import random
import resource
import zipfile
from typing import Any

import pyarrow as pa
import pytest

import linkglot
import tree
from linkglot.arrow import FIND_SCHEMA, REWRITE_SCHEMA, find_batch, rewrite_batch

BINARY = [pa.binary(), pa.large_binary(), pa.binary_view()]
TEXT = [pa.string(), pa.large_string(), pa.string_view()]
PAGE = "<a href='http://old.example/é'>é www.example.org</a> <a href='/b'>"


def batch(*contents: Any, type: pa.DataType | None = None, **columns: Any) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"content": pa.array(contents, type or pa.binary()), **columns})


def rows(batch: Any) -> Any:
    return batch.to_pylist()


@pytest.mark.parametrize("type", BINARY + TEXT, ids=str)
def test_every_type_of_content(type: pa.DataType) -> None:
    content: Any = PAGE if type in TEXT else PAGE.encode()
    [row] = rows(find_batch(batch(content, type=type), format="html"))
    links = linkglot.find(content, format="html")
    assert [(link["text"], link["start"], link["end"]) for link in row["links"]] == [
        (link.text, link.start, link.end) for link in links
    ]
    rewritten = rewrite_batch(batch(content, None, type=type), format="html", to="uri")
    assert rewritten.schema.field("content").type == type
    assert rows(rewritten)[0]["content"] == linkglot.rewrite(content, format="html", to="uri").content


@pytest.mark.parametrize("content", [PAGE, PAGE.encode(), "<meta charset=koi8-r><a href='/п?q=п'>"])
def test_links_are_those_of_find(content: Any) -> None:
    [row] = rows(
        find_batch(batch(content, type=pa.string() if isinstance(content, str) else None), format="html", locate=True)
    )
    links = linkglot.find(content, format="html", locate=True)
    fields = [field.name for field in FIND_SCHEMA.field("links").type.value_type]
    fields = [name for name in fields if name not in ("entry", "record", "target", "date")]
    for here, there in zip(row["links"], links, strict=True):
        of_find = there.to_dict()
        assert {name: here[name] for name in fields if name not in ("notes", "uri", "iri")} == {
            name: of_find[name] for name in fields if name not in ("notes", "uri", "iri")
        }
    assert (row["n_links"], row["format"], row["error"]) == (len(links), "html", None)


def test_schemas() -> None:
    found, rewritten = find_batch(batch(b"")), rewrite_batch(batch(b""))
    assert found.schema == FIND_SCHEMA
    assert rewritten.schema == REWRITE_SCHEMA
    assert FIND_SCHEMA.names == ["path", "format", "charset", "n_links", "links", "notes", "error"]
    assert REWRITE_SCHEMA.names == [
        "path", "content", "format", "charset", "n_links", "n_changed", "n_left", "links", "notes", "error"
    ]  # fmt: skip


def test_columns_beside_the_content() -> None:
    given = batch(
        b"<a href='/\xd0'>", b"[a](/b)", b"/* */ a{background:url(/c)}", "<a href='/é'>".encode(),
        path=["a.html", "b.md", None, "d.html"],
        media_type=[None, None, "text/css", 'text/html; version=1; charset="utf-8"'],
        charset=["koi8-r", None, None, None],
        base=["http://a.example/", None, "http://c.example/", None],
    )  # fmt: skip
    found = rows(find_batch(given, charset="windows-1252", base="http://option.example/"))
    assert [row["path"] for row in found] == ["a.html", "b.md", None, "d.html"]
    assert [row["format"] for row in found] == ["html", "markdown", "css", "html"]
    assert [row["links"][0]["text"] for row in found[:3]] == ["/п", "/b", "/c"]
    assert [row["links"][0]["resolved"] for row in found[:3]] == [
        "http://a.example/%D0%BF", "http://option.example/b", "http://c.example/c"
    ]  # fmt: skip


def test_other_columns_pass_through() -> None:
    given = batch(b"<a href='/a'>", "http://b.example/é".encode(), id=[7, 8], path=["a.html", None])
    found, rewritten = find_batch(given), rewrite_batch(given, to="uri")
    for answer, schema in ((found, FIND_SCHEMA), (rewritten, REWRITE_SCHEMA)):
        assert answer.schema.names == [*schema.names, "id"]
        assert answer.column("id").to_pylist() == [7, 8]
        assert answer.column("format").to_pylist() == ["html", "text"]
    table = find_batch(pa.Table.from_batches([given.slice(0, 1), given.slice(1)]))
    assert table.column("id").to_pylist() == [7, 8]
    assert find_batch(pa.Table.from_batches([], schema=given.schema)).schema == found.schema


@pytest.mark.parametrize("work", [find_batch, rewrite_batch])
def test_a_column_that_the_result_would_replace_is_refused(work: Any) -> None:
    schema = FIND_SCHEMA if work is find_batch else REWRITE_SCHEMA
    for name in schema.names:
        given = batch(b"<a href='/a'>", charset=["utf-8"], path=["a.html"])
        if name in given.schema.names:
            continue
        given = given.append_column(name, pa.array(["mine"]))
        for whole in (given, pa.Table.from_batches([given])):
            with pytest.raises(ValueError, match=f"^column `{name}`: expected another name"):
                work(whole)
    # The documents may have any name, and then none of another name may be lost.
    given = pa.RecordBatch.from_pydict({"links": [b"http://a.example/"], "content": ["mine"]})
    if work is find_batch:
        assert work(given, content="links").column("content").to_pylist() == ["mine"]
    else:
        with pytest.raises(ValueError, match="^column `content`"):
            work(given, content="links")


def test_archives_are_read() -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/b.html", "<a href='c'>")
        archive.writestr("d.txt", "http://d.example/é".encode())
        archive.writestr("e.gz", gzip.compress(b"http://e.example/"))
    warc = tree.archive(random.Random(1), 3, compressed=True)
    given = batch(
        zipped.getvalue(), warc, gzip.compress(b"<a href=f>"), zipped.getvalue()[:-30], b"\x89PNG\r\n\x1a\n\0\0",
        path=["s.zip", "w.warc.gz", "f.html.gz", "cut.zip", "g.png"],
    )  # fmt: skip
    found = rows(find_batch(given, locate=True))
    assert [row["format"] for row in found] == ["zip", "warc", "gzip", "zip", None]
    assert [(link["entry"], link["text"], link["line"]) for link in found[0]["links"]] == [
        ("s.zip!/a/b.html", "c", 1), ("s.zip!/d.txt", "http://d.example/é", 1), ("s.zip!/e.gz", "http://e.example/", 1)
    ]  # fmt: skip
    first = found[1]["links"][1]
    assert first["entry"] == f"w.warc.gz!/{first['record']}"
    assert (first["target"], first["date"]) == ("http://site.example/0/", "2001-02-03T04:05:06Z")
    assert (found[1]["n_links"], found[1]["error"]) == (9, None)
    assert [link["text"] for link in found[2]["links"]] == ["f"]
    assert found[3]["n_links"] > 0
    assert "damaged" in found[3]["error"]
    assert found[4]["notes"] == ["binary"]
    # A rewrite leaves them.
    assert [row["content"] for row in rows(rewrite_batch(given, to="uri"))] == [None] * 5


def test_archives_attached_to_mail_are_read() -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("a.html", "<a href='c'>")
    message = email.message.EmailMessage()
    message.set_content("http://body.example/\n")
    for attached in (zipped.getvalue(), zipped.getvalue()[:-30]):
        message.add_attachment(attached, maintype="application", subtype="zip", filename="a.zip")
    given = batch(bytes(message), gzip.compress(bytes(message)), path=["m.eml", "m.eml.gz"])
    found = rows(find_batch(given))
    assert [row["format"] for row in found] == ["mail", "gzip"]
    for row in found:
        own = None if row["path"] == "m.eml" else row["path"]
        assert [(link["entry"], link["text"]) for link in row["links"]] == [
            (own, "http://body.example/"), (f"{row['path']}!/2/a.zip!/a.html", "c"), (f"{row['path']}!/3/a.zip!/a.html", "c")
        ]  # fmt: skip
        assert f"{row['path']}!/3/a.zip: " in row["error"]
        assert row["n_links"] == 3


def test_the_charset_of_a_media_type() -> None:
    given = batch(
        b"<a href='/\xd0'>", b"<a href='/\xd0'>", media_type=["text/html; charset=koi8-r", "text/html;charset='KOI8-R'"]
    )
    assert [row["links"][0]["text"] for row in rows(find_batch(given))] == ["/п", "/п"]
    [row] = rows(find_batch(batch(b"x", media_type=["text/plain; charset=x-nobody"])))
    assert "x-nobody" in row["error"]


def test_another_name_of_the_content() -> None:
    given = pa.RecordBatch.from_pydict({"body": [b"www.example.org"], "other": [1]})
    assert rows(find_batch(given, content="body"))[0]["n_links"] == 1
    with pytest.raises(linkglot.Error, match="content") as raised:
        find_batch(given)
    assert raised.value.kind == "column"
    with pytest.raises(linkglot.Error, match="other"):
        find_batch(given, content="other")


def test_slices() -> None:
    contents = [f"http://{number}.example/é".encode() for number in range(100)]
    paths = [f"{number}.txt" for number in range(100)]
    for type in BINARY + TEXT:
        whole = batch(
            *(contents if type in BINARY else [content.decode() for content in contents]), type=type, path=paths
        )
        part = whole.slice(37, 11)
        found, rewritten = find_batch(part), rewrite_batch(part, to="uri")
        assert found.column("path").to_pylist() == paths[37:48]
        assert [row["links"][0]["text"] for row in rows(found)] == [content.decode() for content in contents[37:48]]
        assert [row["n_changed"] for row in rows(rewritten)] == [1] * 11
        assert find_batch(whole.slice(100)).num_rows == 0


def test_empty_batches_and_tables() -> None:
    empty = batch()
    for work, schema in ((find_batch, FIND_SCHEMA), (rewrite_batch, REWRITE_SCHEMA)):
        assert work(empty).schema == schema
        assert work(empty).num_rows == 0
        for table in (pa.Table.from_batches([empty]), pa.Table.from_batches([], schema=empty.schema)):
            answer = work(table)
            assert isinstance(answer, pa.Table)
            assert (answer.schema, answer.num_rows) == (schema, 0)


def test_tables() -> None:
    table = pa.Table.from_batches([batch(b"http://a.example/"), batch(b"http://b.example/", b"")])
    found = find_batch(table)
    assert isinstance(found, pa.Table)
    assert [row["n_links"] for row in rows(found)] == [1, 1, 0]
    for wrong in ([b"x"], {"content": [b"x"]}, None):
        with pytest.raises(TypeError, match="expected a RecordBatch or a Table"):
            find_batch(wrong)


def test_a_bad_row_stops_nothing() -> None:
    message = (
        b"From: a@example.org\nMIME-Version: 1.0\nContent-Type: text/plain; charset=x-old\n\nhttp://a.example/\xe9\n"
    )
    given = batch(
        b"http://a.example/\xc3\xa9", b"<meta charset=x-nobody>", None, b"\x89PNG\r\n\x1a\n\0\0", message, b"http://b.example/\xc3\xa9",
        path=["a.txt", "b.html", "c.txt", "d.png", "e.eml", "f.txt"],
    )  # fmt: skip
    found, rewritten = rows(find_batch(given)), rows(rewrite_batch(given, to="uri"))
    for answer in (found, rewritten):
        assert [bool(row["error"]) for row in answer] == [False, True, True, False, True, False]
        assert "x-nobody" in answer[1]["error"]
        assert answer[3]["notes"] == ["binary"]
        assert [row["n_links"] for row in answer] == [1, 0, 0, 0, 0, 1]
        assert [row["path"] for row in answer] == ["a.txt", "b.html", "c.txt", "d.png", "e.eml", "f.txt"]
    assert [row["content"] for row in rewritten] == [
        b"http://a.example/%C3%A9",
        None,
        None,
        None,
        None,
        b"http://b.example/%C3%A9",
    ]


def test_rewritten_rows_say_what_was_done() -> None:
    rules = linkglot.Rules(["http://old.example/ http://new.example/"])
    page = "http://old.example/a http://other.example/"
    [row, same] = rows(rewrite_batch(batch(page, "x", type=pa.string()), rules=rules))
    assert (row["content"], row["n_links"], row["n_changed"], row["n_left"]) == (page.replace("old", "new"), 2, 1, 0)
    [link] = row["links"]
    assert (link["text"], link["new"], link["rule"], link["start"]) == (
        "http://old.example/a",
        "http://new.example/a",
        0,
        0,
    )
    assert (same["content"], same["links"]) == (None, [])


def test_texts_have_no_charset_to_change() -> None:
    [row] = rows(rewrite_batch(batch("é", type=pa.string()), to_charset="koi8-r"))
    assert "to_charset" in row["error"]
    given = batch("http://a.example/é", type=pa.string())
    [row] = rows(rewrite_batch(given, to="uri", to_charset=None))
    assert (row["content"], row["error"]) == ("http://a.example/%C3%A9", None)


def test_the_base_of_a_row_is_checked() -> None:
    given = batch(b"<a href=b>", b"<a href=b>", base=["rel", "http://a.example/"], path=["a.html", "b.html"])
    [wrong, right] = rows(find_batch(given))
    with pytest.raises(ValueError, match="^base: ") as raised:
        linkglot.find(b"", base="rel")
    assert (wrong["error"], wrong["links"]) == (str(raised.value), [])
    assert (right["error"], right["links"][0]["resolved"]) == (None, "http://a.example/b")
    [wrong, right] = rows(rewrite_batch(given, absolute=True))
    assert (wrong["error"], right["content"]) == (str(raised.value), b"<a href=http://a.example/b>")


def test_options_are_checked() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'to'"):
        find_batch(batch(b""), to="uri")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="^format: "):
        rewrite_batch(batch(b""), format="doc")  # type: ignore[arg-type]
    with pytest.raises(linkglot.Error, match="path"):
        find_batch(batch(b"", path=[1]))


def test_dictionary_columns_are_said_to_be_unknown() -> None:
    with pytest.raises(linkglot.Error, match="content"):
        find_batch(pa.RecordBatch.from_pydict({"content": pa.array(["a"]).dictionary_encode()}))


LONG = 64 << 20


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_content_is_read_where_it_is() -> None:
    """Content is not copied: neither the process nor Arrow takes more memory than the document."""
    given = batch(b"x " * (LONG // 2))
    buffer = given.column("content").buffers()[2]
    address, before, peak = buffer.address, pa.total_allocated_bytes(), _peak()
    answer = find_batch(given, format="text", charset="utf-8")
    assert answer.num_rows == 1
    assert pa.total_allocated_bytes() - before < 1 << 20
    assert _peak() - peak < LONG // 4
    assert given.column("content").buffers()[2].address == address


def test_what_comes_back_is_freed() -> None:
    given = batch(*[PAGE.encode() * 50] * 100)
    for _ in range(3):
        rewrite_batch(given, to="uri", format="html")
    before = _peak()
    for _ in range(30):
        rewrite_batch(given, to="uri", format="html")
    assert _peak() - before < 16 << 20


def test_any_stream_of_arrow_is_a_table() -> None:
    class Frame:
        """A table of another library."""

        def __init__(self, table: pa.Table) -> None:
            self.table = table

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return self.table.__arrow_c_stream__(requested_schema)

    table = pa.table({"content": ["see www.a.example", None]})
    found = find_batch(Frame(table))
    assert found == find_batch(table)
    assert hasattr(found, "__arrow_c_stream__")
    assert rewrite_batch(Frame(table), to="uri").num_rows == 2
