"""Names a file on a model hub."""

from dataclasses import dataclass
from typing import Final

PUBLIC_HUB: Final = "https://huggingface.co"
"""Where models are downloaded from unless a mirror is named."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """One file of a repository at one revision."""

    repository: str
    revision: str
    """Commit; a branch may move, and its files with it."""
    path: str
    size: int
    sha256: str

    def url(self, hub: str) -> str:
        """Where the hub, or a mirror of it, has the file."""
        return f"{hub.rstrip('/')}/{self.repository}/resolve/{self.revision}/{self.path}"
