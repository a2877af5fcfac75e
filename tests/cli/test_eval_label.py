"""`rankle eval label` and `rankle eval pool`: judged one key at a time, resumed, and by several judges."""

import json
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fakes.command import GUIDE, fail, on_terminal, rankle, succeed, write_files
from fakes.schemas import valid_json
from fakes.terminal import play

OTHERS = {"pump.md": "# Pump\n\nThe battery of the pump.\n", "lamp.md": "# Lamp\n\nA lamp without battery.\n"}
SET = (
    '{"id": "a", "query": "battery",   "relevant": []}\n'
    '{"id": "b", "query": "voltage", "relevant": [], "note": "kept"}\n'
    '{"id": "c", "query": "who won the cup", "answerable": false}\n'
)


@pytest.fixture(autouse=True)
def guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RANKLE_RATER", "anna")
    monkeypatch.chdir(tmp_path)
    folder = write_files(tmp_path / "guide", {**GUIDE, **OTHERS})
    succeed("index", folder)
    Path("set.jsonl").write_text(SET, encoding="utf-8")
    return folder


def label(typed: str, *options: str, notes: tuple[str, ...] = ()) -> str:
    code, seen = play("eval", "label", "set.jsonl", *options, typed=typed, notes=notes)
    assert code == 0, seen
    return seen


def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("set.jsonl").read_text(encoding="utf-8").splitlines()]


def grades() -> dict[str, list[tuple[str, int]]]:
    """By query, document and grade of each label."""
    return {
        record["id"]: sorted((label["document"], label["relevance"]) for label in record.get("relevant", ()))
        for record in records()
    }


def pool() -> dict[str, Any]:
    return valid_json(succeed("eval", "pool", "set.jsonl", "--json"))


def test_what_is_judged_is_in_the_set_with_the_passage_and_who_judged_beside() -> None:
    assert pool()["n_unjudged"] == 5
    seen = label("0n1233", notes=(" so so",))
    assert "Query 1 of 2: battery" in seen
    assert "5 judgments kept and written to set.jsonl; all is judged" in seen
    assert sorted(grade for _, grade in grades()["a"]) == [0, 1, 2, 3]
    assert grades()["b"] == [("errors.md", 3)]
    first = records()[0]["relevant"][0]
    text = succeed("docs", "show", first["document"], "--text")
    assert text[first["start"] : first["end"]] == first["quote"]
    lines = Path("set.judgments.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["judge"] for line in lines] == ["anna"] * 5
    assert json.loads(lines[1])["note"] == "so so"
    assert pool()["n_unjudged"] == 0
    assert json.loads(succeed("eval", "set.jsonl", "--json", "--level", "document"))["queries"]


def test_lines_that_nobody_judged_stay_byte_for_byte() -> None:
    label("sssss")
    assert Path("set.jsonl").read_text(encoding="utf-8") == SET
    assert not Path("set.judgments.jsonl").exists()
    label("ssss2")
    lines = Path("set.jsonl").read_text(encoding="utf-8").splitlines()
    assert [lines[0], lines[2]] == [SET.splitlines()[0], SET.splitlines()[2]]
    assert records()[1]["note"] == "kept"


def test_a_round_goes_on_where_one_ended() -> None:
    assert "go on with: rankle eval label set.jsonl" in label("12q")
    assert pool()["n_unjudged"] == 3
    seen = label("33q")
    assert "[1 of 2]" in seen  # two of four are left
    assert sorted(grade for _, grade in grades()["a"]) == [1, 2, 3, 3]


def test_undo_leaves_nothing_of_a_judgment() -> None:
    label("3uq")
    assert Path("set.jsonl").read_text(encoding="utf-8") == SET
    assert pool()["n_unjudged"] == 5


def test_a_killed_round_loses_nothing() -> None:
    assert play("eval", "label", "set.jsonl", typed="3", ended_by=signal.SIGKILL).code != 0
    assert Path("set.jsonl").read_text(encoding="utf-8") == SET
    label("q")
    assert [grade for _, grade in grades()["a"]] == [3]


def test_ctrl_c_writes_what_was_given() -> None:
    assert play("eval", "label", "set.jsonl", typed="2", ended_by=signal.SIGINT).code == 130
    assert [grade for _, grade in grades()["a"]] == [2]


def test_several_judges_make_the_lower_median_and_their_agreement_is_printed() -> None:
    assert "no two judged the same passages yet" in label("01233")
    before = grades()
    seen = label("33333", "--judge", "ben")
    assert "Agreement of 2 judges: Krippendorff's alpha" in seen
    assert "anna and ben: Cohen's kappa" in seen
    assert grades() == before  # of two the lower
    label("33333", "--judge", "cleo")
    assert {grade for _, grade in grades()["a"]} == {3}
    printed = succeed("eval", "pool", "set.jsonl")
    assert "0 of 5 passages unjudged; 2 queries\nAgreement of 3 judges" in printed
    assert [pair["judges"] for pair in pool()["agreement"]["pairs"]] == [
        ["anna", "ben"], ["anna", "cleo"], ["ben", "cleo"],
    ]  # fmt: skip


def test_what_the_set_labels_already_is_not_asked_for() -> None:
    quote = "The battery of the pump."
    line = {"id": "a", "query": "battery", "relevant": [{"document": "pump.md", "quote": quote}]}
    Path("set.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert pool()["n_pooled"] == 4
    assert sorted(each["document"] for each in pool()["unjudged"]) == ["errors.md", "lamp.md", "setup.md"]


def test_a_set_that_labels_documents_has_documents_judged() -> None:
    line = {"id": "a", "query": "battery", "relevant": ["pump.md"]}
    Path("set.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert "3 judgments kept" in label("111")
    (record,) = records()
    assert record["relevant"][0] == "pump.md"
    assert sorted(record["relevant"][1:]) == ["errors.md", "lamp.md", "setup.md"]
    assert "documents unjudged" in succeed("eval", "pool", "set.jsonl")


def test_a_set_of_several_kinds_is_not_judged_and_says_what_to_do() -> None:
    quote = {"document": "pump.md", "quote": "The battery of the pump."}
    Path("set.jsonl").write_text(
        json.dumps({"query": "battery", "relevant": ["lamp.md", quote]}) + "\n", encoding="utf-8"
    )
    assert "labels documents and passages, and judgments are of one kind" in fail("eval", "pool", "set.jsonl")


def test_an_array_is_labelled_too() -> None:
    Path("set.jsonl").write_text('[{"id": 1, "query": "voltage", "relevant": []}]', encoding="utf-8")
    label("2")
    (record,) = json.loads(Path("set.jsonl").read_text(encoding="utf-8"))
    assert [each["relevance"] for each in record["relevant"]] == [2]


def test_the_pool_is_listed_within_the_screen_what_tells_most_first() -> None:
    lines = succeed("eval", "pool", "set.jsonl", "-k", "3").splitlines()
    assert lines[0].split() == ["Tells", "fts5", "Query", "Result"]
    told = [float(line.split()[0]) for line in lines[1:4]]
    assert told == sorted(told, reverse=True)
    assert max(map(len, lines)) <= 80
    assert "5 of 5 passages unjudged, 3 shown; 2 queries" in lines
    assert lines[-1] == "Judge them: rankle eval label set.jsonl"


@pytest.mark.parametrize("columns", [40, 60])
def test_the_pool_fits_on_narrow_screens(columns: int) -> None:
    code, shown = on_terminal(
        "eval", "pool", "set.jsonl", "--method", "fts5", environ={"COLUMNS": str(columns), "NO_COLOR": "1"}
    )
    assert code == 0
    assert max(map(len, shown.splitlines())) <= columns
    assert "5 of 5 passages unjudged; 2 queries" in shown


def test_a_round_needs_a_terminal_and_a_set() -> None:
    assert "To see what is to be judged: rankle eval pool set.jsonl" in fail("eval", "label", "set.jsonl")
    assert "no.jsonl" in fail("eval", "pool", "no.jsonl")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("set.csv", "query,relevant\nvoltage,errors.md\n", "is no JSON"),
        ("q.json", '[{"question": "voltage", "x": 1}]', "members on line 1 that are not of our sets"),
        ("set.jsonl", '{"query": "a", "relevant": [], "of_version": 9}\n', 'unknown key "of_version"'),
        ("set.judgments.jsonl", '{"query": "a", "relevant": []}\n', "holds the judgments beside a set"),
    ],
)
def test_a_set_that_labels_cannot_be_written_into_is_refused_and_stays(
    name: str, content: str, said: str
) -> None:
    Path(name).write_text(content, encoding="utf-8")
    code, seen = play("eval", "label", name, typed="")
    assert (code, said in " ".join(seen.split())) == (2, True), seen
    assert Path(name).read_text(encoding="utf-8") == content


def test_a_judgment_that_cannot_be_read_is_told_with_its_line() -> None:
    label("1q")
    with Path("set.judgments.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "x", "of_version": 9}\n')
    outcome = rankle("eval", "pool", "set.jsonl")
    assert outcome.code == 2
    assert "set.judgments.jsonl:2: is no judgment, or one of a newer version" in outcome.err


def test_an_unknown_method_is_refused() -> None:
    assert 'did you mean "fts5"' in fail("eval", "pool", "set.jsonl", "--method", "fts")
    assert "--method must be names" in fail("eval", "pool", "set.jsonl", "--method", "fts5,,x")


def test_two_judges_at_once_lose_nothing_of_each_other() -> None:
    """Each on a terminal of its own; both write beside the same set, and both write it at the end."""
    with ThreadPoolExecutor(2) as both:
        anna = both.submit(label, "01233", "--judge", "anna")
        ben = both.submit(label, "33n210", "--judge", "ben", notes=("why",))
        rounds = [anna.result(), ben.result()]
    assert all("5 judgments kept and written to set.jsonl; all is judged" in seen for seen in rounds)
    lines = Path("set.judgments.jsonl").read_text(encoding="utf-8").splitlines()
    given: dict[str, dict[str, int]] = {"anna": {}, "ben": {}}
    for line in map(json.loads, lines):
        given[line["judge"]][f"{line['query']} {line['target']}"] = line["grade"]
    assert [len(grades) for grades in given.values()] == [5, 5]
    written = {
        f"{record['id']} {each['chunk']}": each["relevance"]
        for record in records()
        for each in record.get("relevant", ())
    }
    assert written == {key: min(given["anna"][key], given["ben"][key]) for key in given["anna"]}
    assert [pair["judges"] for pair in pool()["agreement"]["pairs"]] == [["anna", "ben"]]


def test_a_killed_round_is_gone_on_with_by_another_judge_too() -> None:
    assert play("eval", "label", "set.jsonl", typed="30", ended_by=signal.SIGKILL).code != 0
    seen = label("11111", "--judge", "ben")  # is asked for all five, since anna's are hers
    assert "5 judgments kept" in seen
    assert "Agreement of 2 judges" in seen
    assert "[1 of 2]" in label("222")  # two of anna's first four are given, and one of the next query is left
    assert sorted(pair["kappa"]["n_items"] for pair in pool()["agreement"]["pairs"]) == [5]
