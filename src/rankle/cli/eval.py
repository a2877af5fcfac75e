"""`rankle eval SET`: measure search on queries with judgments."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli import completing
from rankle.cli.coverage_options import coverage_options
from rankle.cli.eval_arguments import check_only_systems, read_cuts, read_methods
from rankle.cli.eval_commands import COMMANDS
from rankle.cli.eval_measuring import measure, measure_systems
from rankle.cli.eval_printing import Shown, print_json, print_text
from rankle.cli.eval_ways import ways
from rankle.cli.gating import Gating, end_with, gate_options
from rankle.cli.options import (
    collection_option,
    concurrency_option,
    github_option,
    json_option,
    max_failures_option,
    max_queries_option,
    workspace_option,
)
from rankle.cli.ranking_options import ranking_options
from rankle.cli.reading import normalise_option, relevance_option, set_reading_options
from rankle.cli.record_options import Record, record_options
from rankle.cli.saving import Saving
from rankle.cli.set_group import ArgumentOrCommand, CommandOrArgument

if TYPE_CHECKING:
    from rankle.app.evaluation_options import EvaluationOptions
    from rankle.core.run import RunReport
    from rankle.formats.kinds import ReadOptions
    from rankle.kb.search_settings import SearchSettings
    from rankle.labels.coverage import Coverage


@click.group(
    "eval",
    cls=CommandOrArgument,
    lazy=COMMANDS,
    without_argument=ways,
    short_help="Evaluate search on a set of queries with judgments.",
)
@click.argument("set_file", cls=ArgumentOrCommand, metavar="SET", type=click.Path(path_type=Path))
@click.option(
    "-k",
    "cuts",
    multiple=True,
    metavar="K,K,…",
    help="Ranks to measure at; the largest also decides which queries have no hit and which documents are "
    "found. Default: 1,5,10, or the cuts of --measures.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    shell_complete=completing.methods,
    metavar="NAME,…",
    help="How to search, such as fts5; several, such as fts5,vector,hybrid, side by side. Default: the "
    "workspace's best.",
)
@click.option(
    "--system",
    "systems",
    shell_complete=completing.systems,
    multiple=True,
    metavar="URI",
    help="Measure this in place of a workspace: http(s)://…, python:module:function, command:…, run:FILE, "
    "kb:WORKSPACE?method=…, or NAME of [systems.NAME] in rankle.toml. Several are compared.",
)
@workspace_option
@click.option(
    "--level",
    type=click.Choice(["document", "chunk", "span"]),
    help="What is scored; span is passages. Default: what the labels name; a set of several kinds needs it.",
)
@coverage_options
@collection_option
@click.option(
    "--measures",
    shell_complete=completing.measures,
    multiple=True,
    metavar="NAME,…",
    help="Measures that replace the default ones, such as nDCG@10,AP,R@100. Their deepest cut takes the "
    "place of -k.",
)
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Worst queries shown; of several methods, what each answers worse than the first; with --funnel, "
    "targets of each fate.",
)
@click.option(
    "--funnel",
    is_flag=True,
    help="Show how many relevant targets each stage hands on, which were lost where, and their ranks.",
)
@max_queries_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the full breakdown: JSON, or what FILE ends in, of .md, .html, .csv, .xml (JUnit) and .trec.",
)
@github_option
@json_option
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Distinct results that search is asked for; no measure goes deeper.",
)
@click.option("--intervals", is_flag=True, help="Show the 95 % interval of each mean.")
@relevance_option
@max_failures_option
@concurrency_option
@click.option(
    "--one-by-one", is_flag=True, help="Ask no batches, so that the latency is what one search takes."
)
@ranking_options
@record_options
@gate_options
@set_reading_options
@normalise_option
def eval_(
    set_file: Path,
    *,
    cuts: tuple[str, ...],
    methods: tuple[str, ...],
    systems: tuple[str, ...],
    workspace: str | None,
    level: str | None,
    coverage: "Coverage",
    collection: str | None,
    measures: tuple[str, ...],
    worst: int,
    funnel: bool,
    max_queries: int | None,
    output: Path | None,
    github: bool,
    as_json: bool,
    depth: int,
    intervals: bool,
    relevance: str,
    reading: "ReadOptions",
    max_failures: int,
    concurrency: int,
    one_by_one: bool,
    ranking: "SearchSettings",
    record: Record,
    gating: Gating | None,
    normalisations: tuple[str, ...],
) -> None:
    """Evaluate search on SET, a file of queries with judgments.

    SET is JSONL, one query a line. "relevant" names what should be found: documents (by id, by path
    relative to SET, or by absolute path), passages of documents, or chunks (by id), alone or with a
    grade; 0 is judged not relevant:

    \b
      {"query": "how do I reset it", "relevant": ["guide/reset.md"]}
      {"query": "E42", "relevant": [{"document": "errors.md", "relevance": 2}]}
      {"query": "E43", "relevant": [{"document": "errors.md", "quote": "It is"}]}
      {"query": "E44", "relevant": [{"chunk": "chunk-0a1b2c3d4e5f"}]}

    Further members: id, collection, language, tags, answer, topics, note, answerable. Or SET is one
    JSON array; "relevantDocs" is what measures without grades take as relevant, "judgments" are the
    grades, and either is enough:

    \b
      [{"id": 1, "query": "how do I reset it",
        "collection": "guides", "language": "en",
        "relevantDocs": ["guide/reset.md"],
        "judgments": [{"docid": "guide/reset.md", "relevance": 2}],
        "note": "from support"}]

    CSV, TSV, Parquet, BEIR folders and question sets are read too; see `rankle inspect`.

    Several methods are compared query by query with the first: the difference of their nDCG, its 95 %
    interval, and p by sign-flip randomisation.

    Default measures: Recall, Precision, NDCG and Hit Rate at each k, MRR at the largest. Queries
    without a relevant label are undefined and counted apart; failed ones are in no mean. For queries that
    nothing answers ("answerable": false) a table tells how often search abstains; see `rankle eval floor`.
    """
    _check_is_set(set_file)
    names = read_methods(methods)
    check_only_systems(systems, methods=methods, workspace=workspace, ranking=ranking)
    saving = Saving(output, github=github, inputs=[set_file], n_runs=len(systems or names))
    options: EvaluationOptions = {
        "k": read_cuts(cuts) if cuts else None,
        "depth": depth,
        "measures": ",".join(measures) if measures else (),
        "level": level,
        "coverage": coverage,
        "collection": collection,
        "max_queries": max_queries,
        "concurrency": concurrency,
        "one_by_one": one_by_one,
        "relevance": relevance,
        "reading": reading,
        "normalise": normalisations,
        "record": record.recording or False,
    }
    if gating is not None:
        options = gating.prepare(options, set_file)
    if systems:
        reports = measure_systems(set_file, systems, options)
    else:
        reports = measure(set_file, names, options, workspace=workspace, settings=ranking)
    judged = () if gating is None else gating.judge(reports)
    if as_json:
        print_json(reports, judged)
    else:
        shown = Shown(worst=worst, intervals=intervals, funnel=funnel, saved=saving.has_file)
        print_text(reports, shown, judged=judged, record=record, by_default=not (names or systems))
    saving.save(reports, judged)
    record.check()
    if judged:
        end_with(judged)
    _check_failures(reports, max_failures=max_failures, kind="system" if systems else "method")


def _check_is_set(path: Path) -> None:
    if path.suffix == ".py" or path.is_dir():
        from rankle.app.eval_discovery import check_is_no_code

        check_is_no_code(path)


def _check_failures(reports: "Sequence[RunReport]", *, max_failures: int, kind: str) -> None:
    from rankle.app.evaluate import check_failures
    from rankle.reports.run_names import run_names

    for name, report in zip(run_names(reports), reports, strict=True):
        who = "the system" if len(reports) == 1 else f"{kind} {name}"
        check_failures(report, max_failures=max_failures, who=who)
