"""What runs are called where several stand side by side: each by a name that no other has."""

from collections.abc import Sequence

from msgspec import UNSET

from rankle.core.run import RunReport


def run_names(runs: Sequence[RunReport]) -> tuple[str, ...]:
    """A name for each run: its method, or the name of a recorded run; numbered where two would be alike."""
    names = [_name(run) for run in runs]
    if len(set(names)) < len(names):
        names = [f"{run.system.name} {name}" if run.system.name != name else name
                 for run, name in zip(runs, names, strict=True)]  # fmt: skip
    alike = {name for name in names if names.count(name) > 1}
    return tuple(f"{place}: {name}" if name in alike else name for place, name in enumerate(names, start=1))


def _name(run: RunReport) -> str:
    return run.system.method if run.system.path is UNSET else run.system.name
