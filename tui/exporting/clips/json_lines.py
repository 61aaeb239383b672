"""Writer of JSON Lines (.jsonl, jsonlines.org): a clip a line, in the fields of ``lode clips list --json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from tui.records.clips import Clip
from tui.records.pages import to_json


def json_lines(clips: Iterable[Clip]) -> Iterator[str]:
    for clip in clips:
        yield json.dumps(to_json(clip), ensure_ascii=False, separators=(",", ":")) + "\n"
