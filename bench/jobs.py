"""What is measured; each job runs in a process of its own, so that its memory can be told."""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import av

import videodp
from bench.asking import ask, question
from bench.clips import SHORT
from videodp.scenes import write_scene
from videodp.stages import Stages
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


def synthesise(source: Path, elements: Path) -> int:
    """The other mechanism."""
    with tempfile.TemporaryDirectory() as folder:
        settings = videodp.Settings(1.0, mechanism="synthesis")
        published = videodp.publish(source, f"{folder}/out.mp4", elements, settings)
        print(json.dumps(published.owner["timing"]))
    return probe(source).frames


def paint(source: Path) -> int:
    """Painting a street like that of a clip, into a video."""
    with tempfile.TemporaryDirectory() as folder:
        write_scene(SHORT, f"{folder}/{source.name}")
    return SHORT.frames


def find(source: Path) -> int:
    """Finding everybody with all that is here: the model, and what moves."""
    with tempfile.TemporaryDirectory() as folder:
        stages = Stages()
        videodp.find_elements(source, f"{folder}/found.parquet", stages=stages)
        print(json.dumps(stages.seconds))
    return probe(source).frames


def whole(source: Path) -> int:
    """From a recording to a private video: find, then publish."""
    with tempfile.TemporaryDirectory() as folder:
        published = videodp.publish(source, f"{folder}/out.mp4", None, 0.8)
        print(json.dumps(published.owner["timing"]))
    return probe(source).frames


def deface(source: Path) -> int:
    """The program of that name, which blurs faces; DEFACE says where it is."""
    with tempfile.TemporaryDirectory() as folder:
        command = [os.environ["DEFACE"], str(source), "-o", f"{folder}/out.mp4"]
        subprocess.run(command, check=True, capture_output=True, timeout=3600)  # libx264 too
    return probe(source).frames


def decode(source: Path) -> int:
    """Reading frames as RGB, nothing else."""
    return sum(1 for _ in read_frames(probe(source)))


_JOBS: dict[str, Callable[..., int]] = {
    "transcode": transcode,
    "publish": publish,
    "synthesise": synthesise,
    "find": find,
    "whole": whole,
    "deface": deface,
    "decode": decode,
    "paint": paint,
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
