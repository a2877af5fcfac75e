"""`rankle compare` as it is called: output, exit codes, files."""

import json
from pathlib import Path

import pytest

from fakes.command import fail, rankle, succeed
from fakes.compared import compared_run
from rankle.core.run import RunReport
from rankle.reports.json import write_json
from rankle.stats import smallest_detectable

SCORES = {"nDCG@10": [0.5, 0.25, 1.0, 0.0, 0.5, 0.5]}
BETTER = {"nDCG@10": [0.75, 0.5, 1.0, 0.25, 0.75, 0.75]}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save("a", compared_run("fts5", SCORES))
    save("b", compared_run("hybrid", BETTER))


def save(name: str, *runs: RunReport) -> None:
    write_json(Path(f"{name}.json"), runs)


def test_two_files_are_compared_and_saved() -> None:
    """Five wins and a tie: of 64 flips, 4 are as extreme, for the sign of a tie is no matter."""
    printed = succeed("compare", "a.json", "b.json", "-o", "found.json")
    differences = [after - before for before, after in zip(*SCORES.values(), *BETTER.values(), strict=True)]
    smallest = smallest_detectable(differences).effect
    assert f"NDCG@10: no difference shown; one of {smallest:.3f} would have shown 4 times in 5.\n" in printed
    assert "+0.208  0.000 to +0.250   0.0625" in printed
    saved = json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert saved["schema"] == "rankle.compare/1"
    assert json.loads(succeed("compare", "a.json", "b.json", "--json")) == saved


def test_runs_are_found_in_the_store_that_is_named() -> None:
    words = fail("compare", "latest~1", "latest", "--records", "none.db")
    assert "none.db" in words
    words = fail("compare", "latest~1", "latest")
    assert "there are no records; name a store with --records FILE" in words


def test_a_verdict_is_no_gate() -> None:
    save("worse", compared_run("worse", {"nDCG@10": [0.0] * 6}), compared_run("best", {"nDCG@10": [1.0] * 6}))
    assert "best.json" not in succeed("compare", "worse.json")
    assert "B is better" in succeed("compare", "worse.json")
    assert "B is worse" in succeed("compare", "worse.json#best", "worse.json#worse")


def test_what_cannot_be_compared_ends_with_two_and_says_what_differs() -> None:
    save("shallow", compared_run("b", BETTER, depth=10))
    assert "depth differs: A 100, B 10\n--force" in fail("compare", "a.json", "shallow.json")
    forced = succeed("compare", "a.json", "shallow.json", "--force")
    assert all(line.startswith("forced ") for line in forced.splitlines() if line)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["a.json", "a.json"], "are the same run"),
        (["a.json"], "takes two runs or more"),
        (["a.json", "none.json"], "none.json cannot be read"),
        (["a.json", "notes.txt"], "notes.txt is no record of a run"),
        (["a.json", "b.json", "--measures", "AP"], 'unknown measure of run A "AP"'),
        (["a.json", "b.json", "--measures", "nDGC@10"], "did you mean"),
        (["a.json", "b.json", "-o", "a.json"], "is the file that is read"),
        (["a.json", "b.json", "-o", "other.json"], "is no comparison, so it is not written over"),
    ],
    ids=["itself", "one", "missing", "text", "measure", "typo", "input", "another record"],
)
def test_what_cannot_be_done_ends_with_two(args: list[str], words: str) -> None:
    Path("notes.txt").write_text("a note", encoding="utf-8")
    save("other", compared_run("other", SCORES))
    assert words in fail("compare", *args)


@pytest.mark.parametrize(
    "args",
    [["--alpha", "0"], ["--alpha", "1"], ["--test", "welch"], ["--worst", "-1"], ["--seed", "-1"]],
    ids="=".join,
)
def test_wrong_usage_ends_with_two(args: list[str]) -> None:
    assert rankle("compare", "a.json", "b.json", *args).code == 2


def test_no_run_at_all_is_wrong_usage() -> None:
    assert rankle("compare").code == 2


def test_options_reach_the_comparison() -> None:
    save("three", *(compared_run(name, SCORES if name == "c" else BETTER) for name in "cde"))
    args = ("three.json", "--pairs", "first", "--alpha", "0.1", "--seed", "3", "--test", "sign", "--json")
    value = json.loads(succeed("compare", *args))
    assert (value["alpha"], value["seed"], value["test"], len(value["pairs"])) == (0.1, 3, "sign", 2)
    assert "Lost most" not in succeed("compare", "a.json", "b.json", "--worst", "0")


def test_with_tests_that_do_not_test_the_mean_a_warning_stands() -> None:
    assert "Note: Wilcoxon tests whether" in succeed("compare", "a.json", "b.json", "--test", "wilcoxon")
