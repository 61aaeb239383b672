"""Programs that speak: which voice a language gets, what they are handed, and what becomes of their failures."""

from __future__ import annotations

import shutil
import wave
from pathlib import Path

import pytest

from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui import voices
from tui.errors import MediaError
from tui.voices import MAX_CHARACTERS, EspeakVoice, PiperVoice, Voice, find_voice, list_espeak_languages, make_speakable


async def test_espeak_speaks_a_language_by_its_tag_or_one_that_it_knows_it_by(programs: Programs) -> None:
    spoken = await list_espeak_languages()
    voices_of = {"de": "de", "de-AT": "de", "en": "en", "en-GB": "en-gb", "zh-Hant": "zh", "no": "nb"}
    assert {tag: find_voice(tag, spoken) for tag in voices_of} == {
        tag: EspeakVoice(voice) for tag, voice in voices_of.items()
    }
    for tag in ("tlh", "xx", "--voices"):  # the first would need MBROLA
        with pytest.raises(MediaError) as refused:
            find_voice(tag, spoken)
        assert (refused.value.code, "af, cmn, zh-cmn, zh, de" in refused.value.hint) == ("no_voice", True)


ORDERS = ("-w /tmp/no --voices", "<speak>Hi</speak> &amp;", "[[h@loU]] \x01p99 [[[x", "a\nb\tc")


async def test_a_text_is_only_ever_text(programs: Programs, tmp_path: Path) -> None:
    for text in ORDERS:
        line = make_speakable(text)
        assert "[[" not in line and line.isprintable()
        with wave.open(str(await EspeakVoice("de").speak(line, tmp_path))) as sound:
            assert sound.getnframes() == 22050
        assert programs.said[-1] == ("de", line)


def test_what_cannot_be_spoken_is_refused() -> None:
    for text, code in (("", "nothing_to_speak"), (" ♪ … ", "nothing_to_speak"), ("ab " * 1700, "too_long_to_speak")):
        with pytest.raises(MediaError) as refused:
            make_speakable(text)
        assert refused.value.code == code
    assert make_speakable("a" * MAX_CHARACTERS) == "a" * MAX_CHARACTERS
    assert make_speakable("昨日\nの") == "昨日の"


async def test_piper_speaks_with_its_model_only_the_language_of_that(programs: Programs, tmp_path: Path) -> None:
    programs.piper()
    model = tmp_path / "de_DE-thorsten-medium.onnx"
    voice = PiperVoice(model, "2")
    assert voice.name == "piper de_DE-thorsten-medium 2"
    with pytest.raises(MediaError) as missing:
        await voice.speak("Zug", tmp_path)
    assert missing.value.code == "voice_missing"
    model.write_bytes(b"a model")
    assert (await voice.speak("Zug", tmp_path)).read_bytes()[:4] == b"RIFF"
    assert programs.said == [("de_DE-thorsten-medium.onnx 2", "Zug")]
    voice.check_language("de-AT")
    voice.check_language("")
    PiperVoice(Path("mine.onnx")).check_language("ja")
    with pytest.raises(MediaError) as refused:
        voice.check_language("ja")
    assert refused.value.code == "no_voice"


FAILING = {
    "exit 3": "failed (3)",
    "echo 'no \033[31mdata' >&2; exit 1": "failed (1): no data",
    "kill -9 $$": "was ended by signal 9",
    "cat > /dev/null": "wrote no sound",
    "yes": "was ended by signal 9",
    "sleep 600 & sleep 600": "took longer than 0.5 s",
}


async def test_a_program_that_fails_is_told(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for script, said in FAILING.items():
        monkeypatch.setattr(voices, "SECONDS", 0.5 if "sleep" in script else 60.0)
        programs.put("espeak-ng", f"#!/bin/sh\n{script}\n")
        with pytest.raises(MediaError) as refused:
            await EspeakVoice("de").speak("Zug", tmp_path)
        assert (refused.value.code, refused.value.message) == ("voice_failed", f"espeak-ng {said}")


async def test_a_program_that_is_not_there_or_cannot_be_run_says_how_to_get_it(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.put("espeak-ng", "#!/no/such/interpreter\n")
    monkeypatch.setenv("PATH", str(programs.place))
    (tmp_path / "model.onnx").touch()
    absent: tuple[Voice, ...] = (EspeakVoice("de"), PiperVoice(tmp_path / "model.onnx"))
    for voice in absent:
        with pytest.raises(MediaError) as refused:
            await voice.speak("Zug", tmp_path)
        assert (refused.value.code, "install" in refused.value.hint) == ("voice_missing", True)


@pytest.mark.skipif(not shutil.which("espeak-ng"), reason="espeak-ng is not installed")
async def test_the_real_espeak_speaks_and_takes_no_orders(tmp_path: Path) -> None:
    spoken = await list_espeak_languages()
    assert {"de", "en", "ja", "es", "fr", "zh"} <= set(spoken)
    lengths = []
    for text in ("Zug", "Der letzte Zug hat leider schon wieder Verspätung.", *ORDERS):
        with wave.open(str(await find_voice("de", spoken).speak(make_speakable(text), tmp_path))) as sound:
            lengths.append(sound.getnframes() / sound.getframerate())
    assert 0.2 < lengths[0] < lengths[1] / 2
    assert not list(tmp_path.parent.rglob("orders.wav"))
    with pytest.raises(MediaError) as refused:
        await EspeakVoice("qqq").speak("Zug", tmp_path)
    assert "voice does not exist" in refused.value.message
