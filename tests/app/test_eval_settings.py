"""Table [run] of the project file says how evals are run; what is not allowed is refused with what is."""

from pathlib import Path

import pytest

from rankle.app.eval_settings import EvalSettings, load_eval_settings
from rankle.core.errors import InputError
from rankle.harness.evals.options import Asked, RunOptions

WHOLE = """
[run]
timeout_s = 2.5
concurrency = 8
threshold = 70
trials = 3
cache = false
storage = "memory"
setup = [".env", "evals/setup.py"]
port = 4000
max_failures = 2
limits = { gpu = 1, "api.example" = 4 }
"""


def load(folder: Path, text: str, *, file: str = "rankle.toml") -> EvalSettings:
    (folder / file).write_text(text, encoding="utf-8")
    return load_eval_settings(folder)


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    found = load_eval_settings(tmp_path)

    assert found == EvalSettings(
        asked=Asked(),
        options=RunOptions(concurrency=5, max_failures=0, storage="sqlite"),
        port=3006,
        root=tmp_path,
    )
    assert load(tmp_path, 'workspace = "docs"\n') == found


def test_a_table_says_all(tmp_path: Path) -> None:
    (tmp_path / "evals").mkdir()
    for name in (".env", "evals/setup.py"):
        (tmp_path / name).touch()
    expected = EvalSettings(
        asked=Asked(timeout_s=2.5, concurrency=8, threshold=70, trials=3, cache=False, max_failures=2),
        options=RunOptions(
            concurrency=8, limits={"gpu": 1, "api.example": 4}, max_failures=2, storage="memory"
        ),
        setup_files=(tmp_path / ".env", tmp_path / "evals/setup.py"),
        port=4000,
        root=tmp_path,
    )

    assert load(tmp_path, WHOLE) == expected
    (tmp_path / "rankle.toml").unlink()
    assert load(tmp_path, WHOLE.replace("[run]", "[tool.rankle.run]"), file="pyproject.toml") == expected
    assert load_eval_settings(tmp_path / "evals") == expected


def test_what_a_command_asks_outranks_the_file(tmp_path: Path) -> None:
    found = load(tmp_path, "[run]\nconcurrency = 8\nmax_failures = 2\nlimits = { gpu = 1 }\n")

    assert found.options_for(Asked(), seed=7) == RunOptions(
        concurrency=8, limits={"gpu": 1}, max_failures=2, seed=7
    )
    asked = Asked(concurrency=1, max_failures=0)
    assert found.options_for(asked) == RunOptions(concurrency=1, limits={"gpu": 1}, max_failures=0)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("timout_s = 3", r'unknown key in \[run\] of rankle.toml "timout_s"; did you mean "timeout_s"'),
        ("testTimeout = 3", r'"testTimeout"; here it is "timeout_s", in seconds and not milliseconds'),
        ("maxConcurrency = 3", r'"maxConcurrency"; here it is "concurrency"'),
        ("scoreThreshold = 3", r'"scoreThreshold"; here it is "threshold", in per cent'),
        ("trialCount = 3", r'"trialCount"; here it is "trials"'),
        ("setupFiles = []", r'"setupFiles"; here it is "setup"'),
        ("server.port = 3", r'"server"; here it is "port"'),
        ("forceRerunTriggers = []", r'"forceRerunTriggers"; here it is "depends_on" of each eval'),
        ("timeout_s = 0", r'rankle.toml: "timeout_s" in \[run\] must be a number of seconds above 0, got 0'),
        ("trials = 1.5", r'"trials" in \[run\] must be a whole number >= 1, got 1.5'),
        ("threshold = 0.7", r'"threshold" in \[run\] is 0.7 %.* Was 70 % meant\?'),
        ("max_failures = -1", r'"max_failures" in \[run\] must be a whole number >= 0, got -1'),
        ('cache = "no"', r"must be true or false, got 'no'"),
        ('storage = "disk"', r"\"storage\" in \[run\] must be \"sqlite\" or \"memory\", got 'disk'"),
        ("port = 0", r'"port" in \[run\] must be from 1 to 65535, got 0'),
        ("limits = 3", r'"limits" in \[run\] must be a table such as { gpu = 1 }, got 3'),
        ("limits = { gpu = 0 }", r'"limits" in \[run\] of gpu must be a whole number >= 1, got 0'),
        ("limits = { gpu = true }", r"must be a whole number >= 1, got True"),
        ('setup = ".env"', r'"setup" in \[run\] must be a list of files, such as \[".env"\]'),
        ('setup = [".env"]', r'"setup" in \[run\]: there is no file .env in '),
    ],
)
def test_what_is_not_allowed_is_refused(line: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        load(tmp_path, f"[run]\n{line}\n")


def test_a_key_in_place_of_the_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'rankle.toml: "run" must be a table, \[run\], got 5'):
        load(tmp_path, "run = 5\n")
