"""Results as plain data, frames and tables."""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from rankle.core.errors import InputError
from rankle.core.tables import Tabular, html_table


@dataclass(frozen=True, slots=True)
class Result(Tabular):
    name: str
    score: float
    low: float | None
    values: Any = ()


@dataclass(frozen=True, slots=True)
class Several(Tabular):
    results: tuple[Result, ...]

    def to_rows(self) -> list[dict[str, Any]]:
        return [{"name": one.name, "score": one.score} for one in self.results]


ONE = Result("a", 0.123456, None, {"x": (1, np.float64(2.5)), "y": np.arange(2)})
TWO = Several((ONE, Result("b", 0.5, 0.1)))


def test_plain_data_goes_through_json_unchanged() -> None:
    expected = {"name": "a", "score": 0.123456, "low": None, "values": {"x": [1, 2.5], "y": [0, 1]}}
    assert ONE.to_dict() == expected
    assert json.loads(json.dumps(TWO.to_dict()))["results"][0] == expected


def test_frames_hold_a_row_of_each_result() -> None:
    assert TWO.to_polars().rows() == [("a", 0.123456), ("b", 0.5)]
    assert TWO.to_pandas().to_dict("records") == TWO.to_rows()
    assert Result("b", 0.5, 0.1).to_polars().columns == ["name", "score", "low", "values"]


def test_a_single_result_reads_downwards() -> None:
    html = Result("a", 0.123456, None)._repr_html_()
    assert html.startswith("<table><thead><tr><th></th><th>Result</th></tr></thead>")
    assert "<tr><td>score</td><td>0.1235</td></tr><tr><td>low</td><td>–</td></tr>" in html


def test_several_results_are_rows() -> None:
    assert "<tr><th>name</th><th>score</th></tr></thead><tbody><tr><td>a</td>" in TWO._repr_html_()
    assert html_table([]) == "<table><thead><tr></tr></thead><tbody></tbody></table>"


def test_text_that_looks_like_markup_is_escaped() -> None:
    html = Several((Result("<script>alert(1)</script>", 1.0, None), ONE))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_without_pandas_the_error_says_how_to_install_it() -> None:
    program = (
        "import sys; sys.modules['pandas'] = None\n"
        "from rankle.stats import paired_test\n"
        "paired_test([0.1, 0.2], [0.3, 0.1]).to_pandas()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (
        f"{InputError.__name__}: to_pandas needs pandas. Install it with: pip install pandas" in done.stderr
    )


def test_frames_are_imported_only_when_asked_for() -> None:
    program = (
        "import sys\n"
        "from rankle.stats import paired_test\n"
        "paired_test([0.1, 0.2], [0.3, 0.1])._repr_html_()\n"
        "print({'polars', 'pandas', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_results_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        ONE.score = 1.0  # type: ignore[misc]
