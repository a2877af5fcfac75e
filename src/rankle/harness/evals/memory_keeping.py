"""Keeps what evals come to in memory, for runs that leave no record."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager

from rankle.core.evals import EvalSummary
from rankle.core.trials import CaseReport, TrialReport
from rankle.harness.evals.keeping import EvalPlan, Place
from rankle.records.json_packing import JsonPacker, unpack_json


class MemoryEval:
    """One eval in memory, its trials as a store would have them: as JSON, packed where they are large.

    Implements `keeping.KeptEval`.
    """

    def __init__(self, eval_id: str, *, created: str, packer: JsonPacker | None = None) -> None:
        self._id = eval_id
        self._created = created
        self._packer = packer or JsonPacker()
        self._trials: dict[Place, bytes] = {}

    @property
    def id(self) -> str:
        return self._id

    @property
    def created(self) -> str:
        return self._created

    @property
    def known(self) -> Mapping[Place, TrialReport]:
        return {}

    def keep(self, place: Place, trial: TrialReport) -> None:
        self._trials[place] = self._packer.pack(trial)

    def trials(self, cases: Collection[int] | None = None) -> Iterator[tuple[Place, TrialReport]]:
        for place in sorted(place for place in self._trials if cases is None or place[0] in cases):
            yield place, unpack_json(self._trials[place], TrialReport)

    def finish(self, summary: EvalSummary, cases: Callable[[], Iterable[CaseReport]]) -> None:
        """Nothing is left to be kept."""
        del summary, cases


class MemoryKeeper:
    """Keeps each eval of a run in memory. Implements `keeping.EvalKeeper`."""

    def __init__(self, *, new_id: Callable[[], str], created: str) -> None:
        """new_id: makes the id of an eval. created: UTC, ISO 8601 with a trailing Z."""
        self._new_id = new_id
        self._created = created

    @contextmanager
    def begin(self, plan: EvalPlan) -> Iterator[MemoryEval]:
        del plan
        yield MemoryEval(self._new_id(), created=self._created)
