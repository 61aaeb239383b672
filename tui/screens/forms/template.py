"""Template section: a form for the prompt template, with a live preview of the rendered prompt."""

import asyncio
from contextlib import ExitStack, suppress
from functools import partial
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widget import Widget
from textual.widgets import Input, TextArea
from textual.worker import WorkerCancelled, WorkerFailed, WorkType

from tui.errors import LodeError, RemoteError, TemplateError, in_one_line
from tui.records.answers import NewTemplate
from tui.screens.dialogs.questions import Choice, Confirm
from tui.screens.messages import GoBack, LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, PreviewRequest
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import in_editor, shown_key
from tui.widgets.forms.picker import Picker
from tui.widgets.forms.prompt_preview import PromptPreview
from tui.widgets.forms.template_form import Part, TemplateForm
from tui.widgets.forms.text_fields import FieldError

_HELD_SECONDS = 0.02
"""Seconds that the painting of a key waits for its preview at most: about a frame."""
_UNSAVED = "unsaved changes ●"
_NOTHING = NewTemplate("", "", "")
"""Content of the form before the template has arrived."""


class TemplateScreen(SectionScreen):
    """Screen of the template form: a letter types only inside a field; esc leaves the field, then the screen."""

    SECTION = "template"
    SHOWS = frozenset({"template"})
    CSS_PATH: ClassVar = ["template.tcss", "fields.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "edit", "model", key_display="⏎", tooltip="choose the model", priority=True, id="template.edit"
        ),
        Binding("f2,ctrl+s", "save", "save", id="template.save"),
        in_editor(),
        Binding("f8", "delete", "delete", tooltip="delete the template", id="template.delete"),
        Binding(
            "f6",
            "app.languages",
            "languages",
            tooltip="what answers are given in, and what you learn",
            id="template.languages",
        ),
        Binding("tab", "app.focus_next", "next field", id="template.next"),
        Binding("tab", "first_field", show=False, priority=True),
        Binding("escape", "back", "back", show=False, id="template.back"),
    ]

    form = getters.query_one(TemplateForm)
    preview = getters.query_one(PromptPreview)

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._saved: NewTemplate | None = None
        """Template as it is saved; None until it has arrived."""
        self._sample: BreakdownRequest | None = None
        self._held: ExitStack | None = None
        self._previews_subtitles = False
        self._rendered: str | None = None
        """Prompt that the last preview found."""

    def compose_body(self) -> ComposeResult:
        with Container(id="template"):
            yield TemplateForm()
            yield PromptPreview()

    @property
    def has_unsaved_changes(self) -> bool:
        return self.is_mounted and self.form.values() != (self._saved or _NOTHING)

    def on_mount(self) -> None:
        self.form.editor.on_edit = self._edited
        if self._sample is not None:
            self.use_sample(self._sample)
        if self.is_current:
            self.read_template()
        else:
            self._stale = True  # composed ahead: it reads when it is shown

    def on_screen_suspend(self) -> None:
        for picker in self.query(Picker):
            picker.action_close()  # its list would lie over what comes now

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self.read_providers)  # a local server may have been started meanwhile

    def use_sample(self, request: BreakdownRequest) -> None:
        """Preview the template with this sentence: the last one that was looked at."""
        self._sample = request
        for preview in self.query(PromptPreview):  # there is none before the screen is shown for the first time
            preview.use(request)

    # Reading.

    def read_anew(self) -> None:
        if not self.has_unsaved_changes:
            self.read_template()

    def library_back(self) -> None:
        if self._saved is None:
            self.read_template()
        else:
            self.read_anew()
            self.show_preview()
        self.read_providers()

    @work(exclusive=True, group="template", exit_on_error=False)
    async def read_template(self) -> None:
        template = await self.service.template.effective()
        if self._saved is None:
            self._saved = self.form.fill_keeping_typed(template)
            self._show_state()
            self.show_preview()
        elif not self.has_unsaved_changes:  # what was typed while it was being read is kept
            self._fill(template)

    async def _arrived(self) -> None:
        """Wait until the template is there, or could not be read."""
        for worker in self.workers:
            if worker.node is self and worker.group == "template" and self._saved is None:
                with suppress(WorkerFailed, WorkerCancelled):
                    await worker.wait()

    def _fill(self, template: NewTemplate) -> None:
        self.form.fill(template)
        self._saved = self.form.values()
        self._show_state()
        self.show_preview()

    @on(TemplateForm.ProvidersWanted)
    @work(exclusive=True, group="providers", exit_on_error=False)
    async def read_providers(self) -> None:
        self.form.show_loading_providers()
        self.form.set_providers(await self.service.llm.providers())

    @on(TemplateForm.ModelsWanted)
    def _models_wanted(self, message: TemplateForm.ModelsWanted) -> None:
        group = f"models-{message.part}"
        if message.provider:
            # Not a coroutine: one that is cancelled before it began would complain that nobody awaited it.
            reading: WorkType[None] = partial(self._read_models, message.part, message.provider, message.refresh)
            self.run_worker(reading, group=group, exclusive=True, exit_on_error=False)
        else:
            self.workers.cancel_group(self, group)

    async def _read_models(self, part: Part, provider: str, refresh: bool) -> None:
        # Without a list the name can still be typed: why there is none is no more than a note.
        try:
            models = await self.service.llm.models(provider, refresh=refresh)
        except LodeError as error:
            # Half a name is no provider yet, and saving says so in any case.
            self.form.fail_models(part, provider, "" if error.code == "unknown_provider" else in_one_line(error))
        else:
            self.form.set_models(part, provider, models)

    # The preview.

    def _edited(self) -> None:
        """Hold the painting of the key for its preview, where that makes nobody wait: one painting instead of two."""
        if not self._let_paint():  # keys that come faster than their previews do not wait, or none would be painted
            self._hold_painting()
        self.show_preview()

    def _hold_painting(self) -> None:
        held = self._held = ExitStack()
        held.callback(self.check_idle)
        held.enter_context(self.app.batch_update())
        # Not a timer of Textual's: on a busy machine one that should tick once may never do so.
        held.callback(asyncio.get_running_loop().call_later(_HELD_SECONDS, self._let_paint).cancel)

    def _let_paint(self) -> bool:
        """Paint what was held, and return whether anything was."""
        held, self._held = self._held, None
        if held is not None:
            held.close()
        return held is not None

    @on(PromptPreview.SampleChanged)
    @work(exclusive=True, group="preview", exit_on_error=False)
    async def show_preview(self) -> None:
        """Render what stands in the editor; a newer key makes this void. With an error the rest is shown.

        While the cursor is in the fields of the subtitles it is what their model is sent.
        """
        if not self.preview.is_composed:
            return  # the app is closing, or the screen is being made
        request = self.preview.request(self.form.editor.text)
        self._previews_subtitles = self.form.is_at_subtitles
        before, self._rendered = self._rendered, request.prompt
        if self._previews_subtitles:
            self.preview.show(_write_correction(self.form.values(), request), of="subtitles")
            self._let_paint()
            return
        try:
            text, error = await self.service.llm.preview_lenient(request)
        except LodeError as problem:  # nothing that is wrong with the prompt: the library does not answer
            self.preview.fail(one_line(problem.message))
            self._let_paint()
            return
        if not self.form.query(FieldError):
            return  # the app is closing, and its fields are gone
        if error is None and request.prompt != before:  # what saving said of the same one stays
            self.form.clear_errors("prompt")
        elif error is not None:
            self.form.show_error("prompt", in_one_line(error), line=error.line, column=error.column)
        if error is None or text:
            self.preview.show(text, partly=error is not None)
        else:
            self.preview.fail()
        self._let_paint()

    @on(TemplateForm.Changed)
    def _show_state(self) -> None:
        self.set_status(_UNSAVED if self.has_unsaved_changes else "")
        if self._previews_subtitles:
            self.show_preview()

    # Saving and deleting.

    @work(exclusive=True, group="save", exit_on_error=False)
    async def action_save(self) -> None:
        """Save, and let the digits choose sections again; what is typed meanwhile waits for that."""
        with self.typed_kept():
            if await self.save():
                self.set_focus(None)

    async def save(self) -> bool:
        """Save the form's template; an error is shown at its field, and the cursor goes there."""
        form = self.form
        await self._arrived()
        if (problem := form.problem()) is not None:
            form.show_error(*problem, go=True)
            return False
        if (doubt := form.doubt(self._saved or _NOTHING)) is not None:
            field, said = doubt
            form.show_error(field, f"{said} ({shown_key(self, 'template.save')} again saves it all the same)", go=True)
            return False
        values = form.values()
        try:
            await self.service.template.save(values)
        except RemoteError as error:
            self.say_error(error)  # nothing that is wrong with a field
            return False
        except LodeError as error:
            field = form.field_of(error)
            line, column = (error.line, error.column) if isinstance(error, TemplateError) else (0, 0)
            form.show_error(field, in_one_line(error), line=line, column=column, go=True)
            return False
        form.clear_errors()
        self._saved = values
        self._show_state()
        self.notify("template saved", markup=False)
        self.post_message(LibraryChanged("template"))
        return True

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def action_delete(self) -> None:
        with self.typed_kept():
            own = await self.service.template.get()
        if own is None:
            self.say("there is no template to delete: this is the built-in one")
            return
        details = ["From then on the built-in prompt is used."]
        if self.has_unsaved_changes:
            details.append("The unsaved changes go with it.")
        if not await self.app.push_screen_wait(Confirm("Delete this profile's template?", details)):
            return
        await self.service.template.delete()
        self._fill(await self.service.template.effective())
        self.set_focus(None)
        self.say("template deleted; u brings it back")
        self.post_message(LibraryChanged("template"))

    # Going.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("edit", "first_field"):
            # Both before the screen gets the key: what is typed right after it must find the field.
            return self.focused is None
        return True

    def main_text(self) -> Widget | None:
        return self.form.editor

    def action_edit(self) -> None:
        self.form.choose_model()

    def watch_focused(self) -> None:
        for form in self.query(TemplateForm):
            form.set_class(self.focused is None, "-here")
            if form.is_at_subtitles != self._previews_subtitles:
                self.show_preview()

    def action_first_field(self) -> None:
        self.focus_next()

    def action_back(self) -> None:
        if isinstance(self.focused, (Input, TextArea)):
            self.set_focus(None)
        else:
            self.run_worker(self._leave(), group="leave", exclusive=True, exit_on_error=False)

    async def _leave(self) -> None:
        if await self.may_leave():
            self.post_message(GoBack())

    async def may_leave(self) -> bool:
        """Ask what becomes of unsaved changes; must run in a worker."""
        with self.typed_kept():
            await self._arrived()
        if not self.has_unsaved_changes:
            return True
        options = (("s", "Save"), ("d", "Discard"), ("esc", "Stay"))
        match await self.app.push_screen_wait(Choice("The template has unsaved changes.", options)):
            case "s":
                return await self.save()
            case "d":
                if self._saved is not None:
                    self._fill(self._saved)
                return True
            case _:
                return False


def _write_correction(template: NewTemplate, sample: PreviewRequest) -> str:
    """Write what the model for subtitles is sent of the sample values: its message, then a batch of one line."""
    from tui.correcting.batches import Batch
    from tui.correcting.prompts import write_correction_prompt
    from tui.prompts.defaults import CORRECTION_SYS_MSG

    around = tuple(filter(None, (sample.context,)))
    batch = Batch(0, (sample.sentence,), before=around, language=sample.language)
    return f"{template.srt_sys_msg or CORRECTION_SYS_MSG}\n\n{write_correction_prompt(batch)}"
