"""Source code and configuration."""

import pytest

from rankle.kb.parse import ParsedDocument, parse_document


def parse(source: str, *, name: str) -> ParsedDocument:
    return parse_document(source.encode(), name=name)


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in document.blocks if block.kind == "heading"]


@pytest.mark.parametrize(
    ("name", "line", "defined"),
    [
        ("a.py", "def load(path):", "load"),
        ("a.py", "async def load(path):", "load"),
        ("a.py", "class Store:", "Store"),
        ("a.js", "export default async function* walk(x) {", "walk"),
        ("a.ts", "export const pick = async (x: X) => {", "pick"),
        ("a.ts", "export interface Props<T> {", "Props"),
        ("a.go", "func (s *Store) Load(path string) error {", "Load"),
        ("a.go", "type Store struct {", "Store"),
        ("a.rs", "pub(crate) async fn load<T>(x: T) {", "load"),
        ("a.rs", "impl<T> Store<T> {", "Store"),
        ("a.java", "public abstract class Store<T> extends Base {", "Store"),
        ("a.kt", "data class Point(val x: Int)", "Point"),
        ("a.c", "static int load_file(const char *path)", "load_file"),
        ("a.cpp", "std::vector<int> Store::load(const std::string& path) {", "Store::load"),
        ("a.rb", "def empty?", "empty?"),
        ("a.php", "final class Store {", "Store"),
        ("a.sh", "load_file() {", "load_file"),
        ("a.sql", "CREATE OR REPLACE VIEW app.users AS", "app.users"),
        ("a.sql", "create table if not exists users (", "users"),
        ("a.toml", "[tool.ruff]", "tool.ruff"),
        ("a.toml", "[[tool.mypy.overrides]]  # all", "tool.mypy.overrides"),
        ("a.ini", "[server]", "server"),
        ("a.yaml", "services:", "services"),
        ("a.proto", "message Request {", "Request"),
    ],
)
def test_a_definition_is_a_heading_named_by_what_it_defines(name: str, line: str, defined: str) -> None:
    assert headings(parse(f"{line}\n    body\n", name=name)) == [(2, defined)]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.py", "return load(path)"),
        ("a.py", "else:"),
        ("a.py", "# def load(path):"),
        ("a.py", "classes = 3"),
        ("a.c", "else if (x) {"),
        ("a.c", "int declared(int x);"),
        ("a.yaml", "name: class of things"),
        ("a.yaml", "class Foo"),
        ("a.css", "class .x {"),
        ("a.c", "a" + "*" * 60 + ("b" + "*" * 60) * 5),
    ],
)
def test_other_lines_are_no_headings(name: str, line: str) -> None:
    assert headings(parse(f"{line}\n", name=name)) == []


def test_what_leads_up_to_a_definition_goes_with_it() -> None:
    document = parse(
        'import os\n\n# Says why.\n@cache\ndef load(path):\n    """Doc."""\n\n    return 1\n\n\n'
        "class A:\n    def go(self):\n        pass\n",
        name="pkg/store.py",
    )
    assert [(b.kind, b.level, b.text, document.text[b.start : b.end]) for b in document.blocks] == [
        ("code", 0, "", "import os"),
        ("heading", 2, "load", "# Says why.\n@cache\ndef load(path):"),
        ("code", 0, "", '"""Doc."""'),
        ("code", 0, "", "return 1"),
        ("heading", 2, "A", "class A:"),
        ("heading", 3, "go", "def go(self):"),
        ("code", 0, "", "pass"),
    ]
    assert document.title == "store"


def test_a_python_file_in_latin_1_is_read_as_it_declares() -> None:
    document = parse_document(
        "# -*- coding: iso-8859-15 -*-\nx = 'Größe €'\n".encode("iso-8859-15"), name="a.py"
    )
    assert "Größe €" in document.text
