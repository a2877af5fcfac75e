"""One run of `rankle watch`: what its process does.

It is a process of its own, so that all code is fresh and no code can take the watch down. It ends once its
standard input says a word or ends, which it does where who started it is gone.
"""

import atexit
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from rankle.app.eval_files import packages_of
from rankle.app.eval_settings import load_eval_settings
from rankle.app.evals_request import EvalsRequest
from rankle.app.import_following import Following
from rankle.app.record_request import Recording
from rankle.app.run_evals import FinishedEvals, evals_run
from rankle.app.watched_messages import (
    DROP,
    ORDER,
    PROGRESS,
    TOLD,
    Order,
    Progressed,
    Told,
    ToldEval,
    ToldFile,
    read_message,
    write_message,
)
from rankle.core.errors import RankleError, RecordError
from rankle.harness.evals.keys import eval_key, relative_file
from rankle.harness.evals.progress import Progress
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite
from rankle.records.store import open_store
from rankle.reports.evals_terminal import evals_text

GRACE_S: Final = 2.0
"""For what is left to do by a run that is to end; then it is ended."""
_TELL_EVERY_S: Final = 0.1


def main() -> None:
    """Do what the order says that lies in the folder of the first argument, and tell there what came."""
    folder = Path(sys.argv[1])
    sys.argv[1:] = []
    sys.dont_write_bytecode = True  # it goes by whole seconds: an edit right after would be taken for the old
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    stop = Stop()
    ending = _Ending(folder, stop)
    _end_with_input(ending)
    order = read_message(folder / ORDER, Order)
    assert order is not None
    told = _told(order, _Telling(folder / PROGRESS), stop)
    if ending.word == DROP and order.records is not None:
        _drop(told, Path(order.records))
    write_message(told, folder / TOLD)


def _drop(told: Told, records: Path) -> None:
    """Leave no record of evals whose code is gone."""
    if told.summary is not None and records.is_file():
        with open_store(records) as store:
            store.delete(info.id for info in store.runs() if info.family == told.summary.id)


def _told(order: Order, telling: "_Telling", stop: Stop) -> Told:
    try:
        root = load_eval_settings().root
        following = Following(root)
        before = following.loaded()
        following.begin()
        problems: list[RecordError] = []
        with evals_run(_request(order, problems), on_progress=telling, stop=stop) as finished:
            text = evals_text(
                finished.run, width=order.width, worst=order.worst, quiet=order.quiet, saved=True
            )
            return _told_of(
                finished, following, text, root=root, before=before, problem=problems[0] if problems else None
            )
    except RankleError as error:
        return Told(error=str(error))
    except Exception as error:  # noqa: BLE001 - of setup files, which are the user's code
        traceback.print_exc()
        return Told(error=f"{type(error).__name__}: {error}")


def _request(order: Order, problems: list[RecordError]) -> EvalsRequest:
    recording = None
    if order.records is not None:
        recording = Recording(
            path=Path(order.records),
            name=order.name,
            is_asked_for=order.is_asked_for,
            on_problem=problems.append,
        )
    return EvalsRequest(
        paths=order.paths,
        asked=order.asked,
        filter=order.filter,
        tags=order.tags,
        failing=order.failing,
        errors=order.errors,
        within=None if order.within is None else frozenset(order.within),
        seed=order.seed,
        recording=recording,
    )


def _told_of(
    finished: FinishedEvals,
    following: Following,
    text: str,
    *,
    root: Path,
    before: frozenset[str],
    problem: RecordError | None,
) -> Told:
    run = finished.run
    in_trouble = {one.file for one in run.evals if one.error} | {one.file for one in run.summary.broken_files}
    files = tuple(
        _told_file(path, finished.suites, following, root=root, in_trouble=in_trouble)
        for path in finished.files
    )
    known = frozenset(path for file in files for path in file.reads)
    setup = following.reached(map(str, load_eval_settings().setup_files))
    return Told(
        not_recorded=None if problem is None else str(problem),
        summary=run.summary,
        evals=run.evals,
        text=text,
        files=files,
        everywhere=tuple(sorted(setup | ((following.loaded() | before) - known))),
        written=tuple(sorted(following.written - known)),
    )


def _told_file(
    path: Path,
    suites: Iterable[Suite],
    following: Following,
    *,
    root: Path,
    in_trouble: AbstractSet[str | None],
) -> ToldFile:
    own = [one for one in suites if one.place is not None and one.place.file == str(path)]
    packages = [str(folder / "__init__.py") for folder in packages_of(path)]
    return ToldFile(
        path=str(path),
        reads=tuple(sorted({os.path.realpath(path), *following.reached([str(path), *packages])})),
        evals=tuple(_told_eval(one, root) for one in own),
        is_marked=any(one.only for one in own),
        in_trouble=relative_file(path, root=root) in in_trouble,
    )


def _told_eval(suite: Suite, root: Path) -> ToldEval:
    beside = Path(suite.place.file).parent if suite.place else root
    named = [one for one in (suite.data, *suite.depends_on) if isinstance(one, str | os.PathLike)]
    files = [folder / Path(one).expanduser() for one in named for folder in (beside, root)]
    files += [path for one in suite.depends_on if isinstance(one, ModuleType) for path in _files_of(one)]
    return ToldEval(key=eval_key(suite, root=root), files=tuple(dict.fromkeys(map(os.path.realpath, files))))


def _files_of(module: ModuleType) -> Iterable[Path]:
    file = getattr(module, "__file__", None)
    if file is None:
        return []
    return [Path(file).parent if Path(file).stem == "__init__" else Path(file)]


class _Telling:
    """Leaves word of how far the run is, now and then."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._told = -_TELL_EVERY_S

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._told < _TELL_EVERY_S:
            return
        self._told = now
        words = Progressed(
            n_done=progress.n_done,
            n_total=progress.n_total,
            n_failed=progress.n_failed,
            n_cached=progress.n_cached,
            cost_usd=progress.cost_usd,
            elapsed_s=progress.elapsed_s,
            reading=progress.reading,
        )
        write_message(words, self._file)


@dataclass(slots=True)
class _Ending:
    """The end of a run that was to end before it was done."""

    folder: Path
    """Where messages lie."""
    stop: Stop
    word: bytes | None = None
    """What was said; None for nothing yet, empty where who started the run is gone."""

    def wait(self, pipe: int) -> None:
        """Wait until a word comes to end, or until nobody can send one any more; then see to the end."""
        self.word = os.read(pipe, 1)
        self.stop.now()
        time.sleep(GRACE_S)
        self.end_all()

    def end_all(self) -> None:
        """End this process with all that the evals have started, where it was to end."""
        if not self.stop.is_now:
            return
        if self.word == b"":
            shutil.rmtree(self.folder, ignore_errors=True)
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


def _end_with_input(ending: _Ending) -> None:
    """End the run when the standard input says so; the code of the evals has an empty one."""
    ours = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    atexit.register(ending.end_all)  # the first, so that it comes last
    threading.Thread(target=ending.wait, args=(ours,), daemon=True).start()
