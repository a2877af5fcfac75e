"""Reports at the widths of narrow terminals: no line is wider, whatever is asked for and stands in it."""

import pytest
from rich.cells import cell_len

from fakes.exported_runs import two_runs
from rankle.reports.methods import render_methods
from rankle.reports.scores import render_scores
from rankle.reports.terminal import render_run


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("more", [False, True], ids=["plain", "with all options"])
def test_no_line_is_wider_than_the_terminal(width: int, more: bool) -> None:
    texts = [
        *(render_run(run, width=width, intervals=more, funnel=more) for run in two_runs()),
        render_methods(two_runs(), width=width, intervals=more, funnel=more),
        render_scores(two_runs(), width=width),
        render_scores(two_runs() * 4, width=width),
    ]
    for text in texts:
        assert [line for line in text.splitlines() if cell_len(line) > width] == []
