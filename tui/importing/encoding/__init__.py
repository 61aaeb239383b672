"""Encodings of files: from their bytes to the lines of their text."""


def try_decode(data: bytes, codec: str) -> str | None:
    """The text, None where the bytes do not fit the codec."""
    try:
        return data.decode(codec)
    except ValueError:  # UnicodeError, and what some codecs raise in its place
        return None
