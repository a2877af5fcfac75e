"""What `rankle eval` says to somebody who names no set: those that are here, and how to get one."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Final

_NAMED: Final = 5
_LONGEST: Final = 100_000
_FOLDERS: Final = (".", "evals")
WAYS: Final = """\
No judgments yet? Three ways to get some, once `rankle index` has run:

  rate      search, and rate what you find from 1 to 5
      rankle rate
      rankle eval generate-from-ratings
      rankle eval eval.jsonl
  label     write down queries, and judge what several methods find for them
      echo '{"query": "how do I reset it", "relevant": []}' > queries.jsonl
      rankle eval label queries.jsonl
      rankle eval queries.jsonl
  generate  have questions made of the documents; at once, but weak
      rankle eval generate
      rankle eval generated.jsonl
      rankle eval label generated.jsonl

Of a search of your own:   rankle eval label queries.jsonl --system URI
Results with judgments:    rankle score --help"""
"""Its commands are run by a test, in this order."""


def ways(here: Path = Path()) -> str:
    """Which sets there are, or how one is named, and then the ways to one."""
    sets = list(itertools.islice(_sets(here), _NAMED))
    if not sets:
        return f"name a set, queries with judgments: rankle eval queries.jsonl\n\n{WAYS}"
    calls = "\n".join(f"      rankle eval {quote(name)}" for name in sets)
    return f"name a set, queries with judgments. Here there is:\n{calls}\n\n{WAYS}"


def _sets(here: Path) -> Iterator[str]:
    """Files of JSON lines whose first line has a query, in the folder and in `evals`."""
    for folder in _FOLDERS:
        for path in sorted((here / folder).glob("*.jsonl")):
            if path.is_file() and _has_query(path):  # opening a pipe would wait for who writes to it
                yield path.relative_to(here).as_posix()


def _has_query(path: Path) -> bool:
    import json

    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            first = json.loads(file.readline(_LONGEST))
    except (OSError, ValueError, RecursionError):  # what cannot be read is no set to name
        return False
    return isinstance(first, dict) and "query" in first and "judge" not in first
