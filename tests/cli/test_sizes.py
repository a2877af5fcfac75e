"""Sizes are read as people type them."""

import pytest

from rankle.cli.sizes import parse_size
from rankle.core.errors import InputError


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [
        ("0", 0), ("512", 512), ("512B", 512), ("500MB", 500_000_000), ("1.5 GB", 1_500_000_000),
        ("2k", 2000), ("2KiB", 2048), ("1TiB", 1024**4), (" 3mb ", 3_000_000),
    ],
    ids=str,
)  # fmt: skip
def test_a_size_is_read(text: str, n_bytes: int) -> None:
    assert parse_size(text, option="--max-size") == n_bytes


@pytest.mark.parametrize("text", ["", "MB", "-1MB", "1e9", "1XB", "1iB", "a 1MB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"--max-size is a size such as 500MB, 1\.5GB or 200MiB"):
        parse_size(text, option="--max-size")
