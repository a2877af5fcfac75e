"""HTML and XHTML."""

import pytest

from rankle.core.errors import UnreadableDocumentError
from rankle.kb.parse import ParsedDocument, parse_document


def parse(source: str) -> ParsedDocument:
    return parse_document(source.encode(), name="site/page.html")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>One <b>bo</b>ld&nbsp;&amp;\n  more</p><p>Two</p>", "One bold & more\n\nTwo"),
        ("loose<div>block</div>loose", "loose\n\nblock\n\nloose"),
        ("<p>line<br>next</p>", "line\nnext"),
        ("<ul><li>one<ul><li>in</li></ul></li><li><p>two</p></li></ul>", "one\nin\ntwo"),
        ("<pre>\n  a\n    b &lt; c\n\n</pre>", "  a\n    b < c"),
        ("<pre><div>a</div><div>b</div><span>c</span></pre>", "a\nb\nc"),
        ("<pre>a<pre>b</pre>c</pre>d", "a\nb\nc\n\nd"),
        ("<table><tr><th>A<th>B<tr><td><p>1</p><td>2<br>3</table>", "A | B\n1 | 2 3"),
        ("<table><caption>Cap</caption><tr><td>x</table>", "Cap\nx"),
        ("<table><tr><td><h2>Lay</h2><p>out</p><td>side</table>", "Lay\n\nout\n\nside"),
        ("<p>日本\n  語</p>", "日本語"),
        ("<p>H<sub>2</sub>O x<sup>2</sup></p>", "H2O x2"),
        ("<dl><dt>Term<dd>Meaning</dl>", "Term\nMeaning"),
        ("<p>a<script>x</script><style>y</style><!-- c -->b</p>", "ab"),
        ("<nav>n</nav><template><p>t</p></template><noscript>s</noscript><p>a</p>", "a"),
        ('<p hidden>h</p><div style="display: NONE">d</div><i aria-hidden="true">i</i><p>a</p>', "a"),
        ('<div role="navigation">n</div><button>Copy</button><svg><title>s</title></svg>a', "a"),
    ],
)
def test_the_text_is_what_a_reader_sees(source: str, text: str) -> None:
    assert parse(source).text.strip("\n") == text


def test_blocks_carry_their_kind_and_level() -> None:
    document = parse(
        '<h2>Sub <code>x</code> <a class="headerlink" href="#x">¶</a></h2><p>p</p><li>l</li>'
        "<blockquote><p>q</p></blockquote><pre>c</pre><table><tr><td>t</table>"
    )
    found = [(block.kind, block.level, block.text) for block in document.blocks]
    assert found == [
        ("heading", 2, "Sub x"), ("paragraph", 0, ""), ("list", 0, ""), ("quote", 0, ""), ("code", 0, ""),
        ("table", 0, ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title> The\n Title </title><h1>Head</h1>", "The Title"),
        ("<svg><title>Icon</title></svg><h1>Head</h1>", "Head"),
        ("<title></title><h2>Sub</h2><h1>Head</h1>", "Head"),
        ("<p>text</p>", "page"),
        ("---\ntitle: Front\n---\n<title>T</title><p>text</p>", "Front"),
    ],
)
def test_the_title_is_the_pages_own(source: str, title: str) -> None:
    assert parse(source).title == title


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ('<html lang="de-CH"><p>x', "de"),
        ('<html xml:lang="fr"><p>x', "fr"),
        ('<body lang="ja"><p>x', "ja"),
        ('<html lang=""><p>x', None),
        ("<p>x", None),
    ],
)
def test_the_language_is_the_lang_attribute(source: str, language: str | None) -> None:
    assert parse(source).language == language


def test_xhtml_with_a_declared_encoding_is_read() -> None:
    source = '<?xml version="1.0" encoding="iso-8859-1"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><p>Größe</p></html>'
    document = parse_document(source.encode("latin-1"), name="a.xhtml")
    assert document.text == "Größe"


@pytest.mark.parametrize(
    "source", ["<html></html>", "<script>only()</script>", "<!-- nothing -->", "<img src=x>"]
)
def test_a_page_without_text_is_a_failure(source: str) -> None:
    with pytest.raises(UnreadableDocumentError, match=r"page\.html: holds no text"):
        parse(source)


def test_deep_nesting_is_no_matter() -> None:
    assert parse("<div>" * 3000 + "deep").text == "deep"
    assert parse("<table><tr><td>" * 300 + "deep").text == "deep"
