"""Every figure that NIST publishes for its own test runs, to the printed digit."""

import re
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from rankle.app.score import score
from rankle.core.errors import MeasureError
from rankle.metrics.measure import Measure, parse_measure

pytestmark = pytest.mark.shared_data


class Golden(NamedTuple):
    expected: str
    qrels: str
    run: str
    missing: Literal["zero", "skip"] = "skip"
    max_results: int | None = None
    rel: int = 1


GOLDENS = [
    Golden("out.test", "qrels.test", "results.test"),
    Golden("out.test", "qrels.test.with-comments", "results.test"),
    Golden("out.test.a", "qrels.test", "results.test"),
    Golden("out.test.aq", "qrels.test", "results.test"),
    Golden("out.test.aqc", "qrels.test", "results.trunc", missing="zero"),
    Golden("out.test.aqcM", "qrels.test", "results.trunc", missing="zero", max_results=100),
    Golden("out.test.aql", "qrels.rel_level", "results.test", rel=2),
    Golden("out.test.meas_params", "qrels.test", "results.test"),
    Golden("out.comment.test", "qrels.comment.test", "results.comment.test.gz"),
]
OURS = re.compile(r"map|Rprec|bpref|recip_rank|infAP|(P|recall|ndcg_cut|success)_\d+")
COUNTS = {"num_q", "num_ret", "num_rel", "num_rel_ret"}


def expected_figures(file: Path) -> dict[tuple[str, str], str]:
    """(measure, query) to the figure as printed; the query of a mean is `all`."""
    rows = [line.split("\t") for line in file.read_text().splitlines()]
    return {(name.strip(), query.strip()): figure.strip() for name, query, figure in rows}


def ours(name: str, rel: int) -> Measure:
    measure = parse_measure(name)
    if measure.family == "nDCG":  # which trec_eval's -l passes by
        return measure
    try:
        return Measure(measure.family, k=measure.k, rel=rel, parameters=measure.parameters)
    except MeasureError:
        return measure


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: f"{golden.expected}-{golden.qrels}")
def test_every_measure_equals_trec_eval_to_the_printed_digit(golden: Golden, shared_data: Path) -> None:
    folder = shared_data / "trec_eval"
    expected = {
        key: figure
        for key, figure in expected_figures(folder / golden.expected).items()
        if OURS.fullmatch(key[0])
    }
    assert len(expected) >= 13
    measures = {name: ours(name, golden.rel) for name, _ in expected}
    scores = score(
        folder / golden.qrels,
        folder / golden.run,
        measures.values(),
        undefined="zero",
        missing=golden.missing,
        max_results=golden.max_results,
    )
    found = {}
    for name, query in expected:
        measure = str(measures[name])
        value = scores.means[measure].mean if query == "all" else scores.query(query)[measure]
        found[name, query] = f"{value:.4f}"
    assert found == expected


def test_the_counts_are_trec_evals(shared_data: Path) -> None:
    folder = shared_data / "trec_eval"
    scores = score(folder / "qrels.comment.test", folder / "results.comment.test.gz", missing="skip")
    expected = expected_figures(folder / "out.comment.test")
    assert str(len(scores.queries)) == expected["num_q", "all"]
    assert scores.run == expected["runid", "all"]
    assert scores.n_extra == 270
