#!/usr/bin/env python3
"""Writes the tables of charsets beyond the Encoding Standard: src/code_pages.rs (single bytes),
src/cns_planes.rs and src/cns_rare_planes.rs (CNS 11643), src/jis_planes.rs (JIS X 0213).

The tables are those of Python's codecs and of glibc's `iconv`; where both have a charset they must
agree. Run by hand:

    python3 code_pages.py           # writes the files
    python3 code_pages.py --check   # says whether the files are up to date
"""

import ctypes
import pathlib
import re
import subprocess
import sys
import unicodedata

SOURCES = pathlib.Path(__file__).parent / "src"

# The constant, Python's codec, iconv's name.
CHARSETS = [
    ("IBM437", "cp437", "IBM437"),
    ("IBM720", "cp720", None),
    ("IBM737", "cp737", "CP737"),
    ("IBM775", "cp775", "CP775"),
    ("IBM850", "cp850", "IBM850"),
    ("IBM852", "cp852", "IBM852"),
    ("IBM855", "cp855", "IBM855"),
    ("IBM857", "cp857", "IBM857"),
    ("IBM00858", "cp858", None),
    ("IBM860", "cp860", "IBM860"),
    ("IBM861", "cp861", "IBM861"),
    ("IBM862", "cp862", "IBM862"),
    ("IBM863", "cp863", "IBM863"),
    ("IBM865", "cp865", "IBM865"),
    ("IBM869", "cp869", "IBM869"),
    ("CP1125", "cp1125", "CP1125"),
    ("X_MAC_CE", "mac_latin2", "MAC-CENTRALEUROPE"),
    ("X_MAC_GREEK", "mac_greek", None),
    ("X_MAC_TURKISH", "mac_turkish", None),
    ("X_MAC_ICELANDIC", "mac_iceland", None),
    ("X_MAC_CROATIAN", "mac_croatian", None),
    ("X_MAC_ROMANIAN", "mac_romanian", None),
    ("GEORGIAN_PS", None, "GEORGIAN-PS"),
    ("GEORGIAN_ACADEMY", None, "GEORGIAN-ACADEMY"),
    ("KOI8_T", "koi8_t", "KOI8-T"),
    ("PTCP154", "ptcp154", "PT154"),
    ("KZ_1048", "kz1048", "RK1048"),
    ("ARMSCII_8", None, "ARMSCII-8"),
    ("VISCII", None, "VISCII"),
    ("TCVN", None, "TCVN5712-1"),
    ("IBM864", "cp864", "IBM864"),
    ("IBM037", "cp037", "IBM037"),
    ("IBM500", "cp500", "IBM500"),
    # glibc has a macron for two of the bytes; IBM's own table has Python's characters.
    ("IBM1026", "cp1026", None),
    ("IBM1047", None, "IBM1047"),
    ("IBM01140", "cp1140", "IBM1140"),
]

UNMAPPED = "\N{REPLACEMENT CHARACTER}"


def by_python(codec):
    return "".join(bytes([byte]).decode(codec, "replace") for byte in range(256))


def by_iconv(name):
    return "".join(iconv(name, bytes([byte])) for byte in range(256))


def iconv(name, source):
    command = ["iconv", "-f", name, "-t", "UTF-8"]
    done = subprocess.run(command, input=source, capture_output=True, check=False)
    text = done.stdout.decode()
    return text if done.returncode == 0 and len(text) == 1 else UNMAPPED


def table(codec, name):
    tables = [by_python(codec)] if codec else []
    tables += [by_iconv(name)] if name else []
    assert all(found == tables[0] for found in tables), (codec, name)
    return tables[0]


def is_ascii_superset(chars):
    """ASCII is itself, and nothing else is ASCII (two bytes of ARMSCII-8 are a full stop)."""
    ascii_bytes = range(128)
    return all(
        ord(char) == byte if byte in ascii_bytes else ord(char) not in ascii_bytes
        for byte, char in enumerate(chars)
    )


def literal(char):
    if char in '"\\':
        return "\\" + char
    is_visible = char.isprintable() and unicodedata.category(char)[0] != "M" and char != " "
    return char if is_visible else f"\\u{{{ord(char):X}}}"


def constant(name, chars):
    lines = [chars[at : at + 32] for at in range(0, len(chars), 32)]
    rows = "\\\n".join("    " + "".join(map(literal, line)) for line in lines)
    return f'pub(super) const {name}: &str = "\\\n{rows}";\n'


def source():
    parts = [
        "//! Tables of single-byte charsets: the characters of the bytes from 80 to FF of a superset of\n"
        "//! ASCII, of all bytes elsewhere. A byte without a character is U+FFFD.\n"
        "//!\n"
        "//! Written by code_pages.py.\n"
    ]
    for name, codec, iconv_name in CHARSETS:
        chars = table(codec, iconv_name)
        parts.append(constant(name, chars[128:] if is_ascii_superset(chars) else chars))
    return "\n".join(parts)


class Decoder:
    """A charset of glibc: too many sequences for a process each."""

    def __init__(self, name):
        self.libc = ctypes.CDLL(None)
        self.libc.iconv_open.restype = ctypes.c_void_p
        self.libc.iconv.argtypes = [ctypes.c_void_p] * 5
        self.libc.iconv.restype = ctypes.c_size_t
        self.handle = self.libc.iconv_open(b"UTF-8", name.encode())
        assert self.handle != ctypes.c_size_t(-1).value, name

    def char(self, source):
        self.libc.iconv(self.handle, None, None, None, None)
        holder = ctypes.create_string_buffer(source, len(source))
        at, left = ctypes.c_void_p(ctypes.addressof(holder)), ctypes.c_size_t(len(source))
        buffer = ctypes.create_string_buffer(16)
        out, room = ctypes.c_void_p(ctypes.addressof(buffer)), ctypes.c_size_t(16)
        ends = [ctypes.byref(end) for end in (at, left, out, room)]
        if self.libc.iconv(self.handle, *ends) == ctypes.c_size_t(-1).value:
            return UNMAPPED
        text = buffer.raw[: 16 - room.value].decode()
        # JIS X 0213 has 25 characters that are two in Unicode; they have no place in a table of single ones.
        return text if len(text) == 1 else UNMAPPED


def plane(decoder, number, prefix):
    """The characters, row by row, with the number of empty cells between tildes."""
    cells = range(0xA1, 0xFF)
    rows = []
    for row in cells:
        chars = (decoder.char(prefix + bytes([row, cell])) for cell in cells)
        rows.append("".join(chars))
    assert "~" not in "".join(rows)
    lines = []
    for row in rows:
        text = "".join(map(literal, row.replace(UNMAPPED, "~")))
        lines.append("    " + re.sub("~+", lambda gap: f"~{len(gap[0])}~", text))
    lines = "\\\n".join(lines)
    return f'pub(super) const PLANE_{number}: &str = "\\\n{lines}";\n'


def planes(title, charset, prefixes):
    """The planes of an EUC charset, each with the bytes that select it."""
    decoder = Decoder(charset)
    parts = [
        f"//! {title}: 94 rows of 94 characters. A number between tildes counts cells without one.\n"
        "//!\n"
        "//! Written by code_pages.py.\n"
    ]
    return "\n".join(parts + [plane(decoder, number, prefix) for number, prefix in prefixes])


def taiwan(title, numbers):
    return planes(title, "EUC-TW", [(number, bytes([0x8E, 0xA0 + number])) for number in numbers])


def main():
    texts = {
        "code_pages.rs": source(),
        "cns_planes.rs": taiwan("The planes 1 and 2 of CNS 11643", [1, 2]),
        "cns_rare_planes.rs": taiwan("The planes 3 to 7 and 15 of CNS 11643", [3, 4, 5, 6, 7, 15]),
        "jis_planes.rs": planes("The planes of JIS X 0213", "EUC-JISX0213", [(1, b""), (2, b"\x8F")]),
    }
    if sys.argv[1:] == ["--check"]:
        old = [name for name in texts if (SOURCES / name).read_text(encoding="utf-8") != texts[name]]
        print(f"out of date: {', '.join(old)}" if old else "up to date")
        sys.exit(bool(old))
    for name, text in texts.items():
        (SOURCES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
