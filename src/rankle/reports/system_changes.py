"""What two runs did otherwise: the change whose effect a comparison shows."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rankle.core.run import SystemInfo
from rankle.reports.evals_as_run import SYSTEM

_UNTOLD: Final = {"floor": None}
"""Settings that a system leaves out where it has none."""


def system_changes(a: SystemInfo, b: SystemInfo, *, is_eval: bool = False) -> list[str]:
    """Each thing that differs, as `vector_weight 0.5 → 0.8`; what only one of them has is left out.

    Where nothing that is told differs, the fingerprints say whether anything else did, such as the content
    of the index or the model.

    is_eval: whether both are tasks of evals, whose fingerprint is that of their source.
    """
    named = _eval_names(a, b) if is_eval else (("system", a.name, b.name), ("method", a.method, b.method))
    changes = [f"{name} {before} → {after}" for name, before, after in named if before != after]
    before, after = ({**_UNTOLD, **dict(_leaves(one.settings))} for one in (a, b))
    changes += [
        f"{name} {_shown(before[name])} → {_shown(after[name])}"
        for name in before
        if name in after and before[name] != after[name]
    ]
    if is_eval and a.fingerprint != b.fingerprint and a.method == b.method:
        changes.append("the source of the task, or what it depends on")
    if changes:
        return changes
    if is_eval:
        return ["nothing that is known: the source of the task is the same"]
    if a.fingerprint == b.fingerprint:
        return ["nothing: both runs are of the same system"]
    return ["what is indexed, the model, or something else that the system does not tell"]


def _eval_names(a: SystemInfo, b: SystemInfo) -> tuple[tuple[str, str, str], ...]:
    """An eval without its variant, and the variant; what a variant is given is in the fingerprint too."""
    before, after = (one.name.removeprefix(SYSTEM).removesuffix(f"[{one.method}]") for one in (a, b))
    return (("eval", before, after), ("variant", a.method, b.method))


def _leaves(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _shown(value: object) -> str:
    """Words for what JSON calls null, true and false."""
    words = {None: "none", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value)
