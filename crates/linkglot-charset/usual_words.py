#!/usr/bin/env python3
"""Writes data/words.tsv: usual words with letters beyond ASCII, and how frequent they are in the languages that detection
knows.

The texts are the translated messages of Debian's packages (those that `language_model.py` reads), and manuals, manual pages,
descriptions of packages, stories of games and fortunes, of which the packages are named below; for Western European languages
also the words that CLDR describes emoji with, and the names that Faker invents people and places from. The frequency of a
word is counted, no text is copied. Words of English are those of spelling dictionaries, most of which tell by their size how
usual a word is, too. Short words are counted by wordfreq. Run by hand:

    apt-get download $(python3 usual_words.py)
    for FILE in *.deb; do dpkg-deb -x $FILE SOURCES/${FILE%%_*}; done
    apt-get update -o Dir::State::lists=LISTS -c LANGUAGES     # with Acquire::Languages for `python3 usual_words.py languages`
    npm pack cldr-annotations-full; tar -xf cldr-annotations-full-*.tgz -C SOURCES/cldr
    pip download --no-deps faker; unzip faker-*.whl -d SOURCES/faker
    /usr/lib/apt/apt-helper cat-file LISTS/*_bookworm_main_i18n_Translation-fr.lz4 > SOURCES/descriptions/Translation-fr ...
    python3 usual_words.py SOURCES
    pip install wordfreq; python3 usual_words.py short    # writes data/short_words.tsv
"""

import collections
import functools
import gettext
import gzip
import html
import io
import math
import os
import pathlib
import re
import sys
import unicodedata

import language_model

DESCRIPTIONS = "ca cs da de el en eo es eu fi fr hr hu it lt nb nl pl pt pt_BR ro ru sk sl sr sv tr uk"

PACKAGES = """installation-guide-amd64 debian-handbook gnome-user-docs wesnoth-1.16-data freeciv-data fillets-ng-data
freedroidrpg-data pingus-data supertux-data warzone2100-data widelands-data kgeography-data fortunes
fortunes-min kdeedu-kvtml-data colobot-common wdutch witalian wamerican-small wamerican wamerican-large wamerican-huge wbritish-small wbritish
wbritish-large wbritish-huge hunspell-en-gb"""
IN_LANGUAGES = {
    "manpages": "cs da de el es fi fr hu it mk nb nl pl pt pt-br ro ru sr sv tr uk",
    "libreoffice-help": "ca cs da de el en-us es et eu fi fr gl hu it nl pl pt pt-br ru sk sl sv tr",
    "libreoffice-l10n": """af ar be bg br ca cs cy da de el en-gb en-za eo es et eu fa fi fr ga gd gl he hr hu is it lt lv mk
    nb nl pl pt pt-br ro ru sk sl sr sv tr uk""",
    "debian-reference": "de en es fr it pt pt-br",
    "debian-faq": "de fr it nl pt ru",
    "aptitude-doc": "cs en es fi fr it nl ru",
    "maint-guide": "ca de es fr it ru",
    "debian-edu-doc": "da de es fr it nb-no nl pt-br pt-pt",
    "debian-edu-doc-legacy": "pl sv",
    "fortunes": "bg br cs de eo es ga it pl ru",
}

# Locales of the texts that are not named as the language is.
ALIASES = {"pt_br": "pt", "pt_pt": "pt", "no": "nb", "nb_no": "nb", "en_us": "en", "en_gb": "en", "en_za": "en", "brasil": "pt"}

# Languages without usual words: those of which the letters alone tell short texts, those written in several ways, those with
# few texts, and the Baltic ones, whose words are others in another charset: the case of a Lithuanian word is a Latvian one (`pasaulį`,
# `pasaulē`).
WITHOUT = {"kk", "tg", "vi", "vi-composed", "hy", "ka", "th", "lt", "lv", "et", "gd", "fo", "fur", "lb", "mt", language_model.WESTERN}

# A language whose words are often words of others in another charset (`sviða`, Croatian `sviđa`): those that the texts of
# another language have are left out.
ALIKE = "is"
CHARSETS_ALIKE = "cp1250 cp1254 cp1257 iso8859-2 iso8859-3 iso8859-4 iso8859-9 iso8859-10 iso8859-13 iso8859-16".split()

# Languages whose pages are the ones with a single word beyond ASCII, and sources of words for every day that only these
# need: emoji, people, and games.
WESTERN = set("fr es sv da nb fi de pt ca nl it en is".split())
EVERYDAY = ("cldr", "faker", "fillets", "freedroid", "pingus", "supertux", "warzone", "widelands")

# Names of people and places count if lists of two countries have them.
NAMES, LEAST_LISTS = "faker", 2

# Stories, and lists of words for learners, have more of the usual words than manuals.
STORIES = ("wesnoth", "fortunes", "freeciv", "kgeography", "kdeedu", "colobot", *EVERYDAY)
STORY = 5

# Most words of a language. Western European languages have the most: their pages are the ones with a word beyond ASCII.
MOST = {
    **dict.fromkeys("fr es sv da nb fi".split(), 3900),
    **dict.fromkeys("de pt ca nl".split(), 3400),
    **dict.fromkeys("it en is".split(), 2200),
    **dict.fromkeys("cs pl hu tr".split(), 1000),
    **dict.fromkeys("gl sq br ga eo he ar fa".split(), 350),
    **dict.fromkeys("ru uk bg be sr mk el".split(), 150),
}
MOST_OF_OTHERS = 600

# A word costs so much less than its frequency tells, in half bits: most words of a text are usual ones, and words that are
# not usual cost what their letters do. Other languages than those with the most words have more words that are not here.
LESS = dict.fromkeys(WESTERN, 12)
LESS_OF_OTHERS = 6

# Lists of words: a word that is read once counts if it is here, and free ones tell more words of a language.
LISTS = {"it": "witalian", "nl": "wdutch"}
FREE, LONGEST_OF_LIST, SHARE_OF_LIST = {"nl"}, 10, 3e-8


# The fewest times that a word must be read.
LEAST_COUNT = 2

# A word counts with the root of its frequency in a source: a source repeats the words of its field.
DAMPING = 0.5

# Lengths of words in letters.
SHORTEST, LONGEST = 3, 16

# The least shares of words of one letter and of two: a letter alone stands for many things.
SHORT_SHARES = {1: 1e-3, 2: 1e-4}

# Letters of Romanian, and those that stand for them in charsets without them: neither spelling tells the charset.
ROMANIAN = str.maketrans("șț", "şţ")

# Shares of English words by the smallest dictionary that has them.
DICTIONARIES = {"small": 2e-6, "medium": 6e-7, "large": 2e-7, "huge": 4e-8}

# A dictionary with the accents of words that the others spell without (`façade`, `Montréal`), and its share.
ACCENTED, SHARE_OF_ACCENTED = "hunspell-en-gb/usr/share/hunspell/en_GB.dic", DICTIONARIES["large"]

# Costs are half bits, in steps.
STEP = 5


def packages():
    return [*PACKAGES.split(), *(f"{name}-{lang}" for name, langs in IN_LANGUAGES.items() for lang in langs.split())]


def locale_of(path):
    """The language of a file, by the folders that it is in, its name, or the name of its package."""
    package, *folders, name = path.parts
    candidates = [*reversed(folders), *reversed(name.split(".")[1:]), name.rpartition("Translation-")[2]]
    if path.suffix in (".po", ".lua"):
        candidates.append(path.stem.removeprefix("dialogs_"))
    if package.startswith(tuple(IN_LANGUAGES)):
        named = re.search(r"-(\w+(-\w\w)?)$", package)
        candidates.append(named[1].removeprefix("legacy-").removeprefix("doc-") if named else "")
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
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    if path.suffix in (".html", ".page", ".kvtml"):
        text = html.unescape(re.sub(r"<(script|style|pre|code)\b.*?</\1>|<[^>]*>", " ", text, flags=re.S))
    # Requests and fonts of manual pages.
    return re.sub(r"\\f[A-Z]|\\f\(..|\\[&~%|]", "", text)


def words_of(text):
    return (word for word in re.findall(r"[^\W\d_]+", text) if SHORTEST <= len(word) <= LONGEST and is_in_case(word))


def is_in_case(word):
    return not word.isascii() and (word[1:].islower() or word[1:] == word[1:].lower() or word.isupper())


def is_text(path):
    endings = (".mo", ".po", ".lua", ".html", ".page", ".gz", ".u8", ".kvtml", ".json")
    is_page = re.search(r"/man/[^/]+/man\d/", str(path)) is not None
    is_fortune = "/fortunes/" in str(path) and not path.suffix
    is_names = path.parts[0] == NAMES and path.suffix == ".py"
    return path.name.startswith("Translation-") or is_page or is_fortune or is_names or path.suffix in endings


class Words:
    """The words of a language: the share of each in every source, which is a package."""

    def __init__(self):
        self.sources = collections.defaultdict(collections.Counter)
        self.sizes = collections.Counter()
        self.lists = collections.Counter()

    def add(self, source, text):
        words = [word.lower() for word in words_of(text)]
        self.sources[source].update(words)
        if source == NAMES:
            self.lists.update(set(words))
        self.sizes[source] += len(re.findall(r"[^\W\d_]+", text))

    def counts(self, listed):
        counts = collections.Counter(dict.fromkeys(listed, 1))
        for source, words in self.sources.items():
            for word, count in words.items():
                if source != NAMES or self.lists[word] >= LEAST_LISTS:
                    counts[word] += count
        return counts

    def shares(self, listed):
        """The estimated share of each word among the words of texts. A source counts with the root of its size: large ones
        have the words of their field."""
        weights = {source: math.sqrt(size) * weight_of(source) for source, size in self.sizes.items()}
        damped, plain, whole = collections.Counter(), collections.Counter(), sum(weights.values())
        for source, words in self.sources.items():
            for word, count in words.items():
                damped[word] += weights[source] * (count / self.sizes[source]) ** DAMPING
                plain[word] += weights[source] / whole * count / self.sizes[source]
        counts = self.counts(listed)
        scale = sum(plain.values()) / (sum(share ** (1 / DAMPING) for share in damped.values()) or 1)
        return {word: scale * share ** (1 / DAMPING) for word, share in damped.items() if counts[word] >= LEAST_COUNT}


def weight_of(source):
    return STORY if source.startswith(STORIES) else 1


def read(sources):
    words = collections.defaultdict(Words)
    for lang in sorted(known_locales()):
        for text in language_model.texts_of(lang):
            words[lang].add("messages", text)
    for path in sorted(path for path in sources.rglob("*") if path.is_file() and not path.is_symlink()):
        inside = path.relative_to(sources)
        source = inside.parts[0]
        lang = locale_of(inside) if is_text(inside) else None
        if lang and (lang in WESTERN or not source.startswith(EVERYDAY)):
            words[lang].add(source, text_of(path))
    return words


def english(sources, shares):
    """Words of dictionaries, by their shares in English texts or by the smallest dictionary that has them; and words of
    texts that dictionaries have without accents."""
    found, plain = {}, set()

    def take(word, share):
        if word.isascii():
            plain.add(word)
        elif SHORTEST <= len(word) <= LONGEST and word.isalpha():
            word = word.lower()
            found[word] = max(share, found.get(word, 0), shares.get(word, 0))

    for size, share in DICTIONARIES.items():
        for path in sorted(sources.glob("w*/usr/share/dict/*-english*")):
            if (path.name.partition("english-")[2] or "medium") == size:
                for word in path.read_text(encoding="utf-8").split():
                    take(word.removesuffix("'s"), share)
    for line in (sources / ACCENTED).read_text(encoding="utf-8").splitlines():
        word = line.partition("/")[0]
        if not word.isascii():
            take(word, SHARE_OF_ACCENTED)
    others = {word: share for word, share in shares.items() if without_accents(word) in plain}
    return {**others, **found}


def without_accents(word):
    return "".join(ch for ch in unicodedata.normalize("NFD", word) if not unicodedata.combining(ch))


def listed(sources, lang):
    """Words of a list, in small letters."""
    paths = sorted((sources / LISTS[lang] / "usr/share/dict").glob("*")) if lang in LISTS else []
    words = (word.lower() for path in paths for word in path.read_text(encoding="utf-8").split())
    return {word for word in words if not word.isascii() and word.isalpha() and SHORTEST <= len(word) <= LONGEST}


def is_of_another(word, texts):
    """True if the bytes of a word are, in another charset, one that texts of another language have."""
    others = [words.sources.values() for lang, words in texts.items() if lang != ALIKE]
    for form in {word, word.upper(), word.capitalize()}:
        for charset in CHARSETS_ALIKE:
            try:
                other = form.encode("cp1252").decode(charset).lower()
            except UnicodeError:
                continue
            if other != word and any(other in source for sources in others for source in sources):
                return True
    return False


def usual(lang, alphabet, shares):
    """The most frequent words that the letters of the language can write, and their costs."""
    letters = set(all_latin() if lang == "en" else alphabet)
    words = sorted(shares, key=lambda word: (-shares[word], word))
    words = [word for word in words if set(word) <= letters]
    less = LESS.get(lang, LESS_OF_OTHERS)
    costs = {word: -2 * math.log2(shares[word]) - less for word in words[: MOST.get(lang, MOST_OF_OTHERS)]}
    return {word: max(1, round(cost / STEP)) * STEP for word, cost in costs.items()}


def all_latin():
    return "".join(alphabet for _, _, alphabet in language_model.LANGUAGES if alphabet[0] == "a")


def packed(words):
    """Sorted words, each after a character for the number of bytes that it has in common with the one before: `0` for none.
    The characters are none of a word."""
    text, before = "", ""
    for word in sorted(words):
        common = os.path.commonprefix([before, word])
        text += chr(0x30 + len(common.encode())) + word[len(common) :]
        before = word
    return text


def short_words(lang):
    """Frequent words of one letter or two with a letter beyond ASCII."""
    import wordfreq

    counted = "sh" if lang == "hr" else lang
    if counted not in wordfreq.available_languages():
        return []
    words = (word for word in wordfreq.top_n_list(counted, 20_000) if len(word) in SHORT_SHARES)
    words = [word for word in words if word.isalpha() and not word.isascii()]
    words = [word for word in words if wordfreq.word_frequency(word, counted) >= SHORT_SHARES[len(word)]]
    return sorted({*words, *(word.translate(ROMANIAN) for word in words)})


def short():
    """Writes the short words of languages in Latin letters: in other scripts all words are beyond ASCII."""
    langs = [lang for lang, _, alphabet in language_model.LANGUAGES if lang not in WITHOUT and alphabet[0] == "a"]
    lines = [f"{lang}\t{' '.join(words)}" for lang in langs if (words := short_words(lang))]
    (language_model.DATA / "short_words.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(sources):
    sources = pathlib.Path(sources)
    texts = read(sources)
    lines = []
    for lang, _, alphabet in language_model.LANGUAGES:
        if lang in WITHOUT:
            continue
        words = listed(sources, lang)
        shares = texts[lang].shares(words)
        if lang in FREE:
            shares = {**{word: SHARE_OF_LIST for word in words if len(word) <= LONGEST_OF_LIST}, **shares}
        if lang == ALIKE:
            shares = {word: share for word, share in shares.items() if not is_of_another(word, texts)}
        costs = usual(lang, alphabet, english(sources, shares) if lang == "en" else shares)
        for cost in sorted(set(costs.values())):
            lines.append(f"{lang}\t{cost}\t{packed(word for word in costs if costs[word] == cost)}")
        print(f"{lang}: {len(costs)} words of {len(shares)}")
    (language_model.DATA / "words.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(*packages())
    elif sys.argv[1] == "languages":
        print(DESCRIPTIONS)
    elif sys.argv[1] == "short":
        short()
    else:
        main(*sys.argv[1:])
