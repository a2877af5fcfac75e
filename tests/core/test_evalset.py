"""Labels that no set may hold, wherever it comes from."""

import re
from typing import Any

import pytest

from rankle.core.errors import InputError
from rankle.core.evalset import MAX_GRADE, Label


@pytest.mark.parametrize("grade", [MAX_GRADE + 1, -MAX_GRADE - 1, 2**31 * 1.0, 1e30, 0.5, "2", None])
def test_a_grade_is_an_integer_in_its_range(grade: Any) -> None:
    message = f'the grade of "a" must be an integer from 0 to 2147483647, got {grade!r}'
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Label("a", grade=grade)


@pytest.mark.parametrize("grade", [0, 1, -1, MAX_GRADE])
def test_every_grade_in_its_range_is_taken(grade: int) -> None:
    assert Label("a", grade=grade).grade == grade
