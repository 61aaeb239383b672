"""Fields of notes as clips: names, words in their sentences, meanings, sources."""

from __future__ import annotations

import pytest

from tui.inbox.fields import find_role, make_clip, read_meanings, read_source
from tui.inbox.note_types import OFFERED


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Sentence", "sentence"),
        ("SentKanji", "sentence"),
        ("expression", "word"),
        ("Vocab_Kanji", "word"),
        ("Expression-Reading", "reading"),
        ("Main Definition", "meanings"),
        ("SentEng", "translation"),
        ("SENTENCE AUDIO", "audio"),
        ("ExpressionAudio", ""),
        ("Screenshot", "picture"),
        ("MiscInfo", "source"),
        ("Hint", ""),
        ("", ""),
    ],
)
def test_names_of_fields_say_what_they_are(name: str, role: str) -> None:
    assert find_role(name) == role


def test_the_offered_note_types_have_a_place_for_all_that_matters() -> None:
    for name, fields in OFFERED.items():
        roles = set(map(find_role, fields))
        assert {"sentence", "word", "reading", "meanings", "audio", "picture", "source"} <= roles, name
        assert len(fields) == len(set(fields))


@pytest.mark.parametrize(
    ("sentence", "word", "surface"),
    [
        ("Der <b>Zug</b> fährt.", "", "Zug"),
        ("Der Zug fährt.", "Zug", "Zug"),
        ("<b>Der Zug fährt.</b>", "Zug", "Zug"),  # all of it is bold
        ("Er <b>fährt</b> heute <strong>ab</strong>.", "abfahren", "fährt … ab"),
        ("Er fährt heute ab.", "abfahren", "abfahren"),  # as it stands there is found by dictionaries
        ("", "Zug", "Zug"),
        ("Der <rt>x</rt>Zug.", "Brot", "Brot"),
        ("Nur ein Satz.", "", None),
    ],
)
def test_a_word_is_what_is_bold_or_else_found(sentence: str, word: str, surface: str | None) -> None:
    focus = make_clip({"Sentence": sentence, "Word": word}).clip.focus
    assert (focus.surface if focus is not None else None) == surface


def test_a_card_of_a_word_alone_has_it_as_its_sentence() -> None:
    clip = make_clip({"Expression": "食べる", "ExpressionFurigana": "食[た]べる"}).clip
    assert clip.sentence == "食べる"
    assert clip.focus is not None and clip.focus.reading == "たべる"
    assert make_clip({"Sentence": " <br>&nbsp;", "Odd": "x"}).clip.sentence == ""


def test_the_surest_field_with_something_in_it_counts() -> None:
    fields = {"Glossary": "<ul><li>long<li>list</ul>", "MainDefinition": " ", "Definition": "short"}
    clip = make_clip(
        {"Sentence": "Der Zug.", "Word": "Zug", **fields, "Tags": "a b", "FreqSort": "345"}, ("b", "c")
    ).clip
    assert clip.focus is not None
    assert (clip.focus.meanings, clip.focus.commonness, clip.tags) == (("short",), "345", ("b", "c", "a"))


def test_sounds_and_pictures_are_those_of_the_sentence() -> None:
    fields = {
        "Sentence": "a",
        "ExpressionAudio": "[sound:word.mp3]",
        "Audio": "[sound:yomitan_audio_x.mp3][sound:b &amp; c.mp3]",
        "Picture": "<img alt='x>y' src='a%20b.png'>",
    }
    made = make_clip(fields)
    assert (made.audio, made.picture) == ("b & c.mp3", "a b.png")
    assert make_clip({**fields, "SentenceAudio": "[sound:s.mp3]"}).audio == "s.mp3"


@pytest.mark.parametrize(
    ("html", "meanings"),
    [
        ("train", ("train",)),
        ("1. to eat<br>2) to live on<br>• x", ("to eat", "to live on", "x")),
        ("<style>li { color: red }</style><ol><li>(noun)<li>train<li>train</ol>", ("train",)),
        ("<i>(JMdict)</i><ul><li>a &lt;b&gt;<li>c</ul>", ("a <b>", "c")),
        ("", ()),
    ],
)
def test_meanings_are_the_lines_of_a_glossary(html: str, meanings: tuple[str, ...]) -> None:
    assert read_meanings(html) == meanings


@pytest.mark.parametrize(
    ("fields", "source"),
    [
        ({"Source": "Film.srt (5m12s)"}, ("Film", 312_000)),
        ({"Source": "Film.mkv (1h02m03s004ms)"}, ("Film", 3_723_004)),
        ({"Notes": "Film EP01 00:12:03.456"}, ("Film EP01", 723_456)),
        ({"MiscInfo": "Film | 12:03"}, ("Film", 723_000)),
        ({"MiscInfo": "12:03 Film"}, ("Film", 723_000)),
        ({"DocumentTitle": "Folge 3", "URL": "https://www.example.com/a"}, ("Folge 3", None)),
        ({"URL": "<a href='x'>https://www.example.com/a?b=1</a>"}, ("example.com", None)),
        ({"URL": "https://[broken"}, ("", None)),
        ({}, ("", None)),
    ],
)
def test_a_source_is_a_title_a_time_or_an_address(fields: dict[str, str], source: tuple[str, int | None]) -> None:
    assert read_source(fields) == source
