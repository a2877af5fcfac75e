"""What holds of tokens, queries and marks for any text."""

import sqlite3
import sys
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kb.texts import mixed_texts
from rankle.kb.store.schema import CREATE
from rankle.kb.text.analyzer import index_text, normalise, runs
from rankle.kb.text.forms import encode, fold, readable
from rankle.kb.text.marks import MarkedText, normalise_with_origin
from rankle.kb.text.query import parse_query

LANGUAGES = ("ar", "de", "en", "hi", "ru")


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(":memory:", isolation_level=None)
    for statement in CREATE:
        opened.execute(statement)
    yield opened
    opened.close()


def _stored(connection: sqlite3.Connection, *texts: str) -> set[str]:
    """The terms that FTS5 makes of these texts."""
    connection.execute("DELETE FROM fulltext")
    connection.executemany("INSERT INTO fulltext (body) VALUES (?)", [(text,) for text in texts])
    return {term for (term,) in connection.execute("SELECT term FROM vocabulary")}


@settings(max_examples=300, deadline=None)
@given(text=mixed_texts(), languages=st.sampled_from([(), LANGUAGES[:1], LANGUAGES]))
@example(text="⌛", languages=())
@example(text="\u0e4f\u17d4", languages=())
def test_no_token_is_split_dropped_or_changed_by_the_index(
    connection: sqlite3.Connection, text: str, languages: tuple[str, ...]
) -> None:
    tokens = index_text(text, languages=languages)
    wanted = {*tokens.base.split(" "), *tokens.variants.split(" ")} - {""}
    assert _stored(connection, tokens.base, tokens.variants) == wanted


def test_no_character_of_unicode_is_lost_in_a_token(connection: sqlite3.Connection) -> None:
    codes = range(sys.maxunicode + 1)
    every = [char for char in map(chr, codes) if unicodedata.category(char)[0] in "LNMS"]
    tokens = {encode(fold(run.text)) for char in every for run in runs(normalise(char))}
    assert len(tokens) > 100_000
    assert _stored(connection, *sorted(tokens)) == tokens


@settings(deadline=None)
@given(text=mixed_texts())
def test_a_token_is_one_word_without_white_space(text: str) -> None:
    for run in runs(normalise(text)):
        assert run.text
        assert encode(fold(run.text)).split() == [encode(fold(run.text))]


@settings(deadline=None)
@given(text=mixed_texts())
def test_encoded_text_reads_back(text: str) -> None:
    plain = "".join(char for char in text if not unicodedata.category(char).startswith("C"))
    assert readable(encode(plain)) == plain


@settings(max_examples=300, deadline=None)
@given(text=mixed_texts())
@example(text="\u0390")
@example(text="ΐ\u0301")
@example(text="İ")
@example(text="ŉǰ")
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(normalise(text))
    assert fold(once) == once


@settings(deadline=None)
@given(text=mixed_texts())
def test_case_makes_no_difference(text: str) -> None:
    plain = normalise(text)
    assert fold(plain.casefold()) == fold(plain)


@settings(max_examples=500, deadline=None)
@given(text=mixed_texts())
@example(text="가\u11a8\u1161")
@example(text="a\uff9e\u0301")
@example(text="가ㄳ")
@example(text="\u09c7\u09be\u09d7")
@example(text="\u1025\u102e")
@example(text="\U00016d63\U00016d67\U00016d67\U00016d68")
@example(text="\ufdfa\u064e")
def test_the_normalised_text_knows_where_it_came_from(text: str) -> None:
    normalised, origin = normalise_with_origin(text)
    assert normalised == unicodedata.normalize("NFKC", text)
    assert len(origin) == len(normalised) + 1
    assert list(origin) == sorted(origin)
    assert origin[-1] == len(text)
    assert all(0 <= place <= len(text) for place in origin)


@settings(max_examples=300, deadline=None)
@given(text=mixed_texts(), query=mixed_texts(), languages=st.sampled_from([(), LANGUAGES[:1], LANGUAGES]))
def test_marks_ascend_apart_from_each_other_inside_the_text(
    text: str, query: str, languages: tuple[str, ...]
) -> None:
    wanted = parse_query(query, languages=LANGUAGES).wanted
    last = -1
    for start, end in MarkedText(text, languages=languages).spans(wanted):
        assert last < start < end <= len(text)
        last = end


@settings(max_examples=300, deadline=None)
@given(text=mixed_texts(), languages=st.sampled_from([(), LANGUAGES[:1], LANGUAGES]))
def test_a_text_is_marked_by_itself_wherever_it_has_a_token(text: str, languages: tuple[str, ...]) -> None:
    body = MarkedText(text, languages=languages)
    query = parse_query(" ".join(char for char in text if char not in '"*-'), languages=())
    assert bool(body.spans(query.wanted)) == body.holds(query.wanted)


@settings(max_examples=300, deadline=None)
@given(text=mixed_texts(max_size=80))
@example(text='a"b" -"c" -d e* "')
@example(text=" -a -b")
def test_any_text_is_a_query_that_the_index_takes(connection: sqlite3.Connection, text: str) -> None:
    query = parse_query(text, languages=LANGUAGES)
    for look in (*query.wanted, *query.excluded):
        assert look.tokens
        assert all(look.tokens)
        phrase = '"' + " ".join(look.tokens) + '"' + "*" * look.prefix
        connection.execute("SELECT count(*) FROM fulltext WHERE fulltext MATCH ?", (phrase,))


@settings(deadline=None)
@given(text=mixed_texts())
def test_only_exclusions_are_no_query(text: str) -> None:
    query = parse_query(text, languages=LANGUAGES)
    assert query.wanted or not query.excluded


@settings(max_examples=200, deadline=None)
@given(text=mixed_texts(), languages=st.sampled_from([(), LANGUAGES[:1], LANGUAGES]))
def test_the_index_and_the_marks_agree_on_what_matches(
    connection: sqlite3.Connection, text: str, languages: tuple[str, ...]
) -> None:
    tokens = index_text(text, languages=languages)
    connection.execute("DELETE FROM fulltext")
    connection.execute(
        "INSERT INTO fulltext (rowid, body, variants) VALUES (1, ?, ?)", (tokens.base, tokens.variants)
    )
    body = MarkedText(text, languages=languages)
    for piece in text.split()[:5]:
        for look in parse_query(f'{piece} "{piece}"', languages=LANGUAGES).wanted:
            phrase = '"' + " ".join(look.tokens) + '"' + "*" * look.prefix
            match = f"{{title breadcrumb path body}} : {phrase}" if look.ordered_text else phrase
            found = connection.execute("SELECT 1 FROM fulltext WHERE fulltext MATCH ?", (match,)).fetchone()
            if body.holds([look]):
                assert found, look
