import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from rankle.core import errors
from rankle.core.errors import BadLinesError, Fault, MissingExtraError, RankleError, UnknownNameError


def test_an_unknown_name_is_said_with_the_nearest() -> None:
    error = UnknownNameError(what="method", name="ftss5", known=["fts5", "vector", "hybrid"])
    assert str(error) == 'unknown method "ftss5"; did you mean "fts5"?'
    assert error.nearest == ("fts5",)


def test_several_near_names_are_all_said() -> None:
    error = UnknownNameError(what="name", name="aab", known=["aac", "aad", "zzz"])
    assert str(error) == 'unknown name "aab"; did you mean "aac" or "aad"?'


def test_without_a_near_name_the_hint_says_where_to_look() -> None:
    error = UnknownNameError(
        what="workspace", name="x", known=["handbook"], hint="See: rankle workspace list"
    )
    assert str(error) == 'unknown workspace "x". See: rankle workspace list'


def test_all_faults_of_a_file_are_in_one_report() -> None:
    error = BadLinesError(path="s.jsonl", faults=[Fault(3, "no query"), Fault(None, "no newline")])
    assert str(error) == "s.jsonl:3: no query\ns.jsonl: no newline"


def test_a_long_report_is_cut_and_says_so() -> None:
    error = BadLinesError(path="s.jsonl", faults=[Fault(n, "bad") for n in range(1, 31)])
    lines = str(error).splitlines()
    assert len(lines) == BadLinesError.shown + 1
    assert lines[-1] == "… and 10 more faults in s.jsonl"
    assert len(error.faults) == 30


def test_a_missing_extra_names_the_command_that_installs_it() -> None:
    error = MissingExtraError(what="Vectors", extra="local")
    assert str(error) == "Vectors needs an optional package. Install it with: pip install 'rankle[local]'"


@pytest.mark.parametrize("name", [name for name in dir(errors) if name.endswith("Error")])
def test_every_error_for_users_means_could_not_measure(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, RankleError)
    assert kind.exit_code == 2


NAMES = st.text("abAB_ß", max_size=6)


@given(name=NAMES, known=st.sets(NAMES, max_size=6), cutoff=st.sampled_from([50.0, 60.0, 75.0, 100.0]))
@example(name="abab", known={"abab"}, cutoff=100.0)
@example(name="", known={""}, cutoff=60.0)
def test_no_near_name_is_passed_over(name: str, known: set[str], cutoff: float) -> None:
    found = errors.nearest(name, known, limit=len(known), cutoff=cutoff)
    assert set(found) == {
        each for each in known if fuzz.ratio(name.casefold(), each.casefold(), score_cutoff=cutoff) >= cutoff
    }
