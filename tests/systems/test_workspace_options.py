"""The options of the ranking, at the end of `kb:WORKSPACE` or in a table, and what it is called by them."""

from pathlib import Path

import pytest

from fakes.opened import opened
from rankle.app.wiring.systems import open_systems
from rankle.core.errors import RankleError
from rankle.core.ports import PassageSource
from rankle.harness.batches import answers_batches
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_settings import SearchSettings
from rankle.systems.workspace_options import WorkspaceOptions


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("the pump is primed by hand", encoding="utf-8")
    with KnowledgeBase(home / "small", name="small", create=True) as kb:
        kb.index(docs)
    return {"RANKLE_HOME": str(home)}


def test_without_options_a_workspace_is_searched_as_commands_search_it() -> None:
    assert WorkspaceOptions().settings == SearchSettings()


def test_options_at_the_end_of_a_uri_are_those_that_it_is_searched_with(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    uri = "kb:small?method=fts5&per_document=1&collapse=true"
    with (
        opened(uri, cwd=tmp_path, environ=environ) as system,
        opened("kb:small?method=fts5", cwd=tmp_path, environ=environ) as plain,
    ):
        found = system.describe()
        assert (found.settings["per_document"], found.settings["collapse"]) == (1, True)
        assert found.fingerprint != plain.describe().fingerprint


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("per_document=0", "must be an integer >= 1, got 0"),
        ("fusion=x", "Known: convex, rrf"),
        ("vector_weigth=0.3", 'did you mean "vector_weight"'),
        ("method=fts5&vector_weight=0.3", "settings of method hybrid"),
        ("collapse=maybe", '"collapse" of kb:small: expected `bool`'),
    ],
)
def test_what_is_no_option_of_a_workspace_is_refused(
    tmp_path: Path, environ: dict[str, str], options: str, words: str
) -> None:
    with (
        pytest.raises(RankleError, match=words),
        opened(f"kb:small?{options}", cwd=tmp_path, environ=environ),
    ):
        pass


def test_a_table_is_called_by_its_name_and_tells_what_it_is(tmp_path: Path, environ: dict[str, str]) -> None:
    tables = (
        '[systems.strict]\nuri = "kb:small?method=fts5"\nper_document = 1\n'
        '[systems.loose]\nuri = "kb:small"\nmethod = "fts5"\n'
    )
    (tmp_path / "rankle.toml").write_text(tables, encoding="utf-8")
    with open_systems(["strict", "loose"], environ=environ, cwd=tmp_path) as systems:
        told = [system.describe() for system in systems]
        assert all(answers_batches(system) and isinstance(system, PassageSource) for system in systems)
    assert [(each.name, each.method) for each in told] == [("strict", "strict"), ("loose", "loose")]
    assert told[0].settings["uri"] == "kb:small?method=fts5"
    assert [each.settings["method"] for each in told] == ["fts5", "fts5"]
    assert [each.is_reusable for each in told] == [True, True]
    assert told[0].fingerprint != told[1].fingerprint


def test_uris_of_one_workspace_are_told_apart_by_their_options(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    uris = [
        "kb:small?method=fts5",
        "kb:small?method=fts5&per_document=1",
        "kb:small?collapse=true&method=fts5",
    ]
    with open_systems(uris, environ=environ, cwd=tmp_path) as systems:
        told = [system.describe() for system in systems]
    assert [each.name for each in told] == ["kb:small"] * 3
    assert [each.method for each in told] == ["fts5", "fts5 per_document=1", "fts5 collapse=true"]
