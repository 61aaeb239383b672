"""The encoding that a page or an XML document says it is in, taken at its word where its bytes agree.

Names mean what browsers take them for (encoding.spec.whatwg.org, 4.2): "iso-8859-1" is windows-1252, "gb2312" GB 18030.
"""

from __future__ import annotations

import re

from tui.importing.encoding.codec_name import text_codec

_LOOKED_AT = 4096
_DECLARED = re.compile(
    rb"<\?xml[^<>]{0,200}?\sencoding\s{0,10}=\s{0,10}[\"']([A-Za-z0-9._:-]{2,40})"
    rb"|<meta\s[^<>]{0,500}?charset\s{0,10}=\s{0,10}[\"']?\s{0,10}([A-Za-z0-9._:-]{2,40})",
    re.IGNORECASE,
)
_MEANT = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "x-mac-cyrillic": "mac_cyrillic",
}


def declared_encoding(data: bytes, language: str | None) -> str | None:
    """Python's name of the codec that the beginning of the document names, None where it is not in that one.

    UTF-8 is not among them: whatever a page says, its bytes tell that themselves.
    """
    found = _DECLARED.search(data[:_LOOKED_AT])
    if found is None or b"\x00" in data[:_LOOKED_AT]:
        return None
    from tui.importing.encoding.detection import contradiction

    name = (found[1] or found[2]).decode("ascii").lower()
    codec = text_codec(_MEANT.get(name, name))
    if codec is None or codec.startswith("utf"):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return None
    try:
        text = data.decode(codec)
    except ValueError:
        return None
    return codec if contradiction(data, text, codec, language) is None else None
