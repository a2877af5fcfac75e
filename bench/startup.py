"""How long starting takes, as ratios: `python -m bench.startup`.

`rankle --help` against `python -c pass` (at most 6), `import rankle` against `import numpy` (at most 2). All
is time of the processor, system calls included, so that other programs on the machine matter little. Modules
are compiled before, as those of an installed package are. Writes bench/results/startup.json.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

RUNS: Final = 31
RESULTS: Final = Path(__file__).parent / "results" / "startup.json"
PROGRAMS: Final = {
    "pass": ["-c", "pass"],
    "rankle --help": ["-c", "from rankle.cli.main import run; run()", "--help"],
    "rankle eval --help": ["-c", "from rankle.cli.main import run; run()", "eval", "--help"],
    "import numpy": ["-c", "import numpy"],
    "import rankle": ["-c", "import rankle"],
}
LIMITS: Final = {("rankle --help", "pass"): 6.0, ("import rankle", "import numpy"): 2.0}


def main() -> int:
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as compiled:
        environ["PYTHONPYCACHEPREFIX"] = compiled
        for arguments in PROGRAMS.values():  # the first of each compiles its modules
            processor_ms(arguments, environ)
        for _ in range(RUNS):  # in turns, so that a busy moment of the machine hits all alike
            for name, arguments in PROGRAMS.items():
                times[name].append(processor_ms(arguments, environ))
    medians = {name: round(statistics.median(found), 1) for name, found in times.items()}
    ratios = {f"{of} / {to}": round(medians[of] / medians[to], 2) for of, to in LIMITS}
    for name, median in medians.items():
        print(f"{name:20} {median:7.1f} ms")
    for (of, to), limit in LIMITS.items():
        print(f"{of} / {to}: {ratios[f'{of} / {to}']} (at most {limit:g})")
    RESULTS.parent.mkdir(exist_ok=True)
    text = json.dumps({"runs": RUNS, "median_processor_ms": medians, "ratios": ratios}, indent=2)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    return 0 if all(ratios[f"{of} / {to}"] <= limit for (of, to), limit in LIMITS.items()) else 1


def processor_ms(arguments: Sequence[str], environ: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1_000


if __name__ == "__main__":
    sys.exit(main())
