from pathlib import Path

import pytest

from fakes.opened import opened
from rankle.core.errors import InputError, UnknownNameError
from rankle.systems.uri import SystemUri, is_uri, parse_uri, unknown_system


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("kb:handbook", SystemUri("kb", "handbook", {}, "kb:handbook")),
        (
            "KB:handbook?method=fts5",
            SystemUri("kb", "handbook", {"method": "fts5"}, "KB:handbook?method=fts5"),
        ),
        (
            "run:a b.run?ties=system",
            SystemUri("run", "a b.run", {"ties": "system"}, "run:a b.run?ties=system"),
        ),
        ("run:what?.run", SystemUri("run", "what?.run", {}, "run:what?.run")),
        ("command:./s -q a=b?c=d", SystemUri("command", "./s -q a=b?c=d", {}, "command:./s -q a=b?c=d")),
        ("http://h/s?q=x", SystemUri("http", "http://h/s?q=x", {}, "http://h/s?q=x")),
        ("https://u:p@h/s", SystemUri("https", "https://u:p@h/s", {}, "https://***@h/s")),
    ],
)
def test_a_uri_is_taken_apart(text: str, uri: SystemUri) -> None:
    assert parse_uri(text) == uri


@pytest.mark.parametrize("text", ["", "handbook", "run:", "kb: "])
def test_what_is_no_uri_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InputError, match="a system is named by a URI such as kb:handbook"):
        parse_uri(text)


def test_a_host_with_a_port_is_told_to_say_how_to_ask_it() -> None:
    with pytest.raises(InputError, match="write http://localhost:8080/search"):
        parse_uri("localhost:8080/search")


def test_a_name_is_no_uri() -> None:
    assert not is_uri("production")
    assert is_uri("run:x")


def test_an_unknown_name_suggests_the_nearest_table() -> None:
    error = unknown_system("prodction", ["production", "staging"])
    assert isinstance(error, UnknownNameError)
    assert error.nearest == ("production",)
    assert "There is: production, staging" in str(error)


def test_a_file_is_told_how_to_be_replayed() -> None:
    assert "run:bm25.run" in str(unknown_system("bm25.run", []))
    assert str(unknown_system(" ", ["x"])).endswith("; got nothing")
    assert "[systems.mine] of rankle.toml" in str(unknown_system("mine", []))


@pytest.mark.parametrize(
    ("uri", "method"),
    [
        ("http://h:8/s", "h:8/s"),
        ("http://h/s?q={{ query }}&size=5&api_key=abc", "h/s?size=5"),
        ("command:/opt/tools/search --index a", "search --index a"),
        ("command:python3 a.py --token abc", "python3 a.py --token ***"),
    ],
)
def test_the_short_name_tells_systems_of_one_kind_apart_and_holds_no_key(
    tmp_path: Path, uri: str, method: str
) -> None:
    with opened(uri, cwd=tmp_path) as system:
        assert system.describe().method == method


def test_a_key_that_a_uri_repeats_where_nothing_tells_that_it_is_one_is_hidden_too(tmp_path: Path) -> None:
    with opened("command:./s abcdef123456 --token abcdef123456", cwd=tmp_path) as system:
        assert system.describe().name == "command:./s *** --token ***"
