"""Files of evals are found where they are, loaded one by one, and what throws hinders no other."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from rankle.app.eval_files import Found, find_eval_files, load_eval_file, load_eval_files
from rankle.core.errors import InputError, UnknownNameError

EVAL = """
import rankle

@rankle.eval({name!r}, data=[{{"input": 1}}], scorers=[])
def task(input):
    return input
"""


@pytest.fixture(autouse=True)
def _modules_as_before() -> Iterator[None]:
    """Whatever a test loads is forgotten, and so is the search path."""
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def write(root: Path, name: str, content: str | None = None) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        textwrap.dedent(EVAL.format(name=path.stem) if content is None else content), encoding="utf-8"
    )
    return path


def found(root: Path, *paths: str, cwd: Path | None = None) -> list[str]:
    files = find_eval_files(paths, root=root, cwd=cwd or root).files
    return [path.relative_to(root).as_posix() for path in files]


def test_without_a_path_the_folder_evals_is_taken_and_else_the_current_one(tmp_path: Path) -> None:
    for name in ("a_eval.py", "sub/eval_b.py", "sub/evals.py", "sub/my_evaluation.py", "sub/test_eval.txt"):
        write(tmp_path, name)
    assert found(tmp_path) == ["a_eval.py", "sub/eval_b.py"]

    write(tmp_path, "evals/c_eval.py")
    assert found(tmp_path) == ["evals/c_eval.py"]
    assert found(tmp_path, cwd=tmp_path / "sub") == ["sub/eval_b.py"]


def test_the_order_is_that_of_the_paths_and_within_a_folder_that_of_its_names(tmp_path: Path) -> None:
    for name in ("b/z_eval.py", "b/a_eval.py", "b/inner/a_eval.py", "a/x_eval.py", "c.py"):
        write(tmp_path, name)

    assert found(tmp_path, "b", "a", "b/a_eval.py", "./a/../c.py") == [
        "b/a_eval.py", "b/z_eval.py", "b/inner/a_eval.py", "a/x_eval.py", "c.py",
    ]  # fmt: skip


def test_what_is_not_of_the_project_is_not_entered(tmp_path: Path) -> None:
    git = {"GIT_CONFIG_GLOBAL": os.devnull, "PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, env=git)
    write(tmp_path, ".gitignore", "built/\n*_local_eval.py\n")
    for name in (
        "src/a_eval.py", "module/a_eval.py", ".hidden/a_eval.py", "built/a_eval.py", "src/my_local_eval.py",
        "node_modules/x/a_eval.py", "env/lib/a_eval.py", "conda/a_eval.py", "tree/a_eval.py",
        "lib/site-packages/a_eval.py", "src/__pycache__/a_eval.py",
    ):  # fmt: skip
        write(tmp_path, name)
    write(tmp_path, "env/pyvenv.cfg", "")
    (tmp_path / "conda" / "conda-meta").mkdir()
    write(tmp_path, "tree/.git", "gitdir: /somewhere/.git/worktrees/tree\n")
    write(tmp_path, "module/.git", "gitdir: /somewhere/.git/modules/module\n")
    (tmp_path / "link").symlink_to(tmp_path / "src")

    assert found(tmp_path, ".") == ["module/a_eval.py", "src/a_eval.py"]
    assert found(tmp_path, "built", "tree", ".hidden") == [
        "built/a_eval.py",
        "tree/a_eval.py",
        ".hidden/a_eval.py",
    ]
    assert found(tmp_path, "src/my_local_eval.py") == ["src/my_local_eval.py"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("evls", r"^no such file or folder: evls; did you mean evals\?$"),
        (
            "evals/serch_eval.py",
            r"no such file or folder: evals/serch_eval.py; did you mean evals/search_eval.py\?",
        ),
        (
            "evals/notes.txt",
            r"evals/notes.txt is no Python file; evals stand in files such as search_eval.py",
        ),
        (
            "evals/queries.jsonl",
            r"is no Python file; .* An eval set is measured with: rankle eval evals/queries.jsonl$",
        ),
        ("sets", r"no file of evals in sets: .* An eval set is measured with: rankle eval sets/beer.json$"),
        ("empty", r"no file of evals in empty: they are called \*_eval.py or eval_\*.py\. .* rankle init$"),
        ("evals::search", r"evals::search: one eval is named as FILE::NAME"),
        ("evals/search_eval.py::", r"one eval is named as FILE::NAME"),
    ],
)
def test_a_path_that_leads_to_no_evals_is_told(path: str, words: str, tmp_path: Path) -> None:
    write(tmp_path, "evals/search_eval.py")
    for name in ("evals/notes.txt", "evals/queries.jsonl", "sets/beer.json"):
        write(tmp_path, name, "")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=words):
        found(tmp_path, path)


def test_a_project_without_evals_is_told_how_they_are_called(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file of evals in the current folder: they are called"):
        found(tmp_path)


def test_one_eval_of_a_file_is_named_by_path_and_name(tmp_path: Path) -> None:
    write(tmp_path, "evals/search_eval.py")
    named = find_eval_files(["search_eval.py::search_eval"], root=tmp_path, cwd=tmp_path / "evals")

    assert named == Found((tmp_path / "evals/search_eval.py",), ("evals/search_eval.py::search_eval",))
    assert [one.name for one in load_eval_files(named, root=tmp_path).suites] == ["search_eval"]


def test_a_variant_may_be_named_and_a_name_that_is_not_there_suggests_the_nearest(tmp_path: Path) -> None:
    write(
        tmp_path, "a_eval.py",
        'import rankle\nrankle.Suite("Vector search", data=[], task=len, scorers=[], '
        'variants=[{"name": "k=5", "input": 5}])',
    )  # fmt: skip
    for name in ("Vector search", "Vector search[k=5]"):
        load_eval_files(find_eval_files([f"a_eval.py::{name}"], root=tmp_path, cwd=tmp_path), root=tmp_path)
    with pytest.raises(
        UnknownNameError, match=r'unknown eval in a_eval.py: "vector serch"; did you mean "Vector'
    ):
        load_eval_files(
            find_eval_files(["a_eval.py::vector serch"], root=tmp_path, cwd=tmp_path), root=tmp_path
        )


def load(root: Path, *names: str) -> tuple[list[str], dict[str, str], list[str]]:
    loaded = load_eval_files(find_eval_files(names or ["."], root=root, cwd=root), root=root)
    broken = {one.file: f"{one.error.type}: {one.error.message}" for one in loaded.broken}
    return [one.name for one in loaded.suites], broken, list(loaded.without_evals)


def test_a_file_that_throws_is_told_and_the_others_are_loaded(tmp_path: Path) -> None:
    write(tmp_path, "a_eval.py", "import rankle\ndef load():\n    raise KeyError('x')\nload()\n")
    write(tmp_path, "b_eval.py", "def task(input:\n")
    write(tmp_path, "c_eval.py", "import sys\nsys.exit(3)\n")
    write(tmp_path, "d_eval.py", "import nowhere_to_be_found\n")
    write(tmp_path, "e_eval.py", "import rankle\nrankle.eval('E', data=[], scorers=[], trialCount=3)\n")
    write(tmp_path, "eval_helpers.py", "LIMIT = 5\n")
    write(tmp_path, "f_eval.py")

    suites, broken, without = load(tmp_path)
    assert suites == ["f_eval"]
    assert without == ["eval_helpers.py"]
    assert broken == {
        "a_eval.py": "KeyError: 'x'",
        "b_eval.py": "SyntaxError: '(' was never closed (b_eval.py, line 1)",
        "c_eval.py": (
            "InputError: c_eval.py ends the process while it is loaded, by sys.exit(3); put what is to run "
            'as a script below: if __name__ == "__main__":'
        ),
        "d_eval.py": "ModuleNotFoundError: No module named 'nowhere_to_be_found'",
        "e_eval.py": 'InputError: unknown option of eval "E" "trialCount"; here it is "trials"',
    }


def test_of_what_throws_only_the_frames_of_the_user_are_told(tmp_path: Path) -> None:
    write(tmp_path, "a_eval.py", "import rankle\ndef load():\n    raise KeyError('x')\nload()\n")
    [broken] = load_eval_files(find_eval_files(["."], root=tmp_path, cwd=tmp_path), root=tmp_path).broken

    assert broken.error.traceback is not None
    lines = [line.strip() for line in broken.error.traceback.splitlines() if line.strip().startswith("File")]
    assert lines == [
        f'File "{tmp_path}/a_eval.py", line 4, in <module>', f'File "{tmp_path}/a_eval.py", line 3, in load',
    ]  # fmt: skip


def test_an_interrupt_while_loading_is_not_kept(tmp_path: Path) -> None:
    write(tmp_path, "a_eval.py", "raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        load(tmp_path)


def test_only_what_a_file_defines_is_its_own(tmp_path: Path) -> None:
    """Not what it imports of another file of evals; but what a function of another file makes for it."""
    write(tmp_path, "a_eval.py")
    factory = "def make(name):\n    return rankle.Suite(name, data=[], task=len, scorers=[])\n"
    write(tmp_path, "factories.py", f"import rankle\n{factory}make('helper')\n")
    write(
        tmp_path, "b_eval.py",
        "import a_eval\nfrom factories import make\nmake('B1')\nmade = [make(f'B{n}') for n in (2, 3)]\n"
        "def inner():\n    return make('B4')\ninner()\n",
    )  # fmt: skip
    [b1, b2, _b3, b4] = load_eval_file(tmp_path / "b_eval.py", root=tmp_path)

    assert [b1.name, b2.name, b4.name] == ["B1", "B2", "B4"]
    assert [one.place.line for one in (b1, b2, b4) if one.place] == [3, 4, 7]
    assert load(tmp_path)[0] == ["a_eval", "B1", "B2", "B3", "B4"]


def test_files_of_one_name_are_modules_of_their_own(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write(tmp_path, f"{folder}/a_eval.py", EVAL.format(name=folder) + f"\nNAME = {folder!r}\n")
    first, second = (
        load_eval_file(tmp_path / folder / "a_eval.py", root=tmp_path) for folder in ("one", "two")
    )

    modules = [sys.modules[suite.task.__module__] for suite in (*first, *second)]
    assert [module.NAME for module in modules] == ["one", "two"]


def test_an_edit_is_seen_however_quick_it_was(tmp_path: Path) -> None:
    path = write(tmp_path, "a_eval.py", EVAL.format(name="one"))
    before = path.stat()
    assert [one.name for one in load_eval_file(path, root=tmp_path)] == ["one"]

    write(tmp_path, "a_eval.py", EVAL.format(name="two"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [one.name for one in load_eval_file(path, root=tmp_path)] == ["two"]


def test_a_file_may_import_what_stands_beside_it_and_what_the_project_holds(tmp_path: Path) -> None:
    write(tmp_path, "evals/beside_it.py", "NAME = 'beside'\n")
    write(tmp_path, "search_code/__init__.py", "NAME = 'project'\n")
    write(
        tmp_path, "evals/a_eval.py",
        "import rankle\nimport beside_it\nimport search_code\n"
        "for one in (beside_it, search_code):\n    rankle.Suite(one.NAME, data=[], task=len, scorers=[])\n",
    )  # fmt: skip

    assert load(tmp_path)[:2] == (["beside", "project"], {})


def test_within_a_package_relative_imports_work(tmp_path: Path) -> None:
    write(tmp_path, "deep/quality/__init__.py", "")
    write(tmp_path, "deep/quality/names.py", "NAME = 'relative'\n")
    write(
        tmp_path, "deep/quality/a_eval.py",
        "import rankle\nfrom .names import NAME\nrankle.Suite(NAME, data=[], task=len, scorers=[])\n",
    )  # fmt: skip

    assert load(tmp_path)[:2] == (["relative"], {})


def test_a_package_that_ends_the_process_is_told(tmp_path: Path) -> None:
    write(tmp_path, "exiting/__init__.py", "raise SystemExit\n")
    write(tmp_path, "exiting/a_eval.py")

    assert "by sys.exit(None)" in load(tmp_path)[1]["exiting/a_eval.py"]


def test_the_path_of_modules_grows_once(tmp_path: Path) -> None:
    write(tmp_path, "evals/a_eval.py")
    for _ in range(2):
        load(tmp_path)

    added = [str(tmp_path / "evals"), str(tmp_path)]
    assert [folder for folder in sys.path if folder in added] == added


def test_plain_rows_are_loaded_without_heavy_packages(tmp_path: Path) -> None:
    """What a first case must not wait for."""
    write(tmp_path, "rows.jsonl", '{"input": 1}\n')
    for name, data in (("a", [{"input": 1}]), ("b", "rows.jsonl")):
        write(
            tmp_path,
            f"{name}_eval.py",
            f"import rankle\nrankle.Suite('A', data={data!r}, task=len, scorers=[])\n",
        )
    program = """
    import asyncio, sys
    from pathlib import Path
    from rankle.app.eval_files import find_eval_files, load_eval_files
    from rankle.app.eval_settings import load_eval_settings
    from rankle.harness.evals.selection import prepare
    settings = load_eval_settings()
    loaded = load_eval_files(find_eval_files([], root=settings.root), root=settings.root)
    found = asyncio.run(prepare(loaded.suites, root=settings.root))
    print(len(found), sum(len(one.cases) for one in found), *sorted(m for m in sys.modules if "." not in m))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    evals, cases, *modules = done.stdout.split()
    assert (evals, cases) == ("2", "2")
    heavy = {"numpy", "polars", "pandas", "jsonschema", "pydantic", "httpx", "rich", "pathspec", "rapidfuzz"}
    assert not heavy & set(modules)
