"""Checks the documentation for users: the examples of docstrings and of the README run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import linkglot
from linkglot import _native

PACKAGE = Path(__file__).resolve().parents[1]
MODULES = ["linkglot", "linkglot._errors", "linkglot._identifiers", "linkglot.arrow", "linkglot.markdown_it"]
NATIVE = sorted(name for name in vars(_native) if not name.startswith("_"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_modules(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0


@pytest.mark.parametrize("name", NATIVE)
def test_native_docstrings(name: str) -> None:
    documented = vars(_native)[name]
    assert documented.__doc__
    # Doctest cannot find examples of functions written in Rust, which have no Python module.
    examples = doctest.DocTestParser().get_doctest(documented.__doc__, {}, name, name, 0)
    assert doctest.DocTestRunner().run(examples).failed == 0
    for member, value in vars(documented).items() if inspect.isclass(documented) else ():
        assert member.startswith("_") or value.__doc__, f"{name}.{member}"


@pytest.mark.parametrize("name", ["find", "rewrite", "find_files", "rewrite_files", "warc"])
def test_every_option_is_explained(name: str) -> None:
    function = getattr(linkglot, name)
    options = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    assert len(options) >= 16
    explained = re.findall(r"^    (\w+)  +\S", function.__doc__ or "", re.MULTILINE)
    assert sorted(options) == sorted(explained)


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (PACKAGE / "README.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    _site(tmp_path)
    # A single session: later blocks use results of earlier blocks.
    session = "\n".join(block for block in blocks if ">>>" in block)
    examples = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    # The module of an exception is not part of its message.
    assert doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(examples).failed == 0
    for block in blocks:
        if ">>>" not in block:
            # These blocks need a cluster: test_ray and test_spark run similar code.
            compile(block, "README.md", "exec")


def _site(folder: Path) -> None:
    (folder / "site").mkdir()
    (folder / "site" / "a.html").write_bytes(b"<meta charset=windows-1251><a href='http://old.example/\xea'>")
    (folder / "site" / "b.md").write_text("[b](http://old.example/b) and http://other.example/\n")
