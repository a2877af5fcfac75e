"""How long searches took, said so that a share of a batch is not taken for the time of a search."""

from collections.abc import Sequence
from typing import Final

from rankle.core.run import Latency
from rankle.reports.layout import WIDTH, wrapped
from rankle.reports.table import ABSENT

_SHORTEST: Final = 0.0001
"""In milliseconds; what is below it is said to be 0.0."""


def latency_lines(latency: Latency, *, width: int = WIDTH) -> list[str]:
    """What a search took; or a query's share of its batch, and that a search takes longer than that."""
    reused = reused_words(latency)
    if latency.of == "search":
        figures = f"Latency{reused}: p50 {milliseconds(latency.p50)}, p95 {milliseconds(latency.p95)}"
        return wrapped(figures, rest="  ", width=width) if reused else [figures]
    return wrapped(
        f"Latency in batches of {latency.batch_size}{reused}: {milliseconds(latency.p50)} a query. That is "
        "its share of the batch, not what one search takes; --one-by-one times each search.",
        rest="  ",
        width=width,
    )


def reused_words(latency: Latency) -> str:
    """That times are not of this run, to stand behind the word latency; empty where they are."""
    if not latency.n_reused:
        return ""
    queries = "1 query" if latency.n_reused == 1 else f"{latency.n_reused:,} queries"
    return f" (taken from an earlier run for {queries})"


def batch_lines(latencies: Sequence[Latency], *, width: int = WIDTH) -> list[str]:
    """Under latencies that stand side by side: that they are shares of batches, where any of them is."""
    sizes = [latency.batch_size for latency in latencies if latency.batch_size is not None]
    reused = [
        "Latencies taken from an earlier run are as that run measured them; --no-cache measures them anew."
    ] * any(latency.n_reused for latency in latencies)
    if not sizes:
        return [line for words in reused for line in wrapped(words, rest="  ", width=width)]
    some = "" if len(sizes) == len(latencies) else " of some methods"
    shares = (
        f"Latencies{some} are shares of batches of up to {max(sizes)} queries, not what one search takes; "
        "--one-by-one times each search."
    )
    return [line for words in (shares, *reused) for line in wrapped(words, rest="  ", width=width)]


def milliseconds(value: float | None) -> str:
    """One decimal; below a tenth two digits that tell something, since evals may be of code that is quick."""
    if value is None:
        return ABSENT
    return f"{value:.2g} ms" if _SHORTEST <= value < 0.1 else f"{value:,.1f} ms"
