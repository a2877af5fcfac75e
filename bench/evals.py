"""What running evals costs, against Evalite and pydantic_evals: `python -m bench.evals`.

    python -m bench.evals --evalite FOLDER --pydantic-evals PYTHON

FOLDER holds `node_modules` with evalite and vitest (npm install evalite vitest), PYTHON is an interpreter
that has pydantic_evals; without them only rankle is timed. Every tool runs the same trivial cases, 1,000 and
10,000, with one exact scorer, as a whole process from its start to its end. rankle and Evalite write their
record; pydantic_evals has none, and prints its table. Rounds alternate between the tools; medians of wall and
of processor time are printed (of Evalite with 10,000 cases one round): where other programs run on the
machine, trust the latter.

Also: how long after its start the first case is asked, the peak of memory with 100 and 1,000 outputs of 1 MB,
and what a traced step costs outside of a run. Writes bench/results/evals.json, where both peers are there.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parent / "results" / "evals.json"
SIZES: Final = (1_000, 10_000)
FIRST_CASE_LIMIT_S: Final = 0.5
LIMITS: Final = {
    ("evalite", 1_000): 1 / 3, ("evalite", 10_000): 1 / 10, ("pydantic_evals", 1_000): 1.0,
    ("pydantic_evals", 10_000): 1.0,
}  # fmt: skip
"""The greatest share of the peer's wall time that rankle may take."""

SLOWEST: Final = ("evalite", 10_000)
"""Played once, since it takes minutes."""
OURS: Final = """
import os
import rankle
from rankle.scorers import exact

ROWS = [{"input": f"q{n}", "expected": f"q{n}"} for n in range(int(os.environ["N"]))]


@rankle.eval("Trivial", data=ROWS, scorers=[exact()])
def trivial(input):
    return input
"""
FIRST: Final = """
import os, time
import rankle
from rankle.scorers import exact


@rankle.eval("First", data=[{"input": n, "expected": n} for n in range(100)], scorers=[exact()])
def first(input):
    if input == 0:
        with open(os.environ["FIRST"], "w") as file:
            file.write(str(time.time()))
    return input
"""
LARGE: Final = """
import os
import rankle


@rankle.scorer("length")
def length(context):
    return len(context.output) == 1_000_000


@rankle.eval("Large", data=[{"input": n} for n in range(int(os.environ["N"]))], scorers=[length])
def large(input):
    return (str(input) + "x" * 1_000_000)[:1_000_000]
"""
EVALITE: Final = """
import { evalite } from "evalite";

const n = Number(process.env.N);
evalite("Trivial", {
  data: () => Array.from({ length: n }, (_, i) => ({ input: `q${i}`, expected: `q${i}` })),
  task: async (input: string) => input,
  scorers: [{ name: "exact", scorer: ({ output, expected }: any) => (output === expected ? 1 : 0) }],
});
"""
PYDANTIC_EVALS: Final = """
import os
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected

cases = [Case(name=f"q{n}", inputs=f"q{n}", expected_output=f"q{n}") for n in range(int(os.environ["N"]))]
dataset = Dataset(name="trivial", cases=cases, evaluators=[EqualsExpected()])
report = dataset.evaluate_sync(lambda text: text, name="trivial", progress=False)
report.print()
"""


@dataclass(frozen=True, slots=True)
class Times:
    """Of one process."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def timed(command: Sequence[str], *, cwd: Path, environ: Mapping[str, str]) -> Times:
    """Run a process to its end; raise where it fails."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **environ},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if status:
        raise SystemExit(f"{command[0]} failed: {errors.decode()[-2000:]}")
    return Times(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def ours(folder: Path, text: str, **environ: str) -> Times:
    """`rankle run` of one file in a project of its own, with a record that is new."""
    (folder / "rankle.toml").write_text("", encoding="utf-8")
    (folder / "bench_eval.py").write_text(text, encoding="utf-8")
    for path in (folder / ".rankle").glob("*"):
        path.unlink()
    command = [sys.executable, "-c", "from rankle.cli.main import run; run()", "run", "bench_eval.py"]
    return timed(command, cwd=folder, environ=environ)


def tools(folder: Path, given: argparse.Namespace) -> dict[str, Callable[[int], Times]]:
    """Name of a tool to what times it on so many cases."""
    found: dict[str, Callable[[int], Times]] = {"rankle": lambda n: ours(folder, OURS, N=str(n))}
    if given.pydantic_evals:
        script = folder / "peer.py"
        script.write_text(PYDANTIC_EVALS, encoding="utf-8")
        found["pydantic_evals"] = lambda n: timed(
            [given.pydantic_evals, str(script)], cwd=folder, environ={"N": str(n)}
        )
    if given.evalite:
        home = Path(given.evalite).absolute()
        (home / "bench.eval.ts").write_text(EVALITE, encoding="utf-8")
        found["evalite"] = lambda n: timed(
            [str(home / "node_modules/.bin/evalite"), "run", "bench.eval.ts"], cwd=home, environ={"N": str(n)}
        )
    return found


def cost(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Wall and processor time of every tool at every size, and the share of each peer's wall time."""
    result: dict[str, Any] = {}
    for n in SIZES:
        runs: dict[str, list[Times]] = {name: [] for name in tools(folder, given)}
        for played in range(given.rounds):
            for name, run in tools(folder, given).items():
                if not (played and (name, n) == SLOWEST):
                    runs[name].append(run(n))
        medians = {
            name: {
                "wall_s": round(statistics.median(one.wall_s for one in found), 3),
                "cpu_s": round(statistics.median(one.cpu_s for one in found), 3),
                "peak_mb": round(statistics.median(one.peak_mb for one in found)),
            }
            for name, found in runs.items()
        }
        result[str(n)] = medians
        for name, found in medians.items():
            print(
                f"{n:6} cases  {name:15} {found['wall_s']:8.2f} s  {found['cpu_s']:8.2f} s of processors",
                end="",
            )
            if name == "rankle":
                print(f"  {found['peak_mb']} MB")
            else:
                share = medians["rankle"]["wall_s"] / found["wall_s"]
                of_cpu = medians["rankle"]["cpu_s"] / found["cpu_s"]
                found |= {"share_of_wall": round(share, 3), "share_of_cpu": round(of_cpu, 3)}
                print(f"  rankle takes {share:.2f} of it ({of_cpu:.2f}), at most {LIMITS[name, n]:.2f}")
    return result


def first_case(folder: Path, *, rounds: int) -> float:
    """Seconds from the start of the process to the first case."""
    told = folder / "first"
    found = []
    for _ in range(rounds):
        started = time.time()
        ours(folder, FIRST, FIRST=str(told))
        found.append(float(told.read_text(encoding="utf-8")) - started)
    return statistics.median(found)


def step_cost_us() -> dict[str, float]:
    """Microseconds of a traced step outside of a run."""
    from rankle.harness.tracing.spans import Trace

    def step() -> None:
        with Trace("bm25", input="x", k=50) as span:
            span.output = 1

    @Trace("bm25")
    def function(text: str) -> str:
        return text

    return {
        name: round(min(timeit.repeat(call, number=100_000, repeat=9)) * 10, 2)
        for name, call in (("context", step), ("decorated", lambda: function("x")))
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--evalite", metavar="FOLDER")
    parser.add_argument("--pydantic-evals", metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    os.environ.pop("RANKLE_RECORDS", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        costs = cost(folder, given)
        first_s = first_case(folder, rounds=given.rounds)
        print(f"first case after {first_s:.2f} s, at most {FIRST_CASE_LIMIT_S}")
        peaks = {n: round(ours(folder, LARGE, N=str(n)).peak_mb) for n in (100, 1_000)}
        print(
            "peak of memory with outputs of 1 MB: "
            + ", ".join(f"{n} cases {mb} MB" for n, mb in peaks.items())
        )
    steps = step_cost_us()
    print(f"a step outside of a run: {steps['context']} µs, a decorated function {steps['decorated']} µs")
    result = {
        "rounds": given.rounds,
        "cost": costs,
        "first_case_s": round(first_s, 3),
        "peak_mb_of_1_mb_outputs": peaks,
        "step_outside_us": steps,
    }
    if given.evalite and given.pydantic_evals:
        RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    missed = [
        name
        for (name, n), limit in LIMITS.items()
        if name in costs[str(n)] and costs[str(n)][name]["share_of_wall"] > limit
    ]
    return 1 if missed or first_s > FIRST_CASE_LIMIT_S else 0


if __name__ == "__main__":
    sys.exit(main())
