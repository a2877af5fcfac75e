"""`rankle rescore RUN`: other measures of a run that was measured before."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli import completing
from rankle.cli.reading import normalise_option, relevance_option, set_reading_options
from rankle.cli.run_options import Show, run_argument, shown_options

if TYPE_CHECKING:
    from rankle.app.relabel import LabelledSet
    from rankle.formats.kinds import ReadOptions


@click.command("rescore", short_help="Score a recorded run by other measures or labels.")
@run_argument
@click.option(
    "--measures",
    shell_complete=completing.measures,
    multiple=True,
    metavar="NAME,…",
    help="What to compute, such as nDCG@20,AP,R@100; no deeper than the run. Default: what it has.",
)
@click.option(
    "--set",
    "eval_set",
    metavar="SET",
    type=click.Path(path_type=Path),
    help="Take the labels of this set, in place of those that the run was scored by.",
)
@shown_options
@relevance_option
@set_reading_options
@normalise_option
def rescore(
    run: str,
    *,
    measures: tuple[str, ...],
    eval_set: Path | None,
    relevance: str,
    reading: "ReadOptions",
    normalisations: tuple[str, ...],
    show: Show,
    records: Path | None,
) -> None:
    """Score a run by other measures or labels. Nothing is searched, and the record stays as it is.

    RUN is named as in `rankle show`: recorded, or a file that --output of `rankle eval` saved.

    \b
      rankle rescore latest --measures nDCG@20,AP,R@100
      rankle rescore main --measures 'RBP(p=0.8)' --json
      rankle rescore run.json --measures AP
      rankle rescore latest~1 --set set.jsonl -o relabelled.json
      rankle rescore latest --empty-means nothing

    --set scores a run by the labels that a set has now, so that it can be compared with one that was made
    after more was labelled. All queries of the set must have been asked in it. It is read as in
    `rankle eval`: say again what was said there of how the set is read.
    """
    from rankle.app.rescore import rescore as rescore_run

    nothing = reading.empty_means_nothing
    labels = _labels(eval_set, relevance, reading, normalisations)
    if not measures and not nothing and eval_set is None:
        raise click.UsageError("Missing option '--measures', --set, or --empty-means nothing.")
    asked = ",".join(measures) if measures else None
    found = rescore_run(run, asked, records=records, empty_means_nothing=nothing, labels=labels)
    show(found)


def _labels(
    path: Path | None, relevance: str, reading: "ReadOptions", normalisations: tuple[str, ...]
) -> "LabelledSet | None":
    """The set, as it is to be read. Raises UsageError where that is said and no set is named."""
    from rankle.app.relabel import LabelledSet
    from rankle.formats.eval_record import Relevance
    from rankle.formats.kinds import ReadOptions

    if path is not None:
        return LabelledSet(path=path, relevance=relevance, reading=reading, normalise=normalisations)
    of_set = replace(reading, empty_means_nothing=False)
    if normalisations or relevance != Relevance.RELEVANT_DOCS or of_set != ReadOptions():
        raise click.UsageError("how a set is read is said of a set: name it with --set.")
    return None
