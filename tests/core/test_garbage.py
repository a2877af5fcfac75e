"""Stretches without collections of garbage."""

import gc
import sys
from collections.abc import Iterator
from types import FrameType

import pytest

from rankle.core.garbage import uncollected


@pytest.fixture(autouse=True)
def collections_as_they_were() -> Iterator[None]:
    was_on = gc.isenabled()
    yield
    (gc.enable if was_on else gc.disable)()


def test_collections_stop_inside_and_go_on_afterwards() -> None:
    gc.enable()
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_they_go_on_after_an_error_too() -> None:
    gc.enable()
    with pytest.raises(KeyError), uncollected():
        raise KeyError
    assert gc.isenabled()


def test_who_turned_them_off_finds_them_off() -> None:
    gc.disable()
    with uncollected():
        assert not gc.isenabled()
    assert not gc.isenabled()


def test_of_two_the_outer_one_turns_them_on() -> None:
    gc.enable()
    with uncollected():
        with uncollected():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_they_go_on_where_somebody_interrupts_as_they_are_turned_off() -> None:
    def interrupt(_frame: FrameType, event: str, what: object) -> None:
        if event == "c_return" and what is gc.disable:
            sys.setprofile(None)
            raise KeyboardInterrupt

    gc.enable()
    sys.setprofile(interrupt)
    with pytest.raises(KeyboardInterrupt), uncollected():
        pass
    assert gc.isenabled()
