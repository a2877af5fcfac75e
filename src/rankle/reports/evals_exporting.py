"""The formats that runs of evals are saved in: those of other runs, but for rankings, which evals lack."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError, UnknownNameError
from rankle.core.evals import EvalsRun
from rankle.core.gate import GatesReport
from rankle.formats.output import as_input_error, replacing
from rankle.reports.exporting import FORMATS, PAGE, check_replaced


@dataclass(frozen=True, slots=True)
class EvalsFormat:
    """One format. Names and suffixes are those of the format of the same name for other runs."""

    name: str
    made: Callable[[EvalsRun, GatesReport | None], Iterator[str]]
    begins: str
    """A pattern of how its files begin, by which one that is there already is known as an export."""
    words: str
    """What a file of it is called in a sentence."""
    has_place: bool = True
    """Whether it can hold the verdict of gates."""

    def parts(self, run: EvalsRun, gates: GatesReport | None = None) -> Iterator[str]:
        """The whole run as text, piece by piece: one case after another where the format allows it.

        gates: what it was judged to, told where the format has a place for it.
        """
        return self.made(run, gates)


def _json(run: EvalsRun, gates: GatesReport | None) -> Iterator[str]:
    from rankle.reports.evals_json import evals_json

    return (part.decode() for part in evals_json(run, gates))


def _markdown(run: EvalsRun, gates: GatesReport | None) -> Iterator[str]:
    from rankle.reports.evals_markdown import render_evals_markdown

    yield render_evals_markdown(run, gates)


def _trials(run: EvalsRun, _: GatesReport | None) -> Iterator[str]:
    from rankle.reports.evals_csv import trials_csv

    return trials_csv(run)


def _scorers(run: EvalsRun, _: GatesReport | None) -> Iterator[str]:
    from rankle.reports.evals_csv import scorers_csv

    return scorers_csv(run)


def _junit(run: EvalsRun, gates: GatesReport | None) -> Iterator[str]:
    from rankle.reports.evals_junit import render_evals_junit

    yield render_evals_junit(run, gates)


def _html(run: EvalsRun, gates: GatesReport | None) -> Iterator[str]:
    from rankle.reports.evals_html import render_evals_html

    yield render_evals_html(run, gates)


EVALS_FORMATS: Final = {
    one.name: one
    for one in (
        EvalsFormat("json", _json, r'\s*\{\s*"schema":\s*"rankle\.evals/\d+"', "record of a run of evals"),
        EvalsFormat("markdown", _markdown, "## Evals: ", "Markdown of a run of evals"),
        EvalsFormat("csv", _trials, "eval,case,", "CSV of a run of evals", has_place=False),
        EvalsFormat("csv-measures", _scorers, "eval,scorer,", "CSV of a run of evals", has_place=False),
        EvalsFormat("junit", _junit, r"<\?xml [^>]*\?>\s*<testsuites", "JUnit file"),
        EvalsFormat("html", _html, PAGE, "HTML report of a run"),
    )
}


def evals_format_named(name: str) -> EvalsFormat:
    """Raises UnknownNameError; InputError for a format that holds rankings."""
    if name in EVALS_FORMATS:
        return EVALS_FORMATS[name]
    known = ", ".join(EVALS_FORMATS)
    if name in FORMATS:
        words = FORMATS[name].words
        raise InputError(f"a run of evals has no rankings, which a {words} holds; there is: {known}")
    raise UnknownNameError(what="format", name=name, known=EVALS_FORMATS, hint=f"There is: {known}")


def evals_output_format(path: Path) -> EvalsFormat:
    """What `--output` of a run of evals writes: what the name tells, and JSON where it tells nothing."""
    suffix = path.suffix.lower()
    told = next((one.name for one in FORMATS.values() if suffix in one.suffixes), "json")
    return evals_format_named(told)


def check_evals_export(path: Path, form: EvalsFormat, *, inputs: Sequence[str | Path] = ()) -> None:
    """Refuse a file that cannot be written, is read, or is there already and no export of this format."""
    check_replaced(path, begins=form.begins, words=form.words, inputs=inputs)


def write_evals_export(
    path: Path, run: EvalsRun, form: EvalsFormat, *, gates: GatesReport | None = None
) -> None:
    """Write the run to a file that is whole or not there. Raises InputError where it cannot be written.

    gates: what it was judged to; None where it was not.
    """
    check_evals_export(path, form)
    with as_input_error(path), replacing(path) as file:
        for part in form.parts(run, gates):
            file.write(part.encode())
