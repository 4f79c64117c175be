"""Whether a file is shorter than its own structure says, without reading it all."""

import os
from pathlib import Path
from typing import BinaryIO

__all__ = ["cut_off"]

_TS_PACKET = 188
_MATROSKA_SEGMENT = b"\x18\x53\x80\x67"


def cut_off(path: Path) -> bool:
    """Whether an MP4, AVI, Matroska or MPEG-TS file ends within one of its parts.

    Other files are never said to be cut off: nothing in them tells.
    """
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            start = file.read(16)
            file.seek(0)
            if start[4:8] in (b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip", b"styp"):
                return _mp4(file, size)
            if start[:4] == b"RIFF" and start[8:12] == b"AVI ":
                return _avi(file, size)
            if start[:4] == b"\x1aE\xdf\xa3":
                return _matroska(file, size)
            if start[:1] == b"\x47" and size > _TS_PACKET:
                file.seek(_TS_PACKET)
                return file.read(1) == b"\x47" and size % _TS_PACKET != 0
    except OSError:
        return False  # opening it again will say why
    return False


def _mp4(file: BinaryIO, size: int) -> bool:
    """Boxes: 4 bytes length, 4 bytes type, 8 bytes length if the first one is 1."""
    at = 0
    has_index = False
    while at + 8 <= size:
        file.seek(at)
        header = file.read(16)
        length = int.from_bytes(header[:4], "big")
        has_index |= header[4:8] == b"moov"
        if length == 1:
            length = int.from_bytes(header[8:16], "big")
        elif length == 0:
            length = size - at  # up to the end of the file
        if length < 8:
            return False
        at += length
    return at != size or not has_index


def _avi(file: BinaryIO, size: int) -> bool:
    """RIFF chunks: type, 4 bytes length, content; large files have several."""
    at = 0
    while at + 8 <= size:
        file.seek(at)
        header = file.read(8)
        if header[:4] != b"RIFF":
            return False
        length = int.from_bytes(header[4:8], "little")
        if length in (0, 0xFFFFFFFF):
            return False  # written live: never filled in
        at += 8 + length + length % 2
    return at > size + 1


def _matroska(file: BinaryIO, size: int) -> bool:
    """The EBML header, then one segment with its length."""
    header = file.read(4)
    header_length = _ebml_length(file)
    if header_length is None or len(header) < 4:
        return False
    file.seek(header_length, os.SEEK_CUR)
    if file.read(4) != _MATROSKA_SEGMENT:
        return False
    length = _ebml_length(file)
    return length is not None and file.tell() + length > size


def _ebml_length(file: BinaryIO) -> int | None:
    """A length whose leading zero bits tell how many bytes it has; None if unknown."""
    first = file.read(1)
    if not first or not first[0]:
        return None
    count = 9 - first[0].bit_length()
    value = first[0] & (0x7F >> (count - 1))
    for byte in file.read(count - 1):
        value = value << 8 | byte
    return None if value == (1 << 7 * count) - 1 else value
