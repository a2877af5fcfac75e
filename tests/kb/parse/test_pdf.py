"""PDF: documents that are built here, byte by byte."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from rankle.core.errors import UnreadableDocumentError
from rankle.kb.parse import ParsedDocument, parse_document

Line = str | tuple[int, str]
"""The words of a line, with its font size where that is not 11."""


def _content(lines: Sequence[Line]) -> bytes:
    sized = [line if isinstance(line, tuple) else (11, line) for line in lines]
    shown = "".join(f"/F1 {size} Tf 0 -30 Td ({words}) Tj\n" for size, words in sized)
    return f"BT 72 780 Td\n{shown}ET".encode("latin-1")


def make_pdf(
    pages: Sequence[Sequence[Line]], *, title: str = "", bookmarks: Sequence[tuple[str, int]] = ()
) -> bytes:
    """A PDF whose pages hold these lines. bookmarks: words and page, from 0."""
    n = len(pages)
    first_page, outline = 5, 5 + 2 * n
    kids = " ".join(f"{first_page + 2 * i} 0 R" for i in range(n))
    items = [outline + 1 + i for i in range(len(bookmarks))]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R " + (f"/Outlines {outline} 0 R " if items else "").encode() + b">>",
        f"<< /Type /Pages /Kids [{kids}] /Count {n} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Title ({title}) >>".encode(),
    ]
    for index, lines in enumerate(pages):
        content = _content(lines)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
            + f" /Contents {first_page + 2 * index + 1} 0 R >>".encode()
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream")
    if items:
        objects.append(
            f"<< /Type /Outlines /First {items[0]} 0 R /Last {items[-1]} 0 R /Count {len(items)} >>".encode()
        )
    for index, (words, page) in enumerate(bookmarks):
        following = f"/Next {items[index + 1]} 0 R " if index + 1 < len(items) else ""
        objects.append(
            f"<< /Title ({words}) /Parent {outline} 0 R {following}".encode()
            + f"/Dest [{first_page + 2 * page} 0 R /Fit] >>".encode()
        )
    return _with_table(objects)


def _with_table(objects: Sequence[bytes]) -> bytes:
    data, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    )
    return data + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def parse(data: bytes) -> ParsedDocument:
    return parse_document(data, name="files/manual.pdf")


def test_pages_are_kept_in_order() -> None:
    document = parse(
        make_pdf([["First page, first line", "second line"], [], ["Third page"]], title="The Manual")
    )
    assert document.text == "First page, first line\nsecond line\n\f\n\fThird page"
    assert [document.text[start:].lstrip("\n\f")[:5] for start in document.pages] == [
        "First",
        "Third",
        "Third",
    ]
    assert len(document.pages) == 3
    assert document.title == "The Manual"
    assert [block.kind for block in document.blocks] == ["paragraph", "paragraph"]


@pytest.mark.parametrize("title", ["", "Untitled", "Microsoft Word - Draft v2", "draft.docx"])
def test_a_title_that_a_program_put_there_is_none(title: str) -> None:
    assert parse(make_pdf([["Text"]], title=title)).title == "manual"


def test_bookmarks_that_stand_on_their_page_are_headings() -> None:
    data = make_pdf(
        [["Intro text", "1 Setup", "Do this."], ["2 Use", "Do that."]],
        bookmarks=[("1 Setup", 0), ("2  USE", 1), ("Elsewhere", 1)],
    )
    document = parse(data)
    assert [(block.text, block.level) for block in document.blocks if block.kind == "heading"] == [
        ("1 Setup", 1),
        ("2 Use", 1),
    ]


def test_without_bookmarks_lines_in_larger_type_are_headings() -> None:
    body: list[Line] = ["This is a line of the body text of the page."] * 4
    running: list[Line] = [(14, "Running title")]
    document = parse(
        make_pdf(
            [
                [*running, (20, "The Manual"), (20, "goes on"), *body, (14, "1 Setup"), (14, "2 Use"), *body],
                [
                    *running,
                    (14, "Not this one, because " + "it is far too long " * 6),
                    *body,
                    (18, "7"),
                    *body,
                ],
                [*running, (8, "Small print"), *body],
            ]
        )
    )
    assert [(block.text, block.level) for block in document.blocks if block.kind == "heading"] == [
        ("The Manual goes on", 1),
        ("1 Setup", 2),
        ("2 Use", 2),
    ]
    assert document.title == "The Manual goes on"


def test_a_scanned_document_says_what_to_do() -> None:
    with pytest.raises(
        UnreadableDocumentError, match=r"manual\.pdf: none of its 2 pages holds text.*ocrmypdf"
    ):
        parse(make_pdf([[], []]))


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\nbroken", b"not a pdf at all", make_pdf([["x"]])[:200]])
def test_a_broken_file_is_told(data: bytes) -> None:
    with pytest.raises(UnreadableDocumentError, match=r"manual\.pdf: (is no readable PDF|holds no text)"):
        parse(data)


def test_an_encrypted_file_is_told() -> None:
    encrypt = b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <" + b"11" * 32 + b"> /U <" + b"22" * 32 + b"> >>"
    data = make_pdf([["secret"]]).replace(
        b"/Info 4 0 R >>", b"/Encrypt " + encrypt + b" /ID [<01020304> <01020304>] >>"
    )
    with pytest.raises(UnreadableDocumentError, match="is encrypted and asks for a password"):
        parse(data)


def test_threads_do_not_disturb_each_other() -> None:
    files = [make_pdf([[f"document {number}"] * 20]) for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        documents = list(pool.map(parse, files))
    assert [document.text.split("\n")[0] for document in documents] == [f"document {n}" for n in range(8)]
