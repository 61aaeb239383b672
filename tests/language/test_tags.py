from __future__ import annotations

import pytest

from tui.language.tags import (
    base_language,
    find_subtags,
    find_tag,
    is_known,
    language_name,
    language_of_locale,
    normalise,
)


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("de", "de"),
        ("PT-br", "pt-BR"),
        ("pt_BR", "pt-BR"),
        ("ger", "de"),
        ("deu", "de"),
        ("GER", "de"),
        ("zh-hans", "zh-Hans"),
        ("ZH-HANT-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("en-uk", "en-GB"),
        ("iw", "he"),
        ("fil", "fil"),
        (" ja ", "ja"),
        ("", None),
        ("xx", None),
        ("german", None),
        ("de-", None),
        ("ja-en", None),
        ("ja-sjis", None),
        ("sk-mojibake", None),
        ("de\n", "de"),
        ("d\x00", None),
        ("../de", None),
    ],
)
def test_tags_are_spelt_as_in_bcp_47(code: str, tag: str | None) -> None:
    assert normalise(code) == tag


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("de", "German"),
        ("ger", "German"),
        ("pt-br", "Portuguese (Brazil)"),
        ("zh-Hant", "Chinese (traditional)"),
        ("nb", "Norwegian Bokmål"),
        ("en-NZ", "English (NZ)"),
        ("gsw", "gsw"),
        ("?", "?"),
    ],
)
def test_languages_have_english_names(code: str, name: str) -> None:
    assert language_name(code) == name


def test_the_language_part_of_a_tag() -> None:
    assert base_language("pt-BR") == "pt"
    assert base_language("zh_Hans") == "zh"
    assert is_known("yue")
    assert not is_known("sub")


@pytest.mark.parametrize(
    ("word", "subtags"),
    [
        ("japanese", {"ja"}),
        ("JAPAN", {"ja"}),
        ("ja", {"ja"}),
        ("bokmal", {"nb"}),
        ("brazil", {"BR"}),
        ("latin", {"la", "Latn", "419"}),
        ("jap", {"ja"}),
        ("j", set()),
        ("", set()),
        ("zug", set()),
    ],
)
def test_a_word_stands_for_the_languages_and_regions_that_are_called_so(word: str, subtags: set[str]) -> None:
    assert find_subtags(word) == subtags


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "es_MX"}, "es"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "fr:en"}, "fr"),
        ({"LANG": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "pt_PT@euro"}, "pt"),
        ({"LANG": "zh_CN.GB18030"}, "zh-Hans"),
        ({"LANG": "zh_TW"}, "zh-Hant"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": ""}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_a_locale(environ: dict[str, str], language: str) -> None:
    assert language_of_locale(environ) == language


def test_a_language_is_named_by_its_tag_or_its_name() -> None:
    named = ["German", "german ", "de", "GER", "Portuguese (Brazil)", "Chinese (traditional)", "Norwegian Bokmål"]
    assert [find_tag(text) for text in named] == ["de", "de", "de", "de", "pt-BR", "zh-Hant", "nb"]
    assert find_tag("nowhere") is None
    assert find_tag("") is None
