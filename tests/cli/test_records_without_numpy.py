"""Commands that only read records start without the packages that compute, which take longer than they do."""

import subprocess
import sys
from pathlib import Path

from fakes.recorded import made_up, record
from fakes.recorded_evals import record_evals
from rankle.records.store import open_store

PROGRAM = """
import sys
from rankle.cli.main import _exit_code

for line in sys.stdin.read().splitlines():
    assert _exit_code(line.split()) == 0, line
    print(line, sorted({"numpy", "polars", "rapidfuzz"} & set(sys.modules)), file=sys.stderr)
"""
LINES = [
    "history",
    "history --json",
    "show 0123456789ab",
    "show 0123456789ab --json",
    "show 0123456789ab --funnel --intervals",
    "show {evals}",
    "show {evals} --json",
]


def test_what_only_reads_records_imports_nothing_that_computes(tmp_path: Path) -> None:
    store_path = tmp_path / "records.db"
    with open_store(store_path, create=True) as store:
        record(store, made_up())
    evals = record_evals(store_path)
    lines = [f"{line.format(evals=evals)} --records {store_path}" for line in LINES]

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input="\n".join(lines), capture_output=True, text=True, check=True
    )

    assert done.stderr.splitlines() == [f"{line} []" for line in lines]
