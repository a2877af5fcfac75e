"""Front matter: the YAML or TOML between marks at the very start of a document."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rankle.kb.language import language_code

_LONGEST: Final = 65_536
"""Characters; whatever is longer is no front matter."""

_YAML: Final = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML: Final = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LOOKS_LIKE_KEYS: Final = re.compile(r"\s*(?:#[^\n]*\n\s*)*[\"']?[\w.-]+[\"']?[ \t]*[:=]")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a document says of itself."""

    end: int = 0
    """Offset of the first character behind the front matter; 0 where there is none."""
    title: str | None = None
    language: str | None = None
    """ISO 639-1."""
    tags: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def parse_front_matter(text: str) -> FrontMatter:
    """Reads `title`, `lang` or `language`, `tags` or `keywords`; other keys are left alone.

    A thematic break at the start of a document is no front matter. Front matter that cannot be read
    is still kept out of the document's text, with a notice.
    """
    head = text[:_LONGEST]
    for kind, pattern in (("YAML", _YAML), ("TOML", _TOML)):
        match = pattern.match(head)
        if match:
            return _front_matter(match, kind=kind)
    return FrontMatter()


def _front_matter(match: re.Match[str], *, kind: str) -> FrontMatter:
    source = match.group(1)
    try:
        values = _load_yaml(source) if kind == "YAML" else _load_toml(source)
    except ValueError as error:
        if not _LOOKS_LIKE_KEYS.match(source):
            return FrontMatter()
        return FrontMatter(
            end=match.end(), notices=(f"its front matter is not valid {kind} ({error}); ignored",)
        )
    if values is None:
        return FrontMatter() if source.strip() else FrontMatter(end=match.end())
    return _read(values, end=match.end())


def _read(values: Mapping[str, object], *, end: int) -> FrontMatter:
    keys = {str(key).casefold(): value for key, value in values.items()}
    notices = []
    tag = _scalar(keys.get("lang")) or _scalar(keys.get("language"))
    language = language_code(tag) if tag else None
    if tag and not language:
        notices.append(f'its front matter names no language code: "{tag}"; write one such as en or de-CH')
    return FrontMatter(
        end=end,
        title=_scalar(keys.get("title")),
        language=language,
        tags=_words(keys.get("tags")) or _words(keys.get("keywords")),
        notices=tuple(notices),
    )


def _load_yaml(source: str) -> Mapping[str, object] | None:
    """None where it is not a mapping. All scalars stay text, so that `lang: no` is Norwegian."""
    import yaml

    try:
        values = yaml.load(source, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 - makes text only
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error).splitlines()[0] if str(error) else type(error).__name__) from error
    return values if isinstance(values, dict) else None


def _load_toml(source: str) -> Mapping[str, object]:
    import tomllib

    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _scalar(value: object) -> str | None:
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        return None
    text = " ".join(str(value).split())
    return text if text not in ("", "~", "null") else None


def _words(value: object) -> tuple[str, ...]:
    """A list of tags, or one line of them parted by commas; each once, in order."""
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(dict.fromkeys(word for item in items if (word := _scalar(item))))
