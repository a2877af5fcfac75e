"""A round of grading things one after the other, one key each: what happens at every key."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from rankle.cli.keyboard import END, Keyboard

_T = TypeVar("_T")
_Item = TypeVar("_Item", contravariant=True)
_SKIP: Final = "s"
_UNDO: Final = "u"
_NOTE: Final = "n"
_QUIT: Final = ("q", END)

TakeBack = Callable[[], None]
"""Makes a grade that was kept as if it had never been given."""


class Desk(Protocol[_Item]):
    """What is graded, and where grades go."""

    @property
    def grades(self) -> range:
        """The keys that are grades, each one digit."""
        ...

    def lines(self, item: _Item) -> Iterable[str]:
        """What the person sees of it."""
        ...

    def keep(self, item: _Item, grade: int, *, note: str | None) -> TakeBack:
        """Stores a grade before it returns."""
        ...


class _Step(NamedTuple):
    """What can be undone."""

    batch: int
    place: int
    take_back: TakeBack | None
    """None for what was skipped."""


@dataclass(slots=True)
class KeyRound(Generic[_T]):
    """Everything between the first key and the last."""

    desk: Desk[_T]
    keyboard: Keyboard
    say: Callable[[str], None]
    """Prints a line."""
    prompt: Callable[[str], None]
    """Prints without ending the line."""
    n_kept: int = 0
    _steps: list[_Step] = field(default_factory=list)
    _batch: int = 0

    @property
    def help(self) -> str:
        grades = self.desk.grades
        return f"{grades[0]}-{grades[-1]}, s skip, n note, u undo, q quit"

    def grade(self, items: Sequence[_T]) -> bool:
        """Asks for each of the things in turn. Returns False where the person has had enough."""
        self._batch += 1
        place = 0
        while place < len(items):
            for line in self.desk.lines(items[place]):
                self.say(line)
            after = self._ask(items, place)
            if after is None:
                return False
            place = after
        return True

    def _ask(self, items: Sequence[_T], place: int) -> int | None:
        """The place of the thing to show next; None to quit."""
        note: str | None = None
        while True:
            self.prompt(f"[{place + 1} of {len(items)}] {self.help}: ")
            key = self.keyboard.key()
            self.say(key if key.isprintable() else "")
            if key in _QUIT:
                return None
            if key.isdecimal() and key.isascii() and int(key) in self.desk.grades:
                take_back = self.desk.keep(items[place], int(key), note=note)
                self.n_kept += 1
                self._steps.append(_Step(self._batch, place, take_back))
                return place + 1
            if key == _SKIP:
                self._steps.append(_Step(self._batch, place, None))
                return place + 1
            if key == _NOTE:
                note = (self.keyboard.line("Note: ") or "").strip() or None
            elif key == _UNDO:
                before = self._undo()
                if before is not None:
                    return before
            else:
                self.say(f"That key means nothing here. The keys: {self.help}")

    def _undo(self) -> int | None:
        """The place to go back to; None where that is not in this list."""
        if not self._steps:
            self.say("There is nothing to undo.")
            return None
        step = self._steps.pop()
        if step.take_back is not None:
            step.take_back()
            self.n_kept -= 1
        if step.batch == self._batch:
            return step.place
        self.say("Undone: the last of the query before.")
        return None
