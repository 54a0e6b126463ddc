"""linkglot against other packages, side by side, and the cost of a call: python benches/compare.py

Build with `maturin develop --release` first; `pip install linkify-it-py urlextract selectolax lxml` installs the
others. Contenders take turns, so that other load of the machine affects all of them; medians of the rounds are printed.
"""

from __future__ import annotations

import email
import email.policy
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import lxml.html
from linkify_it import LinkifyIt
from selectolax.lexbor import LexborHTMLParser
from urlextract import URLExtract

import linkglot

ROOT = Path(__file__).resolve().parents[3]
ROUNDS = 15
Work = Callable[[], object]


def race(contenders: dict[str, Work], seconds: float = 0.05) -> dict[str, float]:
    """Seconds per call."""
    calls = {name: max(1, int(seconds / max(_time(work, 1), 1e-7))) for name, work in contenders.items()}
    rounds = [{name: _time(work, calls[name]) for name, work in contenders.items()} for _ in range(ROUNDS)]
    return {name: statistics.median(times[name] for times in rounds) for name in contenders}


def _time(work: Work, calls: int) -> float:
    begun = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - begun) / calls


SHORT = {
    "ASCII": "Hello Bob,\n\nthe agenda is at https://www.example.org/agenda/?id=31 as always, and the room is the same as last "
    "time. Could you bring the key, please? Anna wants to look at the archive. See you then,\nAnn\n",
    "beyond ASCII": "Grüße,\n\ndas Programm steht auf https://www.example.org/größe/?id=31 wie immer, und der Raum ist derselbe. "
    "Könntest Du den Schlüssel mitbringen? Anna möchte ins Archiv sehen. Bis dann,\nAnn\n",
}


def engine(messages: list[bytes]) -> list[tuple[float, float]]:
    """Microseconds that the library takes for each message in Rust: to find, and to rewrite."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, str(number)) for number in range(len(messages))]
        for path, message in zip(paths, messages, strict=True):
            path.write_bytes(message)
        command = ["cargo", "run", "-q", "--release", "--example", "engine", "--", *map(str, paths)]
        printed = subprocess.run(
            command, cwd=ROOT / "bindings/python", check=True, capture_output=True, text=True
        ).stdout
    rows = (line.split() for line in printed.splitlines())
    return [(int(find) / 1000, int(rewrite) / 1000) for find, rewrite in rows]


def calls() -> None:
    print("\n| message of 200 bytes | engine, µs | from Python, µs | beyond the engine, µs |\n|---|---|---|---|")
    texts = {name: text[:200] for name, text in SHORT.items()}
    own = engine([text.encode() for text in texts.values()])
    for (name, text), (find, rewrite) in zip(texts.items(), own, strict=True):
        data = text.encode()
        times = race(
            {
                "find, bytes": lambda data=data: linkglot.find(data),  # type: ignore[misc]
                "find, str": lambda text=text: linkglot.find(text),  # type: ignore[misc]
                "find, charset=...": lambda data=data: linkglot.find(data, charset="utf-8"),  # type: ignore[misc]
                "rewrite to uri, bytes": lambda data=data: linkglot.rewrite(data, to="uri"),  # type: ignore[misc]
                "rewrite to uri, str": lambda text=text: linkglot.rewrite(text, to="uri"),  # type: ignore[misc]
            }
        )
        for what, seconds in times.items():
            alone = rewrite if what.startswith("rewrite") else find
            taken = seconds * 1e6
            print(f"| {name}: {what} | {alone:.2f} | {taken:.2f} | {taken - alone:.2f} |")


def mail() -> None:
    """Text of messages in the form that the other packages read: decoded, in str."""
    texts = [_text(path.read_bytes()) for path in sorted((ROOT / "corpora").glob("*/*.eml"))]
    generated = [_generated(length, seed) for seed in range(4) for length in (600, 2_000, 5_000, 12_000)]
    linkify = LinkifyIt()
    extract = URLExtract()
    print("\n| mail | linkglot, µs | linkify-it-py | urlextract |\n|---|---|---|---|")
    for name, messages in {"messages of the corpora": texts, "generated messages": generated}.items():
        times = race(
            {
                "linkglot": lambda messages=messages: [linkglot.find(text) for text in messages],  # type: ignore[misc]
                "linkify-it-py": lambda messages=messages: [linkify.match(text) for text in messages],  # type: ignore[misc]
                "urlextract": lambda messages=messages: [extract.find_urls(text) for text in messages],  # type: ignore[misc]
            }
        )
        _row(f"{name} ({sum(map(len, messages))} characters)", times)


def _text(message: bytes) -> str:
    body = email.message_from_bytes(message, policy=email.policy.default).get_body(("plain", "html"))
    return body.get_content() if body is not None else ""


def _generated(length: int, seed: int) -> str:
    words = ["the", "agenda", "of", "our", "meeting", "in", "March", "is", "attached"]
    text, at = "", seed
    while len(text) < length:
        for _ in range(11):
            text += words[at % len(words)] + " "
            at = (at * 31 + 7) >> 1 & 0xFFFFFFFF
        if at % 3 == 0:
            text += f"https://www.example.org/{at % 97}/?id={at}"
        text += "\n"
    return text


def html() -> None:
    """Pages in bytes. The other packages get the charset for decoding, and encode the result."""
    corpora = [path.read_bytes() for path in sorted((ROOT / "corpora").glob("??/*.html"))]
    row = (
        "<tr><td class=cell><a href='/übersicht/{0}.html' title='Seite {0}'>Seite {0}</a>"
        "<td><img src='/bilder/{0}.png' alt=''><td>{1}\n"
    )
    words = _generated(300, 1).replace("https://www.example.org/", "")
    page = "<!DOCTYPE html><meta charset=utf-8><title>Übersicht</title><table>" + "".join(
        row.format(number, words) for number in range(120)
    )
    for name, pages in {"pages of the corpora": corpora, "a generated page": [page.encode()]}.items():
        charsets = [linkglot.rewrite(page, format="html").charset for page in pages]
        known = [(page, charset) for page, charset in zip(pages, charsets, strict=True) if _can_read(page, charset)]
        size, count = (
            sum(len(page) for page, _ in known),
            sum(len(linkglot.find(page, format="html")) for page, _ in known),
        )
        print(
            f"\n| {name} ({len(known)}, {size} bytes, {count} links) | linkglot, µs | selectolax | lxml |\n|---|---|---|---|"
        )
        times = race(
            {
                "linkglot": lambda known=known: [linkglot.find(page, format="html") for page, _ in known],  # type: ignore[misc]
                "selectolax": lambda known=known: [_of_selectolax(page.decode(charset)) for page, charset in known],  # type: ignore[misc]
                "lxml": lambda known=known: [_of_lxml(page.decode(charset)) for page, charset in known],  # type: ignore[misc]
            }
        )
        _row("finding links", times)
        times = race(
            {
                "linkglot": lambda known=known: [linkglot.rewrite(page, to="uri", format="html") for page, _ in known],  # type: ignore[misc]
                "selectolax": lambda known=known: [
                    _rewritten(page, charset, _of_selectolax) for page, charset in known
                ],  # type: ignore[misc]
                "lxml": lambda known=known: [_rewritten(page, charset, _of_lxml) for page, charset in known],  # type: ignore[misc]
            }
        )
        _row("rewriting them to URIs", times)


def _can_read(page: bytes, charset: str) -> bool:
    """True if Python's codec of this name agrees with browsers."""
    try:
        return page.decode(charset).encode(charset) == page
    except (LookupError, UnicodeError):
        return False


def _rewritten(page: bytes, charset: str, links: Callable[[str], list[str]]) -> bytes:
    text = page.decode(charset)
    return _spliced(text, links(text)).encode(charset)


ATTRIBUTES = ("href", "src", "background", "action", "cite", "data", "longdesc", "usemap")
SELECTOR = ",".join(f"[{name}]" for name in ATTRIBUTES)


def _of_selectolax(page: str) -> list[str]:
    links = []
    for node in LexborHTMLParser(page).css(SELECTOR):
        attributes = node.attributes
        links += [value for name in ATTRIBUTES if (value := attributes.get(name))]
    return links


def _of_lxml(page: str) -> list[str]:
    return [link for _, _, link, _ in lxml.html.fromstring(page).iterlinks()]


def _spliced(page: str, links: list[str]) -> str:
    """The page with characters beyond ASCII in its links percent-encoded: the search for each link begins after the one
    before."""
    pieces, at = [], 0
    for link in links:
        found = page.find(link, at)
        if found >= 0:
            pieces += [page[at:found], quote(link, safe="%/:=&?~#+!$,;'@()*[]")]
            at = found + len(link)
    return "".join([*pieces, page[at:]])


def _row(name: str, times: dict[str, float]) -> None:
    own = times["linkglot"]
    others = [
        f"{seconds * 1e6:.0f} ({seconds / own:.1f} times)" for other, seconds in times.items() if other != "linkglot"
    ]
    print(f"| {name} | {own * 1e6:.0f} | {' | '.join(others)} |")


if __name__ == "__main__":
    calls()
    mail()
    html()
