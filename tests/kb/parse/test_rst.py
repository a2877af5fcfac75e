"""reStructuredText."""

from rankle.kb.parse import ParsedDocument, parse_document


def parse(source: str) -> ParsedDocument:
    return parse_document(source.encode(), name="docs/index.rst")


def kinds(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_levels_follow_the_order_of_adornments() -> None:
    document = parse(
        "====\nBook\n====\n\nPart\n====\n\nSub\n---\n\nOther\n=====\n\nDeep\n~~~~\n\nLast\n----\n"
    )
    found = [(block.text, block.level) for block in document.blocks]
    assert found == [("Book", 1), ("Part", 2), ("Sub", 3), ("Other", 2), ("Deep", 4), ("Last", 3)]
    assert document.title == "Book"


def test_headings_lose_their_markup() -> None:
    document = parse("The ``code`` of :class:`~x.Name` and *more*\n" + "=" * 50 + "\n")
    assert document.title == "The code of ~x.Name and more"


def test_each_construct_is_a_block_of_its_kind() -> None:
    document = parse(
        "Title\n=====\n\n"
        "A paragraph ends with::\n\n    literal\n\n    still literal\n\n"
        ".. code-block:: python\n   :linenos:\n\n   x = 1\n\n   y = 2\n\n"
        ".. note:: Mind this.\n   And this.\n\n"
        "- one\n  goes on\n- two\n\n  more of two\n\n#. auto\n\n"
        "+---+---+\n| a | b |\n+---+---+\n\n"
        "=== ===\na   b\n=== ===\n1   2\n\n3   4\n=== ===\n\n"
        "    quoted\n\n"
        ".. _target:\n\n"
        "----\n\n"
        "The end.\n"
    )
    assert kinds(document) == [
        ("heading", "Title\n====="),
        ("paragraph", "A paragraph ends with::"),
        ("code", "literal\n\n    still literal"),
        ("code", ".. code-block:: python\n   :linenos:\n\n   x = 1\n\n   y = 2"),
        ("paragraph", ".. note:: Mind this.\n   And this."),
        ("list", "- one\n  goes on"),
        ("list", "- two\n\n  more of two"),
        ("list", "#. auto"),
        ("table", "+---+---+\n| a | b |\n+---+---+"),
        ("table", "=== ===\na   b\n=== ===\n1   2\n\n3   4\n=== ==="),
        ("quote", "quoted"),
        ("paragraph", ".. _target:"),
        ("paragraph", "----"),
        ("paragraph", "The end."),
    ]


def test_an_overline_that_does_not_match_is_no_title() -> None:
    document = parse("=====\nText\n-----\n\nBody\n")
    assert [block.text for block in document.blocks if block.kind == "heading"] == ["Text"]
