"""Writer of WebVTT (.vtt), after www.w3.org/TR/webvtt1: text escaped, speakers as voices, readings as ruby.

Sounds, for which it has no tag, stand in brackets as in SubRip.
"""

from __future__ import annotations

from html import escape

from tui.exporting.cue_parts import lines_of, speaker_of, start_and_end, with_sounds
from tui.records.transcripts import Cue, Transcript
from tui.text.sanitize import one_line


def vtt_head(transcript: Transcript) -> str:
    """The signature; the language stands behind it as YouTube writes it, which players pass over."""
    language = one_line(transcript.language or "")
    return f"WEBVTT\nLanguage: {language}\n\n" if language else "WEBVTT\n\n"


def vtt_cue(cue: Cue) -> str:
    lines = lines_of(_marked_up(cue))
    if not lines:
        return ""
    if speaker := speaker_of(cue):
        lines[0] = f"<v {_escaped(speaker)}>{lines[0]}"
    start, end = start_and_end(cue, ".")
    return "\n".join((f"{start} --> {end}", *with_sounds(cue, lines, _escaped), "", ""))


def _marked_up(cue: Cue) -> str:
    """The text, escaped, with its readings as ruby."""
    pieces: list[str] = []
    at = 0
    for ruby in sorted(cue.ruby, key=lambda each: each.start):
        if at <= ruby.start < ruby.end <= len(cue.text):
            base = _escaped(cue.text[ruby.start : ruby.end])
            reading = _escaped(one_line(ruby.text))
            pieces += (_escaped(cue.text[at : ruby.start]), f"<ruby>{base}<rt>{reading}</rt></ruby>")
            at = ruby.end
    return "".join((*pieces, _escaped(cue.text[at:])))


def _escaped(text: str) -> str:
    return escape(text, quote=False)
