"""A line that somebody types in a shell, taken apart as the shell would, also where it is not finished."""

from dataclasses import dataclass
from typing import Final

_ESCAPED_IN_QUOTES: Final = '"\\$`'
"""What a backslash between double quotes takes its meaning from; before other signs it stands for itself."""
_SPECIAL: Final = frozenset(" \t\\\"'`$&|;<>()*?[]{}!#~")
"""Signs that a shell reads as something else, somewhere in a word."""


@dataclass(frozen=True, slots=True)
class ShellLine:
    """What stands before the cursor."""

    words: tuple[str, ...]
    """Those that are finished, without their quotes, from the command on."""
    last: str
    """The one at the cursor, without its quotes; empty behind a space."""
    quote: str = ""
    """The quote in which the cursor stands; empty outside of one."""
    n_kept: int = 0
    """How many signs of `last` bash keeps: those up to the last one that ends a word for it, as `:` does."""

    def as_bash_takes(self, value: str) -> str:
        """What bash writes in the place of the word at the cursor, so that the word becomes `value`."""
        rest = value[self.n_kept :]
        if self.quote == "'":
            return rest.replace("'", "'\\''")
        special = _ESCAPED_IN_QUOTES if self.quote else _SPECIAL
        return "".join(f"\\{sign}" if sign in special else sign for sign in rest)


def parse_line(text: str, *, breaks: str = "") -> ShellLine:
    """Take a line apart. Settings of variables before the command are left out (`LANG=C rankle …`).

    breaks: signs that end a word for bash, outside of quotes, and not for the command that gets it.
    """
    reader = _Reader(breaks)
    for sign in text:
        reader.take(sign)
    words = reader.words
    while words and "=" in words[0]:
        del words[0]
    return ShellLine(tuple(words), reader.word or "", reader.quote, reader.n_kept)


class _Reader:
    """Takes one sign after the other."""

    def __init__(self, breaks: str) -> None:
        self.breaks = breaks
        self.words: list[str] = []
        self.word: str | None = None
        """The word that is being read; None between words."""
        self.quote = ""
        self.n_kept = 0
        self._kept_before = 0
        self._is_escaped = False

    def take(self, sign: str) -> None:
        if self._is_escaped:
            self._is_escaped = False
            literal = self.quote and sign not in _ESCAPED_IN_QUOTES
            self._add(f"\\{sign}" if literal else sign)
        elif sign == "\\" and self.quote != "'":
            self._is_escaped = True
        elif self.quote:
            self._inside(sign)
        elif sign in "\"'":
            self._open(sign)
        elif sign.isspace():
            self._end()
        else:
            self._add(sign)
            if sign in self.breaks:
                self.n_kept = len(self.word or "")

    def _add(self, text: str) -> None:
        self.word = (self.word or "") + text

    def _inside(self, sign: str) -> None:
        if sign != self.quote:
            self._add(sign)
            return
        self.quote = ""
        self.n_kept = self._kept_before

    def _open(self, sign: str) -> None:
        self.quote = sign
        self.word = self.word or ""
        self._kept_before, self.n_kept = self.n_kept, len(self.word)

    def _end(self) -> None:
        if self.word is not None:
            self.words.append(self.word)
        self.word = None
        self.n_kept = 0
