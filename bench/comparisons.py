"""How fast runs are compared: 10,000 flips of 6 measures over 10,000 queries, against SciPy and ranx.

    python -m bench.comparisons                   SciPy beside us
    python -m bench.comparisons --ranx PYTHON     with ranx, which that interpreter must have (numba needs a
                                                  place of its own: uv venv V, then
                                                  uv pip install -p V/bin/python ranx)

All do the same work on scores alike: a two-sided randomisation test of every measure. Every tool works in a
process of its own, untimed first on a few queries (which compiles what ranx compiles), then timed; rounds
alternate. SciPy's `permutation_test` is given its fastest form (the differences as one vectorised sample) and
500 resamples of one measure, its time multiplied by 20 and by 6, for it grows evenly with both and would take
a minute. ranx's `compare(stat_test="fisher")` is the call a user makes: qrels, and two runs of two results
a query, whose scoring is a small part of it. Medians, with the processor time of all threads beside them. At
least 10 times as fast as the quicker, or exit 1. Writes bench/results/comparisons.json.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

RESULTS: Final = Path(__file__).parent / "results" / "comparisons.json"
N_QUERIES, N_MEASURES, N_FLIPS = 10_000, 6, 10_000
FLOOR: Final = 10.0
SCIPY_RESAMPLES: Final = 500
MEASURES: Final = ["ndcg@10", "recall@10", "mrr", "map", "precision@10", "hit_rate@10"]


def scores() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    a = rng.beta(0.5, 2, (N_QUERIES, N_MEASURES))
    return a, np.clip(a + rng.normal(0.0005, 0.05, a.shape), 0, 1)


def rankle_task() -> tuple[Callable[[], Any], float]:
    from rankle.stats.paired import paired_tests

    a, b = scores()
    paired_tests(a[:100], b[:100])
    return lambda: paired_tests(a, b, seed=0, n_flips=N_FLIPS), 1.0


def scipy_task() -> tuple[Callable[[], Any], float]:
    from scipy import stats

    a, b = scores()
    differences = np.ascontiguousarray((b - a).T)

    def test(sample: Any, n_resamples: int) -> Any:
        return stats.permutation_test(
            (sample,),
            lambda x, axis: np.mean(x, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=n_resamples,
            batch=100,
            axis=-1,
            rng=np.random.default_rng(0),
        )

    test(differences[0, :100], 10)
    return lambda: test(differences[0], SCIPY_RESAMPLES), N_MEASURES * N_FLIPS / SCIPY_RESAMPLES


def ranx_task() -> tuple[Callable[[], Any], float]:
    from ranx import Qrels, Run, compare

    def test(n_queries: int, n_permutations: int) -> Callable[[], Any]:
        rng = np.random.default_rng(0)
        names = [f"q{number}" for number in range(n_queries)]
        qrels = Qrels({name: {"d": 1} for name in names})
        runs = [
            Run(
                {name: {"d": 1.0 if rng.random() < share else 0.2, "e": 0.5} for name in names},
                name=f"run{share}",
            )
            for share in (0.5, 0.51)
        ]
        return lambda: compare(
            qrels, runs=runs, metrics=MEASURES, stat_test="fisher", n_permutations=n_permutations
        )

    test(100, 10)()
    return test(N_QUERIES, N_FLIPS), 1.0


TASKS: Final = {"rankle": rankle_task, "scipy": scipy_task, "ranx": ranx_task}


def work(tool: str) -> None:
    """Do it once warm, under both clocks, and print what it took for the whole."""
    call, factor = TASKS[tool]()
    start, start_busy = time.perf_counter(), time.process_time()
    call()
    seconds, busy = time.perf_counter() - start, time.process_time() - start_busy
    print(json.dumps({"seconds": seconds * factor, "cpu_seconds": busy * factor}))


def run(tool: str, python: str) -> dict[str, float]:
    # Limits on the threads of BLAS, set for test suites, would slow numpy down here.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OPENBLAS_", "OMP_"))}
    environment["PYTHONPATH"] = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [python, __file__, "--work", tool], capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode:
        raise SystemExit(f"{tool} failed:\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ranx", metavar="PYTHON", default=os.environ.get("RANX_PYTHON"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--work", choices=list(TASKS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return 0
    pythons = {"rankle": sys.executable, "scipy": sys.executable}
    if options.ranx:
        pythons["ranx"] = options.ranx
    found: dict[str, list[dict[str, float]]] = {tool: [] for tool in pythons}
    for _ in range(options.rounds):
        for tool, python in pythons.items():
            found[tool].append(run(tool, python))
    medians = {
        clock: {tool: statistics.median(one[clock] for one in rounds) for tool, rounds in found.items()}
        for clock in ("seconds", "cpu_seconds")
    }
    ratios = {
        clock: {tool: round(times[tool] / times["rankle"], 1) for tool in times if tool != "rankle"}
        for clock, times in medians.items()
    }
    for tool, seconds in medians["seconds"].items():
        print(f"{tool:7} {seconds:8.2f} s, {medians['cpu_seconds'][tool]:8.2f} s of processor time")
    print(f"times as long as rankle: {ratios['seconds']}; in processor time: {ratios['cpu_seconds']}")
    result = {
        "work": {"queries": N_QUERIES, "measures": N_MEASURES, "flips": N_FLIPS, "rounds": options.rounds},
        **medians,
        "ratio": ratios["seconds"],
        "cpu_ratio": ratios["cpu_seconds"],
        "floor": FLOOR,
        "machine": {
            "cpus": os.cpu_count(),
            "python": platform.python_version(),
            "system": platform.platform(),
        },
    }
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if min(ratios["seconds"].values()) >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
