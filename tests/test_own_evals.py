"""The project's own evals, as the README runs them."""

import json

import pytest

from fakes.command import rankle, succeed
from tools.docs_check import REPOSITORY


def test_handbook_reaches_its_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    succeed("index", "examples/handbook")
    report = json.loads(rankle("run", "evals", "--no-record", "--json").out)
    assert report["exit_code"] == 0, report["verdict"]
    assert [(one["threshold"], one["n_cases"]) for one in report["evals"]] == [(70, 111), (70, 111)]
