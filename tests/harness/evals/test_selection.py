"""Marks, names, filters and tags choose what is run; options are weighed; faults stay with their eval."""

import asyncio
import itertools
from pathlib import Path
from typing import Any

import pytest

from rankle.core.canonical import fingerprint
from rankle.harness.evals.choosing import marked_to_stay_out, nothing_chosen
from rankle.harness.evals.options import Asked, EvalOptions
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.selection import Selection, prepare
from rankle.harness.evals.suite import Suite, Variant

ROOT = Path(__file__).parent
FILE = Path(__file__).name
ROWS: list[dict[str, Any]] = [{"input": "a", "tags": ["x"]}, {"input": "b", "tags": ["y"]}, {"input": "c"}]


def suite(name: str = "A", **options: Any) -> Suite:
    given: dict[str, Any] = {"data": ROWS, "task": len, "scorers": [], **options}
    return Suite(name, **given)


def prepared(*suites: Suite, **options: Any) -> list[PreparedEval]:
    return asyncio.run(prepare(suites, root=ROOT, **options))


def inputs(one: PreparedEval) -> list[Any]:
    return [case.input for case in one.cases]


def test_an_eval_is_prepared_with_all_its_cases() -> None:
    [one] = prepared(suite())

    assert (one.key, one.data, one.error, one.is_full) == (f"{FILE}::A", "rows", None, True)
    assert (one.n_in_data, one.n_skipped) == (3, 0)
    assert [(case.position, case.input) for case in one.cases] == [(0, "a"), (1, "b"), (2, "c")]
    assert one.data_fingerprint == fingerprint(sorted(case.id for case in one.cases))
    assert len(one.task_fingerprint) == 64


def test_each_variant_is_an_eval_of_its_own() -> None:
    found = prepared(suite(variants=[Variant("k=5", 5), Variant("k=10", 10)]))

    assert [one.key for one in found] == [f"{FILE}::A[k=5]", f"{FILE}::A[k=10]"]
    assert [{case.variant for case in one.cases} for one in found] == [{5}, {10}]
    assert found[0].data_fingerprint == found[1].data_fingerprint
    assert found[0].task_fingerprint != found[1].task_fingerprint
    assert [case.id for case in found[0].cases] == [case.id for case in found[1].cases]


def test_an_eval_of_no_file_is_known_by_its_name() -> None:
    namespace: dict[str, Any] = {"Suite": Suite}
    exec("made = Suite('B', data=[{'input': 1}], task=len, scorers=[])", namespace)

    assert [one.key for one in prepared(namespace["made"])] == ["B"]


def test_rows_that_are_marked_are_left_out_and_counted() -> None:
    skipped, only = ROWS[0] | {"skip": True}, ROWS[1] | {"only": True}
    both = ROWS[2] | {"only": True, "skip": True}

    [one] = prepared(suite(data=[skipped, *ROWS[1:]]))
    assert (inputs(one), one.n_skipped, one.is_full) == (["b", "c"], 1, True)
    [one] = prepared(suite(data=[ROWS[0], only, ROWS[2]]))
    assert (inputs(one), one.n_skipped, one.is_full) == (["b"], 2, False)
    [one] = prepared(suite(data=[ROWS[0], only, both]))
    assert (inputs(one), one.n_skipped) == (["b"], 2)
    [one] = prepared(suite(data=[skipped]))
    assert (inputs(one), one.n_skipped, one.error) == ([], 1, None)


@pytest.mark.parametrize(
    ("marks", "run"),
    [
        ([{}, {}, {}], "ABC"),
        ([{"skip": True}, {}, {}], "BC"),
        ([{}, {"only": True}, {}], "B"),
        ([{"only": True}, {"only": True, "skip": True}, {}], "A"),
        ([{"skip": True}, {"skip": True}, {"skip": True}], ""),
    ],
)
def test_evals_that_are_marked_are_left_out(marks: list[dict[str, Any]], run: str) -> None:
    suites = [suite(name, **mark) for name, mark in zip("ABC", marks, strict=True)]

    assert [one.suite.name for one in prepared(*suites)] == list(run)
    assert sorted({*run, *marked_to_stay_out(suites)}) == list("ABC")


def test_data_of_evals_that_are_not_run_is_not_read() -> None:
    read: list[str] = []

    def rows(name: str) -> Any:
        def reading() -> Any:
            read.append(name)
            return ROWS

        return reading

    suites = [suite(name, data=rows(name)) for name in ("Search", "Answer")]
    prepared(*suites, chosen=Selection(filter="sear"))
    prepared(*suites, suite("C", data=rows("C"), skip=True), chosen=Selection(names=(f"{FILE}::Search",)))
    prepared(*suites, chosen=Selection(case_ids={f"{FILE}::Search": frozenset({"case-0"})}))
    prepared(suite(data=rows("D"), variants=[Variant("a", 1), Variant("b", 2)]))

    assert read == ["Search", "Search", "Search", "D"]


def chosen(*suites: Suite, **selection: Any) -> list[tuple[str, str, bool]]:
    found = prepared(*suites, chosen=Selection(**selection))
    return [(one.key.removeprefix(f"{FILE}::"), "".join(inputs(one)), one.is_full) for one in found]


def test_a_filter_is_text_in_names_and_else_in_case_ids() -> None:
    suites = (suite("Vector search"), suite("Answers", variants=[Variant("Search", 1), Variant("none", 2)]))
    [first, *_] = prepared(suites[0])
    middle = first.cases[1].id

    assert chosen(*suites, filter="VECTOR") == [("Vector search", "abc", True)]
    assert chosen(*suites, filter="search") == [
        ("Vector search", "abc", True),
        ("Answers[Search]", "abc", True),
    ]
    assert chosen(suites[0], filter=middle[5:]) == [("Vector search", "b", False)]
    assert chosen(*suites, filter="nothing") == []
    assert chosen(suite("A", data=failing), filter="nothing") == []


def test_tags_are_of_evals_or_of_cases() -> None:
    suites = (suite("A", tags=["x", "fast"]), suite("B"))

    assert chosen(*suites, tags=("x",)) == [("A", "abc", True), ("B", "a", False)]
    assert chosen(*suites, tags=("x", "y")) == [("A", "abc", True), ("B", "ab", False)]
    assert chosen(*suites, tags=("fast",)) == [("A", "abc", True)]
    assert chosen(*suites, tags=("z",)) == []


def test_names_choose_within_their_file_alone() -> None:
    suites = (suite("A", variants=[Variant("v", 1), Variant("w", 2)]), suite("B"))
    whole = [("A[v]", "abc", True), ("A[w]", "abc", True), ("B", "abc", True)]

    assert chosen(*suites, names=(f"{FILE}::A",)) == whole[:2]
    assert chosen(*suites, names=(f"{FILE}::A[w]", f"{FILE}::B")) == whole[1:]
    assert chosen(*suites, names=("B",)) == whole[2:]
    assert chosen(*suites, names=("other_eval.py::C",)) == whole


def test_case_ids_are_of_their_eval() -> None:
    [whole] = prepared(suite())
    ids = [case.id for case in whole.cases]

    assert chosen(suite("A"), suite("B"), case_ids={f"{FILE}::A": frozenset(ids[1:])}) == [("A", "bc", False)]
    assert chosen(suite("A"), case_ids={f"{FILE}::A": frozenset(ids)}) == [("A", "abc", True)]
    assert chosen(suite("A"), case_ids={}) == []


PLACES: dict[str, tuple[Any, Any, Any]] = {
    "timeout_s": (1.0, 2.0, 3.0),
    "trials": (2, 3, 4),
    "threshold": (70, 80, 90),
    "cache": (False, True, False),
}


@pytest.mark.parametrize("option", PLACES)
@pytest.mark.parametrize("says", list(itertools.product([True, False], repeat=3)), ids=str)
def test_call_beats_eval_beats_config_beats_default(option: str, says: tuple[bool, ...]) -> None:
    call, own, config = [
        {option: value} if said else {} for value, said in zip(PLACES[option], says, strict=True)
    ]
    scorers = [{"name": "s", "scorer": lambda context: 1}]
    [one] = prepared(suite(scorers=scorers, **own), asked=Asked(**call), config=Asked(**config))

    expected = {**config, **own, **call}.get(option, getattr(EvalOptions(), option))
    assert getattr(one.options, option) == expected


def test_an_eval_keeps_its_own_concurrency_unless_the_command_says_one() -> None:
    own = suite(concurrency=2)

    assert prepared(own)[0].options.concurrency == 2
    assert prepared(own, config=Asked(concurrency=9))[0].options.concurrency == 2
    assert prepared(own, asked=Asked(concurrency=9))[0].options.concurrency is None


async def failing() -> Any:
    raise ConnectionError("no route")


def test_what_is_wrong_with_an_eval_stands_with_it_and_the_others_are_prepared() -> None:
    suites = (
        suite("Broken", data=failing), suite("Rows", data=[{"inptu": 1}]), suite("Empty", data=[]),
        suite("Path", data="nowhere.jsonl"), suite("Depends", depends_on=["nowhere.txt"]),
        suite("Fine"), suite("Allowed", data=[], allow_empty=True),
    )  # fmt: skip
    found = {one.suite.name: one for one in prepared(*suites)}

    assert list(found) == [one.name for one in suites]
    errors = {name: one.error.type for name, one in found.items() if one.error}
    assert errors == {
        "Broken": "ConnectionError", "Rows": "BadLinesError", "Empty": "InputError", "Path": "InputError",
        "Depends": "InputError",
    }  # fmt: skip
    assert all(not one.cases for one in found.values() if one.error)
    broken = found["Broken"].error
    assert broken is not None
    assert broken.message == "no route"
    assert "in failing" in (broken.traceback or "")
    assert len(found["Fine"].cases) == 3
    assert found["Allowed"].cases == ()


def test_two_evals_of_one_name_are_both_errors_with_their_lines() -> None:
    first, second, third = suite("Same"), suite("Same"), suite("Other")
    found = prepared(first, second, third)

    assert [one.key for one in found] == [f"{FILE}::Same#1", f"{FILE}::Same#2", f"{FILE}::Other"]
    line = first.place.line if first.place else 0
    words = f'2 evals are called "Same": {FILE}:{line}, {FILE}:{line}; give each its own name'
    assert [one.error.message if one.error else None for one in found] == [words, words, None]
    assert [len(one.cases) for one in found] == [0, 0, 3]


def test_a_second_eval_of_a_name_that_is_skipped_does_no_harm() -> None:
    assert [one.error for one in prepared(suite("Same"), suite("Same", skip=True))] == [None]


@pytest.mark.parametrize(
    ("suites", "selection", "words"),
    [
        (
            [],
            {},
            'no eval is defined; write @rankle.eval("Name", data=…, scorers=[…]) above a function',
        ),
        ([{"skip": True}], {}, "every eval is marked to be skipped; take skip=True from one"),
        (
            [{}],
            {"case_ids": {"A": frozenset()}},
            "no such case of that run, so there is nothing to run again",
        ),
        (
            [{}],
            {"case_ids": {"A": frozenset({"case-1"})}},
            "no such case of that run is in the data any more, so there",
        ),
        (
            [{}],
            {"filter": "vektor"},
            'no eval and no case has "vektor" in its name or id; did you mean "Vector"? There',
        ),
        (
            [{"tags": ["x", "y"]}],
            {"tags": ("z", "w")},
            "has the tag z or w; There is: Vector, with the tags x, y",
        ),
        (
            [{}],
            {"filter": "q", "tags": ("z",)},
            'has "q" in its name or id and has the tag z; There is: Vector',
        ),
    ],
)
def test_where_nothing_is_chosen_the_words_say_what_there_is(
    suites: list[dict[str, Any]], selection: dict[str, Any], words: str
) -> None:
    found = nothing_chosen([suite("Vector", **options) for options in suites], Selection(**selection))

    assert words in str(found)


CLIENT = object()


def search(input: Any) -> Any:
    return CLIENT


def test_a_cacheable_task_is_told_what_the_cache_does_not_see() -> None:
    told = ("the cache does not see what changes in CLIENT; list what counts under depends_on",)

    assert prepared(suite(task=search, cacheable=True))[0].notices == told
    assert prepared(suite(task=search))[0].notices == ()
    assert prepared(suite(task=search, cacheable=True, depends_on=[{"index": 3}]))[0].notices == ()
    assert prepared(suite(task=search, cacheable=True), asked=Asked(cache=False))[0].notices == ()


class Closed:
    def fingerprint(self) -> str:
        raise ConnectionError("closed")


def test_an_object_that_cannot_say_what_it_is_made_of_is_an_error_of_its_eval() -> None:
    first, second = prepared(suite("A", depends_on=[Closed()]), suite("B"))

    assert first.error is not None
    assert first.error.message == "closed"
    assert (first.cases, len(second.cases)) == ((), 3)
