"""The statistics hold what they promise, by simulation with limits: `nice python -m bench.simulations`.

    python -m bench.simulations                  20,000 samples a cell: half an hour of one core
    python -m bench.simulations --samples 1000   a look, within the error of so small a simulation
    python -m bench.simulations --only power

    false alarms  two samples of one population, paired at random, at alpha 0.05: 4 to 6 %. The interval
                  of the difference misses 0 in the very same pairs, so its coverage is the rest. (Few values
                  leave few distinct p-values at n = 20: cautious, reported only.)
    skewed        differences skewed about a mean of 0, where no test of means is exact: reported only, with
                  what t, Wilcoxon and sign do there
    means         intervals of means: 93 to 97 %
    power         the smallest detectable difference, printed for one sample and added to another: 76 to 84 %
    tukey         any false alarm among the ten pairs of five equal systems: 4 to 6 %

Limits are widened by two standard errors of the simulation. Writes bench/results/simulations.json after every
cell, and fails where a limit is broken.
"""

import argparse
import json
import math
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.paired import CASES
from rankle.stats.paired import Method, paired_tests
from rankle.stats.power_analysis import smallest_detectable
from rankle.stats.simulation import POPULATIONS, coverage
from rankle.stats.tukey import tukey_hsd

Limits = tuple[float, float] | None
RESULTS: Final = Path(__file__).parent / "results" / "simulations.json"
SIZES: Final = (20, 50, 200)
BLOCK: Final = 20
SAME: Final = 1e-9
FEW_VALUES: Final = {"exchangeable, 80 % zeros", "exchangeable, 60 % ones, 5 % zeros"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of the simulation."""

    kind: str
    name: str
    n: int
    share: float
    n_samples: int
    limits: Limits
    """None of what is only reported."""
    passed: bool


def cell(kind: str, name: str, n: int, *, share: float, n_samples: int, limits: Limits = None) -> Cell:
    passed = True
    if limits is not None:
        below, above = (2 * math.sqrt(limit * (1 - limit) / n_samples) for limit in limits)
        passed = limits[0] - below <= share <= limits[1] + above
    return Cell(kind, name, n, round(share, 5), n_samples, limits, passed)


def generator(*parts: object) -> np.random.Generator:
    """The same for the same cell, whatever else is run."""
    return np.random.default_rng(zlib.crc32("/".join(map(str, parts)).encode()))


def share_rejected(name: str, n: int, *, n_samples: int, method: Method) -> float:
    rng = generator(name, n)
    found = 0
    for start in range(0, n_samples, BLOCK):
        differences = CASES[name](rng, n, min(BLOCK, n_samples - start))
        if method == "t":  # it says nothing of differences that are all alike, and so rejects nothing there
            differences = differences[:, np.ptp(differences, axis=0) > SAME]
        tests = paired_tests(np.zeros_like(differences), differences, seed=start, method=method)
        found += sum(one.p_value <= 0.05 for one in tests)
    return found / n_samples


def false_alarms(n_samples: int) -> Iterator[Cell]:
    for name in CASES:
        if not name.startswith("exchangeable"):
            continue
        for n in SIZES:
            share = share_rejected(name, n, n_samples=n_samples, method="randomisation")
            limits = None if n == 20 and name in FEW_VALUES else (0.04, 0.06)
            yield cell("false alarms", name, n, share=share, n_samples=n_samples, limits=limits)


def skewed(n_samples: int) -> Iterator[Cell]:
    size = min(n_samples, 4_000)
    for name in CASES:
        if name.startswith("exchangeable"):
            continue
        for n in SIZES:
            for method in ("randomisation", "t", "wilcoxon", "sign"):
                share = share_rejected(name, n, n_samples=size, method=method)
                yield cell("skewed", f"{name}, {method}", n, share=share, n_samples=size)


def means(n_samples: int) -> Iterator[Cell]:
    for name, population in POPULATIONS.items():
        for n in SIZES:
            share = coverage(population, n=n, n_samples=n_samples, seed=2_026).covered
            yield cell("means", name, n, share=share, n_samples=n_samples, limits=(0.93, 0.97))


def power(n_samples: int) -> Iterator[Cell]:
    for name in ("Beta(2, 2), symmetric", "Beta(0.5, 2), skewed", "RR, half at rank 1"):
        for n in SIZES:
            rng = generator("power", name, n)
            found = 0
            for start in range(0, n_samples, BLOCK):
                a, b, c, d = POPULATIONS[name].draw(rng, (4 * n, BLOCK)).reshape(4, n, BLOCK)
                printed = [smallest_detectable(column).effect for column in (b - a).T]
                tests = paired_tests(c, d + np.array(printed), seed=start)
                found += sum(one.p_value <= 0.05 for one in tests[: n_samples - start])
            yield cell("power", name, n, share=found / n_samples, n_samples=n_samples, limits=(0.76, 0.84))


def tukey(n_samples: int) -> Iterator[Cell]:
    size = min(n_samples, 4_000)
    for name in ("Beta(2, 2), symmetric", "Beta(0.5, 2), skewed"):
        for n in SIZES:
            rng = generator("tukey", name, n)
            found = 0
            for seed in range(size):
                scores = POPULATIONS[name].draw(rng, (n, 5))
                test = tukey_hsd(scores, seed=seed, n_shuffles=999)
                found += any(pair.p_value <= 0.05 for pair in test.pairs)
            yield cell("tukey", name, n, share=found / size, n_samples=size, limits=(0.04, 0.06))


KINDS: Final[Mapping[str, Callable[[int], Iterator[Cell]]]] = {
    "false alarms": false_alarms,
    "skewed": skewed,
    "means": means,
    "power": power,
    "tukey": tukey,
}


def _written(path: Path) -> list[dict[str, Any]]:
    """What runs of before found; nothing where there are none."""
    found: list[dict[str, Any]] = json.loads(path.read_text()) if path.is_file() else []
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=20_000, help="samples per cell")
    parser.add_argument("--only", choices=list(KINDS), help="renew the cells of one kind")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    cells: list[Cell] = []
    kept = [one for one in _written(options.output) if options.only not in {None, one["kind"]}]
    for kind, simulate in KINDS.items():
        if options.only not in {None, kind}:
            continue
        for one in simulate(options.samples):
            cells.append(one)
            limits = "" if one.limits is None else f"  {one.limits}{'' if one.passed else ' BROKEN'}"
            print(f"{kind:13} {one.name:45} n {one.n:<4} {100 * one.share:6.2f} %{limits}", flush=True)
            found = sorted(
                kept + [asdict(one) for one in cells], key=lambda one: list(KINDS).index(one["kind"])
            )
            options.output.parent.mkdir(exist_ok=True)
            options.output.write_text(json.dumps(found, indent=1) + "\n")
    return 0 if all(one.passed for one in cells) else 1


if __name__ == "__main__":
    sys.exit(main())
