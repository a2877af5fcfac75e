"""Puts variables of the environment into the options of a system, and remembers which of them are keys."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.core.redaction import CREDENTIAL_WORDS
from rankle.systems.secrets import SECRET_NAME, is_secret_header

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_PAIR: Final = re.compile(
    rf"""["'][\w-]*(?:{CREDENTIAL_WORDS}|authorization)["']\s*:\s*(["'])(?P<value>[^"']+)\1""", re.IGNORECASE
)
"""A member of JSON that is named like a key, with a text."""


@dataclass(slots=True)
class Variables:
    """The environment, as far as options name it."""

    environ: Mapping[str, str]
    where: str
    """What has the options, for an error."""
    secrets: list[str] = field(default_factory=list)
    """Values that were put in and must not be stored."""

    def fill(self, value: Any, *, is_secret: bool = False) -> Any:
        """The value with `${NAME}` replaced in all texts.

        is_secret: whether what is put in must not be stored, whatever the variable is called.
        Raises InputError on a variable that is not set.
        """
        if isinstance(value, str):
            return _VARIABLE.sub(lambda match: self._value(match[1], is_secret=is_secret), value)
        if isinstance(value, Mapping):
            return {
                name: self.fill(item, is_secret=is_secret or _hides(name)) for name, item in value.items()
            }
        if isinstance(value, list):
            return [self.fill(item, is_secret=is_secret) for item in value]
        return value

    def _value(self, name: str, *, is_secret: bool) -> str:
        value = self.environ.get(name)
        if not value:
            raise InputError(
                f"{self.where} needs ${{{name}}}, and that variable is not set in the environment; "
                f"set it: export {name}=…"
            )
        if is_secret or SECRET_NAME.search(name):
            self.secrets.append(value)
        return value


def told_values(settings: Any, environ: Mapping[str, str]) -> dict[str, str]:
    """Variables that settings name, with their values: those that are no keys, by their own names and by
    those of what they are put into. A key's change is no change of the system."""
    if isinstance(settings, str):
        names = [name for name in _VARIABLE.findall(settings) if not SECRET_NAME.search(name)]
        return {name: environ[name] for name in names if name in environ}
    found: dict[str, str] = {}
    if isinstance(settings, Mapping):
        for name, item in settings.items():
            found |= {} if is_secret_header(str(name)) else told_values(item, environ)
    elif isinstance(settings, list):
        for item in settings:
            found |= told_values(item, environ)
    return found


def _hides(option: object) -> bool:
    """Of headers all that a variable gives, since they are what most keys are sent in."""
    return option == "headers" or is_secret_header(str(option))


def literal_secrets(value: Any, name: str = "") -> Iterator[str]:
    """Values of options that are named like keys, where no variable stands for them; also in texts of JSON.

    name: of the option that has the value.
    """
    if isinstance(value, Mapping):
        for member, item in value.items():
            yield from literal_secrets(item, str(member))
    elif isinstance(value, list):
        for item in value:
            yield from literal_secrets(item, name)
    elif isinstance(value, str):
        if _is_literal(name, value):
            yield value
        else:
            yield from (found["value"] for found in _PAIR.finditer(value) if _is_written_out(found["value"]))


def without_literal_secrets(value: Any, redacted: str, name: str = "") -> Any:
    """The same with those values replaced, so that it can be stored."""
    if isinstance(value, Mapping):
        return {
            member: without_literal_secrets(item, redacted, str(member)) for member, item in value.items()
        }
    if isinstance(value, list):
        return [without_literal_secrets(item, redacted, name) for item in value]
    if not isinstance(value, str):
        return value
    if _is_literal(name, value):
        return redacted
    return _PAIR.sub(
        lambda found: (
            found[0].replace(found["value"], redacted) if _is_written_out(found["value"]) else found[0]
        ),
        value,
    )


def _is_literal(name: str, value: str) -> bool:
    return is_secret_header(name) and not _VARIABLE.search(value)


def _is_written_out(value: str) -> bool:
    return not _VARIABLE.search(value) and "{{" not in value
