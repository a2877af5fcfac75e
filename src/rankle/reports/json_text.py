"""The text of a record, the same for every kind of record."""

import msgspec


def json_text(record: object) -> str:
    """A record as indented JSON, members in the order of its type, ending in a line break."""
    return msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n"
