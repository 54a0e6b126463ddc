"""Finds the links in text, HTML, XML, CSS, Markdown, reStructuredText and mail of any charset, and rewrites them without
touching another byte.

>>> import linkglot
>>> [link.text for link in linkglot.find("See http://résumé.example/é, or write to info@example.org.")]
['http://résumé.example/é', 'info@example.org']
>>> linkglot.rewrite("see http://example.org/é", to="uri").content
'see http://example.org/%C3%A9'
"""

from ._errors import Error, RuleWarning, RunWarning, UnreadWarning
from ._identifiers import Comparison, Components, Explanation, Warning, compare, explain
from ._native import (
    Change,
    Displayed,
    Document,
    FileResult,
    Link,
    Part,
    Record,
    Rewritten,
    Rules,
    Run,
    __version__,
    find,
    find_files,
    is_safe_to_click,
    normalize,
    rewrite,
    rewrite_files,
    to_iri,
    to_uri,
    undo,
    warc,
)

__all__ = [
    "Change",
    "Comparison",
    "Components",
    "Displayed",
    "Document",
    "Error",
    "Explanation",
    "FileResult",
    "Link",
    "Part",
    "Record",
    "Rewritten",
    "RuleWarning",
    "Rules",
    "Run",
    "RunWarning",
    "UnreadWarning",
    "Warning",
    "__version__",
    "compare",
    "explain",
    "find",
    "find_files",
    "is_safe_to_click",
    "normalize",
    "rewrite",
    "rewrite_files",
    "to_iri",
    "to_uri",
    "undo",
    "warc",
]
