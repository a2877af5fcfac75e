"""Which model an indexing embeds with, if any."""

from dataclasses import dataclass
from typing import Final

from rankle.core.errors import InputError
from rankle.core.product import NAME
from rankle.kb.vectors.index import VectorState

NO_MODEL: Final = "none"
"""Where a model is named: make no vectors."""
_NAME_ONE: Final = f"Name one, such as: {NAME} embed --model e5-small"


@dataclass(frozen=True, slots=True)
class DefaultModel:
    """What a workspace without a model gets."""

    name: str
    """`none` where nobody wants vectors unless asked, in workspaces that have a model as well."""
    is_ready: bool
    """Whether it is taken where nobody asks: someone chose it, or it is here without a download."""


@dataclass(frozen=True, slots=True)
class VectorWish:
    """What the caller of an indexing says about vectors."""

    vectors: bool | None = None
    """None makes them where the workspace has a model, or where the default one is ready."""
    model: str | None = None
    """None keeps the workspace's own; another one replaces all that is embedded."""

    def __post_init__(self) -> None:
        if self.vectors is False and self.model not in (None, NO_MODEL):
            raise InputError(f'no vectors and the model "{self.model}" do not go together; leave one out')
        if self.vectors and self.model == NO_MODEL:
            raise InputError(f'vectors need a model, got "{NO_MODEL}"')

    @property
    def is_no(self) -> bool:
        return self.vectors is False or self.model == NO_MODEL


def chosen_model(wish: VectorWish, state: VectorState | None, default: DefaultModel | None) -> str | None:
    """The name of the model to embed with; None for no vectors.

    default: None where there is none, so that only a workspace that has a model gets vectors unasked.

    Raises InputError where vectors are asked for and nothing names a model.
    """
    if wish.is_no:
        return None
    if wish.model is not None:
        return wish.model
    is_off = default is not None and default.name == NO_MODEL
    if is_off and wish.vectors is None:
        return None
    if state is not None:
        return state.model
    if wish.vectors is None and (default is None or not default.is_ready):
        return None
    if default is None or is_off:
        raise InputError(f"vectors need a model, and the workspace has none yet. {_NAME_ONE}")
    return default.name


@dataclass(frozen=True, slots=True)
class EmbedPlan:
    """What an indexing would embed."""

    model: str
    n_chunks: int
    """At most: texts that were embedded before need no model, and some chunks may go."""


def plan_embedding(
    wish: VectorWish, state: VectorState | None, default: DefaultModel | None, *, n_new: int
) -> EmbedPlan | None:
    """None where nothing would be embedded.

    n_new: chunks of the documents that the indexing adds or updates.
    """
    model = chosen_model(wish, state, default)
    if model is None:
        return None
    n_old = 0
    if state is not None:
        keeps = model == state.model and state.is_current
        n_old = state.n_chunks - state.n_embedded if keeps else state.n_chunks
    return EmbedPlan(model, n_new + n_old) if n_new + n_old else None
