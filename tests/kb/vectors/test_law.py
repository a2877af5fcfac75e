"""Vectors that grew by edits equal those that were made at once, whatever was embedded when."""

import tempfile
from pathlib import Path
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.recording_embedder import Models, RecordingEmbedder
from kb.vectors.stored import assert_fits, matrix, n_rows, vectors_by_chunk
from rankle.kb.knowledge_base import KnowledgeBase

NAMES = ("a", "b", "c")
CHUNKERS = ("heading", "sentence", "document")
WORDS = ("apple", "pear", "# Pears\n\nand apples", "Äpfel", "東京都。大阪")

edits = st.tuples(
    st.just("edit"), st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(WORDS), max_size=4))
)
cuts = st.tuples(st.just("cut"), st.sampled_from(CHUNKERS))
embeds = st.tuples(st.just("embed"), st.sampled_from(["fake", "fake:8"]))
steps = st.lists(st.one_of(edits, cuts, embeds), max_size=8)

Step = (
    tuple[Literal["edit"], dict[str, list[str]]] | tuple[Literal["cut"], str] | tuple[Literal["embed"], str]
)


@settings(max_examples=40, deadline=None)
@given(history=steps)
def test_any_history_ends_in_the_vectors_of_a_fresh_workspace(history: list[Step]) -> None:
    models = Models({"fake": RecordingEmbedder(), "fake:8": RecordingEmbedder(dimensions=8)})
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder) / "docs"
        docs.mkdir()
        (docs / "always.md").write_text("Always here.")
        chunker, model = "heading", "fake"
        with KnowledgeBase(Path(folder) / "grown", name="grown", create=True, open_embedder=models) as kb:
            kb.index(docs)
            for step in history:
                if step[0] == "edit":
                    _write(docs, step[1])
                    kb.index(docs)
                elif step[0] == "cut":
                    chunker = step[1]
                    kb.index(docs, chunker=chunker)
                else:
                    model = step[1]
                    kb.embed(model)
            kb.embed(model)
            grown = vectors_by_chunk(kb)
            assert_fits(matrix(kb), kb)
            assert n_rows(kb, "chunk_vectors") == n_rows(kb, "chunks")
        with KnowledgeBase(Path(folder) / "fresh", name="fresh", create=True, open_embedder=models) as kb:
            kb.index(docs, chunker=chunker, model=model)
            assert vectors_by_chunk(kb) == grown


def _write(docs: Path, texts: dict[str, list[str]]) -> None:
    """Writes the documents, and drops those without words."""
    for name, words in texts.items():
        path = docs / f"{name}.md"
        path.write_text(". ".join(words)) if words else path.unlink(missing_ok=True)
