"""`linkglot.Document`."""

from __future__ import annotations

import pytest

import linkglot
from linkglot import Document

MESSAGE = b"""MIME-Version: 1.0
List-Archive: <http://list.example/>
Content-Type: multipart/alternative; boundary=x

--x
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

=C3=A9 See http://a.example/?b=3Dc=
&d, please.
--x
Content-Type: text/html; charset=koi8-r

<title>no</title><p>\xc1 <a href="http://b.example/"><b>www.bank</b>.example</a><p hidden>c.example.org</p>
--x--
"""


def test_parts_of_a_message_have_text_and_links() -> None:
    document = Document(MESSAGE)
    assert (document.format, document.base) == ("mail", None)
    assert list(document.links) == linkglot.find(MESSAGE)
    header, plain, page = document.parts
    assert (header.number, header.text) == ("/list-archive", " <http://list.example/>")
    assert (plain.number, plain.media_type, plain.format, plain.charset) == ("1", "text/plain", "text", "UTF-8")
    [link] = plain.links
    assert plain.text[link.start : link.end] == link.text == "http://a.example/?b=c&d"
    assert plain.displayed.text == plain.text
    assert (page.format, page.charset, page.message) == ("html", "KOI8-R", None)
    assert page.text.startswith("<title>no</title><p>а ")
    assert [page.text[link.start : link.end] for link in page.links] == ["http://b.example/", "c.example.org"]


def test_displayed_text_has_links_at_their_places() -> None:
    displayed = Document(MESSAGE).parts[-1].displayed
    assert displayed.text == str(displayed) == "а www.bank.example"
    [link] = displayed.links
    assert (link.text, displayed.text[link.start : link.end]) == ("http://b.example/", "www.bank.example")
    assert link.label == "www.bank.example"
    assert link.notes == ("text-names-other-host",)
    assert (link.part, link.uri) == ("2", "http://b.example/")


@pytest.mark.parametrize("page", ["é <a href='/é'>é</a>", "<meta charset=koi8-r>ж <a href='/ж'>ж</a>"])
def test_positions_count_characters(page: str) -> None:
    [part] = Document(page, format="html").parts
    assert part.number is None
    [link], [shown] = part.links, part.displayed.links
    assert part.text[link.start : link.end] == link.text
    assert part.displayed.text[shown.start : shown.end] == link.text[1:]


def test_errors_are_those_of_find() -> None:
    with pytest.raises(linkglot.Error, match="x-foo"):
        Document(b"<meta charset=x-foo><a href=b>")
    with pytest.raises(TypeError):
        Document(1)  # type: ignore[call-overload, type-var]
    with pytest.warns(linkglot.UnreadWarning, match="part 1"):
        Document(b"Content-Type: text/plain; charset=x-foo\n\nhttp://b.example/\n", format="mail")


def test_unread_parts_are_told() -> None:
    assert Document("see www.a.example").unread == ()
    message = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=x-foo\n\nhttp://b.example/\n"
        b"--b\nContent-Type: text/plain\n\nhttp://c.example/\n--b--\n"
    )
    with pytest.warns(linkglot.UnreadWarning, match="part 1"):
        document = Document(message, format="mail")
    [(number, reason)] = document.unread
    assert number == "1"
    assert "x-foo" in reason
    assert [link.text for link in document.links] == ["http://c.example/"]


def test_repr_says_what_it_is() -> None:
    document = Document("see www.a.example")
    assert repr(document) == "Document(format='text', charset='UTF-8', parts=1, links=1)"
    assert repr(document.parts[0]) == "Part(number=None, format='text', links=1)"
    assert repr(document.parts[0].displayed) == "Displayed('see www.a.example', links=1)"
