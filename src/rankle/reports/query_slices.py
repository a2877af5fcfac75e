"""Parts of the queries that are worth a look of their own: by language, collection, tag and length."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankle.core.run import QueryReport

By = Literal["language", "collection", "tag", "length"]

_LENGTHS: Final = ((2, "1-2 words"), (5, "3-5 words"), (10, "6-10 words"))
_LONGER: Final = "11+ words"
_UNSPACED: Final = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Thai, Lao, Khmer, kana and ideographs, which put no spaces between words."""
_RUNS: Final = re.compile(f"[{_UNSPACED}]+|[^\\s{_UNSPACED}]+")


class Slice(NamedTuple):
    """What the queries of a slice have in common."""

    by: By
    value: str


def query_slices(queries: Sequence[QueryReport]) -> Mapping[Slice, NDArray[np.bool_]]:
    """Slice to whether each query is in it, shape (n,), in order of dimension, then of size, then of name.

    A slice of all the queries is left out, since it says nothing that the whole does not.
    """
    dimensions: dict[By, Callable[[QueryReport], Sequence[str]]] = {
        "language": lambda query: [query.language] if query.language else [],
        "collection": lambda query: [query.collection] if query.collection else [],
        "tag": lambda query: query.tags,
        "length": lambda query: [length_words(query.query)] if query.query.strip() else [],
    }
    found: dict[Slice, NDArray[np.bool_]] = {}
    for by, values_of in dimensions.items():
        members: dict[str, NDArray[np.bool_]] = {}
        for place, query in enumerate(queries):
            for value in values_of(query):
                members.setdefault(value, np.zeros(len(queries), dtype=np.bool_))[place] = True
        for value in sorted(members, key=lambda value: (-int(members[value].sum()), value)):
            if not members[value].all():
                found[Slice(by, value)] = members[value]
    return found


def length_words(text: str) -> str:
    """Which bin of lengths a query belongs to."""
    n = n_words(text)
    return next((words for most, words in _LENGTHS if n <= most), _LONGER)


def n_words(text: str) -> int:
    """Words of a text; where a script puts no spaces between them, two characters count as one."""
    runs: list[str] = _RUNS.findall(text)
    return sum((len(run) + 1) // 2 if re.match(f"[{_UNSPACED}]", run) else 1 for run in runs)
