"""A judged run as JUnit XML: a case a rule, a failure where it is broken, an error where nobody can say."""

from collections import Counter
from typing import Final
from xml.etree import ElementTree as ET

from rankle.core.gate import GateReport, RuleVerdict, Verdict
from rankle.core.product import NAME
from rankle.reports.gate import render_gate
from rankle.reports.junit import HOST, junit_text, xml_line, xml_text

_ELEMENTS: Final = {Verdict.BROKEN: "failure", Verdict.COULD_NOT_MEASURE: "error"}


def render_gate_junit(report: GateReport) -> str:
    """One `testsuites` with the gate as its `testsuite`; valid by the schemas of Ant and of Jenkins."""
    root = ET.Element("testsuites")
    counts = Counter(rule.verdict for rule in report.rules)
    title = xml_line(f"{report.run.set.name}: gate {report.gate}")
    suite = ET.SubElement(
        root,
        "testsuite",
        {
            "name": title,
            "package": NAME,
            "id": "0",
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
    return junit_text(root)


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
