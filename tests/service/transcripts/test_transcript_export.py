"""Transcripts are written to files of this machine, wherever the library is, and read back as they were."""

from __future__ import annotations

import json
from contextlib import aclosing
from pathlib import Path

import pytest

from tests.service.files.test_files import STORY, imported
from tests.service.libraries import both_every_day
from tui.errors import InvalidInput, LodeError, NotFound
from tui.records.pages import to_json
from tui.records.transcripts import Transcript
from tui.service.protocol import Service


async def story(service: Service, tmp_path: Path, text: str = STORY, name: str = "Der Zug.de.srt") -> Transcript:
    await imported(service, tmp_path / name, text)
    return (await service.transcripts.page()).items[0]


async def exported(service: Service, transcript: Transcript, name: str) -> list[bytes]:
    async with aclosing(service.transcripts.stream_export(transcript.id, name)) as pieces:
        return [piece async for piece in pieces]


@pytest.mark.exhaustive
async def test_a_transcript_is_written_in_the_format_of_the_ending(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path)
    target = tmp_path / "out.srt"
    written = await service.transcripts.export(transcript.id[:6], target)
    assert written == type(written)(transcript.id, str(target), "srt", target.stat().st_size)
    assert target.read_text("utf-8").rstrip() == STORY.rstrip()
    await service.transcripts.export(transcript.id, tmp_path / "out.json")
    cues = (await service.transcripts.cues(transcript.id)).items
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == to_json(transcript) | {"cues": to_json(cues)}
    await service.transcripts.export(transcript.id, tmp_path / "named", format="vtt")
    assert (tmp_path / "named").read_text("utf-8").startswith("WEBVTT\n")


@both_every_day
async def test_what_is_exported_can_be_imported_and_is_the_same(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path)
    cues = (await service.transcripts.cues(transcript.id)).items
    for name in ("srt", "vtt"):
        await service.transcripts.export(transcript.id, tmp_path / f"back.de.{name}", overwrite=True)
        (tmp_path / f"back.de.{name}").write_text((tmp_path / f"back.de.{name}").read_text("utf-8") + "\n\n", "utf-8")
        await imported(service, tmp_path / f"back.de.{name}", (tmp_path / f"back.de.{name}").read_text("utf-8"))
        again = (await service.transcripts.page()).items[0]
        assert again.id != transcript.id
        assert (await service.transcripts.cues(again.id)).items == cues
        assert again.language == "de"


async def test_a_text_has_the_whole_sentences_of_a_subtitle(service: Service, tmp_path: Path) -> None:
    cut = STORY.replace("Der Zug fährt ab.", "Der Zug, der nach\nSeeburg fährt,").replace(
        "Wir fahren", "ist hier. Wir fahren"
    )
    transcript = await story(service, tmp_path, cut)
    await service.transcripts.export(transcript.id, tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text("utf-8") == "Der Zug, der nach Seeburg fährt, ist hier.\nWir fahren mit.\n"


async def test_what_cannot_be_is_refused_and_nothing_is_written(service: Service, tmp_path: Path) -> None:
    text = await story(service, tmp_path, "Ein Satz. Noch einer.", "Text.de.txt")
    out = tmp_path / "out"
    out.mkdir()
    (out / "there.txt").write_text("mine")
    for path, kind, code in (
        ("a.srt", InvalidInput, "no_times"),
        ("a.mp4", InvalidInput, "unknown_format"),
        ("a", InvalidInput, "unknown_format"),
        ("there.txt", InvalidInput, "target_exists"),
        ("none/a.txt", InvalidInput, "invalid_input"),
    ):
        with pytest.raises(kind) as caught:
            await service.transcripts.export(text.id, out / path)
        assert caught.value.code == code
        assert caught.value.hint
    with pytest.raises(NotFound):
        await service.transcripts.export("nothere", out / "a.txt")
    with pytest.raises(LodeError) as refused:
        await exported(service, text, "pdf")
    assert refused.value.code == "unknown_format"
    assert [(path.name, path.read_text()) for path in out.iterdir()] == [("there.txt", "mine")]
    await service.transcripts.export(text.id, out / "there.txt", overwrite=True)
    assert (out / "there.txt").read_text() == "Ein Satz.\nNoch einer.\n"


@pytest.mark.exhaustive
async def test_a_long_transcript_comes_piece_by_piece(service: Service, tmp_path: Path) -> None:
    clock = [f"{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}" for n in range(5000)]
    blocks = (f"{n + 1}\n{at},000 --> {at},900\nSatz {n}.\n" for n, at in enumerate(clock))
    transcript = await story(service, tmp_path, "\n".join(blocks), "lang.de.srt")
    pieces = await exported(service, transcript, "srt")
    assert len(pieces) >= 5
    assert b"".join(pieces).count(b"-->") == transcript.cue_count == 5000
    assert max(piece.count(b"-->") for piece in pieces) <= 1000
    assert b"".join(await exported(service, transcript, "txt")).count(b"\n") == 5000
