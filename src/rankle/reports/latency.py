"""How long searches took, said so that a share of a batch is not taken for the time of a search."""

from collections.abc import Sequence

from rankle.core.run import Latency
from rankle.reports.layout import WIDTH, wrapped
from rankle.reports.table import ABSENT


def latency_lines(latency: Latency, *, width: int = WIDTH) -> list[str]:
    """What a search took; or a query's share of its batch, and that a search takes longer than that."""
    if latency.of == "search":
        return [f"Latency: p50 {milliseconds(latency.p50)}, p95 {milliseconds(latency.p95)}"]
    return wrapped(
        f"Latency in batches of {latency.batch_size}: {milliseconds(latency.p50)} a query. That is its share "
        "of the batch, not what one search takes; --one-by-one times each search.",
        rest="  ",
        width=width,
    )


def batch_lines(latencies: Sequence[Latency], *, width: int = WIDTH) -> list[str]:
    """Under latencies that stand side by side: that they are shares of batches, where any of them is."""
    sizes = [latency.batch_size for latency in latencies if latency.batch_size is not None]
    if not sizes:
        return []
    some = "" if len(sizes) == len(latencies) else " of some methods"
    return wrapped(
        f"Latencies{some} are shares of batches of up to {max(sizes)} queries, not what one search takes; "
        "--one-by-one times each search.",
        rest="  ",
        width=width,
    )


def milliseconds(value: float | None) -> str:
    return ABSENT if value is None else f"{value:,.1f} ms"
