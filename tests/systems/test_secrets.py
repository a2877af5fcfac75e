import pytest

from rankle.systems.secrets import Redactor, redacted_uri, secrets_of_headers, secrets_of_uri


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("https://ann:hush@host/search", "https://***@host/search"),
        ("https://ann@host/search", "https://***@host/search"),
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


def test_an_argument_that_a_uri_hides_is_taken_out_of_other_texts_too() -> None:
    redact = Redactor(secrets_of_uri("https://host/s?api_key=a+b%2Fc&q=pump"))
    assert redact("no such key: a+b%2Fc, for pump") == "no such key: ***, for pump"


def test_the_password_and_what_a_header_makes_of_it_are_hidden() -> None:
    redact = Redactor(secrets_of_uri("https://ann:hush-hush@host/s"))
    assert redact("401 for hush-hush (Basic YW5uOmh1c2gtaHVzaA==)") == "401 for *** (Basic ***)"


def test_a_header_is_known_by_its_parts() -> None:
    redact = Redactor(secrets_of_headers({"Authorization": "Bearer abcdef123456", "Accept": "text/plain"}))
    assert redact("got abcdef123456 of text/plain, Bearer") == "got *** of text/plain, Bearer"


def test_a_key_is_found_where_it_is_quoted() -> None:
    assert Redactor(["p&ss/word"])("?k=p%26ss%2Fword p%26ss/word p&ss/word") == "?k=*** *** ***"


def test_the_longer_of_two_keys_goes_first() -> None:
    assert Redactor(["abcd", "abcdefgh"])("abcdefgh abcd") == "*** ***"


def test_a_key_among_the_words_of_a_command_is_taken_out_of_what_it_says() -> None:
    redact = Redactor(secrets_of_uri("command:./s --api-key abcdef123456 --token x"))
    assert redact("no account of abcdef123456 at x") == "no account of *** at x"


@pytest.mark.parametrize("text", ["see https://host/s?api_key=***. Then", "ran ./s --token ***; it ended"])
def test_what_is_hidden_already_takes_nothing_of_what_follows_with_it(text: str) -> None:
    assert redacted_uri(text) == text
