"""Packages and texts imported into a real Anki collection, the first time and after; texts that would act there."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.deck.clips import bare, clip
from tests.deck.conftest import Anki, Imported
from tests.hostile import FORBIDDEN, HOSTILE
from tui.deck import note_type
from tui.deck.formats import write_import_text, write_text
from tui.deck.markup import clean
from tui.deck.note import make_note
from tui.deck.note_type import FIELDS
from tui.records.clips import Clip, FocusWord


def stamp(*, seconds_from_now: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds_from_now)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_the_second_import_brings_nothing_new_and_an_edited_clip_updates_its_note_and_no_other(anki: Anki) -> None:
    assert anki.take_clips(clip(1), clip(2)) == Imported(new=2)
    assert anki.take_clips(clip(1), clip(2)) == Imported(duplicate=2)
    for minute, translation in enumerate(("Let us hope it goes.", "May it go."), 5):
        edited = clip(2, translation=translation, updated_at=f"2026-01-31T12:0{minute}:00.000Z")
        assert anki.take_clips(clip(1), edited) == Imported(updated=1, duplicate=1)
        assert [note["Translation"] for note in anki.notes()] == ["I do hope it leaves at all.", translation]


def edit_in_anki(anki: Anki) -> None:
    """Change the only note as its learner does."""
    (note,) = anki.notes()
    note["MainDefinition"] = "my own words"
    anki.col.update_note(note)


@pytest.mark.parametrize(
    ("seconds_from_now", "imported", "fields"),
    [
        (60, Imported(updated=1), ["to leave; to depart", "ask Ben"]),
        (-60, Imported(duplicate=1), ["my own words", "ask Anna"]),
    ],
    ids=["the clip", "the note"],
)
def test_of_note_and_clip_the_later_stays(
    anki: Anki, seconds_from_now: int, imported: Imported, fields: list[str]
) -> None:
    anki.take_clips(clip())
    edit_in_anki(anki)
    assert anki.take_clips(clip()) == Imported(duplicate=1)
    assert anki.notes()[0]["MainDefinition"] == "my own words"
    assert anki.take_clips(clip(note="ask Ben", updated_at=stamp(seconds_from_now=seconds_from_now))) == imported
    assert [anki.notes()[0][name] for name in ("MainDefinition", "Notes")] == fields


def test_a_field_added_to_the_note_type_in_anki_stops_updates_and_makes_a_second_type(anki: Anki) -> None:
    anki.take_clips(clip(1))
    models = anki.col.models
    own = models.by_name("Lode")
    models.add_field(own, models.new_field("Mnemonic"))
    models.update_dict(own)
    changed = clip(1, note="ask Ben", updated_at=stamp(seconds_from_now=60))
    assert anki.take_clips(changed, clip(2)) == Imported(new=1, conflicting=1)
    assert [note["Notes"] for note in anki.notes()] == ["ask Anna", "ask Anna"]
    assert len([model for model in models.all_names_and_ids() if model.name.startswith("Lode")]) == 2


def test_a_card_restyled_in_anki_stays_restyled(anki: Anki) -> None:
    anki.take_clips(clip())
    model = anki.col.models.by_name("Lode")
    model["css"] = ".card { color: red }"
    anki.col.models.update_dict(model)
    assert anki.take_clips(clip(), clip(2)) == Imported(new=1, duplicate=1)
    assert anki.col.models.by_name("Lode")["css"] == ".card { color: red }"


def test_a_newer_design_reaches_the_cards_already_in_anki(anki: Anki, monkeypatch: pytest.MonkeyPatch) -> None:
    anki.take_clips(clip())
    monkeypatch.setattr(note_type, "CSS", ".card { color: green }")
    monkeypatch.setattr(note_type, "DESIGN_DATE", 4_000_000_000)
    assert anki.take_clips(clip()) == Imported(duplicate=1)
    assert anki.col.models.by_name("Lode")["css"] == ".card { color: green }"
    assert [model.name for model in anki.col.models.all_names_and_ids() if model.name.startswith("Lode")] == ["Lode"]


def test_new_cards_come_in_the_order_of_the_clips(anki: Anki) -> None:
    words = ["drei", "eins", "zwei", "vier", "null"]
    anki.take_clips(*(bare(word, word) for word in words))
    assert [note["Sentence"] for note in anki.notes()] == words
    cards = [anki.col.get_card(card) for card in anki.col.find_cards("")]
    assert len({card.due for card in cards}) == len(words)
    assert {card.queue for card in cards} == {0}


def test_the_cards_lie_in_the_deck_that_was_named(anki: Anki) -> None:
    names = ("Lode", "Lode::anna", "日本語 :: 物語", "Default", "default", 'say "hi"')
    seen: set[int] = set()
    for at, name in enumerate(names):
        assert anki.take_clips(clip(at), name=name) == Imported(new=1)
        (card,) = {*anki.col.find_cards("")} - seen
        seen.add(card)
        deck = anki.col.decks.name(anki.col.get_card(card).current_deck_id())
        assert deck.replace(" ", "").casefold() == name.replace(" ", "").casefold()
    assert anki.col.fix_integrity()[1]


def test_a_deck_that_the_learner_chose_keeps_its_cards(anki: Anki) -> None:
    anki.take_clips(clip())
    own = anki.col.decks.id("My own")
    anki.col.set_deck(anki.col.find_cards(""), own)
    assert anki.take_clips(clip(updated_at="2026-02-01T00:00:00.000Z")) == Imported(updated=1)
    assert [anki.col.get_card(card).did for card in anki.col.find_cards("")] == [own]


def test_anki_finds_nothing_to_mend(anki: Anki) -> None:
    assert anki.take_clips() == Imported()
    assert anki.notes() == []
    clips = [clip(1), bare(2, "Nur ein Satz."), bare(3, ""), bare(4, " \n "), bare(5, "\x00\x1b[31m")]
    assert anki.take_clips(*clips) == Imported(new=5)
    assert anki.col.card_count() == 5
    assert list(anki.col.get_empty_cards().notes) == []
    media = anki.col.media.check()
    assert (list(media.missing), list(media.unused)) == ([], [])
    report, fine = anki.col.fix_integrity()
    assert fine, report


def test_every_field_lands_under_its_name(anki: Anki) -> None:
    anki.take_clips(clip())
    (note,) = anki.notes()
    german = '<span lang="de" dir="ltr">'
    assert {name: value for name, value in note.items() if value} == {
        "Expression": f"{german}fährt … ab</span>",
        "Lemma": f"{german}abfahren</span>",
        "PartOfSpeech": "separable verb · 3. Person Singular Präsens · A1",
        "MainDefinition": "to leave; to depart",
        "Sentence": f"{german}Hoffentlich <b>fährt</b> er überhaupt noch <b>ab</b>.</span>",
        "Translation": "I do hope it leaves at all.",
        "Explanation": "<p>The prefix <strong>ab</strong> goes to the <em>very</em> end.</p>",
        "Context": f"{german}Das ist der letzte heute.<br>Hoffentlich fährt er überhaupt noch ab.</span>",
        "MiscInfo": "Der letzte Zug · 2:01",
        "Notes": "ask Anna",
    }
    assert sorted(note.tags) == ["sein_oder_haben", "zug"]
    assert note.note_type()["name"] == "Lode"


def test_a_bare_sentence_leaves_no_empty_places_and_without_a_lemma_the_back_shows_the_word_itself(anki: Anki) -> None:
    anki.take_clips(bare(1, "Nur ein Satz."), bare(2, "Er fährt.", focus=FocusWord("fährt", meanings=("leaves",))))
    (question, answer), (_, with_word) = anki.sides()
    assert (question.count("<div"), answer.count("<div"), answer.count("Nur ein Satz.")) == (2, 3, 1)
    assert '<div class="word" dir="auto">fährt</div>' in with_word


def take_text(anki: Anki, path: Path, *clips: Clip, deck: str = "Lode") -> Any:
    from anki.collection import ImportCsvRequest

    write_text(path, write_import_text(deck, map(make_note, clips)), overwrite=True)
    metadata = anki.col.get_csv_metadata(path=str(path), delimiter=None)
    return anki.col.import_csv(ImportCsvRequest(path=str(path), metadata=metadata)).log


def test_text_updates_the_notes_of_a_deck_and_adds_the_rest_with_all_their_fields(anki: Anki, tmp_path: Path) -> None:
    anki.take_clips(clip(1))
    edited = clip(1, note='"quoted"\tand\nin two lines', tags=("verb::strong", "zug"))
    log = take_text(anki, tmp_path / "lode.txt", edited, clip(2))
    assert (len(log.new), len(log.updated)) == (1, 1)
    for each in (edited, clip(2)):
        wanted = make_note(each)
        (found,) = [note for note in anki.notes() if note.guid == wanted.guid]
        assert tuple(found.fields) == wanted.fields[: len(FIELDS)]
        assert sorted(found.tags) == sorted(wanted.tags)
        assert found.note_type()["name"] == "Lode"
        assert anki.col.decks.name(found.cards()[0].did) == "Lode"
    assert len(anki.col.models.all_names_and_ids()) == len({each.name for each in anki.col.models.all_names_and_ids()})


def test_a_deck_goes_on_with_what_a_text_brought(anki: Anki, tmp_path: Path) -> None:
    anki.take_clips(clip(1))
    take_text(anki, tmp_path / "lode.txt", clip(2))
    assert anki.take_clips(clip(1), clip(2)) == Imported(duplicate=2)


@pytest.mark.exhaustive
def test_hostile_texts_stay_in_their_fields(anki: Anki, tmp_path: Path) -> None:
    anki.take_clips(clip("plain"))
    for at, text in enumerate(HOSTILE.values()):
        hostile = clip(at, sentence=text, explanation=text, note=text, source=text, tags=(text,))
        log = take_text(anki, tmp_path / "lode.txt", hostile, deck=text)
        (number,) = (note.id.nid for note in log.new)
        assert tuple(anki.col.get_note(number).fields) == make_note(hostile).fields[: len(FIELDS)]


TEXTS = HOSTILE | {
    "calls": "[sound:x.mp3] [SOUND:y.mp3] [anki:play:q:0] [anki:tts lang=de_DE]z[/anki:tts]",
    "fields": "a {{c1::x}} b {{Sentence}} {{{c2::y}}}",
    "tex": r"[latex]x[/latex] [$]y[/$] [$$]z[/$$] \(x\) \[y\] $$z$$ \\(w\\)",
    "comments": "]]> <![CDATA[ <!-- --> &lt; &amp;amp;",
    "many brackets": "<" * 3000,
}


def as_shown(html: str) -> str:
    """Text of the HTML as a reader sees it, white space folded."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", re.sub("</?span[^>]*>", "", html))).split())


@pytest.mark.exhaustive
def test_any_text_comes_out_as_it_went_in_and_none_does_anything(anki: Anki) -> None:
    clips = [
        clip(
            at,
            **dict.fromkeys(("sentence", "context", "translation", "note", "source"), text),
            focus=FocusWord(text, text, text, text, text, (text, text), text),
            tags=(text,),
            explanation="",
        )
        for at, text in enumerate(TEXTS.values())
    ]
    assert anki.take_clips(*clips) == Imported(new=len(clips))
    for text, (question, answer) in zip(TEXTS.values(), anki.sides(), strict=True):
        shown = " ".join(clean(text).split())
        assert as_shown(question).replace(" ", "") == shown.replace(" ", "")
        assert as_shown(answer).count(shown) >= 4
        assert not set(FORBIDDEN) & set(question + answer)
        for side in (question, answer):
            assert not re.findall(r"<(?!/?(?:div|b|br|hr|span)\b)", side)
    check_quiet(anki, len(clips))
    assert list(anki.col.get_empty_cards().notes) == []
    assert anki.col.fix_integrity()[1]


@pytest.mark.exhaustive
def test_no_explanation_brings_its_own_html(anki: Anki) -> None:
    clips = [clip(at, explanation=text) for at, text in enumerate(TEXTS.values())]
    assert anki.take_clips(*clips) == Imported(new=len(clips))
    for _, answer in anki.sides():
        tags = set(re.findall(r"</?([a-zA-Z!]\w*)", answer))
        assert tags <= {"div", "b", "hr", "br", "p", "h1", "ul", "li", "strong", "em", "code", "span"}
        assert not set(FORBIDDEN) & set(answer)
    check_quiet(anki, len(clips))


def check_quiet(anki: Anki, count: int) -> None:
    """Each has one card, none of which plays or misses a file."""
    cards = [anki.col.get_card(card) for card in anki.col.find_cards("")]
    assert len(cards) == count
    assert not any([*card.question_av_tags(), *card.answer_av_tags()] for card in cards)
    media = anki.col.media.check()
    assert (list(media.missing), list(media.unused)) == ([], [])
