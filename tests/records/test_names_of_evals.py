"""Evals of one command are one run: named, tagged, pruned and counted by `latest` together."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fakes.recorded import made_up, record
from fakes.recorded_evals import KEY, interrupt_evals, plan, record_evals
from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.records.choosing import RunFilter, prunable
from rankle.records.store import Store

SECOND = "evals/other_eval.py::Answers"
PLANS = (plan(2), plan(3, key=SECOND))
VARIANTS = tuple(plan(1, key=f"{KEY}[{name}]", name="Vector search") for name in ("small", "large"))


def keys(store: Store, ref: str) -> list[str]:
    """Of the evals that a name means."""
    return [one.key for one in store.load_evals(ref).evals]


@pytest.mark.parametrize(
    ("name", "key"),
    [("Answers", SECOND), ("Vector search", KEY), (SECOND, SECOND), (KEY, KEY)],
    ids=["name", "other name", "key", "other key"],
)
def test_one_eval_of_a_run_is_named_behind_a_hash(store: Store, place: Path, name: str, key: str) -> None:
    family = record_evals(place, *PLANS)
    for ref in (family, family[:5], "latest"):
        assert store.load(f"{ref}#{name}").system.name == f"eval:{key}"
        assert keys(store, f"{ref}#{name}") == [key]


def test_a_run_of_one_eval_is_this_eval(store: Store, place: Path) -> None:
    family = record_evals(place)
    (info,) = store.runs()
    assert {store.load(ref).id for ref in (family, info.id, "latest", f"{family}#Vector search")} == {info.id}
    assert store.load_evals(info.id).summary.id == family


def test_of_a_run_of_several_evals_one_must_be_named(store: Store, place: Path) -> None:
    family = record_evals(place, *PLANS)
    with pytest.raises(InputError) as caught:
        store.load(family)
    assert str(caught.value) == (
        f'run "{family}" holds 2 evals; name one of them: {family}#Vector search, {family}#Answers'
    )
    assert keys(store, f"{family}#Answers") == [SECOND]
    assert keys(store, family) == [KEY, SECOND]


def test_variants_are_named_with_their_name(store: Store, place: Path) -> None:
    record_evals(place, *VARIANTS)
    assert store.load("latest#Vector search[large]").system.name == f"eval:{KEY}[large]"
    with pytest.raises(InputError, match=r'2 evals "Vector search"; .*: latest#.*\[small\], latest#'):
        store.load("latest#Vector search")


def test_evals_of_one_name_are_named_with_their_files(store: Store, place: Path) -> None:
    record_evals(place, plan(1), plan(1, key="evals/b_eval.py::Vector search"))
    with pytest.raises(InputError, match=rf"latest#{KEY}, latest#evals/b_eval.py::Vector search"):
        store.load("latest")
    assert store.load("latest#evals/b_eval.py::Vector search").id


def test_a_name_that_no_eval_has_is_told(store: Store, place: Path) -> None:
    record_evals(place, *PLANS)
    with pytest.raises(UnknownNameError, match=r'"Answer"; did you mean "Answers".* Run latest holds'):
        store.load("latest#Answer")


def test_search_runs_hold_no_evals(store: Store) -> None:
    record(store, made_up())
    with pytest.raises(InputError, match="is of search and holds no evals"):
        store.load("latest#x")
    with pytest.raises(InputError, match="is a run of search, not of evals; see it with: rankle show 0123"):
        store.load_evals("latest")


def test_evals_keep_no_results_of_a_search(store: Store, place: Path) -> None:
    record_evals(place)
    with pytest.raises(InputError, match="of an eval, which keeps no results of a search"):
        store.read("latest")


def test_latest_counts_commands_of_either_kind(store: Store, place: Path) -> None:
    first = record_evals(place, *PLANS)
    record(store, made_up())
    second = record_evals(place)
    interrupt_evals(place)
    assert store.load_evals("latest").summary.id == second
    assert store.load("latest~1").id == "0123456789ab"
    assert store.load_evals("latest~2").summary.id == first
    with pytest.raises(InputError, match="holds 3"):
        store.info("latest~3")


def test_an_interrupted_command_is_not_complete_though_an_eval_of_it_is(store: Store, place: Path) -> None:
    family = interrupt_evals(place, *PLANS)
    assert store.load(f"{family}#Vector search").system.name == f"eval:{KEY}"
    with pytest.raises(CannotMeasureError, match="interrupted at 2 of 3 cases"):
        store.load_evals(family)


def test_a_tag_is_on_the_whole_run(store: Store, place: Path) -> None:
    family = record_evals(place, *PLANS)
    store.tag(family, "main")
    assert [info.tags for info in store.runs()] == [("main",)] * 2
    assert store.load_evals("main").summary.id == family
    assert store.load("main#Answers").id
    assert all(RunFilter(tag="main").fits(info) for info in store.runs())
    with pytest.raises(InputError, match=rf"one of 2 evals of run {family}.*then write TAG#NAME"):
        store.tag(f"{family}#Answers", "other")
    store.untag("main")
    assert [info.tags for info in store.runs()] == [()] * 2


def test_pruning_keeps_and_deletes_commands_whole(store: Store, place: Path) -> None:
    old, kept, new = (record_evals(place, *PLANS) for _ in range(3))
    store.tag(kept, "main")
    going = prunable(store.runs(), keep=1)
    assert [info.family for info in going] == [old, old]
    assert store.delete(info.id for info in going) == 2
    assert {info.family for info in store.runs()} == {kept, new}
    assert len(list(store.load_evals(new).read_cases(store.load_evals(new).evals[1].id))) == 3
    with pytest.raises(UnknownNameError):
        store.load_evals(old)


def test_nothing_is_left_of_a_deleted_run(store: Store, place: Path) -> None:
    record_evals(place, *PLANS)
    later = datetime.now(UTC) + timedelta(days=1)
    assert store.delete(info.id for info in prunable(store.runs(), before=later)) == 2
    with store._database.reading() as connection:
        for table in ("runs", "evals", "eval_runs", "eval_cases", "trials", "reports"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


@pytest.mark.parametrize("protection", ["tag", "pin"])
def test_what_protects_one_eval_protects_all_of_its_command(
    store: Store, place: Path, protection: str
) -> None:
    family = record_evals(place, *PLANS)
    before = store.runs()
    if protection == "tag":
        store.tag(family, "main")
    else:
        store.pin(f"{family}#Answers", "a baseline")
    assert all(info.is_protected for info in store.runs())
    assert prunable(store.runs(), keep=0) == []
    assert store.delete(info.id for info in before) == 0, "also where it was protected after it was chosen"
