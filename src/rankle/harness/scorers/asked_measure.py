"""A ranking measure as it is asked for, read without importing what computes it where it is a common one."""

import re
from dataclasses import dataclass
from typing import Final

from rankle.core.errors import MeasureError
from rankle.metrics.one_query import NEED_CUT, OF_ONE

Value = str | int | float
_COMMON: Final = re.compile(r"(?P<family>[A-Za-z]+)(?P<exp2>\(gain=exp2\))?(?:@(?P<k>[1-9][0-9]{0,8}))?")


@dataclass(frozen=True, slots=True)
class AskedMeasure:
    """What `rankle.metrics.measure.Measure` says, as plain values."""

    name: str
    """Canonical, such as `nDCG(gain=exp2)@10`."""
    family: str
    k: int | None
    rel: int = 1
    parameters: tuple[tuple[str, Value], ...] = ()

    @property
    def gain(self) -> str:
        """Of nDCG."""
        return str(dict(self.parameters).get("gain", "linear"))


def read_measure(text: str) -> AskedMeasure:
    """One measure by its name, in any spelling that `rankle score` reads.

    Raises MeasureError on any other.
    """
    if not isinstance(text, str):
        raise MeasureError(f"a measure is named by text such as nDCG@10, got {text!r}")
    common = _COMMON.fullmatch(text.strip())
    if common is None or common["family"] not in OF_ONE:
        return _read_in_full(text)
    family, k = common["family"], common["k"]
    if (common["exp2"] and family != "nDCG") or (k is None and family in NEED_CUT):
        return _read_in_full(text)
    gain = "exp2" if common["exp2"] else "linear"
    parameters = (("gain", gain),) if family == "nDCG" else ()
    return AskedMeasure(text.strip(), family, None if k is None else int(k), parameters=parameters)


def measure_of(family: str, *, k: int | None = None, rel: int = 1, **parameters: Value) -> AskedMeasure:
    """One measure by its parts. Raises MeasureError on what the family does not allow."""
    if family in OF_ONE and rel == 1 and type(rel) is int and _is_plain_cut(family, k):
        inside = "(gain=exp2)" if parameters.get("gain") == "exp2" else ""
        if parameters.get("gain", "linear") in ("linear", "exp2"):
            return read_measure(f"{family}{inside}" + ("" if k is None else f"@{k}"))
    from rankle.metrics.measure import Measure

    return _plain(Measure(family, k=k, rel=rel, parameters=tuple(parameters.items())))


def _is_plain_cut(family: str, k: object) -> bool:
    return family not in NEED_CUT if k is None else type(k) is int and 1 <= k < 1_000_000_000


def _read_in_full(text: str) -> AskedMeasure:
    from rankle.metrics.measure import parse_measure

    return _plain(parse_measure(text))


def _plain(measure: object) -> AskedMeasure:
    from rankle.metrics.measure import Measure

    assert isinstance(measure, Measure)
    return AskedMeasure(str(measure), measure.family, measure.k, measure.rel, measure.parameters)
