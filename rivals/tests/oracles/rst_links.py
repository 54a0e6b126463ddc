#!/usr/bin/env python3
"""The links of reStructuredText as docutils reads it: tests/rst_links.py < list-of-paths

One JSON object per line, in order: {"path", "links": [[kind, reference], ...]}. Foreign roles and directives (Sphinx's)
are treated as if their argument and content were text, except for those with code or data.
"""

import json
import re
import sys
import warnings

warnings.simplefilter("ignore")

from docutils import frontend, nodes, utils  # noqa: E402
from docutils.parsers import rst  # noqa: E402
from docutils.parsers.rst import directives, roles  # noqa: E402

# Not text: see crates/linkglot-markup/src/light/rst/explicit.rs.
SILENT = set(
    "code code-block sourcecode highlight literalinclude include math doctest testcode testoutput testsetup testcleanup"
    " productionlist graphviz graph digraph uml plantuml mermaid ipython plot prompt unicode date role default-role"
    " command-output program-output jupyter-execute raw".split()
)
OWN = {"image", "figure", "table", "list-table", "parsed-literal", "replace", "epigraph", "topic", "sidebar"}


class AnyOptions(dict):
    """Accepts every option."""

    def __bool__(self):
        return True

    def __getitem__(self, name):
        return directives.unchanged

    def __contains__(self, name):
        return True

    def get(self, name, default=None):
        return directives.unchanged


class Text(rst.Directive):
    """Reads its whole content as text."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = AnyOptions()

    def run(self):
        node = nodes.container()
        if self.arguments:
            found, _ = self.state.inline_text(self.arguments[0], self.lineno)
            node += nodes.paragraph("", "", *found)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


class Nothing(Text):
    """Reads nothing."""

    def run(self):
        return []


def directive(name, language, document):
    name = name.lower()
    if name in SILENT:
        return Nothing, []
    if name in OWN:
        return known(name, language, document)
    return Text, []


def role(name, language, lineno, reporter):
    def literal(name, rawtext, text, lineno, inliner, options=None, content=()):
        return [nodes.literal(rawtext, text)], []

    return literal, []


known = directives.directive
directives.directive = directive
roles.role = role


def settings():
    parser = rst.Parser()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if hasattr(frontend, "get_default_settings"):
            found = frontend.get_default_settings(parser)
        else:
            found = frontend.OptionParser(components=(parser,)).get_default_values()
    found.report_level = 5
    found.halt_level = 6
    found.file_insertion_enabled = False
    found.raw_enabled = False
    found.line_length_limit = 1 << 30
    return found


def links(text):
    document = utils.new_document("document", settings())
    rst.Parser().parse(text, document)
    for node in document.findall() if hasattr(document, "findall") else document.traverse():
        if isinstance(node, nodes.image):
            yield "image", node["uri"]
        elif isinstance(node, nodes.target) and "refuri" in node:
            # Embedded references within text make targets, too.
            if not isinstance(node.parent, nodes.TextElement):
                yield "target", node["refuri"]
        elif isinstance(node, nodes.reference) and "refuri" in node:
            if len(node) and isinstance(node[0], nodes.image):
                yield "option", node["refuri"]
            elif "name" in node:
                yield "inline", node["refuri"]
            else:
                yield "text", node["refuri"]


def main():
    for path in sys.stdin.read().splitlines():
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            text = re.sub("^\ufeff", "", file.read())
        try:
            found = [list(link) for link in links(text)]
        except Exception as error:  # it has bugs too
            print(json.dumps({"path": path, "error": repr(error), "links": []}))
            continue
        print(json.dumps({"path": path, "links": found}))


main()
