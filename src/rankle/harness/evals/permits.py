"""Who may begin next: limits over all evals, of one eval, and of what evals use together."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class Claim:
    """What one eval may have in flight, and what it has."""

    order: int
    """Place of the eval among all: an earlier one goes first."""
    limit: int | None
    resources: tuple[str, ...]
    in_flight: int = 0
    waiting: "asyncio.Future[bool] | None" = None


@dataclass(slots=True)
class Permits:
    """Hands out permits to begin a trial, to the first eval that may have one. Used from one event loop."""

    limit: int
    resource_limits: Mapping[str, int]
    """Resources that are not named here have no limit."""
    in_flight: int = 0
    used: dict[str, int] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    is_closed: bool = False

    def claim(self, *, limit: int | None, resources: tuple[str, ...]) -> Claim:
        """The next eval in order."""
        made = Claim(len(self.claims), limit, tuple(dict.fromkeys(resources)))
        self.claims.append(made)
        return made

    async def take(self, claim: Claim) -> bool:
        """Wait until one more trial of the eval may begin; False where none shall any more."""
        if self.is_closed:
            return False
        earlier = any(one.waiting is not None for one in self.claims[: claim.order])
        if not earlier and self._is_free_for(claim):
            self._grant(claim)
            return True
        claim.waiting = asyncio.get_running_loop().create_future()
        self._hand_out()
        try:
            return await claim.waiting
        finally:
            claim.waiting = None

    def give_back(self, claim: Claim) -> None:
        """One trial of the eval is over."""
        self.in_flight -= 1
        claim.in_flight -= 1
        for resource in claim.resources:
            self.used[resource] -= 1
        self._hand_out()

    def close(self) -> None:
        """No further trial may begin: whoever waits is told so."""
        self.is_closed = True
        for claim in self.claims:
            if claim.waiting is not None and not claim.waiting.done():
                claim.waiting.set_result(False)

    def _hand_out(self) -> None:
        for claim in self.claims:
            if self.in_flight >= self.limit:
                return
            waiting = claim.waiting
            if waiting is not None and not waiting.done() and self._is_free_for(claim):
                self._grant(claim)
                waiting.set_result(True)

    def _is_free_for(self, claim: Claim) -> bool:
        return (
            self.in_flight < self.limit
            and (claim.limit is None or claim.in_flight < claim.limit)
            and all(
                self.used.get(resource, 0) < self.resource_limits[resource]
                for resource in claim.resources
                if resource in self.resource_limits
            )
        )

    def _grant(self, claim: Claim) -> None:
        self.in_flight += 1
        claim.in_flight += 1
        for resource in claim.resources:
            self.used[resource] = self.used.get(resource, 0) + 1
