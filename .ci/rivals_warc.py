#!/usr/bin/env python3
"""`.ci/rivals warc`: `find` over a WARC file to FastWARC with the links of Resiliparse, one core each.

The file has pages of words with a link in each paragraph, compressed record by record: some 190 MB before compression. Both sides must
print the same links. The figure is the ratio of the medians of CPU time (user and system) of whole processes, in
alternating pairs; below 1 linkglot takes less. The Python that runs this has fastwarc and resiliparse.
"""

import gzip
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target" / os.environ.get("LINKGLOT_PROFILE", "release") / "linkglot"
PAGES, PAIRS = 6_000, 5
# Walking the tree is the quickest way: its collections are looked through from the begin for each element.
RIVAL = """
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.parse.html import HTMLTree
with open(sys.argv[1], "rb") as file:
    for record in ArchiveIterator(file, record_types=WarcRecordType.response):
        tree = HTMLTree.parse_from_bytes(record.reader.read(), "utf-8")
        links = [node.getattr("href") for node in tree.document if node.tag == "a"]
        sys.stdout.write("".join(link + "\\n" for link in links if link is not None))
"""


def page(chance, words):
    paragraphs, length = [], chance.randrange(2000, 60_000)
    while length > 0:
        text = " ".join(chance.choices(words, k=chance.randrange(20, 120)))
        link = f"http://host{chance.randrange(999)}.example/{chance.getrandbits(30):x}/?id={chance.randrange(10**6)}"
        paragraphs.append(f'<p class="c{chance.randrange(99)}">{text} <a href="{link}">{chance.choice(words)}</a></p>\n')
        length -= len(paragraphs[-1])
    return f"<!DOCTYPE html><meta charset=utf-8>{''.join(paragraphs)}".encode()


def write(path):
    chance = random.Random(3)
    words = ["".join(chance.choices("etaoinshrdlucm", k=chance.randrange(2, 9))) for _ in range(400)]
    with path.open("wb") as file:
        for number in range(PAGES):
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page(chance, words)
            fields = f"WARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: http://site.example/{number}"
            fields += f"\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}"
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n{fields}\r\n\r\n"
            file.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))


def seconds(command):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, command
    return used.ru_utime + used.ru_stime


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "pages.warc.gz"
        write(path)
        sides = ([PROGRAM, "find", "-j1", "-o", path], [sys.executable, "-c", RIVAL, path])
        ours, theirs = (subprocess.run(side, stdout=subprocess.PIPE, check=True).stdout for side in sides)
        same = "the same" if ours == theirs else "DIFFERENT"
        pairs = [[seconds(side) for side in sides] for _ in range(PAIRS)]
        ours_s, theirs_s = (statistics.median(side) for side in zip(*pairs))
        print(f"{time.strftime('%Y-%m-%d')}, {path.stat().st_size >> 20} MiB, {ours.count(10)} links, {same}: "
              f"{ours_s:.2f} s to {theirs_s:.2f} s, ratio {ours_s / theirs_s:.2f}")
        sys.exit(ours != theirs)


main()
