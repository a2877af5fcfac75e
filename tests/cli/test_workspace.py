"""`rankle workspace`: which there are, which one is used, and what may be deleted."""

import json
import re
from pathlib import Path

import pytest

from fakes.command import GUIDE, fail, rankle, succeed, write_files


def _sizeless(text: str) -> str:
    return re.sub(r" *[\d.]+ [kM]?B\b", "  _", text)


def test_list_marks_the_current_workspace_and_says_what_decided_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKLE_MODEL", "fake")
    assert succeed("workspace", "list") == (
        f"Current: default, by the default, not made yet: rankle index PATH\nHome: {home}\n"
    )
    succeed("index", write_files(tmp_path / "guide", GUIDE))
    succeed("workspace", "create", "other")
    assert (
        _sizeless(succeed("workspace", "list"))
        == f"""\
  Workspace  Documents   Chunks  Embedded      Size  Model
* default            4        4         4  _  fake
  other              0        0         —  _  —

Current: default, by the default
Home: {home}
"""
    )


def test_use_decides_until_something_stronger_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two", "three"):
        succeed("workspace", "create", name)
    assert succeed("workspace", "use", "one") == "Chosen: one\n"
    assert "Current: one, by `workspace use`\n" in succeed("workspace", "list")
    (tmp_path / "rankle.toml").write_text('workspace = "two"\n', encoding="utf-8")
    assert "Current: two, by the project file\n" in succeed("workspace", "list")
    monkeypatch.setenv("RANKLE_WORKSPACE", "three")
    assert "Current: three, by the variable RANKLE_WORKSPACE\n" in succeed("workspace", "list")
    outcome = rankle("workspace", "use", "two")
    assert (outcome.code, outcome.out) == (0, "Chosen: two\n")
    assert outcome.err == "Here, though, the variable RANKLE_WORKSPACE decides first, and names three.\n"


def test_info_tells_what_it_holds(home: Path, tmp_path: Path) -> None:
    guide = write_files(tmp_path / "guide", GUIDE)
    succeed("index", guide, "--as", "v1")
    succeed("search", "voltage")
    printed = re.sub(r"\d{4}-\S+Z", "_", _sizeless(succeed("workspace", "info")))
    assert (
        printed.replace(str(tmp_path), "TMP")
        == """\
Workspace:    default
Folder:       TMP/home/default
Documents:    4
Chunks:       4
Vectors:      none; make them with: rankle embed -w default
Collections:  default 4
Languages:    en 2, de 1, ja 1
Failures:     0
Searches:     1 in the log
Ratings:      0
Size:  _
Roots:
  TMP/guide as v1/
    collection default, indexed _
"""
    )


def test_json_of_list_and_info(home: Path) -> None:
    succeed("workspace", "create", "default")
    listed = json.loads(succeed("workspace", "list", "--json"))
    assert (listed["schema"], listed["home"], listed["current"], listed["current_from"]) == (
        "rankle.workspaces/1", str(home), "default", "default",
    )  # fmt: skip
    (each,) = listed["workspaces"]
    assert (each["name"], each["current"], each["problem"], each["n_documents"]) == ("default", True, None, 0)
    info = json.loads(succeed("workspace", "info", "--json"))
    assert info["schema"] == "rankle.workspace/1"
    assert {key: info[key] for key in each if key.startswith("n_")} == {
        key: value for key, value in each.items() if key.startswith("n_")
    }


def test_create_refuses_a_name_that_is_taken_or_not_allowed() -> None:
    succeed("workspace", "create", "x")
    assert 'there is a workspace "x" already' in fail("workspace", "create", "x")
    for name in ("a/b", "..", ".x", "a b"):
        said = fail("workspace", "create", name)
        assert "a workspace is named by letters" in said
        assert said.endswith(f'got "{name}" from NAME\n')


@pytest.mark.parametrize("command", [["use"], ["info"], ["delete", "--yes"]], ids=lambda args: args[0])
def test_an_unknown_name_suggests_the_nearest(command: list[str]) -> None:
    succeed("workspace", "create", "handbook")
    assert 'handbok; did you mean "handbook"?' in fail("workspace", *command, "handbok")


def test_delete_takes_the_choice_along(home: Path) -> None:
    succeed("workspace", "create", "x")
    succeed("workspace", "use", "x")
    assert succeed("workspace", "delete", "x", "--yes") == "Deleted: x, and the choice of it\n"
    assert list(home.iterdir()) == []


def test_delete_asks_first_or_needs_yes(home: Path) -> None:
    succeed("workspace", "create", "x")
    assert fail("workspace", "delete", "x") == (
        f"Error: Delete the workspace x with 0 documents and 0 logged searches, at {home / 'x'}? "
        "Nobody can be asked here; to go ahead, add --yes\n"
    )
    assert (home / "x").is_dir()


def test_a_folder_that_is_no_workspace_is_never_deleted(home: Path) -> None:
    write_files(home / "photos", {"cat.jpg": "x"})
    assert fail("workspace", "delete", "photos", "--yes") == (
        f"Error: {home / 'photos'} holds no workspace; it stays as it is\n"
    )
    assert (home / "photos" / "cat.jpg").is_file()
    assert "photos" not in succeed("workspace", "list")


def test_a_link_to_a_workspace_is_not_followed(home: Path) -> None:
    succeed("workspace", "create", "x")
    (home / "link").symlink_to(home / "x")
    assert "stays as it is" in fail("workspace", "delete", "link", "--yes")
    assert (home / "x").is_dir()


def test_a_search_log_that_cannot_be_read_does_not_hide_the_workspace(home: Path) -> None:
    succeed("workspace", "create", "default")
    (home / "default" / "searches.db").write_text("no database", encoding="utf-8")
    assert "Searches:     the log cannot be read\n" in succeed("workspace", "info")
    assert "cannot be opened" not in succeed("workspace", "list")
    assert "searches.db cannot be read (file is not a database). Delete it" in fail("analytics")
    succeed("workspace", "delete", "default", "--yes")
