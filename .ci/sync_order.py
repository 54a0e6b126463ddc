"""Power loss, simulated from a log of system calls: data that was not synced is lost.

A log of `strace -f -y` is read call by call. A file that is renamed into its place must be on disk as a whole before,
and so must its record in the journal: whichever prefix of the log a power loss leaves, each file is old or new, and can
be undone.
"""

import os
import re

CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+|\?)(<[^>]*>)?(.*)$")
UNFINISHED = re.compile(r"^(\d+) +(.*) <unfinished \.\.\.>$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$")
FILE = re.compile(r"^\d+<([^>]*)>")
NAMES = re.compile(r'(?:AT_FDCWD|\d+)<([^>]*)>, "((?:[^"\\]|\\.)*)"')

WRITES = {"write", "pwrite64", "writev", "ftruncate", "copy_file_range"}
ATTRIBUTES = {"fchmod", "fchown", "utimensat", "fsetxattr", "fremovexattr"}
RENAMES = {"rename", "renameat", "renameat2"}
LINKS = {"link", "linkat"}


class Call:
    """A system call: its thread, its name, its arguments as logged, and the files that it concerns."""

    def __init__(self, match):
        self.thread, self.name, self.arguments, self.result, self.opened, rest = match.groups()
        self.failed = self.result.startswith("-") or self.result == "?"
        self.injected = "INJECTED" in rest
        held = FILE.match(self.arguments)
        self.file = held.group(1).removesuffix(" (deleted)") if held else None
        named = NAMES.findall(self.arguments)
        self.names = [os.path.normpath(os.path.join(directory, name)) for directory, name in named]

    @property
    def path(self):
        return self.names[-1] if self.names else self.file or ""


def calls(log):
    """The calls of a log in the order in which they ended."""
    begun = {}
    for line in log.splitlines():
        if cut := UNFINISHED.match(line):
            begun[cut.group(1)] = cut.group(0).removesuffix(" <unfinished ...>")
            continue
        if rest := RESUMED.match(line):
            line = begun.pop(rest.group(1), "") + rest.group(2)
        if match := CALL.match(line):
            yield Call(match)


class Disk:
    """The state of a run on disk."""

    def __init__(self, tree, journal):
        self.tree, self.journal = str(tree), journal
        self.unsynced = {}
        self.directories = set()
        self.recorded, self.pending = "", ""
        self.faults = []
        self.renames = 0

    def play(self, log):
        for call in calls(log):
            if not call.failed:
                self.step(call)
        self.faults += [f"{path} was not synced before the end" for path in sorted(self.directories)]
        return self.faults

    def step(self, call):
        if call.name in WRITES | ATTRIBUTES:
            self.unsynced.setdefault(call.file, set()).add("data" if call.name in WRITES else "attributes")
            self.pending += call.arguments if self.is_journal(call.file) else ""
        elif call.name in ("fsync", "fdatasync"):
            self.sync(call.file, call.name)
        elif call.name == "syncfs":
            self.sync_all()
        elif call.name in RENAMES:
            self.rename(*call.names)
        elif call.name in LINKS or "O_CREAT" in call.arguments and self.is_kept(call.opened):
            self.directories.add(os.path.dirname(call.path))

    def is_journal(self, path):
        return bool(path) and path.endswith(".jsonl")

    def is_kept(self, path):
        """True if the name of the file must be on disk, too."""
        return bool(path) and ".tmp" not in path and ".linkglot-" not in path

    def sync(self, path, how):
        left = self.unsynced.pop(path, set())
        if how == "fdatasync" and "attributes" in left:
            self.unsynced[path] = {"attributes"}
        self.directories.discard(path)
        if self.is_journal(path):
            self.sync_journal()

    def sync_all(self):
        self.unsynced.clear()
        self.directories.clear()
        self.sync_journal()

    def sync_journal(self):
        self.recorded, self.pending = self.recorded + self.pending, ""

    def rename(self, temporary, place):
        self.renames += 1
        if left := self.unsynced.pop(temporary, None):
            self.faults.append(f"{place}: {', '.join(left)} not synced before the rename")
        others = [path for path in self.directories if not path.startswith(self.tree)]
        self.faults += [f"{place}: {path} not synced before the rename" for path in others]
        # The key of the journals does not belong to the run's files.
        is_file = place.startswith(self.tree)
        if self.journal and is_file and not self.is_recorded(place):
            self.faults.append(f"{place}: its record is not synced before the rename")
        self.directories.add(os.path.dirname(place))

    def is_recorded(self, place):
        name = os.path.relpath(place, os.path.dirname(self.tree))
        return f'\\"path\\":\\"{name}\\"' in self.recorded
