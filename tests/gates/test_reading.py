"""Gates as a project file writes them: what is read, and the words for what cannot be."""

import re
from pathlib import Path

import pytest

from fakes.gates import gate_of, gates_of
from rankle.core.errors import InputError, MeasureError, UnknownNameError
from rankle.gates.choosing import Asked, with_asked
from rankle.gates.choosing import gate_of as gate_for
from rankle.gates.fitting import check_measures
from rankle.gates.phases import read_phase
from rankle.gates.rules import Floor, Gate, NoRegression, Protected, Unjudged
from rankle.gates.shares import read_share
from rankle.metrics.measure import parse_measure

WHOLE = """
[gates]
name = "nightly"
set = "queries.jsonl"
baseline = "main"
min_queries = 20
max_failures = 1
max_stale_labels = 2
max_unjudged = { share = "30 %", within = 5 }
latency_p95_ms = 200
phase = "beta"

[gates.floors]
"ndcg@10" = 0.70
"Hit@10" = { at_least = "90 %", on = "low" }

[gates.no_regression]
"R@10" = 0.02

[[gates.slices]]
language = "de"
tag = "hr"
min_queries = 8
floors = { "nDCG@10" = 0.6 }

[[gates.slices]]
collection = "guides"
floors = { "nDCG@10" = 0 }

[gates.protected]
targets = ["a.md", "b.md", "a.md"]
file = "protected.txt"
within = 5
"""
NDCG, HIT, RECALL = (parse_measure(name) for name in ("nDCG@10", "Hit@10", "R@10"))


def test_every_key_is_read() -> None:
    assert gate_of(WHOLE, lines={"protected.txt": ["c.md ", "", "b.md"]}) == Gate(
        name="nightly",
        set_name="queries.jsonl",
        floors=(
            Floor(NDCG, 0.7, min_queries=20),
            Floor(HIT, 0.9, on="low", min_queries=20),
            Floor(NDCG, 0.6, where={"language": "de", "tag": "hr"}, min_queries=8),
            Floor(NDCG, 0.0, where={"collection": "guides"}, min_queries=20),
        ),
        phase=0.8,
        no_regression=(NoRegression(RECALL, 0.02),),
        latency_p95_ms=200.0,
        protected=Protected(("a.md", "b.md", "c.md"), 5),
        unjudged=Unjudged(0.3, 5),
        max_failures=1,
        max_stale_labels=2,
        min_queries=20,
        baseline="main",
    )


def test_what_is_left_out_has_its_default() -> None:
    gate = gate_of('[gates]\nfloors = { "AP" = 1 }')
    assert gate == Gate(name="rankle.toml", floors=(Floor(parse_measure("AP"), 1.0, min_queries=6),))
    assert not gate.is_empty
    assert gate_of("[gates]").is_empty


def test_every_example_of_the_documentation_is_read() -> None:
    page = Path(__file__).parents[2] / "docs" / "gates.md"
    examples = re.findall(r"^```toml\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    every, several, evals = (gates_of(text, lines={"protected.txt": ["x.md"]}) for text in examples)
    (gate,) = every
    assert (len(gate.floors), gate.phase, gate.no_regression[0].tolerance) == (5, 0.8, 0.02)
    assert [one.set_name for one in several] == ["smoke.jsonl", "queries.jsonl"]
    assert [str(floor.measure) for one in evals for floor in one.floors] == ["R@5", "exact", "Levenshtein"]


BAD = {
    "key": ("[gates]\nflors = {}", 'unknown key in rankle.toml: gates: "flors"; did you mean "floors"'),
    "percentage": ('[gates.floors]\n"AP" = 70', 'For 70 % write 0.7 or "70 %"'),
    "share as percentage": ('[gates.floors]\n"AP" = "0.7 %"', "Was 70 % meant?"),
    "one percent": ('[gates.floors]\n"AP" = "1 %"', "Was 100 % meant?"),
    "negative": ('[gates.floors]\n"AP" = -0.1', "must be a share from 0 to 1"),
    "too much": ('[gates.floors]\n"AP" = 700', "must be a share from 0 to 1"),
    "above all": ('[gates.floors]\n"AP" = "120 %"', "must be from 0 to 100 %, got 120 %"),
    "boolean": ('[gates.floors]\n"AP" = true', "must be a share such as 0.7"),
    "text": ('[gates.floors]\n"AP" = "high"', "must be a share such as 0.7"),
    "nan": ('[gates.floors]\n"AP" = nan', "must be a share such as 0.7"),
    "on": ('[gates.floors]\n"AP" = { at_least = 0.7, on = "high" }', 'must be "mean", or "low"'),
    "no limit": ('[gates.floors]\n"AP" = { on = "low" }', 'needs "at_least"'),
    "twice": ('[gates.floors]\n"AP" = 0.7\nmap = 0.6', "has AP twice"),
    "tolerance": ('[gates.no_regression]\n"AP" = 2', 'For 2 % write 0.02 or "2 %"'),
    "slice key": ('[[gates.slices]]\nlang = "de"\nfloors = {}', 'did you mean "language"'),
    "slice of all": ('[[gates.slices]]\nfloors = { "AP" = 0.7 }', "must say which queries it is about"),
    "slice without floor": ('[[gates.slices]]\ntag = "hr"', "has no floor"),
    "slices table": ('[gates.slices]\ntag = "hr"', "write [[gates.slices]]"),
    "protected": ("[gates.protected]\ntargets = []", "names nothing"),
    "protected text": ('[gates.protected]\ntargets = "a.md"', "must be a list of ids"),
    "latency": ("[gates]\nlatency_p95_ms = 0", "must be milliseconds > 0"),
    "failures": ("[gates]\nmax_failures = -1", "must be an integer >= 0"),
    "min queries": ("[gates]\nmin_queries = 2.5", "must be an integer >= 1"),
    "unjudged": ("[gates]\nmax_unjudged = { within = 5 }", 'needs "share"'),
    "phase": ('[gates]\nphase = "betta"', 'did you mean "beta"'),
    "phase as share": ("[gates]\nphase = 0.8", "Was 80 % meant?"),
    "table": ("gates = 3", "rankle.toml: gates must be a table, got 3"),
    "two for all": ("[[gates]]\n[[gates]]", "several gates without a set"),
    "two for one": ('[[gates]]\nset = "a"\n[[gates]]\nset = "a"', 'several gates for the set "a"'),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_gate_that_cannot_be_is_refused_with_what_is_allowed(name: str) -> None:
    text, words = BAD[name]
    with pytest.raises(InputError) as raised:
        gates_of(text)
    assert words in str(raised.value)
    assert str(raised.value).startswith(("rankle.toml", "unknown "))


def test_a_typo_among_the_keys_is_an_error_of_a_name() -> None:
    with pytest.raises(UnknownNameError):
        gates_of("[gates]\nflors = {}")


@pytest.mark.parametrize(
    ("table", "name", "words"),
    [
        ("floors", "nDGC@10", 'rankle.toml: gates.floors: unknown measure "nDGC@10"; did you mean "nDCG@10"'),
        ("no_regression", "R", "rankle.toml: gates.no_regression: R needs a cut, such as R@10"),
    ],
)
def test_a_name_that_is_no_measure_may_be_a_scorer_until_a_run_of_search_is_judged(
    table: str, name: str, words: str
) -> None:
    gate = gate_of(f'[gates.{table}]\n"{name}" = 0.7')
    named = [floor.measure for floor in gate.floors] + [rule.measure for rule in gate.no_regression]
    assert list(map(str, named)) == [name]
    with pytest.raises(MeasureError) as raised:
        check_measures(gate)
    assert str(raised.value).startswith(words)


@pytest.mark.parametrize(
    ("given", "share"), [(0, 0.0), (1, 1.0), (0.7, 0.7), ("70 %", 0.7), ("70.5%", 0.705), ("0 %", 0.0)]
)
def test_a_share_is_a_number_or_a_percentage_with_its_sign(given: object, share: float) -> None:
    assert read_share(given, what="floor", is_floor=True) == pytest.approx(share)


def test_a_tolerance_may_be_less_than_a_percent() -> None:
    assert read_share("0.5 %", what="tolerance", is_floor=False) == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("text", "floor"), [("mvp", 0.7), ("beta", 0.8), ("ga", 0.9), ("85", 0.85), ("85 %", 0.85)]
)
def test_a_phase_presets_its_floor(text: str, floor: float) -> None:
    assert read_phase(text, what="--phase") == pytest.approx(floor)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0.8", "Was 80 % meant?"),
        ("1", "Was 100 % meant?"),
        ("101", "from 0 to 100 %"),
        ("x8", "a percentage"),
    ],
)
def test_a_phase_is_no_share(text: str, words: str) -> None:
    with pytest.raises(InputError) as raised:
        read_phase(text, what="--phase")
    assert words in str(raised.value)


def test_a_run_is_judged_by_the_gate_of_its_set_else_by_the_one_without() -> None:
    text = '[[gates]]\nname = "all"\n[[gates]]\nname = "smoke"\nset = "smoke.jsonl"'
    gates = gates_of(text)
    names = {name: gate.name for name in ("smoke.jsonl", "other.jsonl") if (gate := gate_for(gates, name))}
    assert names == {"smoke.jsonl": "smoke", "other.jsonl": "all"}
    assert gate_for(gates[1:], "other.jsonl") is None


def test_the_command_line_goes_before_the_file() -> None:
    gate = with_asked(gate_of(WHOLE, lines={"protected.txt": []}), Asked(phase=0.9, max_failures=0))
    assert (gate.phase, gate.max_failures, gate.baseline) == (0.9, 0, "main")
    held = with_asked(gate, Asked(baseline="other"))
    assert (held.baseline, held.no_regression) == ("other", gate.no_regression)


def test_a_named_baseline_without_rules_asks_that_ndcg_at_10_stays() -> None:
    gate = with_asked(Gate("rankle"), Asked(baseline="main"))
    assert gate.no_regression == (NoRegression(NDCG, 0.02),)
