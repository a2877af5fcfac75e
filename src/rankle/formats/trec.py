"""TREC qrels and runs: read them whole, or a run block by block with flat memory."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import BadLinesError, Fault
from rankle.formats.decimal_sign import Decimal
from rankle.formats.trec_blocks import BLOCK_BYTES, Block, Reading, read_blocks
from rankle.formats.trec_layout import Kind
from rankle.formats.trec_lines import Hash
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

Column = TypeVar("Column", NDArray[np.float64], NDArray[np.int64])


class Conflicts(StrEnum):
    """Which grade counts where a target is judged twice for a query, differently."""

    ERROR = "error"
    HIGHEST = "highest"
    FIRST = "first"
    LAST = "last"

    def decides(self, before: int, after: int) -> bool:
        """Whether the later of two grades counts; never for ERROR, which is for the caller to raise."""
        return self is Conflicts.LAST or (self is Conflicts.HIGHEST and after > before)


def read_qrels(
    path: "str | Path",
    *,
    hash_lines: Hash = Hash.AUTO,
    gains: Mapping[str, int] | None = None,
    conflicts: Conflicts = Conflicts.ERROR,
    careful: bool = False,
) -> Qrels:
    """Read judgments: `QUERY 0 TARGET GRADE`, `QUERY TARGET GRADE`, or `QUERY TARGET` (grade 1).

    Lines that begin with `#` are comments (hash_lines says otherwise); repeated equal judgments count
    once; negative grades are kept. gains: grade as written to the integer that it means.
    careful: read line by line, slowly; by default only what the fast reader refuses is.
    Raises InputError on what is no such file, BadLinesError with every faulty line.
    """
    reading = Reading(
        str(path), Kind.QRELS, hash=hash_lines, gains=dict(gains) if gains else None, careful=careful
    )
    return qrels_of(list(read_blocks(path, reading)), reading, conflicts=conflicts)


def qrels_of(blocks: Sequence[Block], reading: Reading, *, conflicts: Conflicts) -> Qrels:
    """The judgments of all blocks. Raises BadLinesError with the contradictions that `conflicts` leaves."""
    groups = _Groups(blocks)
    grades: NDArray[np.int64] = np.concatenate([_grades(block) for block in blocks])
    lines: NDArray[np.int64] = np.concatenate([np.asarray(block.lines, dtype=np.int64) for block in blocks])
    targets, grades = groups.targets, groups.arranged(grades)
    kept = _distinct(groups, grades, groups.arranged(lines), reading, conflicts)
    if kept is not None:
        targets = [targets[row] for row in kept.tolist()]
        offsets = np.searchsorted(kept, groups.offsets)
        grades = grades[kept]
    else:
        offsets = groups.offsets
    return Qrels(groups.queries, offsets.astype(np.int64), targets, grades, tuple(reading.notices))


def read_run(
    path: "str | Path",
    *,
    hash_lines: Hash = Hash.AUTO,
    decimal: Decimal = Decimal.AUTO,
    careful: bool = False,
) -> Run:
    """Read results: `QUERY Q0 TARGET RANK SCORE TAG`, or fewer columns; two columns are best first.

    The rank column is not used: order comes from the scores. Raises InputError on what is no such
    file, BadLinesError with every faulty line, a score that is not finite among them.
    """
    reading = Reading(str(path), Kind.RUN, hash=hash_lines, decimal=decimal, careful=careful)
    blocks = list(read_blocks(path, reading))
    return run_of(blocks, reading)


def stream_run(
    path: "str | Path",
    *,
    hash_lines: Hash = Hash.AUTO,
    decimal: Decimal = Decimal.AUTO,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[Run]:
    """The run in parts of some queries each, holding one part at a time.

    A query is whole within its part unless the file returns to it later; then it comes again in a
    later part, and the file must be read whole. Raises as `read_run`, faults only at the end.
    """
    reading = Reading(str(path), Kind.RUN, hash=hash_lines, decimal=decimal)
    for block in read_blocks(path, reading, block_bytes=block_bytes):
        yield run_of([block], reading)


def run_of(blocks: Sequence[Block], reading: Reading) -> Run:
    """The results of all blocks; without scores they are best first."""
    groups = _Groups(blocks)
    given = [block.values.astype(np.float64, copy=False) for block in blocks if block.values is not None]
    scores = np.concatenate(given) if given else -np.arange(len(groups.targets), dtype=np.float64)
    return Run(
        queries=groups.queries,
        offsets=groups.offsets,
        targets=groups.targets,
        scores=groups.arranged(scores),
        name=reading.tag,
        notices=tuple(reading.notices),
    )


class _Groups:
    """The rows of blocks, brought together by query in the order in which queries first came."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        place: dict[str, int] = {}
        codes = [_codes(block, place) for block in blocks]
        code = codes[0] if len(codes) == 1 else np.concatenate(codes)
        self._order = None if (code[1:] >= code[:-1]).all() else np.argsort(code, kind="stable")
        self.queries = tuple(place)
        counts = np.bincount(code, minlength=len(place))
        self.offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        self.targets = self._targets([block.targets for block in blocks])

    def arranged(self, values: Column) -> Column:
        """Values of the rows in the order of the groups."""
        return values if self._order is None else values[self._order]

    def _targets(self, parts: Sequence["list[str] | pl.Series"]) -> "list[str] | pl.Series":
        if all(isinstance(part, list) for part in parts):
            names = [target for part in parts for target in part]
            return names if self._order is None else [names[row] for row in self._order.tolist()]
        import polars as pl

        columns = [pl.Series(part, dtype=pl.String) for part in parts]
        column = columns[0] if len(columns) == 1 else pl.concat(columns)
        return column if self._order is None else column.gather(self._order)


def _codes(block: Block, place: dict[str, int]) -> NDArray[np.int64]:
    """Place of each row's query among all queries so far; new queries are added."""
    queries = block.queries
    if isinstance(queries, list):
        return np.array([place.setdefault(query, len(place)) for query in queries], dtype=np.int64)
    runs = queries.rle().struct.unnest()
    named = [place.setdefault(query, len(place)) for query in runs["value"].to_list()]
    return np.repeat(np.array(named, dtype=np.int64), runs["len"].to_numpy())


def _grades(block: Block) -> NDArray[np.int64]:
    return (
        np.ones(len(block.queries), dtype=np.int64) if block.values is None else block.values.astype(np.int64)
    )


def _distinct(
    groups: _Groups,
    grades: NDArray[np.int64],
    lines: NDArray[np.int64],
    reading: Reading,
    conflicts: Conflicts,
) -> NDArray[np.int64] | None:
    """Rows to keep where targets repeat within a query; None where none does."""
    query_of = np.repeat(np.arange(len(groups.queries)), np.diff(groups.offsets))
    if not _any_repeated(query_of, groups.targets):
        return None
    first: dict[tuple[int, str], int] = {}
    faults: list[Fault] = []
    n_same = n_conflicts = 0
    for row, key in enumerate(zip(query_of.tolist(), groups.targets, strict=True)):
        before = first.setdefault(key, row)
        if before == row:
            continue
        if grades[before] == grades[row]:
            n_same += 1
            continue
        n_conflicts += 1
        if conflicts is Conflicts.ERROR:
            faults.append(_conflict(groups.queries[key[0]], key[1], grades, lines, before, row))
        elif conflicts.decides(grades[before], grades[row]):
            grades[before] = grades[row]
    if faults:
        raise BadLinesError(path=reading.path, faults=faults)
    if n_same:
        reading.notices.append(f"judgments that stand twice with the same grade, counted once: {n_same}")
    if n_conflicts:
        reading.notices.append(
            f"judgments that contradict an earlier one, the {conflicts.value} counts: {n_conflicts}"
        )
    return np.array(sorted(first.values()), dtype=np.int64)


def _any_repeated(query_of: NDArray[np.int64], targets: "list[str] | pl.Series") -> bool:
    if isinstance(targets, list):
        return len(set(zip(query_of.tolist(), targets, strict=True))) < len(targets)
    import polars as pl

    return pl.DataFrame({"query": query_of, "target": targets}).is_duplicated().any()


def _conflict(
    query: str, target: str, grades: NDArray[np.int64], lines: NDArray[np.int64], before: int, row: int
) -> Fault:
    return Fault(
        int(lines[row]),
        f'judges "{target}" for query "{query}" as {grades[row]}, line {lines[before]} as {grades[before]}. '
        "Choose one: --conflicts highest, first or last",
    )
