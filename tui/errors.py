"""Errors: a cause, a next step and a code that the wire and the tests share."""

from tui.text.sanitize import one_line


class LodeError(Exception):
    """A failure the user can do something about.

    ``message`` names the cause in one sentence, ``hint`` the next step ("" where there is none), ``code`` is the
    stable snake_case name that the error bodies of a server carry, ``field`` the written field that the error is about,
    by its name in the record ("srt_model"); "" where it is about none.
    """

    code = "error"
    field = ""

    def __init__(self, message: str, *, hint: str = "", code: str = "", field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if field:
            self.field = field
        if code:
            self.code = code


class InvalidInput(LodeError):
    """Error of a request that cannot be met, whatever the state of the library."""

    code = "invalid_input"


class NotFound(LodeError):
    """An id, prefix or name that stands for nothing in the active profile; ``code`` is ``<kind>_not_found``."""

    code = "not_found"


def no_such(table: str, given: str, profile: str) -> NotFound:
    """Make the error of an id that stands for nothing; ``table`` is the plural of what its ids name."""
    kind = table.removesuffix("s")
    return NotFound(
        f"there is no {kind} {given[:40]!r} in the profile {profile}",
        hint=f"the ids are in the list of {table}; any unambiguous beginning of one will do",
        code=f"{kind}_not_found",
    )


def search_too_long(most: str) -> InvalidInput:
    """Make the error of a search with more than can be looked for; ``most`` says what it can have."""
    # The same words for every length: as somebody types on, it is one note.
    return InvalidInput(
        f"the search is too long: it can have {most}", hint="leave out what is not needed", code="search_too_long"
    )


class StoreError(LodeError):
    """The database or the blob folder cannot be read or written (locked, read-only, full, damaged, too new)."""

    code = "store_error"


def no_kept_bytes(title: str) -> NotFound:
    """Make the error of a transcript that cannot be read anew: the file that it came from was deleted."""
    return NotFound(
        f'the file of "{one_line(title)}" was deleted, and its bytes with it',
        hint="undo that if it was the last deletion, or add the file again",
        code="file_not_found",
    )


def damaged(what: str, cause: object = "", *, state: str = "damaged") -> StoreError:
    """``what`` is the file, or the part of the library, that cannot be read as it was written."""
    return StoreError(
        f"{what} is {state}" + (f" ({cause})" if cause else ""),
        hint="lode doctor --full says what is damaged, and with --repair mends what it can; or move lode.db away and"
        " put a backup in its place (lode.db.before-… or one made with: lode backup)",
        code="library_damaged",
    )


class ImportRefused(LodeError):
    """A file that cannot become a transcript; nothing of it was kept.

    ``suggested_encoding`` is the one in which the file most likely is, "" where that is not what is wrong.
    """

    code = "import_refused"

    def __init__(
        self, message: str, *, hint: str = "", code: str = "", field: str = "", suggested_encoding: str = ""
    ) -> None:
        super().__init__(message, hint=hint, code=code, field=field)
        self.suggested_encoding = suggested_encoding


def refused(shown: str, reason: str, hint: str = "check that it was copied whole", code: str = "") -> ImportRefused:
    """Error of a file that cannot be read; ``reason`` goes on where its name ended ("is damaged")."""
    return ImportRefused(f"{shown} {reason}", hint=hint, code=code)


def unreadable(shown: str, error: OSError) -> ImportRefused:
    """Error of a file that somebody names and that cannot be opened or read."""
    return refused(shown, f"cannot be read: {error.strerror or error}", "check that it is a file you may read")


class ProviderError(LodeError):
    """A language model provider is missing, unusable, or failed.

    ``pause`` is how many seconds it wants to be left alone, 0 where it says nothing of that.
    """

    code = "provider_error"

    def __init__(self, message: str, *, hint: str = "", code: str = "", field: str = "", pause: float = 0.0) -> None:
        super().__init__(message, hint=hint, code=code, field=field)
        self.pause = pause


class TemplateError(LodeError):
    """A prompt template that does not parse, names what does not exist, or runs out of its bounds.

    ``line`` and ``column`` count from 1; 0 means that it has no place (the whole is too long).
    """

    code = "template_error"
    field = "prompt"

    def __init__(
        self, message: str, *, line: int = 0, column: int = 0, hint: str = "", code: str = "", field: str = ""
    ) -> None:
        super().__init__(message, hint=hint, code=code, field=field)
        self.line = line
        self.column = column


class DeckError(LodeError):
    """The deck could not be written."""

    code = "deck_error"


class MediaError(LodeError):
    """A film or recording that cannot be used, or a voice that does not speak; ``code`` says why."""

    code = "media_error"


class RemoteError(LodeError):
    """The server that has the library does not answer, or not as this Lode understands it."""

    code = "server_unreachable"


def in_one_line(error: LodeError) -> str:
    """Format an error as one line: the cause and the next step."""
    return one_line(": ".join(filter(None, (error.message, error.hint))))


def in_two_lines(error: LodeError) -> str:
    """Format an error as the cause in one line and, where there is one, the next step in a second."""
    return "\n".join(one_line(part) for part in (error.message, error.hint) if part)
