"""Ctrl-C while a search of somebody else is asked."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Final

import pytest

from rankle.cli.interrupting import interruptible

_STUBBORN: Final = """
import os, signal, threading
from rankle.cli.interrupting import interruptible

signal.signal(signal.SIGINT, signal.default_int_handler)
never = threading.Event()
with interruptible(patience_s=0.01):
    for _ in range(2):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            never.wait()
        except KeyboardInterrupt:
            threading.Event().wait(0.1)
    while True:
        try:
            never.wait()
        except KeyboardInterrupt:
            pass
"""


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """Interrupts are heard here, as on a terminal: a job in the background of a shell ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_raised_where_the_main_thread_is_and_leaves_all_as_it_was() -> None:
    before = signal.getsignal(signal.SIGINT)

    def hang() -> None:
        with interruptible():
            os.kill(os.getpid(), signal.SIGINT)
            threading.Event().wait()

    with pytest.raises(KeyboardInterrupt):
        hang()
    assert signal.getsignal(signal.SIGINT) is before
    assert not [thread for thread in threading.enumerate() if thread.name == "interrupts"]


def test_a_second_one_ends_what_does_not_come_back() -> None:
    done = subprocess.run([sys.executable, "-c", _STUBBORN], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.splitlines() == [
        "The search does not come back; Ctrl-C again ends the command at once.",
        "Ended while the search was asked. What was complete is kept.",
    ]


def test_other_threads_and_those_who_mind_interrupts_themselves_are_left_alone() -> None:
    with interruptible():
        own = signal.getsignal(signal.SIGINT)
        with interruptible():
            assert signal.getsignal(signal.SIGINT) is own
    thread = threading.Thread(target=lambda: interruptible().__enter__())
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


_ENDED: Final = """
import os, signal, sys, threading
from rankle.cli.interrupting import interruptible

if len(sys.argv) > 2:
    signal.signal(int(sys.argv[1]), signal.SIG_IGN)
with interruptible():
    try:
        os.kill(os.getpid(), int(sys.argv[1]))
        threading.Event().wait(0.01 if len(sys.argv) > 2 else None)
    finally:
        print("put away", flush=True)
print("goes on")
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_ends_a_command_from_outside_does_so_once_all_is_put_away(number: signal.Signals) -> None:
    ended = [sys.executable, "-c", _ENDED, str(int(number))]
    done = subprocess.run(ended, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-number, "put away\n", "")
    done = subprocess.run([*ended, "ignored"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "put away\ngoes on\n")


_STUCK: Final = """
import os, signal, threading
from rankle.cli.interrupting import interruptible

with interruptible(patience_s=0.01):
    number = signal.SIGTERM
    while True:
        try:
            heard, number = number, 0
            os.kill(os.getpid(), heard)
            threading.Event().wait()
        except KeyboardInterrupt:
            pass
"""


def test_it_does_so_too_where_the_search_does_not_come_back() -> None:
    done = subprocess.run([sys.executable, "-c", _STUCK], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        143,
        "Ended while the search was asked. What was complete is kept.\n",
    )
