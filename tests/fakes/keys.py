"""Somebody at a keyboard whose every key is known beforehand."""

from collections.abc import Iterable, Iterator

from rankle.cli.keyboard import END


class Typed:
    """Implements `cli.keyboard.Keyboard`: types one key after the other, and lines where lines are asked for.

    After the last key nothing more comes.
    """

    def __init__(self, keys: str, lines: Iterable[str] = ()) -> None:
        self._keys = iter(keys)
        self._lines: Iterator[str] = iter(lines)

    def key(self) -> str:
        return next(self._keys, END)

    def line(self, prompt: str) -> str | None:
        return next(self._lines, None)
