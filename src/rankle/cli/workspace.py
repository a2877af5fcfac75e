"""`rankle workspace list|create|use|info|delete`: the knowledge bases of this machine."""

import click

from rankle.cli import completing
from rankle.cli.groups import SuggestingGroup
from rankle.cli.options import json_option, yes_option


@click.group("workspace", cls=SuggestingGroup, short_help="List, create, choose and delete workspaces.")
def workspace() -> None:
    """List, create, choose and delete workspaces. A workspace is one knowledge base.

    \b
      rankle workspace list
      rankle workspace use handbook
      rankle workspace delete old

    A command takes the workspace of -w; else of RANKLE_WORKSPACE; else of the nearest rankle.toml, or of
    [tool.rankle] in pyproject.toml; else the one that `workspace use` chose; else "default". They are kept
    in RANKLE_HOME.
    """


@workspace.command("list", short_help="List the workspaces; the current one is marked.")
@json_option
def list_(*, as_json: bool) -> None:
    """List the workspaces. The current one is marked, and what decided it is said.

    \b
      rankle workspace list
    """
    from rankle.app.wiring.settings import load_settings
    from rankle.app.workspaces import list_workspaces
    from rankle.cli import workspace_report
    from rankle.cli.options import print_json

    settings = load_settings()
    found = list_workspaces(settings)
    if as_json:
        print_json("rankle.workspaces/1", workspace_report.list_json(found, settings))
    else:
        from rankle.cli.screen import table_width

        click.echo("\n".join(workspace_report.list_lines(found, settings, width=table_width())))


@workspace.command("create", short_help="Make an empty workspace.")
@click.argument("name", metavar="NAME")
def create(name: str) -> None:
    """Make an empty workspace. `rankle index PATH -w NAME` makes one too.

    \b
      rankle workspace create handbook
    """
    from rankle.app.wiring.settings import load_settings
    from rankle.app.workspaces import create_workspace

    folder = create_workspace(load_settings(workspace=name, given_as="NAME"))
    click.echo(f"Made {folder}\nNext: rankle index PATH -w {name}")


@workspace.command("use", short_help="Choose the workspace of all commands to come.")
@click.argument("name", metavar="NAME", shell_complete=completing.workspaces)
def use(name: str) -> None:
    """Choose the workspace that commands use from now on, where nothing else names one.

    \b
      rankle workspace use handbook
    """
    from rankle.app.wiring.settings import load_settings
    from rankle.app.workspaces import use_workspace
    from rankle.cli.workspace_report import decided_by

    effective = use_workspace(load_settings(workspace=name, given_as="NAME"))
    click.echo(f"Chosen: {name}")
    if effective.workspace != name:
        click.echo(
            f"Here, though, {decided_by(effective)} decides first, and names {effective.workspace}.", err=True
        )


@workspace.command("info", short_help="What a workspace holds.")
@click.argument("name", metavar="[NAME]", required=False, shell_complete=completing.workspaces)
@json_option
def info(name: str | None, *, as_json: bool) -> None:
    """What a workspace holds; without NAME, the current one.

    \b
      rankle workspace info
      rankle workspace info handbook --json
    """
    from rankle.app.wiring.settings import load_settings
    from rankle.app.workspaces import describe_workspace
    from rankle.cli import workspace_report
    from rankle.cli.options import print_json

    described = describe_workspace(load_settings(workspace=name, given_as="NAME"))
    if as_json:
        print_json("rankle.workspace/1", workspace_report.info_json(described))
    else:
        click.echo("\n".join(workspace_report.info_lines(described)))


@workspace.command("delete", short_help="Delete a workspace; the documents stay where they are.")
@click.argument("name", metavar="NAME", shell_complete=completing.workspaces)
@yes_option
def delete(name: str, *, yes: bool) -> None:
    """Delete a workspace with its search log and its ratings. The files that it was made of stay where
    they are.

    \b
      rankle ratings export -w old -o ratings.jsonl
      rankle workspace delete old --yes
    """
    from rankle.app import workspaces
    from rankle.app.wiring.settings import load_settings
    from rankle.cli import workspace_report
    from rankle.cli.options import confirm, count

    settings = load_settings(workspace=name, given_as="NAME")
    deletion = workspaces.plan_deletion(settings)
    confirm(workspace_report.deletion_question(deletion), yes=yes)
    was_chosen = workspaces.delete(settings, deletion)
    gone = f", with {count(deletion.n_ratings, 'rating')}" if deletion.n_ratings else ""
    click.echo(f"Deleted: {name}{gone}" + (", and the choice of it" if was_chosen else ""))
