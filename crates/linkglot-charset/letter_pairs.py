#!/usr/bin/env python3
"""Writes src/letter_pairs.rs: which letters follow each other in the languages that detection knows.

The texts are the translated messages (.mo) of Debian's packages below /usr/share/locale. Run by hand:

    python3 letter_pairs.py
"""

import collections
import gettext
import pathlib
import re

LOCALES = pathlib.Path("/usr/share/locale")
FILE = pathlib.Path(__file__).parent / "src" / "letter_pairs.rs"

RUSSIAN = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
LATIN = "abcdefghijklmnopqrstuvwxyz"

# The locale, the alphabet.
LANGUAGES = [
    ("ru", RUSSIAN + "ё"),
    ("uk", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    ("bg", "абвгдежзийклмнопрстуфхцчшщъьюя"),
    ("be", "абвгдеёжзійклмнопрстуўфхцчшыьэюя"),
    ("sr", "абвгдђежзијклљмнњопрстћуфхцчџш"),
    ("mk", "абвгдѓежзѕијклљмнњопрстќуфхцчџш"),
    ("cs", LATIN + "áčďéěíňóřšťúůýž"),
    ("sk", LATIN + "áäčďéíĺľňóôŕšťúýž"),
    ("pl", LATIN + "ąćęłńóśźż"),
    ("hu", LATIN + "áéíóöőúüű"),
    ("ro", LATIN + "ăâîșțşţ"),
    ("hr", LATIN + "čćđšž"),
    ("sl", LATIN + "čšž"),
    ("fr", LATIN + "àâçèéêëîïôùûüœæ"),
    ("en", LATIN + "é"),
    ("de", LATIN + "äöüß"),
    ("es", LATIN + "áéíñóúü"),
    ("it", LATIN + "àèéìòù"),
    ("pt", LATIN + "àáâãçéêíóôõúü"),
    ("sv", LATIN + "åäöé"),
    ("da", LATIN + "æøåé"),
    ("fi", LATIN + "äöåšž"),
    ("is", LATIN + "áðéíóúýþæö"),
    ("nl", LATIN + "áéèëïóöü"),
    ("nb", LATIN + "æøåéôò"),
    ("sq", LATIN + "çëê"),
    ("gl", LATIN + "áéíïñóúü"),
    ("af", LATIN + "áèéêëîïôöûü"),
    ("ga", LATIN + "áéíóú"),
    ("cy", LATIN + "àáâäèéêëîïôöûŵŷ"),
    ("br", LATIN + "âêîôûùüñé"),
    ("ca", LATIN + "àçèéíïòóúü"),
    ("tr", LATIN + "çğıöşüâî"),
    ("lt", LATIN + "ąčęėįšųūž"),
    ("lv", LATIN + "āčēģīķļņšūž"),
    ("et", LATIN + "äõöüšž"),
    ("eo", LATIN + "ĉĝĥĵŝŭ"),
    ("el", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),
    ("he", "אבגדהוזחטיךכלםמןנסעףפץצקרשת"),
    ("ar", "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْ"),
    ("fa", "ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنهویي"),
]

# Of a million pairs, a frequent pair is this many.
FREQUENT = 8

# How often a letter follows another one: a pair is of level 3 if it follows in this many of cases, and so on.
LEVELS = [1 / 16, 1 / 128, 1 / 2048]


def messages(locale):
    for path in sorted((LOCALES / locale / "LC_MESSAGES").glob("*.mo")):
        with open(path, "rb") as file:
            try:
                catalog = gettext.GNUTranslations(file)
            except (UnicodeDecodeError, OSError):
                continue
        for key, text in catalog._catalog.items():
            if key and text != key:
                yield text


def texts_of(locale):
    if locale == "en":
        # Messages are in English untranslated; British ones are nearly all of its words.
        locale = "en_GB"
    if locale != "ro":
        return messages(locale)
    # Old charsets have the cedilla only, new texts the comma.
    twins = str.maketrans("șț", "şţ")
    return [text for message in messages(locale) for text in (message, message.translate(twins))]


def follows(locale, alphabet):
    """A row for each letter and one for the begin of a word; the last two bits are the end of a word."""
    index = {letter: at for at, letter in enumerate(alphabet)}
    counts = collections.Counter()
    for text in texts_of(locale):
        for word in re.findall(r"[^\W\d_]+", text.lower()):
            places = [len(alphabet), *(index.get(letter) for letter in word), 63]
            if None not in places:
                counts.update(zip(places, places[1:]))
    least = max(2, sum(counts.values()) * FREQUENT / 1_000_000)
    totals = collections.Counter()
    for (first, _), count in counts.items():
        totals[first] += count
    rows = [0] * (len(alphabet) + 1)
    for (first, second), count in counts.items():
        if count >= least:
            level = sum(count >= totals[first] * share for share in LEVELS)
            rows[first] |= level << 2 * second
    return rows


def main():
    lines = [
        "//! Which letters follow each other in a language. Written by letter_pairs.py; data only.",
        "",
        "use crate::letters::Language;",
        "",
        f"pub(crate) static LANGUAGES: [Language; {len(LANGUAGES)}] = [",
    ]
    for locale, alphabet in LANGUAGES:
        lines += ["    Language {", f'        lang: "{locale}",', f'        alphabet: "{alphabet}",', "        follows: &["]
        lines += [f"            {row:#x}," for row in follows(locale, alphabet)]
        lines += ["        ],", "    },"]
    FILE.write_text("\n".join(lines) + "\n];\n", encoding="utf-8")


if __name__ == "__main__":
    main()
