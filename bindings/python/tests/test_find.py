"""`linkglot.find`."""

from __future__ import annotations

import array
import bz2
import copy
import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import linkglot
from linkglot import Link
from linkglot._options import FindOptions


def texts(data: Any, **options: Any) -> list[str]:
    return [link.text for link in linkglot.find(data, **options)]


PAGE = '<meta charset=windows-1251><a href="/книги?q=1&amp;r=2">www.example.org</a>'


def test_positions_of_bytes_are_bytes_and_those_of_str_characters() -> None:
    for data in (PAGE, PAGE.encode("windows-1251")):
        [link] = linkglot.find(data)
        raw = data[link.start : link.end]
        assert (raw if isinstance(raw, str) else raw.decode("windows-1251")) == link.raw == "/книги?q=1&amp;r=2"
        assert link.text == "/книги?q=1&r=2"


def test_a_str_is_read_in_the_charset_that_it_declares() -> None:
    of_text, of_bytes = linkglot.find(PAGE)[0], linkglot.find(PAGE.encode("windows-1251"))[0]
    assert of_text == of_bytes
    assert of_text.to_dict() == of_bytes.to_dict()
    assert of_text.charset == "windows-1251"
    query = "<meta charset=windows-1251><a href='http://example.org/?q=я'>"
    assert linkglot.find(query)[0].uri == "http://example.org/?q=%FF"


def test_a_str_that_is_not_in_the_charset_that_it_declares_is_read_as_unicode() -> None:
    [link] = linkglot.find("<meta charset=iso-8859-1><a href='/日本'>")
    assert (link.text, link.charset) == ("/日本", "UTF-8")


def test_every_position_of_a_str_is_that_of_a_character() -> None:
    text = "𝒳 http://a.example/é é\r\n日本 http://b.example/ж; 👩‍👩‍👧 www.c.example\n"
    for link in linkglot.find(text, format="text"):
        assert text[link.start : link.end] == link.raw


def test_halves_of_surrogate_pairs_count_as_a_character_each() -> None:
    text = "\ud800 http://a.example/ \udfff\udfff http://b.example/é"
    links = linkglot.find(text)
    assert [text[link.start : link.end] for link in links] == ["http://a.example/", "http://b.example/é"]


@pytest.mark.parametrize("of", [bytearray, memoryview, lambda data: array.array("B", data)])
def test_whatever_has_a_buffer_is_a_document(of: Any) -> None:
    assert texts(of(b"see http://example.org/")) == ["http://example.org/"]


def test_a_memoryview_may_have_gaps() -> None:
    assert texts(memoryview(b"h-t-t-p-:-/-/-a-.-e-x-a-m-p-l-e-/-")[::2]) == ["http://a.example/"]


def test_a_link_says_what_it_is() -> None:
    page = b'<base href=http://example.org/a/>\n<a href="b?q=\xc3\xa9">http://\xd1\x80aypal.com/</a>'
    [_, link] = linkglot.find(page, locate=True, format="html", charset="utf-8")
    assert link.to_dict() == {
        "text": "b?q=é", "raw": "b?q=é", "start": 43, "end": 49, "line": 2, "column": 10,
        "scheme": None, "implied": None, "evidence": "markup", "uri": "b?q=%C3%A9", "iri": "b?q=é",
        "resolved": "http://example.org/a/b?q=%C3%A9", "kind": "attribute", "element": "a", "name": "href", "nesting": (),
        "format": "html", "charset": "UTF-8", "part": None, "message": None, "media_type": None,
        "label": "http://\u0440aypal.com/", "notes": ("text-names-other-host",),
    }  # fmt: skip
    assert str(link) == "b?q=é"
    assert repr(link) == "Link('b?q=é', start=43, end=49)"


def test_a_query_in_a_charset_that_is_a_guess_has_no_uri() -> None:
    [link] = linkglot.find(b'<a href="b?q=\xc3\xa9">http://\xd1\x80aypal.com/</a>', format="html")
    assert (link.text, link.iri, link.uri, link.notes) == ("b?q=é", "b?q=é", None, ("charset-unsure",))


def test_a_form_that_could_not_be_written_is_none_and_the_notes_say_why() -> None:
    # In punycode the host would belong to the link in front of it.
    [_, link] = linkglot.find("http://example.org/xは例え.jp", format="text")
    assert (link.text, link.uri, link.iri) == ("は例え.jp", None, "https://は例え.jp")
    assert link.notes == ("left-not-refound",)
    [link] = linkglot.find("http://résumé.de127.0.0.1", format="text")
    assert (link.uri, link.notes) == (None, ("left-target-would-change",))


def test_a_link_without_scheme_says_which_is_implied() -> None:
    domain, address = linkglot.find("www.example.org ann@example.org")
    assert (domain.implied, domain.uri) == ("https", "https://www.example.org")
    assert (address.implied, address.uri) == ("mailto", "mailto:ann@example.org")
    assert (domain.evidence, address.evidence) == ("www", "address")


def test_a_link_in_mail_says_in_which_part_it_is() -> None:
    message = (
        b"From: a@example.org\nList-Archive: <http://list.example/>\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/mixed; boundary="b"\n\n'
        b"--b\nContent-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n"
        b'<a href=3D"/=D0=D2">\n--b--\n'
    )
    header, link = linkglot.find(message)
    assert (header.part, header.kind, header.name) == ("/list-archive", "header", "list-archive")
    assert (link.part, link.media_type, link.charset, link.format) == ("1", "text/html", "KOI8-R", "mail")
    assert (link.text, message[link.start : link.end]) == ("/пр", b"/=D0=D2")
    mailbox = b"From a Thu Jan  1 00:00:00 1970\n" + message
    assert [link.message for link in linkglot.find(mailbox + b"\n" + mailbox, format="mbox")] == [1, 1, 2, 2]


def test_links_are_values() -> None:
    [link] = linkglot.find("http://example.org/é")
    [same] = linkglot.find("http://example.org/é")
    [other] = linkglot.find(" http://example.org/é")
    assert link == same
    assert hash(link) == hash(same)
    assert link != other
    assert link != "http://example.org/é"
    assert len({link, same, other}) == 2
    with pytest.raises(AttributeError):
        link.text = "x"  # type: ignore[misc]
    match link:
        case Link(text, start, end):
            assert (text, start, end) == ("http://example.org/é", 0, 20)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_links_can_be_pickled(protocol: int) -> None:
    links = linkglot.find(PAGE, base="http://example.org/", locate=True)
    restored = pickle.loads(pickle.dumps(links, protocol))
    assert restored == links
    assert [link.to_dict() for link in restored] == [link.to_dict() for link in links]
    assert copy.copy(links[0]) == copy.deepcopy(links[0]) == links[0]


class TestOptions:
    def test_format(self) -> None:
        assert texts("<a href=/a>", format="html") == ["/a"]
        assert texts("<a href=/a>", format="text") == []

    def test_name(self) -> None:
        assert texts("[a](/b)", name="a.md") == texts("[a](/b)", name=Path("a.md")) == ["/b"]
        assert texts("[a](/b)", name="a.txt") == []

    def test_charset(self) -> None:
        assert texts(b"http://a.example/\xd0", charset="koi8-r") == ["http://a.example/п"]
        assert texts(b"<meta charset=utf-8><a href='/\xd0'>", charset="koi8-r") == ["/п"]
        assert texts("http://a.example/п", charset="koi8-r") == ["http://a.example/п"]

    def test_default_charset(self) -> None:
        [link] = linkglot.find(b"<a href='/a'>", format="html", default_charset="windows-1251")
        assert link.charset == "windows-1251"
        assert texts(b"<meta charset=latin1><a href='/\xe0'>", default_charset="windows-1251") == ["/à"]
        # A word that several charsets explain.
        assert texts(b"<a href='/\xed\xe9\xe4'>x</a>", format="html", default_charset="koi8-r") == ["/МИД"]

    def test_assume_charset(self) -> None:
        page = b"<meta charset=x-old><a href='/\xd0'>"
        assert texts(page, assume_charset={"x-old": "koi8-r"}) == ["/п"]

    def test_warnings_are_notes(self) -> None:
        [link] = linkglot.find("<a href=http://2130706433/>", format="html")
        assert link.notes == ("disguised-address",)

    def test_base(self) -> None:
        [link] = linkglot.find("<a href=b>", format="html", base="http://example.org/a/")
        assert link.resolved == "http://example.org/a/b"
        with pytest.raises(ValueError, match="^base: "):
            linkglot.find("", base="a/b")

    def test_detect(self) -> None:
        assert texts("www.example.org http://example.org/", detect="scheme") == ["http://example.org/"]

    def test_also(self) -> None:
        page = "<code>http://a.example/</code><!-- http://b.example/ -->"
        assert texts(page, format="html") == []
        assert texts(page, format="html", also="code") == ["http://a.example/"]
        both = ["http://a.example/", "http://b.example/"]
        assert texts(page, format="html", also="code, comments") == both
        assert texts(page, format="html", also=["code", "comments"]) == both
        message = b"From: a@example.org\nSubject: http://a.example/\n\n"
        assert texts(message, format="mail", also=("headers",)) == ["http://a.example/"]

    def test_breaks(self) -> None:
        flowed = b"From: a@example.org\nContent-Type: text/plain; format=flowed; delsp=yes\n\nhttp://example.org/aaaaaaaa \nbbbb\n"
        assert texts(flowed, format="mail") == ["http://example.org/aaaaaaaabbbb"]
        assert texts("http://example.org/aaaaaaaa \nbbbb\n", flowed=True) == ["http://example.org/aaaaaaaabbbb"]
        wrapped = "x" * 40 + " http://example.org/" + "a" * 17 + "-\nbbbb/cc.html\n" + "y" * 76 + "\n"
        assert len(texts(wrapped, join_wrapped=True)[0]) > len(texts(wrapped)[0])

    def test_identifiers(self) -> None:
        page = '<p itemscope itemtype="http://schema.example/A">'
        assert texts(page, format="html") == []
        assert texts(page, format="html", identifiers=True) == ["http://schema.example/A"]

    def test_vocabulary(self) -> None:
        page = "<x-card target=/a>"
        assert texts(page, format="html") == []
        assert texts(page, format="html", vocabulary="x-card\ttarget\tsingle\trewrite\n") == ["/a"]
        with pytest.raises(ValueError, match="^vocabulary: "):
            linkglot.find("", vocabulary="x")

    def test_locate(self) -> None:
        assert linkglot.find("\n http://a.example/")[0].line is None
        [link] = linkglot.find("é\r\né http://a.example/", locate=True)
        assert (link.line, link.column) == (2, 3)

    def test_max_slot(self) -> None:
        page = f"<a href='/{'a' * 100}'>"
        assert len(texts(page, format="html")) == 1
        assert texts(page, format="html", max_slot=50) != texts(page, format="html")

    def test_nfc(self) -> None:
        text = "<a href='http://a.example/a\u0301'>".encode("windows-1258")
        for nfc, expected in (("always", "http://a.example/á"), ("never", "http://a.example/a\u0301")):
            assert texts(text, format="html", charset="windows-1258", nfc=nfc) == [expected]

    def test_query_charset(self) -> None:
        page = b"<a href='http://a.example/?\xe9'>"
        assert linkglot.find(page, format="html", charset="latin1")[0].uri == "http://a.example/?%E9"
        assert (
            linkglot.find(page, format="html", charset="latin1", query_charset="utf-8")[0].uri
            == "http://a.example/?%C3%A9"
        )

    @pytest.mark.parametrize("option", FindOptions.__annotations__)
    def test_none_is_the_default(self, option: str) -> None:
        assert texts(PAGE, **{option: None}) == texts(PAGE)
        with pytest.raises(TypeError, match=f"^{option}: expected"):
            linkglot.find(PAGE, **{option: object()})  # type: ignore[misc]

    @pytest.mark.parametrize("option", ["to", "rules", "encoding", ""])
    @pytest.mark.parametrize("value", ["uri", None])
    def test_other_options_are_unknown(self, option: str, value: object) -> None:
        with pytest.raises(TypeError, match=f"^unexpected keyword argument '{option}'$"):
            linkglot.find(PAGE, **{option: value})  # type: ignore[misc]

    @pytest.mark.parametrize("option", ["format", "charset", "detect", "nfc", "query_charset", "also"])
    def test_values_are_checked(self, option: str) -> None:
        with pytest.raises(ValueError, match=f"^{option}: .*nothing-such"):
            linkglot.find(PAGE, **{option: "nothing-such"})  # type: ignore[misc]


def test_other_data_is_an_error() -> None:
    for data in (3, None, ["http://example.org/"]):
        with pytest.raises(TypeError, match="^data: expected bytes or str, found"):
            linkglot.find(data)  # type: ignore[arg-type]


TAR = b"a.html".ljust(257, b"\0") + b"ustar\x0000" + b"\0" * 247 + b"<a href=http://a.example/>"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"PK\x05\x06" + bytes(18), "a zip archive"),
        (gzip.compress(b"<a href=b>"), "compressed data"),
        (bz2.compress(b"<a href=b>"), "compressed data"),
        (TAR, "a tar archive"),
    ],
)
def test_archives_are_no_documents(data: bytes, name: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(data)
    calls: list[Callable[[], object]] = [
        lambda: linkglot.find(data),
        lambda: linkglot.find(path),
        lambda: linkglot.Document(data),
        lambda: linkglot.Document(path),
        lambda: linkglot.rewrite(data, to="uri"),
    ]
    for call in calls:
        with pytest.raises(linkglot.Error, match=f"expected a document, found {name}") as raised:
            call()
        assert raised.value.kind == "container"


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"max_slot": -1}, ValueError, r"max_slot: expected a number of bytes from 0 to 2\*\*64 - 1, found -1"),
    ({"max_slot": 2**64}, ValueError, r"max_slot: expected a number of bytes .*, found 18446744073709551616"),
    ({"max_slot": "1"}, TypeError, "max_slot: expected an int, found str"),
    ({"charset": "\ud800"}, ValueError, "charset: expected a str without lone surrogates"),
    ({"also": "\ud800"}, ValueError, "also: expected a str without lone surrogates"),
    ({"assume_charset": {1: "utf-8"}}, TypeError, "assume_charset: expected a str, found int"),
    ({"assume_charset": {"x": 2}}, TypeError, "assume_charset: expected a str, found int"),
]


@pytest.mark.parametrize(("options", "error", "message"), WRONG)
def test_options_that_are_none(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        linkglot.find(b"", **options)


def test_parts_that_cannot_be_read_are_warned_of() -> None:
    message = b"From: a@example.org\nContent-Type: text/plain; charset=x-old\n\nhttp://a.example/\xe9\n"
    with pytest.warns(linkglot.UnreadWarning, match="x-old"):
        linkglot.find(message, format="mail")


def test_a_path_is_a_file_whose_name_tells_the_format(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("é [a](b.md) `c.example.org`\n".encode())
    [link] = linkglot.find(path)
    assert (link.text, link.format, link.start) == ("b.md", "markdown", 7)
    assert [link.format for link in linkglot.find(path, name="a.txt")] == ["text"] * len(
        linkglot.find(path, name="a.txt")
    )
    assert linkglot.find(path, format="markdown") == [link]
    assert list(linkglot.Document(path).links) == [link]
    with pytest.raises(FileNotFoundError):
        linkglot.find(tmp_path / "none")


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("http://RÉSUMÉ.example.:80/é", "xn--rsum-bpad.example"),
        ("see www.a.example", "www.a.example"),
        ("http://[::1]/", "[::1]"),
        ("ann@example.org", None),
        ("tel:+1-555-0100", None),
    ],
)
def test_the_host_of_a_link(text: str, host: str | None) -> None:
    assert linkglot.find(text)[0].host == host


def test_the_host_of_a_relative_link_is_that_of_its_base() -> None:
    page = "<a href='/b'>"
    assert linkglot.find(page)[0].host is None
    assert linkglot.find(page, base="http://A.example/")[0].host == "a.example"
