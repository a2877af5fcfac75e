"""`rankle eval` over a small workspace: what is printed, what is saved, and the exit codes."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fakes.command import MANUAL, on_terminal, write_files
from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import load_settings
from rankle.cli.main import _exit_code
from rankle.kb.store.database import FILE_NAME
from rankle.reports.json import parse_json
from rankle.reports.terminal import render_run

QUERIES = [
    {"id": "r", "query": "red button", "relevant": ["reset.md"]},
    {"id": "b", "query": "charge [overnight]", "relevant": ["battery.md"]},
    {"id": "w", "query": "zeppelin", "relevant": ["warranty.md"]},
]


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    folder = write_files(tmp_path / "docs", MANUAL)
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
    assert printed.out == render_run(report, saved=True, by_default=True)
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


def test_an_option_that_is_given_twice_keeps_both_values(
    queries: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _exit_code(["eval", str(queries), "-k", "1", "-k", "2,3"]) == 0
    assert "  k: 1, 2, 3\n" in capsys.readouterr().out
    assert _exit_code(["eval", str(queries), "--measures", "R@2", "--measures", "P@3,AP"]) == 0
    printed = capsys.readouterr().out
    assert "  k: 2, 3\n" in printed
    rows = [line.split()[0] for line in printed.split("\n\n")[1].splitlines()[2:]]
    assert rows == ["Recall", "Precision", "MAP"]
    assert "no hits in top 3" in printed


def set_aside(queries: Path) -> dict[str, Path]:
    """Other names of the set."""
    link = queries.with_name("link.jsonl")
    link.symlink_to(queries)
    hard = queries.with_name("hard.jsonl")
    hard.hardlink_to(queries)
    return {
        "itself": queries,
        "around": queries.parent / "docs" / ".." / queries.name,
        "link": link,
        "hard": hard,
    }


@pytest.mark.parametrize("name", ["itself", "around", "link", "hard"])
def test_the_set_is_never_written_over(queries: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    before = queries.read_bytes()
    output = set_aside(queries)[name]
    assert _exit_code(["eval", str(queries), "-o", str(output)]) == 2
    printed = capsys.readouterr()
    assert printed.err == (
        f"Error: {output} is the file that is read; --output names another file, such as run.json\n"
    )
    assert printed.out == ""
    assert queries.read_bytes() == before


def test_only_a_record_of_a_run_is_written_over(
    queries: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, record = tmp_path / "notes.txt", tmp_path / "run.json"
    notes.write_text("mine", encoding="utf-8")
    assert _exit_code(["eval", str(queries), "-o", str(notes)]) == 2
    assert capsys.readouterr().err == (
        f"Error: {notes} is there already and is no record of a run, so it is not written over; "
        "--output names another file, or delete this one first\n"
    )
    assert notes.read_text(encoding="utf-8") == "mine"
    record.touch()
    for _ in range(2):
        assert _exit_code(["eval", str(queries), "-o", str(record)]) == 0
        assert len(parse_json(record.read_bytes())) == 1


def test_the_funnel_is_shown_where_it_is_asked_for_and_always_in_the_record(
    queries: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two of three targets are found; no word of the third query stands in any document."""
    saved = tmp_path / "run.json"
    assert _exit_code(["eval", str(queries), "-k", "3", "--funnel", "-o", str(saved)]) == 0
    printed = capsys.readouterr().out
    assert "Method: fts5 (the best of the workspace)  level: document  k: 3\n" in printed
    assert (
        """
Funnel: 3 relevant targets of 3 queries

Stage                  in its list            in its top 3
─────────────────────────────────────────────────────────────────────
fts5                   2 of 3  66.7%          2 of 3  66.7%
final                                         2 of 3  66.7%

Fate                   targets                queries
─────────────────────────────────────────────────────────────────────
found in top 3         2 of 3  66.7%          2
no candidate list      1 of 3  33.3%          1: w

No candidate list (1)                                query         fts5  final
  warranty.md                                        w             —     —
"""
        in printed
    )
    (report,) = parse_json(saved.read_bytes())
    assert report.funnel is not None
    assert [(fate.fate, fate.queries) for fate in report.funnel.fates] == [
        ("found", ["r", "b"]), ("no candidate list", ["w"]),
    ]  # fmt: skip


def test_a_method_that_is_named_is_not_called_the_best(
    queries: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _exit_code(["eval", str(queries), "--method", "fts5"]) == 0
    assert "\nMethod: fts5  level: document" in capsys.readouterr().out


def test_a_target_beyond_the_depth_is_not_said_to_match_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(6):
        (docs / f"{number}.md").write_text(f"Apples{' and pears' * number * 5}.\n", encoding="utf-8")
    with open_knowledge_base(load_settings(), create=True) as kb:
        kb.index(docs)
    path = tmp_path / "set.jsonl"
    path.write_text('{"query": "apples", "relevant": ["5.md"]}\n', encoding="utf-8")
    for depth, lost in [("3", "below depth"), ("10", "below k")]:
        assert _exit_code(["eval", str(path), "-k", "3", "--depth", depth]) == 0
        assert f"lost: {lost};" in capsys.readouterr().out


def test_a_workspace_of_another_version_says_how_to_bring_it_up_to_date(
    queries: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = queries.parent / "docs"
    settings = load_settings(workspace="other")
    with open_knowledge_base(settings, create=True) as kb:
        kb.index(folder)
    with closing(sqlite3.connect(settings.home / "other" / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE documents SET pipeline = 'rows of another version'")
    assert _exit_code(["eval", str(queries), "-w", "other"]) == 2
    assert "Bring it up to date: rankle index -w other\n" in capsys.readouterr().err


def test_a_folder_says_what_a_set_is(queries: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _exit_code(["eval", str(queries.parent)]) == 2
    assert capsys.readouterr().err == (
        f"Error: {queries.parent} is a folder; expected one file of queries with judgments, "
        "or a BEIR folder (queries.jsonl, qrels/). It holds queries.jsonl\n"
    )


def test_a_set_saved_as_utf_16_is_read(queries: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As PowerShell's `>` writes."""
    text = queries.read_text(encoding="utf-8").replace("red button", "red button ü")
    queries.write_text(text, encoding="utf-16", newline="\r\n")
    assert _exit_code(["eval", str(queries), "-k", "1,3"]) == 0
    assert "Recall          0.667    0.667" in capsys.readouterr().out


@pytest.mark.parametrize("columns", [30, 40, 60, 90])
def test_a_terminal_gets_lines_of_its_width(queries: Path, columns: int) -> None:
    name = "gone/" + "long" * 50 + ".md"
    with queries.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "i" * 60, "query": "button " * 30, "relevant": [name]}) + "\n")
    code, seen = on_terminal("eval", queries, environ={"COLUMNS": str(columns), "NO_COLOR": "1"})
    assert code == 0
    report = seen[seen.index("Evaluation: ") :].splitlines()
    assert max(len(line) for line in report) <= max(40, columns)
    assert max(len(line) for line in report) > max(40, columns) - 20
    assert name in "".join(line.strip() for line in report)


def test_texts_in_brackets_are_printed_as_they_are(queries: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = queries.read_text(encoding="utf-8").replace("zeppelin", "[red]zeppelin[/red] :bug:")
    queries.write_text(lines, encoding="utf-8")
    assert _exit_code(["eval", str(queries)]) == 0
    assert "[red]zeppelin[/red] :bug:  (w)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "bogus"], 'unknown method "bogus"'),
        (["--method", "fts5,bogus"], 'unknown method "bogus"'),
        (["--collection", "guides"], 'Error: unknown collection "guides". There is: "default"'),
        (["--level", "chunk"], "Error: labels name documents (3, such as"),
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
