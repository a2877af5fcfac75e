"""Charts as SVG: what the paths draw, by their coordinates, and text that is escaped."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.reports.charts import difference_chart, interval_bar, profile_chart, share_bar


def test_a_profile_falls_from_the_best_query_to_the_worst() -> None:
    """Three queries over 416 units of width from x = 56; score 1 is at y = 10, score 0 at y = 172."""
    chart = profile_chart([[0.0, 1.0, 0.5]], label="x")
    assert 'class="line c0" d="M56.0 10.0H194.7V91.0H333.3V172.0H472.0"' in chart
    assert 'class="area c0"' in chart


def test_queries_with_one_score_share_a_level() -> None:
    assert 'd="M56.0 10.0H472.0"' in profile_chart([[1.0, 1.0, 1.0]], label="x")


def test_each_run_has_a_line_of_its_own_class_and_none_without_scores() -> None:
    chart = profile_chart([[1.0], [], [0.5]], label="x")
    assert re.findall(r'class="line (\w+)"', chart) == ["c0", "c2"]
    assert "area" not in chart


def test_gains_stand_above_the_line_and_losses_below() -> None:
    """Zero is at y = 91, the larger of both sides at 10 and 172."""
    chart = difference_chart([-0.5, 0.0, 0.5, 1e-12], label="x")
    gain, loss = re.findall(r'class="(?:gain|loss)" d="([^"]*)"', chart)
    assert re.fullmatch(r"M56\.50 91\.0V10\.0H159\.50V91\.0Z", gain)
    assert re.fullmatch(r"M368\.50 91\.0V172\.0H471\.50V91\.0Z", loss)


def test_no_difference_is_no_chart() -> None:
    assert difference_chart([], label="x") == ""


def test_an_interval_is_a_line_over_its_bar() -> None:
    bar = interval_bar(0.5, 0.25, 0.75)
    assert 'class="mean" x="0" y="3" height="6" width="50.0"' in bar
    assert "M25.0 6H75.0M25.0 2V10M75.0 2V10" in bar
    assert "whisker" not in interval_bar(0.5, None, None)
    assert interval_bar(None, None, None) == ""


def test_a_share_is_a_bar() -> None:
    assert 'class="fill c1" height="8" width="25.0"' in share_bar(0.25, place=1)


def test_a_label_is_escaped() -> None:
    assert 'aria-label="&lt;b&gt; &amp; &#34;x&#34;"' in profile_chart([[1.0]], label='<b> & "x"')


@pytest.mark.parametrize("n", [1, 7, 5774])
@given(data=st.data())
def test_everything_stays_inside_of_the_chart(n: int, data: st.DataObject) -> None:
    seed = data.draw(st.lists(st.floats(-1, 1), min_size=1, max_size=7))
    values = [seed[place % len(seed)] for place in range(n)]
    for chart in (
        profile_chart([[abs(value) for value in values]], label=""),
        difference_chart(values, label=""),
    ):
        paths = " ".join(re.findall(r' d="([^"]*)"', chart))
        xs = [float(x) for x in re.findall(r"[MH](-?[\d.]+)", paths)]
        ys = [float(y) for y in re.findall(r"(?:M-?[\d.]+ |V)(-?[\d.]+)", paths)]
        assert all(0 <= x <= 480 for x in xs)
        assert all(0 <= y <= 200 for y in ys)
