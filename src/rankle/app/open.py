"""`rankle.open`: a workspace from Python."""

from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import load_settings
from rankle.kb.knowledge_base import KnowledgeBase


def open_workspace(name: str | None = None) -> KnowledgeBase:
    """The workspace of that name, or the one that the command line would use.

    It need not exist yet: the first `index` makes it. Until then, searching it raises WorkspaceError.
    """
    return open_knowledge_base(load_settings(workspace=name), lazy=True)
