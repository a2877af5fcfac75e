"""What a change touches: all evals, those of files, single ones, or none."""

from pathlib import Path

import pytest

from rankle.app.watch_touched import EVERYTHING, NOTHING, Known, KnownFile, Wanted
from rankle.app.watched_messages import Told, ToldEval, ToldFile

SEARCH, ANSWER = "/p/evals/search_eval.py", "/p/evals/answer_eval.py"
KNOWN = Known(
    Path("/p"),
    frozenset({"/p/rankle.toml"}),
    {
        "evals/search_eval.py": KnownFile(
            SEARCH,
            frozenset({SEARCH, "/p/lib/rank.py", "/p/lib/shared.py"}),
            (
                ToldEval(key="evals/search_eval.py::A", files=("/p/data/a.json",)),
                ToldEval(key="evals/search_eval.py::B", files=("/p/data/b",)),
            ),
            in_trouble=False,
        ),
        "evals/answer_eval.py": KnownFile(ANSWER, frozenset({ANSWER, "/p/lib/shared.py"}), in_trouble=False),
    },
    everywhere=frozenset({"/p/setup.py"}),
    written=frozenset({"/p/data/b/out.json"}),
)


@pytest.mark.parametrize(
    ("changed", "touched"),
    [
        ("/p/lib/rank.py", ["evals/search_eval.py"]),
        ("/p/lib/shared.py", ["evals/answer_eval.py", "evals/search_eval.py"]),
        (ANSWER, ["evals/answer_eval.py"]),
        ("/p/data/a.json", ["evals/search_eval.py::A"]),
        ("/p/data/b/deep/new.json", ["evals/search_eval.py::B"]),
        ("/p/data/b/.new.json.swp", []),
        ("/p/data/b/out.json", []),
        ("/p/data/other.json", []),
        ("/p/lib/unused.py", []),
        ("/p/README.md", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_change_touches_what_reads_it(changed: str, touched: list[str]) -> None:
    assert sorted(KNOWN.touched([changed]).names) == touched
    assert not KNOWN.touched([changed]).everything


@pytest.mark.parametrize("changed", ["/p/rankle.toml", "/p/setup.py"])
def test_what_all_evals_depend_on_touches_all(changed: str) -> None:
    assert KNOWN.touched([changed, ANSWER]) == EVERYTHING


def test_file_that_was_never_run_hopes_for_any_code_but_nothing_else() -> None:
    known = KNOWN.with_files(["/p/evals/new_eval.py", SEARCH])
    assert set(known.files) == {"evals/new_eval.py", "evals/search_eval.py"}
    assert known.touched(["/p/lib/unused.py"]).names == {"evals/new_eval.py"}
    assert known.touched(["/p/lib/unused.py"], hoping=False) == NOTHING
    assert known.touched(["/p/README.md"]) == NOTHING


def test_failed_run_leaves_its_files_hoping_for_code() -> None:
    known = KNOWN.failed(Wanted(names=frozenset({"evals/answer_eval.py"})))
    assert known.touched(["/p/lib/unused.py"]).names == {"evals/answer_eval.py"}
    assert set(KNOWN.failed(EVERYTHING).touched(["/p/x.py"]).names) == set(KNOWN.files)


def test_run_of_some_replaces_what_is_known_of_these_alone() -> None:
    told = Told(
        files=(
            ToldFile(
                path=ANSWER, reads=(ANSWER, "/p/lib/fresh.py"), evals=(), is_marked=True, in_trouble=False
            ),
        ),
        everywhere=("/p/plugin.py",),
    )
    known = KNOWN.learned(told, Wanted(names=frozenset({"evals/answer_eval.py"})))
    assert known.touched(["/p/lib/fresh.py"]).names == {"evals/answer_eval.py"}
    assert known.touched(["/p/lib/shared.py"]).names == {"evals/search_eval.py"}
    assert known.touched(["/p/plugin.py"]) == known.touched(["/p/setup.py"]) == EVERYTHING
    assert known.is_marked()
    assert set(KNOWN.learned(told, EVERYTHING).files) == {"evals/answer_eval.py"}
    assert KNOWN.learned(told, EVERYTHING).touched(["/p/setup.py"]) == NOTHING


def test_trouble_of_a_file_stays_where_it_was_loaded_but_not_run() -> None:
    troubled = KNOWN.failed(Wanted(names=frozenset({"evals/answer_eval.py"})))
    told = Told(files=(ToldFile(path=ANSWER, reads=(ANSWER,), evals=(), is_marked=False, in_trouble=False),))
    known = troubled.learned(told, Wanted(names=frozenset({"evals/search_eval.py"})))
    assert known.files["evals/answer_eval.py"].in_trouble


@pytest.mark.parametrize(
    ("mine", "theirs", "meet"),
    [
        ({"a.py"}, {"a.py::X"}, True),
        ({"a.py::X"}, {"a.py::X"}, True),
        ({"a.py::X"}, {"a.py::Y"}, False),
        ({"a.py"}, {"b.py"}, False),
        (set(), {"b.py"}, False),
    ],
    ids=str,
)
def test_two_wishes_meet_where_they_hold_one_eval(mine: set[str], theirs: set[str], meet: bool) -> None:
    one, other = Wanted(names=frozenset(mine)), Wanted(names=frozenset(theirs))
    assert one.meets(other) == other.meets(one) == meet
    assert EVERYTHING.meets(one) == bool(one)


def test_whole_file_takes_the_place_of_its_evals() -> None:
    both = Wanted(names=frozenset({"a.py::X", "b.py::Y"})) | Wanted(names=frozenset({"a.py"}))
    assert both.names == {"a.py", "b.py::Y"}
