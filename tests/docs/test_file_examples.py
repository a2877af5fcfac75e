"""Files that pages show can be read. Gates: tests/gates/test_reading.py; systems: test_systems_page.py."""

import json
import tomllib
from pathlib import Path

import msgspec
import pytest
import yaml

from rankle.core.run import FunnelReport
from rankle.formats.eval_set import read_eval_set
from tools.docs_blocks import Block, blocks
from tools.docs_check import REPOSITORY, pages


def shown(*languages: str, on: tuple[str, ...] = ()) -> dict[str, Block]:
    """The blocks of these languages, on some pages or all, by page and number."""
    names = on or [page.relative_to(REPOSITORY).as_posix() for page in pages()]
    return {
        f"{name}:{n}": block
        for name in names
        for n, block in enumerate(blocks((REPOSITORY / name).read_text(encoding="utf-8")))
        if block.language in languages
    }


SETS = shown("json", on=("README.md", "docs/eval-sets.md", "docs/labels.md"))
FILES = shown("json", "toml", "yaml")


@pytest.mark.parametrize("block", SETS.values(), ids=SETS)
def test_a_set_is_read_without_a_fault(block: Block, tmp_path: Path) -> None:
    path = tmp_path / ("set.json" if block.text.startswith("[") else "set.jsonl")
    path.write_text(block.text, encoding="utf-8")
    queries = read_eval_set(path).queries
    assert all(query.text in ("how do I reset it", "error E42", "error E43") for query in queries)
    assert sum(len(query.labels) for query in queries) >= len(queries) > 0


@pytest.mark.parametrize("block", FILES.values(), ids=FILES)
def test_every_file_is_written_as_its_language_wants_it(block: Block) -> None:
    if block.language == "json":
        assert values(block.text)
    else:
        assert tomllib.loads(block.text) if block.language == "toml" else yaml.safe_load(block.text)["jobs"]


def values(text: str) -> list[object]:
    """One value after the other, on a line each or on several; of a list, what is left out is nothing."""
    found, text = list[object](), text.replace("[…]", "[]")
    while text := text.lstrip():
        value, end = json.JSONDecoder().raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def test_the_funnel_of_a_record_has_the_members_that_are_shown() -> None:
    (block,) = shown("json", on=("docs/evaluating.md",)).values()
    funnel = msgspec.json.decode(block.text, type=FunnelReport, strict=True)
    assert json.loads(block.text) == msgspec.to_builtins(funnel)
