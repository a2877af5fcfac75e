"""How many queries does it take to see a difference of some size?"""

from pathlib import Path

from rankle.app.run_refs import load_run
from rankle.core.evalset import EvalQuery
from rankle.formats.eval_set import read_eval_set
from rankle.formats.kinds import ReadOptions
from rankle.reports.power import NamedReport, PowerReport, PowerRequest, power_report


def power_of(
    set_file: Path,
    run: str,
    request: PowerRequest,
    *,
    against: str | None = None,
    records: Path | None = None,
    reading: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
) -> PowerReport:
    """From the scores of a recorded run, or its differences from another one.

    run, against: names of runs; see `rankle.app.run_refs.load_run`. Raises what reading the set and the runs
    raises, and as `power_report` does.
    """
    eval_set = read_eval_set(set_file, options=reading)
    first, *others = (
        NamedReport(name, load_run(name, records=records)) for name in (run, against) if name is not None
    )
    return power_report(
        first,
        request,
        set_name=eval_set.name,
        set_fingerprint=eval_set.fingerprint,
        n_queries=sum(map(_is_scorable, eval_set.queries)),
        against=others[0] if others else None,
    )


def _is_scorable(query: EvalQuery) -> bool:
    return any(label.relevant or (label.relevant is None and label.grade > 0) for label in query.labels)
