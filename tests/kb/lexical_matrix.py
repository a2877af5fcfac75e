"""What a search must find and must not find, as data. A fix of search adds its row here first.

Each corpus maps a key to a text. All corpora stand in one index, each in a folder of its own, so the file of
the key `spaced` of corpus 3 is `m003/spaced.md`; a key with a suffix is the file's name as it is. A key that
begins with `@legal/` is indexed in the collection `legal`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

LEGAL: Final = "@legal/"


@dataclass(frozen=True, slots=True)
class Row:
    """One query against one corpus."""

    documents: Mapping[str, str]
    query: str
    must_find: tuple[str, ...] = ()
    must_not_find: tuple[str, ...] = ()
    first: str | None = None
    """The one that must stand before all others of its corpus."""
    collection: str | None = None

    @property
    def label(self) -> str:
        shown = self.query if len(self.query) < 40 else f"{self.query[:36]}…"
        return shown.encode("ascii", "backslashreplace").decode().replace("\0", "\\0") or "empty"


_REAL_TIME = {
    "hyphenated": "A real-time feed of prices.",
    "spaced": "Prices arrive in real time.",
    "joined": "The realtime feed is slow.",
    "unlike": "The feed is timeless and surreal.",
}
_MULTI_AGENT = {
    "hyphenated": "---\nlang: en\n---\nMulti-agent systems negotiate.",
    "joined": "A multiagent simulation.",
    "unlike": "The system negotiates alone.",
}
_GPT = {
    "hyphenated": "We asked GPT-4 for a summary.",
    "joined": "We asked gpt4 for a summary.",
    "spaced": "We asked GPT 4 for a summary.",
    "older": "We asked GPT-3 for a summary.",
    "longer": "We asked GPT-40 for a summary.",
}
_DECISIONS = {
    "exact": "Why we chose SQLite stands in DEC-0054.",
    "neighbour": "Why we left it stands in DEC-0055.",
    "number": "Invoice 0054 was paid in December.",
}
_SNAKE = {
    "snake": "Set `max_retry_count` to five.",
    "camel": "Set `maxRetryCount` to five.",
    "words": "The max retry count is five.",
    "scattered": "Count to five, then retry at the max.",
}
_CAMEL = {
    "camel": "Call getUserName() first.",
    "acronym": "class HTTPServerError is raised.",
    "unlike": "Call somebody.",
}
_VERSIONS = {
    "exact": "Fixed in v1.18.0 at last.",
    "patch": "Fixed in v1.18.1 at last.",
    "minor": "Fixed in v1.17.0 at last.",
}
_DOTTED = {
    "dotted": "Use os.path.join() for that.",
    "prose": "Join the path that the others took.",
    "imported": "from os.path import split",
}
_LANGUAGES = {
    "plus": "The engine is written in C++.",
    "sharp": "The editor is written in C#.",
    "plain": "The kernel is written in C.",
    "dotnet": "It runs on .NET today.",
    "fishing": "It runs with a fishing net today.",
    "pair": "Experience in C/C++ is needed.",
    "stack": "A developer for C#/.NET is needed.",
    "based": "The C++-based engine.",
    "bracketed": "The platform (.NET) is installed.",
}
_ADDRESSES = {
    "exact": "Write to ops.team@example.com for access.",
    "other": "Write to sales@example.org for access.",
}
_PATHS = {
    "exact": "Edit /etc/nginx/nginx.conf and reload.",
    "relative": "It stands in src/rankle/core/ids.py today.",
    "other": "Edit /etc/hosts and reload.",
}
_URLS = {
    "exact": "See https://docs.example.org/guide/setup?tab=linux#install for more.",
    "other": "See https://docs.example.net/guide for more.",
}
_CODES = {
    "exact": "The linter says E1101 here.",
    "neighbour": "The linter says E1102 here.",
    "hex": "Windows stops with 0x80070005 then.",
    "oracle": "The database says ORA-00942 again.",
    "chrome": "The browser shows ERR_CONNECTION_REFUSED instead.",
}
_BLOB = "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4" * 12
_BLOBS = {
    "blob": f"An image is data:image/png;base64,{_BLOB} here.",
    "digest": "Its digest is 9f86d081884c7d659a2feaa0c55ad015 here.",
    "parts": "The iVBORw0 and KGgo of others.",
    "other": "No image.",
}
_NUMBERS = {
    "address": "The proxy listens on 10.0.0.1:8080 only.",
    "near": "The proxy listens on 10.0.0.2 only.",
    "isbn": "The book is ISBN 978-3-16-148410-0 in print.",
    "abbreviation": "A policy of the U.S.A. today.",
    "flags": "Call it with --dry-run first.",
    "scope": "Then foo->bar::baz() returns.",
    "windows": r"It lies in C:\Users\me\file.txt there.",
}
_PHRASES = {
    "ordered": "The quick brown fox jumps.",
    "reversed": "The brown quick fox jumps.",
    "apart": "The quick and the brown fox jump.",
    "accents": "Une crème brûlée, s'il vous plaît.",
    "hamlet": "To be or not to be, that is the question.",
}
_APPLES = {
    "apple": "An apple a day.",
    "pie": "Apple pie with cinnamon.",
    "cake": "A cake of cinnamon.",
    "both": "Apple cake beside a pie.",
}
_SHORT = {
    "invoices": "# Invoices",
    "refunds": "Refunds: ten days",
    "cats": "# Cats",
    "han": "---\nlang: zh\n---\n公司电脑叫做 laptops，也可以借用。",
}
"""Too short to tell the language, or in one without a stemmer: stemmed as the queries are."""
_CONFIGURATION = {
    "noun": "The configuration is stored.",
    "verb": "---\nlang: en\n---\nThey confer on Mondays.",
    "inside": "A reconfigured machine.",
    "identifier": "Set conf_dir first.",
}
_CAFE = {
    "accent": "Das Café am Markt.",
    "plain": "Das Cafe am Markt.",
    "decomposed": "Das Cafe\u0301 am Markt.",
    "unlike": "Die Cafeteria am Markt.",
}
_UMLAUT = {
    "umlaut": "Die Kündigung ist wirksam.",
    "spelled": "Die Kuendigung ist wirksam.",
    "decomposed": "Die Ku\u0308ndigung ist wirksam.",
    "soft": "Die Kün\u00addi\u00adgung ist wirksam.",
    "unlike": "Die Kunde ist wirksam.",
}
_SHARP_S = {
    "sharp": "Die Straße ist gesperrt.",
    "double": "Die Strasse ist gesperrt.",
    "capital": "DIE STRASSE IST GESPERRT.",
    "large": "DIE STRAẞE IST GESPERRT.",
    "unlike": "Der Strauß ist gesperrt.",
}
_LETTERS = {
    "stroke": "Ærøskøbing und Łódź.",
    "turkish": "İstanbul ve Isparta.",
    "unlike": "Kobenhavn und Lot.",
}
_HANGUL = {
    "composed": "한국어 문서를 검색한다.",
    "decomposed": "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165 \u1107\u116e\u11ab\u1109\u1165.",
    "unlike": "오늘은 날씨가 좋다.",
}
_WIDTH = {
    "full": "ＡＰＩの設定。",
    "half": "The API is set.",
    "kana": "ｶﾀﾛｸﾞを見る。",
    "unlike": "何もない。",
}
_LIGATURES = {
    "ligature": "An e\ufb03cient \ufb01le system.",
    "plain": "An efficient file system.",
    "unlike": "An affluent office.",
}
_CITIES = {
    "tokyo": "東京都に住んでいます。",
    "kyoto": "京都府に住んでいます。",
    "university": "大学へ行きます。",
    "college": "大人が学ぶ。",
}
_PETS = {
    "cat": "猫が好きです。",
    "last": "飼っているのは猫",
    "dog": "犬が好きです。",
}
_DATES = {
    "exact": "会議は5月上旬に開かれる。",
    "month": "会議は6月上旬に開かれる。",
    "part": "会議は5月下旬に開かれる。",
    "year": "报告于2024年完成。",
}
_KANA = {
    "persimmon": "かきを食べる。",
    "brats": "がきを叱る。",
    "decomposed": "か\u3099きと遊ぶ。",
    "katakana": "ガラスを割る。",
    "glassless": "カラスが鳴く。",
}
_CHINESE = {
    "search": "全文检索系统的评测方法。",
    "weather": "今天的天气非常好。",
    "rare": "\U00020bb7野家在那里。",
}
_THAI = {
    "cat": "ฉันมีแมวอยู่ที่บ้าน",
    "crab": "เขาชอบกินปู",
    "university": "เธอเรียนที่มหาวิทยาลัยเชียงใหม่",
    "unlike": "วันนี้อากาศดี",
}
_ARABIC = {
    "books": "---\nlang: ar\n---\nهذه الكتب في المكتبة.",
    "weather": "---\nlang: ar\n---\nالطقس جميل اليوم.",
}
_HINDI = {
    "school": "---\nlang: hi\n---\nयह विद्यालय बड़ा है।",
    "weather": "---\nlang: hi\n---\nआज मौसम अच्छा है।",
    "nukta": "---\nlang: hi\n---\nसड़क लंबी थी।",
}
_CYRILLIC = {
    "yo": "Зелёный чай с мёдом.",
    "ye": "Зеленый чай с медом.",
    "short": "Великий Новгород.",
    "unlike": "Чёрный кофе.",
}
_GREEK = {
    "accent": "Η Αθήνα είναι μεγάλη.",
    "capitals": "Η ΑΘΗΝΑ ΕΙΝΑΙ ΜΕΓΑΛΗ.",
    "sigma": "Ο Οδυσσέας και ο Όμηρος.",
    "unlike": "Η Σπάρτη είναι μικρή.",
}
_TITLES = {
    "title": "# Backups\n\nThey run every night and are kept for a week.",
    "body": "# Storage\n\nThe backups run every night and are kept for a week.",
}
_FIELDS = {
    "invoicing/rules": "It runs every night and it is kept for a week, on all the machines.",
    "body": "The invoicing runs every night and it is kept for a week, on the machines.",
}
_BREADCRUMBS = {
    "below": "# Handbook\n\n## Parental leave\n\nIt lasts for six weeks and is paid in full.",
    "other": "# Handbook\n\n## Sick days\n\nThey last for six weeks and are paid in full.",
}
_CONTRACTS = {
    "public": "The warranty clause of the brochure.",
    "@legal/contract": "The warranty clause of the contract.",
    "@legal/other": "A lease.",
}
_STOP_WORDS = {
    "hamlet": "To be or not to be.",
    "others": "Whales migrate.",
}
_SYNTAX = {
    "operators": "Write AND, OR or NEAR between two columns.",
    "column": "The title of the body.",
    "table": "Drop the table of chunks.",
    "unlike": "Whales migrate.",
}
_EMOJI = {
    "rocket": "We launched 🚀 today.",
    "hourglass": "Please wait ⌛ a little.",
    "sun": "It is sunny ☀\ufe0f outside.",
    "thumb": "Agreed 👍🏽 by all.",
    "none": "Nothing to see.",
}
_ENGLISH_STEMS = {
    "plural": "---\nlang: en\n---\nThe runners were running.",
    "unlike": "---\nlang: en\n---\nRuins.",
}
_STEMS = {
    "de": "---\nlang: de\n---\nAlle Häuser wurden verkauft.",
    "fr": "---\nlang: fr\n---\nLes chevaux mangent vite.",
    "it": "---\nlang: it\n---\nI gatti dormivano insieme.",
    "es": "---\nlang: es\n---\nLas canciones nuevas gustaron.",
    "nl": "---\nlang: nl\n---\nDe fietsen werden gestolen.",
    "pt": "---\nlang: pt\n---\nOs meninos correram muito.",
    "sv": "---\nlang: sv\n---\nFlickorna sprang hem.",
    "fi": "---\nlang: fi\n---\nTaloissa asuttiin pitkään.",
    "hu": "---\nlang: hu\n---\nA házakban laktak.",
    "tr": "---\nlang: tr\n---\nKitaplar masada.",
    "ru": "---\nlang: ru\n---\nНовые книги на столе.",
    "ar": "---\nlang: ar\n---\nقرأت الكتاب كله.",
}
_NEEDLE = {
    "needle": "A xylophone was heard.",
    "hay": "A zither was heard.",
}

ROWS: Final = (
    # Words that hyphens join, apart or together.
    Row(_REAL_TIME, "real-time", ("hyphenated", "spaced", "joined"), ("unlike",)),
    Row(_REAL_TIME, "realtime", ("joined", "hyphenated"), ("unlike",)),
    Row(_REAL_TIME, "real time", ("hyphenated", "spaced"), ("unlike",)),
    Row(_REAL_TIME, "Real‑Time", ("hyphenated",), ("unlike",)),  # a non-breaking hyphen
    Row(_MULTI_AGENT, "multi-agent", ("hyphenated", "joined"), ("unlike",)),
    Row(_MULTI_AGENT, "agents", ("hyphenated",), ("unlike",)),
    Row(_GPT, "gpt-4", ("hyphenated", "joined", "spaced"), ("older", "longer"), first="hyphenated"),
    Row(_GPT, "GPT4", ("joined", "hyphenated"), ("older", "longer")),
    Row(_DECISIONS, "DEC-0054", ("exact",), ("neighbour", "number")),
    Row(_DECISIONS, "why DEC-0054", ("exact", "neighbour"), ("number",), first="exact"),
    Row(_DECISIONS, "why -DEC-0054", ("neighbour",), ("exact", "number")),
    Row(_DECISIONS, "-0054", ("exact", "number"), ("neighbour",)),
    # Identifiers.
    Row(_SNAKE, "max_retry_count", ("snake", "camel", "words"), ("scattered",), first="snake"),
    Row(_SNAKE, "maxRetryCount", ("snake", "camel", "words"), ("scattered",)),
    Row(_SNAKE, "retry", ("snake", "camel", "words", "scattered")),
    Row(_CAMEL, "getUserName", ("camel",), ("acronym", "unlike"), first="camel"),
    Row(_CAMEL, "get_user_name", ("camel",), ("acronym", "unlike")),
    Row(_CAMEL, "user name", ("camel",), ("acronym", "unlike")),
    Row(_CAMEL, "HTTP server", ("acronym",), ("camel", "unlike")),
    Row(_CAMEL, "httpservererror", ("acronym",), ("camel", "unlike")),
    Row(_VERSIONS, "v1.18.0", ("exact",), ("patch", "minor")),
    Row(_VERSIONS, "v1.18*", ("exact", "patch"), ("minor",)),
    Row(_DOTTED, "os.path.join", ("dotted",), ("prose", "imported")),
    Row(_DOTTED, "path.join", ("dotted",), ("prose", "imported")),
    Row(_DOTTED, "os.path", ("dotted", "imported"), ("prose",), first="imported"),
    Row(_LANGUAGES, "C++", ("plus", "pair", "based"), ("sharp", "plain", "dotnet", "stack")),
    Row(_LANGUAGES, "c++", ("plus", "pair", "based"), ("sharp", "plain")),
    Row(_LANGUAGES, "C#", ("sharp", "stack"), ("plus", "plain", "pair", "based")),
    Row(_LANGUAGES, "C", ("plain", "pair"), ("plus", "sharp", "stack", "based")),
    Row(_LANGUAGES, ".NET", ("dotnet", "stack", "bracketed"), ("fishing", "plus")),
    Row(_LANGUAGES, "net", ("fishing",), ("dotnet", "stack")),
    Row(_ADDRESSES, "ops.team@example.com", ("exact",), ("other",)),
    Row(_ADDRESSES, "example.com", ("exact",), ("other",)),
    Row(_PATHS, "/etc/nginx/nginx.conf", ("exact",), ("other", "relative"), first="exact"),
    Row(_PATHS, "nginx.conf", ("exact",), ("other", "relative")),
    Row(_PATHS, "core/ids.py", ("relative",), ("other", "exact")),
    Row(_PATHS, r"core\ids.py", ("relative",), ("other", "exact")),
    Row(_URLS, "https://docs.example.org/guide/setup?tab=linux#install", ("exact",), (), first="exact"),
    Row(_URLS, "https://docs.example.org/guide/setup", ("exact",), ("other",)),
    Row(_URLS, "docs.example.org", ("exact",), ("other",)),
    Row(_CODES, "E1101", ("exact",), ("neighbour", "hex")),
    Row(_CODES, "0x80070005", ("hex",), ("exact",)),
    Row(_CODES, "ORA-00942", ("oracle",), ("exact",)),
    Row(_CODES, "ora00942", ("oracle",), ("exact",)),
    Row(_CODES, "ERR_CONNECTION_REFUSED", ("chrome",), ("exact",)),
    Row(_CODES, "connection refused", ("chrome",), ("exact",)),
    Row(_BLOBS, _BLOB, ("blob",), ("other", "parts")),
    Row(_BLOBS, "9f86d081884c7d659a2feaa0c55ad015", ("digest",), ("blob", "other")),
    Row(_NUMBERS, "10.0.0.1", ("address",), ("near", "isbn")),
    Row(_NUMBERS, "10.0.0.1:8080", ("address",), ("near", "isbn")),
    Row(_NUMBERS, "978-3-16-148410-0", ("isbn",), ("address",)),
    Row(_NUMBERS, "9783161484100", ("isbn",), ("address",)),
    Row(_NUMBERS, "USA", ("abbreviation",), ("address",)),
    Row(_NUMBERS, "--dry-run", ("flags",), ("address",)),
    Row(_NUMBERS, "bar::baz", ("scope",), ("address",)),
    Row(_NUMBERS, r"C:\Users\me", ("windows",), ("address",)),
    # Phrases, exclusion, prefix.
    Row(_PHRASES, '"quick brown fox"', ("ordered",), ("reversed", "apart")),
    Row(_PHRASES, "“quick brown”", ("ordered",), ("reversed", "apart")),
    Row(_PHRASES, "«quick brown»", ("ordered",), ("reversed", "apart")),
    Row(_PHRASES, '"creme brulee"', ("accents",), ("ordered",)),
    Row(_PHRASES, '"to be or not to be"', ("hamlet",), ("ordered",)),
    Row(_PHRASES, '"quick brown" question', ("ordered", "hamlet"), ("reversed", "apart")),
    Row(_PHRASES, '""', (), ("ordered", "hamlet")),
    Row(_APPLES, "apple -pie", ("apple",), ("pie", "both", "cake")),
    Row(_APPLES, 'apple -"apple pie"', ("apple", "both"), ("pie", "cake")),
    Row(_APPLES, "apple - pie", ("apple", "pie", "both"), ("cake",)),
    Row(_APPLES, "-apple", ("apple", "pie", "both"), ("cake",)),
    Row(_APPLES, "cinnamon -PIE", ("cake",), ("pie", "apple", "both")),
    Row(_APPLES, "apple -pi*", ("apple",), ("pie", "both", "cake")),
    Row(_CONFIGURATION, "conf* -configu*", ("verb", "identifier"), ("noun", "inside")),
    Row(_SHORT, "invoice", ("invoices",), ("refunds", "cats")),
    Row(_SHORT, "refund", ("refunds",), ("invoices", "cats")),
    Row(_SHORT, "cat", ("cats",), ("invoices", "refunds")),
    Row(_SHORT, "laptop", ("han",), ("cats",)),
    Row(_APPLES, " -pie -cake", ("pie", "cake", "both"), ("apple",)),
    Row(_CONFIGURATION, "conf*", ("noun", "verb", "identifier"), ("inside",)),
    Row(_CONFIGURATION, "configur*", ("noun",), ("verb", "inside", "identifier")),
    Row(_CONFIGURATION, "conf* -confer", ("noun", "identifier"), ("verb", "inside")),
    Row(_CONFIGURATION, "conf", ("identifier",), ("noun", "verb", "inside")),
    # Spelling: accents, umlauts, composition, width.
    Row(_CAFE, "café", ("accent", "plain", "decomposed"), ("unlike",)),
    Row(_CAFE, "cafe", ("accent", "plain", "decomposed"), ("unlike",)),
    Row(_CAFE, "CAFE\u0301", ("accent", "plain", "decomposed"), ("unlike",)),
    Row(_UMLAUT, "Kündigung", ("umlaut", "spelled", "decomposed", "soft"), ("unlike",)),
    Row(_UMLAUT, "kuendigung", ("umlaut", "spelled", "decomposed", "soft"), ("unlike",)),
    Row(_UMLAUT, "KÜNDIGUNG", ("umlaut", "spelled", "decomposed", "soft"), ("unlike",)),
    Row(_UMLAUT, "Kundigung", ("umlaut", "decomposed", "soft"), ("unlike",)),
    Row(_UMLAUT, "Kün\u00addigung", ("umlaut", "spelled", "soft"), ("unlike",)),
    Row(_SHARP_S, "Straße", ("sharp", "double", "capital", "large"), ("unlike",)),
    Row(_SHARP_S, "strasse", ("sharp", "double", "capital", "large"), ("unlike",)),
    Row(_LETTERS, "lodz", ("stroke",), ("turkish", "unlike")),
    Row(_LETTERS, "aeroskobing", ("stroke",), ("turkish", "unlike")),
    Row(_LETTERS, "istanbul", ("turkish",), ("stroke", "unlike")),
    Row(_LETTERS, "İSTANBUL", ("turkish",), ("stroke", "unlike")),
    Row(_HANGUL, "한국어", ("composed", "decomposed"), ("unlike",)),
    Row(_HANGUL, "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165", ("composed", "decomposed"), ("unlike",)),
    Row(_HANGUL, "검색", ("composed",), ("decomposed", "unlike")),
    Row(_HANGUL, "날", ("unlike",), ("composed", "decomposed")),
    Row(_WIDTH, "API", ("full", "half"), ("kana", "unlike")),
    Row(_WIDTH, "ａｐｉ", ("full", "half"), ("kana", "unlike")),
    Row(_WIDTH, "カタログ", ("kana",), ("half", "unlike")),
    Row(_LIGATURES, "efficient file", ("ligature", "plain"), ("unlike",)),
    Row(_LIGATURES, "e\ufb03cient", ("ligature", "plain"), ("unlike",)),
    # Scripts without spaces.
    Row(_CITIES, "東京", ("tokyo",), ("kyoto", "university")),
    Row(_CITIES, "京都", ("kyoto", "tokyo"), ("university",)),  # 東京都 holds the pair as well
    Row(_CITIES, "大学", ("university",), ("college", "tokyo")),
    Row(_CITIES, "人", ("college",), ("university", "tokyo")),
    Row(_PETS, "猫", ("cat", "last"), ("dog",)),
    Row(_DATES, "5月上旬", ("exact",), ("year",), first="exact"),
    Row(_DATES, '"5月上旬"', ("exact",), ("month", "part", "year")),
    Row(_DATES, "2024年", ("year",), ("exact", "month")),
    Row(_DATES, "上旬", ("exact", "month"), ("part", "year")),
    Row(_KANA, "かき", ("persimmon",), ("brats", "decomposed")),
    Row(_KANA, "がき", ("brats", "decomposed"), ("persimmon",)),
    Row(_KANA, "が", ("brats",), ("persimmon",)),
    Row(_KANA, "ガラス", ("katakana",), (), first="katakana"),
    Row(_KANA, "ガラ", ("katakana",), ("glassless",)),
    Row(_CHINESE, "检索", ("search",), ("weather",)),
    Row(_CHINESE, "全文检索怎么评测", ("search",), ("weather",)),
    Row(_CHINESE, "\U00020bb7", ("rare",), ("search", "weather")),
    Row(_CHINESE, "\U00020bb7野", ("rare",), ("search", "weather")),
    Row(_THAI, "แมว", ("cat",), ("crab", "university", "unlike")),
    Row(_THAI, "ปู", ("crab",), ("cat", "unlike")),
    Row(_THAI, "มหาวิทยาลัย", ("university",), ("crab", "unlike")),
    Row(_ARABIC, "المكتبة", ("books",), ("weather",)),
    Row(_ARABIC, "مكتبة", ("books",), ("weather",)),
    Row(_HINDI, "विद्यालय", ("school",), ("weather", "nukta")),
    Row(_HINDI, "विद", (), ("school", "weather")),
    Row(_HINDI, "सड\u093cक", ("nukta",), ("school", "weather")),
    Row(_CYRILLIC, "зелёный", ("yo", "ye"), ("unlike", "short")),
    Row(_CYRILLIC, "ЗЕЛЕНЫЙ", ("yo", "ye"), ("unlike", "short")),
    Row(_CYRILLIC, "великий", ("short",), ("yo", "ye")),
    Row(_GREEK, "αθηνα", ("accent", "capitals"), ("sigma", "unlike")),
    Row(_GREEK, "Αθήνα", ("accent", "capitals"), ("sigma", "unlike")),
    Row(_GREEK, "ΟΔΥΣΣΕΑΣ", ("sigma",), ("accent", "unlike")),
    # Fields.
    Row(_TITLES, "backups", ("title", "body"), first="title"),
    Row(_FIELDS, "invoicing", ("invoicing/rules", "body"), first="invoicing/rules"),
    Row(_BREADCRUMBS, "parental leave", ("below",), ("other",)),
    Row(_CONTRACTS, "warranty", ("public", "@legal/contract"), ("@legal/other",)),
    Row(_CONTRACTS, "warranty", ("@legal/contract",), ("public", "@legal/other"), collection="legal"),
    Row(_CONTRACTS, "warranty", ("public",), ("@legal/contract",), collection="default"),
    Row(_CONTRACTS, "warranty -brochure", ("@legal/contract",), ("public",)),
    # Whatever else people type.
    Row(_STOP_WORDS, "to be or not to be", ("hamlet",), ("others",)),
    Row(_STOP_WORDS, "not", ("hamlet",), ("others",)),
    Row(_NEEDLE, "xylophone " + "quux " * 1998, ("needle",), ("hay",)),
    Row(_NEEDLE, " ".join(f"w{place}" for place in range(1700)) + " xylophone", ("needle",), ("hay",)),
    Row(_NEEDLE, "q" * 9_989 + " xylophone", ("needle",), ("hay",)),
    Row(_NEEDLE, "圕" * 9_989 + " xylophone", ("needle",), ("hay",)),
    Row(_SYNTAX, '"unclosed table', ("table",), ("unlike",)),
    Row(_SYNTAX, 'table"', ("table",), ("unlike",)),
    Row(_SYNTAX, "AND OR", ("operators",), ("unlike",)),
    Row(_SYNTAX, "AND", ("operators",), ("unlike",)),
    Row(_SYNTAX, "NOT table", ("table",), ("unlike",)),
    Row(_SYNTAX, "*", (), ("operators", "unlike")),
    Row(_SYNTAX, "***", (), ("operators", "unlike")),
    Row(_SYNTAX, "NEAR(", ("operators",), ("unlike",)),
    Row(_SYNTAX, "NEAR(columns two, 3)", ("operators",), ("unlike",)),
    Row(_SYNTAX, "tab\0le table\0", ("table",), ("unlike",)),
    Row(_SYNTAX, "\0", (), ("table", "unlike")),
    Row(_SYNTAX, "?!… ,;()[]{}<>", (), ("table", "unlike")),
    Row(_SYNTAX, "-", (), ("table", "unlike")),
    Row(_SYNTAX, " - ", (), ("table", "unlike")),
    Row(_SYNTAX, "--", (), ("table", "unlike")),
    Row(_SYNTAX, '"', (), ("table", "unlike")),
    Row(_SYNTAX, "'", (), ("table", "unlike")),
    Row(_SYNTAX, "", (), ("table", "unlike")),
    Row(_SYNTAX, " \t\n", (), ("table", "unlike")),
    Row(_SYNTAX, "\\", (), ("table", "unlike")),
    Row(_SYNTAX, r"\table\\", ("table",), ("unlike",)),
    Row(_SYNTAX, "'; DROP TABLE chunks; --", ("table",), ("unlike",)),
    Row(_SYNTAX, "title: body", ("column",), ("unlike",)),
    Row(_SYNTAX, "{title body} : column*", ("column", "operators"), ("unlike",)),
    Row(_SYNTAX, "^table", ("table",), ("unlike",)),
    Row(_SYNTAX, "(table", ("table",), ("unlike",)),
    Row(_SYNTAX, "table) OR (1=1", ("table",), ("unlike",)),
    Row(_SYNTAX, "table^2 +body", ("table", "column"), ("unlike",)),
    Row(_SYNTAX, "%table_", ("table",), ("unlike",)),
    Row(_SYNTAX, 'table "ta\udcffble"', ("table",), ("unlike",)),
    Row(_SYNTAX, "table\ud800", ("table",), ("unlike",)),  # half a character, as a broken terminal sends it
    Row(_EMOJI, "🚀", ("rocket",), ("hourglass", "sun", "none")),
    Row(_EMOJI, "⌛", ("hourglass",), ("rocket", "sun", "none")),
    Row(_EMOJI, "☀", ("sun",), ("rocket", "hourglass", "none")),
    Row(_EMOJI, "👍", ("thumb",), ("rocket", "none")),
    Row(_EMOJI, "🦖", (), ("rocket", "hourglass", "sun", "none")),
    # Stems of every language that the workspace holds, whatever the query's own.
    Row(_ENGLISH_STEMS, "run", ("plural",), ("unlike",)),
    Row(_STEMS, "Haus", ("de",), ("fr", "it")),
    Row(_STEMS, "cheval", ("fr",), ("de", "it")),
    Row(_STEMS, "gatto", ("it",), ("de", "fr")),
    Row(_STEMS, "canción", ("es",), ("de", "fr")),
    Row(_STEMS, "fiets", ("nl",), ("de", "fr")),
    Row(_STEMS, "menino", ("pt",), ("de", "fr")),
    Row(_STEMS, "flicka", ("sv",), ("de", "fr")),
    Row(_STEMS, "talo", ("fi",), ("de", "fr")),
    Row(_STEMS, "ház", ("hu",), ("de", "fr")),
    Row(_STEMS, "kitap", ("tr",), ("de", "fr")),
    Row(_STEMS, "книга", ("ru",), ("de", "fr")),
    Row(_STEMS, "كتاب", ("ar",), ("de", "fr")),
)


def corpora() -> list[Mapping[str, str]]:
    """Every corpus of the rows, each once, in order."""
    return list({id(row.documents): row.documents for row in ROWS}.values())


def files() -> dict[str, str]:
    """All documents by path, for one folder to be indexed; those of the collection below `legal/`."""
    return {
        _path(place, key): text
        for place, documents in enumerate(corpora())
        for key, text in documents.items()
    }


def document_names(row: Row) -> dict[str, str]:
    """The ids of a row's documents by key, where `legal/` of `files` is indexed under this name."""
    place = next(place for place, documents in enumerate(corpora()) if documents is row.documents)
    return {key: _path(place, key).removeprefix("open/") for key in row.documents}


def _path(place: int, key: str) -> str:
    root = "legal" if key.startswith(LEGAL) else "open"
    return f"{root}/m{place:03}/{key.removeprefix(LEGAL)}.md"


def problems(row: Row, ranking: list[str]) -> list[str]:
    """What is wrong with a ranking of document ids, in words; empty where all holds."""
    names = document_names(row)
    place = {name: rank for rank, name in enumerate(ranking)}
    wrong = [f"misses {key}" for key in row.must_find if names[key] not in place]
    wrong += [f"finds {key}" for key in row.must_not_find if names[key] in place]
    if row.first is not None and names[row.first] in place:
        earlier = [
            key for key, name in names.items() if place.get(name, len(ranking)) < place[names[row.first]]
        ]
        wrong += [f"{key} stands before {row.first}" for key in earlier]
    return wrong
