"""Source code and configuration: definitions become headings, blank lines part the rest."""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final, TypeAlias

from rankle.kb.parse.blocks import assemble, paragraphs
from rankle.kb.parse.decode import decode_text
from rankle.kb.parse.document import Block, ParsedDocument

_LONGEST_LINE: Final = 400
"""Longer lines define nothing that a person wrote."""
_MOST_LEADING_LINES: Final = 30
"""Lines of comments and decorators that go with the definition below them."""

_Patterns: TypeAlias = tuple[re.Pattern[str], ...]

_MODIFIERS: Final = (
    "export|default|public|private|protected|internal|static|abstract|final|sealed|async|pub|unsafe|extern|const"
    "|declare|partial|override|open|data|inline|suspend|virtual|fileprivate|local|readonly|global|shared|noncopyable"
)
_KEYWORDS: Final = (
    "def|class|func|fn|function|interface|trait|impl|struct|enum|union|module|namespace|protocol|extension|object|record"
    "|type|mod|macro_rules!|defmodule|defp|defmacro|defn|sub|service|message|contract|package|mixin|actor|proc"
)
_BY_KEYWORD: Final = re.compile(
    rf"[ \t]{{0,4}}(?:(?:{_MODIFIERS})(?:\([^()\n]*\))?[ \t]+)*(?:{_KEYWORDS})\b\*?"
    r"(?:<[^<>\n]*>)?[ \t]+(?:\([^()\n]*\)[ \t]*)?(?P<name>[^\W\d][\w$.:]*[!?]?)"
)
_ARROW_FUNCTION: Final = re.compile(
    r"(?:export[ \t]+)?(?:const|let|var)[ \t]+(?P<name>[\w$]+)[ \t]*(?::[^=\n]*)?=[ \t]*(?:async[ \t]*)?"
    r"(?:\(|function\b)"
)
_SHELL_FUNCTION: Final = re.compile(r"(?P<name>[A-Za-z_][\w-]*)[ \t]*\(\)[ \t]*\{")
_SQL_OBJECT: Final = re.compile(
    r"create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:[a-z]+[ \t]+){1,3}?(?:if[ \t]+not[ \t]+exists[ \t]+)?"
    r"(?P<name>[\w.\"`]+)[ \t]*(?:\(|as\b|on\b|$)",
    re.IGNORECASE,
)
_C_FUNCTION: Final = re.compile(
    r"(?:[A-Za-z_][\w:<>,]*+[ \t*&]++){1,6}(?P<name>~?[A-Za-z_][\w:~]*)[ \t]*\([^;\n]*$"
)
_SECTION: Final = re.compile(r"\[\[?(?P<name>[^\[\]\n]{1,100})\]\]?[ \t]*(?:[#;][^\n]*)?$")
_KEY: Final = re.compile(r"(?P<name>[A-Za-z_][\w.-]*):[ \t]*(?:#[^\n]*)?$")

_SOURCE: Final[_Patterns] = (_BY_KEYWORD, _ARROW_FUNCTION, _SHELL_FUNCTION, _SQL_OBJECT)
_BY_SUFFIX: Final[dict[str, _Patterns]] = {
    **dict.fromkeys((".yaml", ".yml"), (_KEY,)),
    **dict.fromkeys((".toml", ".ini", ".cfg", ".conf", ".properties"), (_SECTION,)),
    **dict.fromkeys((".css", ".scss", ".sass", ".less", ".tex"), ()),
    **dict.fromkeys(
        (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".m", ".mm"), (*_SOURCE, _C_FUNCTION)
    ),
}
_NO_NAMES: Final = frozenset(
    {"if", "for", "while", "switch", "return", "else", "catch", "do", "default", "try", "finally"}
)
_LEADS: Final = re.compile(r"[ \t]*(?:@|#(?!!)|//|/\*|\*|--|\"\"\"$|\[[A-Z])")


def parse_code(data: bytes, *, name: str) -> ParsedDocument:
    """The stored text is the source. A definition's heading holds its first line and what leads up to it
    (comments, decorators); its words are the defined name. Levels: 2 at the margin, 3 where indented.

    Which lines define is told by cheap patterns over all languages, not by a grammar.
    """
    decoded = decode_text(data, name=name, declared=True)
    path = PurePath(name)
    blocks = list(_blocks(decoded.text, patterns=_BY_SUFFIX.get(path.suffix.lower(), _SOURCE)))
    return assemble(decoded.text, blocks, name=name, kind="code", title=path.stem, notices=decoded.notices)


def _blocks(text: str, *, patterns: _Patterns) -> Iterator[Block]:
    done = at = 0
    leads: list[int] = []
    """Where the comment and decorator lines directly above the current line start."""
    for line in text.split("\n"):
        defined = _defined(line, patterns)
        if defined:
            start = leads[0] if leads else at
            yield from paragraphs(text, start=done, end=start, kind="code")
            done = at + len(line)
            yield Block(start, done, "heading", *defined)
        if defined or not _LEADS.match(line[:_LONGEST_LINE]) or len(leads) >= _MOST_LEADING_LINES:
            leads = []
        else:
            leads.append(at)
        at += len(line) + 1
    yield from paragraphs(text, start=done, end=len(text), kind="code")


def _defined(line: str, patterns: _Patterns) -> tuple[int, str] | None:
    """The level and name of what a line defines."""
    if not line or len(line) > _LONGEST_LINE or line[0] in "#/*":
        return None
    for pattern in patterns:
        match = pattern.match(line)
        if match and not {match["name"], line.split(None, 1)[0]} & _NO_NAMES:
            return (3 if line[0].isspace() else 2), match["name"].strip('"`:')
    return None
