"""Which version of parsing, cutting and analysis made the rows of a workspace; apart from what makes them."""

from typing import Final

from rankle.kb.text.analyzer import ANALYZER_VERSION

_PREPARE_VERSION: Final = 1
"""Raised by every change of parsing or chunking that makes other rows from the same file."""
ROWS_VERSION: Final = f"prepare/{_PREPARE_VERSION} analysis/{ANALYZER_VERSION}"
"""Rows of another version answer other queries than this version asks."""
