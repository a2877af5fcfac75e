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
PROGRAM: Final = f"""
import json, os, sys, time
FOUND = {dict(FOUND)!r}
print("started", file=sys.stderr, flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    query, number = asked["query"], asked["id"]
    if query == "crash":
        print("the index is gone, said with {KEY}", file=sys.stderr, flush=True)
        sys.exit(3)
    if query == "hang":
        time.sleep(3600)
    if query == "mumble":
        print("DEBUG loading", flush=True)
    if query == "stray":
        number = "0"
    if query == "chatter":
        print("x" * 200_000, file=sys.stderr, flush=True)
        print(flush=True)
    if query == "pid":
        answer = {{"id": number, "results": [str(os.getpid())]}}
    elif query == "environment":
        answer = [name for name in sorted(os.environ) if name.startswith("SEARCH_")] + [os.getcwd()]
    elif query == {FAILS!r}:
        answer = {{"id": number, "error": {WORDS!r}}}
    else:
        answer = {{"id": number, "results": FOUND.get(query, [])[: asked["depth"]]}}
    print(json.dumps(answer), flush=True)
"""
"""The same as a program that answers lines by lines, with faults of its own."""
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
