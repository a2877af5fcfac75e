"""The comparison of chunkers: its data, and how it shows who differs from whom."""

from pathlib import Path

import pytest

from bench.chunkers import Pair, TokenCounts, letters, passages, questions, write_corpora
from rankle.core.text_range import Range
from rankle.kb.tokens import estimate_tokens
from rankle.labels.quotes import StoredText


def pair(a: str, b: str, p_adjusted: float) -> Pair:
    return Pair("recall", a, b, 0.0, None, None, p_adjusted, p_adjusted)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], {"x": "a", "y": "a", "z": "a"}),
        ([pair("x", "z", 0.01)], {"x": "a", "y": "ab", "z": "b"}),
        ([pair("x", "z", 0.01), pair("y", "z", 0.05)], {"x": "a", "y": "a", "z": "b"}),
        ([pair("x", "z", 0.01), pair("y", "z", 0.051)], {"x": "a", "y": "ab", "z": "b"}),
        (
            [pair("x", "y", 0.001), pair("x", "z", 0.001), pair("z", "y", 0.001)],
            {"x": "a", "y": "b", "z": "c"},
        ),
    ],
    ids=["none", "ends", "last", "threshold", "all"],
)
def test_chunkers_share_a_letter_if_and_only_if_they_do_not_differ(
    pairs: list[Pair], expected: dict[str, str]
) -> None:
    assert letters(["x", "y", "z"], pairs) == expected


def test_tokens_of_a_part_are_those_of_its_text() -> None:
    text = "Employees may take fourteen weeks of parental leave."
    tokens = TokenCounts({"a": text})
    assert tokens.count(Range("a", 0, len(text))) == estimate_tokens(text)
    assert tokens.count(Range("a", 10, 27)) == estimate_tokens("may take fourteen")
    end = tokens.longest(Range("a", 10, len(text)), 2)
    assert text[10:end].strip() == "may take"
    assert tokens.longest(Range("a", 19, len(text)), 1) == 19  # "fourteen" has two


@pytest.mark.shared_data
def test_every_given_passage_stands_where_it_is_said_to_stand(shared_data: Path, tmp_path: Path) -> None:
    """790 of them, of which 97 have a quote that stands elsewhere too."""
    write_corpora(shared_data, tmp_path / "corpora")
    texts = {path.name: StoredText(path.read_bytes().decode()) for path in (tmp_path / "corpora").iterdir()}
    queries = questions(shared_data)
    found = [passages(query, texts) for query in queries]
    assert (len(queries), sum(map(len, found))) == (472, 790)
