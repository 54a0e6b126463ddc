"""`linkglot.markdown_it`, against the cases of markdown-it-py."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from linkglot.markdown_it import LinkifyIt, Match

markdown_it = pytest.importorskip("markdown_it")


def parser() -> Any:
    md = markdown_it.MarkdownIt().enable("linkify")
    md.options["linkify"] = True
    md.linkify = LinkifyIt()
    return md


def test_a_match_has_the_fields_of_linkify_it() -> None:
    found = LinkifyIt().match("a.org/é ANN@b.org HTTP://c.org//d")
    assert found == [
        Match("", 0, 7, "a.org/é", "a.org/é", "http://a.org/é"),
        Match("mailto:", 8, 17, "ANN@b.org", "ANN@b.org", "mailto:ANN@b.org"),
        Match("http:", 18, 33, "HTTP://c.org//d", "HTTP://c.org//d", "HTTP://c.org//d"),
    ]
    assert LinkifyIt().match("//a.org/b") == [Match("//", 0, 9, "//a.org/b", "//a.org/b", "//a.org/b")]
    assert LinkifyIt().match("no link.") is None
    assert LinkifyIt().match("") is None
    assert not LinkifyIt().test("a: b")
    assert LinkifyIt().test("see www.a.example")


def test_a_match_at_the_start_has_a_scheme() -> None:
    linkify = LinkifyIt()
    found = linkify.match_at_start("http://a.example/b* c")
    assert found is not None
    assert found.url.startswith("http://a.example/b")
    found = linkify.match_at_start("MAILTO:a@b.org x")
    assert found is not None
    assert found.raw == "MAILTO:a@b.org"
    for text in ["a.org http://b.example/", " http://a.example/", "", "x http://a.example/", "a@b.com x"]:
        assert linkify.match_at_start(text) is None


def test_a_url_has_no_line_breaks() -> None:
    [match] = LinkifyIt().match("see <http://a.example/b\n   c> and") or []
    assert (match.text, match.url) == ("http://a.example/b\n   c", "http://a.example/bc")


def test_options_are_those_of_find() -> None:
    assert LinkifyIt(detect="scheme").match("a.org") is None
    assert LinkifyIt().match("gopher://a.org/") is None
    assert [match.schema for match in LinkifyIt(schemes=None).match("gopher://a.org/") or []] == ["gopher:"]


def fixture() -> Path | None:
    root = Path(os.environ.get("LINKGLOT_SUITES", "none")) / "markdown-it-py"
    return next(iter(sorted(root.glob("**/tests/test_port/fixtures/linkify.md"))), None)


@pytest.mark.skipif(fixture() is None, reason="the vectors of markdown-it-py are absent")
def test_the_cases_of_markdown_it_pass() -> None:
    path = fixture()
    assert path is not None
    cases = markdown_it.utils.read_fixture_file(path)
    assert len(cases) >= 20
    for _, title, source, expected in cases:
        assert parser().render(source).rstrip() == expected.rstrip(), title
