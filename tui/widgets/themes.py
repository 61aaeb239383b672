"""Lode's own two themes: one colour for "you are here", one for "new or running", everything else two greys.

``$accent`` (and ``$primary``, which Textual's widgets use for what has the focus) is where you are, ``$success`` what
is new or running, ``$foreground`` and ``$text-muted`` are the two greys.
"""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="lode-dark",
    primary="#7fb7d6",
    secondary="#9aa3ab",
    accent="#7fb7d6",
    success="#a5c77f",
    warning="#d9b36c",
    error="#e0787c",
    foreground="#d5d9dc",
    background="#15181b",
    surface="#1b1f23",
    panel="#23282d",
    dark=True,
    variables={
        "block-cursor-background": "#2a3a46",
        "block-cursor-foreground": "#eef2f4",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#23282d",
        "block-cursor-blurred-foreground": "#d5d9dc",
        "block-hover-background": "#1f252a",
        "border": "#4a535b",
        "border-blurred": "#343b41",
        "input-cursor-background": "#7fb7d6",
        "input-cursor-foreground": "#15181b",
        "input-selection-background": "#7fb7d6 30%",
        "footer-background": "#15181b",
        "footer-key-foreground": "#d5d9dc",
        "footer-description-foreground": "#8b949b",
        "scrollbar": "#343b41",
        "scrollbar-hover": "#4a535b",
        "scrollbar-active": "#7fb7d6",
        "scrollbar-background": "#15181b",
        "scrollbar-background-hover": "#15181b",
        "scrollbar-background-active": "#15181b",
        "scrollbar-corner-color": "#15181b",
    },
)

LIGHT = Theme(
    name="lode-light",
    primary="#1f6a92",
    secondary="#6b7278",
    accent="#1f6a92",
    success="#45761f",
    warning="#8f6410",
    error="#b03a3f",
    foreground="#24282b",
    background="#fbfaf7",
    surface="#f3f1ec",
    panel="#e9e6df",
    dark=False,
    variables={
        "block-cursor-background": "#d6e6ef",
        "block-cursor-foreground": "#14181a",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#e9e6df",
        "block-cursor-blurred-foreground": "#24282b",
        "block-hover-background": "#f0ede6",
        "border": "#b5b1a8",
        "border-blurred": "#d8d4cb",
        "input-cursor-background": "#1f6a92",
        "input-cursor-foreground": "#fbfaf7",
        "input-selection-background": "#1f6a92 25%",
        "footer-background": "#fbfaf7",
        "footer-key-foreground": "#24282b",
        "footer-description-foreground": "#6b7278",
        "scrollbar": "#d8d4cb",
        "scrollbar-hover": "#b5b1a8",
        "scrollbar-active": "#1f6a92",
        "scrollbar-background": "#fbfaf7",
        "scrollbar-background-hover": "#fbfaf7",
        "scrollbar-background-active": "#fbfaf7",
        "scrollbar-corner-color": "#fbfaf7",
    },
)
