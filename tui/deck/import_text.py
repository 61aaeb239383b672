"""Writer of what Anki imports as text (.txt): a note a line between tabs, with the header lines that say what is what.

The header is that of docs.ankiweb.net/importing/text-files.html. Anki finds the note type and the columns by name, and
the notes by the first column; unlike a package, a text replaces what was edited in Anki.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from tui.deck.note_fields import OURS, NoteFields
from tui.deck.note_type import VALUES
from tui.records.notes import Note
from tui.text.sanitize import one_line

_GUID, _TAGS = "Guid", "Tags"


def import_text(deck: str, notes: Iterable[Note], note_fields: NoteFields = OURS) -> Iterator[str]:
    filled = [(name, VALUES.index(value)) for name, value in note_fields.filled.items()]
    columns = (_GUID, *(one_line(name) for name, _ in filled), _TAGS)
    yield "#separator:tab\n#html:true\n"
    yield f"#notetype:{one_line(note_fields.note_type)}\n#deck:{one_line(deck)}\n"
    yield "#columns:" + "\t".join(columns) + "\n"
    yield f"#guid column:1\n#tags column:{len(columns)}\n"
    for note in notes:
        line = io.StringIO()
        csv.writer(line, delimiter="\t", lineterminator="\n").writerow(
            (note.guid, *(note.fields[place] for _, place in filled), " ".join(note.tags))
        )
        yield line.getvalue()
