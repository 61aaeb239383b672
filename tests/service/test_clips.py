"""Clips: what one may hold, what is typed into one, what is kept once and filled in later, and what undo takes back."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.language.segmenting import needs_segmenter
from tests.service.libraries import near_and_far
from tests.service.steps import ended
from tui.errors import InvalidInput
from tui.records.clip_selection import ClipSelection
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.media import Span
from tui.records.own_words import OwnWord
from tui.service.clip_filling import edit_clip
from tui.service.clips import MAX_CHARS
from tui.service.protocol import Service
from tui.text.clip_fields import EDITED

SENTENCE = "Hoffentlich fährt er noch ab."
PLAIN = NewClip(SENTENCE, focus=FocusWord("fährt", lemma="fahren", language="de", origin="lexicon"))
ANSWER = replace(
    PLAIN,
    focus=FocusWord("fährt … ab", lemma="abfahren", meanings=("to leave",), language="de", origin="llm"),
    explanation="**abfahren** is",
    model="work:m",
)


@near_and_far
async def test_the_texts_of_a_clip_have_a_limit_together_which_fits_a_request(service: Service) -> None:
    widest, part = "\U0001f686", MAX_CHARS // 4  # four bytes in UTF-8
    full = NewClip(
        "s",
        context=widest * (part - 2),
        explanation=widest * part,
        tags=(widest * part,),
        focus=FocusWord("s", meanings=(widest * part,)),
    )
    assert (await service.clips.add(full)).explanation == full.explanation
    with pytest.raises(InvalidInput, match="at most 200000 characters in all"):
        await service.clips.add(replace(full, sentence="ss"))
    assert (await service.clips.page()).total == 1


async def test_a_clip_has_a_sentence(service: Service) -> None:
    for sentence in ("", " \n\u3000", "\x00", "\x00 \x1b[0m\u200b"):
        with pytest.raises(InvalidInput, match="needs a sentence"):
            await service.clips.add(NewClip(sentence))


@needs_segmenter("ja")
async def test_a_clip_gets_the_readings_of_its_sentence_by_the_segmenter_unless_it_has_some(service: Service) -> None:
    word = FocusWord("行った", language="ja")
    clip = await service.clips.add(NewClip("昨日行った。", focus=word))
    assert clip.sentence_reading == "昨日[きのう] 行[い]った。"
    own = await service.clips.add(NewClip("昨日行った。", focus=word, sentence_reading="昨日[さくじつ] 行[い]った。"))
    assert own.sentence_reading == "昨日[さくじつ] 行[い]った。"
    german = await service.clips.add(NewClip("Der Zug.", focus=FocusWord("Zug", language="de")))
    assert german.sentence_reading == ""
    edited = await service.clips.edit(clip.id, replace(clip.contents(), sentence_reading=""))
    assert edited.sentence_reading == "", "what somebody took away stays away"


async def test_a_word_that_is_kept_again_gets_what_it_lacked_and_keeps_what_it_has(service: Service) -> None:
    first = await service.clips.keep(replace(PLAIN, note="mine"))
    assert first.outcome == "added"
    again = await service.clips.keep(replace(ANSWER, note="other"), asked="fährt")
    assert (again.outcome, again.clip.id, again.clip.note) == ("completed", first.clip.id, "mine")
    assert again.clip.explanation == "**abfahren** is"
    assert again.clip.focus is not None
    assert (again.clip.focus.surface, again.clip.focus.lemma) == ("fährt", "abfahren")
    assert again.clip.focus.meanings == ("to leave",)
    assert again.clip.updated_at > first.clip.updated_at
    assert (await service.clips.keep(replace(ANSWER, model="work:n"))).outcome == "same"
    assert (await service.clips.keep(PLAIN)).clip == again.clip
    assert (await service.clips.keep(replace(PLAIN, sentence="Er fährt."))).outcome == "added"
    assert (await service.clips.keep(replace(PLAIN, focus=FocusWord("Fährt")))).outcome == "added"
    assert (await service.clips.page()).total == 3
    other = await service.clips.keep(replace(ANSWER, explanation="Another.", model="work:n"), asked="fährt")
    assert (other.outcome, (await service.clips.page()).total) == ("added", 4)  # both answers were chosen
    assert (await service.clips.keep(ANSWER)).clip == again.clip


async def test_undo_takes_back_what_was_completed_edited_and_made_one_after_the_other(service: Service) -> None:
    first = (await service.clips.keep(replace(PLAIN, explanation=ANSWER.explanation))).clip
    await service.clips.edit(first.id, replace(PLAIN, explanation=ANSWER.explanation, note="mine"))
    await service.clips.keep(ANSWER)
    restored = await service.undo()
    assert restored is not None
    assert (restored.kind, restored.count) == ("edited_clip", 1)
    there = await service.clips.get(first.id)
    assert (there.focus, there.note, there.explanation) == (PLAIN.focus, "mine", ANSWER.explanation)
    assert await service.undo() is not None
    assert (await service.clips.get(first.id)).note == ""
    taken = await service.undo()
    assert taken is not None
    assert (taken.kind, taken.summary) == ("added_clip", "how it was before the clip fährt was made")
    assert (await service.clips.page()).total == 0
    assert await service.undo() is None

    clip = await service.clips.add(replace(ANSWER, explanation="**ab"))
    await service.clips.edit(clip.id, ANSWER)  # an explanation that goes on is no edit
    assert await service.undo() is not None
    assert (await service.clips.page()).total == 0


def clip(focus: FocusWord | None) -> Clip:
    moment = "2026-01-31T12:00:00.000Z"
    return Clip("s", focus=focus, id="c1", created_at=moment, updated_at=moment)


def typed(focus: str, meanings: str = "") -> dict[str, str]:
    return {**dict.fromkeys(EDITED, ""), "sentence": "s", "focus": focus, "meanings": meanings}


def test_the_same_word_keeps_what_is_known_of_it_and_another_one_loses_it() -> None:
    old = FocusWord("fährt", lemma="fahren", level="A1", language="de", meanings=("to drive",), origin="llm")
    assert edit_clip(clip(old), typed("fährt", "to go")).focus == replace(old, meanings=("to go",))
    assert edit_clip(clip(old), typed("ab", "off")).focus == FocusWord("ab", meanings=("off",), language="de")
    with pytest.raises(InvalidInput, match="no word"):
        edit_clip(clip(None), typed("", "to drive"))
    assert edit_clip(clip(None), typed("")).focus is None


def test_what_is_not_named_stays_as_it_is_whatever_it_is() -> None:
    old = replace(clip(FocusWord("fährt", meanings=("to drive",))), sentence=" s\x1b[31m", tags=("a b",), start_ms=5)
    assert edit_clip(old, {}) == old.contents()
    assert edit_clip(old, {"tags": "#verb verb  a1"}) == replace(old.contents(), tags=("verb", "a1"))
    meant = edit_clip(old, {"meanings": "to go\n\n to leave "}).focus
    assert meant == FocusWord("fährt", meanings=("to go", "to leave"))
    assert edit_clip(old, {"focus": "fährt"}).focus == old.focus
    assert edit_clip(old, {"focus": "ab"}).focus == FocusWord("ab")
    assert edit_clip(old, {"focus": " "}).focus is None
    timed = edit_clip(old, {"note": " x "}, Span(10, 20))
    assert (timed.start_ms, timed.end_ms, timed.note, timed.sentence) == (10, 20, "x", old.sentence)


async def test_clips_are_filled_with_what_was_not_known_when_they_were_made(service: Service, tmp_path: Path) -> None:
    bare = await service.clips.add(NewClip("Sag mir Bescheid.", focus=FocusWord("Bescheid", language="de")))
    mine = FocusWord("Bescheid", meanings=("mine",), language="de")
    own = await service.clips.add(NewClip("Der Bescheid.", focus=mine))
    other = await service.clips.add(NewClip("Nur ein Satz."))
    assert (await service.deck.export(tmp_path / "a.apkg", dry_run=True)).without_meaning == 1
    await service.own_words.save(OwnWord("de", "Bescheid", "notice"))
    planned = await service.clips.fill(dry_run=True)
    assert (planned.looked_at, planned.without_meaning) == (3, 0)
    assert "meanings" in next(each.filled for each in planned.filled if each.clip.id == bare.id)
    assert await service.clips.get(bare.id) == bare
    assert (await service.clips.fill(ClipSelection(ids=(other.id,)))).filled == ()
    filled = await service.clips.fill()
    assert [each.filled for each in filled.filled] == [each.filled for each in planned.filled]
    now = await service.clips.get(bare.id)
    assert now.focus is not None
    assert (now.focus.surface, now.focus.meanings) == ("Bescheid", ("notice",))
    assert now.updated_at > bare.updated_at
    kept = (await service.clips.get(own.id)).focus
    assert kept is not None and kept.meanings == ("mine",)
    assert await service.clips.get(other.id) == other
    assert (await service.clips.fill()).filled == ()
    assert (await service.deck.export(tmp_path / "a.apkg", dry_run=True)).without_meaning == 0
    assert await service.undo() is not None
    assert (await service.clips.get(bare.id)).focus == bare.focus


async def test_clips_are_filled_with_what_a_translation_track_says_of_their_sentence(
    service: Service, tmp_path: Path
) -> None:
    block = "{}\n00:00:0{},000 --> 00:00:0{},900\n{}\n\n"
    texts = {"de": ("Ja, er", "fährt ab.", "Nein."), "en": ("Yes, it", "is leaving.", "No.")}
    for language, said in texts.items():
        path = tmp_path / f"Zug.{language}.srt"
        path.write_text("".join(block.format(at + 1, at, at, text) for at, text in enumerate(said)), "utf-8")
        await ended(service, (await service.files.add([path], language=language))[0])
    ids = {each.language: each.id for each in (await service.transcripts.page()).items}
    clip = await service.clips.add(NewClip("Ja, er fährt ab.", transcript_id=ids["de"], cue_index=1))
    own = await service.clips.add(NewClip("Nein.", transcript_id=ids["de"], cue_index=2, translation="Nope."))
    other = await service.clips.add(NewClip("Sie fährt ab.", transcript_id=ids["de"], cue_index=1))
    assert (await service.clips.fill()).filled == (), "there is no track yet"
    await service.transcripts.pair(ids["de"], ids["en"], offset_ms=0)
    (planned,) = (await service.clips.fill(dry_run=True)).filled
    assert (planned.clip.id, planned.filled) == (clip.id, ("translation",))
    await service.clips.fill()
    now = await service.clips.get(clip.id)
    assert now.translation == "Yes, it is leaving." and now.updated_at > clip.updated_at
    assert [await service.clips.get(each.id) for each in (own, other)] == [own, other]
    assert await service.undo() is not None
    assert (await service.clips.get(clip.id)).translation == ""
