"""Tells what ends a program from what code of somebody else raises, which need be no Exception."""

import asyncio


def ends_all(error: BaseException) -> bool:
    """Whether what an awaited call raised comes from outside: Ctrl-C, or the end of what was running.

    SystemExit is none: a search that exits has failed. Nor is CancelledError, where nobody cancelled the
    task that runs now.
    """
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0
    return isinstance(error, KeyboardInterrupt | GeneratorExit)
