"""Writer of JSON: the transcript with its cues, in the fields of ``lode transcripts show --json``; a line a cue."""

from __future__ import annotations

import json

from tui.records.pages import to_json
from tui.records.transcripts import Cue, Transcript


def json_head(transcript: Transcript) -> str:
    return _written(to_json(transcript)).removesuffix("}") + ',"cues":['


def json_cue(cue: Cue) -> str:
    return ("," if cue.index else "") + "\n" + _written(to_json(cue))


JSON_TAIL = "\n]}\n"


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
