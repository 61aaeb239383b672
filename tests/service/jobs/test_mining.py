"""Many words are broken down at once: the cards wait in a review, and become clips when it is applied."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.service.jobs.mining_server import CUT, Asked, MiningServer, Refusal
from tests.service.steps import ended, refusal
from tui.config import ProviderSettings, Settings
from tui.records.clips import NewClip
from tui.records.jobs import Job
from tui.records.reviews import Review, ReviewItem
from tui.records.transcripts import Transcript
from tui.records.words import WordPlace
from tui.service.jobs import patience
from tui.service.local import LocalService

MODEL = "near:miner"
COUNT = 20
NOUNS = (
    *("Apfel", "Baum", "Dach", "Eimer", "Fenster", "Garten", "Hund", "Insel", "Jacke", "Katze"),
    *("Lampe", "Mauer", "Nadel", "Ofen", "Pferd", "Quelle", "Regen", "Schiff", "Tisch", "Uhr"),
)
PLACES = tuple(WordPlace(at, 16, 16 + len(noun)) for at, noun in enumerate(NOUNS))
NO: Refusal = (403, {"error": {"message": "no"}})


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[MiningServer]:
    monkeypatch.setattr(patience, "WAITS", (0.0, 0.0))
    with MiningServer() as server:
        yield server


@pytest.fixture
async def service(settings: Settings, model: MiningServer) -> AsyncIterator[LocalService]:
    own = ProviderSettings("near", "openai", model.url)
    service = LocalService(replace(settings, providers=(own,)), environ={})
    yield service
    await service.close()


@pytest.fixture
async def film(service: LocalService, tmp_path: Path) -> Transcript:
    """Twenty lines with a noun each."""
    path = tmp_path / "Film.srt"
    path.write_text("".join(_block(at, noun) for at, noun in enumerate(NOUNS)), "utf-8")
    (job,) = await service.files.add([path], language="de")
    assert (await ended(service, job)).state == "succeeded"
    (film,) = (await service.transcripts.page()).items
    return film


def _block(number: int, noun: str) -> str:
    time = f"00:{number:02}:01"
    return f"{number + 1}\n{time},000 --> {time},900\nDort sehen wir: {noun} und mehr.\n\n"


async def mined(service: LocalService, film: Transcript, count: int = COUNT) -> Job:
    return await ended(service, await service.mining.start(film.id, places=PLACES[:count], model=MODEL))


async def the_review(service: LocalService) -> Review:
    (review,) = (await service.reviews.page()).items
    return review


async def cards(service: LocalService) -> list[ReviewItem]:
    return list((await service.reviews.items((await the_review(service)).id, limit=1000)).items)


async def test_words_are_broken_down_some_at_once_and_become_clips_when_they_are_taken(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    plan = await service.mining.plan(film.id, places=PLACES, model=MODEL)
    assert (plan.word_count, plan.request_count, plan.is_local, plan.not_found) == (COUNT, 2 * COUNT, True, ())
    assert not model.asked
    job = await mined(service, film)
    assert (job.kind, job.state, job.message) == ("mine", "succeeded", "20 cards to review")
    assert len(model.asked) == len(set(model.asked)) == 2 * COUNT
    assert (await service.clips.page()).total == 0, "nothing is a clip by itself"
    review = await the_review(service)
    assert (review.kind, review.model, review.total, review.taken, review.left) == ("cards", MODEL, COUNT, COUNT, 0)
    assert await service.reviews.count_waiting() == COUNT
    items = await cards(service)
    assert [item.number for item in items] == list(range(COUNT))
    card = items[6].card
    assert card is not None and card.focus is not None
    assert (card.sentence, card.focus.surface, items[6].after) == (
        "Dort sehen wir: Hund und mehr.",
        "Hund",
        "meaning of Hund",
    )
    assert (card.explanation, card.model, card.translation) == ("It **says** so.", MODEL, "In English.")
    assert (card.cue_index, card.start_ms, card.source, card.tags) == (6, 361_000, "Film", (plan.tag,))

    assert (await refusal(service.reviews.apply(review.id))).code == "unseen_changes"
    await service.reviews.decide(review.id, 0, 0, taken=False)
    await service.reviews.edit_card(review.id, 1, replace(items[1].card or NewClip("x"), note="by hand"))
    applied = await service.reviews.apply(review.id, with_unseen=True)
    assert (applied.changed, applied.clips) == (COUNT - 1, COUNT - 1)
    clips = (await service.clips.page(limit=100)).items
    assert {clip.focus.surface for clip in clips if clip.focus is not None} == set(NOUNS[1:])
    assert {clip.tags for clip in clips} == {(plan.tag,)}
    assert [clip.note for clip in clips if clip.note] == ["by hand"]
    assert await service.reviews.count_waiting() == 0
    await service.undo()
    assert (await service.clips.page()).total == 0
    assert (await the_review(service)).taken == COUNT - 1
    await service.redo()
    assert (await service.clips.page()).total == COUNT - 1 and not (await service.reviews.page()).items


async def test_a_card_is_asked_about_anew(service: LocalService, model: MiningServer, film: Transcript) -> None:
    await mined(service, film, 2)
    review = await the_review(service)
    await service.reviews.decide(review.id, 1, 1, taken=False)
    edited = (await cards(service))[1].card
    assert edited is not None
    await service.reviews.edit_card(review.id, 1, replace(edited, explanation="", note="mine"))
    model.asked.clear()
    item = await service.reviews.ask_anew(review.id, 1)
    assert item.card is not None and len(model.asked) == 2
    assert (item.card.explanation, item.card.note, item.is_taken) == ("It **says** so.", "mine", True)


async def test_a_job_that_fails_goes_on_where_it_was_and_pays_for_nothing_twice(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    undisturbed = await mined(service, film)
    expected = await cards(service)
    await service.reviews.drop((await the_review(service)).id)
    for answer in (await service.history.page(limit=100)).items:
        await service.history.delete(answer.id)
    assert undisturbed.state == "succeeded"

    model.asked.clear()
    model.refuse = lambda asked: NO if len(model.asked) >= 25 else None
    failed = await mined(service, film)
    assert failed.state == "failed" and "403" in (failed.error or "")
    made = len(await cards(service))
    assert 0 < made < COUNT
    model.refuse = lambda asked: None
    before = len(model.asked)
    done = await ended(service, await service.jobs.retry(failed.id))
    assert (done.state, done.message) == ("succeeded", "20 cards to review")
    assert len(model.asked) - before == 2 * (COUNT - made)
    assert await cards(service) == expected


@pytest.mark.parametrize("fault", [(429, {"error": {"message": "slow down"}}), (503, {}), CUT])
async def test_a_server_that_is_busy_or_breaks_off_is_asked_again(
    service: LocalService, model: MiningServer, film: Transcript, fault: Refusal
) -> None:
    failing = {5, 6, 20}
    model.refuse = lambda asked: fault if len(model.asked) in failing and (fault != CUT or not asked.is_form) else None
    job = await mined(service, film)
    assert (job.state, job.message) == ("succeeded", "20 cards to review")
    assert all(item.card is not None and item.card.explanation == "It **says** so." for item in await cards(service))


async def test_a_word_that_a_model_will_not_have_is_left_and_the_others_are_not(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    def refuse(asked: Asked) -> Refusal | None:
        return (400, {"error": {"message": "not that"}}) if "Katze" in asked.prompt else None

    model.refuse = refuse
    job = await mined(service, film)
    assert job.state == "succeeded" and job.message.startswith("19 cards to review · 1 word left: ")
    review = await the_review(service)
    assert (review.total, review.left) == (19, 1)


async def test_a_model_that_refuses_everything_is_not_asked_for_all_of_it(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    model.refuse = lambda asked: (400, {"error": {"message": "not that"}})
    job = await mined(service, film)
    assert job.state == "failed" and "not that" in (job.error or "")
    assert len({asked.prompt for asked in model.asked if not asked.is_form}) < COUNT


async def test_without_a_model_the_dictionaries_answer_and_what_they_do_not_know_is_not_taken(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    job = await ended(service, await service.mining.start(film.id, places=PLACES[:3]))
    assert job.state == "succeeded" and not model.asked
    review = await the_review(service)
    assert (review.kind, review.model, review.total) == ("cards", "lexicon:concordance", 3)
    assert all(item.is_taken is not item.is_doubtful for item in await cards(service))


async def test_marks_become_cards_and_go_as_these_come(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    await service.mining.mark(film.id, 6, 16, 20)
    await service.mining.mark(film.id, 2, 0, 4, is_sentence=True)
    assert [(each.cue, each.focus, each.is_sentence) for each in await service.mining.marks(film.id)] == [
        (2, "Dort", True),
        (6, "Hund", False),
    ]
    await service.undo()
    assert len(await service.mining.marks(film.id)) == 1
    await service.redo()
    model.refuse = lambda asked: NO if "Hund" in asked.prompt else None
    failed = await ended(service, await service.mining.start(film.id, marked=True, model=MODEL))
    assert failed.state == "failed"
    assert [each.focus for each in await service.mining.marks(film.id)] == ["Hund"], "its card has not come"
    model.refuse = lambda asked: None
    assert (await ended(service, await service.jobs.retry(failed.id))).state == "succeeded"
    assert await service.mining.marks(film.id) == ()
    sentence, word = await cards(service)
    assert sentence.card is not None and word.card is not None
    assert (sentence.card.focus, sentence.card.explanation) == (None, "It **says** so.")
    assert word.card.focus is not None and word.card.focus.surface == "Hund"
    assert (await refusal(service.mining.start(film.id, marked=True))).code == "nothing_to_mine"


async def test_a_text_that_was_edited_meanwhile_has_its_words_looked_for_and_what_is_gone_is_told(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    model.refuse = lambda asked: NO
    failed = await mined(service, film, 4)
    texts = [cue.text for cue in (await service.transcripts.cues(film.id)).items]
    await service.cues.edit(film.id, 1, seen=texts[1], text="Nein, hier ist ein Baum.")
    await service.cues.edit(film.id, 2, seen=texts[2], text="Davon sagt niemand mehr etwas.")
    await service.cues.insert(film.id, 0, "Am Anfang.", start_ms=0, end_ms=900)
    model.refuse = lambda asked: None
    done = await ended(service, await service.jobs.retry(failed.id))
    assert (done.state, done.message) == ("succeeded", "3 cards to review · 1 word not in the text any more")
    assert [(item.cue_index, item.card.sentence) for item in await cards(service) if item.card is not None] == [
        (1, "Dort sehen wir: Apfel und mehr."),
        (2, "Nein, hier ist ein Baum."),
        (4, "Dort sehen wir: Eimer und mehr."),
    ]


async def test_deleting_the_transcript_ends_it_and_nothing_waits(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    await service.mining.mark(film.id, 6, 16, 20)
    await mined(service, film)
    await service.transcripts.delete(film.id)
    assert (await service.reviews.page()).total == await service.reviews.count_waiting() == 0
    await service.undo()
    assert (await the_review(service)).total == COUNT and len(await service.mining.marks(film.id)) == 1


async def test_named_words_are_mined_in_their_best_sentences_and_others_are_told(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    plan = await service.mining.plan(film.id, words=["hund", "Katze", "Zebra", " "], model=MODEL)
    assert (plan.word_count, plan.not_found) == (2, ("Zebra",))
    await ended(service, await service.mining.start(film.id, words=["Hund"], model=MODEL, tag="nacht"))
    (item,) = await cards(service)
    assert item.card is not None and item.card.tags == ("nacht",) and item.cue_index == 6
    assert (await refusal(service.mining.plan(film.id, words=["Hund"], tag="zwei Worte"))).field == "tag"
    assert (await refusal(service.mining.plan(film.id, places=[WordPlace(99, 0, 1)]))).code == "no_word"


async def test_the_commonest_new_words_are_those_of_the_language_that_nobody_knows_yet(
    service: LocalService, model: MiningServer, film: Transcript
) -> None:
    every = await service.mining.plan(film.id, commonest=1000)
    few = await service.mining.plan(film.id, commonest=3)
    assert every.word_count >= COUNT > few.word_count <= 3
    await ended(service, await service.mining.start(film.id, places=PLACES[:1], model=MODEL))
    assert (await service.mining.plan(film.id, commonest=1000)).word_count == every.word_count - 1
