"""What an embedding did, in lines for people and members for programs."""

from typing import Any

from rankle.app.embed import Embedded
from rankle.cli.options import count, per_second, seconds
from rankle.kb.vectors.embedding import EmbedReport
from rankle.reports.layout import wrapped


def embed_lines(done: Embedded) -> list[str]:
    """The summary."""
    report = done.report
    lines = [f"Workspace: {done.workspace}"]
    if not report.n_total:
        return [*lines, f"Nothing to embed: no documents yet. {report.model} is noted for when they come."]
    if not report.n_chunks:
        chunks = count(report.n_total, "chunk")
        verb = "has its vector" if report.n_total == 1 else "have their vectors"
        return [*lines, f"Nothing to do: {chunks} {verb}, by {report.model}"]
    lines += wrapped(embedding_words(report), first="Vectors: ", rest="  ")
    return [*lines, f"Time: {seconds(done.took_s)}"]


def embed_json(done: Embedded) -> dict[str, Any]:
    """The members of `rankle.embed/1`."""
    return {"workspace": done.workspace, **embedding_json(done.report), "took_s": round(done.took_s, 3)}


def embedding_words(report: EmbedReport) -> str:
    """`120 chunks embedded with e5-small (61/s)`, and what was not new."""
    chunks = count(report.n_chunks, "chunk")
    if not report.n_texts:
        return f"{chunks} with text that was embedded before, by {report.model}"
    rate = "" if report.texts_per_s is None else f" ({per_second(report.texts_per_s)}/s)"
    n_known = report.n_chunks - report.n_texts
    known = f", {n_known:,} of them with text embedded before" if n_known else ""
    replaced = f", in place of {report.replaced}" if report.replaced else ""
    return f"{chunks} embedded with {report.model}{rate}{known}{replaced}"


def embedding_json(report: EmbedReport) -> dict[str, Any]:
    """What an embedding did, as `rankle.index/1` and `rankle.embed/1` have it."""
    return {
        "model": report.model,
        "n_chunks": report.n_chunks,
        "n_texts": report.n_texts,
        "n_total": report.n_total,
        "replaced": report.replaced,
        "texts_per_s": None if report.texts_per_s is None else round(report.texts_per_s, 1),
    }
