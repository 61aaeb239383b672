"""A model corrects or translates a transcript: what it proposes waits in a review, and nothing is changed by that."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.correcting.fake_model import Entry, shift
from tests.service.jobs.correcting_server import CorrectingServer
from tests.service.steps import ended, refusal
from tui.config import ProviderSettings, Settings
from tui.prompts.defaults import CORRECTION_SYS_MSG, TRANSLATION_SYS_MSG
from tui.records.answers import NewTemplate
from tui.records.jobs import Job
from tui.records.reviews import Review
from tui.records.transcripts import Transcript
from tui.service.jobs import patience
from tui.service.local import LocalService

MODEL = "near:corrector"
COUNT = 100


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[CorrectingServer]:
    monkeypatch.setattr(patience, "WAITS", (0.0, 0.0))
    with CorrectingServer() as server:
        server.correct = correct
        yield server


@pytest.fixture
async def service(settings: Settings, model: CorrectingServer) -> AsyncIterator[LocalService]:
    own = ProviderSettings("near", "openai", model.url)
    service = LocalService(replace(settings, providers=(own,)), environ={})
    yield service
    await service.close()


@pytest.fixture
async def film(service: LocalService, tmp_path: Path) -> Transcript:
    """A hundred lines, each tenth of which has a mistake."""
    path = tmp_path / "Der Zug.srt"
    path.write_text("".join(_block(number) for number in range(COUNT)), "utf-8")
    (job,) = await service.files.add([path], language="de")
    done = await ended(service, job)
    (film,) = (await service.transcripts.page()).items
    assert done.state == "succeeded" and film.cue_count == COUNT
    return film


def _block(number: int) -> str:
    mistake = "färt" if number % 10 == 3 else "fährt"
    time = f"00:{number // 30:02}:{number % 30 * 2:02}"
    return f"{number + 1}\n{time},000 --> {time},900\nDer Zug Nummer {number} {mistake} gleich ab.\n\n"


def correct(rows: list[Entry]) -> Sequence[Entry]:
    return [row._replace(text=row.text.replace("färt", "fährt")) for row in rows if "färt" in row.text]


async def corrected(service: LocalService, film: Transcript) -> Job:
    return await ended(service, await service.reviews.start(film.id, model=MODEL))


async def texts(service: LocalService, film: Transcript) -> list[str]:
    return [cue.text for cue in (await service.transcripts.cues(film.id, limit=1000)).items]


async def the_review(service: LocalService) -> Review:
    (review,) = (await service.reviews.page()).items
    return review


async def test_what_a_model_corrects_waits_and_is_applied_in_one_step(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    before = await texts(service, film)
    times = [(cue.start_ms, cue.end_ms) for cue in (await service.transcripts.cues(film.id, limit=1000)).items]
    plan = await service.reviews.plan(film.id, model=MODEL)
    assert (plan.title, plan.language, plan.model, plan.line_count) == ("Der Zug", "de", MODEL, COUNT)
    assert plan.is_local and plan.characters > 5000 and not model.asked

    job = await corrected(service, film)
    assert (job.kind, job.state, job.transcript_id, job.error) == ("correct", "succeeded", film.id, None)
    assert job.message == "10 changes to review"
    assert plan.request_count == len(model.asked) == len(set(model.asked))
    assert set(model.system) == {CORRECTION_SYS_MSG}
    assert await texts(service, film) == before

    review = await the_review(service)
    assert (review.total, review.taken, review.unseen, review.doubtful, review.refused) == (10, 10, 10, 0, 0)
    changes = (await service.reviews.items(review.id)).items
    assert [change.number for change in changes] == list(range(3, COUNT, 10))
    assert (await refusal(service.reviews.apply(review.id))).code == "unseen_changes"
    await service.reviews.decide(review.id, 3, 3, taken=False)
    await service.reviews.decide(review.id, 0, COUNT)
    applied = await service.reviews.apply(review.id)
    assert (applied.changed, applied.changed_meanwhile) == (9, 0)
    pairs = enumerate(zip(before, await texts(service, film), strict=True))
    assert [at for at, (old, new) in pairs if old != new] == list(range(13, 100, 10))
    now = await service.transcripts.cues(film.id, limit=1000)
    assert [(cue.start_ms, cue.end_ms) for cue in now.items] == times
    await service.undo()
    assert await texts(service, film) == before and (await the_review(service)).taken == 9


async def test_a_model_that_shifts_repeats_and_invents_changes_the_lines_that_it_quotes(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    def answer(rows: list[Entry]) -> Sequence[Entry]:
        right = correct(rows)
        return [*shift(right, 1), *right, Entry(2, "Das sagt niemand.", "Das sagt keiner."), Entry(99, "", "?")]

    model.correct = answer
    assert (await corrected(service, film)).state == "succeeded"
    review = await the_review(service)
    assert review.total == 10 and review.refused >= 2 * len(model.asked)
    await service.reviews.apply(review.id, with_unseen=True)
    assert all(f"Nummer {at} fährt" in text for at, text in enumerate(await texts(service, film)))


async def test_a_rewritten_line_is_never_taken_beforehand(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    model.correct = lambda rows: [row._replace(text="Ich weiß es nicht.") for row in rows]
    await corrected(service, film)
    review = await the_review(service)
    assert (review.total, review.taken, review.doubtful) == (COUNT, 0, COUNT)
    applied = await service.reviews.apply(review.id)
    assert applied.changed == 0


async def test_a_job_that_fails_goes_on_where_it_was_and_asks_for_nothing_twice(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    def answer(rows: list[Entry]) -> Sequence[Entry] | tuple[int, object]:
        if len(model.asked) == 4:
            return 403, {"error": {"message": "no"}}
        return correct(rows)

    model.correct = answer
    failed = await corrected(service, film)
    assert failed.state == "failed" and "403" in (failed.error or "")
    asked_before = len(model.asked)
    done = await ended(service, await service.jobs.retry(failed.id))
    assert done.state == "succeeded" and done.message == "10 changes to review"
    assert len(model.asked) == (await service.reviews.plan(film.id, model=MODEL)).request_count + 1
    assert asked_before < len(model.asked)
    assert (await the_review(service)).total == 10, "and there is one review"


async def test_lines_that_are_edited_before_it_goes_on_are_asked_about_anew_and_others_are_not(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    model.correct = lambda rows: (403, {"error": {"message": "no"}}) if len(model.asked) == 6 else correct(rows)
    failed = await corrected(service, film)
    first = (await service.transcripts.cues(film.id, limit=1)).items[0]
    await service.cues.edit(film.id, 0, seen=first.text, text="Hier färt der erste.")
    model.correct = correct
    again = model.asked[:]
    done = await ended(service, await service.jobs.retry(failed.id))
    assert done.state == "succeeded"
    asked_anew = set(again) & set(model.asked[len(again) :])
    assert len(asked_anew) <= 1, "only the batch that failed"
    review = await the_review(service)
    items = (await service.reviews.items(review.id)).items
    assert [item.number for item in items] == [0, *range(3, COUNT, 10)]


async def test_a_server_that_is_busy_is_asked_again(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    def answer(rows: list[Entry]) -> Sequence[Entry] | tuple[int, object]:
        return (429, {"error": {"message": "slow down"}}) if len(model.asked) == 1 else correct(rows)

    model.correct = answer
    assert (await corrected(service, film)).state == "succeeded"
    plan = await service.reviews.plan(film.id, model=MODEL)
    assert len(model.asked) == plan.request_count + 1


async def test_the_templates_model_and_message_for_subtitles_are_taken(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    assert (await refusal(service.reviews.plan(film.id))).code == "no_corrector"
    template = NewTemplate("lexicon:concordance", "{{ sentence }}", "", srt_model=MODEL, srt_sys_msg="Mind the trains.")
    await service.template.save(template)
    job = await ended(service, await service.reviews.start(film.id))
    assert job.state == "succeeded" and set(model.system) == {"Mind the trains."}


async def test_deleting_the_transcript_stops_it_and_nothing_waits(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    await corrected(service, film)
    deletion = await service.transcripts.delete(film.id)
    assert len(deletion.job_ids) == 1
    assert (await service.reviews.page()).total == 0
    await service.undo()
    assert (await the_review(service)).total == 10


async def test_a_review_that_was_applied_before_the_job_goes_on_is_followed_by_another(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    model.correct = lambda rows: (403, {"error": {"message": "no"}}) if len(model.asked) == 5 else correct(rows)
    failed = await corrected(service, film)
    first = await the_review(service)
    await service.reviews.apply(first.id, with_unseen=True)
    model.correct = correct
    assert (await ended(service, await service.jobs.retry(failed.id))).state == "succeeded"
    second = await the_review(service)
    assert second.id != first.id and first.total + second.total == 10
    await service.reviews.apply(second.id, with_unseen=True)
    assert not [text for text in await texts(service, film) if "färt" in text]


async def test_where_all_is_right_nothing_waits(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    model.correct = lambda rows: []
    assert (await corrected(service, film)).message == "nothing to correct"
    assert (await service.reviews.page()).total == 0


async def test_a_line_is_asked_about_anew_alone(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    await corrected(service, film)
    review, asked = await the_review(service), len(model.asked)
    assert (await refusal(service.reviews.ask_anew(review.id, 13))).code == "nothing_else"
    assert model.asked[asked:] == ["Der Zug Nummer 13 färt gleich ab."]
    model.correct = lambda rows: [row._replace(text=row.text.replace("färt", "fuhr")) for row in rows]
    item = await service.reviews.ask_anew(review.id, 13)
    assert (item.after, item.is_taken, item.is_seen) == ("Der Zug Nummer 13 fuhr gleich ab.", True, True)
    model.correct = lambda rows: [row._replace(text="Etwas ganz anderes.") for row in rows]
    item = await service.reviews.ask_anew(review.id, 13)
    assert (item.is_doubtful, item.is_taken) == (True, False)
    assert (await refusal(service.reviews.ask_anew(review.id, 14))).code == "no_such_change"
    await service.cues.edit(film.id, 13, seen="Der Zug Nummer 13 färt gleich ab.", text="Nein.")
    assert (await refusal(service.reviews.ask_anew(review.id, 13))).code == "cue_changed"


def in_english(rows: list[Entry]) -> Sequence[Entry]:
    said = "The train with the number {} is going to leave in a moment."
    return [row._replace(text=said.format(row.text.split()[3])) for row in rows]


async def test_a_translation_waits_and_becomes_the_track(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    model.correct = in_english
    plan = await service.reviews.plan_translation(film.id, model=MODEL)
    assert (plan.into, plan.line_count) == ("en", COUNT) and not model.asked
    job = await ended(service, await service.reviews.translate(film.id, model=MODEL))
    assert (job.kind, job.message) == ("translate", f"{COUNT} translations to review")
    assert set(model.system) == {TRANSLATION_SYS_MSG} and plan.request_count == len(model.asked)
    review = await the_review(service)
    assert (review.kind, review.into, review.taken, review.doubtful) == ("translation", "en", COUNT, 0)
    applied = await service.reviews.apply(review.id, with_unseen=True)
    said = await service.transcripts.translations(film.id, limit=COUNT)
    assert said[7] == "The train with the number 7 is going to leave in a moment."
    assert applied.changed == sum(map(bool, said)) == COUNT


async def test_what_is_missing_or_in_another_language_is_told_and_not_taken(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    """The seventh line of all is never answered, and one is repeated as it stands."""

    def answer(rows: list[Entry]) -> Sequence[Entry]:
        told = [row for row in in_english(rows) if "number 7 " not in row.text]
        return [each._replace(text=each.original) if " 20 " in each.text else each for each in told]

    model.correct = answer
    job = await ended(service, await service.reviews.translate(film.id, into="en", model=MODEL))
    assert job.message == f"{COUNT - 1} translations to review · 1 line without a translation"
    review = await the_review(service)
    assert (review.total, review.left, review.doubtful, review.taken) == (COUNT - 1, 1, 1, COUNT - 2)


async def translated(service: LocalService, film: Transcript) -> list[str]:
    """The translations that wait, of the newest review."""
    review = (await service.reviews.page()).items[0]
    return [item.after for item in (await service.reviews.items(review.id, limit=1000)).items]


async def test_a_translation_that_fails_goes_on_to_what_it_would_have_been(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    model.correct = in_english
    await ended(service, await service.reviews.translate(film.id, into="en", model=MODEL))
    undisturbed, asked = await translated(service, film), len(model.asked)
    model.asked.clear()
    model.correct = lambda rows: (403, {"error": {"message": "no"}}) if len(model.asked) == 4 else in_english(rows)
    failed = await ended(service, await service.reviews.translate(film.id, into="en", model=MODEL))
    assert failed.state == "failed"
    assert (await ended(service, await service.jobs.retry(failed.id))).message == f"{COUNT} translations to review"
    assert await translated(service, film) == undisturbed and len(model.asked) == asked + 1


async def test_lines_that_an_answer_leaves_out_are_asked_about_in_halves(
    service: LocalService, model: CorrectingServer, film: Transcript
) -> None:
    model.correct = lambda rows: in_english(rows)[:4]
    job = await ended(service, await service.reviews.translate(film.id, into="en", model=MODEL))
    assert job.message == f"{COUNT} translations to review"
    assert [text.split()[5] for text in await translated(service, film)] == [str(at) for at in range(COUNT)]
    assert len(model.asked) > (await service.reviews.plan_translation(film.id, into="en", model=MODEL)).request_count


@pytest.mark.parametrize(
    ("into", "code"), [("de", "same_language"), ("de-AT", "same_language"), ("!!", "invalid_input")]
)
async def test_a_language_that_cannot_be_meant_is_refused(
    service: LocalService, model: CorrectingServer, film: Transcript, into: str, code: str
) -> None:
    refused = await refusal(service.reviews.plan_translation(film.id, into=into, model=MODEL))
    assert (refused.code, refused.field) == (code, "into") and not model.asked


async def test_a_text_without_times_has_no_translation_beside_it(
    service: LocalService, model: CorrectingServer, tmp_path: Path
) -> None:
    path = tmp_path / "Brief.txt"
    path.write_text("Lieber Freund.\n\nIch schreibe dir.\n", "utf-8")
    await ended(service, (await service.files.add([path], language="de"))[0])
    (letter,) = (await service.transcripts.page()).items
    assert (await refusal(service.reviews.translate(letter.id, into="en", model=MODEL))).code == "no_times"
