"""What a replay scores passages by: where chunks stand, and the texts that labels were looked for in."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.evalset import EvalSet, Level
from rankle.core.ports import PassageSource, SearchSystem
from rankle.core.text_range import Range
from rankle.labels.join import join_labels


@dataclass(frozen=True, slots=True)
class KeptPassages:
    """Of one system and one set."""

    places: Mapping[str, Range] | None = None
    """Where every chunk stands; None where the system does not tell."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Document to its text, of those in which the passages that the set labels were looked for."""


def passages_of(eval_set: EvalSet, system: SearchSystem, *, level: Level) -> KeptPassages:
    """What scoring the set by passage looks at.

    level: what the system was asked for; documents are not scored by passage.
    """
    if level is not Level.CHUNK or not isinstance(system, PassageSource):
        return KeptPassages()
    reading = _Reading(system)
    if any(query.labels for query in eval_set.queries):
        # A set that cannot be scored by passage now cannot be from a replay either, and is told so then.
        with suppress(InputError, CannotMeasureError):
            join_labels(eval_set, system.catalog(), level=Level.SPAN, source=reading)
    return KeptPassages(dict(system.chunk_places()), reading.texts)


class _Reading:
    """Remembers which texts are asked for. Implements `core.ports.PassageSource`."""

    def __init__(self, source: PassageSource) -> None:
        self._source = source
        self.texts: dict[str, str] = {}

    def text(self, document: str) -> str:
        if document not in self.texts:
            self.texts[document] = self._source.text(document)
        return self.texts[document]

    def chunk_places(self) -> Mapping[str, Range]:
        return self._source.chunk_places()
