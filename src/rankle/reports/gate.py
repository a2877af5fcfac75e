"""A judged run for people: a line a rule with its verdict, the figures below it, and what it comes to."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from rankle.core.gate import GateReport, GatesReport, JudgedRun, RuleVerdict, Verdict
from rankle.core.run import RunReport, RunsReport
from rankle.reports.evals_as_run import SYSTEM
from rankle.reports.json_text import json_text
from rankle.reports.layout import WIDTH, one_line, pad, wrapped

_VERDICTS: Final = {
    Verdict.PASSED: "passed",
    Verdict.BROKEN: "BROKEN",
    Verdict.COULD_NOT_MEASURE: "could not measure",
}
_COLUMN: Final = 19
"""Cells that a verdict takes; on narrower terminals the rule stands below it."""
_ENDS: Final = {
    Verdict.PASSED: "Passed",
    Verdict.BROKEN: "Broken",
    Verdict.COULD_NOT_MEASURE: "Could not measure",
}
_COUNTED: Final = {
    Verdict.PASSED: "passed",
    Verdict.BROKEN: "broken",
    Verdict.COULD_NOT_MEASURE: "could not be measured",
}


def render_gate(report: GateReport, *, width: int = WIDTH) -> str:
    """Text for a terminal, ending in a line break. On a narrow one the rule stands below its verdict."""
    blocks = [_header(report, width), _rules(report.rules, width), _end(report, width)]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def render_gates(found: GatesReport, *, width: int = WIDTH) -> str:
    """Each gate after another, then the evals of which nothing can be said."""
    blocks = [render_gate(one, width=width).rstrip("\n") for one in found.gates]
    blocks += [
        "\n".join(wrapped(one_line(words), rest="  ", width=width, breaking=True))
        for words in unjudged_words(found)
    ]
    return "\n\n".join(blocks) + "\n"


def unjudged_words(found: GatesReport) -> list[str]:
    """The evals of which nothing can be said, and why."""
    told = [("No gate speaks of", found.without_gate), ("Could not be run, so not judged", found.not_run)]
    return [f"{words}: {', '.join(keys)}" for words, keys in told if keys]


def judged_name(run: JudgedRun) -> str:
    """What was judged: the set, or of an eval its key."""
    return run.system.name.removeprefix(SYSTEM) if run.level == "case" else run.set.name


def render_gates_json(found: GatesReport) -> str:
    """One gate as `rankle.gate/1`, several as `rankle.gates/1`, indented."""
    value = found.gates[0] if found.is_one else found
    return json_text(value)


def render_judged_json(runs: Sequence[RunReport], gates: Sequence[GateReport]) -> str:
    """What `render_json` gives, with the `rankle.gate/1` of each run beside its members, as `gate`."""
    judged = [
        {**msgspec.to_builtins(run), "gate": msgspec.to_builtins(gate)}
        for run, gate in zip(runs, gates, strict=True)
    ]
    value = judged[0] if len(judged) == 1 else {**msgspec.to_builtins(RunsReport(runs=[])), "runs": judged}
    return json_text(value)


def _header(report: GateReport, width: int) -> list[str]:
    run = report.run
    lines = wrapped(
        f"{one_line(judged_name(run))}, method {one_line(run.system.method)}, run {run.id}",
        first=f"Gate {one_line(report.gate)}: ", rest="  ", width=width,
    )  # fmt: skip
    if report.baseline is not None:
        baseline = report.baseline
        words = f"Baseline: {one_line(baseline.name)}, run {baseline.run} of {baseline.created}"
        lines += wrapped(words, rest="  ", width=width)
    return lines


def _rules(rules: Sequence[RuleVerdict], width: int) -> list[str]:
    lines: list[str] = []
    indent = " " * (_COLUMN if width >= 3 * _COLUMN else 2)
    for rule in rules:
        verdict = _VERDICTS[rule.verdict]
        if len(indent) == _COLUMN:
            first = pad(verdict, _COLUMN)
        else:
            lines.append(verdict)
            first = indent
        lines += wrapped(one_line(rule.rule), first=first, rest=indent, width=width, breaking=True)
        lines += wrapped(one_line(rule.why), first=indent, rest=indent, width=width, breaking=True)
    return lines


def _end(report: GateReport, width: int) -> list[str]:
    return wrapped(end_words(report), rest="  ", width=width)


def end_words(report: GateReport) -> str:
    """What all rules come to, in one sentence."""
    counts = Counter(rule.verdict for rule in report.rules)
    each = ", ".join(f"{counts[verdict]} {words}" for verdict, words in _COUNTED.items() if counts[verdict])
    return f"{_ENDS[report.verdict]}. {len(report.rules)} rules: {each}. Exit code {report.exit_code}."


def verdict_words(verdict: Verdict) -> str:
    """The verdict on a rule, a broken one in capitals."""
    return _VERDICTS[verdict]
