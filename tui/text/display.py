"""Formatting for people: ages, times, sizes, numbers, languages and progress, short and the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tui.language.tags import language_name
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.records.clips import FocusWord
    from tui.records.dictionaries import PitchAccent
    from tui.records.exports import FilmTrouble
    from tui.records.library import UndoStep
    from tui.records.own_words import OwnPhrase
    from tui.records.reviews import CorrectionPlan, ReviewKind
    from tui.records.transcription import TranscriptionPlan


UNKNOWN = "–"
"""Text where nothing is known."""
JOB_STATE_WORDS: dict[str, str] = {
    "queued": "queued waiting",
    "running": "running",
    "succeeded": "succeeded done",
    "failed": "failed refused",
    "cancelled": "cancelled",
    "interrupted": "interrupted refused",
}
"""Words by which a job's state is found; the first is the one that is shown."""
ANSWER_STATE_WORDS: dict[str, str] = {
    "complete": "complete done",
    "aborted": "aborted stopped",
    "failed": "failed partial",
}
_CHANGED = {
    "added_clip": ("clip", "made"),
    "edited_clip": ("clip", "edited"),
    "tagged_clip": ("clip", "tagged"),
    **{f"moved_{noun}": (noun, "moved") for noun in ("file", "transcript", "clip")},
    "edit": ("transcript", "edited"),
    "reading": ("file", "read anew"),
    **{f"{done}_cue": ("cue", done) for done in ("edited", "split", "merged", "inserted")},
    "shifted_transcript": ("transcript", "shifted"),
    "retimed_transcript": ("transcript", "retimed"),
    "reviewed_transcript": ("transcript", "corrected"),
    "translated_transcript": ("transcript", "translated"),
    "note": ("note", "changed"),
    "set_bookmark": ("bookmark", "set"),
    "named_bookmark": ("bookmark", "named"),
    "set_mining_mark": ("mark", "set"),
    "mining_mark": ("mark", "taken away"),
    "mined_review": ("card", "made"),
    "word": ("word", "marked"),
    "own_word": ("own word", "changed"),
    "saved_view": ("view", "saved"),
    "named_view": ("view", "renamed"),
}
"""Kinds of a step of undo: what it has changed, and how, by its kind; of all others records were deleted."""
_LONGEST_CHOICE = 60
_BLOCKS = " ▏▎▍▌▋▊▉█"


def now() -> datetime:
    """Current time in UTC: the one clock that ages are measured by."""
    return datetime.now(UTC)


def undo_step(step: UndoStep) -> str:
    """Format what a step did: "clip edited: fährt", "3 clips deleted"."""
    noun, done = _CHANGED.get(step.kind, (step.kind, "deleted"))
    if step.count != 1:
        return f"{count_of(step.count, noun)} {done}"
    return f"{noun} {done}" if step.subject == f"the {noun}" else f"{noun} {done}: {step.subject}"


def shortened(text: str, most: int) -> str:
    """The text with at most so many characters, the last of them "…" where some are left out."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def other_choice(word: FocusWord) -> str:
    """The word that may as well be meant, in one line: "or work · verb: arbeiten"."""
    named = " · ".join(one_line(part) for part in (word.lemma or word.surface, word.part_of_speech) if part)
    meaning = f": {shortened(one_line(word.meanings[0]), _LONGEST_CHOICE)}" if word.meanings else ""
    return f"or {named}{meaning}"


LONGEST_AGE = len("59 min")
_DAY = 24 * 60
_AGES = (
    *((60, 1, "min"), (_DAY, 60, "h"), (14 * _DAY, _DAY, "d")),
    *((60 * _DAY, 7 * _DAY, "wk"), (730 * _DAY, 30 * _DAY, "mo")),
)
"""Ages in minutes, and what they are told in up to them: the minutes of a unit, and its name."""


def ago(moment: str) -> str:
    """Format how long ago a moment was: "just now", "3 min ago"."""
    return "just now" if age(moment) == "now" else f"{age(moment)} ago"


def age(created_at: str, at: datetime | None = None) -> str:
    """Format the time since an RFC 3339 moment: "now", "3 min", "5 h", "2 d", "6 wk", "4 mo", "2 y"; "" for no moment.

    A moment that lies ahead (another machine's clock) is "now".
    """
    try:
        then = datetime.fromisoformat(created_at)
    except ValueError:
        return ""
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    minutes = int(((at or now()) - then).total_seconds() // 60)
    told = next((f"{minutes // length} {unit}" for most, length, unit in _AGES if minutes < most), None)
    return "now" if minutes < 1 else told or f"{minutes // _DAY // 365} y"


def time_left(seconds: int | None) -> str:
    """Format how long work may take yet: "40 s left", "3 min left", "2 h 5 min left"; "" where nobody knows."""
    if seconds is None:
        return ""
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min left" if seconds >= 60 else f"{seconds} s left"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min left" if minutes else f"{hours} h left"


def clock(milliseconds: int | None) -> str:
    """Format a time in a recording: "0:31", "14:48", "1:02:03"; "" for none. A second begun is not counted."""
    if milliseconds is None:
        return ""
    minutes, seconds = divmod(max(0, milliseconds) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def describe_plan(plan: TranscriptionPlan) -> str:
    """Describe what a transcription will be: the recording, what hears it, and what that costs."""
    facts = [plan.name, f"{clock(plan.duration_ms)} of sound" if plan.duration_ms is not None else ""]
    if len(plan.tracks) > 1:
        track = " ".join(filter(None, (str(plan.track.number), plan.track.language, plan.track.title)))
        facts.append(f"track {track} of {len(plan.tracks)}")
    facts += [plan.model, language(plan.language) if plan.language else "language: found out"]
    if plan.is_local:
        facts.append("costs nothing")
    elif plan.cost is not None:
        facts.append(f"costs about {plan.cost:.2f} {plan.currency}")
    else:
        facts.append("its price is not in config.toml")
    return one_line(" · ".join(filter(None, facts)))


REVIEW_NOUNS: Mapping[ReviewKind, str] = {"correction": "correction", "translation": "translation", "cards": "card"}
"""Nouns of one change of a review, by its kind."""


def describe_correction(plan: CorrectionPlan) -> str:
    """Describe what a model will be asked about a transcript, and whether that is paid."""
    paid = "costs nothing" if plan.is_local else f"about {count_of(plan.characters, 'character')} sent, which is paid"
    return " · ".join((count_of(plan.line_count, "line"), count_of(plan.request_count, "request"), paid))


def clock_with_tenths(milliseconds: int) -> str:
    """Format a time in a recording with its tenths of a second: "0:31.4". A tenth begun is not counted."""
    return f"{clock(milliseconds)}.{max(0, milliseconds) % 1000 // 100}"


def size(count: int) -> str:
    """Format bytes in decimal units: "812 B", "12.3 kB", "4.0 MB"."""
    if count < 1000:
        return f"{count} B"
    amount = float(min(count, 10**18))  # a server may say anything
    unit = "B"
    for larger in ("kB", "MB", "GB", "TB"):
        amount /= 1000
        unit = larger
        if amount < 999.95:
            break
    return f"{amount:.1f} {unit}"


def number(count: int) -> str:
    """Format a number with its digits in groups of three, apart by a no-break space: "12 345"."""
    return f"{count:,}".replace(",", "\u00a0")


def language(code: str | None) -> str:
    """The language's English name, the code itself where it is not known, "" for none."""
    return language_name(one_line(code)) if code else ""


def episode_number(season: int | None, episode: int) -> str:
    """Format the number of an episode: S01E03, E03."""
    return f"E{episode:02}" if season is None else f"S{season:02}E{episode:02}"


def within_series(title: str, series: str, season: int | None, episode: int | None) -> str:
    """Title without its series, for a list that names the series: the episode's number and title, or a chapter's."""
    rest = title.removeprefix(series).lstrip(" ·") if title.startswith(series) else title
    number = episode_number(season, episode) if season is not None and episode is not None else ""
    return " · ".join(filter(None, ("" if number in rest else number, rest)))


def title_with_series(title: str, series: str, season: int | None, episode: int | None) -> str:
    """Title behind that of its series, which the title of a chapter does not have."""
    return f"{series} · {within_series(title, series, season, episode)}" if series else title


def source_name(source: str) -> str:
    """The short name of what a job works on: of a path, an upload or a sample story."""
    from tui.records.jobs import JobSource

    return JobSource.read(source).name.partition("\n")[0].replace("\\", "/").rsplit("/", 1)[-1]


def share_read(read_cues: int | None, cue_count: int) -> str:
    """Format how much of a transcript is read: "45%", "✓" for all of it, "" where it was never opened."""
    if read_cues is None:
        return ""
    return "✓" if read_cues >= cue_count else f"{100 * read_cues // cue_count}%"


def bar(progress: float, cells: int, rest: str = " ") -> str:
    """A bar of ``cells`` cells, filled to ``progress`` (0 to 1) in eighths of a cell, and then with ``rest``."""
    eighths = round(min(1.0, max(0.0, progress)) * cells * 8)
    whole, part = divmod(eighths, 8)
    return ("█" * whole + (_BLOCKS[part] if part else "")).ljust(cells, rest)


def count_of(count: int, noun: str, plural: str = "") -> str:
    """Format a count and its noun: "1 clip", "12 clips"; one whose plural takes more than an s comes with it."""
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def without_meaning(bare: int, clips: int) -> str:
    """Say how many of some clips have no meaning: "3 of 40 clips have no meaning"."""
    return f"{number(bare)} of {count_of(clips, 'clip')} {'has' if bare == 1 else 'have'} no meaning"


def film_trouble(trouble: FilmTrouble) -> str:
    """Say which clips lack sound and picture, why, and the next step."""
    clips = f"{count_of(trouble.clips, 'clip')} without sound and picture: {trouble.message}"
    return f"{clips}; {trouble.hint}" if trouble.hint else clips


def encoding_name(codec: str) -> str:
    """The codec's name in a message, which ``--encoding`` understands: "cp1251" → "windows-1251"."""
    if codec.startswith("cp125"):
        return f"windows-{codec[2:]}"
    if codec.startswith("iso8859-"):
        return f"iso-{codec[3:]}"
    return codec.replace("_", "-")


def read_as(codec: str | None) -> str:
    """End of a line that counts a file's cues: its encoding, "" where it is Unicode or was not kept."""
    return "" if codec is None or codec.startswith("utf-") else f", read as {encoding_name(codec)}"


_WITH_THE_ONE_BEFORE = frozenset("ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ")
_FALL = "↓"


def morae(reading: str) -> list[str]:
    """Morae of a reading in kana: a small vowel or y belongs to the kana before it, a small tsu is one by itself."""
    found: list[str] = []
    for kana in reading:
        if kana in _WITH_THE_ONE_BEFORE and found:
            found[-1] += kana
        else:
            found.append(kana)
    return found


def pitch_text(accent: PitchAccent) -> str:
    """Reading with an arrow where its pitch falls, and the number of that mora; 0 where it does not fall."""
    spoken = morae(one_line(accent.reading))
    if 0 < accent.position <= len(spoken):
        spoken.insert(accent.position, _FALL)
    return f"{''.join(spoken)} [{accent.position}]"


def written_phrases(phrases: Sequence[OwnPhrase]) -> str:
    """The phrases on one line, which ``read_phrases`` reads."""
    return "; ".join(f"{each.text} = {each.meaning}" if each.meaning else each.text for each in phrases)


def read_phrases(line: str) -> tuple[OwnPhrase, ...]:
    """The phrases that were typed on one line."""
    return tuple(each for each in map(read_phrase, line.split(";")) if each.text)


def read_phrase(typed: str) -> OwnPhrase:
    """One phrase as it is typed, with or without a meaning: "Bescheid sagen = to tell"."""
    from tui.records.own_words import OwnPhrase  # the app starts without them

    text, _, meaning = typed.partition("=")
    return OwnPhrase(text.strip(), meaning.strip())
