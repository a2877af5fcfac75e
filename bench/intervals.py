"""The coverage table of docs/statistics.md: ours beside Student's t, BCa and the studentised bootstrap.

    nice .venv/bin/python bench/intervals.py            # 20,000 samples a cell: about five minutes
    .venv/bin/python bench/intervals.py --samples 1000

The rivals are worked out for many samples at once, all under the same resampling counts, which makes a
bootstrap of every sample one matrix product; that is also what a fixed seed would do to them in use.
"""

import argparse
import time
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from rankle.stats.distributions import normal_quantile, t_quantile
from rankle.stats.intervals import mean_interval
from rankle.stats.simulation import EXTREMES, POPULATIONS, Coverage, Population, coverage, tally

Array = NDArray[np.float64]
Bounds = tuple[Array, Array]

NORMAL = NormalDist()
N_RESAMPLES = 1_999
CHUNK = 1_000
SIZES = (20, 50, 200)
SEED = 2_026


def student_t(samples: Array, _counts: Array) -> Bounds:
    n = samples.shape[1]
    mean = samples.mean(axis=1)
    reach = t_quantile(0.975, df=n - 1) * samples.std(axis=1, ddof=1) / np.sqrt(n)
    return mean - reach, mean + reach


def bca(samples: Array, counts: Array) -> Bounds:
    """Efron 1987, JASA 82, with the acceleration of a mean in closed form."""
    n = samples.shape[1]
    mean = samples.mean(axis=1)
    resampled = np.sort(counts @ samples.T / n, axis=0)
    below = (resampled < mean - 1e-12).mean(axis=0) + 0.5 * (np.abs(resampled - mean) <= 1e-12).mean(axis=0)
    shift = np.array([normal_quantile(share) for share in np.clip(below, 1e-6, 1 - 1e-6)])
    deviations = samples - mean[:, None]
    spread = (deviations**2).sum(axis=1)
    flat = spread <= 1e-24
    acceleration = np.where(flat, 0.0, (deviations**3).sum(axis=1) / (6 * np.where(flat, 1.0, spread) ** 1.5))
    return (
        _at(resampled, shift, acceleration, normal_quantile(0.025)),
        _at(resampled, shift, acceleration, normal_quantile(0.975)),
    )


def _at(resampled: Array, shift: Array, acceleration: Array, quantile: float) -> Array:
    moved = shift + (shift + quantile) / (1 - acceleration * (shift + quantile))
    share = np.array([NORMAL.cdf(x) for x in moved])
    rank = np.clip((share * (len(resampled) + 1)).astype(int) - 1, 0, len(resampled) - 1)
    found: Array = resampled[rank, np.arange(resampled.shape[1])]
    return found


def studentised(samples: Array, counts: Array) -> Bounds:
    """Hall 1988, Annals of Statistics 16. A resample without variance has an infinite statistic."""
    n = samples.shape[1]
    mean = samples.mean(axis=1)
    standard_error = samples.std(axis=1, ddof=1) / np.sqrt(n)
    resampled = counts @ samples.T / n
    variance = np.maximum(counts @ (samples**2).T / n - resampled**2, 0.0) / (n - 1)
    flat = variance <= 1e-24
    off = resampled - mean
    off[np.abs(off) <= 1e-12] = 0.0
    statistic = off / np.sqrt(np.where(flat, 1.0, variance))
    statistic[flat & (off < 0.0)] = -np.inf
    statistic[flat & (off > 0.0)] = np.inf
    statistic.sort(axis=0)
    cut = round(0.025 * (len(counts) + 1))
    upper, lower = statistic[-cut], statistic[cut - 1]
    varies = standard_error > 0
    low = np.where(varies, mean - upper * np.where(varies, standard_error, 1.0), mean)
    high = np.where(varies, mean - lower * np.where(varies, standard_error, 1.0), mean)
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)


RIVALS: dict[str, Callable[[Array, Array], Bounds]] = {"t": student_t, "BCa": bca, "studentised": studentised}


def rivals_covered(population: Population, *, n: int, n_samples: int, seed: int) -> dict[str, Coverage]:
    samples = population.draw(np.random.default_rng(seed), (n_samples, n))
    counts = np.random.default_rng(seed + 1).multinomial(n, np.full(n, 1 / n), size=N_RESAMPLES).astype(float)
    found = {}
    for name, method in RIVALS.items():
        parts = [method(samples[at : at + CHUNK], counts) for at in range(0, n_samples, CHUNK)]
        lows, highs = (np.concatenate(side) for side in zip(*parts, strict=True))
        found[name] = tally(population.mean, lows=lows, highs=highs)
    return found


def row(name: str, population: Population, *, n: int, n_samples: int) -> str:
    ours = coverage(population, n=n, n_samples=n_samples, seed=SEED)
    rivals = rivals_covered(population, n=n, n_samples=n_samples, seed=SEED)
    cells = [f"{100 * ours.too_high:.1f} / {100 * ours.too_low:.1f}", f"{ours.mean_width:.3f}"]
    for one in (ours, *rivals.values()):
        share = f"{100 * one.covered:.1f}"
        cells.append(share if 0.93 <= one.covered <= 0.97 else f"**{share}**")
    return f"| {name} | {n} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=20_000, help="samples per cell")
    n_samples = parser.parse_args().samples
    print("| scores | n | misses above / below | width | ours | t | BCa | studentised |")
    print("|---|---|---|---|---|---|---|---|")
    for name, population in {**POPULATIONS, **EXTREMES}.items():
        for n in SIZES:
            print(row(name, population, n=n, n_samples=n_samples), flush=True)
    scores = np.random.default_rng(SEED).beta(0.5, 2, size=10_000)
    start = time.perf_counter()
    for _ in range(200):
        mean_interval(scores)
    print(f"\nmean_interval over 10,000 scores: {(time.perf_counter() - start) * 5:.3f} ms")


if __name__ == "__main__":
    main()
