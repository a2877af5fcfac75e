"""`rankle eval label SET`: judge what several methods find, one key each."""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rankle.cli.options import count, workspace_option
from rankle.cli.pool_options import asking_for_pool, pool_call, pool_options

if TYPE_CHECKING:
    from rankle.app.label_set import LabelRound
    from rankle.app.pool_request import PoolRequest
    from rankle.cli.key_round import TakeBack
    from rankle.cli.keyboard import Keyboard
    from rankle.labels.pooling import Pooled

_AROUND: Final = 300
"""Characters of the document that are shown before and behind a passage,"""
_AROUND_LINES: Final = 2
"""and lines, at most."""
_LINES: Final = 20
_KEYS: Final = """\
3 just what is looked for, 2 answers it, 1 touches it, 0 not relevant.
Every key is kept at once; a new round goes on where this one ends."""


@click.command("label", short_help="Judge what several methods find, one key each.")
@click.argument("set_file", metavar="SET", type=click.Path(path_type=Path))
@pool_options
@click.option("--judge", metavar="NAME", help="Who judges. Default: RANKLE_RATER, or your login name.")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Another one gives another order."
)
@workspace_option
def label(asked: "PoolRequest", *, judge: str | None, seed: int, workspace: str | None) -> None:
    """Judge what several methods find for the queries of SET. Results are shown in context and in an order
    that tells nothing of ranks.

    \b
      rankle eval label set.jsonl
      rankle eval label set.jsonl --method fts5,hybrid --depth 20
      rankle eval label set.jsonl --system http://localhost:8080/search

    \b
      3  just what is looked for
      2  answers it
      1  touches it
      0  not relevant

    Keys: 0 to 3; s skips; n adds a note to the next key; u takes the last one back; q ends. Every key is
    written at once, with who judged, beside SET (set.judgments.jsonl); a new round goes on where one ended,
    or was killed. At the end the grades are written into SET, the median where several judged, and
    how far they agree is printed. Labels that stand in SET already are not asked for. Where SET labels
    documents, documents are judged, else passages. With --system, documents are judged, and all queries are
    asked before the first key.
    """
    from rankle.app.label_set import Judging, label_round
    from rankle.app.wiring.settings import load_settings
    from rankle.app.wiring.variables import default_rater
    from rankle.cli.keyboard import terminal_keyboard

    keyboard = terminal_keyboard(instead=f"To see what is to be judged: {pool_call('pool', asked)}")
    who = (judge or "").strip() or default_rater()
    settings = load_settings(workspace=workspace)
    judging = Judging(who, seed)
    with ExitStack() as stack:
        with asking_for_pool(asked) as told:
            held = stack.enter_context(label_round(settings, asked, judging, now=_now, on_progress=told))
        run_labelling(held, keyboard, asked=asked)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class LabelDesk:
    """The results of one query after the other, and the files that keep the grades."""

    held: "LabelRound"
    width: int
    heading: str = ""

    @property
    def grades(self) -> range:
        return range(4)

    def lines(self, item: "Pooled") -> Iterable[str]:
        from rankle.reports.layout import one_line

        passage = item.passage
        before, after = self.held.pool.text_around(item, n_characters=_AROUND)
        yield ""
        yield self.heading
        has_lines = self.held.pool.has_lines
        yield one_line(item.document) + (f":{passage.line_start}-{passage.line_end}" if has_lines else "")
        headings = passage.breadcrumb if has_lines or passage.title == item.document else (passage.title,)
        above = " › ".join(one_line(part) for part in headings)
        if above:
            yield one_line(above, width=self.width)
        yield from (f"    {line}" for line in self._wrapped(before)[-_AROUND_LINES:])
        inside = self._wrapped(passage.text) or ["(no text came with it)"]
        yield from (f"  | {line}" for line in inside[:_LINES])
        if len(inside) > _LINES:
            yield f"  | … {len(inside) - _LINES} more lines"
        yield from (f"    {line}" for line in self._wrapped(after)[:_AROUND_LINES])

    def _wrapped(self, text: str) -> list[str]:
        from rankle.reports.layout import one_line, wrapped

        lines = [one_line(line) for line in text.splitlines() if line.strip()]
        return [part for line in lines for part in wrapped(line, width=self.width - 4, breaking=True)]

    def keep(self, item: "Pooled", grade: int, *, note: str | None) -> "TakeBack":
        return self.held.keep(item, grade, note=note)


def run_labelling(held: "LabelRound", keyboard: "Keyboard", *, asked: "PoolRequest") -> None:
    """Query after query until all is judged or somebody has had enough; then writes the set."""
    from rankle.app.label_set import agreement_of
    from rankle.cli.agreement_report import agreement_lines
    from rankle.cli.key_round import KeyRound
    from rankle.cli.screen import screen
    from rankle.formats.judgments import read_judgments
    from rankle.reports.layout import one_line

    desk = LabelDesk(held, screen().width)
    turns = KeyRound(desk, keyboard, say=click.echo, prompt=lambda text: click.echo(text, nl=False))
    queries = held.pool.queries
    if queries:
        click.echo(_KEYS)
    is_done = True
    for place, query in enumerate(queries, start=1):
        desk.heading = f"Query {place} of {len(queries)}: {one_line(query.text, width=60)}"
        if not turns.grade(held.items(query)):
            is_done = False
            break
    held.write()
    path = asked.set_file
    what = "documents" if held.pool.by_document else "passages"
    rest = "all is judged" if is_done else f"go on with: {pool_call('label', asked)}"
    click.echo(f"{count(turns.n_kept, 'judgment')} kept and written to {path}; {rest}")
    click.echo("\n".join(agreement_lines(agreement_of(read_judgments(path)), what=what)))
