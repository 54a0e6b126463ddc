#!/usr/bin/env python3
"""Writes the tables of charsets beyond the Encoding Standard, in the folder `tables`.

The tables are those of Python's codecs and of glibc's `iconv`; where a charset names both they must agree. Run by hand:

    python3 tables.py           # writes the files
    python3 tables.py --check   # says whether the files are up to date

A charset of single bytes is added by a row in `tables/single_bytes.tsv` that has its first four columns, one of longer
sequences by a row in `tables/sequences.tsv` that has its first two.
"""

import ctypes
import pathlib
import sys
import unicodedata

TABLES = pathlib.Path(__file__).parent / "tables"

UNMAPPED = "\N{REPLACEMENT CHARACTER}"

# The tables that others differ from.
ASCII = [chr(byte) if byte < 0x80 else UNMAPPED for byte in range(256)]
LATIN = [chr(byte) for byte in range(256)]


class Decoder:
    """A charset of glibc: too many sequences for a process each."""

    def __init__(self, name):
        self.libc = ctypes.CDLL(None)
        self.libc.iconv_open.restype = ctypes.c_void_p
        self.libc.iconv.argtypes = [ctypes.c_void_p] * 5
        self.libc.iconv.restype = ctypes.c_size_t
        self.handle = self.libc.iconv_open(b"UTF-8", name.encode())
        assert self.handle != ctypes.c_size_t(-1).value, name

    def text(self, source):
        """The text of bytes; `None` for what is malformed."""
        self.libc.iconv(self.handle, None, None, None, None)
        holder = ctypes.create_string_buffer(source, len(source))
        at, left = ctypes.c_void_p(ctypes.addressof(holder)), ctypes.c_size_t(len(source))
        buffer = ctypes.create_string_buffer(64)
        out, room = ctypes.c_void_p(ctypes.addressof(buffer)), ctypes.c_size_t(64)
        ends = [ctypes.byref(end) for end in (at, left, out, room)]
        if self.libc.iconv(self.handle, *ends) == ctypes.c_size_t(-1).value:
            return None
        # Some charsets hold a character back until the next one shows that it is whole.
        self.libc.iconv(self.handle, None, None, *ends[2:])
        return buffer.raw[: 64 - room.value].decode()


def by_python(codec):
    texts = (bytes([byte]).decode(codec, "replace") for byte in range(256))
    return [text if len(text) == 1 else UNMAPPED for text in texts]


def by_iconv(name):
    decoder = Decoder(name)
    texts = (decoder.text(bytes([byte])) for byte in range(256))
    return [text if text and len(text) == 1 else UNMAPPED for text in texts]


def table(codec, name):
    tables = [by_python(codec)] if codec != "-" else []
    tables += [by_iconv(name)] if name != "-" else []
    assert all(found == tables[0] for found in tables), (codec, name, differences(*tables))
    return tables[0]


def is_ascii_superset(chars):
    """ASCII is itself, and nothing else is ASCII (two bytes of ARMSCII-8 are a full stop)."""
    return chars[:128] == ASCII[:128] and not any(char.isascii() for char in chars[128:])


def literal(text):
    """A text of some characters, each of which is seen. Several that one code stands for are in brackets."""
    if len(text) > 1:
        return "[" + "".join(map(literal, text)) + "]"
    is_visible = text.isprintable() and unicodedata.category(text)[0] != "M" and text not in " [\\]~"
    return text if is_visible else f"\\u{{{ord(text):X}}}"


def differences(new, base):
    return [at for at in range(256) if new[at] != base[at]]


def runs(texts):
    """The texts of codes, by the codes that begin runs of them."""
    found = []
    for code, text in texts:
        before = code[:-1] + bytes([code[-1] - 1]) if code[-1] else None
        if found and found[-1][1] == before:
            found[-1] = (found[-1][0], code, found[-1][2] + literal(text))
        else:
            found.append((code, code, literal(text)))
    return " ".join(f"{first.hex().upper()}={text}" for first, _, text in found)


def single_bytes(rows):
    """Each charset as another one, earlier in the file, and the bytes that differ from it."""
    tables = {name: table(codec, iconv) for name, _, codec, iconv, *_ in rows}
    # Those that are read in the same way stand together.
    rows = sorted(rows, key=lambda row: not is_ascii_superset(tables[row[0]]))
    known = {"ascii": ASCII, "latin": LATIN}
    written = []
    for name, _, codec, iconv, *_ in rows:
        chars = tables[name]
        # A table that others are often told by is read more easily.
        cost = lambda base: len(differences(chars, known[base])) + (0 if base in ("ascii", "latin") else 16)
        base = min(known, key=cost)
        changes = runs((bytes([at]), chars[at]) for at in differences(chars, known[base]))
        reading = "as-is" if is_ascii_superset(chars) else "decoded"
        written.append((name, reading, codec, iconv, base, changes))
        known[name] = chars
    return written


def plane(decoder, prefix, bits):
    """The texts of a plane, row by row, with the number of empty cells between tildes."""
    lines = []
    for row in range(0x21, 0x7F):
        line, gap = "", 0
        for cell in range(0x21, 0x7F):
            text = decoder.text(prefix + bytes([row | bits, cell | bits]))
            if text is None:
                gap += 1
                continue
            line += (f"~{gap}~" if gap else "") + literal(text)
            gap = 0
        lines.append(line + (f"~{gap}~" if gap else ""))
    return "\n".join(lines) + "\n"


def sequences(rows):
    """All sequences of up to three bytes that mean something else than their bytes one by one, without characters of
    private use."""
    written = []
    for name, iconv, *_ in rows:
        decoder = Decoder(iconv)
        single = {bytes([byte]): decoder.text(bytes([byte])) for byte in range(256)}
        found = {code: text for code, text in single.items() if text}
        leads = {code for code in single if not single[code]}
        add_longer(decoder, found, leads | set(found))
        others = {code: text for code, text in found.items() if not (text.isascii() and code == text.encode())}
        others.update({code: UNMAPPED for code, text in single.items() if code.isascii() and not text})
        written.append((name, iconv, runs(sorted(others.items(), key=lambda item: (len(item[0]), item[0])))))
    return written


def add_longer(decoder, found, fronts):
    for _ in range(2):
        # Thousands of codes are a set of double bytes, and whole.
        if len(fronts) > 1000:
            return
        longer = {}
        for front in sorted(fronts):
            for byte in range(256):
                code = front + bytes([byte])
                text = decoder.text(code)
                apart = found.get(front, "?") + found.get(code[-1:], "?")
                is_own = text and text != apart and not has_longer_end(code, found, text)
                if is_own and unicodedata.category(text[0]) != "Co":
                    longer[code] = text
        found.update(longer)
        fronts = set(longer)


def has_longer_end(code, found, text):
    """Whether the text is that of a shorter front and a longer end."""
    return any(
        found.get(code[:at]) is not None
        and found.get(code[at:]) is not None
        and found[code[:at]] + found[code[at:]] == text
        for at in range(1, len(code))
    )


def double_bytes(rows):
    """The single bytes of a charset of EBCDIC with shifts, as `single_bytes` tells them."""
    single = rows_of("single_bytes.tsv")[1]
    known = {"ascii": ASCII, "latin": LATIN}
    known.update((name, table(codec, iconv)) for name, _, codec, iconv, *_ in single)
    for name, iconv, sets, *_ in rows:
        chars = by_iconv(iconv)
        base = min(known, key=lambda base: len(differences(chars, known[base])))
        yield name, iconv, sets, base, runs((bytes([at]), chars[at]) for at in differences(chars, known[base]))


def host_set(iconv, but=None):
    """The double bytes of a charset of EBCDIC, but those that another has, without characters of private use."""
    decoder, other = Decoder(iconv), but and Decoder(but)
    cells = range(0x40, 0xFF)
    found = []
    for code in (bytes([row, cell]) for row in cells for cell in cells):
        text = decoder.text(b"\x0E" + code)
        is_new = text and not (other and other.text(b"\x0E" + code) == text)
        if is_new and unicodedata.category(text[0]) != "Co":
            found.append((code, text))
    return runs(found).replace(" ", "\n") + "\n"


def rows_of(name):
    lines = (TABLES / name).read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    return comments, [line.split("\t") for line in lines if line and not line.startswith("#")]


def tsv(name, write):
    comments, rows = rows_of(name)
    return "\n".join(comments + ["\t".join(row) for row in write(rows)]) + "\n"


def main():
    taiwan, japan = Decoder("EUC-TW"), Decoder("EUC-JISX0213")
    texts = {
        "single_bytes.tsv": tsv("single_bytes.tsv", single_bytes),
        "sequences.tsv": tsv("sequences.tsv", sequences),
        "double_bytes.tsv": tsv("double_bytes.tsv", double_bytes),
        "jis_x_0213_1.txt": plane(japan, b"", 0x80),
        "jis_x_0213_2.txt": plane(japan, b"\x8F", 0x80),
    }
    for country, narrow, wide in [
        ("japan", "IBM930", "IBM1390"),
        ("korea", "IBM933", "IBM1364"),
        ("china", "IBM935", "IBM1388"),
        ("taiwan", "IBM937", "IBM1371"),
    ]:
        texts[f"ebcdic_{country}.txt"] = host_set(narrow)
        texts[f"ebcdic_{country}_more.txt"] = host_set(wide, narrow)
    for number in [1, 2, 3, 4, 5, 6, 7, 15]:
        texts[f"cns_11643_{number}.txt"] = plane(taiwan, bytes([0x8E, 0xA0 + number]), 0x80)
    if sys.argv[1:] == ["--check"]:
        paths = {name: TABLES / name for name in texts}
        is_old = lambda name: not paths[name].exists() or paths[name].read_text(encoding="utf-8") != texts[name]
        old = [name for name in texts if is_old(name)]
        print(f"out of date: {', '.join(old)}" if old else "up to date")
        sys.exit(bool(old))
    for name, text in texts.items():
        (TABLES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
