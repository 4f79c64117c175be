"""Opening a video file that someone else made.

FFmpeg can do much more than read a file: follow playlists, open addresses, run filter
graphs. Here it may open the one local file it was given, with demuxers that only read it.
"""

import os
import re
from pathlib import Path

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from videodp.errors import NotAVideoError, UsageError, VideoError, VideoNotFoundError

__all__ = ["PICTURE_ENDINGS", "local_path", "open_container", "reason", "video_stream"]

# Demuxers that read one file and never name another.
_DEMUXERS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,live_flv,asf,asf_o,gif,"
    "apng,ogg,nut,ivf,h264,hevc,av1,obu,vvc,m4v,mjpeg,mxf,dv,yuv4mpegpipe,rm,wtv,dhav,swf,mpjpeg"
)
_PICTURES = {
    **{".png": "png_pipe", ".bmp": "bmp_pipe", ".webp": "webp_pipe"},
    **{".jpg": "jpeg_pipe", ".jpeg": "jpeg_pipe", ".tif": "tiff_pipe", ".tiff": "tiff_pipe"},
}
PICTURE_ENDINGS = frozenset(_PICTURES)
_PLAYLISTS = {".m3u8", ".m3u", ".mpd", ".ffconcat", ".pls", ".xspf", ".asx"}
# FFmpeg would otherwise invent missing times, and invent others after a seek.
_GENERATE_PTS = 0x0001


def local_path(path: object) -> Path:
    """Check that `path` names a local file or folder that exists.

    Raises:
        UsageError: It is not a path at all.
        VideoNotFoundError: There is nothing there, or it is an address on a network.
    """
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise UsageError(f"a video is given as a path in text, not as {type(path).__name__}")
    text = os.fspath(path)
    if "\0" in text or not text:
        raise VideoNotFoundError("the name of the video is empty or not a file name")
    found = Path(text)
    try:
        exists = found.exists()
    except OSError as error:
        raise VideoNotFoundError(f"{text} cannot be looked up: {error.strerror}") from error
    if not exists:
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) and not re.match(r"[A-Za-z]:[\\/]", text):
            raise VideoNotFoundError(
                f"{text} is an address, and only local files are read: download it first"
            )
        raise VideoNotFoundError(f"there is no file {text}: check the name and the folder")
    if not found.is_file() and not found.is_dir():
        raise NotAVideoError(f"{text} is neither a file nor a folder: save the video to a file")
    return found


def open_container(path: Path, *, picture: bool = False) -> InputContainer:
    """Open one local file for reading, with nothing else within reach.

    Args:
        path: An existing file.
        picture: Open a single picture, not a video.

    Raises:
        NotAVideoError: FFmpeg finds nothing it can read.
    """
    kind = _PICTURES[path.suffix.lower()] if picture else None
    options = {"protocol_whitelist": "file", "format_whitelist": kind or _DEMUXERS}
    try:
        container = av.open(f"file:{path.absolute()}", mode="r", format=kind, options=options)
    except PermissionError as error:
        raise VideoError(f"no permission to read {path}: change its permissions") from error
    except FileNotFoundError as error:
        raise VideoNotFoundError(f"there is no file {path} any more: start again") from error
    except (av.error.FFmpegError, ValueError, UnicodeError) as error:
        what = f"{path} cannot be read as a picture: get it again" if picture else None
        raise NotAVideoError(what or _not_a_video(path)) from error
    container.flags &= ~_GENERATE_PTS
    return container


def video_stream(container: InputContainer, path: Path) -> VideoStream:
    """The pictures of a file: its first video stream that is not a cover picture."""
    cover = av.stream.Disposition.attached_pic
    for stream in container.streams.video:
        if not stream.disposition & cover:
            if stream.codec_context is None:
                raise NotAVideoError(
                    f"{path} uses a video codec that is not supported: convert it to H.264"
                )
            return stream
    if container.streams.audio:
        raise NotAVideoError(f"{path} holds sound but no pictures: give a video")
    raise NotAVideoError(f"{path} holds no pictures: give a video")


def reason(error: BaseException) -> str:
    """What FFmpeg has to say about an error, in a few words."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()


def _not_a_video(path: Path) -> str:
    if path.stat().st_size == 0:
        return f"{path} is empty (0 bytes): get the file again"
    if path.suffix.lower() in _PLAYLISTS:
        return f"{path} is a playlist, and only video files are read: give the video itself"
    return f"{path} is not a video that can be read: give a file such as .mp4, .mkv, .webm or .avi"
