"""Which files can be written: endings, codecs, and the pixel format each size needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from videodp.errors import UsageError

__all__ = ["Encoding", "choose"]

_CRF = {"libx264": 51, "libx265": 51, "libsvtav1": 63, "libvpx-vp9": 63}
_PRESETS = (
    *("ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower"),
    *("veryslow", "placebo"),
)
_LOSSLESS = "ffv1"
_SLICED_FROM = 16  # pixels
# These write outside their memory below the size of one coding unit.
_NOT_SMALL, _SMALL = ("libx265", "libsvtav1"), 64
# ending: (FFmpeg's muxer, codecs it can hold with exact times)
_CONTAINERS = {
    ".mp4": ("mp4", ("libx264", "libx265", "libsvtav1", "libvpx-vp9")),
    ".m4v": ("mp4", ("libx264", "libx265", "libsvtav1")),
    ".mov": ("mov", ("libx264", "libx265")),
    ".mkv": ("matroska", ("libx264", "libx265", "libsvtav1", "libvpx-vp9", "ffv1")),
    ".webm": ("webm", ("libsvtav1", "libvpx-vp9")),
    ".nut": ("nut", ("ffv1",)),
    ".avi": ("avi", ("ffv1",)),
}


@dataclass(frozen=True)
class Encoding:
    """How FFmpeg is asked to write one video."""

    container: str
    codec: str
    pixel_format: str
    options: Mapping[str, str]

    @property
    def lossless(self) -> bool:
        """Whether the RGB that goes in comes out."""
        return self.codec == _LOSSLESS


def choose(path: Path, codec: str, width: int, height: int, crf: int, preset: str) -> Encoding:
    """Check that this video can be written, and say how.

    Raises:
        UsageError: Unknown codec, ending, preset or quality, or they do not go together.
    """
    known = sorted({name for _, codecs in _CONTAINERS.values() for name in codecs})
    if codec not in known:
        raise UsageError(f"the codec {codec!r} is unknown: choose one of {', '.join(known)}")
    ending = path.suffix.lower()
    if ending not in _CONTAINERS:
        raise UsageError(
            f"{path} does not end in a way that names a video format: choose one of "
            f"{', '.join(_CONTAINERS)}"
        )
    container, codecs = _CONTAINERS[ending]
    if codec not in codecs:
        fitting = [name for name, (_, held) in _CONTAINERS.items() if codec in held]
        raise UsageError(
            f"{ending} files cannot hold {codec}: choose one of {', '.join(codecs)}, or an ending "
            f"from {', '.join(fitting)}"
        )
    if not (0 < width <= 16384 and 0 < height <= 16384):
        raise UsageError(f"a size of {width}x{height} is not possible: 1 to 16384 each way")
    if codec in _NOT_SMALL and min(width, height) < _SMALL:
        raise UsageError(
            f"{codec} cannot write the small size {width}x{height}: choose another codec"
        )
    options = _options(codec, crf, preset)
    if codec == _LOSSLESS and min(width, height) < _SLICED_FROM:
        del options["slices"]
    if codec == "libx264" and -(-width // 16) % 8:
        # Macroblock trees read beyond a row whose blocks do not come in eights, and so the
        # file would depend on what was in memory before.
        options["x264-params"] = "mbtree=0"
    return Encoding(container, codec, _pixel_format(codec, width, height), options)


def _pixel_format(codec: str, width: int, height: int) -> str:
    if codec == _LOSSLESS:
        return "bgr0"
    odd = width % 2 or height % 2
    if odd and codec == "libsvtav1":
        raise UsageError(
            f"libsvtav1 cannot write the odd size {width}x{height}: choose another codec"
        )
    # Chroma at half the size needs an even size; at full size any size is kept exactly.
    return "yuv444p" if odd else "yuv420p"


def _options(codec: str, crf: int, preset: str) -> dict[str, str]:
    if codec == _LOSSLESS:
        # Fixed slices: the bytes must not depend on the number of cores.
        return {"level": "3", "g": "1", "slices": "4", "slicecrc": "1"}
    if not 0 <= crf <= _CRF[codec]:
        raise UsageError(
            f"a crf of {crf} is not possible with {codec}: 0 (best) to {_CRF[codec]} (smallest)"
        )
    if preset not in _PRESETS:
        raise UsageError(f"the preset {preset!r} is unknown: choose one of {', '.join(_PRESETS)}")
    speed = _PRESETS.index(preset)
    match codec:
        case "libsvtav1":
            return {"crf": str(crf), "preset": str(max(2, 12 - speed))}
        case "libvpx-vp9":
            cpu_used = str(max(0, 8 - speed))
            return {
                **{"crf": str(crf), "b": "0", "row-mt": "1"},
                **{"deadline": "good" if speed > 2 else "realtime", "cpu-used": cpu_used},
            }
        case "libx265":
            return {"crf": str(crf), "preset": preset, "x265-params": "log-level=none"}
        case _:
            return {"crf": str(crf), "preset": preset}
