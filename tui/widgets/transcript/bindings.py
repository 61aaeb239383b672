"""Key bindings of the reader, with the ids by which the settings name them."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from tui.widgets.chrome.moving_keys import page_keys

READER_KEYS: list[BindingType] = [
    Binding("enter", "choose", "break down", key_display="⏎", id="reader.choose"),
    Binding("j,down", "cue(1)", "next cue", show=False, id="reader.next_cue"),
    Binding("k,up", "cue(-1)", "previous cue", show=False, id="reader.previous_cue"),
    Binding("l,right", "word(1)", "next word", show=False, id="reader.next_word"),
    Binding("h,left", "word(-1)", "previous word", show=False, id="reader.previous_word"),
    Binding("v", "extend", "extend", tooltip="extend the focus over several words", id="reader.extend"),
    # The screen's, before its own: in every player of films it is this key.
    Binding("space", "screen.pause", "pause", tooltip="pause mpv, or play on", id="reader.pause"),
    Binding("space", "mark", "keep this word in the focus (parts that stand apart)", show=False, id="reader.mark"),
    # Here, so that it still goes from field to field where another widget has the focus.
    Binding("tab", "screen.next_new", "new", tooltip="to the next new word", id="reader.next_new"),
    Binding(
        "J",
        "context(0, 1)",
        "context",
        key_display="J/K",
        tooltip="take the next cue in",
        id="reader.context_after",
    ),
    Binding("K", "context(1, 0)", "take the cue before into the context", show=False, id="reader.context_before"),
    Binding("0", "no_context", "no context", show=False, id="reader.no_context"),
    Binding("g,home", "edge(0)", "first cue", show=False, id="reader.first"),
    Binding("G,end", "edge(1)", "last cue", show=False, id="reader.last"),
    *page_keys("reader", "pages"),
    Binding("n", "hit(1)", "next hit", show=False, id="reader.next_hit"),
    Binding("N", "hit(-1)", "previous hit", show=False, id="reader.previous_hit"),
]
