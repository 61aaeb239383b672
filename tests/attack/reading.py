"""What is run in a process of its own: reads one file in one way, says what came of it, and is ended by Ctrl+C."""

from __future__ import annotations

from pathlib import Path

from tui.errors import LodeError


def text(path: Path) -> object:
    from tui.importing.parse import MAX_BYTES, parse
    from tui.system import regular_file

    return sum(len(each.cues) for each in parse(path.name, regular_file.read(path, MAX_BYTES)).transcripts)


def archive(path: Path) -> object:
    from tui.importing.archive import MemberReader, list_contents
    from tui.importing.parse import MAX_BYTES

    reader = MemberReader()
    return sum(len(reader.read(each, MAX_BYTES)) for each in (list_contents(path) or ())[:20])


def dictionary(path: Path) -> object:
    from tui.dictionaries.formats import open_dictionary

    with open_dictionary(path) as file:
        return sum(1 for _ in file.rows(lambda share: None))


def words(path: Path) -> object:
    from tui.records.vocabulary import VocabularyChoice
    from tui.vocabulary.formats import open_vocabulary

    with open_vocabulary(path, path.parent) as file:
        file.offer()
        return len(tuple(file.words(VocabularyChoice(), lambda share: None)))


def notes(path: Path) -> object:
    from tui.anki.notes import read_notes

    return len(read_notes(path, path.parent, "lode", 1).notes)


def note_lines(path: Path) -> object:
    from tui.anki.note_lines import read_notes_sent

    return len(read_notes_sent(path)[1].notes)


WAYS = {each.__name__: each for each in (text, archive, dictionary, words, notes, note_lines)}


def main(way: str, path: str) -> int:
    """Print what was read, or why it is not; 130 after Ctrl+C."""
    try:
        print("read", WAYS[way](Path(path)))
    except (LodeError, OSError) as error:
        print("refused:", str(error)[:100])
    except KeyboardInterrupt:
        return 130
    return 0
