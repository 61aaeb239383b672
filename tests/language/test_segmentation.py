"""Words with their lemmas and readings where a segmenter is installed, and how well boundaries are found."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile import HOSTILE
from tests.importing.corpus import CORPUS, IS_HERE, REASON
from tests.language.segmenting import needs_segmenter
from tests.language.word_boundaries import Score, score
from tui.importing.parse import parse
from tui.language import segmentation
from tui.language import words as plain
from tui.language.segmentation import ROWS
from tui.language.word_form import WordForm, find_text_forms, find_word_form, has_characters

pytestmark = pytest.mark.exhaustive

ODD = "かｶﾞ゛\u3099漢字日本語ー々〇㍿㌔①Ⅷ😀𠮷e\u0301 \n。、abcＡ1２ไทยกขค้ำ가나乾淨了"
"""Characters that a library normalises, so that what it finds is longer or shorter than the text."""
JA, ZH, KO, TH = (needs_segmenter(language) for language in ("ja", "zh", "ko", "th"))


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        pytest.param(
            "昨日食べたカレーは、おいしかったです。",
            "ja",
            "昨日 昨日 きのう|食べ 食べる たべ|た た -|カレー カレー -|は は -"
            "|おいしかっ おいしい -|た た -|です です -",
            marks=JA,
        ),
        pytest.param(
            "四月七日、2人でTシャツを買った。",
            "ja-JP",
            "四月 四月 しがつ|七日 七日 なのか|2人 2人 ふたり|で で -|Tシャツ Tシャツ てぃーしゃつ"
            "|を を -|買っ 買う かっ|た た -",
            marks=JA,
        ),
        pytest.param("か\u3099っこう", "ja", "か\u3099っこう がっこう -", marks=JA),
        pytest.param("三匹の犬とPython3", "ja", "三 三 -|匹 匹 -|の の -|犬 犬 いぬ|と と -|Python3 - -", marks=JA),
        pytest.param(
            "我们去公园ok，西安的银行！",
            "zh-Hans",
            "我们 我们 wǒmen|去 去 qù|公园 公园 gōngyuán|ok - -|西安 西安 xī'ān|的 的 de|银行 银行 yínháng",
            marks=ZH,
        ),
        pytest.param("媽媽說中文", "zh-Hant", "媽媽 媽媽 māmā|說 說 shuō|中文 中文 zhōngwén", marks=ZH),
        pytest.param("เรากินข้าว ok ครับ", "th", "เรา เรา -|กินข้าว กินข้าว -|ok - -|ครับ ครับ -", marks=TH),
        ("어제 친구를 만났다", "ko", "어제 - -|친구를 - -|만났다 - -"),
        ("Der Zug fährt.", "de", "Der - -|Zug - -|fährt - -"),
        ("今日は", None, "今日 - -|は - -"),
    ],
)
def test_words_have_lemma_and_reading_where_a_segmenter_cuts_them(
    text: str, language: str | None, expected: str
) -> None:
    found = segmentation.words(text, language)
    assert "|".join(f"{word.text} {word.lemma or '-'} {word.reading or '-'}" for word in found) == expected
    assert all(word.text == text[word.start : word.end] for word in found)


@pytest.mark.parametrize(
    ("focus", "sentence", "language", "expected"),
    [
        pytest.param("行っ", "昨日学校へ行った。", "ja", WordForm("行く", "いっ"), marks=JA),
        pytest.param("い", "待っていた。", "ja", WordForm("いる"), marks=JA),
        pytest.param("食べました", "カレーを食べました。", "ja", WordForm("食べる", "たべました"), marks=JA),
        pytest.param("学校へ", "昨日学校へ行った。", "ja", WordForm(None, "がっこうへ"), marks=JA),
        pytest.param("どこ", "", "ja", WordForm("どこ"), marks=JA),
        pytest.param("京", "東京駅で待つ。", "ja", WordForm(), marks=JA),
        pytest.param("天气真", "今天的天气真的很好", "zh", WordForm(), marks=ZH),
        pytest.param("非常好", "天气真的非常好。", "zh", WordForm(None, "fēicháng hǎo"), marks=ZH),
        pytest.param("친구를", "어제 친구를 만나서", "ko", WordForm("친구"), marks=KO),
        pytest.param("공부했습니다", "도서관에서 공부했습니다.", "ko", WordForm("공부하다"), marks=KO),
        pytest.param("들었어요", "", "ko", WordForm("듣다"), marks=KO),
        pytest.param("아름다운", "아름다운 꽃이 피었다.", "ko", WordForm("아름답다"), marks=KO),
        pytest.param("사람들이", "", "ko", WordForm("사람"), marks=KO),
        pytest.param("선생님이었다", "그는 선생님이었다.", "ko", WordForm("선생님"), marks=KO),
        pytest.param("อากาศ", "วันนี้อากาศดี", "th", WordForm("อากาศ"), marks=TH),
        ("fährt", "Er fährt.", "de", WordForm()),
        ("", "", "ja", WordForm()),
        pytest.param("行 た", "昨日学校へ行った。", "ja", WordForm(), marks=JA),
    ],
)
def test_a_focus_is_looked_up_as_it_stands_in_its_sentence(
    focus: str, sentence: str, language: str, expected: WordForm
) -> None:
    assert find_word_form(focus, language, sentence) == expected


@JA
@pytest.mark.parametrize(
    ("text", "learnt"),
    [
        ("彼女は田舎で魚を食べました。", "彼女 田舎 魚 食べ"),
        ("高かったけど、お茶が飲みたい。", "高かっ 茶 飲み"),
        ("田中さんと弟たちが来なければよかった。", "田中 弟 来 よかっ"),
        ("雨が降りそうです。静かなようだ。", "雨 降り 静か"),
        ("行かせられるでしょうか。", "行か"),
    ],
)
def test_particles_endings_and_affixes_of_japanese_are_function_words(text: str, learnt: str) -> None:
    found = segmentation.words(text, "ja")
    assert " ".join(word.text for word in found if not word.is_function) == learnt
    assert [form.start for form in find_text_forms(text, "ja")] == [
        word.start for word in found if not word.is_function
    ]


@pytest.mark.parametrize("row", [pytest.param(row, marks=needs_segmenter(row.language)) for row in ROWS], ids=str)
@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE.values(),
        "漢字かな" * 3000,
        "วันนี้" * 3000,
        "가나다 " * 3000,
        "1二" * 3000,
        "\0",
        "\n\n",
        "三",
        "漢\ud800字วัน가",
    ],
)
def test_any_text_is_cut_into_words_that_stand_in_it_in_order(row: segmentation.Row, text: str) -> None:
    segmenter = segmentation.segmenter_of(row.language)
    assert segmenter is not None
    found = list(segmenter.words(text))
    assert all(word.text == text[word.start : word.end] and word.text for word in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@pytest.mark.parametrize("row", [pytest.param(row, marks=needs_segmenter(row.language)) for row in ROWS], ids=str)
@settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])  # how fast is not tested
@given(text=st.text(alphabet=ODD))
def test_odd_characters_move_no_word(row: segmentation.Row, text: str) -> None:
    segmenter = segmentation.segmenter_of(row.language)
    assert segmenter is not None
    found = list(segmenter.words(text))
    assert all(word.text == text[word.start : word.end] for word in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@pytest.mark.parametrize("row", [pytest.param(row, marks=needs_segmenter(row.language)) for row in ROWS], ids=str)
def test_several_threads_cut_at_once(row: segmentation.Row) -> None:
    segmenter = segmentation.segmenter_of(row.language)
    assert segmenter is not None
    text = "昨日食べた。今天天气很好。어제 친구를 만났다. วันนี้อากาศดี" * 20
    expected = list(segmenter.words(text))
    found: list[bool] = []
    threads = [
        threading.Thread(target=lambda: found.extend(list(segmenter.words(text)) == expected for _ in range(20)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 80


@pytest.mark.parametrize(
    ("marked", "least"),
    [
        ("ja", Score(0.89, 0.93)),
        ("ja-x-unseen", Score(0.88, 0.96)),
        ("zh-Hans", Score(0.90, 0.94)),
        ("zh-Hant", Score(0.84, 0.85)),
        ("th", Score(0.88, 0.96)),
    ],
)
def test_boundaries_are_found_without_a_segmenter(marked: str, least: Score) -> None:
    found = score(marked, plain.words)
    assert found.precision >= least.precision and found.recall >= least.recall, found


@pytest.mark.parametrize(
    ("marked", "least"),
    [
        pytest.param("ja", Score(0.97, 0.99), marks=JA),
        pytest.param("ja-x-unseen", Score(0.95, 1.0), marks=JA),
        pytest.param("zh-Hans", Score(0.99, 0.93), marks=ZH),
        pytest.param("zh-Hant", Score(0.99, 0.91), marks=ZH),
        pytest.param("th", Score(0.98, 0.90), marks=TH),
    ],
)
def test_boundaries_are_found_with_a_segmenter(marked: str, least: Score) -> None:
    found = score(marked, segmentation.words)
    assert found.precision >= least.precision and found.recall >= least.recall, found


@pytest.mark.skipif(not IS_HERE, reason=REASON)
@JA
def test_nearly_every_word_of_an_old_novel_is_read() -> None:
    (novel,) = parse("rashomon.ja.txt", (CORPUS / "text" / "akutagawa-rashomon.ja.txt").read_bytes()).transcripts
    found = [word for cue in novel.cues for word in segmentation.words(cue.text, "ja")]
    assert len(found) > 3000
    hidden = [word for word in found if has_characters(word.text)]
    assert sum(word.reading is not None for word in hidden) > 0.95 * len(hidden)


def test_without_the_packages_words_are_cut_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "find_spec", lambda name: None)
    segmentation.is_installed.cache_clear()
    try:
        for language, text in (("ja", "昨日食べた。"), ("zh", "今天天气"), ("th", "วันนี้อากาศดี"), ("ko", "친구를")):
            assert segmentation.words(text, language) == plain.words(text, language)
            assert find_word_form(text, language) == WordForm()
            assert not segmentation.has_lemmas(language)
    finally:
        segmentation.is_installed.cache_clear()


def test_with_broken_packages_words_are_cut_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        raise OSError("the dictionary is no dictionary")

    monkeypatch.setattr(segmentation, "find_spec", lambda name: True)
    monkeypatch.setattr(segmentation, "import_module", load)
    segmentation.is_installed.cache_clear()
    segmentation._loaded.cache_clear()
    try:
        assert segmentation.words("昨日食べた。", "ja") == plain.words("昨日食べた。", "ja")
        assert find_word_form("食べ", "ja") == WordForm()
    finally:
        segmentation.is_installed.cache_clear()
        segmentation._loaded.cache_clear()


def test_a_dictionary_is_loaded_only_for_its_language(run_python: Callable[[str], str]) -> None:
    loaded = run_python(
        "import sys; from tui.language.segmentation import has_lemmas, is_segmented, words;"
        "has_lemmas('ja'), is_segmented('th'), words('Der Zug', 'de'), words('私', None); print(*sys.modules)"
    )
    assert not {"sudachipy", "rjieba", "pypinyin", "mecab_ko", "pythainlp"} & set(loaded.split())


@TH
def test_thai_leaves_no_folder_in_the_home_directory(run_python: Callable[[str], str]) -> None:
    left = run_python(
        "import os, pathlib, tempfile; os.environ['HOME'] = home = tempfile.mkdtemp();"
        "os.environ.pop('PYTHAINLP_DATA', None);"
        "from tui.language.segmentation import words; words('วันนี้', 'th'); print(os.listdir(home))"
    )
    assert left.strip() == "[]"
