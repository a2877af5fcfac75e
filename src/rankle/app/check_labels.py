"""Check the labels of an eval set against what a workspace stores, and write the set anew."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal

from rankle.app.set_output import check_set_output
from rankle.app.wiring.knowledge_base import open_knowledge_base, passage_source
from rankle.app.wiring.settings import Settings, load_settings
from rankle.core.errors import InputError, UnknownNameError, WorkspaceError
from rankle.core.evalset import EvalSet, Level
from rankle.core.label_check import CheckReport, LabelVerdict, Repair, SetFault
from rankle.core.product import VERSION
from rankle.core.run import SetInfo
from rankle.formats.eval_set import BadSetError, read_eval_set
from rankle.formats.kinds import ReadOptions
from rankle.formats.set_records import label_record
from rankle.formats.writing import write_eval_set
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.labels.oddities import oddities
from rankle.labels.repair import Checked, SetCheck, check_set, repaired_set
from rankle.labels.staleness import Verdict
from rankle.labels.stored import Stored


def check_labels(
    path: str | Path,
    *,
    workspace: str | None = None,
    level: Level | str | None = None,
    reading: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
    output: str | Path | None = None,
    drop_gone: bool = False,
    with_passages: bool = False,
) -> CheckReport:
    """The verdict on every label of a set.

    level: what counts as the target; None takes what the labels name. At `chunk` the ids beside passages
        count, with the passages as evidence.
    output: where the repaired set is written, another file than the set; nothing is where labels do not say
        clearly what they mean. None writes nothing.
    drop_gone: leaves labels of what is gone out of it. with_passages: puts passages beside bare chunk ids.
    Of a set with bad lines the others are checked, and nothing is written. Raises InputError and
    BadLinesError where nothing of the set can be read, or it cannot be written, WorkspaceError where there is
    nothing to hold it against.
    """
    bad: BadSetError | None = None
    try:
        eval_set = read_eval_set(path, options=reading)
    except BadSetError as error:
        if error.readable is None:
            raise
        eval_set, bad = error.readable, error
    asked = None if level is None else _level(level)
    if output is None and (drop_gone or with_passages):
        raise InputError("dropping what is gone and adding passages change the written set; name its output")
    if output is not None:
        check_set_output(Path(output), what="the repaired set")
    if output is not None and Path(output).exists() and Path(path).exists() and Path(output).samefile(path):
        raise InputError(f"{output} is the set that is checked; write the repaired one to another file")
    settings = load_settings(workspace=workspace)
    with _opened(settings, bad) as kb:
        stored = Stored(kb.catalog(), passage_source(kb), folder=eval_set.folder)
        found = check_set(eval_set, stored, level=asked)
        repair = None
        if output is not None and not _faults(found, bad):  # else the set cannot be scored, repaired or not
            repaired = repaired_set(eval_set, found, stored, drop_gone=drop_gone, with_passages=with_passages)
            repair = _written(eval_set, repaired, output, found, drop_gone=drop_gone)
    return _report(eval_set, found, bad, workspace=settings.workspace, repair=repair)


@contextmanager
def _opened(settings: Settings, bad: BadSetError | None) -> Iterator[KnowledgeBase]:
    """The workspace; where it cannot be opened, the bad lines of the set still are told."""
    with ExitStack() as stack:
        try:
            kb = stack.enter_context(open_knowledge_base(settings))
        except WorkspaceError as error:
            raise bad or error from None
        yield kb


def _faults(found: SetCheck, bad: BadSetError | None) -> list[SetFault]:
    """What is of the whole set first, then by line."""
    faults = [*(bad.faults if bad else ()), *found.faults]
    by_line = [SetFault(line=fault.line, message=fault.message) for fault in faults]
    whole = [SetFault(line=None, message=found.level_fault)] if found.level_fault else []
    return [*whole, *sorted(by_line, key=lambda fault: fault.line or 0)]


def _level(name: str) -> Level:
    if name not in list(Level):
        known = [level.value for level in Level]
        raise UnknownNameError(what="level", name=name, known=known, hint=f"There is: {', '.join(known)}")
    return Level(name)


def _written(
    eval_set: EvalSet, repaired: EvalSet, output: str | Path, found: SetCheck, *, drop_gone: bool
) -> Repair:
    write_eval_set(repaired, output)
    n_dropped = found.count(Verdict.GONE) if drop_gone else 0
    n_left = len(found.unrepaired) - n_dropped
    return Repair(
        path=str(output),
        n_repaired=found.n_stale - n_dropped - n_left,
        n_dropped=n_dropped,
        n_left=n_left,
        n_passages=_n_passages(eval_set, repaired),
    )


def _n_passages(before: EvalSet, after: EvalSet) -> int:
    """How many chunk ids that stood alone have their passage beside them now."""
    count = 0
    for was, now in zip(before.queries, after.queries, strict=True):
        alone = {label.name for label in was.labels if label.span is None}
        count += sum(label.span is not None and label.chunk in alone for label in now.labels)
    return count


def _report(
    eval_set: EvalSet, found: SetCheck, bad: BadSetError | None, *, workspace: str, repair: Repair | None
) -> CheckReport:
    n_queries = len(eval_set.queries)
    return CheckReport(
        rankle_version=VERSION,
        set=SetInfo(
            name=eval_set.name, fingerprint=eval_set.fingerprint, n_queries=n_queries, n_in_file=n_queries
        ),
        workspace=workspace,
        level=found.level.value if found.level else None,
        counts={verdict.value: found.count(verdict) for verdict in Verdict},
        n_unclear=len(found.faults),
        n_bad_lines=len({fault.line for fault in bad.faults}) if bad else 0,
        faults=_faults(found, bad),
        remarks=[
            *(SetFault(line=None, message=notice) for notice in eval_set.notices),
            *(SetFault(line=fault.line, message=fault.message) for fault in oddities(eval_set)),
        ],
        labels=[_verdict(checked) for checked in found.checks],
        repair=repair,
    )


def _verdict(checked: Checked) -> LabelVerdict:
    query, check = checked
    verdict: Literal["valid", "moved", "split", "merged", "gone"] = check.verdict.value
    repaired: Sequence[Any] | None = check.repaired
    return LabelVerdict(
        query=query.id,
        line=query.line,
        target=check.label.name,
        verdict=verdict,
        why=check.why,
        then=check.then,
        now=check.now,
        likeness=check.likeness,
        repaired=None if repaired is None else [label_record(label) for label in repaired],
    )
