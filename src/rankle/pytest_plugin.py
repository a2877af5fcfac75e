"""Evals as tests of pytest, where they are asked for: `pytest --rankle evals/`.

An eval is a test: it passes where `rankle run` would end with 0. Its scores stand in the report, and as
properties of the test in JUnit files. Nothing of rankle is imported unless `--rankle` is given.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from rankle.core.evals import EvalSummary
    from rankle.harness.evals.suite import Suite

_PROPERTY: Final = "rankle"
"""Name of the property of a test that holds its line of the summary."""
_ROOT: Final = pytest.StashKey[Path]()
"""The project's folder."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rankle", "evals of rankle")
    group.addoption("--rankle", action="store_true", help="run the evals in *_eval.py and eval_*.py as tests")
    group.addoption("--rankle-trials", type=int, metavar="N", help="how often each case is run")
    group.addoption("--rankle-threshold", type=float, metavar="PERCENT", help="what each eval must reach")
    group.addoption("--rankle-no-record", action="store_true", help="leave no record, and use no cache")


def pytest_configure(config: pytest.Config) -> None:
    """Set up what evals need before the first file of them is loaded."""
    if not config.getoption("rankle"):
        return
    from rankle.app.eval_settings import load_eval_settings
    from rankle.app.eval_setup import set_up
    from rankle.core.errors import RankleError

    try:
        settings = load_eval_settings(config.rootpath)
        set_up(settings.setup_files)
    except RankleError as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[_ROOT] = settings.root


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "EvalFile | None":
    if not parent.config.getoption("rankle"):
        return None
    from rankle.app.eval_discovery import is_eval_file

    if not is_eval_file(file_path.name):
        return None
    file: EvalFile = EvalFile.from_parent(parent, path=file_path)
    return file


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The scores of all evals."""
    lines = [
        text
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, text in report.user_properties
        if name == _PROPERTY
    ]
    if lines:
        terminalreporter.section("rankle")
        for line in lines:
            terminalreporter.write_line(line)


class EvalFile(pytest.File):
    """A file of evals."""

    def collect(self) -> "Iterator[EvalItem]":
        from rankle.app.eval_files import load_eval_file
        from rankle.harness.evals.choosing import marked_to_run

        suites = load_eval_file(self.path, root=self.config.stash[_ROOT])
        wanted = {id(suite) for suite in marked_to_run(suites)}
        for suite in suites:
            item = EvalItem.from_parent(self, name=suite.name, suite=suite)
            if id(suite) not in wanted:
                item.add_marker(pytest.mark.skip(reason="left out by its marks"))
            yield item


class EvalItem(pytest.Item):
    """One eval, with all its variants."""

    def __init__(self, *, suite: "Suite", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.suite = suite

    def runtest(self) -> None:
        from rankle.app.run_evals import evals_run
        from rankle.reports.evals_terminal import evals_text

        with evals_run(self._request()) as finished:
            for one in finished.run.evals:
                self.user_properties += _properties(one)
            text = evals_text(finished.run, saved=True)
        if finished.run.summary.exit_code:
            raise EvalFailedError(text)
        self.add_report_section("call", "rankle", text)

    def _request(self) -> Any:
        from rankle.app.evals_request import EvalsRequest
        from rankle.app.record_request import recording_of
        from rankle.app.wiring.records import records_place
        from rankle.harness.evals.asking import checked_asked
        from rankle.harness.evals.options import Asked

        option = self.config.getoption
        asked = Asked(trials=option("rankle_trials"), threshold=option("rankle_threshold"))
        place = None if option("rankle_no_record") else records_place(cwd=self.config.rootpath).path
        return EvalsRequest(
            suites=(self.suite,),
            asked=checked_asked(asked, called=lambda name: f"--rankle-{name}"),
            recording=recording_of(place or False),
            cwd=self.config.rootpath,
        )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from rankle.core.errors import RankleError

        if isinstance(excinfo.value, EvalFailedError | RankleError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        place = self.suite.place
        return self.path, None if place is None else place.line - 1, self.name


class EvalFailedError(Exception):
    """An eval that missed its threshold, or could not be measured; its text is the whole report."""


def _properties(one: "EvalSummary") -> Iterable[tuple[str, object]]:
    from rankle.reports.evals_words import eval_title, figure, scorer_title

    means = [(scorer.name, scorer.mean) for scorer in one.scorers]
    told = ", ".join(f"{scorer_title(name)} {figure(mean)}" for name, mean in means)
    failed = f", {one.n_failed} of {one.n_cases} cases failed" if one.n_failed else ""
    yield _PROPERTY, f"{eval_title(one)}: {told or 'no score'}{failed}"
    variant = f"[{one.variant}] " if one.variant else ""
    yield from ((f"{variant}{name}", mean) for name, mean in means)
