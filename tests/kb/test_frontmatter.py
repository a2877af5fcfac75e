"""Front matter: what is read, and what is none."""

import pytest

from rankle.kb.frontmatter import FrontMatter, parse_front_matter


def test_yaml_gives_title_language_and_tags() -> None:
    text = "---\ntitle: 'The  Guide'\nlang: de-CH\ntags: [a, b, a]\ndate: 2024-13-45\n---\nBody\n"
    front = parse_front_matter(text)
    assert front == FrontMatter(end=text.index("Body"), title="The Guide", language="de", tags=("a", "b"))


def test_toml_gives_title_language_and_tags() -> None:
    text = '+++\ntitle = "Guide"\nlanguage = "fr"\nkeywords = ["x", "y"]\n+++\nBody'
    front = parse_front_matter(text)
    assert front == FrontMatter(end=text.index("Body"), title="Guide", language="fr", tags=("x", "y"))


@pytest.mark.parametrize(
    ("source", "tags"),
    [("tags: one, two ,three", ("one", "two", "three")), ("tags: solo", ("solo",)),
     ("tags:\n- 1\n- no", ("1", "no")),
     ("tags:", ()), ("tags: {a: b}", ()), ("keywords: k", ("k",))],
)  # fmt: skip
def test_tags_are_a_list_or_a_line(source: str, tags: tuple[str, ...]) -> None:
    assert parse_front_matter(f"---\n{source}\n---\n").tags == tags


def test_norwegian_is_not_false() -> None:
    assert parse_front_matter("---\nlang: no\n---\n").language == "no"


def test_dots_and_the_end_of_the_text_close_it_as_well() -> None:
    assert parse_front_matter("---\ntitle: A\n...\nBody").end == 17
    assert parse_front_matter("---\ntitle: A\n---").title == "A"


def test_empty_front_matter_is_skipped() -> None:
    assert parse_front_matter("---\n---\nBody").end == 8


@pytest.mark.parametrize(
    "text",
    ["", "Body", "---\n", "---\nno end", "\n---\na: b\n---\n", "---\nJust a sentence\n---\nMore",
     "---- \na: b\n---\n",
     "---\n- item\n---\n", "---\n'unclosed\n---\n", "+++\nnot toml\n+++\n"],
)  # fmt: skip
def test_what_only_looks_alike_stays_in_the_document(text: str) -> None:
    assert parse_front_matter(text) == FrontMatter()


@pytest.mark.parametrize(("text", "kind"), [("---\na: b: c\n---\nX", "YAML"), ("+++\na = \n+++\nX", "TOML")])
def test_broken_front_matter_is_left_out_with_a_notice(text: str, kind: str) -> None:
    front = parse_front_matter(text)
    assert front.end == len(text) - 1
    assert f"not valid {kind}" in front.notices[0]


def test_a_language_that_is_none_is_told() -> None:
    front = parse_front_matter("---\nlanguage: Klingonish\n---\n")
    assert front.language is None
    assert "Klingonish" in front.notices[0]


def test_aliases_that_expand_without_end_do_no_harm() -> None:
    source = "a: &a [x,x]\n" + "".join(
        f"k{i}: &k{i} [*{'a' if i == 0 else f'k{i - 1}'}]\n" for i in range(50)
    )
    assert parse_front_matter(f"---\n{source}title: ok\n---\n").title == "ok"
