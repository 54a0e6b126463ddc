"""Messages with links planted at known places, for .ci/mail."""

import base64
import html
import itertools
import random
import re
import urllib.parse
from dataclasses import dataclass, field

# Label, Python's codec, the program's name, host, word of a path. The words have bytes that look like ASCII (0x5C in
# Shift_JIS and Big5, 0x30 in GB18030) if the charset has any.
CHARSETS = [
    ("utf-8", "utf-8", "utf-8", "bücher.example", "čaj-日本"),
    ("iso-8859-1", "latin-1", "windows-1252", "bücher.example", "café"),
    ("iso-8859-2", "iso8859-2", "iso-8859-2", "łódź.example", "źródło"),
    ("iso-8859-7", "iso8859-7", "iso-8859-7", "παράδειγμα.example", "αρχή"),
    ("windows-1251", "cp1251", "windows-1251", "пример.example", "путь"),
    ("koi8-r", "koi8-r", "koi8-r", "пример.example", "юг"),
    ("shift_jis", "shift_jis", "shift_jis", "例え.example", "表示ソ"),
    ("euc-jp", "euc-jp", "euc-jp", "例え.example", "日本語"),
    ("iso-2022-jp", "iso2022-jp", "iso-2022-jp", "例え.example", "日本語"),
    ("gb18030", "gb18030", "gb18030", "例子.example", "中文𠀀"),
    ("big5", "big5", "big5", "例子.example", "功能許"),
    ("euc-kr", "euc-kr", "euc-kr", "실례.example", "한국어"),
    ("utf-16", "utf-16", "utf-16le", "bücher.example", "čaj-日本"),
    ("utf-16be", "utf-16be", "utf-16be", "bücher.example", "čaj-日本"),
]
ENCODINGS = ["7bit", "8bit", "quoted-printable", "base64"]
LINE_ENDS = {"lf": b"\n", "crlf": b"\r\n"}

# A tree: a leaf by its name, a multipart with its parts, a message with its body.
STRUCTURES = {
    "plain": "plain",
    "html": "html",
    "alternative": ("alternative", "plain", "html"),
    "mixed": ("mixed", "plain", "octets", "attached", "html"),
    "related": ("related", "related-html", "image"),
    "nested": ("mixed", "plain", ("message", ("alternative", "plain", "html")), ("message", "plain"), "html"),
    "folded": ("mixed", "flowed", "calendar", "vcard"),
    "digest": ("digest", ("message", "plain"), ("message", "html")),
    "report": ("report", "plain", "status", "headers"),
    "deep": ("mixed", ("related", ("alternative", "plain", "related-html"), "image"), "plain"),
}
MEDIA_TYPES = {
    "plain": "text/plain",
    "attached": "text/plain",
    "html": "text/html",
    "related-html": "text/html",
    "flowed": "text/plain",
    "calendar": "text/calendar",
    "vcard": "text/vcard",
    "unfolded-calendar": "text/calendar",
    "octets": "application/octet-stream",
    "image": "image/png",
    "status": "message/delivery-status",
    "headers": "text/rfc822-headers",
}
MIME_SIGNED = ("mixed", ("signed", "plain", "octets"), "html")
UNFOLDED = ("mixed", "flowed", "unfolded-calendar")
# Charsets and encodings of signed messages.
SIGNED = [("utf-8", "8bit"), ("koi8-r", "quoted-printable"), ("shift_jis", "base64")]
# Breaks within the links of parts whose lines continue (RFC 3676 4.3, RFC 5545 3.1, RFC 6350 3.2).
FOLDS = {"flowed": " \n", "calendar": "\n ", "vcard": "\n "}
OLD = "http://old.example/"


@dataclass
class Link:
    """A planted link. `start` and `end` are offsets of the encoded bytes in the file."""

    text: str
    part: str
    charset: str
    uri: str
    start: int
    end: int
    escapes: bool = False
    message: int = 1

    def key(self):
        return self.start, self.end, self.part, self.charset, self.text


@dataclass
class File:
    """A message or mailbox as bytes, with its content."""

    name: str
    bytes: bytes = b""
    links: list = field(default_factory=list)
    leaves: list = field(default_factory=list)
    messages: int = 1


@dataclass
class Leaf:
    """A text in a message: its place, and the places of its links in the decoded bytes."""

    message: int
    number: str
    codec: str
    encoding: str
    content: bytes
    links: list
    start: int
    end: int
    fold: str


def uri_of(scheme, host, path, query, query_codec):
    """The URI by RFC 3987 3.1, with the host in the form of the DNS and the query as browsers send it."""
    ascii_host = host.encode("idna").decode()
    encoded = urllib.parse.quote(path, safe="/-%", encoding="utf-8")
    # Each octet of a character of the charset is percent-encoded, including octets of ASCII.
    octets = re.sub(r"[^\x00-\x7f]+", lambda run: "".join(f"%{octet:02X}" for octet in run[0].encode(query_codec)), query)
    query = octets and f"?{octets}"
    return f"{scheme}://{ascii_host}/{encoded}{query}"


def encode(content, encoding, eol, rng):
    """The encoded bytes, and for each byte of the content the beginning and end of its encoded bytes."""
    if encoding == "quoted-printable":
        return encode_quoted(content, eol, rng)
    if encoding == "base64":
        return encode_base64(content, eol, rng)
    return content, [(at, at + 1) for at in range(len(content))]


def encode_quoted(content, eol, rng):
    """With soft breaks anywhere, and hex digits of one case per message."""
    out, spans, column = bytearray(), [], 0
    form = rng.choice(["=%02X", "=%02x"])
    limit = rng.choice([76, 76, 40])
    needless = rng.choice([0, 0, 0.1])
    at = 0
    while at < len(content):
        if content.startswith(eol, at):
            for byte in eol:
                spans.append((len(out), len(out) + 1))
                out.append(byte)
            column, at = 0, at + len(eol)
            continue
        byte = content[at]
        is_plain = 33 <= byte < 127 and byte != 61 or byte == 32 and not content.startswith(eol, at + 1)
        is_plain = is_plain and rng.random() >= needless
        code = bytes([byte]) if is_plain else (form % byte).encode()
        if column + len(code) >= limit or column > 20 and rng.random() < 0.02:
            out += b"=" + eol
            column = 0
        spans.append((len(out), len(out) + len(code)))
        out += code
        column, at = column + len(code), at + 1
    return bytes(out), spans


def encode_base64(content, eol, rng):
    """Lines of one length."""
    length = rng.choice([76, 76, 64, 60, 75, 5000])
    code = base64.b64encode(content)
    lines = [code[at : at + length] for at in range(0, len(code), length)]

    def place(character):
        return character + character // length * len(eol)

    spans = [(place(8 * at // 6), place((8 * at + 7) // 6) + 1) for at in range(len(content))]
    return eol.join(lines), spans


class Builder:
    """Writes one message. `number` is the number in IMAP (RFC 3501 6.4.5)."""

    def __init__(self, file, charset, encoding, eol, rng):
        self.file, self.encoding, self.eol, self.rng = file, encoding, eol, rng
        self.label, self.codec, self.reported, self.host, self.word = charset
        self.is_ascii = encoding == "7bit" and self.label != "iso-2022-jp"
        self.out = bytearray(file.bytes)
        self.boundaries = itertools.count()

    def line(self, text=""):
        self.out += text.encode() + self.eol

    def link_field(self, name, number, text, uri=None):
        """A header field with one link in angle brackets, unencoded."""
        self.out += f"{name}: <".encode()
        self.plant(f"{number}/{name.lower()}", "utf-8", text, uri or text, len(self.out))
        self.out += text.encode()
        self.line(">")

    def two_links(self, number):
        """A field with a fold, a comment and two links."""
        part = f"{number}/list-unsubscribe"
        self.out += b"List-Unsubscribe: <"
        for text, behind in [("mailto:c@example.org?subject=x", ">,"), (OLD + "two", "> (http://note.example/)")]:
            self.plant(part, "utf-8", text, text, len(self.out))
            self.line(text + behind)
            self.out += b" <" if behind == ">," else b""

    def plant(self, part, charset, text, uri, start):
        end = start + len(text.encode())
        self.file.links.append(Link(text, part, charset, uri, start, end, message=self.file.messages))

    def message(self, structure, number=""):
        self.line("Received: from http://received.example/ by http://by.example/; Mon, 23 Nov 2026 10:00:00 +0000")
        self.line("From: \"http://from.example/\" <a@example.org>")
        self.line("To: b@example.org")
        self.line("Message-ID: <http://id.example/1@example.org>")
        self.line("References: <http://reference.example/1@example.org>")
        self.line("\t<http://reference.example/2@example.org>")
        self.line("Subject: a message")
        self.line("MIME-Version: 1.0")
        self.link_field("List-Archive", number, "http://old.example/list")
        self.two_links(number)
        if self.encoding == "8bit":
            text = "https://bücher.example/arché"
            self.link_field("List-Help", number, text, uri_of("https", "bücher.example", "arché", "", "utf-8"))
        self.entity(structure, number, is_message=True)

    def entity(self, structure, number, is_message=False, says_type=True):
        """The rest of a header, and the body."""
        if isinstance(structure, str):
            self.leaf(structure, f"{number}.1".lstrip(".") if is_message else number)
        elif structure[0] == "message":
            if says_type:
                self.line("Content-Type: message/rfc822")
            self.line()
            self.message(structure[1], number)
        else:
            self.multipart(structure, number)

    def multipart(self, structure, number):
        boundary = f"http://boundary.example/{number}_{next(self.boundaries)}"
        self.line(f"Content-Type: multipart/{structure[0]};")
        self.line(f"\tboundary=\"{boundary}\"")
        self.line()
        self.line("http://preamble.example/")
        for count, part in enumerate(structure[1:], 1):
            self.line(f"--{boundary}")
            # Parts of a digest are messages by default (RFC 2046 5.1.5).
            self.entity(part, f"{number}.{count}".lstrip("."), says_type=structure[0] != "digest")
            self.line()
        self.line(f"--{boundary}--")
        self.line("http://epilogue.example/")

    def leaf(self, kind, number):
        match kind:
            case "octets" | "image":
                self.opaque(kind)
            case "status" | "headers":
                self.fields(kind, number)
            case _:
                self.text(kind, number)

    def opaque(self, kind):
        """A part that is not text: nothing in it is a link."""
        self.line(f"Content-Type: {MEDIA_TYPES[kind]}")
        if kind == "image":
            self.line("Content-ID: <image@id.example>")
        self.line("Content-Disposition: attachment; filename=\"http://name.example/\"")
        if self.rng.random() < 0.5:
            self.line("Content-Transfer-Encoding: base64")
            self.line()
            self.out += base64.b64encode(b"http://octets.example/ \x00" * 2)
        else:
            self.line()
            self.out += b"http://octets.example/ "

    def fields(self, kind, number):
        """Header fields as a body."""
        self.line(f"Content-Type: {MEDIA_TYPES[kind]}")
        self.line()
        if kind == "status":
            self.line("Reporting-MTA: dns; http://mta.example/")
            self.line()
            self.line("Final-Recipient: rfc822; b@recipient.example")
            self.line("Action: failed")
            self.out += b"Diagnostic-Code: smtp; 550 see "
            text = OLD + "help"
            self.plant(f"{number}/diagnostic-code", "utf-8", text, text, len(self.out))
            self.line(text)
            return
        self.line("Message-ID: <http://id.example/2@example.org>")
        self.link_field("List-Archive", number, OLD + "inner")

    def text(self, kind, number):
        is_html = MEDIA_TYPES[kind] == "text/html"
        flowed = "; format=flowed; delsp=yes" if kind == "flowed" else ""
        self.line(f"Content-Type: {MEDIA_TYPES[kind]}; charset=\"{self.label}\"{flowed}")
        self.line(f"Content-Transfer-Encoding: {self.encoding}")
        if kind == "attached":
            self.line("Content-Disposition: attachment; filename=a.txt")
        if kind == "related-html":
            self.out += b"Content-Location: "
            text = "http://old.example/base/page.html"
            self.plant(f"{number}/content-location", "utf-8", text, text, len(self.out))
            self.line(text)
        self.line()
        links = self.html_links(kind) if is_html else self.plain_links()
        match kind:
            case "html" | "related-html":
                pieces = self.html(kind)
            case "calendar" | "vcard" | "unfolded-calendar":
                pieces = self.card(kind)
            case "flowed":
                # `>` would quote the line, which does not continue in one without (RFC 3676 4.5).
                pieces = self.plain().replace(">From", " From")
            case _:
                pieces = self.plain()
        self.body(number, pieces, links, kind)

    def words(self):
        return ("example", "cafe") if self.is_ascii else (self.host, self.word)

    def plain_links(self):
        """Texts and URIs."""
        host, word = self.words()
        host = host if "." in host else "host.example"
        return [
            (f"http://{host}/{word}", uri_of("http", host, word, "", "utf-8")),
            (f"https://example.org/a=b/{word}?q={word}", uri_of("https", "example.org", f"a=b/{word}", f"q={word}", "utf-8").replace("a%3Db", "a=b")),
            (f"{OLD}{word}/x", uri_of("http", "old.example", f"{word}/x", "", "utf-8")),
            (f"http://long.example/{word * 12}", uri_of("http", "long.example", word * 12, "", "utf-8")),
        ]

    def plain(self):
        _, word = self.words()
        return (
            f"{word}: see \0, {word} and more = \0 ({word})\n"
            f".\n>From {word} to \0\n\n"
            f"{word} " + "a long line of words " * 5 + "\0\n-- \nend\n"
        )

    def card(self, kind):
        """Lines of a calendar or a vCard."""
        _, word = self.words()
        name = "VCARD" if kind == "vcard" else "VCALENDAR"
        fold = FOLDS.get(kind, "")
        return f"BEGIN:{name}\nSUMMARY:{word}\nURL:\0\nX-A:see \0 {word}\nATTACH:\0\nNOTE;X=1:a{fold} {word} \0\nEND:{name}\n"

    def html_links(self, kind):
        _, word = self.words()
        codec = "utf-8" if self.codec.startswith("utf") else self.codec
        links = self.plain_links()
        # A query counts as bytes of the document.
        links[1] = (f"https://example.org/?q={word}&r=1", uri_of("https", "example.org", "", f"q={word}&r=1", codec))
        links.insert(1, ("cid:image@id.example", "cid:image@id.example"))
        if kind == "related-html":
            links.append((f"{word}/b.html", urllib.parse.quote(f"{word}/b.html")))
        return links

    def html(self, kind):
        _, word = self.words()
        relative = '<a href="\0">r</a>\n' if kind == "related-html" else ""
        return (
            f"<html><body>\n<!-- http://comment.example/ -->\n<p>{word} <a href=\"\0\">{word}</a> <img src='\0'>\n"
            f"<a href=\"\0\">{word} &amp; so</a> text \0 {word}</p><a title={word} href=\"\0\">l</a>\n{relative}</body></html>\n"
        )

    def body(self, number, pieces, links, kind):
        """Encodes a text with NUL for each link and plants the links."""
        eol = self.eol.decode()
        is_html = MEDIA_TYPES[kind] == "text/html"
        fold = FOLDS.get(kind, "").replace("\n", eol)
        pieces = pieces.replace("\n", eol).split("\0")
        texts = [html.escape(text) if is_html else text[:12] + fold + text[12:] for text, _ in links]
        assert len(pieces) == len(texts) + 1
        mark = b"\xff\xfe" if self.label == "utf-16" else b""
        codec = "utf-16le" if mark else self.codec
        content, places = mark, []
        for piece, text in itertools.zip_longest(pieces, texts, fillvalue=""):
            content += piece.encode(codec)
            encoded = text.encode(codec)
            # The escape sequence back to ASCII (ISO-2022-JP) belongs to the text after the link.
            places.append((len(content), len(content) + len(encoded.removesuffix(b"\x1b(B"))))
            content += encoded
        encoded, spans = encode(content, self.encoding, self.eol, self.rng)
        origin = len(self.out)
        first = len(self.file.links)
        for (text, uri), (start, end) in zip(links, places):
            start, end = origin + spans[start][0], origin + spans[end - 1][1]
            self.file.links.append(
                Link(text, number, self.reported, uri, start, end, is_html, self.file.messages)
            )
        self.out += encoded
        own = list(zip(places, self.file.links[first:]))
        end = len(self.out)
        leaf = Leaf(self.file.messages, number, codec, self.encoding, content, own, origin, end, fold)
        self.file.leaves.append(leaf)


def can_be(charset, encoding):
    """UTF-16 has NUL, which only base64 and quoted-printable can carry."""
    return not charset[0].startswith("utf-16") or encoding == "base64"


def message(name, label, encoding, eol, structure):
    """One message."""
    file = File(name)
    charset = next(charset for charset in CHARSETS if charset[0] == label)
    builder = Builder(file, charset, encoding, eol, random.Random(name))
    builder.message(structure)
    file.bytes = bytes(builder.out)
    return file


def files():
    """A message for each combination, and a mailbox for those that differ only in structure."""
    rng = random.Random(2045)
    for charset, encoding, (end, eol) in itertools.product(CHARSETS, ENCODINGS, LINE_ENDS.items()):
        if not can_be(charset, encoding):
            continue
        stem = f"{charset[0]}/{encoding}-{end}"
        box = File(f"{stem}/all.mbox", messages=0)
        for name, structure in STRUCTURES.items():
            # Folds are octets (RFC 5545 3.1): lines of UTF-16 have none.
            if name == "folded" and charset[0].startswith("utf-16"):
                structure = UNFOLDED
            file = File(f"{stem}/{name}.eml")
            builder = Builder(file, charset, encoding, eol, rng)
            builder.message(structure)
            file.bytes = bytes(builder.out)
            yield file
            box.messages += 1
            box.bytes += b"From a@example.org Mon Nov 23 10:00:00 2026" + eol
            builder = Builder(box, charset, encoding, eol, rng)
            builder.message(structure)
            box.bytes = bytes(builder.out) + (b"" if builder.out.endswith(eol) else eol) + eol
        yield box
