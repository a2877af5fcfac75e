"""Judge the results of several methods, one after the other, and write what was judged into the set."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rankle.app.evaluation_options import unwatched
from rankle.app.ids import new_id
from rankle.app.pool_request import Pool, PoolRequest, Progress
from rankle.app.pooling import opened_pool
from rankle.app.rate import printable
from rankle.app.wiring.settings import Settings
from rankle.core.evalset import EvalQuery
from rankle.core.judgment import Judgment, latest_judgments
from rankle.formats.eval_set import read_eval_set
from rankle.formats.judgments import add_judgment, locked, read_judgments, take_back
from rankle.formats.set_rewrite import check_rewritable, rewrite_queries
from rankle.labels.judged import judged_queries
from rankle.labels.judges import JudgesAgreement, judges_agreement
from rankle.labels.pooling import Pooled, shuffled


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges, and in which order."""

    judge: str
    seed: int = 0


class LabelRound:
    """A set that is being judged. What is kept is on disk before the next key."""

    def __init__(self, pool: Pool, path: Path, judging: Judging, *, now: Callable[[], datetime]) -> None:
        self.pool = pool
        self._path = path
        self._judging = judging
        self._now = now

    def items(self, query: EvalQuery) -> list[Pooled]:
        """What the judge has not judged yet, in an order that tells nothing of ranks."""
        found = self.pool.unjudged(query, self.pool.pooled(query), judge=self._judging.judge)
        return shuffled(found, seed=self._judging.seed, judge=self._judging.judge)

    def keep(self, item: Pooled, grade: int, *, note: str | None) -> Callable[[], None]:
        """Writes a judgment beside the set; returns what takes it back."""
        judgment = Judgment(
            id=new_id(),
            at=self._now(),
            judge=self._judging.judge,
            query=item.query.id,
            target=item.target,
            document=item.document,
            start=item.passage.start,
            end=item.passage.end,
            quote=item.passage.text,
            grade=grade,
            note=None if note is None else printable(note),
        )
        add_judgment(self._path, judgment)
        return lambda: take_back(self._path, judgment.id)

    def write(self) -> int:
        """Brings the labels of the set in line with all judgments. Returns how many queries that changed."""
        if not read_judgments(self._path):
            return 0
        with locked(self._path):
            judgments = read_judgments(self._path)
            changed = judged_queries(read_eval_set(self._path), judgments, by_document=self.pool.by_document)
            rewrite_queries(self._path, changed)
        return len(changed)


@contextmanager
def label_round(
    settings: Settings,
    asked: PoolRequest,
    judging: Judging,
    *,
    now: Callable[[], datetime],
    on_progress: Progress = unwatched,
) -> Iterator[LabelRound]:
    """Opens set and workspace for a round, or asks the systems that are named.

    Raises InputError where the set takes no labels.
    """
    check_rewritable(asked.set_file)
    with opened_pool(settings, asked, on_progress=on_progress) as pool:
        held = LabelRound(pool, asked.set_file, judging, now=now)
        held.write()  # what a round that was killed had not come to
        try:
            yield held
        finally:
            held.write()  # also after Ctrl-C


def agreement_of(judgments: Sequence[Judgment]) -> JudgesAgreement | None:
    """How far the judges of a set agree; None where no two judged the same."""
    latest = latest_judgments(judgments)
    return judges_agreement(
        {place: {judge: each.grade for judge, each in by.items()} for place, by in latest.items()}
    )
