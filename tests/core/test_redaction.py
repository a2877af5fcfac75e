import pytest

from rankle.core.redaction import bare_endpoint, redacted_uri, secrets_of_uri, without_users


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("https://ann:hush@host/search", "https://***@host/search"),
        ("https://ann@host/search", "https://***@host/search"),
        ("https://ann:hu@sh@host/search", "https://***@host/search"),
        ("https://host/s?q=x&api_key=abc&size=5", "https://host/s?q=x&api_key=***&size=5"),
        ("https://host/s?Access-Token=abc", "https://host/s?Access-Token=***"),
        ("https://host/s?q=a@b", "https://host/s?q=a@b"),
        ("https://host/s?keyword=a&author=b", "https://host/s?keyword=a&author=b"),
        ("https://host/s?X-Amz-Credential=a&sig=b", "https://host/s?X-Amz-Credential=***&sig=***"),
        ("https://host/mail@home", "https://host/mail@home"),
        ("kb:handbook?method=fts5", "kb:handbook?method=fts5"),
        ("command:./s --api-key abc --k 5", "command:./s --api-key *** --k 5"),
        ("command:./s --api-key='abc' -token=abc", "command:./s --api-key=*** -token=***"),
        ("command:env API_KEY=abc ./s", "command:env API_KEY=*** ./s"),
        ("command:./s -H 'Authorization: Bearer abc' -v", "command:./s -H 'Authorization: Bearer ***' -v"),
        ("command:./s -H 'x-api-key: abc'", "command:./s -H 'x-api-key: ***'"),
        ("command:./s --auth --verbose monkey=1", "command:./s --auth --verbose monkey=1"),
    ],
)
def test_a_uri_is_shown_without_credentials(uri: str, shown: str) -> None:
    assert redacted_uri(uri) == shown


@pytest.mark.parametrize("text", ["see https://host/s?api_key=***. Then", "ran ./s --token ***; it ended"])
def test_what_is_hidden_already_takes_nothing_of_what_follows_with_it(text: str) -> None:
    assert redacted_uri(text) == text


def test_what_is_taken_out_is_known_so_that_other_texts_lose_it_too() -> None:
    assert secrets_of_uri("https://ann:hu@sh@host/s?api_key=abc") == ("hu@sh", "YW5uOmh1QHNo", "abc")
    assert secrets_of_uri("command:./s --api-key short --token long-enough") == ("long-enough",)


@pytest.mark.parametrize(
    "url",
    [
        "https://host:8080/v1/",
        "https://ann:hush@host:8080/v1/",
        "https://ann:hu@sh@host:8080/v1/",
        "https://host:8080/v1/?api-version=2&key=abc",
        "https://ann@host:8080/v1/?q=a@b#part",
    ],
)
def test_an_endpoint_is_the_same_whoever_asks_it(url: str) -> None:
    assert bare_endpoint(url) == "https://host:8080/v1/"


def test_no_endpoint_stays_none() -> None:
    assert bare_endpoint("") == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see https://u:p@ss@h/v1 and mail@h", "see https://***@h/v1 and mail@h"),
        ("https://u:p/a?ss@h/v1", "https://***@h/v1"),
        ("http://h/v1", "http://h/v1"),
    ],
)
def test_all_up_to_the_last_at_sign_is_hidden_where_the_address_may_be_none(text: str, shown: str) -> None:
    assert without_users(text) == shown
