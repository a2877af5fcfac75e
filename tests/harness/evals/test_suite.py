"""Evals are defined whole, or refused where they are written, with words that help."""

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

import rankle
from rankle.core.errors import InputError
from rankle.harness.evals.case import Case
from rankle.harness.evals.options import Asked
from rankle.harness.evals.suite import Suite, Variant, collecting
from rankle.harness.evals.task import TaskKind, kind_of

ROWS = [{"input": 1, "expected": 2}]


@rankle.scorer("right", description="whether it is what is expected")
def right(context: rankle.ScoreContext) -> bool:
    return bool(context.output == context.expected)


def double(input: int) -> int:
    """Twice the input.

    More of it.
    """
    return 2 * input


async def double_later(input: int) -> int:
    return 2 * input


def stream(input: int) -> Iterator[int]:
    yield input


async def stream_later(input: int) -> AsyncIterator[int]:
    yield input


class Doubling:
    def __call__(self, input: int) -> int:
        return 2 * input


class DoublingLater:
    async def __call__(self, input: int) -> int:
        return 2 * input

    async def method(self, input: int) -> int:
        return 2 * input


def suite(**options: Any) -> Suite:
    given: dict[str, Any] = {"data": ROWS, "task": double, "scorers": [right], **options}
    return Suite("Doubling", **given)


def test_the_decorator_and_the_suite_define_the_same() -> None:
    options: dict[str, Any] = {
        "data": ROWS, "scorers": [right], "trials": 3, "timeout_s": 1.5, "threshold": 70, "concurrency": 2,
        "cache": False, "tags": ["fast"], "skip": True, "only": True, "allow_empty": True, "cacheable": True,
        "depends_on": [{"model": "m"}], "resources": ["gpu"], "description": "Doubles",
    }  # fmt: skip
    decorated = rankle.eval("Doubling", **options)(double)
    made = Suite("Doubling", task=double, **options)

    names = [name for name in Suite.__dataclass_fields__ if name not in ("place", "call")]
    assert [getattr(decorated, name) for name in names] == [getattr(made, name) for name in names]
    assert made.asked == Asked(trials=3, timeout_s=1.5, threshold=70, concurrency=2, cache=False)
    assert decorated.place is not None
    assert decorated.place.file == __file__


def test_a_decorated_task_is_called_like_the_task() -> None:
    assert rankle.eval("Doubling", data=ROWS, scorers=[right])(double)(4) == 8


def test_the_first_line_of_the_task_describes_the_eval_where_nothing_else_does() -> None:
    assert rankle.eval("A", data=ROWS, scorers=[right])(double).description == "Twice the input."
    assert rankle.eval("A", data=ROWS, scorers=[right], description="D")(double).description == "D"
    assert rankle.eval("A", data=ROWS, scorers=[right])(Doubling()).description == ""


def test_a_suite_as_task_is_its_task() -> None:
    assert suite(task=suite()).task is double


def test_each_makes_variants_side_by_side() -> None:
    @rankle.eval("Search", data=ROWS, scorers=[right]).each(
        [{"name": "k=5", "input": 5}, Variant("k=10", 10)]
    )
    def search(input: int, variant: int) -> int:
        return input * variant

    assert search.variants == (Variant("k=5", 5), Variant("k=10", 10))


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        (double, TaskKind.SYNC),
        (double_later, TaskKind.ASYNC),
        (stream, TaskKind.GENERATOR),
        (stream_later, TaskKind.ASYNC_GENERATOR),
        (Doubling(), TaskKind.SYNC),
        (DoublingLater(), TaskKind.ASYNC),
        (DoublingLater().method, TaskKind.ASYNC),
        (functools.partial(double_later), TaskKind.ASYNC),
        (functools.partial(functools.partial(stream)), TaskKind.GENERATOR),
        (str.upper, TaskKind.SYNC),
        (int, TaskKind.SYNC),
    ],
    ids=lambda value: value.value if isinstance(value, TaskKind) else type(value).__name__,
)
def test_the_kind_of_a_task_is_known(task: Callable[..., Any], kind: TaskKind) -> None:
    assert kind_of(task) is kind
    assert suite(task=task).kind is kind


def with_case(input: Any, case: Case) -> Any:
    return input, case.id


def with_both(input: Any, *, variant: Any, case: Case) -> Any:
    return input, case.id, variant


def with_more(input: Any, case: Case, depth: int = 3, **options: Any) -> Any:
    return input, case.id, depth, options


@pytest.mark.parametrize(
    ("task", "output"),
    [
        (lambda row: row, "in"),
        (lambda *given, **named: (given, named), (("in",), {})),
        (with_case, ("in", "case-1")),
        (with_both, ("in", "case-1", "v")),
        (with_more, ("in", "case-1", 3, {})),
    ],
    ids=["any name", "any number", "case", "case and variant", "defaults"],
)
def test_a_task_is_given_the_input_and_what_it_names(task: Callable[..., Any], output: Any) -> None:
    made = suite(task=task, variants=[Variant("v", "v")])

    assert made.call(Case("case-1", 0, "in", variant="v")) == output


def takes_nothing() -> None: ...
def takes_case_first(case: Any) -> None: ...
def takes_context(input: Any, context: Any) -> None: ...
def takes_named_only(*, input: Any) -> None: ...
def takes_variant(input: Any, variant: Any) -> None: ...


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (takes_nothing, "takes no input; write: def task"),
        (takes_named_only, "takes no input"),
        (takes_case_first, 'takes "case" first, and what comes first is the input'),
        (takes_context, 'takes "context", which nobody gives it'),
        (takes_variant, 'takes "variant", and there is none; add some, by .each'),
        (5, "must be a function of the input, got 5"),
    ],
)
def test_a_task_that_cannot_be_called_is_refused(task: Any, words: str) -> None:
    with pytest.raises(InputError, match=f'the task of eval "Doubling" {words}'):
        suite(task=task)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"trials": 0}, 'trials of eval "Doubling" must be a whole number >= 1, got 0'),
        ({"trials": True}, "must be a whole number >= 1, got True"),
        ({"concurrency": 1.5}, 'concurrency of eval "Doubling" must be a whole number >= 1, got 1.5'),
        ({"timeout_s": 0}, 'timeout_s of eval "Doubling" must be a number of seconds above 0, got 0'),
        ({"timeout_s": float("nan")}, "seconds above 0, got nan"),
        ({"threshold": 0.7}, r'threshold of eval "Doubling" is 0.7 %.* Was 70 % meant\?'),
        ({"threshold": 1}, r"Was 100 % meant\?"),
        ({"threshold": 101}, "must be from 0 to 100 %, got 101 %"),
        ({"threshold": "70"}, "must be a percentage from 0 to 100 such as 70, got '70'"),
        ({"threshold": 70, "scorers": []}, "has a threshold and no scorer with a weight"),
        ({"cache": "no"}, "cache of eval .* must be true or false, got 'no'"),
        ({"skip": 1}, "skip of eval .* must be true or false, got 1"),
        ({"tags": "fast"}, r"tags of eval \"Doubling\" must be a list, got 'fast'; write it as \['fast'\]"),
        ({"tags": [""]}, "must be texts that are not blank, got ''"),
        ({"resources": [5]}, "resources of eval .* must be texts"),
        ({"scorers": [lambda context: 1]}, "a lambda has no name for reports; write {'name': …, 'scorer'"),
        ({"scorers": right}, "scorers of eval .* must be a list"),
        ({"scorers": [right, right]}, 'two scorers of eval "Doubling" are called "right"'),
        ({"run_scorers": [right]}, "run_scorers of eval .* must be made by @rankle.run_scorer"),
        ({"columns": {"a": 1}}, "columns of eval .* must be a function of a context"),
        ({"description": None}, "description of eval .* must be text"),
        ({"variants": [{"name": "a"}]}, 'a variant of eval "Doubling" needs "name" and "input"'),
        ({"variants": [{"name": "a", "inputs": 1}]}, 'unknown key .* "inputs"; did you mean "input"'),
        ({"variants": ["a"]}, 'must be {"name": …, "input": …}, got \'a\''),
        ({"variants": [Variant("a", 1), Variant("a", 2)]}, 'two variants .* are called "a"'),
        ({"trails": 3}, 'unknown option of eval "Doubling" "trails"; did you mean "trials"'),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
)
def test_what_is_not_allowed_is_refused_where_it_is_written(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        suite(**options)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("maxConcurrency", "concurrency"),
        ("testTimeout", "timeout_s"),
        ("scoreThreshold", "threshold"),
        ("trialCount", "trials"),
        ("trial_count", "trials"),
        ("forceRerunTriggers", "depends_on"),
    ],
)
def test_options_of_evalite_are_told_by_our_names(theirs: str, ours: str) -> None:
    with pytest.raises(
        InputError, match=f'unknown option of eval "Doubling" "{theirs}"; here it is "{ours}"'
    ):
        suite(**{theirs: 1})
    with pytest.raises(InputError, match=f'here it is "{ours}"'):
        rankle.eval("Doubling", data=ROWS, scorers=[right], **{theirs: 1})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", None, 5])
def test_a_name_is_one_line_that_is_not_blank(name: Any) -> None:
    with pytest.raises(InputError, match="needs a name of one line that is not blank"):
        rankle.eval(name, data=ROWS, scorers=[right])
    with pytest.raises(InputError, match="needs a name of one line that is not blank"):
        Suite(name, data=ROWS, task=double, scorers=[right])


def test_a_decorator_without_its_name_says_how_it_is_written() -> None:
    with pytest.raises(InputError, match=r'@rankle.eval\("Name", data=…, scorers=\[…\]\)'):
        rankle.eval(double, data=ROWS, scorers=[right])  # type: ignore[arg-type]


def test_suites_are_collected_only_within_and_in_their_order() -> None:
    suite()
    with collecting() as outer:
        first = suite()
        with collecting() as inner:
            second = suite()
        third = suite()
    suite()

    assert [id(one) for one in outer] == [id(first), id(third)]
    assert [id(one) for one in inner] == [id(second)]


def test_code_of_no_file_has_no_place() -> None:
    made: dict[str, Any] = {"suite": suite}
    exec("made = suite()", made)
    namespace: dict[str, Any] = {"Suite": Suite}
    exec("made = Suite('A', data=[], task=len, scorers=[])", namespace)

    assert made["made"].place.file == __file__  # by a function of this file
    assert namespace["made"].place is None
