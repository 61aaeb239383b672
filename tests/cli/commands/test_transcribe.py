"""``lode transcribe`` and ``lode models whisper``: what it will be is said first, and one line says what it came to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Done, Lode
from tests.service.jobs.hearing_server import Answer, HearingServer, hear
from tui.service.jobs import transcription

pytest.importorskip("av", reason="PyAV is not installed: pip install 'lode[media]'")

from tests.media.films import make_film

PRICE = '[prices]\ncurrency = "€"\n"far:hearer" = { minute = 0.6 }\n'


@pytest.fixture
def hearing(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HearingServer]:
    monkeypatch.setattr(transcription, "find_model", lambda: None)  # which would hear nobody in tones
    with HearingServer() as server:
        far = '[providers.far]\nbase_url = "https://far.invalid/v1"\n'
        (home / "config.toml").write_text(f'[providers.near]\nbase_url = "{server.url}"\n{far}{PRICE}', "utf-8")
        yield server


def refused(lode: Lode, code: int, *arguments: str) -> Done:
    done = lode(*arguments)
    assert done.code == code, done.err
    return done


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return make_film(tmp_path / "podcast.mka", 20, video=False)


def test_a_dry_run_says_what_it_will_be_and_asks_nobody(lode: Lode, hearing: HearingServer, recording: Path) -> None:
    said = lode("transcribe", str(recording), "--model", "far:hearer", "--to", "0:10", "--dry-run").out
    assert said == "podcast.mka · 0:10 of sound · far:hearer · language: found out · costs about 0.10 €\n"
    plan = lode("transcribe", str(recording), "--model", "near:hearer", "--dry-run", "--json").json()
    assert (plan["model"], plan["is_local"], plan["cost"], len(plan["tracks"])) == ("near:hearer", True, None, 1)
    assert hearing.asked == []


def test_a_recording_is_transcribed_and_its_line_has_what_it_came_to(
    lode: Lode, hearing: HearingServer, recording: Path
) -> None:
    done = lode("transcribe", str(recording), "--model", "near:hearer", "--language", "en")
    assert "podcast.mka" in done.out and "cues" in done.out and "heard" in done.out
    assert "costs nothing" in done.err
    (transcript,) = lode("transcripts", "list", "--json").json()
    assert (transcript["title"], transcript["origin"]) == ("podcast", "transcription")
    again = lode("transcribe", transcript["id"], "--model", "near:hearer", "--json").json()
    assert (again["state"], again["kind"]) == ("done", "transcribe")


def test_what_fails_is_told_and_a_retry_goes_on(lode: Lode, hearing: HearingServer, recording: Path) -> None:
    hearing.answer = lambda asked: Answer({"error": {"message": "not today"}}, 403)
    failed = refused(lode, 1, "transcribe", str(recording), "--model", "near:hearer")
    assert "403" in failed.err and "not today" in failed.err
    hearing.answer = hear
    (job,) = lode("jobs", "list", "--json").json()
    assert "heard" in lode("jobs", "retry", job["id"]).out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("gone.mp3",), 2, "there is no file"),
        (("nosuchfile22",), 1, "there is no transcript"),
        (("FILE", "--model", "m"), 1, "is no model to transcribe with"),
        (("FILE", "--from", "soon"), 2, "is no time"),
        (("FILE", "--from", "90"), 1, "nothing to hear"),
        (("FILE", "--language", "klingonisch"), 2, "no language tag"),
    ],
)
def test_what_cannot_be_is_told(
    lode: Lode, hearing: HearingServer, recording: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    given = [str(recording) if each == "FILE" else each for each in arguments]
    given += [] if "--model" in given else ["--model", "near:hearer"]
    assert said in refused(lode, code, "transcribe", *given).err


def test_the_profiles_model_is_taken_where_none_is_named(lode: Lode, hearing: HearingServer, recording: Path) -> None:
    lode("profiles", "set", "--transcribe-with", "near:hearer")
    assert "near:hearer" in lode("transcribe", str(recording), "--dry-run").out
    assert "near:hearer" in lode("profiles", "show").out
    assert "is no model" in refused(lode, 1, "profiles", "set", "--transcribe-with", "small").err


def test_the_models_of_whisper_are_listed_with_what_a_fetch_would_be(
    lode: Lode, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("faster_whisper", reason="faster-whisper is not installed: pip install 'lode[whisper]'")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    listed = lode("models", "whisper")
    assert "small\t484 MB to fetch" in listed.out
    assert "--fetch small" in listed.err
    assert {each["folder"] for each in lode("models", "whisper", "--json").json()} == {None}
    assert "is no Whisper model" in refused(lode, 1, "models", "whisper", "--fetch", "gigantic").err
    assert "only models of whisper" in refused(lode, 2, "models", "near", "--fetch", "small").err
