"""Variables of the environment that are looked at by themselves."""

import os
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError
from rankle.core.product import NAME

_PREFIX: Final = f"{NAME.upper()}_"
_ALIKE: Final = 75.0
"""Likeness, of 100, from which on a name is taken for a misspelt one."""


def variables(names: Sequence[str], *, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Those of these variables of the environment that are set and not empty."""
    env = os.environ if environ is None else environ
    return {name: env[name] for name in names if env.get(name)}


def set_variables(values: Mapping[str, str], *, environ: MutableMapping[str, str] | None = None) -> None:
    """Set variables of the environment; those that are set already stay as they are."""
    env = os.environ if environ is None else environ
    for name, value in values.items():
        env.setdefault(name, value)


def secret_values(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The values of variables that hold keys by their names, which no record may hold."""
    from rankle.core.redaction import SHORTEST_SECRET
    from rankle.systems.secrets import SECRET_NAME

    env = os.environ if environ is None else environ
    return tuple(
        value for name, value in env.items() if SECRET_NAME.search(name) and len(value) >= SHORTEST_SECRET
    )


def unread_variables(environ: Mapping[str, str] | None = None) -> dict[str, str | None]:
    """Variables whose names begin as ours do and that nothing here reads, each with the one it may stand for.

    A project may have variables of its own that begin so, such as a key that `${…}` names: those that look
    like none of ours have None.
    """
    env = os.environ if environ is None else environ
    ours = [name for name in env if name.startswith(_PREFIX)]
    if not ours:  # the usual case, which needs no table of them
        return {}
    from rankle.app.project_keys import VARIABLES
    from rankle.core.errors import nearest

    known = [
        variable.name.removeprefix(_PREFIX) for variable in VARIABLES if variable.name.startswith(_PREFIX)
    ]
    unread = [name for name in ours if name.removeprefix(_PREFIX) not in known]
    near = {name: nearest(name.removeprefix(_PREFIX), known, limit=1, cutoff=_ALIKE) for name in unread}
    return {name: f"{_PREFIX}{found[0]}" if found else None for name, found in near.items()}


def default_rater(environ: Mapping[str, str] | None = None) -> str:
    """Who rates and labels where nobody says: `RANKLE_RATER`, else the user's login name.

    Raises InputError where the system does not know it.
    """
    env = os.environ if environ is None else environ
    named = (env.get("RANKLE_RATER") or "").strip()
    if named:
        return named
    import getpass

    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError) as error:
        raise InputError("the system does not tell who you are; say it: --rater NAME") from error


def forces_colour(environ: Mapping[str, str] | None = None) -> bool:
    """Whether the user wants colour where there is no terminal: `FORCE_COLOR`, which `NO_COLOR` outranks."""
    env = os.environ if environ is None else environ
    return bool(env.get("FORCE_COLOR")) and not env.get("NO_COLOR")


def step_summary(environ: Mapping[str, str] | None = None) -> Path:
    """The file that GitHub Actions shows as a job's summary. Raises InputError outside of such a job."""
    env = os.environ if environ is None else environ
    named = env.get("GITHUB_STEP_SUMMARY")
    if not named:
        raise InputError(
            "--github adds to the summary of a job of GitHub Actions, and GITHUB_STEP_SUMMARY is not set "
            "here; elsewhere write Markdown to a file, with an --output that ends in .md or --format markdown"
        )
    return Path(named)
