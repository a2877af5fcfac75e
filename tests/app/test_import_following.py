"""Following what files of a project read, in a process of its own, which is what it is for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.command import write_files

PROGRAM = """
import json, sys
from pathlib import Path
root = Path(sys.argv[1])
sys.path.insert(0, str(root))
from rankle.app.import_following import Following
following = Following(root)
following.begin()
import one, two
for module in (one, two):
    module.work()
names = lambda paths: sorted(Path(path).relative_to(root.resolve()).as_posix() for path in paths)
print(json.dumps({
    "one": names(following.reached([one.__file__])),
    "two": names(following.reached([two.__file__])),
    "loaded": names(following.loaded()),
    "written": names(following.written),
}))
"""
ONE = """
import package.inner
import threading

def work():
    task = threading.Thread(target=late)
    task.start()
    task.join()

def late():
    import os
    import lazy
    os.chdir("package")
    open("prompt.txt").close()
    os.chdir("..")
    lazy.read()
"""
TWO = """
import importlib, os
from package import other
from package.inner import VALUE

def work():
    importlib.import_module("by_name")
    open("kept.txt", "w").close()
    open("kept.txt").close()
    open("half.txt", "w").close()
    os.replace("half.txt", "whole.txt")
    open("whole.txt").close()
"""
FILES = {
    "one.py": ONE,
    "two.py": TWO,
    "lazy.py": "from pathlib import Path\n\n\ndef read():\n    return Path('prompt.txt').read_text()\n",
    "by_name.py": "",
    "package/__init__.py": "",
    "package/inner.py": "from . import deep\nVALUE = 1\n",
    "package/deep.py": "import json\n",
    "package/other.py": "",
    "prompt.txt": "",
    "package/prompt.txt": "of the same name, where the current folder is another",
}


@pytest.fixture
def told(tmp_path: Path) -> dict[str, list[str]]:
    project = write_files(tmp_path / "project", FILES)
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, str(project)],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def test_what_a_file_reads_is_what_it_imports_and_opens_and_so_on_from_there(
    told: dict[str, list[str]],
) -> None:
    inner = ["package/__init__.py", "package/deep.py", "package/inner.py"]
    assert told["one"] == ["lazy.py", "one.py", *inner, "package/prompt.txt", "prompt.txt"]
    assert told["two"] == ["by_name.py", *inner, "package/other.py", "two.py"]


def test_files_that_are_written_are_not_read_though_they_are_opened(told: dict[str, list[str]]) -> None:
    assert {"kept.txt", "whole.txt"} <= set(told["written"])


def test_loaded_are_the_modules_of_the_project_alone(told: dict[str, list[str]]) -> None:
    assert set(told["loaded"]) == {name for name in FILES if name.endswith(".py")}
