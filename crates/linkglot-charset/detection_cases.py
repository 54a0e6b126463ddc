#!/usr/bin/env python3
"""Writes short documents in many languages and charsets, to count what detection makes of them. Run by hand:

    apt-get download $(python3 detection_cases.py)
    for FILE in *.deb; do dpkg-deb -x $FILE PACKAGES; done
    python3 detection_cases.py PACKAGES CASES.tsv [dev|test|testN] [short] [usual] [frequent]
    LINKGLOT_CASES=CASES.tsv cargo test -p linkglot-charset cases_of_packages -- --nocapture

The words are those of spelling dictionaries and of the names in iso-codes; the sentences are translated messages that
`language_model.py` has not read. Half of them are for building the model (dev), half for measuring it (test); `test2`,
`test3` ... are further words of that half, for figures that no constant was chosen by. With `short`
the documents are pages that have hardly more than the words, in many shapes; the shapes are their groups then. With
`usual` the words are frequent ones by the list of another project (`pip install wordfreq`), which the model does not
read, and a shape is added: a page in the language with the word alone. With `frequent` the documents are pages with one word,
drawn by its frequency in that list: pages in the language of the word, and pages in English with a word of any language; the
languages are their shapes, and N seeds the draw.
Each line is a group, a shape, the charset, the format, the bytes in hexadecimal and the language.
"""

import collections
import pathlib
import random
import re
import subprocess
import sys
import zlib

import language_model

# Debian's packages with dictionaries, and the name of the dictionary of each language.
PACKAGES = """hunspell-fr-classical hunspell-de-de hunspell-es hunspell-it hunspell-pt-pt hunspell-sv hunspell-da hunspell-no
hunspell-nl hunspell-is hunspell-ca hunspell-gl hunspell-cs hunspell-sk hunspell-pl hunspell-hu hunspell-ro hunspell-hr
hunspell-sl hunspell-sr hunspell-bg hunspell-ru hunspell-uk hunspell-be hunspell-el hunspell-tr hunspell-lt hunspell-lv
hunspell-he hunspell-ar hunspell-vi hunspell-th hunspell-ko hunspell-eu hunspell-br hunspell-gd hunspell-af hunspell-kk
myspell-et myspell-fa myspell-eo myspell-fo myspell-ga myspell-hy myspell-sq"""
NAMES = """fr=fr_FR de=de_DE es=es_ES it=it_IT pt=pt_PT sv=sv_SE da=da_DK nb=nb_NO nl=nl_NL is=is_IS ca=ca gl=gl_ES
cs=cs_CZ sk=sk_SK pl=pl_PL hu=hu_HU ro=ro_RO hr=hr_HR sl=sl_SI sr=sr_RS bg=bg_BG ru=ru_RU uk=uk_UA be=be_BY el=el_GR tr=tr_TR
lt=lt_LT lv=lv_LV et=et_EE he=he_IL ar=ar fa=fa_IR vi=vi_VN th=th_TH ko=ko eu=eu br=br_FR gd=gd_GB ga=ga_IE sq=sq_AL
eo=eo fo=fo_FO af=af_ZA"""
DICTIONARIES = dict(name.split("=") for name in NAMES.split())

WESTERN = "windows-1252 iso-8859-15 | ibm850 ibm437 macintosh"
CENTRAL = "windows-1250 iso-8859-2 | ibm852 x-mac-ce"
CYRILLIC = "windows-1251 iso-8859-5 | ibm855 x-mac-cyrillic"
BALTIC = "windows-1257 iso-8859-13 iso-8859-4 | ibm775"
LANGUAGES = {
    "Western European": {
        **dict.fromkeys("fr de es it pt sv da nb nl fi is ca gl eu br gd ga sq fo af".split(), WESTERN),
    },
    "Central European": dict.fromkeys("cs sk pl hu ro hr sl".split(), CENTRAL),
    "Baltic, Turkish, Esperanto": {
        **dict.fromkeys("lt lv et".split(), BALTIC),
        "tr": "windows-1254 | ibm857 x-mac-turkish",
        "eo": "iso-8859-3",
    },
    "Cyrillic": {
        "ru": CYRILLIC + " ibm866 koi8-r",
        "uk": CYRILLIC + " koi8-u",
        **dict.fromkeys("bg sr mk".split(), CYRILLIC),
        "be": CYRILLIC,
    },
    "Greek, Hebrew, Arabic": {
        "el": "windows-1253 iso-8859-7 | ibm737 x-mac-greek",
        "he": "windows-1255 iso-8859-8 | ibm862",
        "ar": "windows-1256 iso-8859-6",
        "fa": "windows-1256",
    },
    "Thai, Vietnamese": {"th": "windows-874", "vi": "windows-1258"},
    "East Asian": {
        "ja": "shift_jis euc-jp",
        "zh_CN": "gbk",
        "zh_TW": "big5",
        "ko": "euc-kr",
    },
}

# Charsets that are rare, and some that linkglot does not know: there is no right answer for these.
RARE = """fr=hp-roman8 de=hp-roman8 vi=viscii vi=tcvn hy=armscii-8 ka=georgian-ps kk=kz1048 kk=ptcp154 tg=koi8_t cy=iso8859_14
is=mac_iceland is=cp861 el=cp869 ar=cp720 ar=mac_arabic fa=mac_farsi uk=cp1125"""

LABELS = {"iso8859_14": "iso-8859-14", "koi8_t": "koi8-t", "mac_iceland": "x-mac-icelandic"}
LABELS |= dict.fromkeys(["hp-roman8", "mac_arabic", "mac_farsi"], "none")

# What Python names otherwise, or has not.
CODECS = {
    "windows-874": "cp874",
    "windows-1258": "cp1258",
    "macintosh": "mac_roman",
    "x-mac-ce": "mac_latin2",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-greek": "mac_greek",
    "x-mac-turkish": "mac_turkish",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
}

WORDS, ENGLISH_PAGES = 24, 8

# Usual words are the most frequent ones of a language with letters beyond ASCII, down to one word in ten million. The name of
# a language in the list of words, where it is not that of the locale.
USUAL, LEAST_SHARE = 400, 1e-7
IN_WORDFREQ = {"hr": "sh", "zh_CN": "zh"}

# Words that are drawn of each language and charset, the least letters that they have, and languages without pages in ASCII.
DRAWN, LEAST_LETTERS = 100, (1, 3)
NOT_LATIN = set("ru uk bg sr mk be el he ar fa th ja zh_CN zh_TW ko".split())
MARKS = [
    "It’s here", "“Quoted”", "1999–2004", "wait… what", "© 2001 Example Inc.", "½ cup", "10 € each", "one—two",
    "a\u00a0b", "£5", "25°", "Widget™", "x² + y²", "§ 3", "• item", "«so»", "¼ mile", "10 ± 2", "3 × 4", "Foo® bar",
    "‘single’", "5¢", "¾ inch", "· dot",
]

# Marks in a sentence, and sentences in ASCII before them.
SIGNS = ["10 m²", "25 °C", "½ cup", "10 €", "€5", "£5", "© 2001", "– and –", "it’s", "“so”", "5½", "¾", "«so»", "wait…", "1999–2004", "§ 3", "±2", "¿Qué?"]
SENTENCES = ["The page of the day.", "Write to us if a link is broken,", "La page du jour.", "Heute neu auf dieser Seite:"]


def chosen(texts, part, salt, count):
    """`count` of the texts, in an order that depends on nothing but them: the first ones of one half (dev), or of the other
    half those behind the first N times `count` (testN; test is test1). A list that has no more of them gives all of its half."""
    half, turn = re.fullmatch(r"(dev|test)(\d*)", part).groups()
    texts = sorted(set(texts), key=lambda text: zlib.crc32((salt + text).encode()))
    texts = [text for text in texts if (zlib.crc32(text.encode()) & 1) == (half == "test")]
    if half == "dev":
        return texts[:count]
    begin = int(turn or 1) * count
    return texts[begin : begin + count] or texts


def dictionary(packages, lang):
    name = DICTIONARIES.get(lang)
    paths = name and sorted(pathlib.Path(packages).rglob(f"{name}.dic"))
    if not paths:
        return []
    data = paths[0].read_bytes()
    affix = paths[0].with_suffix(".aff").read_bytes()
    found = re.search(rb"^\s*SET\s+(\S+)", affix, re.M)
    label = found[1].decode().lower() if found else "iso-8859-1"
    label = {"microsoft-cp1251": "cp1251"}.get(label, label)
    return [re.split(r"[/\t]", line)[0].strip() for line in data.decode(label, "replace").split("\n")[1:]]


def names(lang):
    """Words of the names of places and languages."""
    for path in sorted((language_model.LOCALES / lang / "LC_MESSAGES").glob("iso_*.mo")):
        with open(path, "rb") as file:
            catalog = language_model.gettext.GNUTranslations(file)._catalog
        for key, text in catalog.items():
            if key and text != key:
                yield from re.findall(r"\w+", text)


def is_word(lang, word, least=4):
    least = 2 if lang in ("ja", "zh_CN", "zh_TW", "ko", "vi") else least
    return not word.isascii() and re.fullmatch(r"[^\W\d_]+", word) and least <= len(word) <= 16 and not word[1:].isupper()


def usual_words(packages, lang):
    """Frequent words, with a capital if the dictionary has no other form."""
    import wordfreq

    name = IN_WORDFREQ.get(lang, lang)
    if name not in wordfreq.available_languages():
        return []
    known = {*dictionary(packages, lang), *names(lang)}
    found = []
    for word, share in wordfreq.get_frequency_dict(name).items():
        if len(found) == USUAL or share < LEAST_SHARE:
            break
        if is_word(lang, word, least=3):
            capital = word.capitalize()
            found.append(capital if capital in known and word not in known else word)
    return found


def words_of(packages, lang, is_usual):
    if is_usual:
        return usual_words(packages, lang)
    return [word for word in [*dictionary(packages, lang), *names(lang)] if is_word(lang, word)]


def languages(is_usual):
    """The languages of each group. Dictionaries of English have too few words beyond ASCII to choose from."""
    for group, labels in LANGUAGES.items():
        has_english = is_usual and group == "Western European"
        yield group, {**labels, **({"en": WESTERN} if has_english else {})}


def sentences(lang, part, is_ascii):
    texts = []
    for text in language_model.messages(lang, held_out=True):
        text = " ".join(text.split())
        if not re.search(r"[%<>{}$\\_&|~]", text) and (text.isascii() == is_ascii):
            if 30 <= len(text) * (2 if lang in ("ja", "zh_CN", "zh_TW", "ko") else 1) <= 140:
                texts.append(text)
    return chosen(texts, part, "sentence", 60)


def english(part):
    texts = []
    for path in sorted((language_model.LOCALES / "fr" / "LC_MESSAGES").glob("*.mo")):
        if not language_model.is_held_out(path.stem) or path.stem.startswith("iso_"):
            continue
        with open(path, "rb") as file:
            catalog = language_model.gettext.GNUTranslations(file)._catalog
        texts += [" ".join(key.split()) for key in catalog if isinstance(key, str)]
    texts = [text for text in texts if text.isascii() and 30 <= len(text) <= 140 and not re.search(r"[%<>{}$\\_&|~]", text)]
    return chosen(texts, part, "english", 200)


def encoded(text, label):
    if label == "windows-1258":
        text = language_model.as_in_windows_1258(text)
    if label in ("viscii", "tcvn", "armscii-8", "georgian-ps"):
        done = subprocess.run(["iconv", "-f", "utf-8", "-t", label], input=text.encode(), capture_output=True)
        if done.returncode:
            raise UnicodeEncodeError(label, text, 0, 1, "iconv")
        return done.stdout
    return text.encode(CODECS.get(label, label.replace("ibm", "cp")))


def documents(word, other, at, own, plain, foreign, is_usual=False):
    """Shapes around a word: the link alone, a line, a page in the language, a page in English."""
    yield "link", "text", f"http://www.example.com/{word}\n"
    if own:
        sentence = own[at % len(own)]
        yield "line", "text", f"{sentence} http://www.example.com/{word}\n"
        context = plain or own
        a, b = context[at % len(context)], context[(at + 1) % len(context)]
        yield "page", "html", f'<html><body><h1>{word}</h1>\n<p>{a}</p>\n<p>{b}</p>\n<p><a href="/{other}.html">{other}</a></p></body></html>\n'
    if is_usual and own:
        yield "one word", "html", f'<html><body><p>{a}</p>\n<p>{b}</p>\n<p><a href="/{word}.html">{word}</a></p></body></html>\n'
    if at < ENGLISH_PAGES or is_usual:
        a, b = foreign[2 * at % len(foreign)], foreign[(2 * at + 1) % len(foreign)]
        yield "english", "html", f'<html><body><p>{a}</p>\n<p>{b}</p>\n<p><a href="/{word}.html">{word}</a></p></body></html>\n'


def capitals(word):
    return word.upper().replace("ẞ", "SS")


def first_letters(word, count):
    """An abbreviation in capitals; in scripts without capitals, the begin of a word."""
    return capitals(word)[:count]


def tiny_pages(words, at):
    """Pages that have hardly more than a word or two, each with its shape."""
    a, b, c = (words[(at + step) % len(words)] for step in range(3))
    abbreviation, other = first_letters(a, 2 + at % 3), first_letters(b, 3)
    yield "once", f'<a href="/{a}.html">home</a>\n'
    yield "a word and its link", f'<a href="/{a}/">{a}</a>\n'
    yield "heading and link", f'<h1>{a}</h1><a href="/{a}.html">{a}</a>\n'
    yield "heading and link, English", f'<h1>{a}</h1><p>Home page <a href="/{a}/">{a}</a>\n'
    yield "list of two cases", f'<li><a href="{a}.jpg">{a}</a><li><a href="{capitals(a)}.jpg">{capitals(a)}</a>\n'
    yield "small link, text in capitals", f'<a href="/{a.lower()}/">{capitals(a)}</a>\n'
    yield "capitals", f'<a href="/{capitals(a)}.html">{capitals(a)}</a>\n'
    yield "abbreviation", f'<h1>{abbreviation}</h1><a href="/{abbreviation}/">{abbreviation}</a>\n'
    yield "two abbreviations", f'<a href="/{abbreviation}/">{abbreviation}</a> <a href="/{other}/">{other}</a>\n'
    yield "begins of words", f'<a href="/{a[:2]}.html">{a[:2]}</a> <b>{b[:3].lower()}</b>\n'
    yield "two words", f'<a href="/{a}/">{b}</a>\n'
    yield "three words", f'<h1>{a}</h1><a href="/{b}.html">{c}</a>\n'
    foreign = [ch for ch in a if not ch.isascii()][:1]
    for letter in foreign:
        yield "a letter", f'<h2>{letter}</h2> <a href="http://www.example.com/{letter}">x</a>\n'
    mark = SIGNS[at % len(SIGNS)]
    yield "a word and a mark", f'<p>{mark} <a href="/{a}/">{a}</a>\n'


def tiny_cases(words, label, group):
    for at in range(len(words)):
        for shape, text in tiny_pages(words, at):
            try:
                yield f"{shape}\t{group}\t{label}\thtml\t{encoded(text, label).hex()}"
            except UnicodeEncodeError:
                continue


def marks_of_pages():
    """Pages in English, French and German with a mark in a text; as a link, marks are rare."""
    for sign in SIGNS:
        for text in SENTENCES:
            for label in ("windows-1252", "ibm850", "macintosh"):
                page = f'<p>{text} {sign} <a href="/x.html">Next page</a>\n'
                group = "a mark in a sentence"
                try:
                    data = encoded(page, label)
                except UnicodeEncodeError:
                    continue
                old = "" if label == "windows-1252" else ", DOS and Mac"
                yield f"{group}\tWestern European{old}\t{label}\thtml\t{data.hex()}\ten"


def write_short(packages, path, part, is_usual):
    lines = []
    for group, labels_of in languages(is_usual):
        name = group if group == "Western European" else "others"
        for lang, labels in labels_of.items():
            words = chosen(words_of(packages, lang, is_usual), part, "short", WORDS)
            web, _, old = labels.partition("|")
            for place, label in [("", label) for label in web.split()] + [(", DOS and Mac", label) for label in old.split()]:
                lines += [f"{case}\t{lang}" for case in tiny_cases(words, label, name + place)] if words else []
    lines += marks_of_pages()
    pathlib.Path(path).write_text("\n".join(line for line in lines if is_beyond_ascii(line)) + "\n", encoding="utf-8")


def drawn(lang, least, choose):
    """Words with one or two letters beyond ASCII, by their frequency."""
    import wordfreq

    name = IN_WORDFREQ.get(lang, lang)
    if name not in wordfreq.available_languages():
        return []
    shares = wordfreq.get_frequency_dict(name)
    is_latin = lang not in NOT_LATIN

    def counts(word):
        beyond = sum(not ch.isascii() for ch in word)
        return 0 < beyond <= (2 if is_latin else len(word)) and word.replace("'", "").isalpha() and len(word) >= least

    words = sorted(word for word in shares if counts(word))
    return choose.choices(words, [shares[word] for word in words], k=DRAWN)


def pages_with_a_word(word, texts):
    """Pages and a text with four sentences in ASCII, and a link with the word: the word in a paragraph, in a heading, or nowhere else."""
    a, b, c, d = texts
    yield "html", f'<html><head><title>{a}</title></head><body><p>{b.rstrip(".")} {word}. {c}</p><p><a href="http://a.example/{word}">{d}</a></p></body></html>\n'
    yield "html", f'<html><body><h1>{word}</h1><p>{a} {b}</p><ul><li>{c}<li><a href="/{word}/index.html">{d}</a></ul></body></html>\n'
    yield "text", f"{a}\n{b}\n\nhttp://a.example/{word}\n\n{c} {d}\n"


def write_frequent(packages, path, part):
    choose, foreign, lines = random.Random(part), english(part), []
    for group, labels_of in languages(True):
        for lang, labels in labels_of.items():
            own = sentences(lang, part, True) if lang not in NOT_LATIN else []
            own = foreign if lang == "en" else own
            web, _, old = labels.partition("|")
            for place, label in [("", label) for label in web.split()] + [(", DOS and Mac", label) for label in old.split()]:
                for least in LEAST_LETTERS:
                    for word in drawn(lang, least, choose):
                        for name, texts in [("its language", own), ("English", foreign)]:
                            if len(texts) < 4 or lang == "en" and name != "English":
                                continue
                            for syntax, text in pages_with_a_word(word, choose.sample(texts, 4)):
                                try:
                                    data = encoded(text, label)
                                except UnicodeEncodeError:
                                    continue
                                of = f"{group}{place}, {name}, {least}"
                                lines.append(f"{of}\t{lang}\t{label}\t{syntax}\t{data.hex()}\t{lang}")
    pathlib.Path(path).write_text("\n".join(line for line in lines if is_beyond_ascii(line)) + "\n", encoding="utf-8")


def is_beyond_ascii(line):
    return not bytes.fromhex(line.split("\t")[4]).isascii()


def main(packages, path, part="test", *kinds):
    is_usual = "usual" in kinds
    if "short" in kinds:
        return write_short(packages, path, part, is_usual)
    if "frequent" in kinds:
        return write_frequent(packages, path, part)
    foreign = english(part)
    lines, counts = [], collections.Counter()
    for group, labels_of in languages(is_usual):
        for lang, labels in labels_of.items():
            words = chosen(words_of(packages, lang, is_usual), part, "word", WORDS)
            own, plain = sentences(lang, part, False), sentences(lang, part, True)
            own, plain = (foreign, foreign) if lang == "en" else (own, plain)
            counts[lang] = len(words), len(own), len(plain)
            web, _, old = labels.partition("|")
            for place, label in [("", label) for label in web.split()] + [(", DOS and Mac", label) for label in old.split()]:
                for at, word in enumerate(words):
                    other = words[(at + 1) % len(words)]
                    for shape, syntax, text in documents(word, other, at, own, plain, foreign, is_usual):
                        try:
                            data = encoded(text, label)
                        except UnicodeEncodeError:
                            continue
                        lines.append(f"{group}{place}\t{shape}\t{label}\t{syntax}\t{data.hex()}\t{lang}")
    for pair in [] if is_usual else RARE.split():
        lang, label = pair.split("=")
        words = chosen([word for word in [*dictionary(packages, lang), *names(lang)] if is_word(lang, word)], part, "word", WORDS)
        own, plain = sentences(lang, part, False), sentences(lang, part, True)
        for at, word in enumerate(words):
            for shape, syntax, text in documents(word, words[(at + 1) % len(words)], at, own, plain, foreign):
                try:
                    data = encoded(text, label)
                except UnicodeEncodeError:
                    continue
                # A label that no charset of detection has: every sure answer that is not alike is wrong.
                name = {"hp-roman8": "none", "mac_arabic": "none", "mac_farsi": "none", "iso8859_14": "iso-8859-14", "koi8_t": "koi8-t", "mac_iceland": "x-mac-icelandic"}.get(label, label)
                lines.append(f"rare\t{shape}\t{name}\t{syntax}\t{data.hex()}\t{lang}")
    for at, mark in enumerate(MARKS):
        a, b = foreign[2 * at % len(foreign)], foreign[(2 * at + 1) % len(foreign)]
        for shape, syntax, text in [
            ("line", "text", f"{mark} http://www.example.com/\n"),
            ("english", "html", f"<html><body><p>{a} {mark}</p>\n<p>{b}</p></body></html>\n"),
        ]:
            lines.append(f"English with a mark\t{shape}\twindows-1252\t{syntax}\t{text.encode('cp1252').hex()}\ten")
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(*(f"{lang}: {words} words, {own} sentences, {plain} in ASCII" for lang, (words, own, plain) in counts.items()), sep="\n")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(PACKAGES)
    else:
        main(*sys.argv[1:])
