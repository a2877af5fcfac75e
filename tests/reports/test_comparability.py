"""What makes two runs no comparison, what is said of it, and what `force` makes of them."""

from typing import Any

import msgspec
import pytest

from fakes.compared import compared_run
from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.run import CoverageReport, RunReport
from rankle.reports.comparing import Request, compare_runs
from rankle.reports.comparison import Comparison

M = "nDCG@10"
SCORES = [0.5, 0.25, 1.0, 0.0]
JUDGED = [{"a.md": 1}, {"b.md": 2, "c.md": 0}, {"a.md": 1}, {"d.md": 1}]
OTHER_SET = "1" * 64


def run(method: str, **changed: Any) -> RunReport:
    return compared_run(method, {M: SCORES}, **{"targets": JUDGED, **changed})


def with_set(report: RunReport, **members: Any) -> RunReport:
    return msgspec.structs.replace(
        report, set=msgspec.structs.replace(report.set, **{"fingerprint": OTHER_SET, **members})
    )


def compared(*runs: RunReport, force: bool = False) -> Comparison:
    return compare_runs(runs, [one.system.method for one in runs], Request(force=force))


def refusal(*runs: RunReport) -> list[str]:
    """What is said to differ."""
    with pytest.raises(CannotMeasureError) as caught:
        compared(*runs)
    first, *lines, last = str(caught.value).splitlines()
    assert first == "these runs cannot be compared, since they differ in more than their systems:"
    assert last == "--force compares the queries and measures that they have in common"
    return lines


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"level": "chunk"}, "  level differs: A document, B chunk"),
        ({"depth": 50}, "  depth differs: A 100, B 50"),
        ({"ties": "trec"}, "  ties differ: A system, B trec"),
    ],
    ids=["level", "depth", "ties"],
)
def test_how_it_was_measured_must_be_the_same(changed: dict[str, Any], line: str) -> None:
    assert refusal(run("a"), run("b", **changed)) == [line]


def test_recorded_files_may_hold_lists_of_any_depth() -> None:
    """They were asked for nothing; a run that was searched at another depth is another matter."""
    a, b = run("a"), run("b", depth=10)
    recorded = [
        msgspec.structs.replace(one, system=msgspec.structs.replace(one.system, path=f"{name}.run"))
        for name, one in (("a", a), ("b", b))
    ]
    assert compared(*recorded).mismatches == []
    assert refusal(a, recorded[1]) == ["  depth differs: A 100, B 10"]


def test_passages_must_be_covered_by_the_same_shares() -> None:
    half, all_of_it = (CoverageReport(of_span=share, of_chunk=0.5) for share in (0.5, 1.0))
    runs = [run("a", level="span", coverage=half), run("b", level="span", coverage=all_of_it)]
    (line,) = refusal(*runs)
    assert line == (
        "  level differs: A span (covered by 0.5 of it or 0.5 of a chunk), "
        "B span (covered by 1 of it or 0.5 of a chunk)"
    )


def test_measures_must_be_the_same_unless_they_are_named() -> None:
    a, b = run("a"), compared_run("b", {M: SCORES, "AP": SCORES, "Judged@10": SCORES}, targets=JUDGED)
    assert refusal(a, b) == ["  measures differ: A nDCG@10, B nDCG@10, AP"]
    named = compare_runs([a, b], ["a", "b"], Request(measures=(M,)))
    assert (named.forced, named.mismatches) == (False, [])
    assert [one.measure for one in compared(a, b, force=True).pairs[0].measures] == [M]


def test_other_judgments_are_told_by_their_fingerprints_and_queries() -> None:
    judged = [{"a.md": 1}, {"b.md": 1, "c.md": 0}, {"z.md": 1}, {"d.md": 1}]
    (line,) = refusal(run("a"), with_set(run("b", targets=judged)))
    assert line.startswith("  judgments differ: fingerprint A ")
    assert line.endswith("(2 of the queries of both: q1, q2)")
    (mismatch,) = compared(run("a"), with_set(run("b", targets=judged)), force=True).mismatches
    assert (mismatch.what, len(mismatch.first), mismatch.first != mismatch.other) == ("judgments", 64, True)


def test_other_queries_are_told_and_the_common_ones_compared_by_force() -> None:
    shorter = compared_run("b", {M: SCORES[:3]}, targets=JUDGED[:3])
    (line,) = refusal(run("a"), with_set(shorter))
    assert line.startswith("  queries differ: fingerprint A ")
    assert line.endswith("(3 in common, of 4 and 3)")
    found = compared(run("a"), with_set(shorter), force=True)
    assert (found.n_queries, found.forced, found.pairs[0].measures[0].n) == (3, True, 3)
    assert found.notes[0].startswith("forced although queries differ: fingerprint A ")
    assert "forced" in str(found)


def test_a_query_with_other_words_or_of_another_collection_is_another_query() -> None:
    asked = [{}, {"query": "something else"}, {"collection": "hr"}]
    other = with_set(run("b", queries=asked))
    assert refusal(run("a"), other)[0].endswith("(2 in common, of 4 and 4)")
    assert compared(run("a"), other, force=True).n_queries == 2


def test_sets_that_differ_in_what_no_measure_reads_are_compared_and_told() -> None:
    tagged = with_set(run("b", queries=[{"tags": ["x"]}]))
    (note,) = compared(run("a"), tagged).notes
    assert note == (
        "the sets of A and B differ, though not in queries or judgments (in tags, answers or topics), so "
        "they are compared"
    )


def test_without_judgments_in_the_records_the_set_decides() -> None:
    a, b = (compared_run(name, {M: SCORES}) for name in "ab")
    (line,) = refusal(a, with_set(b))
    assert line == (
        "  set differs: fingerprint A 000000000000, B 111111111111 "
        "(the records keep no judgments that would tell more)"
    )


def test_one_set_over_two_indexes_is_compared_and_told() -> None:
    """Of a document that one index lacks, the target is the name as written."""
    moved = run("b", targets=[{"docs/a.md": 1}, *JUDGED[1:]])
    assert compared(run("a"), moved).notes == [
        "of 1 query the labels mean other targets in B than in A, since what is indexed differs: q0"
    ]


def test_targets_of_another_level_are_no_sign_of_another_index() -> None:
    other = run("b", level="chunk", targets=[{"chunk-0a1b2c3d4e5f": 1}, *JUDGED[1:]])
    (note,) = compared(run("a"), other, force=True).notes
    assert note.startswith("forced although level differs")


def test_all_that_differs_is_told_at_once_and_of_every_run() -> None:
    runs = [run("a"), run("b", depth=50, level="chunk"), run("c", depth=20)]
    assert refusal(*runs) == [
        "  level differs: A document, B chunk",
        "  depth differs: A 100, B 50",
        "  depth differs: A 100, C 20",
    ]


def test_versions_may_differ_and_are_told() -> None:
    assert compared(run("a"), run("b", rankle_version="9")).notes == [
        "the runs were made by different versions of this program: A 0, B 9"
    ]


def test_nothing_in_common_cannot_be_forced() -> None:
    queries = [{"id": f"x{n}"} for n in range(4)]
    with pytest.raises(CannotMeasureError, match="no query in common"):
        compared(run("a"), with_set(run("b", queries=queries)), force=True)
    with pytest.raises(CannotMeasureError, match="no measure of relevance in common"):
        compared(run("a"), compared_run("b", {"AP": SCORES}, targets=JUDGED), force=True)


def test_a_run_is_not_compared_with_itself() -> None:
    for again in (run("a"), msgspec.structs.replace(run("a"))):
        with pytest.raises(InputError, match=r'"a" and "a" are the same run \(a\), so there is nothing'):
            compared(run("a"), again)
    with pytest.raises(InputError, match="same run"):
        compared(run("a"), run("b"), run("a"))


def test_another_run_with_the_same_results_is_compared() -> None:
    (one,) = compared(run("a"), run("a", id="another")).pairs[0].measures
    assert (one.ties, one.p_value) == (4, 1.0)
