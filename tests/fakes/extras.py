"""What happens to a test that needs an optional extra, where the extra is not installed."""

import importlib.util
from typing import Final

import pytest

EXTRAS: Final = {"needs_local": ("onnx", "onnxruntime", "tokenizers"), "needs_llm": ("openai",)}
"""The mark of a test to the packages that its extra brings on every platform."""
VARIABLE: Final = "RANKLE_EXTRAS"
ALL: Final = "all"


def require_extra(mark: str, *, demanded: str | None) -> None:
    """Skip the running test where the extra is absent, and fail it where it must not be.

    An extra of which only some packages are there is no reason to skip: its tests run, and tell.
    demanded: the value of RANKLE_EXTRAS; `all` where everything must be installed, as in CI.
    """
    if demanded not in {None, "", ALL}:
        pytest.fail(f'{VARIABLE} must be "{ALL}" or unset, got "{demanded}"', pytrace=False)
    packages = EXTRAS[mark]
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    if missing and demanded == ALL:
        pytest.fail(f"{', '.join(missing)} is not installed, but {VARIABLE} is {ALL}", pytrace=False)
    if len(missing) == len(packages):
        pytest.skip(f"the extra `{mark.removeprefix('needs_')}` is not installed")
