"""A small search that stands behind every kind of system in tests: what it holds, finds and fails on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

DOCUMENTS: Final[Mapping[str, str]] = {
    "guide/pump.md": "pump with a filter",
    "guide/filter.md": "filter",
    "errors.md": "battery",
}
FOUND: Final[Mapping[str, list[tuple[str, float]]]] = {
    "pump filter": [("guide/pump.md", 2.0), ("guide/filter.md", 1.0)],
    "battery": [("errors.md", 1.0)],
    "nothing": [],
}
"""What each query finds, with scores."""
FAILS: Final = "explode"
"""The query on which it fails."""
KEY: Final = "planted-key-0123456789"
"""What it says when it fails and must reach nobody."""
WORDS: Final = f"the index is on fire, said with {KEY}"
MODULE: Final = f'''
DOCUMENTS = {dict(DOCUMENTS)!r}


def find(query, depth=10):
    """Documents by how many of the words of the query they hold."""
    if query == {FAILS!r}:
        raise RuntimeError({WORDS!r})
    words = query.split()
    scored = [(name, float(sum(word in text.split() for word in words))) for name, text in DOCUMENTS.items()]
    return sorted((each for each in scored if each[1]), key=lambda each: -each[1])[:depth]


async def find_async(query, depth=10):
    return find(query, depth)


def find_many(queries, depth=10):
    found = []
    for query in queries:
        try:
            found.append(find(query, depth))
        except RuntimeError as error:
            found.append(error)
    return found
'''
"""The same as a module of Python."""
SET: Final = """\
{"id": "q1", "query": "pump filter", "relevant": ["guide/filter.md"]}
{"id": "q2", "query": "battery", "relevant": ["errors.md"]}
{"id": "q3", "query": "nothing", "relevant": ["guide/pump.md"]}
"""


def write_module(folder: Path, name: str) -> str:
    """A module of a name that no other test uses: Python imports each once."""
    (folder / f"{name}.py").write_text(MODULE, encoding="utf-8")
    return name


def answer(query: str) -> list[dict[str, Any]]:
    """What it finds, as results of a service."""
    return [{"id": name, "score": score, "text": DOCUMENTS[name]} for name, score in FOUND[query]]
