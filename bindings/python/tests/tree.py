"""A tree of documents in many charsets and formats, with mail, for tests that compare with the command line."""

from __future__ import annotations

import base64
import gzip
import quopri
import random
from pathlib import Path

#: Charsets by label, with Python's name of each, and words that the charset can hold.
CHARSETS = [
    ("utf-8", "utf-8", "naïve 例え слово"),
    ("windows-1252", "cp1252", "café über señor"),
    ("windows-1251", "cp1251", "слово дом"),
    ("koi8-r", "koi8-r", "слово мир"),
    ("iso-8859-2", "iso8859-2", "źródło příklad"),
    ("windows-1253", "cp1253", "λόγος"),
    ("windows-1255", "cp1255", "שלום"),
    ("windows-1256", "cp1256", "سلام"),
    ("shift_jis", "shift_jis", "日本語 テスト"),
    ("euc-jp", "euc-jp", "日本語 道"),
    ("iso-2022-jp", "iso2022-jp", "日本語 路"),
    ("gb18030", "gb18030", "中文 例子"),
    ("big5", "big5", "中文 道路"),
    ("euc-kr", "euc-kr", "한국어"),
    ("utf-16le", "utf-16", "слово 例"),
]


def page(rng: random.Random, label: str, words: str, length: int) -> str:
    """A page of about ``length`` characters."""
    word = rng.choice(words.split())
    meta = "" if label.startswith("utf-16") else f"<meta charset={label}>"
    parts = [f"<!doctype html>{meta}<title>{word}</title>\r\n"]
    held = len(parts[0])
    while held < length:
        word = rng.choice(words.split())
        parts.append(
            f"<p>{words} <a href='/{word}?q={word}&amp;n={rng.randrange(99)}'>{word}</a> "
            f'<img srcset="/{word}.png 1x, b.png 2x"> http://old.example/{word}/{rng.randrange(99)} and so on.\r\n'
        )
        held += len(parts[-1])
    return "".join(parts)


def text(rng: random.Random, words: str, length: int) -> str:
    parts: list[str] = []
    written = 0
    while written < length:
        word = rng.choice(words.split())
        parts.append(
            f"{words}: see http://old.example/{word}, (www.example.org/{word}) or {rng.randrange(99)}@example.org.\n"
        )
        written += len(parts[-1])
    return "".join(parts)


def message(rng: random.Random, label: str, codec: str, words: str, length: int) -> bytes:
    """A message with a text in quoted-printable and a page in base64."""
    plain = quopri.encodestring(text(rng, words, length // 2).encode(codec))
    html = base64.encodebytes(page(rng, label, words, length // 2).encode(codec))
    head = f"From: a@b.example\nSubject: {rng.random()}\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=bb\n\n"
    return b"".join(
        [
            head.encode(),
            f"--bb\nContent-Type: text/plain; charset={label}\nContent-Transfer-Encoding: quoted-printable\n\n".encode(),
            plain,
            f"\n--bb\nContent-Type: text/html; charset={label}\nContent-Transfer-Encoding: base64\n\n".encode(),
            html,
            b"--bb--\n",
        ]
    )


def mailbox(rng: random.Random, messages: int, length: int = 800) -> bytes:
    parts = []
    for _ in range(messages):
        label, codec, words = rng.choice(CHARSETS[:14])
        parts.append(b"From a@b.example Mon Jan  1 00:00:00 2024\n" + message(rng, label, codec, words, length) + b"\n")
    return b"".join(parts)


def document(rng: random.Random, number: int, length: int) -> tuple[str, bytes]:
    """The name and the bytes of a document."""
    label, codec, words = rng.choice(CHARSETS)
    kind = number % 8
    word = rng.choice(words.split())
    if kind < 3:
        return f"p{number}.html", page(rng, label, words, length).encode(codec)
    if kind == 3:
        declared = "utf-16" if label.startswith("utf-16") else label
        xml = f'<?xml version="1.0" encoding="{declared}"?><feed xmlns="http://www.w3.org/2005/Atom">'
        xml += f"<entry><link href='http://old.example/{word}'/><title>{words}</title></entry>" * max(length // 90, 1)
        return f"f{number}.atom", (xml + "</feed>").encode(codec)
    if kind == 4:
        return f"m{number}.eml", message(rng, *CHARSETS[number % 14], length)
    if kind == 5:
        lines = f"- [{words}](http://old.example/{word} 'x') and <http://old.example/{word}>.\n" * max(length // 80, 1)
        return f"n{number}.md", lines.encode("utf-8")
    if kind == 6:
        return f"b{number}.mbox", mailbox(rng, 1 + length // 1000)
    return f"t{number}.txt", text(rng, CHARSETS[0][2], length).encode("utf-8")


def make(root: Path, count: int, length: int = 1500, seed: int = 7) -> None:
    """Makes a tree of ``count`` documents, and a few files that are not documents, or cannot be read."""
    rng = random.Random(seed)
    for number in range(count):
        name, content = document(rng, number, rng.randrange(length // 2, length * 2))
        directory = root / f"d{number % 17}" / ("sub dir" if number % 3 else "ünter")
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(content)
    (root / ".hidden.html").write_text("<a href='/é'>", encoding="utf-8")
    (root / "_x.html").write_text("<a href='/é'>", encoding="utf-8")
    (root / "empty.txt").write_bytes(b"")
    (root / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR http://old.example/")
    (root / "unknown.html").write_bytes(b"<meta charset=x-nobody-knows><a href='/\xe9'>")
    (root / "empty directory").mkdir(exist_ok=True)
    (root / ".git").mkdir(exist_ok=True)
    (root / ".git" / "a.html").write_text("<a href='/é'>", encoding="utf-8")
    link = root / "link.html"
    if not link.is_symlink():
        link.symlink_to("_x.html")


def archive(rng: random.Random, count: int, compressed: bool) -> bytes:
    """An archive of the web, WARC, with a member for each record if it is compressed."""
    records = []
    for number in range(count):
        words = " ".join(f"{rng.getrandbits(40):x}" for _ in range(rng.randrange(10, 900)))
        page = (
            f"<meta charset=koi8-r><a href='http://old.example/\u0444/{number}'>x</a> {words} <a href=y>y</a>".encode(
                "koi8-r"
            )
        )
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: </next>\r\n\r\n" + page
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{rng.getrandbits(64)}>\r\n"
            f"WARC-Target-URI: http://site.example/{number}/\r\nWARC-Date: 2001-02-03T04:05:06Z\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        record = head.encode() + block + b"\r\n\r\n"
        records.append(gzip.compress(record, 1) if compressed else record)
    return b"".join(records)
