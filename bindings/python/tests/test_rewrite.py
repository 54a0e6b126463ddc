"""`linkglot.rewrite`."""

from __future__ import annotations

import concurrent.futures
import copy
import functools
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkglot
from linkglot import Rewritten
from linkglot._options import RewriteOptions
from linkglot.arrow import rewrite_batch


def content(data: Any, **options: Any) -> Any:
    return linkglot.rewrite(data, **options).content


def test_bytes_give_bytes_and_str_gives_str() -> None:
    assert content("http://a.example/é", to="uri") == "http://a.example/%C3%A9"
    assert content("http://a.example/é".encode(), to="uri") == b"http://a.example/%C3%A9"
    assert content(bytearray("http://a.example/é".encode()), to="uri") == b"http://a.example/%C3%A9"
    assert content(memoryview("http://a.example/é".encode()), to="uri") == b"http://a.example/%C3%A9"


@pytest.mark.parametrize("of", [bytes, bytearray, memoryview, lambda data: data.decode(errors="surrogatepass")])
def test_unchanged_documents_are_the_object_that_was_given(of: Any) -> None:
    data = of("http://a.example/é \r\n".encode())
    assert content(data) is data
    assert content(data, rules={"http://b.example/": "http://c.example/"}) is data


def test_unchanged_texts_with_halves_of_surrogates_are_the_object_that_was_given() -> None:
    text = "http://a.example/é \ud800"
    assert content(text) is text


def test_halves_of_surrogates_stay() -> None:
    assert content("\ud800 http://a.example/é \udfff\n", to="uri") == "\ud800 http://a.example/%C3%A9 \udfff\n"
    rewritten = linkglot.rewrite("\ud800 http://a.example/é", to="uri")
    assert (rewritten.links[0].link.start, rewritten.links[0].link.end) == (2, 20)


def test_texts_in_the_legacy_charset_that_they_declare() -> None:
    page = "<meta charset=windows-1251><p>текст<a href='http://магазин.example/?q=я'>"
    rewritten = linkglot.rewrite(page, to="uri")
    assert (
        rewritten.content
        == "<meta charset=windows-1251><p>текст<a href='http://xn--80aaaoea1ebkq6dxec.example/?q=%FF'>".replace(
            "xn--80aaaoea1ebkq6dxec", linkglot.to_uri("http://магазин/").split("/")[2]
        )
    )
    assert rewritten.charset == "windows-1251"
    assert rewritten.content.encode("windows-1251") == content(page.encode("windows-1251"), to="uri")
    [change] = rewritten.links
    assert page[change.link.start : change.link.end] == change.old


def test_an_answer_says_what_was_done() -> None:
    text = "http://old.example/é http://раypal.com/ http://old.example:8080/ http://other.example/"
    rewritten = linkglot.rewrite(text, to="iri", rules={"http://old.example/": "http://new.example/"}, left_behind=True)
    assert (rewritten.found, rewritten.changed, rewritten.format, rewritten.charset) == (4, 1, "text", "UTF-8")
    assert rewritten.matched == {0: 1}
    assert rewritten.left_behind == (("old.example", "text", "other-port", 1, 48),)
    [change] = [change for change in rewritten.links if change.new]
    assert (change.old, change.new, change.rule) == ("http://old.example/é", "http://new.example/é", 0)
    assert repr(change) == "Change('http://old.example/é' -> 'http://new.example/é')"
    assert repr(rewritten).startswith("<linkglot.Rewritten: 1 of 4 links changed")
    match rewritten:
        case Rewritten(content, changed, links, notes):
            assert (content, changed, links, notes) == (rewritten.content, 1, rewritten.links, rewritten.notes)


def test_links_that_cannot_keep_their_target_are_left_and_say_why() -> None:
    rewritten = linkglot.rewrite("http://a\u00ad\u200b.example\ufffe/é http://a.example/%zz", to="uri")
    for change in rewritten.links:
        assert change.new is not None or change.notes
    assert rewritten.left == sum(change.new is None for change in rewritten.links)
    signed = (
        b"From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/signed; boundary=b\n\n"
        b"--b\nContent-Type: text/plain; charset=utf-8\n\nhttp://a.example/\xc3\xa9\n--b\nContent-Type: text/plain\n\nx\n--b--\n"
    )
    rewritten_mail = linkglot.rewrite(signed, to="uri", format="mail")
    assert (rewritten_mail.content, rewritten_mail.left) == (signed, 1)
    assert rewritten_mail.content is signed
    assert rewritten_mail.notes == ("left-signed",)
    assert linkglot.rewrite(signed, to="uri", format="mail", break_signatures=True).changed == 1


def test_what_may_be_no_link_is_left() -> None:
    text = "b\u00fccher.com, r\u00e9sum\u00e9.com/a"
    rewritten = linkglot.rewrite(text, to="uri")
    assert (rewritten.content, rewritten.left, rewritten.notes) == (text, 2, ("left-name",))
    assert [change.link.evidence for change in rewritten.links] == ["name", "path"]
    rewritten = linkglot.rewrite(text, to="uri", min_evidence="path")
    assert rewritten.content == "b\u00fccher.com, xn--rsum-bpad.com/a"
    with pytest.raises(ValueError, match="min_evidence"):
        linkglot.rewrite(text, to="uri", min_evidence="sure")  # type: ignore[arg-type]


PAGE = b"\xef\xbb\xbf<A HREF=' http://a.example/\xc3\xa9\t' Title=\"\xff\xc0\">\r\n<!-- http://a.example/\xc3\xa9 --><a\nhref=/b>\r"


def test_other_bytes_stay() -> None:
    rewritten = linkglot.rewrite(PAGE, to="uri", format="html")
    [change] = rewritten.links
    assert change.new is not None
    assert rewritten.content == PAGE[: change.link.start] + change.new.encode() + PAGE[change.link.end :]


def test_none_is_no_charset_to_write() -> None:
    assert linkglot.rewrite("http://a.example/é", to="uri", to_charset=None).content == "http://a.example/%C3%A9"


def test_links_become_relative_or_absolute(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<a href=b>")
    both: dict[str, Any] = {"relative_to": "http://a.example/", "absolute": True}
    batch = pa.RecordBatch.from_pydict({"content": [b""]})
    calls: list[Callable[[], object]] = [
        lambda: linkglot.rewrite("", **both),
        lambda: linkglot.rewrite_files(tmp_path, **both),
        lambda: rewrite_batch(batch, **both),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="^relative_to: expected no `absolute` beside it"):
            call()
    assert linkglot.rewrite("", relative_to="http://a.example/", absolute=False).content == ""


def test_twice_is_once() -> None:
    for to in ("uri", "iri"):
        once = content(PAGE, to=to, format="html")
        assert content(once, to=to, format="html") is once


class TestOptions:
    def test_to(self) -> None:
        assert content("http://a.example/%C3%A9", to="iri") == "http://a.example/é"
        assert content("http://a.example/é", to="same") == "http://a.example/é"
        with pytest.raises(ValueError, match="^to: expected one of uri, iri, same, found"):
            linkglot.rewrite("", to="url")  # type: ignore[typeddict-item, unused-ignore]

    @pytest.mark.parametrize(
        "rules",
        [
            linkglot.Rules("http://a.example/ http://b.example/"),
            "# moved\nhttp://a.example/ http://b.example/\n",
            {"http://a.example/": "http://b.example/"},
            ["http://a.example/ http://b.example/"],
            [("http://a.example/", "http://b.example/")],
            (rule for rule in ["http://a.example/ http://b.example/"]),
        ],
    )
    def test_rules(self, rules: Any) -> None:
        assert content("http://a.example/x", rules=rules) == "http://b.example/x"

    def test_resolve(self) -> None:
        options: dict[str, Any] = {
            "format": "html",
            "base": "http://a.example/c/",
            "rules": {"http://a.example/": "http://b.example/"},
        }
        assert content("<a href=d>", **options) == "<a href=d>"
        assert content("<a href=d>", resolve=True, **options) == "<a href=http://b.example/c/d>"

    def test_host(self) -> None:
        assert content("http://é.example/é", to="uri", host="percent") == "http://%C3%A9.example/%C3%A9"
        assert content("http://é.example/é", to="uri", host="keep") == "http://é.example/%C3%A9"
        with pytest.raises(ValueError, match="^host: "):
            linkglot.rewrite("", host="punycode")

    def test_display(self) -> None:
        assert content("http://a.example/%E2%80%AEa", to="iri") == "http://a.example/%E2%80%AEa"
        text = "http://a.example/%D0%B0a"
        assert content(text, to="iri", display="all") == "http://a.example/аa"

    @pytest.mark.parametrize("format", ["text", "html", "markdown"])
    def test_the_charset_of_a_str_is_no_guess(self, format: Any) -> None:
        page = '<a href="http://a.example/caf%C3%A9"></a><a href="http://a.example/%D0%B0"></a>'
        rewritten = linkglot.rewrite(page, to="iri", format=format)
        assert rewritten.left == 0
        assert "http://a.example/а" in rewritten.content
        assert linkglot.rewrite(rewritten.content, to="iri", format=format).content is rewritten.content

    def test_slots(self) -> None:
        page = "<a href=http://a.example/é></a><p>http://a.example/é"
        changed = "<a href=http://a.example/%C3%A9></a><p>http://a.example/é"
        assert content(page, to="uri", format="html", slots="attribute") == changed
        assert content(page, to="uri", format="html", slots=["attribute"]) == changed
        comment = "<!-- http://a.example/é -->"
        assert content(comment, to="uri", format="html", slots={"comment"}) == "<!-- http://a.example/%C3%A9 -->"
        with pytest.raises(ValueError, match="^slots: expected some of text, attribute"):
            linkglot.rewrite("", slots="href")

    def test_to_charset(self) -> None:
        page = b"<meta charset=windows-1251><a href='/\xea?q=\xff'>"
        rewritten = linkglot.rewrite(page, to_charset="utf-8")
        assert rewritten.content == "<meta charset=UTF-8><a href='/к?q=%FF'>".encode()
        with pytest.raises(ValueError, match="^to_charset: expected bytes"):
            linkglot.rewrite("", to_charset="utf-8")

    def test_references(self) -> None:
        options: dict[str, Any] = {"format": "html", "base": "http://a.example/b/c"}
        page = "<a href=http://a.example/d>"
        assert content(page, relative_to="http://a.example/", **options) == "<a href=../d>"
        assert content("<a href=d>", absolute=True, **options) == "<a href=http://a.example/b/d>"

    def test_identifiers_follow_rules_when_asked(self) -> None:
        page = '<p itemscope itemtype="http://a.example/A">'
        rules = {"http://a.example/": "http://b.example/"}
        assert content(page, format="html", rules=rules) is page
        assert content(page, format="html", rules=rules, identifiers=True) == page.replace("a.example", "b.example")

    @pytest.mark.parametrize("option", RewriteOptions.__annotations__)
    def test_none_is_the_default(self, option: str) -> None:
        assert content(PAGE, **{option: None}) is PAGE
        with pytest.raises(TypeError, match=f"^{option}: expected"):
            linkglot.rewrite(PAGE, **{option: object()})  # type: ignore[misc]

    @pytest.mark.parametrize("value", ["x", None])
    def test_other_options_are_unknown(self, value: object) -> None:
        with pytest.raises(TypeError, match=r"^unexpected keyword argument 'map'$"):
            linkglot.rewrite("", map=value)  # type: ignore[call-arg]


def test_results_cannot_be_changed() -> None:
    rewritten = linkglot.rewrite("http://a.example/é", to="uri")
    assert copy.copy(rewritten) == copy.deepcopy(rewritten) == rewritten
    with pytest.raises(AttributeError):
        rewritten.changed = 3  # type: ignore[misc]


#: Pieces for generated documents: markup, links, random bytes.
PIECES = st.sampled_from(
    [
        b"http://a.example/", b"www.b.example", b"ann@c.example", b"<a href='", b"'>", b"\">", b"<!--", b"-->", b"<style>",
        b"url(", b")", b"\r\n", b" ", b"\xc3\xa9", b"\xff", b"\xed\xa0\x80", b"\x00", b"%C3%A9", b"&amp;", b"=\n", b"\n\n",
        b"From: a\n", b"Content-Type: text/html; charset=koi8-r\n", b"<meta charset=gbk>", b"\xfe\xff", b"\x1b$B", b"[a](", b"\n.. _a: ",
    ]
)  # fmt: skip
DOCUMENTS = st.one_of(
    st.binary(max_size=400), st.lists(st.one_of(PIECES, st.binary(max_size=3)), max_size=30).map(b"".join)
)
TEXTS = st.one_of(st.text(max_size=300), DOCUMENTS.map(lambda data: data.decode("utf-8", "surrogateescape")))


@given(DOCUMENTS)
def test_any_bytes_stay_when_nothing_is_asked(data: bytes) -> None:
    try:
        assert linkglot.rewrite(data).content is data
    except linkglot.Error as error:
        assert error.kind == "unknown-charset"


@given(
    DOCUMENTS,
    st.sampled_from(["text", "html", "css", "xml", "markdown", "rst"]),
    st.sampled_from(["utf-8", "windows-1252", "koi8-r"]),
    st.sampled_from(["uri", "iri"]),
)
def test_only_links_change_and_twice_is_once(data: bytes, format: Any, charset: str, to: Any) -> None:
    options: dict[str, Any] = {"format": format, "charset": charset}
    rewritten = linkglot.rewrite(data, to=to, **options)
    assert _between(rewritten.content, **options) == _between(data, **options)
    assert linkglot.rewrite(rewritten.content, to=to, **options).content is rewritten.content


def _between(data: bytes, **options: Any) -> list[bytes]:
    """The text before, between and after the links."""
    links = linkglot.find(data, **options)
    ends = [0, *(link.end for link in links)]
    starts = [*(link.start for link in links), len(data)]
    return [data[end:start] for end, start in zip(ends, starts, strict=True)]


@given(TEXTS, st.sampled_from(["text", "html", "markdown"]))
def test_texts_and_bytes_agree(text: str, format: Any) -> None:
    data = text.encode("utf-8", "surrogatepass")
    of_text = linkglot.find(text, format=format, charset="utf-8")
    of_bytes = linkglot.find(data, format=format, charset="utf-8")
    assert [link.text for link in of_text] == [link.text for link in of_bytes]
    for here, there in zip(of_text, of_bytes, strict=True):
        assert text[: here.start].encode("utf-8", "surrogatepass") == data[: there.start]
        assert text[here.start : here.end].encode("utf-8", "surrogatepass") == data[there.start : there.end]
    rewritten = linkglot.rewrite(text, format=format, charset="utf-8", to="uri").content
    assert (
        rewritten.encode("utf-8", "surrogatepass")
        == linkglot.rewrite(data, format=format, charset="utf-8", to="uri").content
    )


@given(DOCUMENTS, st.sampled_from(["text", "html", "css", "xml", "markdown", "rst", "mail"]))
def test_positions_are_in_order_and_within(data: bytes, format: Any) -> None:
    ends = 0
    for link in linkglot.find(data, format=format, charset="windows-1252"):
        assert 0 <= link.start <= link.end <= len(data)
        if format not in ("mail",):
            assert ends <= link.start
            ends = link.end


class TestResultsBetweenProcesses:
    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_they_can_be_pickled(self, protocol: int) -> None:
        page = "<a href='http://old.example/é'>a</a> <!-- http://old.example/b --> <a href='/é/{{ x }}'>"
        rules = "http://old.example/ http://new.example/"
        for data in (page, page.encode()):
            done = linkglot.rewrite(data, to="uri", rules=rules, left_behind=True, locate=True)
            assert done.left_behind
            assert done.matched == {0: 1}
            assert len(done.links) == 2
            restored = pickle.loads(pickle.dumps(done, protocol))
            assert restored == done
            assert restored.content == done.content
            assert [change.notes for change in restored.links] == [change.notes for change in done.links]
            assert repr(restored) == repr(done)

    def test_equality_is_that_of_all_there_is(self) -> None:
        done = linkglot.rewrite("http://a.example/é", to="uri")
        assert done == linkglot.rewrite("http://a.example/é", to="uri")
        assert done != linkglot.rewrite("http://a.example/é ", to="uri")
        assert done.links[0] != linkglot.rewrite("http://a.example/ü", to="uri").links[0]
        assert done != done.links[0] != "http://a.example/é"
        assert len({*done.links, *linkglot.rewrite("http://a.example/é", to="uri").links}) == 1

    def test_rewrite_can_be_mapped_over_processes(self) -> None:
        data = [f"http://a.example/é{number}" for number in range(20)]
        rewrite = functools.partial(linkglot.rewrite, to="uri")
        with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            done = list(pool.map(rewrite, data, chunksize=5))
        assert done == [rewrite(text) for text in data]
