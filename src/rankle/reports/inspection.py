"""What inspecting files told, for people: each file, its faults, and the joins."""

from collections.abc import Sequence

from rankle.core.inspection import FileReport, InspectReport, JoinReport, JudgmentFigures, ResultFigures
from rankle.reports.json_text import json_text
from rankle.reports.layout import one_line, wrapped

_SHOWN_FAULTS = 20
_MOST_GRADES = 12


def render_inspection(report: InspectReport) -> str:
    """Text for a terminal; ids and messages cannot disturb the screen."""
    blocks = [_file(file) for file in report.files]
    if report.joins:
        blocks.append(["Joins", *(line for join in report.joins for line in _join(join))])
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def render_inspection_json(report: InspectReport) -> str:
    """The report as `rankle.inspect/1`, indented."""
    return json_text(report)


def _file(file: FileReport) -> list[str]:
    name = one_line(file.path)
    if file.kind is None:
        return [f"{name}: cannot be read", *_faults(file)]
    packing = f", {file.packing}" if file.packing else ""
    lines = [f"{name}: {file.kind} as {file.format}{packing}"]
    lines += _item("taken for this because of", file.reason or "")
    if file.n_queries is not None:
        lines.append(f"  queries with text: {file.n_queries:,}")
    if file.n_documents is not None:
        lines.append(f"  documents: {file.n_documents:,}")
    if file.judgments is not None:
        lines += _judgments(file.judgments)
    if file.results is not None:
        lines += _results(file.results)
    for notice in file.notices:
        lines += _item("note", notice)
    return lines


def _item(what: str, text: str) -> list[str]:
    return wrapped(one_line(text), first=f"  {what}: ", rest="    ")


def _faults(file: FileReport) -> list[str]:
    lines = []
    for fault in file.faults[:_SHOWN_FAULTS]:
        where = f"line {fault.line}: " if fault.line else ""
        lines += wrapped(one_line(fault.message), first=f"  {where}", rest="    ")
    more = len(file.faults) - _SHOWN_FAULTS
    return [*lines, f"  … and {more} more faults"] if more > 0 else lines


def _judgments(figures: JudgmentFigures) -> list[str]:
    grades = [f"{count:,} of grade {grade}" for grade, count in figures.grades.items()]
    more = f", and {len(grades) - _MOST_GRADES} grades more" if len(grades) > _MOST_GRADES else ""
    return [
        f"  judged queries: {figures.n_queries:,}",
        *_item("judgments", f"{figures.n_judgments:,}: {', '.join(grades[:_MOST_GRADES])}{more}"),
    ]


def _results(figures: ResultFigures) -> list[str]:
    spread = f"{figures.fewest:,} to {figures.most:,} a query, median {figures.median:g}"
    lines = [
        f"  queries: {figures.n_queries:,}",
        f"  results: {figures.n_results:,}, {spread}",
    ]
    if figures.name:
        lines.insert(0, f"  name: {one_line(figures.name)}")
    if figures.n_tied:
        lines.append(
            f"  tied results: {figures.n_tied:,} (queries with ties: {figures.n_queries_with_ties:,})"
        )
    if figures.n_duplicates:
        lines.append(f"  duplicates: {figures.n_duplicates:,}")
    return lines


def _join(join: JoinReport) -> list[str]:
    where = f"{join.what} of {one_line(join.file)} in {one_line(join.within)}"
    lines = wrapped(f"{where}: {_share(join.n_joined, join.n)}", first="  ", rest="    ")
    if join.n_joined < join.n:
        usual = "" if join.expected else " (a run need not retrieve all that is judged)"
        lines += wrapped(
            f"not there: {_some(join.missing, join.n - join.n_joined)}{usual}", first="    ", rest="      "
        )
    if join.near is not None:
        share = _share(join.near.n_joined, join.n)
        lines += wrapped(f"with --normalise '{join.near.normalise}': {share}", first="    ", rest="      ")
    return lines


def _share(part: int, whole: int) -> str:
    """`3 of 4 (75.0%)`; a share that is not whole is never shown as 100 %."""
    if not whole:
        return "0 of 0"
    percent = 100 * part / whole
    shown = f"{min(percent, 99.9):.1f}" if part < whole else "100"
    return f"{part:,} of {whole:,} ({shown}%)"


def _some(names: Sequence[str], total: int) -> str:
    listed = ", ".join(one_line(name, width=40) for name in names)
    return f"{listed}, …" if total > len(names) else listed
