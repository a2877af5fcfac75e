# ruff: noqa: E501  (messages stand as they are printed)
"""Normalisations of ids, and which of them would join ids that do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import InputError, UnknownNameError
from rankle.formats.near_join import find_near_join
from rankle.formats.normalise import (
    PLAIN,
    Normalisation,
    Step,
    normalise,
    normalise_qrels,
    normalise_run,
    parse_normalisation,
)
from rankle.formats.trec import Conflicts
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run


def shown(steps: tuple[Step, ...]) -> str:
    return ",".join(map(str, steps))


@pytest.mark.parametrize(
    ("step", "before", "after"),
    [
        ("space", " a  b ", "a b"),
        ("unicode", "gro\u0308\u00dfe", "größe"),
        ("case", "DOC-Straße", "doc-strasse"),
        ("zeros", "q007", "q7"),
        ("zeros", "000", "0"),
        ("zeros", "a01-b02", "a1-b2"),
        ("zeros", "1.05", "1.05"),
        ("zeros", "100", "100"),
        ("float", "7.0", "7"),
        ("float", "7.50", "7.50"),
        ("float", "0704.1394", "0704.1394"),
        ("extension", "guide/setup.md", "guide/setup"),
        ("extension", "0704.1394", "0704.1394"),
        ("folder", "a/b\\c.md", "c.md"),
        ("folder", "a/", "a/"),
        ("prefix:doc-", "doc-1", "1"),
        ("prefix:doc-", "1", "1"),
        ("prefix:doc-", "doc-", "doc-"),
        ("suffix:.txt", "a.txt", "a"),
        ("prefix:a:b", "a:bc", "c"),
    ],
)  # fmt: skip
def test_a_step_changes_what_it_says(step: str, before: str, after: str) -> None:
    (parsed,) = parse_normalisation([f"ids={step}"]).targets
    assert str(parsed) == step
    assert parsed(before) == after


@pytest.mark.parametrize("name", PLAIN)
@given(text=st.text(max_size=12))
def test_a_plain_step_done_twice_is_done_once(name: str, text: str) -> None:
    step = Step(name)
    assert step(step(text)) == step(text) or name in {"extension", "float"}
    assert step(text) or not text


def test_ids_are_both_and_steps_keep_their_order() -> None:
    parsed = parse_normalisation(["ids=case", "targets=prefix:a,extension", "queries=zeros"])
    assert parsed == Normalisation(
        (Step("case"), Step("zeros")), (Step("case"), Step("prefix", "a"), Step("extension"))
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("case", '--normalise must be ids=…, queries=… or targets=…, such as ids=case,zeros; got "case"'),
        ("docs=case", '--normalise must be ids=…, queries=… or targets=…, such as ids=case,zeros; got "docs=case"'),
        ("ids=prefix", "normalisation prefix needs the text that it drops, such as prefix:doc-"),
        ("ids=cases", 'unknown normalisation "cases"; did you mean "case"? There is: space, unicode, case, zeros, float, extension, folder, prefix, suffix'),
        ("ids=case:x", 'unknown normalisation "case:x"; did you mean "case"'),
    ],
)  # fmt: skip
def test_what_is_no_normalisation_is_refused(text: str, message: str) -> None:
    with pytest.raises((InputError, UnknownNameError)) as caught:
        parse_normalisation([text])
    assert str(caught.value).startswith(message)


def test_judgments_that_become_one_count_once_aloud() -> None:
    qrels = Qrels.from_dict({"Q1": {"A": 1, "a": 1, "b": 0}, "q2": {"x": 1}})
    done = normalise_qrels(qrels, parse_normalisation(["ids=case"]))
    assert dict(zip(done.queries, map(dict, done.by_query), strict=True)) == {
        "q1": {"a": 1, "b": 0},
        "q2": {"x": 1},
    }
    assert done.notices == ("judgments that normalising made one with another: 1",)


@pytest.mark.parametrize(("conflicts", "grade"), [("highest", 2), ("first", 0), ("last", 1)])
def test_judgments_that_become_one_and_disagree_are_a_question(conflicts: str, grade: int) -> None:
    qrels = Qrels.from_dict({"q": {"A": 0, "a": 2, " a": 1}})
    steps = parse_normalisation(["ids=case,space"])
    with pytest.raises(
        InputError, match=r'"a" of query "q" is one with another target that has grade 0, not 2'
    ):
        normalise_qrels(qrels, steps)
    done = normalise_qrels(qrels, steps, conflicts=Conflicts(conflicts))
    assert [dict(judged) for judged in done.by_query] == [{"a": grade}]


def test_a_run_keeps_its_order_and_scores() -> None:
    run = Run.from_dict({"01": {"doc-1": 2.0, "doc-2": 1.0}, "02": {"doc-1": 3.0}}, name="mine")
    done = normalise_run(run, parse_normalisation(["queries=zeros", "targets=prefix:doc-"]))
    assert (done.queries, list(done.targets), done.scores.tolist(), done.name) == (
        ("1", "2"), ["1", "2", "1"], [2.0, 1.0, 3.0], "mine",
    )  # fmt: skip


def test_queries_of_a_run_that_become_one_are_refused() -> None:
    run = Run.from_dict({"q": {"d": 1.0}, "Q": {"d": 1.0}})
    with pytest.raises(
        InputError, match=r'^normalised, the queries "q", "Q" of the run are all "q"; normalise less$'
    ):
        normalise_run(run, parse_normalisation(["ids=case"]))


NUMBERS = [str(n) for n in range(1, 31)]


@pytest.mark.parametrize(
    ("ids", "others", "steps"),
    [
        (["A", "b"], ["a", "b"], "case"),
        (["001", "002", "010"], ["1", "2", "10"], "zeros"),
        (["1.0", "2.0"], ["1", "2"], "float"),
        (["a.md", "b.html"], ["a", "b"], "extension"),
        (["docs/a.md", "docs/sub/b.md"], ["a.md", "b.md"], "folder"),
        (["docs/a.md", "docs/sub/b.md"], ["a", "b"], "extension,folder"),
        (["doc-1", "doc-2"], ["1", "2"], "prefix:doc-"),
        (["1", "2"], ["doc-1", "doc-2"], "prefix:doc-"),
        (["1-en", "2-en"], ["1", "2"], "suffix:-en"),
        (["<x:A_b>", "<x:C>"], ["A_b", "C"], "prefix:<x:,suffix:>"),
        (["q007", "q008"], ["7", "8"], "zeros,prefix:q"),
        (["DOC1", "DOC2"], ["doc_1", "doc_2"], None),
        (["/en/a.html", "/en/b.html"], ["en/a.html", "en/b.html"], "prefix:/"),
        (["line-1", "line-2", "line-12"], ["1", "2", "12"], "prefix:line-"),
        (["q1"], ["1"], "prefix:q"),
        (["a", "b"], ["a", "b"], None),
        (["a", "b"], ["c", "d"], None),
        (NUMBERS, NUMBERS[:9], None),
        (["abc", "abd"], ["bc", "bd"], None),
        (["A", "a", "B"], ["a", "b"], None),
    ],
)  # fmt: skip
def test_the_normalisation_that_would_join_is_found(
    ids: list[str], others: list[str], steps: str | None
) -> None:
    """None where ids join already, share nothing, or where different ids would become one."""
    found = find_near_join(ids, others)
    assert (None if found is None else shown(found.steps)) == steps
    if found is not None:
        assert found.n_joined == len(set(normalise(ids, found.steps)) & set(normalise(others, found.steps)))


def test_a_normalisation_that_joins_more_wins_over_one_of_fewer_steps() -> None:
    ids, others = ["A.md", "B.md", "c.md"], ["a", "b", "c.md"]
    found = find_near_join(ids, [*others[:2], "c"])
    assert found is not None
    assert (shown(found.steps), found.n_joined) == ("case,extension", 3)


def test_nothing_is_sought_among_very_many_ids() -> None:
    many = [f"Q{n}" for n in range(200_001)]
    assert find_near_join(many[:2], [name.lower() for name in many]) is None
