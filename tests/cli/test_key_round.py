"""One key after the other: what is kept, skipped, undone and said."""

from collections.abc import Callable, Iterable

import pytest

from fakes.keys import Typed
from rankle.cli.key_round import KeyRound


class Slate:
    """Keeps grades in a list, with their notes."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, int, str | None]] = []

    @property
    def grades(self) -> range:
        return range(4)

    def lines(self, item: str) -> Iterable[str]:
        yield f"<{item}>"

    def keep(self, item: str, grade: int, *, note: str | None) -> Callable[[], None]:
        entry = (item, grade, note)
        self.kept.append(entry)
        return lambda: self.kept.remove(entry)


def play(
    keys: str, *batches: str, lines: Iterable[str] = ()
) -> tuple[list[tuple[str, int, str | None]], str, KeyRound[str], list[bool]]:
    slate, printed = Slate(), list[str]()
    turns = KeyRound(
        slate, Typed(keys, lines), say=lambda line: printed.append(f"{line}\n"), prompt=printed.append
    )
    went_on = [turns.grade(list(batch)) for batch in batches]
    return slate.kept, "".join(printed), turns, went_on


@pytest.mark.parametrize(
    ("keys", "kept", "done"),
    [
        ("012", [("a", 0), ("b", 1), ("c", 2)], True),
        ("3s1", [("a", 3), ("c", 1)], True),
        ("3q", [("a", 3)], False),
        ("3", [("a", 3)], False),  # the keyboard is gone
        ("", [], False),
        ("3u21s", [("a", 2), ("b", 1)], True),
        ("su1ss", [("a", 1)], True),
        ("33uu01s", [("a", 0), ("b", 1)], True),
        ("u1ss", [("a", 1)], True),
        ("49x\x1b\n²1ss", [("a", 1)], True),
    ],
)
def test_keys_grade_skip_undo_and_quit(keys: str, kept: list[tuple[str, int]], done: bool) -> None:
    found, _, turns, went_on = play(keys, "abc")
    assert [entry[:2] for entry in found] == kept
    assert (turns.n_kept, went_on) == (len(kept), [done])


def test_a_thing_is_shown_before_it_is_asked_for_and_again_after_undo() -> None:
    _, printed, _, _ = play("1u", "ab")
    keys = "0-3, s skip, n note, u undo, q quit"
    assert printed == (f"<a>\n[1 of 2] {keys}: 1\n<b>\n[2 of 2] {keys}: u\n<a>\n[1 of 2] {keys}: \n")


def test_a_key_without_a_meaning_is_said_to_have_none() -> None:
    _, printed, _, _ = play("7", "a")
    assert "7\nThat key means nothing here. The keys: 0-3, s skip" in printed


def test_a_note_goes_with_the_next_grade_of_the_same_thing_only() -> None:
    kept, _, _, _ = play("n12", "ab", lines=["  not quite "])
    assert kept == [("a", 1, "not quite"), ("b", 2, None)]


def test_an_empty_note_is_none() -> None:
    assert play("n1", "a", lines=["  "])[0] == [("a", 1, None)]
    assert play("n1", "a")[0] == [("a", 1, None)]


def test_undo_reaches_the_list_before_and_stays_at_the_present_one() -> None:
    kept, printed, _, went_on = play("1u2", "a", "b")
    assert kept == [("b", 2, None)]
    assert went_on == [True, True]
    assert "Undone: the last of the query before.\n" in printed


def test_undo_with_nothing_before_says_so() -> None:
    assert "There is nothing to undo.\n" in play("u1", "a")[1]


def test_an_empty_list_asks_nothing() -> None:
    assert play("", "")[3] == [True]
