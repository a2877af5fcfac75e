"""`rankle score`: figures of files, side by side, as trec_eval prints them, and as records."""

import json
import re
from pathlib import Path

import click
import jsonschema
import pytest

from fakes.command import fail, rankle, succeed, write_files
from fakes.unprivileged import unprivileged
from rankle.cli.score import score as score_command
from rankle.reports.json import parse_json
from rankle.reports.schema import schema_of

FILES = {
    "set.qrels": "1 0 a 2\n1 0 b 0\n1 0 z 1\n2 0 a 1\n3 0 c 0\n4 0 d 1\n",
    "one.run": "1 Q0 b 1 2 alpha\n1 Q0 a 2 1 alpha\n1 Q0 u 3 .5 alpha\n"
    "2 Q0 x 1 1 alpha\n2 Q0 a 2 1 alpha\n3 Q0 c 1 1 alpha\n",
    "two.run": "1 Q0 a 1 2 beta\n2 Q0 a 2 1 beta\n4 Q0 d 1 1 beta\n",
}
GOLDENS = Path(__file__).parent.parent / "metrics" / "goldens"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(*args: str | Path) -> str:
    """What a command prints for programs; its remarks stand on the error stream."""
    outcome = rankle(*args)
    assert outcome.code == 0, outcome
    return outcome.out


def test_runs_stand_side_by_side_with_their_denominators(folder: Path) -> None:
    assert (
        succeed("score", "set.qrels", "one.run", "two.run", "--measures", "RR,R@10,Judged@1")
        == """\
Scores: set.qrels (4 queries)
Ties: trec

Measure         alpha       beta
────────────────────────────────────────
RR              0.3333      1.0000
R@10            0.5000      0.8333
Judged@1        0.5000      0.7500

alpha: RR, R@10: mean of 3 queries, 1 missing from the run, scored 0, 1
  undefined, left out
alpha: Judged@1: mean of 4 queries, 1 missing from the run, scored 0
alpha: queries of the qrels that the run does not have: 1 of 4
alpha: judged among the first 10 results of a query: 4 of 6 (66.7 %); the others
  count as not relevant
alpha: judged targets that the run retrieved: 4 of 5 (80.0 %)
beta: RR, R@10: mean of 3 queries, 1 undefined, left out
beta: Judged@1: mean of 4 queries, 1 missing from the run, scored 0
beta: queries of the qrels that the run does not have: 1 of 4
beta: judged targets that the run retrieved: 3 of 5 (60.0 %)
"""
    )


def test_the_figures_of_every_query(folder: Path) -> None:
    assert table("score", "set.qrels", "one.run", "--measures", "RR,P@1", "--per-query") == (
        "query\tRR\tP@1\n1\t0.5000\t0.0000\n2\t0.5000\t0.0000\n3\t—\t—\n4\t0.0000\t0.0000\n"
        "all\t0.3333\t0.0000\nn_scored\t3\t3\n"
    )
    both = table("score", "set.qrels", "one.run", "two.run", "--measures", "RR", "--per-query")
    assert "run\tquery\tRR\nalpha\t1\t0.5000\n" in both
    assert "beta\t4\t1.0000\n" in both


@pytest.mark.parametrize("mode", ["--trec", "--per-query"])
def test_remarks_stand_on_the_error_stream_where_the_table_is_for_programs(folder: Path, mode: str) -> None:
    ran = rankle("score", "set.qrels", "one.run", mode)
    assert ran.code == 0
    assert "that the run does not have" not in ran.out
    assert ran.err.splitlines() == [
        "queries of the qrels that the run does not have: 1 of 4",
        "judged among the first 10 results of a query: 4 of 6 (66.7 %); the others count as not relevant",
        "judged targets that the run retrieved: 4 of 5 (80.0 %)",
    ]
    both = rankle("score", "set.qrels", "one.run", "two.run", mode)
    assert "beta: queries of the qrels that the run does not have: 1 of 4" in both.err


def test_runs_of_one_tag_are_named_by_their_files(folder: Path) -> None:
    (folder / "sub").mkdir()
    write_files(folder, {"same.run": FILES["one.run"], "sub/one.run": FILES["one.run"]})
    runs = json.loads(succeed("score", "set.qrels", "one.run", "same.run", "two.run", "--json"))["runs"]
    assert [run["system"]["name"] for run in runs] == ["one.run", "same.run", "beta"]
    assert [run["system"]["path"] for run in runs] == ["one.run", "same.run", "two.run"]
    runs = json.loads(succeed("score", "set.qrels", "one.run", "sub/one.run", "--json"))["runs"]
    assert [run["system"]["name"] for run in runs] == ["one.run", "sub/one.run"]


def test_long_names_are_cut_so_that_they_differ(folder: Path) -> None:
    tags = [f"a-system-of-a-very-long-name-{end}" for end in ("first", "second")]
    tags += [f"{'x' * 20}{middle}{'x' * 20}" for middle in "ab"]
    paths = [f"{place}.run" for place in range(4)]
    texts = [FILES["two.run"].replace("beta", tag) for tag in tags]
    write_files(folder, dict(zip(paths, texts, strict=True)))
    printed = succeed("score", "set.qrels", *paths, "--measures", "RR")
    heads = [line.split()[1:] for line in printed.splitlines() if line.startswith("Measure")]
    assert [name for head in heads for name in head] == [
        "a-system-…ong-name-first",
        "a-system-…ng-name-second",
        "3:xxxxxxxx…xxxxxxxxxxxx",
        "4:xxxxxxxx…xxxxxxxxxxxx",
    ]


def test_the_output_is_none_of_the_inputs_and_no_other_file(folder: Path) -> None:
    for name in ("set.qrels", "one.run"):
        assert "is the file that is read" in fail("score", "set.qrels", "one.run", "-o", name)
    write_files(folder, {"notes.txt": "mine"})
    assert "is no record of a run" in fail("score", "set.qrels", "one.run", "-o", "notes.txt")
    succeed("score", "set.qrels", "one.run", "-o", "out.json")
    succeed("score", "set.qrels", "one.run", "-o", "out.json")
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "set.qrels").read_text() == FILES["set.qrels"]


def test_click_leaves_files_without_permission_to_their_reader_which_names_the_next_step() -> None:
    paths = [parameter.type for parameter in score_command.params if isinstance(parameter.type, click.Path)]
    assert len(paths) == 3
    assert not any(path.readable for path in paths)


def test_a_file_without_permission_has_a_next_step(folder: Path) -> None:
    table("score", "set.qrels", "one.run")  # imports what the command needs
    (folder / "one.run").chmod(0)
    with unprivileged(folder):
        said = fail("score", "set.qrels", "one.run")
    assert said == "Error: no permission to read one.run; allow it, for example: chmod u+r one.run\n"


def test_trec_evals_lines_and_means(folder: Path) -> None:
    assert table("score", "set.qrels", "one.run", "--measures", "map,P_1,nDCG@10,RR@2,R_cap@2", "--trec") == (
        "runid                 \tall\talpha\n"
        "num_q                 \tall\t3\n"
        "map                   \tall\t0.2500\n"
        "P_1                   \tall\t0.0000\n"
        "ndcg_cut_10           \tall\t0.3702\n"
        "RR@2                  \tall\t0.3333\n"
        "R_cap@2               \tall\t0.5000\n"
    )
    complete = table("score", "set.qrels", "one.run", "--measures", "map", "--trec", "--complete")
    assert complete.endswith("num_q                 \tall\t4\nmap                   \tall\t0.1875\n")


def test_our_goldens_at_the_shell_are_trec_evals_lines() -> None:
    expected = json.loads((GOLDENS / "expected.json").read_text())
    lines = table(
        "score",
        GOLDENS / "tiny.qrels",
        GOLDENS / "tiny.run",
        "--measures",
        "map,ndcg_cut_10,bpref",
        "--trec",
        "--per-query",
    ).splitlines()
    for query, values in expected.items():
        assert f"{'map':<22}\t{query}\t{values['AP']:.4f}" in lines
        assert f"{'ndcg_cut_10':<22}\t{query}\t{values['nDCG@10']:.4f}" in lines
        assert f"{'bpref':<22}\t{query}\t{values['Bpref']:.4f}" in lines
    mean = sum(values["AP"] for values in expected.values()) / len(expected)
    assert f"{'map':<22}\tall\t{mean:.4f}" in lines


def test_the_json_is_a_record_of_each_run(folder: Path) -> None:
    printed = succeed("score", "set.qrels", "one.run", "--measures", "RR,nDCG@10", "--json", "-o", "out.json")
    assert (folder / "out.json").read_text() == printed
    record = json.loads(printed)
    jsonschema.validate(record, schema_of("run-1"))
    assert record["schema"] == "rankle.run/1"
    assert record["measures"]["RR"]["mean"] == pytest.approx(1 / 3)
    assert record["measures"]["RR"]["n_missing"] == 1
    assert record["measures"]["RR"]["n_undefined"] == 1
    assert record["k"] == [10]
    assert record["ties"] == "trec"
    queries = {query["id"]: query for query in record["queries"]}
    assert queries["1"]["scores"]["RR"] == 0.5
    assert queries["1"]["first_relevant_rank"] == 2
    assert queries["3"]["status"] == "undefined"
    assert queries["4"]["first_relevant_rank"] is None
    assert queries["1"]["targets"] == [
        {"id": "a", "grade": 2, "relevant": True, "rank": 2, "rank_at": {}, "lost_at": None},
        {"id": "b", "grade": 0, "relevant": False, "rank": 1, "rank_at": {}, "lost_at": None},
        {
            "id": "z",
            "grade": 1,
            "relevant": True,
            "rank": None,
            "rank_at": {},
            "lost_at": "no candidate list",
        },
    ]
    assert queries["1"]["results"][1:] == [
        {"rank": 2, "id": "a", "document": "a", "score": 1.0, "grade": 2, "chunks": []},
        {"rank": 3, "id": "u", "document": "u", "score": 0.5, "grade": None, "chunks": []},
    ]
    assert queries["4"]["results"] == []
    two = json.loads(succeed("score", "set.qrels", "one.run", "two.run", "--json"))
    assert [run["system"]["name"] for run in two["runs"]] == ["alpha", "beta"]
    assert len(parse_json(json.dumps(two))) == 2


@pytest.mark.parametrize(
    "options",
    [[], ["--ties", "system"], ["--ignore-self"], ["--max-results", "2"], ["--normalise", "ids=case"]],
)
def test_the_figures_of_a_record_follow_from_its_targets(folder: Path, options: list[str]) -> None:
    lines = (
        "1 Q0 b 1 2 t\n1 Q0 a 2 2 t\n1 Q0 1 2 2 t\n1 Q0 Z 2 1 t\n1 Q0 a 9 .1 t\n2 Q0 x 1 1 t\n2 Q0 a 1 1 t\n"
    )
    write_files(folder, {"odd.run": lines})
    measures = ["--measures", "RR,R@1,P@3"]
    record = json.loads(succeed("score", "set.qrels", "odd.run", *measures, *options, "--json"))
    assert any(query["status"] == "scored" for query in record["queries"])
    for query in record["queries"]:
        assert [result["rank"] for result in query["results"]] == list(range(1, len(query["results"]) + 1))
        ranks = [target["rank"] for target in query["targets"] if target["relevant"]]
        assert query["first_relevant_rank"] == min(filter(None, ranks), default=None)
        if query["status"] == "scored":
            assert query["scores"]["R@1"] == pytest.approx(ranks.count(1) / len(ranks))
            hits = [result for result in query["results"][:3] if result["grade"]]
            assert query["scores"]["P@3"] == pytest.approx(len(hits) / 3)


def test_a_record_holds_as_many_results_as_its_measures_read(folder: Path) -> None:
    lines = "".join(f"1 Q0 d{n} 1 {500 - n} t\n" for n in range(400))
    write_files(folder, {"long.run": f"{lines}1 Q0 a 9 0 t\n"})
    for measures, n_results, lost in [
        ("P@5,R@20", 20, "below k"),
        ("RR", 100, None),
        ("RR,R@300", 300, "below k"),
    ]:
        record = json.loads(succeed("score", "set.qrels", "long.run", "--measures", measures, "--json"))
        assert len(record["queries"][0]["results"]) == n_results
        target = record["queries"][0]["targets"][0]
        assert (target["rank"], target["lost_at"]) == (401, lost)


def test_a_join_that_is_broken_in_part_is_told_with_what_mends_it(folder: Path) -> None:
    targets = [f"d{n}" for n in range(6)] + [f"E{n}" for n in range(4)]
    write_files(folder, {
        "half.qrels": "".join(f"1 0 {target} 1\n" for target in targets),
        "half.run": "".join(f"1 Q0 {target.lower()} 1 {n} t\n" for n, target in enumerate(targets)),
    })  # fmt: skip
    assert (
        "judged targets that the run retrieved: 6 of 10 (60.0 %); --normalise 'targets=case' would join "
        "10 of 10 judged targets looked at, not 6"
    ) in " ".join(succeed("score", "half.qrels", "half.run", "--measures", "RR").split())


def test_equal_files_have_equal_fingerprints(folder: Path) -> None:
    runs = [json.loads(succeed("score", "set.qrels", "one.run", "--json")) for _ in range(2)]
    assert runs[0]["set"] == runs[1]["set"]
    assert runs[0]["system"] == runs[1]["system"]
    assert re.fullmatch("[0-9a-f]{64}", runs[0]["system"]["fingerprint"])


def test_grades_conflicts_and_hash_lines_are_settled_by_flags(folder: Path) -> None:
    write_files(folder, {"words.qrels": "1 0 a high\n1 0 b no\n", "twice.qrels": "1 0 a 0\n1 0 a 2\n"})
    said = fail("score", "words.qrels", "one.run")
    assert "words.qrels:1:" in said
    assert "words.qrels:2:" in said
    named = table(
        "score", "words.qrels", "one.run", "--gain", "high=2", "--gain", "no=0", "--measures", "RR", "--trec"
    )
    assert "recip_rank            \tall\t0.5000" in named
    assert "--conflicts highest" in fail("score", "twice.qrels", "one.run")
    assert "0.5000" in succeed("score", "twice.qrels", "one.run", "--conflicts", "last", "--measures", "RR")


def test_options_of_trec_eval(folder: Path) -> None:
    first = table("score", "set.qrels", "one.run", "--max-results", "1", "--measures", "RR", "--trec")
    assert "recip_rank            \tall\t0.0000" in first
    system = table("score", "set.qrels", "one.run", "--ties", "system", "--measures", "RR", "--trec")
    assert "Ties" not in system


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["set.qrels", "gone.run"], "no such file: gone.run"),
        (["set.qrels", "."], "is a folder"),
        (["set.qrels", "one.run", "--measures", "ndgc@10"], 'did you mean "nDCG@10"?'),
        (["set.qrels", "one.run", "--complete"], "--complete goes with --trec"),
        (["set.qrels", "one.run", "--gain", "high"], "--gain must be LABEL=N"),
        (["-", "-"], "only one of the files can be -"),
        (["one.run", "set.qrels"], "one.run is a run (columns of a TREC run"),
        (["set.qrels", "one.run", "-o", "no/such/out.json"], "no such folder"),
    ],
)
def test_bad_input_is_one_clear_error_and_exit_code_2(args: list[str], message: str, folder: Path) -> None:
    assert message in fail("score", *args)


def test_at_least_one_run_is_needed(folder: Path) -> None:
    assert rankle("score", "set.qrels").code == 2
