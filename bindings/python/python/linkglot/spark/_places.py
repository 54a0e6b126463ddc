"""Files of any file system that pyarrow knows: paths, and writing in a way that nobody sees half a file."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO
from urllib.parse import quote

import pyarrow.fs as pafs

#: Directories that the command line leaves out, too.
VERSION_CONTROL = frozenset([".git", ".hg", ".svn", ".bzr", "CVS"])

#: Spark's names of file systems, with pyarrow's names.
SCHEMES = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}


#: Longer than any file name, in bytes.
MOST_NAME = 1 << 13


class UsageError(Exception):
    """A request that cannot be fulfilled."""


@dataclass(frozen=True)
class File:
    """A file of the input."""

    #: The path in its file system.
    path: str
    #: The path in the form of the command line.
    name: str
    #: The path below the output directory.
    below: str
    size: int
    #: The time of the last change, in nanoseconds.
    mtime: int
    #: The base that results from the path of the file.
    base: str | None = None

    @property
    def key(self) -> tuple[str, int, int]:
        """Identifies an unchanged file."""
        return (self.base64 or self.name, self.size, self.mtime)

    @property
    def base64(self) -> str | None:
        """The bytes of a path that is not Unicode: equal displayed names may belong to several files."""
        raw = os.fsencode(self.path)
        return None if raw == unicode(self.path).encode() else b64encode(raw).decode()


class Store:
    """A file system, with the beginning of its paths."""

    def __init__(self, uri: str) -> None:
        scheme, colon, rest = uri.partition("://")
        if not colon:
            self.fs: pafs.FileSystem = pafs.LocalFileSystem()
            self.root, self.prefix = uri, ""
        else:
            self.fs, self.root = pafs.FileSystem.from_uri(f"{SCHEMES.get(scheme, scheme)}://{rest}")
            self.prefix = uri[: len(uri) - len(rest.rstrip("/"))] if scheme == "file" else f"{scheme}://"
        self.is_local = isinstance(self.fs, pafs.LocalFileSystem)
        if self.is_local:
            self.root = os.path.abspath(self.root) if colon else self.root

    def absolute(self, path: str) -> str:
        """A path that leads to the same file on any worker."""
        return os.path.abspath(path) if self.is_local else path

    def shown(self, path: str) -> str:
        return path if self.is_local else self.prefix + path

    def read(self, path: str) -> bytes:
        if self.is_local:
            with open(path, "rb") as file:
                return file.read()
        with self.fs.open_input_stream(path) as stream:
            return bytes(stream.read())

    def open(self, path: str, start: int = 0) -> BinaryIO:
        """Opens a file for reading, from a byte on."""
        file: BinaryIO = Path(path).open("rb") if self.is_local else self.fs.open_input_file(path)  # noqa: SIM115
        file.seek(start)
        return file

    def exists(self, path: str) -> bool:
        return bool(self.fs.get_file_info(path).type != pafs.FileType.NotFound)

    def names(self, directory: str) -> list[str]:
        """The names of the files in a directory, none if it is missing."""
        selector = pafs.FileSelector(directory, allow_not_found=True)
        return [info.base_name for info in self.fs.get_file_info(selector) if info.is_file]

    def make_directory(self, path: str) -> None:
        self.fs.create_dir(path, recursive=True)

    def remove(self, path: str) -> None:
        if self.exists(path):
            self.fs.delete_file(path)

    def remove_directory(self, path: str) -> None:
        if self.exists(path):
            self.fs.delete_dir(path)


class Replacement:
    """A new file at a place: it appears there when it is complete, and never in part.

    The file is written below ``temporary``, under a name of this attempt, and then renamed. Two attempts at once write
    the same bytes, one after the other. Object stores show a file once it is closed: there it is written in place.
    """

    def __init__(self, store: Store, temporary: str, target: str, attempt: str, like: str | None = None) -> None:
        self.store, self.target = store, target
        #: A local file whose mode and times the new file gets.
        self.like = like
        self.path = f"{temporary}/{attempt}-{abs(hash(target)):x}" if store.is_local else target

    def __enter__(self) -> Replacement:
        self.file: Any
        if self.store.is_local:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            self.file = open(self.path, "wb")
        else:
            self.file = self.store.fs.open_output_stream(self.path)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.file.close()
        if kind is not None:
            self.store.remove(self.path)
        elif self.path != self.target:
            if self.like is not None:
                with suppress(PermissionError):
                    shutil.copystat(self.like, self.path)
            try:
                os.replace(self.path, self.target)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(self.target), exist_ok=True)
                os.replace(self.path, self.target)


def keep_inside(root: str, target: str) -> None:
    """Refuses a symbolic link below the output directory that leads out of it."""
    parent = os.path.realpath(os.path.dirname(target))
    real = os.path.realpath(root)
    if os.path.commonpath([parent, real]) != real:
        raise OSError(errno.EPERM, f"{target} leads out of the output directory")


def unicode(path: str) -> str:
    """A path in the form of tables: bytes that are not UTF-8 are replaced.

    >>> unicode("a\\udcff.html")
    'a\ufffd.html'
    """
    return os.fsencode(path).decode("utf-8", "replace")


@dataclass
class Listing:
    """The input: files, and for local trees directories and symbolic links, which are copied."""

    files: list[File] = field(default_factory=list)
    directories: list[tuple[str, str]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    #: Paths that cannot be read, with the reasons.
    failed: list[tuple[str, str]] = field(default_factory=list)


def listing(inputs: Iterable[str], files_from: str | None, base: str | None) -> Listing:
    """The files of directories, globs and lists, in their order."""
    found = Listing()
    roots = list(inputs)
    lists = [root.removeprefix("@") for root in roots if root.startswith("@") or is_list(root)]
    lists += [files_from] if files_from else []
    roots = [root for root in roots if not root.startswith("@") and root not in lists]
    for root in roots:
        _add_root(found, root, len(roots) == 1 and not lists, base)
    for path in lists:
        for line in Store(path).read(path).split(b"\n"):
            name = os.fsdecode(line.removesuffix(b"\r"))
            if name:
                _add_listed(found, name, base)
    below: dict[str, str] = {}
    for file in found.files:
        other = below.setdefault(file.below, file.path)
        if other != file.path:
            raise UsageError(f"`{other}` and `{file.name}` would both become `{file.below}`")
    # A file that is named twice is read once.
    found.files = list({file.path: file for file in found.files}.values())
    return found


def _add_root(found: Listing, root: str, is_only: bool, base: str | None) -> None:
    store = Store(root)
    if set("*?[") & set(root) and not store.exists(store.root):
        _add_glob(found, root, store, base)
        return
    info = store.fs.get_file_info(store.root.rstrip("/") or "/")
    if info.type == pafs.FileType.NotFound:
        raise UsageError(f"{root}: no such file or directory")
    if info.is_file:
        name = PurePosixPath(store.root).name
        found.files.append(File(store.absolute(store.root), root, name, info.size, info.mtime_ns or 0, base))
        return
    own = "" if is_only else PurePosixPath(store.root.rstrip("/")).name + "/"
    _add_tree(found, store, store.root.rstrip("/") or "/", own, root, base)


def _add_tree(found: Listing, store: Store, top: str, own: str, shown: str, base: str | None) -> None:
    shown = shown if shown.endswith("/") else shown + "/"
    is_directory = base is not None and base.endswith("/") and not set("?#") & set(base)

    def add(path: str, below: str, size: int, mtime: int) -> None:
        own_base = base + quote(below, safe="/~") if base is not None and is_directory else base
        found.files.append(File(store.absolute(path), unicode(shown + below), own + below, size, mtime, own_base))

    if not store.is_local:
        for info in store.fs.get_file_info(pafs.FileSelector(top, recursive=True)):
            below = info.path[len(top.rstrip("/")) + 1 :]
            if info.is_file and not VERSION_CONTROL & set(below.split("/")[:-1]):
                add(info.path, below, info.size, info.mtime_ns or 0)
        return
    if own:
        found.directories.append((top, own.rstrip("/")))
    for path, below, status in _walk(top, "", found.failed):
        if stat.S_ISDIR(status.st_mode):
            found.directories.append((path, own + below))
        elif stat.S_ISLNK(status.st_mode):
            found.links.append((path, own + below))
        elif stat.S_ISREG(status.st_mode):
            add(path, below, status.st_size, status.st_mtime_ns)


def _walk(directory: str, below: str, failed: list[tuple[str, str]]) -> Iterator[tuple[str, str, os.stat_result]]:
    try:
        with os.scandir(directory) as found:
            entries = sorted(found, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        failed.append((unicode(directory), error.strerror or str(error)))
        return
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            failed.append((unicode(entry.path), error.strerror or str(error)))
            continue
        is_directory = stat.S_ISDIR(status.st_mode)
        if is_directory and entry.name in VERSION_CONTROL:
            continue
        yield entry.path, below + entry.name, status
        if is_directory:
            yield from _walk(entry.path, f"{below}{entry.name}/", failed)


def _add_glob(found: Listing, glob: str, store: Store, base: str | None) -> None:
    fixed = re.split(r"[*?\[]", store.root, maxsplit=1)[0]
    top = fixed.rpartition("/")[0] or ("/" if fixed.startswith("/") else ".")
    whole = Listing()
    shown = glob[: len(glob) - len(store.root)] + (fixed.rpartition("/")[0] + "/" if "/" in fixed else "")
    _add_tree(whole, store, top, "", shown or "./", base)
    pattern = glob_pattern(store.root[len(fixed.rpartition("/")[0]) :].lstrip("/"))
    matched = [file for file in whole.files if pattern.fullmatch(file.below)]
    if not matched:
        raise UsageError(f"{glob}: no file matches")
    found.files.extend(matched)


def glob_pattern(glob: str) -> re.Pattern[str]:
    """A glob as a pattern of paths, of files or of directories above them.

    >>> bool(glob_pattern("a/**/*.html").fullmatch("a/b/c/d.html"))
    True
    >>> bool(glob_pattern("20??").fullmatch("2024/a.html")), bool(glob_pattern("*.txt").fullmatch("b/a.txt"))
    (True, False)
    """
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\])", glob)
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}

    def translated(part: str) -> str:
        if part.startswith("[") and part.endswith("]") and len(part) > 2:
            inner = part[1:-1].replace("\\", "\\\\")
            return "[" + ("^" + inner[1:] if inner.startswith("!") else inner) + "]"
        return known.get(part, re.escape(part))

    return re.compile("".join(map(translated, parts)) + "(?:/.*)?", re.DOTALL)


def _add_listed(found: Listing, name: str, base: str | None) -> None:
    store = Store(name)
    info = store.fs.get_file_info(store.root)
    if not info.is_file:
        kind = "nothing" if info.type == pafs.FileType.NotFound else "a directory"
        found.failed.append((unicode(name), f"expected a file, found {kind}"))
        return
    parts = [part for part in store.root.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise UsageError(f"`{name}` would leave the output directory: it contains `..`")
    below = "/".join(parts)
    found.files.append(File(store.absolute(store.root), unicode(name), below, info.size, info.mtime_ns or 0, base))


def is_list(name: str) -> bool:
    """True if a local file is a list of files: each of its lines names a file."""
    if not os.path.isfile(name):
        return False
    count = 0
    with open(name, "rb") as file:
        while line := file.readline(MOST_NAME):
            line = line.rstrip(b"\r\n")
            if b"\0" in line or (line and not os.path.isfile(line)):
                return False
            count += bool(line)
    return count > 0


def keep_apart(inputs: Iterable[str], output: str) -> None:
    """Refuses an output that contains an input, or the reverse: the output would be read."""
    target = Store(output)
    for root in inputs:
        source = Store(root)
        if source.is_local != target.is_local or source.prefix != target.prefix or root.startswith("@"):
            continue
        pair = [source.root, target.root]
        if source.is_local:
            pair = [str(Path(path).resolve()) for path in pair]
        above, below = (path.rstrip("/") + "/" for path in pair)
        if above == below:
            raise UsageError(f"the output directory `{output}` is the input `{root}` itself")
        if below.startswith(above):
            raise UsageError(f"the output directory `{output}` lies inside the input `{root}`")
        if above.startswith(below):
            raise UsageError(f"the input `{root}` lies inside the output directory `{output}`")
