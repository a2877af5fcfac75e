"""The many spellings of a measure's name, brought to its family, cut and parameters."""

import re
from typing import NamedTuple

from rankle.core.errors import MeasureError, nearest
from rankle.metrics.family import Family, Value
from rankle.metrics.table import BY_SPELLING, VARIANTS

_SHAPE = re.compile(
    r"""(?P<name>[^(@]+?) \s*
        (?:\( (?P<parameters>[^()]*) \))? \s*
        (?:@ \s* (?P<cut>.*?))?
        (?:-l(?P<level>\d+))?  # ranx: the lowest relevant grade
    """,
    re.VERBOSE,
)
_TRAILING_CUT = re.compile(r"(.+?)(?:_at)?_(\d+)")
_OTHERS = {
    "hits": "ranx counts with it the relevant results of the first {k}, which is no share; that over {k} is "
    "P@{k}, and whether there is any is Hit@{k}",
    "hole": "BEIR's is the share of the first {k} that is judged for no query at all; the share judged for "
    "the query itself is Judged@{k}",
}
"""Measures of other tools that are not ours, and what of ours comes near."""
_RANX_RBP = re.compile(r"rbp\.(\d+)")


class Spelling(NamedTuple):
    """A measure's parts, as a text gives them; not yet checked against what the family allows."""

    family: str
    k: int | None
    rel: int
    parameters: tuple[tuple[str, Value], ...]


def read_spelling(text: str) -> Spelling:
    """Take the text of one measure apart. Raises MeasureError, with the nearest known names."""
    match = _SHAPE.fullmatch(text.strip())
    if match is None:
        raise MeasureError(f'"{text}" is no measure; write it as nDCG@10 or P(rel=2)@5')
    name, cut = match["name"], match["cut"]
    parameters = _read_parameters(match["parameters"] or "", text)
    if rbp := _RANX_RBP.fullmatch(name.casefold()):
        name, parameters = "rbp", {"p": f"0.{rbp[1]}", **parameters}
    key = re.sub(r"[\s.-]+", "_", name.casefold())
    if cut is None and key not in BY_SPELLING and (trailing := _TRAILING_CUT.fullmatch(key)):
        key, cut = trailing[1], trailing[2]
    family, preset = _find(key, text, cut)
    rel = parameters.pop("rel", match["level"] or "1")
    return Spelling(
        family=family.name,
        k=None if cut is None else _read_int(cut, what="the cut", text=text),
        rel=_read_int(rel, what="rel", text=text),
        parameters=(*preset, *((_full_name(family, given), value) for given, value in parameters.items())),
    )


def read_list(text: str) -> list[str]:
    """Split a list of measures at the commas outside brackets.

    A bare number takes the place of the cut of the measure before it. Raises MeasureError if
    nothing is named.
    """
    items: list[str] = []
    for part in re.split(r",(?![^(]*\))", text):
        item = part.strip()
        if item.isascii() and item.isdigit() and items:
            item = re.sub(r"\d+$", item, items[-1])
        if item:
            items.append(item)
    if not items:
        raise MeasureError("no measure is named; ask for some, such as nDCG@10,R@100")
    return items


def _find(key: str, text: str, cut: str | None) -> tuple[Family, tuple[tuple[str, Value], ...]]:
    if key in BY_SPELLING:
        return BY_SPELLING[key], ()
    if key in VARIANTS:
        return VARIANTS[key]
    if key in _OTHERS:
        raise MeasureError(f'unknown measure "{text}": {_OTHERS[key].format(k=cut or "k")}')
    close = nearest(key, BY_SPELLING)
    tail = "" if cut is None else f"@{cut}"
    names = dict.fromkeys(f'"{BY_SPELLING[spelling].name}{tail}"' for spelling in close)
    known = ", ".join(dict.fromkeys(family.name for family in BY_SPELLING.values()))
    hint = f"did you mean {' or '.join(names)}?" if names else f"the families are {known}"
    raise MeasureError(f'unknown measure "{text}"; {hint}')


def _read_parameters(inside: str, text: str) -> dict[str, str]:
    parameters = {}
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, value = part.partition("=")
        if not equals:
            raise MeasureError(f'a parameter of "{text}" must look like name=value, got "{part}"')
        parameters[name.strip().casefold()] = value.strip().strip("'\"")
    return parameters


def _full_name(family: Family, given: str) -> str:
    for parameter in family.parameters:
        if given in parameter.aliases:
            return parameter.name
    return given


def _read_int(value: str, *, what: str, text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", value):
        raise MeasureError(f'{what} of "{text}" must be an integer >= 1, got "{value}"')
    return int(value)
