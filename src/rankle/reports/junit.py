"""Runs as JUnit XML, which CI systems show: what could not be measured is an error, figures are properties.

A run is a suite, each of its measures a case, and so is each query on which the system failed. A query that
the system answered badly is no case: whether a figure is good enough is a question for a gate, not for a
report, and a suite that is always red would soon be ignored.
"""

import re
from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from rankle.core.product import NAME
from rankle.core.run import MeasureSummary, QueryReport, RunReport
from rankle.reports.abstention import abstention_figures
from rankle.reports.layout import one_line
from rankle.reports.run_names import run_names
from rankle.reports.terminal import render_run

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""
HOST: Final = "localhost"
"""What the schema wants where the host is not known; a record does not keep it."""


def render_junit(runs: Sequence[RunReport]) -> str:
    """One `testsuites` with a `testsuite` a run; valid by the schemas of Ant and of Jenkins."""
    root = ET.Element("testsuites")
    for place, (run, name) in enumerate(zip(runs, run_names(runs), strict=True)):
        add_run(root, run, name, place=place)
    return junit_text(root)


def junit_text(root: ET.Element) -> str:
    """A whole file, indented, ending in a line break."""
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def add_run(root: ET.Element, run: RunReport, name: str, *, place: int) -> None:
    """Add the suite of a run. name: which of the runs it is; place: its number among the suites, from 0."""
    failed = [query for query in run.queries if query.status == "failed"]
    nothing = [measure for measure, one in run.measures.items() if one.mean is None]
    took_ms = sum(query.took_ms or 0.0 for query in run.queries if not query.reused_from)
    title = xml_line(f"{run.set.name}: {name}")
    suite = ET.SubElement(
        root,
        "testsuite",
        {
            "name": title,
            "package": NAME,
            "id": str(place),
            "timestamp": run.created[:19],  # the schema allows neither a fraction nor a zone
            "hostname": HOST,
            "tests": str(len(run.measures) + len(failed)),
            "failures": "0",
            "errors": str(len(failed)),
            "skipped": str(len(nothing)),
            "time": _seconds(took_ms),
        },
    )
    properties = ET.SubElement(suite, "properties")
    for key, value in _properties(run):
        ET.SubElement(properties, "property", {"name": key, "value": xml_line(value)})
    for measure, summary in run.measures.items():
        _add_measure(suite, measure, summary, classname=title)
    for query in failed:
        _add_failure(suite, query, classname=title)
    ET.SubElement(suite, "system-out").text = xml_text(render_run(run, saved=True))
    ET.SubElement(suite, "system-err").text = ""


def _properties(run: RunReport) -> list[tuple[str, str]]:
    """What was measured, and every figure to the last digit; one that does not exist is left out."""
    about = [
        ("run", run.id),
        ("set", run.set.name),
        ("set.fingerprint", run.set.fingerprint),
        ("system", run.system.name),
        ("method", run.system.method),
        ("level", run.level),
        ("depth", str(run.depth)),
        ("seed", str(run.seed)),
        (f"{NAME}_version", run.rankle_version),
    ]
    for measure, one in run.measures.items():
        figures = {"": one.mean, ".low": one.low, ".high": one.high, ".n_scored": one.n_scored}
        about += [(f"{measure}{part}", repr(value)) for part, value in figures.items() if value is not None]
    for told in abstention_figures(run):
        share = told.share
        figures = {"": share.share, ".low": share.low, ".high": share.high, ".n_scored": share.n_of}
        about += [(f"{told.name}{part}", repr(value)) for part, value in figures.items() if value is not None]
    return about


def _add_measure(suite: ET.Element, measure: str, summary: MeasureSummary, *, classname: str) -> None:
    """The name holds no figure, so that CI systems follow one case from run to run."""
    case = ET.SubElement(suite, "testcase", {"name": measure, "classname": classname, "time": "0.000"})
    if summary.mean is None:
        ET.SubElement(case, "skipped", {"message": "no query was scored, so there is no figure"})


def _add_failure(suite: ET.Element, query: QueryReport, *, classname: str) -> None:
    error = query.error or "the system failed without a word"
    about = {
        "name": f"query {xml_line(query.id)}",
        "classname": classname,
        "time": _seconds(query.took_ms or 0),
    }
    case = ET.SubElement(suite, "testcase", about)
    kind = error.partition(":")[0]
    shown = {"type": kind if kind.isidentifier() else "SystemFailure", "message": xml_line(error)}
    ET.SubElement(case, "error", shown).text = xml_text(f"query: {query.query}\n{error}")


def _seconds(took_ms: float) -> str:
    return f"{took_ms / 1000:.3f}"


def xml_line(text: str) -> str:
    """Text on one line, as `xml_text` makes it."""
    return xml_text(one_line(text))


def xml_text(text: str) -> str:
    """Text with what XML cannot hold replaced; escaping is the writer's."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
