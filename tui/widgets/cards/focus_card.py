"""Word in focus: card of its sentence, grammar and meanings, and the pane and line of what the library has of it."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import ClassVar, Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tui.language.focus import find_focus_spans, split_at_focus
from tui.records.clips import FocusWord
from tui.records.word_summary import WordSummary
from tui.text.cells import cut, direction_mark
from tui.text.display import count_of, number, other_choice, pitch_text, shortened
from tui.text.sanitize import one_line
from tui.widgets.markdown.lines import Line, Look, Piece, line_cells, line_text, wrapped

_INDENT = 3
_INDENTED = 40
"""Width from which on there is room for the indent."""
_GAP = 3
"""Cells between the word and its details."""
_SIDE_BY_SIDE = 50
"""Width from which on the details stand beside the word, below that under it."""
_DETAIL_LINES = 2
"""Lines kept free for the details while the answer is awaited, so that nothing moves when it comes."""
_ROOMY = 70
"""Width below which half a screen's card keeps one line more free: the grammar rarely fits in one."""

_COMPONENTS = {Look.STRONG: "sentence", Look.FOCUS: "focus", Look.MUTED: "muted"}

Parts = Literal["all", "sentence", "word"]


class FocusCard(Widget):
    """Card of a sentence with the focus marked in it; below, the word and its grammar and meanings.

    As high as it needs to be; a sentence of more than a third of the screen is shown around its focus. ``parts``: where
    several answers stand below one sentence, a card shows only the sentence, or only the word.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"focus-card--{name}" for name in _COMPONENTS.values()}

    parts: reactive[Parts] = reactive[Parts]("all", layout=True)
    waits: reactive[bool] = reactive(False, layout=True)
    """Whether facts about the word are on their way."""

    def __init__(self, parts: Parts = "all") -> None:
        super().__init__()
        self.set_reactive(FocusCard.parts, parts)
        self._sentence = self.surface = self._context_text = self._translation = self._other = ""
        self.focus_word: FocusWord | None = None
        """Facts shown about the word; None while nothing is known."""
        self._lines: Sequence[Line] = ()
        """Lines as they are drawn, worked out once for all of them."""

    def show_question(self, sentence: str, focus: str = "", context: str = "") -> None:
        """Show a sentence, the focus in it ("" for the sentence as a whole) and its context."""
        self._sentence, self.surface, self._context_text = one_line(sentence), one_line(focus), one_line(context)
        self.focus_word = None
        self._translation = self._other = ""
        self.waits = False
        self.refresh(layout=True)

    def show(self, focus: FocusWord, translation: str = "", other: str = "") -> None:
        """Show facts about the word, which is also marked in the sentence as it stands there, and what that means.

        ``other`` says what else may be meant.
        """
        self.focus_word, self._other, self._translation = focus, one_line(other), one_line(translation)
        self.waits = False
        if find_focus_spans(self._sentence, one_line(focus.surface)):
            self.surface = one_line(focus.surface)
        self.refresh(layout=True)

    # Lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines_for(width, viewport.height))

    def render_lines(self, crop: Region) -> list[Strip]:
        self._lines = self.lines_for(self.size.width, self.app.size.height)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        line = self._lines[y] if y < len(self._lines) else ()
        strip = Strip([Segment(text, self._style(look)) for text, look in line])
        return strip.adjust_cell_length(self.size.width, self.rich_style).simplify()

    def lines_for(self, width: int, screen_height: int) -> list[Line]:
        """Lines of the card in ``width`` cells on a screen of that height."""
        if not self._sentence:
            return []
        indent = _INDENT if width >= _INDENTED else 1
        room = max(1, width - 2 * indent)
        most = max(3, screen_height // 3)
        lines: list[Line] = []
        if self.parts != "word":
            if self._context_text and screen_height >= 20:
                lines.append(((cut(self._context_text, room), Look.MUTED),))
            lines += _around_focus(self._sentence_lines(room), most)
        if self.parts == "all" and self.surface and screen_height >= 20:
            lines.append(())
        if self.parts != "sentence" and self.surface:
            details = self._detail_lines(room)
            kept_free = _DETAIL_LINES + (self.parts == "word" and room < _ROOMY)
            lines += details[:most] + [()] * (kept_free - len(details))
        return [((" " * indent, Look.PLAIN), *line) if line else () for line in lines]

    def _sentence_lines(self, room: int) -> list[Line]:
        spans = find_focus_spans(self._sentence, self.surface)
        pieces = [
            (text, Look.FOCUS if is_focus else Look.STRONG) for text, is_focus in split_at_focus(self._sentence, spans)
        ]
        return wrapped(pieces, room)

    def _detail_lines(self, room: int) -> list[Line]:
        """Lines of the word and, beside it, of two paragraphs: its grammar, and its meanings."""
        word = self.focus_word
        said = [[("…", Look.MUTED)]] if word is None and self.waits else _facts(word) if word is not None else []
        said += [[(text, Look.MUTED)] for text in (self._other, self._translation) if text]
        surface = cut(self.surface, room // 3 if room >= _SIDE_BY_SIDE else room)
        if room < _SIDE_BY_SIDE:
            return [((surface, Look.STRONG),), *(line for pieces in said for line in wrapped(pieces, room))]
        lead = cell_len(surface) + _GAP
        beside = [line for pieces in said for line in wrapped(pieces, room - lead)] or [()]
        first: Line = ((surface, Look.STRONG), (" " * _GAP, Look.PLAIN), *beside[0])
        return [first, *(((" " * lead, Look.PLAIN), *line) for line in beside[1:])]

    def _style(self, look: Look) -> Style:
        name = _COMPONENTS.get(look)
        return self.get_component_rich_style(f"focus-card--{name}") if name else self.rich_style


def _facts(word: FocusWord) -> list[list[Piece]]:
    """Grammar and meanings of the word, as far as they are known; those of the lexicon are marked as such."""
    lemma = one_line(word.lemma or "")
    if word.reading and one_line(word.reading) != lemma:
        lemma = f"{lemma or one_line(word.surface)} ({one_line(word.reading)})"
    known = [(lemma, Look.STRONG)] if lemma else []
    known += [(one_line(part), Look.PLAIN) for part in (word.part_of_speech, word.grammar, word.level) if part]
    if word.frequency:
        times = "once" if word.frequency == 1 else f"{word.frequency} times"
        known.append((f"{times} in your library", Look.MUTED))
    if word.commonness:
        known.append((one_line(word.commonness), Look.MUTED))
    if word.origin == "lexicon":
        known.append(("lexicon", Look.MUTED))
    pieces: list[Piece] = []
    for part in known:
        pieces += [(" · ", Look.MUTED), part] if pieces else [part]
    meanings = [one_line(meaning) for meaning in word.meanings]
    comma = "; " if any("," in meaning for meaning in meanings) else ", "
    said: list[Piece] = [(comma.join(meanings), Look.PLAIN)] if meanings else []
    if said and word.dictionary:
        said.append((f" — {one_line(word.dictionary)}", Look.MUTED))
    return [each for each in (pieces, said) if each]


def _around_focus(lines: Sequence[Line], most: int) -> list[Line]:
    """Lines around the focus, ``most`` at most."""
    if len(lines) <= most:
        return list(lines)
    at = next((number for number, line in enumerate(lines) if any(look is Look.FOCUS for _, look in line)), 0)
    first = max(0, min(at - most // 2, len(lines) - most))
    shown = list(lines[first : first + most])
    if first + most < len(lines):
        last = shown[-1]
        text = cut(line_text(last), max(1, line_cells(last) - 1))
        shown[-1] = ((text.removesuffix("…") + "…", Look.STRONG),)
    return shown


_SHORT_MEANING = 10
"""Characters of a meaning where two words share the one line."""
_BARS = "▁▂▃▄▅▆▇█"


class WordPane(Widget):
    """Pane of the focused word; "" and None leave it empty."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._word = self._message = self._state = self._key = self._cue_note = ""
        self._summary: WordSummary | None = None
        self._rendered: tuple[int, Content] | None = None
        """Content as shown, and the width that it was made for; None until it is asked for."""

    def show(
        self,
        word: str,
        summary: WordSummary | None = None,
        message: str = "",
        state: str = "",
        *,
        key: str = "",
        cue_note: str = "",
    ) -> None:
        """Show a word, and its state ("" if unknown); ``message`` stands in place of the summary: why there is none.

        ``key`` is the one that takes the other word, where two may be meant; ``cue_note`` was noted of its sentence.
        """
        before = self.render()
        self._word, self._summary, self._message = one_line(word), summary, one_line(message)
        self._state, self._key, self._cue_note = state, key, cue_note
        self._rendered = None
        self._refresh_lines(before, self.render())

    def _refresh_lines(self, before: Content, after: Content) -> None:
        """Repaint the lines that differ; all where none is laid out, so that there is nothing to compare."""
        if not (width := self.content_size.width):
            self.refresh()
            return
        lines = enumerate(zip_longest(before.wrap(width), after.wrap(width), fillvalue=Content()))
        if changed := [Region(0, number, width, 1) for number, (old, new) in lines if not new.is_same(old)]:
            self.refresh(*changed)

    def render(self) -> Content:
        width = self.size.width  # a word's counts are drawn over all of it
        if self._rendered is None or self._rendered[0] != width:
            self._rendered = width, self._render_noted()
        return self._rendered[1]

    def _render_noted(self) -> Content:
        said = self._render_word()
        if not self._cue_note:
            return said
        note = [Content.styled(f"; {one_line(line)}", "italic $foreground") for line in self._cue_note.splitlines()]
        return Content("\n").join([said, Content(""), *note])

    def _render_word(self) -> Content:
        if not self._word:
            return Content(self._message)
        state = f"  {self._state}" if self._state else ""
        lines = [Content.styled(self._word + direction_mark(self._word), "bold $foreground") + Content(state)]
        if self._message:
            lines += [Content(""), Content(self._message)]
        if self._summary is not None:
            lines += self._summary_lines(self._summary)
        return Content("\n").join(lines)

    def _summary_lines(self, summary: WordSummary) -> list[Content]:
        focus = summary.focus
        lemma = focus.lemma if focus.lemma != self._word else None
        kind = " · ".join(one_line(part) for part in (focus.reading, lemma, focus.part_of_speech, focus.level) if part)
        meaning, note = (one_line(own.meaning), one_line(own.note)) if (own := summary.own) is not None else ("", "")
        spoken = one_line(" · ".join([*summary.pronunciations[:1], *map(pitch_text, summary.pitch[:1])]))
        meanings = one_line("; ".join(each for each in focus.meanings if each != meaning))
        other = taking(summary.other, self._key) if summary.other is not None else ""
        said = [Content(meaning), Content.styled(note, "italic"), *map(Content, (kind, spoken, meanings, other))]
        lines = [line for line in said if line]
        times = f"{count_of(summary.occurrences, 'time')} in your library"
        lines += [Content(""), Content(times if summary.occurrences else "not yet in your library")]
        lines += [Content(one_line(focus.commonness))] if focus.commonness else []
        if (texts := len(summary.per_transcript) - summary.per_transcript.count(0)) > 1:
            lines.append(Content(f"in {number(texts)} texts, oldest first:"))
            lines.append(Content.styled(sparkline(summary.per_transcript, max(1, self.size.width)), "$foreground"))
        kept = [count_of(summary.clips, "clip")] if summary.clips else []
        kept += [count_of(summary.answers, "breakdown")] if summary.answers else []
        return [*lines, Content(""), Content(" · ".join(kept))] if kept else lines


class WordLine(Static):
    """Line of the word, its reading, its lemma and its first meaning, or its count: "fährt · abfahren · to depart"."""

    ALLOW_SELECT = False

    def show(self, word: str, summary: WordSummary | None = None, state: str = "", *, key: str = "") -> None:
        """Show a word and its state; "" leaves the line empty. ``key`` takes the other word, where two may be meant."""
        # Hidden it has no room to change, and a layout of the screen would keep what else there is to draw waiting.
        self.update(word_line(word, summary, state, key=key), layout=self.display)
        self.clear_cached_dimensions()


def taking(other: FocusWord, key: str) -> str:
    """The other word that may be meant, and the key that takes it."""
    return other_choice(other) + (f" · {key} takes it" if key else "")


def word_line(
    word: str, summary: WordSummary | None, state: str = "", *, counted: bool = True, key: str = ""
) -> Content:
    """The word, its state, reading, lemma and first meaning; for want of that its count where it is ``counted``.

    Then the other word that may be meant, by its kind, or its lemma where that is another one, and the ``key`` for it.
    """
    known, shown = [state] if state else [], one_line(word)
    if summary is not None:
        lemma = one_line(summary.focus.lemma or "")
        reading = one_line(summary.focus.reading or "")
        known += [reading] if reading else []
        known += [lemma + direction_mark(lemma)] if lemma not in ("", shown) else []
        other = summary.other
        if summary.focus.meanings:
            meaning = one_line(summary.focus.meanings[0])
            known.append(meaning if other is None else shortened(meaning, _SHORT_MEANING))
        elif counted:
            known.append(f"{number(summary.occurrences)}×")
        if other is not None:
            named = other.part_of_speech if other.lemma == summary.focus.lemma else other.lemma
            meaning = shortened(one_line("".join(other.meanings[:1])), _SHORT_MEANING)
            known.append((f"({key}) " if key else "") + f"or {one_line(named or other.surface)}: {meaning}")
    rest = "".join(f" · {fact}" for fact in known)
    return Content.styled(shown + direction_mark(shown), "bold $foreground") + Content(rest)


def sparkline(counts: Sequence[int], width: int) -> str:
    """Sparkline: one bar per count, tallest for the largest; counts are added up in runs to fit ``width`` cells."""
    if len(counts) > width:
        run = -(-len(counts) // width)
        counts = [sum(counts[start : start + run]) for start in range(0, len(counts), run)]
    most = max(counts, default=0)
    if most <= 0:
        return _BARS[0] * len(counts)
    return "".join(_BARS[-(-count * (len(_BARS) - 1) // most)] if count > 0 else _BARS[0] for count in counts)
