"""Checking the labels of a set against a workspace, and writing it anew."""

import json
from pathlib import Path

import pytest

from rankle.app.check_labels import check_labels
from rankle.core.errors import BadLinesError, InputError, UnknownNameError, WorkspaceError
from rankle.formats.eval_set import read_eval_set
from rankle.kb.knowledge_base import KnowledgeBase

LEAVE = "# Leave\n\nEmployees may take fourteen weeks of parental leave.\n\nAsk first.\n"
SICK = "# Sick leave\n\nCall before nine in the morning. Ask first. Ask first.\n"
WEEKS = "Employees may take fourteen weeks of parental leave."
NINE = "Call before nine in the morning."


@pytest.fixture
def documents(tmp_path: Path, home: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "leave.md").write_text(LEAVE)
    (folder / "sick.md").write_text(SICK)
    index(folder, home)
    return folder


def index(folder: Path, home: Path) -> None:
    with KnowledgeBase(home / "default", name="default", create=True) as kb:
        kb.index(folder, vectors=False)


def write_set(folder: Path, *records: object) -> Path:
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def labels(path: Path) -> list[dict[str, object]]:
    return [label.to_json() for query in read_eval_set(path).queries for label in query.labels]  # type: ignore[misc]


def changed_set(tmp_path: Path, documents: Path, home: Path) -> Path:
    """Four labels: moved, valid, of a document that nobody has, and gone."""
    path = write_set(
        tmp_path,
        {"query": "how long", "relevant": [{"document": "leave.md", "quote": WEEKS, "start": 9, "end": 61}]},
        {"query": "when", "relevant": [{"document": "sick.md", "quote": NINE, "relevance": 2}, "sik.md"]},
        {"query": "who", "relevant": [{"document": "leave.md", "quote": "Ask first."}]},
    )
    (documents / "leave.md").write_text(
        LEAVE.replace("# Leave", "# Parental leave").replace("Ask first.", "")
    )
    index(documents, home)
    return path


def test_every_label_gets_its_verdict_with_the_text_then_and_now(
    tmp_path: Path, documents: Path, home: Path
) -> None:
    report = check_labels(changed_set(tmp_path, documents, home))
    assert (report.level, report.workspace, report.n_unclear) == ("span", "default", 0)
    assert report.counts == {"valid": 1, "moved": 1, "split": 0, "merged": 0, "gone": 2}
    assert [(one.line, one.target, one.verdict, one.then, one.now, one.why) for one in report.labels] == [
        (1, "leave.md", "moved", WEEKS, WEEKS, "it stands at 18 to 70 (line 3) now, not at 9 to 61"),
        (2, "sick.md", "valid", NINE, NINE, ""),
        (2, "sik.md", "gone", None, None, 'no document has this name; did you mean "sick.md"?'),
        (3, "leave.md", "gone", "Ask first.", None, "leave.md holds nothing like it"),
    ]
    assert report.labels[0].repaired == [
        {"document": "leave.md", "quote": WEEKS, "start": 18, "end": 70, "relevance": 1}
    ]


def test_what_is_certain_is_repaired_in_another_file_and_the_rest_stays(
    tmp_path: Path, documents: Path, home: Path
) -> None:
    path = changed_set(tmp_path, documents, home)
    before = path.read_bytes()
    report = check_labels(path, output=tmp_path / "new.jsonl")
    assert path.read_bytes() == before
    assert report.repair is not None
    assert (report.repair.n_repaired, report.repair.n_dropped, report.repair.n_left) == (1, 0, 2)
    again = check_labels(tmp_path / "new.jsonl")
    assert again.counts == {"valid": 2, "moved": 0, "split": 0, "merged": 0, "gone": 2}
    assert [query.text for query in read_eval_set(tmp_path / "new.jsonl").queries] == [
        "how long",
        "when",
        "who",
    ]


def test_what_is_gone_can_be_left_out(tmp_path: Path, documents: Path, home: Path) -> None:
    path = changed_set(tmp_path, documents, home)
    report = check_labels(path, output=tmp_path / "new.json", drop_gone=True)
    assert report.repair is not None
    assert (report.repair.n_repaired, report.repair.n_dropped, report.repair.n_left) == (1, 2, 0)
    again = check_labels(tmp_path / "new.json")
    assert (again.n_stale, again.counts["valid"]) == (0, 2)
    assert [(remark.line, remark.message[:12]) for remark in again.remarks] == [(4, "has no label")]


def test_chunk_ids_get_their_passages_beside_them(tmp_path: Path, documents: Path, home: Path) -> None:
    with KnowledgeBase(home / "default", name="default") as kb:
        (chunk,) = (name for name, place in kb.chunk_places().items() if place.document == "leave.md")
    path = write_set(tmp_path, {"query": "how long", "relevant": [chunk]})
    assert check_labels(path).level == "chunk"
    written = check_labels(path, output=tmp_path / "new.jsonl", with_passages=True).repair
    assert written is not None
    assert (written.n_repaired, written.n_passages) == (0, 1)
    assert [(label["name"], label["chunk"]) for label in labels(tmp_path / "new.jsonl")] == [
        ("leave.md", chunk)
    ]
    with KnowledgeBase(home / "default", name="default") as kb:
        kb.index(documents, chunker="sentence", vectors=False)
    assert check_labels(path).counts["gone"] == 1
    lasting = check_labels(tmp_path / "new.jsonl")
    assert (lasting.level, lasting.n_stale) == ("span", 0)
    assert check_labels(tmp_path / "new.jsonl", level="chunk").counts["split"] == 1


def test_nothing_is_written_of_a_set_that_does_not_say_what_it_means(tmp_path: Path, documents: Path) -> None:
    path = write_set(tmp_path, {"query": "who", "relevant": [{"document": "sick.md", "quote": "Ask first."}]})
    report = check_labels(path, output=tmp_path / "new.jsonl")
    assert (report.n_unclear, report.repair) == (1, None)
    assert not (tmp_path / "new.jsonl").exists()
    assert [(fault.line, fault.message.partition(",")[0]) for fault in report.faults] == [
        (1, 'the quote "Ask first." stands 2 times in sick.md')
    ]


def test_a_set_of_two_kinds_needs_the_level(tmp_path: Path, documents: Path) -> None:
    path = write_set(
        tmp_path, {"query": "when", "relevant": [{"document": "sick.md", "quote": NINE}, "leave.md"]}
    )
    mixed = check_labels(path, output=tmp_path / "new.jsonl")
    assert (mixed.level, mixed.counts["valid"], mixed.n_unclear, mixed.repair) == (None, 2, 0, None)
    assert [fault.line for fault in mixed.faults] == [None]
    assert "--level document" in mixed.faults[0].message
    assert not (tmp_path / "new.jsonl").exists()
    assert check_labels(path, level="document").counts["valid"] == 2
    with pytest.raises(UnknownNameError, match='unknown level "page"'):
        check_labels(path, level="page")


def test_what_cannot_be_done_is_refused(tmp_path: Path, documents: Path) -> None:
    path = write_set(tmp_path, {"query": "when", "relevant": [{"document": "sick.md", "quote": NINE}]})
    with pytest.raises(InputError, match="write the repaired one to another file"):
        check_labels(path, output=path)
    with pytest.raises(InputError, match="name its output"):
        check_labels(path, drop_gone=True)
    with pytest.raises(InputError, match="is written as JSON"):
        check_labels(path, output=tmp_path / "new.csv")
    with pytest.raises(WorkspaceError):
        check_labels(path, workspace="nowhere")
    path.write_text('{"query": 1}\n')
    with pytest.raises(BadLinesError):
        check_labels(path)


def test_every_fault_of_a_set_is_told_at_once(tmp_path: Path, documents: Path) -> None:
    """Bad lines, labels of several kinds, an unclear label, unknown names, and what is probably not meant."""
    path = write_set(
        tmp_path,
        {
            "query": "when",
            "relevant": [{"document": "sick.md", "quote": NINE}, "sik.md", "chunk-000000000000"],
        },
        {"query": "who", "relevant": [{"document": "sick.md", "quote": "Ask first."}]},
        {"query": "why", "relevant": [{"document": "leave.md", "quote": WEEKS, "relevance": 40}]},
        {"query": "when", "relevant": ["leave.md"]},
        {"query": "where", "relevant": []},
    )
    with path.open("a") as file:
        file.write(
            '{"query": "x"\n{"query": "y", "relevant": [{"document": "a", "relevance": 9999999999}]}\n'
        )
    report = check_labels(path, output=tmp_path / "new.jsonl")
    assert (report.level, report.n_bad_lines, report.n_unclear, report.repair) == (None, 2, 1, None)
    assert [(fault.line, fault.message[:29]) for fault in report.faults] == [
        (None, "the set labels documents (1, "),
        (2, 'the quote "Ask first." stands'),
        (6, "is not valid JSON: Expecting "),
        (7, '"relevance" must be an intege'),
    ]
    assert [(one.line, one.verdict) for one in report.labels] == [
        (1, "valid"), (1, "gone"), (1, "gone"), (3, "valid"), (4, "valid"),
    ]  # fmt: skip
    assert 'did you mean "sick.md"?' in report.labels[1].why
    assert [(remark.line, remark.message[:26]) for remark in report.remarks] == [
        (1, "has the text of line 4, wi"),
        (3, "has a relevance of 40. Gra"),
        (5, "has no label; name its tar"),
    ]
    assert not (tmp_path / "new.jsonl").exists()


def test_bad_lines_are_told_also_where_there_is_no_workspace(tmp_path: Path, documents: Path) -> None:
    path = write_set(tmp_path, {"query": "when", "relevant": ["sick.md"]}, {"query": 1, "relevant": []})
    with pytest.raises(BadLinesError, match='"query" must be text'):
        check_labels(path, workspace="nowhere")
