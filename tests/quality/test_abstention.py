"""Floors on public questions that nothing answers: CLAPNQ, where others have their passages indexed."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rankle.app.evaluate import evaluate
from rankle.app.floor import FloorRequest, choose_floor
from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings, load_settings
from rankle.core.floor import FloorReport
from rankle.core.run import AbstentionReport


def questions(shared_data: Path, which: str, n: int) -> list[dict[str, Any]]:
    path = shared_data / "clapnq" / f"clapnq_dev_{which}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file][:n]


def prepare(shared_data: Path, folder: Path, *, n: int, near: bool, model: str) -> Path:
    """Indexes the passages of n questions, and returns a set of these and of n that nothing answers.

    near: whether a passage that comes near each of the latter is indexed too.
    """
    docs, lines, names = folder / "docs", [], dict[str, str]()
    docs.mkdir()
    for which in ("answerable", "unanswerable"):
        for asked in questions(shared_data, which, n):
            passage = asked["passages"][0]
            if which == "answerable" or near:
                name = names.setdefault(passage["text"], f"{len(names)}.md")
                (docs / name).write_text(f"# {passage['title']}\n\n{passage['text']}\n", encoding="utf-8")
            found = {"relevant": [names[passage["text"]]]} if which == "answerable" else {"answerable": False}
            lines.append(json.dumps({"id": asked["id"], "query": asked["input"], **found}))
    with open_knowledge_base(settings(), create=True) as kb:
        kb.index(docs, model=model)
    path = folder / "set.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def settings() -> Settings:
    return load_settings(workspace="clapnq")


def chosen(path: Path, method: str) -> FloorReport:
    asked = FloorRequest(set_file=path, method=method)
    return choose_floor(
        settings(), asked, now=lambda: datetime.now(UTC), on_progress=lambda _done, _all: None
    )


@pytest.mark.shared_data
@pytest.mark.parametrize(("near", "least"), [(False, 0.80), (True, 0.58)], ids=["far", "near"])
def test_full_text_tells_what_nothing_answers_better_than_chance(
    near: bool, least: float, shared_data: Path, tmp_path: Path
) -> None:
    path = prepare(shared_data, tmp_path, n=300, near=near, model="none")
    found = chosen(path, "fts5")
    assert found.kept
    assert (found.rest.recall.n_of, found.rest.answered.n_of, found.n_undefined) == (150, 150, 0)
    assert found.rest.balanced_accuracy is not None
    assert found.rest_without.balanced_accuracy is not None
    assert found.rest.balanced_accuracy > least
    assert found.rest_without.balanced_accuracy < 0.52
    run = evaluate(path, workspace="clapnq", method="fts5")
    assert isinstance(run.abstention, AbstentionReport)
    assert (run.abstention.floor, run.system.settings["floor"]) == (found.floor, found.floor)
    for share in ("precision", "recall", "answered"):
        halves = [getattr(half, share).n for half in (found.chosen_on, found.rest)]
        assert getattr(run.abstention, share).n == sum(halves)


@pytest.mark.shared_data
@pytest.mark.needs_local
def test_vectors_and_hybrid_tell_it_too(shared_data: Path, tmp_path: Path) -> None:
    path = prepare(shared_data, tmp_path, n=60, near=False, model="e5-small")
    by_method = {method: chosen(path, method) for method in ("vector", "hybrid")}
    assert all(found.kept for found in by_method.values())
    balances = {name: found.rest.balanced_accuracy or 0.0 for name, found in by_method.items()}
    assert balances["vector"] > 0.8
    assert balances["hybrid"] > 0.65
    with open_knowledge_base(settings()) as kb:
        assert [floor.method for floor in kb.floors.all()] == ["hybrid", "vector"]
