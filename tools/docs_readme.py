"""The folder of the README: a few documents and questions, and two searches of one's own that differ."""

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parent.parent
_DOCUMENTS: Final = {
    "errors.md": "# Errors\n\nE42: the battery voltage is below 11 V. Charge it.\n",
    "guide/reset.md": "# Reset\n\nTo reset it, hold the button for ten seconds.\n",
    "guide/setup.md": "# Setup\n\nConnect the red cable to the battery first.\n",
}
_QUESTIONS: Final = {
    "how do I reset it": "guide/reset.md",
    "which button do I hold": "guide/reset.md",
    "back to factory settings": "guide/reset.md",
    "error E42": "errors.md",
    "battery voltage": "errors.md",
    "the battery is empty": "errors.md",
    "red cable": "guide/setup.md",
    "what do I connect first": "guide/setup.md",
}
_MODULE: Final = f"""\
NAMES = {list(_DOCUMENTS)!r}


def find(query, k=10):
    return [name for name in NAMES if any(word in name for word in query.split())][:k]
"""
"""A search that looks at names alone."""
_PORTS: Final = range(8080, 10000)
"""Of four digits, so that lines break where they do for a reader."""


@contextmanager
def readme(folder: Path) -> Iterator[Mapping[str, str]]:
    """What the README speaks of, with a server that stands for the one at localhost:8080.

    Tables shorten its name.
    """
    sys.path.insert(0, str(REPOSITORY / "tests"))
    from fakes.search_server import Asked, Reply, search_server

    shutil.copytree(REPOSITORY / "examples", folder / "examples")
    for name, text in _DOCUMENTS.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    questions = [{"query": query, "relevant": [name]} for query, name in _QUESTIONS.items()]
    lines = "".join(f"{json.dumps(question)}\n" for question in questions)
    (folder / "questions.jsonl").write_text(lines, encoding="utf-8")
    (folder / "my_search.py").write_text(_MODULE, encoding="utf-8")
    (folder / "judgments.qrels").write_text("q1 0 d1 1\nq2 0 d2 1\nq2 0 d3 1\n", encoding="utf-8")
    (folder / "results.run").write_text(
        "q1 Q0 d1 1 2.5 a\nq2 Q0 d1 1 1.5 a\nq2 Q0 d2 2 1.0 a\n", encoding="utf-8"
    )

    def reply(asked: Asked) -> Reply:
        return Reply({"results": _found(str(asked.body["query"]))[: int(asked.body["depth"])]})

    with search_server(ports=_PORTS) as server:
        server.respond = reply
        address = server.url.removeprefix("http://")
        yield {"localhost:8080": address, "localho…:8080": address.replace("127.0.0.1", "127.0.0…")}


def _found(query: str) -> list[dict[str, object]]:
    """Documents by how many words of a query they hold."""
    words = set(re.findall(r"\w+", query.lower()))
    scored = [
        (len(words.intersection(re.findall(r"\w+", text.lower()))), name) for name, text in _DOCUMENTS.items()
    ]
    return [
        {"id": name, "score": score}
        for score, name in sorted(scored, key=lambda one: (-one[0], one[1]))
        if score
    ]
