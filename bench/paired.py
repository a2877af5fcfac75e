"""The paired tables of docs/statistics.md: false alarms of the test, coverage of its interval.

    nice .venv/bin/python bench/paired.py            # 20,000 pairs a cell (2,000 at n = 20): ten minutes
    .venv/bin/python bench/paired.py --samples 1000

Test and interval are one object, so the share of true hypotheses that the interval misses is the share of
false alarms: one figure stands for both.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rankle.stats.distributions import t_quantile
from rankle.stats.flips import EXACT_UP_TO
from rankle.stats.paired import paired_tests
from rankle.stats.simulation import EXTREMES, POPULATIONS, Population

Array = NDArray[np.float64]
SIZES = (20, 50, 200)
BLOCK = 250
SEED = 2_026


def exchangeable(population: Population) -> Callable[[np.random.Generator, int, int], Array]:
    def draw(rng: np.random.Generator, n: int, n_samples: int) -> Array:
        first, second = population.draw(rng, (2 * n, n_samples)).reshape(2, n, n_samples)
        return second - first

    return draw


def skewed(population: Population) -> Callable[[np.random.Generator, int, int], Array]:
    """Differences of mean zero whose shape is the population's: no test of means is exact on these."""

    def draw(rng: np.random.Generator, n: int, n_samples: int) -> Array:
        return population.draw(rng, (n, n_samples)) - population.mean

    return draw


CASES = {
    **{f"exchangeable, {name}": exchangeable(population) for name, population in POPULATIONS.items()},
    **{
        f"skewed difference, {name}": skewed({**POPULATIONS, **EXTREMES}[name])
        for name in ("Beta(0.5, 2), skewed", "Beta(1, 8), skewed", "80 % zeros", "Beta(0.3, 3), very skewed")
    },
}


def rejected(
    draw: Callable[[np.random.Generator, int, int], Array], *, n: int, n_samples: int
) -> tuple[float, float]:
    """Shares of true hypotheses rejected at 5 %, by our test and by the paired t test."""
    rng = np.random.default_rng(SEED)
    block = 8 if n <= EXACT_UP_TO else BLOCK  # 2^19 flips a column take room
    ours = theirs = 0
    for start in range(0, n_samples, block):
        differences = draw(rng, n, min(block, n_samples - start))
        found = paired_tests(np.zeros_like(differences), differences, seed=start)
        ours += sum(one.p_value <= 0.05 for one in found)
        errors = differences.std(axis=0, ddof=1) / np.sqrt(n)
        theirs += int(np.sum(np.abs(differences.mean(axis=0)) > t_quantile(0.975, df=n - 1) * errors))
    return ours / n_samples, theirs / n_samples


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=20_000, help="pairs per cell; a tenth of it at n = 20")
    n_samples = parser.parse_args().samples
    print("| differences | n | sign flips | paired t |")
    print("|---|---|---|---|")
    for name, draw in CASES.items():
        for n in SIZES:
            size = n_samples // 10 if n <= EXACT_UP_TO else n_samples
            ours, theirs = rejected(draw, n=n, n_samples=size)
            print(f"| {name} | {n} | {100 * ours:.2f} | {100 * theirs:.2f} |", flush=True)
    rng = np.random.default_rng(SEED)
    a, b = rng.random((2, 10_000, 6))
    start = time.perf_counter()
    paired_tests(a, b, seed=0)
    print(f"\n10,000 flips x 6 measures x 10,000 queries: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
