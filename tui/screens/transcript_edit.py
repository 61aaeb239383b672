"""Editing of a transcript: its title, language and encoding, its film, its translation track.

All of it asks until it can be done, or the question is closed; ``LodeError`` is left to the screen.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from textual import on, work
from textual.content import Content
from textual.widgets import Input

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.records.transcripts import MAX_TITLE, Transcript
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField, named_options
from tui.screens.dialogs.list_choice import MAX_ENTRIES, ListChoice
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.dialogs.questions import Choice, TextPrompt, ask_until_taken
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.text.cells import cut, fit
from tui.text.display import clock, count_of, encoding_name, language
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

_MANY_CUES = 5000
"""Cues from which on another language takes so long that it has to be said."""
_NO_TRACK, _BY_MODEL = "", "model"
"""Answers that are no transcript's id."""
_FACTS_CELLS = 26
_LONGEST_OFFSET_S = 1e9


async def edit_transcript(screen: SectionScreen, transcript_id: str) -> None:
    """Ask what is to change of a transcript; another encoding reads its file anew."""
    service = screen.service
    fields = [PromptField("title", "Title", limit=MAX_TITLE), PromptField("language", "Language", "unknown")]
    with screen.typed_kept():
        transcript = await service.transcripts.get(transcript_id)
        shown = {"title": transcript.title, "language": transcript.language or ""}
        if transcript.file_id is not None:
            file = await service.files.get(transcript.file_id)
            shown["encoding"] = encoding_name(file.encoding or "")
            fields.append(PromptField("encoding", "Encoding", "found out"))

    async def edit(typed: Mapping[str, str]) -> bool:
        options = named_options(typed)
        changes: dict[str, Any] = {name: typed[name] for name in ("title", "language") if typed[name] != shown[name]}
        if "language" in changes and transcript.cue_count > _MANY_CUES:
            screen.say(f"counting the words of {count_of(transcript.cue_count, 'cue')} …")
        if changes:
            await service.transcripts.edit(transcript.id, **changes)
            screen.post_message(LibraryChanged("transcript", "file", "cue"))
        if transcript.file_id is not None and typed["encoding"] != shown["encoding"]:
            jobs = await service.files.reread(transcript.file_id, **options | {"language": None})
            screen.post_message(LibraryChanged("job", jobs=jobs))
        return True

    hint = "another encoding reads the file again · enter saves, u undoes"
    await ask_until_taken(screen.app, partial(FieldsPrompt, "Edit transcript", fields, hint=hint), shown, edit)


# Its film.


async def link_film(screen: SectionScreen, transcript_id: str) -> None:
    """Ask for the path of a transcript's film; where it has one already, it may lose it."""
    media = screen.service.media
    with screen.typed_kept():
        transcript = await screen.service.transcripts.get(transcript_id)
        there = await media.of(transcript.id)
    if there is not None:
        options = (("n", "Name another"), ("x", "No film any more"), ("esc", "Leave it"))
        question = f"{one_line(Path(there.path).name)} is its film."
        answer = await screen.app.push_screen_wait(Choice(question, options, (one_line(there.path),)))
        if answer == "x":
            await media.unlink(there.transcript_id)
            screen.say("no film any more; clips keep their sounds and pictures")
        if answer != "n":
            return

    async def link(path: str) -> bool:
        screen.say(f"reading {Path(path).name} …")
        linked = await media.link(transcript.id, path)
        length, name = clock(linked.info.duration_ms), Path(linked.links[0].path).name
        screen.say(f"{name} linked{f' · {length}' if length else ''}")
        if linked.job is not None:
            screen.post_message(LibraryChanged("job", jobs=(linked.job,)))
        return True

    where = "links it" if screen.service.location == "local" else "sends it to the server"
    title = f'Film or recording of "{transcript.title}"'
    prompt = partial(PathPrompt, title, hint=f"tab completes · enter {where}")
    await ask_until_taken(screen.app, prompt, "" if there is None else there.path, link)


# Its translation track.


class TrackChoice(ListChoice[str]):
    """Dialog over other subtitles of a film, the likeliest first: the id of a transcript.

    Without a title of its own it is for the translation track, and some answers are no transcript.
    """

    def __init__(self, service: Service, transcript: Transcript, title: str = "", hint: str = "") -> None:
        self._is_for_translation = not title
        title = title or f'Translation of "{transcript.title}"'
        super().__init__(one_line(title), hint=hint or "enter takes it as the translation · esc leaves it")
        self._service = service
        self._transcript = transcript
        self._found: tuple[Transcript, ...] | None = None

    @on(Input.Changed)
    @work(exclusive=True, group="transcripts", exit_on_error=False)
    async def read(self) -> None:
        """Read those that fit what is typed; a library may have more than are listed."""
        try:
            self._found = (await self._service.transcripts.page(limit=5 * MAX_ENTRIES, q=self.typed)).items
        except LodeError as error:
            self.say(in_one_line(error), error=True)
        else:
            self.refresh_list()

    def listed(self, typed: str) -> Iterator[tuple[str, Content]]:
        if self._found is None:  # enter, typed ahead, is not to mean the one entry that needs no reading
            return
        ours = self._transcript
        others = [each for each in self._found if each.id != ours.id and each.duration_ms is not None]
        others.sort(key=lambda each: _likeliness(each, ours), reverse=True)
        entries = ((each.id, self._entry(each)) for each in others)
        yield from islice(entries, 1)
        if self._is_for_translation and not typed:  # below the likeliest: the list may be cut at its end
            if ours.translation_id:
                yield _NO_TRACK, Content("  no translation any more")
            if ours.duration_ms is not None:
                yield _BY_MODEL, Content("  have a model translate it …")
        yield from entries

    def _entry(self, transcript: Transcript) -> Content:
        facts = (language(transcript.language), clock(transcript.duration_ms))
        mark = "● " if transcript.id == self._transcript.translation_id else "  "
        width = max(8, self.entry_width - _FACTS_CELLS - len(mark))
        title = fit(cut(one_line(transcript.title), width, inside=True), width)
        return Content(f"{mark}{title}  ") + Content.styled(" · ".join(filter(None, facts)), MUTED)


def _likeliness(other: Transcript, ours: Transcript) -> tuple[bool, bool, bool, bool]:
    """Whether it is the track already, the same episode, of the same name, and as long as ours."""
    place, its_place = ((each.series, each.season, each.episode) for each in (ours, other))
    is_episode = bool(ours.series) and its_place == place
    length, its_length = ours.duration_ms or 0, other.duration_ms or 0
    is_as_long = abs(its_length - length) * 20 <= max(its_length, length)
    is_named_so = PurePath(other.title).stem.casefold() == PurePath(ours.title).stem.casefold()
    return other.id == ours.translation_id, is_episode, is_named_so, is_as_long


async def choose_track(screen: SectionScreen, transcript_id: str) -> bool:
    """Let the user choose a transcript's track, and pair them; whether anything changed."""
    service = screen.service
    with screen.typed_kept():
        transcript = await service.transcripts.get(transcript_id)
    chosen = await screen.app.push_screen_wait(TrackChoice(service, transcript))
    if chosen is None:
        return False
    if chosen == _BY_MODEL:
        from tui.screens.corrections import translate

        await translate(screen, transcript.id)
        return False
    if chosen == _NO_TRACK:
        await service.transcripts.unpair(transcript.id)
        screen.say("no translation any more")
    elif not await _pair(screen, transcript, chosen):
        return False
    screen.post_message(LibraryChanged("transcript"))
    return True


async def _pair(screen: SectionScreen, transcript: Transcript, track_id: str) -> bool:
    """Pair them; where no offset is found, by one that is asked for. False where it is not given."""
    offset_ms: int | None = None
    while True:
        try:
            pair = await screen.service.transcripts.pair(transcript.id, track_id, offset_ms=offset_ms)
        except InvalidInput as error:
            if error.code != "no_offset":
                raise
            title = "Their times do not go together: seconds to move the translation by"
            prompt = partial(TextPrompt, title, hint="-1.5, say, where it comes too late · esc leaves it")
            offset_ms = await ask_until_taken(screen.app, prompt, "0", _read_offset)
            if offset_ms is None:
                return False
            continue
        moved = pair.transcript.translation_offset_ms or 0
        said = f"{pair.translated_cues} of {count_of(transcript.cue_count, 'cue')} have a translation"
        screen.say(said + (f", moved by {moved / 1000:+.1f} s" if moved else ""))
        return True


async def _read_offset(typed: str) -> int:
    try:
        seconds = float(typed.replace(",", "."))
    except ValueError:
        seconds = float("nan")
    if abs(seconds) <= _LONGEST_OFFSET_S:
        return round(seconds * 1000)
    raise InvalidInput("type a number of seconds")
