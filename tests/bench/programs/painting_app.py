"""The app, which draws each paint twice, with and without its layer under Textual: ``… painting_app FILE``.

When it ends, it writes into the file what each took: of how many rows, whether it was the first whole one of
a screen that has come, and the milliseconds of CPU with the layer and without it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import thread_time
from typing import Any

from rich.console import RenderableType
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.screen import Screen

from tui import config
from tui.app import LodeApp
from tui.service.local import LocalService

PAINTS: list[tuple[int, bool, float, float]] = []


class PaintingApp(LodeApp):
    painted: Screen[Any] | None = None

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        painter = self.painter
        if painter is None or not isinstance(renderable, (LayoutUpdate, ChopsUpdate)):
            super()._display(screen, renderable)
            return
        took: dict[bool, float] = {}
        for with_layer in (False, True) if len(PAINTS) % 2 else (True, False):
            self.painter = painter if with_layer else None
            began = thread_time()
            super()._display(screen, renderable)
            took[with_layer] = (thread_time() - began) * 1000
        self.painter = painter
        if isinstance(renderable, LayoutUpdate):
            PAINTS.append((len(renderable.strips), screen is not self.painted, took[True], took[False]))
            self.painted = screen
        else:
            PAINTS.append((len({y for y, *_ in renderable.spans}), False, took[True], took[False]))


if __name__ == "__main__":
    settings = config.load()
    PaintingApp(LocalService(settings), settings).run()
    Path(sys.argv[1]).write_text(json.dumps(PAINTS))
