"""Threads that a task starts are part of its trial; the classes of threads are as they were afterwards."""

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from rankle.harness.tracing.recorder import recording
from rankle.harness.tracing.spans import Trace


def step(name: str) -> None:
    with Trace(name):
        pass


def test_steps_in_a_thread_of_ones_own_are_kept() -> None:
    with recording(case="c", trial=0) as trace:
        with Trace("outer"):
            thread = threading.Thread(target=step, args=("inner",))
            thread.start()
            thread.join()
        assert [(span.name, span.parent) for span in trace.spans()] == [("outer", None), ("inner", 0)]


def test_steps_in_a_class_of_threads_are_kept() -> None:
    class Searching(threading.Thread):
        def run(self) -> None:
            step("inner")

    with recording(case="c", trial=0) as trace:
        thread = Searching()
        thread.start()
        thread.join()
        assert [span.name for span in trace.spans()] == ["inner"]


def test_pool_that_outlives_trials_gives_each_its_own_steps() -> None:
    with ThreadPoolExecutor(1) as pool:
        found = []
        for name in ("first", "second"):
            with recording(case="c", trial=0) as trace:
                pool.submit(step, name).result()
                list(pool.map(step, [f"{name} mapped"]))
                found.append([span.name for span in trace.spans()])
    assert found == [["first", "first mapped"], ["second", "second mapped"]]


def test_steps_behind_to_thread_and_executors_of_loops_are_kept() -> None:
    async def run() -> None:
        await asyncio.to_thread(step, "to_thread")
        await asyncio.get_running_loop().run_in_executor(None, step, "executor")

    with recording(case="c", trial=0) as trace:
        asyncio.run(run())
        assert [span.name for span in trace.spans()] == ["to_thread", "executor"]


def test_many_threads_at_once_lose_no_step() -> None:
    with recording(case="c", trial=0) as trace, ThreadPoolExecutor(8) as pool:
        list(pool.map(step, [str(number) for number in range(500)]))
        assert sorted(int(span.name) for span in trace.spans()) == list(range(500))


def test_classes_are_as_they_were_after_the_last_trial() -> None:
    """In a process of its own: here, a task that another test gave up may still be part of its trial."""
    program = (
        "import threading\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from rankle.harness.tracing.recorder import recording\n"
        "start, submit = threading.Thread.start, ThreadPoolExecutor.submit\n"
        "with recording(case='c', trial=0):\n"
        "    with recording(case='d', trial=0):\n"
        "        pass\n"
        "    assert threading.Thread.start is not start\n"
        "assert threading.Thread.start is start\n"
        "assert ThreadPoolExecutor.submit is submit\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_thread_started_outside_of_a_trial_is_part_of_none() -> None:
    begin, done = threading.Event(), threading.Event()

    def wait_and_step() -> None:
        begin.wait()
        step("foreign")
        done.set()

    thread = threading.Thread(target=wait_and_step)
    thread.start()
    with recording(case="c", trial=0) as trace:
        begin.set()
        done.wait()
        assert trace.spans() == []
    thread.join()
