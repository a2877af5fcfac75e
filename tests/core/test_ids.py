import re

import pytest

from rankle.core.ids import chunk_id, content_hash, is_chunk_id, is_content_id, short_content_id


def test_a_chunk_id_depends_on_document_text_and_occurrence_only() -> None:
    first = chunk_id(document="a.md", text="same", occurrence=0)
    assert re.fullmatch(r"chunk-[0-9a-f]{12}", first)
    assert first == chunk_id(document="a.md", text="same", occurrence=0)
    others = {
        chunk_id(document="b.md", text="same", occurrence=0),
        chunk_id(document="a.md", text="other", occurrence=0),
        chunk_id(document="a.md", text="same", occurrence=1),
    }
    assert len(others | {first}) == 4


def test_a_chunk_id_is_the_same_in_every_release() -> None:
    # Ratings and sets store these ids: changing the recipe breaks them.
    assert chunk_id(document="guide/setup.md", text="Connect it.", occurrence=0) == "chunk-85c2ff3a8b47"


@pytest.mark.parametrize(
    ("name", "chunk", "content"),
    [
        ("chunk-0123456789ab", True, False),
        ("chunk-0123456789AB", False, False),
        ("chunk-0123456789abc", False, False),
        ("chunk-01234", False, False),
        ("#123456", False, True),
        ("#12345", False, False),
        ("#12345g", False, False),
        ("guide/setup.md", False, False),
    ],
)
def test_ids_are_told_apart_by_their_form(name: str, chunk: bool, content: bool) -> None:
    assert (is_chunk_id(name), is_content_id(name)) == (chunk, content)


def test_the_short_content_id_is_the_beginning_of_the_hash() -> None:
    digest = content_hash(b"text")
    assert digest == "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"
    assert short_content_id(digest) == "#982d9e"
    assert is_content_id(short_content_id(digest))
