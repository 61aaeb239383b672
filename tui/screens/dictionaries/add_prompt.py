"""Dialog for the files of dictionaries, which tab completes."""

from __future__ import annotations

from tui.errors import InvalidInput, in_one_line
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.widgets.forms.path_completion import Completion, complete, split_paths

_HINT = (
    "tab completes · several, quotes, * and ~ as in a shell · Yomitan (.zip), kaikki.org (.jsonl),"
    " dictd and FreeDict (.index), CC-CEDICT (.u8)"
)


class AddDictionaries(PathPrompt):
    """Dialog for paths in one line, as in a shell; the answer is the line."""

    def __init__(self, value: str, *, error: str = "") -> None:
        super().__init__("Add dictionaries", value=value, hint=_HINT, error=error)

    def look_up(self, line: str, cursor: int) -> Completion:
        return complete(line, cursor)

    def accept(self, line: str) -> None:
        try:
            split_paths(line)
        except InvalidInput as error:
            self.refuse(in_one_line(error))
        else:
            self.dismiss(line)
