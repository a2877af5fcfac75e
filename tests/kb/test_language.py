"""The language of a document."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from rankle.kb.language import detect_language, language_code

SAMPLES = {
    "en": "The committee meets every Monday, and its minutes are published on the same day.",
    "de": "Der Ausschuss tagt jeden Montag, und das Protokoll wird am selben Tag veröffentlicht.",
    "fr": "Le comité se réunit tous les lundis et le procès-verbal est publié le jour même.",
    "it": "Il comitato si riunisce ogni lunedì e il verbale viene pubblicato lo stesso giorno.",
    "es": "El comité se reúne todos los lunes y el acta se publica el mismo día.",
    "ru": "Комитет собирается каждый понедельник, и протокол публикуется в тот же день.",
    "ja": "委員会は毎週月曜日に開かれ、議事録は同じ日に公開されます。",
    "zh": "委员会每周一开会，会议纪要当天公布。",
    "ko": "위원회는 매주 월요일에 열리며 회의록은 같은 날 공개된다.",
    "th": "คณะกรรมการประชุมทุกวันจันทร์",
    "ar": "تجتمع اللجنة كل يوم اثنين وينشر المحضر في اليوم نفسه.",
}


@pytest.mark.parametrize(("language", "text"), SAMPLES.items())
def test_a_sentence_is_enough(language: str, text: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", "   ", "ok", "12345 67890 12345", "x = 1", "{}[]()<>!", "42 %"])
def test_too_little_text_has_no_language(text: str) -> None:
    assert detect_language(text) is None


def test_a_few_quoted_kana_leave_a_chinese_text_chinese() -> None:
    assert detect_language("日语里的“の”表示所属关系，是最常见的助词，学习者很快就会遇到它。") == "zh"


def test_threads_that_start_together_agree() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(detect_language, [SAMPLES["de"]] * 8)) == {"de"}


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("de", "de"), ("de-CH", "de"), ("zh_TW", "zh"), ("EN-us", "en"), ("deu", "de"), (" fr ", "fr"),
        ("python", None), ("", None), ("x", None), ("d3", None),
    ],
)  # fmt: skip
def test_the_code_is_what_a_tag_begins_with(tag: str, code: str | None) -> None:
    assert language_code(tag) == code
