#!/usr/bin/env python3
"""Counts how many short documents chardet detects, beside linkglot. Run by hand:

    mkdir FOLDER
    LINKGLOT_SHORT_DOCUMENTS=FOLDER cargo test -p linkglot-charset short_documents
    pip install chardet
    python3 short_documents.py FOLDER

A document is detected if it decodes to the right text. With -v, those that one of the two loses are listed.
"""

import collections
import pathlib
import sys

import chardet


def is_right(data, text):
    found = chardet.detect(data)["encoding"]
    try:
        return found, data.decode(found or "ascii") == text
    except (LookupError, UnicodeDecodeError):
        return found, False


def main(folder, verbose=""):
    folder = pathlib.Path(folder)
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for line in (folder / "list.tsv").read_text(encoding="utf-8").splitlines():
        group, name, own, own_found = line.split("\t")
        data = (folder / name).read_bytes()
        text = (folder / f"{name}.utf-8").read_bytes().decode()
        found, right = is_right(data, text)
        for row in (counts[group], counts["all"]):
            row[0] += 1
            row[1] += own == "right"
            row[2] += right
        if verbose and right != (own == "right"):
            print(f"{name}: linkglot {own} ({own_found}), chardet {found}")
    print(f"chardet {chardet.__version__}\n{'':30}{'documents':>10}{'linkglot':>10}{'chardet':>10}")
    for group, row in counts.items():
        print(f"{group:30}{row[0]:10}{row[1]:10}{row[2]:10}")


if __name__ == "__main__":
    main(*sys.argv[1:])
