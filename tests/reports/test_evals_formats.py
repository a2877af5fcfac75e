"""Every format of evals tells the same figures: read back from each, and held against the record."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from fakes.evals_runs import MARKUP, case_report, eval_summary, evals_run, plain_run, rich_run
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.evals import EvalsRun
from rankle.reports.evals_exporting import (
    EVALS_FORMATS,
    check_evals_export,
    evals_format_named,
    evals_output_format,
    write_evals_export,
)
from rankle.reports.evals_json import parse_evals_json, run_of
from rankle.reports.evals_terminal import evals_text
from rankle.reports.evals_words import scorer_title
from rankle.reports.signed import signed

Figures = list[tuple[str, str, str, str]]
"""Of each scorer of each eval: mean, interval, cases scored, and change from the run before."""
Scores = dict[tuple[str, str, str], float]
"""Case, trial and scorer to the score."""


def hostile_run() -> EvalsRun:
    """Names, texts and errors that would break out of any format that let them."""
    cases = [
        case_report(0, {"=cmd|x": 0.25}, given="=1+1", output=MARKUP, expected="-2", columns={"<b>": MARKUP}),
        case_report(1, {"=cmd|x": 1 / 3}, given=MARKUP, output="\x1b[31m\x00 ]]> | `x`", expected=None),
    ]
    one = eval_summary("<i>|`Eval`", cases, file="evals/a&b_eval.py", description="](http://x.y) @you #1")
    return evals_run((one, cases), verdict="</title><script>alert(1)</script>")


RUNS = {"plain": plain_run(), "rich": rich_run(), "hostile": hostile_run(), "nothing": evals_run()}


def written(name: str, run: EvalsRun) -> str:
    return "".join(EVALS_FORMATS[name].parts(run))


def text_of(html: LexborHTMLParser | LexborNode, selector: str) -> str:
    found = html.css_first(selector)
    assert found is not None
    return found.text()


def rendered_markdown(run: EvalsRun) -> LexborHTMLParser:
    return LexborHTMLParser(MarkdownIt("commonmark").enable("table").render(written("markdown", run)))


def figures_of(run: EvalsRun) -> Figures:
    """As three decimals say them, from the record."""
    return [
        told(
            scorer.mean, scorer.low, scorer.high, scorer.n_scored, scorer.change and scorer.change.difference
        )
        for one in run.evals
        for scorer in one.scorers
    ]


def told(
    mean: object, low: object, high: object, n_scored: object, change: object
) -> tuple[str, str, str, str]:
    """Figures as programs have them, in the words of those for people; empty text is no figure."""
    values = [None if value in (None, "") else float(str(value)) for value in (mean, low, high, change)]
    shown = ["" if value is None else f"{value:.3f}" for value in values]
    interval = f"{shown[1]}–{shown[2]}" if shown[1] else "—"
    return shown[0] or "—", interval, str(int(str(n_scored))), "" if values[3] is None else signed(values[3])


def in_terminal(run: EvalsRun) -> Figures:
    names = {scorer_title(scorer.name) for one in run.evals for scorer in one.scorers}
    figure = r"(\d\.\d{3}|—)"
    rows = re.compile(
        rf"(?:{'|'.join(map(re.escape, names)) or '$^'}) +{figure} +(\d\.\d{{3}}–\d\.\d{{3}}|—) +(\d+)"
        r"(?: +([+−]?\d\.\d{3})  .*)?$"
    )
    found = [match.groups() for line in evals_text(run).splitlines() if (match := rows.match(line))]
    return [(mean, interval, n, change or "") for mean, interval, n, change in found]


def in_json(run: EvalsRun) -> Figures:
    return figures_of(read_back(run))


def read_back(run: EvalsRun) -> EvalsRun:
    return run_of(parse_evals_json(written("json", run)))


def in_csv(run: EvalsRun) -> Figures:
    rows = [row for row in csv.DictReader(io.StringIO(written("csv-measures", run))) if row["scorer"]]
    return [told(*(row[name] for name in ("mean", "low", "high", "n_scored", "change"))) for row in rows]


def in_junit(run: EvalsRun) -> Figures:
    found: Figures = []
    for one, suite in zip(run.evals, ET.fromstring(written("junit", run)), strict=False):
        properties = {each.attrib["name"]: each.attrib["value"] for each in suite.iter("property")}
        for scorer in one.scorers:
            parts = ("", ".low", ".high", ".n_scored", ".change")
            found.append(told(*(properties.get(f"{scorer.name}{part}") for part in parts)))
    return found


def in_markdown(run: EvalsRun) -> Figures:
    found: Figures = []
    for table in rendered_markdown(run).css("table"):
        heads = [head.text() for head in table.css("th")]
        for row in table.css("tbody tr") if heads[0] == "Scorer" else ():
            cells = dict(zip(heads, (cell.text() for cell in row.css("td")), strict=True))
            n_scored = cells["Cases"].split()[0]
            found.append((cells["Mean"], cells["95% interval"], n_scored, cells.get("Change", "")))
    return found


def in_html(run: EvalsRun) -> Figures:
    found: Figures = []
    for row in LexborHTMLParser(written("html", run)).css("tr[data-scorer]"):
        mean, interval, scored, *more = row.css("td.figure")
        data = [cell.attributes["data-value"] for cell in (mean, scored)]
        assert mean.text() == f"{float(data[0] or 'nan'):.3f}"
        change = more[0].text() if more and "data-value" in more[0].attributes else ""
        found.append((mean.text(), interval.text(), str(data[1]), change if change != "—" else ""))
    return found


READERS: dict[str, Callable[[EvalsRun], Figures]] = {
    "terminal": in_terminal,
    "json": in_json,
    "csv": in_csv,
    "junit": in_junit,
    "markdown": in_markdown,
    "html": in_html,
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("reader", READERS)
def test_every_mean_interval_count_and_change_is_in_every_format_and_the_same(reader: str, name: str) -> None:
    run = RUNS[name]
    assert READERS[reader](run) == figures_of(run)


@pytest.mark.parametrize("form", ["terminal", "json", "markdown", "csv-measures", "junit", "html"])
def test_what_scorers_measure_is_in_every_report(form: str) -> None:
    run = rich_run()
    text = evals_text(run) if form == "terminal" else written(form, run)
    described = [scorer.description for one in run.evals for scorer in one.scorers]
    assert described
    assert [
        words for words in described if words.replace("@", "@\u2060") not in text and words not in text
    ] == []


def single_figures(form: str, run: EvalsRun) -> list[str]:
    """The score of each eval that could be run, as a format tells it."""
    if form == "csv":
        rows = csv.DictReader(io.StringIO(written("csv-measures", run)))
        return list(
            {row["eval"]: f"{float(row['eval_score']):.3f}" for row in rows if row["scorer"]}.values()
        )
    if form == "junit":
        named = [
            one
            for one in ET.fromstring(written("junit", run)).iter("property")
            if one.get("name") == "eval.score"
        ]
        return [f"{float(one.attrib['value']):.3f}" for one in named]
    if form == "json":
        return [f"{one.score:.3f}" for one in read_back(run).evals if one.score is not None]
    texts = {
        "terminal": lambda: evals_text(run),
        "markdown": lambda: "\n".join(text.text() for text in rendered_markdown(run).css("p")),
        "html": lambda: "\n".join(one.text() for one in LexborHTMLParser(written("html", run)).css("main p")),
    }
    return re.findall(r"^Score (\d\.\d+)", texts[form](), re.MULTILINE)


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("form", READERS)
def test_the_single_figure_of_an_eval_is_the_same_in_every_format(form: str, name: str) -> None:
    run = RUNS[name]
    expected = [f"{one.score:.3f}" for one in run.evals if one.score is not None]
    assert single_figures(form, run) == expected


def scores_of(run: EvalsRun) -> Scores:
    return {
        (case.id, str(trial.trial), score.name): score.value
        for one in run.evals
        for case in run.read_cases(one.id)
        for trial in case.trials
        for score in trial.scores
        if score.value is not None
    }


@pytest.mark.parametrize("name", RUNS)
def test_every_score_is_in_the_table_of_trials_to_the_last_digit(name: str) -> None:
    run = RUNS[name]
    scorers = {scorer.name for one in run.evals for scorer in one.scorers}
    found: Scores = {}
    for row in csv.DictReader(io.StringIO(written("csv", run))):
        for head, value in row.items():
            scorer = head.removeprefix("'")
            if scorer in scorers and value:
                found[row["case"], row["trial"], scorer] = float(value)
    assert found == scores_of(run)


@pytest.mark.parametrize("name", RUNS)
def test_the_page_has_every_case_with_every_score(name: str) -> None:
    run = RUNS[name]
    page = LexborHTMLParser(written("html", run))
    data = json.loads(text_of(page, "#data"))
    found = {
        (case["id"], name): score
        for one in data["evals"]
        for case in one["cases"]
        for name, score in zip(one["scorers"], case["scores"], strict=True)
        if score is not None
    }
    assert found == {
        (case.id, name): score
        for one in run.evals
        for case in run.read_cases(one.id)
        for name, score in case.scores.items()
    }


def test_the_page_says_how_many_steps_a_trace_lacks() -> None:
    case = case_report(0, {"exact": 1.0})
    (trial,) = case.trials
    cut = msgspec.structs.replace(case, trials=[msgspec.structs.replace(trial, n_steps_left_out=12_345)])
    page = LexborHTMLParser(written("html", evals_run((eval_summary("Deep", [cut]), [cut]))))
    (one,) = json.loads(text_of(page, "#data"))["evals"]
    assert one["cases"][0]["trials"][0]["steps_left_out"] == 12_345


def test_the_exit_code_and_why_are_told_everywhere() -> None:
    run = rich_run()
    words = "1 case failed (0 are allowed), 1 file was not loaded. Exit code 2."
    assert words in evals_text(run)
    assert text_of(LexborHTMLParser(written("html", run)), ".verdict") == words
    assert written("markdown", run).startswith("## Evals: 1 case failed (0 are allowed), 1 file")
    assert json.loads(written("json", run))["exit_code"] == 2


def test_markup_in_texts_is_shown_and_does_nothing() -> None:
    page = LexborHTMLParser(written("html", hostile_run()))
    assert len(page.css("script")) == 2
    assert not page.css("main b, main i")
    assert text_of(page, "h1") == "<i>|`Eval`"
    data = json.loads(text_of(page, "#data"))
    assert data["evals"][0]["cases"][0]["trials"][0]["output"] == MARKUP
    html = LexborHTMLParser(
        MarkdownIt("commonmark").enable("table").render(written("markdown", hostile_run()))
    )
    assert not html.css("a, i, script, code:not(:empty) b")
    assert "<i>|`Eval`" in text_of(html, "h3")


def test_a_scorer_that_is_called_like_a_column_has_a_column_of_its_own() -> None:
    cases = [case_report(0, {"case": 0.25, "score": 0.5})]
    run = evals_run((eval_summary("Names", cases), cases))
    (row,) = csv.DictReader(io.StringIO(written("csv", run)))
    assert (row["case"], row["scorer case"], row["score"]) == ("case-000000000000", "0.25", "0.5")
    properties = {
        one.attrib["name"]: one.attrib["value"]
        for one in ET.fromstring(written("junit", run)).iter("property")
    }
    assert (properties["score"], properties["eval.score"]) == ("0.5", "0.375")


def test_no_cell_is_a_formula() -> None:
    rows = list(csv.reader(io.StringIO(written("csv", hostile_run()))))
    assert "'=cmd|x" in rows[0]
    assert "'=1+1" in rows[1]
    assert "-2" in rows[1]  # a number is none


def test_a_page_stays_small_however_large_the_outputs_are_and_says_so() -> None:
    cases = [case_report(place, {"exact": 0.0}, output="🎉" * 1_000_000) for place in range(10)]
    page = written("html", evals_run((eval_summary("Big", cases), cases)))
    assert len(page) < 200_000
    assert "10 texts are cut at 4,000 characters" in page


def test_crashes_are_errors_and_a_missed_threshold_is_a_failure() -> None:
    root = ET.fromstring(written("junit", rich_run()))
    suites = {suite.attrib["name"]: suite for suite in root}
    search = suites["evals/search_eval.py::Vector search"]
    assert (search.attrib["tests"], search.attrib["errors"], search.attrib["failures"]) == ("9", "1", "1")
    failing = {
        case.attrib["name"]: (case[0].tag, case[0].attrib["message"])
        for suite in root
        for case in suite.iter("testcase")
        if len(case)
    }
    assert failing == {
        f"case-000000000007 {MARKUP}": ("error", "TimeoutError: took longer than 30 s"),
        "threshold 70 %": ("failure", "Score 0.560, threshold 70 %: MISSED"),
        "Lost": ("error", "InputError: no such file: lost.json"),
        "load": ("error", "NameError: name 'kb' is not defined"),
    }


@pytest.mark.parametrize("name", EVALS_FORMATS)
def test_a_file_of_a_format_is_replaced_and_no_other_is(name: str, tmp_path: Path) -> None:
    path, form = tmp_path / "evals.out", EVALS_FORMATS[name]
    write_evals_export(path, rich_run(), form)
    write_evals_export(path, plain_run(), form)
    assert path.read_text() == written(name, plain_run())
    path.write_text("my notes", encoding="utf-8")
    with pytest.raises(InputError, match="is there already and is no"):
        check_evals_export(path, form)


def test_a_file_whose_writing_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path, run = tmp_path / "evals.json", plain_run()
    write_evals_export(path, run, EVALS_FORMATS["json"])
    before = path.read_text()

    def broken(eval_id: str) -> list[object]:
        raise InputError(f"no {eval_id}")

    with pytest.raises(InputError, match="no id-Vector search"):
        write_evals_export(path, EvalsRun(run.summary, run.evals, broken), EVALS_FORMATS["json"])  # type: ignore[arg-type]
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_name_of_a_file_tells_its_format_and_rankings_are_none() -> None:
    found = [
        evals_output_format(Path(f"x{end}")).name for end in (".json", ".md", ".csv", ".xml", ".html", "")
    ]
    assert found == ["json", "markdown", "csv", "junit", "html", "json"]
    with pytest.raises(InputError, match="has no rankings, which a TREC run holds"):
        evals_output_format(Path("x.trec"))
    with pytest.raises(UnknownNameError, match='did you mean "html"'):
        evals_format_named("htm")
