"""What a system that is not built in is called, and what makes it the same as before."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rankle.core.canonical import Json, fingerprint
from rankle.core.ports import SystemDescription
from rankle.systems.options import Common


@dataclass(frozen=True, slots=True)
class Identity:
    """A system as records tell of it. Nothing in it is a credential."""

    name: str
    """Its table of the project file, or its URI."""
    method: str
    """A short name, for the heads of tables."""
    settings: Mapping[str, Json] = field(default_factory=dict)
    """Its URI and options, as they are written: variables of the environment by name."""
    is_named: bool = False
    """Whether somebody gave it the name, and it is no URI."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Variables of the environment that the settings name and that are no keys, with their values: they are
    in the fingerprint, since the system may answer by them, and are told nowhere."""

    def describe(self, options: Common, *, parts: Mapping[str, str] | None = None) -> SystemDescription:
        """parts: fingerprints of what else it answers by."""
        held = parts or {}
        made_of = [self.name, dict(self.settings), options.version, dict(held)]
        if self.values:  # without any it is that of records of before
            made_of.append(dict(self.values))
        return SystemDescription(
            name=self.name,
            method=self.method,
            fingerprint=fingerprint(made_of),
            stages=options.stages,
            settings=self.settings,
            parts=held,
            is_reusable=options.cacheable,
            floor=options.floor,
        )
