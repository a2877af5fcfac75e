"""`rankle baseline set|show|list`: runs that later ones are held against, as files to commit."""

from pathlib import Path

import click

from rankle.cli import completing
from rankle.cli.groups import SuggestingGroup
from rankle.cli.options import json_option, yes_option
from rankle.cli.run_options import records_option


@click.group("baseline", cls=SuggestingGroup, short_help="Set, show and list what runs are held against.")
def baseline() -> None:
    """Set, show and list baselines: runs that later ones are held against by `rankle gate`.

    \b
      rankle eval queries.jsonl
      rankle baseline set latest
      git add baselines

    A baseline is the file baselines/NAME.json beside rankle.toml (in the current folder without one), made to
    be committed. It has the scores of every query, and fingerprints of queries and judgments.
    """


@baseline.command("set", short_help="Make a run the baseline.")
@click.argument("run", metavar="RUN", shell_complete=completing.runs)
@click.argument("name", metavar="[NAME]", required=False, shell_complete=completing.baselines)
@yes_option
@records_option
def set_(run: str, *, name: str | None, yes: bool, records: Path | None) -> None:
    """Make RUN the baseline NAME: by default the one that the gates name, else "main".

    RUN is an id or the beginning of one, latest, latest~1, a tag, or a file that was saved with --output.

    \b
      rankle baseline set latest
      rankle baseline set run.json release-2 --yes

    It asks first where RUN is worse than the baseline that is there, cannot be compared with it, has failed
    queries, or labels that name nothing.
    """
    from rankle.app.project_baselines import keep_run, plan_project_baseline
    from rankle.cli.options import confirm, shown_path
    from rankle.core.nouns import asked_at

    planned = plan_project_baseline(run, name=name, records=records)
    if planned.doubts:
        confirm(f"Run {planned.baseline.run}: {'; '.join(planned.doubts)}. Make it the baseline?", yes=yes)
    planned.write()
    keep_run(planned, records=records)
    verb = "Set" if planned.is_new else "Replaced"
    n = len(planned.baseline.queries)
    queries = asked_at(planned.baseline.level).counted(n)
    click.echo(f"{verb} baseline {planned.baseline.name}: {shown_path(planned.path)} ({queries})")
    click.echo("Commit the file, so that CI holds runs against it.")


@baseline.command("show", short_help="Show a baseline: measures, fingerprints, what it is of.")
@click.argument("name", metavar="[NAME]", required=False, shell_complete=completing.baselines)
@json_option
def show(*, name: str | None, as_json: bool) -> None:
    """Show the baseline NAME: by default the one that the gates name, else "main".

    \b
      rankle baseline show
      rankle baseline show release-2 --json
    """
    from rankle.app.project_baselines import project_baseline
    from rankle.cli.options import shown_path
    from rankle.cli.screen import screen
    from rankle.gates.baselines import render_baseline
    from rankle.reports.baselines import render_baseline_text

    found = project_baseline(name)
    if as_json:
        click.echo(render_baseline(found.baseline), nl=False)
    else:
        path = shown_path(found.path)
        click.echo(render_baseline_text(found.baseline, path=path, width=screen().width), nl=False)


@baseline.command("list", short_help="List the baselines of the project.")
@json_option
def list_(*, as_json: bool) -> None:
    """List the baselines beside the project file.

    \b
      rankle baseline list

    Exit code 2 if a file among them is none; the others are listed.
    """
    from rankle.app.project_baselines import project_baselines
    from rankle.cli.options import print_json, shown_path
    from rankle.cli.screen import table_width
    from rankle.core.errors import InputError
    from rankle.reports.baselines import baseline_rows, render_baseline_list

    found = project_baselines()
    if as_json:
        print_json("rankle.baselines/1", {"baselines": baseline_rows(found.baselines)})
    elif found.baselines or not found.faults:
        folder = shown_path(found.folder)
        click.echo(render_baseline_list(found.baselines, folder=folder, width=table_width()), nl=False)
    if found.faults:
        raise InputError("\n".join(found.faults))
