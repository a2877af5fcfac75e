"""Which evals a change of files touches."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rankle.app.watched_messages import Told, ToldEval, ToldFile
from rankle.app.wiring.project import PROJECT_FILE
from rankle.harness.evals.keys import relative_file

CONFIG: Final = (PROJECT_FILE, "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be run: all evals, or some."""

    everything: bool = False
    names: frozenset[str] = frozenset()
    """Files of evals, relative to the project's folder, and keys of evals without their variant."""

    def __bool__(self) -> bool:
        return self.everything or bool(self.names)

    def __or__(self, other: "Wanted") -> "Wanted":
        names = self.names | other.names
        return Wanted(
            self.everything or other.everything,
            frozenset(name for name in names if "::" not in name or file_of(name) not in names),
        )

    def meets(self, other: "Wanted") -> bool:
        """Whether both hold one eval."""
        if self.everything or other.everything:
            return bool(self and other)
        return any(
            mine == theirs or (file_of(mine) == file_of(theirs) and ("::" not in mine or "::" not in theirs))
            for mine in self.names
            for theirs in other.names
        )

    @property
    def files(self) -> frozenset[str]:
        return frozenset(map(file_of, self.names))


NOTHING: Final = Wanted()
EVERYTHING: Final = Wanted(everything=True)


def file_of(name: str) -> str:
    """The file of an eval's key, or the file itself."""
    return name.partition("::")[0]


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What is known of one file of evals. A fresh one was never run to its end."""

    path: str
    """Real."""
    reads: frozenset[str] = frozenset()
    evals: tuple[ToldEval, ...] = ()
    is_marked: bool = False
    in_trouble: bool = True
    """Whether any change of code may help it."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a project: which of its files are read by which evals. All paths are real."""

    root: Path
    config: frozenset[str]
    """Files that all evals depend on."""
    files: Mapping[str, KnownFile] = field(default_factory=dict)
    """By their names relative to the root."""
    everywhere: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()

    def touched(self, changed: Iterable[str], *, hoping: bool = True) -> Wanted:
        """What reads any of the files that changed; of those that evals write themselves, what imports them.

        hoping: whether any code that changed touches what was in trouble, or is not known yet.
        """
        paths = frozenset(changed)
        if not paths.isdisjoint(self.config | self.everywhere):
            return EVERYTHING
        foreign = paths - self.written
        shown = [Path(path) for path in foreign if not Path(path).name.startswith(".")]
        above = frozenset(str(folder) for path in shown for folder in path.parents)
        has_code = hoping and any(path.endswith(".py") for path in foreign)
        names = {name for name, file in self.files.items() if _touches_file(file, paths, has_code=has_code)}
        whole = foreign | above
        names |= {
            one.key
            for name, file in self.files.items()
            if name not in names
            for one in file.evals
            if not whole.isdisjoint(one.files)
        }
        return Wanted(names=frozenset(names))

    def learned(self, told: Told, ran: Wanted) -> "Known":
        """With what a run has told of itself."""
        files = {name: file for name, file in self.files.items() if not ran.everything}
        for one in told.files:
            name = relative_file(one.path, root=self.root)
            was_run = ran.everything or name in ran.files
            troubled = one.in_trouble or (not was_run and name in self.files and self.files[name].in_trouble)
            files[name] = _known(one, in_trouble=troubled)
        everywhere = frozenset(told.everywhere) | (frozenset() if ran.everything else self.everywhere)
        written = frozenset(told.written) | (frozenset() if ran.everything else self.written)
        return Known(self.root, self.config, files, everywhere, written)

    def with_files(self, files: Iterable[str]) -> "Known":
        """With these files of evals alone, new ones of which nothing is known among them."""
        kept = {
            relative_file(path, root=self.root): self.files.get(
                relative_file(path, root=self.root), KnownFile(str(Path(path).resolve()))
            )
            for path in files
        }
        return Known(self.root, self.config, kept, self.everywhere, self.written)

    def failed(self, ran: Wanted, *, meanwhile: AbstractSet[str] = frozenset()) -> "Known":
        """After a run of which nothing was told.

        meanwhile: what changed while it went on. The run may have written that itself, and is not to be run
        again for it.
        """
        hit = self.files.keys() if ran.everything else ran.files
        files = {name: _troubled(file) if name in hit else file for name, file in self.files.items()}
        return Known(self.root, self.config, files, self.everywhere, self.written | meanwhile)

    def named_files(self) -> frozenset[str]:
        """Files and folders that evals name, wherever they are."""
        return frozenset(path for file in self.files.values() for one in file.evals for path in one.files)

    def is_marked(self) -> bool:
        """Whether an eval is marked `only`, which leaves out those of other files."""
        return any(file.is_marked for file in self.files.values())


def _touches_file(file: KnownFile, paths: AbstractSet[str], *, has_code: bool) -> bool:
    if file.path in paths or (file.in_trouble and has_code):
        return True
    return not file.reads.isdisjoint(paths)


def _known(told: ToldFile, *, in_trouble: bool) -> KnownFile:
    return KnownFile(
        path=str(Path(told.path).resolve()),
        reads=frozenset(told.reads),
        evals=told.evals,
        is_marked=told.is_marked,
        in_trouble=in_trouble,
    )


def _troubled(file: KnownFile) -> KnownFile:
    return KnownFile(file.path, file.reads, file.evals, file.is_marked, in_trouble=True)
