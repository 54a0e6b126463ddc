"""Decodes the bytes of each line of standard input and prints their text, or "-" where there is none.

A line is "python CODEC BYTES" or "iconv NAME BYTES". Bytes and text are hexadecimal.
"""

import ctypes
import functools
import sys


def by_python(codec):
    def decode(source):
        try:
            return source.decode(codec)
        except UnicodeDecodeError:
            return None

    b"".decode(codec)
    return decode


def by_iconv(name):
    libc = ctypes.CDLL(None)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.argtypes = [ctypes.c_void_p] * 5
    libc.iconv.restype = ctypes.c_size_t
    failed = ctypes.c_size_t(-1).value
    handle = libc.iconv_open(b"UTF-8", name.encode())
    if handle == failed:
        sys.exit(f"no charset {name}")
    buffer = ctypes.create_string_buffer(256)

    def decode(source):
        libc.iconv(handle, None, None, None, None)
        holder = ctypes.create_string_buffer(source, len(source))
        at = ctypes.c_void_p(ctypes.addressof(holder))
        left = ctypes.c_size_t(len(source))
        out = ctypes.c_void_p(ctypes.addressof(buffer))
        room = ctypes.c_size_t(len(buffer))
        ends = [ctypes.byref(out), ctypes.byref(room)]
        if libc.iconv(handle, ctypes.byref(at), ctypes.byref(left), *ends) == failed:
            return None
        libc.iconv(handle, None, None, *ends)
        return buffer.raw[: len(buffer) - room.value].decode()

    return decode


@functools.cache
def decoder(kind, name):
    return {"python": by_python, "iconv": by_iconv}[kind](name)


def main():
    lines = []
    for line in sys.stdin:
        kind, name, source = line.split()
        text = decoder(kind, name)(bytes.fromhex(source))
        lines.append("-" if text is None else text.encode().hex())
    print("\n".join(lines))


main()
