"""`linkglot.Error`: its content, and passing it to another process."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import linkglot
from linkglot import Error

# Links that repeat a base until they are many times as long as the page.
REPEATED = ("<base href='http://a.example/" + "d/" * 950 + "'>").encode() + b"<a href=b>" * 9000

CASES: list[tuple[Callable[[], object], str, int | None, int | None]] = [
    (lambda: linkglot.find(b"\n<meta charset=x-nobody>", format="html"), "unknown-charset", 15, 2),
    (lambda: linkglot.rewrite(b"\n<meta charset=x-nobody>", format="html"), "unknown-charset", 15, 2),
    (lambda: linkglot.find("éж", charset="latin1"), "charset", 1, None),
    (lambda: linkglot.find("Subject: é\n\nx", format="mail"), "mail-in-text", None, None),
    (lambda: linkglot.rewrite("http://a.example/жé".encode(), to_charset="koi8-r"), "transcoding", None, None),
    (lambda: linkglot.rewrite(b"WARC/1.0\r\n\r\nhttp://a.example/\xc3\xa9", to="uri"), "container", None, None),
    (lambda: linkglot.find(REPEATED), "over-budget", None, None),
    (lambda: linkglot.rewrite(REPEATED, to="uri"), "over-budget", None, None),
    (lambda: linkglot.to_uri("http://é b/"), "disallowed-ascii", 8, None),
    (lambda: linkglot.to_uri("b", base="c"), "base", None, None),
    (lambda: linkglot.Rules(["a b", "http://a.example/b/ http://b.example"]), "invalid-rule", 1, None),
]


@pytest.mark.parametrize(("fails", "kind", "at", "line"), CASES, ids=[f"{case[1]}-{i}" for i, case in enumerate(CASES)])
def test_an_error_says_what_and_where(fails: Callable[[], object], kind: str, at: int | None, line: int | None) -> None:
    with pytest.raises(Error) as raised:
        fails()
    error = raised.value
    assert (error.kind, error.at, error.line, error.path) == (kind, at, line, None)
    assert isinstance(error, ValueError)
    assert str(error)[0] in "`" or not str(error)[0].isupper()


def test_an_unknown_charset_is_said_where_it_stands() -> None:
    page = b"\n<meta charset=x-nobody>"
    with pytest.raises(Error, match="x-nobody") as raised:
        linkglot.find(page, format="html")
    assert raised.value.at is not None
    assert page[raised.value.at :].startswith(b"x-nobody")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_errors_can_be_pickled(protocol: int) -> None:
    error = Error("what", kind="io", at=3, line=2, path="a.html")
    error.add_note("more")
    restored = pickle.loads(pickle.dumps(error, protocol))
    assert type(restored) is Error
    assert (str(restored), restored.kind, restored.at, restored.line, restored.path) == ("what", "io", 3, 2, "a.html")
    assert copy.copy(error).kind == "io"


def test_errors_of_files_have_their_path(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(b"<meta charset=x-nobody>")
    errors = [error for result in linkglot.find_files([page, tmp_path / "none"]) for error in result.errors]
    assert [(error.kind, error.path) for error in errors] == [
        ("unknown-charset", str(page)),
        ("io", str(tmp_path / "none")),
    ]
    assert pickle.loads(pickle.dumps(errors[0])).path == str(page)
