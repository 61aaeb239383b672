"""Export of transcripts from the app: asks for a path, writes the file, and asks before one is replaced."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tui.errors import InvalidInput, LodeError
from tui.exporting.formats import EXPORT_FORMATS, choose_default_format, make_file_name
from tui.records.transcripts import Transcript
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.dialogs.questions import ask_until_taken, confirm_replacing
from tui.screens.section import SectionScreen
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.display import count_of, size
from tui.text.sanitize import one_line


async def export_transcripts(screen: SectionScreen, ids: Sequence[str]) -> None:
    """Ask where these are to be written until they can be, or the question is closed."""
    with screen.typed_kept():
        transcripts = [await screen.service.transcripts.get(each) for each in ids]
    if len(transcripts) == 1:
        await _export_one(screen, transcripts[0])
    elif transcripts:
        await _export_into_directory(screen, transcripts)


async def _export_one(screen: SectionScreen, transcript: Transcript) -> None:
    name = make_file_name(transcript, choose_default_format(transcript))

    async def export(answer: str) -> bool | None:
        target = _expanded(answer)
        if await _is_directory(target):
            target /= name
        return await _write(screen, transcript, target) or await _replaced(screen, [(transcript, target)]) or None

    endings = " ".join(each.ending for each in EXPORT_FORMATS.values())
    hint = f"{endings}: the ending says which · tab completes · enter writes it"
    await ask_until_taken(screen.app, partial(PathPrompt, f'Export "{transcript.title}"', hint=hint), name, export)


async def _export_into_directory(screen: SectionScreen, transcripts: Sequence[Transcript]) -> None:
    """Write each to a file of its own; those that cannot be written do not keep back the others."""

    async def export(answer: str) -> bool:
        directory = _expanded(answer)
        if not await _is_directory(directory):
            raise InvalidInput(f"there is no directory {one_line(answer)}")
        taken: set[str] = set()
        there: list[tuple[Transcript, Path]] = []
        for transcript in transcripts:
            name = make_file_name(transcript, choose_default_format(transcript), taken)
            taken.add(name)
            if not await _write(screen, transcript, directory / name, counted=True):
                there.append((transcript, directory / name))
        replaced = len(there) if there and await _replaced(screen, there) else 0
        count = len(transcripts) - len(there) + replaced
        screen.say(f"{count_of(count, 'file')} written to {directory}")
        return True

    title = f"Export {count_of(len(transcripts), 'transcript')}"
    hint = "a directory; texts become .txt, all others .srt · tab completes · enter writes them"
    await ask_until_taken(screen.app, partial(PathPrompt, title, hint=hint), "./", export)


async def _write(
    screen: SectionScreen, transcript: Transcript, target: Path, *, overwrite: bool = False, counted: bool = False
) -> bool:
    """Write one file and say so, unless all are ``counted`` in the end; False where one is there already."""
    try:
        written = await screen.service.transcripts.export(transcript.id, target, overwrite=overwrite)
    except LodeError as error:
        if error.code == "target_exists":
            return False
        raise
    if not counted:
        screen.say(f"{written.path} written: {size(written.size_bytes)}")
    return True


async def _replaced(screen: SectionScreen, files: Sequence[tuple[Transcript, Path]]) -> bool:
    """Replace the files that are there already, if that is what is wanted."""
    if not await screen.app.push_screen_wait(confirm_replacing(*(str(path) for _, path in files))):
        return False
    for transcript, path in files:
        await _write(screen, transcript, path, overwrite=True, counted=len(files) > 1)
    return True


def _expanded(answer: str) -> Path:
    try:
        return named_path(answer)
    except RuntimeError:  # no such user
        return Path(answer)


async def _is_directory(path: Path) -> bool:
    try:
        return await in_daemon_thread(path.is_dir, name="directory to export to")
    except (OSError, ValueError):
        return False
