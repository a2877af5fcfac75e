"""Text without halves of characters, which JSON can carry, and no file, terminal or database.

What cuts text by UTF-16, as Java and JavaScript do, may leave one at its end.
"""


def is_whole(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole(text: str) -> str:
    """The text with U+FFFD for each half; two that belong together are joined."""
    if is_whole(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
