"""The HTML report: one file that asks for nothing, text that stays text, headers, labels, big runs cut."""

import base64
import hashlib
import json
import re
from typing import Any

import msgspec
import pytest
from selectolax.lexbor import LexborHTMLParser

from fakes.abstaining import abstaining_run
from fakes.exported_runs import CONTROL, FORMULA, MARKUP, two_runs
from fakes.hand_worked_funnel import SET, SYSTEM
from fakes.runs import run_report
from rankle.core.run import ResultReport, RunReport
from rankle.reports.html import render_html


@pytest.fixture(scope="module")
def text() -> str:
    return render_html(two_runs())


@pytest.fixture(scope="module")
def page(text: str) -> LexborHTMLParser:
    return LexborHTMLParser(text)


def data_of(page: LexborHTMLParser) -> dict[str, Any]:
    (element,) = page.css("script#data")
    found: dict[str, Any] = json.loads(element.text())
    return found


def test_nothing_is_fetched(page: LexborHTMLParser) -> None:
    assert not page.css("[src],[href],[action],[style],link,iframe,object,embed,base,form,img,image,use")
    style = page.css("style")[0].text()
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in page.css("script:not([type])")[0].text()


def test_the_policy_allows_our_script_and_style_and_nothing_else(page: LexborHTMLParser) -> None:
    policy = page.css("meta[http-equiv]")[0].attributes["content"] or ""
    script = page.css("script:not([type])")[0].text()
    hashes = {
        kind: base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        for kind, content in {"script": script, "style": page.css("style")[0].text()}.items()
    }
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert len(page.css("script:not([type])")) == 1


def test_the_policy_stands_before_anything_that_it_is_about(text: str) -> None:
    assert text.index("Content-Security-Policy") < text.index("<style>") < text.index("<script")


def test_text_from_elsewhere_is_text(page: LexborHTMLParser, text: str) -> None:
    assert "<script>alert" not in text
    assert not page.css("b + script, i, a")
    assert page.css("h1")[0].text() == "set <i>.jsonl"
    assert MARKUP in page.css(".notes")[0].text()
    assert MARKUP in page.css(".alert")[0].text()
    assert [query["query"] for query in data_of(page)["queries"]] == ["the first", FORMULA, MARKUP, CONTROL]


def test_no_control_character_is_in_the_file(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text)


def test_the_script_writes_text_only(page: LexborHTMLParser) -> None:
    script = page.css("script:not([type])")[0].text()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", script
    )


def test_every_table_has_headers_with_a_scope_and_every_control_a_label(page: LexborHTMLParser) -> None:
    assert page.css("html")[0].attributes["lang"] == "en"
    assert all(head.attributes.get("scope") in ("col", "row") for head in page.css("th"))
    for table in page.css("table:not(#list)"):
        assert table.css("th[scope=col]")
        assert len(table.css("tbody tr")) == len(table.css("tbody th[scope=row]"))
    assert all(control.parent.tag == "label" for control in page.css("input,select") if control.parent)
    assert all(chart.attributes.get("aria-label") for chart in page.css("svg.chart"))
    assert all(chart.attributes.get("aria-hidden") for chart in page.css("svg:not(.chart)"))


def test_a_failure_stands_with_its_denominator_and_its_error(page: LexborHTMLParser) -> None:
    (alert,) = page.css(".alert")
    assert alert.css("h2")[0].text() == "The system failed on 1 of 4 queries with fts5"
    assert "RuntimeError" in alert.text()
    lines = [line.text() for line in page.css("p.small")]
    assert "Queries (fts5): 2 scored, 0 undefined, 1 failed" in lines


def test_a_query_has_its_targets_with_stage_ranks_and_where_each_was_lost(page: LexborHTMLParser) -> None:
    data = data_of(page)
    first, second = data["queries"][1]["runs"]
    ((place, grade, relevant, rank, lost_at, rank_at),) = first["targets"]
    assert data["ids"][place] == "b.md"
    assert (grade, relevant, rank, lost_at) == (2, True, 12, "below k")
    assert rank_at == {"fts5": 12, "vector": 3}
    assert second["targets"][0][4] is None


def test_a_query_has_its_results_with_grades(page: LexborHTMLParser) -> None:
    data = data_of(page)
    results = data["queries"][0]["runs"][0]["results"]
    assert [(rank, data["ids"][place], grade) for rank, place, _, _, grade in results] == [
        (1, "a.md", 1),
        (2, "other.md", None),
        (3, MARKUP, None),
    ]


def test_a_chunk_stands_with_its_document() -> None:
    run = run_report("fts5", {"AP": [1.0]})
    result = ResultReport(rank=1, id="chunk-1", document="a.md", score=2.0, grade=1, chunks=["chunk-1"])
    query = msgspec.structs.replace(run.queries[0], results=[result])
    data = data_of(LexborHTMLParser(render_html([msgspec.structs.replace(run, queries=[query])])))
    (found,) = data["queries"][0]["runs"][0]["results"]
    assert [data["ids"][found[1]], data["ids"][found[2]]] == ["chunk-1", "a.md"]


def test_two_runs_have_a_chart_of_their_differences(page: LexborHTMLParser) -> None:
    labels = [chart.attributes["aria-label"] for chart in page.css("svg.chart")]
    assert labels == [
        "Difference in NDCG@10 of every query, largest gain first",
        "NDCG@10 of every scored query, best first",
    ]
    cells = [cell.text() for cell in page.css("#differences tbody tr > *")]
    assert cells == ["hybrid", "+0.171", "—", "1.0000", "1 / 1 / 0"]


def test_one_run_has_intervals_and_no_differences() -> None:
    page = LexborHTMLParser(render_html(two_runs()[:1]))
    assert not page.css("#differences")
    assert [cell.text() for cell in page.css("#measures tbody tr:first-child > *")][:4] == [
        "NDCG@10", "0.645", "0.005–0.998", "2",
    ]  # fmt: skip


def test_runs_over_other_sets_get_no_differences_and_are_told_why() -> None:
    first, second = two_runs()
    other = msgspec.structs.replace(second.set, fingerprint="2" * 64)
    page = LexborHTMLParser(render_html([first, msgspec.structs.replace(second, set=other)]))
    assert not page.css("#differences")
    assert "over different sets or levels" in page.css("main")[0].text()


def test_first_hits_are_counted_over_the_scored_queries() -> None:
    rows = LexborHTMLParser(render_html(two_runs()[:1])).css("#ranks tbody tr")
    counts = {row.css("th")[0].text(): row.css("td")[0].text() for row in rows}
    assert counts == {
        "1": "1 50.0%", "2–3": "0 0.0%", "4–5": "0 0.0%", "6–10": "0 0.0%", "below 10": "1 50.0%",
        "not in the results": "0 0.0%",
    }  # fmt: skip


def long_run(*, n_queries: int, n_results: int) -> RunReport:
    run = run_report("fts5", {"AP": [0.5] * n_queries})
    results = [
        ResultReport(rank=rank, id=f"d{rank}", document=f"d{rank}", score=1.0, grade=None, chunks=[])
        for rank in range(1, n_results + 1)
    ]
    queries = [msgspec.structs.replace(query, results=results) for query in run.queries]
    return msgspec.structs.replace(run, queries=queries)


def test_long_lists_of_many_queries_are_cut_and_the_page_says_so() -> None:
    page = LexborHTMLParser(render_html([long_run(n_queries=2000, n_results=60)]))
    answers = [query["runs"][0] for query in data_of(page)["queries"]]
    assert {(len(answer["results"]), answer["n_results"]) for answer in answers} == {(50, 60)}
    assert "it has the first 50 results of each query" in page.css("#queries")[0].text()


def test_a_cut_never_goes_above_the_largest_k() -> None:
    page = LexborHTMLParser(render_html([long_run(n_queries=11_000, n_results=11)]))
    assert len(data_of(page)["queries"][0]["runs"][0]["results"]) == 10


def test_small_runs_are_whole_and_no_cut_is_told_of() -> None:
    page = LexborHTMLParser(render_html([long_run(n_queries=3, n_results=60)]))
    assert len(data_of(page)["queries"][0]["runs"][0]["results"]) == 60
    assert "To keep this file small" not in page.css("#queries")[0].text()


@pytest.mark.parametrize(
    "scores", [[None], [None, None], [0.0], [1.0]], ids=["failed", "all failed", "zero", "one"]
)
def test_a_run_of_hardly_anything_is_a_page(scores: list[float | None]) -> None:
    page = LexborHTMLParser(render_html([run_report("fts5", {"AP": scores})]))
    assert page.css("h1")[0].text() == "set"


def test_queries_on_which_abstention_is_wrong_can_be_picked_out() -> None:
    """Each answer says which side its query is on and what the run did; one that failed says neither."""
    run = abstaining_run("fts5", answerable=[True], unanswerable=[False, None])
    page = LexborHTMLParser(render_html([run]))
    told = [query["runs"][0] for query in data_of(page)["queries"]]
    assert [(one.get("answerable"), one.get("abstained")) for one in told] == [
        (True, True),
        (False, False),
        (None, None),
    ]
    script = page.css("script:not([type])")[0].text()
    assert '"answered though nothing does"' in script
    assert '"abstained though there is an answer"' in script


def test_a_run_whose_set_marks_nothing_says_nothing_of_abstention() -> None:
    page = LexborHTMLParser(render_html(two_runs()))
    answers = [one for query in data_of(page)["queries"] for one in query["runs"] if one]
    assert answers and not any("abstained" in one for one in answers)  # noqa: PT018 - one absence


def test_a_funnel_is_shown_where_the_run_has_one() -> None:
    import asyncio

    from fakes.hand_worked import STAMP
    from rankle.harness.evaluation import evaluate_system
    from rankle.harness.settings import Settings

    run = asyncio.run(
        evaluate_system(
            SET, SYSTEM, Settings(k=(1, 2)), stamp=STAMP, clock=lambda: 0.0, on_progress=lambda done, of: None
        )
    )
    assert run.funnel is not None
    page = LexborHTMLParser(render_html([run]))
    words = page.css("main")[0].text()
    assert f"What became of the {run.funnel.n_targets} relevant targets" in words
    assert all(stage.stage in words for stage in run.funnel.stages)
