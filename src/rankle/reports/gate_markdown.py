"""A judged run as Markdown, for a pull request or the summary of a job: broken rules first."""

from rankle.core.gate import GateReport, GatesReport, RuleVerdict, Verdict
from rankle.reports.gate import end_words, judged_name, unjudged_words, verdict_words
from rankle.reports.markdown import escaped, table

_ORDER = (Verdict.BROKEN, Verdict.COULD_NOT_MEASURE, Verdict.PASSED)


def render_gate_markdown(report: GateReport) -> str:
    """A heading with the verdict and a row a rule, ending in a line break. Text from elsewhere is escaped."""
    run, baseline = report.run, report.baseline
    about = f"{escaped(judged_name(run))}, method {escaped(run.system.method)}, run `{run.id}`"
    if baseline is not None:
        about += f", against {escaped(baseline.name)} (run `{baseline.run}` of {escaped(baseline.created)})"
    rules = sorted(report.rules, key=lambda rule: _ORDER.index(rule.verdict))
    blocks = [
        f"## Gate: {report.verdict}",
        f"{escaped(report.gate)}: {about}",
        table(["Verdict", "Rule", "Figures"], [_row(rule) for rule in rules]),
        end_words(report),
    ]
    return "\n\n".join(blocks) + "\n"


def render_gates_markdown(found: GatesReport) -> str:
    """Each gate after another, then the evals of which nothing can be said."""
    ends = [f"{escaped(words)}\n" for words in unjudged_words(found)]
    return "\n".join([*map(render_gate_markdown, found.gates), *ends])


def _row(rule: RuleVerdict) -> list[str]:
    words = verdict_words(rule.verdict)
    bold = words if rule.verdict is Verdict.PASSED else f"**{words}**"
    return [bold, escaped(rule.rule), escaped(rule.why)]
