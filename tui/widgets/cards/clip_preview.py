"""Preview of a clip beside the list: the sentence, its word with meanings, the beginning of the explanation."""

from __future__ import annotations

import asyncio
from functools import partial

from textual import events, work
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.language.focus import find_verb_spans, split_at_focus
from tui.records.clips import Clip
from tui.text import display
from tui.text.clip_fields import shown, sound_of
from tui.text.sanitize import one_line, without_controls
from tui.widgets.chrome.themes import MUTED

REST_SECONDS = 0.08
"""Seconds until a clip is drawn: longer than a held key takes to repeat, shorter than an eye takes to go over."""


class ClipPreview(Static):
    """Preview of one clip, or of none; its size never changes, so a new clip is drawn without a layout."""

    DEFAULT_CSS = """
    ClipPreview { width: 1fr; height: 1fr; padding: 0 1 0 2; color: $foreground; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._clip: Clip | None = None
        self._rest: Timer | None = None

    def show(self, clip: Clip | None) -> None:
        """Show it once the cursor rests: while it runs down a list, a key costs its own line and nothing else."""
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(REST_SECONDS, partial(self._show, clip))

    def _show(self, clip: Clip | None) -> None:
        self._clip = clip
        self.draw_clip()

    def on_resize(self, event: events.Resize) -> None:
        if self._clip is not None:
            self.draw_clip()

    @work(exclusive=True, exit_on_error=False)
    async def draw_clip(self) -> None:
        if self._clip is not None and self._clip.explanation:
            await asyncio.to_thread(_import_markdown)
        clip, width = self._clip, self.content_size.width
        self.update(Content("") if clip is None else clip_content(clip, width), layout=False)


def _import_markdown() -> None:
    """Import what lays Markdown out, in a thread: no key and no first list waits for it."""
    from tui.widgets.markdown.lines import parser

    parser()


def clip_content(clip: Clip, width: int) -> Content:
    """Text of the clip in a few paragraphs, every word literal; the explanation is Markdown, laid out for ``width``."""
    from tui.widgets.markdown.content import markdown_content

    parts = [_sentence(clip)]
    parts += [Content.styled(without_controls(text), MUTED) for _, text in shown(clip, "gloss")]
    if (focus := clip.focus) is not None:
        head = one_line(focus.lemma or focus.surface)
        about = [one_line(fact) for fact in (focus.reading, focus.part_of_speech, focus.grammar, focus.level) if fact]
        line = Content.styled(head, "bold $accent") + Content.styled("".join(f" · {fact}" for fact in about), MUTED)
        parts.append(Content("\n").join([line, *(Content(one_line(meaning)) for meaning in focus.meanings)]))
    for field, text in shown(clip, "body"):
        plain = Content(f"{field.label}  {without_controls(text)}")
        parts.append(markdown_content(text, width) if field.is_markdown else plain)
    parts.append(Content.styled(_origin(clip), MUTED))
    return Content("\n\n").join(parts)


def _origin(clip: Clip) -> str:
    times = display.clock(clip.start_ms)
    tags = " ".join(f"#{one_line(tag)}" for tag in clip.tags)
    sound = one_line(sound_of(clip))
    return " · ".join(filter(None, (one_line(clip.source), times, sound, one_line(clip.model), tags)))


def _sentence(clip: Clip) -> Content:
    """Sentence with its focus word highlighted."""
    sentence, focus = without_controls(clip.sentence), clip.focus
    spans = find_verb_spans(sentence, focus.surface, focus.lemma or "", clip.language) if focus is not None else ()
    pieces = split_at_focus(sentence, spans)
    return Content.assemble(*((text, "bold $accent" if is_focus else "") for text, is_focus in pieces))
