"""What is measured; each job runs in a process of its own, so that its memory can be told."""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import av

import videodp
from bench.asking import ask, question
from videodp.video import probe, read_frames


def transcode(source: Path) -> int:
    """The baseline: decode and encode with the settings of a private video, nothing else."""
    frames = 0
    with tempfile.TemporaryDirectory() as folder, av.open(str(source)) as reader:
        decoded = reader.streams.video[0]
        decoded.thread_type = "AUTO"
        with av.open(f"{folder}/out.mp4", "w") as writer:
            stream = writer.add_stream("libx264", rate=decoded.average_rate)
            stream.width, stream.height, stream.pix_fmt = decoded.width, decoded.height, "yuv420p"
            stream.options = {"preset": "veryfast", "crf": "20"}
            for frame in reader.decode(decoded):
                frame.pict_type = 0
                writer.mux(stream.encode(frame))
                frames += 1
            writer.mux(stream.encode())
    return frames


def publish(source: Path, elements: Path) -> int:
    """The whole sampling mechanism."""
    with tempfile.TemporaryDirectory() as folder:
        published = videodp.publish(source, f"{folder}/out.mp4", elements, 0.8)
        print(json.dumps(published.owner["timing"]))
    return probe(source).frames


def decode(source: Path) -> int:
    """Reading frames as RGB, nothing else."""
    return sum(1 for _ in read_frames(probe(source)))


_JOBS: dict[str, Callable[..., int]] = {
    "transcode": transcode,
    "publish": publish,
    "decode": decode,
    "ask": ask,
    "question": question,
}


def main() -> None:
    """``python -m bench.jobs publish VIDEO ELEMENTS`` prints a line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("job", choices=tuple(_JOBS))
    parser.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    started = time.perf_counter()
    frames = _JOBS[arguments.job](*arguments.files)
    seconds = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"frames": frames, "seconds": seconds, "memory_mb": memory}))


if __name__ == "__main__":
    main()
