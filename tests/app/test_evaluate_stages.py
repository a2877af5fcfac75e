"""Methods of a real workspace with vectors: batches, stages, fates, and the record against its schema."""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from fakes.hand_worked import STAMP
from fakes.recording_embedder import Models
from rankle.app.evaluate import evaluate
from rankle.app.evaluate_methods import evaluate_methods
from rankle.core.errors import InputError, WorkspaceError
from rankle.core.run import RunReport
from rankle.kb.fusion import Fusion
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_settings import SearchSettings
from rankle.models.fake import FakeEmbedder
from rankle.reports.json import parse_json, render_json
from rankle.reports.methods import render_methods

METHODS = ["fts5", "vector", "hybrid"]
WORDS = ["apple", "pear", "plum", "fig", "quince", "cherry", "grape", "melon"]


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """Sixteen documents, two about each fruit."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for place, word in enumerate(WORDS):
        other = WORDS[(place + 1) % len(WORDS)]
        (docs / f"{word}.md").write_text(f"# The {word}\n\nA {word} ripens late.\n", encoding="utf-8")
        (docs / f"{word}-pie.md").write_text(f"# Pies\n\nBake {word} and {other}.\n", encoding="utf-8")
    models = Models({"fake": FakeEmbedder()})
    with KnowledgeBase(tmp_path / "w", name="w", create=True, open_embedder=models) as opened:
        opened.index(docs)
        yield opened


RECORDS: list[dict[str, Any]] = [
    *({"id": word, "query": word, "relevant": [f"{word}.md", f"{word}-pie.md"]} for word in WORDS),
    {"id": "other words", "query": "dessert", "relevant": ["fig-pie.md"]},
]


def run(kb: KnowledgeBase, *methods: str, **options: Any) -> tuple[RunReport, ...]:
    return evaluate_methods(
        RECORDS, methods=methods, kb=kb, k=(1, 3), stamp=lambda: STAMP, clock=lambda: 0.0, **options
    )


def test_each_method_has_its_own_stages_and_every_target_one_fate(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    reports = run(kb, *METHODS)
    assert [report.system.stages for report in reports] == [
        ["fts5"],
        ["vector"],
        ["fts5", "vector", "fusion"],
    ]
    assert len({report.system.fingerprint for report in reports}) == 3
    for report in reports:
        assert report.funnel is not None
        assert report.funnel.n_targets == 17
        assert sum(fate.n_targets for fate in report.funnel.fates) == 17
        found = sum(
            target.rank is not None and target.rank <= 3
            for query in report.queries
            for target in query.targets
            if target.relevant
        )
        assert report.funnel.fates[0].n_targets == found
    words, vectors, both = reports
    assert words.funnel is not None
    assert words.funnel.fates[-1].fate == "no candidate list"  # no document holds "dessert"
    assert "other words" in words.funnel.fates[-1].queries
    # The lists that are fused are those that each method makes by itself.
    assert both.funnel is not None
    assert vectors.funnel is not None
    assert both.funnel.stages[0] == words.funnel.stages[0]
    assert both.funnel.stages[1] == vectors.funnel.stages[0]


@pytest.mark.parametrize("method", METHODS)
def test_batches_and_single_searches_give_the_same_record(kb: KnowledgeBase, method: str) -> None:
    kb.embed("fake")
    (batched,), (alone,) = run(kb, method), run(kb, method, one_by_one=True)
    assert (batched.latency_ms.of, batched.latency_ms.batch_size) == ("batch", 9)
    assert msgspec.structs.replace(batched, latency_ms=alone.latency_ms) == alone


def test_the_records_follow_the_published_schema_and_tell_their_settings(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    reports = run(kb, *METHODS)
    schema = json.loads(files("rankle.reports").joinpath("schemas", "runs-1.json").read_text("utf-8"))
    text = render_json(reports)
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
    assert parse_json(text) == reports
    assert reports[2].system.settings["fusion"]["vector_weight"] == 0.4
    assert "Methods: fts5, vector, hybrid  level: document  k: 1, 3\n" in render_methods(reports)


def test_settings_reach_the_methods_that_look_at_them(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    settings = SearchSettings(Fusion("rrf", candidates=1), collapse=True)
    words, both = run(kb, "fts5", "hybrid", settings=settings)
    assert (words.system.stages, both.system.stages[-1]) == (["fts5", "cut"], "cut")
    assert both.system.settings["fusion"]["candidates"] == 1
    assert "fusion" not in words.system.settings
    alone = evaluate(RECORDS, kb=kb, method="hybrid", settings=settings)
    assert alone.system.fingerprint == both.system.fingerprint
    assert alone.system.fingerprint != evaluate(RECORDS, kb=kb, method="hybrid").system.fingerprint
    # What is below the one candidate of each list has no part in the fusion's first places.
    assert both.funnel != run(kb, "hybrid")[0].funnel


def test_a_fusion_that_no_method_would_look_at_is_refused(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    for methods in (["fts5"], ["vector", "fts5"]):
        with pytest.raises(InputError, match="are settings of method hybrid"):
            run(kb, *methods, settings=SearchSettings(Fusion("rrf")))


def test_a_method_without_its_vectors_stops_before_any_query_is_asked(kb: KnowledgeBase) -> None:
    asked: list[int] = []
    with pytest.raises(WorkspaceError, match="has no vectors"):
        run(kb, "fts5", "hybrid", on_progress=lambda done, total: asked.append(done))
    assert asked == []


def test_with_no_method_the_best_is_taken_and_why_it_is_no_better_one(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    assert evaluate(RECORDS, kb=kb).system.method == "fts5"
    kb.embed("fake")
    assert evaluate(RECORDS, kb=kb).system.method == "hybrid"
    (tmp_path / "docs" / "new.md").write_text("# New\n\nA medlar.\n", encoding="utf-8")
    kb.index(tmp_path / "docs", vectors=False)
    report = evaluate(RECORDS, kb=kb)
    assert report.system.method == "fts5"
    assert report.notices[0].startswith("searched by full text alone: only 16 of 17 chunks have a vector")
