"""A watch over evals: one run at a time, at most one to come, and only of what a change touches."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.command import write_files
from fakes.evals_runs import case_report, eval_summary, evals_run
from rankle.app.watch_evals import Began, Ended, EvalWatch, Left, Went
from rankle.app.watched_messages import Order, Progressed, Told, ToldEval, ToldFile
from rankle.app.watched_process import Outcome
from rankle.core.errors import InputError
from rankle.harness.evals.options import Asked

NO_CHANGE: frozenset[str] = frozenset()


class FakeRun:
    """A run whose end the test decides. Implements `WatchedRun`."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.told: Told | None = None
        self.exit_code: int | None = None
        self.told_progress: Progressed | None = None
        self.is_ended = False
        self.is_outdated = False

    def progress(self) -> Progressed | None:
        return self.told_progress

    def outcome(self) -> Outcome | None:
        if self.told is None and self.exit_code is None:
            return None
        return Outcome(self.told, self.exit_code or 0)

    def end(self, *, is_outdated: bool = False) -> None:
        self.is_ended, self.is_outdated = True, is_outdated


class World:
    """A project of two files of evals that both read `lib.py`, and its watch."""

    def __init__(self, folder: Path, **order: object) -> None:
        self.folder = folder.resolve()
        write_files(self.folder, {"rankle.toml": "", "a_eval.py": "", "b_eval.py": "", "lib.py": ""})
        self.runs: list[FakeRun] = []
        self.watch = EvalWatch(make_order(**order), self.start, cwd=self.folder)

    def start(self, order: Order) -> FakeRun:
        assert all(run.is_ended or run.outcome() for run in self.runs), "two runs at once"
        self.runs.append(FakeRun(order))
        return self.runs[-1]

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def step(self, *changed: str) -> list[object]:
        return list(self.watch.step(frozenset(map(self.path, changed))))

    def finish(self, *names: str, marked: bool = False) -> None:
        """Let the run end well, of these files, each with one eval `E` and data `NAME.json`."""
        self.runs[-1].told = Told(
            summary=evals_run().summary,
            evals=tuple(eval_summary("E", [case_report(0, {"exact": 1.0})], file=name) for name in names),
            files=tuple(
                ToldFile(
                    path=self.path(name),
                    reads=(self.path(name), self.path("lib.py")),
                    evals=(ToldEval(key=f"{name}::E", files=(self.path(f"{name}.json"),)),),
                    is_marked=marked,
                    in_trouble=False,
                )
                for name in names
            ),
        )


def make_order(**given: object) -> Order:
    values: dict[str, object] = {
        "paths": (), "within": None, "asked": Asked(), "filter": None, "tags": (), "failing": None,
        "errors": None, "seed": 0, "records": None, "is_asked_for": False, "name": None, "width": 80,
        "worst": 5, "quiet": False,
    }  # fmt: skip
    return Order(**(values | given))  # type: ignore[arg-type]


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., World]:
    return lambda **order: World(tmp_path, **order)


@pytest.fixture
def world(make: Callable[..., World]) -> World:
    """One whose first run is over."""
    world = make()
    world.step()
    world.finish("a_eval.py", "b_eval.py")
    world.step()
    return world


def test_all_evals_are_run_at_first(make: Callable[..., World]) -> None:
    world = make()
    assert world.step() == [Began((), is_all=True)]
    assert world.runs[0].order.within is None
    world.finish("a_eval.py", "b_eval.py")
    (ended,) = world.step()
    assert isinstance(ended, Ended)
    assert ended.others == ()
    assert world.runs[0].is_ended
    assert world.step() == []


def test_change_runs_what_it_touches_and_shows_the_others_as_they_were(world: World) -> None:
    assert world.step("a_eval.py") == [Began(("a_eval.py",), is_all=False)]
    order = world.runs[-1].order
    assert (order.paths, order.within) == ((world.path("a_eval.py"),), ("a_eval.py",))
    world.finish("a_eval.py")
    (ended,) = world.step()
    assert isinstance(ended, Ended)
    assert [one.key for one in ended.others] == ["b_eval.py::E"]


def test_change_of_data_runs_its_eval_alone(world: World) -> None:
    world.step("b_eval.py.json")
    assert world.runs[-1].order.within == ("b_eval.py::E",)


def test_change_that_touches_nothing_runs_nothing_and_says_nothing(world: World) -> None:
    assert world.step("README.md", "other.py") == []
    assert len(world.runs) == 1


def test_module_that_both_import_runs_both_and_the_project_file_all(world: World) -> None:
    world.step("lib.py")
    assert world.runs[-1].order.within == ("a_eval.py", "b_eval.py")
    assert world.step("rankle.toml") == [Began(("lib.py", "rankle.toml"), is_all=True)]


def test_change_of_what_runs_ends_the_run_and_one_next_run_takes_all(world: World) -> None:
    world.step("a_eval.py")
    world.step("a_eval.py")
    assert (world.runs[1].is_ended, world.runs[1].is_outdated) == (True, True)
    assert world.step("b_eval.py") == []
    assert world.step("a_eval.py") == [Began(("a_eval.py", "b_eval.py"), is_all=False)]
    assert len(world.runs) == 4
    assert world.runs[-1].order.within == ("a_eval.py", "b_eval.py")


def test_change_of_others_waits_and_however_many_there_are_one_run_takes_them(world: World) -> None:
    world.step("a_eval.py")
    for _ in range(5):
        assert world.step("b_eval.py") == []
    assert len(world.runs) == 2
    assert not world.runs[1].is_ended
    world.finish("a_eval.py")
    ended, began = world.step()
    assert isinstance(ended, Ended)
    assert began == Began(("b_eval.py",), is_all=False)
    world.finish("b_eval.py")
    world.step()
    assert world.step() == []
    assert len(world.runs) == 3


def test_change_of_what_the_first_run_reads_is_known_once_it_has_told(make: Callable[..., World]) -> None:
    world = make()
    world.step()
    assert world.step("lib.py", "a_eval.py.json") == []
    world.finish("a_eval.py", "b_eval.py")
    assert world.step()[1:] == [Began(("a_eval.py.json", "lib.py"), is_all=False)]


def test_new_file_is_run_and_one_that_is_gone_leaves(world: World) -> None:
    write_files(world.folder, {"c_eval.py": ""})
    assert world.step("c_eval.py") == [Began(("c_eval.py",), is_all=False)]
    world.finish("c_eval.py")
    world.step()
    (world.folder / "a_eval.py").unlink()
    (left,) = world.step("a_eval.py")
    assert isinstance(left, Left)
    assert (left.files, [one.key for one in left.others]) == (
        ("a_eval.py",),
        ["b_eval.py::E", "c_eval.py::E"],
    )


def test_last_file_that_is_gone_says_why_nothing_runs_until_one_comes(make: Callable[..., World]) -> None:
    world = make(paths=("a_eval.py",))
    world.step()
    world.finish("a_eval.py")
    world.step()
    (world.folder / "a_eval.py").unlink()
    (left,) = world.step("a_eval.py")
    assert isinstance(left, Left)
    assert "no such file" in str(left.error)
    assert world.step("rankle.toml") == []
    write_files(world.folder, {"a_eval.py": ""})
    assert world.step("a_eval.py") == [Began(("a_eval.py",), is_all=False)]


def test_one_eval_that_was_named_stays_the_only_one_of_its_file(make: Callable[..., World]) -> None:
    world = make(paths=("a_eval.py::E", "b_eval.py"))
    world.step()
    world.finish("a_eval.py", "b_eval.py")
    world.step()
    world.step("lib.py")
    assert world.runs[-1].order.paths == (f"{world.path('a_eval.py')}::E", world.path("b_eval.py"))


def test_mark_only_is_weighed_over_all_files_and_the_others_are_run_once_it_is_gone(
    make: Callable[..., World],
) -> None:
    world = make()
    world.step()
    world.finish("a_eval.py", "b_eval.py", marked=True)
    world.step()
    world.step("b_eval.py")
    order = world.runs[-1].order
    assert (order.paths, order.within) == (
        (world.path("a_eval.py"), world.path("b_eval.py")), ("b_eval.py",)
    )  # fmt: skip
    world.finish("a_eval.py", "b_eval.py")
    assert world.step()[1:] == [Began(("b_eval.py",), is_all=False)]
    assert world.runs[-1].order.within == ("a_eval.py",)


def test_run_that_found_nothing_of_what_is_asked_says_nothing(make: Callable[..., World]) -> None:
    world = make(filter="E")
    world.step()
    world.finish("a_eval.py", "b_eval.py")
    world.step()
    world.step("a_eval.py")
    assert len(world.runs[-1].order.paths) == 2
    world.runs[-1].told = Told(summary=evals_run().summary)
    assert world.step() == []


@pytest.mark.parametrize("how", ["killed", "refused"])
def test_run_that_told_nothing_is_shown_and_any_code_runs_it_again(world: World, how: str) -> None:
    world.step("a_eval.py")
    if how == "killed":
        world.runs[-1].exit_code = -9
    else:
        world.runs[-1].told = Told(error="rankle.toml is wrong")
    (ended,) = world.step()
    assert isinstance(ended, Ended)
    assert [one.key for one in ended.others] == ["b_eval.py::E"]
    assert world.step("other.py") == [Began(("other.py",), is_all=False)]
    assert world.runs[-1].order.within == ("a_eval.py",)


def test_code_that_a_run_wrote_before_it_broke_down_does_not_run_it_again(make: Callable[..., World]) -> None:
    world = make()
    world.step()
    world.step("made.py")
    world.runs[-1].exit_code = 9
    assert world.step("made.py", "made_too.py") == []
    assert [type(event) for event in world.step()] == [Ended]
    assert world.step("made.py") == []
    assert world.step("lib.py") == [Began(("lib.py",), is_all=False)]


def test_progress_is_told_once_for_each_step(make: Callable[..., World]) -> None:
    world = make()
    world.step()
    told = Progressed(n_done=1, n_total=2, n_failed=0, n_cached=0, cost_usd=None, elapsed_s=0.1)
    world.runs[0].told_progress = told
    assert world.step() == [Went(told)]
    assert world.step() == []


def test_end_of_the_watch_ends_the_run(make: Callable[..., World]) -> None:
    world = make()
    events = world.watch.follow(iter([NO_CHANGE, NO_CHANGE]))
    assert list(events) == [Began((), is_all=True)]
    assert (world.runs[0].is_ended, world.runs[0].is_outdated) == (True, False)


def test_nothing_to_watch_is_refused(make: Callable[..., World]) -> None:
    with pytest.raises(InputError, match="no such file"):
        make(paths=("nowhere",))
