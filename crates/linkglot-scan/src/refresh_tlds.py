#!/usr/bin/env python3
"""Refreshes tlds.txt from IANA's list of top-level domains.

The list is https://data.iana.org/TLD/tlds-alpha-by-domain.txt . Pass that file, or any with one domain per line and
`# Version ...` at the top, on standard input:

    python3 crates/linkglot-scan/src/refresh_tlds.py < tlds-alpha-by-domain.txt > crates/linkglot-scan/src/tlds.txt

Behind an `xn--` name stand a blank and the native form, which a test decodes again.
"""
import sys


def native(name):
    return name[4:].encode("ascii").decode("punycode") if name.startswith("xn--") else None


def main():
    lines = [line.strip() for line in sys.stdin]
    version = next((l.lstrip("# ") for l in lines if l.startswith("#")), "unknown version")
    names = sorted(l.lower() for l in lines if l and not l.startswith("#"))
    print("# Top-level domains, from IANA (https://data.iana.org/TLD/tlds-alpha-by-domain.txt)")
    print("# " + version)
    for name in names:
        print(name if native(name) is None else f"{name} {native(name)}")


main()
