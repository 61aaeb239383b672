"""The sentences of a transcript, whole and with their span of time, page by page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.files.test_files import imported
from tests.service.transcripts.test_transcript_export import story
from tui.errors import InvalidInput, NotFound
from tui.records.transcripts import Sentence
from tui.service.protocol import Service

CUT = """1
00:00:01,000 --> 00:00:02,000
Ja. Wir haben den

2
00:00:02,500 --> 00:00:04,000
letzten Zug verpasst.

3
00:00:05,000 --> 00:00:06,000
ANNA: Und jetzt?
"""


def long(cues: int) -> str:
    """Cues that each end one sentence and begin another, and one sentence of too many cues."""
    times = [f"00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900" for n in range(cues)]
    texts = ["und so ging es" if 20 <= n < 60 else f"war es {n}. Dann" for n in range(cues)]
    return "\n".join(f"{n + 1}\n{times[n]}\n{texts[n]}\n" for n in range(cues))


async def paged(service: Service, transcript_id: str, limit: int) -> list[Sentence]:
    found: list[Sentence] = []
    page = await service.transcripts.sentences(transcript_id, limit=limit)
    while True:
        found += page.items
        assert page.total == len((await service.transcripts.sentences(transcript_id, limit=1000)).items)
        if page.next is None:
            return found
        page = await service.transcripts.sentences(transcript_id, limit=limit, after=page.next)


async def test_a_sentence_in_two_cues_is_one_with_the_time_of_both(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path, CUT)
    page = await service.transcripts.sentences(transcript.id[:6])
    assert page.items == (
        Sentence(0, 1000, 2000, "Ja.", None, 0, 0),
        Sentence(1, 1000, 4000, "Wir haben den letzten Zug verpasst.", None, 0, 1),
        Sentence(2, 5000, 6000, "Und jetzt?", "Anna", 2, 2),
    )
    assert (page.total, page.offset, page.next) == (3, 0, None)
    assert (await service.transcripts.sentences(transcript.id, offset=1, limit=1)).items == page.items[1:2]
    beyond = await service.transcripts.sentences(transcript.id, offset=10)
    assert (beyond.items, beyond.total, beyond.offset) == ((), 3, 3)


@pytest.mark.parametrize("limit", [1, 7])
async def test_pages_by_cursor_have_each_sentence_once(service: Service, tmp_path: Path, limit: int) -> None:
    transcript = await story(service, tmp_path, long(100))
    whole = (await service.transcripts.sentences(transcript.id, limit=1000)).items
    assert [each.index for each in whole] == list(range(len(whole)))
    assert [each.text for each in whole if each.first_cue == each.last_cue == 40] == ["und so ging es"]
    assert await paged(service, transcript.id, limit) == list(whole)


@pytest.mark.exhaustive
async def test_a_cursor_of_another_list_or_transcript_is_refused(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path, CUT)
    page = await service.transcripts.sentences(transcript.id, limit=1)
    await imported(service, tmp_path / "other.srt", long(9))
    other = (await service.transcripts.page()).items[0]
    cues = await service.transcripts.cues(transcript.id, limit=1)
    for transcript_id, cursor in ((other.id, page.next), (transcript.id, cues.next), (transcript.id, "s1")):
        with pytest.raises(InvalidInput) as caught:
            await service.transcripts.sentences(transcript_id, after=cursor)
        assert caught.value.code == "invalid_cursor"
    with pytest.raises(NotFound):
        await service.transcripts.sentences("nowhere")


async def test_the_changes_of_an_import_come_in_pages_too(service: Service, tmp_path: Path) -> None:
    labelled = CUT.replace("Ja. ", "BEN: Ja. ")
    transcript = await story(service, tmp_path, labelled)
    first = await service.transcripts.changes(transcript.id, limit=1)
    assert first.next is not None
    second = await service.transcripts.changes(transcript.id, limit=1, after=first.next)
    assert first.items + second.items == (await service.transcripts.changes(transcript.id)).items
