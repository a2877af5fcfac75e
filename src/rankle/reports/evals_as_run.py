"""A run of an eval as a measured run, so that comparisons, gates, baselines and exports work on both.

A case stands for a query, a scorer for a measure. The figures are those of the eval, none is computed anew.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from rankle.core.evals import EvalsRun, EvalsSummary, EvalSummary, ScorerSummary
from rankle.core.run import LabelReport, MeasureSummary, QueryReport, RunReport, SetInfo, SystemInfo
from rankle.core.trials import CaseReport
from rankle.reports.layout import one_line

SYSTEM: Final = "eval:"
"""Before the key of an eval in the name of its system."""
TASK: Final = "task"
"""The method of an eval without variants."""
_LONGEST: Final = 200
_LOOKED_AT: Final = 10 * _LONGEST
"""Characters that it is made from, so that an input of any size costs the same."""
_SAID: Final = ("query", "question", "prompt", "text", "input")
"""Members of an input that say it by themselves, the first of them that is text."""


def eval_as_run(
    summary: EvalSummary,
    cases: Iterable[CaseReport],
    *,
    created: str,
    rankle_version: str,
    seed: int,
    settings: Mapping[str, Any] | None = None,
) -> RunReport:
    """One eval as `rankle.run/1` of level `case`; outputs and traces stay behind.

    settings: what moves its results beside task and variant, for what changed between two runs.
    """
    return RunReport(
        id=summary.id,
        created=created,
        rankle_version=rankle_version,
        set=_set(summary),
        level="case",
        depth=1,
        k=_cuts(summary) or [1],
        ties="system",
        seed=seed,
        system=_system(summary, settings or {}),
        measures={one.name: _measure(one) for one in summary.scorers},
        latency_ms=summary.latency_ms,
        labels=LabelReport(n_labels=0, n_joined=0, unknown=[]),
        documents=[],
        notices=list(summary.notices),
        n_duplicates_dropped=0,
        queries=[_query(case) for case in cases],
    )


def evals_as_runs(run: EvalsRun) -> tuple[RunReport, ...]:
    """Every eval of a run that could be run, in their order."""
    return tuple(
        eval_as_run(one, run.read_cases(one.id), **_about(run.summary))
        for one in run.evals
        if one.error is None
    )


def eval_key_of(run: RunReport) -> str | None:
    """The key of the eval that a run is of; None for a run of any other level."""
    return run.system.name.removeprefix(SYSTEM) if run.level == "case" else None


def eval_names_of(run: RunReport) -> tuple[str, ...]:
    """All names that an eval goes by, the most exact first; empty for a run of any other level.

    `evals/search_eval.py::Vector search[hybrid]`, the same without its file, and both without the variant.
    """
    key = eval_key_of(run)
    if key is None:
        return ()
    return key_names(key, variant=None if run.system.method == TASK else run.system.method)


def key_names(key: str, *, variant: str | None) -> tuple[str, ...]:
    """`eval_names_of` an eval of this key."""
    whole = key.removesuffix(f"[{variant}]")
    keys = [key] if variant is None else [key, whole]
    file, ends, _ = whole.partition("::")
    bare = (one.removeprefix(f"{file}::") if ends else one for one in keys)
    return tuple(dict.fromkeys(name for pair in zip(keys, bare, strict=True) for name in pair))


def input_text(value: Any) -> str:
    """An input in a line of at most 200 cells: its text, or the one member that says it, or else its JSON."""
    if isinstance(value, Mapping):
        told = (value.get(key) for key in _SAID)
        value = next((one for one in told if isinstance(one, str) and one.strip()), value)
    return one_line(plain_text(value).lstrip()[:_LOOKED_AT], width=_LONGEST)


def plain_text(value: Any) -> str:
    """Text as it is, anything else as JSON on one line, members in the order of their names."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=repr)


def _about(summary: EvalsSummary) -> dict[str, Any]:
    return {"created": summary.created, "rankle_version": summary.rankle_version, "seed": summary.seed}


def _set(summary: EvalSummary) -> SetInfo:
    return SetInfo(
        name=summary.data,
        fingerprint=summary.data_fingerprint,
        n_queries=summary.n_cases,
        n_in_file=max(summary.n_in_data, summary.n_cases),
    )


def _system(summary: EvalSummary, settings: Mapping[str, Any]) -> SystemInfo:
    return SystemInfo(
        name=f"{SYSTEM}{summary.key}",
        method=summary.variant or TASK,
        fingerprint=summary.task_fingerprint,
        stages=[],
        settings={"trials": summary.trials, **settings},
    )


def _cuts(summary: EvalSummary) -> list[int]:
    from rankle.metrics.figure import read_figure  # imports numpy, before the first case could begin

    return sorted({k for one in summary.scorers if (k := read_figure(one.name).k) is not None})


def _measure(one: ScorerSummary) -> MeasureSummary:
    return MeasureSummary(
        mean=one.mean,
        low=one.low,
        high=one.high,
        n_scored=one.n_scored,
        n_undefined=one.n_undefined,
        n_failed=one.n_failed,
        n_missing=0,
    )


def _query(case: CaseReport) -> QueryReport:
    took = [trial.took_ms for trial in case.trials if trial.took_ms is not None]
    return QueryReport(
        id=case.id,
        query=input_text(case.input),
        status=case.status,
        scores=dict(case.scores),
        first_relevant_rank=None,
        targets=[],
        results=[],
        took_ms=sum(took) / len(took) if took else None,
        error=_error(case),
        collection=_text(case.input, "collection"),
        language=_text(case.metadata, "language") or _text(case.input, "language"),
        tags=list(case.tags),
    )


def _error(case: CaseReport) -> str | None:
    """The first crash of the case, of its task before its scorers."""
    errors = [trial.error for trial in case.trials]
    errors += [score.error for trial in case.trials for score in trial.scores]
    first = next((error for error in errors if error is not None), None)
    return None if first is None else f"{first.type}: {first.message}"


def _text(value: Any, key: str) -> str | None:
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, str) and found else None
