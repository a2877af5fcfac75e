"""`rankle ratings agreement`: how far raters agree on what several of them rated."""

import json
from pathlib import Path

import pytest

from fakes.command import GUIDE, succeed, write_files
from fakes.schemas import valid_json


@pytest.fixture
def chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("RANKLE_RATER", "anna")
    succeed("index", write_files(tmp_path / "guide", GUIDE))
    found = json.loads(succeed("search", "battery voltage", "--json"))["results"]
    return [result["chunk"] for result in found]


def test_raters_agreement_is_over_what_several_rated(chunks: list[str]) -> None:
    def give(chunk: str, rating: str, rater: str) -> None:
        succeed("rate", chunk, "--query", "battery", "--rating", rating, "--rater", rater)

    give(chunks[0], "4", "anna")
    assert succeed("ratings", "agreement") == "Agreement of judges: no two judged the same passages yet.\n"
    assert valid_json(succeed("ratings", "agreement", "--json"))["agreement"] is None
    give(chunks[0], "4", "ben")
    give(chunks[1], "1", "anna")
    give(chunks[1], "1", "ben")
    assert succeed("ratings", "agreement") == (
        "Agreement of 2 judges: Krippendorff's alpha 1.00 (ordinal) on 2 passages\n"
        "  anna and ben: Cohen's kappa 1.00 on 2\n"
    )
    found = valid_json(succeed("ratings", "agreement", "--json"))["agreement"]
    assert (found["judges"], found["alpha"]["value"]) == (["anna", "ben"], 1.0)
