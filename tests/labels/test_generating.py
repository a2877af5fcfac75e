"""Generated questions: copied from nothing, mixed, the same for one seed, and answered where they say."""

from collections import Counter
from itertools import pairwise

import pytest

from rankle.core.errors import InputError
from rankle.labels.asking import SourceChunk
from rankle.labels.generating import generate_questions
from rankle.labels.question_words import shares_run, units

_TOPICS = ("pump", "filter", "battery", "lamp", "hinge", "valve", "sensor", "cable")


def chunk(n: int, *, language: str | None = "en") -> SourceChunk:
    """Three sentences: of words of this chunk alone, of some that its neighbour has too, and of all."""
    topic, other = _TOPICS[n % 8], _TOPICS[n // 2 % 4]
    sentences = (
        f"A {topic} clamp is a {topic}ade that holds {topic}ine{topic}o pipes in winter storms. ",
        f"Engineers replace worn {other}ish gaskets every {other}al autumn before frost reaches {other}ton. ",
        "Whatever happens, mechanics record torque, pressure, temperature and humidity afterwards.",
    )
    ends = [sum(map(len, sentences[:place])) for place in range(4)]
    return SourceChunk(
        id=f"chunk-{n:012x}", document=f"{topic}.md", language=language, collection="default",
        headings=("Handbook", f"The {topic} clamp"), text="".join(sentences), start=100,
        sentences=tuple(pairwise(ends)),
    )  # fmt: skip


def plain(name: str, language: str, heading: str, *sentences: str) -> SourceChunk:
    ends = [sum(map(len, sentences[:place])) for place in range(len(sentences) + 1)]
    return SourceChunk(
        id=f"chunk-{name:0>12}", document=f"{name}.md", language=language, collection="default",
        headings=(heading,), text="".join(sentences), start=0,
        sentences=tuple(pairwise(ends)),
    )  # fmt: skip


CHUNKS = [chunk(n) for n in range(8)]
SPOKEN = [
    plain(
        "ja", "ja", "電池", "電池とは、機械に電力を供給する部品です。", "三か月ごとに電圧を確認してください。"
    ),
    plain("zh", "zh", "年假", "年假是指员工每年可以享受的带薪休假。", "员工需要提前两周向主管申请。"),
    plain(
        "ko", "ko", "연차 휴가", "직원은 매년 십오 일의 휴가를 사용할 수 있으며 두 주 전에 신청해야 합니다."
    ),
    plain(
        "ar", "ar", "الإجازة السنوية", "يحق لكل موظف الحصول على خمسة عشر يوما من الراحة كل عام بعد الخدمة."
    ),
    plain("th", "th", "วันลา", "พนักงานมีสิทธิลาพักผ่อนสิบห้าวันต่อปีและต้องยื่นคำขอล่วงหน้า"),
]


def test_no_question_shares_three_words_in_a_row_with_its_passage() -> None:
    chunks = [*CHUNKS, *SPOKEN]
    made = generate_questions(chunks, n=60)
    by_id = {each.id: each for each in chunks}
    assert len(made.queries) > 30
    for query in made.queries:
        for label in query.labels:
            assert label.chunk is not None
            assert not shares_run(query.text, by_id[label.chunk].text)


@pytest.mark.parametrize(
    ("question", "shared"),
    [
        ("replace worn pump gaskets", True),
        ("Replace the WORN pump?", True),  # words without a meaning do not part a run
        ("worn gaskets of the pump", False),
        ("What does a worn pump?", False),
        ("Where do I read about before the frost?", True),  # nor are small words free to copy
        ("What does two-person rule mean?", True),  # a hyphen joins words and hides none
        ("worn pump", False),
        ("電圧を確認しましたか", True),  # six characters are about three words
        ("電圧を確認", False),
        ("", False),
    ],
)
def test_a_run_is_three_words_or_content_words_that_follow_one_another(question: str, shared: bool) -> None:
    said = "Engineers replace worn pump gaskets before the frost. So says the two-person rule."
    passage = f"{said} 電圧を確認しました。"
    assert shares_run(question, passage) is shared


def test_the_label_is_where_the_answer_stands() -> None:
    by_id = {each.id: each for each in CHUNKS}
    labels = [label for query in generate_questions(CHUNKS, n=30).queries for label in query.labels]
    assert len(labels) >= 27
    for label in labels:
        assert label.chunk is not None
        assert label.span is not None
        assert label.span.range is not None
        start, end = label.span.range
        assert by_id[label.chunk].text[start - 100 : end - 100] == label.span.quote


def test_difficulties_kinds_and_documents_take_turns_and_are_marked() -> None:
    queries = generate_questions(CHUNKS, n=30).queries
    assert [query.tags[0] for query in queries] == ["generated"] * 30
    counts = Counter(query.tags[1] for query in queries)
    assert counts["unanswerable"] == 3
    assert min(counts[level] for level in ("easy", "medium", "hard")) >= 5
    kinds = {query.tags[2] for query in queries if query.labels}
    assert kinds == {"heading", "section", "definition", "keywords", "sentence", "pair"}
    assert {query.labels[0].name for query in queries if query.labels} == {f"{topic}.md" for topic in _TOPICS}


def test_difficulty_is_how_many_other_chunks_have_the_words_that_are_asked_for() -> None:
    """Counted anew from the question itself: the words of its form stand in no chunk."""
    words = {each.id: units(" ".join([*each.headings, each.text])) for each in CHUNKS}
    everywhere = frozenset.union(*words.values())
    queries = generate_questions(CHUNKS, n=40, unanswerable=0).queries
    counted = [query for query in queries if query.tags[2] != "definition"]  # its article may stand anywhere
    assert len(counted) > 20
    for query in counted:
        asked = units(query.text) & everywhere
        others = [held for name, held in words.items() if name != query.labels[0].chunk]
        n_rivals = sum(len(asked & held) >= max(1, len(asked) - 1) for held in others)
        assert query.tags[1] == ("easy" if n_rivals == 0 else "medium" if n_rivals < 5 else "hard"), (
            query.text
        )


def test_what_five_others_answer_as_well_is_not_asked_unless_it_is_defined() -> None:
    same = [
        plain(
            str(n),
            "en",
            "Torque",
            f"A wrench is a tool{n} which mechanics own, borrow, lend and oil{n}.",
        )
        for n in range(7)
    ]
    queries = generate_questions(same, n=50, unanswerable=0).queries
    assert "heading" not in {query.tags[2] for query in queries}
    assert [query.tags[1] for query in queries if query.tags[2] == "definition"] == ["hard"]


def test_no_two_questions_ask_for_the_same() -> None:
    queries = generate_questions([*CHUNKS, *CHUNKS], n=100, unanswerable=0).queries
    words = [units(query.text) for query in queries]
    assert len(set(words)) == len(words)


def test_one_seed_gives_one_set_and_another_another() -> None:
    assert generate_questions(CHUNKS, n=10, seed=3) == generate_questions(CHUNKS, n=10, seed=3)
    assert generate_questions(CHUNKS, n=10, seed=3) != generate_questions(CHUNKS, n=10, seed=4)


@pytest.mark.parametrize(
    "heading",
    ["Does it hold?", "What it says", "Judging what is open", "The whole long story of pumps", "`x`"],
)
def test_a_heading_that_is_no_name_is_not_asked_for(heading: str) -> None:
    one = plain("a", "en", heading, "Mechanics record torque, pressure, temperature and humidity afterwards.")
    kinds = {query.tags[2] for query in generate_questions([one], n=9, unanswerable=0).queries}
    assert kinds == {"sentence"}


def test_a_sentence_that_points_at_something_unnamed_defines_nothing() -> None:
    for start in ("Whatever is left is a", "Each measure is a", "This means a", "It is a"):
        one = plain("a", "en", "What?", f"{start} candidate of torque, pressure, temperature and humidity.")
        kinds = {query.tags[2] for query in generate_questions([one], n=9, unanswerable=0).queries}
        assert "definition" not in kinds


@pytest.mark.parametrize(
    ("language", "questions"),
    [
        ("ja", {"heading", "definition"}),
        ("zh", {"heading", "definition"}),
        ("ko", {"heading"}),
        ("ar", {"heading"}),
        ("th", {"heading"}),
    ],
)
def test_scripts_of_their_own_are_asked_about_too(language: str, questions: set[str]) -> None:
    (one,) = [each for each in SPOKEN if each.language == language]
    queries = generate_questions([one], n=9, unanswerable=0, seed=1).queries
    # Heading and definition of one name ask for the same, so that one of them stands for both.
    assert {query.tags[2] for query in queries} <= questions
    assert [query.labels[0].name for query in queries] == [one.document]
    assert one.headings[0] in queries[0].text


@pytest.mark.parametrize(("share", "n"), [(0.0, 0), (0.1, 1), (0.5, 5), (1.0, 10)])
def test_a_share_has_no_answer(share: float, n: int) -> None:
    queries = generate_questions(CHUNKS, n=10, unanswerable=share).queries
    assert sum(not query.answerable for query in queries) == n
    assert all(bool(query.labels) == query.answerable for query in queries)


def test_questions_without_an_answer_are_in_the_languages_of_the_documents_in_turn() -> None:
    chunks = [*SPOKEN, plain("ja2", "ja", "棚", "棚は倉庫にあります。")]
    asked = [query.language for query in generate_questions(chunks, n=10, unanswerable=1).queries]
    assert asked == ["ja", "ar", "ko", "th", "zh"] * 2
    unknown = generate_questions([chunk(1, language=None), chunk(2, language="xx")], n=2, unanswerable=1)
    assert [query.language for query in unknown.queries] == ["en", "en"]


@pytest.mark.parametrize(
    ("language", "text", "near", "far"),
    [
        ("en", "Bats navigate in darkness by echoes.", "How do bats navigate in darkness?", "Which planet"),
        ("de", "Fledermäuse finden im Dunkeln ihre Beute.", "Wie finden Fledermäuse", "Welcher Planet"),
        ("ja", "コウモリは暗闇でも飛びます。", "コウモリは暗闇でどうやって飛びますか？", "衛星が最も多い"),
        ("th", "ค้างคาวบินในความมืดได้", "ค้างคาวบินในความมืด", "ลิ้นของยีราฟ"),
    ],
)
def test_a_question_that_the_documents_come_near_is_not_called_unanswerable(
    language: str, text: str, near: str, far: str
) -> None:
    one = plain("a", language, "x", text)
    asked = " ".join(query.text for query in generate_questions([one], n=40, unanswerable=1).queries)
    assert near not in asked
    assert far in asked


def test_long_texts_in_thai_do_not_come_near_to_every_question() -> None:
    sentence = "พนักงานมีสิทธิลาพักผ่อนสิบห้าวันต่อปีและต้องยื่นคำขอต่อหัวหน้างานล่วงหน้าสองสัปดาห์ "
    other = "การเบิกค่าใช้จ่ายในการเดินทางต้องแนบใบเสร็จและส่งภายในสามสิบวันหลังจากกลับมาแล้ว "
    one = plain("a", "th", "x", sentence, other, "บริษัทจ่ายเงินเดือนทุกสิ้นเดือนโดยโอนเข้าบัญชีธนาคารของพนักงาน")
    assert len(generate_questions([one], n=10, unanswerable=1).queries) >= 8


def test_other_languages_are_passed_over_and_counted() -> None:
    made = generate_questions([chunk(1, language="fi"), chunk(2, language=None)], n=5, unanswerable=0.0)
    assert (made.queries, made.n_passed_over) == ((), 2)


def test_what_is_no_number_or_share_is_refused() -> None:
    with pytest.raises(InputError, match="1 question or more"):
        generate_questions(CHUNKS, n=0)
    with pytest.raises(InputError, match="from 0 to 1"):
        generate_questions(CHUNKS, n=1, unanswerable=1.5)
