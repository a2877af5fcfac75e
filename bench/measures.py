"""How fast runs are scored, against pytrec_eval and ranx, all in the same run on the same machine.

    python bench/measures.py                      all sizes (some ten minutes, 2 GB in the temporary folder)
    python bench/measures.py --quick              without the 10 million lines
    python bench/measures.py --only dicts         one kind of work, nothing written
    python bench/measures.py --ranx PYTHON        with ranx, which that interpreter must have (numba needs a
                                                  place of its own: uv venv V, then
                                                  uv pip install -p V/bin/python ranx)

Each tool works in a process of its own: it does the work once untimed, which compiles what it compiles and
loads what it loads, and then several times under the clock (10 million lines: once, warmed up by the 1,000 x
100). Rounds alternate between the tools, and medians are printed, with the processor time of all threads
beside them: where other programs run on the machine, the ratio of processor times is the one to trust (and it
is hard on rankle, which uses two cores). `first` alone has no warm-up: it is a whole process, from its start
to its end. Peers get no checks that they do not make themselves; rankle makes all of its own. Writes
bench/results/measures.json.
"""

import argparse
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FOLDER = Path(tempfile.gettempdir()) / "rankle-bench-measures"
RESULTS = Path(__file__).parent / "results" / "measures.json"
OURS = "nDCG@10,R@10,R@100,RR,AP,P@10"
OURS_AGAIN = "nDCG@20,R@50,RR,AP,P@5"
TREC_EVAL = {"ndcg_cut.10", "recall.10,100", "recip_rank", "map", "P.10"}
TREC_EVAL_AGAIN = {"ndcg_cut.20", "recall.50", "recip_rank", "map", "P.5"}
RANX = ["ndcg@10", "recall@10", "recall@100", "mrr", "map", "precision@10"]
RANX_AGAIN = ["ndcg@20", "recall@50", "mrr", "map", "precision@5"]
SIZES = {
    "tiny": (10, 100),
    "1,000 x 100": (1000, 100),
    "1,000 x 1,000": (1000, 1000),
    "10,000 x 1,000": (10_000, 1000),
}
FLOORS = {
    ("files", "10,000 x 1,000"): {"pytrec_eval": 4, "ranx": 7},
    ("files", "1,000 x 1,000"): {"pytrec_eval": 3},
    ("files", "1,000 x 100"): {"pytrec_eval": 2},
    ("dicts", "1,000 x 1,000"): {"pytrec_eval": 4, "ranx": 12},
    ("dicts", "1,000 x 100"): {"pytrec_eval": 1.1, "ranx": 7},
    ("again", "1,000 x 1,000"): {"pytrec_eval": 50, "ranx": 50},
    ("first", "tiny"): {"pytrec_eval": 1},
}


# -- the data


def make_data(size: str) -> Path:
    """A run and its qrels: scores with four decimals, best first, 10 to 50 graded judgments a query."""
    queries, depth = SIZES[size]
    base = FOLDER / f"{queries}x{depth}"
    if base.with_suffix(".run").exists():
        return base
    FOLDER.mkdir(exist_ok=True)
    rng = random.Random(0)
    part = base.with_suffix(".part")
    with part.open("w") as run, base.with_suffix(".qrels").open("w") as qrels:
        for query in range(1, queries + 1):
            pool = [f"doc{number:07d}" for number in rng.sample(range(8_000_000), depth + 50)]
            scores = sorted((round(rng.gammavariate(2, 4), 4) for _ in range(depth)), reverse=True)
            run.writelines(
                f"{query} Q0 {target} {rank} {value} bench\n"
                for rank, (target, value) in enumerate(zip(pool, scores, strict=False), start=1)
            )
            qrels.writelines(
                f"{query} 0 {target} {rng.choice((0, 0, 1, 1, 2, 3))}\n"
                for target in rng.sample(pool, rng.randint(10, 50))
            )
    part.rename(base.with_suffix(".run"))
    return base


# -- one tool at one task, in a process of its own


def rankle_task(task: str, base: str) -> Any:
    from rankle import score

    if task in {"files", "first"}:
        return lambda: means(score(f"{base}.qrels", f"{base}.run", OURS))
    from rankle.formats.trec import read_qrels, read_run, stream_run

    if task == "parse":
        return lambda: {"lines": sum(part.n_results for part in stream_run(f"{base}.run"))}
    if task == "dicts":
        qrels, run = read_dicts(base)
        return lambda: means(score(qrels, run, OURS))
    loaded = read_qrels(f"{base}.qrels"), read_run(f"{base}.run")
    score(*loaded, OURS)
    return lambda: means(score(*loaded, OURS_AGAIN))


def means(scores: Any) -> dict[str, float]:
    return {name: mean.mean for name, mean in scores.means.items()}


def read_dicts(base: str) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    with Path(f"{base}.qrels").open() as file:
        for line in file:
            query, _, target, grade = line.split()
            qrels.setdefault(query, {})[target] = int(grade)
    with Path(f"{base}.run").open() as file:
        for line in file:
            query, _, target, _, value, _ = line.split()
            run.setdefault(query, {})[target] = float(value)
    return qrels, run


def pytrec_eval_task(task: str, base: str) -> Any:
    import pytrec_eval

    def evaluate(qrels: Any, run: Any, measures: set[str]) -> dict[str, float]:
        found = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
        names = next(iter(found.values()))
        return {name: sum(values[name] for values in found.values()) / len(found) for name in names}

    def from_files() -> dict[str, float]:
        with Path(f"{base}.qrels").open() as file:
            qrels = pytrec_eval.parse_qrel(file)
        with Path(f"{base}.run").open() as file:
            run = pytrec_eval.parse_run(file)
        return evaluate(qrels, run, TREC_EVAL)

    if task in {"files", "first"}:
        return from_files
    loaded = read_dicts(base)
    return lambda: evaluate(*loaded, TREC_EVAL if task == "dicts" else TREC_EVAL_AGAIN)


def ranx_task(task: str, base: str) -> Any:
    from ranx import Qrels, Run, evaluate

    small = {"q": {"a": 1, "b": 2}}, {"q": {"a": 1.0, "b": 0.5}}
    for names in (RANX, RANX_AGAIN):  # compile first
        evaluate(Qrels(small[0]), Run(small[1]), names)

    def from_files() -> Any:
        qrels = Qrels.from_file(f"{base}.qrels", kind="trec")
        return evaluate(qrels, Run.from_file(f"{base}.run", kind="trec"), RANX, make_comparable=True)

    if task == "files":
        return from_files
    dicts = read_dicts(base)
    if task == "dicts":
        return lambda: evaluate(Qrels(dicts[0]), Run(dicts[1]), RANX, make_comparable=True)
    loaded = Qrels(dicts[0]), Run(dicts[1])
    evaluate(*loaded, RANX)
    return lambda: evaluate(*loaded, RANX_AGAIN)


TASKS = {"rankle": rankle_task, "pytrec_eval": pytrec_eval_task, "ranx": ranx_task}


def work(tool: str, task: str, base: str, repeats: int) -> None:
    """Run one task, print what it took and what it gave."""
    call = TASKS[tool]("files" if task == "limited" else task, base)
    if task == "limited":
        limit_memory(base)
    elif task != "first":
        warm_up = TASKS[tool](task, str(Path(base).with_name("1000x100"))) if base.endswith(LARGE) else call
        warm_up()
    seconds, busy = [], []
    figures: dict[str, float] = {}
    for _ in range(repeats):
        start, start_busy = time.perf_counter(), time.process_time()
        figures = call()
        seconds.append(time.perf_counter() - start)
        busy.append(time.process_time() - start_busy)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            {
                "seconds": seconds,
                "busy": busy,
                "peak_mb": peak,
                "figures": {k: float(v) for k, v in figures.items()},
            }
        )
    )


LARGE = "10000x1000"
"""Too much to be done once for nothing; the 1,000 x 100 warms up as well."""
LIMIT_MB = 256


def limit_memory(base: str) -> None:
    """Let the process have LIMIT_MB beyond what it has once everything is imported."""
    rankle_task("files", str(Path(base).with_name("1000x1000")))()  # the pool of threads is up
    status = Path("/proc/self/status").read_text().splitlines()
    now = next(int(line.split()[1]) for line in status if line.startswith("VmSize"))
    limit = now * 1024 + (LIMIT_MB << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


# -- all of them, compared


def run_worker(python: str, tool: str, task: str, base: Path, repeats: int) -> dict[str, Any]:
    command = [python, __file__, "--work", tool, task, str(base), str(repeats)]
    # an installed package has its modules compiled, a checkout may be told not to keep them
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(FOLDER / "compiled")
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    elapsed = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{tool} failed at {task}:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    result["process_seconds"] = elapsed
    return result


def measure(task: str, size: str, pythons: dict[str, str], *, rounds: int, repeats: int) -> dict[str, Any]:
    base = make_data(size)
    tools = [tool for tool in pythons if not (task in {"first", "parse"} and tool == "ranx")]
    if task == "parse":
        tools = ["rankle"]
    make_data("1,000 x 100")
    found: dict[str, list[dict[str, Any]]] = {tool: [] for tool in tools}
    if task == "first":  # the first process of each compiles its modules
        for tool in tools:
            run_worker(pythons[tool], tool, task, base, repeats)
    for _ in range(rounds):
        for tool in tools:
            if tool == "ranx" and size == "10,000 x 1,000" and found[tool]:
                continue  # a minute each time
            found[tool].append(run_worker(pythons[tool], tool, task, base, repeats))
    row: dict[str, Any] = {"task": task, "size": size}
    row |= {name: {} for name in ("seconds", "cpu_seconds", "peak_mb", "ratio", "cpu_ratio", "figures")}
    for tool, results in found.items():
        key = "process_seconds" if task == "first" else "seconds"
        times = [s for r in results for s in ([r[key]] if task == "first" else r[key])]
        row["seconds"][tool] = statistics.median(times)
        row["cpu_seconds"][tool] = statistics.median(s for r in results for s in r["busy"])
        row["peak_mb"][tool] = statistics.median(r["peak_mb"] for r in results)
        row["figures"][tool] = results[0]["figures"]
    for tool in tools[1:]:
        row["ratio"][tool] = row["seconds"][tool] / row["seconds"]["rankle"]
        row["cpu_ratio"][tool] = row["cpu_seconds"][tool] / row["cpu_seconds"]["rankle"]
    row["floor"] = FLOORS.get((task, size), {})
    show(row)
    return row


def show(row: dict[str, Any]) -> None:
    parts = [f"{tool} {seconds * 1000:,.1f} ms" for tool, seconds in row["seconds"].items()]
    for tool, ratio in row["ratio"].items():
        floor = row["floor"].get(tool)
        verdict = "" if floor is None else f" (floor {floor}: {'reached' if ratio >= floor else 'MISSED'})"
        cpu = "" if row["task"] == "first" else f", {row['cpu_ratio'][tool]:.1f} in processor time"
        parts.append(f"{ratio:.1f} x {tool}{cpu}{verdict}")
    print(f"{row['task']:8} {row['size']:15} " + ", ".join(parts), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="leave out the 10 million lines")
    parser.add_argument("--ranx", metavar="PYTHON", default=os.environ.get("RANX_PYTHON"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["first", "files", "dicts", "again", "parse"], metavar="WORK")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--work", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        tool, task, base, repeats = options.work
        work(tool, task, base, int(repeats))
        return
    pythons = {"rankle": sys.executable, "pytrec_eval": sys.executable}
    if options.ranx:
        pythons["ranx"] = options.ranx
    works = [("first", "tiny", options.rounds * 5, 1)]
    for size in ("1,000 x 100", "1,000 x 1,000"):
        works += [(task, size, options.rounds, 5) for task in ("files", "dicts", "again")]
    works.append(("parse", "1,000 x 1,000", options.rounds, 5))
    if not options.quick:
        works += [(task, "10,000 x 1,000", options.rounds, 1) for task in ("files", "parse")]
    rows = [
        measure(task, size, pythons, rounds=rounds, repeats=repeats)
        for task, size, rounds, repeats in works
        if options.only in {None, task}
    ]
    if options.only:
        return
    summary: dict[str, Any] = {"rows": rows}
    if not options.quick:
        summary |= large(rows)
    summary["machine"] = {
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.platform(),
    }
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(json.dumps(summary, indent=1) + "\n")
    print(f"written to {options.output}")


def large(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What only the 10 million lines tell: growth, memory, and scoring in less memory than the file."""
    by_key = {(row["task"], row["size"]): row for row in rows}
    big, small = by_key["files", "10,000 x 1,000"], by_key["files", "1,000 x 1,000"]
    parse = by_key["parse", "10,000 x 1,000"]
    base = make_data("10,000 x 1,000")
    limited = run_worker(sys.executable, "rankle", "limited", base, 1)
    found = {
        "growth_of_time_for_10_times_the_lines": big["seconds"]["rankle"] / small["seconds"]["rankle"],
        "memory_share_of_pytrec_eval": big["peak_mb"]["rankle"] / big["peak_mb"]["pytrec_eval"],
        "time_over_bare_parse": big["seconds"]["rankle"] / parse["seconds"]["rankle"],
        "limited": {
            "file_mb": base.with_suffix(".run").stat().st_size / 1e6,
            "address_space_beyond_imports_mb": LIMIT_MB,
            "seconds": limited["seconds"][0],
            "same_figures": limited["figures"] == big["figures"]["rankle"],
        },
    }
    print(json.dumps(found, indent=1))
    return found


if __name__ == "__main__":
    main()
