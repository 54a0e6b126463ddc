#!/usr/bin/env python3
"""Counts names.txt: how often a name alone (`example.org`) is a domain, by its labels.

    python3 crates/linkglot-scan/src/count_names.py FOLDER > crates/linkglot-scan/src/names.txt
    python3 crates/linkglot-scan/src/count_names.py FOLDER --sample 300

FOLDER keeps the packages, which the ordinary clients fetch (apt-get, pip, npm, cargo), and what was read from them
(names.pickle). Run it in the repository. One package in three is held out of the counts. --sample prints names of
those, in their lines, for a person to judge.

What a name is, follows from what the packages say about it elsewhere, in this order:

- file: the header of an Info node has it (`File: x.info`), or as many packages have a file of that name as use it as
  a host;
- member: it stands in a program outside of strings and comments;
- domain: it, or the domain that it belongs to, has a scheme, `www.` or an `@` in front, or is in a package that is a
  list of domains. Two packages must have it, or one such list. Or it ends as `example.co.uk` does;
- word: its top-level domain alone is capitalized (`end.Then`), or it has two labels and stands alone in two packages
  (`Makefile.in`), and no package uses it as a host;
- anything else is not known and does not count.

A package counts for a name twice at most (a header of Info: each time), and for a top-level domain forty times. Each
host with a scheme counts as two domains, and the name of each file in a package as one file: few of them are alone. An
ending of three letters or more that Debian's media-types lists counts as six files, unless a vendor alone uses it.

The weights are those of a logistic regression over the counts. Two bounds keep what packages seldom have: a top-level
domain that was not counted is a domain's, and so is a country's, unless it has more than three names of files for each
host, or fifty members: members under it are known by their first labels. An ending of twice as many files as hosts is no
domain's by itself.
"""
import collections
import functools
import gzip
import hashlib
import html
import io
import math
import multiprocessing
import pathlib
import pickle
import re
import subprocess
import sys
import tarfile
import zipfile

HERE = pathlib.Path(__file__).parent
DEBIAN = """ansible-core apache2-doc aptitude-doc-en aptitude-doc-ja autoconf-doc bash-doc bind9-doc debian-faq debian-handbook
debian-policy debian-reference-de debian-reference-en debian-reference-ja debian-reference-zh-cn developers-reference emacs-el
exim4-base fortunes fortunes-br fortunes-cs fortunes-de fortunes-debian-hints fortunes-es fortunes-it fortunes-min fortunes-pl
fortunes-ru fortunes-zh git-doc gnupg gnutls-doc groff harden-doc hunspell-de-de irssi jargon-text libemail-mime-perl
libmail-box-perl libreoffice-help-en-us linux-doc m4-doc maint-guide maint-guide-ja maint-guide-zh-cn manpages-de manpages-dev
manpages-es manpages-fr manpages-ja manpages-pl manpages-ru manpages-zh maxima-doc media-types mercurial-common mhonarc mutt nmap-common
octave-doc openjdk-17-doc parted-doc perl-doc postfix-doc postgresql-doc-15 python3-doc spamassassin subversion texinfo
vim-runtime weechat-doc wget"""
PYPI = """ansible-core beautifulsoup4 bleach boto3 buildbot chatterbot-corpus discord.py django docutils email-reply-parser errbot
feedparser flask gallery-dl gensim getmail6 home-assistant-frontend html2text irc janome jedi konlpy linkify-it-py lxml
mail-parser mailman markdown mercurial mkdocs-material mypy newspaper3k notebook offlineimap pandas pattern pelican pylint
python-telegram-bot readability-lxml requests scrapy slack-sdk snips-nlu sopel sphinx sqlalchemy streamlink sympy textblob
tldextract trac twisted url-normalize urlextract validators youtube-dl yt-dlp zulip"""
NPM = """angular antd autolinker aws-sdk axios botkit chart.js common-tags d3 date-fns discord.js disposable-email-domains docsify
dva echarts egg element-ui email-providers emailjs-mime-parser ember-source eslint eslint-plugin-unicorn eslint-plugin-vue
express firebase free-email-domains fullcalendar gatsby ghost handsontable hexo hubot ice.js jquery koa leveldown linkify-it linkifyjs
lodash mailcheck mailparser markdown-it marked matrix-js-sdk mermaid moment next nodemailer nuxt planer pm2 pouchdb prettier psl
puppeteer react-scripts showdown socket.io svelte three tldts twitter-text typescript uglify-js umi validator vant vue vuepress
webpack zrender"""
# Packages that are lists of domains.
LISTS = re.compile(r":(tldts|tldextract|(free|disposable)-email-domains|email-providers|newspaper3k)$")
# Packages whose texts were written to test the detection of links, or list parts of domains.
LEFT = re.compile(r":(psl|mailcheck|twitter-text|linkify.*|autolinker|urlextract|validators|validator|url.normalize)$")
# The most characters that a package gives of each kind of text.
MOST = {"code": 2_000_000, "prose": 4_000_000, "info": 6_000_000, "man": 4_000_000, "html": 4_000_000}
CODE = set("rs js ts py c h cc cpp hpp java go rb pl pm php el lisp vue mjs jsx tsx cs swift kt sh css scss less lua sql m vim".split())
DATA = set("toml json yml yaml ipynb xml".split())
PROSE = set("md rst txt po texi texinfo 1 2 3 4 5 6 7 8 adoc org eml mbox log markdown tex news changelog pod".split())
SECOND = set("co com org net edu gov gob ac mil int or ne go".split())
# The name in front of a member of a program.
WORD = re.compile(r"(?<![\w.$@/\\-])([A-Za-z][A-Za-z0-9]*)\.(?=[A-Za-z_])")
HOST = re.compile(r"(?:https?://|ftp://|git://|\bwww\.|(?<=[a-z0-9])@)((?:[a-z0-9][a-z0-9-]{0,62}\.)+[a-z][a-z0-9-]*)", re.I)


@functools.cache
def tlds():
    lines = (HERE / "tlds.txt").read_text("utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def fetch(folder):
    """The archives of all packages. What cannot be fetched is left out."""
    clients = [("deb", DEBIAN, ["apt-get", "-q", "download"]), ("npm", NPM, ["npm", "pack", "--silent"]),
               ("pypi", PYPI, ["pip", "download", "-q", "--no-deps", "--no-build-isolation"])]
    for name, packages, command in clients:
        own = folder / name
        if not own.exists():
            own.mkdir(parents=True)
            for package in packages.split():
                subprocess.run([*command, package], cwd=own, stdout=sys.stderr)
    if not (folder / "crates").exists():
        subprocess.run(["cargo", "vendor", "--locked", "-q", folder / "crates"], stdout=subprocess.DEVNULL)
    crates = sorted((folder / "crates").iterdir())[::5]
    return crates + sorted(p for name, *_ in clients for p in (folder / name).iterdir())


def members(package):
    """The path and a reader of each file of a package."""
    if package.is_dir():
        for path in package.rglob("*"):
            if path.is_file():
                yield str(path.relative_to(package)), path.stat().st_size, path.read_bytes
    elif package.suffix in (".whl", ".zip"):
        archive = zipfile.ZipFile(package)
        for entry in archive.infolist():
            yield entry.filename, entry.file_size, functools.partial(archive.read, entry)
    else:
        source = package
        if package.suffix == ".deb":
            source = io.BytesIO(subprocess.run(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE).stdout)
        archive = tarfile.open(fileobj=source) if source is not package else tarfile.open(source)
        for entry in archive:
            if entry.isfile():
                yield entry.name, entry.size, lambda entry=entry: archive.extractfile(entry).read()


def kind(path):
    base = pathlib.PurePath(path.lower().removesuffix(".gz"))
    ending = base.suffix.lstrip(".")
    if "/info/" in path and ".info" in base.name:
        return "info"
    if "/man/" in path:
        return "man"
    if ending in CODE or ending in DATA:
        return "code"
    if ending in ("html", "htm", "xhtml"):
        return "html"
    return "prose" if ending in PROSE or not ending or re.search("/(doc|fortunes|help)/", path) else None


def read(package):
    """The names alone of a package with their lines, its hosts, the names of its files, and those in front of members."""
    name = package.parent.name + ":" + re.split(r"[-_]v?\d", package.name)[0]
    left, found, hosts, files, words = dict(MOST), [], set(), set(), set()
    entries = list(members(package))
    for path, *_ in entries:
        files.add(path.rsplit("/", 1)[-1].lower().removesuffix(".gz"))
    for path, _, content in entries:
        if path.endswith("/etc/mime.types"):
            endings = re.findall(r"(?m)^(?!#|\w+/vnd\.(?!ms-))\S+((?:[ \t]+\w+)+)", content().decode())
            listed = {each for line in endings for each in line.split() if len(each) > 2}
            files.update(f"*.{each}" for each in listed)
    entries.sort(key=lambda entry: hashlib.sha1(entry[0].encode("utf-8", "replace")).digest())
    for path, size, content in entries:
        sort = kind(path)
        most = 600_000 if sort == "code" else 3_000_000
        if not sort or left[sort] <= 0 or not 0 < size < most or ".min." in path or "/dist/" in path:
            continue
        data = content()
        if path.endswith(".gz"):
            data = gzip.decompress(data)
        if b"\0" in data[:4096]:
            continue
        text = data.decode("utf-8", "ignore")[: left[sort]]
        left[sort] -= len(text)
        if sort == "html":
            text = html.unescape(re.sub("<[^>]*>", "", text))
        hosts.update(host.lower() for host in HOST.findall(text))
        for line in text.split("\n"):
            if "." in line and len(line) <= 1200:
                found += ((name, sort, path, *names) for names in alone(line))
                if sort == "code" and path.rsplit(".", 1)[-1].lower() in CODE:
                    words.update(match[1].lower() for match in WORD.finditer(line) if is_free(line[: match.start()]))
    return name, found, hosts, files, words


def is_free(before):
    """True for a place in a program outside of strings and comments; `before` is its line up to there."""
    return not re.search(r"//|#|\*|--|;|<!", before) and not any(before.count(quote) % 2 for quote in "\"'`")


def alone(line):
    """The names alone of a line, each with what stands in front and behind."""
    for match in re.finditer(r"[\w.-]+", line):
        name = match.group().rstrip(".-")
        before, behind = line[: match.start()], line[match.start() + len(name) :]
        labels = name.lower().split(".")
        is_name = 1 < len(labels) and all(labels) and labels[-1] in tlds() and len(name) <= 120
        if not is_name or "_" in name or name[0] == "-" or name.lower().startswith("www."):
            continue
        if not re.search(r"[@$%/.\\-]$", before) and not re.match(r"[@/?#\\-]|::|:\d|\.\w", behind):
            yield name, before[-60:], behind[:60]


def owned(host):
    labels = host.split(".")
    return ".".join(labels[-3:] if is_registered(labels) else labels[-2:])


def label(found, hosts, files, users_alone):
    package, sort, path, name, before, behind = found
    users, owners = hosts.get(owned(name.lower()), set()), files.get(name.lower(), set())
    is_host = len(users) > 1 or any(LISTS.search(user) for user in users)
    if sort == "info" and before.endswith("File: "):
        return "file"
    is_program = sort == "code" and path.rsplit(".", 1)[-1] in CODE
    # Nothing but a domain ends with the label of a registry and a country.
    is_host = is_host or is_registered(name.lower().split("."))
    if not is_host and is_program and is_free(before):
        return "member"
    if owners and len(owners) >= len(users):
        return "file"
    if is_host:
        return "domain"
    is_common = not users and name.count(".") == 1 and len(users_alone[name.lower()]) > 1
    return "word" if is_end(name) or is_common else "unknown"


def is_end(name):
    """True if the top-level domain alone is capitalized."""
    names, top = name.rsplit(".", 1)
    return names == names.lower() != names.upper() and top[:1].isupper()


def is_initial(label):
    """True for a single capital: `M.Ott`."""
    return len(label) == 1 and label.isupper()


def is_registered(labels):
    """True for names below the label of a country's registry: `example.co.uk`."""
    return len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in SECOND


def held_out(package):
    return hashlib.sha1(package.encode()).digest()[0] % 3 == 0


def choose(results):
    """The names that count, each with its label."""
    hosts, files = collections.defaultdict(set), collections.defaultdict(set)
    for package, found, own_hosts, own_files, _ in results:
        is_list = LISTS.search(package)
        listed = {each[3].lower() for each in found if is_list and each[2].rsplit(".", 1)[-1] not in CODE}
        for host in own_hosts | listed:
            if "." in host:
                hosts[owned(host)].add(package)
        for file in own_files:
            files[file].add(package)
    alone = collections.defaultdict(set)
    for package, found, *_ in results:
        for each in found:
            alone[each[3].lower()].add(package)
    chosen, times = [], collections.Counter()
    everything = [each for _, found, *_ in results for each in found if not LISTS.search(each[0]) and not LEFT.search(each[0])]
    for each in sorted(everything, key=lambda each: hashlib.sha1(repr(each).encode()).digest()):
        one, many = (each[0], each[3]), (each[0], each[3].rsplit(".", 1)[1].lower(), "")
        is_header = each[1] == "info" and each[4].endswith("File: ")
        if (is_header or times[one] < 2) and times[many] < 40:
            times[one] += 1
            times[many] += 1
            # A call is never a link.
            if not re.match(r"[(=][\x00-\x7f]", each[5]):
                chosen.append((each, label(each, hosts, files, alone)))
    return chosen


def is_native(top):
    return not top.isascii() or top.startswith("xn--")


def features(name, words):
    """What speaks for and against a name: the top-level domain, the first label and the last but one, and marks."""
    labels = name.lower().split(".")
    marks = {
        "<registry>": is_registered(labels),
        "<end>": is_end(name),
        "<initial>": is_initial(name.split(".")[0]),
        "<word>": labels[0] in words,
    }
    marks = ("mark " + mark for mark, is_there in marks.items() if is_there)
    return ("top " + labels[-1], *("label " + each for each in sorted({labels[0], labels[-2]})), *marks)


def examples(results, words):
    """Names that count, each with its features, true for a domain, and how much it counts."""
    is_name = lambda name: "." in name and name.rsplit(".", 1)[1] in tlds() and not is_native(name.rsplit(".", 1)[1])
    kept = [result for result in results if not held_out(result[0])]
    hosts = {host.removeprefix("www.") for result in kept for host in result[2]}
    owners = {owned(host) for host in hosts if "." in host}
    files = {file for result in kept for file in result[3] if re.fullmatch(r"(?:[a-z0-9][a-z0-9-]*\.)+[a-z]+", file)}
    rows = [(host, "host") for host in sorted(hosts) if is_name(host)]
    rows += [(file, "file") for file in sorted(files - owners) if is_name(file)]
    media = {file for result in kept for file in result[3] if file.startswith("*.")}
    rows += [(file, "file") for file in sorted(media) * 6 if is_name(file)]
    alone = [(each[3], kind) for each, kind in choose(results) if not held_out(each[0]) and kind != "unknown"]
    rows += [(name, kind) for name, kind in alone if is_name(name.lower())]
    return [(features(name, words), kind, 2 if kind == "host" else 1) for name, kind in rows]


def fit(rows, bounds):
    """The weights of a logistic regression, by coordinate descent, within the bounds of some features."""
    number, names, places, margins = {}, [], [], [0.0] * len(rows)
    for row, (own, *_) in enumerate(rows):
        for each in own:
            if each not in number:
                number[each] = len(names)
                names.append(each)
                places.append([])
            places[number[each]].append(row)
    weights, order = [0.0] * len(names), sorted(range(len(names)), key=lambda at: names[at])
    for _ in range(40):
        change = 0.0
        for at in order:
            ridge = 0.2 if names[at].startswith("top") else 0.3
            slope, bend = -ridge * weights[at], ridge
            for row in places[at]:
                part = 1 / (1 + math.exp(-margins[row]))
                slope += rows[row][2] * ((rows[row][1] in ("domain", "host")) - part)
                bend += rows[row][2] * part * (1 - part)
            new = weights[at] + max(-2, min(2, slope / bend))
            low, high = bounds.get(names[at], (-math.inf, math.inf))
            step = max(low, min(high, new)) - weights[at]
            weights[at] += step
            change = max(change, abs(step))
            for row in places[at]:
                margins[row] += step
        if change < 0.02:
            break
    return dict(zip(names, weights))


def count(results):
    used = collections.Counter(word for result in results if not held_out(result[0]) for word in result[4])
    words = {word for word, packages in used.items() if packages >= 5 and len(word) > 1}
    rows = examples(results, words)
    counts, endings = collections.defaultdict(collections.Counter), collections.defaultdict(set)
    for own, kind, _ in rows:
        if kind in ("file", "word"):
            endings[own[0]].add(own[1:])
        for each in own:
            counts[each][kind] += 1
    is_country = lambda top: len(top) == len("top xx")
    tops = {each: kinds for each, kinds in counts.items() if each.startswith("top")}
    files = {top for top, kinds in tops.items() if kinds["file"] > max(2 * kinds["host"], kinds["member"], 1)}
    is_ending = lambda top: len(endings[top]) > 3 * max(tops[top]["host"], 2)
    is_member = lambda top: tops[top]["member"] > 50 * max(tops[top]["host"], 1)
    held = {top for top in tops if is_country(top) and not is_ending(top) and not is_member(top)}
    bounds = dict.fromkeys(held, (0, math.inf)) | dict.fromkeys(files, (-math.inf, -1))
    least = {"top": (0, 0.25, 0.25), "label": (8, 0.5, 0.75), "mark": (0, 0, 0)}
    of = lambda each: least[each.split(" ")[0]]
    kept = {each for each, kinds in counts.items() if sum(kinds.values()) >= of(each)[0]}
    for step in (1, 2):
        rows = [([each for each in own if each in kept], kind, size) for own, kind, size in rows]
        weights = fit(rows, bounds)
        kept = {each for each, size in weights.items() if abs(size) >= of(each)[step]}
    rows = [([each for each in own if each in kept], kind, size) for own, kind, size in rows]
    weights = fit(rows, bounds)
    print("# How often a name alone is a domain: weights, and the counts behind them (count_names.py).")
    print("# KIND NAME WEIGHT, then how often it is in a host with a scheme, and alone in a domain, a file, a member of a")
    print("# program, a word. A top-level domain of the kind `file` is counted in files most of all.")
    for each in sorted(set(weights) | set(tops)):
        size = weights.get(each, 0.0)
        sort, name = each.split(" ")
        numbers = (counts[each][kind] for kind in ("host", "domain", "file", "member", "word"))
        if name.isascii() and name != "*" and (round(4 * size) or sort == "top"):
            print("file" if each in files else sort, name, round(4 * size), *numbers)
    print("# Names that programs of five packages or more have in front of members.")
    for word in sorted(words):
        print("word", word)


def main():
    folder, *options = sys.argv[1:]
    kept = pathlib.Path(folder, "names.pickle")
    if not kept.exists():
        packages = fetch(pathlib.Path(folder).resolve())
        with multiprocessing.Pool() as workers:
            kept.write_bytes(pickle.dumps(sorted(workers.imap_unordered(read, packages))))
    results = pickle.loads(kept.read_bytes())
    if not options:
        return count(results)
    held = [each for each, _ in choose(results) if held_out(each[0])]
    for each in held[: int(options[1])]:
        print(each[0], each[1], f"{each[4]}⸠{each[3]}⸡{each[5]}", sep="\t")


if __name__ == "__main__":
    main()
