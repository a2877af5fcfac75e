"""Runs as Markdown: what is shown, and text from elsewhere that must stay text."""

from typing import Any

import msgspec
import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from fakes.exported_runs import MARKUP, two_runs
from fakes.runs import run_report
from rankle.core.run import Latency, RunReport
from rankle.reports.markdown import escaped, render_markdown


def page(runs: Any) -> LexborHTMLParser:
    """As a reader of Markdown with tables and raw HTML sees it."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    return LexborHTMLParser(markdown.render(render_markdown(runs)))


def cells(runs: Any) -> list[list[str]]:
    return [[cell.text() for cell in row.css("th,td")] for row in page(runs).css("tr")]


def test_one_run_prints_whole() -> None:
    run = run_report("fts5", {"nDCG@10": [1.0, 0.5], "Hit@10": [1.0, 1.0]})
    assert (
        render_markdown([run])
        == """\
## Evaluation: set

2 queries, document level, depth 100, fts5

| Metric | Mean | 95% interval |
| --- | --- | --- |
| NDCG@10 | 0.750 | 0.010–0.999 |
| Hit Rate@10 | 100.0% | 34.2–100.0% |

Queries: 2 scored, 0 undefined, 0 failed

### Queries without a relevant result at rank 1: 2

| Query | Text | First relevant result | Lost |
| --- | --- | --- | --- |
| q0 | text 0 | no hits in top 10 |  |
| q1 | text 1 | no hits in top 10 |  |

Latency: p50 1.0 ms, p95 2.0 ms\\
Run `0123456789ab`, 2026-11-30T09:00:00Z, rankle 0
"""
    )


def test_the_latency_of_batches_is_told_to_the_end() -> None:
    latency = Latency(p50=1.0, p95=2.0, of="batch", batch_size=64, n_reused=1_234)
    run = msgspec.structs.replace(run_report("fts5", {"nDCG@10": [1.0]}), latency_ms=latency)
    assert "not what one search takes; --one-by-one times each search.\\\n" in render_markdown([run])


def test_several_runs_stand_side_by_side_with_their_differences() -> None:
    rows = cells(two_runs())
    assert ["Metric", "fts5", "hybrid"] in rows
    assert ["NDCG@10", "0.645", "0.544"] in rows
    assert ["hybrid", "+0.171", "—", "1.0000", "1/1/0"] in rows


def test_runs_over_other_sets_get_no_differences() -> None:
    first, second = two_runs()
    other = msgspec.structs.replace(second.set, fingerprint="2" * 64)
    runs = [first, msgspec.structs.replace(second, set=other)]
    assert "Differences" in render_markdown(two_runs())
    assert "Differences" not in render_markdown(runs)


def test_a_failure_stands_with_its_denominator() -> None:
    text = render_markdown(two_runs())
    assert "### Failed queries with fts5: 1 of 4" in text
    assert "Queries (fts5): 2 scored, 0 undefined, 1 failed" in text


def test_text_from_elsewhere_is_shown_as_it_is_and_makes_no_markup() -> None:
    shown = page(two_runs())
    assert [node.tag for node in shown.css("script,a,img,i,b,code,em")] == [
        "code",
        "code",
    ]  # the ids of the runs
    assert MARKUP in [cell.text() for cell in shown.css("td")]


@pytest.mark.parametrize(
    "text", ["# head", "- item", "a|b", "***", "<!--", "&amp;", "a\\", "~~x~~", "[x]: y", "====", "1 < 2"]
)
def test_a_cell_shows_any_text_as_it_is(text: str) -> None:
    (paragraph,) = LexborHTMLParser(MarkdownIt().render(f"x\n\n{escaped(text)}")).css("p:nth-of-type(2)")
    assert paragraph.text() == text


@pytest.mark.parametrize("text", ["@someone", "#12", "http://example.org", "www.example.org"])
def test_nobody_is_notified_and_nothing_linked(text: str) -> None:
    assert text not in escaped(text)


def test_a_measure_keeps_its_name() -> None:
    assert escaped("NDCG@10") == "NDCG@10"


def test_long_lists_are_cut_and_say_so() -> None:
    run: RunReport = run_report("fts5", {"AP": [0.0] * 25})
    text = render_markdown([run])
    assert "at rank 1: 25" in text
    assert "… and 15 more" in text
    assert text.count("text ") == 10
