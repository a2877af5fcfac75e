"""Set, find and list baselines: JSON files that are committed beside the project file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError, MeasureError, RecordError, UnknownNameError
from rankle.core.gate import Baseline
from rankle.core.nouns import asked_at
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.gates.baselines import baseline_of, read_baseline, worse_than, write_baseline
from rankle.gates.comparable import incomparable
from rankle.metrics.figure import Figure, ranks, read_figure

FOLDER: Final = "baselines"
"""Beside the project file: `.rankle` ignores itself in version control, and a baseline is committed."""
DEFAULT_NAME: Final = "main"


@dataclass(frozen=True, slots=True)
class Planned:
    """A baseline that is about to be written."""

    path: Path
    baseline: Baseline
    is_new: bool
    doubts: tuple[str, ...]
    """Why somebody should be asked first; empty where nothing speaks against it."""

    def write(self) -> None:
        write_baseline(self.path, self.baseline)


def baseline_path(name: str, *, folder: Path) -> Path:
    """The file of a baseline: a path where the name ends in `.json`, else its place beside the project file.

    Raises InputError on what can be no name.
    """
    if name.endswith(".json"):
        return folder / Path(name).expanduser()
    if not name or not all(char.isalnum() or char in "-_." for char in name) or name.startswith("."):
        raise InputError(
            'a baseline is named by letters, digits, "-", "_" and ".", or by a path that ends in .json; '
            f'got "{name}"'
        )
    return folder / FOLDER / f"{name}.json"


def find_baseline(name: str | None, *, folder: Path) -> Baseline | None:
    """The baseline that a project file names; None where it names none, or the file is not there yet.

    folder: of the project file, to which paths are relative.
    """
    if name is None:
        return None
    path = baseline_path(name, folder=folder)
    return read_baseline(path) if path.is_file() else None


def named_baseline(name: str, *, folder: Path, here: Path, load: Callable[[str], RunReport]) -> Baseline:
    """What the command line names: a baseline, by its name or file, or any run.

    folder: of the project file. here: the current folder, to which paths are relative.
    load: gives the run of a name. Raises UnknownNameError where there is no such thing.
    """
    file = here / Path(name).expanduser()
    if name.endswith(".json") and file.is_file() and not _is_run(file):
        return read_baseline(file)
    stored = folder / FOLDER / f"{name}.json"
    if stored.is_file():
        return read_baseline(stored)
    try:
        return baseline_of(load(name), name=name)
    except (InputError, RecordError) as error:
        if file.is_file() or "#" in name:
            raise  # a file that is no run says why
        known = [found.name for found in list_baselines(folder).baselines]
        hint = f"It is no run either. Set it: {NAME} baseline set RUN {name}"
        raise UnknownNameError(what="baseline", name=name, known=known, hint=hint) from error


@dataclass(frozen=True, slots=True)
class Found:
    """What the files beside a project file hold."""

    baselines: tuple[Baseline, ...]
    """By the name of their file."""
    faults: tuple[str, ...]
    """What is wrong with the files that cannot be read as baselines."""


def list_baselines(folder: Path) -> Found:
    """All beside the project file; one file that is none hides no other."""
    found: list[Baseline] = []
    faults: list[str] = []
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            found.append(read_baseline(path))
        except (InputError, MeasureError) as error:
            faults.append(str(error))
    return Found(tuple(found), tuple(faults))


def plan_baseline(run: RunReport, *, path: Path, measures: Sequence[Figure] = ()) -> Planned:
    """What setting the baseline of a file to a run would write, and what speaks against it.

    measures: by which a run is worse than the baseline that is there; empty takes all that rank.
    """
    new = baseline_of(run, name=path.stem)
    old = read_baseline(path) if path.is_file() else None
    doubts = [*_of_itself(run), *(_over(run, old, measures) if old is not None else ())]
    return Planned(path, new, is_new=old is None, doubts=tuple(doubts))


def _of_itself(run: RunReport) -> list[str]:
    n_failed = sum(query.status == "failed" for query in run.queries)
    who, asked = "the task" if run.level == "case" else "the system", asked_at(run.level)
    doubts = [f"{who} failed on {n_failed} of {asked.counted(len(run.queries))}"] if n_failed else []
    if run.labels.unknown:
        n_stale = run.labels.n_labels - run.labels.n_joined
        doubts.append(f"{n_stale} of {run.labels.n_labels} labels name nothing in the index")
    return doubts


def _over(run: RunReport, old: Baseline, measures: Sequence[Figure]) -> list[str]:
    differing = incomparable(run, old)
    if differing:
        return [f"it cannot be compared with the one that is there: {' and '.join(differing)}"]
    names = [str(measure) for measure in measures] or [
        name for name in run.measures if ranks(read_figure(name))
    ]
    worse = worse_than(run, old, names)
    return [f"it is worse than the one that is there: {', '.join(worse)}"] if worse else []


def _is_run(path: Path) -> bool:
    with path.open("rb") as file:
        return b"rankle.run" in file.read(64)
