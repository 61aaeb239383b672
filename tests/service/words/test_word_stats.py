"""Statistics of a profile's words, on this machine and over HTTP."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from tests.service.libraries import Opened
from tests.service.words.test_known_words import german
from tests.service.words.test_summaries import read
from tui.records.clips import FocusWord, NewClip
from tui.records.settings import ProfileSettings
from tui.records.words import DayCount, StateCount, TranscriptShare, WordMark, WordStats


async def test_they_tell_states_by_language_days_and_the_share_known_of_transcripts(
    library: Opened, tmp_path: Path
) -> None:
    service = library.service
    assert await service.known_words.stats() == WordStats((), (), (), ())
    film = await german(service, tmp_path, "Der Zug kommt um 9.")
    other = await service.transcripts.edit(await read(service, tmp_path / "b.fr.srt", "Le train."), language="fr")
    today = datetime.now().date().isoformat()
    await service.known_words.mark(
        [WordMark("de", "Zug"), WordMark("fr", "le"), WordMark("de", "der", state="learning"), WordMark("de", "Haus")]
    )
    await service.known_words.mark([WordMark("de", "Anna", state="ignored")])
    await service.clips.add(NewClip("Der Zug kommt.", focus=FocusWord("kommt", lemma="kommen", language="de")))
    await service.clips.add(NewClip("Satz"))
    stats = await service.known_words.stats()
    assert [count for count in stats.states if count.state != "new"] == [
        *(StateCount("de", "seen", 1), StateCount("de", "learning", 1), StateCount("de", "known", 2)),
        *(StateCount("de", "ignored", 2), StateCount("fr", "known", 1)),
    ]
    assert stats.known == (DayCount(today, 3),)
    assert stats.clips == (DayCount(today, 2),)
    assert [(share.transcript_id, share.title, share.language) for share in stats.transcripts] == [
        *((other.id, other.title, "fr"), (film, "zug", "de"))
    ]
    french = await service.known_words.stats("fr-FR")
    assert {count.language for count in french.states} == {"fr"}
    counts = (await service.known_words.counts(other.id))[other.id]
    assert french.transcripts == (TranscriptShare(other.id, other.title, "fr", counts),)
    assert (french.known, french.clips) == ((DayCount(today, 1),), ())
    titled = await service.transcripts.edit(await read(service, tmp_path / "de.fr.srt", "Le bus."), language="fr-CA")
    austrian = await service.known_words.stats("de-AT", transcripts=1)
    assert [share.transcript_id for share in austrian.transcripts] == [film]
    assert [share.transcript_id for share in (await service.known_words.stats("fr")).transcripts] == [
        *(titled.id, other.id)
    ]
    await service.settings.save(ProfileSettings(known_states=("learning", "known", "ignored")))
    assert (await service.known_words.stats("de", transcripts=0)).known == (DayCount(today, 3),)
    assert (await service.known_words.stats(transcripts=0)).transcripts == ()
