"""`openai:MODEL@URL?options` is read as people write it, and never repeats a credential."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import InputError, UnknownNameError
from rankle.models.openai_name import PUBLIC_API, OpenAIName, parse_openai_name, space_fingerprint

LOCAL = "http://localhost:11434/v1"


@pytest.mark.parametrize(
    ("name", "model", "base_url"),
    [
        ("openai:text-embedding-3-small", "text-embedding-3-small", PUBLIC_API),
        ("openai:bge-m3@http://localhost:11434/v1", "bge-m3", LOCAL),
        ("openai:BAAI/bge-m3@http://localhost:11434/v1", "BAAI/bge-m3", LOCAL),
        ("openai:nomic-embed-text:latest@http://localhost:11434/v1", "nomic-embed-text:latest", LOCAL),
        ("openai:acme/e5@sha256:12@http://localhost:11434/v1", "acme/e5@sha256:12", LOCAL),
        ("openai:m@httpmodel@https://h/v1", "m@httpmodel", "https://h/v1"),
        ("openai:m@HTTP://LocalHost:80/V1/", "m", "http://localhost/V1"),
        ("openai:m@https://h:443/v1/embeddings", "m", "https://h/v1"),
        ("openai:m@http://h:8080", "m", "http://h:8080/v1"),
        ("openai:m@http://h/", "m", "http://h/v1"),
        ("openai:m@http://h/proxy/openai/v1//", "m", "http://h/proxy/openai/v1"),
        ("openai:m@http://[::1]:8080/v1", "m", "http://[::1]:8080/v1"),
        ("openai:m@http://bücher.example/v1", "m", "http://bücher.example/v1"),
    ],
)
def test_model_and_url_are_told_apart(name: str, model: str, base_url: str) -> None:
    assert parse_openai_name(name) == OpenAIName(model=model, base_url=base_url)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("query_prefix=query: &passage_prefix=passage: ", ("query: ", "passage: ", None)),
        ("query_prefix=query:%20&passage_prefix=passage:+", ("query: ", "passage: ", None)),
        ("query_prefix=Instruct: find%0AQuery:", ("Instruct: find\nQuery:", "", None)),
        ("passage_prefix=a%26b=c%3F@http://x", ("", "a&b=c?@http://x", None)),
        ("dimensions=256", ("", "", 256)),
        ("query_prefix=", ("", "", None)),
        ("", ("", "", None)),
    ],
)
def test_options_hold_prefixes_and_dimensions(options: str, expected: tuple[str, str, int | None]) -> None:
    name = parse_openai_name(f"openai:m@{LOCAL}?{options}")

    assert (name.query_prefix, name.passage_prefix, name.dimensions) == expected
    assert name.base_url == LOCAL


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(
    model=st.from_regex(r"[\w./:-]+", fullmatch=True).filter(lambda model: "://" not in model),
    base_url=st.sampled_from([PUBLIC_API, LOCAL, "https://h/a/v2", "http://[::1]:1/v1"]),
    query_prefix=texts,
    passage_prefix=texts,
    dimensions=st.none() | st.integers(1, 99999),
)
def test_a_canonical_name_parses_to_what_it_names(
    model: str, base_url: str, query_prefix: str, passage_prefix: str, dimensions: int | None
) -> None:
    name = OpenAIName(
        model=model,
        base_url=base_url,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        dimensions=dimensions,
    )

    assert parse_openai_name(str(name)) == name
    assert str(parse_openai_name(str(name))) == str(name)


def test_a_model_of_the_public_api_keeps_its_url_where_its_name_would_be_misread() -> None:
    name = OpenAIName(model="acme@v2")

    assert str(name) == f"openai:acme@v2@{PUBLIC_API}"
    assert parse_openai_name(str(name)) == name


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("e5-small", 'does not begin with "openai:"'),
        ("openai:", "names no model"),
        ("openai:@http://h/v1", "names no model"),
        ("openai:http://h/v1", "URL where the model belongs"),
        ("openai:m@localhost:8080/v1", "no URL follows that begins with http:// or https://"),
        ("openai:m@ftp://h/v1", "URL where the model belongs"),
        ("openai:my model@http://h/v1", "white space"),
        ("openai:m@http://h/v1\x1b[2J", "control character"),
        ("openai:m@http://h/\udc80", "control character"),
        ("openai:m@http://:80/v1", "without a host"),
        ("openai:m@http://h:99999/v1", "malformed URL"),
        ("openai:m@http://h:x/v1", "malformed URL"),
        ("openai:m@http://[::1/v1", "malformed URL"),
        ("openai:m@http://a..b/v1", "whose host is no name"),
        ("openai:m@http://a%zz/v1", "whose host is no name"),
        ("openai:m@http://h/v1#part", '"#"'),
        ("openai:m?dimensions=0", "whole number from 1 to 99999"),
        ("openai:m?dimensions=-1", "whole number from 1 to 99999"),
        ("openai:m?dimensions=256.0", "whole number from 1 to 99999"),
        ("openai:m?dimensions=1&dimensions=2", "gives dimensions twice"),
        ("openai:m?query_prefix", "name=value"),
        ("openai:m?query_prefix=%ff", "name=value"),
        ("openai:m?query_prefix=\udc80", "name=value"),
    ],
)
def test_a_malformed_name_is_refused_with_the_form_to_write(name: str, fault: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_openai_name(name)

    message = str(refused.value)
    assert fault in message
    assert "Write openai:MODEL@URL" in message
    assert message.isprintable()


def test_an_unknown_option_names_those_that_exist_and_hides_its_value() -> None:
    with pytest.raises(UnknownNameError) as refused:
        parse_openai_name(f"openai:m@{LOCAL}?query_prefx=q&api_key=hush-hush")

    assert 'did you mean "query_prefix"?' in str(refused.value)
    assert "dimensions" in str(refused.value)
    with pytest.raises(UnknownNameError) as secret:
        parse_openai_name(f"openai:m@{LOCAL}?api_key=hush-hush")
    assert "hush-hush" not in str(refused.value) + str(secret.value)


@pytest.mark.parametrize(
    "name",
    [
        "openai:m@http://user:hush-hush@h/v1",
        "openai:m@http://hush-hush@h/v1",
        "openai:m@http://user:pass/hush-hush@h/v1",
        "openai:m@http://user:hush-hush@h:99999/v1",
        "openai:m@https://user:hush-hush@http.example/v1",
        "openai:http://user:hush-hush@h/v1",
        "openai:m@ftp://user:hush-hush@h/v1",
    ],
)
def test_credentials_in_a_url_are_refused_and_not_repeated(name: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_openai_name(name)

    assert "hush-hush" not in str(refused.value)
    assert "***@" in str(refused.value)


def test_the_refusal_of_credentials_names_the_variable_to_use() -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        parse_openai_name("openai:m@http://user:hush-hush@h/v1")


def test_spaces_differ_in_all_that_moves_a_vector_and_in_nothing_else() -> None:
    names = [
        f"openai:m@{LOCAL}",
        f"openai:n@{LOCAL}",
        "openai:m@http://localhost:11435/v1",
        "openai:m@http://localhost:11434/v2",
        f"openai:m@{LOCAL}?query_prefix=a",
        f"openai:m@{LOCAL}?passage_prefix=a",
    ]
    prints = [space_fingerprint(parse_openai_name(name), dimensions=8) for name in names]

    assert len({*prints, space_fingerprint(parse_openai_name(names[0]), dimensions=9)}) == len(names) + 1
    http, https = (
        space_fingerprint(parse_openai_name(f"openai:m@{scheme}://h/v1"), dimensions=8)
        for scheme in ("http", "https")
    )
    assert http == https
