"""Dialog for tags of clips: those to add and those to take away, completed from those that there are."""

import re
from collections.abc import Awaitable, Callable, Sequence

from textual import work

from tui.errors import LodeError, in_one_line
from tui.records.clips import TagCount
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.text.display import count_of, number
from tui.widgets.forms.path_completion import Completion, Match

_LONGEST = 3_000
"""Characters of all tags, as many as the service takes."""


class TagPrompt(PathPrompt):
    """Dialog whose answer is a line for ``read_tag_changes``; ``read`` gives the tags that there are.

    Those that the ``count`` clips have come first, with how many of these have each.
    """

    LIMIT = _LONGEST

    def __init__(
        self,
        count: int,
        read: Callable[[], Awaitable[Sequence[TagCount]]],
        *,
        value: str = "",
        error: LodeError | None = None,
    ) -> None:
        hint = "+tag adds · -tag takes away · tab completes"
        super().__init__(f"Tag {count_of(count, 'clip')}", value=value, hint=hint, error=error)
        self._count = count
        self._read = read
        self._tags: Sequence[TagCount] = ()

    def on_mount(self) -> None:
        super().on_mount()
        self.read_tags()

    @work(exclusive=True, group="tags", exit_on_error=False)
    async def read_tags(self) -> None:
        try:
            tags = await self._read()
        except LodeError as error:
            self.refuse(in_one_line(error))
            return
        self._tags = sorted(tags, key=lambda each: -each.chosen)  # else as they come, the most frequent first
        self.list_matches()

    def look_up(self, line: str, cursor: int) -> Completion:
        """Complete the tag before the cursor, behind a ``-`` with those only that some of the clips have."""
        word = re.split(r"[\s,#]", line[:cursor])[-1]
        typed, takes_away = word.lstrip("+-"), word.startswith("-")
        found = (
            Match(each.tag, self._entry(each), is_directory=each.chosen > 0)
            for each in self._tags
            if each.tag.casefold().startswith(typed.casefold()) and (each.chosen or not takes_away)
        )
        return Completion(cursor - len(typed), cursor, typed, "", tuple(found), is_line=True)

    def _entry(self, each: TagCount) -> str:
        have = f"{number(each.chosen)} of {number(self._count)}" if each.chosen else f"{number(each.clips)} others"
        return f"{each.tag} · {have}"
