"""A judged run as JUnit XML: a case a rule, a failure where it is broken, an error where nobody can say."""

from collections import Counter
from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from rankle.core.gate import GateReport, RuleVerdict, Verdict
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.reports.gate import judged_name, render_gate
from rankle.reports.junit import HOST, add_run, junit_text, xml_line, xml_text
from rankle.reports.run_names import run_names

_ELEMENTS: Final = {Verdict.BROKEN: "failure", Verdict.COULD_NOT_MEASURE: "error"}


def render_gates_junit(reports: Sequence[GateReport]) -> str:
    """One `testsuites` with a `testsuite` a gate; valid by the schemas of Ant and of Jenkins."""
    root = ET.Element("testsuites")
    add_gates(root, reports)
    return junit_text(root)


def add_gates(root: ET.Element, reports: Sequence[GateReport]) -> None:
    """A `testsuite` a gate, behind those that are there."""
    for report in reports:
        title = xml_line(f"{judged_name(report.run)}: gate {report.gate}")
        _add_gate(root, report, title, place=len(root))


def render_judged_junit(runs: Sequence[RunReport], gates: Sequence[GateReport]) -> str:
    """The suite of each run, as `render_junit` makes it, and behind it that of its gate."""
    root = ET.Element("testsuites")
    for run, name, gate in zip(runs, run_names(runs), gates, strict=True):
        add_run(root, run, name, place=len(root))
        title = xml_line(f"{run.set.name}: {name}: gate {gate.gate}")
        _add_gate(root, gate, title, place=len(root))
    return junit_text(root)


def _add_gate(root: ET.Element, report: GateReport, title: str, *, place: int) -> None:
    counts = Counter(rule.verdict for rule in report.rules)
    suite = ET.SubElement(
        root,
        "testsuite",
        {
            "name": title,
            "package": NAME,
            "id": str(place),
            "timestamp": report.run.created[:19],  # the schema allows neither a fraction nor a zone
            "hostname": HOST,
            "tests": str(len(report.rules)),
            "failures": str(counts[Verdict.BROKEN]),
            "errors": str(counts[Verdict.COULD_NOT_MEASURE]),
            "skipped": "0",
            "time": "0.000",
        },
    )
    properties = ET.SubElement(suite, "properties")
    for key, value in _properties(report):
        ET.SubElement(properties, "property", {"name": key, "value": xml_line(value)})
    for rule in report.rules:
        _add_rule(suite, rule, classname=title)
    ET.SubElement(suite, "system-out").text = xml_text(render_gate(report))
    ET.SubElement(suite, "system-err").text = ""


def _properties(report: GateReport) -> list[tuple[str, str]]:
    run, baseline = report.run, report.baseline
    about = [("verdict", str(report.verdict)), ("run", run.id), ("set", run.set.name)]
    about += [("system", run.system.name), ("method", run.system.method)]
    return about + ([("baseline", baseline.name), ("baseline.run", baseline.run)] if baseline else [])


def _add_rule(suite: ET.Element, rule: RuleVerdict, *, classname: str) -> None:
    """Named by what is asked, which is the same from run to run; the figures stand in the message."""
    about = {"name": xml_line(rule.rule), "classname": classname, "time": "0.000"}
    case = ET.SubElement(suite, "testcase", about)
    if rule.verdict in _ELEMENTS:
        shown = {"type": rule.kind, "message": xml_line(rule.why)}
        ET.SubElement(case, _ELEMENTS[rule.verdict], shown).text = xml_text(f"{rule.rule}\n{rule.why}")
