"""Voices that config.toml names, as ``lode doctor`` sees them: whether they can speak, without having them do it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tui.config import Settings, SpeechSettings
from tui.errors import LodeError
from tui.provider_table import PROVIDERS
from tui.records.library import Finding
from tui.service.doctor.check_result import CheckResult, run_check


def speech(group: str, settings: Settings) -> list[Finding]:
    """Check each voice of ``[speech]``; nothing where it names none."""
    findings: list[Finding] = []
    for language, voice in settings.speech.items():
        subject = f"speech.{language}" if language else "speech"
        findings += run_check(group, subject, partial(_voice, voice, settings))
    return findings


def _voice(voice: SpeechSettings, settings: Settings) -> CheckResult:
    from tui.llm.selector import unknown_provider
    from tui.voices import espeak, piper
    from tui.voices.speech_program import is_installed

    speaker = voice.speaker or espeak.PROGRAM
    named = " ".join(filter(None, (speaker, voice.model, voice.voice)))
    installs = {espeak.PROGRAM: espeak.INSTALL, piper.PROGRAM: piper.INSTALL}
    try:
        if speaker not in installs:
            known = {*(row.name for row in PROVIDERS), *(own.name for own in settings.providers)}
            if speaker not in known:
                raise unknown_provider(speaker, known)
        elif not is_installed(speaker):
            return CheckResult("warning", f"{speaker} is not installed", installs[speaker])
        elif speaker == piper.PROGRAM:
            piper.PiperVoice(Path(voice.model)).check_model()
    except LodeError as error:
        return CheckResult("warning", error.message, error.hint)
    return CheckResult("ok", named)
