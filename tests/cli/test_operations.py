"""Operations of the service and commands: which operation no command calls, and why."""

from __future__ import annotations

import ast
from pathlib import Path

import tui.cli
from tui.service.protocol.signatures import RESOURCES, operations

FOR_ALL = "the commands of all records call it, whatever the records are"
READER = "the reader asks for the cues on screen; a command has the whole transcript"
SENT = "a command names files of this machine, which the remote library sends by it"
NO_COMMAND = {
    **dict.fromkeys(
        [f"{each}.find_groups" for each in ("bookmarks", "files", "transcripts", "clips", "history")],
        "headings of the app's lists; a sorted table has its column",
    ),
    "service.search_values": "suggested while one types a filter; a shell completes by `lode completion`",
    "service.revisions": "tells screens that a list has changed; a command reads its list anew",
    **dict.fromkeys(
        ("files.delete", "transcripts.delete", "clips.delete", "history.delete", "bookmarks.delete"), FOR_ALL
    ),
    **dict.fromkeys(("files.move", "transcripts.move", "clips.move"), FOR_ALL),
    **dict.fromkeys(("files.find_named", "transcripts.find_named"), FOR_ALL),
    **dict.fromkeys(("files.add_upload", "dictionaries.add_upload", "vocabulary.add_upload"), SENT),
    **dict.fromkeys(("vocabulary.preview_upload", "vocabulary.offer_upload"), SENT),
    "files.readings": "`lode files reread --encoding` takes one; the app shows what each would make of the file",
    **dict.fromkeys(("transcripts.place", "transcripts.leave_at", "transcripts.find"), READER),
    "bookmarks.of": "`lode bookmarks list --search` finds those of a transcript",
    "bookmarks.get": "`lode bookmarks list` has all that there is of one",
    **dict.fromkeys(("transcripts.translations", "known_words.of_cues", "clips.cues_of"), READER),
    **dict.fromkeys(("known_words.next_new", "known_words.next_one_new"), READER),
    "clips.add": "`lode llm breakdown --save` keeps, which adds nothing twice",
    "clips.has": "`lode llm breakdown --save` keeps, which looks for itself",
    **dict.fromkeys(("media.audio", "media.picture", "media.sound", "media.waveform"), "played or drawn by the app"),
    "media.of": "`lode files link` tells of the film that it has linked",
    "deck.check_note_types": "`lode deck fields --check` reads the note types and calls `check_fields`",
    "words.concordance": "`lode transcripts list --search` finds what has a word; sentences are shown beside an answer",
    "llm.preview_lenient": "the template screen shows what a prompt that is being written comes to",
    "reviews.edit_card": "`lode review edit` gives a card another meaning; all of a card is edited in the app",
    "reviews.count_waiting": "`lode review list` counts what waits",
    **dict.fromkeys(("mining.marks", "mining.mark", "mining.unmark"), "words are marked in the reader"),
    "jobs.running": "the app counts them in its footer",
}


def test_every_operation_has_a_command_or_a_reason_for_none() -> None:
    called = {
        f"{getattr(node.value, 'attr', getattr(node.value, 'id', ''))}.{node.attr}"
        for path in Path(tui.cli.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    there = {f"{each.attribute or 'service'}.{method}" for each in RESOURCES for method, _ in operations(each)}
    assert there - called == set(NO_COMMAND)
