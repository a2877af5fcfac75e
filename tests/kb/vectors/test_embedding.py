"""Embedding gives every chunk the vector of its text, embeds no text twice, and keeps whole batches only."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fakes.recording_embedder import Models, RecordingEmbedder, with_nan
from kb.conftest import Bench
from kb.vectors.stored import execute, n_rows, vectors_by_chunk
from rankle.core.embedding import Vectors
from rankle.core.errors import InputError, ModelError, WorkspaceError
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.vectors.embedding import EmbedProgress, checked_vectors
from rankle.models.fake import FakeEmbedder

BATCH = 64


def _write_many(bench: Bench, n: int) -> None:
    bench.write(**{f"d{number:03}": f"This is document {number}." for number in range(n)})


def _expected(text: str) -> bytes:
    return FakeEmbedder().embed_passages([text]).astype("<f4").tobytes()


def test_a_chunk_has_the_vector_of_what_is_embedded_of_it(bench: Bench) -> None:
    bench.write(a="# Apples\n\nRed and sweet.", b="Green.")
    bench.kb.index(bench.docs)
    assert vectors_by_chunk(bench.kb) == {
        ("a.md", 0): _expected("# Apples\n\nRed and sweet."),
        ("b.md", 0): _expected("b\nGreen."),
    }


def test_only_new_chunks_are_embedded(bench: Bench, fake: RecordingEmbedder) -> None:
    bench.write(a="Apples.", b="Bananas.")
    bench.kb.index(bench.docs)
    fake.passages.clear()
    bench.write(b="Brown bananas.", c="Cherries.")
    report = bench.kb.index().embedding
    assert sorted(fake.passages) == ["b\nBrown bananas.", "c\nCherries."]
    assert report is not None
    assert (report.n_chunks, report.n_texts, report.n_total) == (2, 2, 3)


def test_text_that_went_and_came_back_is_not_embedded_again(bench: Bench, fake: RecordingEmbedder) -> None:
    bench.write(a="Apples. Pears.", b="Bananas.")
    bench.kb.index(bench.docs)
    before = vectors_by_chunk(bench.kb)
    fake.passages.clear()
    bench.kb.remove_root(bench.docs)
    assert n_rows(bench.kb, "chunk_vectors") == 0
    report = bench.kb.index(bench.docs).embedding
    assert report is not None
    assert (report.n_chunks, report.n_texts, report.texts_per_s) == (2, 0, None)
    bench.kb.index(bench.docs, chunker="sentence")
    assert fake.passages == ["a\nApples.", "a\nPears."]
    bench.kb.index(bench.docs, chunker="heading")
    assert len(fake.passages) == 2
    assert vectors_by_chunk(bench.kb) == before


def test_a_text_that_stands_often_is_embedded_once(bench: Bench, fake: RecordingEmbedder) -> None:
    bench.write(**{f"d{n}": "---\ntitle: Notice\n---\nThe same words." for n in range(5)})
    bench.kb.index(bench.docs)
    assert fake.passages == ["Notice\nThe same words."]
    assert (n_rows(bench.kb, "vectors"), n_rows(bench.kb, "chunk_vectors")) == (1, 5)


def test_nothing_is_loaded_where_nothing_is_missing(bench: Bench, models: Models) -> None:
    bench.write(a="Apples.")
    bench.kb.index(bench.docs)
    with KnowledgeBase(bench.kb.folder, name="w", open_embedder=models) as again:
        models.opened.clear()
        assert again.index().embedding is not None
        assert again.embed().n_chunks == 0
        assert again.search("apples", method="fts5").hits
        assert models.opened == []
        assert again.embed("fake").n_chunks == 0  # named: looked at, in case that it became another one
        assert models.opened == ["fake"]


def test_progress_tells_how_far_and_how_fast(bench: Bench) -> None:
    _write_many(bench, 300)
    told: list[EmbedProgress] = []
    bench.kb.index(bench.docs, embed_progress=told.append)
    assert [each.n_done for each in told] == [0, 64, 128, 192, 256, 300]
    assert {each.n_total for each in told} == {300}
    assert told[0].texts_per_s is None
    assert all(each.texts_per_s for each in told[1:])


def test_without_documents_the_model_is_noted_for_later(bench: Bench) -> None:
    bench.kb.embed("fake:8")
    bench.write(a="Apples.")
    report = bench.kb.index(bench.docs).embedding
    assert report is not None
    assert report.model == "fake:8"


# A model that goes wrong.


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (with_nan, r"fake gave a vector with a value that is no number \(text 44 of 44\)"),
        (lambda vectors: vectors[:-1], r"fake gave vectors of shape \(43, 64\) for 44 texts, not \(44, 64\)"),
        (lambda vectors: vectors[:, :8], r"fake gave vectors of shape \(44, 8\) for 44 texts"),
        (
            lambda vectors: vectors * 2,
            r"fake gave a vector of length 2 \(text 1 of 44\), not one",
        ),
    ],
)
def test_a_batch_with_what_is_no_vector_is_not_kept(
    bench: Bench, fake: RecordingEmbedder, spoil: Callable[[Vectors], Vectors], words: str
) -> None:
    _write_many(bench, BATCH + 44)
    fake.spoil = lambda vectors: vectors if len(vectors) == BATCH else spoil(vectors)
    with pytest.raises(ModelError, match=words):
        bench.kb.index(bench.docs)
    assert (n_rows(bench.kb, "vectors"), n_rows(bench.kb, "chunk_vectors")) == (BATCH, BATCH)
    assert len(bench.kb.documents()) == BATCH + 44
    fake.spoil = lambda vectors: vectors
    assert bench.kb.embed().n_texts == 44


def test_vectors_of_other_number_types_are_kept_as_they_are(bench: Bench, fake: RecordingEmbedder) -> None:
    fake.spoil = lambda vectors: vectors.astype(np.float64)
    bench.write(a="Apples.")
    bench.kb.index(bench.docs)
    assert vectors_by_chunk(bench.kb) == {("a.md", 0): _expected("a\nApples.")}


def test_no_text_gives_no_vectors() -> None:
    info = FakeEmbedder().info
    assert checked_vectors(np.zeros((0, 64), np.float32), info, n=0).shape == (0, 64)


# Another model.


def test_another_model_replaces_all_vectors(bench: Bench, fake: RecordingEmbedder) -> None:
    _write_many(bench, 200)
    bench.kb.index(bench.docs)
    report = bench.kb.embed("fake:8")
    assert (report.n_texts, report.replaced, report.model) == (200, "fake", "fake:8")
    state = bench.kb.vector_state()
    assert state is not None
    assert (state.model, state.dimensions, state.is_complete) == ("fake:8", 8, True)
    assert {len(vector) for vector in vectors_by_chunk(bench.kb).values()} == {4 * 8}
    bench.write(new="Apples.")
    bench.kb.index()
    assert len(fake.passages) == 200


def test_another_model_that_fails_at_once_leaves_the_old_vectors(bench: Bench, models: Models) -> None:
    _write_many(bench, 3)
    bench.kb.index(bench.docs)
    models.embedders["bad"] = RecordingEmbedder(fingerprint="0" * 64, spoil=with_nan)
    before = vectors_by_chunk(bench.kb)
    with pytest.raises(ModelError, match="that is no number"):
        bench.kb.embed("bad")
    state = bench.kb.vector_state()
    assert state is not None
    assert (state.model, state.is_complete) == ("fake", True)
    assert vectors_by_chunk(bench.kb) == before


def test_a_model_that_became_another_one_is_refused_until_it_is_named(bench: Bench, models: Models) -> None:
    bench.write(a="Apples.")
    bench.kb.index(bench.docs)
    other = RecordingEmbedder(fingerprint="0" * 64)
    models.embedders["fake"] = other
    with KnowledgeBase(bench.kb.folder, name="workspace", open_embedder=models) as kb:
        bench.write(b="Bananas.")
        words = r"another fake \([0-9a-f]{8}, 64 dimensions\) .* \(00000000, 64 .* --model fake -w workspace"
        with pytest.raises(WorkspaceError, match=words):
            kb.index()
        with kb._database.reading() as connection, pytest.raises(WorkspaceError, match=words):
            kb._vectors.embedder(connection)
        assert other.passages == []
        report = kb.embed("fake")
        assert (report.n_texts, report.replaced) == (2, "fake")
        with kb._database.reading() as connection:
            assert kb._vectors.embedder(connection) is other


def test_what_another_version_of_ours_embedded_is_brought_up_to_date_from_what_is_kept(
    bench: Bench, fake: RecordingEmbedder
) -> None:
    bench.write(a="Apples.", b="Bananas.")
    bench.kb.index(bench.docs)
    before, fingerprint = vectors_by_chunk(bench.kb), bench.kb.fingerprint()
    execute(bench.kb, "UPDATE models SET passage_version = 0")
    state = bench.kb.vector_state()
    assert state is not None
    assert not state.is_complete
    assert bench.kb.fingerprint() != fingerprint
    with (
        bench.kb._database.reading() as connection,
        pytest.raises(WorkspaceError, match=r"by another version of rankle\. .*: rankle embed -w workspace"),
    ):
        bench.kb._vectors.check_complete(connection)
    fake.passages.clear()
    report = bench.kb.index().embedding
    assert report is not None
    assert (report.n_chunks, report.n_texts, report.replaced) == (2, 0, None)
    assert (vectors_by_chunk(bench.kb), fake.passages) == (before, [])
    assert bench.kb.fingerprint() == fingerprint


# What text leaves behind.


def test_vectors_of_text_that_is_gone_go_once_they_are_many(bench: Bench) -> None:
    _write_many(bench, 1_100)
    bench.kb.index(bench.docs)
    for path in sorted(bench.docs.iterdir())[:900]:
        path.unlink()
    bench.kb.index()
    assert (n_rows(bench.kb, "vectors"), n_rows(bench.kb, "chunk_vectors")) == (1_100, 200)
    for path in sorted(bench.docs.iterdir())[:150]:
        path.unlink()
    bench.kb.index()
    assert (n_rows(bench.kb, "vectors"), n_rows(bench.kb, "chunk_vectors")) == (50, 50)
    state = bench.kb.vector_state()
    assert state is not None
    assert state.is_complete


# Two processes. The other one comes in between where this one is busy with its model.


def _meanwhile(fake: RecordingEmbedder, act: Callable[[], object]) -> None:
    def once(vectors: Vectors) -> Vectors:
        fake.spoil = lambda same: same
        act()
        return vectors

    fake.spoil = once


def test_two_that_embed_at_once_make_every_vector_once(bench: Bench, fake: RecordingEmbedder) -> None:
    _write_many(bench, 300)
    bench.kb.index(bench.docs, vectors=False)
    other = RecordingEmbedder()
    with KnowledgeBase(bench.kb.folder, name="other", open_embedder=Models({"fake": other})) as kb:
        _meanwhile(fake, lambda: kb.embed("fake"))
        report = bench.kb.embed()
    assert (len(fake.passages), len(other.passages)) == (BATCH, 300)
    assert report.n_chunks == 0
    assert (n_rows(bench.kb, "vectors"), n_rows(bench.kb, "chunk_vectors")) == (300, 300)


def test_chunks_that_changed_meanwhile_get_the_vector_of_their_new_text(
    bench: Bench, fake: RecordingEmbedder
) -> None:
    bench.write(a="Apples.", b="Bananas.")
    bench.kb.index(bench.docs, vectors=False)

    def change() -> None:  # the row ids that are free are given to other texts
        bench.write(a="Cherries.", b="Dates.")
        bench.kb.index(bench.docs, vectors=False)

    _meanwhile(fake, change)
    bench.kb.embed()
    assert vectors_by_chunk(bench.kb) == {
        ("a.md", 0): _expected("a\nCherries."),
        ("b.md", 0): _expected("b\nDates."),
    }


def test_one_that_meets_another_model_stops_and_leaves_it(bench: Bench, fake: RecordingEmbedder) -> None:
    _write_many(bench, 300)
    bench.kb.index(bench.docs, vectors=False)
    calls: list[int] = []

    def second_call(vectors: Vectors) -> Vectors:
        calls.append(1)
        if len(calls) == 2:
            bench.kb.embed("fake:8")
        return vectors

    fake.spoil = second_call
    with pytest.raises(WorkspaceError, match=r"another process embeds this .* fake:8, so fake stopped"):
        bench.kb.embed()
    state = bench.kb.vector_state()
    assert state is not None
    assert (state.model, state.is_complete) == ("fake:8", True)


_EMBED = """
import sys, time
from pathlib import Path
from fakes.recording_embedder import RecordingEmbedder
from rankle.kb.knowledge_base import KnowledgeBase

workspace, log = sys.argv[1:]
calls = []

def stall(vectors):
    calls.append(1)
    if len(calls) == 3:
        Path(log).write_text("\\0".join(embedder.passages[:128]))
        time.sleep(600)
    return vectors

embedder = RecordingEmbedder(spoil=stall)
with KnowledgeBase(Path(workspace), name="w", open_embedder=lambda name: embedder) as kb:
    kb.embed("fake")
"""


def test_after_a_kill_in_the_middle_the_next_run_embeds_the_rest_only(
    bench: Bench, fake: RecordingEmbedder, tmp_path: Path
) -> None:
    _write_many(bench, 600)
    bench.kb.index(bench.docs, vectors=False)
    log = tmp_path / "log"
    process = subprocess.Popen(
        [sys.executable, "-c", _EMBED, str(bench.kb.folder), str(log)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    while not log.exists() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.1)
    os.kill(process.pid, signal.SIGKILL)
    assert process.communicate()[1] == ""
    done = log.read_text().split("\0")
    assert (len(done), n_rows(bench.kb, "chunk_vectors")) == (128, 128)
    report = bench.kb.embed()
    assert (report.n_texts, report.n_chunks) == (472, 472)
    assert not set(done) & set(fake.passages)
    assert len(vectors_by_chunk(bench.kb)) == 600


# What the workspace says where it cannot be searched by vectors.


def test_a_workspace_without_a_model_says_how_to_embed_it(bench: Bench) -> None:
    with bench.kb._database.reading() as connection:
        for ask in (bench.kb._vectors.check_complete, bench.kb._vectors.embedder):
            with pytest.raises(WorkspaceError, match=r"no vectors\. Make them: rankle embed -w workspace"):
                ask(connection)


@pytest.mark.parametrize(
    ("n_missing", "words"), [(1, "1 of 1,301 chunks has"), (12, "12 of 1,312 chunks have")]
)
def test_missing_vectors_are_counted(bench: Bench, n_missing: int, words: str) -> None:
    _write_many(bench, 1_300)
    bench.kb.index(bench.docs)
    bench.write(**{f"new{n}": f"New {n}." for n in range(n_missing)})
    bench.kb.index(vectors=False)
    with (
        bench.kb._database.reading() as connection,
        pytest.raises(WorkspaceError, match=f"^{words} no vector. Make them"),
    ):
        bench.kb._vectors.check_complete(connection)


def test_no_model_named_anywhere_is_said(bench: Bench) -> None:
    with KnowledgeBase(bench.kb.folder, name="plain") as kb:
        with pytest.raises(InputError, match="Name one, such as: rankle embed --model e5-small"):
            kb.embed()
        with pytest.raises(ModelError, match="opened without models"):
            kb.embed("fake")
    with pytest.raises(InputError, match='vectors need a model, got "none"'):
        bench.kb.embed("none")
