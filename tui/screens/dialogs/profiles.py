"""Dialog to switch profiles, or to make a new one by its name."""

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from textual import work
from textual.content import Content

from tui.config import check_profile
from tui.errors import InvalidInput, LodeError, in_one_line
from tui.records.library import ProfileSummary
from tui.screens.dialogs.list_choice import ListChoice
from tui.service.protocol import Service
from tui.text.cells import fit
from tui.text.display import count_of
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

_NAME_CELLS = 28


class ProfileChoice(ListChoice[str]):
    """Dialog whose answer is the name of a profile, None after esc.

    That of ``service`` is marked, ``visited`` are listed even while empty.

    A profile comes into being with the first thing that is written to it, so a name that nothing has is one too.
    """

    def __init__(
        self,
        service: Service,
        visited: Iterable[str] = (),
        *,
        title: str = "Profiles",
        hint: str = "enter goes there · another name makes a new one · esc stays",
    ) -> None:
        super().__init__(title, placeholder="type to narrow the list, or a new name", hint=hint)
        self._service = service
        self._profiles = {name: ProfileSummary(name, 0, 0, 0) for name in (*visited, service.profile)}
        self._is_read = False
        self._entered = False
        """True if enter was pressed before the list was there, which says what the letters before it mean."""

    @work(exclusive=True, group="profiles", exit_on_error=False)
    async def read(self) -> None:
        trouble = ""
        try:
            self._profiles |= {each.name: each for each in await self._service.profiles()}
        except LodeError as error:
            trouble = in_one_line(error)
        self._is_read = True
        self.refresh_list()
        self.say(trouble, error=bool(trouble))
        if self._entered:
            self.enter()

    def listed(self, typed: str) -> Iterator[tuple[str, Content]]:
        if not self._is_read:
            return
        low = typed.casefold()
        found = [each for each in self._profiles.values() if low in each.name.casefold()]
        found.sort(
            key=lambda each: (each.name != typed, not each.name.casefold().startswith(low), each.name.casefold())
        )
        widest = min(_NAME_CELLS, max((cell_len(one_line(each.name)) for each in found), default=0))
        yield from ((each.name, self._entry(each, widest)) for each in found)
        if typed and typed not in self._profiles and _problem(typed) is None:
            yield typed, Content(f"+ {typed}") + Content.styled("  a new profile", MUTED)

    def first(self, typed: str) -> int:
        here = self._service.profile
        return self.answers.index(here) if not typed and here in self.answers else 0

    def _entry(self, profile: ProfileSummary, widest: int) -> Content:
        name = one_line(profile.name)
        counted = ((profile.files, "file"), (profile.transcripts, "transcript"), (profile.clips, "clip"))
        has = " · ".join(count_of(count, noun) for count, noun in counted if count) or "empty"
        mark = "● " if profile.name == self._service.profile else "  "
        padded = name if cell_len(name) > widest else fit(name, widest)
        return Content(f"{mark}{padded}  ") + Content.styled(has, MUTED)

    def enter(self) -> None:
        self._entered = not self._is_read
        if self._is_read and not self.answers and (problem := _problem(self.typed)) is not None:
            self.say(in_one_line(problem), error=True)
        else:
            super().enter()


def _problem(name: str) -> InvalidInput | None:
    """Error that says why this is no profile name; None for a good one."""
    try:
        check_profile(name)
    except InvalidInput as error:
        return error
    return None
