"""The name and version of the product; the only place where either is written in the code."""

from typing import Final

NAME: Final = "rankle"
VERSION: Final = "0.1.0"
