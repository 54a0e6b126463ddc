"""The documents of `.ci/faults`, and the properties of a tree that must stay: contents, modes, times, hard links."""

import hashlib
import os
import pathlib
import shutil

CORPORA = pathlib.Path(__file__).resolve().parent.parent / "corpora"
OLD = 1_000_000_000

# The place of each document of the corpora. Names sort in the order of the walk.
DOCUMENTS = [
    ("a/bbs.html", "ja/bbs-sjis.html"),
    ("a/export.html", "ja/export-utf16be.html"),
    ("a/feed.rss", "ja/feed-eucjp.rss"),
    ("a/news.html", "ja/news-utf8.html"),
    ("b/c/island.html", "el/island-8859-7.html"),
    ("b/c/shop.html", "ru/shop-1251.html"),
    ("b/letter.txt", "uk/letter-utf8.txt"),
    ("b/mail.txt", "ru/mail-1251.txt"),
    ("courriel.txt", "fr/courriel-1252.txt"),
    ("guestbook.html", "ru/guestbook-koi8r.html"),
]
JOINED = [("b/letter.txt", "a/joined.txt"), ("b/letter.txt", "z/joined.txt"), ("a/news.html", "b/c/news.html")]
UNCHANGED = "b/unchanged.html"
READ_ONLY = "a/feed.rss"
LARGE = "x/large.html"
LARGE_SIZE = 9 << 20


def plant(tree):
    """Writes the documents, with modes and old times of their own."""
    for name, source in DOCUMENTS:
        write(tree / name, (CORPORA / source).read_bytes())
    write(tree / UNCHANGED, b"<p><a href='/plain'>nothing to change</a>\n")
    write(tree / LARGE, large())
    for first, other in JOINED:
        (tree / other).parent.mkdir(exist_ok=True)
        os.link(tree / first, tree / other)
    for number, path in enumerate(sorted(files(tree))):
        os.chmod(path, 0o444 if path == tree / READ_ONLY else 0o600 | number % 8)
        os.utime(path, ns=(OLD * 10**9, (OLD + number) * 10**9 + 123_456_789))


def plant_many(tree, count):
    """Many small documents, in directories of a hundred."""
    page = (CORPORA / "ja/news-utf8.html").read_bytes()
    for number in range(count):
        path = tree / f"{number // 100:03}" / f"{number:05}.html"
        write(path, page + b"<!-- %d -->\n" % number)
        os.utime(path, (OLD, OLD + number))


def large():
    """A document that is not held in memory as a whole, with a link here and there."""
    prose = b"So it was said, and nobody asked what for; the rest is in the old papers of the house.\n" * 3000
    page = b"<p>" + prose + "<a href='http://example.org/\u00e9'>there</a>\n".encode()
    return page * (LARGE_SIZE // len(page) + 1)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def files(tree):
    return [path for path in pathlib.Path(tree).rglob("*") if path.is_file() and not path.is_symlink()]


def is_temporary(path):
    return path.name.startswith(".linkglot-") and path.name.endswith(".tmp")


def temporaries(tree):
    return [path for path in files(tree) if is_temporary(path)]


def snapshot(tree):
    """Content, mode and time of each file."""
    return {str(path.relative_to(tree)): entry(path) for path in files(tree) if not is_temporary(path)}


def entry(path):
    found = path.stat()
    return hashlib.blake2b(path.read_bytes()).hexdigest(), found.st_mode, found.st_mtime_ns


def links(tree):
    """The sets of names that belong to the same file."""
    names = {}
    for path in files(tree):
        if not is_temporary(path):
            names.setdefault(path.stat().st_ino, set()).add(str(path.relative_to(tree)))
    return {frozenset(some) for some in names.values()}


def copy(source, target):
    """Copies a tree with its modes, times and hard links."""
    shutil.rmtree(target, ignore_errors=True)
    os.system(f"cp -a '{source}' '{target}'")
