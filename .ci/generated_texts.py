"""Small texts of words, links, markup and punctuation of many scripts, the same ones every time.

Each text is a separate paragraph. A file holds a thousand texts in one charset and one format, so that a process reads
many texts. Only `random()` of the generator is used: its sequence is the same in every Python.
"""

import hashlib
import pathlib
import random

# The charset's label, and the codec that writes it.
CHARSETS = {
    "utf-8": "utf-8",
    "windows-1252": "cp1252",
    "windows-1251": "cp1251",
    "shift_jis": "cp932",
    "gb18030": "gb18030",
    "iso-2022-jp": "iso2022_jp",
    "utf-16le": "utf-16-le",
}
TEXTS_PER_FILE = 1000
FILES_PER_CHARSET = 143
# The formats of ten files in turn: most are running text.
FORMATS = ["txt", "txt", "txt", "html", "txt", "txt", "txt", "md", "txt", "rst"]

SCHEMES = ["http://", "https://", "HTTP://", "ftp://", "mailto:", "tel:+1", "urn:x:", "file:///", "xmpp:", "javascript:", "view-source:"]
NAMES = [
    "example", "a", "www", "xn--p1ai", "x-y", "a1", "日本", "中国", "例え", "почта", "straße", "é", "موقع", "उदाहरण", "ไทย", "한국",
    "résumé", "mañana", "libX", "v2", "README", "co",
]  # fmt: skip
ENDINGS = [".com", ".org", ".example", ".de", ".рф", ".中国", ".jp", ".co.jp", ".みんな", ".py", ".md", ".la", ".1", "。jp", ".COM", ".com."]
HOSTS = ["localhost", "127.0.0.1", "[::1]", "192.168.0.1:8080", "a@b.de", "user:pw@example.org", "example.com:80"]
PATHS = [
    "/", "/a", "/a/b.html", "/é", "/日本語", "/文件", "/документы", "/ß_x", "/a_(b)", "/wiki/A_(b", "/%C3%A9", "/%E9", "/%41", "/%",
    "/~me", "/a,b;c", "/*", "//x", "/..", "/a-", "/“x”", "/a'b", "/ا", "/한", "/a|b", "/{id}", "/$1", "/a\\b", "/\u200bx", "/x\u202ey",
]  # fmt: skip
TAILS = ["?q=1", "?q=é", "?日=本", "?a=1&b=2", "?a=1&amp;b=2", "?", "#", "#a", "#章", "#é", "?q=%E9", "?x=(1)", "#/x", "?u=http://b.org/é"]
WORDS = [
    "see", "the", "and", "is", "at", "See", "e.g.", "v1.2", "или", "слово", "für", "été", "これ", "です", "を見る", "資料は", "参照",
    "请看", "的", "文件在", "은", "에서", "보기", "ดู", "और", "انظر", "ראה", "είναι", "1.", "10:42", "3.14", "U.S.", "C++", "o'brien", "DNS",
]  # fmt: skip
MARKS = [
    ".", ",", ";", ":", "!", "?", "...", "-", "--", "—", "'", '"', "`", "*", "**", "_", "__", "~~", "|", "||", "&", "=", "+", "@", "#", "%", "\\",
    "。", "、", "，", "．", "：", "；", "！", "？", "・", "…", "।", "،", "؟", "·", "°", "§", "\u00a0", "\u3000", "\u200b", "\u00ad", "\ufffd",
]  # fmt: skip
PAIRS = [
    "()", "[]", "{}", "<>", '""', "''", "``", "**", "__", "||", "（）", "「」", "『』", "《》", "〈〉", "【】", "“”", "„“", "‘’", "«»", "»«", "＜＞", "｢｣",
]  # fmt: skip
FRAMES = [
    "<URL:{}>", "[x]({})", "[{}]", "[[{}|x]]", "[[{}]]", "[url={}]x[/url]", "[url]{}[/url]", "**{}**", "<b>{}</b>", "<a href={}>x</a>", "![x]({})",
    "\\url{{{}}}", "\\href{{{}}}{{x}}", "`x <{}>`_", "x={}", "x='{}'", "//{}", "# {}", "({}).", "({}", "{})", "{}'s", "«{}», ", "@{}", "${{{}}}", "[{} x]",
]  # fmt: skip
SLOTS = [
    "<p>{}", "<p>{}</p>", "<td>{}<td>{}", '<p><a href="{}">{}</a>', "<p><a href='{}'>x</a>", '<p><img src="{}" alt="{}">', "<p><b>{}</b>{}",
    '<p><img srcset="{} 1x, {} 2x">', '<p style="background: url({})">{}', "<p><a href={}>x</a>", '<p><q cite="{}">{}</q>', "<p>{}&nbsp;{}",
    "<p>{}&lt;{}&gt;", "<p><code>{}</code> {}", '<p><a href="x">{}</a>{}', "<li>{}<br>{}",
]  # fmt: skip
MARKDOWN = ["{}", "{} {}", "- {}\n- {}", "> {}", "[x]({} \"t\")", "<{}>", "[a]: {}", "# {}", "`{}` {}", "| {} | {} |", "**{}** {}"]
RST = ["{}", "{} {}", "- {}\n- {}", "`x <{}>`_", ".. _a: {}", "*{}* {}", "``{}`` {}", ".. image:: {}", ":x: {}", "   {}"]


class Writer:
    """Writes texts from a seed, in the characters of a codec."""

    def __init__(self, seed, codec):
        self.next = random.Random(seed).random
        keep = lambda parts: [part for part in parts if has(codec, part)]
        self.schemes, self.names, self.endings = keep(SCHEMES), keep(NAMES), keep(ENDINGS)
        self.hosts, self.paths, self.tails = keep(HOSTS), keep(PATHS), keep(TAILS)
        self.words, self.marks, self.pairs, self.frames = keep(WORDS), keep(MARKS), keep(PAIRS), keep(FRAMES)

    def pick(self, parts):
        return parts[int(self.next() * len(parts))]

    def host(self):
        return self.pick(self.hosts) if self.next() < 0.15 else self.pick(self.names) + self.pick(self.endings)

    def link(self):
        kind, host = self.next(), self.host()
        begin = self.pick(self.schemes) if kind < 0.6 else "www." if kind < 0.7 else self.pick(self.names) + "@" if kind < 0.8 else ""
        path = self.pick(self.paths) if self.next() < 0.7 else ""
        tail = self.pick(self.tails) if self.next() < 0.3 else ""
        return begin + host + path + tail

    def framed(self):
        link, kind = self.link(), self.next()
        if kind < 0.6:
            return link
        if kind < 0.8:
            pair = self.pick(self.pairs)
            return pair[0] + link + pair[1]
        return self.pick(self.frames).format(link)

    def part(self):
        kind = self.next()
        if kind < 0.35:
            return self.framed()
        return self.pick(self.words) if kind < 0.7 else self.pick(self.marks)

    def soup(self):
        """A text without line ends."""
        text = self.framed()
        for _ in range(int(self.next() * 5)):
            blank = " " if self.next() < 0.5 else ""
            text = text + blank + self.part() if self.next() < 0.6 else self.part() + blank + text
        return text

    def text(self, format):
        if format == "html":
            # A quote or a comment in a tag would extend beyond the paragraph.
            clean = lambda: self.soup().translate({ord(char): None for char in "\"'<>`"})
            return self.pick(SLOTS).format(clean(), clean())
        if format == "txt":
            return self.soup()
        return self.pick(MARKDOWN if format == "md" else RST).format(self.soup(), self.soup())


def has(codec, text):
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def version():
    """Identifies the texts, which depend only on this file."""
    return hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()[:12]


def write(folder):
    """Writes CHARSET/NUMBER.FORMAT below the folder; the files of any numbers are a sample."""
    for charset, codec in CHARSETS.items():
        (folder / charset).mkdir(parents=True, exist_ok=True)
        for number in range(FILES_PER_CHARSET):
            format = FORMATS[number % len(FORMATS)]
            writer = Writer(f"{charset} {number}", codec)
            texts = (writer.text(format) for _ in range(TEXTS_PER_FILE))
            file = folder / charset / f"{number:03}.{format}"
            file.write_bytes("\n\n".join(texts).encode(codec))
