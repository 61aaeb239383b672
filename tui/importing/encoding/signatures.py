"""Signatures of files that are no text: what each is called, and what to do to get its text.

Source: Gary Kessler's table of file signatures, and the formats' own specifications.
"""

from dataclasses import dataclass

_ANOTHER = "add the subtitle or the text itself"
_PICTURE = "what is written in it must be typed, or recognised (OCR), into a .txt"
_RECORDING = "recordings are not transcribed yet: add the subtitles, or a transcript of it such as Whisper's .json"
_VIDEO = f"{_RECORDING}; those inside come out with: ffmpeg -i FILE subtitles.srt"
_PICTURES_OF_TEXT = "its lines are pictures: recognise them with Subtitle Edit, or look for the same subtitle as .srt"
_BOOK = "convert it to .epub, with Calibre say"
_OFFICE = "save it as .docx, or a table of cues as .csv"
_UNPACK = "unpack it and add its files"


@dataclass(frozen=True, slots=True)
class BinaryKind:
    """A kind of file that is no text, and the next step."""

    name: str
    hint: str = _ANOTHER


_SIGNATURES: tuple[tuple[int, bytes | tuple[bytes, ...], BinaryKind], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", BinaryKind("a PNG image", _PICTURE)),
    (0, b"\xff\xd8\xff", BinaryKind("a JPEG image", _PICTURE)),
    (0, (b"GIF87a", b"GIF89a"), BinaryKind("a GIF image", _PICTURE)),
    (8, b"WEBP", BinaryKind("a WebP image", _PICTURE)),
    (4, b"ftypheic", BinaryKind("a HEIC image", _PICTURE)),
    (4, b"ftypavif", BinaryKind("an AVIF image", _PICTURE)),
    (0, (b"II*\x00", b"MM\x00*"), BinaryKind("a TIFF image", _PICTURE)),
    (0, b"AT&TFORM", BinaryKind("a DjVu document", "convert it with: djvutxt FILE.djvu FILE.txt")),
    (0, (b"PK\x03\x04", b"PK\x05\x06"), BinaryKind("a ZIP archive", _UNPACK)),
    (0, b"\x1f\x8b\x08", BinaryKind("a gzip archive", _UNPACK)),
    (0, b"BZh91AY&SY", BinaryKind("a bzip2 archive", _UNPACK)),
    (0, b"\xfd7zXZ\x00", BinaryKind("an xz archive", _UNPACK)),
    (0, b"7z\xbc\xaf\x27\x1c", BinaryKind("a 7z archive", _UNPACK)),
    (0, b"Rar!\x1a\x07", BinaryKind("a RAR archive", _UNPACK)),
    (0, b"\x28\xb5\x2f\xfd", BinaryKind("a Zstandard archive", _UNPACK)),
    (257, b"ustar", BinaryKind("a tar archive", _UNPACK)),
    (0, b"%PDF-", BinaryKind("a PDF document", "copy its text into a .txt, or convert it with: pdftotext FILE.pdf")),
    (0, b"{\\rtf", BinaryKind("an RTF document", "save it as .docx or .txt")),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", BinaryKind("an old Office document", _OFFICE)),
    (60, b"BOOKMOBI", BinaryKind("a Kindle book", _BOOK)),
    (60, b"TEXtREAd", BinaryKind("a Palm book", _BOOK)),
    (0, b"TPZ", BinaryKind("a Kindle book", _BOOK)),
    (0, b"\xeaDRMION\xee", BinaryKind("a Kindle book", "it is locked by its seller (DRM): ask for a copy without it")),
    (0, b"ITOLITLS", BinaryKind("a Microsoft Reader book", _BOOK)),
    (0, b"ITSF", BinaryKind("a help file (CHM)", _BOOK)),
    (0, b"SQLite format 3\x00", BinaryKind("an SQLite database")),
    (4, (b"ftypM4A", b"ftypM4B"), BinaryKind("an MP4 video or audio file", _RECORDING)),
    (4, b"ftyp", BinaryKind("an MP4 video or audio file", _VIDEO)),
    (0, b"\x1a\x45\xdf\xa3", BinaryKind("a Matroska or WebM video", _VIDEO)),
    (8, b"AVI ", BinaryKind("an AVI video", _VIDEO)),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", BinaryKind("a Windows Media file", _RECORDING)),
    (8, b"WAVE", BinaryKind("a WAV audio file", _RECORDING)),
    (0, b"OggS", BinaryKind("an Ogg audio or video file", _RECORDING)),
    (0, b"fLaC", BinaryKind("a FLAC audio file", _RECORDING)),
    (0, b"\x00\x00\x01\xba", BinaryKind("an MPEG video or the pictures of a VobSub subtitle", _PICTURES_OF_TEXT)),
    (0, b"FLV\x01", BinaryKind("a Flash video", _VIDEO)),
    (0, (b"\x7fELF", b"\x00asm"), BinaryKind("a program")),
)
_MAX_SIGNATURE_LENGTH = 512
_MP3_FRAMES = (b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")
_BLU_RAY = b"PG"
_BLU_RAY_SEGMENTS = (b"\x14", b"\x15", b"\x16", b"\x17", b"\x80")
_BLU_RAY_SEGMENT_AT = 10


def find_binary_kind(data: bytes) -> BinaryKind | None:
    """The kind of a binary file by its signature, None for what has no known one."""
    head = data[:_MAX_SIGNATURE_LENGTH]
    for offset, signature, kind in _SIGNATURES:
        if head.startswith(signature, offset):
            return kind
    is_tagged = head.startswith(b"ID3") and head[3:4] in (b"\x02", b"\x03", b"\x04")
    if is_tagged or (head.startswith(_MP3_FRAMES) and b"\x00" in head):
        return BinaryKind("an MP3 audio file", _RECORDING)
    if len(data) > 376 and data[0] == data[188] == data[376] == 0x47 and b"\x00" in head:
        return BinaryKind("an MPEG transport stream", _VIDEO)
    if head.startswith(_BLU_RAY) and b"\x00" in head and head.startswith(_BLU_RAY_SEGMENTS, _BLU_RAY_SEGMENT_AT):
        return BinaryKind("a Blu-ray subtitle", _PICTURES_OF_TEXT)
    return None
