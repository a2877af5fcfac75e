"""Compare runs that were measured before: better, worse, or no difference shown."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rankle.app.eval_runs import eval_labels
from rankle.app.relabel_advice import relabel_advice
from rankle.app.rescore import check_depth, with_measures
from rankle.app.run_refs import NamedRun, load_runs, named_runs
from rankle.core.errors import CannotMeasureError, InputError, MeasureError, UnknownNameError
from rankle.core.evals_result import EvalsResult
from rankle.core.run import RunReport
from rankle.metrics.measure import Measure, parse_measure
from rankle.metrics.spelling import read_list
from rankle.reports.comparing import Pairs, Request, compare_runs, labels_of
from rankle.reports.comparison import Comparison
from rankle.reports.comparisons import Comparisons, Refused, Unpaired
from rankle.reports.evals_as_run import eval_key_of, evals_as_runs
from rankle.stats.paired import Method


def compare(
    run_a: RunReport | Path | str,
    run_b: RunReport | Path | str,
    *more: RunReport | Path | str,
    measures: str | Iterable[str | Measure] | None = None,
    alpha: float = 0.05,
    test: Method = "randomisation",
    pairs: Pairs | None = None,
    seed: int = 0,
    force: bool = False,
    records: Path | str | None = None,
) -> Comparison:
    """Hold runs over the same queries against each other, query by query.

    run_a, run_b, more: records, or names of them: an id, `latest~1`, a tag, or a file that `rankle eval
        --output` wrote. Of a run of several evals, `RUN#NAME` is one; `compare_evals` takes all of them.
    measures: such as `nDCG@10`, in one text or several; of runs that are named, what they lack is made from
        their records or files. None takes of each kind the deepest cut that all
        runs have. The more there are, the more p is adjusted: name the one that matters before looking.
    alpha: the chance of any false alarm among all tests of the comparison.
    test: `randomisation` (sign flips), `t`, `wilcoxon` or `sign`, the last two with a warning.
    pairs: of more than two runs, `all` pairs by randomised Tukey HSD or each against the `first` by Holm.
    force: compare the queries and measures in common of runs that differ in more than their systems.
    records: the store in which names are looked up; None for the project's.

    Queries on which a run failed are in none of its pairs; `notes` says which. Raises InputError on a run
    compared with itself and on measures that a run does not have, CannotMeasureError on runs that cannot be
    compared, with everything that differs.
    """
    store = None if records is None else Path(records)
    asked = _measures(measures)
    named = [one for run in (run_a, run_b, *more) for one in _runs_of(run, asked, store)]
    labels = labels_of(len(named))
    names = [one.name or f"run {label}" for one, label in zip(named, labels, strict=True)]
    request = Request(measures=asked, alpha=alpha, test=test, pairs=pairs, seed=seed, force=force)
    return compare_runs([one.run for one in named], names, request)


def compare_evals(
    run_a: EvalsResult | Path | str,
    run_b: EvalsResult | Path | str,
    *more: EvalsResult | Path | str,
    measures: str | Iterable[str | Measure] | None = None,
    alpha: float = 0.05,
    test: Method = "randomisation",
    pairs: Pairs | None = None,
    seed: int = 0,
    force: bool = False,
    records: Path | str | None = None,
) -> Comparisons:
    """Hold whole runs of evals against each other, eval by eval, matched by file, name and variant.

    run_a, run_b, more: what `rankle.run` returned, or names of recorded runs: an id, `latest~1`, a tag, or a
        file that `rankle run --output` wrote.
    The other arguments are those of `compare`; a measure is the name of a scorer.

    An eval that not all runs have stands in `unpaired`, one that cannot be compared in `refused`. Raises
    InputError on what is no run of evals, CannotMeasureError where no eval can be compared.
    """
    store = None if records is None else Path(records)
    asked = _measures(measures)
    refs, groups = [], []
    for run in (run_a, run_b, *more):
        group = _evals_of(run, asked, store)
        refs.append(run.id if isinstance(run, EvalsResult) else str(run))
        groups.append(_by_key(group, name=refs[-1]))
    request = Request(measures=asked, alpha=alpha, test=test, pairs=pairs, seed=seed, force=force)
    return _by_eval(refs, groups, request)


def compare_named(refs: Sequence[str], request: Request, *, records: Path | None = None) -> Comparisons:
    """`compare` of runs that are named; a file with several runs stands for all of them.

    Whole runs of several evals are compared eval by eval. An eval whose runs cannot be compared is told of
    beside the others. Raises what `compare` does, where nothing at all can be compared.
    """
    groups = [_made(named_runs(ref, records=records), request.measures, records) for ref in refs]
    if len(groups) > 1 and any(len(group) > 1 for group in groups):
        keys = [{eval_key_of(one.run): one for one in group} for group in groups]
        if all(None not in own for own in keys):
            return _by_eval(refs, [{str(key): one for key, one in own.items()} for own in keys], request)
    return Comparisons(comparisons=[_compared([one for group in groups for one in group], request)])


def _by_eval(refs: Sequence[str], groups: Sequence[Mapping[str, NamedRun]], request: Request) -> Comparisons:
    every = list(dict.fromkeys(key for group in groups for key in group))
    common = [key for key in every if all(key in group for group in groups)]
    if not common:
        raise CannotMeasureError(f"{', '.join(refs)} have no eval in common, so there is nothing to compare")
    found: list[Comparison] = []
    refused: list[Refused] = []
    for key in common:
        try:
            found.append(_compared([group[key] for group in groups], request))
        except (CannotMeasureError, UnknownNameError) as error:
            refused.append(Refused(eval=key, why=str(error)))
    if not found:
        raise CannotMeasureError("\n".join(f"{one.eval}: {one.why}" for one in refused))
    unpaired = [
        Unpaired(eval=key, runs=[ref for ref, group in zip(refs, groups, strict=True) if key in group])
        for key in every
        if key not in common
    ]
    return Comparisons(comparisons=found, unpaired=unpaired, refused=refused)


def _compared(named: Sequence[NamedRun], request: Request) -> Comparison:
    if len(named) < 2:
        only = named[0].name if named else "none"
        raise InputError(f"a comparison takes two runs or more, got one ({only}); name another beside it")
    runs, names = [one.run for one in named], [one.name for one in named]
    return compare_runs(runs, names, request, advice=relabel_advice(runs, names))


def _runs_of(
    run: RunReport | Path | str, measures: tuple[str, ...] | None, records: Path | None
) -> tuple[NamedRun, ...]:
    if isinstance(run, RunReport):
        return (NamedRun(run.system.method, run),)
    if not isinstance(run, str | Path):
        raise InputError(f"a run is a RunReport or the name of one, got {type(run).__name__}")
    found = load_runs([run], records=records)
    if len(found) > 1 and all(eval_key_of(one.run) is not None for one in found):
        raise InputError(
            f"{run} is a run of {len(found)} evals, and compare takes one of each: name it, such as "
            f'"{found[0].name}". rankle.compare_evals compares whole runs, eval by eval'
        )
    return _made(found, measures, records)


def _evals_of(
    run: EvalsResult | Path | str, measures: tuple[str, ...] | None, records: Path | None
) -> tuple[NamedRun, ...]:
    if isinstance(run, EvalsResult):
        reports = evals_as_runs(run.run)
        labels = eval_labels(reports)
        return tuple(NamedRun(f"{run.id}#{label}", one) for label, one in zip(labels, reports, strict=True))
    if not isinstance(run, str | Path):
        raise InputError(f"a run of evals is an EvalsResult or the name of one, got {type(run).__name__}")
    return _made(load_runs([run], records=records), measures, records)


def _by_key(group: Sequence[NamedRun], *, name: str) -> dict[str, NamedRun]:
    keyed: dict[str, NamedRun] = {}
    for one in group:
        key = eval_key_of(one.run)
        if key is None:
            raise InputError(f"{name} is a run of search, not of evals; rankle.compare takes such runs")
        keyed[key] = one
    return keyed


def _made(
    named: Sequence[NamedRun], measures: tuple[str, ...] | None, records: Path | None
) -> tuple[NamedRun, ...]:
    """Runs with the measures that are asked for, made from records and files where they were not evaluated by
    them; what cannot be made, the comparison tells."""
    wanted = [measure for name in measures or () if (measure := _measure(name)) is not None]
    made = []
    for one in named:
        if one.run.level != "case":
            check_depth(wanted, one.run)
        made.append(NamedRun(one.name, with_measures(one.run, one.name, wanted, records=records)))
    return tuple(made)


def _measure(name: str) -> Measure | None:
    try:
        return parse_measure(name)
    except MeasureError:
        return None


def _measures(given: str | Iterable[str | Measure] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    return tuple(read_list(given)) if isinstance(given, str) else tuple(map(str, given))
