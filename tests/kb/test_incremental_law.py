"""An index that grew by edits equals one that was made at once."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.kb.knowledge_base import KnowledgeBase

NAMES = ["a.md", "b.md", "sub/c.md", "sub/d.txt", "e.html"]
WORDS = ["apple", "pear", "apple pie", "Äpfel", "東京都", "real-time", "# Pears\n\nand apples", "gpt-4"]
QUERIES = ["apple", "pear -pie", "東京", '"apple pie"', "real time", "a*", "apples and pears"]

states = st.dictionaries(
    st.sampled_from(NAMES), st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1
)


@settings(max_examples=25, deadline=None)
@given(history=st.lists(states, min_size=1, max_size=4))
def test_incremental_equals_fresh(history: list[dict[str, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        docs, grown, fresh = (Path(folder) / name for name in ("docs", "grown", "fresh"))
        with KnowledgeBase(grown, name="grown", create=True) as kb:
            for state in history:
                _write(docs, state)
                kb.index(docs, chunker="sentence")
            incremental = _answers(kb)
        with KnowledgeBase(fresh, name="fresh", create=True) as kb:
            kb.index(docs, chunker="sentence")
            assert incremental == _answers(kb)


def _write(docs: Path, state: dict[str, list[str]]) -> None:
    for name in NAMES:
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if name in state:
            path.write_text(". ".join(state[name]), encoding="utf-8")


def _answers(kb: KnowledgeBase) -> list[object]:
    """All that a user could tell two workspaces apart by."""
    results = [kb.search(query, k=50, group=group) for query in QUERIES for group in ("chunk", "document")]
    return [kb.fingerprint(), kb.catalog(), *(result.hits for result in results)]
