"""Text that is too long for its cells, cut in the middle: names differ at their ends."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from rankle.reports.layout import one_line

_ELLIPSIS: Final = "…"


def shortened(text: str, width: int) -> str:
    """Text on one line of at most `width` cells, with an ellipsis in the middle where something is left out.

    A little more is kept of the end, which tells the files of one folder apart. `width` is at least 3.
    """
    clean = one_line(text)
    if cell_len(clean) <= width:
        return clean
    front = (width - 1) * 2 // 5
    begin = set_cell_size(clean, front).rstrip()
    room = width - 1 - cell_len(begin)
    end = clean[-room:]
    while cell_len(end) > room:
        end = end[1:]
    return begin + _ELLIPSIS + end.lstrip()


def shortened_apart(names: Sequence[str], width: int) -> list[str]:
    """Names, all different, each at most `width` cells: numbered from 1 where what is left of two is alike.

    `width` is at least 8, for up to 999 names.
    """
    short = [shortened(name, width) for name in names]
    alike = {name for name in short if short.count(name) > 1}
    return [
        f"{place}: {shortened(name, width - len(f'{place}: '))}" if cut in alike else cut
        for place, (name, cut) in enumerate(zip(names, short, strict=True), start=1)
    ]
