"""Chunkers compared by the passages that their chunks bring into 2,000 tokens: part of `make quality`.

472 questions over five corpora with 790 passages given to the character. For each chunker the corpora are
indexed into one workspace and every question is searched by full text; the first 2,000 tokens of the results
are what a reader, or a model, gets to see. Writes bench/results/chunkers.json and a table in docs/quality.md.
"""

import csv
import gzip
import json
import os
import sys
import tempfile
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.evalset import EvalQuery, Label, Level, Span
from rankle.core.product import VERSION
from rankle.core.sync import run_sync
from rankle.core.text_range import Range
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.tokens import TokenMap, token_map
from rankle.labels.context import first_tokens, score_context
from rankle.labels.placing import Placed, place_span
from rankle.labels.quotes import StoredText
from rankle.stats.corrections import holm
from rankle.stats.intervals import mean_interval
from rankle.stats.paired import paired_tests
from rankle.systems.knowledge_base import KnowledgeBaseSystem

REPOSITORY: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = REPOSITORY / "bench" / "results" / "chunkers.json"
PAGE: Final = REPOSITORY / "docs" / "quality.md"
CHUNKERS: Final = (
    "heading", "heading:100", "heading:600", "fixed:100", "fixed:200", "fixed:400", "fixed:800",
    "sentence", "document",
)  # fmt: skip
BUDGET: Final = 2_000
MEASURES: Final = ("recall", "precision", "found")
METHOD: Final = "fts5"
LEVEL: Final = 0.05
_DEPTH: Final = 1_000
"""Results that are asked for; even of the shortest chunks 2,000 tokens need fewer."""
_BEGIN: Final = "<!-- begin: written by `python -m bench.chunkers` -->"
_END: Final = "<!-- end: chunkers -->"

Scores = NDArray[np.float64]
"""One row a question, one column a measure of `MEASURES`."""


@dataclass(frozen=True, slots=True)
class Chunked:
    """One chunker on all questions."""

    chunker: str
    n_chunks: int
    tokens_per_chunk: float
    scores: Scores


@dataclass(frozen=True, slots=True)
class Pair:
    """Two chunkers in one measure."""

    measure: str
    a: str
    b: str
    difference: float
    """Mean of b minus mean of a."""
    low: float | None
    high: float | None
    p_value: float
    p_adjusted: float
    """By Holm over all pairs of the measure."""


class TokenCounts:
    """Tokens of the stored texts by the product's own estimate. Implements `labels.context.Tokens`."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._maps: dict[str, TokenMap] = {name: token_map(text) for name, text in texts.items()}

    def count(self, part: Range) -> int:
        return self._maps[part.document].between(part.start, part.end)

    def longest(self, part: Range, tokens: int) -> int:
        units = self._maps[part.document]
        unit = bisect_right(units.totals, units.before(part.start) + tokens) - 1
        return max(part.start, min(part.end, units.ends[unit])) if unit >= 0 else part.start


def questions(data: Path) -> tuple[EvalQuery, ...]:
    """The questions with their passages, as labels that have quote and range."""
    with (data / "chunk_spans" / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(
        EvalQuery(
            id=str(number),
            text=row["question"],
            labels=tuple(
                Label(
                    f"{row['corpus_id']}.md",
                    Level.SPAN,
                    span=Span(part["content"], part["start_index"], part["end_index"]),
                )
                for part in json.loads(row["references"])
            ),
        )
        for number, row in enumerate(rows, start=1)
    )


def write_corpora(data: Path, folder: Path) -> None:
    """The corpora as files."""
    folder.mkdir()
    for path in sorted((data / "chunk_spans" / "corpora").iterdir()):
        packed = path.read_bytes()
        text = gzip.decompress(packed) if path.suffix == ".gz" else packed
        (folder / path.name.removesuffix(".gz")).write_bytes(text)


def passages(query: EvalQuery, texts: Mapping[str, StoredText]) -> list[Range]:
    """Where the passages of a question stand: all at their place, or the data are not what they were."""
    found = []
    for label in query.labels:
        assert label.span is not None
        placed = place_span(label.span, texts[label.name])
        assert isinstance(placed, Placed)
        assert not placed.moved
        found.append(Range(label.name, placed.place.start, placed.place.end))
    return found


def measure(chunker: str, queries: Sequence[EvalQuery], *, documents: Path, folder: Path) -> Chunked:
    """Indexes the documents with one chunker and asks every question."""
    with KnowledgeBase(folder, name="chunkers", create=True) as kb:
        kb.index(documents, chunker=chunker)
        known = kb.documents()
        texts = {document.name: kb.text(document) for document in known}
        places = {
            chunk.name: Range(document.name, chunk.span.start, chunk.span.end)
            for document in known
            for chunk in kb.chunks(document)
        }
        tokens = TokenCounts(texts)
        stored = {name: StoredText(text) for name, text in texts.items()}
        rows = []
        system = KnowledgeBaseSystem(kb, method=METHOD)
        for query in queries:
            hits = run_sync(system.search(query.text, depth=_DEPTH, level=Level.CHUNK))
            context = first_tokens((places[hit.id] for hit in hits), budget=BUDGET, tokens=tokens)
            scores = score_context(context, passages(query, stored))
            rows.append([getattr(scores, name) for name in MEASURES])
    per_chunk = sum(tokens.count(place) for place in places.values()) / len(places)
    return Chunked(chunker, len(places), round(per_chunk, 1), np.array(rows))


def compare(rows: Sequence[Chunked]) -> list[Pair]:
    """All pairs in every measure."""
    pairs = list(combinations(rows, 2))
    tests = [paired_tests(a.scores, b.scores, seed=0) for a, b in pairs]
    found = []
    for column, name in enumerate(MEASURES):
        adjusted = holm([test[column].p_value for test in tests])
        for (a, b), test, p_adjusted in zip(pairs, tests, adjusted, strict=True):
            one = test[column]
            found.append(
                Pair(name, a.chunker, b.chunker, one.difference, one.low, one.high, one.p_value, p_adjusted)
            )
    return found


def letters(names: Sequence[str], pairs: Sequence[Pair]) -> dict[str, str]:
    """A compact display of who differs: those that share a letter do not.

    names: best first, so that the best have the first letters.
    Source: the insert-and-absorb algorithm of Piepho 2004, J. Computational and Graphical Statistics 13.
    """
    groups = [set(names)]
    for pair in pairs:
        if pair.p_adjusted > LEVEL:
            continue
        split = [group for group in groups if {pair.a, pair.b} <= group]
        groups = [group for group in groups if group not in split]
        groups += [group - {name} for group in split for name in (pair.a, pair.b)]
        groups = [one for n, one in enumerate(groups) if not any(
            one < other or (one == other and m < n) for m, other in enumerate(groups)
        )]  # fmt: skip
    ordered = sorted(groups, key=lambda group: sorted(names.index(name) for name in group))
    signs = "abcdefghijklmnopqrstuvwxyz"
    return {name: "".join(signs[n] for n, group in enumerate(ordered) if name in group) for name in names}


def table(rows: Sequence[Chunked], pairs: Sequence[Pair]) -> str:
    """The figures as a Markdown table, highest recall first."""
    ordered = sorted(rows, key=lambda row: -row.scores[:, 0].mean())
    groups = []
    for column, measured in enumerate(MEASURES):
        best_first = sorted(rows, key=lambda row: -row.scores[:, column].mean())
        of_measure = [pair for pair in pairs if pair.measure == measured]
        groups.append(letters([row.chunker for row in best_first], of_measure))
    lines = [
        "| chunker | chunks | tokens a chunk | span recall | span precision | spans half found |",
        "|---|---:|---:|---|---|---|",
    ]
    for row in ordered:
        cells = [
            f"{_figure(row.scores[:, column])} {groups[column][row.chunker]}"
            for column in range(len(MEASURES))
        ]
        lines.append(
            f"| `{row.chunker}` | {row.n_chunks} | {row.tokens_per_chunk:.0f} | {' | '.join(cells)} |"
        )
    return "\n".join(lines)


def _figure(values: Scores) -> str:
    interval = mean_interval(values)
    return f"{values.mean():.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _as_json(rows: Sequence[Chunked], pairs: Sequence[Pair]) -> dict[str, object]:
    return {
        "rankle_version": VERSION,
        "method": METHOD,
        "budget_tokens": BUDGET,
        "n_questions": len(rows[0].scores),
        "rows": [
            {
                "chunker": row.chunker,
                "n_chunks": row.n_chunks,
                "tokens_per_chunk": row.tokens_per_chunk,
                **{
                    name: {
                        "mean": float(row.scores[:, column].mean()),
                        "low": mean_interval(row.scores[:, column]).low,
                        "high": mean_interval(row.scores[:, column]).high,
                    }
                    for column, name in enumerate(MEASURES)
                },
            }
            for row in rows
        ],
        "pairs": [asdict(pair) for pair in pairs],
    }


def main() -> int:
    data = Path(os.environ.get("RANKLE_SHARED_DATA") or REPOSITORY.parent / "shared" / "data")
    if not (data / "chunk_spans").is_dir():
        print(f"no chunk_spans at {data}; set RANKLE_SHARED_DATA", file=sys.stderr)
        return 2
    queries = questions(data)
    rows = []
    with tempfile.TemporaryDirectory() as place:
        documents = Path(place) / "documents"
        write_corpora(data, documents)
        for number, chunker in enumerate(CHUNKERS):
            rows.append(measure(chunker, queries, documents=documents, folder=Path(place) / str(number)))
            recall, precision, found = rows[-1].scores.mean(axis=0)
            print(
                f"{chunker:12} recall {recall:.3f}  precision {precision:.3f}  found {found:.3f}", flush=True
            )
    pairs = compare(rows)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(_as_json(rows, pairs), indent=2) + "\n", encoding="utf-8")
    before, rest = PAGE.read_text(encoding="utf-8").split(_BEGIN)
    after = rest.split(_END)[1]
    PAGE.write_text(f"{before}{_BEGIN}\n\n{table(rows, pairs)}\n\n{_END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
