"""A run of evals as JUnit XML: a suite an eval, a case a case.

A case that crashed is an error, and so is a scorer of the whole run that did, and an eval or a file that
could not be run. A case that was answered badly is none: whether an eval is good enough is what its threshold
says, which has a testcase of its own.
"""

from typing import Final
from xml.etree import ElementTree as ET

from rankle.core.evals import BrokenFile, EvalsRun, EvalSummary, ScorerSummary
from rankle.core.gate import GatesReport
from rankle.core.product import NAME
from rankle.core.trials import CaseReport, ErrorReport
from rankle.reports.evals_as_run import input_text
from rankle.reports.evals_terminal import eval_text
from rankle.reports.evals_words import error_words, threshold_words
from rankle.reports.gate_junit import add_gates
from rankle.reports.junit import HOST, junit_text, xml_line, xml_text

THRESHOLD: Final = "threshold"
_LONGEST: Final = 80


def render_evals_junit(run: EvalsRun, gates: GatesReport | None = None) -> str:
    """One `testsuites` with a `testsuite` for each eval, file that was not loaded, and gate; valid by the
    schemas of Ant and of Jenkins."""
    root = ET.Element("testsuites")
    for one in run.evals:
        _add_eval(root, run, one)
    for broken in run.summary.broken_files:
        _add_broken(root, run, broken)
    add_gates(root, gates.gates if gates is not None else [])
    return junit_text(root)


def _add_eval(root: ET.Element, run: EvalsRun, one: EvalSummary) -> None:
    suite = _suite(root, run, one.key, took_s=one.took_s)
    properties = ET.SubElement(suite, "properties")
    for key, value in _properties(run, one):
        ET.SubElement(properties, "property", {"name": xml_line(key), "value": xml_line(value)})
    title = suite.attrib["name"]
    if one.error is not None:
        _add_error(_testcase(suite, one.name, classname=title), one.error)
    for case in run.read_cases(one.id) if one.error is None else ():
        _add_case(suite, case, classname=title)
    for said in one.run_scores:
        if said.error is not None:
            _add_error(_testcase(suite, f"whole run: {said.name}", classname=title), said.error)
    if one.threshold is not None and one.error is None:
        _add_threshold(suite, one, classname=title)
    _count(suite)
    ET.SubElement(suite, "system-out").text = xml_text(eval_text(one))
    ET.SubElement(suite, "system-err").text = ""


def _add_broken(root: ET.Element, run: EvalsRun, broken: BrokenFile) -> None:
    suite = _suite(root, run, broken.file, took_s=0)
    ET.SubElement(suite, "properties")
    _add_error(_testcase(suite, "load", classname=suite.attrib["name"]), broken.error)
    _count(suite)
    ET.SubElement(suite, "system-out").text = ""
    ET.SubElement(suite, "system-err").text = xml_text(broken.error.traceback or "")


def _suite(root: ET.Element, run: EvalsRun, name: str, *, took_s: float) -> ET.Element:
    return ET.SubElement(
        root,
        "testsuite",
        {
            "name": xml_line(name),
            "package": NAME,
            "id": str(len(root)),
            "timestamp": run.summary.created[:19],  # the schema allows neither a fraction nor a zone
            "hostname": HOST,
            "tests": "0",
            "failures": "0",
            "errors": "0",
            "skipped": "0",
            "time": f"{took_s:.3f}",
        },
    )


def _count(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(element) is not None for case in cases)))


def _properties(run: EvalsRun, one: EvalSummary) -> list[tuple[str, str]]:
    """What was run, and every figure to the last digit; one that does not exist is left out."""
    about = [
        ("eval.run", run.summary.id),
        ("eval.id", one.id),
        ("eval.data", one.data),
        ("eval.data.fingerprint", one.data_fingerprint),
        ("eval.trials", str(one.trials)),
        ("eval.n_cases", str(one.n_cases)),
        ("eval.n_failed", str(one.n_failed)),
        ("eval.n_cached", str(one.n_cached)),
        ("eval.n_flaky", str(one.n_flaky)),
        (f"{NAME}_version", run.summary.rankle_version),
    ]
    about += [("eval.score", repr(one.score))] if one.score is not None else []
    about += [("eval.threshold", repr(one.threshold))] if one.threshold is not None else []
    for scorer in one.scorers:
        for part, value in _figures(scorer).items():
            about += [(f"{scorer.name}{part}", repr(value))] if value is not None else []
        about += [(f"{scorer.name}.description", scorer.description)] if scorer.description else []
    return about


def _figures(scorer: ScorerSummary) -> dict[str, float | None]:
    return {
        "": scorer.mean,
        ".low": scorer.low,
        ".high": scorer.high,
        ".n_scored": scorer.n_scored,
        ".n_undefined": scorer.n_undefined,
        ".n_failed": scorer.n_failed,
        ".change": None if scorer.change is None else scorer.change.difference,
    }


def _testcase(suite: ET.Element, name: str, *, classname: str, took_ms: float = 0.0) -> ET.Element:
    about = {"name": xml_line(name), "classname": classname, "time": f"{took_ms / 1000:.3f}"}
    return ET.SubElement(suite, "testcase", about)


def _add_case(suite: ET.Element, case: CaseReport, *, classname: str) -> None:
    """Its name holds no figure, so that CI systems follow one case from run to run."""
    took = sum(trial.took_ms or 0.0 for trial in case.trials)
    name = f"{case.id} {input_text(case.input)[:_LONGEST]}"
    element = _testcase(suite, name, classname=classname, took_ms=took)
    if case.status == "undefined":
        ET.SubElement(element, "skipped", {"message": "no scorer gave it a value"})
    if case.status != "failed":
        return
    errors = [trial.error for trial in case.trials]
    errors += [score.error for trial in case.trials for score in trial.scores]
    known = [error for error in errors if error is not None]
    _add_error(
        element, known[0] if known else ErrorReport(type="Failure", message="it failed without a word")
    )


def _add_error(case: ET.Element, error: ErrorReport) -> None:
    shown = {"type": xml_line(error.type), "message": xml_line(error_words(error))}
    text = f"{error_words(error)}\n{error.traceback or ''}"
    ET.SubElement(case, "error", shown).text = xml_text(text.rstrip())


def _add_threshold(suite: ET.Element, one: EvalSummary, *, classname: str) -> None:
    """A failure where it is missed, an error where there is no score to hold against it."""
    case = _testcase(suite, f"{THRESHOLD} {one.threshold:g} %", classname=classname)
    words = threshold_words(one)
    if one.passed is None:
        ET.SubElement(case, "error", {"type": "CouldNotMeasure", "message": words})
    elif not one.passed:
        ET.SubElement(case, "failure", {"type": "ThresholdMissed", "message": words})
