"""Sentences of several languages, for tests of encodings."""

from __future__ import annotations

SENTENCES = {
    "ko": [
        "안녕하세요. 오늘은 날씨가 참 좋습니다.",
        "저는 서울에서 태어나서 부산에서 자랐어요.",
        "이 책을 다 읽고 나서 도서관에 돌려주려고 합니다.",
        "톰은 어제 학교에 가지 않았다.",
        "문을 닫아 주시겠어요?",
    ],
    "ja": [
        "こんにちは。今日はとてもいい天気ですね。",
        "私は東京で生まれて、大阪で育ちました。",
        "この本を読み終えたら、図書館に返すつもりです。",
        "トムは昨日学校に行かなかった。",
        "ドアを閉めてもらえますか。",
    ],
    "zh": [
        "你好。今天天气很好。",
        "我出生在北京，在上海长大。",
        "等我读完这本书，我会把它还给图书馆。",
        "汤姆昨天没有去学校。",
        "请你把门关上好吗？",
    ],
    "zh-hant": [
        "你好。今天天氣很好。",
        "我出生在臺北，在高雄長大。",
        "等我讀完這本書，我會把它還給圖書館。",
        "湯姆昨天沒有去學校。",
        "請你把門關上好嗎？",
    ],
    "ru": [
        "Здравствуйте. Сегодня очень хорошая погода.",
        "Я родился в Москве и вырос в Петербурге.",
        "Когда я дочитаю эту книгу, я верну её в библиотеку.",
        "Том вчера не пошёл в школу.",
        "Закройте, пожалуйста, дверь.",
    ],
    "uk": [
        "Добрий день. Сьогодні дуже гарна погода.",
        "Я народився в Києві й виріс у Львові.",
        "Коли я дочитаю цю книжку, поверну її до бібліотеки.",
        "Учора Том не пішов до школи.",
        "Зачиніть, будь ласка, двері.",
    ],
    "de": [
        "Guten Tag. Das Wetter ist heute sehr schön.",
        "Zwei Männer überqueren die Straße vor dem Café.",
        "Ein kleines Mädchen läuft über die grüne Wiese.",
        "Könnten Sie bitte die Tür schließen?",
        "Übung macht den Meister.",
    ],
    "fr": [
        "Bonjour. Il fait très beau aujourd'hui.",
        "Je suis né à Paris et j'ai grandi à Lyon.",
        "Quand j'aurai fini ce livre, je le rendrai à la bibliothèque.",
        "Où êtes-vous allés hier soir ?",
        "Le garçon a reçu un cadeau de Noël.",
    ],
    "pl": [
        "Dzień dobry. Dzisiaj jest bardzo ładna pogoda.",
        "Urodziłem się w Łodzi, a wychowałem w Krakowie.",
        "Gdy skończę czytać tę książkę, oddam ją do biblioteki.",
        "Czy możesz zamknąć drzwi?",
        "Tomek wczoraj nie poszedł do szkoły.",
    ],
    "cs": [
        "Dobrý den. Dnes je velmi hezké počasí.",
        "Narodil jsem se v Praze a vyrůstal v Brně.",
        "Až dočtu tuto knihu, vrátím ji do knihovny.",
        "Můžete prosím zavřít dveře?",
        "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    ],
}
ENCODED_IN = [
    ("ko", "cp949"), ("ko", "euc-kr"), ("ja", "shift_jis"), ("ja", "euc-jp"), ("ja", "cp932"),
    ("zh", "gb18030"), ("zh", "gbk"), ("zh-hant", "big5"), ("zh-hant", "cp950"),
    ("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "cp866"), ("uk", "cp1251"), ("uk", "koi8-u"),
    ("de", "latin-1"), ("de", "cp1252"), ("fr", "latin-1"), ("fr", "cp1252"),
    ("pl", "cp1250"), ("pl", "iso-8859-2"), ("cs", "cp1250"), ("cs", "iso-8859-2"),
]  # fmt: skip
"""Languages and encodings that their files are found in."""
