"""`rankle docs`: documents listed, shown and removed."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from fakes.command import BROKEN_PDF, GUIDE, fail, on_terminal, steady, succeed, write_files


@pytest.fixture(autouse=True)
def guide(tmp_path: Path) -> Path:
    folder = write_files(tmp_path / "guide", GUIDE)
    succeed("index", folder)
    return folder


def test_list_has_a_line_for_every_document() -> None:
    assert (
        succeed("docs", "list")
        == """\
Content  Kind      Lang  Chunks      Size  Document
#f302b5  markdown  de         1      71 B  de/wartung.md
#74936a  markdown  en         1      65 B  errors.md
#540bf2  text      ja         1     100 B  ja/filter.txt
#1e6dd8  markdown  en         1      79 B  setup.md

4 documents, 315 B, collection default
"""
    )


def test_list_of_several_collections_has_a_column_for_them(tmp_path: Path) -> None:
    law = write_files(tmp_path / "law", {"law.md": "x"})
    succeed("index", law, "--collection", "a name of more than twenty letters")
    printed = succeed("docs", "list")
    assert printed.splitlines()[0] == (
        "Content  Kind      Lang  Chunks      Size  Collection            Document"
    )
    assert "  a name…wenty letters  law.md\n" in printed


LONG = "a-folder-with-a-long-name/and-another-one/第二章の名前/a-file-with-a-long-name-of-its-own.md"


def test_no_row_is_wider_than_the_screen_and_json_has_the_whole_id(guide: Path) -> None:
    write_files(guide, {LONG: f"# {'Long ' * 40}\n\n{'word ' * 2_000}\n"})
    succeed("index")
    rows = succeed("docs", "list").splitlines()
    assert max(map(cell_len, rows)) == 80
    (row,) = [row for row in rows if "…" in row]
    assert row.endswith("its-own.md")
    assert LONG in {info["id"] for info in json.loads(succeed("docs", "list", "--json"))["documents"]}
    shown = succeed("docs", "show", LONG, "--chunks").splitlines()
    assert max(cell_len(line) for line in shown if LONG not in line) <= 80


@pytest.mark.parametrize("columns", [50, 160])
def test_the_table_has_the_width_of_the_terminal(guide: Path, columns: int) -> None:
    write_files(guide, {LONG: "# Long\n"})
    succeed("index")
    code, seen = on_terminal("docs", "list", environ={"COLUMNS": str(columns)})
    assert code == 0
    assert max(map(cell_len, seen.splitlines())) <= max(columns, 43 + 12)
    assert (LONG in seen) == (columns == 160)


def test_list_of_a_collection_holds_its_documents_only(tmp_path: Path) -> None:
    succeed("index", write_files(tmp_path / "law", {"law.md": "x"}), "--collection", "law")
    listed = json.loads(succeed("docs", "list", "--collection", "law", "--json"))
    assert listed["schema"] == "rankle.documents/1"
    assert [info["id"] for info in listed["documents"]] == ["law.md"]
    assert 'unknown collection "lw"; did you mean "law"?' in fail("docs", "list", "--collection", "lw")


def test_failed_lists_what_could_not_be_read(guide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert succeed("docs", "list", "--failed") == "No failures: the last index could read every file.\n"
    write_files(guide, {"broken.pdf": BROKEN_PDF})
    succeed("index")
    monkeypatch.chdir(guide)
    assert succeed("docs", "list", "--failed").startswith(
        "Failed (1 file):\n  broken.pdf: is no readable PDF"
    )
    (failure,) = json.loads(succeed("docs", "list", "--failed", "--json"))["failures"]
    assert failure["path"] == str(guide / "broken.pdf")


def test_show_tells_what_is_known(guide: Path) -> None:
    printed = succeed("docs", "show", "errors.md", "--chunks")
    indexed_at = json.loads(succeed("docs", "show", "errors.md", "--json"))["document"]["indexed_at"]
    assert (
        steady(printed.replace(str(guide), "GUIDE").replace(indexed_at, "NOW"))
        == """\
Document:   errors.md
Title:      Errors
Path:       GUIDE/errors.md
Content id: #74936a
Collection: default
Kind:       markdown
Language:   en
Size:       65 B; 65 characters of text
Chunks:     1
Indexed:    NOW

chunk-…  lines 1-5  about 19 tokens
  Errors › E-42
  # Errors ## E-42 The battery voltage is below 11 V. Charge it.
"""
    )


def test_a_document_is_named_by_id_path_or_content_id(guide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = succeed("docs", "show", "errors.md")
    content_id = next(line.split()[-1] for line in shown.splitlines() if line.startswith("Content id"))
    monkeypatch.chdir(guide / "de")
    assert succeed("docs", "show", str(guide / "errors.md")) == shown
    assert succeed("docs", "show", "../errors.md") == shown
    assert succeed("docs", "show", content_id) == shown
    assert succeed("docs", "show", content_id.upper()) == shown


def test_text_is_what_offsets_point_into(guide: Path) -> None:
    text = succeed("docs", "show", "ja/filter.txt", "--text")
    value = json.loads(succeed("docs", "show", "ja/filter.txt", "--text", "--chunks", "--json"))
    assert text.rstrip("\n") == value["text"].rstrip("\n")
    (chunk,) = value["chunks"]
    assert value["text"][slice(*chunk["span"])] == chunk["text"]


@pytest.mark.parametrize("command", ["show", "remove"])
def test_an_unknown_document_suggests_the_nearest(command: str) -> None:
    message = 'Error: unknown document "eror.md"; did you mean "errors.md"? See: rankle docs list\n'
    assert fail("docs", command, "eror.md") == message


def test_remove_takes_documents_and_tells_that_they_may_return(guide: Path) -> None:
    assert succeed("docs", "remove", "errors.md", "de/wartung.md", "errors.md", "--yes") == (
        "Removed: 2 documents. The files are where they were.\n"
        "The next index of the folder brings them back, unless a .rankleignore there\n"
        "names them.\n"
    )
    assert "2 documents" in succeed("docs", "list")
    assert "No results" in succeed("search", "voltage")
    write_files(guide, {".rankleignore": "errors.md\n"})
    assert "1 added" in succeed("index")


def test_remove_of_a_root_forgets_the_folder(guide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(guide.parent)
    assert succeed("docs", "remove", "--root", "guide", "--yes") == (
        "Removed: 4 documents. The files are where they were.\nNo longer indexed: guide\n"
    )
    assert succeed("docs", "list") == "No documents. Index some: rankle index PATH\n"
    assert "nothing was indexed yet" in fail("index")


def test_remove_of_a_collection_forgets_its_folders(tmp_path: Path) -> None:
    succeed("index", write_files(tmp_path / "law", {"law.md": "x"}), "--collection", "law")
    assert "Removed: 1 document." in succeed("docs", "remove", "--collection", "law", "--yes")
    assert "4 unchanged" in succeed("index")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "name what to remove: documents, or --root PATH, or --collection NAME; one of them"),
        (["errors.md", "--root", "guide"], "one of them"),
        (["--root", "nowhere", "--yes"], "unknown root "),
        (["--collection", "defalt", "--yes"], 'unknown collection "defalt"; did you mean "default"?'),
    ],
)
def test_remove_refuses_what_it_cannot_tell(args: list[str], message: str) -> None:
    assert message in fail("docs", "remove", *args)
    assert "4 documents" in succeed("docs", "list")


def test_where_nobody_can_be_asked_remove_needs_yes() -> None:
    assert fail("docs", "remove", "errors.md") == (
        "Error: Remove 1 document from workspace default (errors.md)? "
        "Nobody can be asked here; to go ahead, add --yes\n"
    )
    assert "4 documents" in succeed("docs", "list")


def test_failed_does_not_go_with_a_collection() -> None:
    assert "leave one out" in fail("docs", "list", "--failed", "--collection", "x")


def test_on_a_terminal_remove_asks() -> None:
    question = "Remove 1 document from workspace default (errors.md)? [y/N]: "
    code, seen = on_terminal("docs", "remove", "errors.md", typed="n\n")
    assert (code, seen.replace("n\n", "", 1)) == (0, f"{question}Nothing was changed.\n")
    assert "4 documents" in succeed("docs", "list")
    code, seen = on_terminal("docs", "remove", "errors.md", typed="y\n")
    assert code == 0
    assert "Removed: 1 document." in seen
    assert "3 documents" in succeed("docs", "list")


def test_text_cannot_steer_a_terminal(guide: Path) -> None:
    write_files(guide, {"evil.md": "# Evil\n\n" + "Plain words. " * 30 + "\x1b[2J\n"})
    succeed("index")
    assert "\x1b[2J" in succeed("docs", "show", "evil.md", "--text")
    _code, seen = on_terminal("docs", "show", "evil.md", "--text")
    assert seen.endswith("?[2J\n")
