"""Fits a gate to the run that it judges: which of the run's figures each rule is about.

A gate is read before anybody knows what it will judge. A name that is no measure may be a scorer of an eval;
over a run of search it is a slip.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from rankle.core.errors import MeasureError
from rankle.core.run import RunReport
from rankle.gates.rules import Floor, Gate, NoRegression
from rankle.metrics.figure import ranks, read_figure

_Rule = TypeVar("_Rule", Floor, NoRegression)


def fitted(gate: Gate, run: RunReport) -> Gate:
    """The gate with rules about the figures that the run has under the names that its author wrote.

    Where a baseline is named and no rule says what to hold against it, every scorer of an eval is that.
    Raises MeasureError where a rule is about no measure and the run is none of an eval.
    """
    if run.level != "case":
        check_measures(gate)
        return gate
    rules = [one for rule in gate.no_regression for one in _spread(rule, run)]
    return replace(
        gate,
        floors=tuple(_named(floor, run) for floor in gate.floors),
        no_regression=tuple(_named(rule, run) for rule in rules),
    )


def check_measures(gate: Gate) -> None:
    """Raise MeasureError on the first rule about a name that is no measure."""
    rules: list[Floor | NoRegression] = [*gate.floors, *gate.no_regression]
    for rule in rules:
        if rule.fault:
            raise MeasureError(rule.fault)


def _named(rule: _Rule, run: RunReport) -> _Rule:
    """The rule about the scorer that is called as it is written, before the measure that this spells."""
    return replace(rule, measure=read_figure(rule.spelled)) if rule.spelled in run.measures else rule


def _spread(rule: NoRegression, run: RunReport) -> Sequence[NoRegression]:
    """A rule that nobody wrote becomes one for each scorer, unless the run has its measure."""
    if not rule.is_default or str(rule.measure) in run.measures:
        return [rule]
    figures = [figure for figure in map(read_figure, run.measures) if ranks(figure)]
    return [replace(rule, measure=figure) for figure in figures] or [rule]
