"""`linkglot.find_files` and `linkglot.rewrite_files`: the driver of the command line, used from Python."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

import linkglot

OLD = b"<a href='http://old.example/\xc3\xa9'>"
NEW = b"<a href='http://new.example/\xc3\xa9'>"
RULES = {"http://old.example/": "http://new.example/"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    (site / ".git").mkdir()
    (site / "a.html").write_bytes(OLD)
    (site / "sub" / "ü b.html").write_bytes(OLD)
    (site / "c.txt").write_text("http://other.example/")
    (site / ".hidden.html").write_bytes(OLD)
    (site / ".git" / "x.html").write_bytes(OLD)
    (site / "bad.html").write_bytes(b"<meta charset=x-nobody>" + OLD)
    (site / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    return site


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def names(paths: Any, **options: Any) -> list[str]:
    return [result.path.name for result in linkglot.find_files(paths, **options) if result.skipped is None]


def test_all_files_below_a_directory(site: Path) -> None:
    results = list(linkglot.find_files(site))
    assert {result.path.relative_to(site).as_posix() for result in results} == {
        ".git", ".hidden.html", "a.html", "bad.html", "c.txt", "p.png", "sub/ü b.html"
    }  # fmt: skip
    by_name = {result.path.name: result for result in results}
    page = by_name["ü b.html"]
    assert [link.text for link in page.links] == ["http://old.example/é"]
    assert (page.found, page.format, page.charset, page.errors, page.skipped) == (1, "html", "UTF-8", (), None)
    assert OLD[page.links[0].start : page.links[0].end] == b"http://old.example/\xc3\xa9"
    assert {name: result.skipped for name, result in by_name.items() if result.skipped} == {
        ".git": "version-control",
        "p.png": "binary",
    }
    [error] = by_name["bad.html"].errors
    assert (error.kind, error.path) == ("unknown-charset", str(site / "bad.html"))


@pytest.mark.parametrize("name", ["-", Path("-"), b"-"])
def test_a_dash_is_a_file(name: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("http://a.example/é")
    [result] = linkglot.find_files(name)
    assert (result.path, [link.text for link in result.links]) == (Path("-"), ["http://a.example/é"])
    assert linkglot.rewrite_files([name], to="uri", in_place=True, journal=False).changed == 1
    assert Path("-").read_text() == "http://a.example/%C3%A9"


def test_paths_may_be_several_and_of_any_kind(site: Path) -> None:
    assert names(str(site / "a.html")) == ["a.html"]
    assert names([site / "c.txt", str(site / "a.html")]) == ["c.txt", "a.html"]
    assert names([]) == []
    [missing] = linkglot.find_files(site / "none")
    assert missing.errors[0].kind == "io"
    for paths in (3, [3]):
        with pytest.raises(TypeError):
            linkglot.find_files(paths)  # type: ignore[arg-type]


def test_which_files(site: Path) -> None:
    (site / ".gitignore").write_text("c.txt\n")
    assert names(site, glob="*.txt") == ["c.txt"]
    assert names(site, glob=["*.html", "!a.*"]) == [".hidden.html", "bad.html", "ü b.html"]
    assert names(site, types="text") == names(site, types=["text"]) == ["c.txt"]
    assert ".hidden.html" not in names(site, hidden=False)
    assert "c.txt" not in names(site, gitignore=True)
    with pytest.raises(ValueError, match="^types: expected some of html"):
        linkglot.find_files(site, types="exe")
    with pytest.raises(linkglot.Error, match="glob"):
        linkglot.find_files(site, glob="[")


def test_ignored_files_of_a_work_tree_are_left(site: Path, tmp_path: Path) -> None:
    (site / ".gitignore").write_text("a.html\n")

    def changed(**options: Any) -> bool:
        run = linkglot.rewrite_files(site, rules=RULES, **options)
        return site / "a.html" in [file.path for file in run.files]

    assert not changed()
    assert linkglot.rewrite_files(site, rules=RULES).skipped["ignored"] == 1
    assert changed(gitignore=False)
    assert changed(output=tmp_path / "out")
    assert "a.html" in names(site)
    # Without a work tree the file is one of no repository.
    shutil.rmtree(site / ".git")
    assert changed()


@pytest.mark.parametrize("option", ["glob", "types", "hidden", "gitignore", "follow", "threads"])
def test_none_is_the_default(site: Path, option: str) -> None:
    assert names(site, **{option: None}) == names(site)


def test_symbolic_links_are_followed_when_asked(site: Path, tmp_path: Path) -> None:
    (tmp_path / "real.html").write_bytes(OLD)
    (site / "link.html").symlink_to(tmp_path / "real.html")
    assert "link.html" not in names(site)
    assert "link.html" in names(site, follow=True)
    [result] = linkglot.rewrite_files(site / "link.html", rules=RULES, in_place=True).files
    assert "follow=True" in str(result.errors[0]), result.errors
    linkglot.rewrite_files(site, rules=RULES, in_place=True)
    assert (tmp_path / "real.html").read_bytes() == OLD
    linkglot.rewrite_files(site, rules=RULES, in_place=True, follow=True)
    assert (tmp_path / "real.html").read_bytes() == NEW
    assert (site / "link.html").is_symlink()


def test_the_base_of_a_directory_is_that_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "é.html").write_text("<a href=c>")
    [result] = linkglot.find_files(tmp_path, base="http://example.org/x/")
    assert result.links[0].resolved == "http://example.org/x/sub/c"


def test_files_of_an_iterator_that_is_closed_end(site: Path) -> None:
    with linkglot.find_files([os.fsencode(site)]) as files:
        assert next(files).path.parent == site
    assert list(files) == []


@pytest.mark.parametrize("suffix", ["", "/x"])
def test_backups_need_a_name(site: Path, suffix: str) -> None:
    with pytest.raises(ValueError, match="backup: expected the end of a file name"):
        linkglot.rewrite_files(site, rules=RULES, in_place=True, backup=suffix)
    assert (site / "a.html").read_bytes() == OLD


@pytest.mark.parametrize("threads", [-1, 10**6, "many"])
def test_threads_have_a_limit(site: Path, threads: Any) -> None:
    with pytest.raises(ValueError, match="threads: expected a number from 0 to 1024"):
        linkglot.find_files(site, threads=threads)


def test_any_number_of_threads_gives_the_same(site: Path) -> None:
    for number in range(50):
        (site / f"{number}.html").write_bytes(OLD * number)
    one, many = (list(linkglot.find_files(site, threads=threads)) for threads in (1, 4))
    assert [(result.path, result.links) for result in one] == [(result.path, result.links) for result in many]


def test_an_iterator_may_be_left(tmp_path: Path) -> None:
    for number in range(500):
        (tmp_path / f"{number}.html").write_bytes(OLD)
    results = linkglot.find_files(tmp_path)
    assert iter(results) is results
    assert next(results).found == 1
    del results


def test_without_a_place_nothing_is_written(site: Path) -> None:
    before = tree(site)
    run = linkglot.rewrite_files(site, rules=RULES, links=True)
    assert tree(site) == before
    assert (run.read, run.found, run.changed, run.left, run.files_changed, run.journal) == (5, 4, 3, 0, 3, None)
    assert run.skipped == {"binary": 1, "version-control": 1}
    assert run.matched == {0: 3}
    assert [result.path.name for result in run] == [".hidden.html", "a.html", "bad.html", "ü b.html"]
    assert [[change.new for change in result.links] for result in run.files] == [
        ["http://new.example/é"], ["http://new.example/é"], [], ["http://new.example/é"]
    ]  # fmt: skip
    assert linkglot.rewrite_files(site, rules=RULES).files[0].links == ()


def test_an_output_tree_has_every_file(site: Path, tmp_path: Path) -> None:
    before = tree(site)
    run = linkglot.rewrite_files(site, rules=RULES, output=tmp_path / "out")
    assert tree(site) == before
    expected = {name: content for name, content in before.items() if not name.startswith(".git/")}
    for name in ("a.html", "sub/ü b.html", ".hidden.html"):
        expected[name] = NEW
    assert tree(tmp_path / "out") == expected
    assert run.journal is None
    with pytest.raises(linkglot.Error, match="output"):
        linkglot.rewrite_files(site, rules=RULES, output=site)


def test_links_of_an_archive_that_fails_do_not_count(tmp_path: Path) -> None:
    """The archive is cut off behind its first page."""
    pages = io.BytesIO()
    with tarfile.open(fileobj=pages, mode="w") as archive:
        for name in ("a.html", "b.html"):
            entry = tarfile.TarInfo(name)
            entry.size = len(OLD)
            archive.addfile(entry, io.BytesIO(OLD))
    cut = pages.getvalue()[: 3 * 512 + 8]
    (tmp_path / "cut.tar").write_bytes(cut)
    (tmp_path / "a.html").write_bytes(OLD)
    run = linkglot.rewrite_files(tmp_path, rules=RULES, in_place=True)
    assert (run.found, run.changed, run.files_changed) == (2, 1, 1)
    assert (tmp_path / "cut.tar").read_bytes() == cut


def test_heads_of_tables_stay(tmp_path: Path) -> None:
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    strings = f"<sst xmlns='{namespace}'><si><t>http://old.example/a</t></si><si><t>http://old.example/b</t></si></sst>"
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as book:
        book.writestr("xl/sharedStrings.xml", strings)
        book.writestr("xl/tables/table1.xml", f"<tableColumn xmlns='{namespace}' name='http://old.example/a'/>")
    run = linkglot.rewrite_files(tmp_path, rules=RULES, in_place=True)
    assert (run.changed, run.left) == (1, 1)
    with zipfile.ZipFile(tmp_path / "a.xlsx") as book:
        moved = book.read("xl/sharedStrings.xml").decode()
    assert moved == strings.replace("http://old.example/b", "http://new.example/b")


def test_in_place_and_back(site: Path, state_home: Path) -> None:
    before = tree(site)
    (site / "a.html").chmod(0o640)
    run = linkglot.rewrite_files(site, rules=RULES, in_place=True)
    assert (site / "a.html").read_bytes() == (site / "sub" / "ü b.html").read_bytes() == NEW
    assert stat.S_IMODE((site / "a.html").stat().st_mode) == 0o640
    assert run.changed == 3
    assert run.journal is not None
    assert list((state_home / "linkglot").rglob(f"{run.journal}*"))
    assert linkglot.rewrite_files(site, rules=RULES, in_place=True).changed == 0
    restored = linkglot.undo(run.journal)
    assert tree(site) == before
    assert {result.path.name for result in restored if not result.errors} == {".hidden.html", "a.html", "ü b.html"}
    with pytest.raises(linkglot.Error):
        linkglot.undo("none")


def test_undo_keeps_what_changed_since(site: Path) -> None:
    run = linkglot.rewrite_files(site / "a.html", rules=RULES, in_place=True)
    assert run.journal is not None
    (site / "a.html").write_bytes(NEW + b"mine")
    [result] = linkglot.undo(run.journal)
    assert [str(error) for error in result.errors] == [
        "the file changed after the run; force=True undoes the run's changes in it"
    ]
    assert (site / "a.html").read_bytes() == NEW + b"mine"
    linkglot.undo(run.journal, force=True)
    assert (site / "a.html").read_bytes() == OLD + b"mine"


def test_the_command_line_takes_a_run_back(site: Path, program: str) -> None:
    before = tree(site)
    run = linkglot.rewrite_files(site, rules=RULES, in_place=True)
    assert tree(site) != before
    assert run.journal is not None
    subprocess.run([program, "undo", run.journal], check=True, capture_output=True)
    assert tree(site) == before


def test_a_journal_at_a_path_or_none(site: Path, tmp_path: Path, state_home: Path) -> None:
    run = linkglot.rewrite_files(site / "a.html", rules=RULES, in_place=True, journal=tmp_path / "journal")
    assert run.journal is not None
    assert (tmp_path / "journal").exists()
    # The list of runs leads to the journal.
    entries = list(state_home.rglob("*.jsonl"))
    assert [entry.resolve() for entry in entries] == [tmp_path / "journal"]
    linkglot.undo(tmp_path / "journal")
    assert (site / "a.html").read_bytes() == OLD
    assert linkglot.rewrite_files(site / "a.html", rules=RULES, in_place=True, journal=False).journal is None
    assert list(state_home.rglob("*.jsonl")) == entries
    for wrong in ({"journal": True}, {"backup": "~"}, {"in_place": True, "output": "out"}):
        with pytest.raises(ValueError, match="in_place=True"):
            linkglot.rewrite_files(site, rules=RULES, **wrong)  # type: ignore[arg-type]


def test_journals_of_others_are_not_obeyed(site: Path, state_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(site)
    journal = site.parent / "journal"
    linkglot.rewrite_files(site, rules=RULES, in_place=True, journal=journal)
    (state_home / "linkglot" / "journal.key").write_bytes(b"k" * 32)
    changed = tree(site)
    with pytest.raises(linkglot.Error, match="expected a journal of your own"):
        linkglot.undo(journal)
    # Files elsewhere cannot be reached.
    monkeypatch.chdir(state_home)
    assert all(result.errors for result in linkglot.undo(journal, trust=True))
    assert tree(site) == changed
    monkeypatch.chdir(site)
    assert not any(result.errors for result in linkglot.undo(journal, trust=True))
    assert tree(site) == before


def test_backups(site: Path) -> None:
    linkglot.rewrite_files(site / "a.html", rules=RULES, in_place=True, backup="~")
    assert (site / "a.html~").read_bytes() == OLD
    assert (site / "a.html").read_bytes() == NEW
    assert "a.html~" in names(site)


def test_hard_links_stay_one_file(site: Path) -> None:
    (site / "z.html").hardlink_to(site / "a.html")
    run = linkglot.rewrite_files(site, rules=RULES, in_place=True, backup="~")
    assert (site / "z.html").read_bytes() == NEW
    assert (site / "z.html").samefile(site / "a.html")
    assert run.skipped.get("named-twice") == 1
    assert run.journal is not None
    linkglot.undo(run.journal)
    assert (site / "z.html").read_bytes() == OLD
    assert (site / "z.html").samefile(site / "a.html")
    assert not (site / "a.html~").samefile(site / "a.html")


def test_names_outside_of_the_run_are_told_of(site: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.html").hardlink_to(site / "a.html")
    run = linkglot.rewrite_files(site, rules=RULES, in_place=True, journal=False)
    told = {file.path.name: file.messages for file in run.files if file.messages}
    assert list(told) == ["a.html"]
    assert "2 names (hard links); 1 of them" in told["a.html"][0]


def test_a_file_that_cannot_be_replaced_stops_nothing(site: Path, tmp_path: Path) -> None:
    (site / "b.html").write_bytes(OLD)
    (site / "b.html~").write_bytes(b"taken")
    run = linkglot.rewrite_files(site, rules=RULES, in_place=True, backup="~")
    [failed] = [result for result in run if result.path.name == "b.html"]
    assert failed.errors
    assert (site / "b.html").read_bytes() == OLD
    assert (site / "sub" / "ü b.html").read_bytes() == NEW


def test_another_charset(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(b"<meta charset=koi8-r><a href='/\xd0?q=\xd0'>")
    run = linkglot.rewrite_files(page, to_charset="utf-8", in_place=True)
    assert page.read_bytes() == "<meta charset=UTF-8><a href='/п?q=%D0'>".encode()
    assert run.files_changed == 1


def test_faulty_rules_write_nothing(site: Path) -> None:
    before = tree(site)
    with pytest.raises(linkglot.Error, match="glue"):
        linkglot.rewrite_files(site, rules=["http://old.example/a/ http://new.example"], in_place=True)
    assert tree(site) == before


def test_an_interrupted_run_is_told_of(site: Path, program: str) -> None:
    code = "import sys, linkglot; linkglot.rewrite_files(sys.argv[1], rules={'http://old.example/': 'http://new.example/'}, in_place=True)"
    for number in range(3000):
        (site / f"{number}.html").write_bytes(OLD)
    running = subprocess.Popen([sys.executable, "-c", code, str(site)])
    _wait_for(lambda: (site / "0.html").read_bytes() == NEW)
    running.kill()
    running.wait()
    assert {path.read_bytes() for path in site.glob("[0-9]*.html")} == {OLD, NEW}
    with pytest.warns(linkglot.RunWarning, match="interrupted"):
        linkglot.rewrite_files(site, rules=RULES, in_place=True)
    assert {path.read_bytes() for path in site.glob("[0-9]*.html")} == {NEW}


@pytest.mark.parametrize("what", ["find", "rewrite"])
def test_an_interrupt_at_the_keyboard_ends_the_work(site: Path, what: str) -> None:
    code = {
        "find": "for result in linkglot.find_files(sys.argv[1]): print('go', flush=True); time.sleep(0.01)",
        "rewrite": "print('go', flush=True); linkglot.rewrite_files(sys.argv[1], rules=sys.argv[2], in_place=True)",
    }[what]
    code = f"import sys, time, linkglot\ntry:\n    {code}\nexcept KeyboardInterrupt:\n    sys.exit(130)\n"
    for number in range(3000):
        (site / f"{number}.html").write_bytes(OLD)
    rules = " ".join(*RULES.items())
    with subprocess.Popen([sys.executable, "-c", code, str(site), rules], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        if what == "rewrite":
            _wait_for(lambda: (site / "0.html").read_bytes() == NEW)
        running.send_signal(signal.SIGINT)
        running.stdout.read()
        assert running.wait(timeout=60) == 130
    assert {path.read_bytes() for path in site.glob("[0-9]*.html")} <= {OLD, NEW}
    assert not [path for path in site.iterdir() if path.name.endswith(".tmp")]
    assert len(list(site.iterdir())) == 3007


def _wait_for(condition: Any) -> None:
    for _ in range(6000):
        with contextlib.suppress(OSError):
            if condition():
                return
        time.sleep(0.005)
    pytest.fail("nothing happened for half a minute")


def test_paths_that_are_not_unicode(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\xe9.html")
    (tmp_path / name).write_bytes(OLD)
    [result] = linkglot.find_files(tmp_path)
    assert result.path.name == name
    assert linkglot.rewrite_files(tmp_path, rules=RULES, in_place=True).changed == 1
    assert (tmp_path / name).read_bytes() == NEW


def test_repr(site: Path) -> None:
    run = linkglot.rewrite_files(site, rules=RULES)
    assert repr(run) == "<linkglot.Run: 3 links changed in 3 of 5 files, 0 left>"
    assert repr(run.files[1]) == f"<linkglot.FileResult {site / 'a.html'}: 1 links, 1 changed, 0 left>"
