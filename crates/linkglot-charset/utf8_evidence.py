"""Counts how often words in legacy charsets are valid UTF-8 by accident, and what the rule of src/utf8_evidence.rs says of them.

    python3 utf8_evidence.py WORDS...

WORDS are word lists: dictionaries of hunspell (*.dic, with their *.aff beside them; Debian's packages hunspell-*) and the
dictionary of jieba (PyPI, jieba/dict.txt). Each word is a document of its own, in each charset of its language. The rule is
asked through `linkglot find --charsets --json`, so that what is counted is what runs.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

CHARSETS = {
    "de": "cp1252 mac_roman cp850", "fr": "cp1252 mac_roman cp850", "es": "cp1252 mac_roman cp850",
    "pt": "cp1252 mac_roman", "da": "cp1252 cp850", "sv": "cp1252 mac_roman",
    "ru": "cp1251 koi8_r cp866 iso8859_5 mac_cyrillic", "uk": "cp1251 koi8_u iso8859_5 mac_cyrillic",
    "bg": "cp1251 iso8859_5 cp866", "el": "cp1253 cp737 mac_greek", "pl": "cp1250 iso8859_2 cp852",
    "cs": "cp1250 iso8859_2 mac_latin2", "hu": "cp1250 cp852", "he": "cp1255 cp862", "ar": "cp1256 iso8859_6",
    "th": "cp874", "lt": "cp1257 iso8859_13", "vi": "cp1258", "zh": "gbk big5 euc_kr shift_jis euc_jp",
}
MOST = 60_000


def words_of(path):
    if path.name == "dict.txt":
        return [line.split()[0] for line in path.read_text("utf-8").splitlines()]
    charset = "utf-8"
    for line in path.with_suffix(".aff").read_bytes().splitlines():
        if line.removeprefix(b"\xef\xbb\xbf").startswith(b"SET"):
            charset = line.split()[1].decode().replace("microsoft-cp", "cp").replace("ISO8859", "ISO-8859")
            break
    lines = path.read_text(charset, errors="ignore").splitlines()
    words = (line.split("/")[0].split("\t")[0].strip() for line in lines)
    return [word for word in words if not word.isascii()][:MOST]


def accidents(words, codec):
    """The words that are valid UTF-8 in this charset, and how many it has."""
    known = 0
    valid = []
    for word in words:
        try:
            data = word.encode(codec)
        except UnicodeEncodeError:
            continue
        known += 1
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if not data.isascii():
            valid.append(data)
    return known, valid


def sure(documents):
    """How many of these are surely UTF-8 to linkglot."""
    with tempfile.TemporaryDirectory() as place:
        for number, data in enumerate(documents):
            (pathlib.Path(place) / f"{number}.txt").write_bytes(data)
        run = subprocess.run(["linkglot", "find", "--charsets", "--json", place], capture_output=True, check=False)
    files = [json.loads(line) for line in run.stdout.splitlines()]
    return sum(1 for file in files if file["type"] == "file" and file["charset"] == "UTF-8" and file["charset_certain"])


def main(paths):
    counts = collections.Counter()
    for path in map(pathlib.Path, paths):
        language = "zh" if path.name == "dict.txt" else path.name[:2]
        words = words_of(path)
        step = max(1, len(words) // 500)
        sample = [word.encode() for word in words[::step] if not word.isascii()]
        print(f"{language}: {sure(sample)} of {len(sample)} words in UTF-8 are sure")
        for codec in CHARSETS.get(language, "").split():
            for name, form in [(codec, words), (codec + " in capitals", [word.upper() for word in words])]:
                known, valid = accidents(form, codec)
                wrong = sure(valid) if valid else 0
                counts.update(known=known, valid=len(valid), wrong=wrong)
                print(f"{language} {name}: of {known} words {len(valid)} are valid UTF-8, {wrong} surely so")
    print(dict(counts))


if __name__ == "__main__":
    main(sys.argv[1:])
