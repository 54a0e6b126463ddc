#!/usr/bin/env python3
"""Writes data/words.tsv: usual words with letters beyond ASCII, and how frequent they are in the languages that detection
knows.

The texts are the translated messages of Debian's packages (those that `language_model.py` reads), and manuals, manual pages,
descriptions of packages, stories of games and fortunes, of which the packages are named below. The frequency of a word is
counted, no text is copied. Words of English are those of spelling dictionaries, which tell by their size how usual a
word is, too. Run by hand:

    apt-get download $(python3 usual_words.py)
    for FILE in *.deb; do dpkg-deb -x $FILE SOURCES/${FILE%%_*}; done
    apt-get update -o Dir::State::lists=LISTS -c LANGUAGES     # with Acquire::Languages for `python3 usual_words.py languages`
    /usr/lib/apt/apt-helper cat-file LISTS/*_bookworm_main_i18n_Translation-fr.lz4 > SOURCES/descriptions/Translation-fr ...
    python3 usual_words.py SOURCES
"""

import collections
import functools
import gettext
import gzip
import html
import io
import math
import pathlib
import re
import sys

import language_model

DESCRIPTIONS = "ca cs da de el en eo es eu fi fr hr hu it lt nb nl pl pt pt_BR ro ru sk sl sr sv tr uk"

PACKAGES = """installation-guide-amd64 debian-handbook gnome-user-docs wesnoth-1.16-data freeciv-data kgeography-data fortunes
fortunes-min wamerican-small wamerican wamerican-large wamerican-huge"""
IN_LANGUAGES = {
    "manpages": "cs da de el es fi fr hu it mk nb nl pl pt pt-br ro ru sr sv tr uk",
    "libreoffice-help": "ca cs da de el en-us es et eu fi fr gl hu it nl pl pt pt-br ru sk sl sv tr",
    "libreoffice-l10n": """af ar be bg br ca cs cy da de el en-gb en-za eo es et eu fa fi fr ga gd gl he hr hu is it lt lv mk
    nb nl pl pt pt-br ro ru sk sl sr sv tr uk""",
    "debian-reference": "de en es fr it pt pt-br",
    "debian-faq": "de fr it nl pt ru",
    "aptitude-doc": "cs en es fi fr it nl ru",
    "maint-guide": "ca de es fr it ru",
    "fortunes": "bg br cs de eo es ga it pl ru",
}

# Locales of the texts that are not named as the language is.
ALIASES = {"pt_br": "pt", "no": "nb", "nb_no": "nb", "en_us": "en", "en_gb": "en", "en_za": "en", "brasil": "pt"}

# Languages that need no words: those of which the letters alone tell short texts, and those written in several ways.
WITHOUT = {"kk", "tg", "vi", "vi-composed", "hy", "ka", "th"}

# Most words of a language, by the number of bytes that they take, and the fewest times and sources that a word must be read.
MOST_BYTES = {"fr": 15000, "de": 15000, "es": 12000, "pt": 12000, "sv": 12000, "da": 11000, "nb": 10000, "fi": 12000, "it": 7000}
MOST_BYTES |= {"en": 8000, "is": 9000, "ca": 8000, "nl": 4000, "et": 6000, "ru": 3000}
MOST_BYTES_OF_OTHERS = 6000
LEAST_COUNT, LEAST_SOURCES = 4, 2

# Lengths of words in letters.
SHORTEST, LONGEST = 3, 16

# Shares of English words by the smallest dictionary that has them.
DICTIONARIES = {"wamerican-small": 2e-6, "wamerican": 4e-7, "wamerican-large": 1e-7, "wamerican-huge": 2e-8}

# The number of rows of the table: a power of two. A word is in the row of its hash.
ROWS = 4096

# Costs are half bits, beginning with this character for none.
ZERO = 0x30


def packages():
    return [*PACKAGES.split(), *(f"{name}-{lang}" for name, langs in IN_LANGUAGES.items() for lang in langs.split())]


def locale_of(path):
    """The language of a file, by the folders that it is in, its name, or the name of its package."""
    package, *folders, name = path.parts
    candidates = [*reversed(folders), *reversed(name.split(".")[1:]), name.rpartition("Translation-")[2]]
    if package.startswith(tuple(IN_LANGUAGES)):
        candidates.append(next(package.removeprefix(begin + "-") for begin in IN_LANGUAGES if package.startswith(begin)))
    if package in ("fortunes", "fortunes-min"):
        candidates.append("en")
    for candidate in candidates:
        locale = candidate.replace("-", "_").lower()
        locale = ALIASES.get(locale, locale)
        short = locale.partition("_")[0]
        if locale in known_locales():
            return locale
        if re.fullmatch(r"[a-z]{2}_[a-z]{2}", locale) and short in known_locales():
            return short
    return None


@functools.cache
def known_locales():
    return {lang for lang, _, _ in language_model.LANGUAGES} - WITHOUT


def text_of(path):
    """The running text of a file; empty for files that are no text in UTF-8."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data, path = gzip.decompress(data), path.with_suffix("")
    if path.suffix == ".mo":
        try:
            catalog = gettext.GNUTranslations(io.BytesIO(data))._catalog
        except (UnicodeDecodeError, OSError):
            return ""
        return "\n".join(text for key, text in sorted(catalog.items(), key=str) if key and text != key)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    if path.suffix in (".html", ".page", ".xml", ".xhtml"):
        text = html.unescape(re.sub(r"<(script|style|pre|code)\b.*?</\1>|<[^>]*>", " ", text, flags=re.S))
    # Requests and fonts of manual pages.
    return re.sub(r"\\f[A-Z]|\\f\(..|\\[&~%|]", "", text)


def words_of(text):
    return (word for word in re.findall(r"[^\W\d_]+", text) if SHORTEST <= len(word) <= LONGEST and is_in_case(word))


def is_in_case(word):
    return not word.isascii() and (word[1:].islower() or word[1:] == word[1:].lower() or word.isupper())


def is_text(path):
    endings = (".mo", ".html", ".page", ".gz", ".u8", ".cfg")
    is_page = re.search(r"/man/[^/]+/man\d/", str(path)) is not None
    is_fortune = "/fortunes/" in str(path) and not path.suffix
    return path.name.startswith("Translation-") or is_page or is_fortune or path.suffix in endings


class Words:
    """The words of a language: the share of each in every source, which is a package."""

    def __init__(self):
        self.sources = collections.defaultdict(collections.Counter)
        self.sizes = collections.Counter()

    def add(self, source, text):
        self.sources[source].update(word.lower() for word in words_of(text))
        self.sizes[source] += len(re.findall(r"[^\W\d_]+", text))

    def shares(self):
        """A source counts with the root of its size: large ones have the words of their field."""
        weights = {source: math.sqrt(size) for source, size in self.sizes.items()}
        whole = sum(weights.values()) or 1
        shares, counts, places = collections.Counter(), collections.Counter(), collections.Counter()
        for source, words in self.sources.items():
            for word, count in words.items():
                shares[word] += weights[source] / whole * count / self.sizes[source]
                counts[word] += count
                places[word] += 1
        least = min(LEAST_SOURCES, len(self.sources))
        return {word: share for word, share in shares.items() if counts[word] >= LEAST_COUNT and places[word] >= least}


def read(sources):
    words = collections.defaultdict(Words)
    for lang in sorted(known_locales()):
        for text in language_model.texts_of(lang):
            words[lang].add("messages", text)
    for path in sorted(path for path in sources.rglob("*") if path.is_file() and not path.is_symlink()):
        inside = path.relative_to(sources)
        lang = locale_of(inside) if is_text(path) else None
        if lang:
            words[lang].add(inside.parts[0], text_of(path))
    return words


def english(sources, shares):
    """Words of English texts that a dictionary has, and those of dictionaries."""
    found = {}
    for package, share in DICTIONARIES.items():
        paths = (sources / package / "usr/share/dict").glob("american-english*")
        for path in sorted(paths):
            for word in path.read_text(encoding="utf-8").split():
                word = word.removesuffix("'s").lower()
                if not word.isascii() and SHORTEST <= len(word) <= LONGEST and word.isalpha():
                    found[word] = max(share, found.get(word, 0), shares.get(word, 0))
    return found


def usual(lang, alphabet, shares):
    """The most frequent words that the letters of the language can write, and their costs."""
    letters = set(alphabet) | (set(all_latin()) if lang == "en" else set())
    chosen, room = {}, MOST_BYTES.get(lang, MOST_BYTES_OF_OTHERS)
    for word, share in sorted(shares.items(), key=lambda item: (-item[1], item[0])):
        room -= len(word.encode()) + 3
        if room < 0:
            break
        if set(word) <= letters:
            chosen[word] = round(-2 * math.log2(share))
        else:
            room += len(word.encode()) + 3
    return chosen


def all_latin():
    return "".join(alphabet for _, _, alphabet in language_model.LANGUAGES if alphabet[0] == "a")


def row(word):
    """FNV-1a of the word in UTF-8, 32 bits."""
    value = 0x811C9DC5
    for byte in word.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return (value ^ value >> 15) % ROWS


def table(costs):
    """A line for each row: its words, each with its languages and costs. The number of a language is that of its line in
    languages.tsv; both are characters that no word has."""
    rows = [[] for _ in range(ROWS)]
    for word in sorted(costs):
        signs = "".join(chr(0x21 + number) + chr(ZERO + cost) for number, cost in sorted(costs[word]))
        rows[row(word)].append(f"{word}\t{signs}")
    return "".join(" ".join(entries) + "\n" for entries in rows)


def main(sources):
    sources = pathlib.Path(sources)
    texts = read(sources)
    costs = collections.defaultdict(list)
    for number, (lang, _, alphabet) in enumerate(language_model.LANGUAGES):
        if lang in WITHOUT:
            continue
        shares = texts[lang].shares()
        chosen = usual(lang, alphabet, english(sources, shares) if lang == "en" else shares)
        for word, cost in chosen.items():
            costs[word].append((number, cost))
        print(lang, len(chosen), min(chosen.values(), default=0), max(chosen.values(), default=0), sum(texts[lang].sizes.values()), len(texts[lang].sizes))
    (language_model.DATA / "words.tsv").write_text(table(costs), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(*packages())
    elif sys.argv[1] == "languages":
        print(DESCRIPTIONS)
    else:
        main(*sys.argv[1:])
