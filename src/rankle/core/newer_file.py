"""Tells a file of ours that a newer version wrote from one that is none of ours."""

import re

from rankle.core.product import NAME, VERSION


def newer_file_words(error: Exception, *, kinds: tuple[str, ...]) -> str | None:
    """What to say of a file that states another version of a schema that is read, such as `run` of
    `rankle.run/2`; None where it states none of them.

    error: what decoding it by the version that is read came to; it quotes what the file states.
    """
    found = re.search(rf"{NAME}\.(?:{'|'.join(kinds)})/\d+", str(error))
    if found is None:
        return None
    return (
        f"is of a newer version of {NAME}: it states the schema {found.group()}, which {VERSION} does not "
        f"know. Update: pip install -U {NAME}"
    )
