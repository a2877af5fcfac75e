"""The comparison of chunkers: its data, and how it shows who differs from whom."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bench.chunkers import Pair, TokenCounts, letters, passages, questions, write_corpora
from rankle.core.catalog import Catalog, CatalogDocument
from rankle.core.evalset import EvalSet, Span
from rankle.core.text_range import Range
from rankle.kb.tokens import estimate_tokens
from rankle.labels.quotes import StoredText
from rankle.labels.repair import check_set, repaired_set
from rankle.labels.staleness import Verdict
from rankle.labels.stored import Stored


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


class Texts:
    """Texts alone, as something that stores them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def text(self, document: str) -> str:
        return self.texts[document]

    def chunk_places(self) -> Mapping[str, Range]:
        return {}

    def stored(self) -> Stored:
        documents = tuple(CatalogDocument(name, None, "00" * 32, "default") for name in self.texts)
        return Stored(Catalog(documents, {}), self, folder=None)


@pytest.mark.shared_data
def test_real_labels_survive_an_edit_above_them_and_need_their_ranges(
    shared_data: Path, tmp_path: Path
) -> None:
    """A line is put in front of every corpus: every passage moves by its length, and nothing else happens."""
    write_corpora(shared_data, tmp_path / "corpora")
    texts = {path.name: path.read_bytes().decode() for path in (tmp_path / "corpora").iterdir()}
    labelled = EvalSet("spans", questions(shared_data))
    found = check_set(labelled, Texts(texts).stored())
    assert (found.n_stale, found.faults, len(found.checks)) == (0, (), 790)

    first = "A new first line.\n"
    edited = Texts({name: first + text for name, text in texts.items()}).stored()
    moved = check_set(labelled, edited)
    assert moved.count(Verdict.MOVED) == 790
    several = [one for one in moved.checks if one.check.repaired is None]
    assert len(several) == 97  # the quotes that stand in several places: which is meant is a guess
    repaired = repaired_set(labelled, moved, edited)
    for query, again in zip(labelled.queries, repaired.queries, strict=True):
        uncertain = {one.check.label for one in several if one.query.id == query.id}
        for label, new in zip(query.labels, again.labels, strict=True):
            assert label.span is not None
            assert new.span is not None
            assert label.span.start is not None
            shift = 0 if label in uncertain else len(first)
            assert new.span.start == label.span.start + shift

    quotes = replace(
        labelled,
        queries=tuple(
            replace(
                query,
                labels=tuple(
                    replace(label, span=Span(label.span.quote)) for label in query.labels if label.span
                ),
            )
            for query in labelled.queries
        ),
    )
    assert len(check_set(quotes, Texts(texts).stored()).faults) == 97
