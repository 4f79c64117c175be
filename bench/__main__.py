"""Measures, prints a table, and writes bench/RESULTS.md."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.clips import LONG, PAPER, SHORT, clip
from videodp.elements.detect import find_model

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


def find_rows(short: Path, paper: Path, base: Run) -> list[str]:
    """Finding, and all of it, beside decoding and encoding, and beside deface where it is."""
    run("find", short)  # compiles the kernels
    found, whole = run("find", paper), run("whole", paper)
    alone = f"decode and encode alone: {base.rate:.1f} frames/s"
    rows = [
        f"| find, 1080p, 1050 frames, 83 people, {_detector()} | {found.rate:.1f} frames/s | "
        f"{alone} | x {found.rate / base.rate:.2f} as fast |",
        f"| find and publish, the same | {whole.rate:.1f} frames/s, {whole.seconds:.0f} s | "
        f"{alone}; the paper: 0.9 | x {whole.rate / base.rate:.2f} as fast |",
    ]
    if "DEFACE" in os.environ:
        ours, faces = run("whole", short), run("deface", short)
        rows.append(
            f"| find and publish, 1080p, 300 frames, 24 people | {ours.rate:.1f} frames/s | "
            f"deface, faces only, the same codec: {faces.rate:.1f} frames/s | "
            f"x {ours.rate / faces.rate:.1f} as fast |"
        )
    return rows


def _detector() -> str:
    return "what moves only" if find_model("yolox-nano") is None else "YOLOX-nano and what moves"


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
    rows += find_rows(short[0], paper[0], measured[0][0])
    decoded = run("decode", short[0])
    rows.append(
        f"| decode to RGB, 1080p, 300 frames | {decoded.rate:.1f} frames/s | "
        f"decode and encode alone: {measured[0][0].rate:.1f} frames/s | "
        f"x {decoded.rate / measured[0][0].rate:.1f} as fast |"
    )
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
