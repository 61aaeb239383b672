"""Forms with files, ``multipart/form-data`` (RFC 7578), as the fake server reads them: strictly, and byte for byte."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser


@dataclass(frozen=True)
class FormFile:
    """A file of a form, as the client names it."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True)
class Form:
    """The fields of a form in order, and its files by the names of their fields."""

    fields: tuple[tuple[str, str], ...]
    files: dict[str, FormFile]

    def all(self, name: str) -> list[str]:
        return [text for each, text in self.fields if each == name]

    def one(self, name: str) -> str | None:
        """The value of a field that may come once; None where it does not come."""
        values = self.all(name)
        assert len(values) <= 1, (name, values)
        return values[0] if values else None


def is_form(content_type: str) -> bool:
    return content_type.startswith("multipart/form-data")


def read_form(content_type: str, body: bytes) -> Form:
    head = Message()
    head["content-type"] = content_type
    boundary = head.get_param("boundary")
    assert isinstance(boundary, str) and boundary, content_type
    begin, *parts, end = (b"\r\n" + body).split(b"\r\n--" + boundary.encode())
    assert (begin, end) == (b"", b"--\r\n"), (begin, end)
    fields, files = list[tuple[str, str]](), dict[str, FormFile]()
    for part in parts:
        lines, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        said = BytesParser().parsebytes(lines + b"\r\n\r\n")
        name, file_name = (said.get_param(each, header="content-disposition") for each in ("name", "filename"))
        assert isinstance(name, str), lines
        if file_name is None:
            fields.append((name, content.decode()))
        else:
            assert name not in files, name
            files[name] = FormFile(str(file_name), said.get_content_type(), content)
    return Form(tuple(fields), files)
