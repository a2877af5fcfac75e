"""The tables of docs/quality.md, written by `make quality`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.public_sets import XQUAD_LANGUAGES
from bench.quality_floors import floors_of

if TYPE_CHECKING:
    from bench.quality import Quality
    from bench.quality_across import Across

_BEGIN: Final = "<!-- begin: written by `make quality` -->"
_END: Final = "<!-- end -->"
_SHOWN: Final = ("nDCG@10", "R@10", "R@20", "RR@10", "Hit@10")


def write_page(page: Path, *, rows: Sequence["Quality"], across: "Across") -> None:
    """Replaces what stands between the marks of the page."""
    before, rest = page.read_text(encoding="utf-8").split(_BEGIN)
    after = rest.split(_END)[1]
    tables = f"{table(rows)}\n\n{across_table(across)}"
    page.write_text(f"{before}{_BEGIN}\n\n{tables}\n\n{_END}{after}", encoding="utf-8")


def table(rows: Sequence["Quality"]) -> str:
    """A line a data set and method."""
    lines = [
        f"| data set | documents | chunks | queries | method | {' | '.join(_SHOWN)} | floor | trial |",
        f"|---|---:|---:|---:|---|{'---:|' * len(_SHOWN)}---|---|",
    ]
    for row in rows:
        floors = floors_of(row.name, row.method)
        figures = " | ".join(f"{row.measures[name]:.4f}" for name in _SHOWN)
        held = ", ".join(f"{floor.measure} {floor.floor:.3f}" for floor in floors)
        trial = ", ".join(f"{floor.trial:.3f}" for floor in floors if floor.trial is not None)
        lines.append(
            f"| {row.name} | {row.n_documents} | {row.n_chunks} | {row.n_queries} | {row.method} | {figures} "
            f"| {held} | {trial} |"
        )
    return "\n".join(lines)


def across_table(across: "Across") -> str:
    """R@10 of vectors: a line a language of the questions, a column a language of the paragraphs."""
    lines = [
        f"| R@10, questions in | {' | '.join(XQUAD_LANGUAGES)} |",
        f"|---|{'---:|' * len(XQUAD_LANGUAGES)}",
    ]
    for asked in XQUAD_LANGUAGES:
        figures = " | ".join(f"{across.recall[f'{asked}-{searched}']:.3f}" for searched in XQUAD_LANGUAGES)
        lines.append(f"| {asked} | {figures} |")
    pair, lowest = across.lowest
    lines += ["", f"Mean of the 30 pairs of two languages {across.mean:.3f}, lowest {lowest:.3f} ({pair})."]
    return "\n".join(lines)
