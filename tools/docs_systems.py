"""The folder of docs/systems.md: a search on this machine, behind the addresses that the page names."""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import polars as pl

from tools.docs_environment import environment
from tools.docs_search import Ranked, Search

REPOSITORY: Final = Path(__file__).resolve().parent.parent
_N_QUERIES: Final = 24
_DEPTH: Final = 100
_AT_MOST: Final = 50
"""Passages that the server of passages gives."""
_PORTS: Final = range(8080, 10000)
"""Of four digits, so that lines break where they do on the page."""
_TOKEN: Final = "token-of-the-page"  # noqa: S105 - of nobody


@contextmanager
def systems(folder: Path) -> Iterator[Mapping[str, str]]:
    """A search of the handbook at two addresses, one of which wants a token; a set, and files of results."""
    sys.path.insert(0, str(REPOSITORY / "tests"))
    from fakes.search_server import Asked, Reply, search_server

    examples = REPOSITORY / "examples"
    shutil.copytree(examples / "handbook", folder / "handbook")
    lines = (examples / "handbook.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[:_N_QUERIES]
    (folder / "set.jsonl").write_text("".join(lines), encoding="utf-8")
    search = Search(folder / "handbook")
    _write_runs(search, {query["id"]: query["query"] for query in map(json.loads, lines)}, folder)

    def reply(asked: Asked) -> Reply:
        answer = _answer(search, asked.path, asked.body or asked.arguments)
        return Reply({"error": f"no index at {asked.path}"}, status=404) if answer is None else Reply(answer)

    def reply_to_friends(asked: Asked) -> Reply:
        is_friend = asked.headers.get("authorization") == f"Bearer {_TOKEN}"
        return reply(asked) if is_friend else Reply({"error": "unknown token"}, status=401)

    with ExitStack() as opened:
        local, away = (opened.enter_context(search_server(ports=_PORTS)) for _ in range(2))
        local.respond, away.respond = reply, reply_to_friends
        opened.enter_context(environment({"SEARCH_TOKEN": _TOKEN}))
        yield {"localhost:8080": local.url.removeprefix("http://"), "https://search.example.com": away.url}


def _answer(search: Search, path: str, asked: Mapping[str, Any]) -> object:
    """What a server says, in the three ways of the page; None where there is nothing at a path."""
    if path == "/search":
        found = search.documents(asked.get("query") or asked["q"])[: int(asked.get("depth") or asked["size"])]
        return {"results": [{"id": name, "score": score} for name, score in found]}
    if path == "/v1/handbook/_search":
        found = search.documents(asked["query"]["match"]["text"])[: asked["size"]]
        hits = [
            {"_id": f"7-{n}", "_score": each[1], "_source": {"path": each[0]}} for n, each in enumerate(found)
        ]
        return {"hits": {"total": len(hits), "hits": hits}}
    if path == "/v2/search":
        first = search.bm25(asked["query"])[: min(asked["depth"], _AT_MOST)]
        best = search.reranked(asked["query"], first)
        stages = [
            {"name": name, "results": _listed(search, by)} for name, by in (("bm25", first), ("rerank", best))
        ]
        return {"response": {"list": _listed(search, best)}, "stages": stages}
    return None


def _listed(search: Search, found: Ranked) -> list[object]:
    return [
        {
            "part": int(passage.rpartition("#")[2]),
            "metadata": {"source": search.passages[passage][0]},
            "ranking": {"total": score},
            "highlight": search.passages[passage][1][:80],
        }
        for passage, score in found
    ]


def _write_runs(search: Search, queries: Mapping[str, str], folder: Path) -> None:
    """`bm25.run` as trec_eval reads it; `dense.parquet`, which is by nearness of vectors."""
    lines = [
        f"{query} Q0 {name} {rank} {score:.4f} bm25\n"
        for query, text in queries.items()
        for rank, (name, score) in enumerate(search.documents(text)[:_DEPTH], start=1)
    ]
    (folder / "bm25.run").write_text("".join(lines), encoding="utf-8")
    dense = [
        {"query_id": query, "doc_id": name, "score": round(score, 4)}
        for query, ranked in zip(queries, search.dense(list(queries.values())), strict=True)
        for name, score in ranked[:_DEPTH]
    ]
    pl.DataFrame(dense).write_parquet(folder / "dense.parquet")
