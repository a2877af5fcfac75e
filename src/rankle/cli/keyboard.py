"""What a person at a terminal types: single keys and lines. A port, so that rounds run without a terminal."""

import os
import sys
from typing import Final, Protocol

from rankle.core.errors import InputError

END: Final = "\x04"
"""What a key is where no more will come."""
_ESCAPE: Final = b"\x1b"


class Keyboard(Protocol):
    """Somebody who answers."""

    def key(self) -> str:
        """One key, as soon as it is pressed; END where no more will come. Ctrl-C raises KeyboardInterrupt."""
        ...

    def line(self, prompt: str) -> str | None:
        """One line without its end; None where no more will come."""
        ...


def terminal_keyboard(*, instead: str) -> Keyboard:
    """The keyboard of the terminal. Raises InputError where there is none.

    instead: what to do where nobody can be asked, as the error says it.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        return _TerminalKeyboard()
    raise InputError(f"this needs a terminal, where somebody answers by keys. {instead}")


class _TerminalKeyboard:
    """Standard input. Keys that were typed ahead count, as in an editor."""

    def key(self) -> str:
        sys.stdout.flush()
        try:
            import termios
            import tty
        except ImportError:  # Windows, where no mode has to be changed
            import click

            return click.getchar()
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        try:
            # Not `setraw`: Ctrl-C stays Ctrl-C. Not at once: what is still to be printed keeps its line ends.
            tty.setcbreak(terminal, termios.TCSADRAIN)
            return _read_key(terminal)
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    def line(self, prompt: str) -> str | None:
        try:
            return input(prompt)
        except EOFError:
            return None


def _pass_over_sequence(terminal: int) -> None:
    """What an arrow or Page Up sends behind Escape: several bytes, among them digits that nobody meant."""
    import select

    inside = False
    while select.select([terminal], [], [], 0)[0]:
        byte = os.read(terminal, 1)
        if not inside and byte in (b"[", b"O"):
            inside = True
        elif not inside or not byte or 0x40 <= byte[0] <= 0x7E:
            return


def _read_key(terminal: int) -> str:
    first = os.read(terminal, 1)
    if not first:
        return END
    if first == _ESCAPE:
        _pass_over_sequence(terminal)
        return first.decode()
    n_more = sum(first[0] >= least for least in (0xC0, 0xE0, 0xF0))
    return (first + b"".join(os.read(terminal, 1) for _ in range(n_more))).decode(errors="replace")
