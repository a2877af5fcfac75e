"""Which model an index embeds with: the one asked for, else the workspace's, else a default that is ready."""

import pytest

from fakes.recording_embedder import Models, RecordingEmbedder, with_nan
from kb.conftest import Bench
from rankle.core.errors import InputError, ModelError
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.vectors.choice import DefaultModel, EmbedPlan, VectorWish, chosen_model, plan_embedding
from rankle.kb.vectors.index import VectorState

OWN = VectorState("own", "f" * 64, 8, n_embedded=1, n_chunks=1, is_current=True)
READY = DefaultModel("e5-small", is_ready=True)
ABSENT = DefaultModel("e5-small", is_ready=False)
OFF = DefaultModel("none", is_ready=True)


@pytest.mark.parametrize(
    ("wish", "state", "default", "chosen"),
    [
        (VectorWish(), None, READY, "e5-small"),
        (VectorWish(), None, ABSENT, None),
        (VectorWish(), None, OFF, None),
        (VectorWish(), None, None, None),
        (VectorWish(), OWN, READY, "own"),
        (VectorWish(), OWN, ABSENT, "own"),
        (VectorWish(), OWN, None, "own"),
        (VectorWish(), OWN, OFF, None),
        (VectorWish(vectors=True), None, READY, "e5-small"),
        (VectorWish(vectors=True), None, ABSENT, "e5-small"),
        (VectorWish(vectors=True), OWN, OFF, "own"),
        (VectorWish(vectors=False), OWN, READY, None),
        (VectorWish(model="other"), OWN, OFF, "other"),
        (VectorWish(model="other"), None, ABSENT, "other"),
        (VectorWish(model="none"), OWN, READY, None),
        (VectorWish(vectors=False, model="none"), OWN, READY, None),
    ],
)
def test_what_is_chosen(
    wish: VectorWish, state: VectorState | None, default: DefaultModel | None, chosen: str | None
) -> None:
    assert chosen_model(wish, state, default) == chosen


HALF = VectorState("own", "f" * 64, 8, n_embedded=3, n_chunks=5, is_current=True)
OLD = VectorState("own", "f" * 64, 8, n_embedded=3, n_chunks=5, is_current=False)


@pytest.mark.parametrize(
    ("wish", "state", "n_new", "plan"),
    [
        (VectorWish(), None, 4, EmbedPlan("e5-small", 4)),
        (VectorWish(), None, 0, None),
        (VectorWish(vectors=False), HALF, 4, None),
        (VectorWish(), HALF, 4, EmbedPlan("own", 4 + 2)),
        (VectorWish(), HALF, 0, EmbedPlan("own", 2)),
        (VectorWish(), OWN, 0, None),
        (VectorWish(), OLD, 4, EmbedPlan("own", 4 + 5)),
        (VectorWish(model="other"), HALF, 4, EmbedPlan("other", 4 + 5)),
    ],
)
def test_a_plan_counts_what_is_new_missing_or_replaced(
    wish: VectorWish, state: VectorState | None, n_new: int, plan: EmbedPlan | None
) -> None:
    assert plan_embedding(wish, state, READY, n_new=n_new) == plan


@pytest.mark.parametrize("default", [OFF, None])
def test_vectors_without_any_model_are_refused(default: DefaultModel | None) -> None:
    with pytest.raises(InputError, match="the workspace has none yet"):
        chosen_model(VectorWish(vectors=True), None, default)


@pytest.mark.parametrize(
    ("vectors", "model", "words"), [(False, "e5-small", "do not go together"), (True, "none", "need a model")]
)
def test_wishes_that_contradict_themselves_are_refused_before_anything_is_indexed(
    bench: Bench, vectors: bool, model: str, words: str
) -> None:
    bench.write(a="Apples.")
    with pytest.raises(InputError, match=words):
        bench.kb.index(bench.docs, vectors=vectors, model=model)
    assert bench.kb.documents() == []


def test_an_index_embeds_what_was_chosen(bench: Bench) -> None:
    bench.write(a="Apples.")
    assert bench.kb.index(bench.docs, vectors=False).embedding is None
    assert bench.kb.vector_state() is None
    report = bench.kb.index(model="fake:8").embedding
    assert report is not None
    assert (report.model, report.n_texts) == ("fake:8", 1)
    report = bench.kb.index().embedding
    assert report is not None
    assert (report.model, report.n_texts) == ("fake:8", 0)


def test_a_dry_run_embeds_nothing(bench: Bench, models: Models) -> None:
    bench.write(a="Apples.")
    assert bench.kb.index(bench.docs, dry_run=True).embedding is None
    assert models.opened == []


def test_a_command_can_be_pasted_into_a_shell(bench: Bench) -> None:
    command = bench.kb._vectors.command
    assert command() == "rankle embed -w workspace"
    assert command("openai:bge-m3@http://localhost:8000/v1") == (
        "rankle embed --model openai:bge-m3@http://localhost:8000/v1 -w workspace"
    )
    assert command("openai:m@http://h/v1?a&b") == (
        "rankle embed --model 'openai:m@http://h/v1?a&b' -w workspace"
    )


@pytest.mark.parametrize("model", ["unknown", None])
def test_text_is_indexed_where_the_model_cannot_be_loaded(
    bench: Bench, models: Models, model: str | None
) -> None:
    del models.embedders["fake"]
    bench.write(a="Apples.")
    with pytest.raises(ModelError) as caught:
        bench.kb.index(bench.docs, model=model)
    assert str(caught.value).startswith(f'unknown model "{model or "fake"}"')
    assert str(caught.value).endswith(
        "\nThe text is indexed, vectors are missing. When that is mended: "
        "rankle embed --model NAME -w workspace. "
        "To do without: rankle index --no-vectors -w workspace"
    )
    assert bench.found("apples") == ["a.md"]
    assert bench.kb.vector_state() is None


def test_the_command_names_the_model_that_failed(bench: Bench, models: Models) -> None:
    models.embedders["bad"] = RecordingEmbedder(spoil=with_nan)
    bench.write(a="Apples.")
    with pytest.raises(ModelError, match="mended: rankle embed --model bad -w workspace"):
        bench.kb.index(bench.docs, model="bad")
    bench.kb.index(model="fake:8")
    models.embedders["fake:8"] = RecordingEmbedder(dimensions=8, spoil=with_nan)
    bench.write(b="Bananas.")
    with (
        KnowledgeBase(bench.kb.folder, name="workspace", open_embedder=models) as again,
        pytest.raises(ModelError, match="mended: rankle embed -w workspace"),
    ):
        again.index()


def test_a_workspace_opened_without_models_indexes_text(bench: Bench) -> None:
    bench.write(a="Apples.")
    with KnowledgeBase(bench.docs.parent / "plain", name="plain", create=True) as kb:
        assert kb.index(bench.docs).embedding is None
        assert kb.info().vectors is None
