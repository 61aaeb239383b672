"""The card: as text it says what Anki shows of the exported note; what stands on which side, and what is left away."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import product
from typing import get_args

from tests.deck.clips import bare, clip
from tests.deck.conftest import Anki, Imported
from tests.hostile import WORST
from tui.deck.card import RULE, CardPart, make_card
from tui.deck.markup import clean, markdown
from tui.deck.note_type import DESIGN_DATE, FIELDS, changed_at
from tui.records.clips import FocusWord
from tui.records.settings import CardFront, CardHint, CardOptions, SavedSettings

_BLOCK = re.compile(r'<hr id="(\w+)">|<div class="(\w+)" dir="auto">(.*?)</div>', re.DOTALL)

CLIPS = {
    "whole": clip(1),
    "a sentence only": bare(2, "Nur ein Satz."),
    "no lemma": bare(3, "Der Zug.", focus=FocusWord("Zug", reading="tsuk", meanings=("train",))),
    "nothing is known of the word": bare(4, "Der Zug.", focus=FocusWord("Zug")),
    "a word that stands elsewhere": bare(5, "Das Brot.", focus=FocusWord("rot", lemma="rot")),
    "no sentence": bare(6, " ", focus=FocusWord("Zug", lemma="Zug")),
    "nothing at all": bare(7, ""),
    "several lines": clip(
        8, sentence="Eins,\nfährt ab.", note="a\n\nb", explanation="- a\n- b\n\n| a | b |\n|---|---|\n| c | d |"
    ),
    "hostile": clip(
        9,
        sentence=" ".join(WORST.values()),
        translation="{{Sentence}} {{/Lemma}}",
        note="{{#Lemma}}<b>",
        explanation=" ".join(WORST.values()),
    ),
}


def said(html: str) -> list[tuple[str, str]]:
    """The blocks of a rendered side, each with its class and, but for an explanation, its text."""
    return [
        (
            rule or role,
            inside if role == "explanation" else unescape(re.sub("<[^>]+>", "", inside.replace("<br>", "\n"))),
        )
        for rule, role, inside in _BLOCK.findall(html)
    ]


def expected(parts: tuple[CardPart, ...]) -> list[tuple[str, str]]:
    return [(part.role, markdown(part.text) if part.role == "explanation" else part.text) for part in parts]


def test_both_sides_say_what_anki_shows(anki: Anki) -> None:
    anki.take_clips(*CLIPS.values())
    for (name, kept), (question, answer) in zip(CLIPS.items(), anki.sides(), strict=True):
        card = make_card(kept)
        assert said(question) == expected(card.front), name
        assert said(answer) == expected(card.back), name
        sentence = card.front[0]
        bold = [unescape(piece) for piece in re.findall("<b>(.*?)</b>", question)]
        assert [sentence.text[start:end] for start, end in sentence.bold] == bold, name


def test_the_back_begins_with_the_front() -> None:
    card = make_card(clip())
    assert card.back[: len(card.front) + 1] == (*card.front, CardPart(RULE))
    assert card.front == (CardPart("sentence", clean(clip().sentence), ((12, 17), (36, 38))),)


ASKED: dict[CardFront, str] = {"sentence": "sentence", "word": "question", "listening": "sentence"}
READ = bare(
    1,
    "時計を直した。",
    sentence_reading="時計[とけい]を 直[なお]した。",
    translation="I repaired the clock.",
    focus=FocusWord("直した", lemma="直す", reading="なおした", language="ja"),
)


def with_options(front: CardFront = "sentence", hint: CardHint = "none", *, days: int = 0) -> SavedSettings:
    changed = datetime.fromtimestamp(DESIGN_DATE, UTC) + timedelta(days=days)
    return SavedSettings(card_front=front, card_hint=hint, card_changed_at=changed.isoformat())


def roles(html: str) -> list[str]:
    return re.findall(r'<div class="(\w+)[ \w]*" dir', html)


def test_the_front_asks_with_what_was_chosen_and_the_back_is_the_same(anki: Anki) -> None:
    empty = [bare(2, ""), bare(3, "Nur ein Satz."), bare(4, "", focus=FocusWord("Zug"))]
    far = 3650  # days after which no note type in the collection is newer
    for days, (front, hint) in enumerate(product(get_args(CardFront), get_args(CardHint)), far):
        anki.take_clips(READ, *empty, settings=with_options(front, hint, days=days))
        (question, answer), *others = anki.sides()
        assert roles(question) == [ASKED[front], *(["hint"] if hint != "none" else [])]
        assert roles(answer) == ["sentence", "translation", "word", "reading"]
        assert ("I repaired" in question, "なおした" in question) == (hint == "translation", hint == "reading")
        preview = make_card(READ, CardOptions(front, hint))
        assert [part.role for part in preview.front] == roles(question)
        assert [part.role for part in preview.back if part.role != "answer"] == roles(answer)
        # Whatever is asked, a clip without anything has a card and no hint.
        assert [roles(question) for question, _ in others] == [[ASKED[front]]] * 3
        assert list(anki.col.get_empty_cards().notes) == []


def test_listening_asks_with_the_sound_alone_where_there_is_one(anki: Anki) -> None:
    anki.take_clips(clip(), settings=with_options("listening"))
    (note,) = anki.notes()
    note["SentenceAudio"] = "[sound:lode-1.mp3]"
    anki.col.update_note(note)
    ((question, answer),) = anki.sides()
    assert roles(question) == ["audio"]
    assert "Hoffentlich" not in question
    assert "Hoffentlich" in answer
    (card,) = anki.col.find_cards("")
    assert len(anki.col.get_card(card).question_av_tags()) == len(anki.col.get_card(card).answer_av_tags()) == 1


def test_every_field_has_its_place_and_none_while_it_is_empty(anki: Anki) -> None:
    anki.take_clips(READ)
    (note,) = anki.notes()
    shown = {name: f"({name})" for name in FIELDS} | {"SourceURL": "https://example.org/a?b=1"}
    for name in FIELDS:
        note[name] = shown[name]
    anki.col.update_note(note)
    ((_, answer),) = anki.sides()
    hidden = [name for name in FIELDS if shown[name] not in answer]
    assert hidden == ["Sentence"]  # its place is taken by the one with readings
    assert re.search(r'<a href="https://example.org/a\?b=1">\s*\(MiscInfo\)</a>', answer)
    for name in FIELDS[1:]:
        note[name] = ""
    anki.col.update_note(note)
    ((question, answer),) = anki.sides()
    assert roles(question) == roles(answer) == ["sentence"]
    assert not re.search(r"<(\w+)[^>]*>\s*</\1>", answer.replace('<div class="lode">', ""))


def test_the_sentence_has_its_readings_once_and_the_word_stays_bold(anki: Anki) -> None:
    anki.take_clips(READ, bare(2, "Nur ein Satz."))
    (_, answer), (_, plain) = anki.sides()
    assert "<b><ruby><rb>直</rb><rt>なお</rt></ruby>した</b>" in answer
    assert answer.count("時計") == 1
    assert plain.count("Nur ein Satz.") == 1
    assert make_card(READ).back[0] == CardPart("sentence", "時計[とけい]を 直[なお]した。", ((8, 16),))


def test_changed_options_reach_the_cards_in_anki_and_the_note_type_is_as_new_as_they_are(anki: Anki) -> None:
    anki.take_clips(clip())
    assert changed_at(with_options(days=-3)) == changed_at(SavedSettings()) == DESIGN_DATE
    assert changed_at(with_options(days=3)) == DESIGN_DATE + 3 * 86400
    far = 3650
    assert anki.take_clips(clip(), settings=with_options("word", days=far)) == Imported(duplicate=1)
    assert roles(anki.sides()[0][0]) == ["question"]
    anki.take_clips(clip(), settings=with_options("listening", days=far - 1))
    assert roles(anki.sides()[0][0]) == ["question"]
    anki.take_clips(clip(), settings=with_options("sentence", days=far + 1))
    assert roles(anki.sides()[0][0]) == ["sentence"]
