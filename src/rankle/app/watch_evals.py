"""Runs evals again when what they read changes: one run at a time, and at most one to come."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from rankle.app.eval_files import Found, find_eval_files
from rankle.app.eval_settings import load_eval_settings
from rankle.app.watch_folders import Changes
from rankle.app.watch_touched import CONFIG, EVERYTHING, NOTHING, Known, Wanted, file_of
from rankle.app.watched_messages import Order, Progressed, Told
from rankle.app.watched_process import Outcome, WatchedRun
from rankle.core.errors import InputError
from rankle.core.evals import EvalSummary
from rankle.harness.evals.keys import relative_file


@dataclass(frozen=True, slots=True)
class Began:
    """A run began."""

    changed: tuple[str, ...]
    """The files whose change it is for, as they are shown; none for the first."""
    is_all: bool
    """Whether all evals are run."""


@dataclass(frozen=True, slots=True)
class Went:
    """A run goes on."""

    progress: Progressed


@dataclass(frozen=True, slots=True)
class Ended:
    """A run is over."""

    began: Began
    outcome: Outcome
    others: tuple[EvalSummary, ...]
    """The evals that were not run, as they were last."""


@dataclass(frozen=True, slots=True)
class Left:
    """Files of evals are gone."""

    files: tuple[str, ...]
    others: tuple[EvalSummary, ...]
    """What is left, as it was last."""
    error: InputError | None = None
    """Why there is nothing to run any more; None where something is left."""


Event = Began | Went | Ended | Left


@dataclass(slots=True)
class _Running:
    """A run that goes on."""

    run: WatchedRun
    wanted: Wanted
    began: Began
    told: Progressed | None = None


@dataclass(slots=True)
class EvalWatch:
    """A watch over the evals of a project. It is told what changed, and tells what comes of it."""

    order: Order
    """Of the run of all evals."""
    start: Callable[[Order], WatchedRun]
    cwd: Path | None = None
    known: Known = field(init=False)
    _found: Found = field(init=False)
    _error: InputError | None = field(init=False, default=None)
    """Why not all that was named is there."""
    _running: _Running | None = field(init=False, default=None)
    _to_come: Wanted = field(init=False, default=EVERYTHING)
    """What is to be run next."""
    _gathered: set[str] = field(init=False, default_factory=set)
    """What changed, and was not weighed yet."""
    _reasons: dict[str, None] = field(init=False, default_factory=dict)
    """The files whose change touches what is to be run next."""
    _latest: dict[str, EvalSummary] = field(init=False, default_factory=dict)
    """What each eval came to, by its key."""

    def __post_init__(self) -> None:
        """Raises InputError where nothing can be watched: no file of evals, a wrong project file."""
        settings = load_eval_settings(self.cwd)
        here = (self.cwd or Path.cwd()).absolute()
        config = {str((folder / name).resolve()) for folder in (here, settings.root) for name in CONFIG}
        config |= {str(file.resolve()) for file in settings.setup_files}
        self._found = find_eval_files(self.order.paths, root=settings.root, cwd=self.cwd)
        self.known = Known(settings.root, frozenset(config)).with_files(map(str, self._found.files))

    def roots(self) -> list[Path]:
        """The folders to watch: the project's, and those of files of evals elsewhere. Real paths."""
        root = self.known.root.resolve()
        elsewhere = {file.resolve().parent for file in self._found.files}
        return [root, *sorted(folder for folder in elsewhere if not folder.is_relative_to(root))]

    def follow(self, changes: Iterable[Changes]) -> Generator[Event, None, None]:
        """Weigh what changed, each time it is told. At the end the run is ended that goes on."""
        try:
            for changed in changes:
                yield from self.step(changed)
        finally:
            self.end()

    def end(self, *, is_outdated: bool = False) -> None:
        """End the run that goes on. is_outdated: as `WatchedRun.end`."""
        if self._running is not None:
            self._running.run.end(is_outdated=is_outdated)
            self._running = None

    def step(self, changed: Changes) -> Iterator[Event]:
        """Take in what changed, and see to the run that goes on."""
        self._gathered |= changed
        if self._running is not None:
            yield from self._see_to(self._running, changed)
        if self._running is None:
            yield from self._weigh()
            if self._to_come:
                yield self._begin()

    def _see_to(self, running: _Running, changed: Changes) -> Iterator[Event]:
        outcome = running.run.outcome()
        if outcome is not None and (outcome.told is not None or not changed):
            # Of what a run wrote that broke down, word may come a moment after its end.
            yield from self._take(running, outcome)
        elif self.known.touched(changed, hoping=False).meets(running.wanted):
            # It would answer for code that is gone.
            self._to_come |= running.wanted
            self._reasons |= dict.fromkeys(running.began.changed)
            self.end(is_outdated=True)
        else:
            progress = running.run.progress()
            if progress is not None and progress != running.told:
                running.told = progress
                yield Went(progress)

    def _take(self, running: _Running, outcome: Outcome) -> Iterator[Event]:
        self.end()
        told = outcome.told
        if told is None or told.error is not None:
            self.known = self.known.failed(running.wanted, meanwhile=self._gathered)
        else:
            was_marked = self.known.is_marked()
            self.known = self.known.learned(told, running.wanted)
            if was_marked and not self.known.is_marked() and not running.wanted.everything:
                self._want_rest(running)
            self._forget(running.wanted)
        ran = {one.key: one for one in told.evals} if told is not None else {}
        self._latest |= ran
        if told is None or told.error is not None or _says_something(told) or running.wanted.everything:
            hit = ran.keys() | {key for key in self._latest if _is_of(key, running.wanted)}
            others = tuple(one for key, one in sorted(self._latest.items()) if key not in hit)
            yield Ended(running.began, outcome, others)

    def _want_rest(self, running: _Running) -> None:
        """What marks have left out that are gone now."""
        self._to_come |= Wanted(names=frozenset(self.known.files) - running.wanted.files)
        self._reasons |= dict.fromkeys(running.began.changed)

    def _forget(self, wanted: Wanted) -> None:
        """What evals came to that were just run anew, or would have been, were they still there."""
        self._latest = {key: one for key, one in self._latest.items() if not _is_of(key, wanted)}

    def _weigh(self) -> Iterator[Event]:
        """What the files that changed since touch; files of evals that came or went too."""
        changed, self._gathered = frozenset(self._gathered), set()
        if not changed:
            return
        before = frozenset(self.known.files)
        self._find()
        there = frozenset(self.known.files)
        gone = sorted(before - there)
        if gone:
            self._forget(Wanted(names=frozenset(gone)))
            others = tuple(one for _, one in sorted(self._latest.items()))
            yield Left(tuple(gone), others, None if there else self._error)
        touched = (self.known.touched(changed) if there else NOTHING) | Wanted(names=there - before)
        if touched:
            self._to_come |= touched
            self._reasons |= dict.fromkeys(sorted(self._shown(path) for path in self._that_touch(changed)))

    def _that_touch(self, changed: Changes) -> list[str]:
        return [path for path in changed if self.known.touched([path])]

    def _find(self) -> None:
        """Look which files of evals are there."""
        self._error = None
        try:
            self._found = find_eval_files(self.order.paths, root=self.known.root, cwd=self.cwd)
        except InputError as error:  # one that was named is gone, or all are
            left = tuple(file for file in self._found.files if file.is_file())
            self._error, self._found = error, Found(left, self._found.names)
        self.known = self.known.with_files(map(str, self._found.files))

    def _begin(self) -> Began:
        wanted, self._to_come = self._to_come, NOTHING
        began = Began(tuple(self._reasons), wanted.everything)
        self._reasons = {}
        self._running = _Running(self.start(self._order_of(wanted)), wanted, began)
        return began

    def _order_of(self, wanted: Wanted) -> Order:
        """Of some evals only their files are loaded, unless others bear on which are chosen."""
        if wanted.everything:
            there = tuple(self._paths_of(self.known.files))
            return self.order if self._error is None else replace(self.order, paths=there)
        within = tuple(sorted(wanted.names))
        if self.known.is_marked() or self.order.filter is not None:
            return replace(self.order, paths=tuple(self._paths_of(self.known.files)), within=within)
        return replace(self.order, paths=tuple(self._paths_of(wanted.files)), within=within)

    def _paths_of(self, files: Iterable[str]) -> Iterator[str]:
        paths = {relative_file(path, root=self.known.root): str(path) for path in self._found.files}
        for file in sorted(set(files) & paths.keys()):
            named = [name for name in self._found.names if name.startswith(f"{file}::")]
            yield from [paths[file] + name[len(file) :] for name in named] or [paths[file]]

    def _shown(self, path: str) -> str:
        return relative_file(path, root=self.known.root.resolve())


def _is_of(key: str, wanted: Wanted) -> bool:
    """Whether an eval, by its key with its variant, is one of those that are wanted."""
    if wanted.everything or file_of(key) in wanted.names:
        return True
    return any(key == name or key.startswith(f"{name}[") for name in wanted.names)


def _says_something(told: Told) -> bool:
    return bool(told.evals) or (told.summary is not None and bool(told.summary.broken_files))
