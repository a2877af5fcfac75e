"""`rankle eval` over a small workspace: what is printed, what is saved, and the exit codes."""

import json
from pathlib import Path

import pytest

from rankle.app.wiring import load_settings, open_knowledge_base
from rankle.cli.main import _exit_code
from rankle.reports.json import parse_json
from rankle.reports.terminal import render_run

DOCUMENTS = {
    "reset.md": "# Reset\n\nHold the red button for five seconds.\n",
    "battery.md": "# Battery\n\nCharge the battery overnight before the first use.\n",
    "warranty.md": "# Warranty\n\nTwo years from the day of purchase.\n",
}
QUERIES = [
    {"id": "r", "query": "red button", "relevant": ["reset.md"]},
    {"id": "b", "query": "charge [overnight]", "relevant": ["battery.md"]},
    {"id": "w", "query": "zeppelin", "relevant": ["warranty.md"]},
]


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    with open_knowledge_base(load_settings(), create=True) as kb:
        kb.index(folder)
    path = tmp_path / "queries.jsonl"
    path.write_text("".join(json.dumps(query) + "\n" for query in QUERIES), encoding="utf-8")
    return path


def test_the_table_and_the_saved_record_tell_the_same(
    queries: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two of three queries find their one document first; the third finds nothing."""
    saved = tmp_path / "run.json"
    assert _exit_code(["eval", str(queries), "-k", "1,3", "-o", str(saved)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    (report,) = parse_json(saved.read_bytes())
    assert printed.out == render_run(report, saved=True)
    assert (
        """
Metric          @1       @3
─────────────────────────────
Recall          0.667    0.667
Precision       0.667    0.222
MRR             —        0.667
NDCG            0.667    0.667
Hit Rate        66.7%    66.7%
"""
        in printed.out
    )
    assert (
        "   1. zeppelin  (w)\n      no hits in top 3; lost: no candidate list; nothing was returned\n"
        in printed.out
    )
    assert report.measures["P@3"].mean == pytest.approx(2 / 9)


def test_json_is_the_only_output_where_it_is_asked_for(
    queries: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _exit_code(["eval", str(queries), "--json"]) == 0
    printed = capsys.readouterr()
    (report,) = parse_json(printed.out)
    assert [query.status for query in report.queries] == ["scored"] * 3
    assert (report.system.name, report.system.method, printed.err) == ("kb:default", "fts5", "")


def test_texts_in_brackets_are_printed_as_they_are(queries: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = queries.read_text(encoding="utf-8").replace("zeppelin", "[red]zeppelin[/red] :bug:")
    queries.write_text(lines, encoding="utf-8")
    assert _exit_code(["eval", str(queries)]) == 0
    assert "[red]zeppelin[/red] :bug:  (w)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "bogus"], 'unknown method "bogus"'),
        (["--collection", "guides"], 'Error: unknown collection "guides". There is: "default"'),
        (["--level", "chunk"], "Error: 3 labels name documents"),
        (["-w", "nowhere"], "Error: no workspace at "),
    ],
)
def test_what_the_workspace_does_not_have_exits_with_2(
    queries: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert _exit_code(["eval", str(queries), *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""


def test_chunk_ids_from_elsewhere_point_to_scoring_an_exported_run(
    queries: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queries.write_text('{"query": "x", "relevant": ["chunk-000000000000"]}', encoding="utf-8")
    assert _exit_code(["eval", str(queries)]) == 2
    assert "rankle score QRELS RUN" in capsys.readouterr().err
