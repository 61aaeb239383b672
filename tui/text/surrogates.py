"""UTF-16 surrogates in decoded text: JSON may carry half a character, which UTF-8 cannot."""

from __future__ import annotations


def whole_characters(text: str) -> str:
    """The text with surrogate pairs joined and halves of pairs replaced."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
