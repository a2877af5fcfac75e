"""What became of the labels of a set, for people: how many of each verdict, and each label that is stale."""

from collections.abc import Iterable, Iterator
from typing import Final

from rankle.core.label_check import CheckReport, LabelVerdict, SetFault
from rankle.core.product import NAME
from rankle.reports.json_text import json_text
from rankle.reports.layout import WIDTH, one_line, wrapped

_WORDS: Final = {"span": "passage", "chunk": "chunk", "document": "document"}
_SHOWN: Final = 10
"""Labels of a verdict that are shown; the JSON has all."""
_TEXT: Final = 160
"""Cells of a labelled text that are shown."""


def render_check(report: CheckReport, *, path: str, width: int = WIDTH) -> str:
    """Text for a terminal.

    path: of the set, as the user wrote it, for the command that repairs it.
    """
    n_labels = sum(report.counts.values()) + report.n_unclear
    kind = f"by {_WORDS[report.level]}" if report.level else "of several kinds"
    lines = wrapped(
        f"{_counted(n_labels, 'label')} of {_counted(report.set.n_queries, 'query', 'queries')}, {kind}, "
        f"against workspace {report.workspace}",
        first=f"{one_line(report.set.name)}: ", rest="  ", width=width,
    )  # fmt: skip
    counts = [f"{verdict} {count}" for verdict, count in report.counts.items()]
    counts += [f"unclear {report.n_unclear}"] if report.n_unclear else []
    counts += [f"bad lines {report.n_bad_lines}"] if report.n_bad_lines else []
    lines += ["", *wrapped(", ".join(counts), width=width)]
    edited = [label for label in report.labels if label.verdict == "valid" and label.likeness < 100]
    lines += _section("Valid, though some words differ", edited, width)
    for verdict in ("moved", "split", "merged", "gone"):
        stale = [label for label in report.labels if label.verdict == verdict]
        lines += _section(verdict.capitalize(), stale, width)
    lines += _faults("Faults: the set cannot be scored", report.faults, width)
    lines += _faults("Probably not meant", report.remarks, width)
    lines += ["", *_next(report, path=path, width=width)]
    return "\n".join(lines) + "\n"


def render_check_json(report: CheckReport) -> str:
    """The report as `rankle.check/1`, indented."""
    return json_text(report)


def _section(title: str, labels: list[LabelVerdict], width: int) -> Iterator[str]:
    if not labels:
        return
    yield from ("", title)
    for label in labels[:_SHOWN]:
        where = f"line {label.line}" if label.line else f"query {one_line(label.query, width=30)}"
        yield from wrapped(_told(label), first=f"  {where}  ", rest="    ", width=width, breaking=True)
        for name, text in (("then", label.then), ("now ", label.now)):
            if text is not None and (name == "then" or text != label.then):
                shown = one_line(text, width=_TEXT)
                yield from wrapped(shown, first=f"    {name}  ", rest=" " * 10, width=width, breaking=True)
    if len(labels) > _SHOWN:
        yield f"  … and {len(labels) - _SHOWN} more; --json has all"


def _told(label: LabelVerdict) -> str:
    alike = f" ({label.likeness:.0f} % alike)" if label.likeness < 100 else ""
    return f"{one_line(label.target)}: {one_line(label.why)}{alike}"


def _faults(title: str, faults: list[SetFault], width: int) -> Iterator[str]:
    if not faults:
        return
    yield from ("", title)
    for fault in faults[:_SHOWN]:
        where = f"  line {fault.line}  " if fault.line else "  "
        yield from wrapped(one_line(fault.message), first=where, rest="    ", width=width, breaking=True)
    if len(faults) > _SHOWN:
        yield f"  … and {len(faults) - _SHOWN} more; --json has all"


def _next(report: CheckReport, *, path: str, width: int) -> Iterable[str]:
    if report.repair is not None:
        repair = report.repair
        parts = [f"{_counted(repair.n_repaired, 'label')} repaired"]
        parts += [f"{_counted(repair.n_passages, 'passage')} added"] if repair.n_passages else []
        parts += [f"{repair.n_dropped} of what is gone left out"] if repair.n_dropped else []
        parts += [f"{repair.n_left} stale as before, for you to settle"] if repair.n_left else []
        return wrapped(f"Wrote {repair.path}: {', '.join(parts)}.", width=width)
    if report.faults:
        return wrapped("Mend the faults, then check again.", width=width)
    if not report.n_stale:
        return ["Every label is valid."]
    certain = [label for label in report.labels if label.verdict != "valid" and label.repaired]
    command = f"  {NAME} eval check {path} --fix"  # on a line of its own, to be copied
    if not certain and report.counts["gone"]:
        words = "No stale label can be repaired for certain. To leave out what is gone:"
        return [*wrapped(words, width=width), f"{command} --drop-gone -o NEW"]
    if not certain:
        words = f"No stale label can be repaired for certain; write into {path} what is meant now."
        return wrapped(words, width=width)
    words = f"{len(certain)} of {_counted(report.n_stale, 'stale label')} can be repaired for certain:"
    return [*wrapped(words, width=width), f"{command} -o NEW"]


def _counted(n: int, one: str, several: str | None = None) -> str:
    return f"{n:,} {one if n == 1 else several or one + 's'}"
