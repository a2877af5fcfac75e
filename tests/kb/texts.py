"""Texts of many scripts, for tests of laws."""

from hypothesis import strategies as st

ALPHABETS = {
    "ascii": "abzAZ019 _-.+#/:@\"'*()\\%\n",
    "latin": "éÉüÜßẞøłıİœæﬁﬃſ\u0301\u0308\u0323\u00ad ",
    "greek and cyrillic": "αΆςΣώеёЁйї\u0301 ",
    "hangul": "가각힣\u1100\u1112\u1161\u1175\u11a8\u11c2ㄱㅏㄳ\u3164 ",
    "kana": "かがカガｶﾞﾊﾟ\u3099\u309aー々 ",
    "han": "東京人5月上旬\U00020bb7\uf900\U0002f800 ",
    "thai and its like": "แมวปู\u0e33\u0eb3ໜကិ្\u1025\u102e ",
    "indic": "कि\u093cक़\u09c7\u09be\u09d7\u0b47\u0b3e\u0bc6\u0bd7\u0cc6\u0cd5\u0d46\u0ddc\u0dca\u1b05\u1b35 ",
    "arabic and hebrew": "كتابﻻ\u064e\ufdfaשׁ\u05c1 ",
    "signs": "🚀⌛☀\ufe0f👍🏽\u200d🇩🇪①№½…‑–“”«»\u200b\u2060\ufeff ",
    "far planes": "\U00011099\U000110ba\U00011131\U00011127\U0001d49c\U00010400\U0001e922\U00016fe0 ",
    "new letters": "\u1c89\u0cf3\ua7cb\U00016d63\U00016d67\U00016d68\U000113c2\U000105c9 ",
}


def mixed_texts(*, max_size: int = 40) -> st.SearchStrategy[str]:
    """Texts of one script, of all scripts, and of anything that Python holds as text, surrogates included."""
    one_script = st.sampled_from(sorted(ALPHABETS.values())).flatmap(
        lambda alphabet: st.text(alphabet, max_size=max_size)
    )
    all_scripts = st.text("".join(ALPHABETS.values()), max_size=max_size)
    anything = st.text(st.characters(), max_size=max_size)
    broken = st.text(st.sampled_from('a"-* é\ud800\udfff\0'), max_size=max_size)
    return st.one_of(one_script, all_scripts, anything, broken)
