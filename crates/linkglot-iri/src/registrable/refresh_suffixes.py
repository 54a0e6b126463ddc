#!/usr/bin/env python3
"""Refreshes suffixes.txt from the Public Suffix List.

The list is https://publicsuffix.org/list/public_suffix_list.dat ; the package publicsuffixlist on PyPI has it, too. Pass it
on standard input:

    cd crates/linkglot-iri/src/registrable
    python3 refresh_suffixes.py < public_suffix_list.dat > suffixes.txt

The rules stand behind a blank line, one on each line, in ASCII, in the order of their bytes.
"""
import sys


def ascii(rule):
    labels = rule.split(".")
    return ".".join(l if l.isascii() else "xn--" + l.encode("punycode").decode("ascii") for l in labels)


def main():
    lines = [line.strip() for line in sys.stdin.buffer.read().decode("utf-8").splitlines()]
    version = next((line for line in lines if line.startswith("// VERSION: ")), "// VERSION: unknown")
    rules = {ascii(line.lower()) for line in lines if line and not line.startswith("//")}
    print("// Rules of the Public Suffix List, https://publicsuffix.org/list/.")
    print("// Subject to the terms of the Mozilla Public License, v. 2.0: https://mozilla.org/MPL/2.0/.")
    print(version)
    print()
    print("\n".join(sorted(rules)))


main()
