import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.canonical import canonical_json, fingerprint

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
).filter(lambda value: "\ud800" not in repr(value))


@given(JSON)
def test_canonical_json_reads_back_to_the_same_value(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@given(st.dictionaries(st.text(), st.integers()))
def test_the_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    backwards = dict(reversed(value.items()))
    assert canonical_json(backwards) == canonical_json(value)
    assert fingerprint(backwards) == fingerprint(value)


def test_one_spelling() -> None:
    assert canonical_json({"b": [1, 1.0, None], "a": "é\n"}) == '{"a":"é\\n","b":[1,1.0,null]}'.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf], {"x": {"y": math.nan}}])
def test_what_json_cannot_carry_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="cannot carry"):
        canonical_json(value)


@pytest.mark.parametrize("value", [{1: "a"}, [{None: 1}], {"x": {True: 1}}])
def test_keys_that_would_share_a_spelling_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="key of canonical JSON"):
        canonical_json(value)


def test_values_that_differ_have_other_fingerprints() -> None:
    values: list[Any] = [1, 1.0, "1", None, True, [], {}, [1], {"1": 1}, "a b", ["a", "b"]]
    assert len({fingerprint(value) for value in values}) == len(values)
