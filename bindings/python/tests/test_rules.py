"""`linkglot.Rules`: checked as on the command line."""

from __future__ import annotations

import copy
import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest

import linkglot
from linkglot import Rules

MOVED = ("http://old.example/", "https://new.example/")


@pytest.mark.parametrize(
    "made_of", [" ".join(MOVED), f"# moved\n\n{' '.join(MOVED)}\n", dict([MOVED]), [MOVED], [" ".join(MOVED)]]
)
def test_what_rules_are_made_of(made_of: Any) -> None:
    rules = Rules(made_of)
    assert (len(rules), rules[0], list(rules)) == (1, MOVED, [MOVED])
    assert repr(rules) == "<linkglot.Rules: 1>"
    assert rules.apply("HTTP://OLD.example:80/a?b#c") == "https://new.example/a?b#c"
    assert rules.apply("http://other.example/") is None
    with pytest.raises(IndexError):
        rules[1]


def test_lines_are_those_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text(f"# moved\n#and #more\n\n{' '.join(MOVED)} # in 2020\n", encoding="utf-8")
    with path.open(encoding="utf-8") as file:
        rules = Rules(file)
    assert list(rules) == [MOVED]
    assert list(pickle.loads(pickle.dumps(rules))) == [MOVED]
    page = "<a href='#'><a href='#and'>"
    assert linkglot.rewrite(page, format="html", rules=["# moved", " ".join(MOVED)]).content == page
    with pytest.raises(linkglot.Error) as raised:
        Rules(["# moved", " ".join(MOVED), "/a/ /b"])
    assert raised.value.at == 1


def test_pairs_are_taken_as_they_are() -> None:
    for made_of in ({"#old": "#new"}, [("#old", "#new")]):
        rules = Rules(made_of)
        assert (rules.apply("#old"), list(pickle.loads(pickle.dumps(rules)))) == ("#new", [("#old", "#new")])
    faults: list[tuple[Any, str]] = [
        ({"/a": ""}, "found an empty TO in the rule from `/a` to ``"),
        ({"": "/a"}, "found an empty FROM in the rule from `` to `/a`"),
        ([("/a", "/b c")], "expected a TO without white space, but found `/b c`"),
        ({"/a b": "/c"}, "expected a FROM without white space, but found `/a b`"),
    ]
    for made_of, message in faults:
        with pytest.raises(linkglot.Error, match=message) as raised:
            Rules(made_of)
        assert (raised.value.kind, raised.value.at) == ("invalid-rule", 0)


def test_rules_are_a_sequence() -> None:
    rules = Rules([("/a", "/b"), ("/c", "/d")])
    assert (rules[-1], rules[-2]) == (("/c", "/d"), ("/a", "/b"))
    assert list(iter(rules)) == [("/a", "/b"), ("/c", "/d")]
    for number in (2, -3):
        with pytest.raises(IndexError):
            rules[number]


def test_the_site_of_paths() -> None:
    rules = Rules("/a http://new.example/b", base="http://old.example/")
    assert rules.apply("http://old.example/a") == "http://new.example/b"
    page = "<a href='http://old.example/a'>"
    assert linkglot.rewrite(page, rules="/a /b", base="http://old.example/", format="html").content == page
    with pytest.raises(ValueError, match="^base: expected `files` or a text of rules beside it"):
        Rules({"/a": "/b"}, base="http://old.example/")
    with pytest.raises(ValueError, match="^base: "):
        rules.apply("x", base="y")


def test_no_rules() -> None:
    assert len(Rules()) == len(Rules(None)) == len(Rules("")) == len(Rules([])) == 0


def test_patterns_and_bases() -> None:
    rules = Rules([r"re:^/wiki/(\d+)\.html$ /page/$1", "http://old.example/a/ http://new.example/"])
    assert rules.apply("/wiki/7.html") == "/page/7"
    assert rules.apply("b", base="http://old.example/a/c") in (None, "http://new.example/b")


def test_domains_that_move() -> None:
    rules = Rules(["http://old.example/a https://new.example/b"], move={"old.example": "new.example"})
    assert (len(rules), rules[0]) == (2, ("old.example", "new.example"))
    assert rules.apply("https://www.old.example/x") == "https://new.example/x"
    assert rules.apply("http://old.example/a") == "https://new.example/b"
    assert rules.apply("https://blog.old.example/x") is None
    assert rules.apply("mailto:ann@old.example") is None
    whole = Rules(move={"old.example": "new.example"}, move_mail=True, move_subdomains=True)
    assert whole.apply("https://blog.old.example/x") == "https://blog.new.example/x"
    assert whole.apply("mailto:ann@old.example") == "mailto:ann@new.example"
    for copied in (pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole)):
        assert copied.apply("https://blog.old.example/x") == "https://blog.new.example/x"


@pytest.mark.parametrize("options", [{"move_mail": True}, {"move_subdomains": True}, {"move": {}, "move_mail": True}])
def test_reaches_belong_to_a_move(options: Any) -> None:
    with pytest.raises(ValueError, match="expected `move` beside it"):
        Rules(**options)


def test_a_domain_that_is_none() -> None:
    with pytest.raises(linkglot.Error, match="expected a domain with a dot .*, but found `old`") as raised:
        Rules(move={"old": "new.example"})
    assert raised.value.at == 0


def test_parameters_in_any_order() -> None:
    rule = "http://old.example/?a=1&b=2 https://new.example/x"
    rules = Rules([rule], any_query_order=True)
    assert rules.apply("http://old.example/?b=2&a=1") == "https://new.example/x"
    assert pickle.loads(pickle.dumps(rules)).apply("http://old.example/?b=2&a=1") == "https://new.example/x"
    assert Rules([rule]).apply("http://old.example/?b=2&a=1") is None


def test_links_of_protection_services() -> None:
    rules = Rules(unwrap=True)
    assert (
        rules.apply("https://www.google.com/url?q=https%3A%2F%2Fexample.org%2Fa%3Fb&sa=D") == "https://example.org/a?b"
    )


FAULTS = [
    (["http://old.example/a/ https://new.example"], "glue"),
    (["http://a.example/ http://b.example/", "http://a.example/ http://c.example/"], "expected one rule for"),
    (["http://a.example/ http://b.example/", "http://b.example/ http://a.example/"], "http://b.example/"),
    ([r"re:(a) $2"], r"\$2|group|2"),
    (["re:( x"], "re:"),
    (["http://a.example/"], "expected `FROM TO`"),
]


@pytest.mark.parametrize(("rules", "message"), FAULTS, ids=[rules[0] for rules, _ in FAULTS])
def test_faulty_rules_are_errors_with_the_words_of_the_command_line(
    rules: list[str], message: str, program: str
) -> None:
    with pytest.raises(linkglot.Error, match=message) as raised:
        Rules(rules)
    assert raised.value.kind == "invalid-rule"
    assert raised.value.at in range(len(rules))
    with pytest.raises(linkglot.Error, match=message):
        linkglot.rewrite("", rules=rules)
    maps = [word for rule in rules for word in ("--map", rule)]
    told = subprocess.run([program, "rewrite", *maps], input=b"", capture_output=True, check=False)
    assert told.returncode == 2
    assert str(raised.value).split("`")[1] in told.stderr.decode()


def test_a_fault_in_a_text_has_its_line() -> None:
    with pytest.raises(linkglot.Error) as raised:
        Rules("# comment\n\nhttp://old.example/a/ https://new.example\n")
    assert raised.value.line == 3


def test_useless_rules_are_warned_of() -> None:
    with pytest.warns(linkglot.RuleWarning, match="http://a.example"):
        Rules(["http://a.example/ http://b.example/", "HTTP://A.example:80/ http://b.example/"])
    with pytest.warns(linkglot.RuleWarning):
        linkglot.rewrite("", rules=["http://a.example/ http://b.example/", "http://b.example/ http://c.example/"])


TABLES = {
    "moved.rules": ("linkglot", "http://old.example/a http://new.example/b\n"),
    "moved.csv": ("csv", "old,new\nhttp://old.example/a,http://new.example/b\n"),
    "table": ("csv", '"http://old.example/a","http://new.example/b"\n'),
    ".htaccess": ("apache", "Redirect 301 /a http://new.example/b\n"),
    "map.txt": ("apache", "/a http://new.example/b\n"),
    "nginx.conf": ("nginx", "map $uri $new {\n  /a http://new.example/b;\n}\n"),
}


@pytest.mark.parametrize("name", TABLES)
def test_files_in_every_format(name: str, tmp_path: Path) -> None:
    format, text = TABLES[name]
    path = tmp_path / name
    path.write_text(text)
    options: dict[str, Any] = {"base": "http://old.example/"}
    if name == "map.txt":
        options["format"] = format
    for rules in (
        Rules.from_file(path, **options),
        Rules.from_file(str(path), base="http://old.example/", format=format),
    ):  # type: ignore[arg-type]
        assert rules.apply("http://old.example/a") == "http://new.example/b"
        assert pickle.loads(pickle.dumps(rules)).apply("http://old.example/a") == "http://new.example/b"


def test_files_that_cannot_be_rules(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        Rules.from_file(tmp_path / "none")
    assert missing.value.filename == str(tmp_path / "none")
    path = tmp_path / "a.rules"
    path.write_bytes(b"http://a.example/ http://b.example/\xff\n")
    with pytest.raises(linkglot.Error, match="UTF-8") as raised:
        Rules.from_file(path)
    assert (raised.value.kind, raised.value.at, raised.value.path) == ("invalid-rule", 35, str(path))
    path.write_text("\nhttp://a.example/\n")
    with pytest.raises(linkglot.Error, match="FROM TO") as raised:
        Rules.from_file(path)
    assert raised.value.path == str(path)
    with pytest.raises(ValueError, match="^format: "):
        Rules.from_file(path, format="xls")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^base: "):
        Rules.from_file(path, base="a")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_rules_can_be_pickled(protocol: int) -> None:
    rules = Rules(["http://old.example/ https://new.example/", r"re:^/(\w+)$ /x/$1"], unwrap=True)
    restored = pickle.loads(pickle.dumps(rules, protocol))
    assert list(restored) == list(rules)
    for link in ("http://old.example/a", "/b", "https://www.google.com/url?q=https%3A%2F%2Fexample.org%2F&sa=D"):
        assert restored.apply(link) == rules.apply(link) != link
    assert list(copy.deepcopy(rules)) == list(rules)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a.example": None}, "rules: expected a str for 'a.example', found NoneType"),
        ({3: "a"}, "rules: expected a str as FROM, found int"),
        ([("a", "b", "c")], r"rules: expected 'FROM TO' or \(FROM, TO\), found a tuple of 3"),
        ([("a", None)], r"rules: expected 'FROM TO' or \(FROM, TO\) of str, found \('a', None\)"),
        (b"a b", "rules: expected Rules, a str, a dict or an iterable of lines, found bytes"),
        ([b"a b"], r"rules: expected 'FROM TO' or \(FROM, TO\), found bytes"),
    ],
)
def test_rules_of_wrong_types_are_named(value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        Rules(value)


@pytest.mark.parametrize("value", [3, [3], [("a", "b", "c")], {"a": 3}])
def test_other_rules_are_errors(value: Any) -> None:
    with pytest.raises(TypeError, match="^rules: expected"):
        Rules(value)
    with pytest.raises(TypeError, match="^rules: expected"):
        linkglot.rewrite("", rules=value)


def test_rules_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("http://a.example/ http://b.example/\n")
    assert linkglot.Rules(files=tmp_path / "rules")[0] == ("http://a.example/", "http://b.example/")
    assert len(linkglot.Rules(files=[str(tmp_path / "rules")])) == 1
