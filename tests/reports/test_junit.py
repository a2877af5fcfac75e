"""Runs as JUnit XML: the shape that both common schemas allow, figures, failures, and text that is no XML."""

import re
from xml.etree import ElementTree as ET

import msgspec
import pytest

from fakes.exported_runs import CONTROL, MARKUP, two_runs
from fakes.runs import run_report
from rankle.reports.junit import render_junit

SUITE = {
    "name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time",
}  # fmt: skip
"""What the schema of Ant demands of a suite (all but `skipped`), and no more, is what Jenkins allows too."""


@pytest.fixture
def root() -> ET.Element:
    return ET.fromstring(render_junit(two_runs()))


def test_a_run_is_a_suite_in_the_order_that_the_schemas_demand(root: ET.Element) -> None:
    assert (root.tag, root.attrib) == ("testsuites", {})
    assert [suite.get("id") for suite in root] == ["0", "1"]
    for suite in root:
        assert suite.tag == "testsuite"
        assert set(suite.attrib) == SUITE
        tags = [child.tag for child in suite]
        assert tags == ["properties", *["testcase"] * tags.count("testcase"), "system-out", "system-err"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp", ""))
        assert all(re.fullmatch(r"\d+\.\d{3}", one.get("time", "")) for one in suite.iter("testcase"))


def test_a_case_has_what_the_schemas_demand(root: ET.Element) -> None:
    cases = list(root.iter("testcase"))
    assert all(set(case.attrib) == {"name", "classname", "time"} for case in cases)
    assert all([child.tag for child in case] in ([], ["error"], ["skipped"]) for case in cases)
    assert all(set(error.attrib) == {"type", "message"} for error in root.iter("error"))


def test_counts_are_those_of_the_cases(root: ET.Element) -> None:
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        assert int(suite.get("errors", "")) == len(suite.findall("testcase/error"))
        assert int(suite.get("skipped", "")) == len(suite.findall("testcase/skipped"))
        assert suite.get("failures") == "0"


def test_each_measure_is_a_case_and_each_failed_query(root: ET.Element) -> None:
    names = [[case.get("name") for case in suite.iter("testcase")] for suite in root]
    assert names == [["nDCG@10", "Hit@10", "query q<3>"], ["nDCG@10", "Hit@10"]]


def test_a_failure_is_an_error_with_its_kind_and_the_query(root: ET.Element) -> None:
    (error,) = root.iter("error")
    assert error.get("type") == "RuntimeError"
    assert MARKUP in (error.text or "")


def test_a_measure_without_a_figure_is_skipped_not_passed() -> None:
    root = ET.fromstring(render_junit([run_report("fts5", {"AP": [None]})]))
    (skipped,) = root.iter("skipped")
    assert skipped.get("message") == "no query was scored, so there is no figure"


@pytest.mark.parametrize("text", [CONTROL, "\x00", "\udfff", "]]>", "&#0;", '"'])
def test_any_text_gives_xml_that_parses(text: str) -> None:
    run = run_report("fts5", {"AP": [None]}, error=text)
    query = msgspec.structs.replace(run.queries[0], id=text, query=text)
    ET.fromstring(render_junit([msgspec.structs.replace(run, queries=[query])]).encode())
