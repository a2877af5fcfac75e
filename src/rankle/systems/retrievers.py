"""Finds out how a Python object is asked: a function, a method, or a retriever of the usual frameworks."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rankle.core.errors import InputError, MissingExtraError

DEPTHS: Final = ("depth", "k", "top_k", "limit", "n", "n_results", "size")
"""Names of the parameter that says how many results are wanted."""
QUERIES: Final = ("queries", "questions", "texts")
"""Names of a first parameter that takes several queries at once."""


@dataclass(frozen=True, slots=True)
class Call:
    """How something is asked."""

    function: Callable[..., Any]
    query: str | None
    """Name of the parameter of the query where it is given by name; None where it is the first."""
    depth: str | None
    accepts: frozenset[str]
    """Which of `level` and `collection` it takes."""
    is_batch: bool
    is_async: bool

    def __call__(self, query: object, *, depth: int, level: str, collection: str | None) -> Any:
        """What the function returns; to be awaited where it is async."""
        named: dict[str, Any] = {} if self.depth is None else {self.depth: depth}
        others: Mapping[str, Any] = {"level": level, "collection": collection}
        named |= {name: others[name] for name in self.accepts}
        if self.query is not None:
            return self.function(**{self.query: query}, **named)
        return self.function(query, **named)


def call_of(given: object, *, where: str) -> Call:
    """How an object is asked. A class, and a function without parameters, is called for what it makes.

    where: how the object is named, for an error. Raises InputError where nothing tells how to ask it.
    """
    made = _made(given, where=where)
    for find in (_langchain, _vector_store, _llama_index, _haystack, _plain):
        call = find(made)
        if call is not None:
            return call
    raise InputError(
        f"{where} is {type(made).__name__}, which cannot be asked; it needs to be a function of a query, "
        f"or to have search, invoke, retrieve, run(query) or __call__{_way_out(made)}"
    )


def _way_out(made: object) -> str:
    """How what is near to a search becomes one."""
    if callable(getattr(made, "as_retriever", None)):
        return ". Its as_retriever() makes what can be asked"
    if callable(getattr(made, "run", None)):
        return ". Write a function of a query that calls its run, and returns the list of documents"
    return ""


def _made(given: object, *, where: str) -> object:
    is_factory = inspect.isclass(given) or (inspect.isroutine(given) and not _parameters(given))
    if not is_factory:
        return given
    assert callable(given)
    try:
        made = given()
    except TypeError as error:
        raise InputError(
            f"{where} cannot be called without arguments: {error}; name an object that is ready"
        ) from error
    except (InputError, MissingExtraError):
        raise
    except (Exception, SystemExit) as error:
        raise InputError(
            f"{where} was called for what it makes, and failed: {type(error).__name__}: {error}"
        ) from error
    if inspect.isawaitable(made) or isinstance(made, str | bytes | list | tuple | Mapping) or made is None:
        raise InputError(f"{where} takes no query; its first parameter must be the query")
    return made


def _langchain(made: object) -> Call | None:
    """A Runnable: `ainvoke` where it is more than a thread around `invoke` is not to be told, so `invoke`."""
    invoke = getattr(made, "invoke", None)
    if not callable(invoke) or not callable(getattr(made, "ainvoke", None)):
        return None
    own = any("_aget_relevant_documents" in vars(kind) for kind in _own_kinds(made, "BaseRetriever"))
    function = getattr(made, "ainvoke") if own else invoke  # noqa: B009 - told by its name alone
    return Call(function, None, None, frozenset(), is_batch=False, is_async=own)


def _own_kinds(made: object, base: str) -> list[type]:
    """The classes below a base, which is known by name alone."""
    kinds = type(made).__mro__
    names = [kind.__name__ for kind in kinds]
    return list(kinds[: names.index(base)]) if base in names else []


def _vector_store(made: object) -> Call | None:
    """A vector store of LangChain, which is asked for as many as are wanted; its own `search` needs more."""
    search = getattr(made, "similarity_search", None)
    return _call(search) if callable(search) and callable(getattr(made, "as_retriever", None)) else None


def _llama_index(made: object) -> Call | None:
    """A retriever; `aretrieve` where it is more than `retrieve`."""
    retrieve = getattr(made, "retrieve", None)
    if not callable(retrieve):
        return None
    own = any("_aretrieve" in vars(kind) for kind in _own_kinds(made, "BaseRetriever"))
    return _call(getattr(made, "aretrieve")) if own else _call(retrieve)  # noqa: B009 - told by its name alone


def _haystack(made: object) -> Call | None:
    """A component, which takes its inputs by name only; `run_async` where it says that it has one. A pipeline
    that is made one tells its inputs beside `run`, which takes any."""
    run = getattr(made, "run_async" if getattr(made, "__haystack_supports_async__", False) else "run", None)
    if not callable(run):
        return None
    if "query" not in _parameters(run) and not hasattr(getattr(made, "__haystack_input__", None), "query"):
        return None
    call = _call(run)
    return Call(run, "query", call.depth, frozenset(), is_batch=False, is_async=call.is_async)


def _plain(made: object) -> Call | None:
    search = getattr(made, "search", None)
    if callable(search):
        return _call(search)
    return _call(made) if callable(made) else None


def _call(function: Callable[..., Any]) -> Call:
    parameters = _parameters(function)
    names = list(parameters)
    return Call(
        function,
        None,
        next((name for name in names[1:] if name in DEPTHS), None),
        frozenset(name for name in ("level", "collection") if name in names[1:]),
        is_batch=bool(names) and names[0] in QUERIES,
        is_async=_is_async(function),
    )


def _is_async(function: Callable[..., Any]) -> bool:
    own = getattr(function, "__call__", None)  # noqa: B004 - to see what it is
    return any(
        inspect.iscoroutinefunction(each) or inspect.isasyncgenfunction(each) for each in (function, own)
    )


def _parameters(function: object) -> Mapping[str, inspect.Parameter]:
    if not callable(function):
        return {}
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # some built-ins have none; they are asked with the query alone
        return {"query": inspect.Parameter("query", inspect.Parameter.POSITIONAL_ONLY)}
