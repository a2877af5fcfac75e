"""Lines of `rankle index` that depend on how it went, without going there."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rankle.app.embed import Embedded
from rankle.app.index import Indexed
from rankle.app.watch import WatchRound
from rankle.cli.embed_report import embed_lines, embedding_words
from rankle.cli.index_report import index_lines, round_lines
from rankle.core.errors import ModelError
from rankle.kb.indexing import IndexReport
from rankle.kb.vectors.embedding import EmbedReport

AT = datetime(2026, 11, 30, 9, 5, 7, tzinfo=UTC)


def _embedding(
    *, n_chunks: int = 120, n_texts: int = 120, replaced: str | None = None, took_s: float = 2.0
) -> EmbedReport:
    return EmbedReport("e5-small", n_chunks, n_texts, n_total=120, replaced=replaced, took_s=took_s)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (_embedding(), "120 chunks embedded with e5-small (60/s)"),
        (_embedding(n_chunks=1, n_texts=1, took_s=0.4), "1 chunk embedded with e5-small (2.5/s)"),
        (_embedding(took_s=0.0), "120 chunks embedded with e5-small"),
        (
            _embedding(n_texts=100),
            "120 chunks embedded with e5-small (50/s), 20 of them with text embedded before",
        ),
        (_embedding(n_texts=0), "120 chunks with text that was embedded before, by e5-small"),
        (_embedding(replaced="fake"), "120 chunks embedded with e5-small (60/s), in place of fake"),
    ],
)
def test_what_an_embedding_did(report: EmbedReport, words: str) -> None:
    assert embedding_words(report) == words


def test_time_is_told_apart_for_text_and_vectors() -> None:
    report = IndexReport(False, added=["a.md"] * 100, n_chunks=120, embedding=_embedding())
    lines = index_lines(Indexed("w", False, report, 0.5, 92.0, None, None))
    assert lines[-2:] == [
        "Vectors: 120 chunks embedded with e5-small (60/s)",
        "Time: 0.50 s for the text (200 documents/s), 1 min 32 s for the vectors",
    ]


def test_the_hint_stands_last() -> None:
    report = IndexReport(False, added=["a.md"], unknown=Counter({".zip": 1}), n_ignored=1)
    hint = "for search by meaning too: pip install 'rankle[local]', then rankle embed -w default"
    lines = index_lines(Indexed("w", False, report, 0.5, 0.0, None, hint))
    assert lines[-2:] == [
        "Hint: for search by meaning too: pip install 'rankle[local]', then rankle embed",
        "  -w default",
    ]


@pytest.mark.parametrize(
    ("n_total", "line"),
    [
        (0, "Nothing to embed: no documents yet. e5-small is noted for when they come."),
        (1, "Nothing to do: 1 chunk has its vector, by e5-small"),
        (1_300, "Nothing to do: 1,300 chunks have their vectors, by e5-small"),
    ],
)
def test_an_embedding_with_nothing_to_do_says_so(n_total: int, line: str) -> None:
    assert embed_lines(Embedded("w", EmbedReport("e5-small", 0, 0, n_total, None, 0.0), 0.1)) == [
        "Workspace: w",
        line,
    ]


def test_a_change_that_was_watched_is_a_line_and_what_went_wrong_another() -> None:
    embedding = EmbedReport("e5-small", 3, 3, 120, None, 1.0)
    report = IndexReport(False, updated=["a.md"], embedding=embedding)
    assert round_lines(WatchRound(Path("docs"), report, None, 0.25), at=AT) == [
        "09:05:07  updated a.md; embedded 3 texts (0.25 s)"
    ]
    report = IndexReport(False, updated=["a.md"])
    error = ModelError("the server is gone\nTry again")
    assert round_lines(WatchRound(Path("docs"), report, error, 0.25), at=AT) == [
        "09:05:07  updated a.md (0.25 s)",
        "09:05:07  Error: the server is gone Try again",
    ]
    assert round_lines(WatchRound(Path("docs"), None, error, 0.25), at=AT) == [
        "09:05:07  Error: the server is gone Try again"
    ]
    assert round_lines(WatchRound(Path("docs"), IndexReport(False), None, 0.25), at=AT) == []
