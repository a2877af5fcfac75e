import pytest

from rankle.core.redaction import secrets_of_uri
from rankle.systems.secrets import Redactor, secrets_of_headers
from rankle.systems.variables import literal_secrets, without_literal_secrets


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


@pytest.mark.parametrize(
    "said",
    [
        "Illegal header value b'p\"ss\\\\w\\xc3\\xb6rd\\n'",
        '{"got": "p\\"ss\\\\w\\u00f6rd\\n"}',
        '{"got": "p\\"ss\\\\wörd"}',
        "<p>p&quot;ss\\wörd</p>",
        "'p\"ss\\\\wörd'",
        "?k=p%22ss%5Cw%C3%B6rd",
        '{"got": "{\\"key\\": \\"p\\\\\\"ss\\\\\\\\w\\u00f6rd\\"}"}',
        "<pre>{&quot;key&quot;: &quot;p\\&quot;ss\\\\wörd&quot;}</pre>",
    ],
)
def test_a_key_is_found_as_those_quote_it_who_repeat_it(said: str) -> None:
    told = Redactor(['p"ss\\wörd\n'])(said)
    assert "***" in told
    assert "rd" not in told


def test_the_beginning_of_a_key_is_hidden_where_a_text_was_cut_in_it() -> None:
    redact = Redactor(["planted-key-0123"])
    assert redact("got planted-key-01… (after 3 attempts)") == "got ***… (after 3 attempts)"
    assert redact("got pla… of plan") == "got pla… of plan"


def test_keys_that_are_written_out_are_found_in_tables_lists_and_texts_of_json() -> None:
    options = {
        "headers": {"X-Api-Key": "one", "X-Plain": "shown"},
        "body": {"auth": {"token": "two"}, "list": [{"password": "three"}], "key": "${NAME}"},
        "text": '{"q": "{{ query }}", "api_key": "four", "token": "${NAME}", \'secret\': "{{ query }}"}',
    }
    assert list(literal_secrets(options)) == ["one", "two", "three", "four"]
    assert without_literal_secrets(options, "***") == {
        "headers": {"X-Api-Key": "***", "X-Plain": "shown"},
        "body": {"auth": {"token": "***"}, "list": [{"password": "***"}], "key": "${NAME}"},
        "text": '{"q": "{{ query }}", "api_key": "***", "token": "${NAME}", \'secret\': "{{ query }}"}',
    }


def test_a_key_as_short_as_a_word_changes_no_text_of_a_result() -> None:
    redact = Redactor(["test", "planted-key-0123"])
    assert redact.of_result("how to test it, by planted-key-0123") == "how to test it, by ***"
    assert redact("no account of test") == "no account of ***"


def test_the_longer_of_two_keys_goes_first() -> None:
    assert Redactor(["abcd", "abcdefgh"])("abcdefgh abcd") == "*** ***"


def test_a_key_among_the_words_of_a_command_is_taken_out_of_what_it_says() -> None:
    redact = Redactor(secrets_of_uri("command:./s --api-key abcdef123456 --token x"))
    assert redact("no account of abcdef123456 at x") == "no account of *** at x"
