"""The use case behind `rankle eval --method a,b` and `rankle.evaluate_methods`."""

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.command import GUIDE, write_files
from fakes.hand_worked import STAMP
from rankle.app.evaluate import evaluate
from rankle.app.evaluate_methods import aevaluate_methods, evaluate_methods
from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import load_settings
from rankle.core.errors import InputError, RankleError, UnknownNameError
from rankle.harness.evaluation import Stamp
from rankle.kb.knowledge_base import KnowledgeBase

QUERIES: list[dict[str, Any]] = [
    {"query": "battery voltage", "relevant": ["errors.md"]},
    {"query": "Filter im Herbst", "relevant": ["de/wartung.md", "ja/filter.txt"]},
]


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with open_knowledge_base(load_settings(), create=True) as opened:
        opened.index(write_files(tmp_path / "docs", GUIDE))
        yield opened


def stamped() -> Callable[[], Stamp]:
    return lambda: STAMP


def test_one_method_gives_the_record_that_evaluate_gives(kb: KnowledgeBase) -> None:
    options: dict[str, Any] = {"kb": kb, "k": 3, "clock": lambda: 0.0}
    reports = evaluate_methods(QUERIES, methods=["fts5"], stamp=stamped(), **options)
    assert reports == (evaluate(QUERIES, method="fts5", stamp=STAMP, **options),)
    again = asyncio.run(aevaluate_methods(QUERIES, methods=("fts5",), stamp=stamped(), **options))
    assert again == reports


def test_a_workspace_is_opened_by_its_name(kb: KnowledgeBase) -> None:
    kb.close()
    (report,) = evaluate_methods(QUERIES, methods=["fts5"], workspace="default")
    assert (report.system.name, report.system.method) == ("kb:default", "fts5")
    assert re.fullmatch(r"[0-9a-f]{12}", report.id)


def test_a_method_that_cannot_be_done_stops_before_any_query_is_asked(kb: KnowledgeBase) -> None:
    asked: list[int] = []
    with pytest.raises(UnknownNameError, match='unknown method "bogus"'):
        evaluate_methods(
            QUERIES, methods=["fts5", "bogus"], kb=kb, on_progress=lambda done, total: asked.append(done)
        )
    assert asked == []


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ([], 'no method is named; methods are a list such as ["fts5", "hybrid"]'),
        (["fts5", "hybrid", "fts5"], 'method "fts5" is named twice'),
        ("fts5,hybrid", 'methods are a list of names, such as ["fts5", "hybrid"]; got "fts5,hybrid"'),
    ],
)
def test_methods_that_are_no_list_of_different_ones_are_refused(methods: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        evaluate_methods(QUERIES, methods=methods)


def test_an_open_knowledge_base_and_a_workspace_are_not_both_taken(kb: KnowledgeBase) -> None:
    with pytest.raises(InputError, match="an open kb or the name of a workspace, not both"):
        evaluate_methods(QUERIES, methods=["fts5"], kb=kb, workspace="default")


def test_ids_are_normalised_as_evaluate_does(kb: KnowledgeBase) -> None:
    records = [{"query": "battery voltage", "relevant": ["ERRORS"]}]
    (report,) = evaluate_methods(records, methods=["fts5"], kb=kb, normalise="targets=case,extension")
    assert report.labels.n_joined == 1
    with pytest.raises(RankleError):
        evaluate_methods(records, methods=["fts5"], kb=kb)
