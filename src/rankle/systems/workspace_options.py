"""What can be said of a workspace that is measured as `kb:WORKSPACE`."""

from typing import cast

import msgspec

from rankle.kb.fusion import DEFAULT_FUSION, Fusion, FusionKind
from rankle.kb.search_settings import SearchSettings


class WorkspaceOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The method, and the options of the ranking by the names that commands have for them."""

    method: str | None = None
    """None is the best that the workspace can do."""
    fusion: str = DEFAULT_FUSION.kind
    vector_weight: float | None = None
    candidates: int = DEFAULT_FUSION.candidates
    collapse: bool = False
    per_document: int | None = None

    @property
    def settings(self) -> SearchSettings:
        """Raises InputError on values that are not allowed."""
        return SearchSettings(
            Fusion(cast("FusionKind", self.fusion), self.vector_weight, self.candidates),
            collapse=self.collapse,
            per_document=self.per_document,
        )
