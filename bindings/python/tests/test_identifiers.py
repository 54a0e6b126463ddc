"""Single identifiers, also checked by the vectors written for the specification, if present."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import linkglot

#: The vectors are beside the repository, if present.
VECTORS = Path(__file__).resolve().parents[4] / "shared" / "vectors"


def vectors(name: str) -> list[Any]:
    path = VECTORS / f"{name}.jsonl"
    if not path.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"the vectors {path} are absent"))]
    rows = (json.loads(line) for line in path.read_text().splitlines())
    return [pytest.param(row, id=row["id"]) for row in rows]


def accepted(row: dict[str, Any], expected: str) -> list[Any]:
    return [row.get(expected), *(row.get("accept") or [])]


@pytest.mark.parametrize("row", vectors("iri_to_uri"))
def test_to_uri(row: dict[str, Any]) -> None:
    options = row["options"]
    # Vectors for which `to_uri` has options: IRIs in Unicode, without repair of invalid IRIs.
    if row["charset"] != "utf-8" or row.get("iri_hex") or set(options) - {"host"}:
        return
    host: Any = {"toascii": "punycode", None: "percent"}[options.get("host")]
    try:
        uri: str | None = linkglot.to_uri(row["iri"], host=host)
    except linkglot.Error as error:
        assert error.kind
        uri = None
    assert uri in accepted(row, "uri")


@pytest.mark.parametrize("row", vectors("uri_to_iri"))
def test_to_iri(row: dict[str, Any]) -> None:
    options = row["options"]
    if options.get("host") != "tounicode":
        return
    display: Any = {"display": "safe", "minimal": "minimal", None: "safe"}[options.get("profile")]
    assert linkglot.to_iri(row["uri"], display=display) in accepted(row, "iri")


@pytest.mark.parametrize("row", vectors("equivalence"))
def test_compare(row: dict[str, Any]) -> None:
    compared = linkglot.compare(row["a"], row["b"])
    level = compared.level or "never"
    assert level in [{"protocol": "never"}.get(known, known) for known in accepted(row, "level")]
    assert bool(compared) == compared.same == (compared.level is not None)
    if compared:
        assert linkglot.normalize(row["a"], level="scheme") == linkglot.normalize(row["b"], level="scheme")


@pytest.mark.parametrize("row", vectors("parse"))
def test_explain(row: dict[str, Any]) -> None:
    explained = linkglot.explain(row["input"])
    assert explained.valid == row["valid"] or row["judgement"]
    assert (explained.error is None) == explained.valid


@pytest.mark.parametrize("row", vectors("resolve"))
def test_resolve(row: dict[str, Any]) -> None:
    # A reference with characters outside of IRIs is resolved, but has no URI.
    if row["options"].get("strict", True) and not row["judgement"]:
        targets = [linkglot.to_uri(target) for target in accepted(row, "target") if target]
        assert linkglot.to_uri(row["ref"], base=row["base"]) in targets


def test_to_uri_in_all_its_forms() -> None:
    iri = "http://résumé.example/é?q=é#é"
    assert linkglot.to_uri(iri) == "http://xn--rsum-bpad.example/%C3%A9?q=%C3%A9#%C3%A9"
    assert linkglot.to_uri(iri, host="percent") == "http://r%C3%A9sum%C3%A9.example/%C3%A9?q=%C3%A9#%C3%A9"
    assert linkglot.to_uri("http://a.example/e\u0301") == "http://a.example/e%CC%81"
    assert linkglot.to_uri("http://a.example/e\u0301", charset="iso-8859-1") == "http://a.example/%C3%A9"
    assert linkglot.to_uri("../é", base="http://example.org/a/b") == "http://example.org/%C3%A9"


def test_to_iri_in_all_its_forms() -> None:
    uri = "http://xn--ypal-43d9g.example/%C3%A9%E2%80%AE"
    assert linkglot.to_iri(uri) == "http://xn--ypal-43d9g.example/é%E2%80%AE"
    assert linkglot.to_iri("%C3%A9", base="http://a.example/") == "http://a.example/é"
    assert linkglot.to_iri("http://a.example/%D0%B0a", display="all") == "http://a.example/аa"


def test_normalize_on_every_rung() -> None:
    iri = "HTTP://Example.org:80/%7ea/../b"
    rungs = [linkglot.normalize(iri, level=level) for level in ("string", "case", "percent", "path", "scheme")]
    assert rungs == [
        iri,
        "http://example.org:80/%7Ea/../b",
        "http://example.org:80/~a/../b",
        "http://example.org:80/b",
        "http://example.org/b",
    ]


def test_an_explanation_has_it_all() -> None:
    explained = linkglot.explain("http://ann@раypal.com:8080/é?q#f")
    assert explained.components == linkglot.Components("http", "ann", "раypal.com", "8080", "/é", "q", "f")
    assert explained.uri == "http://ann@xn--ypal-43d9g.com:8080/%C3%A9?q#f"
    assert {warning.code for warning in explained.warnings} >= {"mixed-script-host", "confusable-host"}
    warning = explained.warnings[0]
    assert explained.input[warning.start : warning.end]
    assert warning.words
    invalid = linkglot.explain("http://é b/")
    assert not invalid.valid
    assert invalid.error is not None
    assert invalid.error[1] == 8
    assert invalid.uri is None


def test_comparisons() -> None:
    assert linkglot.compare("b", "http://a.example/b", base="http://a.example/")
    different = linkglot.compare("http://a.example/", "http://b.example/")
    assert (different.same, different.level, different.component) == (False, None, "host")
    assert not different
