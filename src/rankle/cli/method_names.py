"""Names of methods as options give them: with commas, several times, or both."""

from rankle.core.errors import InputError


def method_names(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Each once. Raises InputError where a name is missing between commas."""
    names = tuple(name.strip() for text in texts for name in text.split(","))
    if not all(names):
        given = ",".join(texts)
        raise InputError(
            f'--method must be names with commas between them, such as fts5,hybrid; got "{given}"'
        )
    return tuple(dict.fromkeys(names))
