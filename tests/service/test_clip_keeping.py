"""Clips that are kept once, filled later, and taken back, wherever the library is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tui.records.clips import FocusWord, NewClip
from tui.records.exports import ClipSelection
from tui.records.own_words import OwnWord
from tui.service.protocol import Service

SENTENCE = "Hoffentlich fährt er noch ab."
PLAIN = NewClip(SENTENCE, focus=FocusWord("fährt", lemma="fahren", language="de", origin="lexicon"))
ANSWER = replace(
    PLAIN,
    focus=FocusWord("fährt … ab", lemma="abfahren", meanings=("to leave",), language="de", origin="llm"),
    explanation="**abfahren** is",
    model="work:m",
)


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


async def test_an_explanation_that_goes_on_is_taken_back_with_its_clip(service: Service) -> None:
    clip = await service.clips.add(replace(ANSWER, explanation="**ab"))
    await service.clips.edit(clip.id, ANSWER)
    assert await service.undo() is not None
    assert (await service.clips.page()).total == 0


async def test_clips_are_filled_with_what_was_not_known_when_they_were_made(service: Service, tmp_path: Path) -> None:
    bare = await service.clips.add(NewClip("Sag mir Bescheid.", focus=FocusWord("Bescheid", language="de")))
    own = await service.clips.add(
        NewClip("Der Bescheid.", focus=FocusWord("Bescheid", meanings=("mine",), language="de"))
    )
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
    assert kept is not None
    assert kept.meanings == ("mine",)
    assert await service.clips.get(other.id) == other
    assert (await service.clips.fill()).filled == ()
    assert (await service.deck.export(tmp_path / "a.apkg", dry_run=True)).without_meaning == 0
    assert await service.undo() is not None
    assert (await service.clips.get(bare.id)).focus == bare.focus
