"""A workspace whose models remember what they embedded."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.recording_embedder import Models, RecordingEmbedder
from kb.conftest import Bench
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.vectors.choice import DefaultModel


@pytest.fixture
def fake() -> RecordingEmbedder:
    return RecordingEmbedder()


@pytest.fixture
def models(fake: RecordingEmbedder) -> Models:
    return Models({"fake": fake, "fake:8": RecordingEmbedder(dimensions=8)})


@pytest.fixture
def bench(tmp_path: Path, models: Models) -> Iterator[Bench]:
    """As everywhere, but `index` embeds with `fake`."""
    docs = tmp_path / "docs"
    docs.mkdir()
    with KnowledgeBase(
        tmp_path / "workspace",
        name="workspace",
        create=True,
        open_embedder=models,
        default_model=lambda: DefaultModel("fake", is_ready=True),
    ) as kb:
        yield Bench(docs, kb)
