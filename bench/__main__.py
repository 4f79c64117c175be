"""Measures, prints a table, and writes bench/RESULTS.md."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.asking import STATEMENTS, crowd, private_of
from bench.clips import LONG, PAPER, SHORT, clip

REPEATS = 3
RESULTS = Path(__file__).with_name("RESULTS.md")


@dataclass(frozen=True)
class Run:
    """One measured run."""

    frames: int
    seconds: float
    memory_mb: float

    @property
    def rate(self) -> float:
        """Frames per second."""
        return self.frames / self.seconds


def run(job: str, *files: Path) -> Run:
    """Runs a job in a new process."""
    command = [sys.executable, "-m", "bench.jobs", job, *map(str, files)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Run(**json.loads(output.splitlines()[-1]))


def pairs(video: Path, elements: Path) -> list[tuple[Run, Run]]:
    """Baseline and publish in turn, so that both see the same machine."""
    return [(run("transcode", video), run("publish", video, elements)) for _ in range(REPEATS)]


def asking(video: Path, elements: Path) -> list[str]:
    """The same query on an original and its private video; SQL on an hour of a crowd."""
    private, table = private_of(video, elements), crowd()
    turns = [(run("ask", video), run("ask", private)) for _ in range(REPEATS)]
    ratios = sorted(theirs.seconds / ours.seconds for ours, theirs in turns)
    slowest = max(
        min(run("question", table, Path(str(i))).seconds for _ in range(REPEATS))
        for i in range(len(STATEMENTS))
    )
    return [
        f"| RGB histogram of a private video, 1080p, 300 frames | {turns[0][1].seconds:.2f} s | "
        f"the original: {turns[0][0].seconds:.2f} s | time x {ratios[len(ratios) // 2]:.2f} (of "
        f"{len(ratios)}: {ratios[0]:.2f} to {ratios[-1]:.2f}) |",
        f"| SQL on an hour, 10,000 tracks, 5 million detections | {slowest:.2f} s, the slowest of "
        f"{len(STATEMENTS)}, opening included | asked for: 1 s | x {slowest:.2f} |",
    ]


def main() -> None:
    """Everything, in about ten minutes."""
    rows = []
    short = clip(SHORT)
    run("publish", *short)  # compiles the kernels
    measured = pairs(*short)
    ratios = sorted(ours.seconds / base.seconds for base, ours in measured)
    base, ours = measured[0]
    rows.append(
        f"| publish, 1080p, 300 frames, 24 people | {ours.rate:.1f} frames/s | "
        f"decode and encode alone: {base.rate:.1f} frames/s | "
        f"time x {ratios[len(ratios) // 2]:.2f} (of {len(ratios)}: {ratios[0]:.2f} to "
        f"{ratios[-1]:.2f}) |"
    )
    paper = clip(PAPER)
    base, ours = run("transcode", *paper[:1]), run("publish", *paper)
    rows.append(
        f"| publish, 1080p, 1050 frames, 83 people | {ours.rate:.1f} frames/s | "
        f"decode and encode alone: {base.rate:.1f} frames/s; the paper: 0.9 with detection | "
        f"time x {ours.seconds / base.seconds:.2f} |"
    )
    long = run("publish", *clip(LONG))
    short_memory = max(ours.memory_mb for _, ours in measured)
    rows.append(
        f"| peak memory of publish, 1080p, 3000 frames | {long.memory_mb:.0f} MB | "
        f"300 frames: {short_memory:.0f} MB | x {long.memory_mb / short_memory:.2f} |"
    )
    decoded = run("decode", short[0])
    rows.append(
        f"| decode to RGB, 1080p, 300 frames | {decoded.rate:.1f} frames/s | "
        f"decode and encode alone: {measured[0][0].rate:.1f} frames/s | "
        f"x {decoded.rate / measured[0][0].rate:.1f} as fast |"
    )
    rows += asking(*short)
    machine = f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    table = "\n".join(
        [
            "# Results",
            "",
            f"Measured by `make bench` on {_model()} ({machine}, {platform.system()}, Python "
            f"{platform.python_version()}). Every figure stands beside its baseline, measured in "
            "the same run; machines differ, ratios less so.",
            "",
            "| what | figure | baseline | ratio |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )
    print(table)
    RESULTS.write_text(table, encoding="utf-8")


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main()
