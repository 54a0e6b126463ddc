"""Documents in many charsets that declare the right charset, a wrong one or none, for .ci/certain.

A document is identified by its source: its text, the codec that wrote it, and its links. The same documents are made
every time.
"""

import itertools
import random
from dataclasses import dataclass

# Language: words of paths, a label of a host, sentences, and the codecs that the language was written in.
LANGUAGES = {
    "fr": (["été", "naïve", "Nîmes", "cœur"], "musée", ["Où êtes-vous passés depuis l’été dernier ?", "La mairie a fermé sa page."], ["cp1252", "cp850", "mac_roman", "iso8859-15"]),
    "de": (["über", "Straße", "schön", "Öl"], "bücher", ["Die Wörterbücher stehen jetzt im ersten Stock.", "Wir schließen früher als üblich."], ["cp1252", "cp850", "mac_roman"]),
    "en": (["naïve", "résumé", "café", "½"], "cafés", ["The library moved to a new building last year.", "Please don’t print this page."], ["cp1252", "mac_roman", "cp437"]),
    "da": (["blåbær", "øl", "køb", "Århus"], "rødgrød", ["Vi åbner igen efter påske, når sneen er væk.", "Læs mere på næste side."], ["cp1252", "cp865", "mac_roman"]),
    "sv": (["räksmörgås", "på", "ö", "Åland"], "smörgås", ["Öppet alla dagar utom söndagar.", "Här är våra nya sidor."], ["cp1252", "cp850"]),
    "es": (["año", "niños", "corazón", "¿qué"], "españa", ["La exposición abrirá mañana por la tarde.", "¿Dónde está el archivo?"], ["cp1252", "cp850"]),
    "pt": (["São", "coração", "lições", "avó"], "informação", ["A coleção não está disponível até amanhã.", "Não há informação."], ["cp1252", "cp860"]),
    "fi": (["äiti", "työ", "yö", "sää"], "pöytä", ["Kirjasto on avoinna myös lauantaisin, jos sää sallii.", "Tämä on vanha sivu."], ["cp1252", "cp850"]),
    "it": (["perché", "città", "però", "così"], "qualità", ["La città è più bella di sera.", "Perché non c’è più nessuno?"], ["cp1252", "mac_roman"]),
    "is": (["þú", "fræði", "góður", "Ísland"], "þjóð", ["Það er kalt á Íslandi í dag.", "Við lokum snemma í kvöld."], ["cp1252", "cp861"]),
    "pl": (["źródło", "łódź", "żaba", "mąż"], "książki", ["Proszę wejść przez główną bramę od strony ulicy.", "Zażółć gęślą jaźń."], ["cp1250", "iso8859-2", "cp852"]),
    "cs": (["příklad", "žluťoučký", "kůň", "řeka"], "knihovna-č", ["Příliš žluťoučký kůň úpěl ďábelské ódy.", "Otevřeno máme každý den."], ["cp1250", "iso8859-2", "cp852"]),
    "hu": (["fűtés", "őr", "könyv", "árvíz"], "könyvtár", ["Árvíztűrő tükörfúrógép.", "A könyvtár minden nap nyitva van."], ["cp1250", "iso8859-2"]),
    "ru": (["книги", "юг", "Чехов", "ёж"], "пример", ["Библиотека открыта каждый день, кроме воскресенья.", "Широкая электрификация южных губерний."], ["cp1251", "koi8-r", "cp866", "iso8859-5", "mac_cyrillic"]),
    "uk": (["їжак", "ґрунт", "Київ", "є"], "книги", ["Бібліотека відчинена щодня, крім неділі.", "Жебракують філософи при ґанку церкви."], ["cp1251", "koi8-u"]),
    "bg": (["ъгъл", "книга", "щъркел", "я"], "книги", ["Библиотеката е отворена всеки ден.", "Ах, чудна българска земьо."], ["cp1251", "iso8859-5"]),
    "el": (["αρχή", "βιβλίο", "ώρα", "ψωμί"], "παράδειγμα", ["Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα.", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία."], ["cp1253", "iso8859-7", "cp737"]),
    "tr": (["ışık", "ağaç", "şeker", "Ğ"], "kitaplık", ["Kütüphane pazar hariç her gün açıktır.", "Pijamalı hasta yağız şoföre çabucak güvendi."], ["cp1254", "iso8859-9", "cp857"]),
    "he": (["שלום", "ספר", "בית", "אות"], "דוגמה", ["הספרייה פתוחה בכל יום.", "דג סקרן שט בים מאוכזב."], ["cp1255", "iso8859-8"]),
    "ar": (["كتاب", "بيت", "سلام", "لغة"], "مثال", ["المكتبة مفتوحة كل يوم.", "صفحة قديمة من الأرشيف."], ["cp1256", "iso8859-6"]),
    "lt": (["žąsis", "šuo", "ėjo", "į"], "knygynas-š", ["Biblioteka dirba kiekvieną dieną, išskyrus sekmadienį.", "Įlinkdama fechtuotojo špaga."], ["cp1257", "iso8859-13", "cp775"]),
    "vi": (["đường", "tôi", "rất", "học"], "thư", ["Tôi yêu thư viện."], ["cp1258"]),
    "th": (["ไทย", "ภาษา", "หนังสือ", "บ้าน"], "ตัวอย่าง", ["ห้องสมุดเปิดทุกวัน", "หน้าเก่าของเว็บไซต์"], ["cp874"]),
    "ja": (["集会", "表示ソ", "地図", "能"], "例え", ["図書館は毎日開いています。", "古いページはこちらに移りました。"], ["cp932", "euc_jp", "iso2022_jp"]),
    "zh": (["中文", "图书馆", "功能", "目录"], "例子", ["图书馆每天开放，星期日除外。", "旧的网页已经搬到这里。"], ["gb18030", "gbk", "hz"]),
    "tw": (["中文", "圖書館", "功能許", "目錄"], "例子", ["圖書館每天開放，星期日除外。", "舊的網頁已經搬到這裡。"], ["big5hkscs"]),
    "ko": (["한국어", "도서관", "집", "책"], "실례", ["도서관은 매일 문을 엽니다.", "옛날 문서는 여기에 있습니다."], ["euc_kr", "johab"]),
}  # fmt: skip
# Unicode charsets, used with every language.
UNICODE = ["utf-8", "utf-16"]
# The label of a codec in declarations.
LABELS = {
    "cp1252": "windows-1252", "cp850": "ibm850", "mac_roman": "macintosh", "iso8859-15": "iso-8859-15", "cp437": "ibm437", "cp865": "ibm865", "cp860": "ibm860", "cp861": "ibm861",
    "cp1250": "windows-1250", "iso8859-2": "iso-8859-2", "cp852": "ibm852", "cp1251": "windows-1251", "koi8-r": "koi8-r", "cp866": "ibm866", "iso8859-5": "iso-8859-5",
    "mac_cyrillic": "x-mac-cyrillic", "koi8-u": "koi8-u", "cp1253": "windows-1253", "iso8859-7": "iso-8859-7", "cp737": "ibm737", "cp1254": "windows-1254",
    "iso8859-9": "iso-8859-9", "cp857": "ibm857", "cp1255": "windows-1255", "iso8859-8": "iso-8859-8", "cp1256": "windows-1256", "iso8859-6": "iso-8859-6",
    "cp1257": "windows-1257", "iso8859-13": "iso-8859-13", "cp775": "ibm775", "cp1258": "windows-1258", "cp874": "windows-874", "cp932": "shift_jis", "euc_jp": "euc-jp",
    "iso2022_jp": "iso-2022-jp", "gb18030": "gb18030", "gbk": "gbk", "hz": "hz-gb-2312", "big5hkscs": "big5", "euc_kr": "euc-kr", "johab": "johab", "utf-8": "utf-8", "utf-16": "utf-16",
}  # fmt: skip
# Labels that the standard reads as a charset with another name (Encoding Standard, 4.2).
READ_AS = {"iso8859-9": "cp1254"}
# Charsets in which no query is sent: not supersets of ASCII, except for ISO-2022-JP, in which browsers encode queries.
NO_SUPERSETS = {"utf-16", "hz", "johab"}
# Charsets that browsers know: browsers judge pages that declare them.
OF_BROWSERS = {
    "cp1252", "mac_roman", "iso8859-15", "cp1250", "iso8859-2", "cp1251", "koi8-r", "cp866", "iso8859-5", "mac_cyrillic", "koi8-u", "cp1253", "iso8859-7", "cp1254", "iso8859-9",
    "cp1255", "iso8859-8", "cp1256", "iso8859-6", "cp1257", "iso8859-13", "cp1258", "cp874", "cp932", "euc_jp", "iso2022_jp", "gb18030", "gbk", "big5hkscs", "euc_kr", "utf-8",
}  # fmt: skip
# Charsets of DOS and of the Macintosh, of which undeclared documents are rare.
OLD = {"cp850", "mac_roman", "cp437", "cp865", "cp860", "cp861", "cp852", "cp866", "mac_cyrillic", "cp737", "cp857", "cp775"}
# Wrong declarations that programs write by default.
WRONG = ["utf-8", "cp1252", "cp1251", "cp932"]
ENGLISH = [
    "This page lists what the archive holds.",
    "Nothing has been changed here for a long time.",
    "Write to the office if a link is broken.",
]
# Extensions of files with pages, or parts of pages, and the codecs that a page in ASCII might be in.
FRAGMENTS = ["php", "jsp", "erb", "j2", "hbs", "liquid", "html", "htm"]
COMPONENTS = ["vue", "svelte", "astro"]
ASCII_MIGHT_BE = ["utf-8", "cp1252", "cp1251", "koi8-r", "cp932", "gbk", "euc_kr"]
# Length of an undeclared document beyond which its charset is decided.
LATE = 300 << 10


@dataclass
class Document:
    """`codecs`: the true codec, or all codecs that a document in ASCII might be in. `read_in`: the codec that readers
    use."""

    name: str
    text: str
    codecs: list
    declared: str  # true, wrong, absent
    read_in: str
    bytes: bytes = b""
    group: str = ""
    is_page: bool = True


def encoded(text, codec):
    """The bytes of a text; None if the codec lacks a character."""
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        return None


def links(words, host):
    """References of pages: parts of paths, queries, hosts and fragments."""
    a, b, c, d = words
    yield f"http://old.example/{a}"
    yield f"http://old.example/x?q={b}"
    yield f"http://{host}.example/{c}#{d}"
    yield f"/{d}/{a}?{c}={b}"
    yield f"http://old.example/{a}.html"


ESCAPED = ["http://old.example/caf%C3%A9", "http://old.example/%D0%BA?q=%D0%BA", "http://xn--caf-dma.example/%E4%B8%AD"]


def page(declaration, sentences, references):
    rows = "".join(f'<p>{sentence}\n<p><a href="{reference}">L</a>\n' for sentence, reference in zip(sentences, references))
    return f"<!DOCTYPE html>\n<html><head>{declaration}<title>Page</title></head>\n<body>\n{rows}</body></html>\n"


def plain(sentences, references):
    references = (reference for reference in references if reference.startswith("http"))
    return "".join(f"{sentence}\n\n  {reference}\n\n" for sentence, reference in zip(sentences, references))


def declarations(codec):
    """The declaration of a page, its kind, and the codec that readers use."""
    yield f"<meta charset={LABELS[codec]}>", "true", READ_AS.get(codec, codec)
    yield "", "absent", codec
    if codec != "utf-16":
        for wrong in WRONG:
            if wrong != codec:
                yield f"<meta charset={LABELS[wrong]}>", "wrong", wrong


def of_language(language):
    words, host, own, codecs = LANGUAGES[language]
    for codec in codecs + UNICODE:
        all_links = list(links(words, host))
        bodies = {
            "own": itertools.cycle(own),
            # A page in English with one foreign name: the minimal evidence for a charset.
            "english": itertools.cycle(ENGLISH),
        }
        for (kind, sentences), count in itertools.product(bodies.items(), (1, 3, 5)):
            if kind == "english" and language in ("ja", "zh", "tw", "ko", "th") and count > 1:
                continue
            chosen = list(itertools.islice(sentences, count))
            for first in range(0, len(all_links), count):
                references = all_links[first : first + count] + ESCAPED[: count - 1]
                for declaration, declared, read_in in declarations(codec):
                    name = f"{language}-{codec}-{kind}-{count}-{first}-{declared}-{read_in}"
                    yield Document(name + ".html", page(declaration, chosen, references), [codec], declared, read_in, group=language)
                text = plain(chosen, references)
                if text:
                    name = f"{language}-{codec}-{kind}-{count}-{first}-text.txt"
                    yield Document(name, text, [codec], "absent", codec, group=language, is_page=False)


def of_ascii():
    for ending in FRAGMENTS + COMPONENTS:
        codecs = ASCII_MIGHT_BE if ending in FRAGMENTS else ["utf-8"]
        sentences, start = ENGLISH, "<div>\n" if ending not in COMPONENTS else "<template>\n"
        rows = "".join(f'<p>{sentence} <a href="{reference}">L</a>\n' for sentence, reference in zip(sentences, ESCAPED))
        yield Document(f"ascii.{ending}", start + rows + start.replace("<", "</"), codecs, "absent", "utf-8", group="ascii")


def of_mail():
    """Messages with a page that declares nothing, or US-ASCII, as many programs do whatever they send."""
    for charset in ("", "; charset=us-ascii"):
        header = f"Subject: Page\nMIME-Version: 1.0\nContent-Type: text/html{charset}\nContent-Transfer-Encoding: 8bit\n\n"
        name = "mail-ascii" if charset else "mail"
        yield Document(f"{name}-escaped.eml", header + page("", ENGLISH, ESCAPED), ASCII_MIGHT_BE, "absent", "utf-8", group="ascii")
        for language, (words, host, own, codecs) in LANGUAGES.items():
            for codec in codecs[:2] + ["utf-8"]:
                text = header + page("", ENGLISH[:2] + own, list(links(words, host))[:4])
                yield Document(f"{name}-{language}-{codec}.eml", text, [codec], "absent", codec, group="mail")


def of_late():
    """Documents that are ASCII up to the point where readers stop looking for a charset."""
    filler = "".join(f"<p>{sentence}\n" for sentence in itertools.islice(itertools.cycle(ENGLISH), LATE // 45))
    for codec in ("utf-8", "cp1252", "cp1251", "cp932"):
        words, host, own, _ = LANGUAGES[{"cp1251": "ru", "cp932": "ja"}.get(codec, "fr")]
        text = page("", [filler, *own, ENGLISH[0]], list(links(words, host)))
        yield Document(f"late-{codec}.html", text, [codec], "absent", codec, group="late")
        if codec != "utf-8":
            text = plain([filler.replace("<p>", ""), *own], list(links(words, host)))
            yield Document(f"late-{codec}.txt", text, [codec], "absent", codec, group="late", is_page=False)


def documents(seed, most):
    """A limited number of documents of each language, chosen by a seed, and all of the others."""
    choose = random.Random(seed).random
    for language in LANGUAGES:
        own = list(of_language(language))
        for document in own:
            document.bytes = encoded(document.text, document.codecs[0])
        own = [document for document in own if document.bytes is not None]
        keep = min(1.0, most / len(own))
        yield from (document for document in own if choose() < keep)
    for document in itertools.chain(of_ascii(), of_mail(), of_late()):
        document.bytes = encoded(document.text, document.codecs[0])
        if document.bytes is not None:
            yield document
