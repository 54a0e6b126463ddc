#!/usr/bin/env python3
"""Writes data/languages.tsv and data/ideographs.tsv: how probable letters are in the languages that detection knows.

The texts are the translated messages (.mo) of Debian's packages below /usr/share/locale; those of every fifth package and of
iso-codes are kept for measuring (`detection_cases.py`). Languages with few messages also have the words that CLDR describes
emoji with. Run by hand:

    pip download jieba opencc-python-reimplemented; apt-get download edict
    npm pack cldr-annotations-full; tar -xf cldr-annotations-full-*.tgz -C SOURCES/cldr
    python3 language_model.py SOURCES

SOURCES holds dict.txt of jieba, STCharacters.txt of opencc and edict.
"""

import collections
import gettext
import itertools
import json
import math
import pathlib
import re
import sys
import unicodedata
import zlib

LOCALES = pathlib.Path("/usr/share/locale")
SOURCES = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path()
DATA = pathlib.Path(__file__).parent / "data"

RUSSIAN = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
LATIN = "abcdefghijklmnopqrstuvwxyz"

VIETNAMESE = (
    "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"
)

# All languages of Western charsets together, for a text in one that the model does not know.
WESTERN = "mul"
OF_WESTERN = "fr en de es it pt sv da fi is nl nb sq gl af ga gd fo fur lb br ca eu".split()

# Languages with few messages: the words that CLDR describes emoji with are read, too.
OF_CLDR = set("gd fo lb mt".split())

# The locale, the top-level domains of its countries, the alphabet.
LANGUAGES = [
    ("ru", "ru su", RUSSIAN + "ё"),
    ("uk", "ua", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    ("bg", "bg", "абвгдежзийклмнопрстуфхцчшщъьюя"),
    ("be", "by", "абвгдеёжзійклмнопрстуўфхцчшыьэюя"),
    ("sr", "rs yu ba me", "абвгдђежзијклљмнњопрстћуфхцчџш"),
    ("mk", "mk", "абвгдѓежзѕијклљмнњопрстќуфхцчџш"),
    ("kk", "kz", "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя"),
    ("tg", "tj", "абвгғдеёжзиӣйкқлмноӯпрстуфхҳцчҷшщъыьэюя"),
    ("cs", "cz", LATIN + "áčďéěíňóřšťúůýž"),
    ("sk", "sk", LATIN + "áäčďéíĺľňóôŕšťúýž"),
    ("pl", "pl", LATIN + "ąćęłńóśźż"),
    ("hu", "hu", LATIN + "áéíóöőúüű"),
    ("ro", "ro md", LATIN + "ăâîșțşţ"),
    ("hr", "hr ba rs", LATIN + "čćđšž"),
    ("sl", "si", LATIN + "čšž"),
    ("fr", "fr be ch ca lu", LATIN + "àâçèéêëîïôùûüœæ"),
    ("en", "uk us au ca ie nz", LATIN + "é"),
    ("de", "de at ch lu", LATIN + "äöüß"),
    ("es", "es mx ar cl co pe", LATIN + "áéíñóúü"),
    ("it", "it ch", LATIN + "àèéìòù"),
    ("pt", "pt br", LATIN + "àáâãçéêíóôõúü"),
    ("sv", "se fi", LATIN + "åäöé"),
    ("da", "dk", LATIN + "æøåé"),
    ("fi", "fi", LATIN + "äöåšž"),
    ("is", "is", LATIN + "áðéíóúýþæö"),
    ("nl", "nl be", LATIN + "áéèëïóöü"),
    ("nb", "no", LATIN + "æøåéôò"),
    ("sq", "al", LATIN + "çëê"),
    ("gl", "es", LATIN + "áéíïñóúü"),
    ("af", "za", LATIN + "áèéêëîïôöûü"),
    ("ga", "ie", LATIN + "áéíóú"),
    ("gd", "uk", LATIN + "àèìòù"),
    ("fo", "fo", LATIN + "áðíóúýæø"),
    ("fur", "it", LATIN + "àâçêìîôùû"),
    ("lb", "lu", LATIN + "äëéèöü"),
    ("mt", "mt", LATIN + "àċèġħìòùż"),
    (WESTERN, "", LATIN + "".join(ch for ch in map(chr, range(0xDF, 0x100)) if ch.isalpha()) + "œ"),
    ("cy", "uk", LATIN + "àáâäèéêëîïôöûŵŷ"),
    ("br", "fr", LATIN + "âêîôûùüñé"),
    ("ca", "es", LATIN + "àçèéíïòóúü"),
    ("eu", "es", LATIN + "ñ"),
    ("tr", "tr", LATIN + "çğıöşüâî"),
    ("lt", "lt", LATIN + "ąčęėįšųūž"),
    ("lv", "lv", LATIN + "āčēģīķļņšūž"),
    ("et", "ee", LATIN + "äõöüšž"),
    ("eo", "", LATIN + "ĉĝĥĵŝŭ"),
    ("vi", "vn", LATIN + "àâãèêéìíòóôõùúýăđĩũơưạ\u0300\u0301\u0303\u0309\u0323"),
    ("vi-composed", "vn", LATIN + VIETNAMESE),
    ("hy", "am", "".join(map(chr, range(0x561, 0x588)))),
    ("ka", "ge", "".join(map(chr, range(0x10D0, 0x10F1)))),
    ("el", "gr cy", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),
    ("he", "il", "אבגדהוזחטיךכלםמןנסעףפץצקרשת"),
    ("ar", "eg sa ma dz tn jo sy ae", "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْ"),
    ("fa", "ir", "ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنهویي"),
    ("th", "th", "".join(map(chr, [*range(0xE01, 0xE3B), *range(0xE40, 0xE5C)]))),
]

# The locale, the top-level domains.
IDEOGRAPHS = [("ja", "jp"), ("zh_CN", "cn"), ("zh_TW", "tw hk"), ("ko", "kr")]


# Ideographs that are rarer, in bits, are left out.
RAREST = 17


def is_held_out(domain):
    return domain.startswith("iso_") or zlib.crc32(domain.encode()) % 5 == 0


def messages(locale, held_out=False):
    for path in sorted((LOCALES / locale / "LC_MESSAGES").glob("*.mo")):
        if is_held_out(path.stem) != held_out:
            continue
        with open(path, "rb") as file:
            try:
                catalog = gettext.GNUTranslations(file)
            except (UnicodeDecodeError, OSError):
                continue
        for key, text in sorted(catalog._catalog.items(), key=str):
            if key and text != key:
                yield text


def annotations(locale):
    """What CLDR describes emoji with."""
    for path in sorted((SOURCES / "cldr").rglob(f"annotations*/{locale}/annotations.json")):
        emoji = next(iter(json.loads(path.read_text(encoding="utf-8")).values()))["annotations"]
        for texts in emoji.values():
            yield from texts.get("default", [])
            yield from texts.get("tts", [])


def texts_of(locale):
    if locale == WESTERN:
        return itertools.chain.from_iterable(map(texts_of, OF_WESTERN))
    if locale in OF_CLDR:
        return itertools.chain(messages(locale), annotations(locale))
    if locale == "en":
        # Messages are in English untranslated; British ones are nearly all of its words.
        locale = "en_GB"
    if locale == "vi-composed":
        return (unicodedata.normalize("NFC", text) for text in messages("vi"))
    if locale == "vi":
        return map(as_in_windows_1258, messages(locale))
    if locale != "ro":
        return messages(locale)
    # Old charsets have the cedilla only, new texts the comma.
    twins = str.maketrans("șț", "şţ")
    return [text for message in messages(locale) for text in (message, message.translate(twins))]


def as_in_windows_1258(text):
    """Tone marks stand behind their letters, unless windows-1252 has both as one."""

    def parts(ch):
        try:
            ch.encode("cp1258")
            return ch
        except UnicodeEncodeError:
            two = unicodedata.normalize("NFD", ch)
            base, tone = (unicodedata.normalize("NFC", two[:-1]), two[-1:])
            # The tone may stand before the other mark in NFD.
            if len(two) == 3 and two[1] == "\u0323":
                base, tone = unicodedata.normalize("NFC", two[0] + two[2]), two[1]
            return base + tone

    return "".join(map(parts, unicodedata.normalize("NFC", text)))


# Percentages of the ten million most visited sites in March 2013 (W3Techs, "Usage of content languages for websites"). Those
# below one percent count as one.
SHARES = {"en": 55, "ru": 6, "de": 6, "es": 5, "fr": 4, "pt": 2, "pl": 2, "it": 2}

# A pair costs as many half bits as the character says that stands for it, beginning with this one.
ZERO, MOST = ord("0"), 31

# A word counts with the root of its frequency: texts repeat the words of their field.
DAMPING = 0.5

# So many occurrences of a context, as frequent as those of the shorter context are, are added to those that were counted,
# and one for each letter that follows it (Witten and Bell).
SMOOTHING = 3

# So many triples are kept: those whose cost differs most from that of their last two letters, by their number.
TRIPLES = 600

# The begin and the end of a word.
EDGE = "_"


def words(locale):
    counts = collections.Counter()
    for text in texts_of(locale):
        counts.update(re.findall(r"(?:[^\W\d_]|[\u0300-\u0323\u064B-\u0652\u0E31-\u0E5B])+", text.lower()))
    return counts


def any_accents(word, alphabet):
    """The word with each accent in turn: which accents a language has is unknown where the language is."""

    def base(letter):
        return {"æ": "a", "œ": "o", "ø": "o", "ð": "d", "þ": "t", "ß": "s"}.get(letter) or unicodedata.normalize("NFD", letter)[0]

    if word.isascii():
        return [word]
    accented = collections.defaultdict(str)
    for letter in alphabet:
        if not letter.isascii():
            accented[base(letter)] += letter
    accented = {letter: accented[base(letter)] for letter in word if not letter.isascii()}
    turns = max(map(len, accented.values()))
    return ["".join(accented[ch][turn % len(accented[ch])] if ch in accented else ch for ch in word) for turn in range(turns)]


class Letters:
    """Which letters follow each other in the words of a language."""

    def __init__(self, locale, alphabet):
        self.alphabet = alphabet + EDGE
        self.pairs = collections.defaultdict(collections.Counter)
        self.triples = collections.defaultdict(collections.Counter)
        self.single = collections.Counter()
        for word, count in words(locale).items():
            if set(word) <= set(alphabet):
                forms = any_accents(word, alphabet) if locale == WESTERN else [word]
                for form in forms:
                    self.add(EDGE + form + EDGE, count**DAMPING / len(forms))

    def add(self, word, count):
        for first, second in zip(word, word[1:]):
            self.pairs[first][second] += count
            self.single[second] += count
        for first, second, third in zip(word, word[1:], word[2:]):
            self.triples[first + second][third] += count

    @staticmethod
    def share(counts, letter, of_shorter):
        added = SMOOTHING + len(counts)
        return (counts[letter] + added * of_shorter) / (sum(counts.values()) + added)

    def pair(self, first, second):
        return self.share(self.pairs[first], second, self.single[second] / (self.single.total() or 1))

    def triple(self, first, second, third):
        return self.share(self.triples[first + second], third, self.pair(second, third))

    def pair_costs(self):
        """A row for each letter and one for the begin of a word; the last column is the end of a word."""
        rows = ([cost(self.pair(first, second)) for second in self.alphabet] for first in self.alphabet)
        return ("".join(chr(ZERO + cost) for cost in row) for row in rows)

    def triple_costs(self):
        """The triples that cost most more or less than their pairs, each with its cost."""
        found = []
        for context, counts in list(self.triples.items()):
            for third in self.alphabet:
                pair, triple = self.pair(context[1], third), self.triple(*context, third)
                if pair and cost(pair) != cost(triple):
                    gain = abs(math.log2(triple / pair)) * (counts[third] + 1)
                    found.append((gain, context + third + chr(ZERO + cost(triple))))
        return (triple for _, triple in sorted(found, reverse=True)[:TRIPLES])


def cost(share):
    return min(MOST, round(-2 * math.log2(share))) if share else MOST


def ideographs_of(sources, locale):
    """Counts characters: those of messages, and as many of dictionaries."""
    counts = collections.Counter(ch for text in messages(locale) for ch in text)
    more = collections.Counter()
    if locale in ("zh_CN", "zh_TW"):
        for line in (sources / "dict.txt").read_text(encoding="utf-8").splitlines():
            word, count, _ = line.split()
            more.update({ch: int(count) for ch in word})
    if locale == "zh_TW":
        lines = (sources / "STCharacters.txt").read_text(encoding="utf-8").splitlines()
        twins = {line.split("\t")[0]: line.split("\t")[1].split()[0] for line in lines}
        more = collections.Counter({twins.get(ch, ch): count for ch, count in more.items()})
    if locale == "ja":
        for line in (sources / "edict").read_text(encoding="euc-jp", errors="replace").splitlines()[1:]:
            more.update(line.split("/")[0] * (1 + 15 * line.endswith("(P)/")))
    scale = sum(counts.values()) / (sum(more.values()) or 1)
    for ch, count in more.items():
        counts[ch] += count * scale
    return {ch: count for ch, count in counts.items() if "\u2E80" < ch < "\uFF61" and (ch.isalpha() or ch in "、。々ー「」，：")}


def ideograph_costs(sources, locale):
    """The characters of each whole number of bits."""
    damped = {ch: count**0.85 for ch, count in ideographs_of(sources, locale).items()}
    whole = sum(damped.values())
    levels = collections.defaultdict(str)
    for ch, count in sorted(damped.items()):
        bits = round(-math.log2(count / whole))
        if bits <= RAREST:
            levels[bits] += ch
    return levels


def main(sources):
    lines = []
    for locale, tlds, alphabet in LANGUAGES:
        letters = Letters(locale, alphabet)
        share = str(SHARES.get(locale, 1))
        pairs, triples = " ".join(letters.pair_costs()), "".join(sorted(letters.triple_costs()))
        lines.append("\t".join([locale, tlds, share, alphabet, pairs, triples]))
    (DATA / "languages.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = []
    for locale, tlds in IDEOGRAPHS:
        levels = sorted(ideograph_costs(pathlib.Path(sources), locale).items())
        lines += [f"{locale}\t{tlds}\t{bits}\t{chars}" for bits, chars in levels]
    (DATA / "ideographs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
