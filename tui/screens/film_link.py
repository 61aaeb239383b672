"""Link of a film in the app: asks for its path until it can be linked, or the question is closed."""

from __future__ import annotations

from pathlib import Path

from tui.errors import LodeError, in_one_line
from tui.records.media import LinkedMedia, MediaLink
from tui.records.transcripts import Transcript
from tui.screens.input_queue import typed_input_kept
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.text.display import clock
from tui.text.sanitize import one_line


async def link_film(screen: SectionScreen, transcript_id: str) -> None:
    """Link a film to a transcript; where it has one already, it may lose it."""
    try:
        with typed_input_kept(screen.app):
            transcript = await screen.service.transcripts.get(transcript_id)
            link = await screen.service.media.of(transcript.id)
        if link is not None and not await _is_replaced(screen, link):
            return
    except LodeError as error:
        screen.notify(in_one_line(error), severity="error", markup=False)
        return
    await _link(screen, transcript, "" if link is None else link.path)


async def _is_replaced(screen: SectionScreen, link: MediaLink) -> bool:
    """Ask what is to be done with the film that there is; whether another one is to be named."""
    from tui.screens.dialogs.questions import Choice

    options = (("n", "Name another"), ("x", "No film any more"), ("esc", "Leave it"))
    question = f"{one_line(Path(link.path).name)} is its film."
    answer = await screen.app.push_screen_wait(Choice(question, options, (one_line(link.path),)))
    if answer == "x":
        await screen.service.media.unlink(link.transcript_id)
        screen.notify("no film any more; clips keep their sounds and pictures", markup=False)
    return answer == "n"


async def _link(screen: SectionScreen, transcript: Transcript, path: str) -> None:
    from tui.screens.dialogs.path_prompt import PathPrompt

    title, refusal = f'Film or recording of "{one_line(transcript.title)}"', ""
    where = "links it" if screen.service.location == "local" else "sends it to the server"
    while True:
        prompt = PathPrompt(title, value=path, hint=f"tab completes · enter {where}", error=refusal)
        answer = await screen.app.push_screen_wait(prompt)
        if answer is None:
            return
        path = answer
        screen.notify(f"reading {one_line(Path(answer).name)} …", markup=False)
        try:
            _tell(screen, await screen.service.media.link(transcript.id, answer))
        except LodeError as error:
            refusal = in_one_line(error)
            continue
        return


def _tell(screen: SectionScreen, linked: LinkedMedia) -> None:
    length, name = clock(linked.info.duration_ms), one_line(Path(linked.links[0].path).name)
    screen.notify(f"{name} linked{f' · {length}' if length else ''}", markup=False)
    if linked.job is not None:
        screen.post_message(LibraryChanged("job", jobs=(linked.job,)))
