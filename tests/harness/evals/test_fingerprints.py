"""The fingerprint of a task changes with what it is made of, and with nothing else."""

import functools
import importlib
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rankle
from rankle.core.errors import InputError
from rankle.harness.evals.fingerprints import read_task
from rankle.harness.evals.suite import Suite, Variant

HEAD = """
import functools
import rankle
def kept(function):
    @functools.wraps(function)
    def inner(*given, **named):
        return function(*given, **named)
    return inner
DEPTH = 5
UNUSED = 1
class Box:
    size = 1
    def open(self, input):
        return helper(input)
def helper(input):
    return input + DEPTH
def again(input):
    return task(input) + again(input)
"""
TASK = """
def task(input):
    return helper(input)
"""
DERIVED = """
class C(Box):
    def __call__(self, input):
        return self.open(input)
task = C()
"""
OTHER_EVAL = """
other = rankle.Suite("O", data=[], task=helper, scorers=[])
def task(input):
    return other.task(input)
"""


def defined(source: str, folder: Path, name: str = "a_module.py") -> Any:
    """What running a file gives."""
    file = folder / name
    file.write_text(textwrap.dedent(source), encoding="utf-8")
    importlib.invalidate_caches()
    namespace: dict[str, Any] = {"__name__": file.stem, "__file__": str(file)}
    import linecache

    linecache.clearcache()
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    return namespace


def of(task: Callable[..., Any], *, root: Path, variant: Variant | None = None, **options: Any) -> str:
    suite = Suite("A", data=[], task=task, scorers=[], **options)
    return read_task(suite, variant=variant, root=root).fingerprint


def of_source(body: str, folder: Path, head: str = HEAD) -> str:
    return of(defined(head + body, folder)["task"], root=folder)


def test_it_is_a_sha_256(tmp_path: Path) -> None:
    found = of_source(TASK, tmp_path)

    assert len(found) == 64
    assert int(found, 16) >= 0


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("\n\n\ndef task( input ):\n    # says why\n    return (helper(\n        input))\n", HEAD),
        ("@kept\ndef task(input):\n    return helper(input)\n", HEAD),
        ("@kept\n@kept\ndef task(input):\n    return helper(input)\n", HEAD),
        (TASK, HEAD.replace("UNUSED = 1", "UNUSED = 2")),
        (TASK, HEAD.replace("again(input)\n", "0\n")),
        (TASK, HEAD.replace("size = 1", "size = 2")),
        (TASK, "# a comment\n" + HEAD),
    ],
    ids=[
        "layout",
        "decorator",
        "decorators",
        "another value",
        "another function",
        "another class",
        "comment",
    ],
)
def test_layout_comments_decorators_and_code_that_it_does_not_name_do_not_count(
    body: str, head: str, tmp_path: Path
) -> None:
    assert of_source(body, tmp_path, head) == of_source(TASK, tmp_path)


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (TASK.replace("helper(input)", "helper(input) + 1"), HEAD),
        (TASK, HEAD.replace("input + DEPTH", "input - DEPTH")),
        (TASK, HEAD.replace("DEPTH = 5", "DEPTH = 6")),
        (TASK, HEAD.replace("DEPTH = 5", "DEPTH = '5'")),
        (TASK.replace("(input):", "(input, more=1):"), HEAD),
        ("async " + TASK.strip(), HEAD),
    ],
    ids=["itself", "what it calls", "a value of that", "its type", "default", "async"],
)
def test_what_it_is_made_of_counts(body: str, head: str, tmp_path: Path) -> None:
    assert of_source(body, tmp_path, head) != of_source(TASK, tmp_path)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("task = lambda input: input + 1", "task = lambda input: input + 2"),
        ("task = lambda input: input + DEPTH", "DEPTH = 7\ntask = lambda input: input + DEPTH"),
        ("def task(input, k=1): ...", "def task(input, k=2): ..."),
        ("def made(k=lambda input: 1):\n    return k\ntask = made()",
         "def made(k=lambda input: 2):\n    return k\ntask = made()"),
        ("def task(input, *, k=1): ...", "def task(input, *, k=2): ..."),
        ("task = functools.partial(pow, 2)", "task = functools.partial(pow, 3)"),
        ("task = Box().open", "def helper(input):\n    return 7\ntask = Box().open"),
        ("def make(k):\n    def inner(input):\n        return k\n    return inner\ntask = make(1)",
         "def make(k):\n    def inner(input):\n        return k\n    return inner\ntask = make(2)"),
        ("def task(input):\n    def inner():\n        return DEPTH\n    return inner()",
         "DEPTH = 8\ndef task(input):\n    def inner():\n        return DEPTH\n    return inner()"),
        ("class C:\n    def __call__(self, input):\n        return 1\ntask = C()",
         "class C:\n    def __call__(self, input):\n        return 2\ntask = C()"),
        ("def task(input):\n    return Box().open(input)",
         "class Box:\n    size = 2\ndef task(input):\n    return Box().open(input)"),
        (DERIVED, "class Box:\n    def open(self, input):\n        return 1\n" + DERIVED),
        ("class C:\n    @property\n    def k(self):\n        return 1\ndef task(input):\n    return C().k",
         "class C:\n    @property\n    def k(self):\n        return 2\ndef task(input):\n    return C().k"),
        ("class C:\n    @staticmethod\n    def k():\n        return 1\ndef task(input):\n    return C.k()",
         "class C:\n    @staticmethod\n    def k():\n        return 2\ndef task(input):\n    return C.k()"),
        (OTHER_EVAL, "def helper(input):\n    return 9\n" + OTHER_EVAL),
    ],
    ids=[
        "lambda", "value of a lambda", "default", "lambda as default", "default by name", "partial", "method",
        "closure", "function within", "object", "class", "base", "property", "static", "eval",
    ],
)  # fmt: skip
def test_every_kind_of_task_is_read(one: str, other: str, tmp_path: Path) -> None:
    assert of_source(one, tmp_path) == of_source(one, tmp_path)
    assert of_source(one, tmp_path) != of_source(other, tmp_path)


def test_functions_that_name_each_other_end(tmp_path: Path) -> None:
    body = "def task(input):\n    return again(input)\n"

    assert of_source(body, tmp_path) == of_source(body, tmp_path)
    assert of_source(body, tmp_path) != of_source(
        body, tmp_path, HEAD.replace("+ again(input)", "- again(input)")
    )


def test_it_is_the_same_in_every_process(tmp_path: Path) -> None:
    """Sets go through their members in another order in each process."""
    program = f"""
    import sys
    from pathlib import Path
    import rankle
    from rankle.harness.evals.fingerprints import read_task
    SETS = {{"a", "b", "c", "d"}}
    task = lambda input: input in {{"x", "y", "z", "w"}} and SETS
    suite = rankle.Suite("A", data=[], task=task, scorers=[])
    print(read_task(suite, variant=None, root=Path({str(tmp_path)!r})).fingerprint)
    """
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(program), encoding="utf-8")
    run = functools.partial(subprocess.run, capture_output=True, text=True, check=True)
    found = {run([sys.executable, str(file)], env={"PYTHONHASHSEED": seed}).stdout for seed in "123"}

    assert len(found) == 1
    assert len(next(iter(found)).strip()) == 64


def task(input: Any) -> Any:
    return input


@dataclass
class Settings:
    k: int


def test_a_variant_counts(tmp_path: Path) -> None:
    variants: list[Variant | None] = [
        None, Variant("a", 1), Variant("b", 1), Variant("a", 2), Variant("a", Settings(1)),
        Variant("a", Settings(2)), Variant("a", str.upper), Variant("a", str.title),
        Variant("a", task), Variant("a", functools.partial(task, 1)),
    ]  # fmt: skip
    found = [of(task, root=tmp_path, variant=one) for one in variants]

    assert len(set(found)) == len(variants)


def test_an_object_counts_by_its_class_alone(tmp_path: Path) -> None:
    first, second = (of(task, root=tmp_path, variant=Variant("a", object())) for _ in range(2))

    assert first == second


def test_what_it_depends_on_counts(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("one", encoding="utf-8")
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "a.bin").write_text("a", encoding="utf-8")
    (tmp_path / "index" / ".hidden").write_text("a", encoding="utf-8")

    def now() -> list[str]:
        depends: list[Any] = ["prompt.txt", tmp_path / "index", {"model": "m"}, task]
        return [of(task, root=tmp_path, depends_on=[one]) for one in depends]

    before = now()
    assert len({*before, of(task, root=tmp_path)}) == 5
    (tmp_path / "index" / ".hidden").write_text("b", encoding="utf-8")
    assert now() == before

    (tmp_path / "prompt.txt").write_text("two", encoding="utf-8")
    (tmp_path / "index" / "b.bin").write_text("a", encoding="utf-8")
    assert [old == new for old, new in zip(before, now(), strict=True)] == [False, False, True, True]


def test_a_module_counts_by_its_file_and_a_package_by_its_folder(tmp_path: Path) -> None:
    assert of(task, root=tmp_path, depends_on=[textwrap]) != of(task, root=tmp_path, depends_on=[functools])
    assert of(task, root=tmp_path, depends_on=[rankle.stats]) == of(
        task, root=tmp_path, depends_on=[rankle.stats]
    )


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("prompt.md", r'there is no .*prompt.md.* a value stands in a dict: {"name": value}'),
        ({"client": object()}, r'depends_on of eval "A" has a object'),
        (sys, "sys, a module of no file"),
    ],
)
def test_what_it_cannot_depend_on_is_refused(entry: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        of(task, root=tmp_path, depends_on=[entry])


def test_names_whose_changes_are_not_seen_are_told(tmp_path: Path) -> None:
    (tmp_path / "other_code_of_the_project.py").write_text(
        "def find(input): ...\nclass Index: ...", encoding="utf-8"
    )
    sys.path.insert(0, str(tmp_path))
    try:
        body = """
        import json
        import other_code_of_the_project as other
        from other_code_of_the_project import Index, find
        client, LIMIT = object(), 5
        class Box: ...
        def inner(input):
            return client
        def task(input):
            return json.dumps(find(input)), other, Index, LIMIT, Box, inner(input), len, {}
        """
        suite = Suite("A", data=[], task=defined(body, tmp_path)["task"], scorers=[])
        found = [read_task(suite, variant=None, root=root) for root in (tmp_path, tmp_path / "elsewhere")]
    finally:
        sys.path.remove(str(tmp_path))
        del sys.modules["other_code_of_the_project"]

    assert [one.unseen for one in found] == [("Index", "find", "other", "client"), ("client",)]


class Index:
    def __init__(self, content: str) -> None:
        self.content = content

    def fingerprint(self) -> str:
        return self.content


INDEX = Index("one")


def find(input: Any) -> Any:
    return INDEX


def test_objects_that_say_what_they_are_made_of_count_where_that_matters(tmp_path: Path) -> None:
    def now() -> list[str]:
        options: list[dict[str, Any]] = [{"depends_on": [INDEX]}, {"cacheable": True}, {}]
        return [of(find, root=tmp_path, **one) for one in options]

    before = now()
    INDEX.content = "two"
    assert [old == new for old, new in zip(before, now(), strict=True)] == [False, False, True]
