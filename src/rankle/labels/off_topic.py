"""Questions that nothing answers: general knowledge, in the languages of the documents, taken only where no
passage comes near."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from rankle.labels.question_words import units

_FALLBACK: Final = "en"
OFF_TOPIC: Final[Mapping[str, Sequence[str]]] = {
    "en": (
        "Which planet has the most moons?",
        "Who painted the ceiling of the Sistine Chapel?",
        "How long does it take to boil an ostrich egg?",
        "Which composer wrote nine symphonies and became deaf?",
        "What is the deepest trench of the Pacific ocean?",
        "Who won the first football world cup in Uruguay?",
        "How many strings does a Renaissance lute have?",
        "Which dinosaur had three horns and a bony frill?",
        "What do penguins eat in Antarctica during winter?",
        "Which mountain did Hillary and Tenzing climb?",
        "How is Parmesan cheese ripened in Emilia?",
        "Who wrote the novel about a white whale?",
        "What colour is a giraffe's tongue?",
        "Which spice comes from the crocus flower?",
        "How do bats navigate in darkness?",
        "Which emperor crowned himself at Notre-Dame?",
        "What is the offside rule in hockey?",
        "How many petals does a wild rose have?",
        "Which volcano buried Pompeii and Herculaneum?",
        "What causes the aurora near the poles?",
    ),
    "de": (
        "Welcher Planet hat die meisten Monde?",
        "Wer malte die Decke der Sixtinischen Kapelle?",
        "Wie lange kocht man ein Straußenei?",
        "Welcher Komponist wurde taub und schrieb neun Sinfonien?",
        "Wer gewann die erste Fußball-Weltmeisterschaft in Uruguay?",
        "Was fressen Pinguine im antarktischen Winter?",
        "Welches Gewürz stammt aus der Krokusblüte?",
        "Wie finden Fledermäuse im Dunkeln ihre Beute?",
        "Welcher Vulkan begrub Pompeji und Herculaneum?",
        "Wie entsteht das Polarlicht?",
        "Welche Farbe hat die Zunge der Giraffe?",
        "Wer bestieg als Erster den Mount Everest?",
    ),
    "fr": (
        "Quelle planète possède le plus de lunes ?",
        "Qui a peint le plafond de la chapelle Sixtine ?",
        "Combien de temps cuit un œuf d'autruche ?",
        "Quel compositeur sourd a écrit neuf symphonies ?",
        "Qui a gagné la première Coupe du monde de football en Uruguay ?",
        "Que mangent les manchots pendant l'hiver antarctique ?",
        "Quelle épice provient de la fleur de crocus ?",
        "Comment les chauves-souris chassent-elles dans l'obscurité ?",
        "Quel volcan a enseveli Pompéi et Herculanum ?",
        "Comment naissent les aurores boréales ?",
        "De quelle couleur est la langue de la girafe ?",
        "Qui a gravi l'Everest en premier ?",
    ),
    "it": (
        "Quale pianeta ha più lune?",
        "Chi ha dipinto la volta della Cappella Sistina?",
        "Quanto cuoce un uovo di struzzo?",
        "Quale compositore sordo scrisse nove sinfonie?",
        "Chi vinse i primi mondiali di calcio in Uruguay?",
        "Che cosa mangiano i pinguini nell'inverno antartico?",
        "Quale spezia viene dal fiore di croco?",
        "Come cacciano i pipistrelli al buio?",
        "Quale vulcano seppellì Pompei ed Ercolano?",
        "Come nascono le aurore boreali?",
        "Di che colore è la lingua della giraffa?",
        "Chi scalò per primo l'Everest?",
    ),
    "es": (
        "¿Qué planeta tiene más lunas?",
        "¿Quién pintó el techo de la Capilla Sixtina?",
        "¿Cuánto tarda en cocerse un huevo de avestruz?",
        "¿Qué compositor sordo escribió nueve sinfonías?",
        "¿Quién ganó el primer Mundial de fútbol en Uruguay?",
        "¿Qué comen los pingüinos en el invierno antártico?",
        "¿Qué especia se obtiene de la flor del croco?",
        "¿Cómo cazan los murciélagos en la oscuridad?",
        "¿Qué volcán sepultó Pompeya y Herculano?",
        "¿Cómo se forma la aurora boreal?",
        "¿De qué color es la lengua de la jirafa?",
        "¿Quién escaló primero el Everest?",
    ),
    "ja": (
        "衛星が最も多い惑星はどれですか？",
        "システィーナ礼拝堂の天井画を描いたのは誰ですか？",
        "ダチョウの卵をゆでるのに何分かかりますか？",
        "耳が聞こえなくなった作曲家は誰ですか？",
        "ペンギンは南極の冬に何を食べますか？",
        "コウモリは暗闇でどうやって飛びますか？",
        "ポンペイを埋めた火山は何ですか？",
        "オーロラはなぜ光るのですか？",
        "キリンの舌は何色ですか？",
        "エベレストに最初に登ったのは誰ですか？",
    ),
    "zh": (
        "哪颗行星的卫星最多？",
        "西斯廷教堂的天顶画是谁画的？",
        "煮熟一个鸵鸟蛋需要多久？",
        "哪位作曲家失聪后仍在创作交响曲？",
        "企鹅在南极的冬天吃什么？",
        "蝙蝠怎样在黑暗中飞行？",
        "哪座火山掩埋了庞贝古城？",
        "极光是怎样形成的？",
        "长颈鹿的舌头是什么颜色？",
        "谁最先登上珠穆朗玛峰？",
    ),
    "ko": (
        "위성이 가장 많은 행성은 무엇입니까?",
        "시스티나 성당의 천장화는 누가 그렸습니까?",
        "타조알을 삶는 데 얼마나 걸립니까?",
        "귀가 먹은 작곡가는 누구입니까?",
        "펭귄은 남극의 겨울에 무엇을 먹습니까?",
        "박쥐는 어둠 속에서 어떻게 날아다닙니까?",
        "폼페이를 묻은 화산은 무엇입니까?",
        "오로라는 어떻게 생깁니까?",
        "기린의 혀는 무슨 색입니까?",
        "에베레스트를 처음 오른 사람은 누구입니까?",
    ),
    "ar": (
        "أي كوكب له أكبر عدد من الأقمار؟",
        "من رسم سقف كنيسة سيستينا؟",
        "كم يستغرق سلق بيضة النعامة؟",
        "من هو الموسيقار الذي فقد سمعه وألف تسع سيمفونيات؟",
        "ماذا تأكل البطاريق في شتاء القطب الجنوبي؟",
        "كيف تطير الخفافيش في الظلام؟",
        "أي بركان دفن مدينة بومبي؟",
        "كيف يتكون الشفق القطبي؟",
        "ما لون لسان الزرافة؟",
        "من أول من تسلق جبل إيفرست؟",
    ),
    "th": (
        "ดาวเคราะห์ดวงใดมีดวงจันทร์มากที่สุด",
        "ใครวาดภาพบนเพดานโบสถ์น้อยซิสทีน",
        "ต้มไข่นกกระจอกเทศใช้เวลานานเท่าไร",
        "เพนกวินกินอะไรในฤดูหนาวของแอนตาร์กติกา",
        "ค้างคาวบินในความมืดได้อย่างไร",
        "ภูเขาไฟลูกใดฝังเมืองปอมเปอี",
        "แสงเหนือเกิดขึ้นได้อย่างไร",
        "ลิ้นของยีราฟมีสีอะไร",
        "ใครปีนยอดเขาเอเวอเรสต์เป็นคนแรก",
        "เครื่องเทศชนิดใดได้จากดอกโครคัส",
    ),
}
"""By language."""


class OffTopic(NamedTuple):
    """A question, and its language."""

    text: str
    language: str


def off_topic(texts: Sequence[str], languages: Sequence[str | None], rng: random.Random) -> list[OffTopic]:
    """Questions of which no text has half of the words, of the texts' languages in turn, the most frequent
    first; in English where none of theirs is known.

    languages: one a text.
    """
    counts = Counter(language for language in languages if language in OFF_TOPIC)
    spoken = sorted(counts, key=lambda language: (-counts[str(language)], language)) or [_FALLBACK]
    held = [units(text) for text in texts]
    turns = [list(_far(str(language), held, rng)) for language in spoken]
    return [question for question in chain.from_iterable(zip_longest(*turns)) if question is not None]


def _far(language: str, held: Sequence[frozenset[str]], rng: random.Random) -> Iterator[OffTopic]:
    questions = list(OFF_TOPIC[language])
    rng.shuffle(questions)
    for text in questions:
        words = units(text)
        if all(2 * len(words & found) < len(words) for found in held):
            yield OffTopic(text, language)
