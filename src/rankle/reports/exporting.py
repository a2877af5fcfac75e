"""The formats that runs are exported in: their names, how files of them end, and what renders each."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError, UnknownNameError
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.formats.output import as_input_error
from rankle.reports.json import check_output

_HEAD: Final = 1024
PAGE: Final = rf'<!doctype html>[\s\S]*name="generator" content="{NAME}"'


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One format."""

    name: str
    suffixes: tuple[str, ...]
    """What files of it end in, in lower case; empty where another format has the suffix."""
    render: Callable[[Sequence[RunReport]], str]
    """All runs as one text, ending in a line break."""
    begins: str
    """A pattern of how its files begin, by which one that is there already is known as an export."""
    words: str
    """What a file of it is called in a sentence."""
    is_of_one_run: bool = False


def _json(runs: Sequence[RunReport]) -> str:
    from rankle.reports.json import render_json

    return render_json(runs)


def _markdown(runs: Sequence[RunReport]) -> str:
    from rankle.reports.markdown import render_markdown

    return render_markdown(runs)


def _queries_csv(runs: Sequence[RunReport]) -> str:
    from rankle.reports.run_csv import render_queries_csv

    return render_queries_csv(runs)


def _measures_csv(runs: Sequence[RunReport]) -> str:
    from rankle.reports.run_csv import render_measures_csv

    return render_measures_csv(runs)


def _junit(runs: Sequence[RunReport]) -> str:
    from rankle.reports.junit import render_junit

    return render_junit(runs)


def _html(runs: Sequence[RunReport]) -> str:
    from rankle.reports.html import render_html

    return render_html(runs)


def _trec(runs: Sequence[RunReport]) -> str:
    from rankle.reports.run_trec import render_trec_run

    return render_trec_run(runs)


FORMATS: Final = {
    one.name: one
    for one in (
        ExportFormat(
            "json", (".json",), _json, r'\s*\{\s*"schema":\s*"rankle\.runs?/\d+"', "record of a run"
        ),
        ExportFormat(
            "markdown", (".md", ".markdown"), _markdown, r"## (Evaluation|Gate): ", "Markdown of a run"
        ),
        ExportFormat("csv", (".csv",), _queries_csv, r"run,set,method,", "CSV of a run"),
        ExportFormat("csv-measures", (), _measures_csv, r"run,set,method,", "CSV of a run"),
        ExportFormat("junit", (".xml",), _junit, r"<\?xml [^>]*\?>\s*<testsuites", "JUnit file"),
        ExportFormat("html", (".html", ".htm"), _html, PAGE, "HTML report of a run"),
        ExportFormat(
            "trec", (".trec", ".run"), _trec, r"[^\n]+?[ \t]Q0[ \t]", "TREC run", is_of_one_run=True
        ),
    )
}


def format_named(name: str) -> ExportFormat:
    """Raises UnknownNameError."""
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise UnknownNameError(what="format", name=name, known=FORMATS, hint=f"There is: {known}")
    return FORMATS[name]


def format_of(path: Path) -> ExportFormat | None:
    """The format that a file's name tells; None where it tells none."""
    suffix = path.suffix.lower()
    return next((one for one in FORMATS.values() if suffix in one.suffixes), None)


def output_format(path: Path) -> ExportFormat:
    """What `--output` of a measurement writes: what the name tells, and JSON where it tells nothing."""
    return format_of(path) or FORMATS["json"]


def check_export(
    path: Path, form: ExportFormat, *, inputs: Sequence[str | Path] = (), n_runs: int = 1
) -> None:
    """Refuse a file that cannot be written, is read, or is there already and no export of this format.

    n_runs: how many it is to hold, which not every format can.
    """
    if form.is_of_one_run and n_runs > 1:
        raise InputError(
            f"{path}: a {form.words} holds one run, and here are {n_runs}; measure one by itself, or let the "
            "name end in .json"
        )
    check_replaced(path, begins=form.begins, words=form.words, inputs=inputs)


def check_replaced(path: Path, *, begins: str, words: str, inputs: Sequence[str | Path] = ()) -> None:
    """Refuse a file that cannot be written, is read, or is there already and begins otherwise.

    words: what a file that begins so is called in a sentence.
    """
    check_output(path, inputs=inputs)
    with as_input_error(path):
        if path.is_file() and not _begins(path, begins):
            raise InputError(
                f"{path} is there already and is no {words}, so it is not written over; "
                "--output names another file, or delete this one first"
            )


def _begins(path: Path, begins: str) -> bool:
    """Whether a file is empty, as `mktemp` leaves it, or begins as exports of a format do."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head.strip() or re.match(begins.encode(), head) is not None
