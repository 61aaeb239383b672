"""Command palette: what can be done on the present screen, then anywhere, then on all others; each with its keys."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, TypeVar

from rich.cells import cell_len
from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.dom import DOMNode

from tui.config import WordTints
from tui.screens.dialogs.key_help import KeyGroup, keys_of
from tui.screens.dialogs.list_choice import ListChoice
from tui.screens.dialogs.palette_entries import Command, do_in, typed_commands
from tui.screens.section import SECTIONS
from tui.service.jobs.kinds import KINDS
from tui.text.cells import cut
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.themes import MUTED, TINTS, shown_tints

T = TypeVar("T", bound=str)
_GAP = 2
_PRESENT = "● "
"""Mark before the theme that is in force."""
_DOES = {"jobs": "go to the jobs: their number in the top line does, too, with a click"}
_ANYWHERE = (
    # name, what it does, the app's action, the id of its key
    *(
        (
            section.capitalize(),
            _DOES.get(section, f"go to the {section}"),
            f"section('{section}')",
            f"section.{section}",
        )
        for section in SECTIONS
    ),
    (
        "Find anything",
        "search sentences, titles, clips, notes, words, dictionaries, answers",
        "find_anything",
        "find.anything",
    ),
    ("Add files", "import subtitles or texts", "do_in('files', 'add')", ""),
    ("Load the sample library", "short stories in four languages, free for any use", "do_in('files', 'samples')", ""),
    *(
        (row.title, "start this job", f"""do_in('jobs', "start('{kind}')")""", "")
        for kind, row in KINDS.items()
        if row.title
    ),
    ("Export the deck", "write all clips as an Anki deck", "do_in('clips', 'export')", ""),
    ("Profiles", "go to another profile of this library, or make one", "profiles", "profiles"),
    ("Languages", "what answers are given in, and what you learn, with your level", "languages", ""),
    ("Mark common words", "as known: those below your level, or as many as you say", "do_in('words', 'frequent')", ""),
    ("Cards", "what the front of a card asks with, its hint; what fills those that come", "cards", ""),
    ("Inbox", "take cards of Yomitan, asbplayer and others; again: no longer", "inbox", ""),
    ("Dictionaries", "what words mean: add, order and delete dictionaries", "open_dictionaries", ""),
    ("Views", "filters with a name: go to one, rename or delete it", "views", ""),
    ("Undo", "bring back what was deleted last", "undo", "undo"),
    ("Undo list", "what undo can take back, the newest first: any of it", "choose_undo", "undo.list"),
    ("Redo", "do again what was undone last", "redo", "redo"),
    ("Bookmarks", "the places that you marked in transcripts", "bookmarks", "bookmarks"),
    ("Reviews", "what models propose, and what waits to be taken or left", "reviews", "reviews"),
    ("Back", "to the place that you came from", "place(-1)", "reader.place_back"),
    ("Forward", "to the place that you went back from", "place(1)", "reader.place_forward"),
    ("Labels", "letters on all that can be reached: type one to go there", "labels", "labels"),
    ("Redraw", "draw the screen anew, the line in the middle", "redraw", "redraw"),
    ("Keys", "every key that works here", "show_keys", "keys"),
    ("Theme", "choose the colours", "change_theme", ""),
    ("Word tints", "how new and learned words look in the reader", "change_word_tints", ""),
    ("Quit", "leave Lode", "quit", "quit"),
)


ANYWHERE_ACTIONS = frozenset(action for _, _, action, _ in _ANYWHERE)
"""Actions of the app that the palette offers anywhere."""


def commands(app: App[Any]) -> tuple[Command, ...]:
    """Commands that work now: those of the focus and its screen first, then those that work anywhere."""
    here = [group for group in keys_of(app.screen) if group.node is not app]
    # First what the line below names, which is what one is most likely to look for; last how the cursor is moved.
    groups = [*((group, True) for group in here), *((group, False) for group in reversed(here))]
    near = [each for group, shown in groups for each in _commands_of(app, group, shown=shown)]
    screen = app.screen
    own = [
        Command(name, does, "", partial(_run, app, action, screen))
        for name, does, action in getattr(screen, "KEYLESS", ())
        if screen.check_action(action, ())
    ]
    section = getattr(screen, "SECTION", "")
    done_here = {do_in(section, entry.action) for group in here for entry in group.entries}
    anywhere = [
        Command(name, does, shown_key(screen, binding_id) if binding_id else "", partial(app.run_action, action))
        for name, does, action, binding_id in _ANYWHERE
        if action not in done_here
    ]
    return (*near, *own, *anywhere)


def _commands_of(app: App[Any], group: KeyGroup, *, shown: bool) -> Iterator[Command]:
    for entry in group.entries:
        if entry.shown is shown:
            name = entry.name[:1].upper() + entry.name[1:]
            does = "" if entry.does == entry.name else entry.does
            yield Command(name, does, entry.keys, partial(_run, app, entry.action, group.node))


async def _run(app: App[Any], action: str, node: DOMNode) -> None:
    if node.is_attached:  # it may have gone while the palette was open
        await app.run_action(action, node)


def theme_commands(app: App[Any]) -> tuple[Command, ...]:
    """Commands that choose a theme; the name of the present one is marked."""
    names = {name: "dark" if theme.dark else "light" for name, theme in sorted(app.available_themes.items())}
    return _choices(names, app.theme, partial(setattr, app, "theme"))


def tint_commands(app: App[Any], choose: Callable[[WordTints], object]) -> tuple[Command, ...]:
    """Commands that choose the tints of words; the name of the present ones is marked."""
    return _choices(TINTS, shown_tints(app), choose)


def _choices(names: Mapping[T, str], present: str, choose: Callable[[T], object]) -> tuple[Command, ...]:
    return tuple(
        Command(f"{_PRESENT if name == present else '  '}{name}", does, "", partial(choose, name))
        for name, does in names.items()
    )


class Palette(ListChoice[Command]):
    """Dialog whose answer is a command, None after esc; all typed words must be in its name or in what it does."""

    WIDTH = 78
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+p", "dismiss(None)", show=False)]

    def __init__(
        self,
        title: str,
        commands: Sequence[Command],
        *,
        takes_places: bool = False,
        more: Callable[[], Awaitable[Sequence[Command]]] | None = None,
    ) -> None:
        super().__init__(title, hint="enter does it · esc closes")
        self._commands = commands
        self._takes_places = takes_places
        """Whether a line, a time or an end may be typed, too."""
        self._more = more
        """Reads further commands; None where there are none, or they are there."""
        self._entered = False
        """Whether enter was pressed for a command that may be among those that are being read."""

    @work(exclusive=True, group="more", exit_on_error=False)
    async def read(self) -> None:
        if self._more is None:
            return
        more, self._more = await self._more(), None
        here = self.highlighted
        self._commands = [*self._commands, *more]
        self.refresh_list()
        if here is not None and not self.typed:
            self.action_highlight(here)
        if self._entered:
            self.enter()

    def enter(self) -> None:
        self._entered = self._more is not None and not self.answers
        super().enter()

    def listed(self, typed: str) -> Iterator[tuple[Command, Content]]:
        words = (typed.removeprefix(":") if self._takes_places else typed).casefold().split()
        texts = ((each, f"{each.name} {each.does}".casefold()) for each in self._commands)
        found = [each for each, text in texts if all(word in text for word in words)]
        if words:
            found.sort(key=lambda each: _rank(each, words[0]))
        if self._takes_places:
            found = [*typed_commands(self.app, typed), *found]
        return ((each, _entry(each, self.entry_width)) for each in found)

    def first(self, typed: str) -> int:
        marked = (number for number, each in enumerate(self.answers) if each.name.startswith(_PRESENT))
        return 0 if typed else next(marked, 0)

    def refresh_list(self) -> None:
        super().refresh_list()
        if not self.answers and self._more is None:
            self.say("nothing is called so")


def _rank(command: Command, word: str) -> int:
    """Rank by the first word, 0 best: the name begins with it, a word of it does, it is in it, it is not."""
    name = command.name.casefold().removeprefix(_PRESENT).strip()
    if name.startswith(word):
        return 0
    if f" {word}" in name:
        return 1
    return 2 if word in name else 3


def _entry(command: Command, width: int) -> Content:
    room = width - cell_len(command.keys) - _GAP
    name = cut(command.name, room)
    does = cut(command.does, room - cell_len(name) - _GAP)
    space = " " * (width - cell_len(name) - cell_len(command.keys) - (cell_len(does) + _GAP if does else 0))
    said = Content.styled(" " * _GAP + does, MUTED) if does else Content("")
    return Content(name) + said + Content(space) + Content.styled(command.keys, "bold")
