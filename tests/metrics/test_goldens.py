"""Equality with trec_eval and gdeval on a small committed set; goldens/make.py says how it was made."""

import json
from pathlib import Path

import pytest

from rankle.metrics.engine import compute
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.measure import parse_measure

GOLDENS = Path(__file__).parent / "goldens"
EXPECTED: dict[str, dict[str, float]] = json.loads((GOLDENS / "expected.json").read_text())
GDEVAL_PRINTS = 5e-6
"""gdeval rounds to five digits."""


def read_judged(queries: list[str]) -> JudgedRanks:
    grades: dict[str, dict[str, int]] = {query: {} for query in queries}
    found: dict[str, list[tuple[float, bytes]]] = {query: [] for query in queries}
    for line in (GOLDENS / "tiny.qrels").read_text().splitlines():
        query, _, target, grade = line.split()
        if query in grades:
            grades[query][target] = int(grade)
    for line in (GOLDENS / "tiny.run").read_text().splitlines():
        query, _, target, _, score, _ = line.split()
        found[query].append((float(score), target.encode()))
    results = [[target.decode() for _, target in sorted(found[q], reverse=True)] for q in queries]
    return JudgedRanks.from_lists(results, [grades[query] for query in queries])


@pytest.mark.parametrize("name", sorted({name for values in EXPECTED.values() for name in values}))
def test_every_figure_is_that_of_the_outside_authority(name: str) -> None:
    queries = list(EXPECTED)
    measure = parse_measure(name)
    column = compute(read_judged(queries), [measure], undefined="zero")[measure]
    compared = [(q, value) for q, value in zip(queries, column, strict=True) if name in EXPECTED[q]]
    assert compared
    room = GDEVAL_PRINTS if name in {"ERR@20", "nDCG(gain=exp2)@10"} else 1e-14
    for query, value in compared:
        assert float(value) == pytest.approx(EXPECTED[query][name], rel=0, abs=room), query
