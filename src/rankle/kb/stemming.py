"""In which languages words are stemmed: a query's in all of the workspace's, a document's in its own.

A document without a language that has a stemmer (too short to tell, Chinese, Japanese, ...) follows the
workspace, so that a note of two words is found by its stems too, and so are Latin words in a CJK text.
"""

from collections.abc import Mapping
from typing import Final

from rankle.kb.text.analyzer import STEMMERS

_FALLBACK: Final = ("en",)
"""Where no document has a language with a stemmer: what its Latin words most likely are."""


def workspace_languages(n_documents: Mapping[str, int]) -> tuple[str, ...]:
    """The languages that queries are stemmed in, sorted; never empty.

    n_documents: documents per language.
    """
    return tuple(sorted(language for language in n_documents if language in STEMMERS)) or _FALLBACK


def document_languages(own: str | None, *, workspace: tuple[str, ...]) -> tuple[str, ...]:
    """The languages that a document's words are stemmed in; never empty."""
    return (own,) if own in STEMMERS else workspace
