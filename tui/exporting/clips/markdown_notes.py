"""Writer of Markdown (.md): notes to read, below a heading for each transcript in the order of its cues.

An explanation is Markdown of a model's and stands in a quotation, which nothing in it can end: so its headings are no
sections of the file. HTML, images and links to anything but the web and mail addresses are shown and do nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from tui.language.focus import focus_spans, marked_pieces
from tui.records.clips import Clip
from tui.text.clip_fields import shown, spoken_by
from tui.text.display import clock
from tui.text.markdown import literal
from tui.text.sanitize import one_line, without_controls

_NO_SOURCE = "Other clips"
_ACTIVE = re.compile(
    r"""
      \\.                                                 # escaped already
    | <                                                   # a tag, a comment, an address
    | !(?=\[)                                             # an image
    | \](?=\((?!(?:https?://|mailto:)))                   # a link to elsewhere
    | \](?=:)                                             # an address that a link's name stands for
    """,
    re.VERBOSE | re.IGNORECASE,
)


def markdown_notes(clips: Iterable[Clip]) -> Iterator[str]:
    """Yield the notes of clips that come ordered by their sources."""
    last: tuple[str, str | None] | None = None
    for clip in clips:
        origin = clip.source, clip.transcript_id
        if origin != last:
            yield f"# {literal(clip.source) or _NO_SOURCE}\n\n"
            last = origin
        yield _note(clip)


def _note(clip: Clip) -> str:
    blocks = [f"## {_sentence(clip)}"]
    if word := _word(clip):
        blocks.append(word)
    texts = [
        f"- {field.label}: {literal(text)}"
        for field, text in shown(clip, "gloss", "context", "body", "origin")
        if not field.is_markdown and field.name != "source"
    ]
    if time := clock(clip.start_ms):
        texts.append(f"- Time: {time}")
    if texts:
        blocks.append("\n".join(texts))
    if clip.picture:
        blocks.append(f"![]({quote(clip.picture)})")
    if clip.audio:
        blocks.append(" ".join(filter(None, (f"[♪]({quote(clip.audio)})", literal(spoken_by(clip))))))
    blocks += [quoted(text) for field, text in shown(clip, "body") if field.is_markdown]
    return "\n\n".join(blocks) + "\n\n"


def _sentence(clip: Clip) -> str:
    """The sentence in one line with its focus in bold."""
    sentence = one_line(clip.sentence)
    spans = focus_spans(sentence, clip.focus.surface) if clip.focus is not None else ()
    return "".join(_bold(text) if is_focus else _kept(text) for text, is_focus in marked_pieces(sentence, spans))


def _word(clip: Clip) -> str:
    if clip.focus is None:
        return ""
    focus = clip.focus
    about = filter(None, (focus.reading, focus.part_of_speech, focus.grammar, "; ".join(focus.meanings)))
    return " · ".join((_bold(one_line(focus.lemma or focus.surface)), *map(literal, about)))


def _kept(text: str) -> str:
    """The text as ``literal`` has it, with the spaces at its ends."""
    inside = text.strip()
    before, _, after = text.partition(inside) if inside else (text, "", "")
    return f"{before}{literal(inside)}{after}"


def _bold(text: str) -> str:
    """The text in bold: asterisks count only where no punctuation stands inside them (CommonMark 6.2)."""
    if not text:
        return ""
    if any(unicodedata.category(edge)[0] in "PSZ" for edge in (text[0], text[-1])):
        return f"<b>{literal(text)}</b>"
    return f"**{literal(text)}**"


def quoted(markdown: str) -> str:
    """Foreign Markdown as a quotation in which nothing acts."""
    inert = _ACTIVE.sub(_escaped, without_controls(markdown).strip())
    return "\n".join(f"> {line}".rstrip() for line in inert.split("\n"))


def _escaped(found: re.Match[str]) -> str:
    text = found[0]
    return text if text.startswith("\\") else f"\\{text}"
