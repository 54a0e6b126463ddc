#!/usr/bin/env python3
"""Writes documents again in another charset, their declarations with them.

usage: reencode.py CHARSET FOLDER PART MOST OUTPUT

Up to MOST documents of FOLDER whose path has PART in it. What the charset lacks becomes a numeric character
reference in HTML and XML; a text that needs one is left out. One that is there already is not written again.
"""

import codecs
import re
import sys
from pathlib import Path

# The Web's names for charsets, and the codecs of Python that come nearest.
CODECS = {"shift_jis": "cp932", "euc-kr": "cp949", "big5": "cp950", "gbk": "gbk", "iso-2022-jp": "iso2022_jp"}
DECLARATIONS = [
    re.compile(r"""(<meta\s[^>]*?charset\s*=\s*["']?)([A-Za-z0-9_.:-]+)""", re.I),
    re.compile(r"""(<\?xml\s[^>]*?encoding\s*=\s*["'])([A-Za-z0-9_.:-]+)""", re.I),
    re.compile(r"""\A(@charset ")([A-Za-z0-9_.:-]+)"""),
]
BOMS = {"utf-16le": codecs.BOM_UTF16_LE, "utf-16be": codecs.BOM_UTF16_BE}


def kind(path):
    """html, xml or text, by the name."""
    name = path.name.lower()
    if name.endswith((".html", ".htm")):
        return "html"
    return "xml" if name.endswith((".xml", ".svg", ".xhtml", ".page", ".xsl")) else "text"


def read(path):
    """The text of a document in UTF-8 or in the charset that it declares; None when that fails."""
    data = path.read_bytes()
    head = data[:1024].decode("latin-1")
    labels = [found.group(2) for found in (rule.search(head) for rule in DECLARATIONS) if found]
    for label in labels + ["utf-8"]:
        try:
            return data.decode(label)
        except (LookupError, UnicodeDecodeError):
            continue
    return None


def declare(text, charset, what):
    """The text with its declarations naming the charset, and with one where it had none."""
    found = 0
    head, rest = text[:4096], text[4096:]
    for rule in DECLARATIONS:
        head, count = rule.subn(lambda match: match.group(1) + charset, head, count=1)
        found += count
    if not found and what == "xml":
        head = f'<?xml version="1.0" encoding="{charset}"?>\n' + head
    if not found and what == "html":
        head = re.sub(r"(<head[^>]*>)", rf'\1<meta charset="{charset}">', head, count=1, flags=re.I)
    return head + rest


def encode(text, charset, what):
    """The bytes in the charset; None when it lacks something and the format has no references."""
    errors = "strict" if what == "text" else "xmlcharrefreplace"
    try:
        return BOMS.get(charset, b"") + text.encode(CODECS.get(charset, charset), errors)
    except UnicodeEncodeError:
        return None


def main(charset, folder, part, most, output):
    folder, output, written = Path(folder), Path(output), 0
    for path in sorted(folder.rglob("*")):
        if written >= int(most):
            break
        if not path.is_file() or path.name.startswith(".") or part not in "/" + str(path.relative_to(folder)):
            continue
        target = output / path.relative_to(folder)
        if not target.exists():
            text = read(path)
            what = kind(path)
            data = None if text is None or text.isascii() else encode(declare(text, charset, what), charset, what)
            if data is None:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        written += 1
    if not written:
        print(f"reencode: nothing of {folder.name} in {charset}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
