"""Finds the run that a name means."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.core.product import NAME
from rankle.records.reference import looks_like_file, looks_like_id, steps_back
from rankle.records.run_info import RunInfo, RunState
from rankle.records.units import Row, units_of

_LISTED: Final = 5


def names_file(ref: str, *, tags: Collection[str]) -> bool:
    """Whether a name is a file's: by its form, or since it is one and no run is called so."""
    if looks_like_file(ref):
        return True
    run, _, _ = ref.partition("#")
    is_run = steps_back(run) is not None or looks_like_id(run) or run in tags
    return not is_run and Path(run).is_file()


def find_run(ref: str, rows: Sequence[Row], *, store: Path) -> Row:
    """The one run that `ref` means, of all runs of a store, newest first.

    Raises UnknownNameError where there is none of this name, InputError where the beginning of an id is that
    of several, it means a command that ran several evals, or fewer runs are complete than `latest~N` goes
    back.
    """
    found = find_rows(ref, rows, store=store)
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"{ref}#{name}" for name in eval_names([info for _, info in found]))
    raise InputError(f'run "{ref}" holds {len(found)} evals; name one of them: {listed}')


def find_rows(ref: str, rows: Sequence[Row], *, store: Path) -> tuple[Row, ...]:
    """The runs that `ref` means: one, or all evals of a command in their order; `RUN#NAME` is one of these.

    Raises as `find_run` does, but where it means several evals.
    """
    run, _, name = ref.partition("#")
    unit = _unit(run, rows, store=store)
    return (_named_eval(name, unit, ref=run),) if name else unit


def find_whole(ref: str, rows: Sequence[Row], *, store: Path) -> int:
    """The number of the row that stands for a whole run, by which it is tagged.

    Raises as `find_rows` does, and InputError where `ref` means one eval of several.
    """
    found = find_rows(ref, rows, store=store)
    (unit,) = [unit for unit in units_of(rows) if found[0] in unit]
    if len(unit) > len(found):
        family = found[0][1].family
        raise InputError(
            f'"{ref}" is one of {len(unit)} evals of run {family}, and a tag names a whole run: '
            f"tag {family}, then write TAG#NAME for one of its evals"
        )
    return unit[0][0]


def eval_names(evals: Sequence[RunInfo]) -> list[str]:
    """What each eval of a run is called after `#`: its name with its variant, and its file where names
    repeat."""
    short = [_short(info) for info in evals]
    return [name if short.count(name) == 1 else _key(info) for name, info in zip(short, evals, strict=True)]


def _unit(ref: str, rows: Sequence[Row], *, store: Path) -> tuple[Row, ...]:
    units = units_of(rows)
    back = steps_back(ref)
    if back is not None:
        complete = [unit for unit in units if all(_is_settled(info) for _, info in unit)]
        if back.steps < len(complete):
            return complete[back.steps]
        raise InputError(
            f'"{ref}" means one of the latest complete runs, and {store} holds {len(complete)}. '
            f"See: {NAME} history"
        )
    found = [unit for unit in units if ref in unit[0][1].tags]
    if not found and looks_like_id(ref):
        found = _by_id(ref, units)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f'"{ref}" is the beginning of several runs: {_listed(found)}. Write more of it')
    raise UnknownNameError(
        what="run",
        name=ref,
        known=["latest", *(name for _, info in rows for name in (*info.tags, info.id, info.family))],
        hint=f"A run is named by its id, a tag, latest, or a file. See: {NAME} history",
    )


def _is_settled(info: RunInfo) -> bool:
    return info.state is info.family_state is RunState.COMPLETE


def _by_id(ref: str, units: Sequence[tuple[Row, ...]]) -> list[tuple[Row, ...]]:
    """Runs and whole commands whose ids begin so; a command with one eval is the same as this eval."""
    found = []
    for unit in units:
        if unit[0][1].eval is not None and unit[0][1].family.startswith(ref):
            found.append(unit)
        else:
            found += [(row,) for row in unit if row[1].id.startswith(ref)]
    return found


def _named_eval(name: str, unit: tuple[Row, ...], *, ref: str) -> Row:
    names = eval_names([info for _, info in unit]) if unit[0][1].eval is not None else []
    if not names:
        raise InputError(f'run "{ref}" is of search and holds no evals; leave out #{name}')
    for goes_by in (_key, _short, _bare):
        found = [row for row in unit if goes_by(row[1]) == name]
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(f"{ref}#{_key(info)}" for _, info in found)
            raise InputError(f'run "{ref}" holds {len(found)} evals "{name}"; name one of them: {listed}')
    raise UnknownNameError(what="eval", name=name, known=names, hint=f"Run {ref} holds {', '.join(names)}.")


def _key(info: RunInfo) -> str:
    return "" if info.eval is None else info.eval.key


def _short(info: RunInfo) -> str:
    """The key without its file: the name, with the variant behind it."""
    key, name = _key(info), _bare(info)
    before, file_ends, rest = key.partition(f"::{name}")
    return f"{name}{rest}" if file_ends else before


def _bare(info: RunInfo) -> str:
    return "" if info.eval is None else info.eval.name


def check_complete(info: RunInfo) -> None:
    """Raise CannotMeasureError where a run has not seen its last case."""
    if info.state is RunState.COMPLETE:
        return
    what, command = ("queries", "eval") if info.eval is None else ("cases", "run")
    so_far = f"{info.n_done} of {info.n_queries} {what}"
    if info.state is RunState.RUNNING:
        raise CannotMeasureError(f"run {info.id} is still running, at {so_far}; wait for it")
    raise CannotMeasureError(
        f"run {info.id} was interrupted at {so_far}, so it has no figures. Go on with it: call "
        f"`{NAME} {command}` as before, with --resume"
    )


def _listed(found: Sequence[tuple[Row, ...]]) -> str:
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    ids = [unit[0][1].id if len(unit) == 1 else unit[0][1].family for unit in found[:_LISTED]]
    return ", ".join(ids) + more
