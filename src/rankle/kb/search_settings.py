"""How a workspace is searched, beside what is asked: one value that travels from options to stages."""

from dataclasses import asdict, dataclass
from typing import Final

from rankle.core.canonical import Json
from rankle.core.errors import InputError
from rankle.kb.fulltext import DEFAULT_WEIGHTS, FieldWeights
from rankle.kb.fusion import DEFAULT_FUSION, Fusion
from rankle.kb.methods import FULLTEXT, HYBRID, STAGES


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What moves the order of results. Raises InputError for what is not allowed.

    Part of a measured system's fingerprint.
    """

    fusion: Fusion = DEFAULT_FUSION
    """Of method `hybrid`; no other method looks at it."""
    collapse: bool = False
    """Whether results whose text is nearly that of a better one are folded into it."""
    per_document: int | None = None
    """At most so many chunks of one document, >= 1; None for all."""
    weights: FieldWeights = DEFAULT_WEIGHTS

    def __post_init__(self) -> None:
        if self.per_document is not None and not (_is_integer(self.per_document) and self.per_document >= 1):
            raise InputError(f"chunks per document must be an integer >= 1, got {self.per_document}")
        if not isinstance(self.collapse, bool):
            raise InputError(f"collapse must be true or false, got {self.collapse!r}")

    def seen_by(self, method: str) -> dict[str, Json]:
        """What of them a method looks at, defaults resolved: what its results can depend on."""
        seen: dict[str, Json] = {"collapse": self.collapse, "per_document": self.per_document}
        if FULLTEXT in STAGES[method]:
            seen["weights"] = asdict(self.weights)
        if method == HYBRID:
            seen["fusion"] = {**asdict(self.fusion), "vector_weight": self.fusion.weight}
        return seen

    @property
    def cuts(self) -> bool:
        """Whether results are taken out after they were ranked."""
        return self.collapse or self.per_document is not None


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


DEFAULT_SETTINGS: Final = SearchSettings()


def check_used(settings: SearchSettings, *, method: str) -> None:
    """Raises InputError where settings of the fusion were given and the method fuses nothing."""
    if method != HYBRID and settings.fusion != DEFAULT_FUSION:
        raise InputError(
            f"fusion, vector weight and candidates are settings of method {HYBRID}, and this search was made "
            f"with {method}. Leave them out, or search with method {HYBRID}"
        )
