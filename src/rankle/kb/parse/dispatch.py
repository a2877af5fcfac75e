"""From a file's name to the parser of its format."""

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Final

from rankle.core.errors import UnreadableDocumentError
from rankle.kb.parse.code import parse_code
from rankle.kb.parse.document import ParsedDocument
from rankle.kb.parse.html import parse_html
from rankle.kb.parse.kinds import KINDS, kind_of
from rankle.kb.parse.markdown import parse_markdown
from rankle.kb.parse.pdf import parse_pdf
from rankle.kb.parse.rst import parse_rst
from rankle.kb.parse.text import parse_text

__all__ = ["KINDS", "kind_of", "parse_document"]

_PARSERS: Final[Mapping[str, Callable[..., ParsedDocument]]] = {
    "markdown": parse_markdown,
    "html": parse_html,
    "text": parse_text,
    "rst": parse_rst,
    "pdf": parse_pdf,
    "code": parse_code,
}


def parse_document(data: bytes, *, name: str) -> ParsedDocument:
    """Reads one document by the format that its suffix names.

    name: path or name of the file; its suffix chooses the parser, its stem is the last resort for a title.
    Raises UnreadableDocumentError, and nothing else, for whatever cannot be read.
    """
    kind = kind_of(name)
    if kind is None:
        suffix = PurePath(name).suffix or "no suffix"
        raise UnreadableDocumentError(f"{name}: no parser for {suffix}; known are {' '.join(sorted(KINDS))}")
    try:
        return _PARSERS[kind](data, name=name)
    except UnreadableDocumentError:
        raise
    except Exception as error:  # whatever a parser trips over is one document's failure, never the run's
        raise UnreadableDocumentError(
            f"{name}: the {kind} parser failed ({type(error).__name__}: {error})."
            " Check that the file is what its suffix says, or exclude it with .rankleignore"
        ) from error
