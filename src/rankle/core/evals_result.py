"""A run of evals as Python and notebooks have it: figures, cases, a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import msgspec

from rankle.core.errors import UnknownNameError
from rankle.core.evals import EvalsReport, EvalsRun, EvalSummary, ScorerSummary
from rankle.core.tables import Tabular, html_table
from rankle.core.trials import CaseReport


@dataclass(frozen=True, slots=True, repr=False)
class EvalsResult(Tabular):
    """A run of evals. As a table it has a row for each eval and scorer; `str()` of it is the verdict."""

    run: EvalsRun

    @property
    def id(self) -> str:
        return self.run.summary.id

    @property
    def exit_code(self) -> int:
        """0 fine, 1 a threshold is missed, 2 could not measure."""
        return self.run.summary.exit_code

    @property
    def passed(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit_code == 0

    @property
    def verdict(self) -> str:
        """Why, in a sentence."""
        return self.run.summary.verdict

    @property
    def evals(self) -> tuple[EvalSummary, ...]:
        """In the order in which they ran; all but their cases."""
        return self.run.evals

    def __getitem__(self, name: str) -> EvalSummary:
        """The eval of this name, or of this key. Raises UnknownNameError where none or several have it."""
        found = [one for one in self.evals if name in (one.name, one.key)]
        if len(found) != 1:
            known = [one.key if found else one.name for one in found or self.evals]
            raise UnknownNameError(what="eval", name=name, known=known, hint=f"There is: {', '.join(known)}")
        return found[0]

    def __len__(self) -> int:
        return len(self.evals)

    def __iter__(self) -> Iterator[EvalSummary]:
        return iter(self.evals)

    def cases(self, name: str | None = None) -> list[CaseReport]:
        """The cases of the eval of this name, with their trials; of all evals where it is None."""
        evals = self.evals if name is None else (self[name],)
        return [case for one in evals for case in self.run.read_cases(one.id)]

    def report(self) -> EvalsReport:
        """All of it, as the JSON has it."""
        return self.run.report()

    def to_dict(self) -> dict[str, Any]:
        """What the JSON holds."""
        found: dict[str, Any] = msgspec.to_builtins(self.report())
        return found

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each eval and scorer."""
        return [_row(one, scorer) for one in self.evals for scorer in one.scorers]

    def __str__(self) -> str:
        return f"{self.verdict} Exit code {self.exit_code}."

    def __repr__(self) -> str:
        return f"<EvalsResult {self.id}: {self.verdict}>"

    def _repr_html_(self) -> str:
        return html_table(self.to_rows()) + f"<p>{escape(str(self))}</p>"


def _row(one: EvalSummary, scorer: ScorerSummary) -> dict[str, Any]:
    return {
        "eval": one.name,
        "variant": one.variant,
        "scorer": scorer.name,
        "mean": scorer.mean,
        "low": scorer.low,
        "high": scorer.high,
        "n_scored": scorer.n_scored,
        "n_undefined": scorer.n_undefined,
        "n_failed": scorer.n_failed,
        "difference": None if scorer.change is None else scorer.change.difference,
    }
