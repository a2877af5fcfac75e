import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from fakes.command import rankle
from rankle.cli.main import main
from tools import docs_check

REPOSITORY = docs_check.REPOSITORY
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_pages_agree_with_the_code() -> None:
    assert list(docs_check.faults()) == []


def test_the_reference_is_the_same_before_and_after_the_commands_are_called() -> None:
    """In a process of its own, where no command was called yet."""
    program = (
        "from fakes.command import rankle\n"
        "from tools.docs_check import cli_page, commands, root_command\n"
        "before = cli_page()\n"
        "for path, _ in commands(root_command, ()):\n"
        "    assert rankle(*path, '--help').code == 0\n"
        "assert before == cli_page() and '  -h, --help ' in before\n"
        "print('same')\n"
    )
    environ = {**os.environ, "PYTHONPATH": f"{REPOSITORY}{os.pathsep}{REPOSITORY / 'tests'}"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environ)
    assert done.stdout == "same\n", done.stderr


@pytest.mark.parametrize("text", ["```sh\nrankle indx docs\n```", "```sh\n$ rankle eval x --tabel\n```"])
def test_a_command_line_that_does_not_exist_is_found(text: str) -> None:
    known = dict(docs_check.commands(main, ("rankle",)))
    assert list(docs_check._wrong_calls(text, known))


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_python_examples_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    examples = _PYTHON.findall((REPOSITORY / page).read_text(encoding="utf-8"))
    assert examples
    for example in examples:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(example, page, "exec"), {})
        assert printed.getvalue()


def test_the_output_in_the_readme_is_what_the_demo_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(REPOSITORY)
    assert rankle("index", "examples/handbook").code == 0
    report = rankle("eval", "examples/handbook.jsonl", "--worst", "3", "--output", tmp_path / "run.json").out
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    shown = readme.split("```text\n")[1].split("```")[0]
    assert shown.split("Document hit rate")[0] == report.split("Document hit rate")[0]
