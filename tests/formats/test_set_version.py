"""Sets that this version cannot know say so, instead of a list of what is strange in them."""

from pathlib import Path

import pytest

from rankle.core.errors import BadLinesError
from rankle.core.product import VERSION
from rankle.formats.eval_set import eval_set_of_records, read_eval_set

FINE = '{"query": "a", "relevant": ["a.md"]}'
NEWER = '{"schema": "rankle.set/2", "queries": 7, "relevant": {"all_of": []}}'


@pytest.mark.parametrize(
    ("content", "line"),
    [(f"{NEWER}\n{FINE}\n", 1), (f"{FINE}\n{NEWER}\n{NEWER}\n", 2), (f"[{FINE},\n{NEWER}]", 2)],
    ids=["first line", "second line", "array"],
)
def test_a_set_of_a_newer_version_is_told_once_and_nothing_else_of_it(
    tmp_path: Path, content: str, line: int
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadLinesError) as caught:
        read_eval_set(path)
    assert str(caught.value) == (
        f'{path}:{line}: is of a newer version of rankle: it states the schema "rankle.set/2", which '
        f"{VERSION} does not know. Update: pip install -U rankle"
    )


def test_another_file_of_ours_is_told_by_its_name() -> None:
    with pytest.raises(BadLinesError, match=r'is "rankle\.run/1", no eval set'):
        eval_set_of_records([{"schema": "rankle.run/1", "id": "x"}])


@pytest.mark.parametrize("stated", ["mine", "rankle.set/two", "rankle", 2, None])
def test_any_other_schema_is_an_unknown_key_that_a_newer_version_may_know(stated: object) -> None:
    with pytest.raises(BadLinesError, match=r'unknown key "schema".*A newer version of rankle may know it'):
        eval_set_of_records([{"query": "a", "relevant": [], "schema": stated}])


def test_a_key_that_is_misspelt_is_no_matter_of_versions() -> None:
    with pytest.raises(BadLinesError) as caught:
        eval_set_of_records([{"query": "a", "relevent": []}])
    assert "newer" not in str(caught.value)
