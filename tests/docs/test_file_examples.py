"""Eval sets that pages show are read by rankle. Gates that they show: tests/gates/test_reading.py."""

from pathlib import Path

import pytest

from rankle.formats.eval_set import read_eval_set
from tools.docs_blocks import Block, blocks
from tools.docs_check import REPOSITORY

SHOWN = [
    pytest.param(block, id=f"{page}:{n}")
    for page in ("README.md", "docs/eval-sets.md", "docs/labels.md")
    for n, block in enumerate(blocks((REPOSITORY / page).read_text(encoding="utf-8")))
    if block.language == "json"
]


@pytest.mark.parametrize("block", SHOWN)
def test_a_set_is_read_without_a_fault(block: Block, tmp_path: Path) -> None:
    path = tmp_path / ("set.json" if block.text.startswith("[") else "set.jsonl")
    path.write_text(block.text, encoding="utf-8")
    queries = read_eval_set(path).queries
    assert all(query.text in ("how do I reset it", "error E42", "error E43") for query in queries)
    assert sum(len(query.labels) for query in queries) >= len(queries) > 0
