"""The lexical regression matrix, through `rankle search`."""

import json
from pathlib import Path

import pytest

from fakes.command import rankle, succeed, write_files
from kb.lexical_matrix import ROWS, Row, files, problems


@pytest.fixture(scope="module")
def matrix_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_files(tmp_path_factory.mktemp("matrix"), files())
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RANKLE_HOME", str(folder / "home"))
        succeed("index", folder / "open")
        succeed("index", folder / "legal", "--as", "legal", "--collection", "legal")
    return folder / "home"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.label)
def test_a_query_finds_what_it_must_and_nothing_that_it_must_not(
    matrix_home: Path, monkeypatch: pytest.MonkeyPatch, row: Row
) -> None:
    monkeypatch.setenv("RANKLE_HOME", str(matrix_home))
    options = ["--json", "-k", "1000", "--group", "document", "--no-log"]
    if row.collection is not None:
        options += ["--collection", row.collection]
    outcome = rankle("search", *options, "--", row.query)
    assert (outcome.code, outcome.err) == (0, "")
    ranking = [result["id"] for result in json.loads(outcome.out)["results"]]
    assert problems(row, ranking) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.label)
def test_any_query_can_be_shown_and_logged(
    matrix_home: Path, monkeypatch: pytest.MonkeyPatch, row: Row
) -> None:
    monkeypatch.setenv("RANKLE_HOME", str(matrix_home))
    outcome = rankle("search", "-k", "3", "--explain", "--", row.query)
    assert (outcome.code, outcome.err) == (0, "")
    outcome.out.encode()
    assert "method fts5" in outcome.out or "holds no letter or digit" in outcome.out
