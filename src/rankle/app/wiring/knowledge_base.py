"""Opens the knowledge base of a workspace, and gives it the shape of systems and of a source of passages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankle.app.wiring.models import embedder_factory, model_readiness
from rankle.app.wiring.settings import DEFAULT_WORKSPACE, Settings
from rankle.core.errors import WorkspaceError

if TYPE_CHECKING:
    from rankle.core.embedding import OpenEmbedder
    from rankle.core.ports import PassageSource
    from rankle.kb.knowledge_base import KnowledgeBase
    from rankle.kb.search_settings import SearchSettings
    from rankle.kb.vectors.choice import DefaultModel
    from rankle.systems.knowledge_base import KnowledgeBaseSystem


def open_knowledge_base(
    settings: Settings,
    *,
    create: bool = False,
    lazy: bool = False,
    open_embedder: "OpenEmbedder | None" = None,
) -> "KnowledgeBase":
    """Open the workspace of `settings`. Raises WorkspaceError where it does not exist, unless `create`.

    lazy: open it on first use, which raises then.
    open_embedder: opens models by name; None for one that tells nobody what it is doing.
    """
    from rankle.kb.knowledge_base import KnowledgeBase
    from rankle.kb.workspaces import is_workspace

    folder = settings.home / settings.workspace
    if not create and not lazy and not is_workspace(folder):
        raise missing_workspace(settings)
    return KnowledgeBase(
        folder,
        name=settings.workspace,
        create=create,
        lazy=lazy,
        open_embedder=open_embedder or embedder_factory(),
        default_model=lambda: default_model(settings),
    )


def default_model(settings: Settings) -> "DefaultModel":
    """The embedding model of a workspace that has none."""
    from rankle.kb.vectors.choice import DefaultModel
    from rankle.models.catalog import DEFAULT_MODEL
    from rankle.models.readiness import Readiness

    if settings.model is not None:
        return DefaultModel(settings.model, is_ready=True)
    return DefaultModel(DEFAULT_MODEL, is_ready=model_readiness() is Readiness.READY)


def missing_workspace(settings: Settings) -> WorkspaceError:
    """The error for a workspace that does not exist, with the nearest that do."""
    from rankle.kb.workspaces import no_such_workspace

    options = "" if settings.workspace == DEFAULT_WORKSPACE else f" -w {settings.workspace}"
    return no_such_workspace(settings.home / settings.workspace, options=options)


def knowledge_base_systems(
    kb: "KnowledgeBase",
    *,
    methods: Sequence[str | None],
    settings: "SearchSettings | None" = None,
    texts: bool = False,
) -> "tuple[KnowledgeBaseSystem, ...]":
    """An open knowledge base as systems to measure, one a method; None is its best method.

    settings: of all of them. texts: whether results come with their texts, which takes time.
    Raises InputError where the fusion was set and none of them fuses anything, and whatever a method raises
    that the workspace cannot do.
    """
    from rankle.kb.methods import HYBRID
    from rankle.kb.search_settings import DEFAULT_SETTINGS, check_used
    from rankle.systems.knowledge_base import KnowledgeBaseSystem

    chosen = DEFAULT_SETTINGS if settings is None else settings
    systems = tuple(
        KnowledgeBaseSystem(kb, method=method, settings=chosen, texts=texts) for method in methods
    )
    names = [system.method for system in systems]
    check_used(chosen, method=HYBRID if HYBRID in names else names[0])
    return systems


def passage_source(kb: "KnowledgeBase") -> "PassageSource":
    """The texts of an open knowledge base, in which labels of passages are looked for."""
    from rankle.systems.passages import KnowledgeBasePassages

    return KnowledgeBasePassages(kb)
