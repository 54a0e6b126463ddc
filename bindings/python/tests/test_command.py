"""The command that comes with the package, against the program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import CORPORA

MODULE = [sys.executable, "-m", "linkglot"]

COMMANDS = [
    (["--version"], b"", 0),
    (["find", "-o", "-"], "http://résumé.example/é\n".encode(), 0),
    (["find", "-"], b"no link\n", 1),
    (["find"], b"", 1),
    (["find", "absent.txt"], b"", 2),
    (["rewrite", "--to", "uri", "--check", "fr/courriel-1252.txt"], b"", 1),
    (["rewrite", "--to", "uri", "fr/courriel-1252.txt"], b"", 0),
    (["find", "--json", "."], b"", 0),
    (["help", "find"], b"", 0),
    (["no-command"], b"", 2),
]


def run(command: list[str], arguments: list[str], stdin: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*command, *arguments], input=stdin, capture_output=True, cwd=CORPORA, check=False)


@pytest.mark.parametrize(("arguments", "stdin", "status"), COMMANDS)
def test_the_module_is_the_program(program: str, arguments: list[str], stdin: bytes, status: int) -> None:
    ran, expected = run(MODULE, arguments, stdin), run([program], arguments, stdin)
    assert ran.returncode == expected.returncode == status
    assert ran.stdout == expected.stdout
    assert ran.stderr == expected.stderr


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).with_name("linkglot")
    ran = run([str(command)], ["convert", "--to", "uri", "http://résumé.example/é"], b"")
    assert ran.stdout == b"http://xn--rsum-bpad.example/%C3%A9\n"


def test_names_that_are_no_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xe9.txt"
    Path(os.fsdecode(name)).write_bytes(b"http://a.example/")
    ran = subprocess.run([*MODULE, "find", "-o", name], capture_output=True, check=False)
    assert ran.stdout == b"http://a.example/\n"


def test_a_reader_that_goes_away() -> None:
    with subprocess.Popen([*MODULE, "find", "."], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=CORPORA) as ran:
        assert ran.stdout
        assert ran.stderr
        assert ran.stdout.read(10)
        ran.stdout.close()
        assert ran.stderr.read() == b""
    assert ran.returncode == 0
