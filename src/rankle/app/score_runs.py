"""Score recorded runs from files, and make the record of each."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Literal

import numpy as np

from rankle.app.ids import new_stamp
from rankle.app.score import DEFAULT_MEASURES
from rankle.app.score_details import SHOWN, QueryDetails, query_details
from rankle.app.score_files import load_qrels
from rankle.app.score_full import score_full
from rankle.app.score_inputs import load_any_run
from rankle.app.scores import MeasureMean, Scores
from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError
from rankle.core.product import VERSION
from rankle.core.run import (
    RECORDED_RUN,
    LabelReport,
    Latency,
    MeasureSummary,
    QueryReport,
    RunReport,
    SetInfo,
    SystemInfo,
)
from rankle.formats.byte_source import held
from rankle.formats.kinds import ReadOptions
from rankle.formats.normalise import normalise_qrels, normalise_run, parse_normalisation
from rankle.harness.stamp import Stamp
from rankle.metrics.engine import depth_needed
from rankle.metrics.join import JoinOptions
from rankle.metrics.measure import Measure, parse_measure
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run
from rankle.metrics.ties import Ties
from rankle.stats.intervals import mean_interval


def score_runs(
    qrels: Path,
    runs: Sequence[Path],
    measures: str | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    ties: Ties = Ties.TREC,
    undefined: Literal["nan", "zero"] = "nan",
    missing: Literal["zero", "skip"] = "zero",
    max_results: int | None = None,
    ignore_self: bool = False,
    reading: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
    normalise: tuple[str, ...] = (),
    details: bool = False,
    stamp: Callable[[], Stamp] = new_stamp,
) -> list[RunReport]:
    """One record a run, in the order given; see `rankle.app.score.score` for the options.

    The records hold the values of every query.
    details: whether they also hold where every judged target stands, and the first results: as many as the
        measures read, 100 where one reads all. A run is then held in memory whole.
    Raises InputError, MeasureError and CannotMeasureError as `score` does, and InputError where more
    than one of the files is standard input.
    """
    if [str(path) for path in (qrels, *runs)].count("-") > 1:
        raise InputError("only one of the files can be -, the standard input")
    judgments = load_qrels(held(qrels), reading)
    described = _described(judgments, name=qrels.name)
    options = JoinOptions(ties=ties, max_results=max_results, ignore_self=ignore_self)
    every: list[tuple[Scores, Mapping[str, QueryDetails]]] = []
    for path in runs:
        run = load_any_run(path, reading) if details else path
        scores = score_full(
            judgments,
            run,
            measures,
            ties=ties,
            undefined=undefined,
            missing=missing,
            max_results=max_results,
            ignore_self=ignore_self,
            reading=reading,
            normalise=normalise,
            thorough=True,
        )
        if isinstance(run, Run):
            steps = parse_normalisation(normalise)
            pair = normalise_qrels(judgments, steps, conflicts=reading.conflicts), normalise_run(run, steps)
            every.append((scores, _details(scores, *pair, options)))
        else:
            every.append((scores, {}))
    names = _names([scores.run for scores, _ in every], runs)
    return [
        _report(scores, found, path, name, described, stamp())
        for (scores, found), path, name in zip(every, runs, names, strict=True)
    ]


def _described(judgments: Qrels, *, name: str) -> SetInfo:
    n_queries = len(judgments.queries)
    return SetInfo(name=name, fingerprint=_fingerprint(judgments), n_queries=n_queries, n_in_file=n_queries)


def _details(scores: Scores, qrels: Qrels, run: Run, options: JoinOptions) -> Mapping[str, QueryDetails]:
    asked = list(map(parse_measure, scores.columns))
    cuts = [measure.k for measure in asked if measure.k is not None]
    depth = depth_needed(asked)
    n_results = max([SHOWN, *cuts]) if depth is None else depth
    return query_details(qrels, run, options, k=max(cuts, default=None), n_results=n_results)


def _names(tags: Sequence[str], paths: Sequence[Path]) -> list[str]:
    """What tells the runs apart: their tags; the names of files for equal tags; or else whole paths."""
    choices = [(tag, path.name, str(path)) for tag, path in zip(tags, paths, strict=True)]
    names = list(tags)
    for level in (1, 2):
        names = [
            choice[level] if names.count(name) > 1 else name
            for name, choice in zip(names, choices, strict=True)
        ]
    return names


def _fingerprint(qrels: Qrels) -> str:
    return fingerprint(dict(zip(qrels.queries, map(dict, qrels.by_query), strict=True)))


def _report(
    scores: Scores,
    details: Mapping[str, QueryDetails],
    path: Path,
    name: str,
    described: SetInfo,
    stamp: Stamp,
) -> RunReport:
    return RunReport(
        id=stamp.id,
        created=stamp.created,
        rankle_version=VERSION,
        set=described,
        level="document",
        depth=max(scores.depth, 1),
        k=sorted({k for name in scores.values if (k := parse_measure(name).k) is not None}),
        ties=scores.ties,
        seed=0,
        system=SystemInfo(
            name=name,
            method=RECORDED_RUN,
            fingerprint=_digest(path, scores),
            stages=[],
            path=str(path),
        ),
        measures={name: _summary(mean, scores, name) for name, mean in scores.means.items()},
        latency_ms=Latency(p50=None, p95=None),
        labels=LabelReport(n_labels=scores.n_judgments, n_joined=scores.n_joined, unknown=[]),
        documents=[],
        notices=list(scores.notices),
        n_duplicates_dropped=scores.n_duplicates,
        queries=_queries(scores, details),
    )


def _digest(path: Path, scores: Scores) -> str:
    """SHA-256 of the file; of the values where it was standard input, a pipe or a folder."""
    if not path.is_file():
        return fingerprint({name: np.nan_to_num(column).tolist() for name, column in scores.values.items()})
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _summary(mean: MeasureMean, scores: Scores, name: str) -> MeasureSummary:
    column = scores.values[name]
    interval = mean_interval(column[~np.isnan(column)])
    return MeasureSummary(
        mean=mean.mean,
        low=interval.low,
        high=interval.high,
        n_scored=mean.n_scored,
        n_undefined=mean.n_undefined,
        n_failed=0,
        n_missing=mean.n_missing,
    )


def _queries(scores: Scores, details: Mapping[str, QueryDetails]) -> list[QueryReport]:
    names = list(scores.values)
    table = np.array(list(scores.values.values())).T.tolist()
    reports = []
    for query, values, first in zip(scores.queries, table, scores.first_relevant.tolist(), strict=True):
        defined = {name: value for name, value in zip(names, values, strict=True) if not isnan(value)}
        reports.append(
            QueryReport(
                id=query,
                query="",
                status="scored" if defined else "undefined",
                scores=defined,
                first_relevant_rank=first or None,
                targets=details[query].targets if details else [],
                results=details[query].results if details else [],
                took_ms=None,
            )
        )
    return reports
