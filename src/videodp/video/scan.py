"""Which frames a file holds, from its packets alone: a scan that decodes nothing."""

from dataclasses import dataclass

import av
import numpy as np
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream
from numpy.typing import NDArray

__all__ = ["Scan", "scan"]

# Every frame stands alone.
_INTRA = {
    *("mjpeg", "png", "apng", "rawvideo", "prores", "dnxhd", "huffyuv", "ffvhuff", "utvideo"),
    *("v210", "jpeg2000", "dvvideo", "magicyuv", "cfhd", "qoi", "bmp"),
}
# A frame marked as a key is a clean start for all frames shown from then on. (H.264 is not
# here: it also marks frames that are good enough to start from, see `_is_clean`.)
_CLEAN_KEYS = {
    *("hevc", "vp8", "vp9", "av1", "libdav1d", "ffv1", "mpeg4", "mpeg2video", "mpeg1video"),
    *("msmpeg4v2", "msmpeg4v3", "msmpeg4", "wmv1", "wmv2", "flv", "h263"),
}
# One packet is one frame, and its time is the frame's.
_ONE_TO_ONE = _INTRA | _CLEAN_KEYS | {"h264"}
# Demuxers that can return to a packet by its time and give the same times again.
_SEEKABLE = {"mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "mpegts", "nut", "ivf"}
# An MPEG-4 packet this small says "nothing here", and yields no frame.
_EMPTY_MPEG4 = 16


@dataclass(frozen=True)
class Scan:
    """What the packets say.

    Attributes:
        pts: (frames,) int64, sorted. Meaningless unless `reliable`.
        key_pts: Those of `pts` where decoding can start cleanly; none if the container
            cannot return to them.
        packets: How many packets there are.
        reliable: One packet is one frame and all times are known and distinct.
        damaged: The last packet is cut short, or reading stopped with an error.
        last_pts: Of the last packet in the file, if known.
        encrypted: The packets say that they are encrypted.
    """

    pts: NDArray[np.int64]
    key_pts: NDArray[np.int64]
    packets: int
    reliable: bool
    damaged: bool
    last_pts: int | None
    encrypted: bool


def scan(container: InputContainer, stream: VideoStream) -> Scan:
    """Read all packets of a video stream.

    Memory: eight bytes per frame.
    """
    codec = stream.codec_context.name
    length_bytes = _length_bytes(stream)
    times: list[int] = []
    clean: list[int] = []
    packets = 0
    reliable = codec in _ONE_TO_ONE
    damaged = encrypted = False
    last_pts = None
    try:
        for packet in container.demux(stream):
            if packet.size == 0:
                continue
            packets += 1
            # Damage further in front (lost packets of a broadcast) is for the decoder to hide.
            damaged, last_pts = packet.is_corrupt, packet.pts
            encrypted |= packet.has_sidedata("encryption_info")
            if packet.is_discard or not _is_shown(packet, codec):
                continue
            if packet.pts is None or (codec == "mpeg4" and packet.size < _EMPTY_MPEG4):
                reliable = False
                continue
            times.append(packet.pts)
            if packet.is_keyframe and _is_clean(packet, codec, length_bytes):
                clean.append(packet.pts)
            elif len(times) == 1 and not packet.is_keyframe:
                reliable = False  # begins in the middle: the decoder will leave frames out
    except (av.error.FFmpegError, OSError):
        damaged = True
    pts = np.array(times, np.int64)
    # Frames shown before the first clean start may or may not be decoded.
    if times and pts.min() < times[0]:
        reliable = False
    pts.sort()
    reliable = reliable and bool(np.all(np.diff(pts) > 0))
    key_pts = np.array(sorted(clean) if container.format.name in _SEEKABLE else [], np.int64)
    return Scan(pts, key_pts, packets, reliable, damaged, last_pts, encrypted)


def _is_shown(packet: "Packet[VideoStream]", codec: str) -> bool:
    """VP8 and VP9 have packets that are only there to be referred to."""
    if codec == "vp8":
        return bool(memoryview(packet)[0] & 0x10)
    if codec == "vp9":
        view = memoryview(packet)
        if view[-1] & 0xE0 == 0xC0:  # a superframe: hidden frames with the shown one
            return True
        # frame marker (2 bits), profile (2, and 1 reserved for profile 3), then the flags
        shift = 2 if view[0] & 0x30 == 0x30 else 3
        shown_again = bool(view[0] >> shift & 1)
        return shown_again or bool(view[0] >> (shift - 2) & 1)
    return True


def _is_clean(packet: "Packet[VideoStream]", codec: str, length_bytes: int) -> bool:
    """Whether decoding from this key frame gives exactly what decoding from 0 gives."""
    if codec == "h264":
        return _has_idr(memoryview(packet), length_bytes)
    return codec in _INTRA or codec in _CLEAN_KEYS


def _length_bytes(stream: VideoStream) -> int:
    """How long the length before each unit of H.264 is; 0 if units have start codes."""
    extradata = stream.codec_context.extradata or b""
    return (extradata[4] & 3) + 1 if len(extradata) > 4 and extradata[0] == 1 else 0


def _has_idr(data: memoryview, length_bytes: int) -> bool:
    """Whether an H.264 packet is an IDR picture, after which nothing refers back."""
    if not length_bytes:
        # Unit type 5 after a start code 00 00 01.
        units = bytes(data).split(b"\0\0\1")[1:]
        return any(unit and unit[0] & 0x1F == 5 for unit in units)
    at = 0
    while at + length_bytes < len(data):
        length = int.from_bytes(data[at : at + length_bytes], "big")
        if data[at + length_bytes] & 0x1F == 5:
            return True
        at += length_bytes + length
    return False
