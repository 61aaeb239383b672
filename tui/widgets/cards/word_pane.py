"""Summary of the focused word from the library: a pane of a few lines, or one line where there is no room."""

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.records.clips import FocusWord
from tui.records.words import WordSummary
from tui.text.cells import direction_mark
from tui.text.display import count_of, number, other_choice, shortened
from tui.text.pitch_accent import pitch_text
from tui.text.sanitize import one_line

_SHORT_MEANING = 10
"""Characters of a meaning where two words share the one line."""
_BARS = "▁▂▃▄▅▆▇█"


class WordPane(Widget):
    """Pane of the focused word; "" and None leave it empty."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    WordPane { padding: 0 1; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._word = self._message = self._state = self._key = ""
        self._summary: WordSummary | None = None

    def show(
        self, word: str, summary: WordSummary | None = None, message: str = "", state: str = "", *, key: str = ""
    ) -> None:
        """Show a word, and its state ("" if unknown); ``message`` stands in place of the summary: why there is none.

        ``key`` is the one that takes the other word, where two may be meant.
        """
        self._word, self._summary, self._message = one_line(word), summary, one_line(message)
        self._state, self._key = state, key
        self.refresh()

    def render(self) -> Content:
        if not self._word:
            return Content(self._message)
        state = f"  {self._state}" if self._state else ""
        lines = [Content.styled(self._word + direction_mark(self._word), "bold $foreground") + Content(state)]
        if self._message:
            lines += [Content(""), Content(self._message)]
        if self._summary is not None:
            lines += self._known(self._summary)
        return Content("\n").join(lines)

    def _known(self, summary: WordSummary) -> list[Content]:
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
        if (texts := sum(1 for count in summary.per_transcript if count)) > 1:
            lines.append(Content(f"in {number(texts)} texts, oldest first:"))
            lines.append(Content.styled(sparkline(summary.per_transcript, max(1, self.size.width)), "$foreground"))
        kept = [count_of(summary.clips, "clip")] if summary.clips else []
        kept += [count_of(summary.answers, "breakdown")] if summary.answers else []
        return [*lines, Content(""), Content(" · ".join(kept))] if kept else lines


class WordLine(Static):
    """Line of the word, its reading, its lemma and its first meaning, or its count: "fährt · abfahren · to depart"."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    WordLine { height: 1; width: auto; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
    """

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
