"""Every format tells the same figures: read back from each, and held against the record."""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt
from msgspec import UNSET
from selectolax.lexbor import LexborHTMLParser

from fakes.abstaining import abstaining_run, two_abstaining
from fakes.exported_runs import two_runs
from fakes.runs import run_report
from rankle.core.run import RunReport
from rankle.metrics.measure import parse_measure
from rankle.reports.abstention import abstention_figures, share_counts, share_interval, share_text
from rankle.reports.exporting import FORMATS
from rankle.reports.json import parse_json
from rankle.reports.run_names import run_names
from rankle.reports.table import title_of

Means = dict[tuple[str, str], float | None]
"""Run and measure to the mean."""
Scores = dict[tuple[str, str, str], float]
"""Run, query and measure to the score; a query without one is absent."""


ABSTENTION = "abstention_"


def many_runs() -> tuple[RunReport, ...]:
    """Figures with all their digits, a query that failed, and one query alone, which has no interval."""
    scores = {
        "nDCG@10": [1 / 3, 0.1 + 0.2, None, 2 / 3],
        "Hit@1": [1.0, 0.0, None, 1.0],
        "AP": [0.7, 0.05, None, 1e-9],
    }
    return run_report("fts5", scores), run_report(
        "vector", {name: values[::-1] for name, values in scores.items()}
    )


RUNS: dict[str, Sequence[RunReport]] = {
    "one": many_runs()[:1],
    "two": many_runs(),
    "hostile": two_runs(),
    "single query": [run_report("fts5", {"RR": [0.25]})],
    "nothing scored": [run_report("fts5", {"RR": [None]})],
}


def means_of(runs: Sequence[RunReport]) -> Means:
    return {
        (name, measure): summary.mean
        for run, name in zip(runs, run_names(runs), strict=True)
        for measure, summary in run.measures.items()
    }


def scores_of(runs: Sequence[RunReport]) -> Scores:
    return {
        (name, query.id, measure): score
        for run, name in zip(runs, run_names(runs), strict=True)
        for query in run.queries
        for measure, score in query.scores.items()
    }


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def means_in_json(text: str, runs: Sequence[RunReport]) -> Means:
    return means_of(parse_json(text))


def means_in_csv(text: str, runs: Sequence[RunReport]) -> Means:
    return {
        (row["run"], row["measure"]): float(row["mean"]) if row["mean"] else None
        for row in rows_of(text)
        if not row["measure"].startswith(ABSTENTION)
    }


def means_in_junit(text: str, runs: Sequence[RunReport]) -> Means:
    found: Means = {}
    for suite, name in zip(ET.fromstring(text), run_names(runs), strict=True):
        values = {one.get("name"): one.get("value", "") for one in suite.iter("property")}
        for case in suite.iter("testcase"):
            measure = case.get("name", "")
            if not measure.startswith("query "):
                found[name, measure] = float(values[measure]) if measure in values else None
    return found


def means_in_html(text: str, runs: Sequence[RunReport]) -> Means:
    found: Means = {}
    page = LexborHTMLParser(text)
    for row in page.css("#measures tbody tr"):
        per_run = 1 if len(runs) > 1 else 3
        cells = row.css("td.figure")
        for place, name in enumerate(run_names(runs)):
            value = cells[place * per_run].attributes["data-value"]
            found[name, row.attributes["data-measure"] or ""] = float(value) if value else None
    return found


@pytest.mark.parametrize("which", RUNS)
@pytest.mark.parametrize(
    ("form", "read"),
    [
        ("json", means_in_json),
        ("csv-measures", means_in_csv),
        ("junit", means_in_junit),
        ("html", means_in_html),
    ],
    ids=["json", "csv-measures", "junit", "html"],
)
def test_means_are_those_of_the_record_to_the_last_digit(
    which: str, form: str, read: Callable[[str, Sequence[RunReport]], Means]
) -> None:
    runs = RUNS[which]
    assert read(FORMATS[form].render(runs), runs) == means_of(runs)


@pytest.mark.parametrize("which", RUNS)
def test_markdown_and_the_visible_html_show_the_means_rounded(which: str) -> None:
    """Three decimals, a share in percent with one; a dash where there is no figure."""
    runs = RUNS[which]
    names = run_names(runs)
    markdown = LexborHTMLParser(MarkdownIt().enable("table").render(FORMATS["markdown"].render(runs)))
    html = LexborHTMLParser(FORMATS["html"].render(runs))
    for small in html.css("small"):  # intervals below the means
        small.decompose()
    tables = [
        [[cell.text() for cell in row.css("th,td")] for row in table.css("tbody tr")]
        for table in (markdown.css("table")[0], html.css("#measures")[0])
    ]
    for rows in tables:
        shown = {row[0]: row[1 : 1 + len(names)] for row in rows}
        for (name, measure), mean in means_of(runs).items():
            figure = shown[title_of(parse_measure(measure))][names.index(name)]
            assert figure == expected(measure, mean)


def expected(measure: str, mean: float | None) -> str:
    if mean is None:
        return "—"
    return f"{100 * mean:.1f}%" if measure.startswith("Hit") else f"{mean:.3f}"


def scores_in_json(text: str) -> Scores:
    return scores_of(parse_json(text))


def scores_in_csv(text: str) -> Scores:
    rows = rows_of(text)
    measures = list(rows[0])[list(rows[0]).index("took_ms") + 1 :]
    return {
        (row["run"], re.sub(r"^'", "", row["query_id"]), measure): float(row[measure])
        for row in rows
        for measure in measures
        if row[measure]
    }


def scores_in_html(text: str) -> Scores:
    data = json.loads(LexborHTMLParser(text).css("script#data")[0].text())
    return {
        (name, query["id"], measure["name"]): score
        for query in data["queries"]
        for name, answer in zip(data["runs"], query["runs"], strict=True)
        for measure, score in zip(data["measures"], answer["scores"], strict=True)
        if score is not None
    }


@pytest.mark.parametrize("which", RUNS)
@pytest.mark.parametrize(
    ("form", "read"),
    [("json", scores_in_json), ("csv", scores_in_csv), ("html", scores_in_html)],
    ids=["json", "csv", "html"],
)
def test_scores_of_queries_are_those_of_the_record_to_the_last_digit(
    which: str, form: str, read: Callable[[str], Scores]
) -> None:
    runs = RUNS[which]
    assert read(FORMATS[form].render(runs)) == scores_of(runs)


@pytest.mark.parametrize("which", RUNS)
def test_how_many_queries_were_scored_and_failed_is_told_alike(which: str) -> None:
    runs = RUNS[which]
    counts = {
        (name, measure): (str(one.n_scored), str(one.n_failed))
        for run, name in zip(runs, run_names(runs), strict=True)
        for measure, one in run.measures.items()
    }
    rows = rows_of(FORMATS["csv-measures"].render(runs))
    assert {(row["run"], row["measure"]): (row["n_scored"], row["n_failed"]) for row in rows} == counts
    told = [FORMATS["markdown"].render(runs), FORMATS["html"].render(runs)]
    for n_scored, n_failed in counts.values():
        assert all(f"{n_scored} scored, 0 undefined, {n_failed} failed" in text for text in told)
    suites = ET.fromstring(FORMATS["junit"].render(runs))
    assert [suite.get("errors") for suite in suites] == [
        str(sum(query.status == "failed" for query in run.queries)) for run in runs
    ]


ABSTAINING: dict[str, Sequence[RunReport]] = {
    "one": two_abstaining()[:1],
    "two": two_abstaining(),
    "beside a run without": [*two_abstaining(), run_report("plain", {"RR": [0.25] * 8})],
    "nothing abstained on": [abstaining_run("fts5", answerable=[False], unanswerable=[False])],
}


def shares_of(runs: Sequence[RunReport]) -> Means:
    return {
        (name, told.name): told.share.share
        for run, name in zip(runs, run_names(runs), strict=True)
        for told in abstention_figures(run)
    }


def shares_in_csv(text: str, runs: Sequence[RunReport]) -> Means:
    return {
        (row["run"], row["measure"]): float(row["mean"]) if row["mean"] else None
        for row in rows_of(text)
        if row["measure"].startswith(ABSTENTION)
    }


def shares_in_junit(text: str, runs: Sequence[RunReport]) -> Means:
    """A share that does not exist is left out; its count of queries, which is 0, stands."""
    found: Means = {}
    for suite, name in zip(ET.fromstring(text), run_names(runs), strict=True):
        values = {one.get("name", ""): one.get("value", "") for one in suite.iter("property")}
        for key in values:
            if key.startswith(ABSTENTION) and key.endswith(".n_scored"):
                share = key.removesuffix(".n_scored")
                found[name, share] = float(values[share]) if share in values else None
    return found


def shares_in_html(text: str, runs: Sequence[RunReport]) -> Means:
    """A run without has dashes."""
    found: Means = {}
    for row in LexborHTMLParser(text).css("#abstention tbody tr"):
        measure = row.attributes["data-measure"] or ""
        for name, run, cell in zip(run_names(runs), runs, row.css("td.figure"), strict=True):
            if measure.startswith(ABSTENTION) and list(abstention_figures(run)):
                value = cell.attributes["data-value"]
                found[name, measure] = float(value) if value else None
    return found


@pytest.mark.parametrize("which", ABSTAINING)
@pytest.mark.parametrize(
    ("form", "read"),
    [
        ("json", lambda text, _runs: shares_of(parse_json(text))),
        ("csv-measures", shares_in_csv),
        ("junit", shares_in_junit),
        ("html", shares_in_html),
    ],
    ids=["json", "csv-measures", "junit", "html"],
)
def test_shares_of_abstention_are_those_of_the_record_to_the_last_digit(
    which: str, form: str, read: Callable[[str, Sequence[RunReport]], Means]
) -> None:
    runs = ABSTAINING[which]
    found = read(FORMATS[form].render(runs), runs)
    assert found == shares_of(runs)
    assert len(found) == 3 * sum(bool(list(abstention_figures(run))) for run in runs)


@pytest.mark.parametrize("which", ABSTAINING)
def test_people_read_the_shares_of_abstention_rounded_with_their_counts_and_intervals(which: str) -> None:
    runs = ABSTAINING[which]
    markdown = FORMATS["markdown"].render(runs)
    html = LexborHTMLParser(FORMATS["html"].render(runs)).css("#abstention")[0].text()
    terminal = FORMATS["junit"].render(runs)  # which holds what the terminal shows
    for run in runs:
        for told in abstention_figures(run):
            parts = (share_text(told.share), share_counts(told.share), share_interval(told.share))
            assert all(part in text for part in parts for text in (markdown, html, terminal))


@pytest.mark.parametrize("which", ABSTAINING)
def test_each_query_tells_its_side_in_json_and_csv(which: str) -> None:
    runs = ABSTAINING[which]
    words = {True: "true", False: "false", UNSET: ""}
    sides = [(words[query.answerable], words[query.abstained]) for run in runs for query in run.queries]
    rows = rows_of(FORMATS["csv"].render(runs))
    assert [(row["answerable"], row["abstained"]) for row in rows] == sides
    read = [query for run in parse_json(FORMATS["json"].render(runs)) for query in run.queries]
    assert read == [query for run in runs for query in run.queries]


def test_without_abstention_no_format_speaks_of_it() -> None:
    for form in FORMATS.values():
        runs = many_runs()[:1] if form.is_of_one_run else many_runs()
        page = form.render(runs)
        shown = page if form.name != "html" else LexborHTMLParser(page).css("main")[0].text()
        assert "bstain" not in shown
        assert "bstention" not in shown
