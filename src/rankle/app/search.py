"""Search a workspace, and note the search in its log."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.errors import WorkspaceError
from rankle.core.search import SearchResult
from rankle.core.sync import run_sync
from rankle.kb.search_request import DEFAULT_DEPTH, search_request
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings
from rankle.kb.searchlog import logged


@dataclass(frozen=True, slots=True)
class Question:
    """What someone asks."""

    query: str
    k: int = 10
    depth: int | None = None
    method: str | None = None
    collection: str | None = None
    group: Literal["chunk", "document"] = "chunk"
    explain: bool = False
    log: bool = True
    settings: SearchSettings = DEFAULT_SETTINGS

    @property
    def n_ranked(self) -> int:
        """How many results are ranked, of which the first k are shown."""
        return max(self.k, self.depth or DEFAULT_DEPTH)


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a question."""

    workspace: str
    question: Question
    result: SearchResult
    """With its terms explained where that was asked for, and where nothing was found."""
    log_problem: str | None = None
    """Why the search could not be logged; what was found stands all the same."""


def search(question: Question, *, settings: Settings, now: Callable[[], datetime]) -> Found:
    """Ask the workspace of `settings`. Raises WorkspaceError, UnknownNameError or InputError."""
    with open_knowledge_base(settings) as kb:

        def ask(*, explain: bool) -> SearchResult:
            request = search_request(
                question.query,
                k=question.k,
                method=question.method,
                collection=question.collection,
                group=question.group,
                depth=question.depth,
                explain=explain,
                settings=question.settings,
            )
            return run_sync(kb.answer(request)).first(question.k)

        result = ask(explain=question.explain)
        problem = None
        if question.log:
            try:
                kb.log.append(logged(result, collection=question.collection, at=now(), n_shown=question.k))
            except WorkspaceError as error:
                problem = str(error)
        if not result.hits and not question.explain:
            result = ask(explain=True)  # to say which words stand nowhere
    return Found(settings.workspace, question, result, problem)
